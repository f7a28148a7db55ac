"""The public door, from the floor's side: a process of its own for everyone, started, watched, begun again, ended.

Strangers connect to that process, and what they cost is its own time and memory, behind everything the tables do. It is
told over one line what displays and the lobby show, made once however many look.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable

import msgspec
import structlog

from croupier.rules.refusal import Refused
from croupier.server.public_line import Opens, View, ViewsWanted, hear, say
from croupier.server.staff.feeds import Feeds, Viewer
from croupier.server.staff.feeds import View as Make

AGAIN = 1.0
"""Seconds before a process that ended is begun again; twice as long each time, if it ends at once."""
LONGEST = 30.0
WELL = 60.0
"""Seconds after which a process that ran is thought to be well."""
ENDS = 10.0
"""Seconds it has to end by itself."""

log = structlog.get_logger()


class PublicDoor:
    """Keeps the public process going."""

    def __init__(
        self, listener: socket.socket, opens: Opens, feeds: Feeds, view: Callable[[tuple[str, ...]], Make]
    ) -> None:
        """`view` makes what is wanted under a key; Refused if there is no such thing."""
        self._listener = listener
        self._opens = opens
        self._feeds = feeds
        self._view = view
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
        """One life of the process; the exit code."""
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
            say(writer, self._opens)
            await self._tell(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()  # at the end of the line it ends
            self.pid = 0
            await asyncio.shield(_ended(process))
        return process.returncode or 0

    async def _tell(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Push every view that is wanted, until the line ends."""
        telling: dict[tuple[str, ...], asyncio.Task[None]] = {}
        try:
            while True:
                wanted = await hear(reader)
                assert isinstance(wanted, ViewsWanted), wanted
                for key in telling.keys() - set(wanted.keys):
                    telling.pop(key).cancel()
                for key in set(wanted.keys) - telling.keys():
                    telling[key] = asyncio.create_task(self._push(key, writer))
        finally:
            for task in telling.values():
                task.cancel()
            await asyncio.gather(*telling.values(), return_exceptions=True)

    async def _push(self, key: tuple[str, ...], writer: asyncio.StreamWriter) -> None:
        async def send(body: bytes) -> None:
            say(writer, View(key, msgspec.Raw(body)))
            await writer.drain()

        with contextlib.suppress(Refused, ConnectionError, TimeoutError):
            await self._feeds.tell(Viewer("public"), key, self._view(key), send)


async def _ended(process: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(ENDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
