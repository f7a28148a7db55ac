"""The recorder of one stream: every command is decided, put on disk and only then answered.

A stream is the history of one table, of the cage or of the office. Its recorder holds

* `subject`: the state in memory, which decides;
* `place`: the number and hash of the last row that is on disk, as far as this recorder knows;
* `lease`: the right to write, with the epoch under which it was given, and `ownership`: owned, followed or stopped;
* the ids that the rows since the last snapshot answer, so that a command that is sent twice counts once;
* rows that are decided and not on disk yet. It has some only while `give` or `give_all` runs, and after it has
  stopped.

What is always true:

1. No answer leaves, and no listener gets a row, before the row is on disk.
2. Between two calls, the state in memory is that of the rows up to `place`; or the recorder has stopped.
3. A row, its transfers, its tickets, and a snapshot with the answers it keeps are on disk together or not at all.
4. A row is added only at the place and under the epoch that its recorder expects. The store compares both in the
   statement that moves the stream on, so a stale owner, a lost update and a fork all fail there (decision 0009).
5. A recorder that has stopped writes nothing: what waits in it never reaches the disk.

The steps for one command by itself (`give`), and what a kill after each leaves:

1. Look for its id. If a row answers it already, give the same answer.
2. Decide it, and find the money that its events move. Memory is unchanged; a kill up to here leaves nothing.
3. Commit the row. A kill during this leaves all of it or nothing: the sender, who has no answer, sends the command
   again and gets the answer of the row, or the command is decided now. A command without an id would count twice.
4. Note the head (`noted`, see `heads`). A kill before this leaves heads that are behind by a row, which does no harm.
5. Apply it in memory, and audit the money that moved. A failure stops the recorder, as memory and disk differ. A kill
   leaves the row, as in 3.
6. Between two rounds, and not too often, commit a snapshot: a row that holds the digest of the state, the state, and
   the answers of the rows before it (decisions 0008, 0014). A kill before this costs a longer restart, nothing else.
7. Answer.

A group (`commit.give_all`) applies each command before the commit, so that the next can be decided, and commits once
for all (decision 0012). Commands that are decided by what is on disk (tickets, approvals, corrections: `Subject.alone`)
go by themselves, because a ticket may end at another stream meanwhile.

The ways in which a commit fails:

* Conflict that names streams: they have another owner or another last row. Those stop; the others are on disk.
* Conflict that names none: the database has an id or a ticket already, and nothing was written. A command by itself is
  decided again if its ticket has ended meanwhile. In a group, each stream is then written by itself, and stops if it
  conflicts again.
* Unwritten (no room, a busy database): nothing was written. A group that was applied already is forgotten: the state
  is read again from the disk. The command is refused if the disk is full and it begins something new; else its sender
  must send it again.
* Indeterminate: it may be on disk or not. The recorder stops, and only reading the rows again shows which.

After a stop or a kill, `recover` takes the lease under a higher epoch, begins with the newest snapshot that its row
vouches for, applies the rows after it, each checked against the chain, and checks the laws of money for every account.
A round that was under way is interrupted by the book's clause, in one row: a second kill changes nothing. `follow`
reads a stream that another machine owns, without a lease, row by row as they come (decision 0016). `take_over` takes
the lease of such a stream, reads its last rows, makes the same checks as `recover`, and continues from there.

All calls come from one thread: the event loop of a floor (`floor.floor` gives, `floor.cluster` follows and takes
over), or a command line that has the database to itself. Nothing in this file awaits, so no other code sees a state
between two steps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.cage.messages import SellTicket
from croupier.ledger import Transfer
from croupier.rules.findings import found
from croupier.rules.refusal import Refused
from croupier.store.heads import Shortened
from croupier.store.history import ARCHIVED, Start, Untrue, following, recaller, rows_after, start
from croupier.store.journal import (
    GENESIS,
    LAST,
    Append,
    Broken,
    Conflict,
    Full,
    Indeterminate,
    Lease,
    NewRow,
    Place,
    Reply,
    Row,
    Snapshot,
    Store,
    TicketEnded,
    TicketMade,
    Unwritten,
    chain,
    row_at,
)
from croupier.store.ownership import Ownership
from croupier.store.streams.entry import (
    AnyEntry,
    Entry,
    Refusal,
    StateKept,
    id_of_bet,
    is_name,
    kept_refusal,
    key_of,
    number_used,
    refused_entry,
    sent,
    sent_otherwise,
)
from croupier.store.streams.made import AnyMade, made_row
from croupier.store.streams.stream import Subject, id_of
from croupier.store.streams.subjects import MOST_STATE, digest, entries, shrunk, subject_of
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.checks import check_name
from croupier.table.tickets import check_ticket_number
from croupier.wire import encode

SNAPSHOT_ROWS = 1_000
"""The fewest rows between two snapshots. They must also have twice its bytes, so that snapshots cost little."""

_BEGINS_NEW = frozenset((m.OpenBetting, m.PlaceBet, m.SellCredit, m.RedeemTicket, SellTicket))
"""Commands that begin something new: refused while the disk is full, so that what is open can be finished."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The answer to a command, once it is on disk."""

    entry: AnyEntry
    again: bool = False
    """This leaves no new row: the command was answered before, or nothing is written."""


class Preview(NamedTuple):
    """What a command would do."""

    entry: AnyEntry
    two: bool
    """Would a second person have to agree first? The events are those after they have."""


class Lost(Exception):
    """A stream whose recorder has stopped or only follows: it takes no commands."""


class _Answers:
    """The ids that rows answer. Few commands are sent twice, so the ids of bets are made only when one is looked up."""

    def __init__(self) -> None:
        self._bets: list[tuple[int, m.PlaceBet]] = []
        self._seqs: dict[str, int] = {}

    def add(self, seq: int, entry: AnyEntry, subject: Subject) -> None:
        command = entry.command
        if type(command) is m.PlaceBet and not entry.id:
            if entry.refused is None:
                self._bets.append((seq, command))
        elif id := id_of(subject, entry):
            self._seqs[id] = seq

    def go_on(self, later: _Answers) -> None:
        self._bets += later._bets
        self._seqs |= later._seqs

    @property
    def seqs(self) -> dict[str, int]:
        """Ids and the numbers of the rows that answer them."""
        self._seqs.update([(id_of_bet(command), seq) for seq, command in self._bets])
        self._bets.clear()
        return self._seqs


class _Waiting:
    """What is decided and not on disk yet."""

    def __init__(self) -> None:
        self.rows: list[NewRow] = []
        self.answers = _Answers()
        self.replies: list[Reply] = []
        self.tickets: list[TicketMade] = []
        self.ended: list[TicketEnded] = []
        self.snapshots: list[Snapshot] = []


def _not_noted(stream: str, place: Place) -> None:
    """For recorders without heads: those of tests, and of a floor without a folder."""


class Recorder:
    """Decides the commands of one stream, keeps them on disk, and holds the state that follows from them."""

    def __init__(self, store: Store, lease: Lease, begin: Start) -> None:
        self.store = store
        self.name = lease.stream
        self.lease = lease
        self.ownership = Ownership("owned")
        """Does it take commands, follow, or has it stopped, and why?"""
        self.noted: Callable[[str, Place], None] = _not_noted
        """Called with the new head, once it is on disk and before any answer leaves: see `heads`."""
        self._begin(begin)

    @property
    def owned(self) -> bool:
        """Does it take commands?"""
        return self.ownership.state == "owned"

    @property
    def followed(self) -> bool:
        """Does it follow a stream that another owns? See `follow`."""
        return self.ownership.state == "followed"

    def _begin(self, begin: Start) -> None:
        self.subject, self.place, self.at, size = begin
        self._since = [0, 0, size]
        """Rows and bytes since the last snapshot, and the bytes of that one."""
        self._answers = _Answers()
        """Of the rows on disk since the last snapshot; those of older rows are replies in the store."""
        self._waiting = _Waiting()
        self.losses: list[Row] = []
        """The rows read so far by which a loss was accepted."""

    @staticmethod
    def make(store: Store, owner: str, now: int, milliseconds: int, made: AnyMade) -> Recorder:
        """A new stream, with its first row on disk."""
        subject = subject_of(made)
        check_stream_name(subject.name)
        lease = store.take(subject.name, owner, now, milliseconds)
        recorder = Recorder(store, lease, Start(subject, GENESIS, now, 0))
        recorder._waiting.rows.append(NewRow(now, *made_row(made)))
        recorder._write()
        return recorder

    @staticmethod
    def recover(store: Store, owner: str, now: int, milliseconds: int, stream: str) -> Recorder:
        """The owner of a stream, from its rows and checked against their chain; a round under way is interrupted.

        Nothing is written before every row is read, and then one row at most: a second crash changes nothing.
        """
        lease = store.take(stream, owner, now, milliseconds)
        recorder = Recorder(store, lease, start(store, stream))
        recorder._read_on()
        struck = recorder.subject.interruption(max(recorder.at, lease.seen))
        if struck is not None:
            recorder.give(struck)
        return recorder

    @staticmethod
    def follow(store: Store, stream: str, before: Ownership | None = None) -> Recorder:
        """A recorder of a stream that another owns, with the rows so far. Use `read` for more rows, or `take_over`.

        `before` is the ownership of the recorder that this one replaces.
        """
        recorder = Recorder(store, store.lease(stream), start(store, stream))
        recorder.ownership = before.read_again() if before is not None else Ownership("followed")
        recorder._applied(rows_after(store, stream, recorder.place))
        return recorder

    @staticmethod
    def halt(store: Store, lease: Lease, made: AnyMade, short: Shortened) -> Recorder:
        """A recorder of a stream that has lost rows: it is shown as far as it goes, and takes no command."""
        has_rows = store.head(lease.stream).seq > 0
        recorder = Recorder(
            store, lease, start(store, lease.stream) if has_rows else Start(subject_of(made), GENESIS, 0, 0)
        )
        recorder._applied(rows_after(store, lease.stream, recorder.place))
        recorder.ownership = Ownership("shortened", short)
        return recorder

    def take_over(self, owner: str, now: int, milliseconds: int, *, unbroken: bool = False) -> list[AnyEntry]:
        """Become the owner of a stream that was followed. Returns the entries not read before, and an interruption.

        A round that was under way when its owner stopped is interrupted, as after a restart, unless `unbroken`: the
        owner was this very process.
        """
        assert self.followed
        self.lease = self.store.take(self.lease.stream, owner, now, milliseconds)
        entries_read = self._read_on()
        self.ownership.change("LeaseTaken")
        struck = None if unbroken else self.subject.interruption(max(self.at, self.lease.seen))
        if struck is not None:
            entries_read.append(self.give(struck).entry)
        return entries_read

    def reread(self) -> None:
        """Read the state from disk again: the disk had no room for what was applied in memory already."""
        self._begin(start(self.store, self.lease.stream))
        self._read_on()

    def _read_on(self) -> list[AnyEntry]:
        """Apply all further rows, and check the result: no other process may write any now."""
        store, stream = self.store, self.lease.stream
        entries_read = self._applied(rows_after(store, stream, self.place))
        if self.place != store.head(stream):
            raise Untrue(self.place.seq + 1, found("row", "stands-at", row=store.head(stream).seq))
        self.subject.check()
        return entries_read

    def read(self, rows: Iterable[Row]) -> list[AnyEntry]:
        """Apply the next rows, checked against their chain. Returns their entries."""
        return self._applied(following(rows, self.place))

    def _applied(self, rows: Iterator[Row]) -> list[AnyEntry]:
        store, subject, stream = self.store, self.subject, self.lease.stream
        entries_read = []
        for row, entry in entries(subject, rows):
            if entry is None:
                if row.kind == StateKept.__name__:
                    self._answers = _Answers()
                else:
                    self.losses.append(row)
            else:
                self._answers.add(row.seq, entry, subject)
                if entry.refused is None:  # a refused one has changed no round: perhaps because that could not be read
                    subject.recall(entry.command, row.seq, recaller(store, stream))
                subject.apply(entry, row.transfers)
                entries_read.append(entry)
            self.place, self.at = Place(row.seq, row.hash), max(self.at, row.at)
            self._count([row])
        return entries_read

    def row_of(self, id: str) -> int:
        """The row on disk that answers an id, if it is in memory; if 0, look for a reply in the store."""
        return self._answers.seqs.get(id, 0)

    # ---- one by one

    def give(self, command: Any, id: str = "") -> Answer:
        """Decide a command and put it on disk; only then change the state and answer."""
        answer = self._answered(command, id, self.store.room())
        if isinstance(answer, Answer):
            return answer
        entry = self._decided(command, id, answer)
        transfers = self.subject.post(entry)
        self._wait(entry, transfers)
        self._wait_for_tickets(entry)
        try:
            self._write()
        except Conflict:
            if not self.owned or self._looked_up(command) == entry.command:
                raise
            return self.give(command, id)  # another stream has ended its ticket meanwhile
        try:
            self._apply(entry, transfers)
            self.subject.audit()
        except BaseException as error:
            self.ownership.change("Fault", error)  # memory and journal may differ
            raise
        if self._keep_state():
            with contextlib.suppress(Unwritten):  # it can be kept later: the command itself is on disk
                self._write()
        return Answer(entry)

    def _answered(self, command: Any, id: str, room: bool) -> Answer | Refusal | None:
        """The answer to a command that leaves no new row: it was answered before, or there is no room for it.

        A Refusal, if another command was sent with the same id.
        """
        if not self.owned:
            raise Lost(self.subject.name)
        return self._without_row(command, id, room)

    def _without_row(self, command: Any, id: str, room: bool) -> Answer | Refusal | None:
        if (id and not is_name(id)) or not 0 <= command.at < LAST:
            return Answer(refused_entry(command, Refused("name", "id-or-moment")), again=True)
        if id or not self.subject.surely_new(command):  # nearly every bet is new, so no search is needed
            known = self._known(key_of(id) or self.subject.client_id(command))
            if known is not None:
                return self._first_answer(command, known) or sent_otherwise(known.id)
        if not room and type(command) in _BEGINS_NEW:
            # The disk has no room for a row, or the row may not last.
            return Answer(Entry(command, refused=_nothing_new(self.store)), again=True)
        return None

    def _known(self, id: str) -> Reply | None:
        if not id:
            return None
        seq = self._waiting.answers.seqs.get(id) or self._answers.seqs.get(id)
        return Reply(id, seq) if seq else self.store.reply(self.subject.name, id)

    def _first_answer(self, command: Any, known: Reply) -> Answer | None:
        """The answer of the row that has this id; None if the row has another command."""
        waiting = known.seq - self.place.seq - 1
        try:
            if waiting >= 0:
                row = Row(self.subject.name, known.seq, 0, 0, 0, "", self._waiting.rows[waiting].body, b"", ())
            else:
                row = row_at(self.store, self.subject.name, known.seq)
        except Broken:
            return Answer(refused_entry(command, Refused(ARCHIVED, "answered", row=known.seq)), again=True)
        entry = self.subject.read(row)
        return Answer(entry, again=True) if sent(entry.command) == sent(command) else None

    def _decided(self, command: Any, id: str, refusal: Refusal | None) -> AnyEntry:
        refusal = refusal or self._at_the_door(command)
        if refusal is not None:
            return Entry(command, refused=refusal, id=id, door=True)
        return self.subject.decided(self._looked_up(command), id)

    def _at_the_door(self, command: Any) -> Refusal | None:
        """A refusal for something that only the store knows; it leaves a row like any other."""
        new = self.subject.new_ticket_of(command)
        if new is not None and self.store.ticket(new) is not None:
            return number_used(new)
        try:
            self.subject.recall(command, LAST, recaller(self.store, self.subject.name))
        except Refused as refused:  # its rounds are in an archive that is not here
            return kept_refusal(refused)
        return None

    def _looked_up(self, command: Any) -> Any:
        """A command with what the store knows of its ticket, whatever its sender has put there."""
        number = self.subject.ticket_of(command)
        if number is None:
            return command
        amount, expires, found = look_up(self.store, number)
        facts = {"amount": amount, "expires": expires, "found": found}
        return msgspec.structs.replace(
            command, **{name: fact for name, fact in facts.items() if name in command.__struct_fields__}
        )

    # ---- previews

    @contextlib.contextmanager
    def previewed(self, command: Any) -> Iterator[Preview]:
        """What a command to a table would do now, by the steps of `give`; nothing is written or remembered.

        A follower can preview too. Within the context, the old rounds that the command is about are in memory.
        """
        table = self.subject
        assert isinstance(table, TableSubject)
        old = table.old_rounds(command)
        try:
            yield self._previewed(table, command)
        finally:
            table.let_go(old)

    def _previewed(self, table: TableSubject, command: Any) -> Preview:
        answer = self._without_row(command, "", self.store.room())
        if isinstance(answer, Answer):
            return Preview(answer.entry, two=False)
        refusal = answer or self._at_the_door(command)
        if refusal is not None:
            return Preview(Entry(command, refused=refusal, door=True), two=False)
        return Preview(*table.previewed(self._looked_up(command)))

    # ---- in a group

    def decide(self, command: Any, id: str, room: bool) -> Answer:
        """Decide and apply a command whose row waits for the rest of its group; this needs no look at the disk."""
        subject, refusal = self.subject, None
        if id or not room or not 0 <= command.at < LAST or not subject.surely_new(command):  # nearly every bet is new
            answer = self._answered(command, id, room)
            if isinstance(answer, Answer):
                return answer
            refusal = answer
        entry = subject.decided(command, id) if refusal is None else Entry(command, refused=refusal, id=id, door=True)
        transfers = subject.post(entry)
        self._apply(entry, transfers)
        self._wait(entry, transfers)
        if self._since[0] >= SNAPSHOT_ROWS and type(command) is not m.PlaceBet:  # no bet ends a round
            self._keep_state()
        return Answer(entry)

    def give_alone(self, command: Any, id: str) -> Answer | None:
        """Give a command by itself, after what waits is on disk; None if it must be sent again."""
        try:
            return self.give(command, id)
        except Unwritten as why:
            return unwritten_answer(command, why)  # it has changed nothing in memory
        except Conflict:
            return None  # if still owned: the database has the id or the ticket already, and nothing has changed
        except Indeterminate:
            raise
        except Exception as error:
            if self.owned:
                self.ownership.stop(error)
            return None

    def to_write(self) -> Append | None:
        """The rows of the group; None if there are none, or if its money does not add up: then the recorder stops."""
        if not self.owned or not self._waiting.rows:
            return None
        try:
            self.subject.audit()
            return self._append()
        except Exception as error:
            self.ownership.stop(error)
            return None

    def forget_group(self) -> None:
        """Read the state again: nothing of the group was written."""
        try:
            self.reread()
        except Exception as error:
            self.ownership.stop(error)

    # ---- rows that wait

    def _wait(self, entry: AnyEntry, transfers: Sequence[Transfer]) -> None:
        waiting, command = self._waiting, entry.command
        waiting.rows.append(NewRow(command.at, type(command).__name__, encode(entry), transfers))
        waiting.answers.add(self.place.seq + len(waiting.rows), entry, self.subject)

    def _wait_for_tickets(self, entry: AnyEntry) -> None:
        """The tickets that the last waiting row makes and ends; only commands given alone have any."""
        stream, waiting, at = self.subject.name, self._waiting, entry.command.at
        seq = self.place.seq + len(waiting.rows)
        for change in self.subject.tickets(entry):
            if change.how:
                waiting.ended.append(TicketEnded(change.number, int(change.late), stream, seq, at, change.how))
            else:
                waiting.tickets.append(
                    TicketMade(change.number, stream, seq, change.amount, at, change.expires, change.place)
                )

    def _apply(self, entry: AnyEntry, transfers: Sequence[Transfer]) -> None:
        self.subject.apply(entry, transfers)
        if entry.command.at > self.at:
            self.at = entry.command.at

    def _keep_state(self) -> bool:
        """Add a snapshot to what waits, if it is time for one."""
        rows, size, last = self._since
        if rows < SNAPSHOT_ROWS or not self.subject.resting or size < 2 * last or self._waiting.snapshots:
            return False
        state, waiting = self.subject.state(), self._waiting
        if len(state) > MOST_STATE:  # it could not be read again: it is made from the rows
            self._since[0] = 0
            return False
        seq = self.place.seq + len(waiting.rows) + 1
        kept = StateKept(digest(state), self.subject.next_round)
        waiting.rows.append(NewRow(self.at, StateKept.__name__, encode(kept)))
        body = shrunk(state)
        waiting.snapshots.append(Snapshot(self.subject.name, seq, kept.round, body))
        # Sorted and all at once: in the order of their arrival, each would change another page of the index.
        answers = self._answers.seqs | waiting.answers.seqs
        waiting.replies += [Reply(id, seq) for id, seq in sorted(answers.items())]
        self._since = [0, 0, len(body)]
        return True

    def _count(self, rows: Sequence[NewRow | Row]) -> None:
        kept = [number for number, row in enumerate(rows) if row.kind == StateKept.__name__]
        if kept:
            rows, self._since[:2] = rows[kept[-1] + 1 :], (0, 0)
        self._since[0] += len(rows)
        self._since[1] += sum([len(row.body) for row in rows])

    def _append(self) -> Append:
        waiting = self._waiting
        append = chain(self.subject.name, self.lease.epoch, self.place, waiting.rows)
        return append._replace(
            replies=waiting.replies, tickets=waiting.tickets, ended=waiting.ended, snapshots=waiting.snapshots
        )

    def written(self, append: Append) -> None:
        self.place = append.place
        self.noted(self.name, append.place)
        self._count(self._waiting.rows)
        self._answers.go_on(self._waiting.answers)
        if append.replies:
            seqs = self._answers.seqs
            for reply in append.replies:
                del seqs[reply.id]
        self._waiting = _Waiting()

    def _write(self) -> None:
        try:
            append = self._append()
            self.store.append([append])
        except Conflict as conflict:
            self._waiting = _Waiting()
            if conflict.streams:
                self.ownership.stop(conflict)
            raise
        except BaseException as error:
            self._waiting = _Waiting()
            if isinstance(error, Indeterminate):
                self.ownership.stop(error)  # it may be on disk: only recovery shows that
            raise
        self.written(append)


def _nothing_new(store: Store) -> Refusal:
    """Why nothing new may begin now."""
    if store.unsafe:
        return kept_refusal(Refused("durability", "nothing-new"))
    return _no_room()


def _no_room() -> Refusal:
    return kept_refusal(Refused("disk", "full"))


def unwritten_answer(command: Any, why: Unwritten) -> Answer | None:
    """The answer to an unwritten command: refused, if the disk is full and it begins something new; else None."""
    if isinstance(why, Full) and type(command) in _BEGINS_NEW:
        return Answer(Entry(command, refused=_no_room()), again=True)
    return None


def look_up(store: Store, number: str) -> tuple[int, int, str]:
    """What the store knows of a ticket: its amount, its last moment, and `live` or how it ended."""
    try:
        found = store.ticket(check_ticket_number(number))
    except Refused:
        found = None
    if found is None:
        return 0, 0, "unknown"
    made, ended = found
    return made.amount, made.expires, ended.how if ended else "live"


def check_stream_name(name: str) -> None:
    """Refuse a name that no stream can have."""
    check_name("table", name)
    if "/" in name:
        raise Refused("name", "slash-in-table", name=name)
