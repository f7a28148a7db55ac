"""A floor whose tables are dealt in milliseconds, with simulated devices, for tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

from croupier.devices.simulated import SimulatedDevice
from croupier.floor.config import Pace, TableConfig, read_tables
from croupier.floor.device_config import SimulatedConfig as SimulatedConfig
from croupier.floor.floor import Floor, LiveTable
from croupier.floor.workers import Workers
from croupier.rules.money import Cents
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from croupier.table.state import PastRound

TABLES = Path(__file__).parents[2] / "tables"
PACE = Pace(betting=0.05, warning=0, result=0, pause=0)
SEATS = ("A1", "A2")


def quick(configs: Iterable[TableConfig] = (), patience: float = 60, **changes: object) -> list[TableConfig]:
    """The tables that come with Croupier, dealt a thousand times as fast."""
    device = SimulatedConfig(kind="simulated", speed=1000, alternates=True, patience=patience)
    base: dict[str, object] = {"pace": PACE, "device": device, "seats": SEATS}
    return [config.model_copy(update=base | changes) for config in configs or read_tables(TABLES)]


def by_people(name: str, **changes: object) -> list[TableConfig]:
    """One of the tables, with its device, dealt by people."""
    table = next(config for config in read_tables(TABLES) if config.name == name)
    return quick([table], **{"dealing": "people", "staff": table.people(), **changes})  # type: ignore[arg-type]


class Evening:
    """A floor with its workers, and Players who bet in every round."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.workers = Workers(floor)

    def live(self, table: str) -> LiveTable:
        return self.floor.tables[table]

    def device(self, table: str) -> SimulatedDevice:
        device = self.workers.devices[table].device
        assert isinstance(device, SimulatedDevice)
        return device

    def alerts(self, table: str) -> list[str]:
        return [alert.kind for alert in self.floor.accounts.alerts.values() if alert.table == table]

    def past(self, table: str, number: int) -> PastRound:
        return self.live(table).table.past[RoundNumber(number)]

    async def give(self, table: str, *commands: m.AnyCommand) -> list[m.AnyEvent]:
        """Give commands that must be accepted; their events."""
        events: list[m.AnyEvent] = []
        for command in commands:
            answer = await self.floor.give(self.live(table).recorder, command)
            assert answer is not None
            assert answer.entry.refused is None, answer.entry.refused
            events += answer.entry.events
        return events

    async def two(self, table: str, command: m.AnyCommand, second: str = "Max") -> None:
        """An act that a second person approves."""
        for event in await self.give(table, command):
            if isinstance(event, m.ApprovalRequested):
                await self.give(table, m.Approve(second, self.floor.clock.now(), event.request, event.digest))


@contextlib.asynccontextmanager
async def evening(premises: Premises, configs: Sequence[TableConfig], *, bets: bool = True) -> AsyncIterator[Evening]:
    """A floor that is open, its seats taken; the workers is started by the test."""
    floor = Floor(premises, configs, "test")
    await floor.open()
    made = Evening(floor)
    tasks: list[asyncio.Task[None]] = []
    try:
        for live in floor.tables.values():
            await _seat(floor, live)
            if bets:
                tasks.append(asyncio.create_task(bet(floor, live)))
        yield made
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await made.workers.stop()
        await floor.close()


async def _seat(floor: Floor, live: LiveTable) -> None:
    for seat in live.config.seat_ids():
        if seat not in live.table.seats:
            layout = live.table.setup.layouts[0]
            await floor.give(live.recorder, m.TakeSeat("Sam", floor.clock.now(), seat, layout))
            await floor.give(live.recorder, m.SellCredit("Cass", floor.clock.now(), seat, Cents(10_000_00)))


async def bet(floor: Floor, live: LiveTable) -> None:
    """Every seat bets once in every round."""
    box, done = "red" if live.table.order == "wheel" else "small", 0
    while True:
        round = live.table.round
        if round is not None and live.table.phase == "betting" and round.number > done:
            done = round.number
            for seat in live.config.seat_ids():
                await floor.give(live.recorder, _small(floor, live, seat, box))
        await asyncio.sleep(0.002)


def _small(floor: Floor, live: LiveTable, seat: SeatId, box: str) -> m.PlaceBet:
    round = live.table.round
    number = round.number if round else live.table.next_round
    return m.PlaceBet(seat, floor.clock.now(), BetId(f"{seat}-{number}"), number, seat, box, Cents(500))
