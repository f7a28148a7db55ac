"""The public display: what a whole room sees of a table, as it happens."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from croupier.table import messages as m
from tests.browser.conftest import Open
from tests.browser.floor import BrowserFloor, table_name
from tests.browser.staff import MS, players

DICE, WHEEL = "rws-taisai-v5/C", "mbs-sands-roulette-v2/A"


def board(open_page: Open, layout: str) -> Page:
    page = open_page(f"/display#table={table_name(layout)}", width=1920, height=1080)
    expect(page.locator(f'[data-table="{table_name(layout)}"]')).to_be_visible(timeout=MS)
    return page


def test_a_room_sees_the_call_the_result_and_the_roads_of_dice(open_page: Open, house: BrowserFloor) -> None:
    page = board(open_page, DICE)
    with players(house, DICE, "A1") as table:
        house.open_bets(table)
        expect(page.get_by_text("Place Your Bets").or_(page.get_by_text("Place your bets")).first).to_be_visible(
            timeout=MS
        )
        expect(page.get_by_text("Minimum 5.00 · Maximum 1,000.00")).to_be_visible()
        expect(page.get_by_text("Differential 5,000.00")).to_be_visible()
        house.finish(table, "1-3-5")
        expect(page.locator('[data-result="1-3-5"]')).to_be_visible(timeout=MS)
        expect(page.get_by_text("1, 3, 5, total 9")).to_be_visible()
        house.open_bets(table)
        house.finish(table, "4-4-6")
        expect(page.locator('[data-result="4-4-6"]')).to_be_visible(timeout=MS)
        expect(page.locator('[data-road="big-small"] td, [data-road="small-big"] td')).to_have_count(2, timeout=MS)
        expect(page.locator(".bead.small")).to_have_count(1)
        expect(page.locator(".bead.big")).to_have_count(1)
        house.open_bets(table)
        house.give(table, m.Decide("Max", house.now(), "void", "the lights went out"))
        expect(page.locator(".dash")).not_to_have_count(0, timeout=MS)
    expect(page.get_by_text("For information only. What the table shows stands.")).to_be_visible()


def test_a_room_sees_the_number_and_its_colour(open_page: Open, house: BrowserFloor) -> None:
    page = board(open_page, WHEEL)
    with players(house, WHEEL, "A1") as table:
        for number, colour in (("17", "black"), ("32", "red"), ("S", "green")):
            house.open_bets(table)
            house.finish(table, number)
            expect(page.locator(f'[data-result="{number}"] .number.{colour}')).to_have_text(number, timeout=MS)
        expect(page.locator("[data-road=numbers] .bead")).to_have_text(["17", "32", "S"])


def test_without_a_table_one_is_chosen(open_page: Open, house: BrowserFloor) -> None:
    page = open_page("/display")
    page.get_by_role("link").filter(has_text=table_name(WHEEL)).click()
    expect(page.locator(f'[data-table="{table_name(WHEEL)}"]')).to_be_visible(timeout=MS)
