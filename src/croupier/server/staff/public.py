"""Routes for everyone: the lobby, the books and their felts, the display of a table."""

from __future__ import annotations

import msgspec

from croupier.server.staff.guard import PUBLIC
from croupier.server.staff.plane import Call, Nothing, Plane
from croupier.server.staff.room import Lobby, Screen, display, lobby


class TableAsked(msgspec.Struct, frozen=True):
    table: str


class BookAsked(msgspec.Struct, frozen=True):
    book: str


class LayoutAsked(msgspec.Struct, frozen=True):
    book: str
    layout: str


def public_routes(plane: Plane) -> None:
    house = plane.house

    @plane.get("/api/floor", PUBLIC)
    async def floor(call: Call, asked: Nothing) -> Lobby:
        """The lobby: every table with its game, limits, state and last results."""
        return lobby(house)

    @plane.get("/api/tables/{table}", PUBLIC)
    async def table(call: Call, asked: TableAsked) -> Screen:
        """The public display of a table."""
        live = house.live(asked.table)
        view = display(house, live, house.chronicles[live.name])
        return Screen(live.recorder.place.seq, house.floor.clock.now(), view)
