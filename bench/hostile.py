"""Hostile connections beside a terminal that plays: how long its bets take, and how much memory the server needs.

A real server runs in a process of its own. One terminal bets again and again and waits for every answer, which comes
from disk. Beside it, one kind after another: silent sockets, handshakes letter by letter, terminals and screens that
never read, a flood, nonsense. Every bet must be answered, or the measurement fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import resource
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from croupier.client import Ok, TerminalClient
from tests.support.house import House, by_people, house
from tests.support.house_process import Access

TABLE, CREDIT, STAKE = "sicbo-rws", 10_000_000_00, 5_00
BETS = 400
IDLE = 2_000
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{more}\r\n"
)
Guests = Callable[[Access], Awaitable[None]]
"""A kind of hostile connections: it runs until it is cancelled."""


class Figures(NamedTuple):
    guests: str
    p50: float
    p99: float
    most: float
    before: float
    during: float
    """Memory of the server, in megabytes."""
    bets: int


def held_by(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"{pid} holds nothing")


# ---- hostile connections


async def silent(access: Access, port: int) -> None:
    """Keep this many silent sockets open; one that is closed is opened again."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                with contextlib.suppress(ConnectionError):
                    await reader.read()
                writer.close()
            await asyncio.sleep(1)

    await _all(IDLE, one)


async def dripping(access: Access) -> None:
    """Send handshakes letter by letter, at both doors."""

    async def one(port: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                with contextlib.suppress(ConnectionError):
                    for letter in "GET / HTTP/1.1\r\nHost: " + "x" * 10_000:
                        writer.write(letter.encode())
                        await writer.drain()
                        await asyncio.sleep(0.5)
                writer.close()
            await asyncio.sleep(1)

    ports = (access.terminals, access.staff)
    async with asyncio.TaskGroup() as group:
        for number in range(500):
            group.create_task(one(ports[number % 2]))


async def unread(access: Access) -> None:
    """Connect screens and terminals that are welcomed and never read a byte."""

    async def one(port: int, path: str, first: str) -> None:
        loop = asyncio.get_running_loop()
        while True:
            with socket.socket() as line, contextlib.suppress(OSError):
                line.setblocking(False)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                await loop.sock_connect(line, ("127.0.0.1", port))
                origin = f"Origin: {access.origin}\r\n" if port == access.staff else ""
                await loop.sock_sendall(line, UPGRADE.format(path=path, port=port, more=origin).encode())
                if first:
                    await loop.sock_sendall(line, _masked(first.encode()))
                await asyncio.sleep(60)

    async with asyncio.TaskGroup() as group:
        for number in range(100):
            path = f"/api/tables/{('sicbo-mbs', TABLE)[number % 2]}/display"
            group.create_task(one(access.staff, path, ""))
        for seat, token in list(access.seats.items()):
            if not seat.startswith(TABLE):
                hello = json.dumps({"do": "hello", "version": 1, "token": token})
                group.create_task(one(access.terminals, "/", hello))


def _masked(text: bytes) -> bytes:
    size = bytes((0x80 | len(text),)) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + text


async def flooding(access: Access) -> None:
    """Connect terminals that send as fast as they can. They are slowed down and closed, and connect again."""

    async def one(token: str) -> None:
        hello = _masked(json.dumps({"do": "hello", "version": 1, "token": token}).encode())
        ping = _masked(b'{"do":"ping"}') * 100
        await _push(access, hello, lambda: ping)

    async with asyncio.TaskGroup() as group:
        for seat, token in list(access.seats.items()):
            if not seat.startswith(TABLE):
                group.create_task(one(token))


async def babbling(access: Access) -> None:
    """Send nonsense without a handshake, as fast as possible."""
    rng = random.Random("nonsense")
    nonsense = b"".join(_masked(rng.randbytes(60)) for _ in range(100))
    await _all(10, lambda: _push(access, b"", lambda: nonsense))


async def _push(access: Access, first: bytes, more: Callable[[], bytes]) -> None:
    port = access.terminals
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            reading = asyncio.create_task(_swallow(reader))
            with contextlib.suppress(ConnectionError):
                writer.write(UPGRADE.format(path="/", port=port, more="").encode() + first)
                while not reading.done():
                    writer.write(more())
                    await writer.drain()
                    await asyncio.sleep(0)
            writer.close()
            reading.cancel()
        await asyncio.sleep(0.05)


async def _swallow(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(65_536):
            pass


# ---- crowds of strangers, and a Dealer at work

ADDRESSES = tuple(f"127.0.0.{number}" for number in range(2, 52))
CROWD = {"public": 8_000, "staff": 1_000, "terminals": 1_000}
"""Sockets without a sign-in."""
RATE = 100
"""Requests a second, over all routes."""
ROUNDS, BETS_A_ROUND = 10, 40
LAB = {"layout": "rws-sicbo-etg-v2/A", "bets": [{"box": "small", "stake": 1000}]}


def routes(access: Access) -> list[tuple[int, bytes]]:
    """Port and request: those of strangers, and one of the lab by a person who has signed in."""
    public = int(access.public.rpartition(":")[2])
    paths = ["/", "/display", "/docs", "/api/openapi.json", "/api/floor", f"/api/tables/{TABLE}", "/api/words/zh"]
    paths += ["/api/books/nz-taisai-division9", "/api/layouts/rws-sicbo-etg-v2/A", "/api/session"]
    asked = [(public, f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode()) for path in paths]
    body = json.dumps(LAB)
    for cookie in ("", f"Cookie: croupier={access.people['admin']}\r\n"):
        head = f"POST /api/lab/chances HTTP/1.1\r\nHost: x\r\nOrigin: {access.origin}\r\n{cookie}"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        asked.append((access.staff, head.encode()))
    return asked


async def strangers(access: Access) -> None:
    """Open sockets from fifty addresses at every door, and send requests to every public route and the lab."""
    os.nice(19)  # real strangers use their own processors: these must not take time from the measured Dealer
    public = int(access.public.rpartition(":")[2])
    origin = f"Origin: {access.public}\r\n"
    opening = {
        public: UPGRADE.format(path=f"/api/tables/{TABLE}/display", port=public, more=origin).encode(),
        access.staff: b"",
        access.terminals: UPGRADE.format(path="/", port=access.terminals, more="").encode(),
    }

    async def socket_at(port: int, local: str) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(local, 0))
                writer.write(opening[port])
                await _swallow(reader)
                writer.close()
            await asyncio.sleep(2)

    async def asking(port: int, request: bytes, local: str) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(local, 0))
                reading = asyncio.create_task(_swallow(reader))
                while not reading.done():
                    writer.write(request)
                    await writer.drain()
                    await asyncio.sleep(10 / RATE)
                writer.close()
            await asyncio.sleep(0.2)

    async with asyncio.TaskGroup() as group:
        number = 0
        for port, count in zip((public, access.staff, access.terminals), CROWD.values(), strict=True):
            for _ in range(count):
                number += 1
                group.create_task(socket_at(port, ADDRESSES[number % 50]))
                if number % 50 == 0:
                    await asyncio.sleep(0.05)
        for port, request in routes(access):
            for _ in range(10):
                number += 7
                group.create_task(asking(port, request, ADDRESSES[number % 50]))


class Evening(NamedTuple):
    p50: float
    p99: float
    calls: list[float]
    """The time of each No More Bets, in milliseconds."""


async def evening(floor: House) -> Evening:
    """Deal rounds through the staff's door, each act on a new connection, while a Player bets."""
    took, calls = [], []
    async with floor.terminal(TABLE, "A1") as player:
        for _ in range(ROUNDS):
            await dealt(floor, "OpenBetting")
            await player.until(lambda: player.room.phase == "betting")
            for _ in range(BETS_A_ROUND):
                begin = time.perf_counter()
                answer = await player.bet("small", STAKE)
                took.append((time.perf_counter() - begin) * 1000)
                assert isinstance(answer, Ok), answer
                await _withdraw(player)
                await asyncio.sleep(0.05)  # politely: fewer acts a second than one terminal may send
            calls.append(await dealt(floor, "CallNoMoreBets"))
            await dealt(floor, "StartMotion")
            await dealt(floor, "EndMotion", count=3)
            for face in "431":
                await dealt(floor, "PressKey", face=face)
            await dealt(floor, "PressEntry")
            await dealt(floor, "ConfirmResult")
            await player.until(lambda: player.room.phase == "ready")
    took.sort()
    return Evening(statistics.median(took), took[int(len(took) * 0.99)], calls)


async def dealt(floor: House, type: str, **fields: object) -> float:
    """Send a command of the Dealer on a new connection. Returns the time until the answer."""
    begin = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", floor.access.staff)
    body = json.dumps({"id": f"e{time.monotonic_ns()}", "command": {"type": type, **fields}})
    head = f"POST /api/tables/{TABLE}/commands HTTP/1.1\r\nHost: x\r\nOrigin: {floor.access.origin}\r\n"
    head += f"Cookie: croupier={floor.access.people['Dana']}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    answer = await reader.read()
    writer.close()
    assert b" 200 " in answer[:20], answer
    return (time.perf_counter() - begin) * 1000


def against_strangers() -> int:
    """Measure a Dealer and a Player alone, and among a crowd of strangers."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), by_people) as floor:
        floor.job = msgspec.structs.replace(floor.job, settings={"public": "true"})
        floor.start()
        floor.seat_everyone(CREDIT)
        floor.give("Sam", TABLE, "OpenTable")

        async def compared() -> tuple[Evening, Evening]:
            quiet = await evening(floor)
            async with visited(floor, STRANGERS):
                await asyncio.sleep(30)  # until all of them are connected
                return quiet, await evening(floor)

        quiet, crowd = asyncio.run(compared())
        counted = held_by(floor.access.pid)
        floor.stop()
        floor.verified()
    print(f"{'':12} {'bet p50 ms':>10} {'bet p99 ms':>10} {'No More Bets ms, median and most':>33}")
    for name, one in (("quiet", quiet), ("strangers", crowd)):
        print(f"{name:12} {one.p50:10.2f} {one.p99:10.2f} {statistics.median(one.calls):24.1f} {max(one.calls):8.1f}")
    ratio = crowd.p99 / quiet.p99
    print(f"bets' p99 is {ratio:.2f} times that of quiet (at most 2); the tables' process holds {counted:.0f} MB")
    return 0 if ratio <= 2 and max(crowd.calls) <= 100 else 1


async def _all(count: int, one: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await one()

    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(whole())


# ---- measuring


SCENES: dict[str, Guests | None] = {
    "nobody": None,
    f"{IDLE} silent sockets, terminals' door": lambda access: silent(access, access.terminals),
    f"{IDLE} silent sockets, staff's door": lambda access: silent(access, access.staff),
    "500 handshakes letter by letter": dripping,
    "100 screens and 8 terminals that never read": unread,
    "8 terminals that flood": flooding,
    "10 strangers that babble": babbling,
    "nobody, afterwards": None,
}
STRANGERS = "strangers"


@contextlib.asynccontextmanager
async def visited(floor: House, name: str) -> AsyncIterator[None]:
    """Run hostile connections in a process of their own, so that they do not delay the terminal that is measured."""
    if SCENES.get(name, strangers) is None:
        yield
        return
    access = msgspec.json.encode(floor.access).decode()
    guests = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.hostile", "--guests", name, access)
    try:
        await asyncio.sleep(10)  # longer than a handshake may take
        yield
        assert guests.returncode is None, "the guests have gone"
    finally:
        if guests.returncode is None:
            guests.kill()
        await guests.wait()


async def measure(floor: House, name: str, bets: int) -> Figures:
    before, took, most = held_by(floor.access.pid), [], 0.0
    async with floor.terminal(TABLE, "A1") as player, visited(floor, name):
        await player.until(lambda: player.room.phase == "betting")
        for _ in range(bets):
            begin = time.perf_counter()
            answer = await player.bet("small", STAKE)
            took.append((time.perf_counter() - begin) * 1000)
            assert isinstance(answer, Ok), answer
            most = max(most, held_by(floor.access.pid))
            await _withdraw(player)
            await asyncio.sleep(0.05)  # politely: fewer acts a second than one terminal may send
        assert player.connections == 1
    took.sort()
    return Figures(name, statistics.median(took), took[int(len(took) * 0.99)], took[-1], before, most, bets)


async def _withdraw(player: TerminalClient) -> None:
    """Withdraw the last bet, so that neither a limit nor the size of a round plays a part."""
    assert isinstance(await player.withdraw(player.own.bets[-1].id, STAKE), Ok)


def misbehave(name: str, access: str) -> int:
    guests = SCENES.get(name, strangers)
    assert guests is not None
    asyncio.run(_until_killed(guests(msgspec.json.decode(access, type=Access))))
    return 0


async def _until_killed(guests: Awaitable[None]) -> None:
    await guests


def main(bets: int = BETS) -> int:
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), by_people) as floor:
        floor.start()
        floor.seat_everyone(CREDIT)
        floor.give("Sam", TABLE, "OpenTable")
        floor.give("Dana", TABLE, "OpenBetting")
        found = [asyncio.run(measure(floor, name, bets)) for name in SCENES]
        with floor.browser("admin") as browser:
            counted = [line for line in browser.get("/metrics").text.splitlines() if "cut" in line and line[0] != "#"]
        floor.stop()
        floor.verified()
    print(f"{'guests':45} {'p50 ms':>8} {'p99 ms':>8} {'most ms':>8} {'MB before':>10} {'MB during':>10}")
    for one in found:
        times = f"{one.p50:8.2f} {one.p99:8.2f} {one.most:8.2f}"
        print(f"{one.guests:45} {times} {one.before:10.1f} {one.during:10.1f}")
    print(*counted, sep="\n")
    grown = max(one.during for one in found) - found[0].before
    if grown > 300:
        print(f"the server grew by {grown:.0f} MB: that is not bounded", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    if sys.argv[1:2] == ["--guests"]:
        sys.exit(misbehave(*sys.argv[2:]))
    if sys.argv[1:2] == ["--strangers"]:
        sys.exit(against_strangers())
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else BETS))
