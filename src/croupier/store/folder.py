"""Where a floor lives: a folder with its keys, signed checkpoints and archives, and a store at an address."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import apsw

from croupier.rules.bad_input import cause
from croupier.rules.refusal import Refused
from croupier.store.address import SERVERS, masked, without_passwords
from croupier.store.checkpoint import Checkpoint, knowing, make_keys, sign, signing_key
from croupier.store.database_schema import tables_of
from croupier.store.journal import Indeterminate, SharedStore, Store
from croupier.store.migrations import Incompatible
from croupier.store.sqlite import SqliteReader, SqliteStore

READING = 60.0
"""Seconds that a reader waits for one answer of a server, which may have much to search."""


class Premises:
    """A floor's folder. Its database lies in it, unless it is a PostgreSQL elsewhere."""

    def __init__(self, folder: Path, address: str | None = None, replica: str = "", copies: Sequence[str] = ()) -> None:
        self.folder = folder
        self.address = address or str(folder / "floor.db")
        self.replica = replica
        """The address of a copy of the store that follows it: long reports are read from there."""
        self.copies = tuple(copies)
        """Folders and addresses to which every checkpoint is sent."""
        self.keys = folder / "keys"
        self.checkpoints = folder / "checkpoints.jsonl"
        self.archive = folder / "archive"
        self.heads = folder / "heads"
        """The folder of the heads that this machine remembers: see `heads`."""

    @property
    def shown(self) -> str:
        """The address of the store as people may see it, without a password."""
        return masked(self.address)

    @property
    def shared(self) -> bool:
        """Is the store on a server, so that several machines may share this floor?"""
        return self.address.startswith(SERVERS)

    def open_shared(self, patience: float, *, read_only: bool = False) -> SharedStore:
        """The store on its server; after `patience` seconds without an answer it counts as away."""
        return _open_postgres(self.address, read_only=read_only, patience=patience)

    @property
    def public_key(self) -> Path:
        return self.keys / "public.key"

    @property
    def signs(self) -> bool:
        """Does this floor have keys of its own?"""
        return (self.keys / "signing.key").exists()

    def reader(self) -> Store:
        """The store as it is now, to be read in a thread or while the floor runs.

        Close it soon: as long as it is open, the log of an SQLite file only grows.
        """
        return open_store(self.address, read_only=True, patience=READING)

    def reports(self, at_least: Mapping[str, int] | None = None) -> Store:
        """As `reader`, for long reports that decide nothing: the replica, if there is one and it answers.

        The replica may be behind: it must have these rows `at_least`, by stream.
        """
        if self.replica:
            with contextlib.suppress(Refused, Indeterminate):
                replica = open_store(self.replica, read_only=True, patience=READING)
                if all(replica.head(stream).seq >= seq for stream, seq in (at_least or {}).items()):
                    return replica
                replica.close()
        return self.reader()

    def sign(self, at: int) -> Checkpoint:
        """Sign the head of every stream, while the floor runs or not."""
        key = signing_key(self.keys)
        shared = self.open_shared(READING) if self.shared else None
        store: Store = shared or self.reader()
        try:
            return sign(store, key, at, self.checkpoints, shared)
        finally:
            store.close()

    def knowing(self, stream: str, seq: int) -> Iterator[Checkpoint]:
        """This floor's checkpoints from the first one that covers a row."""
        return knowing(self.checkpoints, self.public_key, stream, seq)

    def init(self) -> None:
        """Make the folder, the keys and the database; refused if there are keys, which would be lost."""
        if self.signs or self.checkpoints.exists():
            raise Refused("floor", "has-keys" if self.signs else "has-checkpoints", folder=str(self.folder))
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            open_store(self.address, make=True).close()  # first: a folder without a database gets no keys
            make_keys(self.keys)
            self.archive.mkdir(exist_ok=True)
        except OSError as error:
            raise Refused("floor", "unmakable", folder=str(self.folder), error=cause(error)) from None


def open_store(address: str, *, make: bool = False, read_only: bool = False, patience: float | None = None) -> Store:
    """Open the store at an address; a file that is not there is refused unless it may be made.

    Opened read-only it is as it is now, and no byte of it changes. A server that is silent for longer than `patience`
    seconds counts as away.
    """
    if address.startswith(SERVERS):
        return _open_postgres(address, read_only=read_only, patience=patience)
    path = Path(address)
    if not make and not (path.exists() and (not path.is_file() or path.stat().st_size)):
        raise Refused("store", "no-database", address=address)
    try:
        if read_only:
            return SqliteReader(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        return _attested(SqliteStore(path))
    except Incompatible as error:
        raise error.at(address) from None
    except (apsw.Error, OSError) as error:  # not a database, a folder, no right to read it
        raise Refused("store", "unopened", address=address, error=cause(error)) from None


S = TypeVar("S", bound=Store)


def _attested(store: S) -> S:
    """A store that may be written to; Refused, if its tables are not those that it was made with."""
    if faults := store.schema_faults():
        store.close()
        raise Refused("schema", "changed", tables=tables_of(faults))
    return store


def _open_postgres(address: str, *, read_only: bool = False, patience: float | None = None) -> SharedStore:
    try:
        import psycopg

        from croupier.store.postgres import PostgresStore
    except ModuleNotFoundError:
        raise Refused("store", "no-driver") from None
    try:
        psycopg.conninfo.conninfo_to_dict(address)
    except psycopg.Error:  # the message of the library may hold the password
        raise Refused("store", "unread-address", address=masked(address)) from None
    try:
        store = PostgresStore(address, read_only=read_only, patience=patience)
        return store if read_only else _attested(store)
    except Incompatible as error:
        raise error.at(masked(address)) from None
    except psycopg.Error as error:
        shown = without_passwords(str(error), address)
        raise Refused("store", "unusable", address=masked(address), error=shown) from None
