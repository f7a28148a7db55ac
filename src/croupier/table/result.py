"""Decisions about the result: entry, two sources, amendment, confirmation, collection and payment."""

from __future__ import annotations

from croupier.rules.outcomes import DICE, FACES, Outcome
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.announcement import announced, entered
from croupier.table.checks import (
    Events,
    check_order,
    check_phase,
    irregularity_of,
    irregularity_with,
    lock_after,
    open_round,
    struck_phase,
)
from croupier.table.irregularities import void
from croupier.table.limits import fates, short_seats
from croupier.table.messages import AnyCommand, Paid
from croupier.table.state import Round, Table
from croupier.table.view import shown


def press_key(table: Table, command: m.PressKey) -> Events:
    if command.face not in FACES:
        raise Refused("entry", "no-key", key=command.face)
    _may_enter(table, command, "KeyPressed")
    forgotten = _forgotten_tumble(table, command)
    return forgotten or [m.KeyPressed(command.by, command.at, command.face)]


def press_entry(table: Table, command: m.PressEntry) -> Events:
    _may_enter(table, command, "ResultEntered")
    if len(table.entry) < DICE:
        raise Refused("entry", "three-first", shown=tuple(table.entry))
    outcome = table.book.space.parse("-".join(table.entry))
    return entered(table, command, outcome, "entry")


def enter_number(table: Table, command: m.EnterNumber) -> Events:
    if table.order != "wheel":
        raise Refused("entry", "keys-of-dice")
    _may_enter(table, command, "ResultEntered")
    return entered(table, command, table.book.space.parse(command.number), "entry")


def _may_enter(table: Table, command: m.PressKey | m.PressEntry | m.EnterNumber, event: str) -> None:
    if table.order == "wheel" and event == "KeyPressed":
        raise Refused("entry", "number-of-wheel")
    check_order(table, command, event, table.book.announcement.clause)


def _forgotten_tumble(table: Table, command: m.PressKey) -> Events:
    """No tumble since the last settlement: the result is refused and the round is void (ruling 34).

    Under a book that finds it only before the cover is lifted, the round ended there (ruling 46).
    """
    if table.motion.started:
        return []
    return void(table, command, irregularity_of(table, "no-tumble"))


def sense(table: Table, command: m.SenseResult) -> Events:
    open_round(table)
    phase = struck_phase(table)
    if phase not in ("rest", "entering", "entered") and not (table.interruption and phase == "moving"):
        raise Refused("phase", "not-now", act="SenseResult", phase=phase)
    return [m.ResultSensed(command.by, command.at, table.book.space.parse(command.outcome))]


def _sources_agree(table: Table, round: Round) -> None:
    if table.decided or not (table.setup.two_sources or table.sensed):
        return
    if table.sensed is None:
        raise Refused("sources", "sensor-silent")
    if table.sensed != round.outcome:
        assert round.outcome is not None
        raise Refused("sources", "differ", entered=round.outcome, sensed=table.sensed)


def decide_result(table: Table, command: m.DecideResult) -> Events:
    check_phase(table, command, "entered")
    round = open_round(table)
    if table.decided or table.sensed == round.outcome or not (table.setup.two_sources or table.sensed):
        raise Refused("sources", "agree")
    outcome = table.book.space.parse(command.outcome)
    if outcome not in (round.outcome, table.sensed):
        raise Refused("sources", "third", outcome=outcome)
    decided = m.ResultDecided(command.by, command.at, outcome, command.reason)
    return [decided, *announced(table, command, outcome, "entered")]


def amend(table: Table, command: m.AmendResult) -> Events:
    part = irregularity_with(table, "amend-result")
    check_phase(table, command, "entered", part.clause)
    outcome = table.book.space.parse(command.outcome)
    old = open_round(table).outcome or ""
    if outcome == old:
        raise Refused("outcome", "entered-already", part.clause, outcome=old)
    amended = m.ResultAmended(command.by, command.at, old, outcome, part.clause)
    return [amended, *announced(table, command, outcome, "entered")]


def confirm(table: Table, command: m.ConfirmResult) -> Events:
    """Check the lit felt and collect; or register the result, collect and pay. Each moment is an event of its own."""
    check_phase(table, command, "entered")
    round = open_round(table)
    _sources_agree(table, round)
    assert round.outcome is not None
    return [*_checked(table, command, round, round.outcome), *_settle(table, command, round, round.outcome)]


def _checked(table: Table, command: AnyCommand, round: Round, outcome: Outcome) -> Events:
    moments = table.book.moments
    if moments is None or moments.checked_clause is None:
        return announced(table, command, outcome, "confirmed")
    return [m.ResultChecked(command.by, command.at, round.number, outcome, moments.checked_clause)]


def _settle(table: Table, command: AnyCommand, round: Round, outcome: Outcome) -> Events:
    """Collect the losing bets, then pay the winning ones. At a live table, payment is a separate act of the Dealer."""
    used = {seat.id for seat in table.seats.values() if seat.short_bets_settled}
    all_fates = fates(round, outcome, table.book.limits, table.layouts, used, table.book.movements)
    words, lit, clause = "", dict[str, tuple[str, ...]](), table.book.announcement.clause
    if (moments := table.book.moments) is not None:
        clause = moments.collected_clause
    else:
        _, words, lit = shown(table.book, {id: table.layouts[id] for id in round.layouts}, outcome)
    losers = m.LosersCollected(command.by, command.at, round.number, outcome, words, lit, all_fates, clause)
    return [losers] if table.live else [losers, *pay(table, command, round, all_fates)]


def pay(table: Table, command: AnyCommand, round: Round, all_fates: tuple[Paid, ...]) -> Events:
    paid = tuple(fate for fate in all_fates if fate.winnings or fate.returned)
    used_once = tuple(
        seat for seat in short_seats(round, table.book.limits) if not table.seats[seat].short_bets_settled
    )
    clause = table.book.moments.paid_clause if table.book.moments else ""
    return [m.WinnersPaid(command.by, command.at, round.number, paid, used_once, clause), *lock_after(table, command)]
