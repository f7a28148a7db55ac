"""Two releases side by side: machines are upgraded one after the other while everyone plays."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import psycopg
import pytest

from croupier.store.migrations import MIGRATIONS, Incompatible
from croupier.store.postgres import PostgresStore
from tests.nodes.machines import Machines, machines, wait_for
from tests.support import postgres
from tests.support.command_line import croupier
from tests.support.crowd import Robot, check_all, crowded, until
from tests.support.house import automatic
from tests.support.next_release import STEP, VERSION


def upgraded(floor: Machines, number: int, *, next: bool) -> None:
    """Upgrade a machine as a keeper does: stop it, install the new release, start it."""
    node = floor.nodes[number]
    floor.down.add(number)
    node.stop()
    node.job = msgspec.structs.replace(node.job, next=next)
    node.start()
    floor.down.clear()
    wait_for(floor.shared)


def test_machines_are_upgraded_one_by_one_while_everyone_plays(tmp_path: Path) -> None:
    with postgres.started() as server, machines(tmp_path, server.get_uri(), automatic(betting=0.3), 2) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                # The first becomes new; the old one starts again beside it; then it becomes new too.
                for number, next in ((0, True), (1, False), (1, True)):
                    await asyncio.to_thread(upgraded, floor, number, next=next)
                    bets = [len(robot.acknowledged) for robot in crowd]
                    await until(lambda n=bets: all(len(r.acknowledged) > b for r, b in zip(crowd, n, strict=True)), 60)
                    # A command through the old one for what the new one owns, and the other way round.
                    for node in floor.nodes:
                        for table in sorted({robot.table for robot in crowd}):
                            await asyncio.to_thread(node.give, "Cass", table, "SellCredit", seat="A1", amount=100)
            return crowd

        crowd = asyncio.run(play())
        told = json.loads(croupier("floor", "--store", floor.address, "--json", cwd=tmp_path).stdout)
        assert {node["version"] for node in told["nodes"]} == {VERSION}
        assert {stream["owner"] for stream in told["streams"]} == {node["name"] for node in told["nodes"]}
        for node in floor.nodes:
            node.stop()
        check_all(floor, crowd)  # type: ignore[arg-type]
        floor.nodes[0].verified()


def test_a_step_that_does_more_than_add_keeps_the_release_before_out(tmp_path: Path) -> None:
    with postgres.started() as server:
        PostgresStore(server.get_uri()).close()
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("INSERT INTO migrations VALUES (%s, %s)", (STEP.number, STEP.checksum))
        PostgresStore(server.get_uri()).close()  # a newer release has been here, and says that this one may stay
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            body = str(STEP.number).encode()
            connection.execute("UPDATE desk SET body = %s WHERE kind = 'schema'", (body,))
        for read_only in (False, True):
            with pytest.raises(Incompatible, match=f"steps-unknown.*{len(MIGRATIONS) + 1}"):
                PostgresStore(server.get_uri(), read_only=read_only)
