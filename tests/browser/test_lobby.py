"""The lobby, signing in, and every page of the staff for everyone: axe finds nothing, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from croupier.floor.config import FIRST_ADMINISTRATOR
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import PersonId
from tests.browser.conftest import Open
from tests.browser.floor import LAYOUTS, BrowserFloor, table_name
from tests.browser.staff import MS, players
from tests.browser.terminal import Sit
from tests.browser.test_access import faults

LAYOUT = "rws-taisai-v5/A"
TABLE = table_name(LAYOUT)


def test_the_lobby_shows_every_table_as_it_stands(open_page: Open, house: BrowserFloor) -> None:
    page = open_page("/")
    for layout in LAYOUTS:
        expect(page.locator(f'[data-table="{table_name(layout)}"]')).to_be_visible(timeout=MS)
    with players(house, "rws-taisai-v5/A"):
        house.open_bets(TABLE)
        expect(page.locator(f'[data-table="{TABLE}"]').get_by_text("Bets are open")).to_be_visible(timeout=MS)


def test_a_person_signs_in_with_a_password_and_out_again(open_page: Open, house: BrowserFloor, watch: object) -> None:
    watch.forgiven.append("401")  # type: ignore[attr-defined]
    house.ask(house.sessions.set_password(PersonId("Pat"), "correct horse battery", "machine/test"))
    page = open_page("/pit")
    page.locator("[name=person]").fill("Pat")
    page.locator("[name=password]").fill("wrong horse battery")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("The name or the password is wrong.", timeout=MS)
    page.locator("[name=password]").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("[data-detail]")).to_be_visible(timeout=MS)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("[name=person]")).to_be_visible(timeout=MS)


def seen(page: Page, path: str) -> None:
    ready = {
        "/console": "[data-box]",
        "/pit": "[data-detail] svg[role=img]",
        "/cashier": "[data-liability]",
        "/audit": "[data-history]",
        "/office": "[data-accounts]",
        "/display": "[data-table]",
        "/": "[data-table]",
    }[path.partition("#")[0]]
    expect(page.locator(ready).first).to_be_visible(timeout=MS)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("person", "path"),
    [
        ("", "/"),
        ("", f"/display#table={TABLE}"),
        ("Dana", f"/console#table={TABLE}"),
        ("Sam", f"/pit#table={TABLE}"),
        ("Cass", "/cashier"),
        ("Audrey", "/audit"),
        (FIRST_ADMINISTRATOR, "/office"),
    ],
)
def test_axe_finds_nothing_on_the_pages_of_the_staff(
    person: str, path: str, language: str, open_page: Open, enter: Open, house: BrowserFloor
) -> None:
    with players(house, "rws-taisai-v5/A", "A9"):
        house.open_bets(TABLE)
        number = house.live(TABLE).table.next_round - 1
        bet = m.PlaceBet("A9", house.now(), f"axe{number}", number, "A9", "big", Cents(2_00))  # type: ignore[arg-type]
        house.give(TABLE, bet)
        screen = {"width": 1280, "height": 900, "language": language}
        page = enter(person, path, **screen) if person else open_page(path, **screen)
        seen(page, path)
        assert faults(page) == []
        if path.startswith("/console"):
            for what in ("irregularities", "players"):
                page.locator(f'[data-open="{what}"]').click()
                expect(page.get_by_role("dialog")).to_be_visible(timeout=MS)
                assert faults(page) == [], what
                page.keyboard.press("Escape")
        if path.startswith(("/pit", "/audit")):
            tabs = page.get_by_role("tab")
            for index in range(1, tabs.count()):
                tabs.nth(index).click()
                expect(tabs.nth(index)).to_have_attribute("aria-selected", "true", timeout=MS)
                assert faults(page) == [], index


WIDER = """() => {
    const parts = [...document.querySelectorAll('button, a.button, [role=tab], .meters dt')];
    const page = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    return page.concat(parts.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
}"""
"""What is wider than the room it has."""


@pytest.mark.parametrize(
    ("person", "path"),
    [
        ("", "/"),
        ("", f"/display#table={TABLE}"),
        ("Dana", f"/console#table={TABLE}"),
        ("Sam", f"/pit#table={TABLE}"),
        ("Cass", "/cashier"),
        ("Audrey", "/audit"),
        (FIRST_ADMINISTRATOR, "/office"),
        ("Sam", "/lab"),
    ],
)
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_words_longer_by_two_fifths_have_room_on_a_phone(
    person: str, path: str, size: tuple[int, int], open_page: Open, enter: Open
) -> None:
    screen = {"width": size[0], "height": size[1], "language": "qps"}
    page = enter(person, path, **screen) if person else open_page(path, **screen)
    ready = "[data-table], [data-box], [data-liability], [data-history], [data-accounts]"
    expect(page.locator(ready).first).to_be_visible(timeout=MS)
    assert page.evaluate(WIDER) == []
    tabs = page.get_by_role("tab")
    for index in range(tabs.count()):
        tabs.nth(index).click()
        expect(tabs.nth(index)).to_have_attribute("aria-selected", "true", timeout=MS)
        assert page.evaluate(WIDER) == [], index


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 720)])
def test_words_longer_by_two_fifths_have_room_on_a_terminal(size: tuple[int, int], sit: Sit) -> None:
    terminal = sit(LAYOUT, "A4", language="qps", width=size[0], height=size[1])
    expect(terminal.page.locator(".meters dt").first).to_be_visible(timeout=MS)
    assert terminal.page.evaluate(WIDER) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", ["/console", "/pit", "/cashier", "/audit", "/office"])
def test_nobody_sees_a_page_of_the_staff_before_signing_in(path: str, language: str, open_page: Open) -> None:
    page = open_page(path, language=language, width=390, height=844)
    expect(page.locator("[name=password]")).to_be_visible(timeout=MS)
    assert faults(page) == []
