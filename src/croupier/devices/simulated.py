"""The part that all simulated devices share: power, one motion at a time, and faults on demand or by chance."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import ClassVar

from croupier.devices.chance import BYTES, Source, draw, system
from croupier.devices.port import (
    Act,
    AnyFact,
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
from croupier.rules.refusal import Refused

Motion = Callable[[], Awaitable[None]]
RETURN = 4_000
"""Milliseconds until power that failed is back."""
AFTER_THE_RESULT: tuple[Fault, ...] = ("duplicate", "contradiction")
"""The result was reported. Any reading after it is a warning, never a second result."""


class PowerLost(Exception):
    """The motion under way ends unseen. `failed`: the power was not switched off, and comes back by itself."""

    def __init__(self, failed: bool = False) -> None:
        self.failed = failed
        super().__init__()


class SimulatedDevice:
    """A simulated device. `one_in`: one stage in so many goes wrong by chance; with 0, none does."""

    acts: ClassVar[tuple[Act, ...]] = ("power-on", "power-off")
    faults: ClassVar[tuple[Fault, ...]] = ()
    capabilities: frozenset[Capability] = frozenset()

    def __init__(
        self, name: str, *, time: Time | None = None, source: Source = system, one_in: int = 0, powered: bool = True
    ) -> None:
        if not 0 <= one_in <= BYTES:
            raise Refused("fault", "rate", device=name, one_in=one_in, most=BYTES)
        self.name = name
        self._time = time or Monotonic()
        self._source = source
        self._one_in = one_in
        self._powered = powered
        self._cuts = 0
        self._asked: deque[Fault] = deque()
        self._on_fact: OnFact | None = None
        self._motions: asyncio.Queue[Motion] = asyncio.Queue()
        self._busy = False

    def fail_next(self, fault: Fault) -> None:
        """Make the next act that can go wrong in this way go wrong."""
        if fault not in self.faults:
            raise Refused("fault", "unable", device=self.name, fault=fault, able=self.faults)
        self._asked.append(fault)

    async def run(self, on_fact: OnFact) -> None:
        assert self._on_fact is None, f"{self.name} runs already"
        self._on_fact = on_fact
        if self._powered:
            self._report(Online(self.name, self._now()))
        try:
            while True:
                await self._carry_out(await self._motions.get())
        finally:
            self._on_fact = None
            self._busy = False
            self._motions = asyncio.Queue()

    def check(self, act: Act) -> None:
        if act not in self.acts:
            raise Refused("act", "unable", device=self.name, act=act, able=self.acts)
        if self._on_fact is None:
            raise Refused("offline", "not-running", device=self.name)
        if act in ("power-on", "power-off"):
            return
        if not self._powered:
            raise Refused("offline", "no-power", device=self.name)
        if self._busy:
            raise Refused("busy", "in-motion", device=self.name, act=act)
        self._motion(act)

    async def act(self, act: Act) -> None:
        self.check(act)
        if act == "power-on":
            self._power_on()
        elif act == "power-off":
            self._power_off("switched-off")
        else:
            self._busy = True
            self._motions.put_nowait(self._motion(act))

    def _motion(self, act: Act) -> Motion:
        """The motion that an act starts. Refused if it cannot begin now."""
        raise AssertionError(f"{self.name} has no motion for {act}")

    async def _carry_out(self, motion: Motion) -> None:
        try:
            await motion()
        except PowerLost as lost:
            if lost.failed:
                await self._time.wait(RETURN)
                self._power_on()
                self._report_cut_motion()
        finally:
            self._busy = False

    def _report_cut_motion(self) -> None:
        """Report what became of the motion that the power failure cut."""

    def _power_on(self) -> None:
        if not self._powered:
            self._powered = True
            self._report(Online(self.name, self._now()))

    def _power_off(self, why: OfflineCase) -> None:
        if self._powered:
            self._powered = False
            self._cuts += 1
            self._report(Offline(self.name, self._now(), why))

    def _cut(self) -> None:
        self._warn("power-cut")
        self._power_off("no-power")
        raise PowerLost(failed=True)

    async def _pause(self, milliseconds: float) -> None:
        cuts = self._cuts
        await self._time.wait(milliseconds)
        if self._cuts != cuts:
            raise PowerLost

    def _fault(self, among: tuple[Fault, ...]) -> Fault | None:
        """The fault of this stage, if any: one that was asked for, or one by chance."""
        for asked in self._asked:
            if asked in among:
                self._asked.remove(asked)
                return asked
        if self._one_in and draw(self._one_in, self._source) == 0:
            return among[draw(len(among), self._source)]
        return None

    def _now(self) -> int:
        return self._time.now()

    def _report(self, fact: AnyFact) -> None:
        if self._on_fact:
            self._on_fact(fact)

    def _warn(self, fault: Fault) -> None:
        self._report(Warned(self.name, self._now(), fault))
