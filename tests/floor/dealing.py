"""What the tests of dealing share: names of tables, and a floor that is played and then checked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from croupier.floor.config import TableConfig
from croupier.floor.observation import FactToConfirm
from croupier.store.folder import Premises
from croupier.table.messages import PersonId
from tests.support.floors import check, until
from tests.support.quick_floor import PACE, Evening, evening

LONG = 100
UNHURRIED = PACE.model_copy(update={"betting": 100 * LONG})
"""Bets stay open for longer than any test waits."""
RWS, NZ, MBS, WHEEL = "sicbo-rws", "taisai-nz", "sicbo-mbs", "roulette-mbs"


def play(premises: Premises, configs: list[TableConfig], act: Callable[[Evening], Awaitable[None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(2 * LONG), evening(premises, configs) as here:
            await act(here)

    asyncio.run(main())
    check(premises)


def now(here: Evening) -> int:
    return here.floor.clock.now()


async def bets_placed(here: Evening, table: str) -> None:
    """Wait until every seat has bet in the round under way."""
    live = here.live(table)
    await until(lambda: all(live.table.seats[seat].held for seat in live.config.seat_ids()), LONG)


async def phase(here: Evening, table: str, *wanted: str) -> None:
    await until(lambda: here.live(table).table.phase in wanted, LONG)


def facts(here: Evening, table: str, person: str = "Dana") -> tuple[FactToConfirm, ...]:
    return here.workers.devices[table].facts(PersonId(person))
