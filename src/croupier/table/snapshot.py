"""A table as bytes and back: everything it remembers but the House's choices, in the order it remembers it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import msgspec

from croupier.table.messages import SeatId
from croupier.table.state import Setup, Table, new_table

AT_HAND = 10
"""Rounds that are over and still at hand; older ones are recalled from the journal when someone asks."""

_HINTS = get_type_hints(Table)
_NAMES = [field.name for field in fields(Table) if field.name not in ("setup", "layouts")]
_Kept = msgspec.defstruct("Kept", [(name, _HINTS[name]) for name in _NAMES], frozen=True)
# Not JSON: amounts are kept by pairs of seat and box. Not sorted: bets and seats are dealt with in their order.
_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(_Kept)


def dump(table: Table) -> bytes:
    """The same table, the same bytes."""
    return _encoder.encode(_Kept(*(getattr(table, name) for name in _NAMES)))


def load(setup: Setup, body: bytes) -> Table:
    """The table that `dump` wrote; msgspec.DecodeError if it did not."""
    kept, table = _decoder.decode(body), new_table(setup)
    for name in _NAMES:
        setattr(table, name, getattr(kept, name))
    return table


def forget(table: Table) -> list[SeatId]:
    """Let go of the oldest rounds beyond those at hand, and of what was only in them: ids, and seats, which are named.

    A seat is let go once its Player has left with nothing and owing nothing and no round at hand has a bet of his. One
    whose once-only bets were settled is remembered until the table opens anew (sands 5.15).
    """
    before = len(table.past)
    while len(table.past) > AT_HAND:
        gone = table.past.pop(min(table.past))
        # An id may have been used again in a later round: only what belongs to the round that goes is let go.
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
