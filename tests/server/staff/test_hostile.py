"""Connections that send nothing, or send it slowly, or come in crowds: they are cut, and no other is delayed."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import select
import socket
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from croupier.server.proxies import Proxies
from croupier.server.staff import door, router
from croupier.server.staff.slow_clients import TimedConnection
from croupier.store.journal import read_rows
from croupier.table import messages as m
from tests.server.staff_floor import ORIGIN, StaffFloor, run
from tests.server.terminal_floor import PATIENT, until


class Hasty(TimedConnection):
    head_seconds = 2


class Wire:
    """A connection that says what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def gone(self) -> bytes:
        """What is received until the connection is cut."""
        heard = b""
        async with asyncio.timeout(PATIENT):
            with contextlib.suppress(ConnectionError):
                heard = await self.reader.read()
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()
        return heard


async def opened(here: StaffFloor, begin: bytes) -> Wire:
    wire = Wire(*await asyncio.open_connection("127.0.0.1", int(here.address.rpartition(":")[2])))
    wire.writer.write(begin)
    return wire


def test_a_request_that_does_not_go_on_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "BODY_SECONDS", 1)

    async def play(here: StaffFloor) -> None:
        whole = b"GET /health HTTP/1.1\r\nHost: floor\r\n\r\n"
        begun = (b"", b"GET /hea", b"GET /health HTTP/1.1\r\nHost: ", b"\x16\x03")
        waiting = [await opened(here, begin) for begin in begun]
        kept = await opened(here, whole)
        assert b"200 OK" in await kept.reader.readuntil(b"}")
        kept.writer.write(whole[:20])  # a second request that does not go on
        for wire in (*waiting, kept):
            assert b"200 OK" not in await wire.gone()
        token = await here.token("Max")
        head = (
            "POST /api/office/commands HTTP/1.1\r\nHost: floor\r\nOrigin: http://floor.test\r\n"
            f"Cookie: croupier={token}\r\n"
            "Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"
        )
        assert b"408" in await (await opened(here, head.encode())).gone()
        async with here.client() as client:
            assert (await client.get("/health")).status_code == 200

    run(tmp_path, play, http=Hasty)


def test_a_crowd_from_one_address_is_bounded(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        crowd = [await opened(here, b"") for _ in range(40)]
        for wire in (*crowd[20:], *crowd[:20]):
            await wire.gone()  # those that were accepted sent nothing, and are cut in time
        async with here.client() as client:
            assert (await client.get("/health")).status_code == 200

    run(tmp_path, play, http=Hasty, most_from_one=20)


def test_a_client_that_reads_nothing_is_cut_by_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when we have closed the connection, and only what is unsent holds it."""
    monkeypatch.setattr(door, "UNREAD_SECONDS", 1)
    with door.listening("127.0.0.1", 0) as listener, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.connect(listener.getsockname())
        sender, _ = listener.accept()
        with sender:
            sender.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    sender.send(b"x" * 65_536)
            assert select.select([sender], [], [], PATIENT)[0]
            assert sender.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ETIMEDOUT


def test_displays_in_crowds_do_not_keep_the_staff_from_their_screens(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        here.app.state.router.feeds.most = 3
        async with contextlib.AsyncExitStack() as stack:
            path = "/api/tables/sicbo-rws/display"
            screens = [await stack.enter_async_context(here.watch(path)) for _ in range(3)]
            for screen in screens:
                await screen.hear()
            late = await stack.enter_async_context(here.watch(path))
            with pytest.raises(ConnectionClosed) as closed:
                await late.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            token = await here.token("Dana")
            dana = await stack.enter_async_context(here.watch("/api/tables/sicbo-rws/console", token))
            await dana.hear()

    run(tmp_path, play)


def test_a_reserved_bit_closes_a_screen_because_no_extension_was_agreed_on(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        head = (
            "GET /api/tables/sicbo-rws/display HTTP/1.1\r\nHost: floor\r\nOrigin: http://floor.test\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        wire = await opened(here, head.encode())
        answer = await wire.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in answer
        assert b"extensions" not in answer.lower()  # packing each socket by itself costs the tables' loop
        wire.writer.write(b"\xc1\x82" + bytes(4) + b"{}")
        assert b"\x03\xea" in await wire.gone()  # 1002

    run(tmp_path, play)


DISPLAY = (
    "GET /api/tables/sicbo-rws/display HTTP/1.1\r\nHost: floor\r\nOrigin: http://floor.test\r\n"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def crowd(here: StaffFloor, count: int, addresses: int = 7) -> list[Wire]:
    """Strangers from so many addresses: half say nothing, half look at a display."""
    port, wires = int(here.address.rpartition(":")[2]), []
    for number in range(count):
        local = (f"127.0.0.{2 + number % addresses}", 0)
        wire = Wire(*await asyncio.open_connection("127.0.0.1", port, local_addr=local))
        if number % 2:
            wire.writer.write(DISPLAY.encode())
        wires.append(wire)
    return wires


def test_a_dealer_signs_in_and_acts_while_anonymous_connections_fill_their_bounds(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        clients, token = here.door.clients, await here.token("Dana")
        first = await crowd(here, 40)
        await here.deal("sicbo-rws", m.OpenTable("Max", here.floor.clock.now()))
        async with here.watch("/api/tables/sicbo-rws/console", token) as console, here.client(token) as dana:
            await console.hear()
            second = await crowd(here, 80)
            assert clients.anonymous.count <= 20
            assert (await here.give(dana, "sicbo-rws", "OpenBetting")).status_code == 200
            await console.until(lambda view: view["room"]["phase"] == "betting")  # it was not cut off
            third = await crowd(here, 40)
            assert (await here.give(dana, "sicbo-rws", "CallNoMoreBets")).status_code == 200
            assert list(clients.sessions.values()) == [2]
            async with here.client() as later:  # from an address that holds nothing
                assert (await later.get("/api/session")).status_code == 200
        for wire in (*first, *second, *third):
            wire.writer.close()
        await until(lambda: clients.anonymous.count == 0 and not clients.sessions)  # upgraded ones are counted out too

    run(tmp_path, play, most=20, most_from_one=10)


def test_a_connection_is_anonymous_again_after_signing_out(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        clients = here.door.clients
        async with here.as_("Dana") as dana:
            await dana.get("/api/session")
            assert (len(clients.sessions), clients.anonymous.count) == (1, 0)
            await dana.delete("/api/session")
            await dana.get("/api/session")
            assert (len(clients.sessions), clients.anonymous.count) == (0, 1)

    run(tmp_path, play)


def test_a_trusted_proxy_names_the_address_of_a_client_and_no_other_is_believed(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        for said, where in (("198.51.100.9, 192.0.2.7", "192.0.2.7"), ("192.0.2.8, 127.0.0.9", "192.0.2.8")):
            async with here.client() as client:
                body = {"person": "Dana", "password": "a wrong password"}
                denied = await client.post("/api/session", json=body, headers={"X-Forwarded-For": said})
                assert denied.status_code == 401
            row = list(read_rows(here.floor.store, "office"))[-1]
            assert json.loads(row.body)["command"]["where"] == (where if proxied else "127.0.0.1")
        anonymous = here.door.clients.anonymous
        async with contextlib.AsyncExitStack() as stack:
            headers = {"X-Forwarded-For": "192.0.2.7"}
            for _ in range(3):
                screen = await stack.enter_async_context(
                    connect(
                        f"{here.sockets}/api/tables/sicbo-rws/display",
                        origin=Origin(ORIGIN),
                        additional_headers=headers,
                        proxy=None,
                    )
                )
                await screen.recv()
            assert anonymous.turned_away == (1 if proxied else 0)  # two from one address, wherever the proxy is

    for proxied in (True, False):
        proxies = Proxies(["127.0.0.0/24"] if proxied else ["10.0.0.0/8"])
        run(tmp_path / str(proxied), play, proxies=proxies, most_from_one=2 if proxied else 10)


@pytest.mark.parametrize(
    ("header", "said", "client"),
    [
        ("x-forwarded-for", ["1.2.3.4"], "1.2.3.4"),
        ("x-forwarded-for", ["6.6.6.6, 1.2.3.4", "10.0.0.3"], "1.2.3.4"),
        ("x-forwarded-for", ["1.2.3.4:5678"], "1.2.3.4"),
        ("x-forwarded-for", ["::ffff:1.2.3.4"], "1.2.3.4"),
        ("x-forwarded-for", ["[2001:db8::1]:80"], "2001:db8::1"),
        ("x-forwarded-for", ["1.2.3.4, unknown"], "10.0.0.2"),
        ("x-forwarded-for", ["1.2.3.4, <script>, 10.0.0.3"], "10.0.0.3"),
        ("x-forwarded-for", [], "10.0.0.2"),
        ("forwarded", ['for=6.6.6.6, for="[2001:db8::1]:80";proto=https'], "2001:db8::1"),
        ("forwarded", ["proto=https;for=1.2.3.4, for=10.0.0.3"], "1.2.3.4"),
        ("forwarded", ["for=_hidden"], "10.0.0.2"),
    ],
)
def test_the_last_address_that_a_proxy_of_ours_wrote_counts(header: str, said: list[str], client: str) -> None:
    headers = [(header.title().encode(), one.encode()) for one in said]
    other = "forwarded" if header == "x-forwarded-for" else "x-forwarded-for"
    headers.append((other.encode(), b"9.9.9.9"))  # which the proxy did not write
    proxies = Proxies(["10.0.0.0/24"], header)
    assert proxies.client("10.0.0.2", headers) == client
    assert proxies.client("192.0.2.1", headers) == "192.0.2.1"


def test_anonymous_requests_are_limited_and_people_who_have_signed_in_do_not_wait(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as nobody, here.as_("Dana") as dana:
            said = [await nobody.get("/health") for _ in range(8)]
            assert [one.status_code for one in said] == [200] * 5 + [429] * 3
            assert said[-1].json()["reason"] == "busy"
            assert [(await dana.get("/api/session")).status_code for _ in range(8)] == [200] * 8
            forged = await nobody.get("/health", headers={"Cookie": "croupier=guessed"})
            assert forged.status_code == 429

    run(tmp_path, play, asks=(5, 0.001))
