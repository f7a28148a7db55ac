"""Old rows moved to compressed files that can still be read, recalled and verified."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote, unquote

import apsw

from croupier.rules.bad_input import cause
from croupier.rules.findings import found
from croupier.rules.refusal import Refused
from croupier.store.disk import sync
from croupier.store.history import Untrue
from croupier.store.journal import LAST, PAGE, Row, Snapshot, Store, read_rows, row_after, row_at
from croupier.store.migrations import Incompatible
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify

_ENDING = ".rows.gz"


class ArchivePart(NamedTuple):
    """A file with the rows of a stream from one to another; the last one is also the first of what follows."""

    stream: str
    first: int
    last: int
    file: Path


def parts(folder: Path, stream: str | None = None) -> list[ArchivePart]:
    """The files of an archive, in the order of their rows."""
    found = map(_named, sorted(folder.glob(f"*{_ENDING}")))
    return sorted(part for part in found if stream in (None, part.stream))


def _named(file: Path) -> ArchivePart:
    """What a file of an archive holds, by its name."""
    name, _, span = file.name.removesuffix(_ENDING).rpartition(".")
    first, _, last = span.partition("-")
    if not (file.name.endswith(_ENDING) and first.isdecimal() and last.isdecimal()):
        raise Refused("archive", "misnamed", file=str(file), ending=_ENDING)
    return ArchivePart(unquote(name), int(first), int(last), file)


def archive(store: Store, stream: str, before: int, folder: Path) -> ArchivePart | None:
    """Move the rows of a stream that are older than a moment; None if there are none to move.

    The last row that is moved vouches for the state. It stays in the store too, so that later rows can be read without
    the archive. Nothing leaves the store before the file is on disk and was read back and verified.
    """
    store.check_owner()
    first = row_after(store, stream, 0)
    if first is None:
        raise Refused("table", "not-here", table=stream, known=tuple(store.streams()))
    last = _last_state(store, stream, first.seq, before)
    if last is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    part = ArchivePart(
        stream, first.seq, last.seq, folder / f"{quote(stream, safe='')}.{first.seq}-{last.seq}{_ENDING}"
    )
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        database = Path(scratch) / "rows.db"
        _copy(store, stream, first.seq, last, database)
        packed = Path(scratch) / "rows.gz"
        with (
            database.open("rb") as plain,
            packed.open("wb") as target,
            gzip.GzipFile("", "wb", 6, target, mtime=0) as small,
        ):
            shutil.copyfileobj(plain, small)
        sync(packed)
        packed.rename(part.file)
    sync(folder)
    with unpacked(part.file) as moved:
        lies = verify(moved, rows_only=True).lies
    if lies:
        part.file.unlink()
        raise Refused("untrue", "unarchived", table=stream, row=lies[0].seq)
    store.forget(stream, last.seq)
    return part


def _last_state(store: Store, stream: str, first: int, before: int) -> Row | None:
    """The newest row that vouches for a state and is older than a moment, as all rows before it are."""
    for seq in reversed(store.snapshots(stream)):
        row = row_at(store, stream, seq)
        if row.at < before and seq > first:
            return row
    return None


def _copy(store: Store, stream: str, first: int, last: Row, database: Path) -> None:
    target = SqliteStore(database, reserve=0)
    rows = (row for row in read_rows(store, stream, first - 1) if row.seq <= last.seq)
    while page := list(islice(rows, PAGE)):
        target.adopt(page, ())
        if page[-1].seq == last.seq:
            break
    states = [store.snapshot(stream, seq=seq) for seq in store.snapshots(stream) if seq <= last.seq]
    target.adopt((), [state for state in states if state is not None])
    target.close()


@contextmanager
def unpacked(file: Path) -> Iterator[SqliteStore]:
    """The rows of one file of an archive, by themselves."""
    with tempfile.TemporaryDirectory() as folder:
        store = _unpack(file, Path(folder) / "rows.db")
        try:
            if store._run("PRAGMA integrity_check") != [("ok",)] or store._run("PRAGMA freelist_count") != [(0,)]:
                raise Refused("archive", "stray-pages", file=str(file))
            yield store
        finally:
            store.close()


def _unpack(file: Path, plain: Path) -> SqliteStore:
    """Open the packed rows of a file; refused if they cannot be read, or if it holds anything but the rows it names."""
    try:
        with file.open("rb") as packed, plain.open("wb") as target:
            _expand(packed, target, file)
        store = SqliteStore(plain, reserve=0)
    except Incompatible as error:
        raise error.at(str(file)) from None
    except (OSError, ValueError, zlib.error, apsw.Error) as error:
        raise Refused("archive", "unpackable", file=str(file), error=cause(error)) from None
    if refused := next(_foreign(store, _named(file)), None):
        store.close()
        raise refused
    return store


_HEAD = bytes.fromhex("1f8b08000000000000ff")
"""How a gzip file begins that holds no time and no name."""


def _expand(packed: BinaryIO, target: BinaryIO, file: Path) -> None:
    """Expand a file, which must be one compressed stream from the first byte to the last."""
    reader, more = zlib.decompressobj(wbits=31), packed.read(1 << 20)
    if not more.startswith(_HEAD):
        raise Refused("archive", "not-packed", file=str(file))
    while more:
        target.write(reader.decompress(more))
        more = packed.read(1 << 20)
    if not reader.eof or reader.unused_data:
        raise Refused("archive", "more-after-end" if reader.eof else "cut-off", file=str(file))


def _foreign(store: SqliteStore, part: ArchivePart) -> Iterator[Refused]:
    """What a file of an archive holds besides its rows, their transfers and their states."""
    file = str(part.file)
    for table in ("replies", "tickets", "ticket_ends", "desk"):
        if store._run(f"SELECT 1 FROM {table} LIMIT 1"):
            yield Refused("archive", "table-filled", file=file, table=table)
    for table in ("journal", "transfers", "snapshots"):
        if store._run(f"SELECT 1 FROM {table} WHERE stream <> ? OR seq < ? OR seq > ? LIMIT 1", part[:3]):
            yield Refused("archive", "of-other-rows", file=file, table=table)
    ends = [(store.page(part.stream, 0, 1)[0] or [(0, 0)])[0][1], store.head(part.stream).seq]
    if ends != [part.first, part.last]:
        yield Refused("archive", "rows-from-to", file=file, first=int(str(ends[0])), last=ends[1])
    if store._run("SELECT stream, owner, epoch, until, seen FROM streams") != [(part.stream, "", 0, 0, 0)]:
        yield Refused("archive", "of-another-stream", file=file)
    if store._run("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2") != _tables():
        yield Refused("archive", "of-other-tables", file=file)


@lru_cache
def _tables() -> list[tuple[str, str, str]]:
    """The tables of a new store."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "empty.db", reserve=0)
        found = store._run("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2")
        store.close()
    return [(kind, name, sql) for kind, name, sql in found]


class Archived:
    """A store together with its archive: it reads as if no row had ever been moved."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._scratch = tempfile.TemporaryDirectory()
        self._opened: dict[Path, SqliteStore] = {}

    def __enter__(self) -> Archived:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for opened in self._opened.values():
            opened.close()
        self._scratch.cleanup()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)  # all that is not about rows is in the store alone

    def alone(self, part: ArchivePart) -> SqliteStore:
        """A part by itself, unpacked."""
        if part.file not in self._opened:
            plain = Path(self._scratch.name) / f"{len(self._opened)}.db"
            self._opened[part.file] = _unpack(part.file, plain)
        return self._opened[part.file]

    def _stores(self, stream: str) -> Iterator[tuple[int, int, Store]]:
        """(first row, last row, store), in order; rows that are in the journal are read from the journal alone."""
        rows, _ = self._store.page(stream, 0, 1)
        kept = int(str(rows[0][1])) if rows else LAST
        last = 0
        for part in parts(self._folder, stream):
            if part.first >= kept:
                continue  # moved, and still in the journal too
            if last and part.first > last + 1:
                raise Untrue(last + 1, found("row", "archive-goes-on", next=part.first))
            yield last + 1 if last else part.first, min(part.last, kept - 1), self.alone(part)
            last = min(part.last, kept - 1)
        yield last + 1, LAST, self._store

    def page(self, stream: str, after: int, limit: int) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        rows: list[tuple[Any, ...]] = []
        legs: list[tuple[Any, ...]] = []
        for first, last, store in self._stores(stream):
            begin = max(after, first - 1)
            if begin >= last or len(rows) == limit:
                continue
            more, transfers = store.page(stream, begin, min(limit - len(rows), last - begin))
            rows += more
            legs += [leg for leg in transfers if int(str(leg[0])) <= last]
        return rows, legs

    def snapshot(self, stream: str, round: int = LAST, seq: int = LAST) -> Snapshot | None:
        found = [store.snapshot(stream, round, min(seq, last)) for _, last, store in self._stores(stream)]
        return next((one for one in reversed(found) if one is not None), None)

    def snapshots(self, stream: str) -> list[int]:
        found = ((first, last, store.snapshots(stream)) for first, last, store in self._stores(stream))
        return [seq for first, last, numbers in found for seq in numbers if first <= seq <= last]

    def corrections(self, stream: str, after: int) -> list[int]:
        found = ((first, last, store.corrections(stream, after)) for first, last, store in self._stores(stream))
        return [seq for first, last, numbers in found for seq in numbers if first <= seq <= last]

    def flows(self, stream: str, begin: int, end: int) -> list[tuple[str, str, str, int]]:
        sums: Counter[tuple[str, str, str]] = Counter()
        for _, _, store in self._stores(stream):  # the row that is in two of them moves no money
            for *legs, amount in store.flows(stream, begin, end):
                sums[tuple(legs)] += amount  # type: ignore[index]
        return sorted((*legs, amount) for legs, amount in sums.items())

    def search(self, stream: str, words: Sequence[bytes]) -> list[int]:
        found = ((first, last, store.search(stream, words)) for first, last, store in self._stores(stream))
        return [seq for first, last, numbers in found for seq in numbers if first <= seq <= last]
