"""The views that everyone may see: the lobby, and the public display of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from croupier import __version__
from croupier.analysis.report.sheet import SheetRoad
from croupier.floor.floor import LiveTable
from croupier.floor.motion_picture import Picture
from croupier.floor.past_rounds import EndedRound
from croupier.rules.outcomes import Dice, Outcome, Space
from croupier.rules.rulebook import Device
from croupier.server.staff.context import Context
from croupier.table.evidence import standing_still
from croupier.table.messages import Limits
from croupier.table.state import Phase
from croupier.table.view import DisplayView, Past, display_view, in_play

ROAD = 60
"""Rounds on a road."""
COUNTED = 200
"""Rounds whose numbers are counted."""

TableState = Literal["stopped", "closed", "locked", "interrupted", "standing-still", "open"]


class LayoutName(msgspec.Struct, frozen=True):
    id: str
    title: str


class LobbyTable(msgspec.Struct, frozen=True):
    """A table in the lobby."""

    name: str
    rulebook: str
    title: str
    operator: str | None
    version: str | None
    kind: Literal["electronic", "live"]
    device: Device
    layouts: tuple[LayoutName, ...]
    layout_of: Literal["terminal", "table"]
    """Whether each terminal chooses its layout, or the table has one for all."""
    limits: Limits
    state: TableState
    phase: Phase
    round: int
    closes_at: int | None
    seats: int
    taken: int
    last: tuple[Past, ...]


class Lobby(msgspec.Struct, frozen=True):
    """The floor at a glance."""

    house: str
    version: str
    demo: bool
    zone: str
    now: int
    """The floor's clock, in milliseconds."""
    terminals: str
    """The WebSocket address for Player Terminals. Without TLS it may lack a host, which the page adds: ws://:8766/."""
    tables: tuple[LobbyTable, ...]
    public: str = ""
    """The address of the public pages, if there is a public door."""
    staff: str = ""
    """The address of the staff's pages, at the public door."""


class RoadRound(msgspec.Struct, frozen=True):
    """A round on the roads: the numbers shown, their total, and for each road the box that won."""

    round: int
    outcome: str | None
    void_clause: str | None
    numbers: tuple[str, ...]
    total: int | None
    won: tuple[str | None, ...]


class Frequency(msgspec.Struct, frozen=True):
    """How often a number was shown, and how often chance alone would show it."""

    number: str
    count: int
    expected: float


class Display(msgspec.Struct, frozen=True):
    """The public display. Roads and counts are for information only."""

    room: DisplayView
    state: TableState
    title: str
    operator: str | None
    kind: Literal["electronic", "live"]
    device: Device
    layouts: tuple[LayoutName, ...]
    zone: str
    closes_at: int | None
    warning: int
    """How many milliseconds before the close screens begin to warn."""
    roads: tuple[tuple[str, str], ...]
    shown: tuple[RoadRound, ...]
    counted: int
    frequencies: tuple[Frequency, ...]
    motion: Picture | None
    """The moving dice or ball, as far as they may be seen."""


class DisplayNow(msgspec.Struct, frozen=True):
    """The display as it is now; `now` is the floor's clock."""

    seq: int
    now: int
    snapshot: Display


def state_of(live: LiveTable) -> TableState:
    table = live.table
    if live.stopped is not None:
        return "stopped"
    if standing_still(table):
        return "standing-still"
    if table.interruption is not None:
        return "interrupted"
    if table.locked is not None:
        return "locked"
    return "open" if table.open else "closed"


def lobby(context: Context) -> Lobby:
    floor, settings = context.floor, context.settings
    tables = tuple(_lobby_table(live) for live in floor.tables.values())
    names = (settings.house, __version__, settings.demo, settings.zone)
    return Lobby(*names, floor.clock.now(), settings.terminals, tables, settings.public)


def _lobby_table(live: LiveTable) -> LobbyTable:
    table, identity = live.table, live.table.book.identity
    seated = [seat for seat in table.seats.values() if not seat.gone]
    return LobbyTable(
        live.name,
        table.book.id,
        identity.title,
        identity.operator,
        identity.version,
        table.book.play.kind,
        live.table.book.device,
        layouts_of(live),
        table.book.play.layout_of,
        table.round.limits if table.round else table.limits,
        state_of(live),
        table.phase,
        table.round_number,
        live.closes_at,
        len(live.config.seats),
        len(seated),
        display_view(table).past,
    )


def layouts_of(live: LiveTable) -> tuple[LayoutName, ...]:
    return tuple(LayoutName(id, live.table.layouts[id].title) for id in in_play(live.table))


def display(context: Context, live: LiveTable) -> Display:
    table, identity = live.table, live.table.book.identity
    roads = _roads(context, live)
    counted = [one for one in live.past_rounds.last(COUNTED) if one.outcome is not None]
    return Display(
        display_view(table),
        state_of(live),
        identity.title,
        identity.operator,
        table.book.play.kind,
        live.table.book.device,
        layouts_of(live),
        context.settings.zone,
        live.closes_at,
        round(live.config.pace.warning * 1000),
        tuple(roads),
        tuple(_shown(table.book.space, one, roads.values()) for one in live.past_rounds.last(ROAD)),
        len(counted),
        _frequencies(table.book.space, counted),
        live.picture,
    )


def _roads(context: Context, live: LiveTable) -> dict[tuple[str, str], SheetRoad]:
    """The opposed boxes of all layouts of a table, each pair once."""
    found: dict[frozenset[str], SheetRoad] = {}
    for id in in_play(live.table):
        for road in context.felt(live.table.layouts[id]).roads:
            found.setdefault(frozenset(road.boxes), road)
    return {road.boxes: road for road in found.values()}


def _shown(space: Space, one: EndedRound, roads: Iterable[SheetRoad]) -> RoadRound:
    if one.outcome is None:
        return RoadRound(one.round, None, one.void_clause, (), None, tuple(None for _ in roads))
    outcome = space.parse(one.outcome)
    won = tuple(road.won.get(outcome) for road in roads)
    return RoadRound(one.round, outcome, None, numbers_shown(space, outcome), total_of(space, outcome), won)


def _frequencies(space: Space, counted: list[EndedRound]) -> tuple[Frequency, ...]:
    shown = [numbers_shown(space, space.parse(one.outcome)) for one in counted if one.outcome is not None]
    seen = Counter(number for numbers in shown for number in numbers)
    expected = round(sum(map(len, shown)) / len(space.numbers), 2)
    return tuple(Frequency(number, seen[number], expected) for number in space.numbers)


def numbers_shown(space: Space, outcome: Outcome) -> tuple[str, ...]:
    """The numbers an outcome shows: three faces, or one compartment."""
    return tuple(outcome.split("-")) if isinstance(space, Dice) else (outcome,)


def total_of(space: Space, outcome: Outcome) -> int | None:
    """The sum of the faces; None for a wheel."""
    return sum(map(int, outcome.split("-"))) if isinstance(space, Dice) else None
