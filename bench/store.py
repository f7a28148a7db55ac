"""How many bets a second both stores put on disk, beside a bare loop that writes the same bytes in the same run.

The bare loop has its rows ready, hashes nothing, checks nothing, and writes in the fastest way of its database. Trust
the shares, not the rates: machines are noisy. Every commit is durable on both sides. The store must reach half of the
bare loop's rate in every line.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import psycopg

from croupier import load_rulebook
from croupier.floor.floor import HEADS_EVERY
from croupier.rules.money import Cents
from croupier.store.commit import give_all
from croupier.store.heads import Heads
from croupier.store.journal import GENESIS, Lease, NewRow, Store, chain
from croupier.store.migrations import MIGRATIONS
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Recorder
from croupier.store.sqlite import TOGETHER, SqliteStore
from croupier.store.streams.made import TableMade
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, BetId, Limits, PersonId, RoundNumber, SeatId
from croupier.wire import encode
from tests.support.postgres import started

BOOK, LAYOUT = "rws-sicbo-etg-v2", "B"
SEATS = 60
COMMITS = {1: 300, 10: 200, 100: 100, 1_000: 20}
"""Rows in a commit, and the number of such commits in one measurement."""
REPEATS = 7
LEAST = 0.5
HOUR = 3_600_000

Tuples = Sequence[tuple[Any, ...]]


# ---- the rows


def table_made(name: str) -> TableMade:
    book, text = load_rulebook(BOOK), files("croupier").joinpath("rulebooks", f"{BOOK}.toml").read_text()
    limits = Limits({"*": Cents(100)}, {"*": Cents(10**9)}, Cents(100))
    staff = {PersonId("Dana"): ("dealer",), PersonId("Sam"): ("pit-supervisor",), PersonId("Cass"): ("cashier",)}
    return TableMade(name, text, book.hash, (LAYOUT,), limits, staff)  # type: ignore[arg-type]


def seat_everyone() -> Iterator[AnyCommand]:
    for seat in map(SeatId, seats()):
        yield m.TakeSeat("Sam", 0, seat, LAYOUT)
        yield m.SellCredit("Cass", 0, seat, Cents(10**11))
    yield m.OpenTable("Sam", 0)


def seats() -> list[str]:
    return [f"s{seat:02}" for seat in range(1, SEATS + 1)]


def bets(round: int, count: int, at: int = 1_000) -> list[AnyCommand]:
    """Bets of the seats in turn, on many boxes."""
    boxes, names = load_rulebook(BOOK).layout(LAYOUT).boxes, seats()
    return [
        m.PlaceBet(
            names[n % SEATS],
            at + n,
            BetId(f"{round:06}-{n:06}"),
            RoundNumber(round),
            SeatId(names[n % SEATS]),
            boxes[n * 7 % len(boxes)],
            Cents(500 + n % 5 * 500),
        )
        for n in range(count)
    ]


def ready_rows(count: int) -> list[NewRow]:
    """Rows of real bets with the money they move."""
    subject = TableSubject(table_made("T1"))

    def given(command: AnyCommand) -> NewRow:
        entry = subject.decided(command)
        assert entry.refused is None, entry.refused
        transfers = subject.post(entry)
        subject.apply(entry, transfers)
        return NewRow(command.at, type(command).__name__, encode(entry), transfers)

    for command in (*seat_everyone(), m.OpenBetting("Dana", 0)):
        given(command)
    return [given(command) for command in bets(1, count)]


# ---- the same rows, ready to be written


class Group(NamedTuple):
    """One commit: the input of the store, and the rows that it makes of it."""

    news: Sequence[NewRow]
    journal: Tuples
    transfers: Tuples


def grouped(lease: Lease, ready: Sequence[NewRow], size: int) -> list[Group]:
    groups, place = [], GENESIS
    for start in range(0, len(ready), size):
        news = ready[start : start + size]
        append = chain(lease.stream, lease.epoch, place, news)
        place = append.place
        groups.append(Group(news, append.rows, append.legs))
    return groups


def written(store: Store, lease: Lease, groups: Sequence[Group]) -> None:
    """Write through the store, which makes the hash chain and checks owner and place."""
    place = GENESIS
    for group in groups:
        append = chain(lease.stream, lease.epoch, place, group.news)
        store.append([append])
        place = append.place


# ---- the bare loops

KINDS = {
    "journal": ("text", "bigint", "bigint", "bigint", "bigint", "text", "bytea", "bytea"),
    "transfers": ("text", "bigint", "bigint", "text", "text", "bigint", "text", "text"),
}
"""The types of the columns that both sides write."""
Way = Callable[[Sequence[Group]], None]


def bare_sqlite(path: Path) -> dict[str, Way]:
    db = apsw.Connection(str(path))
    for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", *MIGRATIONS[0].sqlite):
        db.execute(statement)
    inserts = [f"INSERT INTO {table} VALUES ({', '.join('?' * len(kinds))})" for table, kinds in KINDS.items()]

    def many(groups: Sequence[Group]) -> None:
        for group in groups:
            db.execute("BEGIN IMMEDIATE")
            for sql, rows in zip(inserts, group[1:], strict=True):
                db.executemany(sql, rows)
            db.execute("COMMIT")

    def together(groups: Sequence[Group]) -> None:
        """Many rows in a statement, as the store writes them."""
        for group in groups:
            db.execute("BEGIN IMMEDIATE")
            for (table, kinds), sql, rows in zip(KINDS.items(), inserts, group[1:], strict=True):
                full = len(rows) - len(rows) % TOGETHER
                one = f"({', '.join('?' * len(kinds))})"
                for start in range(0, full, TOGETHER):
                    values = [value for row in rows[start : start + TOGETHER] for value in row]
                    db.execute(f"INSERT INTO {table} VALUES {', '.join([one] * TOGETHER)}", values)
                db.executemany(sql, rows[full:])
            db.execute("COMMIT")

    return {"executemany": many, "together": together}


def bare_postgres(address: str) -> dict[str, Way]:
    db = psycopg.connect(address, autocommit=True)
    for setting in ("fsync", "synchronous_commit"):
        assert db.execute(f"SHOW {setting}").fetchone() == ("on",)
    for statement in MIGRATIONS[0].postgres:
        db.execute(statement)
    inserts = [f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(kinds))})" for table, kinds in KINDS.items()]
    cursor = db.cursor()

    def many(groups: Sequence[Group]) -> None:
        for group in groups:
            with db.pipeline(), db.transaction():
                for sql, rows in zip(inserts, group[1:], strict=True):
                    cursor.executemany(sql, rows)

    def copy(groups: Sequence[Group]) -> None:
        for group in groups:
            with db.transaction():
                for (table, kinds), rows in zip(KINDS.items(), group[1:], strict=True):
                    with cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as target:
                        target.set_types(kinds)
                        for row in rows:
                            target.write_row(row)

    parts = [
        f"INSERT INTO {table} SELECT * FROM unnest({', '.join(f'%b::{kind}[]' for kind in kinds)})"
        for table, kinds in KINDS.items()
    ]
    one = f"WITH a AS ({parts[0]}) {parts[1]}"

    def unnest(groups: Sequence[Group]) -> None:
        for group in groups:
            cursor.execute(one, [list(column) for rows in group[1:] for column in zip(*rows, strict=True)])

    return {"executemany": many, "COPY": copy, "unnest": unnest}


# ---- measuring


class Side(NamedTuple):
    """A store, the bare loops for a database of its kind, and its name."""

    name: str
    store: Store
    bare: dict[str, Way]


def timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def appended(side: Side, ready: Sequence[NewRow], streams: Iterator[int]) -> float:
    """Print a line for each size of group. Returns the least share."""
    print(f"{side.name}: durable bets a second through append, beside a bare loop of the same rows")
    least = 1.0
    for size, commits in COMMITS.items():
        ours: list[float] = []
        bare: dict[str, list[float]] = {way: [] for way in side.bare}
        for _ in range(REPEATS):
            times = one_repeat(side, ready[: size * commits], size, streams)
            ours.append(times.pop("ours"))
            for way, took in times.items():
                bare[way].append(took)
        way = min(bare, key=lambda name: statistics.median(bare[name]))
        took, best = statistics.median(ours), statistics.median(bare[way])
        share, rate, bare_rate = best / took, size * commits / took, size * commits / best
        least = min(least, share)
        print(
            f"  groups of {size:5,}   {rate:9,.0f} a second   bare {bare_rate:9,.0f} ({way})   share {share:4.0%}",
            flush=True,
        )
    return least


def one_repeat(side: Side, ready: Sequence[NewRow], size: int, streams: Iterator[int]) -> dict[str, float]:
    """Seconds for the same rows through the store and through each bare loop, one after another."""
    times = {}
    lease = side.store.take(f"T{next(streams)}", "bench", 0, HOUR)
    groups = grouped(lease, ready, size)
    times["ours"] = timed(lambda: written(side.store, lease, groups))
    for name, way in side.bare.items():
        rows = grouped(lease._replace(stream=f"T{next(streams)}"), ready, size)
        times[name] = timed(lambda way=way, rows=rows: way(rows))  # type: ignore[misc]
    return times


def whole_pipeline(side: Side, streams: Iterator[int], folder: Path) -> None:
    """Decide, post, append, note the head, evolve, audit; and without the head, in turns: for information."""
    print(f"{side.name}: the whole pipeline, bets a second decided, on disk, applied and audited")
    for size, commits in COMMITS.items():
        commands = bets(1, size * commits)
        took: dict[bool, list[float]] = {True: [], False: []}
        with noting(folder) as heads:
            for noted in (True, False) * REPEATS:
                recorder = Recorder.make(side.store, "bench", 0, HOUR, table_made(f"T{next(streams)}"))
                first = (*seat_everyone(), m.OpenBetting("Dana", 0))
                give_all(side.store, [(recorder, command, "") for command in first])
                if noted:
                    recorder.noted = heads.note
                took[noted].append(timed(lambda r=recorder, s=size, c=commands: played(r, c, s)))  # type: ignore[misc]
        with_heads, without = (statistics.median(took[noted]) for noted in (True, False))
        rate = len(commands) / with_heads
        print(f"  groups of {size:5,}   {rate:9,.0f} a second   {with_heads / without:4.2f} of the time without heads")


@contextmanager
def noting(folder: Path) -> Iterator[Heads]:
    """Heads as a floor keeps them: noted after each commit, put on disk every second by a thread."""
    heads, over = Heads(folder, "bench"), threading.Event()

    def sync() -> None:
        while not over.wait(HEADS_EVERY):
            heads.sync()

    thread = threading.Thread(target=sync)
    thread.start()
    try:
        yield heads
    finally:
        over.set()
        thread.join()
        heads.close()


def played(recorder: Recorder, commands: Sequence[AnyCommand], size: int) -> None:
    if size == 1:
        for command in commands:
            recorder.give(command)
        return
    for start in range(0, len(commands), size):
        answers = give_all(recorder.store, [(recorder, command, "") for command in commands[start : start + size]])
        assert all(answer is not None and answer.entry.refused is None for answer in answers)


@contextmanager
def postgres_server() -> Iterator[str]:
    with started() as server:
        address = server.get_uri()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("CREATE DATABASE bare")
        yield address


def main() -> int:
    Path("build").mkdir(exist_ok=True)
    ready = ready_rows(max(size * commits for size, commits in COMMITS.items()))
    streams, shares = itertools.count(1), []
    with tempfile.TemporaryDirectory(dir="build") as name, postgres_server() as address:
        sqlite = Side("SQLite", SqliteStore(Path(name) / "ours.db"), bare_sqlite(Path(name) / "bare.db"))
        postgres = Side("PostgreSQL", PostgresStore(address), bare_postgres(address.replace("/postgres?", "/bare?")))
        for side in (sqlite, postgres):
            shares.append(appended(side, ready, streams))
            whole_pipeline(side, streams, Path(name) / "heads")
            side.store.close()
    print(f"the least share of the bare loop is {min(shares):.0%} (asked: {LEAST:.0%})")
    return 1 if min(shares) < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
