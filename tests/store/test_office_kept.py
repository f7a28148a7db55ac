"""The office on disk, on both stores: recovered byte for byte, verified, archived, and a lie in it is named."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from croupier.office import messages as o
from croupier.store import recorder as record_module
from croupier.store.archive import Archived, archive
from croupier.store.journal import Store, read_rows
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.made import OfficeMade
from croupier.store.verify import verify
from croupier.table.messages import PersonId, SeatId
from tests.store.conftest import Open

ANN, BEN = PersonId("Ann"), PersonId("Ben")


def busy(store: Store, rows: int) -> Recorder:
    """An office after many days, with some refusals."""
    made = OfficeMade("office", {ANN: ("administrator",), BEN: ("dealer",)})
    recorder = Recorder.make(store, "one", 1, 5_000, made)
    for number in range(rows):
        key, at = f"{number:064x}", 10 + number
        recorder.give(
            (
                o.BeginSession("system", at, BEN, key, "here"),
                o.EnrolTerminal("Ann", at, key, "T1", SeatId(f"A{number % 7}")),
                o.RaiseAlert("system", at, "slow", "T1", f"late by {number % 9}"),
                o.NoteFailure("system", at, ANN, "wrong", "there", 1),
                o.EnrolTerminal("Ben", at, key, "T1", SeatId("A1")),
            )[number % 5]
        )
    return recorder


def test_an_office_recovered_is_the_office_that_stopped(
    store: Store, open_store: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 20)
    stopped = busy(store, 150)
    assert len(store.snapshots("office")) > 1
    assert [row.kind for row in read_rows(store, "office")].count("EnrolTerminal") == 60
    again = Recorder.recover(open_store(), "one", 5_000, 5_000, "office")
    assert again.subject.state() == stopped.subject.state()
    assert again.place == stopped.place, "recovery of an office writes nothing"
    assert verify(store).lies == []
    part = archive(store, "office", 100, tmp_path)
    assert part is not None
    with Archived(store, tmp_path) as whole:
        assert verify(whole).lies == []
        assert len(list(read_rows(whole, "office"))) == stopped.place.seq
    assert Recorder.recover(open_store(), "one", 9_000, 5_000, "office").subject.state() == stopped.subject.state()


def test_a_role_given_by_an_editor_of_the_database_is_a_lie(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    made = OfficeMade("office", {ANN: ("administrator",), BEN: ("dealer",)})
    Recorder.make(store, "one", 1, 5_000, made).give(o.SetRoles("Ann", 2, BEN, ("cashier",)))
    store.close()
    db = apsw.Connection(str(tmp_path / "floor.db"))
    lie = "CAST(replace(CAST(body AS TEXT), 'cashier', 'auditor') AS BLOB)"
    db.execute(f"UPDATE journal SET body = {lie} WHERE seq = 2")
    db.close()
    store = SqliteStore(tmp_path / "floor.db")
    assert [(lie.stream, lie.seq) for lie in verify(store).lies] == [("office", 2)]
    store.close()
