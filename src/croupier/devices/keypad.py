"""An entry terminal on a serial line (nz 3.3): a byte for each key, `1` to `6`, and a line end for the entry key."""

from __future__ import annotations

import asyncio
import os
import termios

from croupier.devices.entry import BOUNCE
from croupier.devices.port import (
    Act,
    Capability,
    EntryPressed,
    FacePressed,
    Monotonic,
    Offline,
    OfflineCase,
    Online,
    Tell,
    Time,
    Warned,
)
from croupier.devices.serial import RETRY, LineClosed, open_line, read_some
from croupier.rules.outcomes import FACES
from croupier.rules.refusal import Fact, Refused

_ENTRY = b"\r\n"


class Keypad:
    """It says nothing by itself, so it is online for as long as its line is open."""

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

    async def run(self, tell: Tell) -> None:
        try:
            while True:
                await self._listen(tell)
                await asyncio.sleep(self._retry)
        finally:
            self._online = None

    async def _listen(self, tell: Tell) -> None:
        line: int | None = None
        try:
            line = open_line(self.path)
            self._is_online(tell)
            while True:
                for byte in await read_some(line):
                    self._pressed(byte, tell)
        except LineClosed:
            self._is_offline(tell, "line-closed", line=self.path)
        except (OSError, termios.error) as error:
            self._is_offline(tell, "line", line=self.path, error=str(error.args[-1]))
        finally:
            if line is not None:
                os.close(line)

    def _pressed(self, byte: int, tell: Tell) -> None:
        now, last = self._time.now(), self._last
        self._last = (byte, now)
        key = chr(byte)
        if byte in _ENTRY:
            if last and last[0] in _ENTRY and now - last[1] < BOUNCE:
                return  # the two bytes of one line end
            tell(EntryPressed(self.name, now))
        elif key not in FACES:
            tell(Warned(self.name, now, "garbled"))
        elif last and last[0] == byte and now - last[1] < BOUNCE:
            tell(Warned(self.name, now, "duplicate"))
        else:
            tell(FacePressed(self.name, now, key))

    def _is_online(self, tell: Tell) -> None:
        if not self._online:
            self._online = True
            tell(Online(self.name, self._time.now()))

    def _is_offline(self, tell: Tell, why: OfflineCase, **facts: Fact) -> None:
        if self._online is not False:
            self._online = False
            tell(Offline(self.name, self._time.now(), why, facts))
