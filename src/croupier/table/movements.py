"""Why money moves: each movement of an event with the clause that moved it and the sum as it was done, as facts.

A movement before settlement is kept in its round when it happens, because the stakes it was reckoned from change
afterwards. What settlement moved follows from the round and the fate of each bet at any later time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import assert_never

from croupier.rules import schema
from croupier.rules.money import Cents, odds_to
from croupier.rules.outcomes import Outcome
from croupier.rules.paytable import Layout
from croupier.rules.rulebook import Rulebook
from croupier.rules.statement import Statement, state
from croupier.table import messages as m
from croupier.table.limits import (
    BoxAtClose,
    Standing,
    boxes_at_close,
    caps,
    returning_clause,
    standings,
    void_paid,
)
from croupier.table.messages import AnyEvent, Paid, Reversal
from croupier.table.state import LaidBet, Movement, PastRound, Round, Table


def movements(table: Table, event: AnyEvent) -> Iterator[Movement]:
    """The movements of money of an event that the table is about to apply."""
    book, kept = table.book, table.book.movements
    match event:
        case m.BetPlaced():
            on_behalf, chips = event.by != event.seat, event.colour_chips
            sum = _placed(book, event.box, event.stake, chips, on_behalf=on_behalf)
            yield Movement(event.bet, event.seat, event.stake, sum)
        case m.BetWithdrawn():
            stake = _open(table).bets[event.bet].stake
            facts = {"amount": event.amount, "stake": stake, "left": stake - event.amount}
            clause = kept.withdrawn_clause if kept else None
            yield Movement(event.bet, event.seat, event.amount, state("sum-withdrawn", clause, **facts))
        case m.ExcessRejected():
            yield Movement(event.bet, event.seat, event.amount, _rejected(table, event))
        case m.BettingClosed():
            yield from _cut(table, event)
        case m.BetDecided() if event.returned:
            yield Movement(event.bet, event.seat, event.returned, _decided(event.returned, event.clause))
        case m.LosersCollected():
            yield from _settled(table, event.fates, Outcome(event.outcome), paying=False)
        case m.WinnersPaid():
            outcome = _open(table).outcome
            assert outcome is not None
            yield from _settled(table, event.paid, outcome, paying=True)
        case m.RoundVoided():
            for share in event.returned:
                yield Movement(share.bet, share.seat, share.amount, _void(book, share.amount, event.clause))
        case m.ResultCorrected() | m.SettledRoundVoided():
            for one in event.reversals:
                yield Movement(one.bet, one.seat, Cents(_gain(one)), _corrected(one, event.clause))
        case m.CreditSold() | m.CreditPaidOut() | m.TicketRedeemed() | m.TicketIssued():
            yield _cash(event.seat, event.amount, type(event).__name__, kept.credit_clause if kept else None)
        case m.CreditGiven() | m.DebtRepaid() | m.DebtWrittenOff():  # the House's own: no clause of a book moves it
            yield _cash(event.seat, event.amount, type(event).__name__, None)
        case m.BankFilled() | m.BankDrained():
            yield _cash("", event.amount, type(event).__name__, None)
        case (
            m.BetDecided()
            | m.TableOpened()
            | m.TableClosed()
            | m.StaffAssigned()
            | m.SeatTaken()
            | m.LayoutChosen()
            | m.SeatLeft()
            | m.ColourGiven()
            | m.ColourTakenBack()
            | m.LimitsSet()
            | m.LayoutsSet()
            | m.BettingOpened()
            | m.ShortBetAdvised()
            | m.MotionStarted()
            | m.MotionEnded()
            | m.Uncovered()
            | m.KeyPressed()
            | m.ResultEntered()
            | m.ResultSensed()
            | m.ResultDecided()
            | m.ResultAmended()
            | m.Reported()
            | m.Decided()
            | m.TableLocked()
            | m.TableUnlocked()
            | m.Interrupted()
            | m.TerminalsInterrupted()
            | m.TerminalsRestored()
            | m.Resumed()
            | m.PowerBack()
            | m.FacesAttested()
            | m.ApprovalRequested()
            | m.ApprovalGiven()
            | m.ApprovalDeclined()
            | m.ReportContradicted()
            | m.ResultAnnounced()
            | m.ResultChecked()
            | m.BookBrought()
            | m.BookPlanned()
            | m.BookTakenUp()
            | m.PlanCancelled()
        ):
            return
        case _:
            assert_never(event)


def _open(table: Table) -> Round:
    assert table.round is not None
    return table.round


# ---- before settlement


def _placed(book: Rulebook, box: str, stake: int, chips: int, *, on_behalf: bool) -> Statement:
    asked = book.play.on_behalf_clause if on_behalf else None
    clause = (asked or book.movements.bet_clause) if book.movements else None
    if not chips:
        return state("sum-placed", clause, amount=stake, box=box)
    return state("sum-placed-chips", clause, amount=stake, box=box, chips=chips, value=stake // chips)


def _rejected(table: Table, event: m.ExcessRejected) -> Statement:
    round = _open(table)
    box = round.bets[event.bet].box
    total = sum(stake for (_, name), stake in round.stakes.items() if name == box)
    most = caps(round, table.book.limits).get(box, Cents(total))
    limit = _limit(round, table.book.limits, box, most)
    return state("sum-rejected", event.clause, amount=event.amount, box=box, total=total, most=most, limit=limit)


def _limit(round: Round, policy: schema.LimitRules, box: str, most: Cents) -> Statement:
    """What sets the most that may be in action in a box: its maximum, or the Differential above the lighter side."""
    if policy.differential is None or most >= round.limits.maximum_of(box):
        return state("sum-limit-maximum", policy.maximum.clause, maximum=most)
    differential = round.limits.differential or Cents(0)
    pair = next(sides for sides in map(str.split, policy.differential.pairs) if box in sides)
    other = next(side for side in pair if side != box)
    facts: dict[str, str | int] = {"other": other, "lighter": most - differential, "differential": differential}
    return state("sum-limit-differential", policy.differential.clause, most=most, **facts)


def _cut(table: Table, event: m.BettingClosed) -> Iterator[Movement]:
    if not event.cut:
        return
    round, book = _open(table), table.book
    boxes = {found.box: found for found in boxes_at_close(round, book.limits, table.layouts)}
    for share in event.cut:
        found = boxes[round.bets[share.bet].box]
        yield Movement(share.bet, share.seat, share.amount, _share(round, book.limits, found, share))


def _share(round: Round, policy: schema.LimitRules, found: BoxAtClose, share: m.Share) -> Statement:
    stake, action = found.stakes[share.seat], found.shared.action[share.seat]
    facts: dict[str, int] = {"amount": share.amount, "stake": stake, "action": action}
    limit, clause = _limit(round, policy, found.box, found.cap), policy.maximum.clause
    if share.seat in found.shared.pinned:
        return state("sum-cut-minimum", clause, **facts, limit=limit)
    ratio = Fraction(found.shared.room, found.shared.total)
    how = "sum-cut" if stake * ratio == action else "sum-cut-rounded"
    return state(how, clause, **facts, part=ratio.numerator, of=ratio.denominator, limit=limit)


def over_at_close(table: Table) -> tuple[str, ...]:
    """The boxes that are over a limit when bets close."""
    found = boxes_at_close(_open(table), table.book.limits, table.layouts)
    return tuple(box for box, stakes, cap, _ in found if sum(stakes.values()) > cap)


# ---- at settlement and after it


class RoundSums:
    """The sums of every bet of a round that is over, as it stands after every correction."""

    def __init__(self, past: PastRound, book: Rulebook, layouts: Mapping[str, Layout]) -> None:
        self._past, self._book, self._layouts = past, book, layouts
        self._standings = standings(past.round, book.limits, past.round.used_before)

    def of(self, bet: LaidBet) -> tuple[Statement, ...]:
        """Everything that moved of a bet, in order."""
        return (self.placed(bet), *moved_of(self._past.round, bet), *self.end(bet))

    def placed(self, bet: LaidBet) -> Statement:
        _, box, stake, _, chips = bet.placed
        return _placed(self._book, box, stake, chips, on_behalf=bet.by != bet.seat)

    def voided(self, bet: LaidBet) -> Paid:
        """What a bet got in a round that was void before a result: the stake that was still on the felt."""
        return void_paid(bet, returning_clause(self._book.movements, self._past.void_clause or ""))

    def end(self, bet: LaidBet) -> Iterable[Statement]:
        """What the end of the round moved."""
        past, paid = self._past, self._past.paid.get(bet.id)
        if past.void_clause:
            amount = paid.returned if paid else bet.stake
            return (_void(self._book, amount, past.void_clause),) if amount else ()
        if paid is None or past.outcome is None:
            return ()
        layout, standing = self._layouts[bet.layout], self._standings[bet.id]
        return settled(past.round, self._book, layout, bet, paid, standing, past.outcome)


def moved_of(round: Round, bet: LaidBet) -> Iterator[Statement]:
    """What moved of a bet before settlement, in order."""
    return (one.sum for one in round.moved if one.bet == bet.id)


def settled(
    round: Round, book: Rulebook, layout: Layout, bet: LaidBet, paid: Paid, standing: Standing, outcome: Outcome
) -> Iterator[Statement]:
    """The sums of what a bet lost, won and got back on an outcome."""
    yield from _collected(round, book, layout, bet, paid, standing, outcome)
    yield from _paid(round, book, layout, bet, paid, standing, outcome)


def _collected(
    round: Round, book: Rulebook, layout: Layout, bet: LaidBet, paid: Paid, standing: Standing, outcome: Outcome
) -> Iterator[Statement]:
    if not paid.collected:
        return
    limit = _standing_as(round, bet, standing)
    if limit is None:
        yield state("sum-lost", paid.clause, amount=paid.collected)
        return
    loses = {part.outcome: part.clause for part in book.movements.loses} if book.movements else {}
    price = loses.get(outcome, layout.box(bet.box).win_clause)
    yield state("sum-lost-limited", paid.clause, amount=paid.collected, price=price, limit=limit)


def _paid(
    round: Round, book: Rulebook, layout: Layout, bet: LaidBet, paid: Paid, standing: Standing, outcome: Outcome
) -> Iterator[Statement]:
    if standing.by == "used-once":
        yield state("sum-used-once", paid.clause, amount=paid.returned, **_against_minimum(round, bet))
        return
    if paid.winnings:
        yield _won(round, layout, bet, paid, standing, outcome)
        yield state("sum-stake", paid.clause, amount=paid.returned - standing.excess)
    if standing.excess:
        over = {"stake": round.stakes[bet.seat, bet.box], "maximum": round.limits.maximum_of(bet.box)}
        yield state("sum-over-maximum", book.limits.maximum.clause, amount=standing.excess, **over)


def _won(round: Round, layout: Layout, bet: LaidBet, paid: Paid, standing: Standing, outcome: Outcome) -> Statement:
    odds, limit = layout.pays(bet.box, outcome), _standing_as(round, bet, standing)
    assert odds is not None
    to, one = odds_to(odds)
    action = bet.stake - standing.excess
    facts: dict[str, str | int] = {"amount": paid.winnings, "action": action, "odds": to, "to": one}
    if limit is None:
        return state("sum-won", paid.clause, **facts)
    return state("sum-won-limited", paid.clause, **facts, price=layout.box(bet.box).odds_clause, limit=limit)


def _standing_as(round: Round, bet: LaidBet, standing: Standing) -> Statement | None:
    """The limit that changed how a bet plays, with its sum."""
    match standing.by:
        case "maximum":
            stake, maximum = round.stakes[bet.seat, bet.box], round.limits.maximum_of(bet.box)
            return state("sum-plays-maximum", stake=stake, maximum=maximum)
        case "once-only":
            return state("sum-plays-once", **_against_minimum(round, bet))
        case "exempt":
            return state("sum-plays-exempt", **_against_minimum(round, bet))
        case "" | "used-once":
            return None
        case _:
            assert_never(standing.by)


def _against_minimum(round: Round, bet: LaidBet) -> dict[str, int]:
    return {"stake": round.stakes[bet.seat, bet.box], "minimum": round.limits.minimum_of(bet.box)}


def _settled(table: Table, fates: Iterable[Paid], outcome: Outcome, *, paying: bool) -> Iterator[Movement]:
    """What the losing bets lose, or what the others get."""
    round, book = _open(table), table.book
    used = {seat.id for seat in table.seats.values() if seat.short_bets_settled}
    found, side = standings(round, book.limits, used), _paid if paying else _collected
    for paid in fates:
        bet = round.bets[paid.bet]
        for one in side(round, book, table.layouts[bet.layout], bet, paid, found[bet.id], outcome):
            amount = one.facts["amount"]
            assert isinstance(amount, int)
            yield Movement(bet.id, bet.seat, Cents(amount), one)


def _void(book: Rulebook, amount: Cents, clause: str) -> Statement:
    return state("sum-void", returning_clause(book.movements, clause), amount=amount, void=clause)


def _decided(amount: Cents, clause: str) -> Statement:
    return state("sum-decided", clause, amount=amount)


def _gain(one: Reversal) -> int:
    return one.new.winnings + one.new.returned - one.old.winnings - one.old.returned


def _corrected(one: Reversal, clause: str) -> Statement:
    before, after = one.old.winnings + one.old.returned, one.new.winnings + one.new.returned
    return state("sum-corrected", clause, amount=_gain(one), before=before, after=after, owed=max(one.owed, 0))


def _cash(seat: str, amount: Cents, event: str, clause: str | None) -> Movement:
    return Movement("", seat, amount, state("sum-cash", clause, amount=amount, event=event))
