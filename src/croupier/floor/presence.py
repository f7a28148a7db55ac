"""The parts of a table's screen that are not in the journal: the countdown, the device, and the connected terminals.

Only the machine that works the table knows them, so it sends them to the other machines ten times a second.
"""

from __future__ import annotations

import msgspec

from croupier.floor.floor import Floor, LiveTable
from croupier.floor.motion_picture import Picture
from croupier.floor.observation import FactToConfirm, Observation, to_confirm
from croupier.table.messages import PersonId, SeatId


class Presence(msgspec.Struct, frozen=True, tag="Beside", omit_defaults=True):
    """What one machine sends to another of a table. The tag and the fields cross the line, and stay as they are."""

    table: str
    closes_at: int | None = None
    device: str = ""
    online: bool | None = None
    seen: Observation | None = None
    """What the device has reported of this round."""
    picture: Picture | None = None
    there: tuple[SeatId, ...] = ()
    """The seats whose terminal is connected."""


class RemoteDevice:
    """The device of a table that another machine works, as this machine's screens show it."""

    def __init__(self, floor: Floor, live: LiveTable, presence: Presence) -> None:
        self.online = presence.online
        self.name = presence.device
        self.seen = presence.seen
        self._floor = floor
        self._live = live

    def facts(self, person: PersonId) -> tuple[FactToConfirm, ...]:
        if self.seen is None:
            return ()
        return to_confirm(self._live.table, self.seen, self.name, person, self._floor.clock.now())


def presence_of(live: LiveTable) -> Presence:
    """The presence of a table that this machine works."""
    seats = tuple(sorted(live.connected_seats))
    if live.device is None:
        return Presence(live.name, live.closes_at, there=seats)
    device = live.device
    return Presence(live.name, live.closes_at, device.name, device.online, device.seen, live.picture, seats)


def apply_presence(floor: Floor, presence: Presence) -> None:
    """Show the presence of a table that another machine works."""
    live = floor.tables.get(presence.table)
    if live is None or not live.recorder.followed:
        return
    live.closes_at, live.connected_seats = presence.closes_at, set(presence.there)
    live.device = RemoteDevice(floor, live, presence) if presence.device else None
    if live.picture != presence.picture:
        live.show(presence.picture)
    floor.presence_changed(live)
