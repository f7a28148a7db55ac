"""Decisions about rounds that are over: correcting a result, and voiding rounds afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from croupier.rules import schema
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.checks import Events, check_fits, irregularity_in
from croupier.table.irregularities import void
from croupier.table.limits import fates, returning_clause, void_paid
from croupier.table.messages import Paid, Reversal, RoundNumber, SeatId
from croupier.table.state import PastRound, Table


def correct(table: Table, command: m.CorrectResult) -> Events:
    law = table.law_of(command.round)  # the law under which it was played, whatever is in force now
    part = irregularity_in(law.book, "wrong-result-settled")
    past = _settled_round(table, command.round, part.clause)
    outcome = law.book.space.parse(command.outcome)
    if outcome == past.outcome:
        raise Refused("outcome", "settled-already", part.clause, round=past.number, outcome=outcome)
    book = law.book
    paid = fates(past.round, outcome, book.limits, law.layouts, past.round.used_before, book.movements)
    reversals = _reversals(_Money(table), past, paid)
    seats = tuple(dict.fromkeys(reversal.seat for reversal in reversals))
    return [
        m.ResultCorrected(command.by, command.at, past.number, outcome, reversals, command.reason, part.clause, seats)
    ]


def void_rounds(table: Table, command: m.VoidRounds) -> Events:
    rounds = dict.fromkeys(command.rounds)
    parts = {number: _cause(table, command, number) for number in rounds or (table.round_number,)}
    if not rounds:
        raise Refused("round", "not-named", parts[table.round_number].clause)
    events: Events = []
    money = _Money(table)
    if table.round and table.round.number in rounds:
        part = parts[table.round.number]
        check_fits(table, part)  # refused during settlement: the Dealer pays first
        events += void(table, command, part)
        for seat in table.seats.values():  # the stakes that the open round gives back can pay for the other rounds
            money.credit[seat.id] += seat.held
    for number, part in parts.items():
        if table.round and number == table.round.number:
            continue
        past = _settled_round(table, number, part.clause)
        clause = returning_clause(table.law_of(number).book.movements, part.clause)
        paid = tuple(void_paid(bet, clause) for bet in past.round.bets.values() if bet.stake)
        reversals = _reversals(money, past, paid)
        seats = tuple(dict.fromkeys(reversal.seat for reversal in reversals))
        events.append(
            m.SettledRoundVoided(command.by, command.at, number, part.id, reversals, command.reason, part.clause, seats)
        )
    return events


def _cause(table: Table, command: m.VoidRounds, number: RoundNumber) -> schema.Irregularity:
    """The irregularity in the book of a round, if the law of that round lets it be void afterwards."""
    law = table.law_of(number)
    part = irregularity_in(law.book, command.irregularity)
    if part.consequence != "void-affected-rounds":
        raise Refused("irregularity", "not-past", part.clause, irregularity=part.id)
    if law.reads("void-from-discovery") and command.rounds:
        raise Refused("round", "from-discovery", part.clause)
    return part


def _settled_round(table: Table, number: RoundNumber, clause: str) -> PastRound:
    past = table.past.get(number)
    if past is None:
        raise Refused("round", "not-settled", clause, round=number)
    if past.void_clause:
        raise Refused("round", "void-already", clause, round=number, by=past.void_clause)
    return past


class _Money:
    """Credit and debt of the seats while one command settles rounds again."""

    def __init__(self, table: Table) -> None:
        # A seat that the table has forgotten left with no credit and no debt.
        self.credit = defaultdict(int, {seat.id: int(seat.credit) for seat in table.seats.values()})
        self.owes = defaultdict(int, {seat.id: int(seat.owes) for seat in table.seats.values()})

    def settle(self, seat: SeatId, gain: int) -> int:
        """Apply a gain or a loss to a seat, and return the change of its debt. No balance goes below zero.

        A gain first pays what the seat owes, a loss first takes its credit.
        """
        owed = -min(gain, self.owes[seat]) if gain > 0 else max(0, -gain - self.credit[seat])
        self.owes[seat] += owed
        self.credit[seat] += gain + owed
        return owed


def _reversals(money: _Money, past: PastRound, new: Iterable[Paid]) -> tuple[Reversal, ...]:
    """Settle a past round again, bets with gains first, so that the gains of a seat pay for its losses."""
    pairs = [(past.paid[paid.bet], paid) for paid in new]
    pairs.sort(key=lambda pair: _to_seat(pair[0]) - _to_seat(pair[1]))
    return tuple(
        Reversal(old.bet, old.seat, old, paid, Cents(money.settle(old.seat, _to_seat(paid) - _to_seat(old))))
        for old, paid in pairs
    )


def _to_seat(paid: Paid) -> int:
    return paid.winnings + paid.returned
