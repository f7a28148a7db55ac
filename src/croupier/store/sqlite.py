"""The embedded store: one SQLite file, one writer, WAL, every commit on disk before it returns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from croupier.store.journal import (
    GENESIS,
    Append,
    Conflict,
    Indeterminate,
    Lease,
    Reply,
    Row,
    Snapshot,
    chained,
)
from croupier.store.migrations import pending
from croupier.wire import decode_transfers


class SqliteStore:
    """A store in a file. Only one process may write; it also checkpoints, on the same connection."""

    def __init__(self, path: Path, vfs: str | None = None, synchronous: str = "FULL") -> None:
        self.path = path
        fresh = not path.exists() or path.stat().st_size == 0
        self._db = apsw.Connection(str(path), vfs=vfs)
        self._db.set_busy_timeout(5_000)
        # Turned to WAL without EXTRA a database can lose everything in a power cut: made under EXTRA, folder synced.
        self._run("PRAGMA synchronous = EXTRA")
        self._run("PRAGMA journal_mode = WAL")
        self._migrate()
        if fresh:
            _sync_folder(path.parent)
        self._run(f"PRAGMA synchronous = {synchronous}")

    def _run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self._db.execute(sql, values))

    def _migrate(self) -> None:
        self._run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, checksum TEXT NOT NULL) STRICT")
        applied = [
            (int(str(number)), str(checksum)) for number, checksum in self._run("SELECT * FROM migrations ORDER BY 1")
        ]
        for step in pending(applied):
            with self._db:
                for statement in step.sqlite:
                    self._run(statement)
                self._run("INSERT INTO migrations VALUES (?, ?)", (step.number, step.checksum))

    # ---- ownership

    def take(self, stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        with self._writing():
            held = self._run("SELECT owner, epoch, until FROM leases WHERE stream = ?", (stream,))
            epoch = 1
            if held:
                holder, last, until = held[0]
                if holder != owner and until > now:
                    raise Conflict(f"{stream} is owned by {holder}")
                epoch = last + 1
            lease = Lease(stream, owner, epoch, now + milliseconds)
            self._run("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", lease)
        return lease

    def release(self, lease: Lease) -> None:
        with self._writing():
            self._run(
                "UPDATE leases SET until = 0 WHERE stream = ? AND owner = ? AND epoch = ?",
                (lease.stream, lease.owner, lease.epoch),
            )

    # ---- writing

    def append(self, batch: Sequence[Append]) -> list[bytes]:
        with self._writing():
            return [self._append(append) for append in batch]

    def _append(self, append: Append) -> bytes:
        epochs = self._run("SELECT epoch FROM leases WHERE stream = ?", (append.stream,))
        if not epochs or epochs[0][0] != append.epoch:
            raise Conflict(f"{append.stream} has another owner than epoch {append.epoch}")
        seq, before = self.head(append.stream)
        if seq != append.expected:
            raise Conflict(f"{append.stream} stands at {seq}, not at {append.expected}")
        rows = chained(append, seq, before)
        self._db.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        legs = [
            (row.stream, row.seq, leg, *transfer)
            for row in rows
            for leg, transfer in enumerate(decode_transfers(row.transfers))
        ]
        self._db.executemany("INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?)", legs)
        self._db.executemany(
            "INSERT INTO replies VALUES (?, ?, ?, ?)", [(append.stream, *reply) for reply in append.replies]
        )
        return rows[-1].hash if rows else before

    def _writing(self) -> _Writing:
        return _Writing(self._db)

    # ---- reading

    def head(self, stream: str) -> tuple[int, bytes]:
        found = self._run("SELECT seq, hash FROM journal WHERE stream = ? ORDER BY seq DESC LIMIT 1", (stream,))
        return found[0] if found else (0, GENESIS)

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]:
        for values in self._db.execute(
            "SELECT * FROM journal WHERE stream = ? AND seq > ? ORDER BY seq", (stream, after)
        ):
            yield Row(*values)

    def streams(self) -> list[str]:
        return [
            str(name)
            for (name,) in self._run("SELECT stream FROM journal UNION SELECT stream FROM transfers ORDER BY 1")
        ]

    def reply(self, stream: str, id: str) -> Reply | None:
        found = self._run("SELECT id, digest, body FROM replies WHERE stream = ? AND id = ?", (stream, id))
        return Reply(*found[0]) if found else None

    def save(self, snapshot: Snapshot) -> None:
        with self._writing():
            self._run("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", snapshot)

    def snapshot(self, stream: str) -> Snapshot | None:
        found = self._run("SELECT * FROM snapshots WHERE stream = ?", (stream,))
        return Snapshot(*found[0]) if found else None

    def transfers(self, stream: str) -> Iterator[tuple[int, int, str, str, int, str]]:
        sql = "SELECT seq, leg, source, target, amount, reason FROM transfers WHERE stream = ? ORDER BY seq, leg"
        yield from self._db.execute(sql, (stream,))

    def close(self) -> None:
        self._db.close()


class _Writing:
    """One durable transaction. An error before the commit undoes it; one in the commit leaves it open."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is not None:
            self._db.execute("ROLLBACK")
            if isinstance(error, apsw.ConstraintError):
                raise Conflict(f"someone was faster: {error}") from None
            return
        try:
            self._db.execute("COMMIT")
        except apsw.Error as failed:
            raise Indeterminate(f"the commit failed: {failed}") from failed


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
