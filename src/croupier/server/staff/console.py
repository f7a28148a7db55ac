"""The Game Console over HTTP and WebSocket: one table, as one person of its staff sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from croupier.floor.floor import LiveTable
from croupier.floor.motion_picture import Picture
from croupier.floor.stopped import Stopped
from croupier.rules.refusal import Fact, Refused
from croupier.rules.rulebook import Device
from croupier.rules.schema import Order
from croupier.server.staff.context import Context
from croupier.server.staff.feeds import View
from croupier.server.staff.guard import CONSOLE, SHOWN
from croupier.server.staff.inputs import AnyAsk, ask_of
from croupier.server.staff.public import TableAsked
from croupier.server.staff.room import DisplayNow, LayoutName, TableState, display, layouts_of, state_of
from croupier.server.staff.router import Router, StaffCall
from croupier.store.streams.entry import AnyEntry
from croupier.table.console import BetNow, ConsoleView, SeatNow, console_view, seat_now
from croupier.table.messages import PersonId, SeatId


class FactNow(msgspec.Struct, frozen=True):
    """Something that a device reports. To confirm it, a person gives these commands."""

    device: str
    at: int
    case: str
    facts: dict[str, Fact]
    clause: str | None
    commands: tuple[AnyAsk, ...]  # type: ignore[valid-type]
    may: bool


class Console(ConsoleView, frozen=True):
    """A table as the Dealer sees it, with its device and its countdown."""

    state: TableState
    stopped: Stopped | None
    """Why the table takes no commands, if it does not."""
    title: str
    kind: Literal["electronic", "live"]
    device: Device
    order: Order
    layouts: tuple[LayoutName, ...]
    titles: dict[str, str]
    """The book's words for the roles."""
    wheel: tuple[str, ...]
    """The pockets of this table's wheel, clockwise, if the House has written them down."""
    zone: str
    opened_at: int | None
    """When the bets of this round were opened, for the Dealer's countdown."""
    closes_at: int | None
    warning: int
    facts: tuple[FactNow, ...]
    """What the device reports and a person must judge."""
    device_online: bool | None
    """Null if no device is attached, or if it has not reported yet."""
    motion: Picture | None
    """The moving dice or ball, as far as they may be seen."""


class ConsoleNow(msgspec.Struct, frozen=True):
    """The console as it is now; `now` is the floor's clock."""

    seq: int
    now: int
    snapshot: Console


class SeatAsked(msgspec.Struct, frozen=True):
    table: str
    seat: str


class SeatAlone(msgspec.Struct, frozen=True):
    """One seat with all of its bets."""

    seat: SeatNow
    bets: tuple[BetNow, ...]


def console(context: Context, live: LiveTable, person: PersonId) -> Console:
    """What a person may see of a table from its console."""
    table = live.table
    seen = console_view(table, person, context.floor.clock.now())
    return Console(
        **{name: getattr(seen, name) for name in seen.__struct_fields__},
        state=state_of(live),
        stopped=live.stopped,
        title=table.book.identity.title,
        kind=table.book.play.kind,
        device=live.table.book.device,
        order=table.order,
        layouts=layouts_of(live),
        titles={str(role): title for role, title in table.book.titles.items()},
        wheel=live.config.wheel,
        zone=context.settings.zone,
        opened_at=_opened(context, live),
        closes_at=live.closes_at,
        warning=round(live.config.pace.warning * 1000),
        facts=_facts(live, person),
        device_online=live.device.online if live.device is not None else None,
        motion=live.picture,
    )


def _opened(context: Context, live: LiveTable) -> int | None:
    number, at = live.past_rounds.betting
    return at if live.table.round is not None and live.table.round.number == number else None


def _facts(live: LiveTable, person: PersonId) -> tuple[FactNow, ...]:
    facts = live.device.facts(person) if live.device is not None else ()
    return tuple(
        FactNow(
            one.device,
            one.at,
            one.case,
            one.facts,
            one.clause,
            tuple(ask_of(command) for command in one.commands),
            one.may,
        )
        for one in facts
    )


def console_routes(router: Router) -> None:
    context, feeds = router.context, router.feeds

    def touch(table: str, entries: Sequence[AnyEntry] = ()) -> None:
        feeds.touch("console", table)
        feeds.touch("display", table)
        feeds.touch("lobby")

    for live in context.floor.tables.values():
        context.floor.subscribe(live.name, touch)
        live.picture_watchers.append(lambda live: touch(live.name))

    @router.get("/api/tables/{table}/console", CONSOLE)
    async def console_now(call: StaffCall, asked: TableAsked) -> ConsoleNow:
        """What may be done at a table now, with everything that is needed to do it."""
        live = context.live(asked.table)
        view = console(context, live, call.someone)
        return ConsoleNow(live.recorder.place.seq, context.floor.clock.now(), view)

    @router.get("/api/tables/{table}/seats/{seat}", CONSOLE)
    async def seat_alone(call: StaffCall, asked: SeatAsked) -> SeatAlone:
        """One seat with all of its bets. The console itself shows only the first seats and the last bets."""
        found = seat_now(context.live(asked.table).table, SeatId(asked.seat))
        if found is None:
            raise Refused("missing", "seat", seat=asked.seat[:64])
        return SeatAlone(*found)

    @router.socket("/api/tables/{table}/console", CONSOLE, ConsoleNow)
    def console_pushed(person: PersonId, table: str) -> tuple[tuple[str, ...], View]:
        """The console, pushed."""
        live = context.live(table)
        return ("console", table, person), lambda: (live.recorder.place.seq, console(context, live, person))

    @router.socket("/api/tables/{table}/display", SHOWN, DisplayNow)
    def display_pushed(person: PersonId | None, table: str) -> tuple[tuple[str, ...], View]:
        """The public display, pushed."""
        live = context.live(table)
        return ("display", table), lambda: (live.recorder.place.seq, display(context, live))
