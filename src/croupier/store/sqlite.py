"""The embedded store: one SQLite file, one writer, WAL, every commit on disk before it returns."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import apsw
from msgspec.structs import astuple

from croupier.rules.findings import Finding, found
from croupier.store.database_schema import sqlite_faults
from croupier.store.disk import sync
from croupier.store.durability import DurabilityFact, of_file_system, setting
from croupier.store.journal import (
    GENESIS,
    Append,
    Busy,
    Conflict,
    Full,
    Indeterminate,
    Lease,
    Row,
    Secret,
    Snapshot,
    why_stale,
)
from croupier.store.migrations import STEPS, STREAMS, pending
from croupier.store.queries import Queries

TOGETHER = 50
"""Rows that one statement adds."""
RESERVE = 16 * 1024 * 1024
"""Bytes set aside on the disk: given up when it is full, so that what is open can be finished."""


class SqliteStore(Queries):
    """A store in a file. Only one process may write; it also checkpoints, on the same connection."""

    _FOUND_IN_BODY = "instr(body, ?) > 0"

    def __init__(self, path: Path, vfs: str | None = None, synchronous: str = "FULL", reserve: int = RESERVE) -> None:
        self.path = path
        self._reserve = _Reserve(path.with_name(f"{path.name}-reserve"), reserve)
        fresh = not path.exists() or path.stat().st_size == 0
        self._db = apsw.Connection(str(path), vfs=vfs)
        self._db.set_busy_timeout(5_000)
        # Turned to WAL without EXTRA a database can lose everything in a power cut: made under EXTRA, folder synced.
        self._run("PRAGMA synchronous = EXTRA")
        self._run("PRAGMA journal_mode = WAL")
        self._migrate()
        if fresh:
            sync(path.parent)
        self._run(f"PRAGMA synchronous = {synchronous}")
        self._opened = {name: _identity(name) for name in (path, path.with_name(f"{path.name}-wal"))}
        """The files that are open, as the system knows them."""

    def _run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self._db.execute(sql, values))

    def _migrate(self) -> None:
        self._run(f"{STEPS} STRICT")
        for step in pending(self._applied()):
            with self._db:
                for statement in step.sqlite:
                    self._run(statement)
                self._run("INSERT INTO migrations VALUES (?, ?)", (step.number, step.checksum))

    def _applied(self) -> list[tuple[int, str]]:
        return [(int(number), str(checksum)) for number, checksum in self._run("SELECT * FROM migrations ORDER BY 1")]

    def streams(self) -> list[str]:
        """Also streams whose name a disk has damaged: damage hides none."""
        found = self._run(f"SELECT CAST(name AS BLOB) FROM ({STREAMS}) ORDER BY name")
        return [bytes(name).decode(errors="replace") for (name,) in found]

    # ---- the state of the database

    def durability(self) -> list[DurabilityFact]:
        [(synchronous,)], [(mode,)] = self._run("PRAGMA synchronous"), self._run("PRAGMA journal_mode")
        name = dict(enumerate(("OFF", "NORMAL", "FULL", "EXTRA"))).get(synchronous, str(synchronous))
        return [
            setting("synchronous", name, ("FULL", "EXTRA")),
            _journal_mode(mode),
            of_file_system(self.path.absolute().parent),
            *self._moved_away(),
        ]

    def _moved_away(self) -> Iterator[DurabilityFact]:
        """Open files that were replaced by others: no restart would find what is written to them."""
        for file, opened in self._opened.items():
            current = _identity(file)
            if opened is None:
                self._opened[file] = current
            elif current != opened:
                yield DurabilityFact(found("durability", "moved", file=str(file)), "lost")

    def schema_faults(self) -> list[Finding]:
        return sqlite_faults(self._db)

    # ---- ownership

    def take(self, stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        with self._writing():
            held = self._run("SELECT owner, epoch, until, seen FROM streams WHERE stream = ?", (stream,))
            holder, last, until, seen = held[0] if held else ("", 0, 0, 0)
            if holder != owner and until > now:
                raise Conflict(found("store", "owned", stream=stream, owner=holder))
            lease = Lease(stream, owner, last + 1, now + milliseconds, seen)
            self._run("INSERT OR IGNORE INTO streams VALUES (?, '', 0, 0, 0, ?, ?)", (stream, *GENESIS))
            sql = "UPDATE streams SET owner = ?, epoch = ?, until = ?, seen = ? WHERE stream = ?"
            self._run(sql, (owner, lease.epoch, lease.until, now, stream))
        self._reserve.hold()
        return lease

    def renew(self, lease: Lease, now: int, milliseconds: int) -> Lease:
        with self._writing():
            sql = "UPDATE streams SET until = ?, seen = ? WHERE stream = ? AND epoch = ?"
            self._run(sql, (now + milliseconds, now, lease.stream, lease.epoch))
            if not self._db.changes():
                raise Conflict(found("store", "other-epoch", stream=lease.stream, epoch=lease.epoch))
        return lease._replace(until=now + milliseconds)

    def release(self, lease: Lease) -> None:
        with self._writing():
            sql = "UPDATE streams SET until = 0 WHERE stream = ? AND epoch = ?"
            self._run(sql, (lease.stream, lease.epoch))

    # ---- writing

    def append(self, batch: Sequence[Append]) -> None:
        try:
            self._append(batch)
        except Full:
            if not self._reserve.give_up():
                raise
            self._append(batch)

    def _append(self, batch: Sequence[Append]) -> None:
        held: list[Append] = []
        stale: list[Append] = []
        with self._writing():
            for append in batch:
                (held if self._moved_on(append) else stale).append(append)
            self._insert(held)
        if stale:
            raise self._conflict(stale)

    def _moved_on(self, append: Append) -> bool:
        """Move the stream on from the expected place, if this is its owner; otherwise change nothing."""
        sql = "UPDATE streams SET seq = ?, hash = ? WHERE stream = ? AND epoch = ? AND seq = ? AND hash = ?"
        self._db.execute(sql, (*append.place, append.stream, append.epoch, *append.after))
        return bool(self._db.changes())

    def _conflict(self, appends: Sequence[Append]) -> Conflict:
        stale = []
        for append in appends:
            place = self._run("SELECT epoch, seq FROM streams WHERE stream = ?", (append.stream,))
            stale.append(why_stale(append, *(place[0] if place else (0, 0))))
        return Conflict(*stale)

    def _insert(self, held: Sequence[Append]) -> None:
        self._add("journal", [row for append in held for row in append.rows])
        self._add("transfers", [leg for append in held for leg in append.legs])
        self._add("replies", [(append.stream, *reply) for append in held for reply in append.replies])
        many = self._db.executemany
        many("INSERT INTO tickets VALUES (?, ?, ?, ?, ?, ?, ?)", [one for append in held for one in append.tickets])
        many("INSERT INTO ticket_ends VALUES (?, ?, ?, ?, ?, ?)", [one for append in held for one in append.ended])
        many("INSERT INTO snapshots VALUES (?, ?, ?, ?)", [one for append in held for one in append.snapshots])

    def _add(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add rows to a table, many with each statement: running a statement costs as much as adding a row."""
        if not rows:
            return
        row = f"({', '.join('?' * len(rows[0]))})"
        full = len(rows) - len(rows) % TOGETHER
        if full:
            groups = (rows[start : start + TOGETHER] for start in range(0, full, TOGETHER))
            many = f"INSERT INTO {table} VALUES {', '.join([row] * TOGETHER)}"
            self._db.executemany(many, (tuple(chain.from_iterable(group)) for group in groups))
        self._db.executemany(f"INSERT INTO {table} VALUES {row}", rows[full:])

    def adopt(self, rows: Sequence[Row], snapshots: Sequence[Snapshot]) -> None:
        """Add rows with the hashes they have, for an archive or a pack, whose streams have no owner."""
        legs = [(row.stream, row.seq, leg, *astuple(one)) for row in rows for leg, one in enumerate(row.transfers)]
        with self._writing():
            for row in rows[-1:]:
                sql = "INSERT OR REPLACE INTO streams VALUES (?, '', 0, 0, 0, ?, ?)"
                self._run(sql, (row.stream, row.seq, row.hash))
            self._insert([Append("", 0, GENESIS, GENESIS, [row[:8] for row in rows], legs, snapshots=snapshots)])

    def room(self) -> bool:
        return not self.unsafe and self._reserve.hold()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One durable transaction. An error before the commit undoes it; after an error in the commit it is unknown."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except apsw.BusyError as error:
            raise Busy(found("store", "busy", error=str(error))) from None
        except apsw.Error as failed:
            raise Indeterminate(found("store", "failed", error=str(failed))) from failed
        try:
            yield
        except apsw.ConstraintError as error:
            self._undo()
            raise Conflict(found("store", "faster", error=str(error))) from None
        except apsw.FullError as error:
            self._undo()
            raise Full(found("store", "full", error=str(error))) from None
        except apsw.Error as failed:
            raise Indeterminate(found("store", "failed", error=str(failed))) from failed
        except BaseException:
            self._undo()
            raise
        try:
            self._db.execute("COMMIT")
        except apsw.FullError as error:
            # No commit mark was written: SQLite has undone the transaction, or `_undo` does.
            self._undo()
            raise Full(found("store", "full", error=str(error))) from None
        except apsw.Error as failed:
            raise Indeterminate(found("store", "commit-failed", error=str(failed))) from failed

    def _undo(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    # ---- secrets

    def put_secret(self, secret: Secret) -> None:
        with self._writing():
            self._run("INSERT OR REPLACE INTO desk VALUES (?, ?, ?)", secret)

    def drop_secret(self, kind: str, key: str) -> None:
        with self._writing():
            self._run("DELETE FROM desk WHERE kind = ? AND key = ?", (kind, key))

    # ---- removing

    def forget(self, stream: str, before: int) -> None:
        with self._writing():
            for table in ("journal", "transfers", "snapshots"):
                self._run(f"DELETE FROM {table} WHERE stream = ? AND seq < ?", (stream, before))

    def shrink(self) -> None:
        try:
            self._run("VACUUM")
            [(busy, *_)] = self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        except apsw.FullError as error:
            raise Full(found("store", "no-room-to-shrink", error=str(error))) from None
        except (apsw.BusyError, apsw.LockedError) as error:
            raise Conflict(found("store", "in-use", error=str(error))) from None
        if busy:
            raise Conflict(found("store", "read-elsewhere"))

    def close(self) -> None:
        self._db.close()


class SqliteReader(SqliteStore):
    """A store as it is now, to be read while another process writes it, or as a copy, and to be closed soon.

    No byte of it changes, and no file is added next to it; what is written meanwhile is not seen.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reserve = _Reserve(path, 0)
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        db = _opened_unchanged(path)
        if db is not None:
            self._db = db
            self._db.set_busy_timeout(5_000)
            self._run("BEGIN")
            if not pending(self._applied()):
                return
            self._db.close()
        self._scratch = tempfile.TemporaryDirectory()
        copy = Path(self._scratch.name) / "copy.db"
        for ending in ("", "-wal"):
            if (source := path.with_name(f"{path.name}{ending}")).exists():
                shutil.copyfile(source, copy.with_name(f"{copy.name}{ending}"))
        super().__init__(copy, reserve=0)

    def durability(self) -> list[DurabilityFact]:
        """Of the file alone: how it is synced is a setting of its writer."""
        with self.path.open("rb") as file:
            mode = "wal" if file.read(20)[18:] == b"\2\2" else "not wal"
        return [_journal_mode(mode), of_file_system(self.path.absolute().parent)]

    def close(self) -> None:
        super().close()
        if self._scratch is not None:
            self._scratch.cleanup()


def _journal_mode(mode: str) -> DurabilityFact:
    return setting("journal_mode", mode, ("wal",))


def _identity(file: Path) -> tuple[int, int] | None:
    """The device and number of a file; None if there is no file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _opened_unchanged(path: Path) -> apsw.Connection | None:
    """A file opened without changing it; None if it has a log that only a writer can apply."""
    if path.with_name(f"{path.name}-shm").exists():
        how = "mode=ro&readonly_shm=1"  # while a writer runs, or after one was killed
    elif (log := path.with_name(f"{path.name}-wal")).exists() and log.stat().st_size:
        return None
    else:
        how = "immutable=1"
    return apsw.Connection(f"{path.resolve().as_uri()}?{how}", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


class _Reserve:
    """A file that holds room on the disk until it is needed."""

    def __init__(self, path: Path, size: int) -> None:
        self._path = path
        self._size = size

    def hold(self) -> bool:
        """Is the room set aside? If not, try, once the disk has twice as much free."""
        if self._path.exists() or not self._size:
            return True
        if shutil.disk_usage(self._path.parent).free < 2 * self._size:
            return False
        try:
            with self._path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._size)
        except OSError:
            self._path.unlink(missing_ok=True)
            return False
        return True

    def give_up(self) -> bool:
        """Give the room up; False if none was held."""
        if not self._path.exists():
            return False
        self._path.unlink()
        return True
