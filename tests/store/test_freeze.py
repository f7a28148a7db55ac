"""A frozen owner and a jumping clock: who was away too long writes nothing, and the order is that of the numbers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from croupier.store.clock import Clock
from croupier.store.journal import Conflict, read_rows
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.transcript.play import play
from tests.store.conftest import Open
from tests.store.killed import made
from tests.support.processes import same_program
from tests.support.recorders import ANN, BETTING, bet, evenings, record, table_of

ROOT = Path(__file__).parents[2]
DAY = 24 * 60 * 60 * 1000
LEASE = 300
TAKEN = 3
"""The code with which an owner goes that has lost its table."""


def own(address: str) -> None:
    """Own a table: place a bet for every line on standard input; say a word and go when the table is another's."""
    store = SqliteStore(Path(address)) if address.startswith("/") else PostgresStore(address)
    clock, recorder = Clock(), record(store, play(BETTING))
    recorder.lease = recorder.store.renew(recorder.lease, clock.now(), LEASE)
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            recorder.give(bet(line.strip(), clock.now()))
        except Conflict as conflict:
            print(f"lost: {conflict}", flush=True)
            sys.exit(TAKEN)
        print("placed", flush=True)


class Owner:
    """A real process that owns the table."""

    def __init__(self, address: str) -> None:
        command = [sys.executable, "-c", f"from tests.store.test_freeze import own; own({address!r})"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=same_program(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self.hears() == "ready"

    def hears(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def says(self, id: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{id}\n")

    def signal(self, number: int) -> None:
        os.kill(self._process.pid, number)

    def ended(self) -> int:
        self._process.communicate(timeout=120)
        return self._process.returncode

    def __enter__(self) -> Owner:
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever became of the test, nobody is left behind frozen."""
        self._process.kill()
        self._process.communicate(timeout=120)


def address_of(store: SqliteStore | PostgresStore) -> str:
    return str(store.path) if isinstance(store, SqliteStore) else store._db.info.dsn


def test_a_frozen_owner_finds_its_table_taken_and_writes_nothing(open_store: Open) -> None:
    other = open_store()
    assert isinstance(other, SqliteStore | PostgresStore)
    with Owner(address_of(other)) as owner:
        owner.says("b1")
        assert owner.hears() == "placed"
        owner.signal(signal.SIGSTOP)
        with pytest.raises(Conflict, match=r"owned .* owner=one"):
            Recorder.recover(other, "two", Clock().now() - DAY, LEASE, "T")
        time.sleep(2 * LEASE / 1000)
        taken = Recorder.recover(other, "two", Clock().now(), 60_000, "T")
        taken.give(m.Restore("system", taken.at))
        taken.give(bet("c1"))
        owner.says("b2")  # it waits for the one who is frozen
        owner.signal(signal.SIGCONT)
        assert owner.hears().startswith("lost: store other-epoch stream=T")
        assert owner.ended() == TAKEN
    assert other.head("T") == taken.place
    assert [row.epoch for row in read_rows(other, "T")][-3:] == [taken.lease.epoch] * 3
    assert table_of(taken).seats[ANN].credit == 80_00
    assert not taken.give(bet("b2")).again  # never written: its resend is the first
    assert verify(other).lies == []


@pytest.mark.parametrize("days", [1, -1])
def test_the_walls_clock_may_jump_by_a_day_in_the_middle_of_a_round(
    days: int, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store, wall = Clock(), open_store(), time.time_ns
    recorder = record(store, play(BETTING))
    times = []
    for number in range(6):
        if number == 3:
            monkeypatch.setattr("time.time_ns", lambda: wall() + days * DAY * 1_000_000)
        times.append(clock.now())
        assert recorder.give(bet(f"b{number}", times[-1])).entry.refused is None
    assert times == sorted(times)
    assert times[-1] - times[0] < 60_000
    again = Recorder.recover(open_store(), "one", Clock(recorder.at).now(), 5_000, "T")
    struck = table_of(again).interruption
    assert struck is not None
    assert struck.at == recorder.at
    assert again.give(m.Restore("system", struck.at + 29_000)).entry.refused is None
    assert table_of(again).phase == "betting"  # 29 seconds, whatever the wall says
    assert [row.seq for row in read_rows(store, "T")] == list(range(1, again.place.seq + 1))
    assert verify(store).lies == []


@pytest.mark.parametrize("now", [0, 1, 10**15])
def test_a_restart_under_any_clock_recovers_the_same_table(now: int, open_store: Open) -> None:
    store, evening = open_store(), play(evenings()[0].read_text())
    recorder = made(store, "one", evening)
    half = [turn for turn in evening.turns if turn.events][: len(evening.turns) // 2]
    for turn in half:
        recorder.give(msgspec.structs.replace(turn.command, at=turn.command.at + 10**12))
    again = Recorder.recover(open_store(), "one", now, 5_000, evening.table.setup.table)
    assert table_of(again).seats == table_of(recorder).seats
    assert again.at == recorder.at == 10**12 + half[-1].command.at
    assert Clock(again.at).now() >= again.at  # what is given next is not older than what is there
    assert again.place.seq in (recorder.place.seq, recorder.place.seq + 1)
    assert verify(store).lies == []
