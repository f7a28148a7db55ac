"""Whoever reads Chinese reads Chinese: no page leaves an English sentence, but for the books' own words beside ours."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import PersonId
from tests.browser.conftest import Open, Watch
from tests.browser.floor import BrowserFloor, table_name
from tests.browser.staff import MS, until
from tests.browser.terminal import Sit
from tests.browser.test_access import faults
from tests.support.pages import MOST_BYTES
from tests.support.sign_in import choose

LIVE, DICE, WHEEL = "rws-taisai-v5/C", "rws-sicbo-etg-v2/A", "mbs-sands-roulette-v2/A"
ENGLISH = """root => {
  const found = [];
  const plain = said => {
    const text = said.replace(/(?:https?|wss?):\\/\\/\\S+|[(“][^()“”]*[)”]|Rapid Select|NAMES/g, '');
    if (/\\b[A-Z][a-z]+[A-Z]/.test(text)) return true;
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
    const own = home.closest('.original, q, pre, td[lang=en], svg, script, style, .words [lang=en]');
    if (own || !home.checkVisibility()) continue;
    if (text === 'English') continue;
    if (plain(text) || (home.closest('[lang=en]') && /[a-z]{2}/i.test(text))) found.push(text);
  }
  return found;
}"""
"""Two English words in a row, one that is no name, a name of code, or anything marked as English. No addresses: the
token of a link may look like anything."""
NAMES = "admin|shaker|system|croupier whatif"
"""Of people and machines."""


FETCHED = """() => performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/assets/'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
"""Bytes of the page's own files, as they came over the line."""


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
    assert 50_000 < (took := page.evaluate(FETCHED)) < MOST_BYTES, took


def test_the_lab_with_bets_other_odds_and_two_layouts(enter: Open, watch: Watch) -> None:
    watch.forgiven.append("409")
    page = enter("Sam", "/lab", width=1600, height=1200, language="zh")
    page.locator("[data-choose]").select_option(DICE)
    for box in ("small", "single:4", "total:9"):
        page.locator(f'[data-box="{box}"]').click()
    expect(page.locator("[data-result] svg[role=img]")).to_have_count(3, timeout=MS)
    page.locator("[data-against]").select_option("rws-taisai-v5/A")
    expect(page.get_by_role("row").filter(has_text="不提供").first).to_be_visible(timeout=MS)
    expect(page.get_by_role("table")).to_contain_text("1 赔 ")
    assert english(page) == []
    page.locator("[data-odds-box]").select_option("total:9")
    page.locator("[data-odds]").fill("0 to 1")
    page.locator("[data-apply]").click()
    expect(page.get_by_role("alert").first).to_contain_text("总和 9 不能赔付", timeout=MS)
    assert english(page) == []


def test_the_cashier_with_a_ticket_and_a_search(enter: Open, watch: Watch) -> None:
    watch.forgiven.append("404")
    page = enter("Cass", "/cashier", width=1600, height=1000, language="zh")
    page.locator("input[name=amount]").fill("ten")
    page.locator('[data-act="SellTicket"]').click()
    assert english(page) == []
    page.locator("input[name=amount]").fill("12.50")
    page.locator('[data-act="SellTicket"]').click()
    number = page.locator("[data-sold]").get_attribute("data-sold") or ""
    for asked, state in ((number, "live"), ("123456789012345612", "")):
        page.locator("input[name=number]").fill(asked)
        page.locator("input[name=number]").press("Enter")
        expect(page.locator(f'[data-ticket="{number}"]')).to_have_count(1 if state else 0, timeout=MS)
        assert english(page) == [], state
        if state:
            page.locator('[data-act="VoidTicket"]').click()
            page.get_by_role("dialog").wait_for()
            assert english(page) == []
            page.keyboard.press("Escape")


@pytest.mark.parametrize("opened", ['[data-open="new"]', '[data-do="roles"]', '[data-do="retire"]', "[data-do=link]"])
def test_the_dialogs_of_the_office(opened: str, enter: Open) -> None:
    page = enter("admin", "/office", width=1600, height=1000, language="zh")
    page.locator(opened).first.click()
    page.get_by_role("dialog").wait_for()
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
    page.locator("[data-verify] button").click()
    expect(page.locator('[data-verify="true"]')).to_be_visible(timeout=MS)
    assert english(page) == [], "verified"
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
