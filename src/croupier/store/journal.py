"""What every store keeps and promises: rows in hash chains, appended at an expected place by the one owner of a stream.

A stream is the history of one table (or of the cage). Its rows are numbered from 1; each row's hash covers all of its
fields and the hash of the row before, so that no row can be changed, dropped or swapped unseen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

FORMAT = 1
"""The version of the row format; rows of every earlier version are read for ever."""

GENESIS = bytes(32)


class NewRow(NamedTuple):
    """A row to be written: what happened, and the money it moved."""

    at: int
    kind: str
    body: bytes
    transfers: bytes


class Row(NamedTuple):
    """A row as it is kept."""

    stream: str
    seq: int
    format: int
    epoch: int
    at: int
    kind: str
    body: bytes
    transfers: bytes
    hash: bytes


class Reply(NamedTuple):
    """What a command was answered, so that a resend gets the same answer."""

    id: str
    digest: str
    body: bytes


class Append(NamedTuple):
    """Rows and replies for one stream, at the place its owner expects, under the owner's epoch."""

    stream: str
    expected: int
    epoch: int
    rows: Sequence[NewRow]
    replies: Sequence[Reply] = ()


class Lease(NamedTuple):
    stream: str
    owner: str
    epoch: int
    until: int


class Snapshot(NamedTuple):
    """The state of a stream after a row, so that recovery need not read all of it."""

    stream: str
    seq: int
    hash: bytes
    body: bytes


class Conflict(Exception):
    """Someone was faster, or owns the stream now: nothing was written. Read again, then decide again."""


class Indeterminate(Exception):
    """The commit failed in a way that leaves open whether it happened: stop, restart, recover."""


class Store(Protocol):
    """Both stores keep this contract; one suite of tests holds them to it."""

    def take(self, stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        """Own a stream: with a new, higher epoch if it was free or its lease is over. Conflict if another holds it."""

    def release(self, lease: Lease) -> None: ...

    def append(self, batch: Sequence[Append]) -> list[bytes]:
        """Write all of it in one durable transaction, or nothing; the new head hash of each."""

    def head(self, stream: str) -> tuple[int, bytes]:
        """The number and hash of the last row; (0, GENESIS) when there is none."""

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]: ...

    def streams(self) -> list[str]: ...

    def reply(self, stream: str, id: str) -> Reply | None: ...

    def save(self, snapshot: Snapshot) -> None: ...

    def snapshot(self, stream: str) -> Snapshot | None: ...

    def transfers(self, stream: str) -> Iterator[tuple[int, int, str, str, int, str]]:
        """(row number, leg, source, target, amount, reason) as kept for reports, beside the rows."""

    def close(self) -> None: ...


def row_hash(
    before: bytes, stream: str, seq: int, format: int, epoch: int, at: int, kind: str, body: bytes, transfers: bytes
) -> bytes:
    """The hash of a row: every field with its length, so that no two rows share their bytes."""
    digest = hashlib.sha256(before)
    for field in (
        stream.encode(),
        b"%d" % seq,
        b"%d" % format,
        b"%d" % epoch,
        b"%d" % at,
        kind.encode(),
        body,
        transfers,
    ):
        digest.update(len(field).to_bytes(8, "big"))
        digest.update(field)
    return digest.digest()


def chained(append: Append, seq: int, before: bytes) -> list[Row]:
    """The rows of an append, numbered and hashed after the row that is last now."""
    rows = []
    for new in append.rows:
        seq += 1
        before = row_hash(before, append.stream, seq, FORMAT, append.epoch, new.at, new.kind, new.body, new.transfers)
        rows.append(Row(append.stream, seq, FORMAT, append.epoch, new.at, new.kind, new.body, new.transfers, before))
    return rows


def hash_of(row: Row, before: bytes) -> bytes:
    """What a kept row's hash should be."""
    return row_hash(before, row.stream, row.seq, row.format, row.epoch, row.at, row.kind, row.body, row.transfers)
