"""The machines of a floor: which of them owns which stream, and how the others keep up.

Every machine (node) has a recorder for every stream. The owner's recorder decides and writes. The recorders of the
other nodes read its rows and apply them, so every node shows the same screens (decision 0016). Which of the two a
recorder does is its `ownership` (see `store.ownership`). A floor on SQLite has no cluster, because no other machine can
use its database. A cluster holds:

* `mine`: the streams whose devices, Dealers and terminals this node works. Nearly always these are the streams it owns.
  Only while the database is away for less than a lease does it work streams that it may not write to: the dice go on.
* `nodes`: the nodes that live, each with its status. `lag`: rows that this node has not applied yet.
* `_unbroken`: the streams this node worked when the database was lost, until another node may have taken them.

A turn (`_turn`) takes place every tenth of a second, or at once after `wake`:

1. In the loop: list the leases to renew, every quarter of a lease. A loop that hangs renews nothing, and should not.
2. In a thread, on a connection of its own (`_ask`): write this node's status; renew the leases; read in one statement
   who owns what, how long each stream is and which nodes live; read the new rows of followed streams, at most `MOST`.
3. Back in the loop, for each stream (`_apply`): a lease that was not renewed is lost. If there is a reason, compare the
   stream with the heads (`_compare`). Reload it if it is superseded or uncertain (`_follow`). Apply the new rows and
   deliver them to the subscribers (`_read`). Note the owner.
4. Share (`_share`): take back the unbroken streams; take the free streams that are this node's by `shares`; give one
   stream up if another node has two fewer, or all of them if this node leaves.

Always true:

1. Two owners never both write. A lease only says when another node may try. Which node may write is decided by the
   epoch, compared in every append. So a badly timed lease loses nothing.
2. All moments come from the database (`Look.now`), because the clocks of machines differ.
3. All nodes compute the same shares, because they read the same tables. A node that should take a stream and does not
   within a lease is passed over.
4. A stream is given up only between two rounds, and taken with all its rows applied. A round that was under way when
   its owner was lost is interrupted by the book's clause, unless this same process owned it.
5. The workers of a stream have stopped on this node before its subscribers get the rows of another machine.
6. When a stream is found too short, the other nodes read so in the next turn, which begins at once.

After a kill or a fault:

* A node is killed: its leases end, and another node takes each stream, with every row that was answered. Terminals are
  sent there. They send commands without an answer again, with the same ids.
* A node is killed after it took a lease, before the first row: nothing is written. The next owner has a higher epoch.
* A node is killed while it gives a stream up: the lease is free or ends, as in the first case.
* A node is frozen for longer than a lease: `sure` is false, so it touches no device, and its first append is refused.
* The database does not answer (`_database_lost`): nothing is owned, every screen says so, and the node asks again every
  quarter of a second. If the database is back within a lease, the rows are read again and play goes on. After that,
  other nodes may have taken over (`_break_off`), and this node follows like any other.

`floor.floor` and `server.serve` call `open`, `run` and `leave` in the event loop, and recorders are used only in the
loop. The thread gets leases and row numbers, and returns rows. It uses no recorder.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from croupier import __version__
from croupier.floor.shares import shares, surplus
from croupier.rules.bad_input import Unreadable
from croupier.rules.findings import found
from croupier.rules.refusal import Refused
from croupier.store.clock import Clock
from croupier.store.heads import Shortened
from croupier.store.history import Untrue
from croupier.store.journal import (
    Away,
    Broken,
    Conflict,
    Indeterminate,
    Lease,
    Look,
    Node,
    Place,
    Row,
    Secret,
    SharedStore,
    Unwritten,
    read_rows,
)
from croupier.store.recorder import Answer, Recorder
from croupier.store.streams.entry import NO_COMMANDS, Entry, Refusal
from croupier.table.messages import PlaceBet

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

TURN = 0.1
"""Seconds between two turns."""
PATIENCE = 15.0
"""Seconds for which a start waits until every stream has an owner that lives."""
AGAIN = 0.25
"""Seconds until a database that does not answer is asked again."""
MOST = 5_000
"""Rows of a stream that are read in one turn. A node that is far behind must not neglect its own tables."""
FAR = 65_000
"""Milliseconds: no lease lasts so long. One that ends later was written before the database's clock was set back."""
STILL = 20.0
"""Seconds after which such a lease is over if it was not renewed. An owner that lives renews it more often."""
DAY = 24 * 60 * 60 * 1000

log = structlog.get_logger()


News = list[Row] | Broken


class NodeStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status that a node writes for the others. A release may add fields: unknown ones are ignored."""

    version: str
    terminals: str = ""
    """The addresses of its door for terminals, of its pages with their origins, and of its relay for other nodes."""
    pages: str = ""
    origins: tuple[str, ...] = ()
    relay: str = ""
    certificate: str = ""
    """The certificate of its relay, PEM, so that no other program can take its place."""
    leaving: bool = False
    """True if it takes no more streams, and gives up those it has."""
    lag: int = 0
    """Rows of other nodes that it has not applied yet."""
    halted: dict[str, tuple[int, str]] = {}
    """Streams that are too short, each with the number and hash of a row that it once had."""
    touched: dict[str, int] = {}
    """When each session was last used on this node."""


_encode, read_status = msgspec.json.encode, msgspec.json.Decoder(NodeStatus).decode


class Cluster:
    """Keeps every stream of a floor either owned or followed by this node."""

    def __init__(self, floor: Floor, store: SharedStore) -> None:
        self._floor = floor
        self._store = store
        self._watch = floor.premises.open_shared(floor.lease / 1000)
        """A connection of its own, so that reading does not delay writing."""
        self.name = floor.owner
        self.status = NodeStatus(__version__)
        self.mine: set[str] = set()
        """The streams whose devices, Dealers and terminals this node works."""
        self.nodes: dict[str, NodeStatus] = {}
        """The nodes that live, and this one."""
        self.away = ""
        """Why the database cannot be used; empty if it can."""
        self.listeners: list[Callable[[str], None]] = []
        """Called with a stream when this node begins or ends to work it, or when its owner changes among the others."""
        self.lag: dict[str, int] = {}
        """By how many rows each followed stream is behind."""
        self.taken = 0
        self.given = 0
        self.losses = 0
        """How often a stream was taken, a stream was given up, and the database was lost."""
        self.asked = 0
        self.answered = 0
        self.unanswered = 0
        """Commands sent to other nodes; commands of other nodes answered; commands sent and not answered."""
        self._away_since = 0.0
        self._renewed = float("-inf")
        self._sure = float("-inf")
        """Until when no other node can have taken a stream of this one, on the loop's clock."""
        self._answered_at = float("-inf")
        """When the database last answered, on the loop's clock."""
        self._free: dict[str, float] = {}
        """Since when a stream has had no owner."""
        self._far: dict[tuple[str, str], tuple[int, float]] = {}
        """Leases and nodes whose end is too far off, with that end and since when it was seen."""
        self._unbroken: set[str] = set()
        """The streams this node worked when the database was lost, as long as their rounds can go on undisturbed."""
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "cluster")
        """A thread of its own, so that long reads elsewhere and a silent database delay no lease."""
        self._turns = self._done = 0
        """The number of turns that began, and the last one that ended."""
        self._streams = tuple(floor.made_of())
        self._compared: dict[str, tuple[int, frozenset[Place]]] = {}
        """The head, and the rows remembered by other nodes, at which each stream was last compared."""

    # ---- for the rest of the program

    def owner_of(self, stream: str) -> NodeStatus | None:
        """The other node that owns a stream, if it lives."""
        owner = self._floor.recorder(stream).lease.owner
        return self.nodes.get(owner) if owner != self.name else None

    def announce(self, **more: Any) -> None:
        """Change fields of this node's status, for the others to read."""
        self.status = msgspec.structs.replace(self.status, **more)
        self._renewed = float("-inf")
        self.wake()

    @property
    def sure(self) -> bool:
        """True if no other node can have taken a stream of this one. False after a pause longer than a lease."""
        return asyncio.get_running_loop().time() < self._sure

    @property
    def cut_off(self) -> bool:
        """True if the database has not answered for a lease: this node does not know which sessions ended meanwhile."""
        return asyncio.get_running_loop().time() - self._answered_at > self._floor.lease / 1000

    def refused(self, recorder: Recorder, command: Any) -> Answer | None:
        """Refuse a bet that arrives while the database is away, if it cannot be on disk; None if that is unknown.

        It cannot be on disk if no other node can have taken the table, and if it is not among the bets that were being
        written. For one that may have been sent before, to this machine or another, the result stays unknown.
        """
        sure = bool(self.away) and self.sure and recorder.name in self._unbroken
        if type(command) is not PlaceBet or not sure or not recorder.subject.surely_new(command):
            return None
        return Answer(Entry(command, refused=Refusal("away", case="database")), again=True)

    def wake(self) -> None:
        """Begin the next turn at once."""
        self._wake.set()

    async def caught_up(self) -> None:
        """Wait until every row that the other nodes have written by now is applied."""
        turn = self._turns + 1
        while self._done < turn and not self.away:
            self.wake()
            await asyncio.sleep(0.005)

    # ---- opening and leaving

    async def open(self) -> None:
        """Follow or own every stream. Returns once each has an owner that lives."""
        floor, loop = self._floor, asyncio.get_running_loop()
        last = loop.time() + max(PATIENCE + STILL, 3 * floor.lease / 1000)
        floor.clock = Clock(begin=self._store.time())
        self._check_key()
        begun: set[str] = set()
        while True:
            self._announce()
            look = self._store.look()
            floor.clock.not_before(look.now)
            for name, made in floor.made_of().items():
                if name not in begun and self._begun(name, look, made):
                    begun.add(name)
            if len(begun) == len(self._streams):
                self._answered_at = loop.time()
                self._apply(self._store.look(), {}, set())
                if all(self._is_settled(name) for name in begun):
                    return
            if loop.time() > last:
                raise Refused("owned", "unfound")
            await asyncio.sleep(TURN)

    def _is_settled(self, name: str) -> bool:
        recorder = self._floor.recorder(name)
        return recorder.owned or recorder.ownership.state == "shortened" or self.owner_of(name) is not None

    def _check_key(self) -> None:
        """All machines of a floor must have the same key, to check each other's signatures and ticket numbers."""
        key = self._floor.premises.public_key.read_bytes()
        if self._store.first_secret(Secret(*_KEY, key)).body != key:
            raise Refused("key", "of-another-floor", key=str(self._floor.premises.keys))

    def _begun(self, name: str, look: Look, made: Callable[[], object]) -> bool:
        floor = self._floor
        if short := floor.heads.compare(floor.store, name):
            floor.put(name, Recorder.halt(floor.store, floor.store.lease(name), made(), short))  # type: ignore[arg-type]
            return True
        if look.heads.get(name):
            floor.put(name, Recorder.follow(floor.store, name))
            return True
        try:
            floor.put(name, Recorder.make(floor.store, self.name, look.now, floor.lease, made()))  # type: ignore[arg-type]
        except Conflict:
            return False  # another node is making it: follow it
        self.mine.add(name)
        return True

    def _announce(self) -> None:
        short = tuple(self._floor.heads.halted.values())
        halted = {one.stream: (one.reached.seq, one.reached.hash.hex()) for one in short}
        status = msgspec.structs.replace(self.status, lag=sum(self.lag.values()), halted=halted)
        self._watch.put_node(Node(self.name, self._watch.time() + self._floor.lease, _encode(status)))

    async def leave(self, seconds: float) -> None:
        """Hand every stream over, each table between two rounds, if other nodes live; for at most so many seconds."""
        self.announce(leaving=True)
        last = asyncio.get_running_loop().time() + seconds
        while self.mine and self._others() and asyncio.get_running_loop().time() < last:
            await asyncio.sleep(TURN)
        for _ in range(20):  # until other nodes have taken them, so that terminals can be sent there
            given = [name for name in self._streams if name not in self.mine]
            if not self._others() or all(map(self.owner_of, given)):
                return
            await asyncio.sleep(TURN)

    def _others(self) -> list[str]:
        return [name for name, status in self.nodes.items() if name != self.name and not status.leaving]

    def close(self) -> None:
        with contextlib.suppress(Indeterminate):
            self._watch.drop_node(self.name, self._floor.clock.now() - DAY)
        self._watch.close()
        self._thread.shutdown(wait=False)

    # ---- turn by turn

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self._turn()
            except Indeterminate as lost:
                self._renewed = float("-inf")
                await self._database_lost(lost)
            except Unwritten as why:  # nothing has changed: the next turn tries again
                self._renewed = float("-inf")
                log.warning("database", what=str(why))
            try:
                async with asyncio.timeout(TURN):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()

    async def _turn(self) -> None:
        floor = self._floor
        self._turns += 1
        now = asyncio.get_running_loop().time()
        due = now - self._renewed >= floor.lease / 4000
        self._renewed = now if due else self._renewed  # a status that changes after this is written in the next turn
        recorders = {name: floor.recorder(name) for name in self._streams}
        # Not renewed: streams that were given up, and those that are too short, which have no owner until the loss is
        # accepted.
        held = [one.lease for one in recorders.values() if one.ownership.keeps_its_lease and one.lease.until]
        leases = [lease for lease in held if lease.owner == self.name] if due else []
        known = {name: one.place.seq for name, one in recorders.items() if one.followed}
        # In a thread, so that waiting for the database delays no screen. A loop that hangs renews nothing.
        asking = asyncio.get_running_loop().run_in_executor(self._thread, self._ask, due, leases, known)
        try:
            look, rows, stale = await asyncio.shield(asking)
        except asyncio.CancelledError:
            # A thread cannot be cancelled. Wait for it, or it would write that this node lives after it has gone.
            await asyncio.gather(asking, return_exceptions=True)
            raise
        left = min((_lease(look, name).until for name in self.mine), default=look.now) - look.now
        self._sure = now + left / 1000
        self._answered_at = now
        self._apply(look, rows, stale)
        if any(behind > MOST for behind in self.lag.values()):
            self.wake()
        self._done = self._turns

    def _ask(self, due: bool, leases: list[Lease], known: dict[str, int]) -> tuple[Look, dict[str, News], set[str]]:
        """Write that this node lives, and read: owners and heads, new rows, and which leases could not be renewed."""
        watch, stale = self._watch, set[str]()
        if due:
            with contextlib.suppress(Unwritten):  # the next turn tries again; a full disk must not stop reading
                self._announce()
                renewed = watch.renew_all(leases, watch.time(), self._floor.lease)
                stale = {lease.stream for lease in leases} - renewed
        look = watch.look()
        self.lag = {name: max(0, look.heads.get(name, 0) - seq) for name, seq in known.items()}
        behind = {name: known[name] for name, rows in self.lag.items() if rows}
        return look, {name: _news(watch, name, seq) for name, seq in behind.items()}, stale

    def _apply(self, look: Look, rows: Mapping[str, News], stale: set[str]) -> None:
        floor = self._floor
        floor.clock.not_before(look.now)
        living = [node for node in look.nodes if not self._is_over("node", node.name, node.until, look.now)]
        self.nodes = {node.name: read_status(node.body) for node in living}
        self.nodes[self.name] = self.status
        if self.away:
            self._database_back()
        for name in self._streams:
            recorder = floor.recorder(name)
            if name in stale and recorder.owned:
                taken = found("store", "other-epoch", stream=name, epoch=recorder.lease.epoch)
                recorder.ownership.change("LeaseLost", Conflict(taken))
                log.warning("taken over", stream=name, hint="this machine did not renew its lease in time")
            self._compare(name, look.heads.get(name, 0))
            if recorder.ownership.must_read_again:
                self._follow(name, recorder)
            if name in rows:
                self._read(name, rows[name])
            self._note_owner(name, _lease(look, name))
        self._share(look)

    # ---- streams that are too short

    def _compare(self, name: str, head: int) -> None:
        """Compare a stream with its heads: is it still as long as this node or another has seen it?

        Only if there is a reason: it ends earlier than it did on this node, another node found it too short, or it was
        halted and has another end now, because of a better copy or because the loss was accepted.
        """
        floor = self._floor
        recorder, halted = floor.recorder(name), floor.heads.halted.get(name)
        others = frozenset(
            Place(seq, bytes.fromhex(hash))
            for node, status in self.nodes.items()
            if node != self.name
            for seq, hash in [status.halted.get(name, (0, ""))]
            if seq
        )
        shorter = recorder.followed and head < recorder.place.seq  # an owner compares in each append
        if not (halted or others or shorter) or self._compared.get(name) == (head, others):
            return
        self._compared[name] = head, others
        short = floor.heads.compare(floor.store, name, others)
        if short is not None:
            self._halt(name, recorder, short)
        elif recorder.ownership.state == "shortened":
            recorder.ownership.change("FoundAgain")

    def _halt(self, name: str, recorder: Recorder, short: Shortened) -> None:
        """Stop a stream on every node: the others must read so before they could take it."""
        recorder.ownership.change("Shortened", short)
        self._unbroken.discard(name)
        self._stop_working(name)
        self._renewed = float("-inf")
        self.wake()

    # ---- following

    def _follow(self, name: str, old: Recorder) -> None:
        """Reload a stream that another node owns, or whose last commit is uncertain, and deliver the missed entries."""
        store = self._floor.store
        if short := self._floor.heads.compare(store, name):
            self._halt(name, old, short)
            return
        try:
            new = Recorder.follow(store, name, old.ownership)
            missed = [
                new.subject.read(row) for row in read_rows(store, name, old.place.seq) if row.kind not in NO_COMMANDS
            ]
        except _UNREADABLE as fault:
            old.ownership.change("Fault", fault)
            return
        self._floor.put(name, new)
        if new.lease.owner != self.name:
            self._unbroken.discard(name)
        # The workers stop first: a device of this node must not follow what another machine did.
        self._stop_working(name)
        self._floor.deliver(name, missed)

    def _stop_working(self, name: str) -> bool:
        """This node no longer works a stream: notify the listeners. False if it did not work it."""
        if name not in self.mine or name in self._unbroken:
            return False
        self.mine.discard(name)
        self._notify(name)
        return True

    def _read(self, name: str, rows: News) -> None:
        recorder = self._floor.recorder(name)
        if not recorder.followed:
            return
        try:
            if isinstance(rows, Broken):
                raise rows
            entries = recorder.read(row for row in rows if row.seq > recorder.place.seq)
        except _UNREADABLE as fault:
            # A newer version may write rows that this one cannot read, or only another machine has the archive they
            # need: commands still go to the owner. Or the rows follow others than those read before.
            recorder.ownership.change("Fault", fault)
            short = self._floor.heads.compare(self._floor.store, name) if isinstance(fault, Untrue) else None
            if short is not None:
                self._halt(name, recorder, short)
            return
        self._floor.heads.note(name, recorder.place)
        if entries:
            self._floor.deliver(name, entries)

    def _note_owner(self, name: str, lease: Lease) -> None:
        recorder = self._floor.recorder(name)
        if recorder.owned:
            return
        before, recorder.lease = recorder.lease, lease
        if not self._stop_working(name) and before.owner != lease.owner:
            self._notify(name)

    def _notify(self, name: str) -> None:
        for listen in tuple(self.listeners):
            listen(name)

    # ---- sharing

    def _share(self, look: Look) -> None:
        floor = self._floor
        staying = [name for name, status in self.nodes.items() if not status.leaving]
        owners = {}
        for name, lease in look.leases.items():
            if name not in self._streams:
                continue
            mine = lease.owner == self.name
            held = not floor.recorder(name).followed if mine else not self._is_free(name, look)
            owners[name] = lease.owner if held and lease.owner in self.nodes else ""
        for name in self._streams:
            recorder = floor.recorder(name)
            if recorder.followed and name in self._unbroken:
                self._take(name, look, unbroken=recorder.lease.owner == self.name)
        self._unbroken.clear()
        if not self.status.leaving:
            now, wanted = asyncio.get_running_loop().time(), shares(owners, staying)
            self._free = {name: self._free.get(name, now) for name in wanted}
            for name, node in wanted.items():
                # A node that should take it and does not within a lease is passed over.
                late = now - self._free[name] > floor.lease / 1000
                lease = look.leases[name]
                late |= lease.owner == self.name and lease.until > look.now  # no other node could before it ends
                ready = floor.recorder(name).followed and self.lag.get(name, 0) <= MOST
                if ready and (node == self.name or late) and self._is_free(name, look):
                    self._take(name, look)
        others = [name for name in staying if name != self.name]
        # Only tables are shared evenly: cage and office are little work, and stay where they are.
        tables = {name: owner for name, owner in owners.items() if name in floor.tables}
        gives = bool(others) and (self.status.leaving or surplus(tables, staying, self.name))
        if gives:
            self._give_one_up()
        next = min(self.mine & floor.tables.keys(), default="")
        for name, live in floor.tables.items():
            live.handing_over = gives and name in self.mine and (self.status.leaving or name == next)

    def _is_free(self, name: str, look: Look) -> bool:
        lease = look.leases[name]
        return lease.owner == self.name or self._is_over("stream", name, lease.until, look.now)

    def _is_over(self, kind: str, name: str, until: int, now: int) -> bool:
        """True if a moment of the database's clock is past, or was written before that clock was set back."""
        if until - now <= FAR:
            self._far.pop((kind, name), None)
            return until <= now
        time = asyncio.get_running_loop().time()
        seen, since = self._far.get((kind, name), (0, time))
        self._far[kind, name] = until, since if seen == until else time
        return seen == until and time - since > STILL

    def _take(self, name: str, look: Look, *, unbroken: bool = False) -> None:
        floor, recorder = self._floor, self._floor.recorder(name)
        try:
            free = look.leases[name]
            now = look.now if free.owner == self.name else max(look.now, free.until)
            entries = recorder.take_over(self.name, now, floor.lease, unbroken=unbroken)
        except (Conflict, Unwritten) as why:  # another node was faster, or nothing could be written: reload it
            if recorder.owned:
                recorder.ownership.change("LeaseLost", why)
            return
        except _UNREADABLE as fault:
            recorder.ownership.change("Fault", fault)
            floor.store.release(recorder.lease)
            return
        floor.clock.not_before(recorder.at)
        self.taken += not unbroken
        floor.deliver(name, entries)
        log.info("taken", stream=name, epoch=recorder.lease.epoch, row=recorder.place.seq)
        if not unbroken or name not in self.mine:  # else devices and Dealers have been at work all the time
            self.mine.add(name)
            self._notify(name)

    def _give_one_up(self) -> None:
        """Give up a stream that is between two rounds, so that the next owner has no round to go on with."""
        floor = self._floor
        for name in sorted(self.mine if self.status.leaving else self.mine & floor.tables.keys()):
            recorder = floor.recorder(name)
            if not recorder.owned or not recorder.subject.resting:
                continue
            recorder.ownership.change("HandedOver")
            floor.store.release(recorder.lease)
            self.given += 1
            self._follow(name, recorder)
            self._note_owner(name, recorder.lease._replace(owner="", until=0))
            log.info("given up", stream=name, epoch=recorder.lease.epoch)
            if not self.status.leaving:
                return

    # ---- without the database

    async def _database_lost(self, why: Indeterminate) -> None:
        """The database is away: own nothing, show it on every screen, and try to connect again."""
        floor, now = self._floor, asyncio.get_running_loop().time()
        if not self.away:
            self.away, self._away_since = str(why), now
            self.losses += 1
            self._unbroken = {name for name in self.mine if floor.recorder(name).owned or self._is_uncertain(name)}
            log.error("database", what=str(why))
        for name in self._streams:
            recorder = floor.recorder(name)
            if recorder.owned:
                recorder.ownership.change("CommitUnknown", why)
        for live in floor.tables.values():
            if not live.away:
                live.away = True
                floor.presence_changed(live)
        self._break_off()
        await asyncio.sleep(AGAIN)
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._reopen)
        except Away:
            return

    def _break_off(self) -> None:
        """After a lease other nodes may have taken over: devices and Dealers rest until that is known."""
        if self._unbroken and asyncio.get_running_loop().time() - self._away_since > self._floor.lease / 1000:
            self._unbroken.clear()
            for name in tuple(self.mine):
                self.mine.discard(name)
                self._notify(name)

    def _is_uncertain(self, name: str) -> bool:
        return self._floor.recorder(name).ownership.state == "uncertain"

    def _reopen(self) -> None:
        self._watch.reopen()
        self._store.reopen()

    def _database_back(self) -> None:
        log.info("database", what="answers again", away=asyncio.get_running_loop().time() - self._away_since)
        self._break_off()
        self.away = ""
        for live in self._floor.tables.values():
            live.away = False
            self._floor.presence_changed(live)


_UNREADABLE = (Untrue, Unreadable, Broken, Refused)
"""Why this node cannot follow rows. Refused: their archive is missing."""
_KEY = ("nodes", "key")


def _lease(look: Look, name: str) -> Lease:
    """The lease of a stream; one without an owner if the database has none."""
    return look.leases.get(name) or Lease(name, "", 0, 0)


def _news(store: SharedStore, name: str, seq: int) -> News:
    """The rows after a row, at most `MOST`; or the fault in them, which must stop no other stream."""
    try:
        return list(islice(read_rows(store, name, seq), MOST))
    except Broken as broken:
        return broken
