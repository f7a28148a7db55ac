"""A Player Terminal in a browser, in the words of a Player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from playwright.sync_api import Locator, Page, expect

from croupier.rules.money import format_money
from tests.browser.floor import PATIENCE, BrowserFloor

MS = PATIENCE * 1000
CREDIT = 1_000_00
"""With which every Player sits down."""


class Sit(Protocol):
    """Seat a Player and open his terminal."""

    def __call__(
        self,
        layout: str,
        seat: str = "A1",
        *,
        width: int = 1280,
        height: int = 800,
        language: str = "en",
        light: str = "dark",
        touch: bool = False,
    ) -> Terminal: ...


class Terminal:
    """One seat. Every act waits until the floor has answered it."""

    def __init__(self, house: BrowserFloor, page: Page, table: str, seat: str) -> None:
        self.house = house
        self.page = page
        self.table = table
        self.seat = seat
        expect(page.locator("[data-box]").first).to_be_visible(timeout=MS)

    def box(self, name: str) -> Locator:
        return self.page.locator(f'[data-box="{name}"]')

    def chip(self, cents: int) -> None:
        self.page.locator(f'[data-chip="{cents}"]').click()

    def bet(self, name: str) -> None:
        before = self.house.stakes(self.table, self.seat).get(name, 0)
        self.box(name).click()
        self.until(lambda: self.house.stakes(self.table, self.seat).get(name, 0) > before)

    def act(self, name: str) -> None:
        self.page.locator(f'[data-act="{name}"]').click()

    def open(self, what: str) -> Locator:
        self.page.locator(f'[data-open="{what}"]').click()
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible(timeout=MS)
        return dialog

    def close_dialog(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0, timeout=MS)

    # ---- what it shows

    def shows_stake(self, name: str, cents: int) -> None:
        expect(self.box(name)).to_have_attribute("data-stake", str(cents), timeout=MS)

    def shows_meter(self, name: str, cents: int) -> None:
        expect(self.page.locator(f'[data-meter="{name}"]')).to_have_text(format_money(cents), timeout=MS)

    def says(self, text: str) -> None:
        expect(self.page.locator(".banner")).to_contain_text(text, timeout=MS)

    def lit(self) -> set[str]:
        """The boxes whose areas are lit."""
        return set(
            self.page.locator("[data-box][data-lit=true]").evaluate_all("all => all.map(one => one.dataset.box)")
        )

    def until(self, said: Callable[[], Any]) -> None:
        """Wait until something is true at the floor."""
        for _ in range(PATIENCE * 20):
            if said():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("it did not come true in time")
