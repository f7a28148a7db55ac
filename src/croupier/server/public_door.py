"""The public door, from the floor's side: starts the public process, restarts it if it ends, and stops it.

Everyone may connect to that process. Their load takes its time and memory, at a lower priority than the tables. The
floor makes each view of the lobby and the displays once, however many people look at it, and pushes it to the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping

import msgspec
import structlog

from croupier.rules.refusal import Refused
from croupier.server.public_messages import Books, Opens, View, ViewsWanted, receive, send
from croupier.server.staff.feeds import Feeds, Viewer
from croupier.server.staff.feeds import View as Make

AGAIN = 1.0
"""Seconds before a process that ended is started again; doubled each time it ends soon."""
LONGEST = 30.0
WELL = 60.0
"""Seconds after which a running process counts as healthy."""
ENDS = 10.0
"""Seconds that the process has to end before it is killed."""

log = structlog.get_logger()


class PublicDoor:
    """Keeps the public process running."""

    def __init__(
        self,
        listener: socket.socket,
        opens: Opens,
        feeds: Feeds,
        view: Callable[[tuple[str, ...]], Make],
        books: Callable[[], Mapping[str, str]],
    ) -> None:
        """`view` returns how to make the view of a key. Refused if there is no such view. `books` returns the texts of
        the books in force, by their hashes."""
        self._listener = listener
        self._opens = opens
        self._feeds = feeds
        self._view = view
        self._books = books
        self._sent: set[str] = set()
        """The hashes of the books that this process has."""
        self.pid = 0
        self.starts = 0
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._keep())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._listener.close()

    async def _keep(self) -> None:
        wait, clock = AGAIN, asyncio.get_running_loop().time
        while True:
            begun = clock()
            try:
                code = await self._run()
                log.warning("public process ended", code=code)
            except OSError as error:
                log.error("public process", what=str(error))
            wait = AGAIN if clock() - begun > WELL else min(LONGEST, 2 * wait)
            await asyncio.sleep(wait)

    async def _run(self) -> int:
        """Run the process until it ends. Returns its exit code."""
        ours, theirs = socket.socketpair()
        with theirs:
            fds = (theirs.fileno(), self._listener.fileno())
            command = [sys.executable, *subprocess._args_from_interpreter_flags()]  # type: ignore[attr-defined]
            command += ["-m", "croupier.server.public_process", *map(str, fds)]
            process = await asyncio.create_subprocess_exec(
                *command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=fds
            )
        self.pid, self.starts = process.pid, self.starts + 1
        reader, writer = await asyncio.open_connection(sock=ours, limit=2**20)
        try:
            send(writer, self._opens)
            self._sent = set()
            await self._push_views(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()  # the process ends when its socket closes
            self.pid = 0
            await asyncio.shield(_ended(process))
        return process.returncode or 0

    async def _push_views(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Push every view that the process wants, until its socket closes."""
        pushing: dict[tuple[str, ...], asyncio.Task[None]] = {}
        try:
            while True:
                wanted = await receive(reader)
                assert isinstance(wanted, ViewsWanted), wanted
                for key in pushing.keys() - set(wanted.keys):
                    pushing.pop(key).cancel()
                for key in set(wanted.keys) - pushing.keys():
                    pushing[key] = asyncio.create_task(self._push(key, writer))
        finally:
            for task in pushing.values():
                task.cancel()
            await asyncio.gather(*pushing.values(), return_exceptions=True)

    async def _push(self, key: tuple[str, ...], writer: asyncio.StreamWriter) -> None:
        async def push(body: bytes) -> None:
            self._send_books(writer)
            send(writer, View(key, msgspec.Raw(body)))
            await writer.drain()

        with contextlib.suppress(Refused, ConnectionError, TimeoutError):
            await self._feeds.push(Viewer("public"), key, self._view(key), push)

    def _send_books(self, writer: asyncio.StreamWriter) -> None:
        """Send the books that came into force since the last view: the next view may name them."""
        news = {hash: text for hash, text in self._books().items() if hash not in self._sent}
        if news:
            send(writer, Books(tuple(news.values())))
            self._sent |= news.keys()


async def _ended(process: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(ENDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
