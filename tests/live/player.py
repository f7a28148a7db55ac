"""A terminal as a process of its own: `python -m tests.live.player ADDRESS TOKEN BOX`. A line for every answer."""

from __future__ import annotations

import asyncio
import sys

from croupier.client import TerminalClient


async def play(address: str, token: str, box: str) -> None:
    async with TerminalClient(address, token) as terminal:
        while True:
            if terminal.connected and terminal.room.phase in ("betting", "spinning"):
                print(type(await terminal.bet(box, 500)).__name__, flush=True)
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
