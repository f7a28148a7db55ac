"""Robots for a demonstration: Players who come through the terminals' own door, and the roles a visitor may try."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.client import TerminalClient
from croupier.floor.floor import LiveTable
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId

if TYPE_CHECKING:
    from croupier.server.serve import Running

BY = "machine/demo"
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
    chance = random.Random(f"{live.name}/{seat}")
    async with TerminalClient(running.terminals, token) as client:
        done = 0
        while True:
            round = live.table.round
            if round is not None and live.table.phase == "betting" and round.number > done:
                done = round.number
                await asyncio.sleep(chance.uniform(0.5, 5))
                await _bet(client, live, seat, chance)
            if live.table.phase == "ready":
                await _furnish(running, live, seat)
            await asyncio.sleep(0.5)


async def _bet(client: TerminalClient, live: LiveTable, seat: SeatId, chance: random.Random) -> None:
    """One to four boxes, at a few units over the least; what the table refuses is not tried again."""
    layout = live.table.layouts[live.table.seats[seat].layout]
    for box in chance.sample(list(layout.boxes), chance.randint(1, 4)):
        least = live.table.limits.minimum_of(box)
        await client.bet(box, least * chance.choice((1, 2, 4)))
