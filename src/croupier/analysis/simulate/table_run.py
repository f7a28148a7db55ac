"""Simulation of many Players at one table, each with a habit of betting, under the limits of the table.

Most rounds touch no limit and are settled together as a matrix. In the others the rules of the table decide for each
bet whether it is refused, cut at the close or capped (`house.in_action`), as on a floor. The expected win of the House
follows exactly from the bets in action, so the run has a z-score.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.analysis.exact.house import Placed, in_action
from croupier.analysis.simulate import draws
from croupier.analysis.simulate.draws import LayoutDraws
from croupier.analysis.simulate.estimates import Estimate, deviation, estimate
from croupier.analysis.simulate.flat import How, Progress
from croupier.analysis.simulate.spread import chosen_engine, spread
from croupier.rules.library import load_rulebook
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused
from croupier.rules.schema import LimitRules as Policy
from croupier.table.limits import check_limits
from croupier.table.messages import Limits

BATCH = 1 << 10
"""Rounds that are always played together, so that the sums do not depend on how the work is divided."""
_WORDS = 1 << 20
_BETS_KEY = 0x5DEECE66D
SHARES = tuple(Fraction(n, 1000) for n in (1, 10, 50, 500, 950, 990, 999))
_RATE = 30_000.0
MOST_PLAYERS, MOST_BETS = 200, 50
_MOST_RESULTS = 1 << 17
_MOST_ROUNDS = 10**9

Amounts = npt.NDArray[np.int64]
Sums = tuple[int, int, int, int, int]
"""Placed, refused, unplayed, in action, and rounds in which a limit refused or gave back something."""


class Habit(msgspec.Struct, frozen=True):
    """How a Player bets: a number of bets in every round, each with a random box and a random stake of these."""

    boxes: tuple[str, ...]
    stakes: tuple[int, ...]
    bets: int = 1


class RoundsBin(msgspec.Struct, frozen=True):
    """The number of rounds in which the House won from `low` to below `high`."""

    low: int
    high: int
    rounds: int


class CrowdRun(msgspec.Struct, frozen=True):
    """A simulation of many Players at a table. Amounts are cents; `house` is what the House won."""

    layout: str
    players: int
    seed: int
    asked: int
    rounds: int
    interrupted: bool
    placed: int
    """All stakes that Players put down."""
    refused: int
    unplayed: int
    """What went back because of limits, at the close or at settlement."""
    in_action: int
    limited_rounds: int
    """Rounds in which a limit refused or gave back something."""
    house: int
    expected: Fraction
    """The exact expected win of the House, from what was in action."""
    z: float
    hold: Estimate
    """The win of the House as a share of what was in action."""
    a_round: Estimate
    deviation: float
    worst: int
    """The greatest loss of the House in a round; 0 if it lost in none."""
    exposed: int
    """The most that the House could have lost in one of the rounds, with the bets in action."""
    exposed_without_limits: int
    quantiles: tuple[tuple[Fraction, int], ...]
    bins: tuple[RoundsBin, ...]
    pace: float | None
    an_hour: float | None
    how: How


class _Task(NamedTuple):
    source: str
    """The layout, where a worker finds it."""
    limits: Limits
    habits: tuple[Habit, ...]
    key: int
    first: int
    rounds: int


class _Batch(NamedTuple):
    results: Amounts
    """Two rows: amounts that the House won, and in how many rounds it won each."""
    expected: int
    """The expected win, times the number of ways."""
    squares: int
    """The sum of the squares of the wins."""
    variance: float
    sums: Sums
    exposed: int
    without: int


class _Results:
    """How often each amount was won. The steps of amounts double when there are too many, which bounds the memory."""

    def __init__(self) -> None:
        self.step, self.worst = 1, 0
        self.count: dict[int, int] = {}

    def add(self, results: Amounts) -> None:
        self.worst = min(self.worst, int(results[0].min()))
        for amount, rounds in zip(*results.tolist(), strict=True):
            place = amount // self.step
            self.count[place] = self.count.get(place, 0) + rounds
        while len(self.count) > _MOST_RESULTS:
            self.step *= 2
            closer: dict[int, int] = {}
            for place, rounds in self.count.items():
                closer[place // 2] = closer.get(place // 2, 0) + rounds
            self.count = closer

    def quantiles(self) -> tuple[tuple[Fraction, int], ...]:
        places = sorted(self.count)
        below = np.cumsum([self.count[place] for place in places])
        found = [min(len(places) - 1, int(np.searchsorted(below, float(share * below[-1].item())))) for share in SHARES]
        return tuple((share, places[place] * self.step) for share, place in zip(SHARES, found, strict=True))

    def bins(self, most: int = 80) -> tuple[RoundsBin, ...]:
        """The results in few bins, for a picture. One bin begins at zero."""
        wide = -(-(max(self.count) - min(self.count) + 1) // most)
        found: dict[int, int] = {}
        for place, rounds in self.count.items():
            found[place // wide] = found.get(place // wide, 0) + rounds
        width = wide * self.step
        return tuple(RoundsBin(bin * width, (bin + 1) * width, found[bin]) for bin in sorted(found))


def simulate_crowd(
    source: str,
    habits: Sequence[Habit],
    limits: Limits,
    rounds: int = 10_000,
    *,
    pace: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
) -> CrowdRun:
    """Play this many rounds at a table with the layout `source`, such as `rws-taisai-v5/A`."""
    layout, policy = _layout(source)
    _check(layout, policy, habits, limits, rounds)
    seed = secrets.randbits(53) if seed is None else seed
    where, many = chosen_engine(engine, workers, rounds / _RATE)
    batches = -(-rounds // BATCH)
    tasks = (
        _Task(source, limits, tuple(habits), draws.key_of(seed), batch, min(BATCH, rounds - batch * BATCH))
        for batch in range(batches)
    )
    began, done = time.monotonic(), 0
    total, results = _Batch(np.zeros((2, 0), dtype=np.int64), 0, 0, 0.0, (0,) * 5, 0, 0), _Results()
    try:
        for task, batch in spread(_played, tasks, where, many, address):
            total, done = _added(total, batch), done + task.rounds
            results.add(batch.results)
            if progress:
                progress(done, rounds)
    except KeyboardInterrupt:
        if not done:
            raise
    how = How("numpy", where, many, time.monotonic() - began)
    return _run(layout, len(habits), seed, rounds, done, total, results, pace, how)


def _added(total: _Batch, batch: _Batch) -> _Batch:
    """The sum of both. Of `results` it keeps only the total win of the House, in the first cell."""
    house = int((batch.results[0] * batch.results[1]).sum())
    before = int(total.results.sum())
    placed, refused, unplayed, action, limited = (a + b for a, b in zip(total.sums, batch.sums, strict=True))
    return _Batch(
        np.array([[before + house]]),
        total.expected + batch.expected,
        total.squares + batch.squares,
        total.variance + batch.variance,
        (placed, refused, unplayed, action, limited),
        min(total.exposed, batch.exposed),
        min(total.without, batch.without),
    )


def _layout(source: str) -> tuple[Layout, Policy]:
    book, slash, name = source.rpartition("/")
    whole = source.endswith(".toml") or not slash
    rulebook = load_rulebook(source if whole else book)
    if whole and len(rulebook.layouts) > 1:
        raise Refused("layout", "say-which", book=source)
    return rulebook.layouts[0] if whole else rulebook.layout(name), rulebook.limits


def _check(layout: Layout, policy: Policy, habits: Sequence[Habit], limits: Limits, rounds: int) -> None:
    if not 1 <= len(habits) <= MOST_PLAYERS:
        raise Refused("players", "out-of-range", players=len(habits), most=MOST_PLAYERS)
    if not 1 <= rounds <= _MOST_ROUNDS:
        raise Refused("rounds", "out-of-range", rounds=rounds, most=_MOST_ROUNDS)
    check_limits(limits, [layout], policy)
    for habit in habits:
        if not habit.boxes or not habit.stakes or not 1 <= habit.bets <= MOST_BETS:
            raise Refused("habit", "empty", most=MOST_BETS)
        for stake in habit.stakes:
            if stake % limits.unit or stake <= 0:
                raise Refused("unit", "of-habit", stake=stake, unit=limits.unit)
        for box in habit.boxes:
            layout.box(box)


# ---- one batch


def _played(task: _Task) -> _Batch:
    """Play the rounds of a batch. Its outcomes and its bets are drawn from words that nothing else uses."""
    layout, policy = _layout(task.source)
    dealt = LayoutDraws.of(layout)
    fell = dealt.outcome[draws.draws(task.key, task.first * _WORDS, task.rounds, dealt.sides)]
    seats, boxes, stakes = _bets(layout, task)
    shape = (task.rounds, len(task.habits), len(layout.boxes))
    by_seat = np.zeros(shape, dtype=np.int64)
    np.add.at(by_seat, (np.arange(task.rounds)[:, None], seats[None, :], boxes), stakes)
    wild = np.flatnonzero(_touched(layout, policy, task.limits, by_seat, stakes))
    playing = by_seat.sum(axis=1)
    without = playing.copy()
    refused = unplayed = limited = 0
    for round in wild:
        played = in_action(
            layout,
            policy,
            task.limits,
            [
                Placed(str(seat), layout.boxes[box], int(stake))
                for seat, box, stake in zip(seats, boxes[round], stakes[round], strict=True)
            ],
        )
        playing[round] = 0
        for bet, box in zip(played, boxes[round], strict=True):
            playing[round, box] += bet.in_action
            unplayed += bet.unplayed
            refused += bet.stake if bet.refused else 0
        limited += any(bet.unplayed or bet.refused for bet in played)
    sums = (int(without.sum()), refused, unplayed, int(playing.sum()), limited)
    return _settled(layout, playing, without, fell, sums)


def _bets(layout: Layout, task: _Task) -> tuple[Amounts, Amounts, Amounts]:
    """The seat of each bet; the box and the stake of each bet in each round."""
    place = {name: number for number, name in enumerate(layout.boxes)}
    seats = np.array([seat for seat, habit in enumerate(task.habits) for _ in range(habit.bets)])
    boxes, stakes = (np.empty((task.rounds, len(seats)), dtype=np.int64) for _ in range(2))
    key = draws.mix(task.key ^ _BETS_KEY)
    for number, seat in enumerate(seats):
        habit = task.habits[seat]
        kinds = len(habit.boxes) * len(habit.stakes)
        first = (task.first * MOST_PLAYERS * MOST_BETS + number) * 2 * BATCH
        drawn = draws.choices(key, first, task.rounds, kinds)
        boxes[:, number] = np.array([place[layout.box(box).name] for box in habit.boxes])[drawn // len(habit.stakes)]
        stakes[:, number] = np.array(habit.stakes)[drawn % len(habit.stakes)]
    return seats, boxes, stakes


def _touched(
    layout: Layout, policy: Policy, limits: Limits, by_seat: Amounts, stakes: Amounts
) -> npt.NDArray[np.bool_]:
    """The rounds in which a limit may apply. The rules of the table then decide."""
    low = np.array([limits.minimum_of(box) for box in layout.boxes])
    high = np.array([limits.maximum_of(box) for box in layout.boxes])
    total = by_seat.sum(axis=1)
    beyond = (by_seat > 0) & ((by_seat < low) | (by_seat > high))
    touched = np.zeros(len(by_seat), dtype=np.bool_)
    touched |= beyond.reshape(len(beyond), -1).any(axis=1)
    if policy.maximum.per == "box":
        touched |= (total > high).any(axis=1)
    if (
        policy.minimum.breach == "refuse"
    ):  # a first bet below the minimum is refused even if a second would make up for it
        touched |= (stakes < low.max()).any(axis=1)
    for pair in policy.differential.pairs if policy.differential else ():
        sides = [layout.boxes.index(layout.box(box).name) for box in pair.split() if box in layout.boxes]
        if len(sides) == 2:
            apart: Amounts = np.abs(total[:, sides[0]] - total[:, sides[1]])
            touched |= np.greater(apart, limits.differential or 0)
    return touched


def _settled(
    layout: Layout,
    playing: Amounts,
    without: Amounts,
    fell: npt.NDArray[np.uint8],
    sums: tuple[int, int, int, int, int],
) -> _Batch:
    brought = _matrix(layout)
    ways = np.array([layout.ways(outcome) for outcome in layout.outcomes], dtype=np.float64)
    house = playing.astype(np.float64) @ brought  # whole numbers far below 2**53: exact in whatever order
    assert np.abs(house).max() < 2**52, "a round beyond what floats hold exactly"
    mean = house @ ways
    variance = (house * house) @ ways / layout.total_ways - (mean / layout.total_ways) ** 2
    won = np.rint(house[np.arange(len(fell)), fell]).astype(np.int64)
    return _Batch(
        np.stack(np.unique(won, return_counts=True)),
        int(mean.sum()),
        sum(amount * amount for amount in won.tolist()),
        float(variance.sum()),
        sums,
        int(house.min()),
        int((without.astype(np.float64) @ brought).min()),
    )


def _matrix(layout: Layout) -> npt.NDArray[np.float64]:
    """box × outcome → what a cent in action brings the House."""
    rows = [layout.winning(box) for box in layout.boxes]
    return np.array([[-float(row[outcome]) if outcome in row else 1.0 for outcome in layout.outcomes] for row in rows])


# ---- results from the counts


def _run(
    layout: Layout,
    players: int,
    seed: int,
    asked: int,
    rounds: int,
    total: _Batch,
    results: _Results,
    pace: float | None,
    how: How,
) -> CrowdRun:
    house = int(total.results.sum())
    placed, refused, unplayed, action, limited = total.sums
    expected = Fraction(total.expected, layout.total_ways)
    apart = deviation(house, total.squares, rounds)
    z = float(house - expected) / sqrt(total.variance) if total.variance > 0 else 0.0
    mean, error = house / rounds, apart / sqrt(rounds)
    return CrowdRun(
        layout=layout.id,
        players=players,
        seed=seed,
        asked=asked,
        rounds=rounds,
        interrupted=rounds < asked,
        placed=placed,
        refused=refused,
        unplayed=unplayed,
        in_action=action,
        limited_rounds=limited,
        house=house,
        expected=expected,
        z=z,
        hold=_hold(house, error * rounds, action, float(expected), z),
        a_round=estimate(mean, error, float(expected) / rounds, z),
        deviation=apart,
        worst=results.worst,
        exposed=total.exposed,
        exposed_without_limits=total.without,
        quantiles=results.quantiles(),
        bins=results.bins(),
        pace=pace,
        an_hour=None if pace is None else mean * pace,
        how=how,
    )


def _hold(house: int, error: float, action: int, expected: float, z: float) -> Estimate:
    if not action:
        return estimate(0.0, 0.0)
    return estimate(house / action, error / action, expected / action, z)
