"""How fast the odds are compiled and bets are settled, beside a naive loop and plain NumPy in the same run.

Trust the ratios, not the milliseconds: machines are noisy.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from croupier import Layout, load_layout, load_rulebook, rulebook_ids
from croupier.analysis.simulate.bulk import BulkTable
from croupier.rules.library import read_file
from croupier.rules.paytable import Price

BETS = 1_000_000


def seconds(work: Callable[[], object], repeats: int = 7) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def compiled_anew(layout: Layout) -> Layout:
    """The matrix from the win conditions, as if the file had just been read."""
    boxes = [
        replace(box, prices=tuple(Price.make(price.condition, price.odds, layout.space) for price in box.prices))
        for box in map(layout.box, layout.boxes)
    ]
    return Layout(layout.id, layout.title, layout.clause, layout.appendix, layout.space, boxes, layout.felt)


def exact_tables() -> None:
    print("exact edges of a book, cold (its file read and checked, every layout compiled, every edge):")
    for id in rulebook_ids():
        file = Path(str(files("croupier").joinpath("rulebooks", f"{id}.toml")))

        def read(file: Path = file) -> list[Fraction]:
            return [layout.edge(box) for layout in read_file(file).layouts for box in layout.boxes]

        print(f"  {id:28} {seconds(read) * 1e3:6.2f} ms   {len(read())} boxes")
    print("of which the matrix of a layout (win conditions → matrix → every edge):")
    for id in rulebook_ids():
        for layout in load_rulebook(id).layouts:

            def work(layout: Layout = layout) -> None:
                fresh = compiled_anew(layout)
                for box in fresh.boxes:
                    fresh.edge(box)

            print(f"  {layout.id:28} {seconds(work) * 1e3:6.2f} ms   {len(layout.boxes)} boxes")


def bulk_settlement() -> None:
    layout = load_layout("rws-sicbo-etg-v2/B")
    table = BulkTable(layout)
    rng = np.random.default_rng(1)
    boxes = rng.integers(0, len(layout.boxes), BETS)
    stakes = rng.integers(1, 100_000, BETS) * layout.unit()
    outcomes = rng.integers(0, len(layout.outcomes), BETS)
    one = table.outcome("1-3-4")

    pays = {box: layout.winning(box) for box in layout.boxes}
    names = [layout.boxes[box] for box in boxes]
    results = [layout.outcomes[outcome] for outcome in outcomes]
    amounts = stakes.tolist()

    def loop_one() -> int:
        paid = 0
        for box, stake in zip(names, amounts, strict=True):
            odds = pays[box].get(layout.outcomes[one])
            if odds is not None:
                paid += stake + stake * odds.numerator // odds.denominator
        return paid

    def loop_many() -> int:
        paid = 0
        for box, stake, outcome in zip(names, amounts, results, strict=True):
            odds = pays[box].get(outcome)
            if odds is not None:
                paid += stake + stake * odds.numerator // odds.denominator
        return paid

    flat, width = table.matrix.ravel(), table.matrix.shape[1]
    column = table.matrix[:, one].copy()
    cases: tuple[tuple[str, Callable[[], int], Callable[[], object], Callable[[], npt.NDArray[np.int64]]], ...] = (
        (
            "one outcome",
            loop_one,
            lambda: column[boxes] * stakes // table.scale,
            lambda: table.credit(boxes, stakes, one),
        ),
        (
            "a million outcomes",
            loop_many,
            lambda: flat[boxes * width + outcomes] * stakes // table.scale,
            lambda: table.credit(boxes, stakes, outcomes),
        ),
    )
    print(f"settle {BETS:,} bets on {layout.id}, checked and exact to the cent:")
    for name, loop, plain, ours in cases:
        assert loop() == int(ours().sum())
        slow, gather, mine = seconds(loop, 3), seconds(plain), seconds(ours)
        print(
            f"  {name:20} loop {slow * 1e9 / BETS:6.1f} ns a bet, NumPy gather {gather * 1e9 / BETS:5.2f}, "
            f"Croupier {mine * 1e9 / BETS:5.2f}: "
            f"{mine / gather:.2f}x the gather's time, {slow / mine:.0f}x the loop's speed"
        )


def start_up() -> None:
    def run(*arguments: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *arguments], capture_output=True, check=True)

    bare = seconds(run("-c", "pass"), 5)
    print(f"start-up, beside a bare python ({bare * 1e3:.0f} ms):")
    for name, arguments in (
        ("import typer, pydantic", ("-c", "import typer, pydantic; pydantic.BaseModel")),
        ("croupier --help", ("-m", "croupier.cli", "--help")),
        ("croupier odds", ("-m", "croupier.cli", "odds", "rws-sicbo-etg-v2/A")),
    ):
        took = seconds(run(*arguments), 5)
        print(f"  {name:24} {took * 1e3:5.0f} ms   {took / bare:.1f}x")


if __name__ == "__main__":
    exact_tables()
    bulk_settlement()
    start_up()
