"""What a device is to the floor: acts it can be asked for, facts it tells, faults by name. Nothing here decides.

A fact is what a device knows, said once. Two devices that disagree tell two facts; what they mean is for the table.
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
        "power-cut": ("interruption", "power-failure"),
    }
)
"""Irregularities of the books that a fault may turn out to be, the likeliest first. A person looks, and reports."""

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
"""Faults that say word for word what a clause says: where the book voids for it, there is nothing to look at."""


# ---- facts


class DeviceFact(msgspec.Struct, frozen=True, tag=True):
    """What a device knows. `at` is milliseconds on the monotonic clock that the device was given."""

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
"""Why a device cannot be reached: its line, its power, the broker between, or nobody knows."""


class Offline(DeviceFact, frozen=True):
    case: OfflineCase
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)


class Moving(DeviceFact, frozen=True):
    """The dice have begun to tumble."""


class Rested(DeviceFact, frozen=True):
    """The dice or the ball are at rest after so many tumbles or revolutions; 0 means that nobody counted."""

    count: int


class Covered(DeviceFact, frozen=True): ...


class CoverLifted(DeviceFact, frozen=True): ...


class Launched(DeviceFact, frozen=True):
    """The ball runs, with the wheel or against it; the wheel turns this way (0 or 1), -1 if nobody can tell."""

    with_wheel: bool
    direction: int = -1


class Slowed(DeviceFact, frozen=True):
    """The ball is below the speed at which no more bets is to be called."""


class Shown(DeviceFact, frozen=True):
    """What a sensor read."""

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
Tell = Callable[[AnyFact], None]


# ---- devices


Capability = Literal["tumble", "launch", "cover", "counts", "reads", "rotor-speed", "direction"]
"""What a device can be asked for, and what it tells: it counts tumbles or revolutions, reads the result, tells how fast
its wheel turns and which way. The floor asks for these, never which make a device is."""


class Device(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[Capability]: ...

    async def run(self, tell: Tell) -> None:
        """Tell facts as they become known, until cancelled."""

    def check(self, act: Act) -> None:
        """Refused if the device has no such act or is not ready for it."""

    async def act(self, act: Act) -> None:
        """Ask for an act. Refused as by `check`."""


class Time(Protocol):
    def now(self) -> int:
        """Milliseconds on a clock that never jumps."""

    async def wait(self, milliseconds: float) -> None: ...


class Monotonic:
    """The machine's monotonic clock; waits pass `speed` times as fast as they are long."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed

    def now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def wait(self, milliseconds: float) -> None:
        await asyncio.sleep(milliseconds / 1000 / self.speed)
