"""Hostile terminals: nonsense, floods, silence, crowds. Nothing changes, and no other terminal waits."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from picows import WSMsgType

from croupier.client import Ok, SentAway, TerminalClient
from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.server.player.door import Bounds
from croupier.table.messages import PersonId, RoundNumber
from tests.server.terminal_floor import A1, A2, A3, BY, ORIGIN, PATIENT, TABLE, TerminalFloor, connect, run, until

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
FRAMES = 50_000
_read = msgspec.json.Decoder(p.AnyDo).decode

GOOD = [
    p.Hello(p.VERSION, "x" * 43),
    p.Ping(),
    p.Bets(1, (p.NewBet("b1", "small", Cents(10_00)), p.NewBet("b2", "total:9", Cents(5_00)))),
    p.Withdraw("w1", "A1.b1", Cents(5_00)),
    p.TicketIn("t1", "123456789012345611"),
    p.TicketOut("t2", Cents(50_00)),
    p.ShowLayout("l1", "B"),
    p.Recall("r1", 3),
    p.Receipt("q1", "A1.b1"),
    p.Rules("q2"),
]
STRANGE = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'"bet"',
    b"[" * 3_000,
    b'{"do":' * 2_000,
    b'{"do":"bet"}',
    b'{"do":"bet","round":1,"bets":[]}',
    b'{"do":"bet","round":-1,"bets":[{"id":"a","box":"small","stake":500}]}',
    b'{"do":"bet","round":1,"bets":[{"id":"a","box":"small","stake":5e2,"by":"A2"}]}',
    b'{"do":"bet","round":1,"bets":[{"id":"a","box":"small","stake":-500}]}',
    b'{"do":"bet","round":1,"bets":[{"id":"a","box":"small","stake":"500"}]}',
    b'{"do":"bet","round":1,"bets":[{"id":"","box":"small","stake":500}]}',
    b'{"do":"bet","round":1,"bets":[{"id":"' + b"a" * 41 + b'","box":"small","stake":500}]}',
    b'{"do":"bet","round":1,"seat":"A2","bets":[{"id":"a","box":"small","stake":500}]}',
    b'{"do":"bet","round":1,"bets":[' + b'{"id":"a","box":"small","stake":500},' * 100 + b'{"id":"a","box":"small"}]}',
    b'{"do":"withdraw","id":"a","bet":"A2.b","amount":' + b"9" * 400 + b"}",
    b'{"do":"PlaceBet","by":"A2","seat":"A2"}',
    b'{"do":"settle"}',
    b'{"said":"ok","id":"a","credit":1,"held":1}',
    b'{"do":"ticket-out","id":"a","amount":1.5}',
    b'{"do":"ticket-in","id":"\\ud800","ticket":"1"}',
    b"\xff\xfe{}",
    b'{"do":"rules","id":"a"}{"do":"rules","id":"b"}',
)


def frames(rng: random.Random, count: int) -> Iterator[tuple[WSMsgType, bytes]]:
    """Malformed messages: edited, cut, joined, of other kinds, and plain noise."""
    sent = 0
    while sent < count:
        body = bytearray(msgspec.json.encode(rng.choice(GOOD)))
        match rng.randrange(6):
            case 0:
                for _ in range(rng.randint(1, 6)):
                    body[rng.randrange(len(body))] = rng.randrange(256)
            case 1:
                del body[rng.randrange(len(body)) :]
            case 2:
                body += msgspec.json.encode(rng.choice(GOOD))
            case 3:
                body = bytearray(_other_types(rng, json.loads(body)))
            case 4:
                body = bytearray(rng.randbytes(rng.randrange(300)))
            case _:
                body = bytearray(rng.choice(STRANGE))
        kind = WSMsgType.BINARY if rng.random() < 0.1 else WSMsgType.TEXT
        if kind == WSMsgType.BINARY or not _is_a_message(bytes(body)):
            sent += 1
            yield kind, bytes(body)


def _other_types(rng: random.Random, message: dict[str, object]) -> bytes:
    name = rng.choice(list(message))
    message[name] = rng.choice([None, True, -1, 2**70, 1.5, "", "x" * 5_000, [], {}, [[[]]], {"do": "bet"}])
    if rng.random() < 0.3:
        message[rng.choice(["by", "seat", "at", "said", "do "])] = "A2"
    return json.dumps(message).encode()


def _is_a_message(body: bytes) -> bool:
    try:
        _read(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def test_malformed_messages_change_nothing_and_stop_no_terminal(tmp_path: Path) -> None:
    rng = random.Random("frames")

    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        bad = [await here.raw(A1), await here.raw(A3), await connect(here.address)]
        async with await here.client(A2) as ben:
            assert isinstance(await ben.bet("small", 10_00), Ok)
            before, seq = here.state(), here.live.recorder.place.seq
            for number, (kind, body) in enumerate(frames(rng, FRAMES)):
                bad[number % 3].transport.send(kind, body)
                if number % 100 == 0:
                    await asyncio.sleep(0)
            await until(lambda: here.door.faults == FRAMES)
            assert here.state() == before
            assert here.live.recorder.place.seq == seq
            for raw in bad:
                assert not raw.gone.is_set()
                await raw.until("fault", len(range(bad.index(raw), FRAMES, 3)))  # each gets its own answer
                assert {one["said"] for one in raw.heard} <= {"welcome", "room", "own", "fault"}
            assert isinstance(await ben.bet("small", 10_00), Ok)

    run(tmp_path, play, Bounds(faults=10**9, hello=10**6, unread=10**9))


def test_a_terminal_that_sends_nonsense_is_cut_off(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        for seat in (A1, None):
            raw = await here.raw(seat)
            for _ in range(here.door.bounds.faults):
                raw.say(b"nonsense")
            assert await raw.closed() == p.Closed.NO_SENSE
            assert [one["said"] for one in raw.heard].count("fault") == here.door.bounds.faults
        assert here.door.cut["faults"] == 2

    run(tmp_path, play)


def test_connections_that_speak_no_websocket_are_closed(tmp_path: Path) -> None:
    """Reserved operations, missing masks, lying lengths, torn frames, other protocols: below every message."""
    rng = random.Random("bytes")
    count = 2_000 if ALL else 300

    def broken(text: bytes) -> bytes:
        mask = rng.randbytes(4)
        masked = bytes(byte ^ mask[number % 4] for number, byte in enumerate(text))
        good = bytes((0x81, 0x80 | len(text))) + mask + masked
        return rng.choice(
            (
                bytes((0x81, len(text))) + text,  # no mask
                bytes((0x80 | rng.choice((3, 4, 7, 11, 15)),)) + good[1:],  # an operation that does not exist
                b"\x09" + good[1:],  # a ping in parts
                bytes((0x81, 0xFF)) + struct.pack(">Q", 2**40) + mask,  # longer than anything may be
                bytes((0x81, 0xFE)) + struct.pack(">H", 20_000) + mask + b"x" * 100,
                bytes((0x81, 0xFF)) + struct.pack(">Q", 5) + mask + b"short",
                bytes((0x88, 0x82)) + mask + bytes(b ^ m for b, m in zip(b"\x03\xed", mask, strict=False)),
                good[: rng.randrange(1, len(good))],  # torn
                rng.randbytes(rng.randrange(1, 200)),
            )
        )

    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        before, seq = here.state(), here.live.recorder.place.seq
        upgrade = (
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        for number in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            if number % 10 == 0:
                writer.write(
                    rng.choice((b"GET / HTTP/1.0\r\n\r\n", b"\x16\x03\x01" + rng.randbytes(50), b"HELO\r\n\r\n"))
                )
            else:
                writer.write(upgrade + broken(b'{"do":"ping"}'))
            writer.write_eof()
            with contextlib.suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), 60)  # until the floor closes it
            writer.close()
        await until(lambda: not here.door.connected)
        assert (here.state(), here.live.recorder.place.seq) == (before, seq)
        assert here.door.broken > count // 4
        async with await here.client(A2) as ben:
            assert isinstance(await ben.bet("small", 10_00), Ok)

    run(tmp_path, play)


def test_a_flood_is_refused_then_cut_and_others_are_served(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        flood = await here.raw(A1)
        async with await here.client(A2) as ben:
            bounds = here.door.bounds
            seq = here.live.recorder.place.seq
            clock = asyncio.get_running_loop().time
            begin = clock()
            for number in range(10 * bounds.burst):
                flood.say(p.Bets(1, (p.NewBet(f"f{number}", "small", Cents(5_00)),)))
            asked = asyncio.create_task(ben.bet("small", 10_00))
            assert await flood.closed() == p.Closed.NO_SENSE
            assert isinstance(await asked, Ok)
            taken = here.live.recorder.place.seq - seq
            assert 1 < taken <= 1 + bounds.burst + bounds.acts * (clock() - begin + 2)
            assert here.door.cut["too fast"] == 1
            assert here.door.slowed >= bounds.burst
        calm = await here.raw(A1)  # it may come back
        calm.say(p.Ping())
        await calm.until("pong")

    run(tmp_path, play)


def test_a_bet_that_arrives_with_the_last_malformed_message_is_not_taken(tmp_path: Path) -> None:
    """Terminal and server share a loop: the server reads all of this at once, and closes in the middle of it."""

    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        async with await here.client(A2) as ben:
            raw = await here.raw(A1)
            seq = here.live.recorder.place.seq
            raw.say(*[b"nonsense"] * here.door.bounds.faults, p.Bets(1, (p.NewBet("b1", "small", Cents(5_00)),)))
            assert await raw.closed() == p.Closed.NO_SENSE
            assert isinstance(await ben.bet("small", 10_00), Ok)
            assert here.live.recorder.place.seq == seq + 1

    run(tmp_path, play)


def test_bounds_recover_with_time_and_pings_count(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        raw = await here.raw(A1)
        raw.say(*[p.Ping()] * 5)
        raw.say(p.Rules("q"))
        assert (await raw.until("no"))["reason"] == "rate"
        assert len([one for one in raw.heard if one["said"] == "pong"]) == 5
        while len([one for one in raw.heard if one["said"] == "pong"]) < 6:
            await asyncio.sleep(1)
            raw.say(p.Ping())
        many = await here.raw(A2)
        for _ in range(40):
            many.transport.send_ping(b"x")
        assert await many.closed() == p.Closed.NO_SENSE

    run(tmp_path, play, Bounds(acts=2, burst=6))


def test_no_more_wait_than_may(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        raw = await here.raw(A1)
        raw.say(p.Bets(1, tuple(p.NewBet(f"a{n}", "small", Cents(5_00)) for n in range(4))))
        for number in range(4):
            raw.say(
                p.Bets(1, (p.NewBet(f"b{number}", "small", Cents(5_00)), p.NewBet(f"c{number}", "small", Cents(5_00))))
            )
        await until(lambda: len([one for one in raw.heard if one["said"] in ("ok", "no")]) == 12)
        busy = [one for one in raw.heard if one["said"] == "no"]
        assert {one["reason"] for one in busy} <= {"busy"}
        assert here.live.table.seats[A1].held == (12 - len(busy)) * 5_00
        assert len(busy) > 0

    run(tmp_path, play, Bounds(waiting=4))


def test_a_terminal_that_never_reads_is_cut_off_and_delays_no_other(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client(A2) as ben:
            raw = await here.raw(A1)
            sock = raw.transport.underlying_transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            raw.transport.underlying_transport.pause_reading()
            terminal = here.door.welcomed[TABLE][A1]
            own = here.door.rooms[TABLE].seat_message(A1)
            async with asyncio.timeout(PATIENT):
                while not here.door.cut["unread"]:  # the system itself holds a few megabytes
                    terminal.send(WSMsgType.TEXT, own)
                    await asyncio.sleep(0)
            await until(lambda: A1 not in here.door.welcomed[TABLE])
            assert isinstance(await ben.ticket_out(10_00), Ok)
            raw.cut()
            await raw.closed()

    run(tmp_path, play)


def test_silence_is_cut_before_and_after_the_hello(tmp_path: Path) -> None:
    """Sockets that say nothing, half a handshake letter by letter, no hello, and a terminal that answers no ping."""

    async def play(here: TerminalFloor) -> None:
        quiet = [await asyncio.open_connection("127.0.0.1", here.port) for _ in range(20)]
        loris_reader, loris = await asyncio.open_connection("127.0.0.1", here.port)

        async def drip() -> None:
            for letter in b"GET / HTTP/1.1\r\nHost: " + b"x" * 10_000:
                loris.write(bytes((letter,)))
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        stranger = await connect(here.address)
        dead_reader, dead = await asyncio.open_connection("127.0.0.1", here.port)
        dead.write(
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        hello = msgspec.json.encode(p.Hello(p.VERSION, await here.token(A1)))
        dead.write(bytes((0x81, 0x80 | len(hello))) + bytes(4) + hello)
        await until(lambda: A1 in here.door.welcomed[TABLE])
        async with await here.client(A2) as ben:
            for reader, _ in (*quiet, (loris_reader, loris)):
                assert await _until_cut(reader) == b""
            assert await stranger.closed() == p.Closed.NO_SENSE
            await _until_cut(dead_reader)  # it was pinged, and did not answer
            assert here.door.cut["silent"] == 2
            assert ben.connections == 1
            assert isinstance(await ben.ticket_out(10_00), Ok)
        dripping.cancel()
        for _, writer in (*quiet, (loris_reader, loris), (dead_reader, dead)):
            writer.close()

    run(tmp_path, play, Bounds(hello=8, idle=20))


async def _until_cut(reader: asyncio.StreamReader) -> bytes:
    """What is received until the connection is closed or reset, which depends on what was under way."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while part := await asyncio.wait_for(reader.read(4_096), 120):
            heard += part
    return heard


def test_crowds_of_anonymous_connections_are_cut_and_terminals_are_accepted(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        token, anonymous = await here.token(A1), here.door.anonymous
        crowd = [await asyncio.open_connection("127.0.0.1", here.port) for _ in range(8)]
        try:
            # Half of ten may be from one address.
            await until(lambda: (anonymous.count, anonymous.turned_away) == (5, 3))
            gone = [asyncio.create_task(reader.read()) for reader, _ in crowd]
            await until(lambda: sum(task.done() for task in gone) == 3)
            left = next(writer for (_, writer), task in zip(crowd, gone, strict=True) if not task.done())
            left.close()
            await until(lambda: anonymous.count == 4)
            async with TerminalClient(here.address, token) as ann:  # there is room for one at a time
                assert isinstance(await ann.bet("small", 10_00), Ok)
                counted = [anonymous.count]
                raw = await connect(here.address)
                counted.append(anonymous.count)  # whose hello has not come is not known yet
                raw.cut()
        finally:
            for _, writer in crowd:
                writer.transport.abort()
        await until(lambda: anonymous.count == 0)
        await asyncio.gather(*gone, return_exceptions=True)
        assert counted == [4, 5]

    run(tmp_path, play, Bounds(hello=10**6, anonymous=10))


def test_guessed_stolen_or_retired_tokens_and_foreign_origins_open_nothing(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        token = await here.token(A1)
        old = token
        token = await here.token(A1)
        person = await here.door.sessions.enter(await here.door.sessions.link(PersonId("Sam"), BY), "here")
        seq = here.live.recorder.place.seq
        guesses = [old, person, "", "x", token[:-1], token + "x", token.lower(), token.swapcase(), "A1", f"{TABLE}/A1"]
        for guess in guesses:
            with pytest.raises(SentAway, match="not known"):
                async with TerminalClient(here.address, guess):
                    pass
        for origin in ("https://evil.example", "https://floor.example.evil.example", "null", "http://floor.example"):
            with pytest.raises(SentAway, match="origin"):
                async with TerminalClient(here.address, token, origin=origin):
                    pass
        assert here.door.refused == len(guesses) + 4
        assert here.live.recorder.place.seq == seq
        assert not here.door.welcomed[TABLE]
        async with TerminalClient(here.address, token, origin=ORIGIN) as ann:
            assert ann.welcome.seat == A1

    run(tmp_path, play)


def test_before_the_welcome_nothing_is_taken(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        seq = here.live.recorder.place.seq
        raw = await connect(here.address)
        bet = p.Bets(1, (p.NewBet("b", "small", Cents(10_00)),))
        raw.say(bet, p.Ping(), p.Rules("q"), p.TicketOut("t", Cents(1_00)))
        await raw.until("fault", 4)
        raw.say(p.Hello(99, await here.token(A1)))
        assert "version 1, not 99" in (await raw.until("fault", 5))["message"]
        raw.say(p.Hello(p.VERSION, await here.token(A1)))
        await raw.until("own")
        raw.say(p.Hello(p.VERSION, await here.token(A2)))  # one connection is one seat, for good
        assert "already" in (await raw.until("fault", 6))["message"]
        assert here.live.recorder.place.seq == seq
        raw.say(bet)
        await raw.until("ok")
        assert here.live.table.seats[A2].held == 0

    run(tmp_path, play)


def test_no_more_terminals_than_the_house_allows(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        for _ in range(3):
            await connect(here.address)  # these have sent no hello: they take no terminal's place
        here_now = [await here.raw(seat) for seat in (A1, A2, A3)]
        with pytest.raises(Exception, match="503"):
            await connect(here.address)
        here_now[0].cut()
        await until(lambda: len(here.door.welcomed[TABLE]) == 2)
        await here.raw(A1)

    run(tmp_path, play, Bounds(terminals=3, hello=10**6))


def test_a_key_that_is_given_twice_is_a_fault_and_nothing_is_taken(tmp_path: Path) -> None:
    good = b'{"do":"bet","round":1,"bets":[{"id":"1","box":"small","stake":1000}]}'
    twice = (
        (b'{"do":"bet","round":1,"bets":[{"id":"1","box":"small","stake":1000,"stake":5000}]}', "stake"),
        (b'{"do":"bet","round":1,"bets":[{"id":"1","box":"big","stake":1000,"box":"small"}]}', "box"),
        (b'{"do":"bet","round":2,"bets":[{"id":"1","box":"small","stake":1000}],"round":1}', "round"),
        (
            b'{"bets":[{"id":"2","box":"big","stake":1000}],"do":"bet","round":1,"bets":[{"id":"1","box":"small","stake":1000}]}',
            "bets",
        ),
        (b'{"do":"bet","round":1,"bets":[{"id":"1","\\u0062ox":"big","box":"small","stake":1000}]}', "box"),
        (b'{"do":"ticket-out","id":"1","amount":1000,"amount":100}', "amount"),
        (b'{"do":"ping","do":"ping"}', "do"),
        (b'{"do":"recall","id":"1","id":"2"}', "id"),
    )

    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        raw = await here.raw(A1)
        before = here.state()
        for number, (body, key) in enumerate(twice, 1):
            raw.say(body)
            assert (await raw.until("fault", number))["message"] == f"{key} is given twice"
        assert here.state() == before
        spaced = b'{ "bets": [{"stake": 1000, "box": "total:9", "id": "a\\"b"}], "round": 1, "do": "bet" }'
        for number, body in enumerate((good, spaced), 1):  # other ways to write it are as good
            raw.say(body)
            await raw.come(3 + len(twice) + number)  # after the messages of the welcome
            assert (raw.heard[-1]["said"], raw.heard[-1]["id"]) in (("ok", "1"), ("no", 'a"b'))  # no name has quotes

    run(tmp_path, play)


def test_a_reserved_bit_ends_the_line_at_once_because_no_extension_was_agreed_on(tmp_path: Path) -> None:
    bet = p.Bets(RoundNumber(1), (p.NewBet("1", "small", Cents(10_00)),))

    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        before = here.live.recorder.place.seq
        for bits in ({"rsv1": True}, {"rsv2": True}, {"rsv3": True}):
            for kind, body in ((WSMsgType.TEXT, msgspec.json.encode(bet)), (WSMsgType.PING, b"")):
                raw = await here.raw(A1)
                raw.transport.send(kind, body, **bits)
                assert await raw.closed() == 1002
        assert here.live.recorder.place.seq == before

    run(tmp_path, play)
