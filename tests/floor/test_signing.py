"""No row stays unsigned longer than ten seconds: through kills, quiet hours, slow disks. Nothing waits for it.

How long rows were unsigned is computed here from the times in rows and checkpoints, not asked of the floor.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from croupier.floor import signing
from croupier.floor.config import read_tables
from croupier.floor.floor import Floor
from croupier.rules.money import Cents
from croupier.store import copies
from croupier.store.checkpoint import Checkpoint, read, read_chain, sign
from croupier.store.folder import Premises
from croupier.store.journal import Conflict
from croupier.store.sqlite import SqliteStore
from croupier.table import messages as m
from tests.support.checkpoint_receiver import Receiver, once, receiver
from tests.support.floors import TABLES, check, opened, until
from tests.support.processes import same_program

PROMISED = 10_000
KILLED_EVERY = 200
ALL = os.environ.get("CROUPIER_FAULTS") == "all"
ROWS = 5_000 if ALL else 1_000
LEASE = 5_000 if ALL else 1_000
"""Milliseconds for which a floor that was killed keeps its tables from the next."""


def rows_of(premises: Premises) -> int:
    if not (premises.folder / "floor.db").stat().st_size:
        return 0
    database = apsw.Connection(str(premises.folder / "floor.db"))
    [(rows,)] = database.execute("SELECT count(*) FROM journal")
    database.close()
    return int(rows)


def longest_unsigned(premises: Premises) -> tuple[int, int]:
    """For how many milliseconds a row was unsigned at most, until now if it still is; and how many rows there are."""
    lines = [json.loads(line) for line in premises.checkpoints.read_text().splitlines()]
    database = apsw.Connection(str(premises.folder / "floor.db"))
    rows = list(database.execute("SELECT stream, seq, at FROM journal"))
    database.close()
    end, longest = time.time_ns() // 1_000_000, 0
    for stream, seq, at in rows:
        knowing = (line["at"] for line in lines if line["heads"].get(stream, [0])[0] >= seq)
        longest = max(longest, min(knowing, default=end) - at)
    return longest, len(rows)


def test_a_row_is_signed_soon_after_it_came_and_quiet_hours_sign_nothing(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "AFTER", 300)

    async def play() -> None:
        async with opened(premises) as floor:
            await until(lambda: floor.signing.last and not floor.signing.rows)
            begun = len(read(premises.checkpoints))
            await asyncio.sleep(1.5)
            assert len(read(premises.checkpoints)) == begun
            live = floor.tables["taisai-nz"]
            await floor.give(live.recorder, m.OpenTable("Max", floor.clock.now()))
            assert floor.signing.rows
            await until(lambda: not floor.signing.rows, PROMISED / 1000)
            assert len(read(premises.checkpoints)) == begun + 1

    asyncio.run(play())
    assert longest_unsigned(premises)[0] < PROMISED
    check(premises)


def test_a_disk_that_hangs_delays_no_bet_and_raises_an_alert(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()

    def slow(*asked: Any) -> Checkpoint:
        assert answers.wait(60)
        return sign(*asked)

    monkeypatch.setattr(signing, "sign", slow)
    monkeypatch.setattr(signing, "LONG", 1_000)

    async def play() -> None:
        async with opened(premises) as floor:
            live = floor.tables["taisai-nz"]
            for _ in range(20):  # each is on disk while the signing hangs, or this would never end
                assert await floor.give(live.recorder, m.FillBank("Cass", floor.clock.now(), Cents(500)))
            await until(lambda: any(alert.case == "unsigned" for alert in floor.accounts.alerts.values()))
            assert floor.signing.last is None
            answers.set()
            await until(lambda: floor.signing.last is not None)

    asyncio.run(play())
    check(premises)


def test_what_is_not_on_disk_is_not_signed(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint of what is not on disk yet would call the journal a lie after a power cut."""
    monkeypatch.setattr(signing, "AFTER", 0)
    monkeypatch.setattr(signing, "LOOK", 0.01)
    append, known = SqliteStore.append, []

    def slow(store: SqliteStore, batch: object) -> None:
        time.sleep(0.02)  # decided, and not on disk
        marks = read(premises.checkpoints) if premises.checkpoints.exists() else []
        known.append(marks[-1].heads.get("taisai-nz", (0, ""))[0] if marks else 0)
        assert known[-1] <= store.head("taisai-nz").seq
        append(store, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteStore, "append", slow)

    async def play() -> None:
        async with opened(premises) as floor:
            live = floor.tables["taisai-nz"]
            while len(known) < 60 or not max(known):  # until a checkpoint of this table was made between two appends
                assert await floor.give(live.recorder, m.FillBank("Cass", floor.clock.now(), Cents(500))) is not None
                await asyncio.sleep(0.001)

    async def bounded() -> None:
        async with asyncio.timeout(120):
            await play()

    asyncio.run(bounded())
    check(premises)


def test_killed_again_and_again_no_row_is_unsigned_for_longer_than_promised(premises: Premises) -> None:
    """Each life of the server ends with kill -9 before its own clock would have signed anything."""
    lives = 0
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.floor.test_signing"],
        env=same_program(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        while rows_of(premises) < ROWS:
            print(premises.folder, file=server.stdin, flush=True)
            assert server.stdout.readline() == "killed\n"
            lives += 1
            assert lives <= ROWS // KILLED_EVERY + 2
    finally:
        server.stdin.close()
        server.wait(60)
        server.stdout.close()
    asyncio.run(_ended(premises))
    longest, rows = longest_unsigned(premises)
    assert rows >= ROWS
    assert longest <= PROMISED, f"a row was unsigned for {longest} ms"
    assert len(read(premises.checkpoints)) >= lives
    assert read_chain([premises.checkpoints], premises.public_key).lies == []
    check(premises)


def test_a_start_that_cannot_sign_knows_how_old_the_first_unsigned_row_is(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write() -> int:
        async with opened(premises) as floor:
            await until(lambda: floor.signing.last)
            at = floor.clock.now()
            await floor.give(floor.tables["taisai-nz"].recorder, m.OpenTable("Max", at))
            monkeypatch.setattr(signing, "sign", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
            with pytest.raises(OSError, match="full"):
                await floor.signing.end()
            monkeypatch.setattr(floor.signing, "end", floor.signing.copied)
        return at

    async def again(at: int) -> None:
        floor = Floor(premises, read_tables(TABLES), "test")
        await floor.open()
        await until(lambda: floor.signing.trouble)
        assert floor.signing.since == at
        now = floor.clock.now()
        assert floor.signing.age >= now - at
        monkeypatch.undo()
        await until(lambda: not floor.signing.rows)
        await floor.close()

    at = asyncio.run(write())
    time.sleep(1)
    asyncio.run(again(at))
    check(premises)


def test_a_floor_sends_each_checkpoint_at_once_and_the_next_start_sends_the_rest(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(signing, "LAST_COPIES", 60)

    async def play(server: Receiver, opens: int) -> None:
        floor = Floor(Premises(premises.folder, copies=(server.address,)), read_tables(TABLES), "test")
        await floor.open()
        await until(lambda: floor.signing.last)
        recorder = floor.tables["taisai-nz"].recorder
        for _ in range(opens):
            await floor.give(recorder, m.FillBank("Cass", floor.clock.now(), Cents(500)))
            await floor.signing.sign()
        if not server.fails():
            await until(lambda: once(server.lines) == premises.checkpoints.read_bytes().splitlines(keepends=True))
        begun = time.monotonic()
        await floor.close()
        assert time.monotonic() - begun < 20

    with receiver() as server:
        asyncio.run(play(server, 3))
        first = len(server.lines)
        server.fails = lambda: "503"
        monkeypatch.setattr(signing, "LAST_COPIES", 0.2)  # it closes soon, although nothing is taken
        asyncio.run(play(server, 3))
        assert len(server.lines) == first
        server.fails = lambda: ""
        monkeypatch.setattr(signing, "LAST_COPIES", 60)
        asyncio.run(play(server, 0))
        assert once(server.lines) == premises.checkpoints.read_bytes().splitlines(keepends=True)
    check(premises)


async def _opened(premises: Premises, owner: str) -> Floor:
    """A floor, opened as soon as the leases of the one that was killed are over, as `serve` does."""
    waited = 0
    while True:
        floor = Floor(premises, read_tables(TABLES), owner, LEASE)
        try:
            await floor.open(waited)
        except Conflict:
            await floor.abandon()
            await asyncio.sleep(0.2)
            waited = floor.clock.now()
        else:
            return floor


async def _ended(premises: Premises) -> None:
    await (await _opened(premises, "last")).close()


async def _life(premises: Premises) -> None:
    """Rows, and then death."""
    floor = await _opened(premises, f"life-{os.getpid()}")
    recorder = floor.tables["taisai-nz"].recorder
    for _ in range(KILLED_EVERY):
        answer = await floor.give(recorder, m.FillBank("Cass", floor.clock.now(), Cents(500)))
        assert answer is not None
        await asyncio.sleep(0.008)  # so that all lives together last longer than what is promised
    os.kill(os.getpid(), signal.SIGKILL)


def _live_and_die(folder: str) -> None:
    """In a process of its own, for which everything is imported already."""
    child = os.fork()
    if not child:
        asyncio.run(_life(Premises(Path(folder))))
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    print("killed", flush=True)


if __name__ == "__main__":
    for line in sys.stdin:
        _live_and_die(line.strip())
