"""What a hostile reader tried: each of these once worked."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from croupier.cage import messages as c
from croupier.rules.findings import found
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store import history as recall_module
from croupier.store import recorder as record_module
from croupier.store.archive import Archived, archive
from croupier.store.checkpoint import make_keys, read, sign, signing_key, trusted_key
from croupier.store.commit import give_all
from croupier.store.history import Untrue
from croupier.store.journal import Append, Full, Store, fields_of, read_rows
from croupier.store.pack import _zipped, check_pack, make_pack
from croupier.store.postgres import PostgresStore
from croupier.store.receipt import make_receipt, read_receipt
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.entry import StateKept
from croupier.store.streams.subjects import digest, shrunk
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.transcript.play import play
from croupier.wire import encode
from tests.store.conftest import Open
from tests.store.tickets import cage, number, refused, sell, table
from tests.support.recorders import ANN, BETTING, bet, correct, long_evening, record, table_of, two_tables


def test_an_old_id_used_again_and_a_refused_correction_do_not_break_the_table(store: Store, open_store: Open) -> None:
    recorded = long_evening(store, 14)
    at = 90_000
    recorded.give(m.OpenBetting("Dana", at))
    assert recorded.give(bet("b1", at, 100, 15)).entry.refused is None  # the id of round 1, long forgotten
    assert recorded.give(m.CorrectResult("Ann", at, m.RoundNumber(1), "1-1-2", "mine")).entry.refused is not None
    again = recorded.give(bet("b1", at, 100, 15), "another id")
    assert again.entry.refused is None or again.entry.refused.reason
    assert verify(store).lies == []
    assert table_of(Recorder.recover(open_store(), "two", at + 10_000, 5_000, "T")).seats[ANN].held == 100


def test_nobody_without_the_right_makes_the_floor_look_for_old_rounds(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = long_evening(store, 14)
    monkeypatch.setattr(recall_module, "past_round", lambda *_: pytest.fail("looked"))
    rounds = tuple(m.RoundNumber(number) for number in range(1, 4))
    refusal = recorded.give(m.VoidRounds("Ann", 90_000, rounds, "damaged-dice", "mine")).entry.refused
    assert refusal is not None
    assert refusal.reason == "permission"


@pytest.mark.parametrize("place", ["a bet", "the row after a state", "after the last"])
def test_a_state_that_no_row_vouches_for_is_a_lie(
    place: str, store: SqliteStore | PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody recovers from it while the row that it stands beside is not of its kind; but it was put there."""
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    recorded = long_evening(store, 14)
    kept = store.snapshots("T")[-1]
    last = recorded.place.seq
    seq = {"a bet": kept - 5, "the row after a state": kept + 1, "after the last": last + 1}[place]
    columns = "stream, {seq}, round, body"
    store._run(f"INSERT INTO snapshots SELECT {columns.format(seq=seq)} FROM snapshots WHERE seq = {kept} RETURNING 1")
    assert [(lie.seq, lie.what.case) for lie in verify(store).lies] == [(seq, "snapshot-without-row")]


@pytest.mark.parametrize("text", ["12\x003456789012345611", "\ud800", "", "1" * 10_000, "12-3456-7890-1234-5612"])
def test_text_that_is_no_ticket_or_id_is_refused_and_stops_nothing(text: str, store: Store) -> None:
    one = table(store, "T1")
    for command in (
        m.RedeemTicket("Ann", 5, ANN, text, Cents(0), 0, "live"),
        m.CashOut("Ann", 5, ANN, Cents(100), text, 10**9),
    ):
        try:
            assert one.give(command).entry.refused is not None
        except UnicodeEncodeError:
            assert text == "\ud800"  # cannot come from a message: JSON's decoder does not make it
    assert one.give(bet("ok"), text or "fine").entry is not None
    assert one.owned
    assert refused(one, bet("b2", 6)) == ""
    assert verify(store).lies == []


def test_a_number_written_with_dashes_is_the_same_number(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    window.give(sell(1))
    dashed = f"{number(1)[:2]}-{number(1)[2:]}"
    answers = give_all(store, [(one, m.CashOut("Ann", 40, ANN, Cents(10_00), dashed, 10**9), ""), (one, bet("b1"), "")])
    assert answers[0] is not None
    assert answers[0].entry.refused is not None
    assert answers[1] is not None
    assert one.owned
    again = window.give(c.SellTicket("Cass", 50, dashed, Cents(5_000), 10**9)).entry
    assert again.refused is not None or again.command.ticket == number(1)


def test_an_id_of_a_giver_is_apart_from_those_in_commands(store: Store) -> None:
    one, two = two_tables(store)
    one.give(bet("k1"), "bet 1/k2")
    answers = give_all(store, [(one, bet("k2"), ""), (two, bet("k2"), "")])
    assert all(answer is not None and answer.entry.refused is None for answer in answers)
    assert one.owned
    assert verify(store).lies == []


@pytest.mark.parametrize("at", [-1, 2**63, 2**64, 10**30])
def test_a_moment_no_clock_has_poisons_nothing(at: int, store: Store) -> None:
    one, two = two_tables(store)
    answers = give_all(store, [(two, bet("b1"), ""), (one, bet("b1", at), ""), (two, bet("b2"), "")])
    assert [answer is not None and answer.entry.refused is None for answer in answers] == [True, False, True]
    assert refused(one, bet("b1")) == ""
    assert [store.head(name).seq for name in ("T1", "T2")] == [one.place.seq, two.place.seq]


def test_a_snapshot_that_finds_no_room_does_not_fail_its_command(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 1)
    recorded = record(store, play(BETTING.replace("Dana calls place your bets\n", "")))
    append = store.append

    def full(batch: list[Append]) -> None:
        if batch[0].snapshots:
            raise Full(found("store", "full", error=""))
        append(batch)

    monkeypatch.setattr(store, "append", full)
    recorded._since = [9, 10**9, 0]
    assert recorded.give(m.FillBank("Cass", 9, Cents(500))).entry.refused is None
    assert table_of(recorded).house == 500
    assert recorded.place == store.head("T")


def test_a_correction_cannot_be_left_out_of_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 30)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 30)
    make_keys(tmp_path)
    sign(store, signing_key(tmp_path), 1, tmp_path / "before")
    make_pack(store, "T", 2, read(tmp_path / "before"), tmp_path / "before.zip")
    correct(recorded, 2, "1-1-2", 40_000)
    sign(store, signing_key(tmp_path), 2, tmp_path / "after")
    make_pack(store, "T", 2, read(tmp_path / "after"), tmp_path / "after.zip")
    key = trusted_key(tmp_path / "public.key")
    assert check_pack(tmp_path / "before.zip", key).lies == []
    assert check_pack(tmp_path / "after.zip", key).lies == []
    with zipfile.ZipFile(tmp_path / "before.zip") as old, zipfile.ZipFile(tmp_path / "after.zip") as new:
        files = {name: old.read(name) for name in old.namelist()}
        head, after = json.loads(files["pack.json"]), json.loads(new.read("pack.json"))
    files["pack.json"] = json.dumps(head | {"checkpoint": after["checkpoint"]}, indent=1).encode() + b"\n"
    known = {int(line.split()[0]) for line in files["digests.txt"].decode().splitlines()}
    more = [
        f"{row.seq} {row.kind} {fields_of(row).hex()}\n"
        for row in read_rows(store, "T", head["spans"][-1][1])
        if row.seq not in known
    ]
    files["digests.txt"] += "".join(more).encode()
    (tmp_path / "hidden.zip").write_bytes(_zipped(files))
    said = check_pack(tmp_path / "hidden.zip", key).lies
    assert found("row", "lacks", what="other") in [lie.what for lie in said]


def test_recovery_does_not_begin_with_a_row_that_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 30)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 10)
    last = store.snapshots("T")[-1]
    table_of(recorded).seats[ANN].credit = Cents(1_000_000_00)
    state = recorded.subject.state()
    body = encode(StateKept(digest(state), recorded.subject.next_round))
    store._db.execute("UPDATE snapshots SET body = ? WHERE seq = ?", (shrunk(state), last))
    store._db.execute("UPDATE journal SET body = ? WHERE seq = ?", (body, last))
    with pytest.raises(Untrue, match="row hash"):
        Recorder.recover(store, "two", 99_000, 5_000, "T")
    store._db.execute("DELETE FROM snapshots")
    store._db.execute("UPDATE journal SET at = at + 1 WHERE seq = 1")
    with pytest.raises(Untrue, match="row 1"):
        Recorder.recover(store, "two", 99_000, 5_000, "T")


def test_a_true_copy_in_the_archive_does_not_hide_a_changed_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 30)
    store = SqliteStore(tmp_path / "floor.db")
    long_evening(store, 30)
    with monkeypatch.context() as crash:
        crash.setattr(store, "forget", lambda *_: None)  # a crash just before the rows leave the journal
        assert archive(store, "T", 20_000, tmp_path / "archive") is not None
    with Archived(store, tmp_path / "archive") as whole:
        assert verify(whole).lies == []
        assert whole.flows("T", 0, 2**62) == store.flows("T", 0, 2**62)  # nothing counts twice
    store._db.execute("UPDATE journal SET at = at + 1 WHERE seq = 5")
    with Archived(store, tmp_path / "archive") as whole:
        assert [lie.seq for lie in verify(whole).lies] == [5]


def test_a_state_above_the_newest_checkpoint_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 30)
    store = SqliteStore(tmp_path / "floor.db")
    long_evening(store, 5)
    make_keys(tmp_path)
    sign(store, signing_key(tmp_path), 1, tmp_path / "marks")
    recorded = Recorder.recover(store, "two", 99_000, 5_000, "T")
    for at in range(400):
        recorded.give(m.SellCredit("Cass", 99_000 + at, ANN, Cents(100)))
    last = store.snapshots("T")[-1]
    assert last > read(tmp_path / "marks")[0].heads["T"][0]
    store.forget("T", last)
    assert any(lie.what.case == "state-unvouched" for lie in verify(store, read(tmp_path / "marks")).lies)


def test_a_receipt_with_a_field_twice_is_none(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    long_evening(store, 1)
    make_keys(tmp_path)
    text = make_receipt(store, "T", "b1", signing_key(tmp_path))
    (tmp_path / "receipt").write_text(text.replace("{", '{"stake": 9000000,', 1))
    with pytest.raises(Refused, match="receipt fields"):
        read_receipt(tmp_path / "receipt")


def test_a_table_cannot_be_hidden_by_the_row_that_says_where_it_stands(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    two_tables(store)
    for lie in ("UPDATE streams SET seq = 0 WHERE stream = 'T1'", "DELETE FROM streams WHERE stream = 'T1'"):
        store._db.execute(lie)
        assert store.streams() == ["T1", "T2"]
        assert [one.stream for one in verify(store).lies] == ["T1"]


def test_an_edited_correction_is_not_recalled(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 14)
    correct(recorded, 2, "1-1-2", 90_000)
    seq = store.corrections("T", 0)[-1]
    body = bytes(next(store._db.execute("SELECT body FROM journal WHERE seq = ?", (seq,)))[0])
    store._db.execute("UPDATE journal SET body = ? WHERE seq = ?", (body.replace(b"1-1-2", b"6-6-6"), seq))
    with pytest.raises(Untrue, match="row hash"):
        recall_module.past_round(store, "T", m.RoundNumber(2))


def test_ends_of_tickets_that_no_row_tells_are_found(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    window = cage(store)
    window.give(sell(1))
    store._db.execute("INSERT INTO ticket_ends VALUES (?, 0, 'cage', 2, 10, 'paid')", (number(9),))
    assert [lie.what for lie in verify(store).lies] == [found("ticket", "not-ended-so", ticket=number(9))]
