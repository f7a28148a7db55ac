"""Signs checkpoints by time: while the floor runs, no row stays unsigned for longer than ten seconds.

A program that starts signs the rows of the last one at once, before it waits for the leases of a program that was
killed, and signs again once it has recovered, so a restart does not begin the ten seconds anew. After that it signs
`AFTER` milliseconds after the first unsigned row, and at the end. A thread with its own connection reads the heads,
signs and writes the file. It sees only what is on disk, and no bet waits for it. Where several machines share a floor,
the one that works the office signs; if it does not, another signs two seconds later.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from croupier.floor.config import OFFICE
from croupier.rules.bad_input import cause
from croupier.store.checkpoint import Checkpoint, catch_up, last_checkpoint, sign, signing_key, unsigned_since
from croupier.store.copies import Copies
from croupier.store.journal import Indeterminate, SharedStore, Store

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

T = TypeVar("T")
AFTER = 5_000
"""Milliseconds after the first unsigned row: half of the promised time, because a disk or a restart may be slow."""
LATER = 2_000
"""Milliseconds by which a machine that does not work the office signs later."""
LONG = 15_000
"""Milliseconds after which an alert is raised for unsigned rows."""
LOOK = 0.5
"""Seconds between two checks of the clock."""
AGAIN = 1_000
"""Milliseconds until a failed attempt to sign is repeated."""
LAST_COPIES = 3.0
"""Seconds for which a floor that closes waits until the last checkpoint has reached its copies."""


class Signing:
    """Keeps the journal of a floor signed, and the checkpoints copied."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        premises = floor.premises
        self._key = signing_key(premises.keys)
        self._shared: SharedStore | None = premises.open_shared(floor.lease / 1000) if premises.shared else None
        self._thread = ThreadPoolExecutor(1, "signing")
        self.last: Checkpoint | None = None
        """The newest checkpoint."""
        self.since: int | None = None
        """The moment of the first unsigned row; None if every row is signed."""
        self.trouble = ""
        """Why the last attempt to sign failed; empty if it did not."""
        self._tried = 0
        self._away = False
        """True while the database is away."""
        self._open = False
        self.copies = [Copies(premises.checkpoints, target, premises.folder) for target in premises.copies]

    # ---- asked by others

    @property
    def rows(self) -> int:
        """The number of unsigned rows."""
        return sum(max(0, seq - self._known(stream)) for stream, seq in self._heads().items())

    @property
    def age(self) -> int:
        """Milliseconds for which the first of them has been unsigned."""
        return max(0, self._floor.clock.now() - self.since) if self.since is not None else 0

    def note(self) -> None:
        """Note that there are new rows."""
        if self.since is None:
            self.since = self._floor.clock.now()

    async def sign(self) -> None:
        """Sign every row on disk now. Refused or OSError if that fails."""
        mark = await self._ask(self._sign)
        self.trouble = ""
        self._signed(mark)

    # ---- by itself

    async def begin(self) -> None:
        """Sign the rows that the last program left unsigned. Their age counts from the rows, not from this start."""
        with contextlib.suppress(Exception):  # it is tried again at once, with an alert if it fails
            self.last, left = await self._ask(self._read_last)
            self.since = self.since if left is None else left  # rows that arrived meanwhile are younger
        if self.since is not None:
            await self._try(self._sign)

    async def run(self) -> None:
        """Until cancelled. If signing hangs on the disk, the alerts are still raised."""
        await asyncio.gather(self._keep_signed(), self._keep_alerting())

    async def _keep_signed(self) -> None:
        self._open = True
        for copies in self.copies:
            copies.start()
        await self.begin()
        while True:
            if self._shared is not None:
                await self._try(self._follow)
            if self._due():
                await self._try(self._sign)
            await asyncio.sleep(LOOK)

    async def _keep_alerting(self) -> None:
        while True:
            self._raise_alerts()
            await asyncio.sleep(LOOK)

    async def end(self) -> None:
        """Sign the last rows. Raises if that fails: then the journal has rows that no checkpoint has."""
        if not self._away:
            await self.sign()

    async def copied(self) -> None:
        """Wait until the last checkpoint has reached its copies, but not for long: the next start sends it."""
        await asyncio.gather(*(asyncio.to_thread(copies.wait, LAST_COPIES) for copies in self.copies))

    def close(self) -> None:
        for copies in self.copies:
            copies.stop()
        self._thread.shutdown(wait=False)
        if self._shared is not None:
            self._shared.close()

    def _due(self) -> bool:
        floor = self._floor
        now = floor.clock.now()
        others = floor.cluster is not None and OFFICE not in floor.cluster.mine
        after = AFTER + LATER * others
        return self.since is not None and now - self.since >= after and not 0 <= now - self._tried < AGAIN

    async def _try(self, work: Callable[[], Checkpoint | None]) -> None:
        try:
            mark = await self._ask(work)
        except Indeterminate as gone:  # the database does not answer, so no row can be written either
            self.trouble, self._away = str(gone), True
        except Exception as fault:  # no fault of signing may stop a table
            self._tried = self._floor.clock.now()
            why = self.trouble = cause(fault)
            if self._open:
                self._floor.alert("checkpoint", "unwritten", OFFICE, error=why)
        else:
            self.trouble, self._away = "", False
            self._signed(mark)

    def _raise_alerts(self) -> None:
        if self.age > LONG and not self.trouble:
            self._floor.alert("checkpoint", "unsigned", OFFICE, seconds=LONG // 1000)
        for copies in self.copies:
            if (why := copies.trouble) and copies.late:
                self._floor.alert("copies", "late", OFFICE, place=copies.name, error=why)

    def _signed(self, mark: Checkpoint | None) -> None:
        """Note a new checkpoint. Rows that arrived while it was signed are younger than its moment."""
        if mark is None or (self.last is not None and mark.number <= self.last.number and mark.number):
            mark = self.last
        if mark is not self.last:
            for copies in self.copies:
                copies.wake()
        self.last = mark
        if mark is not None and self.since is not None:
            self.since = max(self.since, mark.at) if self._open and self.rows else None

    def _heads(self) -> Mapping[str, int]:
        return {recorder.name: recorder.place.seq for recorder in self._floor.recorders()}

    def _known(self, stream: str) -> int:
        return self.last.heads.get(stream, (0, ""))[0] if self.last is not None else 0

    # ---- in the thread

    async def _ask(self, work: Callable[[], T]) -> T:
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))

    def _sign(self) -> Checkpoint:
        with self._store() as store:
            return sign(store, self._key, self._floor.clock.now(), self._floor.premises.checkpoints, self._shared)

    def _follow(self) -> Checkpoint | None:
        with self._store():
            assert self._shared is not None
            return catch_up(self._key.public_key(), self._floor.premises.checkpoints, self._shared)

    def _read_last(self) -> tuple[Checkpoint | None, int | None]:
        """The last checkpoint, and the moment of the first row after it."""
        with self._store() as store:
            last = last_checkpoint(self._floor.premises.checkpoints, self._key.public_key())
            return last, unsigned_since(store, last)

    @contextlib.contextmanager
    def _store(self) -> Iterator[Store]:
        """The journal on disk. Where several machines share it, the connection is kept."""
        if self._shared is None:
            store = self._floor.premises.reader()
            try:
                yield store
            finally:
                store.close()
            return
        if self._away:
            self._shared.reopen()
        yield self._shared
