"""What was acknowledged is never a shorter truth: a journal that ends before it once ended is found, and says so.

What must be found is counted here by a list of acknowledged bets, apart from the product's own arithmetic.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from croupier.ledger import Transfer
from croupier.rules.findings import found
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store.folder import open_store
from croupier.store.heads import Heads, accept, missing, remembered, shortened
from croupier.store.journal import Conflict, NewRow, Place, Store, chain, read_rows
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.entry import LossAccepted
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import PersonId
from croupier.transcript.play import play
from croupier.wire import encode
from tests.store.conftest import Open
from tests.support.recorders import BETTING, bet, record, table_of

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
EVERY = 1 if ALL else 211
"""Of so many places of a log one is damaged; `make faults` damages every one."""
BETS = 4


def played(folder: Path, store: Store, bets: int = BETS) -> tuple[Recorder, Heads, list[str]]:
    """A table with bets, each noted before it was answered: the ids of those that were acknowledged."""
    heads = Heads(folder / "heads", "one")
    recorder = record(store, play(BETTING))
    recorder.noted = heads.note
    heads.note("T", recorder.place)
    if isinstance(store, SqliteStore):  # of the log that is damaged every page is of a bet
        store._run("PRAGMA wal_checkpoint(TRUNCATE)")
    acknowledged = []
    for number in range(bets):
        assert recorder.give(bet(f"b{number}", 5 + number, 100)).entry.refused is None
        acknowledged.append(f"b{number}")
    return recorder, heads, acknowledged


def on_disk(store: Store) -> set[str]:
    """The bets that are in the journal."""
    bodies = [row.body.decode() for row in read_rows(store, "T") if row.kind == "PlaceBet"]
    return {body.split('"id":"')[1].split('"')[0] for body in bodies}


@pytest.fixture
def killed(tmp_path: Path) -> tuple[Path, list[str]]:
    """A folder as it is after kill -9, with all that happened in its log; and what was acknowledged."""
    folder, store = tmp_path / "killed", SqliteStore(tmp_path / "floor.db", reserve=0)
    store._db.wal_autocheckpoint(0)
    _, heads, acknowledged = played(tmp_path, store)
    folder.mkdir()
    for name in ("floor.db", "floor.db-wal"):
        shutil.copyfile(tmp_path / name, folder / name)
    shutil.copytree(tmp_path / "heads", folder / "heads")
    heads.close()
    store.close()
    return folder, acknowledged


def silent(folder: Path, acknowledged: list[str]) -> bool:
    """Does a floor that starts here lose a bet without a word?"""
    try:
        store = open_store(str(folder / "floor.db"), make=True)
    except Refused:
        return False  # it does not start
    try:
        said = shortened(store, "T", remembered(folder / "heads").places["T"])
        lost = set(acknowledged) - (on_disk(store) if store.head("T").seq else set())
        assert said is None or lost or store.head("T").seq < said.reached.seq, "a loss where there is none"
        return said is None and bool(lost)
    except apsw.Error:
        return False
    finally:
        store.close()


def damaged(folder: Path, scratch: Path, log: bytes | None) -> Path:
    """A copy with another log, or none; each opened as a start after a kill would."""
    if not scratch.exists():
        shutil.copytree(folder, scratch)
    for ending in ("-wal", "-shm", "-reserve"):
        scratch.joinpath(f"floor.db{ending}").unlink(missing_ok=True)
    shutil.copyfile(folder / "floor.db", scratch / "floor.db")
    if log is not None:
        (scratch / "floor.db-wal").write_bytes(log)
    return scratch


def flips(log: bytes) -> Iterator[bytes]:
    for place in range(0, len(log), EVERY):
        yield log[:place] + bytes((log[place] ^ 1 << place % 8,)) + log[place + 1 :]


def test_no_damaged_byte_of_a_log_loses_a_bet_in_silence(killed: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, acknowledged = killed
    log = (folder / "floor.db-wal").read_bytes()
    assert not silent(damaged(folder, tmp_path / "whole", log), acknowledged)
    tried = [silent(damaged(folder, tmp_path / "scratch", other), acknowledged) for other in flips(log)]
    assert len(tried) > 100
    assert not any(tried)


def test_no_truncated_or_missing_log_loses_a_bet_in_silence(killed: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, acknowledged = killed
    log = (folder / "floor.db-wal").read_bytes()
    ends = range(0, len(log), 4 * EVERY if not ALL else 64)
    assert not any(silent(damaged(folder, tmp_path / "scratch", log[:end]), acknowledged) for end in ends)
    assert not silent(damaged(folder, tmp_path / "scratch", None), acknowledged)
    without = damaged(folder, tmp_path / "scratch", None)
    (without / "floor.db").unlink()
    assert not silent(without, acknowledged)


def test_no_older_copy_loses_a_bet_in_silence(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    recorder, heads, acknowledged = played(tmp_path, store, 0)
    copies = []
    for number in range(20):
        copies.append(tmp_path / f"copy{number}")
        copies[-1].mkdir()
        store._run("VACUUM INTO ?", (str(copies[-1] / "floor.db"),))
        assert recorder.give(bet(f"c{number}", 5 + number, 100)).entry.refused is None
        acknowledged.append(f"c{number}")
    heads.close()
    store.close()
    for copy in copies:
        shutil.copytree(tmp_path / "heads", copy / "heads")
        assert not silent(copy, acknowledged)


def test_the_head_is_noted_before_the_answer_leaves(store: Store, tmp_path: Path) -> None:
    recorder, _, _ = played(tmp_path, store)
    for number in range(5):
        recorder.give(bet(f"n{number}", 50 + number, 100))
        assert remembered(tmp_path / "heads").places["T"] == {recorder.place} == {store.head("T")}


def test_what_was_not_written_is_not_noted(store: Store, open_store: Open, tmp_path: Path) -> None:
    recorder, heads, _ = played(tmp_path, store)
    before = remembered(tmp_path / "heads").places["T"]
    other = open_store()
    other.take("T", "two", 10_000, 5_000)
    with pytest.raises(Conflict):
        recorder.give(bet("late", 60, 100))
    assert remembered(tmp_path / "heads").places["T"] == before
    assert heads.compare(store, "T") is None


def test_another_history_of_the_same_length_is_found(store: Store, tmp_path: Path) -> None:
    recorder, _, _ = played(tmp_path, store)
    assert shortened(store, "T", [recorder.place]) is None
    short = shortened(store, "T", [Place(recorder.place.seq, bytes(32))])
    assert short is not None
    assert short.what == found("stream", "other-row", stream="T", row=recorder.place.seq)
    short = shortened(store, "T", [Place(recorder.place.seq + 3, bytes(32))])
    assert short is not None
    ends, reached = recorder.place.seq, recorder.place.seq + 3
    assert short.what == found("stream", "shorter", stream="T", ends=ends, reached=reached, missing=3)


def test_a_process_reads_what_others_before_it_noted_and_takes_their_files_over(store: Store, tmp_path: Path) -> None:
    recorder, heads, _ = played(tmp_path, store)
    beside = Heads(tmp_path / "heads", "two")
    beside.settle()
    assert len(list((tmp_path / "heads").iterdir())) == 2, "the file of a process that is at work stays"
    beside.close()
    heads.close()
    after = Heads(tmp_path / "heads", "three")
    assert after.compare(store, "T") is None
    after.settle()
    assert len(list((tmp_path / "heads").iterdir())) == 1
    assert remembered(tmp_path / "heads").places == {"T": {recorder.place}}
    after.close()


def test_who_reads_on_from_an_older_place_forgets_nothing(store: Store, tmp_path: Path) -> None:
    recorder, heads, _ = played(tmp_path, store)
    heads.note("T", Place(3, bytes(32)))
    assert remembered(tmp_path / "heads").places == {"T": {recorder.place}}


def test_every_damaged_byte_of_the_heads_is_seen(store: Store, tmp_path: Path) -> None:
    _, heads, _ = played(tmp_path, store)
    heads.close()
    [file] = (tmp_path / "heads").iterdir()
    whole = file.read_bytes()
    assert remembered(tmp_path / "heads").unreadable == []
    for place in range(0, len(whole), 1 if ALL else 7):
        file.write_bytes(whole[:place] + bytes((whole[place] ^ 1,)) + whole[place + 1 :])
        assert remembered(tmp_path / "heads").unreadable == [(file, 1)]


def test_verify_finds_a_journal_that_is_too_short_and_names_the_row(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    recorder, _, _ = played(tmp_path, store, 3)
    store._run("VACUUM INTO ?", (str(tmp_path / "old.db"),))
    kept = recorder.place.seq
    recorder.give(bet("x", 40, 100))
    places = remembered(tmp_path / "heads").places
    assert verify(store, heads=places).lies == []
    old = SqliteStore(tmp_path / "old.db", reserve=0)
    assert verify(old).lies == [], "the shorter history is true in itself"
    [lie] = verify(old, heads=places).lies
    assert (lie.stream, lie.seq) == ("T", kept + 1)
    assert lie.what.case == "shorter"
    old.close()
    store.close()


def accepted(store: Store, heads: Heads, *, second: str = "Max") -> Place:
    gone = tuple((seq, hash.hex()) for seq, hash in missing(store, "T", [heads.halted["T"].reached]))
    lease = store.take("T", "desk", 1_000_000, 1_000)
    place = accept(store, lease, 1_000_000, LossAccepted(PersonId("Pat"), PersonId(second), "disk", gone), None)
    store.release(lease)
    return place


def test_a_loss_is_accepted_by_a_row_and_play_goes_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    recorder, heads, _ = played(tmp_path, store, 3)
    store._run("VACUUM INTO ?", (str(tmp_path / "old.db"),))
    recorder.give(bet("x", 40, 100))
    heads.close()
    old = SqliteStore(tmp_path / "old.db", reserve=0)
    heads = Heads(tmp_path / "heads", "two")
    assert heads.compare(old, "T") is not None
    heads.note("T", old.head("T"))
    assert remembered(tmp_path / "heads").places["T"] == {recorder.place}, "what was reached stays until it is accepted"
    halted = Recorder.halt(old, old.lease("T"), recorder.subject.made, heads.halted["T"])
    assert halted.ownership.is_broken
    assert halted.place == old.head("T")
    place = accepted(old, heads)
    assert heads.compare(old, "T") is None
    heads.settle()
    again = Recorder.recover(old, "two", 2_000_000, 5_000, "T")
    again.noted = heads.note
    heads.note("T", again.place)
    assert [row.seq for row in again.losses] == [place.seq]
    assert table_of(again).phase == "interrupted", "a round that was under way is interrupted, as after any stop"
    assert remembered(tmp_path / "heads").places["T"] == {again.place}
    verdict = verify(old, heads=remembered(tmp_path / "heads").places)
    assert verdict.lies == []
    facts = {"stream": "T", "row": place.seq, "reached": recorder.place.seq}
    facts |= {"person": "Pat", "second": "Max", "reason": "disk"}
    assert [(one.case, one.facts) for one in verdict.losses] == [("loss-accepted", facts)]
    # Only what was named is given up: another loss is another loss.
    assert shortened(old, "T", [again.place, Place(recorder.place.seq - 1, bytes(32))]) is not None
    heads.close()
    old.close()
    store.close()


def test_a_loss_that_one_person_accepted_is_a_lie(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    recorder, heads, _ = played(tmp_path, store, 3)
    store._run("VACUUM INTO ?", (str(tmp_path / "old.db"),))
    recorder.give(bet("x", 40, 100))
    old = SqliteStore(tmp_path / "old.db", reserve=0)
    heads.compare(old, "T")
    place = accepted(old, heads, second="Pat")
    assert [(lie.seq, lie.what.case) for lie in verify(old).lies] == [(place.seq, "loss")]
    old.close()
    store.close()


GONE = ((9, "00" * 32),)


@pytest.mark.parametrize(
    ("loss", "paid", "case"),
    [
        (LossAccepted(PersonId("Pat"), PersonId("Max"), "disk", GONE), 0, None),
        (LossAccepted(PersonId("Pat"), PersonId("Pat"), "disk", GONE), 0, "loss"),
        (LossAccepted(PersonId("Pat"), PersonId("Max"), " ", GONE), 0, "loss"),
        (LossAccepted(PersonId("Pat"), PersonId("Max"), "disk", ()), 0, "loss"),
        (LossAccepted(PersonId("Pat"), PersonId("Max"), "disk", GONE), 100, "loss"),
    ],
    ids=["as it must be", "one person", "no reason", "nothing lost", "money moves"],
)
def test_a_loss_is_accepted_by_two_people_for_a_reason_and_moves_no_money(
    loss: LossAccepted, paid: int, case: str | None, store: Store, tmp_path: Path
) -> None:
    recorder, heads, _ = played(tmp_path, store, 1)
    money = [Transfer("cage", "terminal:T/Ann", Cents(paid), "credit sold", "x")] if paid else []
    row = NewRow(1_000_000, LossAccepted.__name__, encode(loss), money)
    store.append([chain("T", recorder.lease.epoch, recorder.place, [row])])
    lies = [(lie.stream, lie.seq, lie.what.case) for lie in verify(store).lies]
    assert lies == ([("T", recorder.place.seq + 1, case)] if case else [])
    heads.close()


def test_a_disk_that_takes_no_note_stops_no_bet_and_says_so(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, heads, _ = played(tmp_path, store)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        assert recorder.give(bet("y", 40, 100)).entry.refused is None
    assert heads.fault == "No space left on device"
    assert recorder.give(bet("z", 41, 100)).entry.refused is None
    assert not heads.fault
    assert remembered(tmp_path / "heads").places["T"] == {recorder.place}


def test_rows_in_an_archive_that_is_not_here_are_not_missed(store: Store, tmp_path: Path) -> None:
    recorder, _, _ = played(tmp_path, store)
    early = Place(2, next(row for row in read_rows(store, "T", 1)).hash)
    store.forget("T", 4)
    assert shortened(store, "T", [early, recorder.place]) is None


def test_bets_are_still_taken_with_their_own_ids(store: Store, tmp_path: Path) -> None:
    recorder, _, acknowledged = played(tmp_path, store)
    assert on_disk(store) == set(acknowledged)
    assert recorder.give(m.CallNoMoreBets("Dana", 70)).entry.refused is None
