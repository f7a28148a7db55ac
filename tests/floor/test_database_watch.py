"""A database may become unsafe while a floor is open: the floor notices, raises an alert, and begins nothing new."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Literal

import psycopg
import pytest
from structlog.testing import capture_logs

from croupier.floor import database_watch
from croupier.floor.database_watch import DatabaseWatch
from croupier.floor.floor import Floor
from croupier.rules.money import Cents
from croupier.server.sessions import Sessions
from croupier.server.staff.context import Context, StaffSettings
from croupier.server.staff.metrics import standing_still
from croupier.store.folder import Premises, open_store
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Answer
from croupier.table import messages as m
from tests.support import postgres
from tests.support.floors import check, opened, seated, until

TABLE = "taisai-nz"


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    with postgres.started() as running:
        yield running


@pytest.fixture
def shared(server: Any, tmp_path: Path) -> Iterator[Premises]:
    """A floor on a PostgreSQL; what is set on the server is taken back."""
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute("DROP DATABASE IF EXISTS watched WITH (FORCE)")
        admin.execute("CREATE DATABASE watched")
        made = Premises(tmp_path / "shared", server.get_uri().replace("/postgres?", "/watched?"))
        made.init()
        yield made
        with postgres.reloaded(admin):
            admin.execute("ALTER SYSTEM RESET ALL")


@contextlib.asynccontextmanager
async def watched(
    premises: Premises, monkeypatch: pytest.MonkeyPatch, durability: Literal["off", "alert", "refuse"] = "refuse"
) -> AsyncIterator[Floor]:
    monkeypatch.setattr(database_watch, "EVERY", 0.1)
    monkeypatch.setattr(database_watch, "LOOK", 0.02)
    async with opened(premises) as floor:
        await seated(floor)
        await give(floor, m.OpenTable("Max", floor.clock.now()))
        watch = asyncio.create_task(DatabaseWatch(floor, durability).run())
        try:
            yield floor
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)


async def give(floor: Floor, command: Any) -> Answer:
    answer = await floor.give(floor.tables[TABLE].recorder, command)
    assert answer is not None
    return answer


async def begins(floor: Floor) -> str:
    """Does anything new begin at the table? Empty, or the reason against it."""
    refused = (await give(floor, m.OpenBetting("Dana", floor.clock.now()))).entry.refused
    return "" if refused is None else refused.reason


def alerts(floor: Floor) -> dict[str, str]:
    """What was found, by kind."""
    return {one.kind: str(one.facts.get("found", "")) for one in floor.accounts.alerts.values() if one.open}


def not_ready(floor: Floor) -> tuple[str, ...]:
    """Why the database keeps the floor from being ready: what was found of it, or that it is full."""
    found = standing_still(Context(floor, Sessions(floor), StaffSettings()))
    assert all(one.place == "database" for one in found)
    return tuple(
        str(name)
        for one in found
        for name in (one.why.facts["found"] if one.why.case == "unsafe" else [one.why.case])  # type: ignore[union-attr]
    )


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_begins_to_lose_commits_is_noticed(
    setting: str, shared: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = f"{setting}=off"

    async def play() -> None:
        with psycopg.connect(shared.address, autocommit=True) as admin:
            async with watched(shared, monkeypatch) as floor:
                with postgres.reloaded(admin):
                    admin.execute(f"ALTER SYSTEM SET {setting} = off")
                await until(lambda: floor.database.unsafe == (what,))
                await until(lambda: "durability" in alerts(floor))
                assert alerts(floor)["durability"] == str((what,))
                assert not_ready(floor) == (what,)
                assert await begins(floor) == "durability"
                with postgres.reloaded(admin):
                    admin.execute("ALTER SYSTEM RESET ALL")
                await until(lambda: not floor.database.unsafe)
                assert not_ready(floor) == ()
                assert await begins(floor) == ""

    asyncio.run(play())
    check(shared)


@pytest.mark.parametrize("durability", ["alert", "off"])
def test_a_keeper_may_choose_to_play_on(
    durability: Literal["alert", "off"], shared: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        with psycopg.connect(shared.address, autocommit=True) as admin:
            with postgres.reloaded(admin):
                admin.execute("ALTER SYSTEM SET fsync = off")
            async with watched(shared, monkeypatch, durability) as floor:
                if durability == "alert":
                    await until(lambda: "durability" in alerts(floor))
                await asyncio.sleep(0.5)
                assert ("durability" in alerts(floor)) == (durability == "alert")
                assert not_ready(floor) == ()
                assert await begins(floor) == ""

    asyncio.run(play())


def test_a_key_that_is_taken_away_while_a_floor_is_open_is_noticed(
    shared: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        with psycopg.connect(shared.address, autocommit=True) as admin:
            async with watched(shared, monkeypatch, "off") as floor:
                admin.execute("ALTER TABLE ticket_ends DROP CONSTRAINT ticket_ends_pkey")
                await until(lambda: "schema" in alerts(floor))
                assert alerts(floor)["schema"] == "('ticket_ends',)"
                assert await begins(floor) == "durability"
                admin.execute("ALTER TABLE ticket_ends ADD PRIMARY KEY (number, late)")
                await until(lambda: not floor.database.unsafe)

    asyncio.run(play())


def test_a_file_that_is_moved_away_is_noticed(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(premises.address)

    async def play() -> None:
        async with watched(premises, monkeypatch) as floor:
            file.rename(file.with_name("aside"))
            shutil.copy(file.with_name("aside"), file)
            await until(lambda: "durability" in alerts(floor))
            assert f"{file}=moved" in alerts(floor)["durability"]
            assert await begins(floor) == "durability"
            file.with_name("aside").rename(file)
            await until(lambda: not floor.database.unsafe)
            assert await begins(floor) == ""

    asyncio.run(play())
    check(premises)


# ---- a full disk of a server


@pytest.fixture
def small_disk(server: Any) -> Iterator[Path]:
    """A disk of 40 MiB for a database of its own; the log of the server is elsewhere."""
    if os.geteuid():
        pytest.skip("a small disk can be mounted by root alone")
    with tempfile.TemporaryDirectory(prefix="croupier-small-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder]
        if (done := subprocess.run(mount, capture_output=True, text=True, check=False)).returncode:
            pytest.skip(f"a small disk cannot be mounted here: {done.stderr}")
        try:
            (Path(folder) / "space").mkdir()
            if server.system_user is not None:
                os.chown(Path(folder) / "space", pwd.getpwnam(server.system_user).pw_uid, -1)
            Path(folder).chmod(0o755)
            yield Path(folder)
        finally:
            with psycopg.connect(server.get_uri(), autocommit=True) as admin:
                admin.execute("DROP DATABASE IF EXISTS small WITH (FORCE)")
                admin.execute("DROP TABLESPACE IF EXISTS small")
            subprocess.run(["umount", folder], check=True)


def fill(disk: Path) -> Path:
    """Leave no block of a disk free."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    return filler


def test_a_full_disk_of_a_server_refuses_what_is_new_with_the_reason_and_ends_by_itself(
    server: Any, small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute(f"CREATE TABLESPACE small LOCATION '{small_disk / 'space'}'")
        admin.execute("CREATE DATABASE small TABLESPACE small")
    premises = Premises(tmp_path / "small", server.get_uri().replace("/postgres?", "/small?"))
    premises.init()

    async def play() -> None:
        async with watched(premises, monkeypatch) as floor:
            live, answers = floor.tables[TABLE], []
            assert await begins(floor) == ""
            filler = fill(small_disk)
            seat = live.config.seat_ids()[0]
            assert live.table.round is not None
            for number in range(4_000):  # until the last free room in its tables is used up
                id, box = m.BetId(f"{seat}.b{number}"), "small"
                command = m.PlaceBet(seat, floor.clock.now(), id, live.table.round.number, seat, box, Cents(500))
                answers.append(await floor.give(live.recorder, command))
                if not floor.database.room():
                    break
            assert not floor.database.room()
            placed = [answer for answer in answers if answer and answer.entry.refused is None]
            for answer in (answers[-1], await give(floor, command)):  # what met the full disk, and what comes after
                assert answer is not None
                assert answer.entry.refused is not None
                assert answer.entry.refused.reason == "disk"
            assert not_ready(floor) == ("full",)
            await until(lambda: any(line["event"] == "database" and "disk is full" in line["what"] for line in logs))
            await asyncio.sleep(0.5)
            assert not floor.database.room()  # it was tried, and there is none
            assert floor.cluster is not None
            assert not floor.cluster.away  # nothing is unknown
            filler.unlink()
            await until(floor.database.room)
            await until(lambda: "disk" in alerts(floor))
            assert not_ready(floor) == ()
            last = await give(floor, command)
            assert last.entry.refused is None
            assert len(live.table.round.bets) == len(placed) + 1

    with capture_logs() as logs:
        asyncio.run(play())
    check(premises)


def test_room_is_looked_for_only_after_the_disk_was_full(server: Any) -> None:
    store, asked = PostgresStore(server.get_uri()), open_store(server.get_uri(), read_only=True)
    assert isinstance(asked, PostgresStore)
    store.look_for_room(asked)
    assert store.room()
    store._full = True
    assert not store.room()
    store.look_for_room(asked)
    assert store.room()
    store.close()
    asked.close()
