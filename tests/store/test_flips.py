"""A byte that the disk has changed: `verify` names the stream and the row, whatever it breaks, and checks the rest."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from croupier.store import recorder as record_module
from croupier.store.journal import Store
from croupier.store.postgres import PostgresStore
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.subjects import grown
from croupier.store.verify import Verdict, verify
from croupier.table import messages as m
from tests.store.conftest import Open
from tests.store.tickets import cage, redeem, sell, table
from tests.support.recorders import bet, correct, long_evening

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
EACH = 60 if ALL else 8
"""Cells of each column, and twice as many bits of a snapshot."""
KEYS = {
    "streams": ("stream",),
    "journal": ("stream", "seq"),
    "transfers": ("stream", "seq", "leg"),
    "replies": ("stream", "id"),
    "tickets": ("number",),
    "ticket_ends": ("number", "late"),
    "snapshots": ("stream", "seq"),
}
COLUMNS = {
    "streams": ("stream", "owner", "epoch", "until", "seen", "seq", "hash"),
    "journal": ("stream", "seq", "format", "epoch", "at", "kind", "body", "hash"),
    "transfers": ("stream", "seq", "leg", "source", "target", "amount", "reason", "about"),
    "replies": ("stream", "id", "seq"),
    "tickets": ("number", "stream", "seq", "amount", "at", "expires", "place"),
    "ticket_ends": ("number", "late", "stream", "seq", "at", "how"),
    "snapshots": ("stream", "seq", "round", "body"),
}
FREE = {("streams", "owner"), ("streams", "until"), ("streams", "seen"), ("streams", "epoch")}
"""Who owned what last, and until when: of that only what cannot be is seen."""


@pytest.fixture
def floor(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Three streams with everything there is: snapshots, answers, tickets made and ended, an old round corrected."""
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 15)
    recorded = long_evening(store, 24)
    correct(recorded, 2, "1-1-2", 40_000)
    window, other = cage(store), table(store, "T1")
    for serial in range(8):
        window.give(sell(serial))
    for serial in range(4):
        other.give(redeem(serial, 30 + serial))
    other.give(bet("b1", 50))
    recorded.give(m.OpenBetting("Dana", 50_000))
    assert len(store.snapshots("T")) > 2
    assert list(store.replies("T"))
    assert verify(store).lies == []
    return store


def flipped(value: object, rng: random.Random, *, any_bytes: bool) -> object:
    """A value with one bit changed; None, if it has none to change."""
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(40))
    raw = bytearray(value if isinstance(value, bytes) else str(value).encode())
    if not raw:
        return None
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    if isinstance(value, bytes):
        return bytes(raw)
    text = raw.decode(errors="replace")
    return bytes(raw) if any_bytes else None if "\ufffd" in text or "\0" in text else text


class _Changed:
    """A store of which one cell can be another for a while."""

    def __init__(self, store: Store) -> None:
        self.store = store
        assert isinstance(store, SqliteStore | PostgresStore)
        self._db: Any = store._db
        self._lite = isinstance(store, SqliteStore)
        if self._lite:
            self._db.execute("PRAGMA ignore_check_constraints = ON")  # a disk asks nobody
        else:
            self._db.execute("SET ROLE NONE")

    def rows(self, name: str) -> list[tuple[Any, ...]]:
        order = ", ".join(KEYS[name])
        return list(self._db.execute(f"SELECT {', '.join(COLUMNS[name])} FROM {name} ORDER BY {order}"))

    def verdict(self, name: str, row: tuple[Any, ...], column: str, value: object) -> Verdict | None:
        """What is found with another value there; None if the database would not have it."""
        mark = "?" if self._lite else "%s"
        text = isinstance(value, bytes) and isinstance(row[COLUMNS[name].index(column)], str)
        new = f"CAST({mark} AS TEXT)" if text else mark
        where = " AND ".join(f"{key} = {mark}" for key in KEYS[name])
        keys = [row[COLUMNS[name].index(key)] for key in KEYS[name]]
        if self._lite:
            self._db.execute("BEGIN")
        try:
            self._db.execute(f"UPDATE {name} SET {column} = {new} WHERE {where}", (value, *keys))
        except (apsw.ConstraintError, psycopg.errors.IntegrityError, psycopg.errors.DataError):
            if self._lite:
                self._db.execute("ROLLBACK")
            return None
        try:
            return verify(self.store)
        finally:
            if self._lite:
                self._db.execute("ROLLBACK")
            else:
                now = [value if key == column else one for key, one in zip(KEYS[name], keys, strict=True)]
                before = row[COLUMNS[name].index(column)]
                self._db.execute(f"UPDATE {name} SET {column} = {new} WHERE {where}", (before, *now))


def cells(changed: _Changed, rng: random.Random) -> Iterator[tuple[str, tuple[Any, ...], str, object]]:
    for name, columns in COLUMNS.items():
        rows = changed.rows(name)
        assert rows, name
        for place, column in enumerate(columns):
            for _ in range(EACH * (2 if (name, column) == ("snapshots", "body") else 1)):
                row = rng.choice(rows)
                value = flipped(row[place], rng, any_bytes=changed._lite)
                if value is not None and value != row[place]:
                    yield name, row, column, value


def test_whatever_bit_has_changed_the_stream_and_the_row_are_named(floor: Store) -> None:
    rng, changed, tried = random.Random("flips"), _Changed(floor), 0
    streams = set(floor.streams())
    for name, row, column, value in cells(changed, rng):
        verdict = changed.verdict(name, row, column, value)
        if verdict is None:
            continue
        tried += 1
        where = f"{name}.{column} of {row[:3]}: {row[COLUMNS[name].index(column)]!r} -> {value!r}"
        if not verdict.lies:
            same = column == "body" and name == "snapshots" and grown(value) == grown(row[-1])  # type: ignore[arg-type]
            assert same or (name, column) in FREE, where
            continue
        stream, seq = row[COLUMNS[name].index("stream")] if name != "ticket_ends" else row[2], None
        if name in ("journal", "transfers", "snapshots", "tickets", "ticket_ends") and column not in ("stream", "seq"):
            seq = row[COLUMNS[name].index("seq")]
        told = {(lie.stream, lie.seq) for lie in verdict.lies}
        assert all(isinstance(lie.seq, int) and lie.seq >= 0 for lie in verdict.lies), where
        assert stream in {one for one, _ in told}, (where, verdict.lies)
        if seq is not None and name in ("journal", "snapshots"):
            assert (stream, seq) in told, (where, verdict.lies)
        # The others are still verified, row by row.
        for other in streams - {one for one, _ in told}:
            assert verdict.rows >= floor.head(other).seq, where
    assert tried > 30 * EACH


def test_every_byte_of_a_snapshot_is_vouched_for(floor: Store, request: pytest.FixtureRequest) -> None:
    changed = _Changed(floor)
    row = next(row for row in changed.rows("snapshots") if row[1] > 1 and row[0] == "T")
    body, unseen = bytes(row[3]), 0
    for place in range(0, len(body), 1 if ALL else 41):
        other = bytearray(body)
        other[place] ^= 1 << place % 8
        verdict = changed.verdict("snapshots", row, "body", bytes(other))
        assert verdict is not None
        if not verdict.lies:  # bits of the packing that mean nothing
            assert grown(bytes(other)) == grown(body)
            unseen += 1
            continue
        assert [(lie.stream, lie.seq) for lie in verdict.lies] == [("T", row[1])], verdict.lies
        assert verdict.tables == 2
    assert unseen <= 1 + len(body) // 100


def test_a_name_that_cannot_be_read_hides_no_stream(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    long_evening(store, 1)
    table(store, "T1")
    store._db.execute("UPDATE journal SET stream = CAST(x'ff31' AS TEXT) WHERE stream = 'T1' AND seq = 2")
    named = {lie.stream for lie in verify(store).lies}
    assert "T1" in named
    assert "T" not in named
    store.close()


__all__ = ["Open"]
