"""A past round prepared for replay on its felt: step by step and bet by bet, with every clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from croupier.paper.report import Proof, round_pdf
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact, RefusedAs
from croupier.rules.rulebook import Device
from croupier.rules.statement import Statement, with_texts_changed
from croupier.store.checkpoint import Checkpoint
from croupier.store.journal import Store, row_at
from croupier.store.rounds import (
    RoundFound,
    bet_line,
    explain_round,
    find_round,
    hidden,
    report_of,
    sums_of,
    why,
    without_numbers,
)
from croupier.table import messages as m
from croupier.table.command_statement import command_statement
from croupier.table.messages import AnyEvent, BetId, Limits, RoundNumber, SeatId
from croupier.table.state import TRANSITIONS, LaidBet, Phase
from croupier.table.view import shown
from croupier.transcript.play import Turn, write
from croupier.transcript.story import statements, text_of
from croupier.words import refusal


class Chip(msgspec.Struct, frozen=True):
    """The stake of a bet that is on the felt after a step; 0 if it is gone."""

    bet: BetId
    seat: SeatId
    box: str
    layout: str
    amount: Cents


class StepRefused(msgspec.Struct, frozen=True):
    reason: str
    message: str
    clause: str | None
    case: str
    facts: dict[str, Fact]

    @classmethod
    def of(cls, no: RefusedAs) -> StepRefused:
        return cls(no.reason, refusal(no), no.clause, no.case, dict(no.facts))


class Step(msgspec.Struct, frozen=True):
    """One act of a round, and the felt after it."""

    row: int
    at: int
    by: str
    act: str
    told: Statement
    statements: tuple[Statement, ...]
    refused: StepRefused | None
    phase: Phase
    chips: tuple[Chip, ...]
    """Only those that changed."""
    says: str
    """The words that were called."""
    shown: tuple[str, ...]
    """The faces or the number, as far as they are entered."""
    lit: dict[str, tuple[str, ...]]
    """The areas that light up with this step, by layout; an empty list if they go dark."""
    events: tuple[AnyEvent, ...]


class ReplayedBet(msgspec.Struct, frozen=True):
    """A bet and its fate, explained with its clause."""

    bet: BetId
    seat: SeatId
    box: str
    layout: str
    stake: Cents
    by: str
    collected: Cents
    winnings: Cents
    returned: Cents
    fate: Statement
    clause: str
    why: Statement
    sums: tuple[Statement, ...]
    """Every movement of its money, with its clause."""


class ReplayedRound(msgspec.Struct, frozen=True):
    """A whole round, after every correction."""

    table: str
    round: RoundNumber
    title: str
    device: Device
    rulebook: str
    rulebook_hash: str
    layouts: tuple[str, ...]
    limits: Limits
    opened: int
    ended: int
    outcome: str | None
    words: str
    void_clause: str | None
    lit: dict[str, tuple[str, ...]]
    bets: tuple[ReplayedBet, ...]
    steps: tuple[Step, ...]
    corrections: tuple[Step, ...]
    transcript: str
    rows: tuple[int, int]
    """The first and the last row of the round in the journal."""
    hash: str
    """The hash of the last row."""


class BetStory(msgspec.Struct, frozen=True):
    """Everything that happened to one bet, with the clauses, as statements and in English."""

    bet: str
    statements: tuple[Statement, ...]
    sentences: tuple[str, ...]


def replay_round(store: Store, table: str, number: int) -> ReplayedRound:
    """A round from the journal. Refused if it does not exist or is not over."""
    found = find_round(store, table, number)
    past, book = found.past, found.evening.table.book
    sums = sums_of(found)
    felt, result = _Felt(found), shown(book, {id: book.layout(id) for id in past.round.layouts}, past.outcome)
    return ReplayedRound(
        table,
        past.number,
        book.identity.title,
        book.device,
        book.id,
        past.round.rulebook_hash,
        past.round.layouts,
        past.round.limits,
        found.opened,
        found.ended,
        past.outcome,
        result.words,
        past.void_clause,
        result.lit,
        tuple(_bet(found, bet, sums.of(bet)) for bet in past.round.bets.values()),
        tuple(felt.steps(found.evening.turns)),
        tuple(felt.steps(found.corrections)),
        without_numbers(write(found.evening)),
        (found.first, found.last),
        row_at(store, table, found.last).hash.hex(),
    )


def bet_story(store: Store, table: str, number: int, bet: str) -> BetStory:
    lines = explain_round(find_round(store, table, number), bet)
    return BetStory(bet, tuple(line.says for line in lines), tuple(text_of(lines)))


def print_round(store: Store, table: str, number: int, knowing: Callable[[str, int], Iterator[Checkpoint]]) -> bytes:
    """The report of a round as PDF, with its proof: `knowing` finds the checkpoints that cover a row."""
    found = find_round(store, table, number)
    last = row_at(store, table, found.last)
    proof = [Proof("last-row", str(last.seq)), Proof("row-hash", last.hash.hex())]
    mark = next(knowing(table, found.last), None)
    if mark is not None:
        seq, hash = mark.heads[table]
        proof += [Proof("checkpoint-row", str(seq)), Proof("checkpoint-hash", hash), Proof("signature", mark.signature)]
    return round_pdf(report_of(found, tuple(proof)))


def _bet(found: RoundFound, bet: LaidBet, sums: tuple[Statement, ...]) -> ReplayedBet:
    line = bet_line(found, bet, sums)
    paid = found.past.paid.get(bet.id) or found.past.round.returned.get(bet.id)
    nothing = Cents(0)
    got = (paid.collected, paid.winnings, paid.returned) if paid else (nothing, nothing, nothing)
    if paid is None and found.past.void_clause:
        got = (nothing, nothing, bet.stake)
    explained, place = why(found, bet), (bet.id, bet.seat, line.box, bet.layout)
    return ReplayedBet(*place, line.stake, bet.by, *got, line.fate, line.clause, explained, sums)


class _Felt:
    """The felt during a replay: the chips on it, and the phase."""

    def __init__(self, found: RoundFound) -> None:
        self._book = found.evening.table.book
        self._layouts = {id: self._book.layout(id) for id in found.past.round.layouts}
        self._order = found.evening.table.order
        self._phase: Phase = "ready"
        self._before: Phase = "ready"
        self._chips: dict[str, Chip] = {}
        self._shown: tuple[str, ...] = ()

    def steps(self, turns: Iterable[Turn]) -> Iterator[Step]:
        for turn in turns:
            before = dict(self._chips)
            says, lit = "", dict[str, tuple[str, ...]]()
            for event in turn.events:
                self._apply(event)
                says = getattr(event, "words", "") or says
                lit = self._lights(event) or lit
            no = turn.refused
            yield Step(
                turn.line,
                turn.command.at,
                turn.command.by,
                type(turn.command).__name__,
                with_texts_changed(command_statement(turn.command, self._order), without_numbers),
                tuple(hidden(one) for event in turn.events for one in statements(event)),
                StepRefused.of(no) if no else None,
                self._phase,
                tuple(chip for id, chip in self._chips.items() if before.get(id) is not chip),
                says,
                self._shown,
                lit,
                tuple(_hidden(event) for event in turn.events),
            )
            self._chips = {id: chip for id, chip in self._chips.items() if chip.amount}

    def _lights(self, event: AnyEvent) -> dict[str, tuple[str, ...]]:
        match event:
            case m.ResultAnnounced() | m.LosersCollected():
                return event.lit
            case m.ResultCorrected():
                return shown(self._book, self._layouts, event.outcome).lit
            case m.RoundVoided() | m.SettledRoundVoided():
                return dict.fromkeys(self._layouts, ())
            case _:
                return {}

    def _apply(self, event: AnyEvent) -> None:
        match event:
            case m.BetPlaced():
                self._chips[event.bet] = Chip(event.bet, event.seat, event.box, event.layout, event.stake)
            case m.BetWithdrawn() | m.ExcessRejected():
                self._take(event.bet, event.amount)
            case m.BettingClosed():
                for share in event.cut:
                    self._take(share.bet, share.amount)
            case m.BetDecided():
                self._take(event.bet, event.returned)
                if event.bet in self._chips:
                    self._chips[event.bet] = msgspec.structs.replace(self._chips[event.bet], box=event.box)
            case m.LosersCollected():
                for paid in event.fates:
                    self._take(paid.bet, paid.collected)
            case m.WinnersPaid() | m.RoundVoided():
                for bet in tuple(self._chips):
                    self._take(bet, self._chips[bet].amount)
            case m.KeyPressed():
                self._shown = (*self._shown, event.face)[-3:]
            case m.ResultEntered() | m.ResultAmended() | m.ResultDecided() | m.ResultCorrected():
                self._shown = tuple(event.outcome.split("-"))
            case _:
                pass
        self._move_on(event)

    def _take(self, bet: str, amount: int) -> None:
        chip = self._chips.get(bet)
        if chip is not None and amount:
            self._chips[bet] = msgspec.structs.replace(chip, amount=Cents(chip.amount - amount))

    def _move_on(self, event: AnyEvent) -> None:
        match event:
            case m.Interrupted():
                self._before, self._phase = self._phase, "interrupted"
            case m.Resumed():
                self._phase = self._before
            case m.ResultEntered():
                self._phase = "entered"
            case m.RoundVoided():
                self._phase = "ready"
            case _:
                moves = TRANSITIONS[self._order].get(self._phase, {})
                self._phase = moves.get(type(event).__name__, self._phase)


def _hidden(event: AnyEvent) -> AnyEvent:
    """An event with the number of its ticket hidden: the whole number of a live ticket would redeem it."""
    if isinstance(event, m.TicketIssued | m.TicketRedeemed):
        return msgspec.structs.replace(event, ticket=without_numbers(event.ticket))
    return event
