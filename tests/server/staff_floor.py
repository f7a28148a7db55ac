"""A floor with its staff's door open on a real port, for tests: no timers, the hand of the Dealer is the test's own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from croupier.floor.floor import Floor
from croupier.server.sessions import Sessions
from croupier.server.staff.app import make_app
from croupier.server.staff.context import StaffSettings
from croupier.server.staff.door import StaffDoor
from croupier.server.staff.slow_clients import TimedConnection
from croupier.store.folder import Premises
from croupier.table import messages as m
from tests.server.terminal_floor import PATIENT
from tests.support.floors import opened, seated
from tests.support.sign_in import sign_in

ORIGIN = "http://floor.test"


class Screen:
    """What a page makes of a socket: a snapshot, and what changed since."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}
        self.seq = 0
        self.heard: list[dict[str, Any]] = []

    async def hear(self) -> None:
        async with asyncio.timeout(PATIENT):
            told = json.loads(await self.socket.recv())
        self.heard.append(told)
        self.seq = told["seq"]
        self.view = told["snapshot"] if "snapshot" in told else self.view | told["changed"]

    async def until(self, said: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Hear on until the view is so."""
        while not (self.view and said(self.view)):
            await self.hear()
        return self.view


class StaffFloor:
    """The floor, its door, and clients that come through it."""

    def __init__(self, floor: Floor, sessions: Sessions, app: Starlette, door: StaffDoor, port: int) -> None:
        self.floor = floor
        self.sessions = sessions
        self.app = app
        self.door = door
        self.address = f"http://127.0.0.1:{port}"
        self.sockets = f"ws://127.0.0.1:{port}"
        self._ids = itertools.count(1)

    def client(self, token: str = "") -> httpx.AsyncClient:
        """A browser on one of our pages."""
        cookies = {"croupier": token} if token else {}
        return httpx.AsyncClient(
            base_url=self.address, headers={"Origin": ORIGIN}, cookies=cookies, timeout=PATIENT, trust_env=False
        )

    async def token(self, person: str) -> str:
        return await sign_in(self.floor, person)

    @contextlib.asynccontextmanager
    async def as_(self, person: str) -> AsyncIterator[httpx.AsyncClient]:
        """A browser with which this person has signed in."""
        async with self.client(await self.token(person)) as client:
            yield client

    @contextlib.asynccontextmanager
    async def watch(self, path: str, token: str = "", origin: str = ORIGIN) -> AsyncIterator[Screen]:
        """A screen that is pushed to."""
        headers = {"Cookie": f"croupier={token}"} if token else {}
        async with connect(
            f"{self.sockets}{path}", origin=Origin(origin), additional_headers=headers, proxy=None, max_size=None
        ) as socket:
            yield Screen(socket)

    async def give(self, client: httpx.AsyncClient, table: str, type: str, **fields: Any) -> httpx.Response:
        """A command through the door, under an id of its own."""
        return await self.send(client, f"/api/tables/{table}/commands", type, **fields)

    async def send(self, client: httpx.AsyncClient, path: str, type: str, **fields: Any) -> httpx.Response:
        return await client.post(path, json={"id": f"t{next(self._ids)}", "command": {"type": type, **fields}})

    async def deal(self, table: str, *commands: m.AnyCommand) -> None:
        """Commands that do not come through the door."""
        for command in commands:
            answer = await self.floor.give(self.floor.tables[table].recorder, command)
            assert answer is not None
            assert answer.entry.refused is None, answer.entry.refused


def run(
    tmp_path: Path,
    play: Callable[[StaffFloor], Awaitable[None]],
    settings: StaffSettings | None = None,
    http: type[TimedConnection] = TimedConnection,
    **door_options: Any,
) -> None:
    """Play with a floor of five tables whose seats are taken."""
    premises = Premises(tmp_path / "floor")
    if not premises.signs:
        premises.init()

    async def whole() -> None:
        async with opened(premises) as floor:
            await seated(floor)
            sessions = Sessions(floor)
            app = make_app(floor, sessions, settings or StaffSettings(origins=frozenset([ORIGIN])))
            door = StaffDoor(app, http=http, **door_options)
            port = await door.open("127.0.0.1", 0)
            try:
                await play(StaffFloor(floor, sessions, app, door, port))
            finally:
                await door.close()

    asyncio.run(whole())
