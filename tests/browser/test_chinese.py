"""Whoever reads Chinese reads Chinese: no page leaves an English sentence, but for the books' own words beside ours."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import PersonId
from tests.browser.conftest import Open
from tests.browser.floor import BrowserFloor, table_name
from tests.browser.staff import MS, until
from tests.browser.terminal import Sit
from tests.browser.test_access import faults
from tests.support.sign_in import choose

LIVE, DICE, WHEEL = "rws-taisai-v5/C", "rws-sicbo-etg-v2/A", "mbs-sands-roulette-v2/A"
ENGLISH = """root => {
  const found = [];
  const plain = said => {
    const text = said.replace(/[(“][^()“”]*[)”]|Rapid Select|NAMES/g, '');
    return /\\b[a-z]{2,}(?: [a-z]{2,})+\\b/i.test(text) || /(?<![\\w:/.-])[a-z]{3,}(?![\\w:/.-])/.test(text);
  };
  for (const part of root.querySelectorAll('[aria-label], [title], [placeholder], option'))
    for (const text of [part.ariaLabel, part.title, part.placeholder, part.tagName === 'OPTION' ? part.label : ''])
      if (text && plain(text)) found.push(text);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const home = node.parentElement;
    const text = node.textContent.trim();
    // The books' own words, a transcript, the names of tests, what is printed on a felt.
    const own = home.closest('.beside, q, pre, td[lang=en], svg, script, style, .words [lang=en]');
    if (own || !home.checkVisibility()) continue;
    if (text === 'English') continue;
    if (plain(text) || (home.closest('[lang=en]') && /[a-z]{2}/i.test(text))) found.push(text);
  }
  return found;
}"""
"""Two English words in a row, one that is no name, or anything that is said to be English."""
NAMES = "admin|shaker|system|croupier whatif"
"""Of people and machines."""


def english(page: Page) -> list[str]:
    until(page, lambda: page.evaluate("document.documentElement.lang") == "zh-Hans")
    found: list[str] = page.locator("body").evaluate(ENGLISH.replace("NAMES", NAMES))
    return found


@pytest.mark.parametrize("layout", [DICE, "nz-taisai-division9/2", WHEEL])
def test_the_terminal(layout: str, sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(layout, "A3", language="zh", width=1920, height=1080)
    house.open_bets(terminal.table)
    terminal.chip(5_00)
    terminal.bet("red" if layout == WHEEL else "small")
    assert english(terminal.page) == []
    house.close_bets(terminal.table)
    assert english(terminal.page) == []
    house.enter(terminal.table, "17" if layout == WHEEL else "1-2-4")
    house.confirm(terminal.table)
    house.pay(terminal.table)
    expect(terminal.page.locator("[data-lit=true]").first).to_be_attached(timeout=MS)
    assert english(terminal.page) == []
    for what in ("rules", "rounds", "results", "tickets", "settings"):
        terminal.open(what)
        terminal.page.wait_for_timeout(300)
        for details in terminal.page.locator("dialog details").all():
            details.evaluate("one => (one.open = true)")
        assert english(terminal.page) == [], what
        terminal.close_dialog()


def test_a_refusal_on_the_terminal(sit: Sit, house: BrowserFloor) -> None:
    terminal = sit(DICE, "A3", language="zh", width=1920, height=1080)
    house.open_bets(terminal.table)
    terminal.chip(100_00)
    for _ in range(6):
        terminal.page.locator('[data-box="triple:1"]').click()
    note = terminal.page.locator(".note, [role=alert], [data-note]").filter(has_text="最高注额").first
    expect(note).to_be_visible(timeout=MS)
    assert english(terminal.page) == []


@pytest.mark.parametrize(
    ("person", "path", "ready"),
    [
        ("", "/", "[data-table]"),
        ("", "/display", "nav a"),
        ("", f"/display#table={table_name(DICE)}", "[data-table]"),
        ("", f"/display#table={table_name(WHEEL)}", "[data-table]"),
        ("Cass", "/cashier", "[data-liability]"),
        ("admin", "/office", "[data-accounts]"),
        ("Sam", "/lab", "[data-box]"),
        ("Audrey", "/audit", "[data-history]"),
    ],
)
def test_a_page(person: str, path: str, ready: str, open_page: Open, enter: Open, house: BrowserFloor) -> None:
    screen = {"width": 1600, "height": 1000, "language": "zh"}
    page = enter(person, path, **screen) if person else open_page(path, **screen)
    expect(page.locator(ready).first).to_be_visible(timeout=MS)
    page.wait_for_timeout(500)
    assert english(page) == []


@pytest.mark.parametrize("layout", [LIVE, "nz-taisai-division9/1", WHEEL])
def test_the_console_through_a_round(layout: str, enter: Open, house: BrowserFloor) -> None:
    table = table_name(layout)
    page = enter("Sam", f"/console#table={table}", width=1600, height=1000, language="zh")
    expect(page.locator("[data-act]").first).to_be_visible(timeout=MS)
    assert english(page) == [], "opening checks"
    house.open_table(table)
    house.open_bets(table)
    page.locator("[data-box]").first.wait_for()
    page.wait_for_timeout(300)
    assert english(page) == [], "bets are open"
    page.locator('[data-open="irregularities"]').click()
    page.get_by_role("dialog").wait_for()
    assert english(page) == [], "irregularities"
    page.keyboard.press("Escape")
    house.close_bets(table)
    page.wait_for_timeout(300)
    assert english(page) == [], "bets are closed"
    house.enter(table, "17" if layout == WHEEL else "2-2-5")
    page.locator("[data-entered]").wait_for()
    assert english(page) == [], "a result is entered"
    house.confirm(table)
    house.end_round(table)


def test_the_pit_with_alerts_approvals_and_health(enter: Open, house: BrowserFloor) -> None:
    table = table_name(LIVE)
    house.open_table(table)
    for outcome in ("1-3-4", "2-2-5", "3-5-6"):
        house.open_bets(table)
        house.finish(table, outcome)
    limits = house.live(table).table.limits
    house.give(
        table, m.SetLimits("Sam", house.now(), replace(limits, maximum={**limits.maximum, "*": Cents(2_000_00)}))
    )

    async def alerts() -> None:
        house.floor.alert("device-offline", "unplugged", table, device="shaker")
        house.floor.alert("device-fault", "told", table, device="shaker", fault="paper-out")

    house.ask(alerts())
    page = enter("Pat", f"/pit#table={table}", width=1600, height=1200, language="zh")
    expect(page.locator("[data-detail] svg[role=img]").first).to_be_visible(timeout=MS)
    page.wait_for_timeout(500)
    assert english(page) == []
    for tab in ("approvals", "alerts", "shift"):
        page.locator(f"#tab-{tab}").click()
        page.wait_for_timeout(500)
        assert english(page) == [], tab


def test_the_audit_room_by_room(enter: Open, house: BrowserFloor) -> None:
    table = table_name(LIVE)
    page = enter("Audrey", "/audit", width=1600, height=1200, language="zh")
    page.locator(f'[data-round^="{table}/"]').first.click()
    page.locator("[data-bets]").wait_for()
    for _ in range(12):
        assert english(page) == []
        if page.locator("[data-next]").is_disabled():
            break
        page.locator("[data-next]").click()
    for tab in ("journal", "approvals", "trace", "verify"):
        page.locator(f"#tab-{tab}").click()
        page.wait_for_timeout(800)
        for details in page.locator("details").all():
            details.evaluate("one => (one.open = true)")
        assert english(page) == [], tab
    for stream in ("cage", "office"):
        page.locator("#tab-journal").click()
        page.locator(".stream select").select_option(stream)
        page.locator(f'[data-journal="{stream}"]').wait_for()
        assert english(page) == [], stream


def test_coming_in_by_a_link_and_being_confirmed(enter: Open, open_page: Open, house: BrowserFloor) -> None:
    """From the link to the code: what it says, and that everyone can use it."""
    sam = enter("Sam", "/pit", width=1600, height=1000, language="zh")
    link = house.ask(house.sessions.link(PersonId("Cass"), "machine/test"))
    cass = open_page(f"/enter/{link}", language="zh")
    expect(cass.locator("[data-enter]")).to_be_visible(timeout=MS)
    assert (english(cass), faults(cass)) == ([], [])
    cass.locator("[data-enter]").click()
    expect(cass.locator('[data-standing="lent"]')).to_be_visible(timeout=MS)
    cass.get_by_role("button", name="设置").click()
    expect(cass.locator("[data-own-password]")).to_be_visible(timeout=MS)
    assert (english(cass), faults(cass)) == ([], [])
    house.ask(choose(house.floor, "Cass"))
    sam.locator("#tab-approvals").click()
    expect(sam.locator('[data-confirm="Cass"]')).to_be_visible(timeout=MS)
    assert (english(sam), faults(sam)) == ([], [])
    sam.locator("#tab-alerts").click()
    expect(sam.locator("[data-alert]").first).to_be_visible(timeout=MS)
    assert english(sam) == []
