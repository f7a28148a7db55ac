"""What the terminal of one seat shows of a table, as its door sends it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from croupier.floor.floor import LiveTable
from croupier.protocol.terminal import Own
from croupier.server.player.seat_view import SeatViews
from croupier.store.journal import GENESIS
from croupier.table.messages import SeatId
from croupier.table.state import Table


def seat_view(table: Table, seat: str) -> Own:
    live = SimpleNamespace(table=table, name=table.setup.table, recorder=SimpleNamespace(place=GENESIS, losses=[]))
    return SeatViews(cast(LiveTable, live)).view(SeatId(seat), 0)
