"""A real browser before a real floor: chromium of the system, no page that leaves the machine, no error unseen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import SeatId
from tests.browser.floor import PATIENCE, BrowserFloor, opened, table_name
from tests.browser.terminal import CREDIT, Sit, Terminal
from tests.support.sign_in import sign_in

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]
MISSING = (
    "SKIPPED: the tests in a browser. There is no chromium. On Debian, as root: "
    "apt-get install chromium fonts-noto-cjk; make test does so by itself where it may"
)
Open = Callable[..., "Page"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    if CHROMIUM is None:
        for item in items:
            if here in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=MISSING))


# For each file anew: what one leaves on a table is nothing to another, and Playwright's event loop, which suffers
# no other in its thread, has ended before the tests of other rooms come.


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserFloor]:
    with opened(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Watch:
    """What no page may do: fail silently, or speak to anyone but its own floor."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.forgiven: list[str] = []
        """Parts of messages that a test brings about itself, such as a cut line."""

    def page(self, page: Page) -> None:
        page.on("console", lambda said: self._said(f"{said.type}: {said.text} {said.location['url']}", said.type))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._asked)

    def _said(self, message: str, kind: str) -> None:
        # What an act would do is asked while others act: that it would be refused by now is an answer like any other.
        rehearsed = "status of 409" in message and message.endswith("/rehearsal")
        if kind in ("error", "warning") and not rehearsed and not any(part in message for part in self.forgiven):
            self.errors.append(message)

    def _asked(self, request: Request) -> None:
        here = ("http://127.0.0.1:", "ws://127.0.0.1:", "http://localhost:", "ws://localhost:", "blob:", "data:")
        if not request.url.startswith(here):
            self.outside.append(request.url)


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    yield watch
    assert not watch.errors
    assert not watch.outside


@pytest.fixture
def open_page(browser: Browser, house: BrowserFloor, watch: Watch) -> Iterator[Open]:
    """Open a page of the floor in a context of its own; everything is closed at the end."""
    contexts = []

    def open(path: str, *, width: int = 1280, height: int = 800, language: str = "en", touch: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, reduced_motion="reduce", locale="en-GB"
        )
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        context.add_init_script(f"localStorage.setItem('croupier.language', '{language}')")
        page = context.new_page()
        watch.page(page)
        page.goto(f"{house.address}{path}")
        return page

    yield open
    for context in contexts:
        context.close()


@pytest.fixture
def enter(house: BrowserFloor, open_page: Open) -> Open:
    """Open a page of the staff in a browser of its own, signed in as somebody whom others have confirmed."""

    def enter(person: str, path: str, **screen: Any) -> Page:
        page = open_page("/display", **screen)
        token = house.ask(sign_in(house.floor, person))
        page.context.add_cookies([{"name": "croupier", "value": token, "url": house.address}])
        page.goto(f"{house.address}{path}")
        return page

    return enter


@pytest.fixture
def sit(house: BrowserFloor, open_page: Open) -> Iterator[Sit]:
    """Seat a Player at a table and open his terminal; the round is over and the seat empty again afterwards."""
    sat: list[tuple[str, str]] = []

    def sit(layout: str, seat: str = "A1", *, light: str = "dark", language: str = "en", **screen: Any) -> Terminal:
        table = table_name(layout)
        token = house.seat(table, seat, CREDIT)
        sat.append((table, seat))
        house.open_table(table)
        page = open_page(f"/terminal#token={token}&light={light}", language=language, **screen)
        return Terminal(house, page, table, seat)

    yield sit
    for table, seat in sat:
        house.end_round(table)
        if left := house.credit(table, seat):
            house.give(table, m.PayOut("Cass", house.now(), SeatId(seat), Cents(left)))
        house.give(table, m.LeaveSeat("Sam", house.now(), SeatId(seat)))
