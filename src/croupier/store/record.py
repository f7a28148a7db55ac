"""A table whose every command is on disk before it is answered: decide, post, append, evolve, answer."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import NamedTuple

import msgspec

from croupier.ledger import Balances, Transfer, check_laws, post
from croupier.rules.reader import read_rulebook
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.store.journal import Append, Lease, NewRow, Reply, Row, Store
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, AnyEvent, Limits, PersonId, Role
from croupier.table.state import Setup, Table, new_table
from croupier.transcript.play import Evening, Turn
from croupier.wire import decode, encode, encode_transfers

MADE = "TableMade"


class TableMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of a table: the House's choices, its first staff, and the whole text of the book it plays by."""

    table: str
    rulebook: str
    rulebook_hash: str
    layouts: tuple[str, ...]
    limits: Limits
    staff: dict[PersonId, tuple[Role, ...]]
    two_sources: bool = False
    approval_seconds: int = 120
    alternatives: tuple[int, ...] = ()


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: str
    message: str
    clause: str | None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command and what came of it: the audit record of accepted and refused alike."""

    command: AnyCommand
    events: tuple[AnyEvent, ...]
    refused: Refusal | None = None


class Answer(NamedTuple):
    """What the giver of a command is told, once it is on disk."""

    entry: Entry
    again: bool
    """The same command was answered before; this is that answer."""


_entries: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)
_made: msgspec.json.Decoder[TableMade] = msgspec.json.Decoder(TableMade)


def read_entry(row: Row) -> Entry:
    return decode(_entries, row.body, f"row {row.seq} of {row.stream}")


def read_made(row: Row) -> TableMade:
    return decode(_made, row.body, f"row {row.seq} of {row.stream}")


def table_of(made: TableMade) -> Table:
    """The table as it was made, under the very text it was made under."""
    book = _book(made.rulebook)
    assert book.hash == made.rulebook_hash, f"{made.table} was made under another text of {book.id}"
    setup = Setup(
        made.table,
        book,
        made.layouts,
        made.limits,
        two_sources=made.two_sources,
        approval_seconds=made.approval_seconds,
        alternatives=frozenset(made.alternatives),
    )
    table = new_table(setup)
    table.staff |= made.staff
    return table


@lru_cache
def _book(text: str) -> Rulebook:
    return read_rulebook(text.encode(), "the text in the journal")


class RecordedTable:
    """A table and its stream. One at a time owns it; a stale owner's append is a Conflict."""

    def __init__(self, store: Store, lease: Lease, table: Table, balances: Balances, seq: int) -> None:
        self.store = store
        self.lease = lease
        self.table = table
        self.balances = balances
        self.seq = seq

    @staticmethod
    def make(store: Store, owner: str, now: int, milliseconds: int, made: TableMade) -> RecordedTable:
        """A new table: its first row is what it was made of."""
        table = table_of(made)
        lease = store.take(made.table, owner, now, milliseconds)
        store.append([Append(made.table, 0, lease.epoch, [NewRow(now, MADE, encode(made), b"[]")])])
        return RecordedTable(store, lease, table, Balances(), 1)

    @staticmethod
    def recover(store: Store, owner: str, now: int, milliseconds: int, stream: str) -> RecordedTable:
        """The table as its rows say. Only reads, but for the lease: a second crash here changes nothing."""
        lease = store.take(stream, owner, now, milliseconds)
        rows = store.rows(stream)
        table, balances, seq = table_of(read_made(next(rows))), Balances(), 1
        for row in rows:
            replay(table, balances, read_entry(row))
            seq = row.seq
        check_laws(table, balances)
        return RecordedTable(store, lease, table, balances, seq)

    def give(self, command: AnyCommand) -> Answer:
        """Decide a command and put it on disk; only then does the table change and the giver hear of it."""
        id, content = _client_id(command)
        if id is not None and (known := self.store.reply(self.table.setup.table, id)) is not None:
            return self._again(command, known, content)
        entry = decided(self.table, command)
        transfers = [transfer for event in entry.events for transfer in post(self.table.setup.table, event)]
        body = encode(entry)
        replies = [Reply(id, content, body)] if id is not None and entry.refused is None else []
        row = NewRow(command.at, type(command).__name__, body, encode_transfers(transfers))
        self.store.append([Append(self.table.setup.table, self.seq, self.lease.epoch, [row], replies)])
        self.seq += 1
        replay(self.table, self.balances, entry)
        return Answer(entry, again=False)

    def _again(self, command: AnyCommand, known: Reply, content: str) -> Answer:
        if known.digest == content:
            return Answer(_entries.decode(known.body), again=True)
        refusal = Refusal("resend", f"{known.id} was sent with another content", None)
        return Answer(Entry(command, (), refusal), again=True)


def decided(table: Table, command: AnyCommand) -> Entry:
    """What the book makes of a command: its events, or why not."""
    try:
        return Entry(command, tuple(decide(table, command)))
    except Refused as refused:
        return Entry(command, (), Refusal(refused.reason, refused.message, refused.clause))


def replay(table: Table, balances: Balances, entry: Entry) -> list[Transfer]:
    """Apply what an entry says happened; the transfers it moved."""
    transfers: list[Transfer] = []
    for event in entry.events:
        moved = post(table.setup.table, event)
        balances.apply(moved)
        evolve(table, event)
        transfers += moved
    return transfers


def _client_id(command: AnyCommand) -> tuple[str | None, str]:
    """The id a client made for a command, and a digest of its content; time is not content."""
    match command:
        case m.PlaceBet():
            id = f"bet {command.id}"
        case m.WithdrawBet():
            id = f"withdrawal {command.id}"
        case _:
            return None, ""
    content = msgspec.structs.replace(command, at=0)
    return id, hashlib.sha256(encode(content)).hexdigest()


def made_of(evening: Evening, text: str) -> TableMade:
    """What a table played from a transcript was made of; `text` is that of its rulebook."""
    setup = evening.table.setup
    return TableMade(
        setup.table,
        text,
        setup.rulebook.hash,
        setup.layouts,
        setup.limits,
        evening.staff,
        setup.two_sources,
        setup.approval_seconds,
        tuple(sorted(setup.alternatives)),
    )


def evening_of(store: Store, stream: str) -> Evening:
    """The evening of a table as its rows tell it: to be written as a transcript, or told as a story."""
    rows = store.rows(stream)
    first = next(rows, None)
    if first is None:
        raise Refused("table", f'there is no table "{stream}" here; there are {", ".join(store.streams()) or "none"}')
    table = table_of(read_made(first))
    evening = Evening(table, dict(table.staff))
    for row in rows:
        entry = read_entry(row)
        no = entry.refused
        refused = Refused(no.reason, no.message, no.clause) if no else None
        transfers = replay(table, evening.balances, entry)
        evening.turns.append(Turn(row.seq, entry.command, list(entry.events), transfers, refused))
    return evening
