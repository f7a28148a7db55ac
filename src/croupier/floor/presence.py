"""What is in no journal and lives where a table is worked: its countdown, its device, its terminals. The other machines
of the floor are told, so that their screens show the same."""

from __future__ import annotations

import msgspec

from croupier.floor.floor import Floor, LiveTable
from croupier.floor.motion import Picture
from croupier.floor.observation import FactToConfirm, Observation, to_confirm
from croupier.table.messages import PersonId, SeatId


class Beside(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    table: str
    closes_at: int | None = None
    device: str = ""
    online: bool | None = None
    seen: Observation | None = None
    """What the device has said of this round."""
    picture: Picture | None = None
    there: tuple[SeatId, ...] = ()
    """The seats at which a terminal is connected."""


class DeviceElsewhere:
    """The device of a table that another machine works, as screens here know it."""

    def __init__(self, floor: Floor, live: LiveTable, beside: Beside) -> None:
        self.online = beside.online
        self.name = beside.device
        self.seen = beside.seen
        self._floor = floor
        self._live = live

    def facts(self, person: PersonId) -> tuple[FactToConfirm, ...]:
        if self.seen is None:
            return ()
        return to_confirm(self._live.table, self.seen, self.name, person, self._floor.clock.now())


def beside_of(live: LiveTable) -> Beside:
    """Of a table that is worked here."""
    there = tuple(sorted(live.there))
    if live.device is None:
        return Beside(live.name, live.closes_at, there=there)
    device = live.device
    return Beside(live.name, live.closes_at, device.name, device.online, device.seen, live.picture, there)


def show(floor: Floor, beside: Beside) -> None:
    """Of a table that is worked elsewhere."""
    live = floor.tables.get(beside.table)
    if live is None or not live.recorder.followed:
        return
    live.closes_at, live.there = beside.closes_at, set(beside.there)
    live.device = DeviceElsewhere(floor, live, beside) if beside.device else None
    if live.picture != beside.picture:
        live.show(beside.picture)
    floor.presence_changed(live)
