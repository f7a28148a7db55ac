"""Five tables at once: dealt by programs with simulated devices, stopped, started again, every row true."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from croupier.devices.port import Fault, Monotonic
from croupier.devices.tumbler import SimulatedTumbler
from croupier.devices.wheel import SimulatedWheel
from croupier.floor.config import read_tables
from croupier.floor.dealer import AutomaticDealer
from croupier.floor.floor import Floor, LiveTable
from croupier.rules.money import Cents
from croupier.rules.outcomes import Wheel
from croupier.store.checkpoint import trusted
from croupier.store.premises import Premises, open_store
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import BetId

TABLES = Path(__file__).parents[2] / "tables"
FAST = Monotonic(600)


@pytest.fixture
def premises(tmp_path: Path) -> Premises:
    made = Premises(tmp_path / "floor")
    made.init()
    return made


@contextlib.asynccontextmanager
async def opened(premises: Premises) -> AsyncIterator[Floor]:
    floor = Floor(premises, read_tables(TABLES), "test")
    await floor.open()
    try:
        yield floor
    finally:
        await floor.close()


def device_of(live: LiveTable) -> SimulatedTumbler | SimulatedWheel:
    space = live.table.book.space
    if isinstance(space, Wheel):
        return SimulatedWheel("wheel", space.outcomes, time=FAST)
    return SimulatedTumbler("tumbler", covered=live.table.order == "covered", time=FAST)


async def seated(floor: Floor) -> None:
    for live in floor.tables.values():
        for seat in live.config.seat_ids():
            if seat not in live.table.seats:
                await floor.give(live.recorder, m.TakeSeat("Sam", floor.clock.now(), seat, live.table.setup.layouts[0]))
                await floor.give(live.recorder, m.SellCredit("Cass", floor.clock.now(), seat, Cents(10_000_00)))


async def bet(floor: Floor, live: LiveTable) -> None:
    """Every seat bets once in every round."""
    box, done = "red" if live.table.order == "wheel" else "small", 0
    while True:
        round = live.table.round
        if round is not None and live.table.phase == "betting" and round.number > done:
            done = round.number
            for seat in live.config.seat_ids():
                id = BetId(f"{seat}-{done}")
                await floor.give(
                    live.recorder, m.PlaceBet(seat, floor.clock.now(), id, round.number, seat, box, Cents(500))
                )
        await asyncio.sleep(0.005)


async def help_out(floor: Floor, dealer: AutomaticDealer) -> None:
    """A person who looks at the dice: an entry that was begun before a restart must be completed (nz 7.3)."""
    live = dealer.live
    while True:
        await asyncio.sleep(0.01)
        if dealer.alerts and live.table.phase == "entering":
            for face in "123"[len(live.table.entry) :]:
                await floor.give(live.recorder, m.PressKey("Dana", floor.clock.now(), face))
            await floor.give(live.recorder, m.PressEntry("Dana", floor.clock.now()))
            dealer.alerts.clear()


async def until(said: Callable[[], object], seconds: float = 30) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(seconds):
        while not said():
            await asyncio.sleep(0.01)


def money(floor: Floor) -> int:
    return sum(seat.credit + seat.held for live in floor.tables.values() for seat in live.table.seats.values()) + sum(
        live.table.house for live in floor.tables.values()
    )


def check(premises: Premises) -> None:
    store = open_store(premises.address)
    assert verify(store, trusted(premises.checkpoints, premises.public_key)).lies == []
    store.close()


@pytest.mark.parametrize("rounds", [8])
def test_five_tables_deal_stop_and_go_on(premises: Premises, rounds: int) -> None:
    async def play() -> dict[str, int]:
        async with opened(premises) as floor:
            await seated(floor)
            dealers = [AutomaticDealer(floor, live, device_of(live), FAST) for live in floor.tables.values()]
            tasks = [asyncio.create_task(dealer.run()) for dealer in dealers]
            tasks += [asyncio.create_task(bet(floor, live)) for live in floor.tables.values()]
            tasks += [asyncio.create_task(help_out(floor, dealer)) for dealer in dealers]
            begin = {live.name: live.table.next_round for live in floor.tables.values()}
            await until(lambda: all(t.table.next_round > begin[t.name] + rounds for t in floor.tables.values()))
            assert [dealer.alerts for dealer in dealers] == [[]] * 5
            assert money(floor) == 5 * 8 * 10_000_00
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert floor.commits < floor.written  # what waits goes together
            return {live.name: live.table.next_round for live in floor.tables.values()}

    before = asyncio.run(play())
    check(premises)
    after = asyncio.run(play())
    assert all(after[name] > before[name] for name in before)
    check(premises)


@pytest.mark.parametrize(
    ("table", "fault", "clause"),
    [
        ("sicbo-rws", "short-tumble", "5.3.1"),
        ("taisai-nz", "cover-opened", "7.1(c)"),
        ("roulette-mbs", "short-spin", "5.3"),
        ("roulette-mbs", "ball-removed", "5.6"),
        ("roulette-mbs", "wrong-direction", "5.1"),
    ],
)
def test_a_fault_of_a_device_ends_the_round_by_its_clause(
    premises: Premises, table: str, fault: Fault, clause: str
) -> None:
    async def play() -> None:
        async with opened(premises) as floor:
            await seated(floor)
            live = floor.tables[table]
            device = device_of(live)
            device.fail_next(fault)
            dealer = AutomaticDealer(floor, live, device, FAST)
            tasks = [asyncio.create_task(dealer.run()), asyncio.create_task(bet(floor, live))]
            await until(lambda: live.table.next_round > 3 or dealer.alerts)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            voids = [past.void_clause for past in live.table.past.values()]
            assert voids[0] is not None
            assert voids[0].startswith(clause)
            assert voids[1] is None

    asyncio.run(play())
    check(premises)


def test_a_device_that_cannot_be_understood_is_left_to_people(premises: Premises) -> None:
    async def play() -> None:
        async with opened(premises) as floor:
            await seated(floor)
            live = floor.tables["sicbo-rws"]
            device = device_of(live)
            device.fail_next("power-cut")
            dealer = AutomaticDealer(floor, live, device, FAST)
            task = asyncio.create_task(dealer.run())
            await until(lambda: dealer.alerts)
            assert "a person must act" in dealer.alerts[0]
            answer = await floor.give(live.recorder, m.Report("Dana", floor.clock.now(), "short-tumble"))
            assert answer is not None
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(play())
    check(premises)


def test_a_table_that_another_takes_stops_and_the_others_go_on(premises: Premises) -> None:
    async def play() -> None:
        floor = Floor(premises, read_tables(TABLES), "test", lease=300)
        await floor.open()
        other = open_store(premises.address)
        other.take("sicbo-rws", "thief", floor.clock.now() + 10_000, 5_000)
        await until(lambda: floor.tables["sicbo-rws"].stopped)
        assert await floor.give(floor.tables["sicbo-rws"].recorder, m.OpenTable("Max", floor.clock.now())) is None
        answer = await floor.give(floor.tables["taisai-nz"].recorder, m.OpenTable("Max", floor.clock.now()))
        assert answer is not None
        assert answer.entry.refused is None
        other.close()
        await floor.close()

    asyncio.run(play())
