"""PostgreSQL itself fails over to a standby: no acknowledged bet is lost; long reports are read from a replica."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import psycopg

from croupier.store.folder import Premises
from tests.nodes.cluster import cluster
from tests.nodes.machines import machines, wait_for
from tests.support.crowd import Robot, check_all, crowded, until
from tests.support.house import automatic


def test_the_database_fails_over_to_its_standby_under_load_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    with cluster() as two, machines(tmp_path, two.address, automatic(betting=0.3), 2, straight=True) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                await until(lambda: all(len(robot.acknowledged) > 10 for robot in crowd), 120)
                await asyncio.to_thread(two.fail_over)
                rounds, bets = [robot.round for robot in crowd], [len(robot.acknowledged) for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)), 120)
                await until(lambda: all(len(r.acknowledged) > n + 5 for r, n in zip(crowd, bets, strict=True)), 120)
            return crowd

        crowd = asyncio.run(play())
        for node in floor.nodes:
            node.stop()
        assert check_all(floor, crowd) > 100  # type: ignore[arg-type]
        floor.nodes[0].verified()


def test_long_reports_are_read_from_the_replica_and_from_the_store_without_one(tmp_path: Path) -> None:
    with cluster() as two:
        name = f"reports_{random.randrange(10**9)}"
        with psycopg.connect(two.address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        store, replica = (address.replace("/postgres?", f"/{name}?") for address in (two.address, two.replica))
        Premises(tmp_path / "floor", store).init()
        premises = Premises(tmp_path / "floor", store, replica)

        def is_replica() -> bool:
            reader = premises.reports()
            try:
                [(standby,)] = reader._run("SELECT pg_is_in_recovery()")  # type: ignore[attr-defined]
                return bool(standby)
            finally:
                reader.close()

        wait_for(is_replica)  # it has the tables a moment later
        reader = premises.reader()
        assert reader._run("SELECT pg_is_in_recovery()") == [(False,)]  # type: ignore[attr-defined]
        reader.close()
        two.end()
        assert not is_replica()
