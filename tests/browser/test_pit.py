"""The pit: what two people sign in two browsers, the worst case as a picture, alerts that stay, the shift."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from croupier.rules.library import book_of, rulebook_text
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from croupier.table.view import exposure
from tests.browser.conftest import Open
from tests.browser.floor import BrowserFloor
from tests.browser.staff import CREDIT, MS, players, until

TAISAI = "rws-taisai-v5/C"


def pit(enter: Open, person: str, table: str) -> Page:
    page = enter(person, f"/pit#table={table}", width=1600, height=1000)
    expect(page.locator(f'[data-detail="{table}"]')).to_be_visible(timeout=MS)
    return page


def place(house: BrowserFloor, table: str, seat: str, box: str, cents: int) -> None:
    round = house.live(table).table.round
    assert round is not None
    id = BetId(f"{seat}{round.number}{box}")
    house.give(table, m.PlaceBet(seat, house.now(), id, round.number, SeatId(seat), box, Cents(cents)))


def approve(page: Page, table: str, house: BrowserFloor) -> None:
    """A second person signs what waits at a table."""
    page.locator("#tab-approvals").click()
    until(page, lambda: bool(house.live(table).table.requests))
    number = next(iter(house.live(table).table.requests))
    page.locator(f'[data-place="{table}"] [data-approve="{number}"]').click()
    until(page, lambda: number not in house.live(table).table.requests)


def test_limits_are_changed_by_two_people_in_two_browsers(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI) as table:
        sam, pat = pit(enter, "Sam", table), pit(enter, "Pat", table)
        before = house.live(table).table.limits
        sam.locator('[data-open="SetLimits"]').click()
        sam.get_by_label("Maximum *").fill("2,000.00")
        sam.locator('[data-do="SetLimits"]').click()
        until(sam, lambda: bool(house.live(table).table.requests))
        assert house.live(table).table.limits == before
        sam.locator("#tab-approvals").click()
        own = sam.locator(f'[data-place="{table}"]')
        expect(own).to_be_visible(timeout=MS)
        expect(own.locator("[data-approve]")).to_have_count(0)
        approve(pat, table, house)
        assert house.live(table).table.limits.maximum["*"] == 2_000_00
        house.give(table, m.SetLimits("Sam", house.now(), before))
        request = next(iter(house.live(table).table.requests.values()))
        house.give(table, m.Approve("Pat", house.now(), request.number, request.digest))


def test_a_result_is_corrected_by_two_people_after_they_saw_what_it_changes(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI, "A8") as table:
        house.open_bets(table)
        number = RoundNumber(house.live(table).table.next_round - 1)
        place(house, table, "A8", "big", 50_00)
        house.finish(table, "1-2-3")
        assert house.credit(table, "A8") == CREDIT - 50_00
        sam, pat = pit(enter, "Sam", table), pit(enter, "Pat", table)
        sam.locator(f'[data-correct="{number}"]').click()
        for face in "456":
            sam.locator(f'dialog [data-face="{face}"]').click()
        expect(sam.locator(f'dialog [data-winnings="{50_00}"]')).to_be_visible(timeout=MS)
        sam.locator("dialog textarea[name=reason]").fill("the dice showed 4, 5, 6")
        sam.locator('[data-do="CorrectResult"]').click()
        pat.locator("#tab-approvals").click()
        asked = pat.locator(f'[data-place="{table}"] [data-winnings="{50_00}"][data-returned="{50_00}"]')
        expect(asked).to_be_visible(timeout=MS)  # who approves sees what the asker saw
        approve(pat, table, house)
        assert house.live(table).table.past[number].outcome == "4-5-6"
        assert house.credit(table, "A8") == CREDIT + 50_00
        expect(sam.locator("[data-past]").get_by_text("4-5-6").first).to_be_visible(timeout=MS)


def test_a_supervisor_decides_about_a_round_that_stands_still(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI, "A8") as table:
        live = house.live(table).table
        device = next(name for name, roles in live.staff.items() if "device" in roles)
        house.open_bets(table)
        number = live.round_number
        place(house, table, "A8", "big", 50_00)
        house.close_bets(table)
        house.give(table, m.StartMotion("Dana", house.now()), m.EndMotion(device, house.now(), 3))
        house.give(table, m.SenseResult(device, house.now(), "1-3-4"))
        dana = enter("Dana", f"/console#table={table}", width=1280, height=900)
        sam = pit(enter, "Sam", table)
        house.give(table, m.Report("Dana", house.now(), "not-flat", note="the third die leans"))
        expect(dana.locator("[data-still]")).to_be_visible(timeout=MS)
        expect(dana.locator("[data-approve]")).to_have_count(0)
        sam.locator("#tab-approvals").click()
        waits = sam.locator(f'[data-place="{table}"]')
        expect(waits.locator("[data-contradicted]")).to_contain_text("1-3-4", timeout=MS)
        approve(sam, table, house)
        assert live.past[number].void_clause == "5.5.2"
        assert house.credit(table, "A8") == CREDIT
        sam.locator("#tab-shift").click()
        expect(sam.locator("[data-disagreements]")).to_contain_text("Dana", timeout=MS)


def test_the_layout_of_a_table_is_changed_by_two_people(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI) as table:
        sam, pat = pit(enter, "Sam", table), pit(enter, "Pat", table)
        sam.locator('[data-open="SetLayouts"]').click()
        sam.locator('dialog input[name="C"]').uncheck()
        sam.locator('dialog input[name="E"]').check()
        sam.locator('[data-do="SetLayouts"]').click()
        approve(pat, table, house)
        assert house.live(table).table.displayed == ("E",)
        house.give(table, m.SetLayouts("Sam", house.now(), ("C",)))
        request = next(iter(house.live(table).table.requests.values()))
        house.give(table, m.Approve("Pat", house.now(), request.number, request.digest))


def test_another_book_is_taken_up_by_two_people_who_see_what_it_changes(
    enter: Open, house: BrowserFloor, tmp_path: Path
) -> None:
    text = rulebook_text("rws-taisai-v5").replace('pays = "8 to 1"', 'pays = "7 to 1"', 1)
    new = book_of(text)
    (tmp_path / "rws-taisai-v5.corrected.toml").write_text(text)
    with players(house, TAISAI, "A8") as table:
        old, house.floor.bookshelf.folder = rulebook_text("rws-taisai-v5"), tmp_path
        try:
            sam, pat = pit(enter, "Sam", table), pit(enter, "Pat", table)
            sam.locator(f'[data-show-changes="{new.hash}"]').click()
            expect(sam.locator(f'[data-change="{new.hash}"] [data-box]').first).to_be_visible(timeout=MS)
            sam.locator(f'[data-take-up="{new.hash}"]').click()
            until(sam, lambda: bool(house.live(table).table.requests))
            pat.locator("#tab-approvals").click()
            expect(pat.locator(f'[data-place="{table}"] [data-change="{new.hash}"]')).to_be_visible(timeout=MS)
            if folder := os.environ.get("CROUPIER_PICTURES"):
                sam.screenshot(path=f"{folder}/pit-book.png", full_page=True)
                pat.screenshot(path=f"{folder}/pit-book-approval.png", full_page=True)
            approve(pat, table, house)
            assert house.live(table).table.book.hash == new.hash
            expect(sam.locator(f'[data-book="{new.hash}"]')).to_be_visible(timeout=MS)
            assert house.credit(table, "A8") == CREDIT
        finally:
            house.floor.bookshelf.folder = None
            back = book_of(old)  # for the tests that follow
            house.give(table, m.BringBook("Sam", house.now(), old))
            house.give(table, m.TakeUpBook("Sam", house.now(), back.id, back.hash, house.live(table).table.book.hash))
            request = next(iter(house.live(table).table.requests.values()))
            house.give(table, m.Approve("Pat", house.now(), request.number, request.digest))
        expect(sam.locator(f'[data-book="{back.hash}"]')).to_be_visible(timeout=MS)  # two changes before one round
        expect(sam.locator(".book li")).to_have_count(2)


def test_the_worst_case_is_the_engines_and_moves_with_the_bets(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI, "A8") as table:
        house.open_bets(table)
        sam = pit(enter, "Sam", table)
        for box in ("big", "total:17"):
            place(house, table, "A8", box, 20_00)
            worst = min(exposure(house.live(table).table).values())
            expect(sam.locator(f'[data-detail="{table}"] [data-worst="{worst}"]')).to_be_visible(timeout=MS)


def test_an_alert_stays_until_it_is_acknowledged_and_the_shift_is_counted(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI, "A8") as table:
        house.open_bets(table)
        place(house, table, "A8", "small", 50_00)
        house.finish(table, "1-2-3")

        async def alert() -> None:
            house.floor.alert("device-offline", "no-power", table, device="tumbler")

        house.ask(alert())
        sam = pit(enter, "Sam", table)
        sam.locator("#tab-alerts").click()
        card = sam.locator("[data-alert]").filter(has_text="tumbler is offline: its power failed")
        expect(card).to_be_visible(timeout=MS)
        sam.reload()
        sam.locator("#tab-alerts").click()
        card.get_by_role("textbox").fill("mended")
        card.get_by_role("button").click()
        expect(card).to_have_count(0, timeout=MS)
        assert any(one.note == "mended" for one in house.floor.accounts.alerts.values())
        sam.locator("#tab-shift").click()
        expect(sam.locator("[data-shift]").get_by_text(table)).to_be_visible(timeout=MS)


def test_rounds_that_are_over_are_voided_by_two_people_and_every_stake_goes_back(
    enter: Open, house: BrowserFloor
) -> None:
    with players(house, TAISAI, "A8") as table:
        numbers = []
        for outcome in ("1-2-3", "4-5-6"):
            house.open_bets(table)
            numbers.append(RoundNumber(house.live(table).table.next_round - 1))
            place(house, table, "A8", "big", 50_00)
            house.finish(table, outcome)
        assert house.credit(table, "A8") == CREDIT
        sam, pat = pit(enter, "Sam", table), pit(enter, "Pat", table)
        sam.locator('[data-open="VoidRounds"]').click()
        sam.locator("dialog select[name=irregularity]").select_option(index=1)
        sam.locator("dialog input[name=rounds]").fill(f"{numbers[0]}")
        sam.locator("dialog textarea[name=reason]").fill("a chipped die was found")
        expect(sam.locator(f'dialog [data-returned="{50_00}"]')).to_be_visible(timeout=MS)
        sam.locator('[data-do="VoidRounds"]').click()
        approve(pat, table, house)
        past = house.live(table).table.past
        assert past[numbers[0]].void_clause == "5.6"
        assert past[numbers[1]].outcome == "4-5-6", "a later round stands"
        assert house.credit(table, "A8") == CREDIT + 50_00
        row = sam.locator("[data-past] tr").filter(has=sam.get_by_role("rowheader", name=str(numbers[0]), exact=True))
        expect(row).to_contain_text("Void by 5.6", timeout=MS)


def test_what_no_clause_covers_is_decided_by_the_shift_manager(enter: Open, house: BrowserFloor) -> None:
    with players(house, TAISAI, "A8") as table:
        house.open_bets(table)
        number = RoundNumber(house.live(table).table.next_round - 1)
        place(house, table, "A8", "small", 50_00)
        sam, max_ = pit(enter, "Sam", table), pit(enter, "Max", table)
        decide = max_.locator('[data-open="Decide"]')
        expect(decide).to_be_visible(timeout=MS)
        expect(sam.locator('[data-open="SetLimits"]')).to_be_visible(timeout=MS)
        expect(sam.locator('[data-open="Decide"]')).to_have_count(0)
        decide.click()
        max_.locator("dialog select[name=treatment]").select_option("void")
        max_.locator("dialog textarea[name=reason]").fill("a chair fell on the table")
        expect(max_.locator(f'dialog [data-returned="{50_00}"]')).to_be_visible(timeout=MS)
        max_.locator('[data-do="Decide"]').click()
        until(max_, lambda: house.live(table).table.round is None)
        assert house.live(table).table.past[number].void_clause
        assert house.credit(table, "A8") == CREDIT
        expect(sam.locator("[data-past]").get_by_text("Void by").first).to_be_visible(timeout=MS)


def test_a_locked_table_is_unlocked_by_two_people(enter: Open, house: BrowserFloor) -> None:
    with players(house, "nz-taisai-division9/1") as table:
        house.give(table, m.Report("Sam", house.now(), "malfunction"))
        assert house.live(table).table.locked == "7.4"
        sam, pat = pit(enter, "Sam", table), pit(enter, "Pat", table)
        sam.locator('[data-open="Unlock"]').click()
        sam.locator("dialog textarea[name=reason]").fill("the lamp was changed")
        sam.locator('[data-do="Unlock"]').click()
        until(sam, lambda: bool(house.live(table).table.requests))
        assert house.live(table).table.locked == "7.4", "one person alone unlocks nothing"
        approve(pat, table, house)
        assert house.live(table).table.locked is None
        expect(sam.locator('[data-open="Unlock"]')).to_have_count(0, timeout=MS)
