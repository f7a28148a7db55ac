"""Verification: everything in a store is checked against everything else, and every disagreement is named.

A journal could be damaged by a disk, by a mistake of ours, or by a person with the password of the database. Each of
these checks finds what the others cannot:

* The chain. Each row's hash covers the hash of the row before it, so no row can be changed, dropped, added or swapped
  without changing every hash after it.
* The replay. Deciding is pure: the same command on the same state under the same book has the same outcome. The text of
  the book is in the first row. So every command is decided again, and must have the events or the refusal of its row.
  Words are not compared, only reasons, clauses, cases and facts (decision 0020).
* The money. The transfers of a row must be those that its events move, and the accounts that they touch must keep the
  laws of money after every row (`Subject.audit`), and all accounts wherever the state was kept (`Subject.check`).
* What is kept with the rows: snapshots, answers to resends, tickets and their ends, the place where each stream says
  it stands, its owner. All of these follow from the rows, and must be what the rows say.
* Memories outside the store: signed checkpoints, and this machine's heads (see `heads`). Only these show that rows were
  cut off at the end, or that a whole history was written anew by a person who can compute hashes too.

The steps for each stream (`_StreamCheck`), in this order:

1. Losses that two people accepted are collected: their rows are not missed (decision 0019).
2. The first row. Row 1 says what the stream was made of. If the first row here is a later one, the rows before it are
   in an archive that is not here, and its snapshot is believed because the row holds the digest.
3. Each further row: it follows the one before; its epoch does not fall; its command is decided again; its transfers
   agree; it is applied; the accounts agree; its id was not answered before; a checkpoint that names this row has this
   hash. At a row that vouches for a state (`StateKept`), the state in memory must be that one, its snapshot must be the
   same, and the answers since the last one must be in the store.
4. The end: no checkpoint names a later row, the head of the stream is the last row, the owner is a possible one.
5. The stream has the heads that this machine remembers.

A row refused "at the door", for something that only the store knew, cannot be decided again from the state. It is
judged by what the store still has: was the id answered before, was the number used (`_judge_at_the_door`).

When every stream is true, what spans streams is compared: each ticket is made once, ended once and worth the same where
it is sold and where it is redeemed (`_Tickets`); each approval is signed by both people, since passkeys are required
(`_Signed`). Then the tables of the database itself must be as the migrations made them.

Only the first lie of a stream is reported: later rows depend on a state that is wrong already. If something is missing
and not false (an archive, the database, memory), that is raised and is no lie.

Nothing is written, so a kill leaves nothing. `croupier verify` calls this in a process of its own, which a page of the
staff starts too (`server.staff.verification`); `archive` calls it for the file it has just written, `rows_only`, before
the rows are removed; `pack` checks the rows of a pack with `Replay`. The store is read as it was when it was opened,
while the floor goes on; checkpoints and heads are read before it is opened, so an honest store is never behind them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from croupier.cage import Cage
from croupier.cage.messages import ApproveRequest
from croupier.office import Office
from croupier.office.messages import SignAsking
from croupier.office.passkeys import Half, challenge_of, is_signed
from croupier.rules.bad_input import Unreadable
from croupier.rules.findings import Finding, found
from croupier.rules.reader import RulebookFaults
from croupier.rules.refusal import Refused
from croupier.store.checkpoint import Checkpoint
from croupier.store.heads import losses, shortened
from croupier.store.history import ARCHIVED, Untrue, from_snapshot, read_kept, recaller
from croupier.store.journal import (
    GENESIS,
    Broken,
    Indeterminate,
    Place,
    Reply,
    Row,
    Store,
    TicketEnded,
    TicketMade,
    hash_of,
    read_rows,
    row_after,
)
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.entry import (
    STATE,
    AnyEntry,
    LossAccepted,
    StateKept,
    key_of,
    number_used,
    read_loss,
    same_decision,
    same_refusal,
    sent,
    sent_otherwise,
)
from croupier.store.streams.office import OfficeSubject
from croupier.store.streams.stream import Recall, Subject, id_of
from croupier.store.streams.subjects import digest, first_subject
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import PersonId, Signature
from croupier.wire import encode

Heads = dict[int, set[str]]
"""Rows that checkpoints name: number → the hashes that were signed for it. More than one is a lie by itself."""


class Lie(NamedTuple):
    """The first false row of a stream and what is wrong with it; row 0, if it is about no row."""

    stream: str
    seq: int
    what: Finding

    def __str__(self) -> str:
        """For developers; people read what the catalogue says of it."""
        return f"{self.stream} row {self.seq}: {self.what}"


class Verdict(NamedTuple):
    rows: int
    tables: int
    others: list[str]
    """Streams that are not of a table: the cage, the office, and those that cannot be read so far."""
    checkpoints: int
    tickets: int
    lies: list[Lie]
    archived: dict[str, int]
    """Streams whose first rows are in archives that were not given → the first row that is here."""
    losses: tuple[Finding, ...] = ()
    """Losses of rows that two people have accepted: they must not be overlooked."""


def verify(
    store: Store,
    checkpoints: Iterable[Checkpoint] = (),
    heads: Mapping[str, Iterable[Place]] | None = None,
    *,
    rows_only: bool = False,
) -> Verdict:
    """Check everything. The caller has checked that a trusted key has signed the checkpoints.

    `heads` are those that this machine remembers, read before the store was opened. An archive has `rows_only`: answers
    and tickets stay in the store.
    """
    marks, reached = list(checkpoints), heads or {}
    streams = sorted({*store.streams(), *reached, *(stream for mark in marks for stream in mark.heads)})
    lies: list[Lie] = []
    others: list[str] = []
    accepted: list[Finding] = []
    rows, tables, archived, tickets = 0, 0, {}, _Tickets()
    approved = _Signed()
    for stream in streams:
        signed: Heads = {}
        for seq, hash in (mark.heads[stream] for mark in marks if stream in mark.heads):
            signed.setdefault(seq, set()).add(hash)
        check = _StreamCheck(store, stream, signed, tickets, approved, rows_only=rows_only)
        try:
            accepted += [_accepted(stream, seq, loss) for seq, loss in check.collect_losses()]
            check.run()
            if short := shortened(store, stream, reached.get(stream, ())):
                raise short
        except (Untrue, Broken) as untrue:
            lies.append(Lie(stream, untrue.seq, untrue.what))
        except (Refused, Indeterminate, OSError, MemoryError):
            raise  # an archive, the database or memory is missing: no row is false
        except Exception as error:  # a damaged row can raise any error: then that row is not true
            lies.append(Lie(stream, check.unread(), found("row", "unreadable", error=str(error))))
        rows += check.rows
        if check.is_table:
            tables += 1
        else:
            others.append(stream)
        if check.first > 1:
            archived[stream] = check.first
    if not lies and not rows_only:
        try:
            lies += tickets.lies(store, archived)
        except (Indeterminate, OSError, MemoryError):
            raise
        except Exception as error:
            lies += tickets.unread(store, error)
        lies += approved.lies()
    if not rows_only:  # true rows prove little if the tables accept anything as the next ones
        lies += [Lie("database", 0, fault) for fault in store.schema_faults()]
    return Verdict(rows, tables, others, len(marks), len(tickets.made), lies, archived, tuple(accepted))


def _accepted(stream: str, seq: int, loss: LossAccepted) -> Finding:
    return found(
        *("stream", "loss-accepted"),
        stream=stream,
        row=seq,
        reached=loss.reached,
        person=loss.by,
        second=loss.second,
        reason=loss.reason,
    )


class LookedUp(NamedTuple):
    """What a row says that was known of a ticket."""

    stream: str
    seq: int
    number: str
    found: str
    worth: tuple[int, int] | None = None
    """Amount and last moment, if the row has them."""


class ApprovedAct(NamedTuple):
    """An act that a second person approved, and what they signed."""

    stream: str
    seq: int
    at: int
    request: int
    content: bytes
    asked_by: str
    by: str
    signature: Signature | None


class Replay:
    """Checks the rows of one stream in order, and decides every command again."""

    def __init__(self, store: Store, subject: Subject, first: Row, recall: Recall, *, rows_only: bool = False) -> None:
        self.subject = subject
        self.place = Place(first.seq, first.hash)
        self.epoch = first.epoch
        self._store = store
        self._recall = recall
        self._rows_only = rows_only
        self.answers: dict[str, int] = {}
        """Ids and the rows that answer them, since the last snapshot; with `rows_only`, all of them."""
        self.tickets: list[TicketMade] = []
        self.ended: list[tuple[TicketEnded, int]] = []
        """Ends of tickets, each with the amount of the row."""
        self.looked_up: list[LookedUp] = []
        self.unjudged: list[int] = []
        """Rows refused for something that cannot be checked here."""
        self.approvals: list[ApprovedAct] = []
        self.signings: dict[tuple[str, int], SignAsking] = {}
        """The signatures of people who asked for an act, by place and request."""

    def check(self, row: Row) -> None:
        """Untrue, if the row is not the next of its stream, or its command is decided otherwise by the book."""
        follow(self.place, row)
        if row.epoch < self.epoch:
            raise Untrue(row.seq, found("row", "epoch", epoch=row.epoch, before=self.epoch))
        try:
            if row.kind == StateKept.__name__:
                self._compare(row)
            elif row.kind == LossAccepted.__name__:
                _check_loss(row)
            else:
                self._replay(row)
        except Refused as refused:
            if refused.reason == ARCHIVED:
                raise Refused(ARCHIVED, "needed", table=row.stream, row=row.seq) from None
            raise Untrue(row.seq, _unreplayable(refused)) from None
        except (Unreadable, RulebookFaults, AssertionError, KeyError) as error:
            raise Untrue(row.seq, _unreplayable(error)) from None
        self.place, self.epoch = Place(row.seq, row.hash), row.epoch

    def _compare(self, row: Row) -> None:
        self.subject.check()
        kept = read_kept(row)
        if row.transfers or (kept.version == STATE and digest(self.subject.state()) != kept.digest):
            raise Untrue(row.seq, found("row", "state-other"))

    def _replay(self, row: Row) -> None:
        entry, subject = self.subject.read(row), self.subject
        if type(entry.command).__name__ != row.kind or entry.command.at != row.at:
            raise Untrue(row.seq, found("row", "filed-otherwise"))
        if entry.is_at_the_door:
            self._judge_at_the_door(row, entry)
        else:
            subject.recall(entry.command, row.seq, self._recall)
            if not same_decision(entry, subject.decided(entry.command, entry.id)):
                raise Untrue(row.seq, found("row", "decided-otherwise", act=row.kind))
            self._note_ticket(row, entry.command)
        if tuple(subject.post(entry)) != row.transfers:
            raise Untrue(row.seq, found("row", "money"))
        id = id_of(subject, entry)
        self._note_signature(row, entry)
        subject.apply(entry, row.transfers)
        subject.audit()
        if id:
            if id in self.answers:
                raise Untrue(row.seq, found("row", "id-again", id=id, row=self.answers[id]))
            self.answers[id] = row.seq
        for change in subject.tickets(entry):
            if change.how:
                end = TicketEnded(change.number, int(change.late), row.stream, row.seq, row.at, change.how)
                self.ended.append((end, change.amount))
            else:
                made = (change.number, row.stream, row.seq, change.amount, row.at, change.expires, change.place)
                self.tickets.append(TicketMade(*made))

    def _judge_at_the_door(self, row: Row, entry: AnyEntry) -> None:
        """Is the refusal true that only the store could decide?"""
        command, refused = entry.command, entry.refused
        assert refused is not None
        id, new = key_of(entry.id) or self.subject.client_id(command), self.subject.new_ticket_of(command)
        if id and same_refusal(refused, sent_otherwise(id)):
            self._judge_resend(row, command, id)
        elif new and same_refusal(refused, number_used(new)):
            self.looked_up.append(LookedUp(row.stream, row.seq, new, "used"))
            self.unjudged += [row.seq] if self._rows_only else []
        elif not (refused.reason == ARCHIVED and self.subject.old_rounds(command)):
            raise Untrue(row.seq, found("row", "door"))

    def _judge_resend(self, row: Row, command: Any, id: str) -> None:
        seq = self.answers.get(id)
        if seq is None and not self._rows_only:
            kept = self._store.reply(row.stream, id)
            if kept is None or kept.seq >= row.seq:
                raise Untrue(row.seq, found("row", "resend-unanswered", id=id))
            seq = kept.seq
        first = None if seq is None else row_after(self._store, row.stream, seq - 1)
        if first is None or first.seq != seq:
            self.unjudged.append(row.seq)
        elif sent(self.subject.read(first).command) == sent(command):
            raise Untrue(row.seq, found("row", "resend-same", row=seq or 0))

    def _note_signature(self, row: Row, entry: AnyEntry) -> None:
        command, subject = entry.command, self.subject
        if entry.refused is not None:
            return
        if isinstance(command, SignAsking):
            self.signings[command.place, command.request] = command
        elif isinstance(command, m.Approve | ApproveRequest):
            requests: Any = subject.table.requests if isinstance(subject, TableSubject) else _cage(subject).requests
            asked = requests[command.request].command
            of = (command.request, encode(asked), asked.by, command.by, command.signature)
            self.approvals.append(ApprovedAct(row.stream, row.seq, row.at, *of))

    def _note_ticket(self, row: Row, command: Any) -> None:
        number = self.subject.ticket_of(command)
        if number is not None:
            worth = (command.amount, command.expires) if hasattr(command, "expires") else None
            self.looked_up.append(LookedUp(row.stream, row.seq, number, command.found, worth))


def _unreplayable(error: Exception) -> Finding:
    if isinstance(error, Refused):
        return found("row", "unreplayable", error)
    return found("row", "unreplayable-error", error=str(error))


def _cage(subject: Subject) -> Cage:
    assert isinstance(subject, CageSubject)
    return subject.cage


def follow(place: Place, row: Row) -> None:
    """Untrue, if a row does not follow the last one of its stream."""
    if row.seq != place.seq + 1:
        raise Untrue(place.seq + 1, found("row", "follows", next=row.seq))
    if row.hash != hash_of(row, place.hash):
        raise Untrue(row.seq, found("row", "hash"))


def _check_loss(row: Row) -> None:
    """Untrue, if two people cannot have accepted such a loss."""
    loss = read_loss(row)
    if row.transfers or loss.by == loss.second or not loss.reason.strip() or not loss.lost:
        raise Untrue(row.seq, found("row", "loss"))


class _StreamCheck:
    """Checks one stream of a store: its rows, replies and snapshots, its last row and its owner."""

    def __init__(
        self, store: Store, stream: str, heads: Heads, tickets: _Tickets, signed: _Signed, *, rows_only: bool
    ) -> None:
        self._store = store
        self._stream = stream
        self._heads = heads
        self._tickets = tickets
        self._signed = signed
        self._rows_only = rows_only
        self._states: list[int] = []
        self._at = 0
        """The row that is being checked."""
        self.rows = 0
        self.first = 1
        self.is_table = False
        self._lost = False

    def collect_losses(self) -> list[tuple[int, LossAccepted]]:
        """The losses that two people accepted: those rows are not missed, even if a checkpoint names them."""
        found = list(losses(self._store, self._stream))
        for _, loss in found:
            for seq, hash in loss.lost:
                self._heads.get(seq, set()).discard(hash)
        self._heads = {seq: hashes for seq, hashes in self._heads.items() if hashes}
        self._lost = bool(found)
        return found

    def run(self) -> None:
        self._states = self._store.snapshots(self._stream)
        rows = read_rows(self._store, self._stream)
        first = next(rows, None)
        if first is None:
            raise Untrue(1, found("row", "missing-with-all" if self._heads else "missing"))
        replay = self._begin(first)
        # The replies of archived rows stay in the store.
        replies = (reply for reply in self._store.replies(self._stream) if reply.seq >= self.first)
        for row in rows:
            self._at = row.seq
            replay.check(row)
            self._check_mark(row)
            if row.kind == StateKept.__name__:
                self._kept_at(row)
                if not self._rows_only:
                    self._same_replies(replay, replies)
        if self._states:
            raise Untrue(self._states[0], found("row", "snapshot-without-row"))
        late = None if self._rows_only else next(replies, None)
        if late is not None:
            raise Untrue(late.seq, found("row", "answer-without-row", id=late.id))
        self._check_end(replay)
        self._tickets.add(replay, partly=self.first > 1)
        self._signed.add(replay, partly=self.first > 1 or self._lost)

    def unread(self) -> int:
        """The row that cannot be read: rows are read in pages, so look for it one by one."""
        seq = max(0, self._at - 1)
        try:
            while (row := row_after(self._store, self._stream, seq)) is not None:
                seq = row.seq
        except Exception:
            return seq + 1
        return max(1, self._at)  # all rows can be read: what is kept with this one cannot

    def _begin(self, first: Row) -> Replay:
        recall = recaller(self._store, self._stream)
        self.first = self._at = first.seq
        self._check_mark(first)
        try:
            if first.seq == 1:
                follow(GENESIS, first)
                subject = first_subject(first)
            else:
                subject = self._kept_at(first)
        except (Unreadable, RulebookFaults, Refused, AssertionError, KeyError) as error:
            raise Untrue(first.seq, _unreplayable(error)) from None
        if subject.name != self._stream:
            raise Untrue(first.seq, found("row", "of-another-stream", stream=self._stream, other=subject.name))
        self.is_table = isinstance(subject, TableSubject)
        return Replay(self._store, subject, first, recall, rows_only=self._rows_only)

    def _kept_at(self, row: Row) -> Subject:
        """The state of the snapshot at a row."""
        snapshot = self._store.snapshot(self._stream, seq=row.seq)
        if row.seq not in self._states or snapshot is None:
            raise Untrue(row.seq, found("row", "state-not-kept" if row.seq > 1 else "missing"))
        self._states.remove(row.seq)
        return from_snapshot(snapshot, row)

    def _check_mark(self, row: Row) -> None:
        self.rows += 1
        if self._heads.get(row.seq, {row.hash.hex()}) != {row.hash.hex()}:
            raise Untrue(row.seq, found("row", "checkpoint-other"))

    def _same_replies(self, replay: Replay, kept: Iterator[Reply]) -> None:
        """The answers of the rows before a snapshot are kept with it, and no others."""
        for id, seq in replay.answers.items():
            if next(kept, None) != (id, seq):
                raise Untrue(seq, found("row", "answer-not-kept", id=id))
        replay.answers.clear()

    def _check_end(self, replay: Replay) -> None:
        place = replay.place
        if self.first > 1 and self._heads and not any(seq >= self.first for seq in self._heads):
            raise Untrue(self.first, found("row", "state-unvouched"))
        missing = [seq for seq in self._heads if seq > place.seq]
        if missing:
            raise Untrue(place.seq + 1, found("row", "cut-off", row=max(missing)))
        if self._store.head(self._stream) != place:
            stands = self._store.head(self._stream).seq
            raise Untrue(place.seq + 1, found("row", "stands-elsewhere", row=stands))
        if not self._rows_only:
            self._check_owner(replay)

    def _check_owner(self, replay: Replay) -> None:
        """Untrue, if the stream cannot have the owner that it names, after these rows."""
        lease = self._store.lease(self._stream)
        if lease.epoch < replay.epoch:
            raise Untrue(replay.place.seq, found("row", "epoch-of-owner", epoch=replay.epoch, owner=lease.epoch))
        if not lease.owner or lease.seen < 0 or (lease.until != 0 and lease.until < lease.seen):
            what = found("row", "owner", owner=lease.owner, seen=lease.seen, until=lease.until)
            raise Untrue(replay.place.seq, what)


class _Signed:
    """Every approval in the streams, and the passkeys that the office has of each person."""

    def __init__(self) -> None:
        self._approvals: list[ApprovedAct] = []
        self._signings: dict[tuple[str, int], SignAsking] = {}
        self._office: Office | None = None
        self._partly = False
        """Are some rows of the office missing?"""

    def add(self, replay: Replay, *, partly: bool) -> None:
        self._approvals += replay.approvals
        if isinstance(replay.subject, OfficeSubject):
            self._office, self._signings, self._partly = replay.subject.office, replay.signings, partly

    def lies(self) -> Iterator[Lie]:
        """Approvals that both people should have signed with passkeys, since these are required, and have not."""
        since = self._office.passkeys_since if self._office is not None else 0
        for one in self._approvals if since else ():
            if one.at < since:
                continue
            if not self._is_signed("approves", one, one.by, one.signature, one.at):
                yield Lie(one.stream, one.seq, found("approval", "unsigned", request=one.request, person=one.by))
            asked = self._signings.get((one.stream, one.request))
            if asked is None and self._partly:
                continue  # its row is in an archive that is not here, or was lost
            if asked is None or not self._is_signed("asks", one, one.asked_by, asked.signature, asked.at):
                what = found("approval", "unasked", request=one.request, person=one.asked_by)
                yield Lie(one.stream, one.seq, what)

    def _is_signed(self, half: Half, one: ApprovedAct, person: str, signature: Signature | None, at: int) -> bool:
        assert self._office is not None
        account = self._office.accounts.get(PersonId(person))
        passkeys = account.passkeys if account is not None else ()
        return is_signed(passkeys, signature, challenge_of(half, one.stream, one.request, one.content, person), at)


class _Tickets:
    """Every ticket made and ended in the streams, to be compared with the tickets in the store."""

    def __init__(self) -> None:
        self.made: dict[str, TicketMade] = {}
        self._ended: dict[str, TicketEnded] = {}
        self._ends: set[TicketEnded] = set()
        self._partly = False
        """Are some rows in an archive that is not here?"""
        self._lies: list[Lie] = []
        self._amounts: list[tuple[TicketEnded, int]] = []
        self._looked_up: list[LookedUp] = []

    def add(self, replay: Replay, *, partly: bool) -> None:
        self._partly = self._partly or partly
        self._looked_up += replay.looked_up
        for made in replay.tickets:
            if made.number in self.made:
                self._lies.append(Lie(made.stream, made.seq, found("ticket", "made-again", ticket=made.number)))
            self.made[made.number] = made
        for end, amount in replay.ended:
            before = self._ended.get(end.number)
            self._ends.add(end)
            if end.late and (before is None or before.how != "expired") and not self._partly:
                self._lies.append(Lie(end.stream, end.seq, found("ticket", "paid-late", ticket=end.number)))
            if before is not None and before.late == end.late:
                self._lies.append(Lie(end.stream, end.seq, found("ticket", "ended-again", ticket=end.number)))
            if before is None or before.late < end.late:
                self._ended[end.number] = end
            self._amounts.append((end, amount))

    def unread(self, store: Store, error: Exception) -> list[Lie]:
        """The tables of tickets cannot be read: look for each ticket by its number."""
        lies: list[Lie] = []
        for number, made in self.made.items():
            end, what = self._ended.get(number), found("ticket", "not-kept-so", ticket=number, error=str(error))
            try:
                same = store.ticket(number) == (made, end)
            except Exception:
                same = False
            if not same:
                lies += [Lie(one.stream, one.seq, what) for one in (made, end) if one is not None]
        return lies or [Lie("", 0, found("ticket", "unreadable", error=str(error)))]

    def lies(self, store: Store, archived: dict[str, int]) -> list[Lie]:
        """Tickets in the store that differ from the rows; archived rows that are not here are left out."""
        lies, tickets = list(self._lies), {}
        made, ended = dict(self.made), dict(self._ended)
        for ticket, end in store.tickets():
            tickets[ticket.number] = ticket
            is_here = ticket.seq > archived.get(ticket.stream, 0)
            expected = made.pop(ticket.number, None)
            if expected != (ticket if is_here else None):
                row = expected or ticket
                lies.append(Lie(row.stream, row.seq, found("ticket", "made-otherwise", ticket=ticket.number)))
            is_here = end is not None and end.seq > archived.get(end.stream, 0)
            expected_end = ended.pop(ticket.number, None)
            if expected_end != (end if is_here else None):
                where = expected_end or expected or ticket
                lies.append(Lie(where.stream, where.seq, found("ticket", "ended-otherwise", ticket=ticket.number)))
        ends = list(store.ticket_ends())
        for end in ends:
            if end.seq > archived.get(end.stream, 0) and end not in self._ends:
                where = self._ended.get(end.number, end)
                lies.append(Lie(where.stream, where.seq, found("ticket", "not-ended-so", ticket=end.number)))
        lies += [Lie(one.stream, one.seq, found("ticket", "not-kept", ticket=one.number)) for one in made.values()]
        lies += [Lie(one.stream, one.seq, found("ticket", "never-made", ticket=one.number)) for one in ended.values()]
        for end, amount in self._amounts:
            if end.number in tickets and tickets[end.number].amount != amount:
                lies.append(Lie(end.stream, end.seq, found("ticket", "not-worth", ticket=end.number)))
        hows = {(end.number, end.how) for end in ends}
        for one in self._looked_up:
            if not _was_so(one, tickets.get(one.number), hows):
                lies.append(Lie(one.stream, one.seq, found("ticket", "not-so", ticket=one.number, found=one.found)))
        return lies


def _was_so(looked_up: LookedUp, made: TicketMade | None, hows: set[tuple[str, str]]) -> bool:
    """Can this have been known of a ticket? Rows of two streams are in no order: only what never was is found."""
    earlier = made is not None and made.stream == looked_up.stream and made.seq < looked_up.seq
    match looked_up.found:
        case "unknown":
            return not earlier and looked_up.worth in (None, (0, 0))
        case "live":
            return made is not None and looked_up.worth in (None, (made.amount, made.expires))
        case "used":
            return made is not None and (earlier or made.stream != looked_up.stream)
        case how:
            return made is not None and (looked_up.number, how) in hows
