"""A running floor: opens every stream, gives commands to the one task that writes, and delivers what was written.

Commands that wait are written in one commit. Each is answered, and its entries are delivered to the subscribers, only
after that commit is on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from croupier.floor.bookshelf import Bookshelf, refusal_for_new_table
from croupier.floor.cluster import Cluster
from croupier.floor.config import CAGE, OFFICE, TableConfig, made_of
from croupier.floor.metrics import Buckets
from croupier.floor.motion_picture import Picture
from croupier.floor.observation import FactToConfirm, Observation
from croupier.floor.past_rounds import PastRounds
from croupier.floor.signing import Signing
from croupier.floor.stopped import Stopped, shortened, stopped
from croupier.office import Office
from croupier.office import messages as o
from croupier.office.decide import MOST_OPEN
from croupier.office.messages import Because
from croupier.office.state import open_alert
from croupier.rules.alerts import ALERTS, LONGEST, cut
from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.refusal import Fact, Refused
from croupier.store.archive import Archived
from croupier.store.checkpoint import last_checkpoint, trusted_key
from croupier.store.clock import Clock
from croupier.store.commit import Work, give_all
from croupier.store.folder import Premises, open_store
from croupier.store.heads import Heads
from croupier.store.journal import Conflict, Indeterminate, Place, Secret, Store, Unwritten
from croupier.store.recorder import Answer, Recorder
from croupier.store.streams.entry import AnyEntry
from croupier.store.streams.made import AnyMade
from croupier.store.streams.office import OfficeSubject
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId
from croupier.table.permits import SYSTEM
from croupier.table.state import Table

Reply = Callable[[Answer | None], None]
"""Called with the answer after the commit; with None if the result is unknown and the command must be sent again."""
RelayCommand = Callable[[Recorder, Any, str, Reply], None]
"""Called with a command for a stream that another machine owns."""
Subscriber = Callable[[str, Sequence[AnyEntry]], None]
"""Called after every commit, once for each stream (a table, the cage, the office), with the new entries."""

MOST_WAITING = 50_000
"""Commands that may wait for the writer. Any above that are answered with None."""
HEADS_EVERY = 1.0
"""Seconds between two writes of the heads to disk."""
_HEADS_KEPT = ("heads", "kept")
"""An entry of the database which says that this floor has kept heads. Without it, missing heads are normal."""


class TakenOver(Exception):
    """Another server took every stream while this one was frozen or asleep, so this one has nothing left to do."""


class ShownDevice(Protocol):
    """The device of a table, as screens show it."""

    @property
    def online(self) -> bool | None: ...

    @property
    def name(self) -> str: ...

    @property
    def seen(self) -> Observation | None: ...

    def facts(self, person: PersonId) -> tuple[FactToConfirm, ...]: ...


def without_bets(entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """The entries that are not bets. A subscriber to rare events need not go through thousands of bets."""
    return [entry for entry in entries if type(entry.command) is not m.PlaceBet]


class LiveTable:
    """A table of the floor: its recorder, the House's choices, and what is live there and not in the journal."""

    def __init__(self, config: TableConfig, recorder: Recorder) -> None:
        assert isinstance(recorder.subject, TableSubject)
        self.config = config
        self.recorder = recorder
        self.past_rounds = PastRounds()
        self.closes_at: int | None = None
        """When betting ends, on the floor's clock; None if it is not timed."""
        self.device: ShownDevice | None = None
        self.picture: Picture | None = None
        """The last picture of the motion under way."""
        self.picture_watchers: list[Callable[[LiveTable], None]] = []
        self.away = False
        """True while the database is away, for every table at once."""
        self.connected_seats: set[SeatId] = set()
        """The seats whose terminal is connected, to any machine."""
        self.handing_over = False
        """True while the table is to be handed over to another machine: the automatic Dealer begins no round."""

    @property
    def name(self) -> str:
        return self.config.name

    @property
    def table(self) -> Table:
        subject = self.recorder.subject
        assert type(subject) is TableSubject
        return subject.table

    @property
    def stopped(self) -> Stopped | None:
        """Why this table takes no commands; None if it takes them."""
        if self.away:
            return Stopped("away")
        return stopped(self.name, self.recorder.ownership)

    def broken_at(self, owner: str) -> bool:
        """True if it stopped for a fault at its owner. No other machine takes it over: it would stop there too."""
        return self.recorder.ownership.is_broken and self.recorder.lease.owner == owner

    @property
    def worked(self) -> bool:
        """True if devices and Dealers work here. They also go on while the last commit is uncertain, and ask again."""
        recorder = self.recorder
        return recorder.owned or self.away or recorder.ownership.state == "uncertain"

    def show(self, picture: Picture | None) -> None:
        self.picture = picture
        for watch in tuple(self.picture_watchers):
            watch(self)


class Floor:
    """The tables, the cage and the office. One task writes, and nothing is delivered before it is on disk."""

    def __init__(
        self,
        premises: Premises,
        configs: Sequence[TableConfig],
        owner: str,
        lease: int = 5_000,
        books: Path | None = None,
    ) -> None:
        """`books` is the House's folder of rulebooks."""
        self.premises = premises
        self.bookshelf = Bookshelf(books)
        self.owner = owner
        self.lease = lease
        self.clock = Clock()
        # With its archive, because a correction may concern an archived round.
        shared = premises.open_shared(lease / 1000) if premises.shared else None
        self.database: Store = shared or open_store(premises.address, make=True)
        self.store: Store = Archived(self.database, premises.archive)
        self.tables: dict[str, LiveTable] = {}
        self.cage: Recorder
        self.office: Recorder
        self._subscribers: defaultdict[str | None, list[Subscriber]] = defaultdict(list)
        """By stream; under None, those of every stream."""
        self._raising: list[o.RaiseAlert] = []
        self.commits = 0
        self.written = 0
        self.groups = Buckets(1, 3, 10, 30, 100, 300, 1_000, 3_000)
        """How many commands each commit wrote."""
        self.seconds = Buckets(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
        """How long each commit took: deciding, writing, delivering."""
        self._configs = configs
        self.signing = Signing(self)
        self.heads = Heads(premises.heads, owner, _signed(premises))
        self._heads_gone = False
        self._waiting: list[Work] = []
        self._replies: list[Reply] = []
        """The replies to the waiting commands, in the same order."""
        self._more = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []
        self.relay: RelayCommand = lambda recorder, command, id, reply: reply(None)
        """Takes the commands for streams that another machine owns."""
        self.cluster = Cluster(self, shared) if shared is not None else None
        """Shares the streams with other machines; None if the database is not shared."""

    async def failed(self) -> None:
        """Wait until the floor must stop, and raise why: Indeterminate if only a restart can tell what is on disk."""
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()

    # ---- opening and closing

    async def open(self, at_least: int = 0) -> None:
        """Recover every stream, before any door opens. The clock starts after the last row, and at `at_least`."""
        self._check_new_tables()
        for name in self.store.streams():
            self.heads.compare(self.store, name)  # a journal that is too short must be noted before it is signed
        await self.signing.begin()
        if self.cluster is not None:
            await self.cluster.open()
            self._opened()
            self._begin(self.cluster.run())
            return
        self.clock = Clock(max(at_least, *map(self._last_moment, self.store.streams()), 0))
        for name, made in self.made_of().items():
            self.put(name, self._owned(name, made))
        self._opened()
        self._begin(self._renew())

    def _check_new_tables(self) -> None:
        """BadInput, if a table would be made under a book that is not in force, unless the House says `trial`."""
        new = [config for config in self._configs if not config.trial and not self.store.head(config.name).seq]
        known = [found.book for found in self.bookshelf.books().values()] if new else []
        no = ((config, refusal_for_new_table(config.book(), known, self.clock.now())) for config in new)
        faults = [Fault(f"table {config.name}, rulebook", refused) for config, refused in no if refused is not None]
        if faults:
            raise BadInput(faults)

    def _begin(self, leases: Coroutine[Any, Any, None]) -> None:
        """Start the tasks: the writer, the leases, the heads, the checkpoints."""
        self._tasks = [
            asyncio.create_task(work) for work in (self._write(), leases, self._sync_heads(), self.signing.run())
        ]

    def _opened(self) -> None:
        """Note that every stream was compared with its heads."""
        if self.cluster is None:  # a machine that joins a cluster has no heads yet
            self._heads_gone = self.heads.gone and self.database.secret(*_HEADS_KEPT) is not None
            self.database.put_secret(Secret(*_HEADS_KEPT, b""))
        self.heads.settle()

    def heads_alerts(self) -> Iterator[tuple[str, str, str, dict[str, Fact]]]:
        """The alerts about this machine's heads and the journal: kind, case, table and facts of each."""
        place = str(self.premises.heads)
        for name, short in self.heads.halted.items():
            why = shortened(name, short)
            yield "journal", why.case, name if name in self.tables else "", why.facts
        if found := self.heads.found.unreadable:
            yield "heads", "unreadable", "", {"place": ":".join(map(str, found[0]))}
        if self._heads_gone:
            yield "heads", "gone", "", {"place": place}
        if self.heads.fault:
            yield "heads", "unwritable", "", {"place": place, "error": self.heads.fault}

    async def _sync_heads(self) -> None:
        """Write the heads to disk in a thread, against a power cut. No bet waits for it."""
        while True:
            await asyncio.sleep(HEADS_EVERY)
            await asyncio.to_thread(self.heads.sync)

    @property
    def accounts(self) -> Office:
        """The office as it stands."""
        assert isinstance(self.office.subject, OfficeSubject)
        return self.office.subject.office

    def made_of(self) -> dict[str, Callable[[], AnyMade]]:
        """Every stream of this floor, and how to make its first row."""
        return made_of(self._configs)

    @property
    def sure(self) -> bool:
        """True if no other machine can have taken a stream of this one. Asked before dice or ball are set in motion."""
        return self.cluster is None or self.cluster.sure

    def recorder(self, stream: str) -> Recorder:
        if stream in self.tables:
            return self.tables[stream].recorder
        return self.cage if stream == CAGE else self.office

    def put(self, stream: str, recorder: Recorder) -> None:
        """Use this recorder for a stream from now on."""
        recorder.noted = self.heads.note
        self.heads.note(stream, recorder.place)
        if stream == CAGE:
            self.cage = recorder
        elif stream == OFFICE:
            self.office = recorder
        elif stream in self.tables:
            self.tables[stream].recorder = recorder
        else:
            config = next(config for config in self._configs if config.name == stream)
            self.tables[stream] = LiveTable(config, recorder)

    def recorders(self) -> Iterable[Recorder]:
        yield from (live.recorder for live in self.tables.values())
        yield self.cage
        yield self.office

    def _last_moment(self, stream: str) -> int:
        """The later of the last row and the owner's last sign of life. The system clock may be behind both."""
        row = self.store.page(stream, self.store.head(stream).seq - 1, 1)[0]
        return max(int(str(row[0][4])) if row else 0, self.store.lease(stream).seen)

    def _owned(self, name: str, made: Callable[[], Any]) -> Recorder:
        if short := self.heads.compare(self.store, name):
            lease = self.store.take(name, self.owner, self.clock.now(), self.lease)
            return Recorder.halt(self.store, lease, made(), short)
        if self.store.head(name).seq:
            return Recorder.recover(self.store, self.owner, self.clock.now(), self.lease, name)
        return Recorder.make(self.store, self.owner, self.clock.now(), self.lease, made())

    async def close(self) -> None:
        """Write the waiting commands, interrupt the rounds under way, sign, and release the leases."""
        if self._closing:
            return
        if self.cluster is not None and self.cluster.away:
            await self.abandon()
            return
        self._closing = True  # no more commands are taken
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            self._write_all()
            for live in self.tables.values():
                interrupt = live.recorder.subject.interruption(self.clock.now()) if live.recorder.owned else None
                if interrupt is not None:
                    with contextlib.suppress(Conflict):  # another machine has taken it, and interrupts the round itself
                        live.recorder.give(interrupt)
            try:
                await self.signing.end()
            finally:
                for recorder in self.recorders():
                    if recorder.ownership.state in ("owned", "shortened"):
                        self.store.release(recorder.lease)
            await self.signing.copied()
        finally:
            self._close_all()

    async def abandon(self) -> None:
        """Close without writing: the floor could not be opened, or only a restart can find out what is on disk."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._close_all()

    def _close_all(self) -> None:
        if self.cluster is not None:
            self.cluster.close()
        self.signing.close()
        self.store.close()
        self.database.close()
        self.heads.close()

    # ---- commands

    def submit(self, recorder: Recorder, command: Any, id: str, reply: Reply) -> None:
        """Queue a command for the writer; `reply` is called once it is on disk."""
        waiting = self._waiting
        if len(waiting) >= MOST_WAITING or not recorder.owned or self._closing:
            if self.cluster is not None and (refused := self.cluster.refused(recorder, command)) is not None:
                reply(refused)
            elif recorder.owned or self._closing:
                reply(None)
            else:
                self.relay(recorder, command, id, reply)
            return
        if not waiting:
            self._more.set()
        waiting.append((recorder, command, id))
        self._replies.append(reply)

    async def give(self, recorder: Recorder, command: Any, id: str = "") -> Answer | None:
        """Queue a command and wait for its answer."""
        done: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self.submit(recorder, command, id, lambda answer: None if done.done() else done.set_result(answer))
        return await done

    @property
    def waiting(self) -> int:
        """Commands that wait for the writer."""
        return len(self._waiting)

    def alert(self, kind: str, case: str, table: str = "", because: Refused | None = None, /, **facts: Fact) -> None:
        """Raise an alert, unless an equal one is open. It stays until a person acknowledges it."""
        self._raise(self._alerting(kind, case, table, facts, because))

    def is_alerted(self, kind: str, case: str, table: str = "", /, **facts: Fact) -> bool:
        """True if an equal alert is open."""
        return open_alert(self.accounts, self._alerting(kind, case, table, facts)) is not None

    def _alerting(
        self, kind: str, case: str, table: str, facts: Mapping[str, Fact], because: Refused | None = None
    ) -> o.RaiseAlert:
        declared = ALERTS[kind][case]
        assert facts.keys() == declared.keys(), f"{kind} {case}: {sorted(facts)}, not {sorted(declared)}"
        command = o.RaiseAlert(SYSTEM, self.clock.now(), kind, table, case=case, facts=_cut(facts))
        if because is None:
            return command
        message = because.message[:LONGEST]
        no = Because(because.reason, because.case, because.clause, _cut(because.facts), message)
        return replace(command, because=no)

    def _raise(self, command: o.RaiseAlert) -> None:
        same, alerts = replace(command, at=0), self.accounts.alerts.values()
        if same in self._raising or open_alert(self.accounts, command) or sum(one.open for one in alerts) >= MOST_OPEN:
            return  # it would be refused, and every refusal is a row
        self._raising.append(same)
        self.submit(self.office, command, "", lambda _: self._raising.remove(same))

    async def _write(self) -> None:
        """Write all waiting commands in one commit, then answer and deliver; again and again."""
        while True:
            await self._more.wait()
            self._more.clear()
            self._write_all()
            await asyncio.sleep(0)  # let the doors read what arrived meanwhile

    def _write_all(self) -> None:
        work, replies = self._waiting, self._replies
        self._waiting, self._replies = [], []
        if not work:
            return
        begin = time.perf_counter()
        self._answer_all(work, replies, give_all(self.store, work))
        self.groups.add(len(work))
        self.seconds.add(time.perf_counter() - begin)
        for recorder in self.recorders():
            if isinstance(why := recorder.ownership.why, Indeterminate) and self.cluster is None:
                raise why

    def _answer_all(self, work: Sequence[Work], replies: Sequence[Reply], answers: Sequence[Answer | None]) -> None:
        happened: defaultdict[str, list[AnyEntry]] = defaultdict(list)
        for (recorder, _, _), reply, answer in zip(work, replies, answers, strict=True):
            if answer is not None and not answer.again:
                happened[recorder.name].append(answer.entry)
            try:
                reply(answer)
            except Exception as error:
                self._alert_of_bug(recorder.name, error)
        self.commits += 1
        self.written += sum(map(len, happened.values()))
        for name, entries in happened.items():
            self.deliver(name, entries)

    # ---- delivering

    def subscribe(self, stream: str | None, subscriber: Subscriber) -> None:
        """Call `subscriber` after every commit to a stream, or to any with None.

        Subscribers of one table are called with no entries when something changed that is not in the journal: the
        countdown, the device, the connected seats.
        """
        self._subscribers[stream].append(subscriber)

    def unsubscribe(self, stream: str | None, subscriber: Subscriber) -> None:
        self._subscribers[stream].remove(subscriber)

    def deliver(self, name: str, entries: Sequence[AnyEntry]) -> None:
        """Pass the entries of a commit to everyone who subscribed to the stream."""
        self.signing.note()
        if (live := self.tables.get(name)) is not None:
            live.past_rounds.follow(entries, live.recorder.subject.balances.flows)
        self._call((*self._subscribers[None], *self._subscribers[name]), name, entries)

    def presence_changed(self, live: LiveTable) -> None:
        """Call the subscribers of a table because something changed there that is not in the journal."""
        self._call(tuple(self._subscribers[live.name]), live.name, ())

    def _call(self, subscribers: Iterable[Subscriber], stream: str, entries: Sequence[AnyEntry]) -> None:
        """A subscriber that raises stops neither the writer nor the other subscribers."""
        for subscriber in subscribers:
            try:
                subscriber(stream, entries)
            except Exception as error:
                self._alert_of_bug(stream, error)

    def _alert_of_bug(self, stream: str, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        self.alert("screen-fault", "failed", stream, error=type(error).__name__, place=where)

    async def _renew(self) -> None:
        """Renew the leases three times as often as they end. A stream that another server has taken stops here."""
        while True:
            await asyncio.sleep(self.lease / 3_000)
            for recorder in self.recorders():
                if recorder.owned:
                    try:
                        recorder.lease = self.store.renew(recorder.lease, self.clock.now(), self.lease)
                    except Conflict as conflict:
                        recorder.ownership.change("LeaseLost", conflict)
                    except Unwritten:
                        continue  # try again next time: if another server took the table, it has a higher epoch
                elif recorder.ownership.state == "superseded" and (
                    short := self.heads.compare(self.store, recorder.name)  # was the journal replaced by another copy?
                ):
                    recorder.ownership.change("Shortened", short)
            if all(recorder.ownership.state == "superseded" for recorder in self.recorders()):
                raise TakenOver(self.owner)

    async def restore(self, live: LiveTable) -> None:
        """Restore an interrupted round once terminals can connect again: it goes on, or ends by its clause."""
        if live.table.interruption is not None and not live.table.interruption.power_back:
            await self.give(live.recorder, m.Restore(SYSTEM, self.clock.now()))


def _signed(premises: Premises) -> dict[str, Place]:
    """The head of every stream in this machine's last checkpoint."""
    mark = None
    with contextlib.suppress(Refused, OSError):  # the next attempt to sign reports what is wrong with the file
        mark = last_checkpoint(premises.checkpoints, trusted_key(premises.public_key))
    return {stream: Place(seq, bytes.fromhex(hash)) for stream, (seq, hash) in mark.heads.items()} if mark else {}


def _cut(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    return {name: cut(fact) for name, fact in facts.items()}
