"""Connections that say nothing, or say it slowly, or come in crowds: they are cut, and nobody else notices."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import select
import socket
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.server.staff import door, plane
from croupier.server.staff.patience import Impatient
from tests.server.staffed import House, run


class Hasty(Impatient):
    patience = 2
    most = 20


class Wire:
    """A connection that says what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def gone(self) -> bytes:
        """What it hears until it is cut."""
        heard = b""
        async with asyncio.timeout(60):
            with contextlib.suppress(ConnectionError):
                heard = await self.reader.read()
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()
        return heard


async def opened(here: House, begin: bytes) -> Wire:
    wire = Wire(*await asyncio.open_connection("127.0.0.1", int(here.address.rpartition(":")[2])))
    wire.writer.write(begin)
    return wire


def test_a_request_that_does_not_go_on_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plane, "BODY_SECONDS", 1)

    async def play(here: House) -> None:
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
    async def play(here: House) -> None:
        crowd = [await opened(here, b"") for _ in range(40)]
        for wire in (*crowd[20:], *crowd[:20]):
            await wire.gone()  # those that were let in said nothing, and are cut in their time
        async with here.client() as client:
            assert (await client.get("/health")).status_code == 200

    run(tmp_path, play, http=Hasty)


def test_who_takes_nothing_of_what_is_sent_to_him_is_cut_by_the_system_itself(monkeypatch: pytest.MonkeyPatch) -> None:
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
            assert select.select([sender], [], [], 60)[0]
            assert sender.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ETIMEDOUT


def test_displays_in_crowds_do_not_keep_the_staff_from_their_screens(tmp_path: Path) -> None:
    async def play(here: House) -> None:
        here.app.state.plane.feeds.most = 3
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
    async def play(here: House) -> None:
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
