"""Three witnesses, one story: the chain, the replay of every command, and the money; the first lie is named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from croupier.ledger import Balances, Transfer, check_laws
from croupier.rules.money import Cents
from croupier.rules.reader import RulebookFaults
from croupier.store.checkpoint import Checkpoint
from croupier.store.journal import GENESIS, Row, Store, hash_of
from croupier.store.record import MADE, decided, read_entry, read_made, replay, table_of
from croupier.table.state import Table
from croupier.wire import Unreadable, encode_transfers


class Lie(NamedTuple):
    """The first row of a stream that is not what it should be."""

    stream: str
    seq: int
    what: str


class Verdict(NamedTuple):
    rows: int
    streams: int
    checkpoints: int
    lies: list[Lie]


def verify(store: Store, checkpoints: Iterable[Checkpoint] = ()) -> Verdict:
    """Check everything there is. Checkpoints must have been found signed by a key one trusts."""
    marks = list(checkpoints)
    streams = sorted({*store.streams(), *(stream for mark in marks for stream in mark.heads)})
    lies, rows = [], 0
    for stream in streams:
        heads = {seq: hash for mark in marks if stream in mark.heads for seq, hash in [mark.heads[stream]]}
        count, lie = _verify_stream(store, stream, heads)
        rows += count
        lies += [lie] if lie else []
    return Verdict(rows, len(streams), len(marks), lies)


def _verify_stream(store: Store, stream: str, heads: dict[int, str]) -> tuple[int, Lie | None]:
    before, count, table, balances = GENESIS, 0, None, Balances()
    kept = _kept_transfers(store, stream)
    for row in store.rows(stream):
        count += 1
        lie = _chain_lie(row, count, before) or _checkpoint_lie(row, heads)
        try:
            if lie is None and table is None:
                table = _first(row)
            elif lie is None and table is not None:
                lie = _story_lie(row, table, balances)
        except (Unreadable, RulebookFaults, AssertionError, KeyError) as error:
            lie = Lie(stream, row.seq, f"cannot be replayed: {error}")
        if lie is None and kept.pop(row.seq, b"[]") != row.transfers:
            lie = Lie(stream, row.seq, "the transfers beside it are not those in it")
        if lie is not None:
            return count, lie
        before = row.hash
    if kept:
        return count, Lie(stream, min(kept), "transfers without a row")
    missing = [seq for seq in heads if seq > count]
    if missing:
        return count, Lie(stream, count + 1, f"cut off: a checkpoint knows row {max(missing)}")
    return count, None


def _chain_lie(row: Row, expected: int, before: bytes) -> Lie | None:
    if row.seq != expected:
        return Lie(row.stream, expected, f"missing: row {row.seq} follows")
    if row.hash != hash_of(row, before):
        return Lie(row.stream, row.seq, "does not fit its hash or the row before it")
    return None


def _checkpoint_lie(row: Row, heads: dict[int, str]) -> Lie | None:
    if heads.get(row.seq, row.hash.hex()) != row.hash.hex():
        return Lie(row.stream, row.seq, "is not the row a checkpoint signed")
    return None


def _first(row: Row) -> Table:
    if row.kind != MADE:
        raise Unreadable(f"the first row is {row.kind}, not {MADE}")
    return table_of(read_made(row))


def _story_lie(row: Row, table: Table, balances: Balances) -> Lie | None:
    """Decide the command again, post its money again: both must be what the row says."""
    entry = read_entry(row)
    if type(entry.command).__name__ != row.kind or entry.command.at != row.at:
        return Lie(row.stream, row.seq, "is not the command it is filed as")
    if decided(table, entry.command) != entry:
        return Lie(row.stream, row.seq, f"the book decides {row.kind} otherwise")
    transfers = replay(table, balances, entry)
    if encode_transfers(transfers) != row.transfers:
        return Lie(row.stream, row.seq, "moves other money than its events do")
    check_laws(table, balances)
    return None


def _kept_transfers(store: Store, stream: str) -> dict[int, bytes]:

    found: dict[int, list[Transfer]] = {}
    for seq, leg, source, target, amount, reason in store.transfers(stream):
        legs = found.setdefault(seq, [])
        # A leg out of its place makes the row's transfers differ from what the row itself says.
        legs.append(Transfer(source, target, Cents(amount), reason if leg == len(legs) else f"leg {leg}: {reason}"))
    return {seq: encode_transfers(transfers) for seq, transfers in found.items()}
