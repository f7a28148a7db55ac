"""Makes the subject of a stream from its first row, or from the bytes of a state."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, assert_never

import msgspec

from croupier import cage as cashier
from croupier import office as clerk
from croupier.ledger import Balances, Flows
from croupier.rules.bad_input import Unreadable
from croupier.store.journal import Row
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.entry import NO_COMMANDS, AnyEntry
from croupier.store.streams.made import AnyMade, CageMade, OfficeMade, TableMade
from croupier.store.streams.office import OfficeSubject
from croupier.store.streams.stream import Subject
from croupier.store.streams.table import TableSubject
from croupier.table import snapshot
from croupier.wire import decode

_makings: dict[str, msgspec.json.Decoder[Any]] = {
    made.__name__: msgspec.json.Decoder(made) for made in (TableMade, CageMade, OfficeMade)
}


def subject_of(made: AnyMade) -> Subject:
    match made:
        case TableMade():
            return TableSubject(made)
        case CageMade():
            return CageSubject(made)
        case OfficeMade():
            return OfficeSubject(made)
        case _:
            assert_never(made)


def first_subject(row: Row) -> Subject:
    """The subject that a first row describes."""
    if row.kind not in _makings:
        raise Unreadable(
            f"row {row.seq} of {row.stream}", f"is {row.kind}; a stream begins with {' or '.join(_makings)}"
        )
    return subject_of(decode(_makings[row.kind], row.body, f"row {row.seq} of {row.stream}"))


_STATE = tuple[str, bytes, Flows, bytes]


def restored(state: bytes) -> Subject:
    """The subject that `state` wrote; Unreadable if it did not."""
    try:
        kind, text, flows, body = msgspec.msgpack.decode(state, type=_STATE)
        subject = subject_of(_makings[kind].decode(text))
        if isinstance(subject, TableSubject):
            subject.table = snapshot.load(subject.setup, body)
        elif isinstance(subject, CageSubject):
            subject.cage = cashier.load(body)
        elif isinstance(subject, OfficeSubject):
            subject.office = clerk.load(body)
    except (msgspec.MsgspecError, KeyError):
        raise Unreadable("a state", "cannot be read") from None
    subject.balances = Balances.of(flows)
    return subject


MOST_STATE = 2**28
"""The largest state, in bytes; ten rounds of a thousand Players are a fraction of it."""


def shrunk(state: bytes) -> bytes:
    return zlib.compress(state, 1)


def grown(body: bytes) -> bytes:
    """What `shrunk` made small; Unreadable if it did not."""
    reader = zlib.decompressobj()
    try:
        state = reader.decompress(body, MOST_STATE)
    except zlib.error:
        raise Unreadable("a snapshot", "cannot be unpacked") from None
    if not reader.eof or reader.unused_data:
        raise Unreadable("a snapshot", f"is cut off, or larger than {MOST_STATE} bytes")
    return state


def digest(state: bytes) -> str:
    return sha256(state).hexdigest()


def entries(subject: Subject, rows: Iterator[Row]) -> Iterator[tuple[Row, AnyEntry | None]]:
    """Rows with their entries; None for a row without a command."""
    for row in rows:
        yield row, None if row.kind in NO_COMMANDS else subject.read(row)
