"""The tables of both stores, as numbered steps with checksums: a step once released is never edited."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from croupier.rules.refusal import Fact, Refused


class Incompatible(Exception):
    """A database with other steps than this program knows, or one on which it cannot rely: a case of "store"."""

    def __init__(self, case: str, **facts: Fact) -> None:
        super().__init__(case, facts)
        self.case = case
        self.facts = facts

    def at(self, address: str) -> Refused:
        """The refusal to open the database at an address, which has no password in it."""
        return Refused("store", self.case, None, address=address, **self.facts)


STREAMS = """WITH RECURSIVE found(name) AS (
    SELECT min(stream) FROM journal
    UNION ALL SELECT (SELECT min(stream) FROM journal WHERE stream > name) FROM found WHERE name IS NOT NULL)
    SELECT name FROM found WHERE name IS NOT NULL UNION SELECT stream FROM streams WHERE seq > 0"""
"""Every stream with rows in `journal` or in `streams`: no table can be hidden by a change of its row in `streams`."""

CORRECTING_KINDS = ("Approve", "CorrectResult", "VoidRounds")
CORRECTING = f"kind IN {CORRECTING_KINDS}"
"""Rows that may have changed a round that was over."""


class Migration(NamedTuple):
    """Statements as SQLite reads them; PostgreSQL has other names for two types and needs no storage clause."""

    number: int
    statements: tuple[str, ...]

    @property
    def checksum(self) -> str:
        return hashlib.sha256("\n".join(self.statements).encode()).hexdigest()

    @property
    def sqlite(self) -> tuple[str, ...]:
        return tuple(f"{sql} WITHOUT ROWID, STRICT" if "CREATE TABLE" in sql else sql for sql in self.statements)

    @property
    def postgres(self) -> tuple[str, ...]:
        return tuple(sql.replace(" INTEGER ", " bigint ").replace(" BLOB ", " bytea ") for sql in self.statements)


STEPS = "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, checksum TEXT NOT NULL)"
"""The table of the steps, as both databases read it."""

MIGRATIONS = (
    Migration(
        1,
        (
            # The last row of every stream, and who may write to it: every append locks one row and moves it on.
            """CREATE TABLE streams (
                stream TEXT PRIMARY KEY, owner TEXT NOT NULL, epoch INTEGER NOT NULL, until INTEGER NOT NULL,
                seen INTEGER NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL)""",
            """CREATE TABLE journal (
                stream TEXT NOT NULL, seq INTEGER NOT NULL, format INTEGER NOT NULL, epoch INTEGER NOT NULL,
                at INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL,
                PRIMARY KEY (stream, seq))""",
            """CREATE TABLE transfers (
                stream TEXT NOT NULL, seq INTEGER NOT NULL, leg INTEGER NOT NULL, source TEXT NOT NULL,
                target TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0), reason TEXT NOT NULL,
                about TEXT NOT NULL, PRIMARY KEY (stream, seq, leg))""",
            """CREATE TABLE replies (
                stream TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (stream, id))""",
            """CREATE TABLE tickets (
                number TEXT PRIMARY KEY, stream TEXT NOT NULL, seq INTEGER NOT NULL,
                amount INTEGER NOT NULL CHECK (amount > 0), at INTEGER NOT NULL, expires INTEGER NOT NULL,
                place TEXT NOT NULL)""",
            # One row a ticket, in a table of its own: the first machine that adds it has ended the ticket. Only
            # an expired one can end once more, late, when it is paid after all.
            """CREATE TABLE ticket_ends (
                number TEXT NOT NULL, late INTEGER NOT NULL, stream TEXT NOT NULL, seq INTEGER NOT NULL,
                at INTEGER NOT NULL, how TEXT NOT NULL, PRIMARY KEY (number, late))""",
            """CREATE TABLE snapshots (
                stream TEXT NOT NULL, seq INTEGER NOT NULL, round INTEGER NOT NULL, body BLOB NOT NULL,
                PRIMARY KEY (stream, seq))""",
            # The few rows to look through when a round that is over is recalled.
            f"CREATE INDEX corrections ON journal (stream, seq) WHERE {CORRECTING}",
        ),
    ),
    Migration(
        2,
        (
            # What a journal must never hold: its rows may be changed and removed.
            """CREATE TABLE desk (
                kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, key))""",
        ),
    ),
    Migration(
        3,
        (
            # Who works this floor, where there is more than one machine: until when each counts as there, and where it
            # is found. What a node says of itself is one text, so that the next release may say more.
            "CREATE TABLE nodes (name TEXT PRIMARY KEY, until INTEGER NOT NULL, body BLOB NOT NULL)",
        ),
    ),
)


OLDEST = 3
"""The fewest steps that a program must know to share a database with this one: every later step only adds. The database
holds this number, so that machines of the release before this one can run and start while others are upgraded."""


def pending(applied: list[tuple[int, str]]) -> list[Migration]:
    """The steps still to be applied; Incompatible if an applied step is not ours."""
    for (number, checksum), ours in zip(applied, MIGRATIONS, strict=False):
        if (number, checksum) != (ours.number, ours.checksum):
            raise Incompatible("not-ours", step=number)
    if len(applied) > len(MIGRATIONS):
        raise Incompatible("steps-unknown", steps=len(applied), known=len(MIGRATIONS))
    return list(MIGRATIONS[len(applied) :])
