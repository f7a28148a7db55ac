"""Everyone can use the terminal: axe finds nothing, in both languages, both lights, dialogs open or not."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.floor import BrowserFloor
from tests.browser.terminal import MS, Sit

OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
DIALOGS = ("rules", "rounds", "results", "tickets", "settings")


def faults(page: Page) -> list[str]:
    """What axe finds, each with its place."""
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [f"{one['id']}: {node['target']} {node.get('failureSummary', '')}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("layout", "width", "height", "light"),
    [
        ("rws-sicbo-etg-v2/A", 1920, 1080, "dark"),
        ("mbs-sands-roulette-v2/A", 1280, 800, "day"),
        ("nz-taisai-division9/2", 390, 844, "dark"),
    ],
)
def test_axe_finds_nothing_on_the_terminal(
    layout: str, width: int, height: int, light: str, language: str, sit: Sit, house: BrowserFloor
) -> None:
    terminal = sit(layout, "A5", width=width, height=height, language=language, light=light)
    house.open_bets(terminal.table)
    terminal.chip(5_00)
    terminal.bet("red" if "roulette" in layout else "small")
    house.close_bets(terminal.table)
    house.enter(terminal.table, "17" if "roulette" in layout else "1-2-4")
    house.confirm(terminal.table)
    house.pay(terminal.table)
    expect(terminal.page.locator("[data-lit=true]").first).to_be_attached(timeout=MS)
    assert faults(terminal.page) == []
    for what in DIALOGS if width == 1920 else ():
        terminal.open(what)
        assert faults(terminal.page) == [], what
        terminal.close_dialog()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe_finds_nothing_on_a_terminal_without_a_key(language: str, open_page: Open) -> None:
    page = open_page("/terminal", language=language)
    expect(page.locator("form")).to_be_visible(timeout=MS)
    assert faults(page) == []


def test_no_page_needs_more_than_its_policy_allows(open_page: Open, house: BrowserFloor) -> None:
    page = open_page("/terminal")
    policy = page.evaluate("fetch(location.href).then(answer => answer.headers.get('content-security-policy'))")
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
