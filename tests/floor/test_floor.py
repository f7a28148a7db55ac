"""The floor: who owns a table, and what stops one without the others."""

from __future__ import annotations

import asyncio
import errno
import os

import pytest

from croupier.floor import signing
from croupier.floor.config import read_tables
from croupier.floor.floor import Floor
from croupier.store.folder import Premises, open_store
from croupier.table import messages as m
from tests.support.floors import TABLES, check, opened, until


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


def test_checkpoints_that_cannot_be_written_stop_no_table_and_are_written_later(
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


def test_a_reply_that_raises_stops_no_other(premises: Premises) -> None:
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
