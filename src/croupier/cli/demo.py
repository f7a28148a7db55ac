"""Robots for a demonstration: Players who come through the terminals' own door, and the roles a visitor may try."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.client import TerminalClient
from croupier.client.robots import MANNERS, Robot
from croupier.floor.floor import LiveTable
from croupier.office import messages as o
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId

if TYPE_CHECKING:
    from croupier.server.serve import Running

BY = "machine/demo"
AUDITOR = PersonId("Audrey")
ROBOTS = 3
"""At every table, on its last seats: the first ones are for people."""
CREDIT = Cents(5_000_00)


def roles_here(running: Running) -> Iterator[tuple[PersonId, str]]:
    """One person for every role that somebody has."""
    seen: set[str] = set()
    for person, account in running.floor.accounts.accounts.items():
        for role in account.roles:
            if role not in seen:
                seen.add(role)
                yield person, role


def robots_of(live: LiveTable) -> tuple[SeatId, ...]:
    return live.config.seat_ids()[-ROBOTS:]


async def admit_auditor(running: Running) -> None:
    """No table employs whoever audits the floor."""
    floor = running.floor
    if AUDITOR not in floor.accounts.accounts:
        await floor.give(floor.office, o.MakeAccount(BY, floor.clock.now(), AUDITOR, ("auditor",)))


async def seat_robots(running: Running) -> None:
    for live in running.floor.tables.values():
        for seat in robots_of(live):
            await _furnish(running, live, seat)


async def _furnish(running: Running, live: LiveTable, seat: SeatId) -> None:
    """A seat with credit, by those of the table's own staff who may give it."""
    floor, staff = running.floor, live.table.staff
    cashier = next(name for name, roles in staff.items() if "cashier" in roles)
    if seat not in live.table.seats or live.table.seats[seat].gone:
        await floor.give(live.recorder, m.TakeSeat(cashier, floor.clock.now(), seat, live.table.displayed[0]))
    missing = CREDIT - live.table.seats[seat].credit
    if missing > CREDIT // 2:
        await floor.give(live.recorder, m.SellCredit(cashier, floor.clock.now(), seat, Cents(missing)))


async def play(running: Running) -> None:
    """Every robot bets a little in every round."""
    async with asyncio.TaskGroup() as group:
        for live in running.floor.tables.values():
            for seat in robots_of(live):
                group.create_task(_robot(running, live, seat))


async def _robot(running: Running, live: LiveTable, seat: SeatId) -> None:
    token = await running.sessions.enrol(live.name, seat, BY)
    manner = MANNERS[robots_of(live).index(seat) % len(MANNERS)]
    async with TerminalClient(running.terminals, token) as client:
        await Robot(client, manner, f"{live.name}/{seat}").play(before_each=lambda: _furnish(running, live, seat))
