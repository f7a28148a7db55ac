"""What was ever written on disk can be read, replayed and verified for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.store.journal import FORMAT, Row, Snapshot
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from tests.support.golden_journal import FOLDER, file_of, read

FORMATS = sorted(FOLDER.glob("format-*.jsonl.gz"))


def adopted(folder: Path, rows: list[Row], states: list[Snapshot]) -> SqliteStore:
    store = SqliteStore(folder / "golden.db", reserve=0)
    for stream in {row.stream for row in rows}:
        store.adopt([row for row in rows if row.stream == stream], ())
    store.adopt((), states)
    return store


def test_there_is_one_of_every_format() -> None:
    assert [file_of(format) for format in range(1, FORMAT + 1)] == FORMATS


@pytest.mark.parametrize("file", FORMATS, ids=lambda file: file.name)
def test_a_golden_journal_replays(file: Path, tmp_path: Path) -> None:
    rows, states = read(file)
    store = adopted(tmp_path, rows, states)
    verdict = verify(store, rows_only=True)
    assert verdict.lies == []
    assert (verdict.rows, verdict.tables, sorted(verdict.others)) == (len(rows), 5, ["cage", "office"])
    kinds = {row.kind for row in rows}
    assert {"TableMade", "PlaceBet", "StateKept", "SellTicket", "BeginSession", "EnrolTerminal"} <= kinds
    for stream in store.streams():
        assert Recorder.recover(store, "test", 0, 1_000, stream).subject.name == stream
    store.close()


@pytest.mark.parametrize("file", FORMATS, ids=lambda file: file.name)
def test_a_golden_journal_that_was_changed_does_not(file: Path, tmp_path: Path) -> None:
    rows, states = read(file)
    number = next(number for number, row in enumerate(rows) if row.kind == "PlaceBet")
    rows[number] = rows[number]._replace(body=rows[number].body.replace(b'"stake":', b'"stake":1', 1))
    store = adopted(tmp_path, rows, states)
    assert verify(store, rows_only=True).lies
    store.close()
