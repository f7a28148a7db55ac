"""How fast the lab simulates, beside a C loop, the best NumPy, a naive loop and a public simulator, in the same run.

The peers do the same exact work if they can: C draws the same numbers and must come to the same sums. Trust the ratios,
not the rates: machines are noisy.
"""

from __future__ import annotations

import ctypes
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from bench.rules import compiled_anew
from croupier import Layout, load_layout, load_rulebook, rulebook_ids
from croupier.analysis.exact.odds import layout_odds
from croupier.analysis.exact.one_round import brought
from croupier.analysis.simulate import draws, numba_players
from croupier.analysis.simulate.bulk import BulkTable
from croupier.analysis.simulate.draws import LayoutDraws
from croupier.analysis.simulate.flat import FlatRun, simulate
from croupier.analysis.simulate.plan import RESULT, ROUNDS, StateRows, make_plan
from croupier.analysis.simulate.strategies import named

FOLDER = Path(__file__).parent
LAYOUT = "rws-sicbo-etg-v2/A"
TEN = [
    ("small", 1000), ("big", 500), ("odd", 700), ("single:4", 300), ("total:9", 500),
    ("total:10", 200), ("domino:1-4", 400), ("double:2", 200), ("any-triple", 100), ("triple:5", 100),
]  # fmt: skip
ROUNDS_FLAT = draws.BLOCK * 40
FLAGS = ("-O3", "-march=native")


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The median time of some runs on one core, by its own clock, after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def pairs(
    one: Callable[[], object],
    other: Callable[[], object],
    repeats: int,
    clock: Callable[[], float] = time.process_time,
) -> tuple[list[float], list[float]]:
    """The times of both, in turns, so that a disturbance affects both; on one core, or by another clock."""
    one(), other()
    times: tuple[list[float], list[float]] = [], []
    for _ in range(repeats):
        for work, took in zip((one, other), times, strict=True):
            start = clock()
            work()
            took.append(clock() - start)
    return times


def ratio(one: list[float], other: list[float]) -> float:
    """The time of the one as a multiple of the other's: the median over pairs."""
    return statistics.median(a / b for a, b in zip(one, other, strict=True))


def printed(code: str, argument: str) -> str:
    """The output of a new process."""
    done = subprocess.run([sys.executable, "-c", code, argument], capture_output=True, text=True, check=True)
    return done.stdout


def c_library(folder: str) -> Any:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("bench/lab.py needs a C compiler, for the peer that it is measured against")
    target = Path(folder) / "lab.so"
    subprocess.run([compiler, *FLAGS, "-shared", "-fPIC", "-o", str(target), str(FOLDER / "lab.c")], check=True)
    library = ctypes.CDLL(str(target))
    library.flat.restype = library.sessions.restype = ctypes.c_int64
    library.words_only.restype = ctypes.c_uint64
    return library


def pointer(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


def verdict(name: str, found: float, target: float, *, at_most: bool = False) -> None:
    good = found <= target if at_most else found >= target
    sign = "≤" if at_most else "≥"
    print(f"  {name:58} {found:10,.2f}   target {sign} {target:,g}   {'met' if good else 'MISSED'}")


# ---- flat bets


def flat_player(library: Any) -> None:
    layout, dealt = load_layout(LAYOUT), LayoutDraws.of(load_layout(LAYOUT))
    brings = np.array([brought(layout, TEN, layout.outcomes[o]) for o in dealt.outcome], dtype=np.int64)
    sides, below, key = dealt.sides, draws.rejected_below(dealt.sides), draws.key_of(1)
    # One block, again and again: C need not know where blocks begin, and both draw the same numbers.
    block, times = draws.BLOCK, ROUNDS_FLAT // draws.BLOCK

    def ours() -> int:
        return sum(int(numba_players.count_draws(key, 0, 1, block, sides) @ brings) for _ in range(times))

    def in_c() -> int:
        arguments = (ctypes.c_uint64(key), ctypes.c_int64(block), ctypes.c_uint64(below), ctypes.c_uint64(sides))
        return sum(int(library.flat(*arguments, pointer(brings))) for _ in range(times))

    def counted_in_c() -> Any:
        counts = np.zeros(sides, dtype=np.int64)
        for _ in range(times):
            library.histogram(
                ctypes.c_uint64(key), ctypes.c_int64(block), ctypes.c_uint64(below), ctypes.c_uint64(sides),
                pointer(counts),
            )  # fmt: skip
        return counts

    def bound() -> None:
        for _ in range(times):
            library.words_only(ctypes.c_uint64(key), ctypes.c_uint64(block // 6))

    assert ours() == in_c() == int(counted_in_c() @ brings), "C and Numba drew other numbers"
    mine, c, c_counts, words = (seconds(work) for work in (ours, in_c, counted_in_c, bound))
    with_numpy = seconds(lambda: draws.count_draws(key, 0, 4, block, sides) @ brings, 3) * times / 4
    numpy_best, how = best_numpy(brings, sides)
    naive, crap = naive_loop(layout), crapssim_rate()
    rate = ROUNDS_FLAT / mine
    print(f"flat Player with ten bets on {LAYOUT}, rounds a second on one core:")
    for name, per_second in (
        ("Croupier (Numba), every box of the layout", rate),
        (f"C, scalar, cc {' '.join(FLAGS)}, one row", ROUNDS_FLAT / c),
        ("C, scalar, counting outcomes", ROUNDS_FLAT / c_counts),
        ("bound: the 64-bit words alone, in C", ROUNDS_FLAT / words),
        (f"NumPy, {how}, one row", numpy_best),
        ("Croupier without Numba (NumPy), every box", ROUNDS_FLAT / with_numpy),
        ("naive Python loop, ten bets", naive),
        ("crapssim, one pass-line bet, rolls", crap),
    ):
        print(f"  {name:58} {per_second:16,.0f}")
    verdict("share of the C loop", rate / (ROUNDS_FLAT / c), 0.5)
    verdict("share of the C loop that counts", rate / (ROUNDS_FLAT / c_counts), 0.5)
    print(f"  {'share of the 64-bit draw bound':58} {words / mine:10.2f}")
    verdict("times the best NumPy", rate / numpy_best, 4)
    verdict("times a naive Python loop", rate / naive, 1000)
    verdict("times crapssim", rate / crap, 1000)
    verdict("without Numba, times a naive Python loop", ROUNDS_FLAT / with_numpy / naive, 10)
    everything(layout)


def best_numpy(brings: Any, sides: int) -> tuple[float, str]:
    """The fastest loop that a good NumPy programmer would write, without our draws."""
    generator, chunk = np.random.default_rng(1), 1 << 16
    small = brings.astype(np.int32)

    def taken(kind: Any) -> Callable[[], int]:
        def run() -> int:
            return sum(
                int(small.take(generator.integers(0, sides, chunk, dtype=kind)).sum(dtype=np.int64)) for _ in range(64)
            )

        return run

    def counted() -> int:
        found = (np.bincount(generator.integers(0, sides, chunk, dtype=np.uint16), minlength=sides) for _ in range(64))
        return sum(int(counts @ brings) for counts in found)

    ways = {
        "uint16 draws and take": taken(np.uint16),
        "uint8 draws and take": taken(np.uint8),
        "uint16 draws and bincount": counted,
    }
    rates = {name: 64 * chunk / seconds(way, 3) for name, way in ways.items()}
    best = max(rates, key=lambda name: rates[name])
    return rates[best], best


def naive_loop(layout: Layout) -> float:
    pays = {box: layout.winning(box) for box, _ in TEN}

    def run() -> Fraction:
        total = Fraction(0)
        for _ in range(20_000):
            throw = "-".join(sorted(str(random.randint(1, 6)) for _ in range(3)))
            for box, stake in TEN:
                odds = pays[box].get(throw)  # type: ignore[call-overload]
                total += -stake if odds is None else int(stake * odds)
        return total

    return 20_000 / seconds(run, 3)


def crapssim_rate() -> float:
    from crapssim.strategy import BetPassLine  # type: ignore[attr-defined]
    from crapssim.table import Table

    def run() -> None:
        table = Table()
        table.add_player(bankroll=1e9, strategy=BetPassLine(5))
        table.run(max_rolls=10_000, verbose=False)

    return 10_000 / seconds(run, 3)


def everything(ten: Layout) -> None:
    """All boxes with intervals and z-scores, as a user asks for them, beside ten bets; then with both cores."""
    layout, rounds, many = load_layout("rws-taisai-v5/E"), 2_000_000_000, 8_000_000_000
    bets, all_boxes = pairs(
        lambda: simulate(ten, TEN, rounds, seed=1, engine="here"),
        lambda: simulate(layout, (), rounds, seed=1, engine="here"),
        5,
    )
    start = simulate(layout, (), 8, seed=1, engine="processes", workers=2).how.seconds
    runs: list[FlatRun] = []
    one, two = pairs(
        lambda: runs.append(simulate(layout, (), many, seed=1, engine="here")),
        lambda: runs.append(simulate(layout, (), many, seed=1, engine="processes", workers=2)),
        3,
        time.perf_counter,
    )
    assert len({run.outcomes for run in runs}) == 1, "two processes drew other numbers than one"
    print(f"simulate(), {rounds:,} rounds on one core, then {many:,}; rounds a second:")
    for name, per_second in (
        (f"ten bets of {ten.id}", rounds / statistics.median(bets)),
        (f"all {len(layout.boxes)} boxes of {layout.id}", rounds / statistics.median(all_boxes)),
        ("all boxes, a longer run on one core", many / statistics.median(one)),
        (f"all boxes, in two processes (the first took {start:.1f} s to start)", many / statistics.median(two)),
    ):
        print(f"  {name:58} {per_second:16,.0f}")
    verdict("all boxes, of the rate of ten bets", ratio(bets, all_boxes), 0.97)
    verdict("two processes, times one core", ratio(one, two), 1.5)


# ---- sessions


def martingale(library: Any) -> None:
    layout, many = load_layout(LAYOUT), 100_000
    plan = make_plan(layout, [(("small", 1000),)], named("martingale:6", 1), 50_000_00, 1000, stop_win=1_000_00)
    rows, key = StateRows.of(plan), draws.key_of(1)
    group, moves = plan.group.astype(np.uint64), rows.moves.astype(np.uint64)
    result = np.ascontiguousarray(plan.result[0])

    def ours() -> Any:
        return numba_players.play_table(plan, key, 0, many)

    def in_c() -> tuple[int, int]:
        visits, sums = np.zeros(len(rows.cost), dtype=np.int64), np.zeros(2, dtype=np.int64)
        played = library.sessions(
            ctypes.c_uint64(key), ctypes.c_uint64(many), ctypes.c_uint64(draws.rejected_below(plan.sides)),
            ctypes.c_uint64(plan.sides), pointer(group), pointer(rows.pays), pointer(moves), pointer(rows.cost),
            pointer(rows.need), ctypes.c_int64(int(plan.base[0])), pointer(result), ctypes.c_int64(plan.bankroll),
            ctypes.c_int64(plan.floor), ctypes.c_int64(plan.target), ctypes.c_int64(plan.rounds),
            ctypes.c_uint64(plan.words), pointer(visits), pointer(sums),
        )  # fmt: skip
        return int(played), int(sums[0])

    tally, (played, total) = ours(), in_c()
    assert int(tally.sums[ROUNDS]) == played, "C and Numba played other rounds"
    assert int(tally.sums[RESULT]) * plan.step == total, "C and Numba came to other results"
    mine, c = seconds(ours), seconds(in_c)
    print(f"martingale sessions on {LAYOUT}, {played / many:,.0f} rounds each, rounds a second on one core:")
    print(f"  {'Croupier (Numba)':58} {played / mine:16,.0f}")
    print(f"  {'C, scalar, the same table of states':58} {played / c:16,.0f}")
    verdict("million rounds a second", played / mine / 1e6, 200)
    verdict("share of the C loop", c / mine, 0.5)


# ---- settlement, tables, memory


def settlement() -> None:
    """Settle on the outcome on which most boxes win: the most work."""
    generator = np.random.default_rng(1)
    print("bulk settlement of one result, every bet checked, nanoseconds a bet:")
    for bets, where in ((1_000_000, "in the cache of the processor"), (10_000_000, "in memory")):
        for id in ("rws-sicbo-etg-v2/B", "mbs-sands-roulette-v2/A"):
            layout = load_layout(id)
            table = BulkTable(layout)
            winners = (table.matrix > 0).sum(axis=0)
            boxes = generator.integers(0, len(layout.boxes), bets).astype(np.uint8)
            stakes = generator.integers(1, 100_000, bets) * layout.unit()
            out, outcome = np.empty(bets, dtype=np.int64), int(winners.argmax())
            copy, mine = pairs(
                lambda: np.copyto(out, stakes),  # noqa: B023
                lambda: table.credit(boxes, stakes, outcome, out),  # noqa: B023
                25,
            )
            each = f"copying the stakes {statistics.median(copy) * 1e9 / bets:.2f}"
            each += f", settling {statistics.median(mine) * 1e9 / bets:.2f}"
            print(f"  {bets:,} bets {where} on {id}, {winners.max()} boxes win: {each}")
            verdict("times the time of copying the stakes", ratio(mine, copy), 1.5, at_most=True)


def exact_tables() -> None:
    print("exact tables of a layout, cold: win conditions → matrix → every figure of every box, ms of a core:")
    worst = 0.0
    for layout in (layout for id in rulebook_ids() for layout in load_rulebook(id).layouts):
        took = []
        for _ in range(7):
            start = time.process_time()
            layout_odds(compiled_anew(layout))
            took.append((time.process_time() - start) * 1e3)
        worst = max(worst, statistics.median(took))
        print(f"  {layout.id:58} {statistics.median(took):16.2f}")
    verdict("the slowest, milliseconds", worst, 10, at_most=True)
    code = (
        "import sys, time; from croupier import load_rulebook; begin = time.process_time()\n"
        "load_rulebook(sys.argv[1]); print(time.process_time() - begin)"
    )
    print("  a whole book before that, its file read and checked in a new process:")
    for id in rulebook_ids():
        times = [float(printed(code, id)) * 1e3 for _ in range(5)]
        print(f"    {id:56} {statistics.median(times):16.2f}   {len(load_rulebook(id).layouts)} layouts")


def memory_and_start() -> None:
    """The peak memory of a run and the time of a first answer, each in a process of its own."""
    code = (
        "import resource, sys, time; begin = time.perf_counter()\n"
        "from croupier import load_layout; from croupier.analysis.simulate.flat import simulate\n"
        f"simulate(load_layout({LAYOUT!r}), (), int(sys.argv[1]), seed=1, engine='here')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter() - begin)"
    )

    def run(rounds: int) -> tuple[int, float]:
        kilobytes, took = printed(code, str(rounds)).split()
        return int(kilobytes), float(took)

    few, many = run(1_000_000), run(2_000_000_000)
    print("memory, and the first answer of a new process (machine code from the cache):")
    print(f"  1,000,000 rounds: {few[0] / 1024:.0f} MB, {few[1]:.2f} s; 2,000,000,000 rounds: {many[0] / 1024:.0f} MB")
    verdict("times the memory for 2,000 times the rounds", many[0] / few[0], 1.05, at_most=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        compiled = c_library(folder)
        flat_player(compiled)
        martingale(compiled)
    settlement()
    exact_tables()
    memory_and_start()
