"""Pictures of dice or a ball in motion, and when they may show a result: never before bets are closed."""

from __future__ import annotations

import msgspec

from croupier.devices.port import Progress, Stage
from croupier.table.checks import struck_phase
from croupier.table.messages import RoundNumber
from croupier.table.state import Table


class Picture(msgspec.Struct, frozen=True):
    """One moment of a motion: the third tumble of three, two faces of three, the fifth revolution at a speed."""

    round: RoundNumber
    stage: Stage
    number: int
    of: int
    faces: tuple[str, ...]
    rate: int
    """Tenths of a revolution a minute."""


def picture_of(table: Table, round: RoundNumber, seen: Progress) -> Picture | None:
    """The picture of what a device reports; None if it would show a result too early."""
    if seen.faces and not may_be_seen(table):
        return None
    return Picture(round, seen.stage, seen.number, seen.of, seen.faces, seen.rate)


def may_be_seen(table: Table) -> bool:
    """True if everyone may see what dice or ball show."""
    phase = struck_phase(table)
    if table.setup.two_sources and phase in ("closed", "moving", "rest", "entering"):
        return False  # the Dealer must look at the dice, not at the sensor's reading
    return phase in ("rest", "entering", "entered", "settling") or (phase == "moving" and table.order != "covered")
