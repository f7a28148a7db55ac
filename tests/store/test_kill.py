"""Killed at every named point of the pipeline, a floor recovers, and the evening ends as if undisturbed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.store.record import RecordedTable
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.transcript.play import play
from tests.store.child import POINTS, given
from tests.store.test_record import evenings

ROOT = Path(__file__).parents[2]
ALL = os.environ.get("CROUPIER_FAULTS") == "all"
"""`make faults` kills at every command; otherwise a few are drawn."""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.store.child", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def killed_at(file: Path, point: str, number: int, folder: Path) -> None:
    """Kill once, start again, and compare the end with an undisturbed evening."""
    evening, database = play(file.read_text()), folder / f"{point}-{number}.db"
    first = run(str(database), str(file), point, str(number))
    assert first.returncode == -9, first.stderr
    answered = [int(line) for line in first.stdout.split()]
    with_store = SqliteStore(database)
    rows = with_store.head(evening.table.setup.table)[0]
    with_store.close()
    assert rows - 1 >= len(answered)  # what was answered is on disk
    second = run(str(database), str(file))
    assert second.returncode == 0, second.stderr
    store = SqliteStore(database)
    table = RecordedTable.recover(store, "judge", 10**10, 5_000, evening.table.setup.table)
    assert table.seq == len(given(evening)) + 1
    assert table.table.seats == evening.table.seats
    assert table.table.past == evening.table.past
    assert table.balances == evening.balances
    assert verify(store).lies == []
    store.close()


@pytest.mark.parametrize("file", evenings()[::3], ids=lambda file: file.parent.name)
@pytest.mark.parametrize("point", POINTS)
def test_a_kill_loses_nothing_that_was_answered(file: Path, point: str, tmp_path: Path) -> None:
    numbers = list(range(len(given(play(file.read_text())))))
    rng = random.Random(f"{file.name} {point}")
    for number in numbers if ALL else rng.sample(numbers, 1):
        killed_at(file, point, number, tmp_path)
