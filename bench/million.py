"""A journal of a million rows of real rounds on SQLite: how long it takes to build, to start again from, and to verify.

Trust the ratios, not the seconds: in the same run a bare loop reads and hashes the same rows and does nothing else. It
is a failure if a restart takes longer than a few seconds or verification finds a fault.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import apsw

from bench.store import HOUR, bets, seat_everyone, table_made
from croupier.store.commit import give_all
from croupier.store.journal import GENESIS, Place, Row, hash_of
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.table import TableSubject
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import AnyCommand

ROWS = 1_000_000
BOXES = 5
"""How many boxes every seat bets on in a round."""
PACE = 60_000
"""Milliseconds from round to round."""
RESTART = 5.0
"""The most seconds that a restart may take."""
TABLE = "T1"
T = TypeVar("T")


def bets_of(number: int, seats: int, chance: random.Random) -> list[AnyCommand]:
    """The bets of a round: every seat bets on several boxes, and each fifth seat withdraws a bet."""
    placed = bets(number, seats * BOXES, number * PACE)
    chance.shuffle(placed)
    withdrawn = [
        m.WithdrawBet(bet.by, bet.at, f"w{bet.id}", bet.id, bet.stake)
        for bet in chance.sample(placed, seats // 5)
        if isinstance(bet, m.PlaceBet)
    ]
    return [*placed, *withdrawn]


def end_of(number: int, chance: random.Random) -> list[AnyCommand]:
    at = number * PACE + PACE // 2
    keys = [m.PressKey("Dana", at, str(chance.randint(1, 6))) for _ in range(3)]
    return [
        m.CallNoMoreBets("Dana", at),
        m.StartMotion("Dana", at),
        m.EndMotion("Dana", at, 3),
        *keys,
        m.PressEntry("Dana", at),
        m.ConfirmResult("Dana", at),
    ]


def build(store: SqliteStore, rows: int) -> Recorder:
    recorder, chance = Recorder.make(store, "bench", 0, HOUR, table_made(TABLE)), random.Random(1)
    give(recorder, list(seat_everyone()))
    assert isinstance(recorder.subject, TableSubject)
    table = recorder.subject.table
    while recorder.place.seq < rows:
        number = table.next_round
        give(recorder, [m.OpenBetting("Dana", number * PACE), *bets_of(number, len(table.seats), chance)])
        give(recorder, end_of(number, chance))
        if table.phase == "settling":
            give(recorder, [m.PayWinners("Dana", number * PACE + PACE // 2)])
        assert table.past[number].outcome is not None
    return recorder


def give(recorder: Recorder, commands: list[AnyCommand]) -> None:
    """Put a group on disk in one commit. Nothing in it may be refused."""
    answers = give_all(recorder.store, [(recorder, command, "") for command in commands])
    for command, answer in zip(commands, answers, strict=True):
        assert answer is not None, recorder.ownership.why
        assert answer.entry.refused is None, (command, answer.entry.refused)


def bare_chain(file: Path) -> Place:
    """Read and hash: the least that checking a chain can cost."""
    db = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    legs = db.execute("SELECT seq, source, target, amount, reason, about FROM transfers ORDER BY stream, seq, leg")
    seq, before, leg = 0, GENESIS.hash, next(legs, None)
    rows: Iterable[tuple[Any, ...]] = db.execute("SELECT * FROM journal ORDER BY stream, seq")
    for stream, seq, format, epoch, at, kind, body, _ in rows:
        transfers: list[Any] = []
        while leg is not None and leg[0] == seq:
            transfers.append(leg[1:])
            leg = next(legs, None)
        before = hash_of(Row(stream, seq, format, epoch, at, kind, body, b"", tuple(transfers)), before)
    return Place(seq, before)


def timed(what: str, work: Callable[[], T]) -> tuple[float, T]:
    """Print the seconds that work took, with the peak memory of this process until then. Returns the seconds."""
    start = time.perf_counter()
    result = work()
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"  {what:28} {took:8.2f} s   peak memory {peak:,} MiB", flush=True)
    return took, result


def report(file: Path, rows: int) -> int:
    print(f"a journal of {rows:,} rows of settled rounds on SQLite:")
    store = SqliteStore(file)
    building, recorder = timed("built, group by group", lambda: build(store, rows))
    store.close()
    count, rounds = recorder.place.seq, recorder.subject.next_round - 1
    size = file.stat().st_size / 2**20
    print(f"    {count:,} rows of {rounds:,} rounds, {count / building:,.0f} a second, {size:,.0f} MiB")
    bare, place = timed("bare chain: read and hash", lambda: bare_chain(file))
    assert place == recorder.place, "the bare chain ends elsewhere"
    store = SqliteStore(file)
    restart, restarted = timed("restart", lambda: Recorder.recover(store, "bench", HOUR, HOUR, TABLE))
    assert restarted.subject.state() == recorder.subject.state(), "another state came back"
    checking, verdict = timed("verify: every row again", lambda: verify(store))
    store.close()
    assert verdict.lies == [], verdict.lies
    assert verdict.rows == restarted.place.seq
    print(f"  verify takes {checking / bare:.1f}x the bare chain and {checking / building:.2f}x the building")
    print(f"  restart takes {restart / bare:.3f}x the bare chain, {restart:.2f} s (allowed: {RESTART:.0f} s)")
    return 1 if restart > RESTART else 0


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        return report(Path(folder) / "million.db", rows)


if __name__ == "__main__":
    sys.exit(main())
