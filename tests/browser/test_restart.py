"""The server is killed in mid-betting and started again: the terminal says so, and then shows what is registered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Watch
from tests.browser.floor import reserved
from tests.browser.terminal import MS

# Sands Roulette goes on after a power failure unless "no spin" was announced (5.11.2), however long it took.
LAYOUT = "mbs-sands-roulette-v2/A"
ROOT = Path(__file__).parents[2]


class Child:
    """A floor in a process of its own."""

    def __init__(self, folder: Path, ports: tuple[int, int]) -> None:
        command = [sys.executable, "-m", "tests.browser.floor_process", str(folder), LAYOUT, *map(str, ports)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.said = json.loads(self.process.stdout.readline())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


def test_a_server_killed_in_mid_betting_comes_back_and_every_registered_bet_with_it(
    tmp_path: Path, browser: Browser, watch: Watch
) -> None:
    watch.forgiven += ["ERR_CONNECTION", "WebSocket"]
    held = reserved(), reserved()  # between the two lives of the server nobody else takes its ports
    ports = held[0].getsockname()[1], held[1].getsockname()[1]
    child = Child(tmp_path, ports)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en-GB")
    try:
        page = context.new_page()
        watch.page(page)
        page.goto(f"{child.said['address']}/terminal#token={child.said['token']}")
        page.locator('[data-chip="500"]').click(timeout=MS)
        for box in ("red", "straight:17"):
            page.locator(f'[data-box="{box}"]').click()
        credit = page.locator('[data-meter="credit"]')
        expect(credit).to_have_text("990.00", timeout=MS)
        child.kill()
        expect(page.locator(".banner")).to_contain_text("Connection lost", timeout=MS)
        expect(page.locator('[data-box="red"]')).to_have_attribute("aria-disabled", "true")
        child = Child(tmp_path, ports)
        assert child.said["phase"] == "betting"
        expect(page.locator(".banner")).to_contain_text("Place your bets, please", timeout=MS)
        for box in ("red", "straight:17"):
            expect(page.locator(f'[data-box="{box}"]')).to_have_attribute("data-stake", "500")
        page.locator('[data-box="black"]').click()
        expect(credit).to_have_text("985.00", timeout=MS)
    finally:
        context.close()
        child.kill()
        for one in held:
            one.close()
