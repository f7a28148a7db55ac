"""What establishes an irregularity: the word of a person, the report of a device, or either.

Before the result can be seen, the word of one person is enough. Once it can be seen, a person who says what a device
contradicts would choose whether the round counts. Then the round stands still, with both statements in the record,
until a person of the rank that the book names decides.
"""

from __future__ import annotations

from croupier.rules import schema
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.checks import struck_phase
from croupier.table.messages import DeviceReport, PersonId
from croupier.table.permits import SYSTEM
from croupier.table.state import Motion, Request, Table

_CAN_BE_SEEN = frozenset(("rest", "entering", "entered", "settling"))
"""Phases in which the dice are at rest and uncovered, or the ball is at rest."""

ACTS_ON_THE_ROUND: frozenset[type[m.Command]] = frozenset(
    (
        m.OpenBetting,
        m.PlaceBet,
        m.WithdrawBet,
        m.RejectExcess,
        m.AdviseShort,
        m.CallNoMoreBets,
        m.StartMotion,
        m.EndMotion,
        m.Uncover,
        m.PressKey,
        m.PressEntry,
        m.EnterNumber,
        m.SenseResult,
        m.DecideResult,
        m.AmendResult,
        m.ConfirmResult,
        m.PayWinners,
        m.Report,
        m.DecideBet,
        m.Decide,
        m.VoidRounds,
        m.Interrupt,
        m.Restore,
        m.Attest,
    )
)


def contradicted(table: Table, part: schema.Irregularity, by: str) -> DeviceReport | None:
    """What a device has reported against the word of a person, if that word alone must not void the round."""
    if part.evidence in (None, "person") or table.reads("one-word-voids") or _is_device(table, by):
        return None
    if table.sensed is None and struck_phase(table) not in _CAN_BE_SEEN:
        return None
    against = {"start", "direction"} if "start" in table.motion.reported else set()
    if "count" in table.motion.reported and (table.motion.count or 0) >= table.book.play.minimum:
        against.add("count")
    if table.sensed is not None:
        against.add("reading")
    return device_report(table) if against & set(part.denied_by) else None


def device_report(table: Table) -> DeviceReport:
    """Everything that a device has reported of this round."""
    motion: Motion = table.motion
    count = motion.count if "count" in motion.reported else None
    return DeviceReport(motion.device, "start" in motion.reported, count, table.sensed)


def waiting_decision(table: Table) -> Request | None:
    """The report for which the round stands still."""
    return next((asked for asked in table.requests.values() if asked.device is not None), None)


def standing_still(table: Table) -> bool:
    """True if the round stands still until somebody decides."""
    return waiting_decision(table) is not None


def check_moves(table: Table, command: m.AnyCommand) -> None:
    """Refuse every act on a round that stands still but the decision."""
    if table.requests and type(command) in ACTS_ON_THE_ROUND and (asked := waiting_decision(table)) is not None:
        assert isinstance(asked.command, m.Report)
        clause = next(one.clause for one in table.book.irregularities if one.id == asked.command.irregularity)
        raise Refused(
            "standstill",
            "undecided",
            clause,
            request=asked.number,
            irregularity=asked.command.irregularity,
            person=asked.command.by,
        )


def _is_device(table: Table, by: str) -> bool:
    return by == SYSTEM or "device" in table.staff.get(PersonId(by), ())
