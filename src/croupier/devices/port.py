"""What a device is to the floor: acts it can be asked for, facts it reports, and faults by name.

A device reports each fact once. Two devices that disagree report two facts; the table decides what they mean.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, Protocol, get_args

import msgspec

from croupier.rules.outcomes import Outcome
from croupier.rules.refusal import Fact

Act = Literal["tumble", "cover", "uncover", "launch", "power-on", "power-off"]

Fault = Literal[
    # dice
    "no-shake",
    "short-tumble",
    "reshake",
    "die-leaning",
    "die-lost",
    "unreadable-die",
    "cover-opened",
    # ball and wheel
    "no-ball",
    "failed-launch",
    "wrong-direction",
    "short-spin",
    "ball-removed",
    "wheel-stopped",
    "wheel-not-rotating",
    "no-number",
    "direction-kept",
    # machinery
    "motor-fault",
    "stuck-sensor",
    "sensor-or-motor",
    "stuck-key",
    "lamp-out",
    "power-cut",
    # messages
    "late",
    "duplicate",
    "contradiction",
    "out-of-order",
    "unasked",
    "garbled",
    # paper
    "paper-low",
    "paper-out",
    "printer-open",
    "printer-fault",
]
FAULTS: tuple[Fault, ...] = get_args(Fault)

POINTS_TO: Mapping[Fault, tuple[str, ...]] = MappingProxyType(
    {
        "no-shake": ("tumbler-fault", "short-tumble"),
        "short-tumble": ("short-tumble",),
        "reshake": ("tumbler-fault", "not-covered"),
        "die-leaning": ("not-flat",),
        "die-lost": ("not-flat",),
        "cover-opened": ("exposed-before-close",),
        "no-ball": ("no-spin", "no-spin-at-rest"),
        "failed-launch": ("no-spin", "ball-not-spun", "short-spin"),
        "wrong-direction": ("wrong-direction",),
        "short-spin": ("short-spin",),
        "ball-removed": ("ball-out", "interference"),
        "wheel-stopped": ("wheel-stopped",),
        "wheel-not-rotating": ("wheel-not-rotating",),
        "no-number": ("ball-not-settled",),
        "motor-fault": ("tumbler-fault", "short-tumble", "no-spin", "wheel-stopped"),
        "stuck-sensor": ("malfunction",),
        "sensor-or-motor": ("no-spin", "wheel-stopped", "wheel-not-rotating", "malfunction"),
        "stuck-key": ("malfunction",),
        "lamp-out": ("wrong-illumination", "malfunction"),
        "power-cut": ("interruption", "power-failure"),
    }
)
"""Irregularities of the books that a fault may turn out to be, the likeliest first. A person looks and reports."""

SURE: Mapping[Fault, str] = MappingProxyType(
    {
        "short-tumble": "short-tumble",
        "cover-opened": "exposed-before-close",
        "wrong-direction": "wrong-direction",
        "short-spin": "short-spin",
        "wheel-stopped": "wheel-stopped",
        "wheel-not-rotating": "wheel-not-rotating",
    }
)
"""Faults that are exactly what a clause names. Where the book voids for it, no person has to look."""


# ---- facts


class DeviceFact(msgspec.Struct, frozen=True, tag=True):
    """A report of a device. `at` is in milliseconds, on the monotonic clock that the device was given."""

    device: str
    at: int


class Online(DeviceFact, frozen=True): ...


OfflineCase = Literal[
    "broker",
    "line",
    "line-closed",
    "no-answer",
    "no-broker",
    "no-power",
    "no-status",
    "silent",
    "switched-off",
    "unplugged",
]
"""Why a device cannot be reached: its line, its power, the broker between, or an unknown cause."""


class Offline(DeviceFact, frozen=True):
    case: OfflineCase
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)


class Moving(DeviceFact, frozen=True):
    """The dice have begun to tumble."""


class Rested(DeviceFact, frozen=True):
    """The dice or the ball are at rest after so many tumbles or revolutions; 0 if they were not counted."""

    count: int


class Covered(DeviceFact, frozen=True): ...


class CoverLifted(DeviceFact, frozen=True): ...


class Launched(DeviceFact, frozen=True):
    """The ball runs, with the wheel or against it. The wheel turns in direction 0 or 1; -1 if that is unknown."""

    with_wheel: bool
    direction: int = -1


class Slowed(DeviceFact, frozen=True):
    """The ball is below the speed at which no more bets is to be called."""


class Shown(DeviceFact, frozen=True):
    """The result that a sensor read."""

    outcome: Outcome


class FacePressed(DeviceFact, frozen=True):
    face: str


class EntryPressed(DeviceFact, frozen=True): ...


class Warned(DeviceFact, frozen=True):
    what: Fault


Stage = Literal["tumble", "face", "revolution", "drop", "rotor"]


class Progress(DeviceFact, frozen=True):
    """For pictures only: a tumble, a face that may be seen, a revolution of the ball, the speed of the rotor."""

    stage: Stage
    number: int = 0
    of: int = 0
    faces: tuple[str, ...] = ()
    rate: int = 0
    """Tenths of a revolution a minute, of the ball or of the rotor."""


AnyFact = (
    Online
    | Offline
    | Moving
    | Rested
    | Covered
    | CoverLifted
    | Launched
    | Slowed
    | Shown
    | FacePressed
    | EntryPressed
    | Warned
    | Progress
)
OnFact = Callable[[AnyFact], None]


# ---- devices


Capability = Literal["tumble", "launch", "cover", "counts", "reads", "rotor-speed", "direction", "lights"]
"""What a device can be asked for, and what it reports: it counts tumbles or revolutions, reads the result, reports the
speed and the direction of its wheel, lights areas of a felt. The floor asks for these, never for the make of a device.
"""


class Device(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[Capability]: ...

    async def run(self, on_fact: OnFact) -> None:
        """Report facts as they become known, until cancelled."""

    def check(self, act: Act) -> None:
        """Refused if the device has no such act, or is not ready for it."""

    async def act(self, act: Act) -> None:
        """Ask for an act. Refused as `check` does."""


class Lamps(Device, Protocol):
    """The lamps of a felt (nz 3.3(b)). They are told what is lit from now on, and show it as soon as they can."""

    def light(self, layout: str, boxes: tuple[str, ...]) -> None:
        """Light these areas of a layout and no others; without areas the felt goes dark."""


class Time(Protocol):
    def now(self) -> int:
        """Milliseconds on a clock that never jumps."""

    async def wait(self, milliseconds: float) -> None: ...


class Monotonic:
    """The machine's monotonic clock. Waits are shortened by the factor `speed`."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed

    def now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def wait(self, milliseconds: float) -> None:
        await asyncio.sleep(milliseconds / 1000 / self.speed)
