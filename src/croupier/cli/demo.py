"""The robots of a demonstration, which connect as terminals do, and the roles that a visitor can try."""

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
"""At each table, on its last seats: the first ones are for people."""
CREDIT = Cents(5_000_00)


def people_by_role(running: Running) -> Iterator[tuple[PersonId, str]]:
    """One person for each role that anybody has."""
    seen: set[str] = set()
    for person, account in running.floor.accounts.accounts.items():
        for role in account.roles:
            if role not in seen:
                seen.add(role)
                yield person, role


def robots_of(live: LiveTable) -> tuple[SeatId, ...]:
    return live.config.seat_ids()[-ROBOTS:]


async def admit_auditor(running: Running) -> None:
    """Make an account for an auditor, whom no table lists."""
    floor = running.floor
    if AUDITOR not in floor.accounts.accounts:
        await floor.give(floor.office, o.MakeAccount(BY, floor.clock.now(), AUDITOR, ("auditor",)))


async def seat_robots(running: Running) -> None:
    for live in running.floor.tables.values():
        for seat in robots_of(live):
            await _seat_with_credit(running, live, seat)


async def _seat_with_credit(running: Running, live: LiveTable, seat: SeatId) -> None:
    """Take a seat for a robot and sell it credit, as a cashier of the table."""
    floor, staff = running.floor, live.table.staff
    cashier = next(name for name, roles in staff.items() if "cashier" in roles)
    if seat not in live.table.seats or live.table.seats[seat].gone:
        await floor.give(live.recorder, m.TakeSeat(cashier, floor.clock.now(), seat, live.table.displayed[0]))
    missing = CREDIT - live.table.seats[seat].credit
    if missing > CREDIT // 2:
        await floor.give(live.recorder, m.SellCredit(cashier, floor.clock.now(), seat, Cents(missing)))


async def play(running: Running) -> None:
    """Let every robot bet a little in every round."""
    async with asyncio.TaskGroup() as group:
        for live in running.floor.tables.values():
            for seat in robots_of(live):
                group.create_task(_robot(running, live, seat))


async def _robot(running: Running, live: LiveTable, seat: SeatId) -> None:
    token = await running.sessions.enrol(live.name, seat, BY)
    manner = MANNERS[robots_of(live).index(seat) % len(MANNERS)]
    async with TerminalClient(running.terminals, token) as client:
        await Robot(client, manner, f"{live.name}/{seat}").play(
            before_each=lambda: _seat_with_credit(running, live, seat)
        )
