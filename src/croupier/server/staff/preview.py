"""Shows what an act would do before it is done: the engine decides, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from croupier.rules.money import Cents
from croupier.rules.refusal import as_refused
from croupier.server.staff.commands import COMMANDS, Preparation
from croupier.server.staff.guard import CONSOLE, RateLimit
from croupier.server.staff.inputs import GivenAtTable
from croupier.server.staff.public import TableAsked
from croupier.server.staff.router import Router, StaffCall
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, Paid, SeatId, Share
from croupier.table.state import Round, Table

MOST_LINES = 200


class PreviewedBet(msgspec.Struct, frozen=True):
    """What one bet would get; `before` is what it got already, if it was settled before."""

    seat: SeatId
    box: str
    stake: Cents
    collected: Cents
    winnings: Cents
    returned: Cents
    before: Cents | None
    clause: str


class ActPreview(msgspec.Struct, frozen=True):
    """What would happen. Sums are over all bets; only the first lines are listed."""

    two: bool
    """A second person would have to agree first."""
    void: str | None
    """The clause by which a round would be void."""
    lock: str | None
    words: str
    """The words that would be called."""
    outcome: str | None
    lit: dict[str, tuple[str, ...]]
    collected: Cents
    winnings: Cents
    returned: Cents
    owed: Cents
    """What Players would owe beyond their credit."""
    told: int
    """How many Players would get a notice."""
    lines: tuple[PreviewedBet, ...]
    lines_in_all: int


def preview_routes(router: Router) -> None:
    context, prepare, pace = router.context, Preparation(router.context), RateLimit(*COMMANDS)

    @router.post("/api/tables/{table}/rehearsal", CONSOLE, statuses=(409, 429))
    async def rehearsed(call: StaffCall, asked: TableAsked, given: GivenAtTable) -> ActPreview:
        """What a command would do if it were given now. Nothing happens, and nothing is written."""
        pace.take(call.someone)
        live = context.live(asked.table)
        with live.recorder.previewed(prepare.at_table(live, call, given)) as preview:
            if (no := preview.entry.refused) is not None:
                raise as_refused(no)
            return preview_of(live.table, preview.entry.events, two=preview.two)


def preview_of(table: Table, events: Sequence[AnyEvent], *, two: bool) -> ActPreview:
    """The consequences of these events, for the person who may give the command."""
    lines = [line for event in events for line in _lines(table, event)]
    seats = {seat for event in events for seat in getattr(event, "told", ())}
    shown = next((event for event in events if isinstance(event, m.ResultAnnounced | m.LosersCollected)), None)
    reversals = [one for event in events for one in getattr(event, "reversals", ())]
    return ActPreview(
        two,
        next((event.clause for event in events if isinstance(event, m.RoundVoided | m.SettledRoundVoided)), None),
        next((event.clause for event in events if isinstance(event, m.TableLocked)), None),
        next((words for event in events if (words := getattr(event, "words", ""))), ""),
        shown.outcome if shown else None,
        shown.lit if shown else {},
        Cents(sum(line.collected for line in lines)),
        Cents(sum(line.winnings for line in lines)),
        Cents(sum(line.returned for line in lines)),
        Cents(sum(one.owed for one in reversals)),
        len(seats),
        tuple(sorted(lines, key=lambda line: -(line.winnings + line.returned))[:MOST_LINES]),
        len(lines),
    )


def _lines(table: Table, event: AnyEvent) -> Iterator[PreviewedBet]:
    match event:
        case m.LosersCollected():
            yield from (_paid(table.round, one, None) for one in event.fates)
        case m.WinnersPaid() if table.phase == "settling":  # one act with the result: its fates are listed already
            yield from (_paid(table.round, one, None) for one in event.paid)
        case m.RoundVoided():
            yield from (_returned(table.round, one, event.clause) for one in event.returned)
        case m.ResultCorrected() | m.SettledRoundVoided():
            past = table.past[event.round].round
            for one in event.reversals:
                yield _paid(past, one.new, Cents(one.old.winnings + one.old.returned))
        case _:
            return


def _paid(round: Round | None, paid: Paid, before: Cents | None) -> PreviewedBet:
    assert round is not None
    bet = round.bets[paid.bet]
    got = (paid.collected, paid.winnings, paid.returned)
    return PreviewedBet(paid.seat, bet.box, bet.stake, *got, before, paid.clause)


def _returned(round: Round | None, share: Share, clause: str) -> PreviewedBet:
    assert round is not None
    bet = round.bets[share.bet]
    return PreviewedBet(share.seat, bet.box, bet.stake, Cents(0), Cents(0), share.amount, None, clause)
