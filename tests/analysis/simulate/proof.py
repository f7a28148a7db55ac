"""Simulation against exact: a thousand million rounds of every layout, every box within four standard errors.

    python -m tests.analysis.simulate.proof [ROUNDS] [SEED]

The compiled loop, which is the one that runs so far, is compared bit for bit with NumPy and with plain Python by
`tests/analysis/simulate/test_simulation.py`.
"""

from __future__ import annotations

import sys
import time

from croupier import load_rulebook, rulebook_ids
from croupier.analysis.report.par import BOUND
from croupier.analysis.simulate.flat import FlatRun, simulate
from croupier.rules.paytable import Layout

ROUNDS, SEED = 1_000_000_000, 1
ODD = 1e-6
"""Chi-square of the outcomes says so once in a million runs."""


def layouts() -> list[Layout]:
    return [layout for id in rulebook_ids() for layout in load_rulebook(id).layouts]


def astray(run: FlatRun) -> list[str]:
    """What lies beyond the bound: boxes by their edge and by how often they won, and the outcomes all together."""
    found = [
        f"{row.box}: {name} {one.z:+.2f} standard errors from {one.exact:.6f}"
        for row in run.boxes
        for name, one in (("edge", row.edge), ("hits", row.hit_frequency))
        if one.z is None or abs(one.z) > BOUND
    ]
    if run.chi_square_p < ODD:
        found.append(f"outcomes: chi-square {run.chi_square:.1f}, p {run.chi_square_p:.1e}")
    return found


def main() -> int:
    given = [int(float(text)) for text in sys.argv[1:3]]
    rounds, seed = (*given, *(ROUNDS, SEED)[len(given) :])
    wrong, boxes, began = 0, 0, time.monotonic()
    for number, layout in enumerate(layouts()):
        run = simulate(layout, (), rounds, seed=seed + number)
        found, boxes = astray(run), boxes + len(run.boxes)
        worst = max(abs(row.edge.z or 0.0) for row in run.boxes)
        line = f"{run.rounds:,} rounds, seed {run.seed}: {len(run.boxes)} boxes, farthest {worst:.2f}"
        print(f"{layout.id:28} {line}", flush=True)
        for line in found:
            print(f"  ASTRAY {line}", flush=True)
        wrong += len(found)
    how_many = "every one within" if not wrong else f"{wrong} beyond"
    print(f"{boxes} boxes, {how_many} {BOUND:g} standard errors, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
