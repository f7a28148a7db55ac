"""A table with Players for the pages of the staff, and what tests wait for on them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Page, expect

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import SeatId
from tests.browser.floor import PATIENCE, BrowserFloor, table_name

MS = PATIENCE * 1000
CREDIT = 5_000_00


@contextlib.contextmanager
def players(house: BrowserFloor, layout: str, *seats: str, opened: bool = True) -> Iterator[str]:
    """Seat Players with credit at the table of a layout; afterwards the seats are empty and no round is open."""
    table = table_name(layout)
    if opened:
        house.open_table(table)
    for seat in seats:
        house.seat(table, seat, CREDIT)
    try:
        yield table
    finally:
        _leave(house, table, seats)


def _leave(house: BrowserFloor, table: str, seats: tuple[str, ...]) -> None:
    live = house.live(table).table
    if live.locked is not None:
        house.give(table, m.Unlock("Sam", house.now(), "the test is over"))
        _signed(house, table)
    if live.round is not None:
        house.give(table, m.Decide("Max", house.now(), "void", "the test is over"))
        if live.round is not None:  # with a result entered two people must agree
            _signed(house, table, "Pat")
    assert live.round is None
    for seat in seats:
        if live.seats[SeatId(seat)].colour:
            house.give(table, m.TakeBackColour("Dana", house.now(), SeatId(seat)))
        if left := house.credit(table, seat):
            house.give(table, m.PayOut("Cass", house.now(), SeatId(seat), Cents(left)))
        house.give(table, m.LeaveSeat("Sam", house.now(), SeatId(seat)))


def _signed(house: BrowserFloor, table: str, by: str = "Max") -> None:
    request = next(reversed(house.live(table).table.requests.values()))
    house.give(table, m.Approve(by, house.now(), request.number, request.digest))


def until(page: Page, done: Callable[[], bool]) -> None:
    """Wait for the floor, however slow the machine is."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "it did not happen"
        page.wait_for_timeout(50)


def press(page: Page, act: str) -> None:
    """The act of the console with this name, once it may be done."""
    button = page.locator(f'[data-act="{act}"]')
    expect(button).to_be_enabled(timeout=MS)
    button.click()


def phase(house: BrowserFloor, page: Page, table: str, wanted: str) -> None:
    until(page, lambda: house.live(table).table.phase == wanted)
