"""Which seats an event changes, and the notices that Players receive of it: a case with its facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from croupier.protocol.notices import NOTICES
from croupier.protocol.terminal import Notice
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact
from croupier.store.journal import Row
from croupier.store.streams.entry import read_loss
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, BetId, SeatId, Share
from croupier.table.state import Table
from croupier.words import notice

_ANSWERED = (m.BetPlaced, m.BetWithdrawn, m.TicketIssued, m.TicketRedeemed)
"""Events that the seat's own answer already shows."""
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


def seats_changed(table: Table, event: AnyEvent) -> Iterable[SeatId]:
    """The seats whose own state an event has changed, but for a seat whose answer shows it."""
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
        case m.LayoutsSet() | m.BookTakenUp():
            return tuple(table.seats)
        case _:
            return ()


def notices_of(event: AnyEvent, boxes: Mapping[BetId, str]) -> Iterator[tuple[SeatId, Notice]]:
    """The notice for each seat concerned, with the boxes of the bets of the round. Sums are by seat, made in one pass
    over the bets."""
    match event:
        case m.RoundVoided():
            for seat, amount in _sums(event.returned).items():
                yield seat, _of_round(event, "void", "round", amount, {"round": event.round, "amount": amount})
        case m.BettingClosed():
            for share in event.cut:
                yield share.seat, _cut(event, share, boxes.get(share.bet, ""))
        case m.ExcessRejected():
            box, amount = boxes.get(event.bet, ""), event.amount
            yield event.seat, _of_bet(event, "rejected", "over-limit", event.bet, amount, box=box, amount=amount)
        case m.ShortBetAdvised():
            box, least = boxes.get(event.bet, ""), event.minimum
            yield event.seat, _of_bet(event, "short", "under-minimum", event.bet, least, box=box, minimum=least)
        case m.BetDecided(reason=""):
            box, amount = event.box, event.returned
            yield event.seat, _of_bet(event, "decided", "terminal-failed", event.bet, amount, box=box, amount=amount)
        case m.BetDecided():
            facts: dict[str, Fact] = {"box": event.box, "reason": event.reason}
            if event.treatment == "return":
                facts["amount"] = event.returned
            yield event.seat, _of_bet(event, "decided", event.treatment, event.bet, event.returned or None, **facts)
        case m.ResultCorrected() | m.SettledRoundVoided():
            yield from _corrected(event)
        case m.TerminalsInterrupted():
            for seat in event.seats:
                yield seat, made(event.at, "interrupted", "terminal", event.clause, {})
        case m.BookTakenUp():
            yield from _of_book(event)


def _of_book(event: m.BookTakenUp) -> Iterator[tuple[SeatId, Notice]]:
    for seat in event.told:
        yield seat, made(event.at, "book", "taken-up", None, {"book": event.id, "round": event.round})
        if seat in event.moved:
            yield seat, made(event.at, "book", "layout-gone", None, {"layout": event.moved[seat]})
            continue
        for layout, boxes in event.gone.items():
            yield seat, made(event.at, "book", "boxes-gone", None, {"layout": layout, "boxes": boxes})


def _cut(event: m.BettingClosed, share: Share, box: str) -> Notice:
    facts: dict[str, Fact] = {"bet": share.bet, "box": box, "amount": share.amount}
    cut = made(event.at, "cut", "out-of-action", share.clause or event.clause, facts)
    return replace(cut, bet=share.bet, amount=share.amount)


def loss_notice(row: Row) -> Notice:
    """The notice to every Player of a table that lost records: one of their bets may be among them."""
    return made(row.at, "loss", "records", None, {"row": read_loss(row).reached})


def _corrected(event: m.ResultCorrected | m.SettledRoundVoided) -> Iterator[tuple[SeatId, Notice]]:
    gains: defaultdict[SeatId, int] = defaultdict(int)
    owed: defaultdict[SeatId, int] = defaultdict(int)
    for one in event.reversals:
        gains[one.seat] += one.new.winnings + one.new.returned - one.old.winnings - one.old.returned
        owed[one.seat] += one.owed
    for seat in dict.fromkeys((*event.told, *gains)):
        gain = gains[seat]
        facts: dict[str, Fact] = {"round": event.round, "reason": event.reason, "owed": max(0, owed[seat])}
        if gain:
            facts["amount"] = abs(gain)
        if isinstance(event, m.ResultCorrected):
            facts["outcome"] = event.outcome
        how = "again" if isinstance(event, m.ResultCorrected) else "void"
        case = f"{how}-gain" if gain > 0 else f"{how}-loss" if gain < 0 else f"{how}-same"
        yield seat, _of_round(event, "corrected", case, Cents(gain), facts)


def _sums(shares: Iterable[Share]) -> dict[SeatId, Cents]:
    sums: dict[SeatId, Cents] = {}
    for share in shares:
        sums[share.seat] = Cents(sums.get(share.seat, 0) + share.amount)
    return sums


def _of_round(
    event: m.RoundVoided | m.ResultCorrected | m.SettledRoundVoided,
    kind: str,
    case: str,
    amount: Cents,
    facts: Mapping[str, Fact],
) -> Notice:
    return replace(made(event.at, kind, case, event.clause, facts), round=event.round, amount=amount)


def _of_bet(
    event: m.ExcessRejected | m.ShortBetAdvised | m.BetDecided,
    kind: str,
    case: str,
    bet: BetId,
    amount: Cents | None,
    /,
    **facts: Fact,
) -> Notice:
    return replace(made(event.at, kind, case, event.clause, {"bet": bet, **facts}), bet=bet, amount=amount)


def made(at: int, kind: str, case: str, clause: str | None, facts: Mapping[str, Fact]) -> Notice:
    """A notice of a declared case, with the English sentence for terminals without a catalogue."""
    declared = NOTICES[kind][case]
    assert facts.keys() == declared.keys(), f"{kind} {case}: {sorted(facts)}, not {sorted(declared)}"
    return Notice(at, kind, f"{notice(kind, case, facts, clause)}.", clause=clause, case=case, facts=dict(facts))
