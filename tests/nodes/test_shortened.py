"""A PostgreSQL that comes back with less than it had: not one acknowledged bet is lost in silence.

An older copy is put back, a standby that lagged is promoted, or commits were not waited for when the server was killed;
each under play, at random moments, on one machine and on three. Which bets are lost is counted here, from what the
Players were told and what is in the database, and by nothing of the product. Every loss must stop its table on every
machine, be named by /ready and found by verify; and once it is accepted, play goes on, to the next moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import random
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from croupier.floor.cluster import read_status
from croupier.store.checkpoint import read
from croupier.store.folder import open_store
from croupier.store.heads import accept, missing, remembered
from croupier.store.journal import Conflict, Place, read_rows
from croupier.store.streams.entry import LossAccepted
from croupier.store.verify import verify
from croupier.table.messages import PersonId
from tests.nodes.machines import Machines, machines, wait_for
from tests.support import postgres
from tests.support.crowd import Pit, Robot, robots
from tests.support.house import automatic

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
MOMENTS = int(os.environ.get("MOMENTS", 100 if ALL else 1))
Lost = dict[str, set[str]]


class Servers:
    """A PostgreSQL that can be set back, or replaced by a standby; its data lies in one of two places."""

    def __init__(self, primary: Any, other: Path) -> None:
        self._programs = primary.bin_path
        self._user = primary.system_user
        self._places = [str(primary.pgdata), str(other)]
        self._now = 0
        self._copy = f"{other}.copy"

    @property
    def address(self) -> str:
        hosts = ",".join(self._places)
        return f"postgresql://postgres@/postgres?host={hosts}&target_session_attrs=read-write"

    @property
    def _data(self) -> str:
        return self._places[self._now]

    def begin(self) -> None:
        """As its own wheel has started it, but where it is expected after every change of place."""
        self._pg("pg_ctl", "-w", "-D", self._data, "-m", "fast", "stop")
        self._start(self._data)

    def copy(self) -> None:
        shutil.rmtree(self._copy, ignore_errors=True)
        self._backup(self._copy)

    def put_back(self) -> None:
        """The copy takes the place of the database, as a keeper might do after a mishap."""
        self._pg("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        _empty(self._data)
        self._run("cp", "-a", f"{self._copy}/.", self._data)
        self._start(self._data)

    def follow(self) -> None:
        """A standby that hears nothing more from now on."""
        standby = self._places[1 - self._now]
        _empty(standby)
        self._backup(standby, "-R")
        Path(standby, "postgresql.auto.conf").write_text("")
        self._start(standby)

    def promote(self) -> None:
        self._pg("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        self._now = 1 - self._now
        self._pg("pg_ctl", "-w", "-D", self._data, "promote")

    def wait_for_no_disk(self) -> None:
        """Somebody says for the whole role that commits need not be waited for."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("ALTER ROLE postgres SET synchronous_commit = off")
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def kill(self) -> None:
        self._pg("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        self._start(self._data)

    def end(self) -> None:
        for place in self._places:
            command = self._command("pg_ctl", "-D", place, "-m", "immediate", "stop")
            subprocess.run(command, user=self._user, capture_output=True, check=False)

    def _backup(self, target: str, *more: str) -> None:
        where = ("-h", self._data, "-U", "postgres", "-D", target)
        self._pg("pg_basebackup", *where, "-X", "stream", "-c", "fast", *more)
        for lock in Path(target).glob(".s.PGSQL*"):  # sockets lie among the data here: that one is not the copy's
            lock.unlink()

    def _start(self, data: str) -> None:
        self._pg("pg_ctl", "-w", "-D", data, "-l", f"{data}/server.log", "-o", f'-h "" -k {data}', "start")

    def _pg(self, program: str, *options: str) -> None:
        self._run(*self._command(program, *options))

    def _command(self, program: str, *options: str) -> list[str]:
        return [str(self._programs / program), *options]

    def _run(self, *command: str) -> None:
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(command, user=self._user, stdout=said, stderr=said, timeout=60, check=False)
            said.seek(0)
            assert done.returncode == 0, said.read()


def _empty(folder: str) -> None:
    for path in Path(folder).glob("*"):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


@contextmanager
def servers() -> Iterator[Servers]:
    with postgres.started() as primary, tempfile.TemporaryDirectory(prefix="croupier-other-") as folder:
        if primary.system_user is not None:
            os.chown(folder, pwd.getpwnam(primary.system_user).pw_uid, -1)
        made = Servers(primary, Path(folder) / "data")
        made.begin()
        try:
            yield made
        finally:
            made.end()


# ---- what goes wrong


def an_older_copy(server: Servers, chance: random.Random) -> None:
    server.copy()
    time.sleep(chance.uniform(0, 0.6))
    server.put_back()


def a_lagging_standby(server: Servers, chance: random.Random) -> None:
    server.follow()
    time.sleep(chance.uniform(0, 0.6))
    server.promote()


def a_lossy_commit(server: Servers, chance: random.Random) -> None:
    server.wait_for_no_disk()
    time.sleep(chance.uniform(0.5, 1))
    server.kill()


# ---- what was lost, and who says so


@contextlib.asynccontextmanager
async def playing(floor: Machines) -> AsyncIterator[list[Robot]]:
    """Players who bet, and people who do what only people may; whatever becomes of their bets."""
    crowd = robots(floor)  # type: ignore[arg-type]
    pit = Pit(floor, sorted({robot.table for robot in crowd}))  # type: ignore[arg-type]
    watching = asyncio.create_task(pit.watch())
    players = [asyncio.create_task(robot.play()) for robot in crowd]
    try:
        yield crowd
    finally:
        for robot in crowd:
            robot.leaves = True
        pit.leaves = True
        await asyncio.gather(watching, *players, return_exceptions=True)


def acknowledged(crowd: list[Robot]) -> Lost:
    told: Lost = defaultdict(set)
    for robot in crowd:
        told[robot.table] |= robot.acknowledged.keys()
    return told


def in_database(address: str, tables: list[str]) -> Lost:
    store = open_store(address, read_only=True)
    try:
        placed = {table: [row for row in read_rows(store, table) if row.kind == "PlaceBet"] for table in tables}
    finally:
        store.close()
    return {
        table: {row.body.decode().split('"id":"')[1].split('"')[0] for row in rows} for table, rows in placed.items()
    }


def stopped_at(node: Any) -> str:
    """What a machine says that it cannot do."""
    try:
        with httpx.Client(base_url=node.access.origin, trust_env=False, timeout=10) as browser:
            answer = browser.get("/ready")
    except httpx.HTTPError as error:
        return repr(error)
    return "" if answer.status_code == 200 else answer.text


def says_lost(node: Any, table: str) -> bool:
    said = stopped_at(node)
    return f"{table} ends at row" in said or f"of {table} is not the row" in said


def accept_all(floor: Machines, *, signed: bool = False) -> int:
    """Every loss that a machine knows of is accepted, by a row of two people; how many streams had one.

    What was signed and never answered is missed once no machine is at work.
    """
    store = open_store(floor.address)
    try:
        known: dict[str, set[Place]] = defaultdict(set)
        for node in floor.nodes:
            for stream, places in remembered(node.premises.heads).places.items():
                known[stream] |= places
            for mark in read(node.premises.checkpoints) if signed else ():
                for stream, (seq, hash) in mark.heads.items():
                    known[stream].add(Place(seq, bytes.fromhex(hash)))
        for node in store.look().nodes:  # type: ignore[attr-defined]
            for stream, (seq, hash) in read_status(node.body).halted.items():
                known[stream].add(Place(seq, bytes.fromhex(hash)))
        count = 0
        for stream, places in known.items():
            gone = tuple((seq, hash.hex()) for seq, hash in missing(store, stream, places))
            if gone:
                lease = store.take(stream, "desk", store.time(), 1_000)  # type: ignore[attr-defined]
                loss = LossAccepted(PersonId("Pat"), PersonId("Max"), "a test", gone)
                accept(store, lease, store.time(), loss, None)  # type: ignore[attr-defined]
                store.release(lease)
                count += 1
        return count
    finally:
        store.close()


def accepted(floor: Machines) -> None:
    """Wait until no machine misses a row: they may still learn from each other."""

    def nothing_missing() -> bool:
        with contextlib.suppress(Conflict):  # a lease that is not over yet
            accept_all(floor)
        return not any(stopped_at(node) for node in floor.nodes)

    wait_for(nothing_missing, 60)


def all_signed_accepted(floor: Machines) -> bool:
    with contextlib.suppress(Conflict):
        accept_all(floor, signed=True)
        return True
    return False


FAULTS = (an_older_copy, a_lagging_standby, a_lossy_commit)
TRIED = (
    [(fault, count) for fault in FAULTS for count in (1, 3)] if ALL else [(an_older_copy, 1), (a_lagging_standby, 3)]
)


@pytest.mark.parametrize(("fault", "count"), TRIED)
def test_no_acknowledged_bet_is_lost_in_silence(
    fault: Callable[[Servers, random.Random], None], count: int, tmp_path: Path
) -> None:
    chance = random.Random(f"{fault.__name__} {count}")
    given_up: Lost = defaultdict(set)
    silent, found = [], 0
    with servers() as server, machines(tmp_path, server.address, automatic(betting=0.3), count, straight=True) as floor:
        floor.start()
        floor.seat_everyone(10_000_000_00)
        wait_for(floor.shared)

        async def play() -> None:
            nonlocal found
            async with playing(floor) as crowd:
                for moment in range(MOMENTS):
                    await several_bet(crowd)
                    await asyncio.to_thread(fault, server, chance)
                    found += await asyncio.to_thread(judge, crowd, moment)

        def judge(crowd: list[Robot], moment: int) -> int:
            wait_for(
                lambda: not any("Connect" in stopped_at(node) or "answer" in stopped_at(node) for node in floor.nodes),
                60,
            )
            time.sleep(0.5)
            told = acknowledged(crowd)
            there = in_database(floor.address, sorted(told))
            lost = {table: told[table] - there[table] - given_up[table] for table in told}
            for table, bets in lost.items():
                if bets:
                    try:
                        wait_for(lambda table=table: all(says_lost(node, table) for node in floor.nodes))  # type: ignore[misc]
                    except AssertionError:
                        silent.append((moment, table, len(bets), [stopped_at(node) for node in floor.nodes]))
                    store = open_store(floor.address, read_only=True)
                    lies = verify(store, heads=remembered(floor.nodes[0].premises.heads).places).lies
                    store.close()
                    assert table in {lie.stream for lie in lies}, "verify finds it too"
                given_up[table] |= bets
            accepted(floor)
            return sum(map(len, lost.values()))

        asyncio.run(play())
        for node in floor.nodes:
            node.kill()
        wait_for(lambda: all_signed_accepted(floor))  # the leases of those that were killed end first
        floor.nodes[0].verified()
    assert silent == []
    print(f"{fault.__name__}, {count} machines: {MOMENTS} moments, {found} acknowledged bets lost, none in silence")
    assert found or fault is a_lossy_commit, "nothing was lost, so nothing was tried"


async def several_bet(crowd: list[Robot]) -> None:
    """Half of the Players have some more bets acknowledged."""
    bets = [len(robot.acknowledged) + 2 for robot in crowd]
    await until(lambda: sum(len(robot.acknowledged) > many for robot, many in zip(crowd, bets, strict=True)) > 4)


async def until(said: Callable[[], bool], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not said():
            await asyncio.sleep(0.02)
