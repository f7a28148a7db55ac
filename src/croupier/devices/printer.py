"""A ticket printer: takes ESC/POS bytes, and reports what it knows about paper and power.

A printer on the network answers questions. What it lacks is known before a ticket is sent, and a question after the
ticket is answered once the ticket is printed. A device file only takes bytes.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import ceil
from typing import Literal

from croupier.devices.port import Act, Fault, Monotonic, Offline, OnFact, Online, Time, Warned
from croupier.rules.refusal import Refused

OFFLINE_CAUSE = b"\x10\x04\x02"  # DLE EOT 2, answered at once
PAPER = b"\x10\x04\x04"  # DLE EOT 4, answered at once
WHEN_DONE = b"\x1dr1"  # GS r 1, answered when all before it is printed
FIXED_BITS, FIXED = 0b1001_0011, 0b0001_0010  # how every answer to DLE EOT looks
DOOR_OPEN, ERROR = 0b0000_0100, 0b0100_0000
PAPER_LOW, PAPER_OUT = 0b0000_1100, 0b0110_0000

Delivery = Literal["printed", "sent"]
"""Confirmed by the printer, or only accepted by the line."""


class NoStatus(OSError):
    """The answer is not the status of a printer."""


class PrinterPort:
    """`address` is host:port or the path of a device file."""

    def __init__(
        self, name: str, address: str, *, timeout: float = 5.0, every: float = 2.0, time: Time | None = None
    ) -> None:
        self.name = name
        self.address = address
        self._timeout = timeout
        self._every = every
        self._time = time or Monotonic()
        self._on_fact: OnFact | None = None
        self._online: bool | None = None
        self._lacks: frozenset[Fault] = frozenset()
        self._turn = asyncio.Lock()

    @property
    def is_network(self) -> bool:
        host, colon, port = self.address.rpartition(":")
        return bool(host and colon and port.isdecimal() and "/" not in self.address)

    async def run(self, on_fact: OnFact) -> None:
        self._on_fact = on_fact
        try:
            while True:
                async with self._turn:
                    await self._look()
                await asyncio.sleep(self._every)
        finally:
            self._on_fact, self._online, self._lacks = None, None, frozenset()

    def check(self, act: Act) -> None:
        raise Refused("act", "prints-only", device=self.name, act=act)

    async def act(self, act: Act) -> None:
        self.check(act)

    async def print(self, ticket: bytes) -> Delivery:
        """Print a ticket. Refused `printer` if nothing was sent, `unsure` if some or all of it may be on paper."""
        async with self._turn:
            return await (self._print_on_network(ticket) if self.is_network else self._print_on_file(ticket))

    async def _look(self) -> None:
        try:
            if self.is_network:
                async with self._connection() as (reader, writer):
                    await self._ask(reader, writer)
            else:
                os.close(os.open(self.address, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))
            self._is_online()
        except (OSError, asyncio.IncompleteReadError) as error:
            self._is_offline(self._why(error))

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> frozenset[Fault]:
        """What the printer lacks now. Each new lack is reported once."""
        cause = await self._answer(reader, writer, OFFLINE_CAUSE)
        paper = await self._answer(reader, writer, PAPER)
        found: dict[Fault, int] = {
            "printer-open": cause & DOOR_OPEN,
            "printer-fault": cause & ERROR,
            "paper-out": paper & PAPER_OUT,
            "paper-low": paper & PAPER_LOW,
        }
        lacks = frozenset(fault for fault, is_so in found.items() if is_so)
        if self._on_fact:
            for fault in found:
                if fault in lacks - self._lacks:
                    self._on_fact(Warned(self.name, self._time.now(), fault))
            self._lacks = lacks
        return lacks

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, question: bytes) -> int:
        async with asyncio.timeout(self._timeout):
            writer.write(question)
            await writer.drain()
            byte = (await reader.readexactly(1))[0]
        if byte & FIXED_BITS != FIXED:
            raise NoStatus(byte)
        return byte

    async def _print_on_network(self, ticket: bytes) -> Delivery:
        sent = False
        try:
            async with self._connection() as (reader, writer):
                stops = await self._ask(reader, writer) - {"paper-low"}
                if stops:
                    raise Refused("printer", "not-ready", device=self.name, faults=tuple(sorted(stops)))
                self._is_online()
                sent = True
                async with asyncio.timeout(self._timeout):
                    writer.write(ticket + WHEN_DONE)
                    await writer.drain()
                    await reader.readexactly(1)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise self._failed(error, sent) from None
        return "printed"

    async def _print_on_file(self, ticket: bytes) -> Delivery:
        rest = memoryview(ticket)
        try:
            line = os.open(self.address, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            try:
                async with asyncio.timeout(self._timeout):
                    while rest:
                        rest = rest[await self._write_some(line, rest) :]
            finally:
                os.close(line)
        except OSError as error:
            raise self._failed(error, len(rest) < len(ticket)) from None
        self._is_online()
        return "sent"

    async def _write_some(self, line: int, data: memoryview) -> int:
        try:
            return os.write(line, data)
        except BlockingIOError:
            await asyncio.sleep(0.01)
            return 0

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        host, _, port = self.address.rpartition(":")
        async with asyncio.timeout(self._timeout):
            reader, writer = await asyncio.open_connection(host, int(port))
        try:
            yield reader, writer
        finally:
            writer.transport.abort() if writer.is_closing() else writer.close()

    def _failed(self, error: Exception, sent: bool) -> Refused:
        why = self._why(error)
        self._is_offline(why)
        return Refused("unsure" if sent else "printer", why.case, None, device=self.name, **why.facts)

    def _why(self, error: Exception) -> Offline:
        now = self._time.now()
        if isinstance(error, TimeoutError):
            return Offline(self.name, now, "no-answer", {"line": self.address, "seconds": ceil(self._timeout)})
        if isinstance(error, asyncio.IncompleteReadError):
            return Offline(self.name, now, "line-closed", {"line": self.address})
        if isinstance(error, NoStatus):
            return Offline(self.name, now, "no-status", {"line": self.address, "answer": f"{error.args[0]:#04x}"})
        text = str(error.args[-1] if error.args else error)
        return Offline(self.name, now, "line", {"line": self.address, "error": text})

    def _is_online(self) -> None:
        if not self._online and self._on_fact is not None:
            self._online = True
            self._on_fact(Online(self.name, self._time.now()))

    def _is_offline(self, why: Offline) -> None:
        if self._online is not False and self._on_fact is not None:
            self._online = False
            self._on_fact(why)


Trouble = Literal["offline", "paper-low", "paper-out", "printer-open", "printer-fault"]


class SimulatedPrinter:
    """A simulated printer. It keeps what it printed, and fails on demand."""

    def __init__(self, name: str, *, time: Time | None = None, keeps: int = 100) -> None:
        self.name = name
        self.printed: deque[bytes] = deque(maxlen=keeps)
        self._time = time or Monotonic()
        self._troubles: frozenset[Trouble] = frozenset()
        self._jams = False
        self._on_fact: OnFact | None = None

    async def run(self, on_fact: OnFact) -> None:
        self._on_fact = on_fact
        try:
            self._report(self._troubles, frozenset(("offline",)))
            await asyncio.Event().wait()
        finally:
            self._on_fact = None

    def fail(self, *troubles: Trouble) -> None:
        """Have these troubles from now on, and no others."""
        before, self._troubles = self._troubles, frozenset(troubles)
        self._report(self._troubles, before)

    def jam_next(self) -> None:
        """The next ticket gets stuck on its way out."""
        self._jams = True

    async def print(self, ticket: bytes) -> Delivery:
        """As `PrinterPort.print`."""
        stops = sorted(self._troubles - {"paper-low"})
        if stops:
            raise Refused("printer", "not-ready", device=self.name, faults=tuple(stops))
        if self._jams:
            self._jams = False
            self.fail("printer-fault")
            raise Refused("unsure", "stuck", device=self.name)
        self.printed.append(ticket)
        return "printed"

    def _report(self, troubles: frozenset[Trouble], before: frozenset[Trouble]) -> None:
        if self._on_fact is None:
            return
        now = self._time.now()
        if "offline" in troubles - before:
            self._on_fact(Offline(self.name, now, "unplugged"))
        if "offline" in before - troubles:
            self._on_fact(Online(self.name, now))
        for trouble in sorted(troubles - before):
            if trouble != "offline":
                self._on_fact(Warned(self.name, now, trouble))
