"""Old rows in compressed files: moved whole, still recalled, corrected and verified; lies in them are found."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store import recorder as record_module
from croupier.store.archive import Archived, ArchivePart, archive, parts, unpacked
from croupier.store.checkpoint import make_keys, sign, signing_key, trusted
from croupier.store.history import past_round
from croupier.store.journal import LAST, Conflict, Store, read_rows
from croupier.store.recorder import Recorder
from croupier.store.reports import shift_figures
from croupier.store.rounds import RoundQuery, find_round, history
from croupier.store.sqlite import SqliteReader, SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import RoundNumber
from tests.store.conftest import Open
from tests.support.recorders import ANN, correct, long_evening


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
    rounds = [line.round for line in history(store, ["T"], RoundQuery())]
    assert archive(store, "T", 45_000, tmp_path / "archive") is not None
    with Archived(store, tmp_path / "archive") as whole:
        assert shift_figures(whole, "T", 0, LAST) == before
        assert [line.round for line in history(whole, ["T"], RoundQuery())] == rounds
    here = [line.round for line in history(store, ["T"], RoundQuery())]
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
    with pytest.raises(Refused, match="archived "):
        verify(store)
    with pytest.raises(Refused, match="archived "):
        Recorder.recover(open_store(), "three", 199_001, 5_000, "T")
    with pytest.raises(Refused, match="archived "):
        find_round(store, "T", 2)
    assert 2 not in [line.round for line in history(store, ["T"], RoundQuery())]


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
    part.file.write_bytes(_packed(plain.read_bytes()))
    with Archived(store, tmp_path / "archive") as whole:
        assert [lie.seq for lie in verify(whole).lies] == [seq]
    part.file.write_bytes(b"not gzip")
    with Archived(store, tmp_path / "archive") as whole, pytest.raises(Refused, match="archive not-packed"):
        verify(whole)
    part.file.unlink()
    assert verify(store).lies == []


def test_the_database_gives_back_the_room_of_what_was_moved(
    floor: Recorder, store: Store, open_store: Open, tmp_path: Path
) -> None:
    assert archive(store, "T", LAST, tmp_path / "archive") is not None
    if isinstance(store, SqliteStore):
        store._run("PRAGMA wal_checkpoint(TRUNCATE)")
        before = store.path.stat().st_size
        reader = SqliteReader(store.path)
        store._db.set_busy_timeout(0)
        floor.give(m.SellCredit("Cass", 95_000, ANN, Cents(100)))
        with pytest.raises(Conflict, match="read-elsewhere"):  # who reads is not disturbed
            store.shrink()
        assert verify(reader).lies == []
        reader.close()
        store.shrink()
        assert store.path.stat().st_size < before * 3 // 4
        assert store.path.with_name("floor.db-wal").stat().st_size == 0
    else:
        store.shrink()
    floor.give(m.SellCredit("Cass", 96_000, ANN, Cents(100)))
    assert verify(store).lies == []
    again = Recorder.recover(open_store(), "one", 99_000, 5_000, "T")
    assert again.subject.state() == floor.subject.state()


def edited(file: Path, sql: str) -> bytes:
    """A file of an archive whose database was changed."""
    plain = file.with_name("plain.db")
    plain.write_bytes(gzip.decompress(file.read_bytes()))
    db = apsw.Connection(str(plain))
    db.execute(sql)
    db.close()
    body = plain.read_bytes()
    plain.unlink()
    return _packed(body)


def _packed(body: bytes) -> bytes:
    target = io.BytesIO()
    with gzip.GzipFile("", "wb", 6, target, mtime=0) as small:
        small.write(body)
    return target.getvalue()


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, ArchivePart]]:
    """A store and the one file of its archive."""
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    store = SqliteStore(tmp_path / "floor.db")
    long_evening(store, 12)
    part = archive(store, "T", LAST, tmp_path / "archive")
    assert part is not None
    yield store, part
    store.close()


def test_nothing_can_be_added_to_an_archive_unseen(moved: tuple[Store, ArchivePart]) -> None:
    store, part = moved
    whole = part.file.read_bytes()
    others = [whole + b"hello", whole + _packed(b"hello"), gzip.compress(gzip.decompress(whole), mtime=7)]
    for sql in (
        "CREATE TABLE notes (body TEXT)",
        "CREATE INDEX more ON journal (at)",
        "INSERT INTO replies VALUES ('T', 'trust me', 1)",
        "INSERT INTO desk VALUES ('note', 'trust me', x'00')",
        "INSERT INTO streams SELECT 'T9', owner, epoch, until, seen, seq, hash FROM streams",
        "INSERT INTO journal SELECT 'T9', seq, format, epoch, at, kind, body, hash FROM journal WHERE seq = 2",
        "INSERT INTO snapshots SELECT stream, seq + 100000, round, body FROM snapshots",
        "DELETE FROM journal WHERE seq = 1",
        "UPDATE streams SET owner = 'trust me'",
    ):
        others.append(edited(part.file, sql))
    for other in others:
        part.file.write_bytes(other)
        with pytest.raises(Refused, match=r"archive [^ ]+ file="), unpacked(part.file):
            pass
        with Archived(store, part.file.parent) as all_of_it, pytest.raises(Refused):
            verify(all_of_it)
        part.file.write_bytes(whole)
    other_name = part.file.with_name(f"T.2-{part.last}.rows.gz")
    part.file.rename(other_name)
    with pytest.raises(Refused, match=r"archive of-other-rows .*table=journal"), unpacked(other_name):
        pass


def test_pages_that_belong_to_no_table_are_found_in_an_archive(moved: tuple[Store, ArchivePart]) -> None:
    _, part = moved
    part.file.write_bytes(edited(part.file, "CREATE TABLE notes (body TEXT); DROP TABLE notes"))
    with pytest.raises(Refused, match="archive stray-pages"), unpacked(part.file):
        pass


def test_what_lies_already_is_not_archived(tmp_path: Path, floor: Recorder, store: Store) -> None:
    last = store.snapshots("T")[0]
    if hasattr(store, "_db") and isinstance(store._db, apsw.Connection):
        store._db.execute("UPDATE journal SET at = at + 1 WHERE seq = ?", (last - 1,))
        with pytest.raises(Refused, match="untrue unarchived"):
            archive(store, "T", 90_000, tmp_path / "archive")
        assert parts(tmp_path / "archive") == []
        assert next(read_rows(store, "T")).seq == 1


def test_a_missing_part_and_a_strange_file_are_told(tmp_path: Path, floor: Recorder, store: Store) -> None:
    for at in (20_000, 40_000, 60_000):
        assert archive(store, "T", at, tmp_path / "archive") is not None
    first, second, third = parts(tmp_path / "archive")
    second.file.unlink()
    with Archived(store, tmp_path / "archive") as whole:
        assert verify(whole).lies[0].what.case == "archive-goes-on"
    first.file.unlink()
    with Archived(store, tmp_path / "archive") as whole:
        verdict = verify(whole)
        assert (verdict.lies, verdict.archived) == ([], {"T": third.first})
    (tmp_path / "archive" / "odd.rows.gz").write_bytes(b"")
    with pytest.raises(Refused, match="archive misnamed"):
        parts(tmp_path / "archive")
    with pytest.raises(Refused, match="table not-here"):
        archive(store, "nowhere", LAST, tmp_path / "archive")
