"""Three witnesses, one story: the chain, the replay of every command, and the money; the first lie is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apsw

from croupier.rules.reader import RulebookFaults
from croupier.rules.refusal import Refused
from croupier.store.checkpoint import Checkpoint
from croupier.store.journal import (
    GENESIS,
    Broken,
    Place,
    Reply,
    Row,
    Store,
    TicketEnded,
    TicketMade,
    hash_of,
    read_rows,
)
from croupier.store.recall import ARCHIVED, Untrue, from_snapshot, read_kept, recaller
from croupier.store.subjects import STATE, Recall, StateKept, Subject, digest, first_subject, key_of
from croupier.wire import Unreadable


class Lie(NamedTuple):
    """The first row of a stream that is not what it should be."""

    stream: str
    seq: int
    what: str


class Verdict(NamedTuple):
    rows: int
    streams: int
    checkpoints: int
    tickets: int
    lies: list[Lie]
    archived: dict[str, int]
    """Streams whose first rows are in archives that were not given, and the first row that is here."""


def verify(store: Store, checkpoints: Iterable[Checkpoint] = (), *, rows_only: bool = False) -> Verdict:
    """Check everything there is. Checkpoints must have been found signed by a key one trusts.

    In an archive there are `rows_only`: answers and tickets stay in the store.
    """
    marks = list(checkpoints)
    streams = sorted({*store.streams(), *(stream for mark in marks for stream in mark.heads)})
    lies: list[Lie] = []
    rows, archived, tickets = 0, {}, _Tickets()
    for stream in streams:
        heads = {seq: hash for mark in marks if stream in mark.heads for seq, hash in [mark.heads[stream]]}
        witness = _StreamWitness(store, stream, heads, tickets, rows_only=rows_only)
        try:
            witness.hear_all()
        except (Untrue, Broken) as untrue:
            lies.append(Lie(stream, untrue.seq, untrue.what))
        except (UnicodeDecodeError, OverflowError, apsw.Error) as error:
            lies.append(Lie(stream, witness.rows + 1, f"cannot be read: {error}"))
        rows += witness.rows
        if witness.first > 1:
            archived[stream] = witness.first
    if not lies and not rows_only:
        lies += tickets.lies(store, archived)
    return Verdict(rows, len(streams), len(marks), len(tickets.made), lies, archived)


class Witness:
    """Hears the rows of one stream in their order, and decides every command again."""

    def __init__(self, subject: Subject, place: Place, recall: Recall) -> None:
        self.subject = subject
        self.place = place
        self._recall = recall
        self.replies: list[Reply] = []
        self.tickets: list[TicketMade] = []
        self.ended: list[tuple[TicketEnded, int]] = []
        """Ends of tickets, with the amount that left them."""

    def hear(self, row: Row) -> None:
        """Untrue, if the row is not the next of its stream or not what the book makes of its command."""
        follow(self.place, row)
        try:
            if row.kind == StateKept.__name__:
                self._compare(row)
            else:
                self._decide_again(row)
        except Refused as refused:
            if refused.reason == ARCHIVED:
                raise Refused(ARCHIVED, f"row {row.seq} needs them to be checked: {refused}") from None
            raise Untrue(row.seq, f"cannot be replayed: {refused}") from None
        except (Unreadable, RulebookFaults, AssertionError, KeyError) as error:
            raise Untrue(row.seq, f"cannot be replayed: {error}") from None
        self.place = Place(row.seq, row.hash)

    def _compare(self, row: Row) -> None:
        self.subject.check()
        kept = read_kept(row)
        if row.transfers or (kept.version == STATE and digest(self.subject.state()) != kept.digest):
            raise Untrue(row.seq, "the state here is not the one it vouches for")

    def _decide_again(self, row: Row) -> None:
        entry, subject = self.subject.read(row), self.subject
        if type(entry.command).__name__ != row.kind or entry.command.at != row.at:
            raise Untrue(row.seq, "is not the command it is filed as")
        subject.recall(entry.command, row.seq, self._recall)
        if not entry.is_at_the_door and subject.decided(entry.command, entry.id) != entry:
            raise Untrue(row.seq, f"the book decides {row.kind} otherwise")
        if tuple(subject.post(entry)) != row.transfers:
            raise Untrue(row.seq, "moves other money than its events do")
        id = key_of(entry.id) or subject.client_id(entry.command)
        subject.apply(entry, row.transfers)
        subject.audit()
        if id and entry.refused is None:
            self.replies.append(Reply(id, row.seq))
        for change in subject.tickets(entry):
            if change.how:
                end = TicketEnded(change.number, int(change.late), row.stream, row.seq, row.at, change.how)
                self.ended.append((end, change.amount))
            else:
                made = (change.number, row.stream, row.seq, change.amount, row.at, change.expires, change.place)
                self.tickets.append(TicketMade(*made))


def follow(place: Place, row: Row) -> None:
    """Untrue, if a row does not follow where its stream stands."""
    if row.seq != place.seq + 1:
        raise Untrue(place.seq + 1, f"missing: row {row.seq} follows")
    if row.hash != hash_of(row, place.hash):
        raise Untrue(row.seq, "does not fit its hash or the row before it")


class _StreamWitness:
    """All there is of one stream in a store: rows, replies, snapshots, and where it says it stands."""

    def __init__(self, store: Store, stream: str, heads: dict[int, str], tickets: _Tickets, *, rows_only: bool) -> None:
        self._store = store
        self._stream = stream
        self._heads = heads
        self._tickets = tickets
        self._rows_only = rows_only
        self._states: list[int] = []
        self.rows = 0
        self.first = 1

    def hear_all(self) -> None:
        self._states = self._store.snapshots(self._stream)
        rows = read_rows(self._store, self._stream)
        first = next(rows, None)
        if first is None:
            raise Untrue(1, "missing, and all after it" if self._heads else "missing")
        replies = self._store.replies(self._stream)
        witness = self._begin(first)
        for row in rows:
            witness.hear(row)
            self._marked(row)
            if not self._rows_only:
                self._same_replies(witness, replies)
            if row.kind == StateKept.__name__:
                self._kept_at(row)
        if self._states:
            raise Untrue(self._states[0], "a snapshot without its row")
        late = next((reply for reply in replies if self._rows_only or reply.seq >= self.first), None)
        if late is not None and not self._rows_only:
            raise Untrue(late.seq, f'an answer to "{late.id}" without its row')
        self._ends_there(witness.place)
        self._tickets.add(witness, partly=self.first > 1)

    def _begin(self, first: Row) -> Witness:
        recall = recaller(self._store, self._stream)
        self.first = first.seq
        self._marked(first)
        try:
            if first.seq == 1:
                follow(GENESIS, first)
                subject = first_subject(first)
            else:
                subject = self._kept_at(first)
        except (Unreadable, RulebookFaults, Refused, AssertionError, KeyError) as error:
            raise Untrue(first.seq, f"cannot be replayed: {error}") from None
        if subject.name != self._stream:
            raise Untrue(first.seq, f"is of {subject.name}, not of {self._stream}")
        return Witness(subject, Place(first.seq, first.hash), recall)

    def _kept_at(self, row: Row) -> Subject:
        """The state that is kept beside a row."""
        snapshot = self._store.snapshot(self._stream, seq=row.seq)
        if row.seq not in self._states or snapshot is None:
            raise Untrue(row.seq, "the state it vouches for is not kept" if row.seq > 1 else "missing")
        self._states.remove(row.seq)
        return from_snapshot(snapshot, row)

    def _marked(self, row: Row) -> None:
        self.rows += 1
        if self._heads.get(row.seq, row.hash.hex()) != row.hash.hex():
            raise Untrue(row.seq, "is not the row a checkpoint signed")

    def _same_replies(self, witness: Witness, kept: Iterator[Reply]) -> None:
        for reply in witness.replies:
            found = next(kept, None)
            while found is not None and found.seq < self.first:  # of rows that are archived
                found = next(kept, None)
            if found != reply:
                raise Untrue(reply.seq, f'the answer to "{reply.id}" is not kept beside it')
        witness.replies.clear()

    def _ends_there(self, place: Place) -> None:
        if self.first > 1 and self._heads and not any(seq >= self.first for seq in self._heads):
            raise Untrue(self.first, "no checkpoint vouches for the state that the rows here begin with")
        missing = [seq for seq in self._heads if seq > place.seq]
        if missing:
            raise Untrue(place.seq + 1, f"cut off: a checkpoint knows row {max(missing)}")
        if self._store.head(self._stream) != place:
            stands = self._store.head(self._stream).seq
            raise Untrue(place.seq + 1, f"cut off or put in: the stream says it stands at row {stands}")


class _Tickets:
    """Every ticket made and ended in the streams, to be compared with those that are kept."""

    def __init__(self) -> None:
        self.made: dict[str, TicketMade] = {}
        self._ended: dict[str, TicketEnded] = {}
        self._ends: set[TicketEnded] = set()
        self._partly = False
        """Are some rows in an archive that is not here?"""
        self._lies: list[Lie] = []
        self._amounts: list[tuple[TicketEnded, int]] = []

    def add(self, witness: Witness, *, partly: bool) -> None:
        self._partly = self._partly or partly
        for made in witness.tickets:
            if made.number in self.made:
                self._lies.append(Lie(made.stream, made.seq, f"makes ticket {made.number} a second time"))
            self.made[made.number] = made
        for end, amount in witness.ended:
            before = self._ended.get(end.number)
            self._ends.add(end)
            if end.late and (before is None or before.how != "expired") and not self._partly:
                self._lies.append(Lie(end.stream, end.seq, f"pays ticket {end.number} late, which had not expired"))
            if before is not None and before.late == end.late:
                self._lies.append(Lie(end.stream, end.seq, f"ends ticket {end.number} a second time"))
            if before is None or before.late < end.late:
                self._ended[end.number] = end
            self._amounts.append((end, amount))

    def lies(self, store: Store, archived: dict[str, int]) -> list[Lie]:
        """What is kept of tickets and is not what the rows say; rows that are not here say nothing."""
        lies, amounts = list(self._lies), {}
        made, ended = dict(self.made), dict(self._ended)
        for ticket, end in store.tickets():
            amounts[ticket.number] = ticket.amount
            here = ticket.seq > archived.get(ticket.stream, 0)
            if made.pop(ticket.number, None) != (ticket if here else None):
                lies.append(Lie(ticket.stream, ticket.seq, f"ticket {ticket.number} was made otherwise"))
            here = end is not None and end.seq > archived.get(end.stream, 0)
            if ended.pop(ticket.number, None) != (end if here else None):
                lies.append(Lie(ticket.stream, ticket.seq, f"ticket {ticket.number} ended otherwise"))
        for end in store.ticket_ends():
            if end.seq > archived.get(end.stream, 0) and end not in self._ends:
                lies.append(Lie(end.stream, end.seq, f"ticket {end.number} did not end so"))
        lies += [Lie(one.stream, one.seq, f"ticket {one.number} is not kept") for one in made.values()]
        lies += [Lie(one.stream, one.seq, f"ticket {one.number} was never made") for one in ended.values()]
        for end, amount in self._amounts:
            if amounts.get(end.number, amount) != amount:
                lies.append(Lie(end.stream, end.seq, f"ticket {end.number} is not worth that"))
        return lies
