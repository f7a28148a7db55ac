"""A floor of the tables that come with Croupier, open in this process, with every seat taken."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from croupier.floor.config import read_tables
from croupier.floor.floor import Floor
from croupier.rules.money import Cents
from croupier.store.checkpoint import trusted
from croupier.store.folder import Premises, open_store
from croupier.store.verify import verify
from croupier.table import messages as m

TABLES = Path(__file__).parents[2] / "tables"


@contextlib.asynccontextmanager
async def opened(premises: Premises) -> AsyncIterator[Floor]:
    floor = Floor(premises, read_tables(TABLES), "test")
    await floor.open()
    try:
        yield floor
    finally:
        await floor.close()


async def seated(floor: Floor) -> None:
    for live in floor.tables.values():
        for seat in live.config.seat_ids():
            if seat not in live.table.seats:
                await floor.give(live.recorder, m.TakeSeat("Sam", floor.clock.now(), seat, live.table.setup.layouts[0]))
                await floor.give(live.recorder, m.SellCredit("Cass", floor.clock.now(), seat, Cents(10_000_00)))


async def until(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def money(floor: Floor) -> int:
    return sum(seat.credit + seat.held for live in floor.tables.values() for seat in live.table.seats.values()) + sum(
        live.table.house for live in floor.tables.values()
    )


def check(premises: Premises) -> None:
    store = open_store(premises.address)
    assert verify(store, trusted(premises.checkpoints, premises.public_key)).lies == []
    store.close()
