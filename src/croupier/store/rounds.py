"""Rounds that are over: found, explained bet by bet with clauses, printed, searched."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from croupier.ledger import terminal
from croupier.paper.report import BetLine, Proof, RoundReport
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused, as_refused
from croupier.rules.rulebook import Rulebook
from croupier.rules.statement import Line, Statement, cited, state, with_texts_changed
from croupier.store.history import checked_row, past_round, recaller, rows_after, start
from croupier.store.journal import LAST, Row, Store, row_at
from croupier.store.streams.entry import NO_COMMANDS, AnyEntry
from croupier.store.streams.subjects import entries
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import BetId, Paid, RoundNumber
from croupier.table.movements import RoundSums, moved_of
from croupier.table.state import LaidBet, PastRound, PlannedBook, law_after
from croupier.table.tickets import ticket_number
from croupier.transcript.phrases import write_limits
from croupier.transcript.play import CORRECTED_BETWEEN, Evening, Turn, beginning_before
from croupier.transcript.story import story_of


class RoundFound(NamedTuple):
    """A round that is over: the rows from the end of the one before to its own end, and every later correction."""

    subject: TableSubject
    evening: Evening
    """From the end of the round before to the end of this one; its table as it was then."""
    past: PastRound
    """As it is now, after every correction."""
    first: int
    last: int
    opened: int
    """When betting opened, and when the round ended, on the floor's clock."""
    ended: int
    corrections: list[Turn]


def find_round(store: Store, stream: str, number: int) -> RoundFound:
    """Find a round; refused if it is not over or never began."""
    subject, place, at, _ = start(store, stream, number)
    if not isinstance(subject, TableSubject):
        raise Refused("table", "no-table", table=stream)
    if number < 1 or (number < subject.table.next_round and number not in subject.table.past):
        raise Refused("round", "none-so", table=stream, round=number)
    first = place.seq + 1
    turns: list[Turn] = []
    began, head, opened = at, beginning_before(subject.table, at), at
    for row in rows_after(store, stream, place):
        at = row.at
        if row.kind in NO_COMMANDS:
            continue
        entry = subject.read(row)
        subject.recall(entry.command, row.seq, recaller(store, stream))
        subject.apply(entry, row.transfers)
        turns.append(turn_of(row, entry))
        if any(isinstance(event, m.BettingOpened) for event in entry.events):
            opened = row.at
        if number in subject.table.past:
            break
        if ends_round(entry):  # an earlier one: the rows so far are not about this round
            first, turns, began = row.seq + 1, [], row.at
            head = beginning_before(subject.table, began)
    if number not in subject.table.past:
        raise Refused("round", "not-over", table=stream, round=number, next=subject.table.next_round)
    last = turns[-1].line
    if any(isinstance(turn.command, m.CorrectResult | m.VoidRounds) for turn in turns):
        head = [CORRECTED_BETWEEN, *head]
    evening = Evening(subject.table, dict(subject.table.staff), turns=turns, beginning=head, began=began)
    past = past_round(store, stream, RoundNumber(number))
    assert past is not None
    return RoundFound(subject, evening, past, first, last, opened, at, _corrections(store, subject, number, last))


def turn_of(row: Row, entry: AnyEntry) -> Turn:
    no = entry.refused
    refused = as_refused(no) if no else None
    return Turn(row.seq, entry.command, list(entry.events), list(row.transfers), refused)


def ends_round(entry: AnyEntry) -> bool:
    return any(isinstance(event, m.WinnersPaid | m.RoundVoided) for event in entry.events)


def _corrections(store: Store, subject: TableSubject, number: int, after: int) -> list[Turn]:
    found: list[Turn] = []
    for seq in store.corrections(subject.name, after):
        row = checked_row(store, subject.name, seq)
        entry = subject.read(row)
        if any(corrects(event, number) for event in entry.events):
            found.append(turn_of(row, entry))
    return found


def corrects(event: object, number: int) -> bool:
    return isinstance(event, m.ResultCorrected | m.SettledRoundVoided) and event.round == number


# ---- explaining


def explain_round(found: RoundFound, bet: str | None = None) -> list[Line]:
    """What became of the round, and of each bet in it or of one, with their clauses."""
    past, bets = found.past, found.past.round.bets
    if bet is not None and bet not in bets:
        raise Refused("bet", "unknown-in-round", round=past.number, bet=bet, known=tuple(bets))
    return explain_bets(found, list(bets.values()) if bet is None else [bets[BetId(bet)]])


def explain_bets(found: RoundFound, bets: Sequence[LaidBet]) -> list[Line]:
    past, table = found.past, found.evening.table.setup.table
    lines = [Line(state("round-over", round=past.number, table=table, result=result(past)))]
    sums = sums_of(found)
    for bet in bets:
        lines += _bet_story(found, bet, sums)
    if not past.round.bets:
        lines.append(Line(state("round-no-bets")))
    return lines


def sums_of(found: RoundFound) -> RoundSums:
    """Why money moved in the round, bet by bet."""
    law = found.evening.table.law_of(found.past.number)
    return RoundSums(found.past, law.book, law.layouts)


def result(past: PastRound) -> Statement:
    if past.void_clause:
        return state("round-void", past.void_clause)
    return state("round-result", outcome=past.outcome or "")


def _bet_story(found: RoundFound, bet: LaidBet, sums: RoundSums) -> Iterator[Line]:
    seat, box, stake, *_ = bet.placed
    by = "" if bet.by == seat else bet.by
    yield Line(state("round-bet", bet=bet.id, seat=seat, stake=stake, box=box, layout=bet.layout, by=by))
    yield Line(sums.placed(bet), under=True)
    for one in _before_result(found.evening.turns, bet.id, moved_of(found.past.round, bet)):
        yield Line(one, under=True)
    yield Line(why(found, bet), under=True)
    for one in sums.end(bet):
        yield Line(one, under=True)
    for turn in found.corrections:
        for event in turn.events:
            if isinstance(event, m.ResultCorrected | m.SettledRoundVoided):
                for one in _corrected(event, bet.id, found.past.number):
                    yield Line(one, under=True)


def _before_result(turns: Iterable[Turn], bet: str, moved: Iterator[Statement]) -> Iterator[Statement]:
    """What happened to a bet before the result; `moved` has the sums of what moved of it, in order."""
    for event in (event for turn in turns for event in turn.events):
        match event:
            case m.BetWithdrawn() | m.ExcessRejected() if event.bet == bet:
                yield from islice(moved, 1)
            case m.BettingClosed() if any(share.bet == bet for share in event.cut):
                yield from islice(moved, 1)
            case m.ShortBetAdvised() if event.bet == bet:
                yield state("round-advised", event.clause, seat=event.seat, minimum=event.minimum)
            case m.BetDecided() if event.bet == bet:
                how = {"treatment": event.treatment, "box": event.box, "reason": event.reason}
                yield state("round-decided", event.clause, **how)
                yield from islice(moved, 1 if event.returned else 0)


def why(found: RoundFound, bet: LaidBet) -> Statement:
    past, table = found.past, found.evening.table
    paid = past.paid.get(bet.id) or past.round.returned.get(bet.id)
    if past.void_clause and not (paid and paid.returned):
        return state("became-void", past.void_clause)
    if paid is None:
        return state("became-nothing")
    if past.outcome is None or bet.id in past.round.returned:
        return cited(_got(paid), paid.clause)
    explained = table.layouts[bet.layout].explain(bet.box, past.outcome)
    return state("became-explained", paid.clause, explained=explained, got=_got(paid))


def _got(paid: Paid) -> Statement:
    """A bet loses or wins; a part of it may have gone back before."""
    if paid.collected:
        return state("got-lost", collected=paid.collected, returned=paid.returned)
    if paid.winnings:
        return state("got-won", winnings=paid.winnings, returned=paid.returned)
    return state("got-back", returned=paid.returned)


def _corrected(event: m.ResultCorrected | m.SettledRoundVoided, bet: str, number: int) -> Iterator[Statement]:
    for reversal in event.reversals if event.round == number else ():
        if reversal.bet == bet:
            before = reversal.old.winnings + reversal.old.returned
            after = reversal.new.winnings + reversal.new.returned
            how = {"before": before, "after": after, "owed": max(reversal.owed, 0)}
            if isinstance(event, m.ResultCorrected):
                yield state("round-settled-again", event.clause, outcome=event.outcome, reason=event.reason, **how)
            else:
                facts = {"irregularity": event.irregularity, "reason": event.reason}
                yield state("round-voided-again", event.clause, **facts, **how)


# ---- the books of a table


class BookInForce(NamedTuple):
    """A book under which a table has played: its first round, and the row, the moment and the people of the change."""

    book: Rulebook
    round: int
    row: int
    at: int
    correction: bool
    asked_by: str
    approved_by: str


class BooksFound(NamedTuple):
    books: list[BookInForce]
    """The oldest first; the last is in force."""
    planned: PlannedBook | None


_TAKEN_UP = (f'"type":"{m.BookTakenUp.__name__}"'.encode(),)


def books_of(store: Store, stream: str) -> BooksFound:
    """The books of a table, with the rows that took them up; row 0 stands for one in an archive that is not here."""
    subject, place, *_ = start(store, stream)
    if not isinstance(subject, TableSubject):
        raise Refused("table", "no-table", table=stream)
    for row, entry in entries(subject, rows_after(store, stream, place)):
        if entry is not None:
            if entry.refused is None:
                subject.recall(entry.command, row.seq, recaller(store, stream))
            subject.apply(entry, row.transfers)
    table, rows = subject.table, {}
    for seq in store.search(stream, _TAKEN_UP):
        for event in subject.read(row_at(store, stream, seq)).events:
            if isinstance(event, m.BookTakenUp):
                rows[event.round, event.book] = seq
    books = [BookInForce(table.law_of(0).book, 1, 1, 0, False, "", "")]
    for change in table.changes:
        seq = rows.get((change.round, change.book), 0)
        people = (change.asked_by, change.approved_by)
        book = law_after(table, change).book
        books.append(BookInForce(book, change.round, seq, change.at, change.correction, *people))
    return BooksFound(books, table.planned)


# ---- printing


def report_of(found: RoundFound, proof: tuple[Proof, ...], seat: str | None = None) -> RoundReport:
    """A round as a paper for a judge and an auditor; with `seat`, a Player's, with their bets and money only."""
    table, past = found.evening.table, found.past
    identity = table.book.identity
    turns = [*found.evening.turns, *found.corrections]
    bets = [bet for bet in past.round.bets.values() if seat in (None, bet.seat)]
    if seat is not None and not bets:
        raise Refused("seat", "no-bet", table=table.setup.table, seat=seat, round=past.number)
    story = list(story_of(Evening(table, {}, turns=turns))) if seat is None else explain_bets(found, bets)
    account = None if seat is None else terminal(table.setup.table, seat)
    sums = sums_of(found)
    return RoundReport(
        table=table.setup.table,
        round=past.number,
        rulebook=identity.title,
        rulebook_id=table.book.id,
        rulebook_hash=past.round.rulebook_hash,
        layouts=", ".join(past.round.layouts),
        began=found.opened,
        ended=found.ended,
        time_zone=identity.time_zone or "UTC",
        limits=tuple(write_limits(past.round.limits)),
        result=result(past),
        bets=tuple(bet_line(found, bet, sums.of(bet)) for bet in bets),
        story=tuple(line._replace(says=hidden(line.says)) for line in story[1:]),
        money=tuple(
            (without_numbers(one.source), without_numbers(one.target), one.amount, one.reason)
            for turn in turns
            for one in turn.transfers
            if account in (None, one.source, one.target)
        ),
        proof=proof,
    )


_NUMBER = re.compile(r"(?<!\d)\d(?:[- ]?\d){17}(?!\d)")
"""The number of a ticket, with or without its hyphens and spaces."""


def without_numbers(text: str) -> str:
    """A text with only the last four digits of ticket numbers: a reader could redeem a ticket by its number."""
    return _NUMBER.sub(lambda found: "*" * 14 + re.sub("[- ]", "", found[0])[-4:], text)


def hidden(one: Statement) -> Statement:
    return with_texts_changed(one, without_numbers)


def with_stand_ins(text: str) -> str:
    """A transcript with invented ticket numbers, in order: it needs some to be played again, but not the real ones."""
    known: dict[str, str] = {}

    def stand_in(found: re.Match[str]) -> str:
        return known.setdefault(re.sub("[- ]", "", found[0]), ticket_number(len(known) + 1))

    return _NUMBER.sub(stand_in, text)


def bet_line(found: RoundFound, bet: LaidBet, sums: tuple[Statement, ...]) -> BetLine:
    seat, box, stake, *_ = bet.placed
    paid = found.past.paid.get(bet.id) or found.past.round.returned.get(bet.id)
    void = found.past.void_clause
    if paid is None:
        became = state("became-returned" if void else "became-off-table")
        return BetLine(bet.id, seat, box, Cents(stake), became, sums[-1].clause or void or "", sums)
    return BetLine(bet.id, seat, bet.box, Cents(stake), _got(paid), paid.clause, sums)


# ---- searching


class RoundLine(NamedTuple):
    """A round in a list, as it is after every correction."""

    table: str
    round: int
    at: int
    outcome: str
    void_clause: str
    bets: frozenset[str]
    seats: frozenset[str]
    staked: Cents
    paid: Cents
    """Winnings and returned stakes."""
    corrected: bool = False
    row: int = 0
    """The row with which it ended."""


class RoundQuery(NamedTuple):
    """What to search for; an empty field matches everything."""

    seat: str = ""
    bet: str = ""
    outcome: str = ""
    void: bool = False
    corrected: bool = False
    begin: int = 0
    end: int = LAST
    box: str = ""
    """Rounds with a bet on this box."""
    clause: str = ""
    """Rounds in which this clause was applied: to a bet, to the round, or to anything in it."""


_WORDS = tuple(
    f'"type":"{kind.__name__}"'.encode()
    for kind in (m.LosersCollected, m.RoundVoided, m.ResultCorrected, m.SettledRoundVoided)
)


def history(store: Store, tables: Iterable[str], wanted: RoundQuery) -> Iterator[RoundLine]:
    """The rounds of these tables that match, in their order."""
    for table in tables:
        subject = start(store, table).subject
        if not isinstance(subject, TableSubject):
            continue
        lines: dict[int, RoundLine] = {}
        for seq in store.search(table, _WORDS):
            for event in subject.read(row_at(store, table, seq)).events:
                _add_line(lines, table, event, seq)
        found = [line for line in lines.values() if _fits(line, wanted)]
        for field, text in (("box", wanted.box), ("clause", wanted.clause)):
            if text:
                rounds = _rounds_with(store, subject, lines, field, text)
                found = [line for line in found if line.round in rounds]
        yield from found


def _rounds_with(store: Store, subject: TableSubject, lines: dict[int, RoundLine], field: str, text: str) -> set[int]:
    """The rounds with an event that has this field: a row belongs to the round that ends with it or next after it."""
    pattern = f'"{field}":{json.dumps(text, ensure_ascii=False)}'.encode()
    ends = sorted((line.row, number) for number, line in lines.items())
    rows = [row for row, _ in ends]
    rounds: set[int] = set()
    for seq in store.search(subject.name, [pattern]):
        events = subject.read(row_at(store, subject.name, seq)).events
        for event in events:
            if pattern in msgspec.json.encode(event):
                place = bisect_left(rows, seq)
                rounds.add(getattr(event, "round", 0) or (ends[place][1] if place < len(ends) else 0))
    return rounds


def _add_line(lines: dict[int, RoundLine], table: str, event: m.AnyEvent, row: int) -> None:
    match event:
        case m.LosersCollected():
            bets, seats = frozenset(one.bet for one in event.fates), frozenset(one.seat for one in event.fates)
            staked = Cents(sum(one.collected + one.returned for one in event.fates))
            paid = Cents(sum(one.winnings + one.returned for one in event.fates))
            line = RoundLine(table, event.round, event.at, event.outcome, "", bets, seats, staked, paid, row=row)
            lines[event.round] = line
        case m.RoundVoided():
            bets = frozenset(one.bet for one in event.returned)
            seats, staked = frozenset(event.told), Cents(sum(one.amount for one in event.returned))
            line = RoundLine(table, event.round, event.at, "", event.clause, bets, seats, staked, staked, row=row)
            lines[event.round] = line
        case m.ResultCorrected() | m.SettledRoundVoided() if event.round in lines:  # else it is in an archive
            line = lines[event.round]
            changed = sum(
                one.new.winnings + one.new.returned - one.old.winnings - one.old.returned for one in event.reversals
            )
            outcome = event.outcome if isinstance(event, m.ResultCorrected) else ""
            void = event.clause if isinstance(event, m.SettledRoundVoided) else ""
            lines[event.round] = line._replace(
                outcome=outcome, void_clause=void, paid=Cents(line.paid + changed), corrected=True
            )
        case _:
            pass


def _fits(line: RoundLine, wanted: RoundQuery) -> bool:
    return (
        wanted.begin <= line.at < wanted.end
        and wanted.outcome in ("", line.outcome)
        and (not wanted.seat or wanted.seat in line.seats)
        and (not wanted.bet or wanted.bet in line.bets)
        and (not wanted.void or bool(line.void_clause))
        and (not wanted.corrected or line.corrected)
    )
