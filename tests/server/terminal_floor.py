"""A floor with a terminals' door, and the Dealer's hand: what the tests of the door share."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.client import TerminalClient
from croupier.floor.floor import Floor
from croupier.protocol import terminal as p
from croupier.server.player.door import Bounds, TerminalDoor
from croupier.server.sessions import Sessions
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import SeatId
from tests.support.floors import check, opened, seated

TABLE = "sicbo-rws"
A1, A2, A3 = SeatId("A1"), SeatId("A2"), SeatId("A3")
ORIGIN = "https://floor.example"
BY = "machine/test"
PATIENT = 120
"""Seconds after which something will never happen; no test depends on less."""


class TerminalFloor:
    def __init__(self, floor: Floor, door: TerminalDoor, port: int, table: str) -> None:
        self.floor = floor
        self.door = door
        self.port = port
        self.address = f"ws://127.0.0.1:{port}/"
        self.live = floor.tables[table]

    async def token(self, seat: SeatId = A1) -> str:
        return await self.door.sessions.enrol(self.live.name, seat, BY)

    async def client(self, seat: SeatId = A1) -> TerminalClient:
        return TerminalClient(self.address, await self.token(seat))

    async def raw(self, seat: SeatId | None = A1, *, seen: int = 0) -> Raw:
        """A connection that says what it likes; of a seat, it is welcomed first."""
        raw = await connect(self.address)
        if seat is not None:
            raw.say(p.Hello(p.VERSION, await self.token(seat), seen))
            await raw.until("own")
        return raw

    def now(self) -> int:
        return self.floor.clock.now()

    async def give(self, command: m.AnyCommand) -> Any:
        answer = await self.floor.give(self.live.recorder, command)
        assert answer is not None
        return answer.entry

    async def deal(self, *commands: m.AnyCommand) -> None:
        for command in commands:
            entry = await self.give(command)
            assert entry.refused is None, entry.refused

    async def open_betting(self) -> None:
        await self.floor.restore(self.live)
        if not self.live.table.open:
            await self.deal(m.OpenTable("Max", self.now()))
        await self.deal(m.OpenBetting("Dana", self.now()))

    async def close_betting(self) -> None:
        await self.deal(m.CallNoMoreBets("Dana", self.now()))

    async def confirm(self, outcome: str = "1-3-4") -> None:
        await self.deal(m.StartMotion("Dana", self.now()), m.EndMotion("Dana", self.now(), 3))
        for face in outcome.split("-"):
            await self.deal(m.PressKey("Dana", self.now(), face))
        await self.deal(m.PressEntry("Dana", self.now()), m.ConfirmResult("Dana", self.now()))

    async def pay(self) -> None:
        """Where the book has a Dealer pay after the losing bets are collected; elsewhere confirming pays."""
        if self.live.table.phase == "settling":
            await self.deal(m.PayWinners("Dana", self.now()))

    async def settle(self, outcome: str = "1-3-4") -> None:
        await self.confirm(outcome)
        await self.pay()

    async def two(self, command: m.AnyCommand, second: str) -> None:
        """An act that a second person agrees to."""
        entry = await self.give(command)
        asked = next(event for event in entry.events if isinstance(event, m.ApprovalRequested))
        await self.deal(m.Approve(second, self.now(), asked.request, asked.digest))

    def state(self) -> bytes:
        """Everything the table remembers, byte for byte."""
        return self.live.recorder.subject.state()


@contextlib.asynccontextmanager
async def place(premises: Premises, bounds: Bounds | None = None, table: str = TABLE) -> AsyncIterator[TerminalFloor]:
    async with opened(premises) as floor:
        await seated(floor)
        bounds = bounds or Bounds()
        if bounds.hello == Bounds().hello:  # a slow machine may take longer than a terminal in a casino
            bounds = bounds._replace(hello=PATIENT)
        door = TerminalDoor(floor, Sessions(floor), origins=[ORIGIN], bounds=bounds)
        port = await door.open("127.0.0.1", 0)
        try:
            yield TerminalFloor(floor, door, port, table)
        finally:
            await door.close()


def run(
    folder: Path, play: Callable[[TerminalFloor], Awaitable[None]], bounds: Bounds | None = None, table: str = TABLE
) -> None:
    """Play on a new floor in a folder, or on the one that exists; then every row must be true."""
    premises = Premises(folder / "floor")
    if not premises.signs:
        premises.init()

    async def main() -> None:
        async with asyncio.timeout(PATIENT * 4), place(premises, bounds, table) as here:
            await play(here)

    uvloop.run(main())  # as `croupier serve` does: its sockets are not those of asyncio
    check(premises)


async def connect(address: str, **options: Any) -> Raw:
    _, raw = await ws_connect(Raw, address, **options)
    assert isinstance(raw, Raw)
    return raw


class Raw(WSListener):
    """A connection without manners."""

    def __init__(self) -> None:
        self.transport: WSTransport
        self.heard: list[dict[str, Any]] = []
        self.gone = asyncio.Event()
        self.code = 0
        self._more = asyncio.Event()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.code = int.from_bytes(frame.get_payload_as_bytes()[:2], "big")
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT:
            self.heard.append(json.loads(frame.get_payload_as_bytes()))
            self._more.set()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.gone.set()
        self._more.set()

    def say(self, *messages: msgspec.Struct | bytes | dict[str, Any], kind: WSMsgType = WSMsgType.TEXT) -> None:
        for message in messages:
            self.transport.send(kind, message if isinstance(message, bytes) else msgspec.json.encode(message))

    async def until(self, said: str, times: int = 1) -> dict[str, Any]:
        """The message of a kind, once it has come so often."""
        async with asyncio.timeout(PATIENT):
            while len(found := [one for one in self.heard if one["said"] == said]) < times:
                assert not self.gone.is_set(), f"closed with {self.code} before {said}: {self.heard[-3:]}"
                self._more.clear()
                await self._more.wait()
        return found[times - 1]

    async def come(self, count: int) -> None:
        """Wait for so many messages."""
        async with asyncio.timeout(PATIENT):
            while len(self.heard) < count:
                assert not self.gone.is_set(), f"closed with {self.code}: {self.heard[-3:]}"
                self._more.clear()
                await self._more.wait()

    async def closed(self) -> int:
        """Why the floor closed it."""
        await asyncio.wait_for(self.gone.wait(), PATIENT)
        return self.code

    def cut(self) -> None:
        """The cable is pulled."""
        self.transport.disconnect(graceful=False)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENT):
        while not condition():
            await asyncio.sleep(0.01)
