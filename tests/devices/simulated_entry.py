"""A simulated entry terminal (nz 3.3): six numbered keys, an entry key, and a light with the last three numbers."""

from __future__ import annotations

from typing import ClassVar

from croupier.devices.chance import Source, system
from croupier.devices.keypad import BOUNCE
from croupier.devices.port import EntryPressed, FacePressed, Fault, OfflineCase, Time
from croupier.devices.simulated import SimulatedDevice
from croupier.rules.outcomes import DICE, FACES
from croupier.rules.refusal import Refused

ENTRY = "entry"


class SimulatedEntry(SimulatedDevice):
    """Keys that a test presses. A contact that bounces reports one press and a warning."""

    faults: ClassVar[tuple[Fault, ...]] = ("stuck-key", "duplicate", "power-cut")

    def __init__(
        self, name: str, *, time: Time | None = None, source: Source = system, one_in: int = 0, powered: bool = True
    ) -> None:
        super().__init__(name, time=time, source=source, one_in=one_in, powered=powered)
        self.light: tuple[str, ...] = ()
        self._last: tuple[str, int] | None = None

    def press(self, face: str) -> None:
        """Press a numbered key."""
        if face not in FACES:
            raise Refused("entry", "no-key", key=face)
        if self._contact(face):
            self.light = (*self.light, face)[-DICE:]
            self._report(FacePressed(self.name, self._now(), face))
            self._spoil()

    def press_entry(self) -> None:
        """Press the entry key; the light goes out."""
        if self._contact(ENTRY):
            self.light = ()
            self._report(EntryPressed(self.name, self._now()))
            self._spoil()

    def _contact(self, key: str) -> bool:
        """True if a contact of a key is a new press."""
        if not self._powered or self._on_fact is None:
            raise Refused("offline", "no-power" if self._on_fact else "not-running", device=self.name)
        now, last = self._now(), self._last
        self._last = (key, now)
        if last and last[0] == key and now - last[1] < BOUNCE:
            self._warn("duplicate")
            return False
        return True

    def _spoil(self) -> None:
        """Add the fault of this press: the key stays down or its contact bounces, and yet it was one press."""
        fault = self._fault(self.faults)
        if fault:
            self._warn(fault)
        if fault == "power-cut":
            self._power_off("no-power")

    def _power_off(self, why: OfflineCase) -> None:
        self.light = ()
        super()._power_off(why)
