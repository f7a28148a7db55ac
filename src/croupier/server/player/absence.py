"""Terminals that dropped out while their bets lie on the table.

The books let the round go on, and registered bets play (rws-sicbo 5.2, mbs-esicbo 5.9). A cut that is over in a few
seconds is no interruption: the terminal comes back and reads how things stand. One that stays away is told to the
table, so that the journal shows it, and is restored when it comes back.
"""

from __future__ import annotations

from croupier.floor.floor import LiveTable
from croupier.table.messages import SeatId


class Absent:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[tuple[str, SeatId], float] = {}

    def left(self, live: LiveTable, seat: SeatId, now: float) -> None:
        self._since[live.name, seat] = now

    def came(self, live: LiveTable, seat: SeatId) -> None:
        self._since.pop((live.name, seat), None)

    def due(self, live: LiveTable, now: float) -> tuple[SeatId, ...]:
        """Who has been away too long with bets on the table; each is named once."""
        if live.table.book.interruption.terminals is None or live.table.round is None:
            return ()
        gone = [
            (table, seat)
            for (table, seat), since in self._since.items()
            if table == live.name and now - since >= self._seconds and live.table.seats[seat].held
        ]
        for key in gone:
            del self._since[key]
        return tuple(seat for _, seat in gone if live.table.seats[seat].connected)
