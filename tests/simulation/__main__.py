"""`python -m tests.simulation --seed S --commands N [--book ID]`: play, check after every command, say what was met."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.runner import Coverage, missing, play_share
from tests.simulation.swarm import BOOKS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--commands", type=int, default=100_000)
    parser.add_argument("--book", choices=BOOKS)
    parser.add_argument("--evening", type=int, help="only this evening of the seed")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--require-coverage", action="store_true", help="fail if anything was not met")
    asked = parser.parse_args()
    start, together, faults = time.monotonic(), Coverage(), []
    if asked.evening is not None:
        shares = [play_share(asked.seed, 1, asked.book, asked.evening, 1, whole=True)]
    else:
        with ProcessPoolExecutor(asked.processes) as pool:
            size = -(-asked.commands // asked.processes)
            jobs = [
                pool.submit(play_share, asked.seed, size, asked.book, first, asked.processes)
                for first in range(asked.processes)
            ]
            shares = [job.result() for job in jobs]
    for coverage, fault in shares:
        together.add(coverage)
        faults += [fault] if fault else []
    took = time.monotonic() - start
    speed = together.commands / took
    print(f"seed {asked.seed}: {together.commands:,} commands in {took:.0f} s, {speed:,.0f} a second")
    print(f"rounds: {together.rounds['settled']:,} settled, {together.rounds['void']:,} void")
    if faults:
        print("\n\n".join(faults), file=sys.stderr)
        return 1
    lacking = missing(together)
    for name, items in lacking.items():
        shown = "".join(f"\n  {' '.join(item)}" for item in items) if asked.require_coverage else ""
        print(f"{name} not met: {len(items) or 'none'}{shown}")
    return 1 if asked.require_coverage and any(lacking.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
