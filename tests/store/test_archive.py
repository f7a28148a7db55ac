"""Old rows in compressed files: moved whole, still recalled, corrected and verified; lies in them are found."""

from __future__ import annotations

import gzip
from pathlib import Path

import apsw
import pytest

from croupier.rules.refusal import Refused
from croupier.store import record as record_module
from croupier.store.archive import Archived, archive, parts
from croupier.store.checkpoint import make_keys, sign, signing_key, trusted
from croupier.store.journal import LAST, Store, read_rows
from croupier.store.recall import Untrue, past_round
from croupier.store.record import Recorder
from croupier.store.reports import shift_figures
from croupier.store.rounds import Wanted, find_round, history
from croupier.store.verify import verify
from croupier.table.messages import RoundNumber
from tests.store.conftest import Open
from tests.store.test_record import correct, long_evening


@pytest.fixture
def floor(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Recorder:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    recorded = long_evening(store, 60)
    make_keys(tmp_path)
    sign(store, signing_key(tmp_path), 1, tmp_path / "marks")
    return recorded


def test_archived_rows_leave_the_store_and_stay_true(
    floor: Recorder, store: Store, open_store: Open, tmp_path: Path
) -> None:
    marks = trusted(tmp_path / "marks", tmp_path / "public.key")
    before = list(read_rows(store, "T"))
    moved = [archive(store, "T", at, tmp_path / "archive") for at in (20_000, 45_000, 46_000)]
    assert [part is not None for part in moved] == [True, True, False]
    first = next(read_rows(store, "T")).seq
    assert [part.last for part in parts(tmp_path / "archive")][-1] == first > 100
    assert verify(store, marks).lies == []  # by itself, from the state its first row vouches for
    assert verify(store, marks).archived == {"T": first}
    with Archived(store, tmp_path / "archive") as whole:
        assert list(read_rows(whole, "T")) == before
        verdict = verify(whole, marks)
        assert verdict.lies == []
        assert verdict.archived == {}
        assert verdict.rows == len(before)
        assert past_round(whole, "T", RoundNumber(2)) is not None
        assert whole.snapshots("T") == sorted(whole.snapshots("T"))
    recovered = Recorder.recover(open_store(), "two", 99_000, 5_000, "T")
    assert recovered.subject.state() == floor.subject.state()
    with Archived(open_store(), tmp_path / "archive") as whole:  # an old round is corrected out of the archive
        third = Recorder.recover(whole, "two", 99_001, 5_000, "T")
        correct(third, 2, "1-1-2", 99_500)
        past = past_round(whole, "T", RoundNumber(2))
        assert past is not None
        assert past.outcome == "1-1-2"
        assert verify(whole, marks).lies == []


def test_figures_and_searches_count_what_is_archived(floor: Recorder, store: Store, tmp_path: Path) -> None:
    before = shift_figures(store, "T", 0, LAST)
    rounds = [line.round for line in history(store, ["T"], Wanted())]
    assert archive(store, "T", 45_000, tmp_path / "archive") is not None
    with Archived(store, tmp_path / "archive") as whole:
        assert shift_figures(whole, "T", 0, LAST) == before
        assert [line.round for line in history(whole, ["T"], Wanted())] == rounds
    here = [line.round for line in history(store, ["T"], Wanted())]
    assert rounds[-len(here) :] == here
    assert 0 < len(here) < len(rounds)


def test_without_its_archive_a_correction_of_an_archived_round_is_not_called_a_lie(
    floor: Recorder, store: Store, open_store: Open, tmp_path: Path
) -> None:
    assert archive(store, "T", 45_000, tmp_path / "archive") is not None
    with Archived(store, tmp_path / "archive") as whole:
        second = Recorder.recover(whole, "two", 99_001, 5_000, "T")
        correct(second, 2, "1-1-2", 99_500)
        assert verify(whole).lies == []
    with pytest.raises(Refused, match="in an archive that is not here"):
        verify(store)
    with pytest.raises(Refused, match="in an archive that is not here"):
        Recorder.recover(open_store(), "three", 199_001, 5_000, "T")
    with pytest.raises(Refused, match="in an archive that is not here"):
        find_round(store, "T", 2)
    assert 2 not in [line.round for line in history(store, ["T"], Wanted())]


def test_a_lie_in_an_archive_is_found_and_nothing_leaves_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, floor: Recorder, store: Store
) -> None:
    part = archive(store, "T", 45_000, tmp_path / "archive")
    assert part is not None
    plain = tmp_path / "plain.db"
    plain.write_bytes(gzip.decompress(part.file.read_bytes()))
    with apsw.Connection(str(plain)) as db:
        (seq,) = next(db.execute("SELECT min(seq) FROM transfers WHERE seq > 20"))
        db.execute("UPDATE transfers SET amount = amount + 1 WHERE seq = ?", (seq,))
    db.close()
    part.file.write_bytes(gzip.compress(plain.read_bytes()))
    with Archived(store, tmp_path / "archive") as whole:
        assert [lie.seq for lie in verify(whole).lies] == [seq]
    part.file.write_bytes(b"not gzip")
    with Archived(store, tmp_path / "archive") as whole, pytest.raises(Refused, match="cannot be unpacked"):
        verify(whole)
    part.file.unlink()
    assert verify(store).lies == []


def test_what_lies_already_is_not_archived(tmp_path: Path, floor: Recorder, store: Store) -> None:
    last = store.snapshots("T")[0]
    if hasattr(store, "_db") and isinstance(store._db, apsw.Connection):
        store._db.execute("UPDATE journal SET at = at + 1 WHERE seq = ?", (last - 1,))
        with pytest.raises(Untrue, match="nothing was archived"):
            archive(store, "T", 90_000, tmp_path / "archive")
        assert parts(tmp_path / "archive") == []
        assert next(read_rows(store, "T")).seq == 1


def test_a_missing_part_and_a_strange_file_are_told(tmp_path: Path, floor: Recorder, store: Store) -> None:
    for at in (20_000, 40_000, 60_000):
        assert archive(store, "T", at, tmp_path / "archive") is not None
    first, second, third = parts(tmp_path / "archive")
    second.file.unlink()
    with Archived(store, tmp_path / "archive") as whole:
        assert "missing" in verify(whole).lies[0].what
    first.file.unlink()
    with Archived(store, tmp_path / "archive") as whole:
        verdict = verify(whole)
        assert (verdict.lies, verdict.archived) == ([], {"T": third.first})
    (tmp_path / "archive" / "odd.rows.gz").write_bytes(b"")
    with pytest.raises(Refused, match="not named"):
        parts(tmp_path / "archive")
    with pytest.raises(Refused, match="no table"):
        archive(store, "nowhere", LAST, tmp_path / "archive")
