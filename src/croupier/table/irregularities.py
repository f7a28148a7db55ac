"""Decisions about irregularities: reports, voids, moved bets, and what no clause covers."""

from __future__ import annotations

from typing import assert_never

import msgspec

from croupier.rules import schema
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.announcement import entered
from croupier.table.approvals import digest
from croupier.table.checks import (
    Events,
    bet_of,
    check_fits,
    interruption_act,
    irregularity_of,
    irregularity_with,
    lock_after,
    open_round,
    seat_of,
    struck_phase,
)
from croupier.table.evidence import contradicted
from croupier.table.limits import check_bet, returning_clause
from croupier.table.messages import AnyCommand, AnyEvent, Share
from croupier.table.state import OPEN_FOR_BETS, LaidBet, Table


def report(table: Table, command: m.Report) -> Events:
    part = irregularity_of(table, command.irregularity)
    check_fits(table, part)
    if command.bet and command.bet not in table.bet_rounds:
        raise Refused("bet", "never-here", part.clause, bet=command.bet)
    seat = seat_of(table, command.seat).id if command.seat else None
    noted = m.Reported(command.by, command.at, part.id, part.consequence, part.clause, command.bet, seat, command.note)
    match part.consequence:
        case "void" | "void-affected-rounds":
            if struck_phase(table) == "ready":
                raise Refused("round", "none-open", part.clause)
            device = contradicted(table, part, command.by)
            if device is not None:
                return [noted, _contradicted(table, command, part, device)]
            return [noted, *void(table, command, part, _no_spin_clause(table, part))]
        case "actual-outcome-stands" if part.people == 2:
            raise Refused("irregularity", "correction", part.clause, irregularity=part.id)
        case "lock":
            return [noted, *([] if table.locked else [m.TableLocked(command.by, command.at, part.clause)])]
        case "actual-outcome-stands-and-lock":
            lock = _lock_clause(table, part)
            return [noted, *([] if table.locked else [m.TableLocked(command.by, command.at, lock)])]
        case "interruption":
            raise Refused("irregularity", "interruption", part.clause, irregularity=part.id)
        case "amend-result" | "bet-decision" | "decision" | "reject-excess" | "advise":
            raise Refused("irregularity", "own-act", part.clause, irregularity=part.id)
        case _:
            return [noted]


def _contradicted(
    table: Table, command: m.Report, part: schema.Irregularity, device: m.DeviceReport
) -> m.ReportContradicted:
    """A person's word against the device's: the round stands still until another person decides (ruling 45)."""
    content, number = msgspec.json.encode(command), table.next_request
    return m.ReportContradicted(
        command.by, command.at, number, content, digest(command), table.round_number, part.id, part.clause, device
    )


def void_as_reported(table: Table, command: m.Approve, asked: m.Report) -> Events:
    """The events of a person who, knowing both statements, decides that the round is void as reported."""
    part = irregularity_of(table, asked.irregularity)
    return void(table, command, part, _no_spin_clause(table, part))


def _no_spin_clause(table: Table, part: schema.Irregularity) -> str | None:
    """The separate clause for a no spin in a power failure (sands 5.11.1), or None."""
    announced = any(call.clause == part.clause for call in table.book.calls if call.id == "no-spin")
    return interruption_act(table, table.interruption.was).otherwise if announced and table.interruption else None


def _lock_clause(table: Table, part: schema.Irregularity) -> str:
    """The clause of the lock: that of a malfunction, if the book has one."""
    return next((other.clause for other in table.book.irregularities if other.consequence == "lock"), part.clause)


def void(table: Table, command: AnyCommand, part: schema.Irregularity, clause: str | None = None) -> Events:
    """End the round without a result: every stake goes back whole, and every Player with a bet gets a notice."""
    return voided(table, command, part.id, clause or part.clause)


def voided(table: Table, command: AnyCommand, cause: str, clause: str) -> Events:
    bets = list(table.round.bets.values()) if table.round else []
    moved_by = returning_clause(table.book.movements, clause) if table.book.movements else ""
    returned = tuple(Share(bet.id, bet.seat, bet.stake, moved_by) for bet in bets if bet.stake)
    seats = tuple(dict.fromkeys(bet.seat for bet in bets if bet.stake))
    no_spin = [call for call in table.book.calls if call.id == "no-spin"]
    words = [call.words for call in no_spin if cause.startswith("no-spin") or clause.startswith(call.clause)]
    number = table.round_number
    voided = m.RoundVoided(command.by, command.at, number, cause, clause, "".join(words), returned, seats)
    return [voided, *lock_after(table, command)]


def _decision_of(table: Table, command: m.DecideBet) -> schema.Irregularity:
    """The irregularity of a treatment: a moved chip for `move`, otherwise an unclear chip."""
    wanted = "moved-chip" if command.treatment == "move" else "unclear-chip"
    parts = [part for part in table.book.irregularities if part.consequence == "bet-decision"]
    return next((part for part in parts if part.id == wanted), None) or irregularity_with(table, "bet-decision")


def decide_bet(table: Table, command: m.DecideBet) -> Events:
    part = _decision_of(table, command)
    round = open_round(table)
    check_fits(table, part)
    bet = bet_of(round, command.bet)
    excepted = next((other for other in table.book.irregularities if other.id == "call-bet-misplaced"), None)
    if command.treatment != "stand" and excepted and bet.by != bet.seat:
        raise Refused("irregularity", "on-behalf", excepted.clause, bet=bet.id, box=bet.box, seat=bet.seat)
    box = bet.box
    if command.treatment == "move":
        box = table.layouts[bet.layout].box(command.box).name
        table.layouts[bet.layout].check_stake(box, bet.stake)
        total = round.stakes.get((bet.seat, box), 0) + (bet.stake if box != bet.box else 0)
        check_bet(round.limits, table.book.limits, box, Cents(total))
    returned = bet.stake if command.treatment == "return" else Cents(0)
    return [
        m.BetDecided(
            command.by, command.at, bet.id, bet.seat, command.treatment, box, returned, command.reason, part.clause
        )
    ]


def decide_uncovered(table: Table, command: m.Decide) -> Events:
    """A decision where no clause applies (ruling 39): void, settle by a stated result, or return named bets."""
    part = irregularity_with(table, "decision")
    if struck_phase(table) == "ready":
        raise Refused("phase", "no-round", part.clause)
    check_fits(table, part)
    if not command.reason:
        raise Refused("reason", "needed", part.clause, act="Decide")
    decided = m.Decided(command.by, command.at, command.treatment, command.reason, part.clause)
    match command.treatment:
        case "void":
            return [decided, *void(table, command, part)]
        case "return":
            round = open_round(table)
            bets = [bet_of(round, bet) for bet in dict.fromkeys(command.bets)]
            if not bets:
                raise Refused("bet", "not-named", part.clause)
            return [decided, *(_returned(command, bet, part.clause) for bet in bets)]
        case "result":
            outcome = table.book.space.parse(command.outcome)
            open_round(table)
            if table.phase in (*OPEN_FOR_BETS, "interrupted"):
                raise Refused("phase", "after-close", part.clause)
            return [decided, *entered(table, command, outcome, "decided")]
        case _:
            assert_never(command.treatment)


def _returned(command: m.Decide, bet: LaidBet, clause: str) -> AnyEvent:
    return m.BetDecided(command.by, command.at, bet.id, bet.seat, "return", bet.box, bet.stake, command.reason, clause)
