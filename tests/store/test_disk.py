"""A disk that fails or is full: never a wrong answer, never a lie, and what is open can always be finished.

A file layer fails once, or from a moment on, at any write, truncation or sync. What SQLite makes of it reaches the
table as Full or Busy (nothing was written) or Indeterminate (stop, recover, a resend has exactly one effect), or not
at all.
"""

# ruff: noqa: N802  (the names are SQLite's)

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from croupier.rules.money import Cents
from croupier.store.commit import give_all
from croupier.store.journal import Busy, Conflict, Full, Indeterminate, Store
from croupier.store.recorder import Answer, Lost, Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.transcript.play import Evening, play
from tests.store.killed import Afterwards, check_end, given, id_of, made
from tests.support.recorders import ANN, BETTING, bet, evenings, record, table_of

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
_names = itertools.count(1)


class FailingFiles(apsw.VFS):
    """The system's own files, on a disk that fails at the n-th thing done to it, once or for good, or has a quota."""

    def __init__(self) -> None:
        self.name = f"failing-{next(_names)}"
        self.done = 0
        self.fails_at = -1
        self.for_good = False
        self.error: type[apsw.Error] = apsw.IOError
        self.next_sync = False
        """Does the next sync fail?"""
        self.struck = ""
        """The file that was hit last."""
        self.quota: int | None = None
        self.folder = Path()
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> FailingFile:
        return FailingFile(self, name, flags)

    def touched(self, what: str, file: str) -> None:
        """Something is done to a file: fail if it is time to."""
        self.done += 1
        if what == "sync" and self.next_sync:
            self.struck, self.next_sync = file, False
            raise apsw.IOError("sync")
        if self.done == self.fails_at or (self.for_good and 0 <= self.fails_at < self.done):
            self.struck = file
            # fsync never says that there is no room: SQLite hears of an I/O error.
            raise apsw.IOError("sync") if what == "sync" else self.error(what)

    def check_room(self, more: int) -> None:
        if self.quota is not None:
            used = sum(file.stat().st_size for file in self.folder.iterdir() if not file.name.endswith("-shm"))
            if used + more > self.quota:
                raise apsw.FullError("quota")


class FailingFile(apsw.VFSFile):
    def __init__(self, files: FailingFiles, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._files, self._name = files, Path(path).name if path else ""
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._files.touched("write", self._name)
        self._files.check_room(max(0, offset + len(data) - self.xFileSize()))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._files.touched("truncate", self._name)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self._files.touched("sync", self._name)
        super().xSync(flags)


@pytest.fixture
def files(tmp_path: Path) -> Iterator[FailingFiles]:
    files = FailingFiles()
    files.folder = tmp_path
    yield files
    files.unregister()


class Forgiving:
    """A connection that says of a failed copying of the log what SQLite says of it by itself: nothing.

    The commit is done then. Only because the file layer is written in Python is its error raised all the same.
    """

    def __init__(self, db: apsw.Connection, files: FailingFiles) -> None:
        self._db, self._files = db, files

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, sql: str, *values: Any) -> Any:
        try:
            return self._db.execute(sql, *values)
        except apsw.Error:
            if sql == "COMMIT" and not self._files.struck.endswith("-wal") and not self._db.in_transaction:
                return iter(())
            raise


class Fault(NamedTuple):
    """What the disk does."""

    error: type[apsw.Error]
    for_good: bool


FAULTS = [Fault(error, for_good) for error in (apsw.IOError, apsw.FullError) for for_good in (False, True)]


def opened(folder: Path, files: FailingFiles | None = None) -> SqliteStore:
    store = SqliteStore(folder / "floor.db", vfs=files.name if files else None, reserve=0)
    store._db.execute("PRAGMA wal_autocheckpoint = 10")
    if files is not None:
        vars(store)["_db"] = Forgiving(store._db, files)
    return store


def left_by_a_crash(folder: Path) -> Path:
    """The files as they lie there, before anyone closes or mends anything."""
    left = folder / "left"
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    for name in ("floor.db", "floor.db-wal"):
        shutil.copy(folder / name, left)
    return left


class Struck(NamedTuple):
    """Where an evening was struck, and by which word."""

    answered: int
    word: str


def give_on(recorder: Recorder, evening: Evening, group: int) -> Struck:
    """Give the evening until the disk strikes."""
    turns = given(evening)
    for number in range(0, len(turns), group):
        part = range(number, min(number + group, len(turns)))
        work = [(recorder, turns[one].command, id_of(recorder, turns[one].command, one)) for one in part]
        before, state = recorder.store.head(recorder.subject.name), recorder.subject.state()
        try:
            if group == 1:
                recorder.give(*work[0][1:])
                continue
            answers = give_all(recorder.store, work)
            again = [answer is None or is_for_want_of_room(answer) for answer in answers]
            answered = number + (again.index(True) if True in again else group)
            if isinstance(recorder.ownership.why, Indeterminate):
                raise recorder.ownership.why
            if True in again:
                assert recorder.owned, recorder.ownership.why
                return Struck(answered, "full")
        except Full:
            assert recorder.store.head(recorder.subject.name) == before  # nothing was written
            assert recorder.subject.state() == state
            return Struck(number, "full")
        except Indeterminate:
            with pytest.raises(Lost):
                recorder.give(*work[0][1:])
            return Struck(number if group == 1 else answered, "indeterminate")
    return Struck(len(turns), "fine")


def is_for_want_of_room(answer: Answer) -> bool:
    """Refused, with nothing written: it may be given again under the same id."""
    return answer.entry.refused is not None and answer.entry.refused.reason == "disk"


def struck_at(files: FailingFiles, folder: Path, evening: Evening, fault: Fault, place: int, group: int) -> str:
    """Let the disk strike at a place after the table was made; then go on with a good one."""
    for old in folder.glob("floor.db*"):
        old.unlink()
    files.fails_at = -1
    store = opened(folder, files)
    recorder = made(store, "one", evening)
    files.error, files.for_good, files.fails_at = fault.error, fault.for_good, files.done + place
    struck = give_on(recorder, evening, group)
    over, files.fails_at = files.done < files.fails_at, -1
    left = left_by_a_crash(folder)
    if over:
        store.close()
        return "over"
    if struck.word in ("fine", "full"):  # nothing was written of what was not answered: the same process goes on
        after = Afterwards(recorder, evening, struck.answered)
        check_end(store, evening, struck.answered, after.end("resumed", struck.answered))
        store.close()
        return struck.word
    store.close()
    store = opened(left)
    on_disk = store.head(recorder.subject.name).seq - 1
    assert struck.answered <= on_disk <= struck.answered + group
    assert verify(store).lies == []
    recovered = Recorder.recover(store, "one", 0, 5_000, recorder.subject.name)
    after = Afterwards(recovered, evening, on_disk)
    check_end(store, evening, on_disk, after.end(after.begin(struck.answered), struck.answered))
    store.close()
    return f"{struck.word}, {'there' if on_disk > struck.answered else 'not there'}"


@pytest.mark.parametrize("group", [1, 5], ids=["one by one", "in groups"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f"{f.error.__name__}{' for good' if f.for_good else ''}")
def test_a_disk_that_fails_anywhere_gives_no_wrong_answer(
    files: FailingFiles, tmp_path: Path, fault: Fault, group: int
) -> None:
    words: Counter[str] = Counter()
    for file in evenings()[::3] if ALL else evenings()[9:10]:
        evening = play(file.read_text())
        for place in itertools.count(1, 1 if ALL else 5 if fault.for_good or group > 1 else 2):
            word = struck_at(files, tmp_path, evening, fault, place, group)
            if word == "over":
                break
            words[word] += 1
    assert words.total() >= 10, words
    if fault.error is apsw.FullError:
        assert any(word.startswith("full") for word in words), words
    else:
        assert not any(word.startswith("full") for word in words), words
    assert any(word.startswith("indeterminate") for word in words), words  # a failed sync leaves it open


def test_a_commit_that_fails_can_be_there_after_a_restart(files: FailingFiles, tmp_path: Path) -> None:
    """Why an error in a commit is indeterminate: this one is found on disk, and its resend has no second effect."""
    store = opened(tmp_path, files)
    store._db.execute("PRAGMA wal_autocheckpoint = 0")
    recorder = record(store, play(BETTING))
    recorder.give(bet("b0"))
    files.next_sync = True  # the last thing that a commit does
    with pytest.raises(Indeterminate, match="sync"):
        recorder.give(bet("b1"))
    left = left_by_a_crash(tmp_path)
    recorder.store.close()
    again = Recorder.recover(opened(left), "one", 10_000, 5_000, "T")
    again.give(m.Restore("system", again.at))
    assert again.give(bet("b1")).again
    assert table_of(again).seats[ANN].credit == 80_00
    assert verify(again.store).lies == []
    again.store.close()


# ---- a full disk


def refused(answer: Answer) -> str:
    return answer.entry.refused.reason if answer.entry.refused else ""


def bet_until_full(recorder: Recorder) -> int:
    """Small bets until one is refused for want of room; says how many were placed."""
    for number in range(100_000):
        answer = recorder.give(bet(f"b{number}", stake=10))
        if refused(answer) == "disk":
            return number
        assert not refused(answer), answer
    raise AssertionError("the disk was never full")


def finish(recorder: Recorder) -> None:
    """The round is played to its end and paid."""
    at = 6
    commands: list[m.AnyCommand] = [m.CallNoMoreBets("Dana", at), m.StartMotion("Dana", at), m.EndMotion("Dana", at, 3)]
    commands += [m.PressKey("Dana", at, face) for face in "112"]
    for command in (*commands, m.PressEntry("Dana", at), m.ConfirmResult("Dana", at)):
        assert not refused(recorder.give(command)), command
    assert table_of(recorder).round is None


EVENING = BETTING.replace("seat Ann 100.00\n", "seat Ann 9000.00\nminimum 0.10\nunit 0.10\nmaximum 9000.00\n")


def full_and_free_again(store: Store, folder: Path, make_room: Any) -> None:
    """New bets are refused, the round is finished and paid, and once there is room betting goes on."""
    reserve = folder / "floor.db-reserve"
    recorder = record(store, play(EVENING))
    assert reserve.exists()
    placed = bet_until_full(recorder)
    assert placed > 10
    assert not reserve.exists()
    assert not store.room()
    credit = 900_000 - 10 * placed
    assert table_of(recorder).seats[ANN].credit == credit
    assert refused(recorder.give(m.SellCredit("Cass", 6, ANN, Cents(500)))) == "disk"
    assert not refused(recorder.give(m.WithdrawBet("Ann", 6, "w1", m.BetId("b0"), Cents(10))))
    finish(recorder)
    assert table_of(recorder).seats[ANN].credit == credit + 10 + 20 * (placed - 1)  # small pays 1 to 1
    assert refused(recorder.give(m.OpenBetting("Dana", 7))) == "disk"
    make_room()
    assert store.room()
    assert reserve.exists()
    assert not refused(recorder.give(m.OpenBetting("Dana", 8)))
    assert not refused(recorder.give(bet("c1", 8, 500, 2)))
    assert verify(store).lies == []
    store.close()


RESERVE = 1024 * 1024


def test_on_a_full_disk_the_round_is_finished_and_nothing_new_begins(
    files: FailingFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.quota = 4 * RESERVE

    class Usage(NamedTuple):
        free: int

    def usage(folder: Path) -> Usage:
        assert files.quota is not None
        return Usage(files.quota - sum(file.stat().st_size for file in folder.iterdir()))

    monkeypatch.setattr("croupier.store.sqlite.shutil.disk_usage", usage)
    store = SqliteStore(tmp_path / "floor.db", vfs=files.name, reserve=RESERVE)
    full_and_free_again(store, tmp_path, lambda: setattr(files, "quota", 16 * RESERVE))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of eight megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "croupier", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no small file system here: {error}")
    if mounted.returncode:
        pytest.skip(f"no small file system here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_on_a_disk_that_is_really_full_the_same_holds(small_disk: Path) -> None:
    store = SqliteStore(small_disk / "floor.db", reserve=RESERVE)
    other = small_disk / "something else"
    other.write_bytes(bytes(4 * RESERVE))
    full_and_free_again(store, small_disk, other.unlink)


def test_a_takeover_on_a_failing_disk_is_told_and_changes_nothing(files: FailingFiles, tmp_path: Path) -> None:
    recorder = record(opened(tmp_path, files), play(BETTING))
    files.fails_at, files.for_good, files.error = files.done, True, apsw.FullError
    with pytest.raises(Full):
        recorder.store.take("T", "two", 10_000, 5_000)
    files.fails_at = -1
    assert not refused(recorder.give(bet("b1")))  # the first owner has it still
    with pytest.raises(Conflict):
        recorder.store.take("T", "two", 4_000, 5_000)
    recorder.store.close()


def test_a_program_that_holds_the_file_costs_an_answer_and_nothing_else(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BETTING))
    store._db.set_busy_timeout(10)
    other = apsw.Connection(str(store.path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy):
        store.renew(recorded.lease, 9, 5_000)
    assert give_all(store, [(recorded, bet("b1"), "")]) == [None]
    assert recorded.owned
    other.execute("ROLLBACK")
    answer = give_all(store, [(recorded, bet("b1"), "")])[0]
    assert answer is not None
    assert not answer.again
    assert table_of(recorded).seats[ANN].held == bet("b1").stake
    assert verify(store).lies == []
