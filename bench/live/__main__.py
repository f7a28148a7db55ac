"""`python -m bench.live`: live servers under load, side by side in one run; the targets, met or not.

Each server has one core and the crowd of terminals another. A bet is answered once it is on disk. Trust the shares, not
the rates: every share is the median of its own five pairs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.live import measures, subjects
from bench.live.load import compiled
from bench.live.measures import QUICK, Bets, Plan, median
from bench.live.subjects import BARE, CROUPIER, NAIVE, ROOM, UNWRITTEN, Stage

ASKED_AT = 1_000
"""The numbers of terminals for which there are targets."""
FLAT = 1.25
LOOP = 1.3


class Targets:
    """A target, and whether it was met."""

    def __init__(self) -> None:
        self._met: list[bool] = []

    def line(self, what: str, found: str, bound: str, met: bool) -> None:
        self._met.append(met)
        print(f"    {what:58} {found:>9}   target: {bound:<16} {'met' if met else 'NOT MET'}", flush=True)

    def __str__(self) -> str:
        return f"{sum(self._met)} of {len(self._met)} targets were met"


def share(runs: dict[str, list[Bets]], name: str) -> float:
    """Croupier's rate as a share of another's, pair by pair."""
    return median([ours.ran.rate / its.ran.rate for ours, its in zip(runs[CROUPIER], runs[name], strict=True)])


def cost(runs: Sequence[Bets]) -> float:
    return median([run.cost for run in runs])


def bets(stage: Stage, plan: Plan, names: Sequence[str], targets: Targets) -> None:
    print(f"bets as fast as they are answered, {plan.depth} of each terminal under way:", flush=True)
    costs = {}
    for terminals in plan.terminals:
        runs = measures.bets(stage, plan, names, terminals)
        print(f"  {terminals:,} terminals")
        for name, its in runs.items():
            rate, p50, p99, busy = (
                median([getattr(run.ran, field) for run in its]) for field in ("rate", "p50", "p99", "busy")
            )
            took = f"p50 {p50 * 1e3:8.2f} ms   p99 {p99 * 1e3:8.2f} ms   {cost(its) * 1e6:7.1f} us of its core a bet"
            print(f"    {name:18} {rate:9,.0f} a second   {took}   crowd busy {busy:4.0%}", flush=True)
        costs[terminals] = cost(runs[CROUPIER])
        if terminals == ASKED_AT:
            _shares(runs, targets)
    first, last = min(costs), max(costs)
    dearest = max(costs.values()) / costs[first]
    targets.line(
        f"cost of a bet, {first:,} to {last:,} terminals, the dearest",
        f"{dearest:.2f}x",
        f"<= {FLAT}x",
        dearest <= FLAT,
    )


def _shares(runs: dict[str, list[Bets]], targets: Targets) -> None:
    echo = share(runs, BARE)
    targets.line("of the bare echo", f"{echo:.0%}", ">= 25% (aim 50%)", echo >= 0.25)
    unwritten, naive = share(runs, UNWRITTEN), share(runs, NAIVE)
    targets.line("of the same handler without a journal", f"{unwritten:.0%}", ">= 80%", unwritten >= 0.8)
    targets.line("times the naive server", f"{naive:.1f}x", ">= 10x", naive >= 10)
    if ROOM in runs:
        room = share(runs, ROOM)
        targets.line("of the Colyseus room, which writes nothing", f"{room:.0%}", ">= 100%", room >= 1)
    else:
        print("    of the Colyseus room: not measured")


def pace(stage: Stage, plan: Plan) -> None:
    runs = measures.paced(stage, plan)
    print(f"{plan.pace:,} bets a second from {plan.crowd:,} terminals, whatever the answers:")
    sync = median([run.sync for run in runs])
    for name in ("p50", "p99"):
        took = [getattr(run.ran, name) for run in runs]
        times = median([one / run.sync for one, run in zip(took, runs, strict=True)])
        print(
            f"    {name} {median(took) * 1e3:8.2f} ms   {times:5.1f}x a bare fdatasync of {sync * 1e3:.2f} ms",
            flush=True,
        )


def results(stage: Stage, plan: Plan, targets: Targets) -> None:
    print("a result to every terminal, from the Dealer's confirmation (with its commit) until the last one has it:")
    for audience in plan.audience:
        sent = measures.broadcast(stage, plan, audience)
        ours, bare = median(sent.ours), median(sent.bare)
        times = median([one / other for one, other in zip(sent.ours, sent.bare, strict=True)])
        what = f"{audience:,}: {ours * 1e3:.1f} ms, bare picows loop {bare * 1e3:.1f} ms, {sent.size:,} bytes each"
        targets.line(what, f"{times:.2f}x", f"<= {LOOP}x", times <= LOOP)
        kilobytes = f"{sent.memory / 1024:.1f} KiB, in the bare loop {sent.bare_memory / 1024:.1f} KiB"
        print(f"    memory of an idle terminal, {audience:,} of them: {kilobytes}", flush=True)
    took = measures.settled(stage, plan)
    count = plan.crowd * plan.bets_each
    what = f"a round of {count:,} bets from {plan.crowd:,} terminals settled until the last one knows"
    print(f"{what}: {median(took) * 1e3:.0f} ms", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.live", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="once and short: to try it, not to quote it")
    parser.add_argument("--depth", type=int, default=1, metavar="N", help="bets of each terminal under way (1 to 100)")
    given = parser.parse_args()
    plan = (QUICK if given.quick else Plan())._replace(depth=max(1, min(given.depth, 100)))
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("there is one core only: servers and crowd share it, and the figures say little")
    Path("build").mkdir(exist_ok=True)
    targets = Targets()
    with tempfile.TemporaryDirectory(dir="build") as name:
        folder = Path(name).resolve()
        stage = Stage(folder, compiled(folder), (cores[0], cores[-1]))
        names = [CROUPIER, UNWRITTEN, BARE, NAIVE, *([ROOM] if subjects.installed() else [])]
        bets(stage, plan, names, targets)
        pace(stage, plan)
        results(stage, plan, targets)
    print(targets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
