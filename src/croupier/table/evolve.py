"""Apply events to a table. Asserts, and never refuses. Changes the table in place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never

import msgspec

from croupier.rules.money import Cents
from croupier.rules.outcomes import Outcome
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, AnyEvent, Paid, PersonId, Reversal, SeatId, Share
from croupier.table.movements import movements, over_at_close
from croupier.table.state import (
    NEVER,
    NOTHING,
    TRANSITIONS,
    BookChange,
    Interruption,
    LaidBet,
    Motion,
    PastRound,
    PlannedBook,
    Request,
    Round,
    Seat,
    Table,
    law_after,
)

MOST_UNUSED = 3
"""Books at the table that are neither taken up nor planned."""


def evolve(table: Table, event: AnyEvent) -> None:
    """Apply one event."""
    if type(event) is m.BetPlaced:  # the most frequent by far, and they change no phase
        _place(table, event)
        return
    _apply(table, event)
    following = TRANSITIONS[table.law.book.play.order].get(table.phase)
    if following is not None and (phase := following.get(type(event).__name__)) is not None:
        table.phase = phase


def _first_round(table: Table, seat: m.SeatId) -> m.RoundNumber:
    """The first round of a new Player: the open round, unless the seat's previous Player has bet in it."""
    if table.round is None or any(bet.seat == seat for bet in table.round.bets.values()):
        return table.next_round
    return table.round.number


def _apply(table: Table, event: AnyEvent) -> None:
    match event:
        case m.BetPlaced():
            _place(table, event)
        case m.TableOpened():
            table.open = True
            for seat in table.seats.values():  # once-only (sands 5.15) counts by the session
                seat.short_bets_settled = False
        case m.TableClosed():
            table.open = False
        case m.StaffAssigned():
            table.staff[event.person] = event.roles
        case m.SeatTaken():
            seat = table.seats.setdefault(event.seat, Seat(event.seat, event.layout))
            seat.layout, seat.gone, seat.colour = event.layout, False, None
            seat.connected, seat.since = True, _first_round(table, event.seat)
        case m.LayoutChosen():
            table.seats[event.seat].layout = event.layout
        case m.SeatLeft():
            assert not table.seats[event.seat].credit
            table.seats[event.seat].gone = True
            table.seats[event.seat].colour = None
        case m.CreditSold() | m.TicketRedeemed():
            _credit(table, event.seat, event.amount)
        case m.CreditGiven():
            _credit(table, event.seat, event.amount)
            table.house = Cents(table.house - event.amount)
        case m.CreditPaidOut() | m.TicketIssued():
            _credit(table, event.seat, -event.amount)
        case m.ColourGiven():
            table.seats[event.seat].colour = (event.colour, event.value)
        case m.ColourTakenBack():
            table.seats[event.seat].colour = None
        case m.LimitsSet():
            table.limits = event.limits
        case m.LayoutsSet():
            table.displayed = event.layouts
            if table.round is None:
                _fit_layouts(table)
        case m.BettingOpened():
            assert table.round is None
            table.round = Round(event.round, event.limits, event.layouts, event.rulebook_hash)
            table.next_round = m.RoundNumber(event.round + 1)
        case m.BetWithdrawn():
            table.withdrawals[event.id] = (event.bet, event.amount)
            _remember(table, event)
            _give_back(table, [Share(event.bet, event.seat, event.amount)])
        case m.ExcessRejected():
            _remember(table, event)
            _give_back(table, [Share(event.bet, event.seat, event.amount)])
        case m.BettingClosed():
            _current(table).over_at_close = over_at_close(table)
            _remember(table, event)
            _give_back(table, event.cut)
        case m.MotionStarted():
            table.motion = Motion(started=True)
            _reported(table, "start", event.by)
        case m.MotionEnded():
            table.motion.count = event.count
            _reported(table, "count", event.by)
        case m.KeyPressed():
            table.entry = (*table.entry, event.face)[-3:]
        case m.ResultEntered():
            _current(table).outcome = Outcome(event.outcome)
            table.entry = ()
            table.decided = event.source != "entry"
            table.phase = "entered"
        case m.ResultSensed():
            table.sensed = Outcome(event.outcome)
            table.decided = False
            table.motion.device = event.by
        case m.ResultDecided():
            _current(table).outcome = Outcome(event.outcome)
            table.decided = True
        case m.ResultAmended():
            _current(table).outcome = Outcome(event.outcome)
            table.decided = False
        case m.LosersCollected():
            _collect(table, event)
        case m.WinnersPaid():
            _pay(table, event)
        case m.RoundVoided():
            _void(table, event)
        case m.BetDecided():
            _decide_bet(table, event)
        case m.ResultCorrected() | m.SettledRoundVoided():
            correct(table.past[event.round], event)
            _settle_anew(table, table.past[event.round], event.reversals)
        case m.DebtRepaid():
            _forgive(table, event.seat, event.amount)
        case m.DebtWrittenOff():
            _forgive(table, event.seat, event.amount)
            table.house = Cents(table.house - event.amount)
        case m.BankFilled():
            table.house = Cents(table.house + event.amount)
        case m.BankDrained():
            table.house = Cents(table.house - event.amount)
        case m.TableLocked():
            table.locked = event.clause
            table.lock_after_round = None
        case m.TableUnlocked():
            table.locked = None
        case m.Interrupted():
            table.interruption = Interruption(table.phase, event.at)
            table.phase = "interrupted"
        case m.PowerBack():
            assert table.interruption
            table.interruption.power_back = True
        case m.FacesAttested():
            assert table.interruption
            table.interruption.shown = max(table.interruption.shown, event.shown, key=len)
        case m.Resumed():
            _resume(table, event)
        case m.TerminalsInterrupted():
            _connect(table, event.seats, connected=False)
        case m.TerminalsRestored():
            _connect(table, event.seats, connected=True)
        case m.ApprovalRequested():
            _ask(table, event, event.expires)
        case m.ReportContradicted():
            _ask(table, event, NEVER, event.device)
        case m.ApprovalGiven() | m.ApprovalDeclined():
            del table.requests[event.request]
        case m.BookBrought():
            _bring(table, event)
        case m.BookPlanned():
            table.planned = PlannedBook(
                event.id,
                event.book,
                event.correction,
                event.not_before,
                event.asked_by,
                event.approved_by,
                event.limits,
                event.layouts,
                event.alternatives,
            )
        case m.BookTakenUp():
            _take_up(table, event)
        case m.PlanCancelled():
            table.planned = None
        case m.ResultAnnounced() | m.ResultChecked() | m.Uncovered() | m.ShortBetAdvised() | m.Reported() | m.Decided():
            pass
        case _:
            assert_never(event)


def _current(table: Table) -> Round:
    assert table.round is not None
    return table.round


def _credit(table: Table, seat: SeatId, amount: int) -> None:
    holder = table.seats[seat]
    holder.credit = Cents(holder.credit + amount)
    assert holder.credit >= 0, f"{seat} would have {holder.credit}"


def _forgive(table: Table, seat: SeatId, amount: int) -> None:
    debtor = table.seats[seat]
    debtor.owes = Cents(debtor.owes - amount)
    assert debtor.owes >= 0, f"{seat} would owe {debtor.owes}"


def _place(table: Table, event: m.BetPlaced) -> None:
    round, id, who, box, stake = table.round, event.bet, event.seat, event.box, event.stake
    assert round is not None
    assert id not in round.bets
    seat = table.seats[who]
    assert seat.credit >= stake, f"{who} would have {seat.credit - stake}"
    placed = (who, box, stake, event.round, event.colour_chips)
    chip = Cents(stake // event.colour_chips) if event.colour_chips else NOTHING
    round.bets[id] = LaidBet(id, who, event.layout, box, stake, placed, event.by, chip)
    table.bet_rounds[id] = event.round
    place = (who, box)
    round.stakes[place] = Cents(round.stakes.get(place, 0) + stake)
    seat.credit = Cents(seat.credit - stake)
    seat.held = Cents(seat.held + stake)


def _remember(table: Table, event: AnyEvent) -> None:
    """Keep why money moves before settlement: the stakes that the sum is made of change with it."""
    _current(table).moved.extend(movements(table, event))


def _take_off(table: Table, share: Share) -> None:
    """Take an amount of a bet off the felt."""
    round = _current(table)
    bet = round.bets[share.bet]
    bet.stake = Cents(bet.stake - share.amount)
    assert bet.stake >= 0
    round.stakes[bet.seat, bet.box] = Cents(round.stakes[bet.seat, bet.box] - share.amount)
    seat = table.seats[share.seat]
    seat.held = Cents(seat.held - share.amount)


def _give_back(table: Table, shares: Iterable[Share]) -> None:
    for share in shares:
        _take_off(table, share)
        _credit(table, share.seat, share.amount)


def _collect(table: Table, event: m.LosersCollected) -> None:
    round = _current(table)
    round.outcome = Outcome(event.outcome)
    round.fates = event.fates
    for paid in event.fates:
        seat = table.seats[paid.seat]
        seat.held = Cents(seat.held - paid.collected)
        table.house = Cents(table.house + paid.collected)


def _pay(table: Table, event: m.WinnersPaid) -> None:
    round = _current(table)
    for paid in event.paid:
        seat = table.seats[paid.seat]
        seat.held = Cents(seat.held - paid.returned)
        _credit(table, paid.seat, paid.winnings + paid.returned)
        table.house = Cents(table.house - paid.winnings)
    round.used_before = tuple(seat.id for seat in table.seats.values() if seat.short_bets_settled)
    for id in event.used_once:
        table.seats[id].short_bets_settled = True
    _end(table, PastRound(round.number, round, round.outcome, {paid.bet: paid for paid in round.fates}))


def _void(table: Table, event: m.RoundVoided) -> None:
    # A covered game can be void before betting opens: then the round has a number and nothing in it.
    round = table.round or Round(event.round, table.limits, table.displayed, table.book.hash)
    for share in event.returned:
        seat = table.seats[share.seat]
        seat.held = Cents(seat.held - share.amount)
        _credit(table, share.seat, share.amount)
    table.next_round = m.RoundNumber(event.round + 1)
    _end(table, PastRound(round.number, round, None, {}, event.clause))
    table.phase = "ready"


def _end(table: Table, past: PastRound) -> None:
    table.past[past.number] = past
    table.round = None
    _clear(table)
    _fit_layouts(table)


def _fit_layouts(table: Table) -> None:
    """A seat whose layout is no longer displayed gets the first of those that are."""
    for seat in table.seats.values():
        if seat.layout not in table.displayed:
            seat.layout = table.displayed[0]


def _clear(table: Table) -> None:
    table.motion = Motion()
    table.entry = ()
    table.sensed = None
    table.decided = False
    table.interruption = None
    table.lock_after_round = None


def _decide_bet(table: Table, event: m.BetDecided) -> None:
    round = _current(table)
    bet = round.bets[event.bet]
    if event.returned:
        _remember(table, event)
        round.returned[event.bet] = Paid(event.bet, event.seat, Cents(0), Cents(0), event.returned, event.clause)
        _give_back(table, [Share(event.bet, event.seat, event.returned)])
    elif event.box != bet.box:
        old, new = (bet.seat, bet.box), (bet.seat, event.box)
        round.stakes[old] = Cents(round.stakes[old] - bet.stake)
        round.stakes[new] = Cents(round.stakes.get(new, 0) + bet.stake)
        bet.box = event.box


def correct(past: PastRound, event: m.ResultCorrected | m.SettledRoundVoided) -> None:
    """What a correction changes in the round it corrects."""
    past.paid |= {reversal.bet: reversal.new for reversal in event.reversals}
    if isinstance(event, m.ResultCorrected):
        past.outcome = Outcome(event.outcome)
    else:
        past.outcome, past.void_clause = None, event.clause


def _settle_anew(table: Table, past: PastRound, reversals: Iterable[Reversal]) -> None:
    for reversal in reversals:
        if reversal.seat not in table.seats:  # the Player left long ago: the seat keeps what the correction changes
            layout = past.round.bets[reversal.bet].layout
            kept = layout if layout in table.layouts else table.displayed[0]
            table.seats[reversal.seat] = Seat(reversal.seat, kept, gone=True)
        old, new = reversal.old, reversal.new
        gain = new.winnings + new.returned - old.winnings - old.returned
        _credit(table, reversal.seat, gain + reversal.owed)
        seat = table.seats[reversal.seat]
        seat.owes = Cents(seat.owes + reversal.owed)
        table.house = Cents(table.house - gain)


def _reported(table: Table, what: Literal["start", "count"], by: str) -> None:
    if "device" in table.staff.get(PersonId(by), ()):
        table.motion.reported = (*table.motion.reported, what)
        table.motion.device = by


def _ask(
    table: Table,
    event: m.ApprovalRequested | m.ReportContradicted,
    expires: int,
    device: m.DeviceReport | None = None,
) -> None:
    table.requests = {number: asked for number, asked in table.requests.items() if event.at <= asked.expires}
    command = msgspec.json.decode(event.command, type=AnyCommand)
    round = table.round.number if table.round else None
    table.requests[event.request] = Request(event.request, command, event.digest, expires, round, device)
    table.next_request = event.request + 1


def _bring(table: Table, event: m.BookBrought) -> None:
    """Keep the text of a book. Of books that nobody has taken up or plans to, only the last few are kept."""
    table.books = {**table.books, event.hash: event.text}
    used = {change.book for change in table.changes} | ({table.planned.book} if table.planned else set())
    unused = [hash for hash in table.books if hash not in used]
    for hash in unused[:-MOST_UNUSED]:
        del table.books[hash]


def _take_up(table: Table, event: m.BookTakenUp) -> None:
    assert table.round is None, "a round under way keeps its book"
    people = (event.asked_by, event.approved_by)
    change = BookChange(
        event.round, event.id, event.book, event.old, event.correction, event.at, *people, event.alternatives
    )
    table.changes, table.planned = (*table.changes, change), None
    table.law = law_after(table, change)
    table.limits, table.displayed = event.limits, event.layouts
    _fit_layouts(table)


def _resume(table: Table, event: m.Resumed) -> None:
    struck = table.interruption
    assert struck is not None
    table.interruption = None
    table.phase = struck.was
    match event.act:
        case "start-again":
            table.motion = Motion()
            table.phase = "ready"
        case "attest" | "attest-and-lock":
            table.phase = "rest"
        case _:
            pass
    if event.act.endswith("-and-lock") and event.act != "resume-or-void-and-lock":
        table.lock_after_round = table.book.interruption.clause


def _connect(table: Table, seats: Iterable[SeatId], *, connected: bool) -> None:
    for seat in seats:
        table.seats[seat].connected = connected
