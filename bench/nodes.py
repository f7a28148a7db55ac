"""`python -m bench.nodes`: bets a second of one floor on 1, 2 and 3 machines that share a PostgreSQL, and their bound.

Machines are processes here, and all share the same cores: trust the cost of a bet on each side, not the rates. The same
run measures one machine on SQLite, and terminals whose bets are relayed instead of being sent to the machine of their
table.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import logging
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import structlog
import uvloop

from bench.live.house import BOUNDS, CREDIT, LAYOUT, table
from bench.live.lines import lines
from bench.live.load import Load, Ran, compiled
from bench.live.subject import OURS, Subject
from croupier.floor.config import TableConfig
from croupier.floor.floor import Floor
from croupier.office import messages as o
from croupier.protocol import terminal as p
from croupier.server import serve as serving
from croupier.server.player.connection import Terminal
from croupier.server.player.door import TerminalDoor
from croupier.server.serve import Running, serve
from croupier.server.sessions import key_of, new_token
from croupier.server.settings import read_settings
from croupier.store.folder import Premises
from croupier.table import messages as m
from tests.support.postgres import started

TABLES = 6
SEATS = 50
"""Terminals of each table. Each has one bet on its way at a time."""
REPEATS = 5
WARM, SECONDS = 0.3, 1.5


def tables() -> list[TableConfig]:
    return [table(SEATS).model_copy(update={"name": f"T{number}"}) for number in range(1, TABLES + 1)]


# ---- a machine


_ids = itertools.count(1)


async def _give(floor: Floor, stream: str, command: Any) -> None:
    number = next(_ids)
    for _ in range(100):
        answer = await floor.give(floor.recorder(stream), command, f"bench.{number}")
        if answer is not None:
            assert answer.entry.refused is None, answer.entry.refused
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{stream} does not answer")


async def _furnish(floor: Floor, folder: Path) -> None:
    """Give every seat credit and a terminal. The load generator gets the hello of each."""
    ready = b'"said":"own"'.hex()
    for name, live in floor.tables.items():
        hellos = []
        for seat in live.config.seat_ids():
            token = new_token()
            await _give(floor, name, m.TakeSeat("Sam", floor.clock.now(), seat, LAYOUT))
            await _give(floor, name, m.SellCredit("Cass", floor.clock.now(), seat, CREDIT))
            enrol = o.EnrolTerminal("machine/bench", floor.clock.now(), key_of(token), name, seat)
            await _give(floor, "office", enrol)
            hello = json.dumps({"do": "hello", "version": p.VERSION, "token": token})
            hellos.append(f"/ {hello.encode().hex()} 0 {ready}\n")
        (folder / f"{name}.crowd").write_text("".join(hellos))
        await _give(floor, name, m.OpenTable("Max", floor.clock.now()))
        await _give(floor, name, m.OpenBetting("Dana", floor.clock.now()))


async def _obey(floor: Floor, words: list[str]) -> dict[str, object]:
    match words:
        case ["owns"]:
            return {"owns": [name for name, live in floor.tables.items() if live.recorder.owned]}
        case ["furnish", folder]:
            await _furnish(floor, Path(folder))
            return {}
        case _:
            raise ValueError(words)


def machine(folder: Path, address: str, relays: bool) -> int:
    setattr(serving, "TerminalDoor", functools.partial(TerminalDoor, bounds=BOUNDS))  # noqa: B010
    if relays:  # no terminal is sent away: its messages are relayed to the machine of its table
        setattr(Terminal, "move", lambda self, table: True)  # noqa: B010
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    flags = {"floor": folder, "store": address, "staff_port": 0, "terminal_port": 0, "approved": "off"}

    async def ready(running: Running) -> None:
        print(json.dumps({"port": running.port}), flush=True)

    async def control(running: Running) -> None:
        async for words in lines():
            print(json.dumps(await _obey(running.floor, words)), flush=True)

    return uvloop.run(serve(read_settings(flags), tables(), ready=ready, also=[control]))


# ---- measuring


class Point(NamedTuple):
    rate: float
    p50: float
    node: float
    """Processor time of a bet in seconds: of all machines together, and of PostgreSQL."""
    database: float
    busy: float
    """How many cores were busy in all."""


class House:
    """The machines of one floor, and the terminals at their tables."""

    def __init__(self, folder: Path, program: Path, address: str, count: int, relays: bool, postmaster: int) -> None:
        self._postmaster = postmaster
        self._stack = ExitStack()
        self.machines = []
        for number in range(count):
            place = folder / f"m{number}"
            if number == 0:
                Premises(place, address or None).init()
            else:
                place.mkdir()
                shutil.copytree(folder / "m0" / "keys", place / "keys")
            words: list[str | Path] = [sys.executable, "-m", "bench.nodes", "machine", place, address]
            core = sorted(os.sched_getaffinity(0))
            one = Subject("a machine", [*words, *(["--relay"] if relays else [])], OURS, core[0])
            os.sched_setaffinity(one.pid, core)  # on any core: there are more processes than cores
            self._stack.callback(one.close)
            self.machines.append(one)
        self.crowds: list[Load] = []
        try:
            self._begin(folder, program, relays)
        except BaseException:
            self.close()
            raise

    def _begin(self, folder: Path, program: Path, relays: bool) -> None:
        """Wait until every machine has its share of the tables, and every terminal a seat."""
        count, core = len(self.machines), sorted(os.sched_getaffinity(0))
        self._wait_for_shares(count)
        self.machines[0].ask(f"furnish {folder}")
        for number, one in enumerate(self.machines):
            at = self.machines[(number + 1) % count] if relays else one
            for name in one.ask("owns")["owns"]:
                load = Load(program, folder, core[-1])
                self._stack.callback(load.close)
                load.connect(at.port, folder / f"{name}.crowd")
                self.crowds.append(load)

    def _wait_for_shares(self, count: int) -> None:
        for _ in range(300):
            owned = [len(one.ask("owns")["owns"]) for one in self.machines]
            if sum(owned) == TABLES and max(owned) - min(owned) <= 2 and (count == 1 or max(owned) < TABLES):
                return
            asyncio.run(asyncio.sleep(0.1))
        raise SystemExit("bench.nodes: the machines did not share the tables")

    def run(self) -> Point:
        before, base = [one.used for one in self.machines], _used_by(self._postmaster)
        with ThreadPoolExecutor(len(self.crowds)) as pool:
            bets = OURS.bets(1)
            work = [pool.submit(crowd.closed, bets, OURS.good, 1, WARM, SECONDS) for crowd in self.crowds]
            ran: list[Ran] = [one.result() for one in work]
        total = sum(one.total for one in ran)
        node = sum(one.used - was for one, was in zip(self.machines, before, strict=True))
        database = _used_by(self._postmaster) - base
        busy = (node + database + sum(one.busy * SECONDS for one in ran)) / (WARM + SECONDS)
        p50 = statistics.median(one.p50 for one in ran)
        return Point(sum(one.rate for one in ran), p50, node / total, database / total, busy)

    def close(self) -> None:
        self._stack.close()


def _used_by(postmaster: int) -> float:
    """Processor time of a server and its processes in seconds, also of those that have ended."""
    if not postmaster:
        return 0.0
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == postmaster:
            ticks += int(fields[11]) + int(fields[12])
        elif int(stat.parent.name) == postmaster:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def house(folder: Path, program: Path, server: Any, count: int, *, relays: bool = False) -> Iterator[House]:
    name = f"bench_{count}_{int(relays)}"
    place = folder / (name if server else "sqlite")
    place.mkdir()
    address = ""
    if server:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        address = server.get_uri().replace("/postgres?", f"/{name}?")
    made = House(place, program, address, count, relays, server.get_pid() if server else 0)
    try:
        yield made
    finally:
        made.close()


def summary(name: str, points: Sequence[Point]) -> Point:
    middle = Point(*(statistics.median(column) for column in zip(*points, strict=True)))
    print(
        f"  {name:38} {middle.rate:8,.0f} bets a second   p50 {middle.p50 * 1e3:6.1f} ms"
        f"   a bet takes {middle.node * 1e6:5.1f} us of the machines and {middle.database * 1e6:5.1f} us of PostgreSQL"
        f"   {middle.busy:.1f} cores busy",
        flush=True,
    )
    return middle


def main(repeats: int = REPEATS) -> None:
    cores = len(os.sched_getaffinity(0))
    print(f"{TABLES} tables, {TABLES * SEATS} terminals, one bet of each under way; {cores} cores for everything:")
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as temporary, started() as server:
        folder = Path(temporary)
        program = compiled(folder)
        found: dict[str, Point] = {}
        for name, count, on, relays in (
            ("one machine on SQLite", 1, None, False),
            ("one machine on PostgreSQL", 1, server, False),
            ("two machines on PostgreSQL", 2, server, False),
            ("three machines on PostgreSQL", 3, server, False),
            ("two machines, every bet relayed", 2, server, True),
        ):
            with house(folder, program, on, count, relays=relays) as made:
                found[name] = summary(name, [made.run() for _ in range(repeats)])
    sqlite, one, two, three, relayed = found.values()
    # Each bet is decided once and followed by all other machines.
    follow = (three.node - one.node) / 2
    print(f"  one machine on PostgreSQL has {one.rate / sqlite.rate:.0%} of the rate of one on SQLite")
    print(f"  to follow a bet of another takes {follow * 1e6:.1f} us, to decide and answer one {one.node * 1e6:.1f} us")
    print(f"  a relayed bet takes {relayed.node / two.node:.1f} times the machines' processor of one that is not")
    print(f"  PostgreSQL by itself is full at {1 / one.database:,.0f} bets a second of each of its cores")
    for nodes in (1, 2, 3, 5, 10):
        most = nodes / (one.node + (nodes - 1) * follow)
        print(f"  {nodes:2} machines with a core each decide at most {most:10,.0f} bets a second")


if __name__ == "__main__":
    if sys.argv[1:2] == ["machine"]:
        sys.exit(machine(Path(sys.argv[2]), sys.argv[3], "--relay" in sys.argv[4:]))
    main(1 if "--quick" in sys.argv[1:] else REPEATS)
