"""Heads: how far each stream had come when this machine last answered for it, kept in files outside the journal.

A database shows only what it still has. SQLite takes a damaged log for the end of the log. A PostgreSQL that did not
wait for its disk, was restored from an older copy, or was replaced by a standby that lagged, shows a shorter history.
Each of these is true in itself: its chain is whole, its money adds up. The loss can only be seen by comparing it with a
memory kept elsewhere.

The order of events for every group of rows:

1. The rows are committed, and on disk.
2. The head, the number and hash of the last row, is noted here: in memory, and in a file of this machine.
3. The answers leave.

So whatever was answered is noted, and what is noted was on disk: the file is never ahead of an honest journal. Step 2
is one small write without a sync, so a bet does not wait for a second disk access. A killed process loses nothing of
it, for the system has the bytes. A power cut can lose the last second of it (`sync` runs every second, aside): then
the file is behind, which raises no false alarm, and the signed checkpoints are the other memory.

A machine that follows a stream notes the rows it has read, too: a row that was read was committed. So every machine of
a floor remembers every stream, and compares (`shortened`) when it starts, when the database has been away, when it
reads a stream anew or takes it over, and when another machine reports that the stream is too short; `croupier verify`
compares too.

A stream that is too short never takes another row. It is shown as far as it goes, and stops. There are two ways out: a
better copy is restored, or two people accept the loss (`LossAccepted`), by a row that names the heads given up.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from zlib import crc32

from croupier.rules.findings import found
from croupier.rules.refusal import Refused
from croupier.store.disk import sync
from croupier.store.history import Untrue
from croupier.store.journal import GENESIS, Broken, Lease, NewRow, Place, Store, chain, row_after
from croupier.store.streams.entry import LossAccepted, read_loss
from croupier.store.streams.made import AnyMade, made_row
from croupier.wire import encode

_LINE = 512
"""Bytes of a line: one sector, so that a power cut tears none. Each line of a file is written in its own place."""
_TRIES = 5
"""How often a line is read that another process may be writing at this moment."""


class Shortened(Untrue):
    """A journal that ends before a row it once had, or has another in its place."""

    def __init__(self, stream: str, reached: Place, ends: int) -> None:
        self.stream = stream
        self.reached = reached
        self.ends = ends
        if ends < reached.seq:
            lacking = reached.seq - ends
            what = found("stream", "shorter", stream=stream, ends=ends, reached=reached.seq, missing=lacking)
        else:
            what = found("stream", "other-row", stream=stream, row=reached.seq)
        super().__init__(min(ends + 1, reached.seq), what)

    @property
    def refused(self) -> Refused:
        """Why a command to this stream is refused."""
        stream, (row, _) = self.stream, self.reached
        if self.ends < row:
            return Refused("loss", "shortened", stream=stream, ends=self.ends, reached=row)
        return Refused("loss", "replaced", stream=stream, row=row)


class Remembered(NamedTuple):
    """The contents of the files of heads in a folder."""

    places: dict[str, set[Place]]
    unreadable: list[tuple[Path, int]]
    """Damaged lines, by file and number."""


class Heads:
    """The heads this machine remembers. Several processes may keep theirs in one folder, each in a file of its own."""

    def __init__(self, folder: Path, owner: str, signed: Mapping[str, Place] | None = None) -> None:
        """`signed` are the heads of the last checkpoint: another memory, in case this one is damaged or gone."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self.found = remembered(folder)
        """What earlier processes had noted, when this one began."""
        self.gone = not self.found.places
        for stream, place in (signed or {}).items():
            self.found.places.setdefault(stream, set()).add(place)
        self.fault = ""
        """Why heads cannot be written, if they cannot. The rows themselves are on disk."""
        self.halted: dict[str, Shortened] = {}
        """Streams that this machine or another has found too short."""
        self._last: dict[str, Place] = {name: max(places) for name, places in self.found.places.items()}
        self._lines: dict[str, int] = {}
        self._changed = False
        self._old = _files(folder)
        # Always a new file: what the old ones say counts until every stream was compared with it.
        self._descriptor = _made(folder / f"{quote(owner, safe='')}-{secrets.token_hex(4)}")
        for name, place in self._last.items():
            self._write(name, place)

    # ---- writing

    def note(self, stream: str, place: Place) -> None:
        """Note that the rows up to a place are on disk. The note of a stream that is too short stays as it is."""
        if stream in self.halted or place == GENESIS:
            return
        last = self._last.get(stream, GENESIS)
        if place.seq >= last.seq:  # a reader that begins at an older place does not lower the note
            self._last[stream] = place
            self._write(stream, place)

    def _write(self, stream: str, place: Place) -> None:
        line = self._lines.setdefault(stream, len(self._lines))
        self._changed = True
        try:
            os.pwrite(self._descriptor, _line(stream, place), line * _LINE)
            self.fault = ""
        except OSError as error:
            self.fault = error.strerror or str(error)

    def sync(self) -> None:
        """Put the notes on disk, where a power cut does not take them; nothing waits for this."""
        if self._changed:
            self._changed = False
            try:
                os.fdatasync(self._descriptor)
            except OSError as error:
                self.fault = error.strerror or str(error)

    def settle(self) -> None:
        """Every stream was compared, and this file has what earlier processes had noted: remove their files."""
        self._changed = True
        self.sync()
        if self.fault:
            return
        sync(self._folder)
        for file in self._old:
            with contextlib.suppress(FileNotFoundError, BlockingIOError), file.open("rb") as left:
                fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.unlink()
        self._old = []

    def close(self) -> None:
        self.sync()
        os.close(self._descriptor)

    # ---- comparing

    def compare(self, store: Store, stream: str, also: Iterable[Place] = ()) -> Shortened | None:
        """Does a stream still have the rows that it had reached, as far as this machine or others remember?

        If not, it is halted until it has them again or the loss is accepted.
        """
        reached = {self._last.get(stream, GENESIS), *(self.found.places.get(stream, ()) if self._old else ())}
        short = shortened(store, stream, {*reached, *also})
        if short is not None:
            self.halted[stream] = short
            self._last[stream] = short.reached
            self._write(stream, short.reached)
            return short
        if self.halted.pop(stream, None) or not all(_has(store, stream, place) for place in reached):
            self._last[stream] = store.head(stream)  # a better copy was restored, or the loss was accepted
        return None


def shortened(store: Store, stream: str, reached: Iterable[Place]) -> Shortened | None:
    """The farthest row that a stream had reached and lacks, unless two people have accepted its loss."""
    gone = missing(store, stream, reached)
    return Shortened(stream, gone[-1], store.head(stream).seq) if gone else None


def missing(store: Store, stream: str, reached: Iterable[Place]) -> list[Place]:
    """Which of these rows a stream lacks, in their order, without those that two people have given up."""
    gone = [place for place in sorted(reached) if not _has(store, stream, place)]
    given_up = {place for _, loss in losses(store, stream) for place in loss.places} if gone else ()
    return [place for place in gone if place not in given_up]


def _has(store: Store, stream: str, place: Place) -> bool:
    if place in (GENESIS, store.head(stream)):
        return True
    try:
        row = row_after(store, stream, place.seq - 1)
    except (Broken, Untrue):
        return False
    # If a later row is the first one, this one is in an archive that is not here.
    return row is not None and (row.seq > place.seq or row.hash == place.hash)


def losses(store: Store, stream: str) -> Iterator[tuple[int, LossAccepted]]:
    """The losses of a stream that two people have accepted, each with the number of its row."""
    for seq in store.search(stream, [b'"second":']):
        row = row_after(store, stream, seq - 1)
        if row is not None and row.seq == seq and row.kind == LossAccepted.__name__:
            yield seq, read_loss(row)


def accept(store: Store, lease: Lease, at: int, loss: LossAccepted, made: AnyMade | None) -> Place:
    """Record that a stream continues without the rows it lost; a stream of which nothing is left is made anew first."""
    after = store.head(lease.stream)
    first = [NewRow(at, *made_row(made))] if made is not None and after == GENESIS else []
    append = chain(lease.stream, lease.epoch, after, [*first, NewRow(at, LossAccepted.__name__, encode(loss))])
    store.append([append])
    return append.place


def remembered(folder: Path) -> Remembered:
    """All heads in a folder, also those of processes that are running."""
    places: dict[str, set[Place]] = {}
    unreadable = []
    for file in _files(folder):
        with contextlib.suppress(FileNotFoundError):  # another process has just taken it over
            for number in range((file.stat().st_size + _LINE - 1) // _LINE):
                found = _read(file, number)
                if found is None:
                    unreadable.append((file, number + 1))
                else:
                    places.setdefault(found[0], set()).add(found[1])
    return Remembered(places, unreadable)


def _made(file: Path) -> int:
    """A new file, locked as long as this process lives, so that no other process takes it for an abandoned one."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.glob("*") if file.is_file())


def _line(stream: str, place: Place) -> bytes:
    body = f"{place.seq} {place.hash.hex()} {stream}".encode()
    return (b"%08x " % crc32(body) + body).ljust(_LINE - 1) + b"\n"


def _read(file: Path, number: int) -> tuple[str, Place] | None:
    for _ in range(_TRIES):
        with file.open("rb") as lines:
            lines.seek(number * _LINE)
            line = lines.read(_LINE)
        try:
            _, seq, hash, stream = line.decode().split()
            place = Place(int(seq), bytes.fromhex(hash))
        except ValueError:
            place = None
        if place is not None and line == _line(stream, place):
            return stream, place
        time.sleep(0.001)
    return None
