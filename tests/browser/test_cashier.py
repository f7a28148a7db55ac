"""The cage, clicked: a ticket sold, printed, found and paid; voided and replaced by two people in two browsers."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from croupier.store.journal import read_rows
from tests.browser.conftest import Open, Watch
from tests.browser.floor import BrowserFloor
from tests.browser.staff import MS, until


def cage(enter: Open, person: str) -> Page:
    page = enter(person, "/cashier", width=1600, height=1000)
    expect(page.locator("[data-liability]")).to_be_visible(timeout=MS)
    return page


def owed(page: Page) -> int:
    return int(page.locator("[data-liability]").get_attribute("data-liability") or "")


def shows_owed(page: Page, cents: int) -> None:
    expect(page.locator(f'[data-liability="{cents}"]')).to_be_visible(timeout=MS)


def sell(page: Page, amount: str) -> str:
    """The number of a ticket that was sold."""
    before = page.locator("[data-sold]").get_attribute("data-sold") if page.locator("[data-sold]").count() else ""
    page.locator("input[name=amount]").fill(amount)
    page.locator('[data-act="SellTicket"]').click()
    expect(page.locator(f'[data-sold]:not([data-sold="{before}"])')).to_be_visible(timeout=MS)
    number = page.locator("[data-sold]").get_attribute("data-sold") or ""
    assert re.fullmatch(r"\d{18}", number)
    return number


def look(page: Page, number: str, state: str) -> Locator:
    """A ticket looked up by its number, once it is in this state."""
    page.locator("input[name=number]").fill(number)
    page.get_by_role("button", name="Look up").click()
    found = page.locator(f'[data-ticket="{number}"][data-state="{state}"]')
    expect(found).to_be_visible(timeout=MS)
    return found


def printed(page: Page, link: Locator) -> bytes:
    """What a link to paper gives."""
    answer = page.context.request.get(page.url.partition("/cashier")[0] + (link.get_attribute("href") or ""))
    assert answer.headers["content-type"] == "application/pdf"
    return answer.body()


def ask_to_void(page: Page, number: str, reason: str, *, replace: bool = False) -> None:
    look(page, number, "live")
    page.locator('[data-act="VoidTicket"]').click()
    page.locator("dialog textarea[name=reason]").fill(reason)
    if replace:
        page.locator("dialog input[type=checkbox]").check()
    page.locator('[data-do="void"]').click()
    expect(page.locator("[data-request]").filter(has_text=reason)).to_be_visible(timeout=MS)


def test_a_ticket_is_sold_printed_found_and_paid_once(enter: Open, house: BrowserFloor, watch: Watch) -> None:
    watch.forgiven.append("404")
    cass = cage(enter, "Cass")
    before = owed(cass)
    number = sell(cass, "1,250.50")
    shows_owed(cass, before + 1_250_50)
    assert printed(cass, cass.locator("[data-sold]")).startswith(b"%PDF-")
    expect(cass.locator(f'[data-listed="{number[-4:]}"]').first).not_to_contain_text(number)
    dashed = "-".join((number[:2], *(number[at : at + 4] for at in range(2, 18, 4))))
    cass.locator("input[name=number]").fill(dashed)
    cass.get_by_role("button", name="Look up").click()
    expect(cass.locator(f'[data-ticket="{number}"]')).to_contain_text("1,250.50", timeout=MS)
    cass.locator('[data-act="PayTicket"]').click()
    expect(cass.locator(f'[data-ticket="{number}"][data-state="paid"]')).to_be_visible(timeout=MS)
    expect(cass.locator('[data-act="PayTicket"]')).to_have_count(0)
    expect(cass.get_by_role("status").filter(has_text=f"1,250.50 is paid for ticket {number}")).to_be_visible()
    shows_owed(cass, before)

    cass.locator("input[name=amount]").fill("ten")
    cass.locator('[data-act="SellTicket"]').click()
    expect(cass.get_by_text("Write an amount such as 25.00.")).to_be_visible(timeout=MS)
    cass.locator("input[name=number]").fill("123456789012345612")
    cass.get_by_role("button", name="Look up").click()
    expect(cass.locator("[data-ticket]")).to_have_count(0, timeout=MS)


def test_a_paper_is_had_once_and_a_reprint_is_marked(enter: Open, house: BrowserFloor, watch: Watch) -> None:
    cass = cage(enter, "Cass")
    number = sell(cass, "33.00")
    link = cass.locator("[data-sold]")
    first = printed(cass, link)
    href = link.get_attribute("href") or ""
    again = cass.context.request.get(cass.url.partition("/cashier")[0] + href)
    assert (again.status, again.json()["reason"]) == (409, "paper")
    look(cass, number, "live")
    expect(cass.locator("[data-print]")).to_have_count(0)
    cass.locator('[data-act="ReprintTicket"]').click()
    expect(cass.locator("dialog")).to_contain_text("marked as a duplicate")
    cass.locator("dialog textarea[name=reason]").fill("the paper jammed")
    cass.locator('[data-do="reprint"]').click()
    duplicate = cass.locator('[data-print="duplicate"]')
    expect(duplicate).to_be_visible(timeout=MS)
    assert printed(cass, duplicate) != first
    duplicate.evaluate("link => link.addEventListener('click', event => event.preventDefault())")
    duplicate.click()
    expect(cass.locator("[data-print]")).to_have_count(0, timeout=MS)
    rows = read_rows(house.floor.premises.reader(), "cage")
    assert b"the paper jammed" in [row.body for row in rows if row.kind == "ReprintTicket"][-1]


def test_tickets_are_searched_by_state_place_and_amount(enter: Open, house: BrowserFloor) -> None:
    cass = cage(enter, "Cass")
    paid, live = sell(cass, "77.00"), sell(cass, "78.00")
    look(cass, paid, "live").locator('[data-act="PayTicket"]').click()
    expect(cass.locator(f'[data-ticket="{paid}"][data-state="paid"]')).to_be_visible(timeout=MS)

    def listed(**asked: str) -> Locator:
        for name, value in asked.items():
            field = cass.locator(f".filter [name={name}]")
            if name == "state":
                field.select_option(value)
            else:
                field.fill(value)
        return cass.locator("[data-listed]")

    expect(listed(worth="78.00")).to_have_count(1, timeout=MS)
    expect(cass.locator(f'[data-listed="{live[-4:]}"][data-state="live"]')).to_be_visible()
    expect(listed(worth="77.00")).to_have_count(1, timeout=MS)
    expect(cass.locator(f'[data-listed="{paid[-4:]}"][data-state="paid"]')).to_be_visible()
    expect(listed(state="live")).to_have_count(0, timeout=MS)
    expect(listed(worth="", state="paid", place="nowhere")).to_have_count(0, timeout=MS)
    expect(listed(place="cage")).not_to_have_count(0, timeout=MS)


def test_a_ticket_is_voided_by_two_people_the_second_in_the_pit(enter: Open, house: BrowserFloor) -> None:
    cass = cage(enter, "Cass")
    before = owed(cass)
    number = sell(cass, "50.00")
    shows_owed(cass, before + 50_00)
    ask_to_void(cass, number, "torn in two")
    expect(cass.locator("[data-approve]")).to_have_count(0)
    sam = enter("Sam", "/pit", width=1600, height=1000)
    sam.locator("#tab-approvals").click()
    waiting = sam.locator('[data-place="cage"]').filter(has_text="torn in two")
    expect(waiting).to_contain_text("Void a ticket", timeout=MS)
    expect(waiting).to_contain_text(number[-4:])
    expect(waiting).not_to_contain_text(number)
    waiting.locator("[data-approve]").click()
    expect(waiting).to_have_count(0, timeout=MS)
    expect(cass.locator("[data-request]").filter(has_text="torn in two")).to_have_count(0, timeout=MS)
    look(cass, number, "void")
    expect(cass.locator('[data-act="PayTicket"]')).to_have_count(0)
    shows_owed(cass, before)


def test_a_ticket_is_replaced_by_two_people_and_its_number_is_told_to_the_cashier(
    enter: Open, house: BrowserFloor
) -> None:
    cass, pat = cage(enter, "Cass"), cage(enter, "Pat")
    before = owed(cass)
    number = sell(cass, "60.00")
    ask_to_void(cass, number, "the ink ran", replace=True)
    waiting = pat.locator("[data-request]").filter(has_text="the ink ran")
    waiting.locator("[data-approve]").click()
    expect(waiting).to_have_count(0, timeout=MS)
    shows_owed(cass, before + 60_00)
    found = look(cass, number, "void")
    new = found.locator("[data-replacement]").get_attribute("data-replacement") or ""
    assert re.fullmatch(r"\d{18}", new)
    assert new != number
    assert printed(cass, found.locator("[data-print]")).startswith(b"%PDF-")
    look(cass, new, "live").locator('[data-act="PayTicket"]').click()
    expect(cass.locator(f'[data-ticket="{new}"][data-state="paid"]')).to_be_visible(timeout=MS)
    shows_owed(cass, before)


def test_what_the_second_person_declines_is_not_done(enter: Open, house: BrowserFloor) -> None:
    cass, max_ = cage(enter, "Cass"), cage(enter, "Max")
    number = sell(cass, "70.00")
    ask_to_void(cass, number, "a whim")
    waiting = max_.locator("[data-request]").filter(has_text="a whim")
    waiting.get_by_role("button", name="Decline").click()
    expect(waiting).to_have_count(0, timeout=MS)
    until(max_, lambda: not house.floor.cage.subject.cage.requests)  # type: ignore[attr-defined]
    look(cass, number, "live")
