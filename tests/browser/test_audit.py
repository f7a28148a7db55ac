"""The audit, clicked: rounds found by anything, replayed step by step, verified, exported; journal and trace."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from tests.browser.conftest import Open
from tests.browser.floor import ZONE, BrowserFloor
from tests.browser.staff import MS, players

LAYOUT = "rws-taisai-v5/C"


@pytest.fixture(scope="module")
def evening(house: BrowserFloor) -> Iterator[str]:
    """Three rounds at one table: settled and then corrected, void, settled; and one at another."""
    with players(house, LAYOUT, "A1", "A2") as table, players(house, "nz-taisai-division9/1", "A1") as other:
        _round(house, other, {("A1", "small"): 10_00}, "1-2-4")
        _round(house, table, {("A1", "small"): 50_00, ("A2", "big"): 20_00}, "1-3-5")
        _round(house, table, {("A2", "big"): 30_00}, "")
        _round(house, table, {("A1", "odd"): 40_00}, "4-5-6")
        house.give(table, m.CorrectResult("Sam", house.now(), RoundNumber(1), "4-4-6", "misread"))
        request = next(iter(house.live(table).table.requests.values()))
        house.give(table, m.Approve("Pat", house.now(), request.number, request.digest))
        yield table


def _round(house: BrowserFloor, table: str, bets: dict[tuple[str, str], int], outcome: str) -> None:
    house.open_bets(table)
    round = house.live(table).table.round
    assert round is not None
    for (seat, box), stake in bets.items():
        id = BetId(f"{seat}.{round.number}.{box}")
        house.give(table, m.PlaceBet(seat, house.now(), id, round.number, SeatId(seat), box, Cents(stake)))
    if outcome:
        house.finish(table, outcome)
    else:
        house.give(table, m.Decide("Max", house.now(), "void", "the lights went out"))


def audit(enter: Open) -> Page:
    page = enter("Audrey", "/audit", width=1600, height=1000)
    expect(page.locator("[data-history]")).to_be_visible(timeout=MS)
    return page


def local(at: int) -> str:
    """A moment as the field for it takes it, in the House's own time."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(ZONE)).strftime("%Y-%m-%dT%H:%M")


def test_what_is_looked_at_can_be_sent_to_a_colleague_and_the_way_back_leads_to_what_was_found(
    enter: Open, evening: str
) -> None:
    page = audit(enter)
    page.locator('[name="seat"]').fill("A2")
    page.locator("[data-search]").click()
    expect(page.locator("[data-history] tbody tr")).to_have_count(2, timeout=MS)
    page.locator(f'[data-round="{evening}/2"]').click()
    expect(page.locator("[data-step]")).to_be_visible(timeout=MS)
    colleague = enter("Audrey", page.url.removeprefix(page.url.partition("/audit")[0]), width=1600, height=1000)
    expect(colleague.get_by_role("heading", level=2)).to_contain_text(f"{evening} · Round 2", timeout=MS)
    page.go_back()
    expect(page.locator("[data-history] tbody tr")).to_have_count(2, timeout=MS)
    expect(page.locator('[name="seat"]')).to_have_value("A2")


def test_rounds_are_found_by_everything_that_is_known_of_them(enter: Open, house: BrowserFloor, evening: str) -> None:
    page = audit(enter)
    minute = 60_000
    searches: list[tuple[dict[str, str], set[int]]] = [
        ({}, {1, 2, 3}),
        ({"seat": "A2"}, {1, 2}),
        ({"box": "odd"}, {3}),
        ({"outcome": "4-4-6"}, {1}),
        ({"clause": house.live(evening).table.past[RoundNumber(2)].void_clause or "?"}, {2}),
        ({"void": "yes"}, {2}),
        ({"corrected": "yes"}, {1}),
        ({"begin": local(house.now() - 30 * minute), "end": local(house.now() + 2 * minute)}, {1, 2, 3}),
        ({"begin": local(house.now() + 30 * minute)}, set()),
        ({"end": local(house.now() - 30 * minute)}, set()),
    ]
    page.locator("form [name=table]").select_option(evening)
    for asked, rounds in searches:
        for name, value in asked.items():
            field = page.locator(f"form [name={name}]")
            field.check() if value == "yes" else field.fill(value)
        page.locator("[data-search]").click()
        for number in (1, 2, 3):
            found = page.locator(f'[data-round="{evening}/{number}"]')
            expect(found).to_have_count(1 if number in rounds else 0, timeout=MS)
        for name, value in asked.items():
            field = page.locator(f"form [name={name}]")
            field.uncheck() if value == "yes" else field.fill("")
    page.locator("form [name=table]").select_option("")
    page.locator("[data-search]").click()
    expect(page.locator("[data-round]")).to_have_count(4, timeout=MS)


def test_a_round_is_replayed_step_by_step_and_every_payment_explained(
    enter: Open, house: BrowserFloor, evening: str
) -> None:
    page = audit(enter)
    page.locator(f'[data-round="{evening}/1"]').click()
    boxes = [page.locator(f'[data-box="{box}"]') for box in ("small", "big")]
    on, felt = page.locator("[data-next]"), list[tuple[str | None, ...]]()
    for step in range(100):
        expect(page.locator(f'[data-step="{step}"]')).to_be_visible(timeout=MS)
        now = tuple(box.get_attribute(name) for name in ("data-stake", "data-lit") for box in boxes)
        if felt[-1:] != [now]:
            felt.append(now)
        if on.is_disabled():
            break
        on.click()
    no, yes = "false", "true"
    assert felt == [
        ("0", "0", no, no),
        ("5000", "0", no, no),
        ("5000", "2000", no, no),
        ("5000", "2000", yes, no),  # the winning area is lit with the entry
        ("5000", "0", yes, no),  # then the losing bet is collected
        ("0", "0", yes, no),
        ("0", "0", no, yes),  # corrected
    ]
    page.get_by_role("button", name="First").click()
    expect(page.locator('[data-step="0"]')).to_be_visible(timeout=MS)
    bets = page.locator("[data-bets] tbody tr")
    expect(bets).to_have_count(2)
    big = bets.filter(has_text="A2")
    expect(big).to_contain_text("20.00")
    expect(big).to_contain_text("40.00")
    paid = house.live(evening).table.past[RoundNumber(1)].paid[BetId("A2.1.big")]
    assert paid.clause
    expect(big).to_contain_text(paid.clause)
    report = page.get_by_role("link", name="Report (PDF)").get_attribute("href")
    assert page.context.request.get(f"{house.address}{report}").body().startswith(b"%PDF-")


def test_the_whole_journal_is_verified_by_one_click(enter: Open, evening: str) -> None:
    page = audit(enter)
    page.locator("#tab-verify").click()
    page.get_by_role("button", name="Verify the whole journal").click()
    expect(page.locator('[data-verify="true"]')).to_be_visible(timeout=MS)
    expect(page.get_by_text("True. Nothing was changed.")).to_be_visible()


def test_the_dispute_pack_is_downloaded_and_croupier_verify_finds_it_true(
    enter: Open, house: BrowserFloor, evening: str, tmp_path: Path
) -> None:
    page = audit(enter)
    page.locator(f'[data-round="{evening}/1"]').click()
    with page.expect_download(timeout=MS) as download:
        page.get_by_role("link", name="Dispute pack").click()
    pack = tmp_path / "pack.zip"
    download.value.save_as(pack)
    key = house.floor.premises.public_key
    command = [str(Path(sys.executable).with_name("croupier")), "verify", str(pack), "--key", str(key)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_journal_the_approvals_and_the_trace_are_read(enter: Open, house: BrowserFloor, evening: str) -> None:
    page = audit(enter)
    page.locator("#tab-journal").click()
    page.locator("select").select_option(evening)
    rows = page.locator(f'[data-journal="{evening}"] tbody tr')
    expect(rows.filter(has_text="misread").first).to_be_visible(timeout=MS)
    expect(rows.filter(has_text="→ bets ").first).to_contain_text("50.00")
    page.locator("#tab-approvals").click()
    signed = page.locator("[data-approvals] tbody tr").filter(has_text="misread")
    expect(signed).to_contain_text("approved by Pat", timeout=MS)
    page.locator("#tab-trace").click()
    book = house.live(evening).table.book.id
    page.locator("details").filter(has_text=book).locator("summary").click()
    clauses = page.locator(f'[data-trace="{book}"] tbody tr')
    expect(clauses.filter(has_text="5.1.1").first).to_be_visible(timeout=MS)
    assert clauses.count() == len(house.live(evening).table.book.clauses)


def test_in_chinese_a_round_is_told_in_chinese(enter: Open, house: BrowserFloor, evening: str) -> None:
    page = enter("Audrey", "/audit", width=1600, height=1000, language="zh")
    page.locator(f'[data-round="{evening}/1"]').click()
    on = page.locator("[data-next]")
    for step in range(100):
        told = page.locator(f'[data-step="{step}"]')
        expect(told).to_have_text(re.compile("[\u4e00-\u9fff]"), timeout=MS)
        expect(told.locator("[lang=en]")).to_have_count(0)
        if on.is_disabled():
            break
        on.click()
    page.locator("#tab-journal").click()
    page.locator("select").select_option(evening)
    rows = page.locator(f'[data-journal="{evening}"] tbody tr')
    expect(rows.filter(has_text="misread").filter(has_text="更正").first).to_be_visible(timeout=MS)
