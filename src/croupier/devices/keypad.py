"""An entry terminal on a serial line (nz 3.3): a byte for each key, `1` to `6`, and a line end for the entry key."""

from __future__ import annotations

import asyncio
import os
import termios

from croupier.devices.port import (
    Act,
    Capability,
    EntryPressed,
    FacePressed,
    Monotonic,
    Offline,
    OfflineCase,
    OnFact,
    Online,
    Time,
    Warned,
)
from croupier.devices.serial import RETRY, LineClosed, open_line, read_some
from croupier.rules.outcomes import FACES
from croupier.rules.refusal import Fact, Refused

_ENTRY = b"\r\n"
BOUNCE = 40
"""Milliseconds: the same key again within them is one press, because no finger is so fast."""


class Keypad:
    """A keypad sends nothing by itself, so it is online for as long as its line is open."""

    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, name: str, path: str, *, time: Time | None = None, retry: float = RETRY) -> None:
        self.name = name
        self.path = path
        self._time = time or Monotonic()
        self._retry = retry
        self._online: bool | None = None
        self._last: tuple[int, int] | None = None

    def check(self, act: Act) -> None:
        raise Refused("act", "keys-only", device=self.name, act=act)

    async def act(self, act: Act) -> None:
        self.check(act)

    async def run(self, on_fact: OnFact) -> None:
        try:
            while True:
                await self._listen(on_fact)
                await asyncio.sleep(self._retry)
        finally:
            self._online = None

    async def _listen(self, on_fact: OnFact) -> None:
        line: int | None = None
        try:
            line = open_line(self.path)
            self._is_online(on_fact)
            while True:
                for byte in await read_some(line):
                    self._pressed(byte, on_fact)
        except LineClosed:
            self._is_offline(on_fact, "line-closed", line=self.path)
        except (OSError, termios.error) as error:
            self._is_offline(on_fact, "line", line=self.path, error=str(error.args[-1]))
        finally:
            if line is not None:
                os.close(line)

    def _pressed(self, byte: int, on_fact: OnFact) -> None:
        now, last = self._time.now(), self._last
        self._last = (byte, now)
        key = chr(byte)
        if byte in _ENTRY:
            if last and last[0] in _ENTRY and now - last[1] < BOUNCE:
                return  # the two bytes of one line end
            on_fact(EntryPressed(self.name, now))
        elif key not in FACES:
            on_fact(Warned(self.name, now, "garbled"))
        elif last and last[0] == byte and now - last[1] < BOUNCE:
            on_fact(Warned(self.name, now, "duplicate"))
        else:
            on_fact(FacePressed(self.name, now, key))

    def _is_online(self, on_fact: OnFact) -> None:
        if not self._online:
            self._online = True
            on_fact(Online(self.name, self._time.now()))

    def _is_offline(self, on_fact: OnFact, why: OfflineCase, **facts: Fact) -> None:
        if self._online is not False:
            self._online = False
            on_fact(Offline(self.name, self._time.now(), why, facts))
