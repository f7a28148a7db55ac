"""Whatever has a history, its every command on disk before it is answered: decide, post, append, evolve, answer."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.cage.messages import SellTicket
from croupier.ledger import Transfer
from croupier.rules.refusal import Refused
from croupier.store.journal import (
    GENESIS,
    LAST,
    Append,
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
    chain,
    row_at,
)
from croupier.store.recall import Untrue, recaller, rows_after, start
from croupier.store.subjects import (
    AnyEntry,
    AnyMade,
    Entry,
    Refusal,
    StateKept,
    Subject,
    digest,
    entries,
    is_name,
    key_of,
    made_row,
    shrunk,
    subject_of,
)
from croupier.table import messages as m
from croupier.table.lookup import check_name
from croupier.table.tickets import check_ticket_number
from croupier.wire import encode

SNAPSHOT_ROWS = 1_000
"""At least so many rows lie between two snapshots, and twice their bytes: they cost little beside the rows."""

_BRINGS_MORE = (m.OpenBetting, m.PlaceBet, m.SellCredit, m.RedeemTicket, SellTicket)
"""What is refused while the disk has no room, so that what is open can be finished."""


class Answer(NamedTuple):
    """What the giver of a command is told, once it is on disk."""

    entry: AnyEntry
    again: bool = False
    """The same command was answered before; this is that answer."""


class Lost(Exception):
    """This owner of a stream may not go on: its stream has another owner, or what it remembers is not on disk."""


class _Waiting(NamedTuple):
    """What was decided and is not on disk yet."""

    rows: list[NewRow]
    replies: dict[str, Reply]
    tickets: list[TicketMade]
    ended: list[TicketEnded]
    snapshots: list[Snapshot]


class Clock:
    """Milliseconds of the floor: the wall's time at the start, then evenly onwards, whatever the wall's clock does."""

    def __init__(self, at_least: int = 0) -> None:
        self._begin = max(time.time_ns() // 1_000_000, at_least)
        self._monotonic = time.monotonic_ns()

    def now(self) -> int:
        return self._begin + (time.monotonic_ns() - self._monotonic) // 1_000_000


class Recorder:
    """The one owner of a stream: what it decides is applied here and on disk, in this order or at once for a group."""

    def __init__(self, store: Store, lease: Lease, subject: Subject, place: Place, at: int) -> None:
        self.store = store
        self.lease = lease
        self.subject = subject
        self.place = place
        self.at = at
        self.lost = False
        self.fault: Exception | None = None
        """The bug that stopped it, if one did."""
        self._since = [0, 0, 0]
        """Rows and bytes since the last snapshot, and the bytes of that one."""
        self._waiting = _Waiting([], {}, [], [], [])

    @staticmethod
    def make(store: Store, owner: str, now: int, milliseconds: int, made: AnyMade) -> Recorder:
        """A new stream: its first row is what its subject was made of."""
        subject = subject_of(made)
        check_stream_name(subject.name)
        lease = store.take(subject.name, owner, now, milliseconds)
        recorder = Recorder(store, lease, subject, GENESIS, now)
        recorder._waiting.rows.append(NewRow(now, *made_row(made)))
        recorder._write()
        return recorder

    @staticmethod
    def recover(store: Store, owner: str, now: int, milliseconds: int, stream: str) -> Recorder:
        """The subject as its rows say, checked against their chain; a round that was under way is interrupted.

        Nothing is written before all is read, and then one row at most: a second crash changes nothing.
        """
        lease = store.take(stream, owner, now, milliseconds)
        subject, place, at, size = start(store, stream)
        recorder = Recorder(store, lease, subject, place, at)
        recorder._since[2] = size
        for row, entry in entries(subject, rows_after(store, stream, place)):
            if entry is not None:
                subject.recall(entry.command, row.seq, recaller(store, stream))
                subject.apply(entry, row.transfers)
            recorder.place, recorder.at = Place(row.seq, row.hash), max(recorder.at, row.at)
            recorder._count([NewRow(row.at, row.kind, row.body)])
        if recorder.place != store.head(stream):
            raise Untrue(recorder.place.seq + 1, f"missing: the stream stands at {store.head(stream).seq}")
        subject.check()
        struck = subject.interruption(max(recorder.at, lease.seen))
        if struck is not None:
            recorder.give(struck)
        return recorder

    # ---- one by one

    def give(self, command: Any, id: str = "") -> Answer:
        """Decide a command and put it on disk; only then does anything change and the giver hear of it."""
        answer = self._answered(command, id)
        if answer is not None:
            return answer
        entry = self._decided(command, id)
        transfers = self.subject.post(entry)
        self._wait(entry, transfers, key_of(entry.id) or self.subject.client_id(command))
        try:
            self._write()
        except Conflict:
            if self.lost or self._looked_up(command) == entry.command:
                raise
            return self.give(command, id)  # its ticket has ended elsewhere meanwhile
        self._apply(entry, transfers)
        if self._keep_state():
            with contextlib.suppress(Full):  # it can be kept later: the command itself is on disk
                self._write()
        return Answer(entry)

    def _answered(self, command: Any, id: str) -> Answer | None:
        """The answer to a command that needs no deciding: it was given before, or there is no room for it."""
        if self.lost:
            raise Lost(f"{self.subject.name} has another owner")
        if (id and not is_name(id)) or not 0 <= command.at < LAST:
            message = "an id has 1 to 128 printed characters, and a moment is counted in milliseconds"
            return Answer(Entry(command, refused=Refusal("name", message)), again=True)
        known = self._known(command, id)
        again = self._again(command, known) if known is not None else None
        if again is not None:
            return again
        if isinstance(command, _BRINGS_MORE) and not self.store.room():
            message = "the disk is full: what is open is finished, nothing new begins for now"
            return Answer(Entry(command, refused=Refusal("disk", message)), again=True)  # there is no room for a row
        return None

    def _at_the_door(self, command: Any, id: str) -> Refusal | None:
        """What the store alone can refuse; it leaves a row like any other."""
        known = self._known(command, id)
        if known is not None:
            return Refusal("resend", f"{known.id} was sent before with another content")
        new = self.subject.new_ticket_of(command)
        if new is not None and self.store.ticket(new) is not None:
            return Refusal("ticket", f"there is a ticket {new} already; a number is used once")
        return None

    def _known(self, command: Any, id: str) -> Reply | None:
        if not id and self.subject.surely_new(command):
            return None  # nearly every bet: it need not be looked for
        id = key_of(id) or self.subject.client_id(command)
        return self._waiting.replies.get(id) or (self.store.reply(self.subject.name, id) if id else None)

    def _again(self, command: Any, known: Reply) -> Answer | None:
        """The first answer to what is sent again; None if it is not the same."""
        there = known.seq - self.place.seq - 1
        body = self._waiting.rows[there].body if there >= 0 else b""
        row = Row(self.subject.name, known.seq, 0, 0, 0, "", body, (), b"")
        entry = self.subject.read(row if body else row_at(self.store, self.subject.name, known.seq))
        return Answer(entry, again=True) if _content(entry.command) == _content(command) else None

    def _decided(self, command: Any, id: str) -> AnyEntry:
        refusal = self._at_the_door(command, id)
        if refusal is not None:
            return Entry(command, refused=refusal, door=True)
        self.subject.recall(command, LAST, recaller(self.store, self.subject.name))
        return self.subject.decided(self._looked_up(command), id)

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

    def _grouped(self, command: Any, id: str) -> Answer:
        """Decide and apply a command whose row waits for the others."""
        answer = self._answered(command, id)
        if answer is not None:
            return answer
        entry = self._decided(command, id)
        transfers, own = self.subject.post(entry), key_of(entry.id) or self.subject.client_id(command)
        self._apply(entry, transfers)
        self._wait(entry, transfers, own)
        self._keep_state()
        return Answer(entry)

    def _stopping(self, give: Callable[[Any, str], Answer], command: Any, id: str) -> Answer | None:
        """Give a command; a bug, or another owner, stops this table and no other."""
        try:
            return give(command, id)
        except (Full, Indeterminate):
            raise
        except Conflict as conflict:
            if not self.lost:  # an id or a ticket that is there already: nothing was written, nothing is remembered
                return None
            self.fault = conflict
            return None
        except Exception as error:
            self.lost, self.fault = True, error
            return None

    # ---- what waits

    def _wait(self, entry: AnyEntry, transfers: Sequence[Transfer], id: str) -> None:
        stream, waiting = self.subject.name, self._waiting
        seq = self.place.seq + len(waiting.rows) + 1
        at = entry.command.at
        waiting.rows.append(NewRow(at, type(entry.command).__name__, encode(entry), transfers))
        if id and entry.refused is None:
            waiting.replies[id] = Reply(id, seq)
        for change in self.subject.tickets(entry):
            if change.how:
                waiting.ended.append(TicketEnded(change.number, int(change.late), stream, seq, at, change.how))
            else:
                waiting.tickets.append(
                    TicketMade(change.number, stream, seq, change.amount, at, change.expires, change.place)
                )

    def _apply(self, entry: AnyEntry, transfers: Sequence[Transfer]) -> None:
        try:
            self.subject.apply(entry, transfers)
            self.subject.audit()
        except BaseException:
            self.lost = True  # what is remembered here is no longer what the journal says
            raise
        self.at = max(self.at, entry.command.at)

    def _keep_state(self) -> bool:
        """Let the state wait to be kept, where it is time for it."""
        rows, size, last = self._since
        if rows < SNAPSHOT_ROWS or size < 2 * last or not self.subject.resting:
            return False
        state = self.subject.state()
        seq = self.place.seq + len(self._waiting.rows) + 1
        kept = StateKept(digest(state), self.subject.next_round)
        self._waiting.rows.append(NewRow(self.at, StateKept.__name__, encode(kept)))
        body = shrunk(state)
        self._waiting.snapshots.append(Snapshot(self.subject.name, seq, kept.round, body))
        self._since = [0, 0, len(body)]
        return True

    def _count(self, rows: Sequence[NewRow]) -> None:
        for row in rows:
            if row.kind == StateKept.__name__:
                self._since = [0, 0, self._since[2]]
            else:
                self._since[0] += 1
                self._since[1] += len(row.body)

    def _append(self) -> Append:
        rows, replies, tickets, ended, snapshots = self._waiting
        chained = chain(self.subject.name, self.lease.epoch, self.place, rows)
        return Append(self.lease.epoch, self.place, chained, list(replies.values()), tickets, ended, snapshots)

    def _written(self, append: Append) -> None:
        self.place = append.place
        self._count(self._waiting.rows)
        self._waiting = _Waiting([], {}, [], [], [])

    def _write(self) -> None:
        try:
            append = self._append()
            self.store.append([append])
        except Conflict as conflict:
            self.lost = bool(conflict.streams)
            self._waiting = _Waiting([], {}, [], [], [])
            raise
        except BaseException as error:
            self.lost = self.lost or isinstance(error, Indeterminate)  # perhaps it is on disk: only recovery can tell
            self._waiting = _Waiting([], {}, [], [], [])
            raise
        self._written(append)


def give_all(store: Store, work: Sequence[tuple[Recorder, Any, str]]) -> list[Answer | None]:
    """Everything that waits, decided in its order and put on disk in one commit; None where the giver must ask again.

    What is decided is applied before it is on disk, so that the next can be decided; nobody hears of it before. If the
    commit fails, what is remembered is worth nothing: those recorders are lost, and their streams must be recovered.
    """
    answers: list[Answer | None] = [None] * len(work)
    decided: list[tuple[int, Recorder, Answer]] = []
    for number, (recorder, command, id) in enumerate(work):
        if recorder.lost:
            continue
        if recorder.subject.alone(command):
            _commit(store, decided, answers)
            decided = []
            answers[number] = recorder._stopping(recorder.give, command, id)
        elif (answer := recorder._stopping(recorder._grouped, command, id)) is not None:
            decided.append((number, recorder, answer))
    _commit(store, decided, answers)
    return answers


def _commit(store: Store, decided: list[tuple[int, Recorder, Answer]], answers: list[Answer | None]) -> None:
    recorders = {id(recorder): recorder for _, recorder, _ in decided if recorder._waiting.rows}
    appends: list[tuple[Recorder, Append]] = []
    stale: frozenset[str] = frozenset()
    try:
        appends = [(recorder, recorder._append()) for recorder in recorders.values()]
        if appends:
            store.append([append for _, append in appends])
    except Conflict as conflict:
        stale = conflict.streams or _one_by_one(store, [append for _, append in appends])
    except BaseException:
        for recorder in recorders.values():
            recorder.lost = True
        raise
    for recorder, append in appends:
        if append.stream in stale:
            recorder.lost = True
        else:
            recorder._written(append)
    for number, recorder, answer in decided:
        answers[number] = answer if recorder.subject.name not in stale else None


def _one_by_one(store: Store, appends: Sequence[Append]) -> frozenset[str]:
    """What of a group that collided can be written by itself; the streams of which nothing was."""
    stale = set()
    for append in appends:
        try:
            store.append([append])
        except Conflict:
            stale.add(append.stream)
    return frozenset(stale)


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
        raise Refused("name", f"{name} is not a name for a table: / stands between a table and its seats")


def _content(command: Any) -> bytes:
    """What a resend must repeat: not the time, nor what is looked up here."""
    neutral = {"at": 0, "found": "unknown", "expires": 0}
    if hasattr(command, "found"):
        neutral["amount"] = 0
    fields = {name: value for name, value in neutral.items() if name in command.__struct_fields__}
    return encode(msgspec.structs.replace(command, **fields))
