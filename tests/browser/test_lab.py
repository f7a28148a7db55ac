"""The lab's page: pictures that move with the chips, other odds, two layouts side by side, a simulation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.staff import MS
from tests.browser.test_access import faults

LAYOUT = "rws-sicbo-etg-v2/A"


def lab(enter: Open, layout: str = LAYOUT, **screen: object) -> Page:
    page = enter("Sam", "/lab", **screen)
    choice = page.locator("[data-choose]")
    expect(choice.locator(f'option[value="{layout}"]')).to_be_attached(timeout=MS)
    choice.select_option(layout)
    expect(page.locator(f'[data-layout="{layout}"] [data-box]').first).to_be_visible(timeout=MS)
    return page


def edge(page: Page, fraction: str) -> None:
    expect(page.locator(f'[data-edge="{fraction}"]')).to_be_visible(timeout=MS)


def test_the_pictures_follow_the_chips(enter: Open) -> None:
    page = lab(enter, width=1600, height=1200)
    page.locator('[data-box="small"]').click()
    edge(page, "1/36")
    pictures = page.locator("[data-result] svg[role=img]")
    expect(pictures).to_have_count(3, timeout=MS)
    one = pictures.first
    expect(one.locator("rect")).to_have_count(2, timeout=MS)
    page.locator('[data-box="total:9"]').click()
    edge(page, "11/216")
    expect(one.locator("rect")).to_have_count(4, timeout=MS)
    page.locator("[data-rounds]").select_option("1000")
    expect(page.locator("[data-result]")).to_contain_text("After 1,000 rounds", timeout=MS)
    page.get_by_role("button", name="Clear bets").click()
    expect(pictures).to_have_count(0, timeout=MS)


def test_other_odds_change_the_edges_and_two_layouts_stand_side_by_side(enter: Open) -> None:
    page = lab(enter, width=1600, height=1200)
    page.locator('[data-box="total:9"]').click()
    edge(page, "2/27")
    expect(page.locator('[data-odds-box] option[value="total:9"]')).to_be_attached(timeout=MS)
    page.locator("[data-odds-box]").select_option("total:9")
    expect(page.locator("[data-odds]")).to_have_value("7 to 1", timeout=MS)
    page.locator("[data-odds]").fill("8 to 1")
    page.locator("[data-apply]").click()
    edge(page, "-1/24")
    expect(page.locator('[data-row="total:9"]')).to_contain_text("-11.57%", timeout=MS)
    page.get_by_role("button", name="Odds of the book").click()
    edge(page, "2/27")
    page.locator("[data-against]").select_option("rws-taisai-v5/A")
    expect(page.locator('[data-row="odd"]')).to_contain_text("not offered", timeout=MS)


def test_a_simulation_is_run_beside_the_exact_answer(enter: Open) -> None:
    page = lab(enter, width=1600, height=1200)
    page.locator('[data-box="small"]').click()
    edge(page, "1/36")
    page.locator("[data-simulated]").select_option("1000000")
    page.locator("[data-simulate]").click()
    expect(page.locator("[data-done]")).to_contain_text("1,000,000 rounds, seed 1", timeout=MS)
    assert abs(float(page.locator("[data-z]").first.inner_text())) < 4


@pytest.mark.parametrize(
    ("layout", "box", "width", "height", "language"),
    [(LAYOUT, "small", 1600, 1200, "en"), ("mbs-sands-roulette-v2/A", "red", 390, 844, "zh")],
)
def test_axe_finds_nothing_in_the_lab(
    layout: str, box: str, width: int, height: int, language: str, enter: Open
) -> None:
    page = lab(enter, layout, width=width, height=height, language=language)
    page.locator(f'[data-box="{box}"]').click()
    expect(page.locator("[data-edge]")).to_be_visible(timeout=MS)
    expect(page.locator('[data-odds-box] option[value="' + box + '"]')).to_be_attached(timeout=MS)
    assert faults(page) == []
