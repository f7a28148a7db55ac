"""What `make run` opens, as a stranger finds it: the lobby explains itself, a seat is taken, a bet is played."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watch
from tests.browser.test_access import faults

MS = 90_000
"""A round of the demonstration is dealt by nobody's hand, and takes its time."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A demonstration in a process of its own, on ports that are free."""
    command = [sys.executable, "-m", "croupier.cli", "serve", "--demo", "--staff-port", "0", "--terminal-port", "0"]
    folder = tmp_path_factory.mktemp("demo")
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        said = ""
        while not (found := re.search(r"^\s+(http://127\.0\.0\.1:\d+)/\s", said, re.MULTILINE)):
            line = process.stdout.readline()
            assert line, said
            said += line
        yield found[1]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@pytest.fixture
def page(browser: Browser, watch: Watch, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(MS)
    context.add_init_script(f"localStorage.setItem('croupier.language', '{getattr(request, 'param', 'en')}')")
    page = context.new_page()
    watch.page(page)
    yield page
    context.close()


def test_a_stranger_sits_down_bets_and_sees_the_round_settled(address: str, page: Page) -> None:
    page.goto(address)
    expect(page.locator("#how")).to_be_visible()
    expect(page.locator("[data-table]")).to_have_count(5)
    page.locator('[data-table="sicbo-rws"]').get_by_role("button", name="Take a seat").click()
    credit = page.locator('[data-meter="credit"]')
    expect(credit).to_have_text("1,000.00", timeout=MS)
    box = page.locator('[data-box="small"]')
    expect(page.locator('[data-box="small"]:not([aria-disabled="true"])')).to_be_visible(timeout=MS)
    page.locator('[data-chip="500"]').click()
    box.click()
    page.locator('[data-box="big"]').click()
    expect(credit).to_have_text("990.00", timeout=MS)
    expect(box).to_have_attribute("data-stake", "0", timeout=MS)
    # One wins what the other loses, unless all three dice are alike.
    assert credit.inner_text() in ("1,000.00", "990.00")
    page.locator('[data-open="rounds"]').click()
    expect(page.locator('[data-bet="small"]')).to_be_visible(timeout=MS)
    expect(page.locator('[data-bet="big"]')).to_be_visible()


def test_who_looks_behind_it_enters_by_a_link_and_sees_the_same_floor(address: str, page: Page) -> None:
    page.goto(address)
    page.locator('[data-person="Sam"]').click()
    page.locator("[data-enter]").click()
    page.wait_for_url(lambda url: "/enter/" not in url)
    page.goto(f"{address}/pit")
    expect(page.locator("[data-detail]")).to_be_visible(timeout=MS)
    for table in ("roulette-mbs", "sicbo-mbs", "sicbo-rws", "taisai-nz", "taisai-rws"):
        expect(page.locator(f'[data-table="{table}"]').first).to_be_visible()


@pytest.mark.parametrize("page", ["en", "zh"], indirect=True)
def test_axe_finds_nothing_in_the_lobby_of_a_demonstration(address: str, page: Page) -> None:
    page.goto(address)
    expect(page.locator("[data-person]").first).to_be_visible(timeout=MS)
    assert faults(page) == []
