"""The floor: who owns a table, and what stops one without the others."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from croupier.floor import signing
from croupier.floor.config import read_tables
from croupier.floor.floor import Floor
from croupier.rules.money import Cents
from croupier.store.checkpoint import trusted
from croupier.store.folder import Premises, open_store
from croupier.store.verify import verify
from croupier.table import messages as m

TABLES = Path(__file__).parents[2] / "tables"


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


async def seated(floor: Floor) -> None:
    for live in floor.tables.values():
        for seat in live.config.seat_ids():
            if seat not in live.table.seats:
                await floor.give(live.recorder, m.TakeSeat("Sam", floor.clock.now(), seat, live.table.setup.layouts[0]))
                await floor.give(live.recorder, m.SellCredit("Cass", floor.clock.now(), seat, Cents(10_000_00)))


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


def test_checkpoints_that_cannot_be_written_stop_nobody_and_are_written_later(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def play() -> None:
        async with opened(premises) as floor:
            await until(lambda: floor.signing.last)
            monkeypatch.setattr(signing, "AFTER", 0)
            live = floor.tables["taisai-nz"]
            with monkeypatch.context() as patched:
                patched.setattr(signing, "sign", full)
                assert await floor.give(live.recorder, m.OpenTable("Max", floor.clock.now())) is not None
                await until(lambda: any(alert.kind == "checkpoint" for alert in floor.accounts.alerts.values()))
                assert floor.signing.rows
                begun = floor.signing.since
            assert await floor.give(live.recorder, m.OpenBetting("Dana", floor.clock.now())) is not None
            assert floor.signing.since == begun
            await until(lambda: not floor.signing.rows)
            assert floor.signing.age == 0
            assert not floor.signing.trouble

    asyncio.run(play())
    check(premises)


def test_a_giver_who_fails_to_listen_stops_nobody(premises: Premises) -> None:
    def deaf(_: object) -> None:
        raise ValueError

    async def play() -> None:
        async with opened(premises) as floor:
            live = floor.tables["taisai-nz"]
            floor.submit(live.recorder, m.OpenTable("Max", floor.clock.now()), "", deaf)
            assert await floor.give(live.recorder, m.OpenBetting("Dana", floor.clock.now())) is not None
            assert live.table.phase == "betting"

    asyncio.run(play())
    check(premises)
