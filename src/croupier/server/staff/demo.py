"""The routes of a demonstration: a seat with credit for every visitor, and a link to sign in with each role."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.floor.floor import LiveTable
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.server.sessions import key_of
from croupier.server.staff.context import Context
from croupier.server.staff.guard import PUBLIC, RateLimit, address
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId

BY = "machine/demo"
CREDIT = Cents(1_000_00)
ROBOTS = 3
"""How many seats at the end of every table belong to robots."""
SOON = 60_000
"""Milliseconds. A link that expires sooner is not handed out."""
VISITS = (30, 0.5)
"""Requests for seats and links from one address: how many at once, and how many a second after that."""


class SeatWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: Annotated[str, msgspec.Meta(max_length=64)]
    layout: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """A layout that the table displays; if empty, the first of them."""


class SeatGiven(msgspec.Struct, frozen=True):
    """A seat, and the token with which a terminal takes it."""

    table: str
    seat: SeatId
    layout: str
    token: str


class Visitor(msgspec.Struct, frozen=True):
    """A person whom a visitor can be; the link signs in once."""

    person: PersonId
    roles: tuple[str, ...]
    link: str


class Visitors(msgspec.Struct, frozen=True):
    people: tuple[Visitor, ...]


def demo_routes(router: Router) -> None:
    """Add the routes, if this is a demonstration; a real floor has none of them."""
    context, pace = router.context, RateLimit(*VISITS)
    links: dict[PersonId, str] = {}
    if not context.settings.demo:
        return

    @router.post("/api/demo/seat", PUBLIC, statuses=(404, 409, 429, 503))
    async def seat(call: StaffCall, asked: Nothing, given: SeatWanted) -> SeatGiven:
        """Give a free seat with credit, for a terminal in this browser."""
        pace.take(address(call.request))
        live = context.live(given.table)
        layout = given.layout or live.table.displayed[0]
        free = _free(context, live)
        if free is None:
            raise Refused("seat", "all-taken", table=live.name)
        await _furnish(context, live, free, layout)
        token = await context.sessions.enrol(live.name, free, BY)
        return SeatGiven(live.name, free, live.table.seats[free].layout, token)

    @router.get("/api/demo/people", PUBLIC, statuses=(409, 429))
    async def people(call: StaffCall, asked: Nothing) -> Visitors:
        """One person for every set of roles on this floor, each with a link that signs in once."""
        pace.take(address(call.request))
        found: dict[tuple[str, ...], PersonId] = {}
        for person, account in context.floor.accounts.accounts.items():
            if not account.retired:
                found.setdefault(account.roles, person)
        return Visitors(tuple([Visitor(person, roles, await link(person)) for roles, person in found.items()]))

    async def link(person: PersonId) -> str:
        """An unused link for a person: the previous one, if it is unused and does not expire soon."""
        waiting = context.floor.accounts.links.get(key_of(links.get(person, "")))
        if waiting is None or waiting.until < context.floor.clock.now() + SOON:
            links[person] = await context.sessions.link(person, BY)
        return f"/enter/{links[person]}"


def _free(context: Context, live: LiveTable) -> SeatId | None:
    """A seat that was never taken or was left; otherwise one without a connected terminal and without bets."""
    seats = live.config.seat_ids()[: -ROBOTS or None]
    taken = live.table.seats
    never = [seat for seat in seats if seat not in taken or taken[seat].gone]
    left = [seat for seat in seats if seat in taken and not context.connected(live.name, seat) and not taken[seat].held]
    return next(iter((*never, *left)), None)


async def _furnish(context: Context, live: LiveTable, seat: SeatId, layout: str) -> None:
    """Seat a Player and give them credit, in the name of a cashier of the table."""
    floor, table = context.floor, live.table
    cashier = next((name for name, roles in table.staff.items() if "cashier" in roles), None)
    if cashier is None:
        raise Refused("seat", "no-cashier", table=live.name)
    sitting = table.seats.get(seat)
    if sitting is None or sitting.gone:
        await context.give(live.recorder, m.TakeSeat(cashier, floor.clock.now(), seat, layout))
    elif sitting.layout != layout and table.book.play.layout_of == "terminal":
        await context.give(live.recorder, m.ChooseLayout(cashier, floor.clock.now(), seat, layout))
    lacks = CREDIT - table.seats[seat].credit
    if lacks > 0:
        await context.give(live.recorder, m.SellCredit(cashier, floor.clock.now(), seat, Cents(lacks)))
