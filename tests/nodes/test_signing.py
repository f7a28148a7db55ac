"""Three machines sign one chain: none of its lines is lost or forked, whichever of them is killed, and when."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from croupier.store.checkpoint import SHARED, make_keys, read, read_chain, sign, signing_key, trusted_key
from croupier.store.folder import Premises, open_store
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Recorder
from croupier.store.verify import verify
from croupier.transcript.play import play
from tests.nodes.machines import Machines, machines, wait_for
from tests.support import postgres
from tests.support.house import automatic
from tests.support.recorders import BETTING, fill, record

PROMISED = 10_000


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.started() as running:
        yield running.get_uri()


@pytest.fixture
def address(server: str) -> str:
    name = f"chain_{random.randrange(10**9)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture
def connect(address: str) -> Iterator[Callable[[], PostgresStore]]:
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(PostgresStore(address)))


def longest_unsigned(floor: Machines) -> tuple[int, int]:
    """For how many milliseconds a row was unsigned at most, by all files; and how many rows there are."""
    texts = [node.premises.checkpoints.read_text() for node in floor.nodes if node.premises.checkpoints.exists()]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    with psycopg.connect(floor.address) as connection:
        rows = connection.execute("SELECT stream, seq, at FROM journal").fetchall()
    end, longest = time.time_ns() // 1_000_000, 0
    for stream, seq, at in rows:
        knowing = (line["at"] for line in lines if line["heads"].get(stream, [0])[0] >= seq)
        longest = max(longest, min(knowing, default=end) - at)
    return longest, len(rows)


def test_three_machines_sign_one_chain_through_kills(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, automatic(betting=0.3)) as floor:
        floor.start()
        wait_for(floor.shared)
        for number in (0, 1, 2, 0):
            time.sleep(3)
            floor.nodes[number].kill()
            time.sleep(1)
            floor.nodes[number].start()
        wait_for(floor.shared)
        files = [node.premises.checkpoints for node in floor.nodes]
        wait_for(lambda: len({file.read_bytes().splitlines()[-1] for file in files}) == 1)
        # Whoever works the office cannot write its file any more: another signs.
        office = next(number for number in range(3) if "office" in floor.owned_by(number))
        broken = files[office].rename(tmp_path / "broken")
        files[office].mkdir()
        other = files[(office + 1) % 3]
        signed = len(read(other))
        wait_for(lambda: len(read(other)) > signed + 1, 40)
        floor.nodes[office].kill()
        files[office].rmdir()
        broken.rename(files[office])
        for node in floor.nodes:
            if node.alive:
                node.stop()
        longest, rows = longest_unsigned(floor)
        assert rows > 100
        assert longest <= PROMISED, f"a row was unsigned for {longest} ms"
        whole = read_chain(files, floor.nodes[0].premises.public_key)
        assert (whole.lies, whole.notes) == ([], [])
        assert [mark.number for mark in whole.marks] == list(range(1, len(whole.marks) + 1))
        # Each file is the whole chain, up to what its machine lived to see.
        for file in files:
            assert [mark.number for mark in read(file)] == list(range(1, len(read(file)) + 1))
        store = open_store(floor.address, read_only=True)
        assert verify(store, whole.marks).lies == []
        store.close()


Connect = Callable[[], PostgresStore]


def two_machines(connect: Connect, folder: Path) -> tuple[PostgresStore, Recorder, list[Path]]:
    make_keys(folder)
    store = connect()
    return store, record(store, play(BETTING)), [folder / "one", folder / "two"]


def test_the_first_machine_gets_a_number_and_files_are_whole_chains(connect: Connect, tmp_path: Path) -> None:
    store, recorded, files = two_machines(connect, tmp_path)
    key, others = signing_key(tmp_path), connect()
    first = store.first_secret
    faster: list[object] = []

    def overtaken(secret: object) -> object:
        if len(faster) < 3:  # just before the number is taken another takes it
            faster.append(secret)
            fill(recorded, 60_000 + len(faster))
            sign(others, key, 7, files[1], others)
            fill(recorded, 60_100 + len(faster))
        return first(secret)  # type: ignore[arg-type]

    vars(store)["first_secret"] = overtaken
    for at in range(4):
        fill(recorded, 70_000 + at)
        sign(store, key, at, files[0], store)
    fill(recorded, 80_000)
    sign(others, key, 9, files[1], others)
    assert len(faster) == 3
    found = read_chain(files, tmp_path / "public.key")
    assert found.lies == []
    assert [mark.number for mark in found.marks] == list(range(1, 9))
    assert files[1].read_bytes().startswith(files[0].read_bytes())
    assert verify(store, found.marks).lies == []


def test_a_line_of_the_database_that_is_no_link_is_not_taken(address: str, connect: Connect, tmp_path: Path) -> None:
    store, recorded, files = two_machines(connect, tmp_path)
    key = signing_key(tmp_path)
    for at in range(3):
        fill(recorded, 70_000 + at)
        sign(store, key, at, files[0], store)
    whole = files[0].read_bytes()
    with psycopg.connect(address, autocommit=True) as connection:
        forged = whole.splitlines()[2].replace(b'"at": 2', b'"at": 3')
        connection.execute("UPDATE desk SET body = %s WHERE kind = %s AND key LIKE '%%3'", (forged, SHARED))
        for file in files:
            with pytest.raises(Exception, match="chain not-following number=3"):
                sign(store, key, 9, file, store)
        assert files[0].read_bytes() == whole
        # A database that was set back, or has lost them all, goes on from what was signed.
        connection.execute("DELETE FROM desk")
    fill(recorded, 90_000)
    assert sign(store, key, 10, files[0], store).number == 4
    assert read_chain(files[:1], tmp_path / "public.key").lies == []


def test_croupier_sign_while_the_floor_runs_takes_the_next_number(
    address: str, connect: Connect, tmp_path: Path
) -> None:
    premises = Premises(tmp_path / "floor", address)
    premises.init()
    store = connect()
    recorded = record(store, play(BETTING))
    assert premises.sign(1).number == 1
    assert premises.sign(2).at == 1  # nothing has come
    fill(recorded, 70_000)
    assert sign(store, signing_key(premises.keys), 3, tmp_path / "other", store).number == 2
    fill(recorded, 70_001)
    assert premises.sign(4).number == 3
    assert [mark.at for mark in read(premises.checkpoints)] == [1, 3, 4]
    assert trusted_key(premises.public_key)
