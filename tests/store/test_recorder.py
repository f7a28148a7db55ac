"""Tables on disk: what was played is there, comes back after a restart, and every lie about it is found."""

from __future__ import annotations

import itertools
import os
import random
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, update_wrapper
from pathlib import Path

import apsw
import msgspec
import pytest

from croupier import ledger
from croupier.rules.bad_input import Unreadable
from croupier.rules.findings import found
from croupier.rules.money import MOST, Cents
from croupier.rules.refusal import Refused
from croupier.store import history as recall_module
from croupier.store import recorder as record_module
from croupier.store import verify as verify_module
from croupier.store.checkpoint import is_signed, make_keys, read, sign, signing_key, trusted_key
from croupier.store.clock import Clock
from croupier.store.commit import give_all
from croupier.store.history import Untrue, evening_of
from croupier.store.journal import Append, Conflict, Full, Indeterminate, Row, Store, read_rows
from croupier.store.recorder import Lost, Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams import entry as entry_module
from croupier.store.streams import table as table_module
from croupier.store.streams.entry import STATE, AnyEntry, StateKept, is_read
from croupier.store.streams.subjects import shrunk
from croupier.store.streams.table import made_of
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.snapshot import dump
from croupier.table.tickets import ticket_number
from croupier.transcript.play import play, write
from tests.store.conftest import Open
from tests.support.recorders import (
    ANN,
    BETTING,
    TRANSCRIPTS,
    bet,
    correct,
    evenings,
    long_evening,
    record,
    table_of,
    text_of,
    two_tables,
)


@pytest.mark.parametrize("file", evenings(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_an_evening_on_disk_is_the_evening(file: Path, store: Store, open_store: Open) -> None:
    evening = play(file.read_text())
    recorded = record(store, evening)
    assert verify(store).lies == []
    assert [turn.events for turn in evening_of(store, evening.table.setup.table).turns] == [
        turn.events for turn in evening.turns
    ]
    assert play(write(evening_of(store, evening.table.setup.table))).table.seats == evening.table.seats
    before = recorded.subject.state()
    again = Recorder.recover(open_store(), "one", 1, 5_000, evening.table.setup.table)
    assert dump(table_of(recorded)) == dump(evening.table)
    assert recorded.subject.balances == evening.balances
    if again.place == recorded.place:  # nothing was under way
        assert again.subject.state() == before
    else:
        assert table_of(again).phase == "interrupted"
        assert again.place.seq == recorded.place.seq + 1
    assert verify(store).lies == []


def test_a_resend_after_a_restart_gets_the_first_answer_and_a_changed_one_is_refused(
    store: Store, open_store: Open
) -> None:
    recorded = record(store, play(BETTING))
    first = recorded.give(bet("b1"))
    again = Recorder.recover(open_store(), "two", 10_000, 5_000, "T")
    for at in range(6, 50):
        answer = again.give(bet("b1", at))
        assert answer.again
        assert answer.entry == first.entry
    changed = again.give(bet("b1", 7, stake=2000))
    assert changed.entry.refused is not None
    assert changed.entry.refused.reason == "resend"
    assert table_of(again).seats[ANN].credit == 90_00
    with pytest.raises(Conflict):  # the first owner has lost the table
        recorded.give(m.CallNoMoreBets("Dana", 60))
    with pytest.raises(Lost):
        recorded.give(m.CallNoMoreBets("Dana", 61))


def test_any_command_counts_once_under_an_id_of_its_giver(store: Store) -> None:
    recorded = record(store, play(BETTING))
    sell = m.SellCredit("Cass", 5, ANN, Cents(500))
    answers = [recorded.give(sell, "Cass 1"), recorded.give(sell, "Cass 1"), recorded.give(sell, "Cass 2")]
    assert [answer.again for answer in answers] == [False, True, False]
    assert table_of(recorded).seats[ANN].credit == 110_00
    assert recorded.give(m.SellCredit("Cass", 6, ANN, Cents(700)), "Cass 1").entry.refused is not None
    assert verify(store).lies == []


def test_a_stopped_append_leaves_the_table_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = record(store, play(BETTING))
    before = recorded.subject.state()
    with monkeypatch.context() as patched:
        patched.setattr(store, "append", _fails)
        with pytest.raises(OSError, match="disk"):
            recorded.give(bet("b1"))
    assert recorded.subject.state() == before
    recorded.give(bet("b1"))
    assert table_of(recorded).seats[ANN].credit == 90_00
    assert verify(store).lies == []


def _raise(failure: Exception) -> None:
    raise failure


def _fails(batch: object) -> list[bytes]:
    raise OSError("disk on fire")


@pytest.mark.parametrize("name", ["T/1", "", "T 1", "#1", "T" * 65])
def test_a_table_needs_a_name_that_can_be_written(name: str, store: Store) -> None:
    made = made_of(play(BETTING), text_of(play(BETTING)))
    with pytest.raises(Refused) as refused:
        Recorder.make(store, "one", 0, 5_000, msgspec.structs.replace(made, table=name))
    assert refused.value.reason == "name"
    assert store.streams() == []


def test_an_amount_no_account_can_hold_is_refused(store: Store) -> None:
    recorded = record(store, play(BETTING))
    refused = recorded.give(m.SellCredit("Cass", 5, ANN, Cents(10**18))).entry.refused
    assert refused is not None
    assert (refused.case, refused.facts["most"]) == ("too-large", MOST)
    assert verify(store).lies == []


# ---- many at once


def test_a_group_is_one_commit_with_the_same_rows_as_one_by_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = two_tables(store)
    commits: list[int] = []
    append = store.append

    def counted(batch: Sequence[Append]) -> None:
        commits.append(len(batch))
        append(batch)

    monkeypatch.setattr(store, "append", counted)
    work = [(one, bet("b1"), ""), (two, bet("b1"), ""), (one, bet("b2", stake=9100), ""), (one, bet("b1"), "")]
    answers = give_all(store, [*work, (two, m.CallNoMoreBets("Dana", 9), "")])
    assert commits == [2]
    assert [answer is not None and answer.entry.refused is None for answer in answers] == [
        True,
        True,
        False,
        True,
        True,
    ]
    assert [answer is not None and answer.again for answer in answers] == [False, False, False, True, False]
    assert [recorder.place for recorder in (one, two)] == [store.head("T1"), store.head("T2")]
    assert verify(store).lies == []


@pytest.mark.parametrize("together", [True, False], ids=["in a group", "one by one"])
def test_every_command_taken_or_refused_leaves_one_row_that_says_who_what_and_when(
    store: Store, together: bool
) -> None:
    recorded = record(store, play(BETTING))
    before = recorded.place.seq
    commands: list[tuple[m.AnyCommand, str]] = [
        (bet("b1"), ""),  # taken
        (bet("b2", 6, stake=3_33), "limits"),
        (m.OpenBetting("Ann", 7), "permission"),
        (bet("b1", 8, stake=20_00), "resend"),  # refused at the door
        (m.SellCredit("Cass", 9, ANN, Cents(0)), "amount"),
        (cash_out(10), ""),  # goes alone
        (m.CashOut("Ann", 11, ANN, Cents(900_00), ticket_number(5), 10**9), "credit"),
        (bet("b1", 12), ""),  # the same again: it was written
    ]
    if together:
        answers = give_all(store, [(recorded, command, "") for command, _ in commands])
    else:
        answers = [recorded.give(command) for command, _ in commands]
    rows = list(read_rows(store, "T", before))
    assert [(row.kind, row.at) for row in rows] == [(type(one).__name__, one.at) for one, _ in commands[:-1]]
    for row, answer, (command, _) in zip(rows, answers, commands, strict=False):
        entry = recorded.subject.read(row)
        assert answer is not None
        assert entry == answer.entry
        assert (entry.command.by, entry.command.at) == (command.by, command.at)
    refused = [entry.refused for entry in map(recorded.subject.read, rows)]
    assert [one is not None for one in refused] == [bool(why) for _, why in commands[:-1]]
    assert verify(store).lies == []


def test_in_a_group_the_table_of_a_stale_owner_holds_up_no_other(store: Store, open_store: Open) -> None:
    one, two = two_tables(store)
    open_store().take("T1", "other", 10_000, 5_000)
    answers = give_all(store, [(one, bet("b1"), ""), (two, bet("b1"), "")])
    assert answers[0] is None
    assert answers[1] is not None
    assert not one.owned
    assert two.owned
    assert give_all(store, [(one, bet("b2"), ""), (two, bet("b2"), "")])[0] is None
    assert table_of(Recorder.recover(open_store(), "other", 10_001, 5_000, "T1")).seats[ANN].credit == 100_00
    assert verify(store).lies == []


def test_a_group_whose_commit_fails_is_lost_and_recovered(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_tables(store)
    with monkeypatch.context() as patched:
        patched.setattr(store, "append", _fails)
        assert give_all(store, [(one, bet("b1"), ""), (two, bet("b1"), "")]) == [None, None]
    assert not one.owned
    assert not two.owned
    assert isinstance(one.ownership.why, Indeterminate)
    assert give_all(store, [(one, bet("b1"), "")]) == [None]
    again = Recorder.recover(open_store(), "two", 10_000, 5_000, "T1")
    assert table_of(again).seats[ANN].credit == 100_00


def test_what_is_written_stream_by_stream_and_stops_at_one_is_answered_for_none_after_it(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_tables(store)
    failures = iter(
        [Conflict(found("store", "faster", error="")), Indeterminate(found("store", "no-answer", error=""))]
    )
    with monkeypatch.context() as patched:
        patched.setattr(store, "append", lambda _: _raise(next(failures)))
        assert give_all(store, [(one, bet("b1"), ""), (two, bet("b1"), "")]) == [None, None]
    assert [recorder.owned for recorder in (one, two)] == [False, False]
    assert all(isinstance(recorder.ownership.why, Indeterminate) for recorder in (one, two))
    again = Recorder.recover(open_store(), "two", 10_000, 5_000, "T2")
    assert table_of(again).seats[ANN].credit == 100_00
    assert verify(store).lies == []


def test_a_table_whose_money_does_not_add_up_stops_with_nothing_of_its_group_on_disk(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_tables(store)
    before = one.place.seq
    place_bets = [(recorder, bet(f"b{number}"), "") for number in (1, 2) for recorder in (one, two)]
    monkeypatch.setattr(table_module, "post", _with_a_cent_too_few("T1"))
    answers = give_all(store, place_bets)
    assert [answer is None for answer in answers] == [True, False, True, False]
    assert not one.owned
    assert isinstance(one.ownership.why, AssertionError)
    assert two.owned
    assert (store.head("T1").seq, store.head("T2").seq) == (before, before + 2)
    assert give_all(store, [(one, bet("b3"), ""), (two, bet("b3"), "")])[0] is None
    assert verify(store).lies == []


def _with_a_cent_too_few(name: str) -> Callable[[str, m.AnyEvent], list[ledger.Transfer]]:
    """A bug at one table: the second bet moves a cent less than its stake."""
    seen = list[str]()

    def wrong(table: str, event: m.AnyEvent) -> list[ledger.Transfer]:
        seen.append(table)
        less = int(table == name and seen.count(name) == 2)
        return [msgspec.structs.replace(one, amount=one.amount - less) for one in ledger.post(table, event)]

    return wrong


def test_a_table_that_hits_a_bug_stops_by_itself(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = two_tables(store)
    before, apply, applied = one.place.seq, one.subject.apply, itertools.count(1)

    def applying(entry: AnyEntry, transfers: Iterable[ledger.Transfer]) -> None:
        assert next(applied) != 2, "we are wrong"
        apply(entry, transfers)

    monkeypatch.setattr(one.subject, "apply", applying)
    work = [(recorder, bet(f"b{number}"), "") for number in (1, 2, 3) for recorder in (one, two)]
    answers = give_all(store, work)
    assert [answer is None for answer in answers] == [True, False] * 3
    assert not one.owned
    assert isinstance(one.ownership.why, AssertionError)
    assert (store.head("T1").seq, store.head("T2").seq) == (before, before + 3)
    assert verify(store).lies == []


TICKET = ticket_number(4711)


def cash_out(at: int = 8) -> m.CashOut:
    """An act that goes into no group."""
    return m.CashOut("Ann", at, ANN, Cents(10_00), TICKET, 10**9)


@pytest.mark.parametrize("word", [Full, Indeterminate])
def test_what_is_on_disk_is_answered_whatever_happens_to_the_act_after_it(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch, word: type[Exception]
) -> None:
    recorded, appends, append = record(store, play(BETTING)), itertools.count(1), store.append
    sell = m.SellCredit("Cass", 7, ANN, Cents(500))  # without an id: given again, it would count again

    def appending(batch: Sequence[Append]) -> None:
        if next(appends) == 2:
            raise word("the disk")
        append(batch)

    monkeypatch.setattr(store, "append", appending)
    work = [(recorded, sell, ""), (recorded, cash_out(), ""), (recorded, bet("b1", 9), "")]
    sold, cashed, placed = give_all(store, work)
    assert sold is not None
    assert sold.entry.refused is None
    assert cashed is None
    if word is Full:  # nothing of the act was written, and the table goes on
        assert placed is not None
        assert recorded.owned
        assert table_of(recorded).seats[ANN].credit == 95_00
        again = recorded
    else:
        assert placed is None
        assert isinstance(recorded.ownership.why, Indeterminate)
        again = Recorder.recover(open_store(), "one", 1, 5_000, "T")
        again.give(m.Restore("system", 10))
    cashed = give_all(again.store, [(again, cash_out(11), "")])[0]
    assert cashed is not None
    assert cashed.entry.refused is None
    assert table_of(again).seats[ANN].credit == (85_00 if word is Full else 95_00)
    assert verify(store).lies == []


def test_a_group_for_which_the_disk_has_no_room_is_forgotten_and_the_table_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_tables(store)
    before = [recorder.subject.state() for recorder in (one, two)]
    with monkeypatch.context() as patched:
        patched.setattr(store, "append", _full)
        commands = [(one, bet("b1"), ""), (two, bet("b1"), ""), (one, m.CallNoMoreBets("Dana", 1), "n")]
        answers = give_all(store, commands)
    assert answers.pop() is None  # what finishes the round is asked for again
    assert [one.entry.refused.reason for one in answers if one and one.entry.refused] == ["disk", "disk"]
    assert [recorder.subject.state() for recorder in (one, two)] == before
    assert table_of(one).phase == "betting"  # nobody was away: nothing is interrupted
    answers = give_all(store, [(one, bet("b1"), ""), (two, bet("b1"), "")])
    assert [answer is not None and not answer.again for answer in answers] == [True, True]
    assert table_of(one).seats[ANN].credit == 90_00
    assert verify(store).lies == []


def _full(batch: object) -> None:
    raise Full(found("store", "full", error=""))


# ---- recovery


def test_a_round_under_way_is_interrupted_by_recovery_and_only_once(store: Store, open_store: Open) -> None:
    recorded = record(store, play(BETTING))
    recorded.give(bet("b1"))
    rows = recorded.place.seq
    for again in range(3):
        recovered = Recorder.recover(open_store(), f"try {again}", 20_000 + again * 10_000, 5_000, "T")
        assert table_of(recovered).phase == "interrupted"
        assert recovered.place.seq == rows + 1
    assert recovered.give(m.Restore("system", 25_000)).entry.refused is None
    assert table_of(recovered).phase == "betting"  # back in time: 30 seconds
    assert verify(store).lies == []


def test_the_interruption_begins_at_the_last_sign_of_life(store: Store, open_store: Open) -> None:
    recorded = record(store, play(BETTING))
    recorded.give(bet("b1"))
    store.renew(recorded.lease, 70_000, 5_000)
    recovered = Recorder.recover(open_store(), "two", 99_000, 5_000, "T")
    struck = table_of(recovered).interruption
    assert struck is not None
    assert struck.at == 70_000
    recovered.give(m.Restore("system", 100_001))
    assert table_of(recovered).round is None  # 30 seconds are over: void by 5.1.2
    assert table_of(recovered).seats[ANN].credit == 100_00


@pytest.mark.parametrize("kept", [False, True], ids=["from its rows", "from a kept state"])
def test_a_lock_outlives_a_restart_with_its_clause(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    recorded = record(store, play((TRANSCRIPTS / "nz-taisai-division9" / LOCKED).read_text()))
    clause = table_of(recorded).locked
    assert clause
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 1 if kept else 10_000)
    assert recorded.give(m.FillBank("Cass", recorded.at, Cents(100_00))).entry.refused is None
    assert bool(store.snapshots(recorded.name)) == kept
    again = Recorder.recover(open_store(), "two", recorded.at + 10_000, 5_000, recorded.name)
    assert table_of(again).locked == clause
    refused = again.give(m.OpenBetting("Dana", again.at)).entry.refused
    assert refused is not None
    assert refused.reason == "locked"


LOCKED = "7.4-malfunction-during-a-game.round"


def test_between_rounds_recovery_changes_nothing(store: Store, open_store: Open) -> None:
    recorded = record(store, play(BETTING.replace("Dana calls place your bets\n", "")))
    recovered = Recorder.recover(open_store(), "two", 99_000, 5_000, "T")
    assert recovered.place == recorded.place
    assert recovered.subject.state() == recorded.subject.state()


def test_replay_is_bounded_by_snapshots_and_any_old_round_can_be_corrected(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    recorded = long_evening(store, 80)
    assert len(store.snapshots("T")) >= 3
    assert len(table_of(recorded).past) == 10
    assert len(table_of(recorded).bet_rounds) == 10
    credit = table_of(recorded).seats[ANN].credit
    correct(recorded, 2, "1-1-2", 90_000)  # long forgotten, recalled from the journal
    assert table_of(recorded).seats[ANN].credit == credit + 200
    correct(recorded, 2, "4-5-6", 91_000)  # and once more, as it stands after the first correction
    assert table_of(recorded).seats[ANN].credit == credit
    monkeypatch.setattr(recall_module, "read_rows", counted := Counted())
    again = Recorder.recover(open_store(), "two", 99_000, 5_000, "T")
    assert counted.rows < 300  # of more than 800
    assert again.subject.state() == recorded.subject.state()
    assert list(table_of(again).past) == list(range(71, 81))
    assert verify(store).lies == []
    refused = again.give(m.CorrectResult("Sam", 99_500, m.RoundNumber(81), "1-1-2", "no such round")).entry.refused
    assert refused is not None


class Counted:
    """Reads rows, and counts them."""

    def __init__(self) -> None:
        self.rows = 0

    def __call__(self, store: Store, stream: str, after: int = 0) -> Iterator[Row]:
        for row in read_rows(store, stream, after):
            self.rows += 1
            yield row


@pytest.mark.parametrize("what", ["body", "row", "digest"])
def test_a_snapshot_that_lies_is_not_recovered_from(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 10)
    last = store.snapshots("T")[-1]
    if what == "body":
        table_of(recorded).seats[ANN].credit = Cents(1_000_000_00)
        lie = shrunk(recorded.subject.state())
        store._db.execute("UPDATE snapshots SET body = ? WHERE seq = ?", (lie, last))
    elif what == "row":
        store._db.execute("UPDATE snapshots SET seq = seq + 1 WHERE seq = ?", (last,))
    else:
        store._db.execute("UPDATE journal SET body = ? WHERE seq = ?", (b"{}", last))
    with pytest.raises((Untrue, Unreadable)):
        Recorder.recover(store, "two", 99_000, 5_000, "T")
    assert [lie.seq in (last, last + 1) for lie in verify(store).lies] == [True]


def test_a_state_written_by_another_version_is_told_again_by_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 10)
    assert store.snapshots("T")
    for module in (entry_module, verify_module):
        monkeypatch.setattr(module, "STATE", STATE + 1)
    monkeypatch.setattr(entry_module, "_OLDER_READ_OF_OTHERS", ())
    monkeypatch.setattr(recall_module, "read_rows", counted := Counted())
    again = Recorder.recover(store, "two", 99_000, 5_000, "T")
    assert counted.rows == recorded.place.seq - 1  # all but the first, which it begins with
    assert again.subject.state() == recorded.subject.state()
    assert verify(store).lies == []


def test_a_table_is_opened_from_a_state_that_version_three_wrote_where_the_rows_before_are_archived_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 4 changed the state of the office alone, version 5 only added fields that have a default."""
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    three = update_wrapper(partial(StateKept, version=3), StateKept)
    monkeypatch.setattr(record_module, "StateKept", three)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 10)
    store.forget("T", store.snapshots("T")[-1])
    again = Recorder.recover(store, "two", 99_000, 5_000, "T")
    assert again.subject.state() == recorded.subject.state()
    assert verify(store).lies == []
    assert not is_read("office", 3)
    assert not is_read("T", 2)
    assert not is_read("T", STATE + 1)  # a later program wrote it


def test_a_row_that_lies_is_not_recovered_from(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BETTING))
    store._db.execute("UPDATE transfers SET amount = amount + 1 WHERE seq = 3")
    with pytest.raises(Untrue, match="row 3"):
        Recorder.recover(store, "two", 99_000, 5_000, "T")
    store._db.execute("UPDATE transfers SET amount = amount - 1 WHERE seq = 3")
    store._db.execute("DELETE FROM journal WHERE seq = ?", (recorded.place.seq,))
    with pytest.raises(Untrue, match="row stands-at"):
        Recorder.recover(store, "two", 99_000, 5_000, "T")


@pytest.mark.parametrize(
    ("owner", "epoch", "seen", "until", "case"),
    [
        ("one", 1, 0, 0, None),
        ("one", 1, 5_000, 0, None),
        ("one", 1, 5_000, 5_000, None),
        ("one", 2, 5_000, 9_000, None),
        ("one", 0, 5_000, 9_000, "epoch-of-owner"),
        ("", 1, 5_000, 9_000, "owner"),
        ("one", 1, -1, 9_000, "owner"),
        ("one", 1, 5_000, 4_999, "owner"),
        ("one", 1, 5_000, 1, "owner"),
    ],
)
def test_a_stream_has_an_owner_who_can_have_written_its_rows(
    owner: str, epoch: int, seen: int, until: int, case: str | None, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    place = record(store, play(BETTING)).place
    assert verify(store).lies == []
    store._run("UPDATE streams SET owner = ?, epoch = ?, seen = ?, until = ?", (owner, epoch, seen, until))
    lies = [(lie.stream, lie.seq, lie.what.case) for lie in verify(store).lies]
    assert lies == ([("T", place.seq, case)] if case else [])
    store.close()


def test_the_clock_of_the_floor_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    first = clock.now()
    monkeypatch.setattr("time.time_ns", lambda: 0)  # the wall's clock jumps to 1970
    assert 0 <= clock.now() - first < 60_000
    assert Clock(first).now() >= first  # started again, it goes on from the last row
    monkeypatch.setattr("time.time_ns", lambda: 10**30)
    assert clock.now() - first < 60_000


# ---- lies


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A floor of five tables on SQLite, with a signed checkpoint beside it."""
    folder = tmp_path_factory.mktemp("floor")
    store = SqliteStore(folder / "floor.db")
    for number, file in enumerate(evenings()[::3]):
        text = file.read_text().replace("table T1 ", f"table T{number} ")
        record(store, play(text))
    make_keys(folder)
    sign(store, signing_key(folder), 1, folder / "checkpoints.jsonl")
    store.close()
    return folder / "floor.db", folder


COLUMNS = {
    "journal": ("stream", "seq", "format", "epoch", "at", "kind", "body", "hash"),
    "transfers": ("stream", "seq", "leg", "source", "target", "amount", "reason", "about"),
}


def edit(db: apsw.Connection, rng: random.Random) -> str | None:
    """One random lie: a field changed, a row dropped, two rows swapped, the end cut off. None if it changed nothing."""
    table = rng.choice(("journal", "journal", "transfers"))
    rows = list(db.execute(f"SELECT * FROM {table}"))
    columns = COLUMNS[table]
    keys = columns[: 2 if table == "journal" else 3]
    where = " AND ".join(f"{name} = ?" for name in keys)
    row = rng.choice(rows)
    what = rng.choice(("change", "change", "change", "drop", "swap", "cut"))
    try:
        if what == "drop":
            db.execute(f"DELETE FROM {table} WHERE {where}", row[: len(keys)])
        elif what == "cut":
            db.execute(f"DELETE FROM {table} WHERE stream = ? AND seq >= ?", row[:2])
        elif what == "swap":
            other = rng.choice(rows)
            mine, theirs = row[len(keys) :], other[len(keys) :]
            if mine == theirs:
                return None
            sets = ", ".join(f"{name} = ?" for name in columns[len(keys) :])
            db.execute(f"UPDATE {table} SET {sets} WHERE {where}", (*theirs, *row[: len(keys)]))
            db.execute(f"UPDATE {table} SET {sets} WHERE {where}", (*mine, *other[: len(keys)]))
        else:
            place = rng.randrange(len(columns))
            changed = _changed(row[place], rng)
            if changed == row[place]:
                return None
            db.execute(f"UPDATE {table} SET {columns[place]} = ? WHERE {where}", (changed, *row[: len(keys)]))
    except apsw.ConstraintError:
        return None  # the database itself would not take it
    return f"{what} in {table}"


def _changed(value: object, rng: random.Random) -> object:
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 100))
    if isinstance(value, bytes):
        if not value:
            return b"x"
        place = rng.randrange(len(value))
        return value[:place] + bytes([value[place] ^ (1 << rng.randrange(8))]) + value[place + 1 :]
    text = str(value)
    if not text:
        return "x"
    place = rng.randrange(len(text))
    return text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]


def test_random_lies_are_all_found(floor: tuple[Path, Path], tmp_path: Path) -> None:
    database, folder = floor
    shutil.copy(database, tmp_path)
    marks = read(folder / "checkpoints.jsonl")
    assert all(is_signed(mark, trusted_key(folder / "public.key")) for mark in marks)
    rng, told, unseen = random.Random("lies"), 0, []
    store = SqliteStore(tmp_path / database.name)
    assert not verify(store, marks).lies
    while told < (5_000 if os.environ.get("CROUPIER_FAULTS") == "all" else 500):
        store._db.execute("BEGIN")
        what = edit(store._db, rng)
        if what is not None:
            told += 1
            unseen += [what] if not verify(store, marks).lies else []
        store._db.execute("ROLLBACK")
    store.close()
    assert not unseen


def test_a_forged_checkpoint_is_not_signed(floor: tuple[Path, Path]) -> None:
    _, folder = floor
    mark = read(folder / "checkpoints.jsonl")[0]
    key = trusted_key(folder / "public.key")
    stream = next(iter(mark.heads))
    for forged in (
        mark._replace(at=2),
        mark._replace(heads=mark.heads | {stream: (1, "00" * 32)}),
        mark._replace(signature="00" * 64),
        mark._replace(signature="nonsense"),
    ):
        assert not is_signed(forged, key)
