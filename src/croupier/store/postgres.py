"""The shared store: PostgreSQL, for a floor that outgrows one machine. The same contract, the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from psycopg.rows import TupleRow

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

APPLICATION_ROLE = "croupier_app"
"""May add to the journal and the transfers and read them, and change neither."""


class PostgresStore:
    """A store on a server. Any number of nodes may connect; each stream has one owner, by lease and epoch."""

    def __init__(self, address: str) -> None:
        self._db: psycopg.Connection[TupleRow] = psycopg.connect(address, autocommit=True)
        self._migrate()
        self._db.execute(f"SET ROLE {APPLICATION_ROLE}")

    def _migrate(self) -> None:
        with self._db.transaction():
            self._db.execute("SELECT pg_advisory_xact_lock(20261115)")  # two nodes that start at once
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, checksum text NOT NULL)"
            )
            applied = self._db.execute("SELECT number, checksum FROM migrations ORDER BY 1").fetchall()
            for step in pending([(int(number), str(checksum)) for number, checksum in applied]):
                for statement in step.postgres:
                    self._db.execute(statement)
                self._db.execute("INSERT INTO migrations VALUES (%s, %s)", (step.number, step.checksum))
            self._grant()

    def _grant(self) -> None:
        known = self._db.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (APPLICATION_ROLE,)).fetchone()
        if known is None:
            self._db.execute(f"CREATE ROLE {APPLICATION_ROLE} NOLOGIN")
        self._db.execute(f"GRANT SELECT, INSERT ON journal, transfers, replies TO {APPLICATION_ROLE}")
        self._db.execute(f"GRANT SELECT, INSERT, UPDATE ON leases, snapshots TO {APPLICATION_ROLE}")

    # ---- ownership

    def take(self, stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        with self._writing():
            self._db.execute("INSERT INTO leases VALUES (%s, '', 0, 0) ON CONFLICT DO NOTHING", (stream,))
            sql = "SELECT owner, epoch, until FROM leases WHERE stream = %s FOR UPDATE"
            held = self._db.execute(sql, (stream,)).fetchone()
            assert held is not None
            if held[0] != owner and held[2] > now:
                raise Conflict(f"{stream} is owned by {held[0]}")
            lease = Lease(stream, owner, held[1] + 1, now + milliseconds)
            self._db.execute(
                "UPDATE leases SET owner = %s, epoch = %s, until = %s WHERE stream = %s",
                (owner, lease.epoch, lease.until, stream),
            )
        return lease

    def release(self, lease: Lease) -> None:
        with self._writing():
            self._db.execute(
                "UPDATE leases SET until = 0 WHERE stream = %s AND owner = %s AND epoch = %s",
                (lease.stream, lease.owner, lease.epoch),
            )

    # ---- writing

    def append(self, batch: Sequence[Append]) -> list[bytes]:
        with self._writing():
            return [self._append(append) for append in batch]

    def _append(self, append: Append) -> bytes:
        # The share lock holds off a new owner until this commit is done: a stale epoch can never slip in between.
        sql = "SELECT epoch FROM leases WHERE stream = %s FOR SHARE"
        found = self._db.execute(sql, (append.stream,)).fetchone()
        if found is None or found[0] != append.epoch:
            raise Conflict(f"{append.stream} has another owner than epoch {append.epoch}")
        seq, before = self.head(append.stream)
        if seq != append.expected:
            raise Conflict(f"{append.stream} stands at {seq}, not at {append.expected}")
        rows = chained(append, seq, before)
        with self._db.cursor() as cursor:
            cursor.executemany("INSERT INTO journal VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", rows)
            legs = [
                (row.stream, row.seq, leg, *transfer)
                for row in rows
                for leg, transfer in enumerate(decode_transfers(row.transfers))
            ]
            if legs:
                cursor.executemany("INSERT INTO transfers VALUES (%s, %s, %s, %s, %s, %s, %s)", legs)
            if append.replies:
                replies = [(append.stream, *reply) for reply in append.replies]
                cursor.executemany("INSERT INTO replies VALUES (%s, %s, %s, %s)", replies)
        return rows[-1].hash if rows else before

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One durable transaction. An error before the commit undoes it; one in the commit leaves it open."""
        self._db.execute("BEGIN")
        try:
            yield
        except psycopg.errors.UniqueViolation as error:
            self._db.execute("ROLLBACK")
            raise Conflict(f"someone was faster: {error}") from None
        except BaseException:
            if not self._db.broken:
                self._db.execute("ROLLBACK")
            raise
        try:
            self._db.execute("COMMIT")
        except psycopg.Error as failed:
            raise Indeterminate(f"the commit failed: {failed}") from failed

    # ---- reading

    def head(self, stream: str) -> tuple[int, bytes]:
        sql = "SELECT seq, hash FROM journal WHERE stream = %s ORDER BY seq DESC LIMIT 1"
        found = self._db.execute(sql, (stream,)).fetchone()
        return (found[0], bytes(found[1])) if found else (0, GENESIS)

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]:
        sql = "SELECT * FROM journal WHERE stream = %s AND seq > %s ORDER BY seq"
        for values in self._db.execute(sql, (stream, after)):
            yield Row(*values)

    def streams(self) -> list[str]:
        return [
            name
            for (name,) in self._db.execute("SELECT stream FROM journal UNION SELECT stream FROM transfers ORDER BY 1")
        ]

    def reply(self, stream: str, id: str) -> Reply | None:
        sql = "SELECT id, digest, body FROM replies WHERE stream = %s AND id = %s"
        found = self._db.execute(sql, (stream, id)).fetchone()
        return Reply(*found) if found else None

    def save(self, snapshot: Snapshot) -> None:
        with self._writing():
            self._db.execute(
                "INSERT INTO snapshots VALUES (%s, %s, %s, %s) ON CONFLICT (stream) "
                "DO UPDATE SET seq = excluded.seq, hash = excluded.hash, body = excluded.body",
                snapshot,
            )

    def snapshot(self, stream: str) -> Snapshot | None:
        found = self._db.execute("SELECT * FROM snapshots WHERE stream = %s", (stream,)).fetchone()
        return Snapshot(*found) if found else None

    def transfers(self, stream: str) -> Iterator[tuple[int, int, str, str, int, str]]:
        sql = "SELECT seq, leg, source, target, amount, reason FROM transfers WHERE stream = %s ORDER BY seq, leg"
        yield from self._db.execute(sql, (stream,))

    def close(self) -> None:
        self._db.close()
