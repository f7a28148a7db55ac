"""A simulated dice tumbler, open or covered."""

from __future__ import annotations

from typing import ClassVar

from croupier.devices.chance import Source, system, throw
from croupier.devices.port import Act, Capability, Covered, CoverLifted, Fault, Moving, Progress, Rested, Shown, Time
from croupier.devices.simulated import AFTER_THE_RESULT, Motion, SimulatedDevice
from croupier.rules.outcomes import DICE, Outcome
from croupier.rules.refusal import Refused

TUMBLES = (1200, 1000, 1400)  # milliseconds
SETTLE, LAND, COVER = 900, 350, 600

SHAKING: tuple[Fault, ...] = ("no-shake", "short-tumble", "motor-fault", "power-cut", "reshake")
RESTING: tuple[Fault, ...] = ("cover-opened",)
READING: tuple[Fault, ...] = (
    "die-leaning",
    "die-lost",
    "unreadable-die",
    "stuck-sensor",
    "late",
    *AFTER_THE_RESULT,
)
NO_THROW: tuple[Fault, ...] = ("die-leaning", "die-lost")
NOT_READ: tuple[Fault, ...] = ("unreadable-die", "stuck-sensor", "late")


class SimulatedTumbler(SimulatedDevice):
    """Three tumbles, then three dice.

    The faces are drawn when they may be seen and not before: in an open tumbler at rest, in a covered one when the
    cover is lifted. Until then they do not exist, in this object or anywhere else, and nothing can leak.
    """

    acts: ClassVar[tuple[Act, ...]] = ("tumble", "cover", "uncover", "power-on", "power-off")
    faults: ClassVar[tuple[Fault, ...]] = (*SHAKING, *RESTING, *READING)

    def __init__(
        self,
        name: str,
        *,
        covered: bool,
        time: Time | None = None,
        source: Source = system,
        one_in: int = 0,
        powered: bool = True,
    ) -> None:
        super().__init__(name, time=time, source=source, one_in=one_in, powered=powered)
        self.capabilities = self.able(covered=covered)
        self._has_cover = covered
        self._is_covered = covered
        self._lying: tuple[str, ...] | None = None
        """The faces that everyone has seen or may see now; None while no one may see them."""

    @staticmethod
    def able(*, covered: bool) -> frozenset[Capability]:
        return frozenset(("tumble", "counts", "reads", "cover") if covered else ("tumble", "counts", "reads"))

    def fail_next(self, fault: Fault) -> None:
        if fault in RESTING and not self._has_cover:
            raise Refused("fault", "no-cover", device=self.name, fault=fault)
        super().fail_next(fault)

    def _motion(self, act: Act) -> Motion:
        if act != "tumble" and not self._has_cover:
            raise Refused("act", "no-cover", device=self.name, act=act)
        if act == "tumble" and self._has_cover and not self._is_covered:
            raise Refused("cover", "needed", device=self.name)
        if act == "cover" and self._is_covered:
            raise Refused("cover", "covered", device=self.name)
        if act == "uncover" and not self._is_covered:
            raise Refused("cover", "open", device=self.name)
        return {"tumble": self._tumble, "cover": self._cover, "uncover": self._uncover}[act]

    async def _tumble(self) -> None:
        fault = self._fault(SHAKING)
        if fault == "no-shake":
            self._warn(fault)
            return
        await self._shake(fault)
        if fault == "reshake":
            self._warn(fault)
            await self._shake(None)
        if not self._has_cover:
            await self._show()
        elif self._fault(RESTING):
            self._warn("cover-opened")
            await self._uncover()

    async def _shake(self, fault: Fault | None) -> None:
        self._lying = None
        self._report(Moving(self.name, self._now()))
        stop_after = {"short-tumble": 2, "motor-fault": 1}.get(fault or "", len(TUMBLES))
        for number, length in enumerate(TUMBLES[:stop_after], 1):
            self._report(Progress(self.name, self._now(), "tumble", number, len(TUMBLES)))
            await self._pause(length)
            if fault == "power-cut":
                self._cut()
        await self._pause(SETTLE)
        if fault in ("short-tumble", "motor-fault"):
            self._warn(fault)
        self._report(Rested(self.name, self._now(), stop_after))

    def _report_cut_motion(self) -> None:
        self._warn("short-tumble")  # the power fails before the third

    async def _cover(self) -> None:
        await self._pause(COVER)
        self._is_covered = True
        self._report(Covered(self.name, self._now()))

    async def _uncover(self) -> None:
        await self._pause(COVER)
        self._is_covered = False
        self._report(CoverLifted(self.name, self._now()))
        await self._show()

    async def _show(self) -> None:
        fault = self._fault(READING)
        if fault in NO_THROW:
            self._warn(fault)
            return
        # Dice that were not tumbled again show what they showed (nz 7.1(d)).
        self._lying = self._lying or throw(self._source)
        for number in range(1, DICE + 1):
            await self._pause(LAND)
            self._report(Progress(self.name, self._now(), "face", number, DICE, self._lying[:number]))
        if fault not in NOT_READ:
            self._report(Shown(self.name, self._now(), Outcome("-".join(sorted(self._lying)))))
        if fault:
            self._warn(fault)
