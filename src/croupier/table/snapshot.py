"""A table as bytes and back: all of its state but the House's choices, in the order of the state."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import msgspec

from croupier.table.messages import SeatId
from croupier.table.state import Setup, Table, law_after, new_table

AT_HAND = 10
"""How many past rounds a table keeps. Older ones are read from the journal when someone needs them."""

_HINTS = get_type_hints(Table)
_NAMES = [field.name for field in fields(Table) if field.name not in ("setup", "law")]
_SINCE_5: dict[str, Any] = {"books": dict[str, str](), "changes": (), "planned": None}
"""Fields that the states of older versions do not have."""
_Kept = msgspec.defstruct(
    "Kept",
    [(name, _HINTS[name], _SINCE_5[name]) if name in _SINCE_5 else (name, _HINTS[name]) for name in _NAMES],
    frozen=True,
)
# Not JSON: stakes have pairs of seat and box as keys. Not sorted: the order of bets and seats has meaning.
_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(_Kept)


def dump(table: Table) -> bytes:
    """Write a table. The same table gives the same bytes."""
    return _encoder.encode(_Kept(*(getattr(table, name) for name in _NAMES)))


def load(setup: Setup, body: bytes) -> Table:
    """Read what `dump` wrote; msgspec.DecodeError if it did not write this."""
    kept, table = _decoder.decode(body), new_table(setup)
    for name in _NAMES:
        setattr(table, name, getattr(kept, name))
    if table.changes:
        table.law = law_after(table, table.changes[-1])
    return table


def forget(table: Table) -> list[SeatId]:
    """Drop the oldest rounds beyond the last ten, with the ids and seats that only they used. Returns these seats.

    A seat is dropped once its Player has left without credit or debt and no kept round has a bet of theirs. A seat
    whose once-only bets were settled is kept until the table opens again (sands 5.15).
    """
    before = len(table.past)
    while len(table.past) > AT_HAND:
        gone = table.past.pop(min(table.past))
        # A later round may have used the same id: drop only the ids of the dropped round.
        for bet in gone.round.bets:
            if table.bet_rounds.get(bet) == gone.number:
                del table.bet_rounds[bet]
        table.withdrawals = {id: of for id, of in table.withdrawals.items() if of[0] in table.bet_rounds}
    return _forget_seats(table) if len(table.past) < before else []


def _forget_seats(table: Table) -> list[SeatId]:
    gone = {
        seat.id
        for seat in table.seats.values()
        if seat.gone and not (seat.credit or seat.held or seat.owes or seat.short_bets_settled)
    }
    if gone:
        rounds = [past.round for past in table.past.values()] + ([table.round] if table.round else [])
        gone -= {bet.seat for round in rounds for bet in round.bets.values()}
    forgotten = [seat for seat in table.seats if seat in gone]
    for seat in forgotten:
        del table.seats[seat]
    return forgotten
