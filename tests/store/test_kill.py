"""Killed at any named point, a floor recovers, and the evening ends as if undisturbed or by its clause.

The processes and the kill -9 are real. `make faults` kills at every command of five evenings and at every kind of
command of five books; otherwise a few are drawn.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from croupier.rules.library import rulebook_ids
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table.messages import AnyCommand
from croupier.transcript.play import play
from tests.store.killed import (
    GROUPED,
    POINTS,
    RECOVERING,
    RECOVERY,
    RESTORING,
    Ended,
    Job,
    Told,
    check_end,
    evening_named,
    give_turns,
    given,
    made,
    transcripts,
)
from tests.support.processes import same_program
from tests.support.recorders import TRANSCRIPTS, evenings

ROOT = Path(__file__).parents[2]
ALL = os.environ.get("CROUPIER_FAULTS") == "all"
BOOKS = rulebook_ids()
LONG = {file.parent.name: str(file) for file in evenings()[::3]}
"""The longest evening of every book."""


class Server:
    """The program that forks a process for every job."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.store.killed"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=same_program(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def do(self, job: Job) -> Told:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(msgspec.json.encode(job) + b"\n")
        self._process.stdin.flush()
        told = msgspec.json.decode(self._process.stdout.readline(), type=Told)
        assert not told.error, (job, told.error)
        return told

    def close(self) -> None:
        self._process.communicate(timeout=60)


class Tally:
    """Kills that really happened, by what they hit."""

    def __init__(self) -> None:
        self.kills = 0
        self.in_recovery = 0
        self.ends: dict[str, int] = {}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="module")
def tally(pytestconfig: pytest.Config) -> Iterator[Tally]:
    tally = Tally()
    yield tally
    ends = ", ".join(f"{count} {how}" for how, count in sorted(tally.ends.items()))
    told = f"\n{tally.kills} kills -9 and {tally.in_recovery} more in recovery; evenings that ended: {ends}"
    with pytestconfig.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(told)


def killed_at(server: Server, tally: Tally, first: Job, again: tuple[str, int]) -> None:
    """Kill at a point of a command, once more in recovery, then let it recover, and look at how it ended."""
    evening, name = evening_named(first.evening), evening_named(first.evening).table.setup.table
    told = server.do(first)
    if first.point == "waiting" and not told.signal:
        return  # a group of nothing but commands that go alone: none of them waits
    assert told.signal == 9, first
    store = SqliteStore(Path(first.database), reserve=0)
    on_disk = store.head(name).seq - 1
    assert told.answered <= on_disk <= told.answered + first.group  # what was answered is on disk
    assert verify(store).lies == []
    store.close()
    second = msgspec.structs.replace(
        first, answered=told.answered, on_disk=on_disk, point=again[0], number=again[1], group=1
    )
    told = server.do(second)
    tally.kills += 1
    if told.signal:
        tally.in_recovery += 1
        told = server.do(msgspec.structs.replace(second, point=""))
    assert told.ended is not None
    tally.ends[told.ended.how] = tally.ends.get(told.ended.how, 0) + 1
    store = SqliteStore(Path(first.database), reserve=0)
    check_end(store, evening, on_disk, told.ended)
    store.close()


SECOND = [(point, number) for number in (RECOVERING, RESTORING) for point in RECOVERY]


def kills(evening: str, numbers: list[int], points: tuple[str, ...], group: int, share: int) -> Iterator[Job]:
    """A job for every command and point, or a few of them by chance."""
    jobs = [Job("", evening, point, number, group) for number in numbers for point in points]
    yield from jobs if ALL else random.Random(f"{evening[-20:]} {group}").sample(jobs, min(share, len(jobs)))


def kill_all(server: Server, tally: Tally, jobs: Iterator[Job], folder: Path) -> None:
    for count, job in enumerate(jobs):
        database = str(folder / f"{count}.db")
        killed_at(server, tally, msgspec.structs.replace(job, database=database), SECOND[count % len(SECOND)])
        for file in folder.glob(f"{count}.db*"):
            file.unlink()


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("group", [1, 5])
def test_a_kill_loses_nothing_that_was_answered(
    server: Server, tally: Tally, book: str, group: int, tmp_path: Path
) -> None:
    numbers = list(range(len(given(evening_named(LONG[book])))))
    kill_all(server, tally, kills(LONG[book], numbers, GROUPED if group > 1 else POINTS, group, 6), tmp_path)


@pytest.mark.parametrize("book", BOOKS)
def test_a_kill_in_every_kind_of_command_loses_nothing(server: Server, tally: Tally, book: str, tmp_path: Path) -> None:
    chosen = by_kind(book)
    assert {kind for kind, _ in chosen.values()} == {kind.__name__ for kind in get_args(AnyCommand)}
    share = random.Random(book).sample(list(chosen), len(chosen) if ALL else 8)
    for count, (evening, number) in enumerate(share):
        points = POINTS if ALL else (POINTS[count % len(POINTS)],)
        folder = tmp_path / str(count)
        folder.mkdir()
        kill_all(server, tally, kills(evening, [number], points, 1, 1), folder)


def by_kind(book: str) -> dict[tuple[str, int], tuple[str, bool]]:
    """A command of every kind, accepted and refused where the transcripts of a book have both."""
    found: dict[tuple[str, bool], tuple[str, int]] = {}
    for name in [*map(str, transcripts(book)), book]:
        for number, turn in enumerate(given(evening_named(name))):
            found.setdefault((type(turn.command).__name__, turn.refused is None), (name, number))
    return {place: kind for kind, place in found.items()}


@pytest.mark.parametrize(
    "file",
    [
        "rws-sicbo-etg-v2/5.4-current-and-past-in-one-act.round",
        "rws-sicbo-etg-v2/5.4-open-stakes-count-first.round",
        "rws-taisai-v5/5.6-past-and-present-in-one-act.round",
    ],
)
def test_an_act_on_the_open_round_and_on_past_ones_is_recovered(file: str, tmp_path: Path) -> None:
    evening = play((TRANSCRIPTS / file).read_text())
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    turns = given(evening)
    assert list(give_turns(made(store, "one", evening), turns))[-1] == len(turns)
    check_end(store, evening, len(turns), Ended("resumed"))
    store.close()
