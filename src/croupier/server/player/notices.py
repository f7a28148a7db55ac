"""Whom an event concerns, and what a Player must be told of it, in a sentence with its clause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from croupier.protocol.terminal import Notice
from croupier.rules.money import Cents, format_money
from croupier.store.journal import Row
from croupier.store.streams.entry import read_loss
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, SeatId, Share
from croupier.table.state import Table

_ANSWERED = (m.BetPlaced, m.BetWithdrawn, m.TicketIssued, m.TicketRedeemed)
"""What the answer tells to the seat that did it."""
_OF_ONE = (
    *_ANSWERED,
    m.SeatTaken,
    m.LayoutChosen,
    m.SeatLeft,
    m.CreditSold,
    m.CreditPaidOut,
    m.CreditGiven,
    m.DebtRepaid,
    m.DebtWrittenOff,
    m.ColourGiven,
    m.ColourTakenBack,
    m.ExcessRejected,
    m.ShortBetAdvised,
    m.BetDecided,
)


def touched(table: Table, event: AnyEvent) -> Iterable[SeatId]:
    """The seats whose own an event has changed, but for the one that was answered."""
    match event:
        case _ if isinstance(event, _ANSWERED) and event.by == event.seat:
            return ()
        case _ if isinstance(event, _OF_ONE):
            return (event.seat,)
        case m.BettingClosed():
            return {share.seat for share in event.cut}
        case m.LosersCollected():
            return {paid.seat for paid in event.fates}
        case m.WinnersPaid():
            over = table.past.get(event.round)
            return {bet.seat for bet in over.round.bets.values()} if over else {paid.seat for paid in event.paid}
        case m.RoundVoided():
            return event.told
        case m.ResultCorrected() | m.SettledRoundVoided():
            return {*event.told, *(reversal.seat for reversal in event.reversals)}
        case m.TerminalsInterrupted() | m.TerminalsRestored():
            return event.seats
        case m.LayoutsSet():
            return tuple(table.seats)
        case _:
            return ()


def notices(event: AnyEvent) -> Iterator[tuple[SeatId, Notice]]:
    """What each Player concerned must be told: sums for a seat, one pass over the bets."""
    match event:
        case m.RoundVoided():
            for seat, amount in _sums(event.returned).items():
                message = f"Round {event.round} is void: {format_money(amount)} of your stakes went back"
                yield seat, _notice(event, "void", message, event.clause, amount, round=event.round)
        case m.BettingClosed():
            for share in event.cut:
                message = f"{format_money(share.amount)} of bet {share.bet} is out of action and went back"
                yield share.seat, _notice(event, "cut", message, event.clause, share.amount, bet=share.bet)
        case m.ExcessRejected():
            message = f"{format_money(event.amount)} of bet {event.bet} is over the limit and went back"
            yield event.seat, _notice(event, "rejected", message, event.clause, event.amount, bet=event.bet)
        case m.ShortBetAdvised():
            message = f"bet {event.bet} is under the minimum {format_money(event.minimum)}"
            yield event.seat, _notice(event, "short", message, event.clause, event.minimum, bet=event.bet)
        case m.BetDecided():
            message = f"bet {event.bet}: {_DECIDED[event.treatment].format(box=event.box)}, because {event.reason}"
            yield event.seat, _notice(event, "decided", message, event.clause, event.returned or None, bet=event.bet)
        case m.ResultCorrected() | m.SettledRoundVoided():
            yield from _corrected(event)
        case m.TerminalsInterrupted():
            for seat in event.seats:
                message = "this terminal was interrupted; the bets it had registered play"
                yield seat, _notice(event, "interrupted", message, event.clause)


def loss_notice(row: Row) -> Notice:
    """What every Player of a table must be told whose records were lost: a bet of theirs may be among them."""
    message = (
        f"records of this table up to number {read_loss(row).reached} were lost; "
        "a bet or credit that had been registered may be missing, so please speak to the staff"
    )
    return Notice(row.at, "loss", f"{message[0].upper()}{message[1:]}.")


_DECIDED = {"stand": "it stands", "move": "it plays on {box}", "return": "it was returned"}


def _corrected(event: m.ResultCorrected | m.SettledRoundVoided) -> Iterator[tuple[SeatId, Notice]]:
    gains: defaultdict[SeatId, int] = defaultdict(int)
    owed: defaultdict[SeatId, int] = defaultdict(int)
    for one in event.reversals:
        gains[one.seat] += one.new.winnings + one.new.returned - one.old.winnings - one.old.returned
        owed[one.seat] += one.owed
    by = f"settled again by {event.outcome}" if isinstance(event, m.ResultCorrected) else "void"
    for seat in dict.fromkeys((*event.told, *gains)):
        message = f"Round {event.round} is {by}, because {event.reason}: {_gain(gains[seat])}"
        if owed[seat] > 0:
            message += f"; {format_money(owed[seat])} of it is owed"
        yield seat, _notice(event, "corrected", message, event.clause, Cents(gains[seat]), round=event.round)


def _gain(amount: int) -> str:
    if not amount:
        return "nothing changes for you"
    return f"{format_money(abs(amount))} {'come to you' if amount > 0 else 'go back to the House'}"


def _sums(shares: Iterable[Share]) -> dict[SeatId, Cents]:
    sums: dict[SeatId, Cents] = {}
    for share in shares:
        sums[share.seat] = Cents(sums.get(share.seat, 0) + share.amount)
    return sums


def _notice(
    event: m.Event,
    kind: str,
    message: str,
    clause: str,
    amount: Cents | None = None,
    *,
    round: m.RoundNumber | None = None,
    bet: m.BetId | None = None,
) -> Notice:
    return Notice(event.at, kind, f"{message[0].upper()}{message[1:]} ({clause}).", round, bet, amount, clause)
