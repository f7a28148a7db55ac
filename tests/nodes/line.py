"""A line that can be cut: everything between a machine and its database, or its terminals, goes through it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Literal

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Line:
    """Listens on a port of its own, in a thread of its own, and carries every byte on, or none."""

    def __init__(self, to: Callable[[], Awaitable[Streams]]) -> None:
        self._to = to
        self._whole = True
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._more = asyncio.Event()
        self._server: asyncio.Server
        self.port = 0
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(10)

    def cut(self, how: Literal["silent", "loud"] = "silent") -> None:
        """Silent: bytes are lost without a sign, as when a switch fails. Loud: every connection breaks."""
        self._do(self._cut, how)

    def mend(self) -> None:
        self._do(self._mend)

    def end(self) -> None:
        self._do(self._loop.stop)
        self._thread.join(10)

    # ---- in its thread

    def _do(self, what: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(what, *args)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._mend()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._carry, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()
        self._server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    def _cut(self, how: str) -> None:
        self._whole = False
        self._more.clear()
        if how == "loud":
            for writer in tuple(self._open):
                writer.transport.abort()

    def _mend(self) -> None:
        if not self._whole:  # what hung in the dark is gone: both ends find out
            for writer in tuple(self._open):
                writer.transport.abort()
        self._whole = True
        self._more.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            await self._more.wait()
            there_reader, there_writer = await self._to()
            self._open.add(there_writer)
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._one_way(reader, there_writer))
                    both.create_task(self._one_way(there_reader, writer))
            finally:
                there_writer.transport.abort()
                self._open.discard(there_writer)
        except* (OSError, asyncio.CancelledError, EOFError):
            pass
        finally:
            writer.transport.abort()
            self._open.discard(writer)

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while body := await reader.read(65_536):
            await self._more.wait()
            writer.write(body)
            await writer.drain()
        raise EOFError


@contextmanager
def line_to_unix(path: str) -> Iterator[Line]:
    line = Line(lambda: asyncio.open_unix_connection(path))
    try:
        yield line
    finally:
        line.end()


@contextmanager
def line_to_port(port: Callable[[], int]) -> Iterator[Line]:
    line = Line(lambda: asyncio.open_connection("127.0.0.1", port()))
    try:
        yield line
    finally:
        with contextlib.suppress(RuntimeError):
            line.end()
