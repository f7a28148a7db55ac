"""Tables on disk: what was played is there, comes back after a restart, and every lie about it is found."""

from __future__ import annotations

import random
import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest

from croupier.rules.money import Cents
from croupier.store.checkpoint import is_signed, make_keys, public_key, read, sign, signing_key
from croupier.store.journal import Conflict, Store
from croupier.store.record import RecordedTable, evening_of, made_of
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.transcript.play import Evening, play, write
from tests.store.conftest import Open

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"


def evenings() -> list[Path]:
    """A few evenings of every book: the ones with most lines."""
    chosen = []
    for folder in sorted(path for path in TRANSCRIPTS.iterdir() if path.name != "refusals"):
        chosen += sorted(folder.glob("*.round"), key=lambda file: -len(file.read_text().splitlines()))[:3]
    return chosen


def text_of(evening: Evening) -> str:
    return files("croupier").joinpath("rulebooks", f"{evening.table.book.id}.toml").read_text()


def record(store: Store, evening: Evening, owner: str = "one") -> RecordedTable:
    recorded = RecordedTable.make(store, owner, 0, 5_000, made_of(evening, text_of(evening)))
    for turn in evening.turns:
        answer = recorded.give(turn.command)
        resent = isinstance(turn.command, m.PlaceBet | m.WithdrawBet) and not turn.events and not turn.refused
        if not resent:
            assert list(answer.entry.events) == turn.events
            assert (answer.entry.refused is None) == (turn.refused is None)
    return recorded


@pytest.mark.parametrize("file", evenings(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_an_evening_on_disk_is_the_evening(file: Path, store: Store, open_store: Open) -> None:
    evening = play(file.read_text())
    recorded = record(store, evening)
    again = RecordedTable.recover(open_store(), "one", 1, 5_000, evening.table.setup.table)
    for table in (recorded, again):
        assert table.table.seats == evening.table.seats
        assert table.table.past == evening.table.past
        assert table.table.phase == evening.table.phase
        assert table.balances == evening.balances
    assert verify(store).lies == []
    assert [turn.events for turn in evening_of(store, evening.table.setup.table).turns] == [
        turn.events for turn in evening.turns
    ]
    assert play(write(evening_of(store, evening.table.setup.table))).table.seats == evening.table.seats


def test_a_resend_after_a_restart_gets_the_first_answer_and_a_changed_one_is_refused(
    store: Store, open_store: Open
) -> None:
    evening = play("table T rws-sicbo-etg-v2 A\nseat Ann 100.00\n\nDana calls place your bets\n")
    recorded = record(store, evening)
    bet = m.PlaceBet("Ann", 5, m.BetId("b1"), m.RoundNumber(1), m.SeatId("Ann"), "small", Cents(1000))
    first = recorded.give(bet)
    again = RecordedTable.recover(open_store(), "two", 10_000, 5_000, "T")
    for at in range(6, 50):
        answer = again.give(m.PlaceBet("Ann", at, bet.id, bet.round, bet.seat, "small", bet.stake))
        assert answer.again
        assert answer.entry == first.entry
    changed = again.give(m.PlaceBet("Ann", 7, bet.id, bet.round, bet.seat, "small", Cents(2000)))
    assert changed.entry.refused is not None
    assert again.table.seats[bet.seat].credit == 90_00
    with pytest.raises(Conflict):  # the first owner has lost the table
        recorded.give(m.CallNoMoreBets("Dana", 60))


def test_a_stopped_append_leaves_the_table_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = play("table T rws-sicbo-etg-v2 A\nseat Ann 100.00\n\nDana calls place your bets\n")
    recorded = record(store, evening)
    monkeypatch.setattr(store, "append", _fails)
    with pytest.raises(OSError, match="disk"):
        recorded.give(m.PlaceBet("Ann", 5, m.BetId("b1"), m.RoundNumber(1), m.SeatId("Ann"), "small", Cents(1000)))
    assert recorded.table.seats[m.SeatId("Ann")].credit == 100_00
    assert recorded.table.round is not None
    assert not recorded.table.round.bets


def _fails(batch: object) -> list[bytes]:
    raise OSError("disk on fire")


# ---- lies


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A floor of five tables on SQLite, with a signed checkpoint beside it."""
    folder = tmp_path_factory.mktemp("floor")
    store = SqliteStore(folder / "floor.db")
    for number, file in enumerate(evenings()[::3]):
        text = file.read_text().replace("table T1 ", f"table T{number} ")
        record(store, play(text))
    make_keys(folder)
    sign(store, signing_key(folder), 1, folder / "checkpoints.jsonl")
    store.close()
    return folder / "floor.db", folder


COLUMNS = {
    "journal": ("stream", "seq", "format", "epoch", "at", "kind", "body", "transfers", "hash"),
    "transfers": ("stream", "seq", "leg", "source", "target", "amount", "reason"),
}


def edit(db: sqlite3.Connection, rng: random.Random) -> str | None:
    """One random lie: a field changed, a row dropped, two rows swapped, the end cut off. None if it changed nothing."""
    table = rng.choice(("journal", "journal", "transfers"))
    rows = db.execute(f"SELECT * FROM {table}").fetchall()
    columns = COLUMNS[table]
    keys = columns[: 2 if table == "journal" else 3]
    where = " AND ".join(f"{name} = ?" for name in keys)
    row = rng.choice(rows)
    what = rng.choice(("change", "change", "change", "drop", "swap", "cut"))
    try:
        if what == "drop":
            db.execute(f"DELETE FROM {table} WHERE {where}", row[: len(keys)])
        elif what == "cut":
            db.execute(f"DELETE FROM {table} WHERE stream = ? AND seq >= ?", row[:2])
        elif what == "swap":
            other = rng.choice(rows)
            mine, theirs = row[len(keys) :], other[len(keys) :]
            if mine == theirs:
                return None
            sets = ", ".join(f"{name} = ?" for name in columns[len(keys) :])
            db.execute(f"UPDATE {table} SET {sets} WHERE {where}", (*theirs, *row[: len(keys)]))
            db.execute(f"UPDATE {table} SET {sets} WHERE {where}", (*mine, *other[: len(keys)]))
        else:
            place = rng.randrange(len(columns))
            changed = _changed(row[place], rng)
            if changed == row[place]:
                return None
            db.execute(f"UPDATE {table} SET {columns[place]} = ? WHERE {where}", (changed, *row[: len(keys)]))
    except sqlite3.IntegrityError:
        return None  # the database itself would not take it
    return f"{what} in {table}"


def _changed(value: object, rng: random.Random) -> object:
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 100))
    if isinstance(value, bytes):
        if not value:
            return b"x"
        place = rng.randrange(len(value))
        return value[:place] + bytes([value[place] ^ (1 << rng.randrange(8))]) + value[place + 1 :]
    text = str(value)
    place = rng.randrange(len(text))
    return text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]


def test_random_lies_are_all_found(floor: tuple[Path, Path], tmp_path: Path) -> None:
    database, folder = floor
    marks = read(folder / "checkpoints.jsonl")
    assert all(is_signed(mark, public_key(folder / "public.key")) for mark in marks)
    rng, told, unseen = random.Random("lies"), 0, []
    pristine = database.read_bytes()
    while told < 400:
        copy = tmp_path / "copy.db"
        copy.write_bytes(pristine)
        with sqlite3.connect(copy) as db:
            what = edit(db, rng)
        db.close()
        if what is None:
            continue
        told += 1
        store = SqliteStore(copy)
        if not verify(store, marks).lies:
            unseen.append(what)
        store.close()
        for file in tmp_path.glob("copy.db*"):
            file.unlink()
    assert not unseen


def test_a_forged_checkpoint_is_not_signed(floor: tuple[Path, Path]) -> None:
    _, folder = floor
    mark = read(folder / "checkpoints.jsonl")[0]
    key = public_key(folder / "public.key")
    stream = next(iter(mark.heads))
    for forged in (
        mark._replace(at=2),
        mark._replace(heads=mark.heads | {stream: (1, "00" * 32)}),
        mark._replace(signature="00" * 64),
        mark._replace(signature="nonsense"),
    ):
        assert not is_signed(forged, key)
