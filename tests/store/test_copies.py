"""Copies of checkpoints: every line reaches its place, in order, through failures, absences and restarts."""

from __future__ import annotations

import errno
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.store import copies as copies_module
from croupier.store.checkpoint import make_keys, read_chain, sign, signing_key
from croupier.store.copies import Copies, shown
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.transcript.play import play
from tests.store.test_checkpoint import MANY
from tests.support.checkpoint_receiver import once, receiver
from tests.support.recorders import BETTING, fill, record


@contextmanager
def copying(folder: Path, target: str) -> Iterator[Copies]:
    made = Copies(folder / "marks", target, folder)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        assert made._thread is not None
        made._thread.join(30)


def until(said: Callable[[], object], seconds: float = 30) -> None:
    last = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < last
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("FIRST_PAUSE", 0.01), ("LONGEST_PAUSE", 0.05), ("LOOK", 0.05), ("LATE", 0.2)):
        monkeypatch.setattr(copies_module, name, seconds)


@pytest.fixture
def floor(tmp_path: Path) -> tuple[SqliteStore, Recorder]:
    """A table and the dozen checkpoints of it that are in `marks`."""
    make_keys(tmp_path)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BETTING))
    more(store, recorded, tmp_path, MANY)
    return store, recorded


def more(store: SqliteStore, recorded: Recorder, folder: Path, many: int) -> None:
    for _ in range(many):
        fill(recorded, recorded.at + 1)
        sign(store, signing_key(folder), recorded.at, folder / "marks")


def own(folder: Path) -> list[bytes]:
    return (folder / "marks").read_bytes().splitlines(keepends=True)


def test_a_receiver_that_fails_half_of_its_calls_has_every_line_in_order(
    floor: tuple[SqliteStore, Recorder], tmp_path: Path
) -> None:
    chance = random.Random("half")
    with receiver(lambda: chance.choice(("", "", "", "", "500", "302", "late", "404"))) as server:
        with copying(tmp_path, server.address) as copies:
            until(lambda: once(server.lines) == own(tmp_path))
            more(*floor, tmp_path, MANY)
            copies.wake()
            until(lambda: once(server.lines) == own(tmp_path))
            until(lambda: copies.seconds_behind == 0)
            assert copies.trouble == ""
        assert server.asked > len(own(tmp_path))  # it did fail
        (tmp_path / "received").write_bytes(b"".join(server.lines))
        found = read_chain([tmp_path / "marks", tmp_path / "received"], tmp_path / "public.key")
        assert (len(found.marks), found.lies) == (2 * MANY, [])


def test_a_restart_sends_what_was_not_sent_and_nothing_else(
    floor: tuple[SqliteStore, Recorder], tmp_path: Path
) -> None:
    with receiver() as server:
        with copying(tmp_path, server.address):
            until(lambda: len(server.lines) == MANY)
        more(*floor, tmp_path, 3)
        with copying(tmp_path, server.address):
            until(lambda: len(server.lines) == MANY + 3)
            time.sleep(0.2)
        assert server.lines == own(tmp_path)
        # A file that is not the one it was is sent from its beginning.
        (tmp_path / "marks").write_bytes(b"".join(own(tmp_path)[3:]))
        with copying(tmp_path, server.address):
            until(lambda: len(server.lines) == 2 * MANY + 3)


def test_a_receiver_that_is_away_is_told_of_and_costs_nothing_but_time(
    floor: tuple[SqliteStore, Recorder], tmp_path: Path
) -> None:
    with receiver(lambda: "503") as server, copying(tmp_path, server.address) as copies:
        until(lambda: copies.late)
        assert copies.trouble == "HTTP 503"
        assert copies.seconds_behind > 0
        assert copies.behind == (tmp_path / "marks").stat().st_size
        begun = time.monotonic()
        copies.wait(0.1)
        assert time.monotonic() - begun < 2
        server.fails = lambda: ""
        until(lambda: not copies.late)
        assert copies.behind == 0


def test_a_password_is_sent_and_never_shown(floor: tuple[SqliteStore, Recorder], tmp_path: Path) -> None:
    with receiver() as server:
        server.wanted = "Basic Zmxvb3I6czNjcmV0"  # floor:s3cret
        address = server.address.replace("http://", "http://floor:s3cret@")
        with copying(tmp_path, address) as copies:
            until(lambda: server.lines == own(tmp_path))
            assert copies.name == shown(address) == server.address
    assert not any(b"s3cret" in file.read_bytes() for file in tmp_path.glob("copied-*"))


def test_a_folder_that_goes_away_and_comes_back_has_every_line_once(
    floor: tuple[SqliteStore, Recorder], tmp_path: Path
) -> None:
    there, away = tmp_path / "elsewhere", tmp_path / "away"
    there.mkdir()
    copy = there / copies_module.NAME
    with copying(tmp_path, str(there)) as copies:
        until(lambda: copy.exists() and copy.read_bytes() == (tmp_path / "marks").read_bytes())
        there.rename(away)
        more(*floor, tmp_path, 3)
        copies.wake()
        until(lambda: copies.late)
        assert copies.trouble == os.strerror(errno.ENOENT)
        assert not there.exists()  # never made: it would be on another disk than was meant
        with (away / copies_module.NAME).open("ab") as torn:
            torn.write(b'{"at": 1')
        away.rename(there)
        until(lambda: copy.read_bytes() == (tmp_path / "marks").read_bytes())
    # What was noted of it is lost: nothing comes twice.
    for file in tmp_path.glob("copied-*"):
        file.unlink()
    with copying(tmp_path, str(there)) as copies:
        until(lambda: copies.lines == MANY + 3)
    assert copy.read_bytes() == (tmp_path / "marks").read_bytes()


def test_a_fork_is_copied_too_so_that_it_is_seen(floor: tuple[SqliteStore, Recorder], tmp_path: Path) -> None:
    store, recorded = floor
    there = tmp_path / "elsewhere"
    there.mkdir()
    with copying(tmp_path, str(there)) as copies:
        until(lambda: copies.lines == MANY)
    (tmp_path / "marks").write_bytes(b"".join(own(tmp_path)[:5]))  # set back
    more(store, recorded, tmp_path, 1)
    with copying(tmp_path, str(there)) as copies:
        until(lambda: copies.lines == 6)
    found = read_chain([there / copies_module.NAME], tmp_path / "public.key")
    assert ("fork", 6) in [(lie.case, lie.facts["number"]) for lie in found.lies]


def test_the_receiver_in_the_documents_keeps_what_it_is_sent(
    floor: tuple[SqliteStore, Recorder], tmp_path: Path
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    program = text.partition("# file: receiver.py\n")[2].partition("```")[0]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "receiver.py").write_text(program)
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "receiver.py"), str(port), str(tmp_path / "received")],
        stderr=subprocess.DEVNULL,
    )
    try:
        with copying(tmp_path, f"http://127.0.0.1:{port}/") as copies:
            until(lambda: copies.lines == MANY)
    finally:
        process.kill()
        process.wait()
    assert (tmp_path / "received").read_bytes() == (tmp_path / "marks").read_bytes()
