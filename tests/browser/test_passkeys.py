"""Passkeys in a real browser: two people add one each, and sign what one asks for and the other approves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.store.folder import open_store
from croupier.store.verify import verify
from tests.browser.conftest import Watch
from tests.browser.floor import BrowserFloor
from tests.browser.staff import MS, players, until
from tests.browser.test_pit import approve
from tests.support.sign_in import sign_in

TAISAI = "rws-taisai-v5/A"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def pages(browser: Browser, house: BrowserFloor, watch: Watch) -> Iterator[dict[str, Page]]:
    """The pit as Sam and as Pat see it, each in a browser of their own with a device that makes passkeys."""
    here = house.address.replace("127.0.0.1", "localhost")  # no passkey is made for a number
    contexts, found = [], {}
    for person in ("Sam", "Pat"):
        context = browser.new_context(viewport={"width": 1400, "height": 1000}, reduced_motion="reduce", locale="en-GB")
        context.set_default_timeout(MS)
        contexts.append(context)
        token = house.ask(sign_in(house.floor, person))
        context.add_cookies([{"name": "croupier", "value": token, "url": here}])
        page = context.new_page()
        watch.page(page)
        device = context.new_cdp_session(page)
        device.send("WebAuthn.enable")
        device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
        page.goto(f"{here}/pit")
        found[person] = page
    yield found
    for context in contexts:
        context.close()


def add_passkey(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.locator("[data-add-passkey]").click()
    expect(page.locator('[data-passkeys="1"]')).to_be_visible(timeout=MS)
    page.keyboard.press("Escape")


def test_who_asks_and_who_approves_sign_with_devices_of_their_own(pages: dict[str, Page], house: BrowserFloor) -> None:
    house.ask(house.sessions.require_passkeys())
    with players(house, TAISAI) as table:
        sam, pat = pages["Sam"], pages["Pat"]
        for page in (sam, pat):
            page.goto(f"{page.url.partition('#')[0]}#table={table}")
            page.reload()
            add_passkey(page)
        sam.locator('[data-open="SetLimits"]').click()
        sam.get_by_label("Maximum *").fill("2,000.00")
        sam.locator('[data-do="SetLimits"]').click()
        until(sam, lambda: any(asked.signed for asked in house.floor.accounts.askers.values()))
        approve(pat, table, house)
        assert house.live(table).table.limits.maximum["*"] == 2_000_00


def test_the_journal_of_that_is_true(house: BrowserFloor) -> None:
    """After the test above: what real browsers signed is what `verify` believes."""
    since = house.floor.accounts.passkeys_since
    assert since
    store = open_store(house.floor.premises.address)
    verdict = verify(store)
    store.close()
    assert verdict.lies == []
