"""What is acknowledged is on disk (promise 2): the settings and disks under it are read back, and refused by name."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from croupier.floor.config import read_tables
from croupier.rules.refusal import Fact, Refused
from croupier.server import serve as serving
from croupier.server.settings import read_settings
from croupier.store import durability
from croupier.store.durability import broken, file_system, of_file_system
from croupier.store.folder import Premises, open_store
from croupier.store.journal import Away, Store
from croupier.store.migrations import Incompatible
from croupier.store.postgres import PostgresStore
from croupier.store.sqlite import SqliteStore
from tests.support.floors import TABLES
from tests.support.postgres import reloaded

MEMORY = Path("/dev/shm")


@pytest.fixture
def database(postgres_address: str) -> Iterator[str]:
    """A database of its own, and a role that signs in to it; what was set is taken back."""
    name = f"durable{os.urandom(4).hex()}"
    with psycopg.connect(postgres_address, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield postgres_address.replace("/postgres?", f"/{name}?")
        with reloaded(admin):
            admin.execute("ALTER SYSTEM RESET ALL")
        admin.execute("ALTER ROLE postgres RESET ALL")


# ---- PostgreSQL


@pytest.mark.parametrize("who", ["ROLE postgres", "DATABASE {name}"])
def test_a_session_waits_for_the_disk_whatever_was_set_for_the_role_or_the_database(database: str, who: str) -> None:
    name = database.rpartition("?")[0].rpartition("/")[2]
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(f"ALTER {who.format(name=name)} SET synchronous_commit = off")
    store = PostgresStore(database)
    for _ in range(2):
        assert store._run("SHOW synchronous_commit") == [("on",)]
        assert broken(store.durability()) == []
        unwise = [fact.found for fact in store.durability() if fact.state == "unwise"]
        assert [(one.case, one.facts["value"]) for one in unwise] == [("setting-of-role", "off")]
        store.reopen()  # after a server was lost it is a new session
    store.close()


def test_a_session_that_waits_for_more_is_not_made_to_wait_for_less(database: str) -> None:
    store = PostgresStore(f"{database}&options=-csynchronous_commit%3Dremote_apply")
    assert store._run("SHOW synchronous_commit") == [("remote_apply",)]
    store.close()


def test_a_server_that_does_not_let_a_session_wait_is_not_used(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, execute = PostgresStore(database), psycopg.Connection.execute

    def deaf(connection: psycopg.Connection, query: str, *rest: object) -> object:
        return execute(connection, "SET synchronous_commit = off" if "SHOW" not in query and "sync" in query else query)

    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("ALTER ROLE postgres SET synchronous_commit = off")
    monkeypatch.setattr(psycopg.Connection, "execute", deaf)
    with pytest.raises(Incompatible, match=r"not-durable.*off"):
        PostgresStore(database)
    with pytest.raises(Away, match=r"not-durable.*off"):
        store.reopen()
    assert store._db.closed


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_may_lose_a_commit_is_refused_at_the_start(database: str, setting: str, tmp_path: Path) -> None:
    premises = Premises(tmp_path / "floor", database)
    premises.init()
    with psycopg.connect(database, autocommit=True) as admin, reloaded(admin):
        admin.execute(f"ALTER SYSTEM SET {setting} = off")
    assert start_of(premises) == ("may-lose", {"settings": (f"{setting}=off",)})


def start_of(premises: Premises) -> tuple[str, Mapping[str, Fact]]:
    """The case in which a floor does not open, and its facts."""
    flags: dict[str, object] = {
        "floor": premises.folder,
        "store": premises.address,
        "staff_port": 0,
        "terminal_port": 0,
    }
    flags |= {"durability": "refuse", "approved": "off"}  # the software is looked at first
    with pytest.raises(Refused) as refused:
        asyncio.run(serving.serve(read_settings(flags), read_tables(TABLES)))
    assert refused.value.reason == "durability"
    return refused.value.case, refused.value.facts


# ---- SQLite


def test_a_file_in_memory_is_refused_and_an_open_one_is_well_on_a_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    names = [fact.brief.partition("=")[0] for fact in store.durability()]
    assert names == ["synchronous", "journal_mode", str(tmp_path)]
    loose = SqliteStore(tmp_path / "loose.db", reserve=0, synchronous="NORMAL")
    facts = {"name": "synchronous", "value": "NORMAL", "needed": ("FULL", "EXTRA")}
    assert ("setting-loose", facts) in [(fact.found.case, fact.found.facts) for fact in broken(loose.durability())]
    store.close()
    loose.close()
    if (mount := file_system(MEMORY)) is None or mount.kind != "tmpfs":
        pytest.skip(f"{MEMORY} is no memory here")
    folder = MEMORY / f"croupier-{os.getpid()}"
    try:
        premises = Premises(folder)
        premises.init()
        assert start_of(premises) == ("may-lose", {"settings": (f"{folder}=tmpfs",)})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_file_that_is_moved_away_while_it_is_open_is_found(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "floor.db"), make=True)
    assert moved(store) == []
    for count, name in enumerate(("floor.db-wal", "floor.db"), 1):
        shutil.copy(tmp_path / name, tmp_path / "copy")
        (tmp_path / "copy").rename(tmp_path / name)  # the same bytes, and another file
        assert len(moved(store)) == count
        assert str(tmp_path / name) in moved(store)
    store.close()


def moved(store: Store) -> list[Fact]:
    return [fact.found.facts["file"] for fact in broken(store.durability()) if fact.found.case == "moved"]


# ---- where a file lies

LINES = """22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:30 / /mem rw - tmpfs tmpfs rw
31 22 0:31 / /far\\040away rw - nfs4 server:/x rw,vers=4.2
32 22 0:32 / /box rw - overlay overlay rw,lowerdir=/l,upperdir=/mem/up,workdir=/mem/w
33 22 0:33 / /jar rw - overlay overlay rw,lowerdir=/l,upperdir=/up,workdir=/w
34 22 0:34 / /fast rw - ext4 /dev/vdb rw,nobarrier
35 22 0:35 / /memory rw - xfs /dev/vdc rw
36 30 0:36 / /mem/disk rw - ext4 /dev/vdd rw
37 22 0:37 / /twice rw - ext4 /dev/vde rw
38 22 0:38 / /twice rw - tmpfs tmpfs rw
39 22 0:39 / /sshfs rw - fuse.sshfs me@there: rw
"""


@pytest.mark.parametrize(
    ("path", "is_fine"),
    [
        *(("/a", True), ("/mem/a", False), ("/far away/a", False), ("/box/a", False), ("/jar/a", True)),
        *(("/fast/a", False), ("/memory/a", True), ("/mem/disk/a", True), ("/twice/a", False), ("/sshfs", False)),
    ],
)
def test_the_file_system_of_a_path_is_the_one_mounted_nearest_to_it(
    path: str, is_fine: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(LINES)
    monkeypatch.setattr(durability, "MOUNTS", mounts)
    assert (of_file_system(Path(path)).state == "well") == is_fine
    assert of_file_system(Path("/far away/a"), network=False).state == "well"  # a server may keep its data there
    monkeypatch.setattr(durability, "MOUNTS", tmp_path / "none")
    assert of_file_system(Path(path)).state == "well"


def test_this_machine_says_what_a_path_lies_on() -> None:
    found = subprocess.run(["stat", "-f", "-c", "%T", "/proc"], capture_output=True, text=True, check=False).stdout
    assert (file_system(Path("/proc/self")) or ("", "", ()))[1] == (found.strip() or "proc")
