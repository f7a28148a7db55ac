"""Terminals through real sockets: bets are on disk before they are answered, and nobody reaches beyond his seat."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.client import TerminalClient
from croupier.floor.floor import Floor
from croupier.rules.money import Cents
from croupier.server import protocol as p
from croupier.server.terminals import MOST_FAULTS, Seated, TerminalDoor
from croupier.store.journal import read_rows
from croupier.store.premises import Premises
from croupier.table import messages as m
from croupier.table.messages import SeatId
from tests.floor.test_floor import check, opened, seated

TABLE = "sicbo-rws"
A1, A2 = SeatId("A1"), SeatId("A2")


class Place:
    """A floor with one door, and the Dealer's hand."""

    def __init__(self, floor: Floor, door: TerminalDoor, port: int) -> None:
        self.floor = floor
        self.door = door
        self.address = f"ws://127.0.0.1:{port}/"
        self.live = floor.tables[TABLE]

    def client(self, seat: SeatId = A1) -> TerminalClient:
        return TerminalClient(self.address, self.door.tokens.issue(TABLE, seat))

    async def deal(self, *commands: m.AnyCommand) -> None:
        for command in commands:
            answer = await self.floor.give(self.live.recorder, command)
            assert answer is not None
            assert answer.entry.refused is None, answer.entry.refused

    async def open_betting(self) -> None:
        await self.deal(m.OpenTable("Max", self.floor.clock.now()), m.OpenBetting("Dana", self.floor.clock.now()))


@contextlib.asynccontextmanager
async def place(premises: Premises) -> AsyncIterator[Place]:
    async with opened(premises) as floor:
        await seated(floor)
        door = TerminalDoor(floor, origins=["https://floor.example"])
        port = await door.open("127.0.0.1", 0)
        try:
            yield Place(floor, door, port)
        finally:
            await door.close()


def run(tmp_path: Path, play: Callable[[Place], Awaitable[None]]) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def main() -> None:
        async with asyncio.timeout(30), place(premises) as here:
            await play(here)

    asyncio.run(main())
    check(premises)


def test_a_bet_is_answered_once_it_is_on_disk(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        await here.open_betting()
        async with here.client() as ann:
            answer = await ann.bet("small", 1_000)
            assert isinstance(answer, p.Ok)
            assert (answer.credit, answer.held) == (9_990_00, 10_00)
            kinds = [row.kind for row in read_rows(here.floor.store, TABLE)]
            assert kinds[-1] == "PlaceBet"
            refused = await ann.bet("big", 100)
            assert isinstance(refused, p.No)
            assert (refused.reason, refused.clause) == ("minimum", "3.3")
            await here.deal(m.CallNoMoreBets("Dana", here.floor.clock.now()))
            late = await ann.bet("big", 1_000)
            assert isinstance(late, p.No)
            assert late.reason == "late-bet"

    run(tmp_path, play)


def test_the_room_is_pushed_to_all_and_bets_only_to_their_own(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        await here.open_betting()
        async with here.client(A1) as ann, here.client(A2) as ben:
            await ann.bet("small", 1_000)
            await here.deal(m.CallNoMoreBets("Dana", here.floor.clock.now()))
            for client in (ann, ben):
                while client.room is None or client.room.room.phase != "closed":
                    await client.changed()
            while ann.own is None or ben.own is None or not ann.own.bets:
                await asyncio.sleep(0.01)
            assert [(bet.box, bet.stake) for bet in ann.own.bets] == [("small", 10_00)]
            assert ben.own.bets == ()
            assert "A1" not in json.dumps(msgspec.to_builtins(ben.room))

    run(tmp_path, play)


def test_a_bet_sent_again_on_a_new_socket_counts_once(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        await here.open_betting()
        async with here.client() as ann:
            for number in range(30):
                asked = asyncio.create_task(ann.bet("small", 500, id=f"b{number}"))
                await asyncio.sleep(0)
                if number % 3 == 0 and ann._transport is not None:
                    ann._transport.disconnect(graceful=False)  # the cable is pulled before the answer comes
                assert isinstance(await asked, p.Ok)
                assert isinstance(await ann.bet("small", 500, id=f"b{number}"), p.Ok)
            assert ann.connections > 5
        assert here.live.table.seats[A1].held == 30 * 500

    run(tmp_path, play)


def test_tickets_go_out_and_in_and_a_resend_is_the_same_ticket(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        async with here.client(A1) as ann, here.client(A2) as ben:
            out = await ann.ticket_out(50_00)
            assert isinstance(out, p.Ok)
            again = await ann._ask(p.TicketOut(out.id, Cents(50_00)))
            assert isinstance(again, p.Ok)
            assert again.ticket == out.ticket
            assert again.credit == 9_950_00
            assert isinstance(await ben.ticket_in(out.ticket), p.Ok)
            twice = await ann.ticket_in(out.ticket)
            assert isinstance(twice, p.No)
            assert "redeemed already" in twice.message

    run(tmp_path, play)


def test_a_seat_reaches_only_its_own(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        await here.open_betting()
        async with here.client(A1) as ann, here.client(A2) as ben:
            assert isinstance(await ann.bet("small", 1_000, id="x"), p.Ok)
            stolen = await ben.withdraw("A1.x", 500)
            assert isinstance(stolen, p.No)
            assert isinstance(await ben.bet("small", 1_000, id="x"), p.Ok)  # the same id is another's own
            assert isinstance(await ann.withdraw("A1.x", 500), p.Ok)
        older = here.client(A1)
        here.door.tokens.issue(TABLE, A1)  # a new token: the old one is worth nothing
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5), older:
                pass

    run(tmp_path, play)


class Raw(WSListener):
    """A connection that says what it likes."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.gone = asyncio.Event()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        else:
            self.heard.append(frame.get_payload_as_bytes())

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.gone.set()


def test_messages_that_are_none_change_nothing_and_stop_nobody(tmp_path: Path) -> None:
    rng = random.Random("frames")

    async def play(here: Place) -> None:
        await here.open_betting()
        rows = here.live.recorder.place.seq
        sent = 0
        async with here.client(A2) as ben:
            good = msgspec.json.encode(p.Bet("b1", 1, "small", Cents(1_000)))
            while sent < 3_000:
                transport, raw = await ws_connect(Raw, here.address)
                token = here.door.tokens.issue(TABLE, A1)
                transport.send(WSMsgType.TEXT, msgspec.json.encode(p.Hello(p.VERSION, token)))
                for _ in range(MOST_FAULTS):
                    body = bytearray(good)
                    for _ in range(rng.randrange(1, 6)):
                        body[rng.randrange(len(body))] = rng.randrange(256)
                    junk = rng.choice((bytes(body), rng.randbytes(rng.randrange(200)), b"[" * 500, b'{"do":"bet"}'))
                    transport.send(rng.choice((WSMsgType.TEXT, WSMsgType.BINARY)), junk)
                    sent += 1
                await asyncio.sleep(0)
                transport.disconnect(graceful=False)
                assert isinstance(raw, Raw)
                await raw.gone.wait()
            assert isinstance(await ben.bet("small", 1_000), p.Ok)
        kinds = {row.kind for row in read_rows(here.floor.store, TABLE, rows)}
        assert kinds <= {"PlaceBet"}  # some edits are bets, refused or taken; nothing else came through

    run(tmp_path, play)


def test_strangers_are_sent_away(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        transport, raw = await ws_connect(Raw, here.address)
        transport.send(WSMsgType.TEXT, msgspec.json.encode(p.Bet("b1", 1, "small", Cents(1_000))))
        transport.send(WSMsgType.TEXT, msgspec.json.encode(p.Hello(p.VERSION, "a guess")))
        assert isinstance(raw, Raw)
        await asyncio.wait_for(raw.gone.wait(), 5)
        assert b"say hello first" in raw.heard[0]
        with pytest.raises(Exception, match="403"):
            await ws_connect(Raw, here.address, extra_headers={"Origin": "https://evil.example"})
        friend, _ = await ws_connect(Raw, here.address, extra_headers={"Origin": "https://floor.example"})
        friend.disconnect()
        await friend.wait_disconnected()

    run(tmp_path, play)


def test_a_terminal_that_never_reads_is_cut_and_holds_up_nobody(tmp_path: Path) -> None:
    async def play(here: Place) -> None:
        async with here.client(A2) as ben:
            transport, raw = await ws_connect(Raw, here.address)
            token = here.door.tokens.issue(TABLE, A1)
            transport.send(WSMsgType.TEXT, msgspec.json.encode(p.Hello(p.VERSION, token)))
            await asyncio.sleep(0.1)
            sock = transport.underlying_transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            transport.underlying_transport.pause_reading()
            before = here.door.cut
            terminal, room = here.door.terminals[Seated(TABLE, A1)], here.door.room(here.live)
            for _ in range(20_000):  # the system itself holds a few megabytes
                terminal.push(room)
                await asyncio.sleep(0)
                if here.door.cut > before:
                    break
            assert here.door.cut == before + 1
            assert isinstance(await ben.ticket_out(10_00), p.Ok)
            assert isinstance(raw, Raw)
            assert raw.heard
            transport.disconnect(graceful=False)
            await raw.gone.wait()

    run(tmp_path, play)
