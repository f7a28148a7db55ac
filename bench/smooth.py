"""Two hundred terminals at one table, one of them a real browser: how long its frames take while all of them bet.

`python -m bench.smooth`. The other terminals are programs in a process of their own; rounds are called from here.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from croupier import load_layout
from croupier.client import TerminalClient
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.floor import BrowserFloor, table_name

LAYOUT = "mbs-esicbo-v4/rapid-select"
TERMINALS = 200
ROUNDS = 4
BETS = 5
RECORD = """() => {
  window.frames_ms = [];
  let last = performance.now();
  const next = (now) => { window.frames_ms.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""


def main() -> None:
    seats = [f"A{number}" for number in range(1, TERMINALS + 1)]
    table = table_name(LAYOUT)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = BrowserFloor(Path(folder), [LAYOUT], seats=seats)
        house.open()
        house.open_table(table)
        tokens = [house.seat(table, seat, 100_000_00) for seat in seats]
        others = subprocess.Popen(
            [sys.executable, "-m", "bench.smooth", house.terminals],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert others.stdin
        assert others.stdout
        others.stdin.write(json.dumps(tokens[1:]) + "\n")
        others.stdin.flush()
        assert others.stdout.readline() == "seated\n"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"{house.address}/terminal#token={tokens[0]}")
        page.locator("[data-box]").first.wait_for()
        page.evaluate(RECORD)
        for outcome in ("1-3-4", "2-5-6", "4-4-5", "1-1-6")[:ROUNDS]:
            house.open_bets(table)
            for box in ("small", "total:9", "single:4"):
                page.locator(f'[data-box="{box}"]').click()
            page.wait_for_timeout(3_000)
            house.finish(table, outcome)
            page.wait_for_timeout(1_500)
        frames = sorted(page.evaluate("window.frames_ms"))
        bets = sum(len(past.round.bets) for past in house.live(table).table.past.values())
        browser.close()
        others.kill()
        others.wait()
        house.close()
    at = {f"p{share}": frames[min(len(frames) - 1, len(frames) * share // 100)] for share in (50, 95, 99)}
    late = sum(frame > 50 for frame in frames)
    print(f"{TERMINALS} terminals, {ROUNDS} rounds, {bets} bets: {len(frames)} frames", end="; ")
    print(", ".join(f"{name} {value:.1f} ms" for name, value in at.items()), end="; ")
    print(f"longest {frames[-1]:.0f} ms; {late} over 50 ms")


async def play(address: str, tokens: list[str]) -> None:
    """Let every terminal bet in every round, each at its own moment."""
    boxes = load_layout(LAYOUT).boxes
    clients = [TerminalClient(address, token) for token in tokens]
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.__aenter__())
    print("seated", flush=True)

    async def one(client: TerminalClient, chance: random.Random) -> None:
        done = 0
        while True:
            if client.room.phase == "betting" and client.room.round > done:
                done = client.room.round
                for _ in range(BETS):
                    await asyncio.sleep(chance.uniform(0, 0.5))
                    await client.bet(chance.choice(boxes), 5_00)
            await asyncio.sleep(0.1)

    async with asyncio.TaskGroup() as group:
        for number, client in enumerate(clients):
            group.create_task(one(client, random.Random(number)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(play(sys.argv[1], json.loads(sys.stdin.readline())))
    else:
        main()
