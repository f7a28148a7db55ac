"""The power is cut at every write below SQLite: what was acknowledged is there, and the journal tells the truth.

A file layer notes every write, truncation and sync of an evening. A cut after any of them leaves what was synced for
certain, and of the rest whatever the disk pleases: some writes lost, some torn, in any mixture.
"""

# ruff: noqa: N802  (the names are SQLite's)

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.transcript.play import play
from tests.store.killed import Afterwards, check_end, give_turns, given, made
from tests.support.recorders import evenings

SECTOR = 512


class Noted(NamedTuple):
    """Something that happened below SQLite, or an acknowledgement above it."""

    kind: str
    file: str
    place: int = 0
    data: bytes = b""


class NotingFiles(apsw.VFS):
    """The system's own files, with a note of everything that is done to them."""

    def __init__(self, name: str) -> None:
        self.notes: list[Noted] = []
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> NotingFile:
        return NotingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.notes.append(Noted("delete", Path(filename).name, int(syncdir)))
        super().xDelete(filename, syncdir)


class NotingFile(apsw.VFSFile):
    def __init__(self, files: NotingFiles, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._notes, self._name = files.notes, Path(path).name if path else ""
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._notes.append(Noted("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._notes.append(Noted("truncate", self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self._notes.append(Noted("sync", self._name))
        super().xSync(flags)


def noted(file: Path, folder: Path, group: int = 1, synchronous: str | None = None) -> list[Noted]:
    """Play an evening on a noting disk, one by one or in groups."""
    name = f"noting-{folder.name}-{group}"
    files = NotingFiles(name)
    settings = {"synchronous": synchronous} if synchronous else {}
    store = SqliteStore(folder / "floor.db", vfs=name, reserve=0, **settings)
    store._db.execute("PRAGMA wal_autocheckpoint = 10")  # so that the log is copied and begun anew now and then
    evening = play(file.read_text())
    recorded = made(store, "one", evening)
    files.notes.append(Noted("acknowledged", "", 0))
    for answered in give_turns(recorded, given(evening), group=group):
        files.notes.append(Noted("acknowledged", "", answered))
    notes = list(files.notes)
    store.close()
    files.unregister()
    return notes


def after_a_cut(notes: list[Noted], rng: random.Random) -> dict[str, bytes]:
    """What the disk holds after a cut: everything synced, and of the rest what luck left."""
    disk: dict[str, bytearray] = {}
    last_sync = {note.file: place for place, note in enumerate(notes) if note.kind == "sync"}
    luck = rng.choice((0.0, 0.3, 0.7, 1.0))
    for place, note in enumerate(notes):
        content = disk.setdefault(note.file, bytearray()) if note.kind != "acknowledged" else bytearray()
        # A deletion is certain only when SQLite asked for the folder to be synced with it.
        certain = place <= last_sync.get(note.file, -1) or (note.kind == "delete" and note.place == 1)
        if not certain and rng.random() >= luck:
            continue
        if note.kind == "write":
            torn = len(note.data) if certain else rng.choice((len(note.data), rng.randrange(len(note.data) + 1)))
            data = note.data[: torn if torn == len(note.data) else torn // SECTOR * SECTOR]
            content.extend(bytes(max(0, note.place + len(data) - len(content))))
            content[note.place : note.place + len(data)] = data
        elif note.kind == "truncate":
            del content[note.place :]
        elif note.kind == "delete":
            disk.pop(note.file, None)
    return {name: bytes(content) for name, content in disk.items() if name.startswith("floor.db")}


def survived(disk: dict[str, bytes], folder: Path) -> SqliteStore:
    """What a cut left, opened again; what is done with it from here on need not be safe."""
    for old in folder.glob("floor.db*"):
        old.unlink()
    for name, content in disk.items():
        (folder / name).write_bytes(content)
    return SqliteStore(folder / "floor.db", synchronous="OFF", reserve=0)


def cuts(notes: list[Noted], count: int, rng: random.Random) -> list[int]:
    """Where the power is cut: at every note since the table was made, and at more by chance."""
    first = next(place for place, note in enumerate(notes) if note.kind == "acknowledged")
    places = list(range(first, len(notes)))
    return places + [rng.choice(places) for _ in range(count - len(places))]


@pytest.mark.parametrize(("group", "count"), [(1, 1_000), (5, 300)], ids=["one by one", "in groups"])
@pytest.mark.parametrize("file", evenings()[::3], ids=lambda file: file.parent.name)
def test_no_acknowledged_command_is_lost_in_a_power_cut(file: Path, group: int, count: int, tmp_path: Path) -> None:
    rng = random.Random(f"cuts {file.name} {group}")
    evening, notes = play(file.read_text()), noted(file, tmp_path, group)
    disk = tmp_path / "disk"
    disk.mkdir()
    assert any(note.kind == "write" and note.file == "floor.db" for note in notes[100:])  # checkpoints are among them
    places = cuts(notes, count, rng)
    assert len(places) >= count
    looked_at = set(rng.sample(range(len(places)), 50 // group))
    for number, place in enumerate(places):
        acknowledged = max(note.place for note in notes[: place + 1] if note.kind == "acknowledged")
        store = survived(after_a_cut(notes[: place + 1], rng), disk)
        verdict = verify(store)
        assert not verdict.lies
        on_disk = verdict.rows - 1
        assert acknowledged <= on_disk <= acknowledged + group  # a commit that was not answered yet may be there
        if number in looked_at:
            recorder = Recorder.recover(store, "two", 5_000, 5_000, evening.table.setup.table)
            after = Afterwards(recorder, evening, on_disk)
            check_end(store, evening, on_disk, after.end(after.begin(acknowledged), acknowledged))
        store.close()


def test_the_cuts_would_show_a_commit_that_is_not_synced(tmp_path: Path) -> None:
    file = evenings()[0]
    rng = random.Random("normal")
    notes = noted(file, tmp_path, synchronous="NORMAL")
    disk = tmp_path / "disk"
    disk.mkdir()
    lost = 0
    for place in cuts(notes, 60, rng):
        acknowledged = max(note.place for note in notes[: place + 1] if note.kind == "acknowledged")
        store = survived(after_a_cut(notes[: place + 1], rng), disk)
        lost += verify(store).rows - 1 < acknowledged
        store.close()
    assert lost > 10
