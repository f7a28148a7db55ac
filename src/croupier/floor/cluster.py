"""The machines of a floor: which of them owns which stream, and how the others keep up.

Every machine (node) has a recorder for every stream. The recorder of the owner decides and writes; those of the others
read its rows and apply them, so every screen is the same from every node (decision 0016). Which of the two a recorder
does is its `ownership` (see `store.ownership`). A floor on SQLite has no cluster, for nobody shares its database. Held:

* `mine`: the streams whose devices, Dealers and terminals this node works. Nearly always these are the streams it owns.
  Only while the database is away for less than a lease does it work streams that it may not write to: the dice go on.
* `nodes`: the nodes that live, each with what it says of itself. `lag`: rows that this node has not applied yet.
* `_unbroken`: what was ours when the database was lost, as long as nobody else can have taken it.

A turn (`_turn`), every tenth of a second, or at once when somebody calls `wake`:

1. In the loop: list the leases to renew, every quarter of a lease. A loop that hangs renews nothing, and should not.
2. In a thread, on a connection of its own (`_ask`): say that this node lives; renew the leases; look, in one statement,
   at who owns what, how far each stream is and who lives; read the new rows of what is followed, at most `MOST`.
3. Back in the loop, for each stream (`_heard`): a lease that was not renewed is lost. If there is a reason, compare the
   stream with the heads (`_compare`). Read again what was superseded or is uncertain (`_follow`). Apply new rows and
   tell everyone of them (`_read`). Note who owns it now.
4. Share (`_share`): take back what is unbroken; take what is free and should be ours by `shares`; give one stream up if
   another node has two fewer, or all of them if we leave.

What is always true:

1. Two owners never both write. A lease only says when another may try; the epoch, compared in every append, says who
   may write. So a lease may be timed badly and nothing is lost.
2. Moments are the database's own (`Look.now`), because the clocks of machines differ.
3. All nodes compute the same shares from what all of them see. A node that should take a stream and does not within a
   lease is passed over.
4. A stream is given up only between two rounds, and taken with all its rows applied. A round that was under way when
   its owner was lost is interrupted by the book's clause, unless the owner was this very process.
5. Before anybody here hears what another machine did in a stream, those who work it here have left it.
6. A stream found too short is told to the other nodes in the next turn, which begins at once.

What a kill or a fault leaves:

* A node is killed: its leases end, and another takes each stream, with every row that was answered. Terminals are sent
  there; commands without an answer are sent again with their ids.
* Killed after a lease was taken, before its first row: nothing is written. The next owner has a higher epoch still.
* Killed while it gives a stream up: the lease is free or ends, as in the first case.
* A node is frozen for longer than a lease: `sure` is false, so devices are not touched; its first append is refused.
* The database does not answer (`_lost`): nothing is owned, every screen says so, and it is asked again every quarter of
  a second. Back within a lease, the rows are read again and play goes on; later, others may have taken over
  (`_break_off`), and this node follows like any other.

`open`, `run` and `leave` are called by `floor.floor` and `server.serve` in the event loop, and recorders are touched
there only. The thread gets leases and numbers of rows, and gives back rows; it knows no recorder.
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
    Place,
    Row,
    Secret,
    Unwritten,
    read_rows,
)
from croupier.store.recorder import Answer, Recorder
from croupier.store.shared import Look, Node, SharedStore
from croupier.store.streams.entry import NO_COMMANDS, Entry, Refusal
from croupier.table.messages import PlaceBet

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

TURN = 0.1
"""Seconds between two looks at what the others have written."""
PATIENCE = 15.0
"""Seconds for which a start waits until every stream has an owner that lives."""
AGAIN = 0.25
"""Seconds after which a database that does not answer is asked again."""
MOST = 5_000
"""Rows of a stream that are read in one turn: whoever was away for long keeps up with his own tables meanwhile."""
FAR = 65_000
"""Milliseconds: no lease lasts so long. What ends later was written before the server's clock was set back."""
STILL = 20.0
"""Seconds after which such a lease is over, if nobody has renewed it: whoever lives does so more often."""
DAY = 24 * 60 * 60 * 1000

log = structlog.get_logger()


News = list[Row] | Broken


class NodeStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a node says of itself. A release may add to it: what is not known is passed over."""

    version: str
    terminals: str = ""
    """Where terminals find it, where its pages are and which origins they have, and where other nodes find it."""
    pages: str = ""
    origins: tuple[str, ...] = ()
    relay: str = ""
    certificate: str = ""
    """What it shows on its relay, PEM: nobody else can stand there."""
    leaving: bool = False
    """It takes nothing more, and gives up what it has."""
    lag: int = 0
    """Rows of other nodes that it had not applied yet."""
    halted: dict[str, tuple[int, str]] = {}
    """Streams that are too short, and the number and hash of a row that they once had."""
    touched: dict[str, int] = {}
    """The last signs of life of sessions that were used there."""


_encode, read_status = msgspec.json.encode, msgspec.json.Decoder(NodeStatus).decode


class Cluster:
    """Keeps every stream of a floor owned here or followed here."""

    def __init__(self, floor: Floor, store: SharedStore) -> None:
        self._floor = floor
        self._store = store
        self._watch = floor.premises.open_shared(floor.lease / 1000)
        """A line of its own: what is read there holds up nobody who writes."""
        self.name = floor.owner
        self.status = NodeStatus(__version__)
        self.mine: set[str] = set()
        """What this node works: its devices and Dealers, its terminals."""
        self.nodes: dict[str, NodeStatus] = {}
        """Those that are there, and this one."""
        self.away = ""
        """Why the database cannot be used, if it cannot."""
        self.listeners: list[Callable[[str], None]] = []
        """Called when a stream has become this node's, or is no longer, or has another owner elsewhere."""
        self.lag: dict[str, int] = {}
        """Rows by which what is followed is behind."""
        self.taken = 0
        self.given = 0
        self.losses = 0
        """How often a stream was taken, and handed over, and how often the database was lost."""
        self.asked = 0
        self.answered = 0
        self.unanswered = 0
        """Commands given to other nodes; taken from them; given to them and not answered."""
        self._away_since = 0.0
        self._renewed = float("-inf")
        self._sure = float("-inf")
        """Until when nobody else can have taken what is this node's."""
        self._heard_at = float("-inf")
        """When the database was last asked how things stand, and answered."""
        self._free: dict[str, float] = {}
        """Since when streams have no owner."""
        self._far: dict[tuple[str, str], tuple[int, float]] = {}
        """What ends too far off, and since when it was seen so."""
        self._unbroken: set[str] = set()
        """What was this node's when the database was lost, as long as its round can go on as if nothing had been."""
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "cluster")
        """Its own: whoever reads for long, or waits for a server that is silent, holds up no lease."""
        self._turns = self._done = 0
        """Turns that were begun, and the last that was ended."""
        self._streams = tuple(floor.made_of())
        self._compared: dict[str, tuple[int, frozenset[Place]]] = {}
        """At which head, and with which rows that others remember, a stream was last compared."""

    # ---- asked by others

    def owner_of(self, stream: str) -> NodeStatus | None:
        """The other node that owns a stream, if one does and is there."""
        owner = self._floor.recorder(stream).lease.owner
        return self.nodes.get(owner) if owner != self.name else None

    def announce(self, **more: Any) -> None:
        """Say something of this node to the others."""
        self.status = msgspec.structs.replace(self.status, **more)
        self._renewed = float("-inf")
        self.wake()

    @property
    def sure(self) -> bool:
        """Can nobody else have taken what is this node's? Not so after a pause that was longer than a lease."""
        return asyncio.get_running_loop().time() < self._sure

    @property
    def cut_off(self) -> bool:
        """Has nothing been heard of the others for longer than a lease? Who was retired meanwhile is not known here."""
        return asyncio.get_running_loop().time() - self._heard_at > self._floor.lease / 1000

    def refused(self, recorder: Recorder, command: Any) -> Answer | None:
        """What a bet is answered that comes while the database is away: refused, if nothing of it can be on disk.

        So it is for as long as nobody else can have taken the table, and if the bet is not among those that were being
        written. What may have been sent before, here or to another machine, stays unknown.
        """
        sure = bool(self.away) and self.sure and recorder.name in self._unbroken
        if type(command) is not PlaceBet or not sure or not recorder.subject.surely_new(command):
            return None
        return Answer(Entry(command, refused=Refusal("away", case="database")), again=True)

    def wake(self) -> None:
        """Look at once."""
        self._wake.set()

    async def caught_up(self) -> None:
        """Wait until all that the others had written by now is read here."""
        turn = self._turns + 1
        while self._done < turn and not self.away:
            self.wake()
            await asyncio.sleep(0.005)

    # ---- beginning and end

    async def open(self) -> None:
        """Follow or own every stream. Returns once each has an owner that lives."""
        floor, loop = self._floor, asyncio.get_running_loop()
        last = loop.time() + max(PATIENCE + STILL, 3 * floor.lease / 1000)
        floor.clock = Clock(begin=self._store.time())
        self._check_key()
        there: set[str] = set()
        while True:
            self._announce()
            look = self._store.look()
            floor.clock.not_before(look.now)
            for name, made in floor.made_of().items():
                if name not in there and self._begun(name, look, made):
                    there.add(name)
            if len(there) == len(self._streams):
                self._heard_at = loop.time()
                self._heard(self._store.look(), {}, set())
                if all(self._is_settled(name) for name in there):
                    return
            if loop.time() > last:
                raise Refused("owned", "unfound")
            await asyncio.sleep(TURN)

    def _is_settled(self, name: str) -> bool:
        recorder = self._floor.recorder(name)
        return recorder.owned or recorder.ownership.state == "shortened" or self.owner_of(name) is not None

    def _check_key(self) -> None:
        """All machines of a floor have one key: what one has signed or numbered, the others must know again."""
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
            return False  # another makes it now: it will be followed
        self.mine.add(name)
        return True

    def _announce(self) -> None:
        short = tuple(self._floor.heads.halted.values())
        halted = {one.stream: (one.reached.seq, one.reached.hash.hex()) for one in short}
        said = msgspec.structs.replace(self.status, lag=sum(self.lag.values()), halted=halted)
        self._watch.put_node(Node(self.name, self._watch.time() + self._floor.lease, _encode(said)))

    async def leave(self, seconds: float) -> None:
        """Hand everything over, each table between two rounds, while others are there; no longer than this."""
        self.announce(leaving=True)
        last = asyncio.get_running_loop().time() + seconds
        while self.mine and self._others() and asyncio.get_running_loop().time() < last:
            await asyncio.sleep(TURN)
        for _ in range(20):  # until they have taken it, and terminals can be told who did
            given = [name for name in self._streams if name not in self.mine]
            if not self._others() or all(map(self.owner_of, given)):
                return
            await asyncio.sleep(TURN)

    def _others(self) -> list[str]:
        return [name for name, said in self.nodes.items() if name != self.name and not said.leaving]

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
                await self._lost(lost)
            except Unwritten as why:  # nothing has changed: the next turn does it
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
        self._renewed = now if due else self._renewed  # what is said from here on is told in the next turn
        recorders = {name: floor.recorder(name) for name in self._streams}
        # What was given up is not had again by this, and what is too short is nobody's: who accepts the loss takes it.
        held = [one.lease for one in recorders.values() if one.ownership.keeps_its_lease and one.lease.until]
        leases = [lease for lease in held if lease.owner == self.name] if due else []
        known = {name: one.place.seq for name, one in recorders.items() if one.followed}
        # In a thread: whoever waits for the database holds up no screen. A loop that hangs renews nothing.
        asking = asyncio.get_running_loop().run_in_executor(self._thread, self._ask, due, leases, known)
        try:
            look, rows, stale = await asyncio.shield(asking)
        except asyncio.CancelledError:
            # A thread cannot be called back: it ends first, or it would say that we live after we have gone.
            await asyncio.gather(asking, return_exceptions=True)
            raise
        left = min((_lease(look, name).until for name in self.mine), default=look.now) - look.now
        self._sure = now + left / 1000
        self._heard_at = now
        self._heard(look, rows, stale)
        if any(behind > MOST for behind in self.lag.values()):
            self.wake()
        self._done = self._turns

    def _ask(self, due: bool, leases: list[Lease], known: dict[str, int]) -> tuple[Look, dict[str, News], set[str]]:
        """Say that we live, and look: how things stand, what is new, and what was taken from us."""
        watch, stale = self._watch, set[str]()
        if due:
            with contextlib.suppress(Unwritten):  # the next turn will do; whose disk is full is still looked at
                self._announce()
                renewed = watch.renew_all(leases, watch.time(), self._floor.lease)
                stale = {lease.stream for lease in leases} - renewed
        look = watch.look()
        self.lag = {name: max(0, look.heads.get(name, 0) - seq) for name, seq in known.items()}
        behind = {name: known[name] for name, rows in self.lag.items() if rows}
        return look, {name: _news(watch, name, seq) for name, seq in behind.items()}, stale

    def _heard(self, look: Look, rows: Mapping[str, News], stale: set[str]) -> None:
        floor = self._floor
        floor.clock.not_before(look.now)
        there = [node for node in look.nodes if not self._is_over("node", node.name, node.until, look.now)]
        self.nodes = {node.name: read_status(node.body) for node in there}
        self.nodes[self.name] = self.status
        if self.away:
            self._back()
        for name in self._streams:
            recorder = floor.recorder(name)
            if name in stale and recorder.owned:
                taken = found("store", "other-epoch", stream=name, epoch=recorder.lease.epoch)
                recorder.ownership.change("LeaseLost", Conflict(taken))
                log.warning("taken over", stream=name, hint="this machine did not say in time that it lives")
            self._compare(name, look.heads.get(name, 0))
            if recorder.ownership.must_read_again:
                self._follow(name, recorder)
            if name in rows:
                self._read(name, rows[name])
            self._note_owner(name, _lease(look, name))
        self._share(look)

    # ---- what was there once

    def _compare(self, name: str, head: int) -> None:
        """Is a stream still as long as this machine or another has seen it? Whoever finds it shorter tells the others.

        Asked when there is a reason: it ends earlier than it did here, another machine says so, or it was halted and
        has another end now, by a better copy or because the loss was accepted.
        """
        floor = self._floor
        recorder, halted = floor.recorder(name), floor.heads.halted.get(name)
        others = frozenset(
            Place(seq, bytes.fromhex(hash))
            for node, said in self.nodes.items()
            if node != self.name
            for seq, hash in [said.halted.get(name, (0, ""))]
            if seq
        )
        shorter = recorder.followed and head < recorder.place.seq  # where it is worked here, each append compares
        if not (halted or others or shorter) or self._compared.get(name) == (head, others):
            return
        self._compared[name] = head, others
        short = floor.heads.compare(floor.store, name, others)
        if short is not None:
            self._halt(name, recorder, short)
        elif recorder.ownership.state == "shortened":
            recorder.ownership.change("FoundAgain")

    def _halt(self, name: str, recorder: Recorder, short: Shortened) -> None:
        """It takes nothing more anywhere: the others are told before they could have it."""
        recorder.ownership.change("Shortened", short)
        self._unbroken.discard(name)
        self._leave_alone(name)
        self._renewed = float("-inf")
        self.wake()

    # ---- following

    def _follow(self, name: str, old: Recorder) -> None:
        """What another owns now, or what may not be what is on disk: read anew, and everyone hears what he missed."""
        store = self._floor.store
        if short := self._floor.heads.compare(store, name):
            self._halt(name, old, short)
            return
        try:
            new = Recorder.follow(store, name, old.ownership)
            missed = [
                new.subject.read(row) for row in read_rows(store, name, old.place.seq) if row.kind not in NO_COMMANDS
            ]
        except _STRANGE as fault:
            old.ownership.change("Fault", fault)
            return
        self._floor.put(name, new)
        if new.lease.owner != self.name:
            self._unbroken.discard(name)
        # First those go who work here: what another machine did is no word to a device of this one.
        self._leave_alone(name)
        self._floor.deliver(name, missed)

    def _leave_alone(self, name: str) -> bool:
        """It is not this node's any more, and everyone hears that; whether it was until now."""
        if name not in self.mine or name in self._unbroken:
            return False
        self.mine.discard(name)
        self._tell(name)
        return True

    def _read(self, name: str, rows: News) -> None:
        recorder = self._floor.recorder(name)
        if not recorder.followed:
            return
        try:
            if isinstance(rows, Broken):
                raise rows
            said = recorder.read(row for row in rows if row.seq > recorder.place.seq)
        except _STRANGE as fault:
            # A newer version may write what this one cannot read, or an archive that another machine has may not be
            # here: what is asked here still goes to its owner. Or the rows follow others than those read before.
            recorder.ownership.change("Fault", fault)
            short = self._floor.heads.compare(self._floor.store, name) if isinstance(fault, Untrue) else None
            if short is not None:
                self._halt(name, recorder, short)
            return
        self._floor.heads.note(name, recorder.place)
        if said:
            self._floor.deliver(name, said)

    def _note_owner(self, name: str, lease: Lease) -> None:
        recorder = self._floor.recorder(name)
        if recorder.owned:
            return
        before, recorder.lease = recorder.lease, lease
        if not self._leave_alone(name) and before.owner != lease.owner:
            self._tell(name)

    def _tell(self, name: str) -> None:
        for listen in tuple(self.listeners):
            listen(name)

    # ---- sharing

    def _share(self, look: Look) -> None:
        floor = self._floor
        staying = [name for name, said in self.nodes.items() if not said.leaving]
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
                # Whoever should take it and does not within a lease's time is passed over.
                late = now - self._free[name] > floor.lease / 1000
                lease = look.leases[name]
                late |= lease.owner == self.name and lease.until > look.now  # nobody else could before it is over
                here = floor.recorder(name).followed and self.lag.get(name, 0) <= MOST
                if here and (node == self.name or late) and self._is_free(name, look):
                    self._take(name, look)
        others = [name for name in staying if name != self.name]
        # Tables are what is shared: cage and office are little work, and stay where they are.
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
        """Is a moment of the server's clock past, or was it never meant by the clock as it goes now?"""
        if until - now <= FAR:
            self._far.pop((kind, name), None)
            return until <= now
        here = asyncio.get_running_loop().time()
        seen, since = self._far.get((kind, name), (0, here))
        self._far[kind, name] = until, since if seen == until else here
        return seen == until and here - since > STILL

    def _take(self, name: str, look: Look, *, unbroken: bool = False) -> None:
        floor, recorder = self._floor, self._floor.recorder(name)
        try:
            free = look.leases[name]
            now = look.now if free.owner == self.name else max(look.now, free.until)
            said = recorder.take_over(self.name, now, floor.lease, unbroken=unbroken)
        except (Conflict, Unwritten) as why:  # someone was faster, or it could not be begun: it is read again
            if recorder.owned:
                recorder.ownership.change("LeaseLost", why)
            return
        except _STRANGE as fault:
            recorder.ownership.change("Fault", fault)
            floor.store.release(recorder.lease)
            return
        floor.clock.not_before(recorder.at)
        self.taken += not unbroken
        floor.deliver(name, said)
        log.info("taken", stream=name, epoch=recorder.lease.epoch, row=recorder.place.seq)
        if not unbroken or name not in self.mine:  # devices and Dealers have been at work all the time
            self.mine.add(name)
            self._tell(name)

    def _give_one_up(self) -> None:
        """A stream between two rounds: nothing is under way that another would have to go on with."""
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

    async def _lost(self, why: Indeterminate) -> None:
        """Nothing can be put on disk: nothing is taken, every screen says so, and the server is asked again."""
        floor, now = self._floor, asyncio.get_running_loop().time()
        if not self.away:
            self.away, self._away_since = str(why), now
            self.losses += 1
            self._unbroken = {name for name in self.mine if floor.recorder(name).owned or self._may_go_on(name)}
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
        """After a lease's time others may have taken over: devices and Dealers rest until that is known."""
        if self._unbroken and asyncio.get_running_loop().time() - self._away_since > self._floor.lease / 1000:
            self._unbroken.clear()
            for name in tuple(self.mine):
                self.mine.discard(name)
                self._tell(name)

    def _may_go_on(self, name: str) -> bool:
        return self._floor.recorder(name).ownership.state == "uncertain"

    def _reopen(self) -> None:
        self._watch.reopen()
        self._store.reopen()

    def _back(self) -> None:
        log.info("database", what="answers again", away=asyncio.get_running_loop().time() - self._away_since)
        self._break_off()
        self.away = ""
        for live in self._floor.tables.values():
            live.away = False
            self._floor.presence_changed(live)


_STRANGE = (Untrue, Unreadable, Broken, Refused)
"""Why rows cannot be followed here; for want of an archive, Refused."""
_KEY = ("nodes", "key")


def _lease(look: Look, name: str) -> Lease:
    """Who owns a stream; nobody, if the database knows it no more."""
    return look.leases.get(name) or Lease(name, "", 0, 0)


def _news(store: SharedStore, name: str, seq: int) -> News:
    """Rows after one, not more than are read in one turn; or what is wrong with them, which stops no other stream."""
    try:
        return list(islice(read_rows(store, name, seq), MOST))
    except Broken as broken:
        return broken
