"""A round that stands still because a device contradicts a person: over a restart and a takeover, and in the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.store.disagreements import By, counted, disagreements
from croupier.store.journal import Store
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table import snapshot
from croupier.table.evidence import waiting_decision
from croupier.table.messages import DeviceReport
from croupier.table.state import Motion
from croupier.transcript.play import play
from tests.support.recorders import record, table_of

STANDS_STILL = """table T rws-sicbo-etg-v2 A
seat Ann 100.00

Dana calls place your bets
Ann bets 10.00 on small
Dana calls no more bets
Dana activates the tumbler
Dev counts 3
Dev senses 1-3-4
Dana reports not-flat because the third die leans
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return SqliteStore(tmp_path / "floor.db")


def decision(recorded: Recorder, kind: type[m.Approve | m.Decline], at: int) -> m.AnyCommand:
    asked = waiting_decision(table_of(recorded))
    assert asked is not None
    return m.Approve("Sam", at, asked.number, asked.digest) if kind is m.Approve else m.Decline("Sam", at, asked.number)


@pytest.mark.parametrize("taken_over", [False, True])
def test_a_round_that_stands_still_still_does_after_a_restart_and_a_takeover(store: Store, taken_over: bool) -> None:
    recorded = record(store, play(STANDS_STILL))
    rows, before = recorded.place.seq, recorded.subject.state()
    if taken_over:
        again = Recorder.follow(store, "T")
        again.take_over("two", 99_000, 5_000)
    else:
        again = Recorder.recover(store, "two", 99_000, 5_000, "T")
    assert again.subject.state() == before
    assert again.place.seq == rows, "nothing happens to a round that stands still: it is not interrupted as well"
    for command in (
        m.PressKey("Dana", 99_001, "1"),
        m.Restore("system", 99_001),
        m.Interrupt("Dana", 99_001, "server"),
    ):
        refused = again.give(command).entry.refused
        assert refused is not None
        assert refused.reason == "standstill"
    # Nobody has to hurry: the request does not expire.
    assert again.give(decision(again, m.Approve, 10**12)).entry.refused is None
    assert table_of(again).past[m.RoundNumber(1)].void_clause == "5.3.2"
    assert verify(store).lies == []


def test_the_report_names_person_table_device_and_the_decision(store: Store) -> None:
    void = record(store, play(STANDS_STILL))
    goes_on = record(store, play(STANDS_STILL.replace("table T ", "table U ")))
    record(store, play(STANDS_STILL.replace("table T ", "table V ")))
    void.give(decision(void, m.Approve, 7_000))
    goes_on.give(decision(goes_on, m.Decline, 8_000))
    found = disagreements(store, ("T", "U", "V"))
    assert [(one.table, one.ending, one.decided_by, one.decided_at) for one in found] == [
        ("T", "void", "Sam", 7_000),
        ("U", "goes-on", "Sam", 8_000),
        ("V", "waiting", "", 0),
    ]
    first = found[0]
    assert (first.round, first.person, first.irregularity, first.clause) == (1, "Dana", "not-flat", "5.3.2")
    assert first.note == "the third die leans"
    assert first.device == DeviceReport("Dev", False, 3, "1-3-4")
    expected: dict[By, list[tuple[str, int, int]]] = {
        "person": [("Dana", 3, 1)],
        "table": [("T", 1, 1), ("U", 1, 0), ("V", 1, 0)],
        "device": [("Dev", 3, 1)],
    }
    for by, counts in expected.items():
        assert [(one.name, one.disagreements, one.voids) for one in counted(found, by)] == counts
    assert disagreements(store, ("T",), begin=1) == ()


def test_a_table_of_before_has_heard_no_device() -> None:
    """A state that was written before devices were remembered is read: a round in flight has reports of nobody."""
    table = play(STANDS_STILL).table
    body = snapshot.dump(table)
    assert snapshot.load(table.setup, body).motion == Motion(True, 3, ("count",), "Dev")
    assert Motion(True, 3) == Motion(True, 3, (), "")
