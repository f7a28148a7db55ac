"""What a device observed in one round, and the commands that follow from it. Never used for another round.

Nothing in this file waits or writes. `next_device_command` is the next command that follows from the observation and
that the table would accept now; `to_confirm` lists what a person must look at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from croupier.devices.port import POINTS_TO, SURE, Fault
from croupier.rules.outcomes import Outcome, Wheel
from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact, Refused
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.messages import AnyCommand, RoundNumber
from croupier.table.state import Table

UNDER_COVER = ("moving", "betting")
"""Phases of a covered game in which no one may see the dice."""


ANNOUNCED: dict[str, Facts] = {
    "fault": {"device": "name", "fault": "text"},
    "open": {"device": "name"},
    "reads": {"device": "name", "outcome": "text"},
    "slowing": {"device": "name"},
    "uncounted": {"device": "name", "count": "number"},
}
"""case → facts, of what a device reports to people. The catalogue has a message for each: `announced-CASE`."""


class FactToConfirm(msgspec.Struct, frozen=True):
    """A report of a device that a person must judge, with the commands that they give if it is true."""

    device: str
    at: int
    case: str
    facts: dict[str, Fact]
    clause: str | None
    commands: tuple[AnyCommand, ...] = ()
    """Empty if no command follows, and the person only has to look."""
    may: bool = False
    """True if this person may give them now."""


@dataclass(slots=True)
class Observation:
    """What a device reported of the motion of one round."""

    round: RoundNumber
    asked: bool = False
    """True if the device was asked to move."""
    begun: bool = False
    with_wheel: bool = False
    slowed: bool = False
    count: int | None = None
    """Tumbles or revolutions once at rest; 0 if they were not counted."""
    lifted: bool = False
    """True if the cover came off."""
    outcome: Outcome | None = None
    faults: dict[Fault, int] = field(default_factory=dict)
    """When each was reported, on the floor's clock."""
    reported: set[Fault] = field(default_factory=set)
    """The faults that were reported to the table as an irregularity."""

    @property
    def moves(self) -> bool:
        return (self.asked or self.begun) and self.count is None

    @property
    def open_faults(self) -> list[Fault]:
        return [fault for fault in self.faults if fault not in self.reported]


def round_of(table: Table) -> RoundNumber:
    """The round under way, or the one that the next motion or call begins."""
    return table.round_number


def accepted(table: Table, command: AnyCommand) -> bool:
    """True if the table would accept a command now."""
    try:
        decide(table, command)
    except Refused:
        return False
    return True


def next_device_command(table: Table, seen: Observation, by: str, at: int) -> AnyCommand | None:
    """The next command in the device's name that follows from its observation of this round, if one does."""
    if seen.round != round_of(table):
        return None
    return next((command for command in _following(table, seen, by, at) if accepted(table, command)), None)


def _following(table: Table, seen: Observation, by: str, at: int) -> Iterator[AnyCommand]:
    if seen.begun and not table.motion.started:
        yield m.StartMotion(by, at, seen.with_wheel)
    for fault in seen.open_faults:
        if fault in SURE and any(part.id == SURE[fault] for part in table.book.irregularities):
            yield m.Report(by, at, SURE[fault], note=fault)
    if seen.count and table.motion.started and table.motion.count is None:
        yield m.EndMotion(by, at, seen.count)
    if seen.outcome is not None and table.sensed is None:
        yield m.SenseResult(by, at, seen.outcome)


def to_confirm(table: Table, seen: Observation, device: str, person: str, at: int) -> tuple[FactToConfirm, ...]:
    """What this person's console shows for confirmation."""
    if seen.round != round_of(table):
        return ()
    return (*_faults(table, seen, device, person, at), *_progress(table, seen, device, person, at))


def _faults(table: Table, seen: Observation, device: str, person: str, at: int) -> Iterator[FactToConfirm]:
    for fault in seen.open_faults:
        when, found = seen.faults[fault], False
        facts: dict[str, Fact] = {"device": device, "fault": fault}
        for irregularity in POINTS_TO.get(fault, ()):
            for command, clause in _reports(table, irregularity, person, at, fault):
                if _anyone_may(table, command):
                    found = True
                    may = accepted(table, command)
                    yield FactToConfirm(device, when, "fault", facts, clause, (command,), may)
        if not found:
            yield FactToConfirm(device, when, "fault", facts, None)


def _reports(table: Table, irregularity: str, person: str, at: int, fault: Fault) -> Iterator[tuple[AnyCommand, str]]:
    """The act by which people report an irregularity."""
    for part in table.book.irregularities:
        if part.id != irregularity:
            continue
        match part.consequence:
            case "interruption":
                yield m.Interrupt(person, at, "device"), part.clause
            case "decision":
                yield m.Decide(person, at, "void", fault), part.clause
            case _:
                yield m.Report(person, at, part.id, note=fault), part.clause


def _progress(table: Table, seen: Observation, device: str, person: str, at: int) -> Iterator[FactToConfirm]:
    """The acts of the order of play that are due by what the device reports."""
    play = table.book.play
    if seen.slowed and table.phase == "spinning":
        clause = next(call.clause for call in table.book.calls if call.id == "no-more-bets")
        yield _offer(table, device, "slowing", {}, clause, m.CallNoMoreBets(person, at))
    if seen.count == 0 and table.motion.started and table.motion.count is None:
        at_rest = m.EndMotion(person, at, play.minimum)
        yield _offer(table, device, "uncounted", {"count": play.minimum}, play.minimum_clause, at_rest)
    if seen.lifted and table.phase == "closed":
        yield _offer(table, device, "open", {}, table.book.announcement.clause, m.Uncover(person, at))
    if table.sensed is not None and not table.setup.two_sources:
        yield from _entering(table, table.sensed, device, person, at)


def _entering(table: Table, outcome: Outcome, device: str, person: str, at: int) -> Iterator[FactToConfirm]:
    """The sensor's reading. Not shown where it is compared with the Dealer's entry: they must not know it before."""
    reads: dict[str, Fact] = {"outcome": outcome}
    clause = table.book.announcement.clause
    if table.interruption is not None:
        if table.interruption.power_back:
            yield _offer(table, device, "reads", reads, clause, m.Attest(person, at, tuple(outcome.split("-"))))
    elif table.phase == "rest" and isinstance(table.book.space, Wheel):
        yield _offer(table, device, "reads", reads, clause, m.EnterNumber(person, at, outcome))
    elif table.phase in ("rest", "entering") and (left := keys_left(table, outcome)) is not None:
        presses = [m.PressKey(person, at, face) for face in left]
        yield _offer(table, device, "reads", reads, clause, *presses, m.PressEntry(person, at))


def keys_left(table: Table, outcome: Outcome) -> list[str] | None:
    """The keys that are missing for this outcome; None if a key that was pressed does not belong to it."""
    left = outcome.split("-")
    for face in table.entry:
        if face not in left:
            return None
        left.remove(face)
    return left


def _offer(
    table: Table, device: str, case: str, facts: Mapping[str, Fact], clause: str | None, *commands: AnyCommand
) -> FactToConfirm:
    first = commands[0]
    return FactToConfirm(device, first.at, case, {"device": device, **facts}, clause, commands, accepted(table, first))


def _anyone_may(table: Table, command: AnyCommand) -> bool:
    """True if anyone on the staff may give it now."""
    if accepted(table, command):
        return True
    others = (msgspec.structs.replace(command, by=name) for name in table.staff)
    return any(accepted(table, other) for other in others)


def doubted(fault: Fault) -> bool:
    """True if a fault casts doubt on what the device reads after it."""
    return fault in ("contradiction", "reshake", "out-of-order", "sensor-or-motor", "motor-fault")
