"""Three machines, one PostgreSQL: shared fairly, handed over, taken over; nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from croupier.client import TerminalClient
from croupier.table import messages as m
from tests.nodes.machines import Machines, machines, wait_for
from tests.support import postgres
from tests.support.crowd import Robot, check_all, crowded, history, until
from tests.support.house import House, automatic, by_people


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.started() as running:
        yield running.get_uri()


def over(floor: Machines, crowd: list[Robot]) -> int:
    """End the evening, look at everything; how many bets there were."""
    for node in floor.nodes:
        if node.alive:
            node.stop()
    bets = check_all(floor, crowd)  # type: ignore[arg-type]
    floor.nodes[0].verified()
    return bets


def test_nodes_share_the_tables_and_a_killed_node_is_replaced(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, automatic(betting=0.3)) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                await until(lambda: all(len(robot.acknowledged) > 5 for robot in crowd))
                gone = floor.owned_by(1)
                assert gone
                floor.nodes[1].kill()
                await asyncio.to_thread(wait_for, floor.shared)
                rounds = [robot.round for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)))
            return crowd

        crowd = asyncio.run(play())
        assert over(floor, crowd) > 50


def test_a_node_that_is_frozen_wakes_up_too_late_to_write(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, automatic(betting=0.3)) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                await until(lambda: all(len(robot.acknowledged) > 5 for robot in crowd))
                floor.down.add(2)
                floor.nodes[2].signal(signal.SIGSTOP)
                await asyncio.to_thread(wait_for, floor.shared)
                floor.nodes[2].signal(signal.SIGCONT)
                floor.down.clear()
                await asyncio.to_thread(wait_for, floor.shared)  # it is given its share again, between rounds
                rounds = [robot.round for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)))
            return crowd

        over(floor, asyncio.run(play()))


def test_a_node_cut_off_from_the_database_is_replaced_and_comes_back(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, automatic(betting=0.3)) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                await until(lambda: all(len(robot.acknowledged) > 5 for robot in crowd))
                floor.down.add(1)
                floor.lines[1].cut("silent")  # as when a switch fails: without a sign
                await asyncio.to_thread(wait_for, floor.shared)
                rounds = [robot.round for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)))
                floor.lines[1].mend()
                floor.down.clear()
                await asyncio.to_thread(wait_for, floor.shared)
                rounds = [robot.round for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)))
            return crowd

        over(floor, asyncio.run(play()))


def test_a_node_that_is_stopped_hands_its_tables_over_and_loses_no_round(tmp_path: Path, server: str) -> None:
    # No node is killed, so leases are long: a busy machine must not lose one, which would interrupt a round.
    with machines(tmp_path, server, automatic(betting=0.5), lease=60) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                await until(lambda: all(len(robot.acknowledged) > 5 for robot in crowd))
                floor.down.add(0)
                await asyncio.to_thread(floor.nodes[0].stop)
                await asyncio.to_thread(wait_for, floor.shared)
                rounds = [robot.round for robot in crowd]
                await until(lambda: all(r.round > n + 1 for r, n in zip(crowd, rounds, strict=True)))
                for table in {robot.table for robot in crowd}:
                    events = await asyncio.to_thread(history, floor, table)  # type: ignore[arg-type]
                    struck = [e for e in events if isinstance(e, m.Interrupted | m.RoundVoided)]
                    assert not struck, table
            return crowd

        crowd = asyncio.run(play())
        over(floor, crowd)
        assert any(robot.terminal.moves for robot in crowd)


async def hello(floor: Machines, number: int, token: str) -> None:
    async with asyncio.timeout(30), TerminalClient(f"ws://127.0.0.1:{floor.doors[number].port}/", token) as terminal:
        assert terminal.welcome.seat == "A2"


def test_everyone_may_ask_any_node(tmp_path: Path, server: str) -> None:
    """Commands for a table, the cage and the office, each through every node: done once, seen at once where asked."""
    with machines(tmp_path, server, by_people) as floor:
        floor.start()
        wait_for(floor.shared)
        table = "sicbo-rws"
        floor.nodes[2].give("Sam", table, "TakeSeat", seat="A1", layout="A")
        for number, node in enumerate(floor.nodes, 1):
            node.give("Cass", table, "SellCredit", seat="A1", amount=100_00)
            seats = {seat["seat"]: seat for seat in node.console(table)["seats"]}
            assert seats["A1"]["credit"] == number * 100_00
        floor.nodes[1].give("Sam", table, "OpenTable")
        floor.nodes[0].give("Dana", table, "OpenBetting")
        assert floor.nodes[0].console(table)["room"]["phase"] == "betting"
        body = {"id": "once", "command": {"type": "SellTicket", "amount": 50_00}}
        numbers = set()
        for node in floor.nodes:
            with node.browser("Cass") as browser:
                done = browser.post("/api/cage/commands", json=body)
                assert done.status_code == 200, done.text
                numbers.add(done.json()["events"][0]["ticket"])
        assert len(numbers) == 1
        # A terminal that was enrolled at one node says hello at another at once.
        for number, node in enumerate(floor.nodes):
            with node.browser("admin") as browser:
                made = browser.post("/api/office/terminals", json={"table": table, "seat": "A2"})
            assert made.status_code == 200, made.text
            asyncio.run(hello(floor, (number + 1) % 3, made.json()["token"]))
        # Whoever signs out at one node has signed out at all.
        with floor.nodes[1].browser("Pat") as browser:
            assert browser.delete("/api/session").status_code in (200, 204)

        def is_out(node: House) -> bool:
            with node.browser("Pat") as browser:
                return browser.get(f"/api/tables/{table}/console").status_code == 401

        wait_for(lambda: all(map(is_out, floor.nodes)))


def shows(node: House, table: str) -> bool:
    view = node.console(table)
    with node.browser("admin") as browser:
        kept = browser.get("/api/office").json()["terminals"]
    there = {one["seat"]: one["connected"] for one in kept if one["table"] == table}
    return bool(view["device_online"] and view["closes_at"] and there["A1"] and not there["A2"])


def test_every_node_shows_what_only_the_machine_of_a_table_knows(tmp_path: Path, server: str) -> None:
    """The countdown, whether the device is there, and which terminals are connected."""
    with machines(tmp_path, server, automatic(betting=5)) as floor:
        floor.start()
        floor.seat_everyone(1_000_00)
        wait_for(floor.shared)
        table = "sicbo-rws"

        async def look() -> None:
            async with floor.terminal(table, "A1") as terminal:
                await until(lambda: terminal.room.phase == "betting" and terminal.closes_at, 60)
                for node in floor.nodes:
                    await asyncio.to_thread(wait_for, partial(shows, node, table))

        asyncio.run(look())


def test_a_database_that_is_back_within_a_lease_interrupts_no_round(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, automatic(betting=0.4), count=1, lease=60) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                for _ in range(4):
                    bets, rounds = [len(robot.acknowledged) for robot in crowd], [robot.round for robot in crowd]
                    await until(lambda n=bets: all(len(r.acknowledged) > b for r, b in zip(crowd, n, strict=True)), 60)
                    await until(lambda n=rounds: all(r.round > b for r, b in zip(crowd, n, strict=True)), 60)
                    floor.lines[0].cut("loud")
                    await asyncio.sleep(0.3)
                    floor.lines[0].mend()
                for table in {robot.table for robot in crowd}:
                    events = await asyncio.to_thread(history, floor, table)  # type: ignore[arg-type]
                    assert not any(isinstance(event, m.Interrupted | m.RoundVoided) for event in events), table
            return crowd

        over(floor, asyncio.run(play()))


def test_without_the_database_nothing_is_taken_and_play_goes_on_when_it_is_back(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, automatic(betting=0.3), count=2) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                for how, seconds in (("loud", 0.3), ("silent", 3.0)):
                    await until(lambda: all(len(robot.acknowledged) > 5 for robot in crowd))
                    for line in floor.lines:
                        line.cut(how)  # type: ignore[arg-type]
                    if seconds > 1:
                        await until(lambda: all(robot.terminal.room.away for robot in crowd))
                        with floor.browser("Sam") as browser:
                            assert "database" in browser.get("/ready").text
                    await asyncio.sleep(seconds)
                    for line in floor.lines:
                        line.mend()
                    await until(lambda: not any(robot.terminal.room.away for robot in crowd))
                    rounds = [robot.round for robot in crowd]
                    await until(lambda r0=rounds: all(r.round > n + 1 for r, n in zip(crowd, r0, strict=True)))
            return crowd

        over(floor, asyncio.run(play()))
