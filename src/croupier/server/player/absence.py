"""Terminals that lost their connection while their bets are on the table.

The books let the round go on, and registered bets play (rws-sicbo 5.2, mbs-esicbo 5.9). A terminal that reconnects
within a few seconds was not interrupted: it reads the state of the table and plays on. For one that stays away longer
the table gets a command, so that the journal shows the interruption. It is restored when it reconnects.
"""

from __future__ import annotations

from croupier.floor.floor import LiveTable
from croupier.table.messages import SeatId


class AbsentTerminals:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[tuple[str, SeatId], float] = {}

    def left(self, live: LiveTable, seat: SeatId, now: float) -> None:
        self._since[live.name, seat] = now

    def returned(self, live: LiveTable, seat: SeatId) -> None:
        self._since.pop((live.name, seat), None)

    def due(self, live: LiveTable, now: float) -> tuple[SeatId, ...]:
        """Seats with bets on the table whose terminals have been away too long; each seat is returned once."""
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
