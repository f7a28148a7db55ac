"""The contract of every store: rows in hash chains, appended at an expected place by the one owner of a stream.

A stream is the history of one table, of the cage or of the office. Its rows are numbered from 1. The hash of a row
covers the hash of the row before and the digest of the row's own fields, so that no row can be changed, dropped or
swapped unseen, and a chain can be shown to a third party without the rows that do not concern them: their digests are
enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol

import msgspec

from croupier.ledger import Transfer
from croupier.rules.findings import BadRow, Failed, Finding, found
from croupier.store.durability import DurabilityFact

FORMAT = 1
"""The version of the row format. Rows of every earlier version can always be read."""

PAGE = 2_000
"""Rows read at a time: a reader of a million rows needs little memory and blocks nothing for long."""


LAST = 2**62
"""Greater than the number of any row or round."""


class Place(NamedTuple):
    """A place in a stream: the number and hash of a row, often the last."""

    seq: int
    hash: bytes


GENESIS = Place(0, bytes(32))


class NewRow(msgspec.Struct, frozen=True, gc=False):
    """A row to be written: what happened, and the money that it moved."""

    at: int
    kind: str
    body: bytes
    transfers: Sequence[Transfer] = ()


class Row(NamedTuple):
    """A row as it is kept."""

    stream: str
    seq: int
    format: int
    epoch: int
    at: int
    kind: str
    body: bytes
    hash: bytes
    transfers: tuple[Transfer, ...]


class Reply(NamedTuple):
    """A client's id for a command, and the row that answers it: a resend gets the same answer.

    They are written with the next snapshot: until then the owner of the stream has them from its rows.
    """

    id: str
    seq: int


class TicketMade(NamedTuple):
    """A ticket as it was issued, which never changes."""

    number: str
    stream: str
    seq: int
    amount: int
    at: int
    expires: int
    place: str


class TicketEnded(NamedTuple):
    """The end of a ticket: redeemed, paid, void or expired; `late`, if an expired ticket is paid after all."""

    number: str
    late: int
    stream: str
    seq: int
    at: int
    how: str


class Snapshot(NamedTuple):
    """The state after a row that holds its digest, so that recovery and recall need not read all rows before it.

    `round` is the number of the next round at that row.
    """

    stream: str
    seq: int
    round: int
    body: bytes


Columns = tuple[object, ...]
"""The values of one row of a table in the store."""


class Append(NamedTuple):
    """Rows for one stream at the place its owner expects, under the owner's epoch, and what is written with them."""

    stream: str
    epoch: int
    after: Place
    place: Place
    """The last row after they are written."""
    rows: Sequence[Columns]
    """For `journal`: the fields of Row but the transfers."""
    legs: Sequence[Columns]
    """For `transfers`: stream, number of the row, number of the transfer in it, and its fields."""
    replies: Sequence[Reply] = ()
    tickets: Sequence[TicketMade] = ()
    ended: Sequence[TicketEnded] = ()
    snapshots: Sequence[Snapshot] = ()


class Lease(NamedTuple):
    """The right to write to a stream. `seen` is when the previous owner last renewed it."""

    stream: str
    owner: str
    epoch: int
    until: int
    seen: int = 0


class Secret(NamedTuple):
    """What must never be in a journal, such as the hash of a password. It can be changed and removed."""

    kind: str
    key: str
    body: bytes


class Node(NamedTuple):
    """A machine of this floor: it counts as running until a moment on the server's clock."""

    name: str
    until: int
    body: bytes
    """What it publishes of itself."""


class Look(NamedTuple):
    """The state of a floor of several machines, at one moment of the server's clock."""

    now: int
    leases: dict[str, Lease]
    heads: dict[str, int]
    """The number of the last row of each stream."""
    nodes: list[Node]


class Conflict(Failed):
    """Another was faster, or owns the stream now. Nothing was written for `streams`: read again, then decide again."""

    @property
    def streams(self) -> frozenset[str]:
        return frozenset(str(one.facts["stream"]) for one in self.what if "stream" in one.facts)


class Unwritten(Failed):
    """Nothing was written, and that is known."""


class Full(Unwritten):
    """There is no room on the disk."""


class Busy(Unwritten):
    """Another program has been writing to the database for too long."""


class Indeterminate(Failed):
    """The commit failed, and it is unknown whether it happened: stop, restart, recover."""


class Away(Indeterminate):
    """The server of the database does not answer: what was sent to it may or may not have happened."""


class Broken(BadRow):
    """The transfers kept with a row do not fit it."""


class Store(Protocol):
    """The contract of both stores; `tests/store/test_contract.py` holds them to it."""

    unsafe: tuple[str, ...]
    """Names of the settings and faults that may undo a commit here; empty if there are none."""

    def take(self, stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        """Take a stream that is free or whose lease is over, under a higher epoch. Conflict if another holds it."""

    def renew(self, lease: Lease, now: int, milliseconds: int) -> Lease:
        """Prolong a lease; Conflict if another has taken the stream."""

    def release(self, lease: Lease) -> None: ...

    def append(self, batch: Sequence[Append]) -> None:
        """Write in one durable transaction every append whose owner and place hold; Conflict names the other streams.

        An id of a reply, or an end of a ticket, that the store has already is a Conflict that stops the whole batch.
        """

    def room(self) -> bool:
        """May anything new begin? Not without room on the disk, nor where a commit may not last."""

    def look_for_room(self, other: Store) -> None:
        """Find out whether a server's full disk has room again; `other` is another connection, which tries."""

    def durability(self) -> list[DurabilityFact]:
        """What decides now whether a commit survives a crash and a power cut."""

    def signed_in(self) -> list[DurabilityFact]:
        """The role by which a server is used and the way to it; nothing, where there is no server."""

    def schema_faults(self) -> list[Finding]:
        """How its tables differ from those that the migrations make."""

    def head(self, stream: str) -> Place:
        """The last row of a stream; GENESIS when there is no such stream."""

    def lease(self, stream: str) -> Lease:
        """The lease of the owner or of the last one; epoch 0 if there was none."""

    def page(self, stream: str, after: int, limit: int) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
        """Rows without their transfers, and the transfers up to the last of them (or all, if the rows end here)."""

    def streams(self) -> list[str]: ...

    def reply(self, stream: str, id: str) -> Reply | None: ...

    def replies(self, stream: str) -> Iterator[Reply]:
        """The kept replies, in the order of their rows."""

    def corrections(self, stream: str, after: int) -> list[int]:
        """The numbers of the rows after one that may have changed a round that was over."""

    def search(self, stream: str, words: Sequence[bytes]) -> list[int]:
        """The numbers of the rows whose body contains one of these words."""

    def ticket(self, number: str) -> tuple[TicketMade, TicketEnded | None] | None:
        """A ticket with its last end."""

    def tickets(self) -> Iterator[tuple[TicketMade, TicketEnded | None]]:
        """Every ticket with its last end, in the order of their issue."""

    def ticket_ends(self) -> Iterator[TicketEnded]:
        """Every end of every ticket."""

    def snapshot(self, stream: str, round: int = LAST, seq: int = LAST) -> Snapshot | None:
        """The newest one before a round began and not after a row."""

    def snapshots(self, stream: str) -> list[int]:
        """The numbers of the rows that have one."""

    def flows(self, stream: str, begin: int, end: int) -> list[tuple[str, str, str, int]]:
        """(source, target, reason, sum) of the transfers in rows of a span of time."""

    def check_owner(self) -> None:
        """Refused, unless rows may be removed by this connection: the role of the application may not."""

    def forget(self, stream: str, before: int) -> None:
        """Remove the rows before one, after they were archived."""

    def shrink(self) -> None:
        """Give the room of removed rows back to the disk; Full or Conflict if that cannot be done now."""

    def secret(self, kind: str, key: str) -> Secret | None: ...

    def put_secret(self, secret: Secret) -> None:
        """Keep it, and replace one of the same kind and key."""

    def drop_secret(self, kind: str, key: str) -> None:
        """Remove it, if it exists."""

    def close(self) -> None: ...


class SharedStore(Store, Protocol):
    """The contract of a store on a server, which several machines share."""

    def time(self) -> int:
        """The server's clock, by which leases end: those of the machines may be wrong."""

    def look(self) -> Look: ...

    def put_node(self, node: Node) -> None:
        """Add a node, or replace what it publishes."""

    def drop_node(self, name: str, before: int = 0) -> None:
        """Remove a node, and all that have not counted since a moment."""

    def renew_all(self, leases: Sequence[Lease], now: int, milliseconds: int) -> set[str]:
        """Prolong many leases; the streams that another has taken are not in the answer."""

    def first_secret(self, secret: Secret) -> Secret:
        """Keep it, unless there is one of its kind and key; returns the one that is kept."""

    def secrets_after(self, kind: str, key: str) -> list[Secret]:
        """Those of a kind with a later key, in order; at most one page."""

    def reopen(self) -> None:
        """Connect anew, perhaps to another server that has taken over; Away if none answers."""


# MessagePack: fields have a type and a length, numbers have one spelling, and packing a row is one call.
_packed = msgspec.msgpack.Encoder().encode


def fields_of(row: Row) -> bytes:
    """The digest of a row's fields without the hash, as one MessagePack array."""
    stream, seq, format, epoch, at, kind, body, _, transfers = row
    return sha256(_packed((stream, seq, format, epoch, at, kind, body, transfers))).digest()


def linked(before: bytes, kind: str, fields: bytes) -> bytes:
    """The hash of a row from the hash before it, its kind and the digest of its fields.

    In two steps, so that a chain can be followed over rows that are not shown; and with the kind apart, so that the
    kinds of those rows can be seen.
    """
    return sha256(b"".join((before, kind.encode(), b"\n", fields))).digest()


def hash_of(row: Row, before: bytes) -> bytes:
    """The hash that a row must have."""
    return linked(before, row.kind, fields_of(row))


def chain(stream: str, epoch: int, after: Place, news: Iterable[NewRow]) -> Append:
    """New rows for a stream, numbered and hashed from its last row on."""
    rows: list[Columns] = []
    legs: list[Columns] = []
    seq, hash = after
    for new in news:
        seq, at, kind, body, transfers = seq + 1, new.at, new.kind, new.body, new.transfers
        fields = sha256(_packed((stream, seq, FORMAT, epoch, at, kind, body, transfers))).digest()
        hash = linked(hash, kind, fields)
        rows.append((stream, seq, FORMAT, epoch, at, kind, body, hash))
        for leg, one in enumerate(transfers):
            legs.append((stream, seq, leg, one.source, one.target, one.amount, one.reason, one.about))
    return Append(stream, epoch, after, Place(seq, hash), rows, legs)


def why_stale(append: Append, epoch: int, seq: int) -> Finding:
    """Why an append was not taken by a stream that has this epoch and this last row."""
    stream = append.stream
    if epoch != append.epoch:
        return found("store", "other-epoch", stream=stream, epoch=append.epoch)
    return found("store", "other-place", stream=stream, row=seq, expected=append.after.seq)


def read_rows(store: Store, stream: str, after: int = 0) -> Iterator[Row]:
    """The rows of a stream with their transfers; Broken where these do not fit."""
    while True:
        rows, legs = store.page(stream, after, PAGE)
        yield from _joined(rows, legs)
        if len(rows) < PAGE:
            return
        after = int(str(rows[-1][1]))


def row_after(store: Store, stream: str, seq: int) -> Row | None:
    """The first row after a number; no other is read."""
    return next(_joined(*store.page(stream, seq, 1)), None)


def row_at(store: Store, stream: str, seq: int) -> Row:
    """One row; Broken if it is missing."""
    row = row_after(store, stream, seq - 1)
    if row is None or row.seq != seq:
        raise Broken(seq, found("row", "not-here"))
    return row


def _joined(rows: list[tuple[object, ...]], legs: list[tuple[object, ...]]) -> Iterator[Row]:
    transfers: dict[object, list[Transfer]] = {}
    for seq, leg, *transfer in legs:
        of_row = transfers.setdefault(seq, [])
        if leg != len(of_row):
            raise Broken(int(str(seq)), found("row", "legs-out-of-order"))
        of_row.append(Transfer(*transfer))  # type: ignore[arg-type]
    for row in rows:
        if row[2] != FORMAT:
            raise Broken(int(str(row[1])), found("row", "format", format=str(row[2]), known=FORMAT))
        yield Row._make((*row, tuple(transfers.pop(row[1], ()))))
    for seq in transfers:
        raise Broken(int(str(seq)), found("row", "legs-without-row"))
