"""The office: an administrator lets people in and terminals play, and puts both out again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from croupier.floor.config import FIRST_ADMINISTRATOR
from croupier.table.messages import PersonId, SeatId
from tests.browser.conftest import Open, Watch
from tests.browser.floor import BrowserFloor, table_name
from tests.browser.staff import MS, players, until

LAYOUT = "rws-sicbo-etg-v2/A"
TABLE = table_name(LAYOUT)


def office(enter: Open) -> Page:
    page = enter(FIRST_ADMINISTRATOR, "/office", width=1400, height=1000)
    expect(page.locator("[data-accounts]")).to_be_visible(timeout=MS)
    return page


def test_somebody_new_comes_in_by_a_link_gets_other_roles_and_is_retired(
    enter: Open, open_page: Open, house: BrowserFloor, watch: Watch
) -> None:
    watch.forgiven += ["401", "WebSocket"]
    ada = office(enter)
    ada.locator('[data-open="new"]').click()
    ada.locator("dialog [name=person]").fill("Nora")
    ada.locator('dialog [value="auditor"]').check()
    ada.locator("[data-send]").click()
    row = ada.locator('[data-account="Nora"]')
    expect(row).to_contain_text("Auditor", timeout=MS)
    row.locator('[data-do="link"]').click()
    link = ada.locator("[data-link]").inner_text()
    ada.keyboard.press("Escape")

    nora = open_page(link.removeprefix(house.address))
    nora.locator("[data-enter]").click()
    expect(nora.locator("[data-history]")).to_be_visible(timeout=MS)
    row.locator('[data-do="roles"]').click()
    ada.locator('dialog [value="cashier"]').check()
    ada.locator("[data-send]").click()
    expect(row).to_contain_text("Cashier", timeout=MS)
    assert set(house.floor.accounts.accounts[PersonId("Nora")].roles) == {"auditor", "cashier"}
    row.locator('[data-do="password"]').click()
    ada.locator("dialog [name=password]").fill("a long enough secret")
    ada.locator("[data-send]").click()
    expect(row).to_contain_text("set", timeout=MS)
    nora.reload()
    nora.locator("[name=person]").fill("Nora")
    nora.locator("[name=password]").fill("a long enough secret")
    nora.get_by_role("button", name="Sign in").click()
    expect(nora.locator("[data-history]")).to_be_visible(timeout=MS)
    row.locator('[data-do="retire"]').click()
    ada.locator("dialog [name=reason]").fill("she has left the House")
    ada.locator("[data-send]").click()
    expect(ada.locator('[data-account="Nora"][data-retired="true"]')).to_be_visible(timeout=MS)
    nora.reload()
    expect(nora.locator("[name=password]")).to_be_visible(timeout=MS)


def test_who_comes_by_a_link_chooses_a_password_and_is_confirmed_by_another(
    enter: Open, open_page: Open, house: BrowserFloor, watch: Watch
) -> None:
    watch.forgiven += ["401", "WebSocket"]
    ada, sam = office(enter), enter("Sam", "/pit")
    expect(ada.locator("[data-standing]")).to_have_count(0)
    ada.locator('[data-account="Dana"] [data-do="link"]').click()
    link = ada.locator("[data-link]").inner_text()
    ada.keyboard.press("Escape")
    dana = open_page(link.removeprefix(house.address))
    dana.reload()  # looked at twice, spent once
    dana.locator("[data-enter]").click()
    expect(dana.locator('[data-standing="lent"]')).to_be_visible(timeout=MS)
    dana.get_by_role("button", name="Settings").click()
    dana.locator("[name=next]").fill("known to nobody else")
    dana.locator("[data-set-own]").click()
    name, word = dana.locator("main [name=person]"), dana.locator("main [name=password]")
    expect(name).to_be_visible(timeout=MS)
    while (name.input_value(), word.input_value()) != ("Dana", "known to nobody else"):
        name.fill("Dana")  # the page may still be hearing that its session has ended, and begin the form anew
        word.fill("known to nobody else")
    dana.get_by_role("button", name="Sign in").click()
    expect(dana.locator('[data-standing="unconfirmed"]')).to_contain_text("Nobody has confirmed", timeout=MS)
    waiting = ada.locator('[data-unconfirmed="Dana"]')
    expect(waiting).to_be_visible(timeout=MS)
    expect(waiting.locator("[data-confirm]")).to_have_count(0)  # she made the link
    sam.get_by_role("tab", name="Approvals").click()
    code = sam.locator('[data-unconfirmed="Dana"] code').inner_text()
    expect(dana.locator("[data-standing]")).to_contain_text(code)
    sam.locator('[data-confirm="Dana"]').click()
    expect(sam.locator('[data-unconfirmed="Dana"]')).to_have_count(0, timeout=MS)
    expect(waiting).to_have_count(0, timeout=MS)
    dana.reload()
    expect(dana.locator("[data-box]").first).to_be_visible(timeout=MS)
    expect(dana.locator("[data-standing]")).to_have_count(0)


def test_a_terminal_is_enrolled_plays_and_is_cut_off_when_it_is_retired(
    enter: Open, open_page: Open, house: BrowserFloor, watch: Watch
) -> None:
    watch.forgiven += ["WebSocket"]
    with players(house, LAYOUT, "A4"):
        ada = office(enter)
        ada.locator("select[name=table]").select_option(TABLE)
        ada.locator("select[name=seat]").select_option("A4")
        ada.locator('[data-do="enrol"]').click()
        address = ada.locator("[data-token]").inner_text()
        ada.keyboard.press("Escape")
        terminal = open_page(address.removeprefix(house.address))
        expect(terminal.locator("[data-box]").first).to_be_visible(timeout=MS)
        row = ada.locator(f'[data-terminal="{TABLE}/A4"]')
        until(ada, lambda: SeatId("A4") in house.door.welcomed.get(TABLE, {}))
        row.locator('[data-do="retire"]').click()
        ada.locator("dialog [name=reason]").fill("stolen")
        ada.locator("[data-send]").click()
        expect(row).to_have_count(0, timeout=MS)
        until(ada, lambda: SeatId("A4") not in house.door.welcomed.get(TABLE, {}))
