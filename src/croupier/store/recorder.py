"""The recorder of one stream: every command is decided, put on disk and only then answered.

A stream is the history of one table, of the cage or of the office. Its recorder holds

* `subject`: the state in memory, which decides;
* `place`: the number and hash of the last row that is on disk, as far as this recorder knows;
* `lease`: the right to write, with the epoch under which it was given, and `ownership`: owned, followed or stopped;
* the ids that the rows since the last snapshot answer, so that a command that is sent again counts once;
* rows that are decided and not on disk yet. There are some only while `give` or `give_all` runs, and at a recorder
  that has stopped.

What is always true:

1. Nobody is answered, and nobody hears of a row, before the row is on disk.
2. Between two calls, the state in memory is what the rows up to `place` say; or it has stopped.
3. A row, its transfers, its tickets, and a snapshot with the answers it keeps are on disk together or not at all.
4. A row is added only at the place and under the epoch that its recorder expects. The store compares both in the
   statement that moves the stream on, so a stale owner, a lost update and a fork all fail there (decision 0009).
5. A recorder that has stopped writes nothing: what waits in it never reaches the disk.

The steps for one command by itself (`give`), and what a kill after each leaves:

1. Look for its id. If a row answers that already, that answer is given again.
2. Decide it, and find the money that its events move. Memory is unchanged; a kill up to here leaves nothing.
3. Commit the row. A kill during this leaves all of it or nothing: the giver, who has no answer, sends the command
   again, and is told what the row says, or it is decided anew. A command without an id would count twice.
4. Note the head (`noted`, see `heads`). A kill before this leaves heads that are behind by a row, which is no alarm.
5. Apply it in memory, and audit the money that moved. A failure here stops the recorder: memory is not what the disk
   says. A kill leaves the row, as in 3.
6. Between two rounds, and not too often, commit a snapshot: a row that holds the digest of the state, the state, and
   the answers of the rows before it (decisions 0008, 0014). A kill before this costs a longer restart, nothing else.
7. Answer.

A group (`commit.give_all`) applies each command before the commit, so that the next can be decided, and commits once
for all (decision 0012). Commands that are decided by what is on disk (tickets, approvals, corrections: `Subject.alone`)
go by themselves, because a ticket may end at another stream meanwhile.

A commit that fails says how:

* Conflict that names streams: they have another owner, or stand elsewhere. Those stop; the others are on disk.
* Conflict that names none: an id or a ticket is there already, and nothing was written. A command by itself is decided
  again if its ticket has ended meanwhile. In a group each stream is written by itself; what conflicts again stops.
* Unwritten (no room, a busy database): nothing was written. A group that was applied already is forgotten: the state
  is read again from the disk. The giver is refused, if the disk is full and the command brings more; else asks again.
* Indeterminate: it may be on disk or not. The recorder stops, and only reading the rows again can tell.

After a stop or a kill, `recover` takes the lease under a higher epoch, begins with the newest snapshot that its row
vouches for, applies the rows after it, each checked against the chain, and checks the laws of money for every account.
A round that was under way is interrupted by the book's clause, in one row: a second kill changes nothing. `follow`
reads a stream that another machine owns, without a lease, row by row as they come (decision 0016). `take_over` takes
the lease of such a stream, reads its last rows, makes the same checks as `recover`, and continues from there.

All calls come from one thread: the event loop of a floor (`floor.floor` gives, `floor.cluster` follows and takes
over), or a command line that has the database to itself. Nothing here awaits, so nobody sees a state halfway.
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
from croupier.store.streams.state import MOST_STATE, digest, entries, shrunk, subject_of
from croupier.store.streams.stream import Subject, id_of
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.checks import check_name
from croupier.table.tickets import check_ticket_number
from croupier.wire import encode

SNAPSHOT_ROWS = 1_000
"""At least so many rows lie between two snapshots, and twice their bytes: they cost little beside the rows."""

_BRINGS_MORE = frozenset((m.OpenBetting, m.PlaceBet, m.SellCredit, m.RedeemTicket, SellTicket))
"""What is refused while the disk has no room, so that what is open can be finished."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What the giver of a command is told, once it is on disk."""

    entry: AnyEntry
    again: bool = False
    """The same command was answered before; this is that answer."""


class Preview(NamedTuple):
    """What a command would come to."""

    entry: AnyEntry
    two: bool
    """Would a second person have to agree first? The events are those of the act itself."""


class Lost(Exception):
    """A stream whose recorder has stopped or only follows: it takes no commands."""


class _Answers:
    """The ids that rows answer. Hardly anything is sent twice, so those of bets are written out once someone looks."""

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
    """What was decided and is not on disk yet."""

    def __init__(self) -> None:
        self.rows: list[NewRow] = []
        self.answers = _Answers()
        self.replies: list[Reply] = []
        self.tickets: list[TicketMade] = []
        self.ended: list[TicketEnded] = []
        self.snapshots: list[Snapshot] = []


def _not_noted(stream: str, place: Place) -> None:
    """Nobody keeps the heads: tests, and a floor without a folder."""


class Recorder:
    """The one owner of a stream: what it decides is applied here and on disk, in this order or at once for a group."""

    def __init__(self, store: Store, lease: Lease, begin: Start) -> None:
        self.store = store
        self.name = lease.stream
        self.lease = lease
        self.ownership = Ownership("owned")
        """Whether it takes commands, follows or has stopped, and why."""
        self.noted: Callable[[str, Place], None] = _not_noted
        """Told how far the stream has come, once that is on disk and before anyone is answered: see `heads`."""
        self._begin(begin)

    @property
    def owned(self) -> bool:
        """Does it take commands?"""
        return self.ownership.state == "owned"

    @property
    def followed(self) -> bool:
        """Has another the stream, and does this keep up with it? See `follow`."""
        return self.ownership.state == "followed"

    def _begin(self, begin: Start) -> None:
        self.subject, self.place, self.at, size = begin
        self._since = [0, 0, size]
        """Rows and bytes since the last snapshot, and the bytes of that one."""
        self._answers = _Answers()
        """Those of rows on disk since the last snapshot; older ones are kept as replies."""
        self._waiting = _Waiting()
        self.losses: list[Row] = []
        """Rows by which a loss was accepted, of those read since the state to begin with."""

    @staticmethod
    def make(store: Store, owner: str, now: int, milliseconds: int, made: AnyMade) -> Recorder:
        """A new stream: its first row is what its subject was made of."""
        subject = subject_of(made)
        check_stream_name(subject.name)
        lease = store.take(subject.name, owner, now, milliseconds)
        recorder = Recorder(store, lease, Start(subject, GENESIS, now, 0))
        recorder._waiting.rows.append(NewRow(now, *made_row(made)))
        recorder._write()
        return recorder

    @staticmethod
    def recover(store: Store, owner: str, now: int, milliseconds: int, stream: str) -> Recorder:
        """The subject as its rows say, checked against their chain; a round that was under way is interrupted.

        Nothing is written before all is read, and then one row at most: a second crash changes nothing.
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
        """A stream that another owns: the subject as its rows say so far. It goes on with `read`, and may `take_over`.

        `before` is that of the recorder whose place this one takes.
        """
        recorder = Recorder(store, store.lease(stream), start(store, stream))
        recorder.ownership = before.read_again() if before is not None else Ownership("followed")
        recorder._applied(rows_after(store, stream, recorder.place))
        return recorder

    @staticmethod
    def halt(store: Store, lease: Lease, made: AnyMade, short: Shortened) -> Recorder:
        """A stream that is not all there: shown as far as it goes, and nothing is added to it."""
        there = store.head(lease.stream).seq > 0
        recorder = Recorder(
            store, lease, start(store, lease.stream) if there else Start(subject_of(made), GENESIS, 0, 0)
        )
        recorder._applied(rows_after(store, lease.stream, recorder.place))
        recorder.ownership = Ownership("shortened", short)
        return recorder

    def take_over(self, owner: str, now: int, milliseconds: int, *, unbroken: bool = False) -> list[AnyEntry]:
        """Become the owner of a stream that was followed; what was in its rows and not read yet, and what came of it.

        A round that was under way when its owner stopped is interrupted, as after a restart; unless play is unbroken,
        because the owner was this very process.
        """
        assert self.followed
        self.lease = self.store.take(self.lease.stream, owner, now, milliseconds)
        said = self._read_on()
        self.ownership.change("LeaseTaken")
        struck = None if unbroken else self.subject.interruption(max(self.at, self.lease.seen))
        if struck is not None:
            said.append(self.give(struck).entry)
        return said

    def reread(self) -> None:
        """Remember what is on disk, and nothing else: the disk had no room for what was applied here already."""
        self._begin(start(self.store, self.lease.stream))
        self._read_on()

    def _read_on(self) -> list[AnyEntry]:
        """Apply the rows after the state to begin with, all that there are: nobody else may write any."""
        store, stream = self.store, self.lease.stream
        said = self._applied(rows_after(store, stream, self.place))
        if self.place != store.head(stream):
            raise Untrue(self.place.seq + 1, found("row", "stands-at", row=store.head(stream).seq))
        self.subject.check()
        return said

    def read(self, rows: Iterable[Row]) -> list[AnyEntry]:
        """Apply rows that follow, along their chain, and say what happened in them."""
        return self._applied(following(rows, self.place))

    def _applied(self, rows: Iterator[Row]) -> list[AnyEntry]:
        store, subject, stream = self.store, self.subject, self.lease.stream
        said = []
        for row, entry in entries(subject, rows):
            if entry is None:
                if row.kind == StateKept.__name__:
                    self._answers = _Answers()
                else:
                    self.losses.append(row)
            else:
                self._answers.add(row.seq, entry, subject)
                if entry.refused is None:  # what was refused has changed no round, perhaps because it was not at hand
                    subject.recall(entry.command, row.seq, recaller(store, stream))
                subject.apply(entry, row.transfers)
                said.append(entry)
            self.place, self.at = Place(row.seq, row.hash), max(self.at, row.at)
            self._count([row])
        return said

    def row_of(self, id: str) -> int:
        """The row on disk that answers an id, if it is remembered here; 0 if not: then a reply in the store tells."""
        return self._answers.seqs.get(id, 0)

    # ---- one by one

    def give(self, command: Any, id: str = "") -> Answer:
        """Decide a command and put it on disk; only then does anything change and the giver hear of it."""
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
            return self.give(command, id)  # its ticket has ended elsewhere meanwhile
        try:
            self._apply(entry, transfers)
            self.subject.audit()
        except BaseException as error:
            self.ownership.change("Fault", error)  # what is remembered here is no longer what the journal says
            raise
        if self._keep_state():
            with contextlib.suppress(Unwritten):  # it can be kept later: the command itself is on disk
                self._write()
        return Answer(entry)

    def _answered(self, command: Any, id: str, room: bool) -> Answer | Refusal | None:
        """The answer to a command that leaves no row: it was given before, or there is no room for it.

        A Refusal, if it was sent before with another content.
        """
        if not self.owned:
            raise Lost(self.subject.name)
        return self._without_row(command, id, room)

    def _without_row(self, command: Any, id: str, room: bool) -> Answer | Refusal | None:
        if (id and not is_name(id)) or not 0 <= command.at < LAST:
            return Answer(refused_entry(command, Refused("name", "id-or-moment")), again=True)
        if id or not self.subject.surely_new(command):  # nearly every bet is, and need not be looked for
            known = self._known(key_of(id) or self.subject.client_id(command))
            if known is not None:
                return self._again(command, known) or sent_otherwise(known.id)
        if not room and type(command) in _BRINGS_MORE:
            # There is no room for a row, or it may not last.
            return Answer(Entry(command, refused=_nothing_new(self.store)), again=True)
        return None

    def _known(self, id: str) -> Reply | None:
        if not id:
            return None
        seq = self._waiting.answers.seqs.get(id) or self._answers.seqs.get(id)
        return Reply(id, seq) if seq else self.store.reply(self.subject.name, id)

    def _again(self, command: Any, known: Reply) -> Answer | None:
        """The first answer to what is sent again; None if it is not the same."""
        there = known.seq - self.place.seq - 1
        try:
            if there >= 0:
                row = Row(self.subject.name, known.seq, 0, 0, 0, "", self._waiting.rows[there].body, b"", ())
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
        """What the store alone can refuse; it leaves a row like any other."""
        new = self.subject.new_ticket_of(command)
        if new is not None and self.store.ticket(new) is not None:
            return number_used(new)
        try:
            self.subject.recall(command, LAST, recaller(self.store, self.subject.name))
        except Refused as refused:  # it is about rounds in an archive that is not here
            return kept_refusal(refused)
        return None

    def _looked_up(self, command: Any) -> Any:
        """A command with what is known of its ticket: that comes from here, never from whoever sent it."""
        number = self.subject.ticket_of(command)
        if number is None:
            return command
        amount, expires, found = look_up(self.store, number)
        facts = {"amount": amount, "expires": expires, "found": found}
        return msgspec.structs.replace(
            command, **{name: fact for name, fact in facts.items() if name in command.__struct_fields__}
        )

    # ---- before it is given

    @contextlib.contextmanager
    def previewed(self, command: Any) -> Iterator[Preview]:
        """What a command to a table would come to now, by the steps of `give`; nothing is written or remembered.

        A follower may be asked too. Inside, the old rounds that the command is about are at hand.
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
        """Decide and apply a command whose row waits for the others; the disk has nothing to say to it."""
        subject, refusal = self.subject, None
        if id or not room or not 0 <= command.at < LAST or not subject.surely_new(command):  # nearly every bet is
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
        """Give a command by itself, after what waits is on disk; None if its giver must ask again."""
        try:
            return self.give(command, id)
        except Unwritten as why:
            return unwritten_answer(command, why)  # nothing of it is remembered
        except Conflict:
            return None  # if still owned: an id or a ticket is there already, and nothing was written or is remembered
        except Indeterminate:
            raise
        except Exception as error:
            if self.owned:
                self.ownership.stop(error)
            return None

    def to_write(self) -> Append | None:
        """What the group has for the disk; nothing, if its money does not add up: then the recorder stops."""
        if not self.owned or not self._waiting.rows:
            return None
        try:
            self.subject.audit()
            return self._append()
        except Exception as error:
            self.ownership.stop(error)
            return None

    def forget_group(self) -> None:
        """Nothing of the group was written, and nothing of it may be remembered."""
        try:
            self.reread()
        except Exception as error:
            self.ownership.stop(error)

    # ---- what waits

    def _wait(self, entry: AnyEntry, transfers: Sequence[Transfer]) -> None:
        waiting, command = self._waiting, entry.command
        waiting.rows.append(NewRow(command.at, type(command).__name__, encode(entry), transfers))
        waiting.answers.add(self.place.seq + len(waiting.rows), entry, self.subject)

    def _wait_for_tickets(self, entry: AnyEntry) -> None:
        """What the row that waits last makes of tickets; only commands that go alone have any."""
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
        """Let the state wait to be kept, where it is time for it."""
        rows, size, last = self._since
        if rows < SNAPSHOT_ROWS or not self.subject.resting or size < 2 * last or self._waiting.snapshots:
            return False
        state, waiting = self.subject.state(), self._waiting
        if len(state) > MOST_STATE:  # it could not be read again: the rows tell it
            self._since[0] = 0
            return False
        seq = self.place.seq + len(waiting.rows) + 1
        kept = StateKept(digest(state), self.subject.next_round)
        waiting.rows.append(NewRow(self.at, StateKept.__name__, encode(kept)))
        body = shrunk(state)
        waiting.snapshots.append(Snapshot(self.subject.name, seq, kept.round, body))
        # Sorted, and all at once between two rounds: in the order of their arrival they would touch a page each.
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
                self.ownership.stop(error)  # perhaps it is on disk: only recovery can tell
            raise
        self.written(append)


def _nothing_new(store: Store) -> Refusal:
    """Why nothing begins now that needs more rows than finishing what is open."""
    if store.unsafe:
        return kept_refusal(Refused("durability", "nothing-new"))
    return _no_room()


def _no_room() -> Refusal:
    return kept_refusal(Refused("disk", "full"))


def unwritten_answer(command: Any, why: Unwritten) -> Answer | None:
    """Nothing of a command was written: with a full disk it is refused, if it brings more; else it is asked again."""
    if isinstance(why, Full) and type(command) in _BRINGS_MORE:
        return Answer(Entry(command, refused=_no_room()), again=True)
    return None


def look_up(store: Store, number: str) -> tuple[int, int, str]:
    """What is known of a ticket: amount, last moment, and whether it lives or how it ended."""
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
