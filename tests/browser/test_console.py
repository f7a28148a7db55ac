"""The Game Console: whole rounds dealt by clicks in every order of play, and everything that can go wrong in them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from tests.browser.conftest import Open
from tests.browser.floor import BrowserFloor, table_name
from tests.browser.staff import CREDIT, MS, phase, players, press, until

OPEN_COVER, COVERED, WHEEL = "rws-taisai-v5/A", "nz-taisai-division9/1", "mbs-sands-roulette-v2/A"


def console(enter: Open, person: str, table: str) -> Page:
    page = enter(person, f"/console#table={table}", width=1600, height=1000)
    expect(page.locator("[data-box]").first).to_be_visible(timeout=MS)
    return page


def bet_for(page: Page, house: BrowserFloor, table: str, seat: str, box: str, cents: int) -> None:
    """A bet on behalf of a Player, by the chip and the felt."""
    start, chosen = page.locator('[data-open="bet"]'), page.locator("select[name=seat]")
    expect(start.or_(chosen)).to_be_visible(timeout=MS)
    if start.is_visible():
        start.click()
    chosen.select_option(seat)
    page.locator(f'[data-chip="{cents}"]').click()
    before = house.stakes(table, seat).get(box, 0)
    page.locator(f'[data-box="{box}"]').click()
    until(page, lambda: house.stakes(table, seat).get(box, 0) == before + cents)


def keys(page: Page, faces: str) -> None:
    """Press numbered keys; the light shows each before the next."""
    shown: list[str] = []
    for face in faces:
        page.locator(f'[data-key="{face}"]').click()
        shown = [*shown, face][-3:]
        expect(page.locator(f'[data-light="{"-".join(shown)}"]')).to_be_attached(timeout=MS)


def to_betting(page: Page, house: BrowserFloor, table: str) -> None:
    if house.live(table).table.order == "covered":
        press(page, "StartMotion")
        press(page, "EndMotion")
    press(page, "OpenBetting")
    phase(house, page, table, "betting")


def to_rest(page: Page, house: BrowserFloor, table: str) -> None:
    order = house.live(table).table.order
    if order == "wheel":
        press(page, "StartMotion")
    press(page, "CallNoMoreBets")
    if order == "open-cover":
        press(page, "StartMotion")
    if order == "covered":
        press(page, "Uncover")
    else:
        press(page, "EndMotion")
    phase(house, page, table, "rest")


@pytest.mark.parametrize(
    ("layout", "box", "result", "read_back"),
    [
        (OPEN_COVER, "small", "133", "1, double 3, total 7"),
        (COVERED, "small", "124", "1, 2, 4, total 7"),
        (WHEEL, "red", "18", "18"),
    ],
)
def test_a_round_is_dealt_from_the_console_to_the_cent(
    layout: str, box: str, result: str, read_back: str, enter: Open, house: BrowserFloor
) -> None:
    with players(house, layout, "A6") as table:
        dana = console(enter, "Dana", table)
        to_betting(dana, house, table)
        bet_for(dana, house, table, "A6", box, 25_00)
        expect(dana.locator(f'[data-total="{25_00}"]')).to_be_attached(timeout=MS)
        to_rest(dana, house, table)
        if layout == WHEEL:
            for digit in result:
                dana.locator(f'[data-key="{digit}"]').click()
            press(dana, "EnterNumber")
        else:
            keys(dana, result)
            press(dana, "PressEntry")
        phase(house, dana, table, "entered")
        expect(dana.get_by_text(read_back, exact=True).first).to_be_visible(timeout=MS)
        expect(dana.locator(f'[data-winnings="{25_00}"][data-returned="{25_00}"]')).to_be_visible(timeout=MS)
        expect(dana.locator("[data-check]")).to_be_visible(timeout=MS)
        lit = dana.locator(f'[data-box="{box}"][data-lit=true]')
        expect(lit).to_be_attached(timeout=MS)  # with the entry, before anything is collected
        assert house.credit(table, "A6") == CREDIT - 25_00, "nothing is paid before it is checked"
        press(dana, "ConfirmResult")
        phase(house, dana, table, "settling")
        press(dana, "PayWinners")
        phase(house, dana, table, "ready")
        assert house.credit(table, "A6") == CREDIT + 25_00


def test_a_table_opens_by_its_checklist_and_only_for_a_supervisor(enter: Open, house: BrowserFloor) -> None:
    table = table_name("nz-taisai-division9/2")
    if house.live(table).table.open:
        house.give(table, m.CloseTable("Max", house.now()))
    dana, sam = console(enter, "Dana", table), console(enter, "Sam", table)
    expect(dana.locator('[data-act="OpenTable"]')).to_have_count(0)
    checks = sam.get_by_role("checkbox")
    expect(checks.first).to_be_visible(timeout=MS)
    for index in range(checks.count()):
        expect(sam.locator('[data-act="OpenTable"]')).to_be_disabled()
        checks.nth(index).check()
    press(sam, "OpenTable")
    until(sam, lambda: house.live(table).table.open)
    expect(dana.locator('[data-act="StartMotion"]')).to_be_enabled(timeout=MS)


def test_dice_that_do_not_lie_flat_void_the_round_as_it_was_foretold(enter: Open, house: BrowserFloor) -> None:
    with players(house, OPEN_COVER, "A6") as table:
        dana = console(enter, "Dana", table)
        to_betting(dana, house, table)
        bet_for(dana, house, table, "A6", "big", 100_00)
        to_rest(dana, house, table)
        number = house.live(table).table.round.number  # type: ignore[union-attr]
        dana.locator('[data-open="irregularities"]').click()
        dana.locator('[data-irregularity="not-flat"] button').click()
        expect(dana.locator(f'dialog [data-returned="{100_00}"]')).to_be_visible(timeout=MS)
        assert house.live(table).table.round is not None, "a rehearsal changes nothing"
        dana.locator('[data-do="Report"]').click()
        until(dana, lambda: house.live(table).table.round is None)
        assert house.live(table).table.past[RoundNumber(number)].void_clause == "5.5.2"
        assert house.credit(table, "A6") == CREDIT
        expect(dana.get_by_text("Void by 5.5.2")).to_be_visible(timeout=MS)


def test_a_wrong_entry_is_amended_by_the_supervisor_on_a_console_of_his_own(enter: Open, house: BrowserFloor) -> None:
    with players(house, COVERED, "A6") as table:
        dana, sam = console(enter, "Dana", table), console(enter, "Sam", table)
        to_betting(dana, house, table)
        bet_for(dana, house, table, "A6", "big", 25_00)
        to_rest(dana, house, table)
        keys(dana, "123")
        press(dana, "PressEntry")
        phase(house, dana, table, "entered")
        expect(dana.locator('[data-act="AmendResult"]')).to_have_count(0)
        press(sam, "AmendResult")
        for face in "456":
            sam.locator(f'dialog [data-face="{face}"]').click()
        sam.locator('[data-do="AmendResult"]').click()
        expect(dana.locator('[data-entered="4-5-6"]')).to_be_visible(timeout=MS)
        press(dana, "ConfirmResult")
        press(dana, "PayWinners")
        phase(house, dana, table, "ready")
        assert house.credit(table, "A6") == CREDIT + 25_00


def test_after_a_power_failure_two_people_attest_what_the_dice_show(enter: Open, house: BrowserFloor) -> None:
    with players(house, OPEN_COVER, "A6") as table:
        dana, sam, pat = (console(enter, person, table) for person in ("Dana", "Sam", "Pat"))
        to_betting(dana, house, table)
        bet_for(dana, house, table, "A6", "small", 25_00)
        press(dana, "CallNoMoreBets")
        press(dana, "StartMotion")
        phase(house, dana, table, "moving")
        dana.locator('[data-open="Interrupt"]').click()
        dana.locator("dialog select[name=part]").select_option("device")
        dana.locator('[data-do="Interrupt"]').click()
        phase(house, dana, table, "interrupted")
        assert house.stakes(table, "A6") == {"small": 25_00}
        press(dana, "Restore")
        for face in "124":
            dana.locator(f'[data-face="{face}"]').click()
        press(dana, "Attest")
        until(dana, lambda: bool(house.live(table).table.requests))
        for page in (dana, sam):  # he asked; and a Pit Supervisor is no second person in this book (1.5, ruling 44)
            expect(page.locator("[data-request]")).to_be_visible(timeout=MS)
            expect(page.locator("[data-approve]")).to_have_count(0)
        expect(sam.locator("[data-request]")).to_contain_text("Your rank does not approve this")
        pat.locator("[data-approve]").click()
        phase(house, pat, table, "entered")
        press(dana, "ConfirmResult")
        press(dana, "PayWinners")
        phase(house, dana, table, "ready")
        assert house.credit(table, "A6") == CREDIT + 25_00


def test_excess_is_rejected_and_a_short_bet_advised_on(enter: Open, house: BrowserFloor) -> None:
    with players(house, OPEN_COVER, "A6", "A7") as table:
        dana = console(enter, "Dana", table)
        to_betting(dana, house, table)
        number = house.live(table).table.round.number  # type: ignore[union-attr]
        for seat, id, box, cents in (("A6", "over", "total:9", 1_200_00), ("A7", "short", "total:4", 2_00)):
            bet = m.PlaceBet(seat, house.now(), BetId(f"{id}{number}"), number, SeatId(seat), box, Cents(cents))
            house.give(table, bet)
        dana.locator('[data-excess="total:9"] button').click()
        until(dana, lambda: house.stakes(table, "A6") == {"total:9": 1_000_00})
        expect(dana.locator("[data-excess]")).to_have_count(0, timeout=MS)
        dana.locator(f'[data-short="short{number}"] button').click()
        expect(dana.locator("[role=status] .bad")).to_have_count(0)
        assert house.stakes(table, "A7") == {"total:4": 2_00}


def test_colour_chips_above_the_minimum_ask_for_a_marker(enter: Open, house: BrowserFloor) -> None:
    with players(house, WHEEL, "A6") as table:
        dana = console(enter, "Dana", table)
        dana.locator('[data-open="players"]').click()
        dana.locator('[data-seat="A6"]').get_by_role("button", name="Give colour chips").click()
        dana.locator("dialog select[name=colour]").select_option("red")
        dana.locator("dialog input[name=value]").fill("25.00")
        dana.locator('[data-do="GiveColour"]').click()
        until(dana, lambda: house.live(table).table.seats[SeatId("A6")].colour == ("red", 25_00))
        dana.locator('[data-open="players"]').click()
        expect(dana.locator('[data-seat="A6"]').get_by_text("marker 25.00")).to_be_visible(timeout=MS)
        dana.keyboard.press("Escape")
        to_betting(dana, house, table)
        dana.locator('[data-open="bet"]').click()
        dana.locator('[data-chip="colour"]').click()
        dana.locator('[data-box="straight:17"]').click()
        until(dana, lambda: house.stakes(table, "A6") == {"straight:17": 25_00})


def test_the_keys_of_the_keyboard_are_the_keys_of_the_entry_terminal(enter: Open, house: BrowserFloor) -> None:
    with players(house, OPEN_COVER) as table:
        dana = console(enter, "Dana", table)
        to_betting(dana, house, table)
        to_rest(dana, house, table)
        expect(dana.locator('[data-key="6"]')).to_be_enabled(timeout=MS)
        dana.locator("h2").first.click()
        for face in "6531":
            dana.keyboard.press(face)
        expect(dana.locator('[data-light="5-3-1"]')).to_be_attached(timeout=MS)
        dana.keyboard.press("Enter")
        phase(house, dana, table, "entered")
        assert house.live(table).table.round.outcome == "1-3-5"  # type: ignore[union-attr]


def test_the_dealers_own_countdown_goes_on_where_it_was_when_the_page_is_opened_again(
    enter: Open, house: BrowserFloor
) -> None:
    with players(house, OPEN_COVER) as table:
        dana = console(enter, "Dana", table)
        dana.locator("input[type=number]").fill("600")
        to_betting(dana, house, table)
        timer = dana.get_by_role("timer")

        def left() -> int:
            expect(timer).to_be_visible(timeout=MS)
            return int((timer.get_attribute("aria-label") or "").split()[0])

        until(dana, lambda: left() <= 598)
        before = left()
        dana.reload()
        assert left() <= before
