"""The tables of both stores, as numbered steps with checksums: a step once applied is never edited."""

from __future__ import annotations

import hashlib
from typing import NamedTuple


class Migration(NamedTuple):
    number: int
    sqlite: tuple[str, ...]
    postgres: tuple[str, ...]

    @property
    def checksum(self) -> str:
        return hashlib.sha256("\n".join((*self.sqlite, "--", *self.postgres)).encode()).hexdigest()


class Incompatible(Exception):
    """A database whose steps are not the ones this program knows."""


MIGRATIONS = (
    Migration(
        1,
        (
            """CREATE TABLE journal (
                stream TEXT NOT NULL, seq INTEGER NOT NULL, format INTEGER NOT NULL, epoch INTEGER NOT NULL,
                at INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, transfers BLOB NOT NULL,
                hash BLOB NOT NULL, PRIMARY KEY (stream, seq)) WITHOUT ROWID, STRICT""",
            """CREATE TABLE transfers (
                stream TEXT NOT NULL, seq INTEGER NOT NULL, leg INTEGER NOT NULL, source TEXT NOT NULL,
                target TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0), reason TEXT NOT NULL,
                PRIMARY KEY (stream, seq, leg)) WITHOUT ROWID, STRICT""",
            """CREATE TABLE replies (
                stream TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL,
                PRIMARY KEY (stream, id)) WITHOUT ROWID, STRICT""",
            """CREATE TABLE leases (
                stream TEXT PRIMARY KEY, owner TEXT NOT NULL, epoch INTEGER NOT NULL, until INTEGER NOT NULL) STRICT""",
            """CREATE TABLE snapshots (
                stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL, body BLOB NOT NULL) STRICT""",
        ),
        (
            """CREATE TABLE journal (
                stream text NOT NULL, seq bigint NOT NULL, format integer NOT NULL, epoch bigint NOT NULL,
                at bigint NOT NULL, kind text NOT NULL, body bytea NOT NULL, transfers bytea NOT NULL,
                hash bytea NOT NULL, PRIMARY KEY (stream, seq))""",
            """CREATE TABLE transfers (
                stream text NOT NULL, seq bigint NOT NULL, leg integer NOT NULL, source text NOT NULL,
                target text NOT NULL, amount bigint NOT NULL CHECK (amount > 0), reason text NOT NULL,
                PRIMARY KEY (stream, seq, leg))""",
            """CREATE TABLE replies (
                stream text NOT NULL, id text NOT NULL, digest text NOT NULL, body bytea NOT NULL,
                PRIMARY KEY (stream, id))""",
            """CREATE TABLE leases (
                stream text PRIMARY KEY, owner text NOT NULL, epoch bigint NOT NULL, until bigint NOT NULL)""",
            """CREATE TABLE snapshots (
                stream text PRIMARY KEY, seq bigint NOT NULL, hash bytea NOT NULL, body bytea NOT NULL)""",
        ),
    ),
)


def pending(applied: list[tuple[int, str]]) -> list[Migration]:
    """The steps still to be applied; Incompatible if an applied step is not ours."""
    for (number, checksum), ours in zip(applied, MIGRATIONS, strict=False):
        if (number, checksum) != (ours.number, ours.checksum):
            raise Incompatible(f"step {number} of this database was made by another program")
    if len(applied) > len(MIGRATIONS):
        raise Incompatible(f"this database has {len(applied)} steps, this program knows {len(MIGRATIONS)}; upgrade it")
    return list(MIGRATIONS[len(applied) :])
