"""Evenings on a live floor, on both stores: five books dealt by programs whose devices fail, robots through sockets.

`make evenings` plays 200 rounds a book on each store and kills the server 60 times; otherwise a few. Nobody loses a
cent: what was acknowledged is on disk once, every Player has what the journal says, and `verify` finds nothing.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from croupier.table import messages as m
from tests.support import postgres
from tests.support.crowd import Robot, check_all, crowded, history, until
from tests.support.house import ROOT, House, automatic, house
from tests.support.processes import same_program

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
ROUNDS = 200 if ALL else 4
KILLS = 60 if ALL else 2
FAULTS = 40
"""One stage of a device in so many goes wrong."""


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[str]:
    with postgres.started() as server:
        yield server.get_uri()


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ""
    server: str = request.getfixturevalue("postgres_server")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE evening")
    return server.replace("/postgres?", "/evening?")


def opened(floor: House) -> None:
    floor.start()
    floor.seat_everyone(1_000_000_00)


def over(floor: House, crowd: list[Robot]) -> int:
    """End the evening, look at everything; how many bets there were."""
    floor.stop()
    bets = check_all(floor, crowd)
    floor.verified()
    return bets


def test_five_books_with_faults_and_irregularities_on_both_stores(tmp_path: Path, address: str) -> None:
    with house(tmp_path, automatic(betting=0.2, one_in=FAULTS), address) as floor:
        opened(floor)

        async def play() -> list[Robot]:
            async with crowded(floor, irregular=True) as (crowd, _):
                begin = {robot: robot.round for robot in crowd}
                await until(
                    lambda: all(r.round > begin[r] + ROUNDS and len(r.acknowledged) > ROUNDS / 4 for r in crowd)
                )
            return crowd

        crowd = asyncio.run(play())
        assert over(floor, crowd) > 10 * ROUNDS / 4
        for table in {robot.table for robot in crowd}:
            events = history(floor, table)
            played = sum(isinstance(event, m.WinnersPaid) for event in events)
            voided = sum(isinstance(event, m.RoundVoided) for event in events)
            assert played + voided >= ROUNDS
            assert played > (ROUNDS / 4 if ALL else 0)  # on a slow machine the pit voids more of them
            assert voided or not ALL


def test_a_server_killed_under_load_again_and_again_loses_nothing(tmp_path: Path) -> None:
    chance = random.Random("kills")
    with house(tmp_path, automatic(betting=0.3)) as floor:
        opened(floor)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, pit):
                for _ in range(KILLS):
                    before = sum(len(robot.acknowledged) for robot in crowd)
                    await until(lambda before=before: sum(len(r.acknowledged) for r in crowd) > before + 30)
                    await asyncio.sleep(chance.random())
                    floor.kill()
                    met = [robot.terminal.connections for robot in crowd]
                    await asyncio.to_thread(floor.start)
                # One that was on its way back when the next kill came has met fewer starts than there were.
                await until(lambda: all(r.terminal.connections > n for r, n in zip(crowd, met, strict=True)))
                # People end what the kills interrupted; every table deals again.
                rounds = [robot.round for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)))
                assert KILLS < 3 or pit.done
            return crowd

        crowd = asyncio.run(play())
        assert floor.starts == KILLS + 1
        assert over(floor, crowd) > 30 * KILLS


def test_a_server_that_is_frozen_and_thawed_goes_on(tmp_path: Path) -> None:
    """Frozen for longer than its leases last: no other server took its tables, so it keeps them."""
    with house(tmp_path, automatic(betting=0.2)) as floor:
        opened(floor)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):
                for _ in range(3 if ALL else 1):
                    await until(lambda: all(robot.round > 1 for robot in crowd))
                    floor.signal(signal.SIGSTOP)
                    await asyncio.sleep(2.5)
                    floor.signal(signal.SIGCONT)
                    rounds = [robot.round for robot in crowd]
                    await until(lambda rounds=rounds: all(r.round > n for r, n in zip(crowd, rounds, strict=True)))
            return crowd

        over(floor, asyncio.run(play()))


def test_a_terminal_that_freezes_delays_no_other_and_its_bets_play(tmp_path: Path) -> None:
    """The process of a Player is stopped with bets on the table, for several rounds, and goes on where it was."""
    with house(tmp_path, automatic(betting=0.2)) as floor:
        opened(floor)
        frozen = "sicbo-rws/A1"
        address = f"ws://127.0.0.1:{floor.access.terminals}/"
        log = tmp_path / "player.txt"
        with log.open("wb") as said:
            command = [sys.executable, "-m", "tests.live.player", address, floor.access.seats.pop(frozen), "small"]
            player = subprocess.Popen(command, cwd=ROOT, env=same_program(), stdout=said)

        def answers() -> int:
            return log.read_text().count("Ok")

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):
                await until(lambda: answers() > 3)
                player.send_signal(signal.SIGSTOP)
                begin, before = [robot.round for robot in crowd], answers()
                await until(lambda: all(r.round > n + 3 for r, n in zip(crowd, begin, strict=True)))
                player.send_signal(signal.SIGCONT)
                await until(lambda: answers() > before + 3)
                player.kill()
            return crowd

        try:
            crowd = asyncio.run(play())
        finally:
            player.kill()
            player.wait()
        over(floor, crowd)
        own = [event for event in history(floor, "sicbo-rws") if isinstance(event, m.BetPlaced) and event.seat == "A1"]
        assert len(own) >= answers()
