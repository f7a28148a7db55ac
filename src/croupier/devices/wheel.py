"""A simulated wheel and its ball, which slows as a real one does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from croupier.devices.chance import Source, draw, system
from croupier.devices.port import (
    Act,
    Capability,
    Fault,
    Launched,
    OnFact,
    Progress,
    Rested,
    Shown,
    Slowed,
    Time,
    Warned,
)
from croupier.devices.simulated import AFTER_THE_RESULT, Motion, SimulatedDevice
from croupier.rules.outcomes import Outcome

LAUNCH, SLOWING, NO_MORE_BETS, DROP = 2.2, 0.11, 1.0, 0.55  # revolutions a second, and what each second takes away
ROTOR = 150  # tenths of a revolution a minute
BOUNCE = 1800
SHORT = 3  # revolutions: one less than a valid spin has

LAUNCHING: tuple[Fault, ...] = (
    "no-ball",
    "motor-fault",
    "failed-launch",
    "wheel-not-rotating",
    "wrong-direction",
    "direction-kept",
)
RUNNING: tuple[Fault, ...] = ("short-spin", "ball-removed", "wheel-stopped", "power-cut")
READING: tuple[Fault, ...] = ("no-number", "stuck-sensor", "late", *AFTER_THE_RESULT)
NOT_READ: tuple[Fault, ...] = ("stuck-sensor", "late")


class Revolution(NamedTuple):
    """One revolution of the ball: how long it took, and the speed after it in revolutions a second."""

    milliseconds: float
    speed: float


def turns(launch: float) -> Iterator[Revolution]:
    """The revolutions of a ball that slows evenly, until it is too slow to stay on the track."""
    before = launch
    while before**2 - 2 * SLOWING >= DROP**2:
        after = math.sqrt(before**2 - 2 * SLOWING)
        yield Revolution(1000 * (before - after) / SLOWING, after)
        before = after


class SimulatedWheel(SimulatedDevice):
    """A ball launched against the rotor, its revolutions, and the compartment it falls into.

    The number is drawn when the ball has fallen and not before: while bets can be placed it does not exist.
    """

    acts: ClassVar[tuple[Act, ...]] = ("launch", "power-on", "power-off")
    faults: ClassVar[tuple[Fault, ...]] = (*LAUNCHING, *RUNNING, *READING)
    capabilities: frozenset[Capability] = frozenset(("launch", "counts", "reads", "rotor-speed", "direction"))

    def __init__(
        self,
        name: str,
        numbers: Sequence[str],
        *,
        time: Time | None = None,
        source: Source = system,
        one_in: int = 0,
        powered: bool = True,
        cut_off: bool = False,
    ) -> None:
        """`cut_off`: the power failed while a ball ran, before this object was made."""
        super().__init__(name, time=time, source=source, one_in=one_in, powered=powered)
        self._numbers = tuple(numbers)
        self._spins = 0
        self._direction = 0
        self._cut_off = cut_off

    async def run(self, on_fact: OnFact) -> None:
        if self._cut_off:
            self._cut_off = False
            on_fact(Warned(self.name, self._now(), "wheel-stopped"))
        await super().run(on_fact)

    def _motion(self, act: Act) -> Motion:
        return self._launch

    async def _launch(self) -> None:
        fault = self._fault(LAUNCHING)
        self._spins += 1
        self._report(Progress(self.name, self._now(), "rotor", rate=0 if fault == "wheel-not-rotating" else ROTOR))
        if fault in ("no-ball", "motor-fault", "failed-launch"):
            self._warn(fault)
            return
        # Dealers turn the wheel the other way for every spin; which way it turns changes no chance.
        self._direction ^= fault != "direction-kept"
        self._report(Launched(self.name, self._now(), fault == "wrong-direction", int(self._direction)))
        if fault and fault != "direction-kept":
            self._warn(fault)
        await self._spin()

    def _report_cut_motion(self) -> None:
        self._warn("wheel-stopped")

    async def _spin(self) -> None:
        fault = self._fault(RUNNING)
        # The launches differ in a fixed sequence and not by chance: no random byte is read before the ball falls.
        path = list(turns(LAUNCH + 0.1 * (self._spins * 3 % 5)))
        count = await self._run_out(path[:SHORT] if fault else path)
        if fault == "power-cut":
            self._cut()
        if fault:
            self._warn(fault)
        if fault == "wheel-stopped":
            self._report(Progress(self.name, self._now(), "rotor"))
        if fault != "ball-removed":
            await self._fall(count, read=fault is None)

    async def _run_out(self, path: Sequence[Revolution]) -> int:
        slowed = False
        for number, turn in enumerate(path, 1):
            await self._pause(turn.milliseconds)
            self._report(Progress(self.name, self._now(), "revolution", number, rate=round(turn.speed * 600)))
            if turn.speed < NO_MORE_BETS and not slowed:
                slowed = True
                self._report(Slowed(self.name, self._now()))
        return len(path)

    async def _fall(self, count: int, read: bool) -> None:
        self._report(Progress(self.name, self._now(), "drop"))
        await self._pause(BOUNCE)
        self._report(Rested(self.name, self._now(), count))
        if not read:
            return
        fault = self._fault(READING)
        if fault != "no-number":
            number = self._numbers[draw(len(self._numbers), self._source)]
            self._report(Progress(self.name, self._now(), "face", 1, 1, (number,)))
            if fault not in NOT_READ:
                self._report(Shown(self.name, self._now(), Outcome(number)))
        if fault:
            self._warn(fault)
