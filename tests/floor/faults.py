"""Plays every fault of a simulated device at every table that is dealt automatically, and prints how the round ends.

`python -m tests.floor.faults` writes the table into docs/devices.md.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from croupier.devices.port import POINTS_TO, SURE, Fault
from croupier.devices.tumbler import SimulatedTumbler
from croupier.devices.wheel import SimulatedWheel
from croupier.floor.config import read_tables
from croupier.rules.refusal import Refused
from croupier.store.folder import Premises
from croupier.words import say
from tests.support.floors import check, money, until
from tests.support.quick_floor import TABLES, Evening, evening, quick

PAGE = Path(__file__).parents[2] / "docs" / "devices.md"
BEGIN, END = "<!-- faults -->\n", "<!-- end of faults -->\n"
PATIENCE: dict[Fault, float] = {"late": 0.5}
"""Seconds to wait for what will not come."""
FAULTS: tuple[Fault, ...] = tuple(dict.fromkeys((*SimulatedTumbler.faults, *SimulatedWheel.faults)))


async def _fates(here: Evening, fault: Fault) -> dict[str, str]:
    """By table: how the round ends in which its device fails."""
    tables = here.floor.tables
    await here.workers.start()
    failing = [name for name in tables if _fail(here, name, fault)]
    dealers = here.workers.dealers
    await until(lambda: all(1 in tables[name].table.past or dealers[name].waiting_for for name in failing), 100)
    fates = {}
    for name in failing:
        table = tables[name].table
        clause = here.past(name, 1).void_clause if 1 in table.past else None
        ended = f"void {clause}" if clause else "played" if 1 in table.past else "people"
        fates[name] = f"{ended}, locked {table.locked}" if table.locked else ended
    assert money(here.floor) == len(tables) * 2 * 10_000_00
    return fates


def _fail(here: Evening, table: str, fault: Fault) -> bool:
    try:
        here.device(table).fail_next(fault)
    except Refused:
        return False
    return True


def fates_of(fault: Fault) -> dict[str, str]:
    async def play() -> dict[str, str]:
        async with asyncio.timeout(120), evening(premises, quick(patience=PATIENCE.get(fault, 60))) as here:
            return await _fates(here, fault)

    with tempfile.TemporaryDirectory() as folder:
        premises = Premises(Path(folder) / "floor")
        premises.init()
        fates = asyncio.run(play())
        check(premises)
    return fates


def _people(fault: Fault) -> str:
    if fault in SURE:
        return "void by itself"
    return "to confirm" if POINTS_TO.get(fault) else "told"


def line(fault: Fault, fates: dict[str, str]) -> str:
    told = say(f"fault-{fault}")
    cells = [fates.get(table.name, "") for table in read_tables(TABLES)]
    return f"| `{fault}` | {told} | {' | '.join(cells)} | {_people(fault)} |\n"


def head() -> str:
    names = [table.rulebook for table in read_tables(TABLES)]
    return f"| fault | the device … | {' | '.join(names)} | dealt by people |\n|{'---|' * (len(names) + 3)}\n"


def written() -> str:
    return PAGE.read_text().partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    before, _, rest = PAGE.read_text().partition(BEGIN)
    table = head() + "".join(line(fault, fates_of(fault)) for fault in FAULTS)
    PAGE.write_text(before + BEGIN + table + END + rest.partition(END)[2])
