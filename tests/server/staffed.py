"""A floor with its staff's door open on a real port, for tests: no timers, the hand of the Dealer is the test's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from croupier.floor.floor import Floor
from croupier.server.sessions import Sessions
from croupier.server.staff.app import make_app
from croupier.server.staff.house import StaffSettings
from croupier.store.premises import Premises
from croupier.table import messages as m
from tests.floor.test_floor import opened, seated, until

ORIGIN = "http://floor.test"


class House:
    """The floor, its door, and clients that come through it."""

    def __init__(self, floor: Floor, app: FastAPI, port: int) -> None:
        self.floor = floor
        self.app = app
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def client(self) -> httpx.AsyncClient:
        """A browser that nobody has signed in with."""
        return httpx.AsyncClient(base_url=self.address, headers={"Origin": ORIGIN}, timeout=60, trust_env=False)

    async def deal(self, table: str, *commands: m.AnyCommand) -> None:
        for command in commands:
            answer = await self.floor.give(self.floor.tables[table].recorder, command)
            assert answer is not None
            assert answer.entry.refused is None, answer.entry.refused


@contextlib.asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[int]:
    """An app on a free port of this machine."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off", ws="websockets-sansio"))
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started or task.done(), 60)
    try:
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await task


def run(tmp_path: Path, play: Callable[[House], Awaitable[None]], settings: StaffSettings | None = None) -> None:
    """Play with a floor of five tables whose seats are taken."""
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def whole() -> None:
        async with opened(premises) as floor:
            await seated(floor)
            app = make_app(floor, Sessions(floor), settings or StaffSettings(origins=frozenset([ORIGIN])))
            async with served(app) as port:
                await play(House(floor, app, port))

    asyncio.run(whole())
