"""A wheel on a serial line: opens the line, reads whatever arrives, and reports when the wheel falls silent."""

from __future__ import annotations

import asyncio
import os
import termios
from math import ceil

from croupier.devices.cammegh import BALL_IN_TRACK, COMMANDS, ERRORS, NO_MORE_BETS, WheelLines, query
from croupier.devices.port import Act, Capability, Monotonic, Offline, OfflineCase, OnFact, Online, Time
from croupier.rules.outcomes import Wheel
from croupier.rules.refusal import Fact, Refused

LONGEST = 80
SILENCE = 3.0  # seconds: six status lines
RETRY = 1.0


class Lines:
    """Splits bytes into lines. The bytes before the first line end are half a line; an over-long line is dropped."""

    def __init__(self) -> None:
        self.dropped = 0
        self._rest = b""
        self._skipping = True

    def feed(self, data: bytes) -> list[bytes]:
        *whole, self._rest = (self._rest + data).replace(b"\r", b"\n").split(b"\n")
        lines = []
        for line in whole:
            if self._skipping:
                self._skipping = False
            elif len(line) > LONGEST:
                self.dropped += 1
            elif line.strip():
                lines.append(line)
        if len(self._rest) > LONGEST:
            self.dropped += not self._skipping
            self._skipping, self._rest = True, b""
        return lines


def open_line(path: str) -> int:
    """A terminal device, raw, 9600 baud, eight bits, no parity, one stop bit."""
    line = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        _make_raw(line)
    except (termios.error, OSError):
        os.close(line)
        raise
    return line


def _make_raw(line: int) -> None:
    *_, special = termios.tcgetattr(line)
    special[termios.VMIN], special[termios.VTIME] = 1, 0
    mode = termios.CS8 | termios.CREAD | termios.CLOCAL
    termios.tcsetattr(line, termios.TCSANOW, [0, 0, mode, 0, termios.B9600, termios.B9600, special])


def _set(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


class LineClosed(OSError):
    """The other end has closed the line."""


async def read_some(line: int) -> bytes:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(line, _set, ready)
    try:
        await ready
    finally:
        loop.remove_reader(line)
    data = os.read(line, 4096)
    if not data:
        raise LineClosed
    return data


class SerialWheel:
    """A Cammegh-style wheel. It is online while readable lines arrive, and offline after `silence` seconds without."""

    def __init__(
        self,
        name: str,
        path: str,
        wheel: Wheel,
        *,
        time: Time | None = None,
        launches: bool = False,
        silence: float = SILENCE,
        retry: float = RETRY,
    ) -> None:
        """`launches`: the wheel spins the ball itself, and not the Dealer."""
        self.name = name
        self.path = path
        self.capabilities = self.able(launches=launches)
        self.lines = WheelLines(name, wheel)
        self._time = time or Monotonic()
        self._silence = silence
        self._retry = retry
        self._line: int | None = None
        self._online: bool | None = None

    @staticmethod
    def able(*, launches: bool) -> frozenset[Capability]:
        """It does not count revolutions: they are not in its lines."""
        able: tuple[Capability, ...] = ("reads", "rotor-speed", "direction")
        return frozenset((*able, "launch") if launches else able)

    async def run(self, on_fact: OnFact) -> None:
        try:
            while True:
                await self._connect(on_fact)
                await asyncio.sleep(self._retry)
        finally:
            self._online = None

    async def _connect(self, on_fact: OnFact) -> None:
        try:
            self._line = open_line(self.path)
            await self._listen(self._line, on_fact)
        except LineClosed:
            self._is_offline(on_fact, "line-closed", line=self.path)
        except (OSError, termios.error) as error:
            self._is_offline(on_fact, "line", line=self.path, error=str(error.args[-1]))
        finally:
            if self._line is not None:
                os.close(self._line)
                self._line = None

    async def _listen(self, line: int, on_fact: OnFact) -> None:
        loop = asyncio.get_running_loop()
        lines = Lines()
        last = loop.time()
        while True:
            try:
                async with asyncio.timeout_at(last + self._silence):
                    data = await read_some(line)
            except TimeoutError:
                self._is_offline(on_fact, "silent", seconds=ceil(self._silence))
                last = loop.time()
                continue
            if self._read(lines.feed(data), on_fact):
                last = loop.time()

    def _read(self, lines: list[bytes], on_fact: OnFact) -> bool:
        """Report the facts of these lines; true if one of them was readable."""
        readable = 0
        for line in lines:
            garbled = self.lines.garbled
            facts = self.lines.read(line, self._time.now())
            if garbled == self.lines.garbled:
                readable += 1
                self._is_online(on_fact)
            for fact in facts:
                on_fact(fact)
        return readable > 0

    def _is_online(self, on_fact: OnFact) -> None:
        if not self._online:
            self._online = True
            on_fact(Online(self.name, self._time.now()))

    def _is_offline(self, on_fact: OnFact, why: OfflineCase, **facts: Fact) -> None:
        if self._online is not False:
            self._online = False
            on_fact(Offline(self.name, self._time.now(), why, facts))

    def check(self, act: Act) -> None:
        if act not in COMMANDS:
            raise Refused("act", "unable", device=self.name, act=act, able=tuple(COMMANDS))
        if act == "launch" and not self._online:
            raise Refused("offline", "device", device=self.name)
        if act == "launch" and self.lines.state in (BALL_IN_TRACK, NO_MORE_BETS):
            raise Refused("busy", "in-motion", device=self.name, act=act)

    async def act(self, act: Act) -> None:
        self.check(act)
        self._write(COMMANDS[act])

    async def ask(self, item: str) -> None:
        """Query an item. The wheel's answer is kept in `lines.answers`."""
        self._write(query(item))

    async def ask_errors(self) -> None:
        self._write(ERRORS)

    def _write(self, command: bytes) -> None:
        if self._line is None:
            raise Refused("offline", "device", device=self.name)
        try:
            written = os.write(self._line, command)
        except OSError as error:
            raise Refused("offline", "line", device=self.name, line=self.path, error=str(error.args[-1])) from None
        if written != len(command):
            raise Refused("offline", "part-taken", device=self.name, line=self.path)
