"""The lamps of a felt: simulated, or on a serial line.

No maker's format is public, so ours is the simplest: a line for each change, `lit LAYOUT BOX…` or `dark`. The lamps
answer `ok` when they show it, and `out BOX` for each area that stays dark although it should be lit.
"""

from __future__ import annotations

import asyncio
import os
import termios
from collections import deque
from typing import ClassVar

from croupier.devices.port import (
    Act,
    Capability,
    Fault,
    Monotonic,
    Offline,
    OfflineCase,
    OnFact,
    Online,
    Time,
    Warned,
)
from croupier.devices.serial import RETRY, LineClosed, Lines, open_line, read_some
from croupier.devices.simulated import SimulatedDevice
from croupier.rules.refusal import Fact, Refused

SILENCE = 3.0
"""Seconds in which the lamps must answer."""
MOST_MOMENTS = 8
"""Changes that wait for slow lamps."""


class SimulatedLamps(SimulatedDevice):
    """Lamps that show at once what they are told, while they have power."""

    faults: ClassVar[tuple[Fault, ...]] = ("lamp-out",)
    capabilities: frozenset[Capability] = frozenset({"lights"})

    shown: tuple[str, ...] = ()
    """The areas that are lit."""
    _wanted: tuple[str, ...] = ()

    def light(self, layout: str, boxes: tuple[str, ...]) -> None:
        self._wanted = boxes
        if self._powered:
            self._show()

    def _show(self) -> None:
        dead = self._wanted[:1] if self._wanted and self._fault(self.faults) else ()
        self.shown = self._wanted[len(dead) :]
        if dead:
            self._warn("lamp-out")

    def _power_on(self) -> None:
        super()._power_on()
        self._show()

    def _power_off(self, why: OfflineCase) -> None:
        super()._power_off(why)
        self.shown = ()


class SerialLamps:
    """Lamps on a serial line. They are online while they answer."""

    capabilities: frozenset[Capability] = frozenset({"lights"})

    def __init__(
        self, name: str, path: str, *, time: Time | None = None, retry: float = RETRY, silence: float = SILENCE
    ) -> None:
        self.name = name
        self.path = path
        self._time = time or Monotonic()
        self._retry = retry
        self._silence = silence
        self._online: bool | None = None
        self._told = deque([b"dark"], maxlen=MOST_MOMENTS)
        """What the lamps have yet to show, and last of all what they show."""
        self._changed = asyncio.Event()
        self._lines = Lines()

    def check(self, act: Act) -> None:
        raise Refused("act", "unable", device=self.name, act=act, able=())

    async def act(self, act: Act) -> None:
        self.check(act)

    def light(self, layout: str, boxes: tuple[str, ...]) -> None:
        self._told.append(" ".join(("lit", layout, *boxes)).encode() if boxes else b"dark")
        self._changed.set()

    async def run(self, on_fact: OnFact) -> None:
        try:
            while True:
                await self._work(on_fact)
                await asyncio.sleep(self._retry)
        finally:
            self._online = None

    async def _work(self, on_fact: OnFact) -> None:
        """Tell the lamps each change, and first of all what is lit now, until the line fails."""
        line: int | None = None
        try:
            line = open_line(self.path)
            self._lines = Lines()
            self._lines.feed(b"\n")  # the lamps speak only when asked, so no line can have begun before
            while len(self._told) > 1:  # only what is lit now matters to lamps that could not be reached
                self._told.popleft()
            await self._show(line, on_fact)
            while True:
                await self._changed.wait()
                self._changed.clear()
                while len(self._told) > 1:  # each moment is shown, also one that is over already
                    self._told.popleft()
                    await self._show(line, on_fact)
        except LineClosed:
            self._is_offline(on_fact, "line-closed", line=self.path)
        except TimeoutError:
            self._is_offline(on_fact, "no-answer")
        except (OSError, termios.error) as error:
            self._is_offline(on_fact, "line", line=self.path, error=str(error.args[-1]))
        finally:
            if line is not None:
                os.close(line)

    async def _show(self, line: int, on_fact: OnFact) -> None:
        os.write(line, self._told[0] + b"\n")
        async with asyncio.timeout(self._silence):
            await self._answer(line, on_fact)
        self._is_online(on_fact)

    async def _answer(self, line: int, on_fact: OnFact) -> None:
        """Read until the lamps say that they show what they were told."""
        while True:
            for text in self._lines.feed(await read_some(line)):
                if text == b"ok":
                    return
                known = text.startswith(b"out ")
                on_fact(Warned(self.name, self._time.now(), "lamp-out" if known else "garbled"))

    def _is_online(self, on_fact: OnFact) -> None:
        if not self._online:
            self._online = True
            on_fact(Online(self.name, self._time.now()))

    def _is_offline(self, on_fact: OnFact, why: OfflineCase, **facts: Fact) -> None:
        if self._online is not False:
            self._online = False
            on_fact(Offline(self.name, self._time.now(), why, facts))
