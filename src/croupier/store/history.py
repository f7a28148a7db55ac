"""The past of a stream: the state before any row or round, rounds that are over, and whole evenings."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from croupier.rules.bad_input import Unreadable
from croupier.rules.findings import BadRow, found
from croupier.rules.refusal import Refused, as_refused
from croupier.store.journal import GENESIS, LAST, Place, Row, Snapshot, Store, hash_of, read_rows, row_after, row_at
from croupier.store.streams.entry import StateKept, is_read
from croupier.store.streams.stream import Recall, Subject
from croupier.store.streams.subjects import digest, entries, first_subject, grown, restored
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.evolve import correct, evolve
from croupier.table.messages import RoundNumber
from croupier.table.state import PastRound
from croupier.transcript.play import Evening, Turn
from croupier.wire import decode

ARCHIVED: Final = "archived"
"""The reason of a refusal of what needs rows in an archive that is not here."""


class Untrue(BadRow):
    """A row that is not what it should be."""


class Start(NamedTuple):
    """A subject as it stood after a row."""

    subject: Subject
    place: Place
    at: int
    size: int
    """Of the snapshot it was made from, in bytes."""


def start(store: Store, stream: str, round: int = LAST) -> Start:
    """The state to begin with: that of the newest snapshot, or of the newest one before a round began."""
    snapshot = store.snapshot(stream, round)
    while snapshot is not None:
        row = row_after(store, stream, snapshot.seq - 1)
        if row is None or row.kind != StateKept.__name__ or is_read(stream, read_kept(row).version):
            break
        snapshot = store.snapshot(stream, round, snapshot.seq - 1)
    first = row_after(store, stream, snapshot.seq - 1 if snapshot else 0)
    if first is None:
        raise Refused("table", "not-here", table=stream, known=tuple(store.streams()))
    if snapshot is None and first.seq > 1:
        raise Refused(ARCHIVED, "rows-before", table=stream, row=first.seq)
    _check_first(store, stream, first)
    subject = from_snapshot(snapshot, first) if snapshot else first_subject(first)
    return Start(subject, Place(first.seq, first.hash), first.at, len(snapshot.body) if snapshot else 0)


def _check_first(store: Store, stream: str, first: Row) -> None:
    """Untrue, if the first row to be read does not fit the one before it, where that one can be read."""
    before = GENESIS.hash
    if first.seq > 1:
        earlier = row_after(store, stream, first.seq - 2)
        if earlier is None or earlier.seq == first.seq:
            return  # the row before is in an archive that is not here
        before = earlier.hash
    if first.hash != hash_of(first, before):
        raise Untrue(first.seq, found("row", "hash"))


def from_snapshot(snapshot: Snapshot, row: Row) -> Subject:
    """The state that a row vouches for by its digest."""
    if (row.seq, row.kind) != (snapshot.seq, StateKept.__name__):
        raise Untrue(snapshot.seq, found("row", "snapshot-without-row"))
    kept = read_kept(row)
    with contextlib.suppress(Unreadable):
        state = grown(snapshot.body)
        if (digest(state), snapshot.round) == (kept.digest, kept.round):
            return restored(state)
    raise Untrue(row.seq, found("row", "snapshot-other"))


_kept = msgspec.json.Decoder(StateKept)


def read_kept(row: Row) -> StateKept:
    return decode(_kept, row.body, f"row {row.seq} of {row.stream}")


def rows_after(store: Store, stream: str, place: Place) -> Iterator[Row]:
    """The rows after a place, each checked to follow the one before."""
    return following(read_rows(store, stream, place.seq), place)


def following(rows: Iterable[Row], place: Place) -> Iterator[Row]:
    """Rows, each checked to follow the one before, and the first of them a place."""
    seq, before = place
    for row in rows:
        if row.seq != seq + 1:
            raise Untrue(seq + 1, found("row", "follows", next=row.seq))
        if row.hash != hash_of(row, before):
            raise Untrue(row.seq, found("row", "hash"))
        seq, before = row.seq, row.hash
        yield row


def checked_row(store: Store, stream: str, seq: int) -> Row:
    """One row, which must fit the row before it."""
    row = row_at(store, stream, seq)
    if row.hash != hash_of(row, row_at(store, stream, seq - 1).hash if seq > 1 else GENESIS.hash):
        raise Untrue(seq, found("row", "hash"))
    return row


def recaller(store: Store, stream: str) -> Recall:
    """A function that finds the old rounds of a stream."""
    return lambda number, row: past_round(store, stream, number, row)


def past_round(store: Store, stream: str, number: RoundNumber, before: int = LAST) -> PastRound | None:
    """A round that is over, as it stands after every correction of it before a row."""
    subject, place, *_ = start(store, stream, number)
    assert isinstance(subject, TableSubject)
    table, last = subject.table, place.seq
    if number not in table.past:
        for row, entry in entries(subject, rows_after(store, stream, place)):
            if row.seq >= before:
                return None
            if entry is not None:
                if entry.refused is None:
                    subject.recall(entry.command, row.seq, recaller(store, stream))
                subject.apply(entry, row.transfers)
            last = row.seq
            if number in table.past:
                break
    past = table.past.get(number)
    if past is None:
        return None
    for seq in store.corrections(stream, last):
        if seq >= before:
            break
        for event in subject.read(checked_row(store, stream, seq)).events:
            if isinstance(event, m.ResultCorrected | m.SettledRoundVoided) and event.round == number:
                correct(past, event)
    return past


def missing_rows(store: Store, stream: str) -> Refused | None:
    """Why the first rows of a stream cannot be read, if they are in an archive that is not here."""
    first = row_after(store, stream, 0)
    if first is None or first.seq == 1:
        return None
    return Refused(ARCHIVED, "rows-before", table=stream, row=first.seq)


def evening_of(store: Store, stream: str) -> Evening:
    """The whole evening of a table, by its rows: to be written as a transcript or a story."""
    rows = read_rows(store, stream)
    first = next(rows, None)
    if first is None:
        raise Refused("table", "not-here", table=stream, known=tuple(store.streams()))
    if missing := missing_rows(store, stream):
        raise missing
    subject = first_subject(first)
    if not isinstance(subject, TableSubject):
        raise Refused("table", "no-table", table=stream)
    evening = Evening(subject.table, dict(subject.table.staff))
    for row, entry in entries(subject, rows):
        if entry is None:
            continue
        no = entry.refused
        turn = Turn(row.seq, entry.command, list(entry.events), list(row.transfers))
        turn.refused = as_refused(no) if no else None
        for event in entry.events:
            evolve(subject.table, event)
        evening.balances.apply(turn.transfers)
        evening.turns.append(turn)
    return evening
