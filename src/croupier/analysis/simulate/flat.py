"""Simulation of flat bets: the same bets in every round. It draws every round and counts how often each outcome falls.

These counts decide the result of any set of flat bets, so that all boxes of a layout take no more time than one. They
are whole numbers, so the result is exact, and a thousand million rounds need no more memory than one.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from croupier.analysis.exact.one_round import brought, one_round
from croupier.analysis.exact.statistics import chi_square_tail
from croupier.analysis.simulate import draws
from croupier.analysis.simulate.draws import BLOCK, Counts, LayoutDraws
from croupier.analysis.simulate.estimates import WIDE, Estimate, deviation, estimate, share
from croupier.analysis.simulate.spread import chosen_engine, chosen_kernel, spread
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

MOST_ROUNDS = 1 << 50
_POINTS = 60
_RATES = {"numba": 1.5e9, "numpy": 1.2e8}
"""Expected rounds a second, to decide whether workers are worth starting and how large their tasks should be."""

Progress = Callable[[int, int], None]
"""Called with the number of rounds that are done, and of all rounds."""


class How(msgspec.Struct, frozen=True):
    """How a simulation was run. The results do not depend on it."""

    kernel: str
    engine: str
    workers: int
    seconds: float


class BoxRun(msgspec.Struct, frozen=True):
    """One box in a simulation: how often it won, and what it cost for each unit staked."""

    box: str
    hits: int
    hit_frequency: Estimate
    edge: Estimate


class Point(msgspec.Struct, frozen=True):
    """The edge of the bets after some rounds of the run."""

    rounds: int
    edge: float
    low: float
    high: float


class FlatRun(msgspec.Struct, frozen=True):
    """A simulation of flat bets. Amounts are cents of the Player; edges are shares of what is staked."""

    layout: str
    bets: tuple[tuple[str, int], ...]
    seed: int
    asked: int
    rounds: int
    interrupted: bool
    outcomes: tuple[tuple[str, int], ...]
    chi_square: float
    chi_square_p: float
    staked: int
    total: int
    """What the Player won in all rounds together; below zero, what they lost."""
    edge: Estimate | None
    deviation: float
    exact_deviation: float
    ahead: Estimate | None
    boxes: tuple[BoxRun, ...]
    convergence: tuple[Point, ...]
    how: How


class _Task(NamedTuple):
    kernel: Literal["numba", "numpy"]
    key: int
    first_block: int
    blocks: int
    last: int
    sides: int


def _count(task: _Task) -> Counts:
    """How often each number was drawn in the blocks of a task."""
    if task.kernel == "numba":
        from croupier.analysis.simulate import numba_players

        return numba_players.count_draws(*task[1:])
    return draws.count_draws(*task[1:])


def simulate(
    layout: Layout,
    bets: Iterable[tuple[str, int]] = (),
    rounds: int = 10_000_000,
    *,
    seed: int | None = None,
    engine: str = "auto",
    kernel: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
) -> FlatRun:
    """Play this many rounds with the same bets. Without bets, only count what every box would have done.

    The same seed gives the same numbers with every engine, every kernel and any number of workers. Ctrl-C ends the run,
    which returns the rounds that are done.

    >>> from croupier import load_layout
    >>> run = simulate(load_layout("rws-sicbo-etg-v2/A"), [("small", 10_00)], 100_000, seed=1)
    >>> run.total, run.edge.exact == 1 / 36, abs(run.edge.z) < 4
    (-2192000, True, True)
    """
    given = [(str(layout.box(box).name), int(layout.check_stake(box, stake))) for box, stake in bets]
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused("rounds", "out-of-range", rounds=rounds, most=MOST_ROUNDS)
    seed = secrets.randbits(53) if seed is None else seed
    dealt, chosen = LayoutDraws.of(layout), chosen_kernel(kernel)
    where, many = chosen_engine(engine, workers, rounds / _RATES[chosen])
    looks = _looks(-(-rounds // BLOCK))
    tasks = _tasks(chosen, draws.key_of(seed), rounds, dealt.sides, many, looks)
    began = time.monotonic()
    results = spread(_count, tasks, where, many, address)
    counts, kept, done = _counted(results, dealt.sides, set(looks), rounds, progress)
    how = How(chosen, where, many, time.monotonic() - began)
    return _run(layout, given, seed, rounds, done, _by_outcome(counts, dealt), kept, dealt, how)


def _looks(blocks: int) -> list[int]:
    """The numbers of blocks after which the edge is noted, ascending. They do not depend on the workers."""
    return sorted({max(1, round(blocks ** (step / _POINTS))) for step in range(_POINTS + 1)} | {blocks})


def _tasks(
    kernel: Literal["numba", "numpy"], key: int, rounds: int, sides: int, workers: int, looks: list[int]
) -> Iterator[_Task]:
    """The blocks in groups of about a quarter of a second. No group crosses a look."""
    blocks, last = looks[-1], (rounds - 1) % BLOCK + 1
    a_time = max(1, min(int(_RATES[kernel] / 4 / BLOCK), blocks // (8 * max(1, workers))))
    start = 0
    for look in looks:
        while start < look:
            end = min(start + a_time, look)
            yield _Task(kernel, key, start, end - start, last if end == blocks else BLOCK, sides)
            start = end


def _counted(
    results: Iterable[tuple[_Task, Counts]], sides: int, looks: set[int], rounds: int, progress: Progress | None
) -> tuple[Counts, list[tuple[int, Counts]], int]:
    """The sum of all results, the sum at each look, and the number of rounds that are done."""
    counts = np.zeros(sides, dtype=np.int64)
    kept: list[tuple[int, Counts]] = []
    done = 0
    try:
        for task, result in results:
            counts, end = counts + result, task.first_block + task.blocks
            done = min(rounds, end * BLOCK)
            if end in looks:
                kept.append((done, counts))
            if progress:
                progress(done, rounds)
    except KeyboardInterrupt:
        if not done:
            raise
    assert counts.sum() == done, f"{counts.sum()} draws in {done} rounds"
    return counts, kept, done


def _by_outcome(counts: Counts, dealt: LayoutDraws) -> Counts:
    """The counts of draws added up by outcome. The draws of an outcome are adjacent."""
    return np.add.reduceat(counts, np.flatnonzero(np.diff(dealt.outcome.astype(np.int64), prepend=-1)))


# ---- results from the counts


def _run(
    layout: Layout,
    bets: list[tuple[str, int]],
    seed: int,
    asked: int,
    rounds: int,
    fell: Counts,
    kept: list[tuple[int, Counts]],
    dealt: LayoutDraws,
    how: How,
) -> FlatRun:
    boxes = list(dict.fromkeys(box for box, _ in bets)) or list(layout.boxes)
    statistic, p = _chi_square(layout, fell)
    staked, results = sum(stake for _, stake in bets), _results(layout, bets)
    total, squares = _sums(fell, results)
    exact = one_round(layout, bets) if bets else None
    return FlatRun(
        layout=layout.id,
        bets=tuple(bets),
        seed=seed,
        asked=asked,
        rounds=rounds,
        interrupted=rounds < asked,
        outcomes=tuple(zip(layout.outcomes, fell.tolist(), strict=True)),
        chi_square=statistic,
        chi_square_p=p,
        staked=staked * rounds,
        total=total,
        edge=_edge(total, squares, rounds, staked, exact.edge, exact.variance) if exact else None,
        deviation=deviation(total, squares, rounds),
        exact_deviation=exact.deviation if exact else 0.0,
        ahead=share(int(fell[np.array(results) > 0].sum()), rounds, exact.ahead) if exact else None,
        boxes=tuple(_box_run(layout, box, fell, rounds) for box in boxes),
        convergence=tuple(_point(then, _by_outcome(counts, dealt), results, staked) for then, counts in kept if staked),
        how=how,
    )


def _results(layout: Layout, bets: Iterable[tuple[str, int]]) -> list[int]:
    """What the bets win on each outcome."""
    return [brought(layout, bets, outcome) for outcome in layout.outcomes]


def _edge(total: int, squares: int, rounds: int, staked: int, exact: Fraction, variance: Fraction) -> Estimate:
    seen = -Fraction(total, rounds * staked)
    error = deviation(total, squares, rounds) / sqrt(rounds) / staked
    true_error = sqrt(variance / rounds) / staked
    return estimate(float(seen), error, float(exact), float(seen - exact) / true_error if true_error else None)


def _box_run(layout: Layout, box: str, fell: Counts, rounds: int) -> BoxRun:
    unit = layout.unit(box)
    results = _results(layout, [(box, unit)])
    hits = sum(n for n, amount in zip(fell.tolist(), results, strict=True) if amount > 0)
    return BoxRun(
        box,
        hits,
        share(hits, rounds, layout.hit_frequency(box)),
        _edge(*_sums(fell, results), rounds, unit, layout.edge(box), layout.variance(box) * unit**2),
    )


def _sums(fell: Counts, results: Sequence[int]) -> tuple[int, int]:
    """The sum of the results of all rounds, and the sum of their squares, as whole numbers of any size."""
    brings = [(n * amount, amount) for n, amount in zip(fell.tolist(), results, strict=True)]
    return sum(total for total, _ in brings), sum(total * amount for total, amount in brings)


def _point(rounds: int, fell: Counts, results: Sequence[int], staked: int) -> Point:
    total, squares = _sums(fell, results)
    seen = -total / (rounds * staked)
    error = deviation(total, squares, rounds) / sqrt(rounds) / staked
    return Point(rounds, seen, seen - WIDE * error, seen + WIDE * error)


def _chi_square(layout: Layout, fell: Counts) -> tuple[float, float]:
    """Chi-square of the outcomes against their ways, and its p-value."""
    rounds, ways = int(fell.sum()), layout.total_ways
    statistic = 0.0
    for outcome, n in zip(layout.outcomes, fell.tolist(), strict=True):
        expected = rounds * layout.ways(outcome) / ways
        statistic += (n - expected) ** 2 / expected
    return statistic, chi_square_tail(statistic, len(layout.outcomes) - 1)
