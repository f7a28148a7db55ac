"""A store that is only read: beside its writer, after a crash, as a copy on a disk that cannot be written to."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from croupier.rules.refusal import Refused
from croupier.store import migrations
from croupier.store.folder import Premises, open_store
from croupier.store.journal import Indeterminate
from croupier.store.sqlite import SqliteReader, SqliteStore
from croupier.store.verify import verify
from croupier.transcript.play import play
from tests.support.recorders import BETTING, bet, record


def bytes_of(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def copied(source: Path, target: Path, *endings: str) -> Path:
    target.mkdir()
    for ending in endings:
        shutil.copy(source.with_name(f"{source.name}{ending}"), target)
    return target


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """A table on disk, its writer still there, its last bet only in the log."""
    (tmp_path / "floor").mkdir()
    store = SqliteStore(tmp_path / "floor" / "floor.db", reserve=0)
    recorded = record(store, play(BETTING))
    recorded.give(bet("b1"))
    yield store.path
    store.close()


@pytest.mark.parametrize(
    "endings",
    [
        pytest.param(("", "-wal", "-shm"), id="as a crash leaves it"),
        pytest.param(("", "-wal"), id="copied with its log"),
    ],
)
def test_reading_a_copy_changes_no_byte_and_misses_no_row(
    database: Path, tmp_path: Path, endings: tuple[str, ...]
) -> None:
    folder = copied(database, tmp_path / "copy", *endings)
    before = bytes_of(folder)
    reader = open_store(str(folder / "floor.db"), read_only=True)
    verdict = verify(reader)
    reader.close()
    assert (verdict.lies, verdict.rows) == ([], 6)
    assert bytes_of(folder) == before


def test_reading_a_closed_store_changes_no_byte(database: Path, tmp_path: Path) -> None:
    folder = copied(database, tmp_path / "copy", "", "-wal")
    SqliteStore(folder / "floor.db", reserve=0).close()
    before = bytes_of(folder)
    assert list(before) == ["floor.db"]
    reader = open_store(str(folder / "floor.db"), read_only=True)
    assert verify(reader).rows == 6
    with pytest.raises(Indeterminate):
        reader.take("T", "a stranger", 0, 1)
    reader.close()
    assert bytes_of(folder) == before


def test_a_reader_beside_the_writer_sees_one_moment(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db", reserve=0)
    recorded = record(store, play(BETTING))
    reader = Premises(tmp_path).reader()
    rows = reader.head("T").seq
    recorded.give(bet("b1"))
    assert (reader.head("T").seq, verify(reader).rows, verify(reader).lies) == (rows, rows, [])
    reader.close()
    later = Premises(tmp_path).reader()
    assert (later.head("T").seq, verify(later).lies) == (rows + 1, [])
    later.close()
    store.close()


def test_a_disk_that_cannot_be_written_to_can_be_read(database: Path, tmp_path: Path) -> None:
    folder = copied(database, tmp_path / "copy", "", "-wal")
    command = ["mount", "--bind", "-o", "ro", str(folder), str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"nothing can be mounted here: {error}")
    if mounted.returncode:
        pytest.skip(f"nothing can be mounted here: {mounted.stderr.strip()}")
    try:
        with pytest.raises(OSError, match="Read-only"):
            (folder / "new").touch()
        reader = open_store(str(folder / "floor.db"), read_only=True)
        assert (verify(reader).lies, reader.head("T").seq) == ([], 6)
        reader.close()
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_store_of_an_older_version_is_read_through_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:1])
        store = SqliteStore(tmp_path / "floor.db", reserve=0)
        record(store, play(BETTING))
        store.close()
    more = migrations.Migration(len(migrations.MIGRATIONS) + 1, ("CREATE TABLE more (one TEXT PRIMARY KEY)",))
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, more))
    before = bytes_of(tmp_path)
    reader = SqliteReader(tmp_path / "floor.db")
    assert verify(reader).lies == []
    reader.close()
    assert bytes_of(tmp_path) == before


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "floor.db"
    for body in (b"not a database at all", b"\0" * 4096):
        file.write_bytes(body)
        with pytest.raises(Refused, match="store unopened"):
            open_store(str(file), read_only=True)
        assert bytes_of(tmp_path) == {"floor.db": hashlib.sha256(body).hexdigest()}


def test_a_reader_of_postgresql_cannot_write(postgres_address: str) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("CREATE DATABASE readers")
    address = postgres_address.replace("/postgres?", "/readers?")
    with pytest.raises(Refused):
        open_store(address, read_only=True)  # nothing is there, and nothing is made
    store = open_store(address)
    recorded = record(store, play(BETTING))
    reader = open_store(address, read_only=True)
    rows = reader.head("T").seq
    recorded.give(bet("b1"))
    assert (reader.head("T").seq, verify(reader).lies) == (rows, [])
    with pytest.raises(Indeterminate):
        reader.take("T", "a stranger", 0, 1)
    reader.close()
    store.close()
