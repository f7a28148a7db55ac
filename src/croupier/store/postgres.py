"""The shared store: PostgreSQL, for a floor of several machines. The same contract and the same rows."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Literal
from weakref import WeakSet

import psycopg
from psycopg.rows import TupleRow

from croupier.rules.findings import Finding, found
from croupier.rules.refusal import Refused
from croupier.store.address import without_passwords
from croupier.store.database_schema import APPLICATION_ROLE, expected, granted, postgres_faults
from croupier.store.durability import DurabilityFact, of_file_system, setting
from croupier.store.journal import (
    GENESIS,
    PAGE,
    Append,
    Away,
    Busy,
    Conflict,
    Full,
    Indeterminate,
    Lease,
    Look,
    Node,
    Secret,
    Store,
    why_stale,
)
from croupier.store.migrations import MIGRATIONS, OLDEST, STEPS, Incompatible, pending
from croupier.store.queries import Queries

_TYPES = {
    "journal": ("text", "bigint", "bigint", "bigint", "bigint", "text", "bytea", "bytea"),
    "transfers": ("text", "bigint", "bigint", "text", "text", "bigint", "text", "text"),
    "replies": ("text", "text", "bigint"),
    "tickets": ("text", "text", "bigint", "bigint", "bigint", "bigint", "text"),
    "ticket_ends": ("text", "bigint", "text", "bigint", "bigint", "text"),
    "snapshots": ("text", "bigint", "bigint", "bytea"),
}

DURABLE = ("on", "remote_apply")
"""Values of `synchronous_commit` with which a commit waits for the disks of this server and its standbys."""
SETTINGS = ("synchronous_commit", "fsync", "full_page_writes")
"""The settings that decide whether an acknowledged commit survives."""
PROBE = 16 * 1024
"""KiB that must find room on the server's disk before it counts as no longer full."""

COPIED = 100
"""Rows from which several trips to the server with COPY are faster than one with arrays."""


class PostgresStore(Queries):
    """A store on a server. Any number of nodes may connect; each stream has one owner, by lease and epoch."""

    _FOUND_IN_BODY = "position(?::bytea in body) > 0"

    def __init__(self, address: str, *, read_only: bool = False, patience: float | None = None) -> None:
        """After `patience` seconds without an answer the server counts as away: a cut connection reports no error."""
        self._address = address
        self._full = False
        """The server reported a full disk, and has not been seen to have room since."""
        self._read_only = read_only
        self._patience = patience
        self._asked: float | None = None
        """Since when it has been waiting for an answer; None if it is not."""
        self._db = self._connected()
        if patience is not None:
            _Watchdog.watch(self)
        try:
            self._begin(read_only=read_only)
        except BaseException:
            self._db.close()
            raise

    def _connected(self) -> psycopg.Connection[TupleRow]:
        if self._patience is None:
            return psycopg.connect(self._address, autocommit=True)
        # libpq accepts no less than two seconds.
        seconds = min(10, max(2, round(self._patience)))
        return psycopg.connect(self._address, autocommit=True, connect_timeout=seconds)

    def _wait_for_the_disk(self) -> None:
        """Make a commit wait for the disk, whatever is set for the role, the database or the server."""
        [(value,)] = self._run("SHOW synchronous_commit")
        if value not in DURABLE:
            self._db.execute("SET synchronous_commit = on")
            [(value,)] = self._run("SHOW synchronous_commit")
        if value not in DURABLE:
            raise Incompatible("not-durable", value=value, needed=DURABLE)

    def reopen(self) -> None:
        self._db.close()
        try:
            self._db = self._connected()
            self._asked = time.monotonic()  # the server may have stopped answering since it accepted the connection
            self._wait_for_the_disk()
            self._db.execute(f"SET ROLE {APPLICATION_ROLE}")
        except (psycopg.Error, Incompatible) as error:
            self._db.close()  # nothing may be written to a server in this state
            raise Away(found("store", "no-answer", error=without_passwords(str(error), self._address))) from None
        finally:
            self._asked = None

    def give_up(self, now: float) -> None:
        """Close a connection that has been silent too long, so that the waiting call fails."""
        asked = self._asked
        if asked is not None and self._patience is not None and now - asked > self._patience:
            with suppress(OSError, psycopg.Error):
                line = socket.socket(fileno=self._db.fileno())
                try:
                    line.shutdown(socket.SHUT_RDWR)
                finally:
                    line.detach()

    def _begin(self, *, read_only: bool) -> None:
        self._wait_for_the_disk()
        if not read_only:
            if self._may_make_tables():
                self._migrate()
            self._db.execute(f"SET ROLE {APPLICATION_ROLE}")
            if missing := pending(self._known()):
                raise Incompatible("steps-missing", missing=len(missing))
            return
        self._asked = time.monotonic()
        self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")  # everything as it is now
        self._asked = None
        if missing := pending(self._known()):
            raise Incompatible("steps-missing-here", missing=len(missing))

    def _may_make_tables(self) -> bool:
        """Does the signed-in role own the tables, or may it make them where there are none?"""
        [(exist, owns, makes)] = self._run(f"""SELECT {_TABLE} IS NOT NULL, {_OWNS},
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)""")
        if not exist and not makes:
            raise Incompatible("no-tables")
        return bool(owns or not exist)

    def _migrate(self) -> None:
        with self._db.transaction():
            self._db.execute("SELECT pg_advisory_xact_lock(20261115)")  # two nodes that start at once
            self._db.execute(STEPS)
            for step in pending(self._known()):
                for statement in step.postgres:
                    self._db.execute(statement)
                self._db.execute("INSERT INTO migrations VALUES (%s, %s)", (step.number, step.checksum))
                if step is MIGRATIONS[-1]:
                    self._db.execute(_PUT, (*_OLDEST, str(OLDEST).encode()))
            self._grant()

    def _known(self) -> list[tuple[int, str]]:
        """The steps of this database, without later ones that a newer release has added compatibly."""
        applied = self._applied()
        if len(applied) > len(MIGRATIONS):
            oldest = self.secret(*_OLDEST)
            if oldest is not None and int(oldest.body) <= len(MIGRATIONS):
                return applied[: len(MIGRATIONS)]
        return applied

    def _applied(self) -> list[tuple[int, str]]:
        found = self._run("SELECT number, checksum FROM migrations ORDER BY 1")
        return [(int(number), str(checksum)) for number, checksum in found]

    def _grant(self) -> None:
        known = self._db.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (APPLICATION_ROLE,)).fetchone()
        if known is None:
            self._db.execute(f"CREATE ROLE {APPLICATION_ROLE} NOLOGIN")
            self._db.execute(f"GRANT {APPLICATION_ROLE} TO CURRENT_USER")
        sql = "SELECT name FROM unnest(?::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NOT NULL"
        for (table,) in self._run(
            sql, (list(expected()),)
        ):  # a missing one is reported with the other faults of the schema
            self._db.execute(f"GRANT {', '.join(sorted(granted(table)))} ON {table} TO {APPLICATION_ROLE}")

    def _run(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        waits, self._asked = self._asked, self._asked or time.monotonic()
        try:
            return self._db.execute(sql.replace("?", "%s"), values).fetchall()
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            if not self._db.closed:  # it answers, with an error
                if waits is not None:
                    raise  # `_writing` handles it
                raise Indeterminate(found("store", "refused", error=str(error))) from error
            raise Away(found("store", "no-answer", error=str(error))) from error
        finally:
            self._asked = waits

    def page(self, stream: str, after: int, limit: int) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        if self._read_only:
            return super().page(stream, after, limit)
        with self._writing(), self._db.transaction():
            # Another node may write meanwhile: rows and their transfers must be of one moment.
            self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return super().page(stream, after, limit)

    # ---- ownership

    def take(self, stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        with self._writing(), self._db.transaction():
            sql = "INSERT INTO streams VALUES (%s, '', 0, 0, 0, %s, %s) ON CONFLICT DO NOTHING"
            self._db.execute(sql, (stream, *GENESIS))
            sql = "SELECT owner, epoch, until, seen FROM streams WHERE stream = %s FOR UPDATE"
            [(holder, last, until, seen)] = self._run(sql, (stream,))
            if holder != owner and until > now:
                raise Conflict(found("store", "owned", stream=stream, owner=holder))
            lease = Lease(stream, owner, last + 1, now + milliseconds, seen)
            sql = "UPDATE streams SET owner = %s, epoch = %s, until = %s, seen = %s WHERE stream = %s"
            self._db.execute(sql, (owner, lease.epoch, lease.until, now, stream))
        return lease

    def renew(self, lease: Lease, now: int, milliseconds: int) -> Lease:
        with self._writing():
            sql = "UPDATE streams SET until = %s, seen = %s WHERE stream = %s AND epoch = %s"
            done = self._db.execute(sql, (now + milliseconds, now, lease.stream, lease.epoch))
        if not done.rowcount:
            raise Conflict(found("store", "other-epoch", stream=lease.stream, epoch=lease.epoch))
        return lease._replace(until=now + milliseconds)

    def release(self, lease: Lease) -> None:
        with self._writing():
            sql = "UPDATE streams SET until = 0 WHERE stream = %s AND epoch = %s"
            self._db.execute(sql, (lease.stream, lease.epoch))

    # ---- writing

    def append(self, batch: Sequence[Append]) -> None:
        batch = sorted(batch, key=_stream) if len(batch) > 1 else batch
        with self._writing():
            many = sum(len(append.rows) for append in batch) >= COPIED
            held = self._copied(batch) if many else {stream for (stream,) in self._run(*_one_statement(batch))}
        stale = [append for append in batch if append.stream not in held]
        if stale:
            raise self._conflict(stale)

    def _copied(self, batch: Sequence[Append]) -> set[str]:
        """As `_one_statement`, in one transaction: first the fence, then the rows of the streams that it held."""
        with self._db.transaction(), self._db.cursor() as cursor:
            held = {stream for (stream,) in cursor.execute(*_fence(batch))}
            for table, rows in _rows_of([append for append in batch if append.stream in held]):
                if not rows:
                    continue
                with cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy:
                    copy.set_types(_TYPES[table])
                    for row in rows:
                        copy.write_row(row)
        return held

    def _conflict(self, appends: Sequence[Append]) -> Conflict:
        stale = []
        for append in appends:
            place = self._run("SELECT epoch, seq FROM streams WHERE stream = %s", (append.stream,))
            stale.append(why_stale(append, *(place[0] if place else (0, 0))))
        return Conflict(*stale)

    def room(self) -> bool:
        return not (self.unsafe or self._full)

    def look_for_room(self, other: Store) -> None:
        """Is the disk still full? Try with a large temporary file, which the server removes at once."""
        if self._full and isinstance(other, PostgresStore):
            self._full = not other._finds_room()

    def _finds_room(self) -> bool:
        sql = f"""SELECT max(word) FROM (SELECT repeat(md5(number::text), 32) AS word
            FROM generate_series(1, {PROBE}) AS number ORDER BY 1 OFFSET 0) AS sorted"""
        try:
            with self._db.transaction():
                self._db.execute("SET LOCAL work_mem = '64kB'")
                self._db.execute("SET LOCAL temp_tablespaces = ''")  # where the tables are
                self._db.execute(sql)
        except psycopg.errors.DiskFull:
            return False
        except psycopg.Error:
            pass  # it cannot be tried: the next bet finds out
        return True

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Map errors: what the server refuses was undone; after a lost connection that is unknown."""
        self._asked = time.monotonic()
        try:
            yield
        except psycopg.errors.IntegrityError as error:
            raise Conflict(found("store", "faster", error=str(error))) from None
        except psycopg.errors.DiskFull as error:
            self._full = True
            raise Full(found("store", "full", error=str(error))) from None
        except _UNDONE as error:
            raise Busy(found("store", "undone", error=str(error))) from None
        except (psycopg.OperationalError, psycopg.InterfaceError) as failed:
            raise Away(found("store", "commit-failed", error=str(failed))) from failed
        except psycopg.Error as failed:
            raise Indeterminate(found("store", "commit-failed", error=str(failed))) from failed
        finally:
            self._asked = None

    # ---- more than one machine

    def time(self) -> int:
        return int(self._run(f"SELECT {_NOW}")[0][0])

    def look(self) -> Look:
        # A statement reads everything at one moment, which is not before the smallest time in its rows.
        found = self._run(f"""SELECT {_NOW}, stream, owner, epoch, until, seen, seq, NULL::bytea FROM streams
            UNION ALL SELECT {_NOW}, NULL, name, 0, until, 0, 0, body FROM nodes""")
        now = min((int(row[0]) for row in found), default=0) or self.time()
        streams = [row for row in found if row[1] is not None]
        leases = {row[1]: Lease(*row[1:6]) for row in streams}
        heads = {row[1]: int(row[6]) for row in streams}
        return Look(now, leases, heads, [Node(row[2], row[4], row[7]) for row in found if row[1] is None])

    def put_node(self, node: Node) -> None:
        sql = """INSERT INTO nodes VALUES (%s, %s, %s)
            ON CONFLICT (name) DO UPDATE SET until = excluded.until, body = excluded.body"""
        with self._writing():
            self._db.execute(sql, node)

    def drop_node(self, name: str, before: int = 0) -> None:
        with self._writing():
            self._db.execute("DELETE FROM nodes WHERE name = %s OR until < %s", (name, before))

    def renew_all(self, leases: Sequence[Lease], now: int, milliseconds: int) -> set[str]:
        # In the order of their names, as in an append, so that two statements never wait for each other.
        sql = """WITH mine AS (
                SELECT streams.stream FROM streams JOIN unnest(%s::text[], %s::bigint[]) AS e(stream, epoch)
                ON streams.stream = e.stream AND streams.epoch = e.epoch ORDER BY 1 FOR UPDATE OF streams)
            UPDATE streams SET until = %s, seen = %s FROM mine WHERE streams.stream = mine.stream
            RETURNING streams.stream"""
        with self._writing():
            names, epochs = [lease.stream for lease in leases], [lease.epoch for lease in leases]
            return {name for (name,) in self._run(sql, (names, epochs, now + milliseconds, now))}

    # ---- secrets

    def put_secret(self, secret: Secret) -> None:
        with self._writing():
            self._db.execute(_PUT, secret)

    def first_secret(self, secret: Secret) -> Secret:
        with self._writing():
            self._db.execute("INSERT INTO desk VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", secret)
        return self.secret(secret.kind, secret.key) or secret

    def secrets_after(self, kind: str, key: str) -> list[Secret]:
        sql = f"SELECT * FROM desk WHERE kind = ? AND key > ? ORDER BY key LIMIT {PAGE}"
        return [Secret(kind, key, bytes(body)) for kind, key, body in self._run(sql, (kind, key))]

    def drop_secret(self, kind: str, key: str) -> None:
        with self._writing():
            self._db.execute("DELETE FROM desk WHERE kind = %s AND key = %s", (kind, key))

    # ---- the state of the database

    def durability(self) -> list[DurabilityFact]:
        values = {
            name: (setting, at_first)
            for name, setting, at_first in self._run(
                "SELECT name, setting, reset_val FROM pg_settings WHERE name = ANY(?)",
                ([*SETTINGS, "synchronous_standby_names", "data_checksums", "data_directory"],),
            )
        }
        (commit, at_first), (fsync, _), (pages, _) = (values[name] for name in SETTINGS)
        facts = [
            setting(SETTINGS[0], commit, DURABLE),
            setting(SETTINGS[1], fsync, ("on",)),
            setting(SETTINGS[2], pages, ("on",)),
        ]
        if at_first not in DURABLE:
            of_role = found("durability", "setting-of-role", name=SETTINGS[0], value=at_first)
            facts.append(DurabilityFact(of_role, "unwise"))
        if self._run("SELECT pg_is_in_recovery()") == [(True,)]:
            facts.append(DurabilityFact(found("durability", "standby"), "lost"))
        standbys = values["synchronous_standby_names"][0]
        several = self._db.info.get_parameters().get("host", "").count(",")
        if several and not standbys:
            facts.append(DurabilityFact(found("durability", "standbys-unnamed"), "unwise"))
        else:
            facts.append(setting("synchronous_standby_names", standbys))
        facts.append(setting("data_checksums", values["data_checksums"][0]))
        folder = Path(values.get("data_directory", ("", ""))[0])  # few roles may read it
        if self.is_local and folder.is_absolute() and folder.exists():
            facts.append(of_file_system(folder, network=False))
        return facts

    def schema_faults(self) -> list[Finding]:
        return postgres_faults(self._run, newer=len(self._applied()) > len(MIGRATIONS))

    @property
    def is_local(self) -> bool:
        """Is the server on this machine, so that nothing goes over a network?"""
        info = self._db.info
        return info.host.startswith(("/", "@")) or info.hostaddr in ("127.0.0.1", "::1")

    def signed_in(self) -> list[DurabilityFact]:
        """The role and the connection: what could be done by a person who has this address, or listens on the way."""
        [(name, is_super, owns)] = self._run(
            f"SELECT session_user, rolsuper, {_OWNS} FROM pg_roles WHERE rolname = session_user"
        )
        who: Literal["superuser", "owner", "plain"] = "superuser" if is_super else "owner" if owns else "plain"
        line = self._db.pgconn.ssl_in_use
        checked = self._db.info.get_parameters().get("sslmode", "") == "verify-full"
        way = ("tls" if checked else "tls-unchecked") if line else "local" if self.is_local else "clear"
        safe = self.is_local or (line and checked)
        return [
            DurabilityFact(found("sign-in", who, role=name), "well" if who == "plain" else "unwise"),
            DurabilityFact(found("sign-in", "way" if safe else "way-unsafe", way=way), "well" if safe else "unwise"),
        ]

    # ---- removing

    def check_owner(self) -> None:
        """Refused, unless the signed-in role owns the tables: only the owner may remove rows."""
        [(name, owns)] = self._run(f"SELECT session_user::text, {_OWNS}")
        if not owns:
            raise Refused("role", "not-owner-of-tables", role=name)

    def forget(self, stream: str, before: int) -> None:
        self.check_owner()
        with self._writing(), self._db.transaction():
            self._db.execute("SET LOCAL ROLE NONE")  # the role of the application may not delete; the owner may
            for table in ("journal", "transfers", "snapshots"):
                self._db.execute(f"DELETE FROM {table} WHERE stream = %s AND seq < %s", (stream, before))

    def shrink(self) -> None:
        """The server uses the room for new rows; only the room at the end of a table goes back to the disk."""
        with self._writing():
            self._db.execute("RESET ROLE")
            try:
                self._db.execute("VACUUM journal, transfers, snapshots")
            finally:
                self._db.execute(f"SET ROLE {APPLICATION_ROLE}")

    def close(self) -> None:
        self._db.close()


_TABLE = "to_regclass('migrations')"
_OWNS = f"""coalesce((SELECT pg_has_role(session_user, relowner, 'MEMBER')
    FROM pg_class WHERE oid = {_TABLE}), false)"""
_UNDONE = (
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
)
_stream = attrgetter("stream")
_OLDEST = ("schema", "oldest")
_PUT = "INSERT INTO desk VALUES (%s, %s, %s) ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body"
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"


class _Watchdog:
    """One thread that closes the connections of stores that have waited too long for their server."""

    _stores: ClassVar[WeakSet[PostgresStore]] = WeakSet()
    _lock = threading.Lock()
    _thread: threading.Thread | None = None

    @classmethod
    def watch(cls, store: PostgresStore) -> None:
        with cls._lock:
            cls._stores.add(store)
            if cls._thread is None:
                cls._thread = threading.Thread(target=cls._run, name="database-watchdog", daemon=True)
                cls._thread.start()

    @classmethod
    def _run(cls) -> None:
        while True:
            time.sleep(0.2)
            with cls._lock:
                stores = list(cls._stores)
            for store in stores:
                store.give_up(time.monotonic())


def _fence(batch: Sequence[Append]) -> tuple[str, list[Any]]:
    """A statement that moves every stream on whose owner and place are as expected, and returns its name.

    Arrays are sent as binary (%b): as text, each of their items would be searched for quotes.
    """
    columns = zip(*((append.stream, append.epoch, *append.after, *append.place) for append in batch), strict=True)
    sql = """UPDATE streams SET seq = e.new_seq, hash = e.new_hash
        FROM unnest(%b::text[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bigint[], %b::bytea[])
            AS e(stream, epoch, seq, hash, new_seq, new_hash)
        WHERE streams.stream = e.stream AND streams.epoch = e.epoch AND streams.seq = e.seq AND streams.hash = e.hash
        RETURNING streams.stream"""
    return sql, [list(column) for column in columns]


def _one_statement(batch: Sequence[Append]) -> tuple[str, list[Any]]:
    """Everything in one statement, so in one durable commit and one trip to the server.

    Only the rows of the streams that the fence has `held` are inserted.
    """
    fence, values = _fence(batch)
    parts = [f"held AS ({fence})"]
    for table, rows in _rows_of(batch):
        columns = [list(column) for column in zip(*rows, strict=True)]
        if not columns:
            continue
        arrays = ", ".join(f"%b::{kind}[]" for kind in _TYPES[table])
        named = ", ".join(f"c{number}" for number in range(len(columns)))
        stream = {"tickets": "c1", "ticket_ends": "c2"}.get(table, "c0")
        parts.append(
            f"""{table}_in AS (INSERT INTO {table} SELECT n.* FROM unnest({arrays}) AS n({named})
            WHERE n.{stream} IN (SELECT stream FROM held))"""
        )
        values += columns
    return f"WITH {', '.join(parts)} SELECT stream FROM held", values


def _rows_of(batch: Sequence[Append]) -> Iterable[tuple[str, list[tuple[Any, ...]]]]:
    yield "journal", [row for append in batch for row in append.rows]
    yield "transfers", [leg for append in batch for leg in append.legs]
    yield "replies", [(append.stream, *reply) for append in batch for reply in append.replies]
    yield "tickets", [tuple(one) for append in batch for one in append.tickets]
    yield "ticket_ends", [tuple(one) for append in batch for one in append.ended]
    yield "snapshots", [tuple(one) for append in batch for one in append.snapshots]
