"""The Player Terminal, clicked: full rounds at every layout, every control, money to the cent."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from croupier import load_layout
from croupier.rules.money import Cents, format_money
from croupier.table import messages as m
from tests.browser.conftest import Watch
from tests.browser.floor import LAYOUTS, WHEEL, BrowserFloor, table_name
from tests.browser.terminal import CREDIT, MS, Sit

BOOK = "rws-sicbo-etg-v2"
A = table_name(f"{BOOK}/A")


def some_boxes(layout: str) -> list[str]:
    """One box of every kind, and every even chance: winners and losers of all sorts."""
    found: dict[str, str] = {}
    for name in load_layout(layout).boxes:
        found.setdefault(name.partition(":")[0], str(name))
    return list(found.values())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_full_round_by_clicks_pays_to_the_cent(layout: str, sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(layout)
    table, law = terminal.table, load_layout(layout)
    boxes = some_boxes(layout)
    outcome = "17" if "straight:17" in law.boxes else "1-1-2"
    house.open_bets(table)
    terminal.says(next(call.words for call in house.live(table).table.book.calls if call.id == "place-your-bets"))
    terminal.chip(5_00)
    for box in boxes:
        terminal.bet(box)
    terminal.chip(10_00)
    terminal.bet(boxes[0])
    stakes = dict.fromkeys(boxes, 500) | {boxes[0]: 15_00}
    assert house.stakes(table, "A1") == stakes
    for box, stake in stakes.items():
        terminal.shows_stake(box, stake)
    staked = sum(stakes.values())
    terminal.shows_meter("credit", CREDIT - staked)
    terminal.shows_meter("bet", staked)

    house.close_bets(table)
    terminal.says("No")
    terminal.box(boxes[1]).click(force=True)  # too late: the terminal says so and nothing is asked
    assert house.stakes(table, "A1") == stakes
    house.enter(table, outcome)
    house.confirm(table)
    settlement = law.settle(stakes.items(), outcome)
    expect(terminal.page.locator("[data-box][data-lit=true]")).to_have_count(len(law.lit(outcome)), timeout=MS)
    assert terminal.lit() == set(law.lit(outcome))
    house.pay(table)
    expected = CREDIT - staked + settlement.winnings + settlement.returned
    assert house.credit(table, "A1") == expected
    terminal.shows_meter("credit", expected)
    terminal.shows_meter("win", settlement.winnings)

    dialog = terminal.open("rounds")
    for fate in settlement.fates:
        row = dialog.locator(f'[data-bet="{fate.box}"]').first
        expect(row).to_contain_text("won" if fate.won else "lost", timeout=MS)
    expect(dialog).to_contain_text(format_money(expected))
    terminal.close_dialog()


def test_undo_goes_back_more_than_ten_acts_and_clear_rebet_double_take_do_what_they_say(
    sit: Sit, house: BrowserFloor
) -> None:
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(5_00)
    boxes = [f"total:{number}" for number in range(4, 16)]
    for box in boxes:
        terminal.bet(box)
    for box in reversed(boxes):
        terminal.act("undo")
        terminal.shows_stake(box, 0)
    terminal.until(lambda: house.stakes(A, "A1") == {})
    terminal.shows_meter("credit", CREDIT)

    terminal.bet("small")
    terminal.chip(1_00)
    terminal.bet("small")
    terminal.bet("small")
    terminal.act("double")
    terminal.shows_stake("small", 14_00)
    terminal.act("undo")
    terminal.shows_stake("small", 7_00)
    terminal.act("take")
    terminal.box("small").click()
    terminal.shows_stake("small", 6_00)
    terminal.act("undo")
    terminal.shows_stake("small", 7_00)
    terminal.act("clear")
    terminal.shows_stake("small", 0)
    terminal.until(lambda: house.stakes(A, "A1") == {})
    terminal.act("undo")
    terminal.shows_stake("small", 7_00)

    house.finish(A, "1-2-4")
    house.open_bets(A)
    terminal.act("rebet")
    terminal.shows_stake("small", 7_00)
    terminal.until(lambda: house.stakes(A, "A1") == {"small": 7_00})
    house.finish(A, "4-5-6")


def test_a_refusal_stands_beside_its_chip_in_plain_words_with_the_clause(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(1_00)
    terminal.box("total:9").click()
    note = terminal.page.locator(".note")
    expect(note).to_contain_text("minimum 5.00", timeout=MS)
    expect(note).to_contain_text("(3.3)")
    at, box = note.bounding_box(), terminal.box("total:9").bounding_box()
    assert at
    assert box
    assert abs(at["y"] - box["y"] - box["height"]) < 60
    terminal.shows_stake("total:9", 0)
    assert house.stakes(A, "A1") == {}
    house.finish(A, "1-2-4")


def test_keys_alone_place_and_take_back_a_bet(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(5_00)
    terminal.box("total:10").focus()
    page = terminal.page
    page.keyboard.press("ArrowRight")
    expect(terminal.box("total:9")).to_be_focused()
    page.keyboard.press("Enter")
    terminal.shows_stake("total:9", 5_00)
    expect(terminal.box("total:9")).to_have_attribute("aria-label", re.compile("Total 9.*pays.*your stake 5.00"))
    page.keyboard.press("Delete")
    terminal.shows_stake("total:9", 0)
    house.finish(A, "1-2-4")


def test_a_chip_is_dragged_to_the_felt_and_a_pile_from_box_to_box_and_off(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    page = terminal.page
    page.locator('[data-chip="2500"]').drag_to(terminal.box("big"))
    terminal.shows_stake("big", 25_00)
    terminal.box("big").drag_to(terminal.box("small"))
    terminal.shows_stake("small", 25_00)
    terminal.shows_stake("big", 0)
    terminal.box("small").drag_to(page.locator(".banner"))
    terminal.shows_stake("small", 0)
    terminal.until(lambda: house.stakes(A, "A1") == {})
    house.finish(A, "1-2-4")


def test_a_void_round_says_so_and_gives_everything_back(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(5_00)
    terminal.bet("small")
    house.give(A, m.Decide("Max", house.now(), "void", "a chair fell on the table"))
    terminal.says("void")
    terminal.shows_meter("credit", CREDIT)
    expect(terminal.page.locator(".notes")).to_contain_text("5.00 of your stakes was returned", timeout=MS)
    terminal.page.get_by_role("button", name="Understood").click()
    expect(terminal.page.locator(".notes .note")).to_have_count(0)


def test_a_cut_line_is_said_betting_is_off_and_afterwards_exactly_what_is_registered_is_shown(
    sit: Sit, house: BrowserFloor, watch: Watch
) -> None:
    watch.forgiven += ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(5_00)
    terminal.bet("small")
    page = terminal.page

    async def cut() -> None:
        for one in tuple(house.door.connected):
            one.abort()

    page.context.set_offline(True)
    house.ask(cut())
    terminal.says("Connection lost")
    expect(terminal.box("big")).to_have_attribute("aria-disabled", "true")
    terminal.box("big").click(force=True)
    expect(terminal.page.locator(".note")).to_contain_text("Not placed: there is no connection")
    assert house.stakes(A, "A1") == {"small": 5_00}
    page.context.set_offline(False)
    terminal.says("Place Your Bets")
    terminal.shows_stake("small", 5_00)
    terminal.shows_stake("big", 0)
    terminal.bet("big")
    terminal.shows_stake("big", 5_00)
    house.finish(A, "1-2-4")


def test_a_bet_whose_answer_was_lost_is_asked_again_and_counts_once(
    sit: Sit, house: BrowserFloor, watch: Watch
) -> None:
    watch.forgiven += ["WebSocket"]
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(5_00)
    terminal.bet("small")
    # The next answer does not arrive: the line is cut in the same breath as the bet is written.

    def cut() -> None:
        for one in tuple(house.door.connected):
            one.abort()

    original = house.door.floor.submit

    def submit(recorder: object, command: object, id: str, reply: object) -> None:
        house.door.floor.submit = original  # type: ignore[method-assign]
        original(recorder, command, id, lambda answer: cut())  # type: ignore[arg-type]

    house.door.floor.submit = submit  # type: ignore[method-assign]
    terminal.box("big").click()
    terminal.until(lambda: house.stakes(A, "A1") == {"small": 5_00, "big": 5_00})
    terminal.shows_stake("big", 5_00)
    expect(terminal.page.locator(".waiting")).to_have_count(0, timeout=MS)
    assert house.stakes(A, "A1") == {"small": 5_00, "big": 5_00}
    terminal.shows_meter("credit", CREDIT - 10_00)
    house.finish(A, "1-2-4")


def test_cash_out_makes_a_ticket_that_is_redeemed_at_another_table_once(sit: Sit, house: BrowserFloor) -> None:
    here = sit(f"{BOOK}/A", "A2")
    there = sit("nz-taisai-division9/1", "A2")
    dialog = here.open("tickets")
    dialog.locator('[data-form="out"] input').fill("250.50")
    dialog.locator('[data-form="out"] button').click()
    paper = dialog.locator("[data-ticket]")
    expect(paper).to_be_visible(timeout=MS)
    number = paper.get_attribute("data-ticket") or ""
    assert re.fullmatch(r"\d{18}", number)
    assert _read_bars(paper.locator("svg").screenshot()) == number
    expect(paper.locator("[data-duplicate]")).to_have_count(0)
    here.page.evaluate("window.print = () => undefined")
    dialog.locator("[data-print]").click()
    expect(paper.locator("[data-duplicate]")).to_be_visible()
    here.close_dialog()
    here.shows_meter("credit", CREDIT - 250_50)

    dialog = there.open("tickets")
    for said in ("was added to your credit.", "redeemed already"):
        dialog.locator('[data-form="in"] input').fill(number)
        dialog.locator('[data-form="in"] button').click()
        expect(dialog.locator(".message")).to_contain_text(said, timeout=MS)
    there.close_dialog()
    dialog = here.open("tickets")
    dialog.locator('[data-form="in"] input').fill(number)
    dialog.locator('[data-form="in"] button').click()
    expect(dialog.locator(".message")).to_contain_text("redeemed already", timeout=MS)
    there.shows_meter("credit", CREDIT + 250_50)
    assert house.credit(there.table, "A2") == CREDIT + 250_50


def _read_bars(picture: bytes) -> str:
    import io

    import zxingcpp
    from PIL import Image

    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
    return found[0].text if found else ""


def test_a_layout_is_chosen_between_rounds_where_the_book_leaves_it_to_the_terminal(
    sit: Sit, house: BrowserFloor
) -> None:
    terminal = sit(f"{BOOK}/A", "A3")
    dialog = terminal.open("settings")
    dialog.locator('[data-layout="C"]').click()
    expect(terminal.page.locator(f'[data-layout="{BOOK}/C"]')).to_be_visible(timeout=MS)
    expect(terminal.box("three:1-2-3")).to_have_count(1)


def test_a_receipt_is_saved_and_signed(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(f"{BOOK}/A")
    house.open_bets(A)
    terminal.chip(5_00)
    terminal.bet("small")
    house.finish(A, "1-2-4")
    dialog = terminal.open("rounds")
    with terminal.page.expect_download(timeout=MS) as download:
        dialog.locator('[data-bet="small"] button').first.click()
    receipt = json.loads(download.value.path().read_text())
    assert "small" in json.dumps(receipt)


def test_rules_limits_and_results_are_one_touch_away(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit("rws-taisai-v5/C")
    limits = terminal.page.locator(".limits").first
    for words in ("Min 5.00", "Max 1,000.00", "Differential 5,000.00", "Triple 100.00"):
        expect(limits).to_contain_text(words)
    dialog = terminal.open("rules")
    book = house.live(terminal.table).table.book
    expect(dialog).to_contain_text(book.readings[0].read[:40])
    expect(dialog).to_contain_text(book.hash)
    terminal.close_dialog()
    expect(terminal.open("results")).to_contain_text("For information only")
    terminal.close_dialog()


def test_the_picture_of_the_wheel_is_this_tables_own(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit("mbs-sands-roulette-v2/A", "A4")
    pockets = terminal.page.locator(".rotor text")
    expect(pockets).to_have_text(list(WHEEL), timeout=MS)


def test_own_rounds_are_recalled_beyond_the_ten_at_hand(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit("mbs-esicbo-v4/alfastreet", "A4")
    table, first = terminal.table, house.live(terminal.table).table.next_round
    for round in range(first, first + 12):
        house.open_bets(table)
        id = m.BetId(f"A4.old{round}")
        bet = m.PlaceBet("A4", house.now(), id, m.RoundNumber(round), m.SeatId("A4"), "small", Cents(5_00))
        house.give(table, bet)
        house.finish(table, "1-2-4")
    dialog = terminal.open("rounds")
    expect(dialog.locator("[data-round]")).to_have_count(10, timeout=MS)
    expect(dialog.locator(f'[data-round="{first}"]')).to_have_count(0)
    dialog.locator("[data-older]").click()
    expect(dialog.locator("[data-round]")).to_have_count(12, timeout=MS)
    expect(dialog.locator(f'[data-round="{first}"]')).to_contain_text("Small")
    terminal.close_dialog()


@pytest.mark.clause("mbs-sands-roulette-v2", "5.16")
@pytest.mark.parametrize(
    ("language", "said"), [("en", "went back: 1,200.00 − 1,000.00"), ("zh", "1,200.00 − 1,000.00 超过最高注额")]
)
def test_my_rounds_say_why_money_moved(sit: Sit, house: BrowserFloor, language: str, said: str) -> None:
    if language == "en":
        terminal = sit("mbs-sands-roulette-v2/A", "A5")
    else:
        terminal = sit("mbs-sands-roulette-v2/A", "A6", language=language, width=390, height=844, touch=True)
    table = terminal.table
    house.open_bets(table)
    round = house.live(table).table.round_number
    id, seat = m.BetId(f"{terminal.seat}.over"), m.SeatId(terminal.seat)
    house.give(table, m.SellCredit("Dana", house.now(), seat, Cents(500_00)))
    house.give(table, m.PlaceBet(seat, house.now(), id, round, seat, "straight:17", Cents(1_200_00)))
    house.finish(table, "16")
    bet = terminal.open("rounds").locator('[data-bet="straight:17"]')
    expect(bet).to_contain_text("(3.3)", timeout=MS)
    expect(bet).to_contain_text("(5.16)")
    expect(bet).to_contain_text(said)
    expect(bet.locator(".fate")).to_have_text("lost" if language == "en" else "输")


@pytest.mark.clause("nz-taisai-division9", "6.2")
def test_the_bell_rings_at_no_more_bets_where_the_book_wants_it(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit("nz-taisai-division9/1")
    table = terminal.table
    rung = "document.documentElement.dataset.bell ?? '0'"
    house.open_bets(table)
    terminal.says("Place your bets")
    assert terminal.page.evaluate(rung) == "0"
    house.close_bets(table)
    terminal.says("No more bets")
    terminal.until(lambda: terminal.page.evaluate(rung) == "1")
    house.enter(table, "1-2-4")
    house.confirm(table)
    house.pay(table)
