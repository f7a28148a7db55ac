"""Simulation of sessions: a bankroll, a strategy, limits and stops.

One figure of every strategy is known exactly: each unit staked costs its edge on average. So the result of all
sessions, less the expected result of all units staked, has mean 0 and a known variance, and `edge` has the z-score. For
flat betting the ends of sessions and their length are known exactly too (`ruin`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from croupier.analysis.exact.one_round import Distribution, result_of
from croupier.analysis.exact.ruin import Ruin, ruin
from croupier.analysis.simulate import draws
from croupier.analysis.simulate.estimates import Estimate, deviation, estimate, mean, share
from croupier.analysis.simulate.flat import How, Progress
from croupier.analysis.simulate.plan import (
    AHEAD,
    BINS,
    DRAWDOWN,
    ENDS,
    RESULT,
    ROUNDS,
    ROUNDS_SQUARE,
    Ints,
    Limit,
    Plan,
    Play,
    SessionCounts,
    make_plan,
)
from croupier.analysis.simulate.spread import chosen_engine, chosen_kernel, spread
from croupier.analysis.simulate.strategies import Programme, Strategy, flat
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

BATCH = 1 << 12
"""Sessions that are always counted together, so that the sums do not depend on how the work is divided."""
PATHS, PATH_POINTS = 400, 120
SHARES = tuple(Fraction(n, 100) for n in (1, 5, 10, 25, 50, 75, 90, 95, 99))
_RATES = {"numba": 2e8, "numpy": 1.2e7}
_PROGRAMME_RATES = {"numba": 5e7, "numpy": 1.5e5}
_MOST = 1 << 62
_FASTEST = 10_000
"""Rounds an hour."""


class End(msgspec.Struct, frozen=True):
    """How many sessions ended in this way, and their share beside the exact probability, if it is known."""

    end: str
    sessions: int
    share: Estimate


class ShareOf(msgspec.Struct, frozen=True):
    share: Fraction
    amount: int


class Bin(msgspec.Struct, frozen=True):
    """The number of sessions with a result from `low` to below `high`. The last bin has no upper end."""

    low: int
    high: int | None
    sessions: int


class Fan(msgspec.Struct, frozen=True):
    """The balance in the course of some sessions: quantiles after some numbers of rounds, and a few whole sessions."""

    rounds: tuple[int, ...]
    shares: tuple[Fraction, ...]
    quantiles: tuple[tuple[int, ...], ...]
    paths: tuple[tuple[int, ...], ...]


class SessionsRun(msgspec.Struct, frozen=True):
    """A simulation of sessions. Amounts are cents of the Player."""

    layout: str
    plays: tuple[Play, ...]
    strategy: str
    says: str
    seed: int
    bankroll: int
    most_rounds: int
    stop_win: int | None
    stop_loss: int | None
    asked: int
    sessions: int
    interrupted: bool
    rounds: int
    """All rounds of all sessions."""
    staked: int
    total: int
    """The sum of the results of all sessions."""
    ends: tuple[End, ...]
    result: Estimate
    """The mean result of a session."""
    deviation: float
    ahead: Estimate
    edge: Estimate
    length: Estimate
    """The mean number of rounds of a session."""
    drawdown: float
    """The mean of the deepest fall from a peak."""
    results: tuple[ShareOf, ...]
    lengths: tuple[ShareOf, ...]
    drawdowns: tuple[ShareOf, ...]
    bins: tuple[Bin, ...]
    fan: Fan
    pace: float | None
    """Rounds an hour."""
    exact: Ruin | None
    how: How


class _Task(NamedTuple):
    kernel: Literal["numba", "numpy"]
    plan: Plan
    strategy: Strategy | None
    """None for a table strategy, which is in the plan."""
    key: int
    first: int
    sessions: int


def _played(task: _Task) -> SessionCounts:
    """Play the sessions of a task and count them."""
    if task.kernel == "numba":
        from croupier.analysis.simulate import numba_players as players
    else:
        from croupier.analysis.simulate import numpy_players as players  # type: ignore[no-redef]
    total = SessionCounts.empty(len(task.plan.base))
    for first in range(task.first, task.first + task.sessions, BATCH):
        count = min(BATCH, task.first + task.sessions - first)
        if isinstance(task.strategy, Programme):
            total = total.plus(players.play_programme(task.plan, task.strategy, task.key, first, count))
        else:
            total = total.plus(players.play_table(task.plan, task.key, first, count))
    return total


def simulate_sessions(
    layout: Layout,
    plays: Sequence[Sequence[tuple[str, int]]],
    strategy: Strategy | None = None,
    *,
    bankroll: int,
    rounds: int,
    sessions: int = 100_000,
    stop_win: int | None = None,
    stop_loss: int | None = None,
    minimum: Limit | None = None,
    maximum: Limit | None = None,
    pace: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    kernel: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
) -> SessionsRun:
    """Play many sessions of at most `rounds` rounds.

    `plays` are sets of bets, each a unit; most strategies use the first. `minimum` and `maximum` return the limits of a
    box. A stake beyond a limit is played at the limit. A Player who cannot pay for the whole stake stakes what they
    have, in whole units, and is broke if that is nothing or less than the minimum.

    >>> from croupier import load_layout
    >>> from croupier.analysis.simulate.strategies import martingale
    >>> run = simulate_sessions(load_layout("mbs-sands-roulette-v2/A"), [[("red", 10_00)]], martingale(),
    ...                         bankroll=1_000_00, rounds=100, sessions=2_000, seed=1)
    >>> abs(run.edge.z) < 4, run.edge.exact == 1 / 13
    (True, True)
    """
    way = strategy or flat()
    sets = tuple(tuple((str(layout.box(box).name), int(stake)) for box, stake in play) for play in plays)
    plan = make_plan(
        layout,
        sets,
        way,
        bankroll,
        rounds,
        stop_win=stop_win,
        stop_loss=stop_loss,
        minimum=minimum,
        maximum=maximum,
    )
    if sessions < 1 or sessions * rounds * max(rounds, int(plan.most.max())) > _MOST:
        raise Refused("sessions", "beyond-counting", sessions=sessions, rounds=rounds)
    if pace is not None and not 0 < pace <= _FASTEST:
        raise Refused("pace", "out-of-range", pace=f"{pace:g}", most=_FASTEST)
    seed = secrets.randbits(53) if seed is None else seed
    chosen = chosen_kernel(kernel)
    rate = (_PROGRAMME_RATES if isinstance(way, Programme) else _RATES)[chosen]
    where, many = chosen_engine(engine, workers, sessions * rounds / rate)
    if isinstance(way, Programme) and way.file is None and way.name != "labouchere" and where != "here":
        raise Refused("strategy", "this-process", strategy=way.name)
    key = draws.key_of(seed)
    tasks = _tasks(chosen, plan, way, key, sessions, rate, many)
    began = time.monotonic()
    tally, done = _tallied(spread(_played, tasks, where, many, address), len(sets), sessions, progress)
    how = How(chosen, where, many, time.monotonic() - began)
    exact = _exact(layout, sets, way, plan, stop_win, stop_loss)
    fan = _fan(plan, way, key, min(done, PATHS if not isinstance(way, Programme) else PATHS // 8))
    return _run(layout, sets, way, plan, seed, sessions, done, tally, fan, pace, exact, how, stop_win, stop_loss)


def _tasks(
    kernel: Literal["numba", "numpy"], plan: Plan, way: Strategy, key: int, sessions: int, rate: float, workers: int
) -> Iterator[_Task]:
    a_time = max(1, min(int(rate / 3 / plan.rounds / BATCH), sessions // BATCH // (8 * max(1, workers)))) * BATCH
    programme = way if isinstance(way, Programme) else None
    for first in range(0, sessions, a_time):
        yield _Task(kernel, plan, programme, key, first, min(a_time, sessions - first))


def _tallied(
    results: Iterable[tuple[_Task, SessionCounts]], plays: int, sessions: int, progress: Progress | None
) -> tuple[SessionCounts, int]:
    """The sum of all tasks, and how many sessions it has: all of them unless the run was interrupted."""
    tally, done = SessionCounts.empty(plays), 0
    try:
        for task, counted in results:
            tally, done = tally.plus(counted), done + task.sessions
            if progress:
                progress(done, sessions)
    except KeyboardInterrupt:
        if not done:
            raise
    assert tally.ends.sum() == done, f"{tally.ends.sum()} ends of {done} sessions"
    return tally, done


def _exact(
    layout: Layout,
    plays: Sequence[Play],
    way: Strategy,
    plan: Plan,
    stop_win: int | None,
    stop_loss: int | None,
) -> Ruin | None:
    """How flat sessions end, exactly. None for other strategies, or if it would take too long."""
    if way.name != "flat" or plan.units[0] != 1 or plan.least[0] != 1:
        return None
    try:
        return ruin(layout, plays[0], plan.bankroll, plan.rounds, stop_win=stop_win, stop_loss=stop_loss)
    except Refused:
        return None


# ---- results from the counts


def _run(
    layout: Layout,
    plays: tuple[Play, ...],
    way: Strategy,
    plan: Plan,
    seed: int,
    asked: int,
    sessions: int,
    tally: SessionCounts,
    fan: Fan,
    pace: float | None,
    exact: Ruin | None,
    how: How,
    stop_win: int | None,
    stop_loss: int | None,
) -> SessionsRun:
    ones = [result_of(layout, play) for play in plays]
    total, rounds = int(tally.sums[RESULT]) * plan.step, int(tally.sums[ROUNDS])
    apart = deviation(int(tally.sums[RESULT]), tally.squares(), sessions) * plan.step
    longer = deviation(rounds, int(tally.sums[ROUNDS_SQUARE]), sessions)
    expected = None if exact is None else float(exact.mean_rounds)
    return SessionsRun(
        layout=layout.id,
        plays=plays,
        strategy=way.name,
        says=way.says,
        seed=seed,
        bankroll=plan.bankroll,
        most_rounds=plan.rounds,
        stop_win=stop_win,
        stop_loss=stop_loss,
        asked=asked,
        sessions=sessions,
        interrupted=sessions < asked,
        rounds=rounds,
        staked=sum(tally.units(play)[0] * int(plan.base[play]) for play in range(len(plays))),
        total=total,
        ends=_ends(tally, sessions, exact),
        result=mean(total, apart, sessions, None if expected is None else float(ones[0].mean) * expected),
        deviation=apart,
        ahead=share(int(tally.sums[AHEAD]), sessions),
        edge=_edge(tally, plan, ones, total),
        length=mean(rounds, longer, sessions, expected),
        drawdown=int(tally.sums[DRAWDOWN]) * plan.step / sessions,
        results=_quantiles(tally.results, plan.width, -plan.bankroll),
        lengths=_quantiles(tally.lengths, plan.length, 0),
        drawdowns=_quantiles(tally.drawdowns, plan.width, 0),
        bins=_bins(tally.results, plan),
        fan=fan,
        pace=pace,
        exact=exact,
        how=how,
    )


def _ends(tally: SessionCounts, sessions: int, exact: Ruin | None) -> tuple[End, ...]:
    known = {"broke": exact.broke, "lost": exact.lost, "won": exact.won, "played": exact.playing} if exact else {}
    return tuple(
        End(end, count, share(count, sessions, float(known[end]) if end in known else None))
        for end, count in zip(ENDS, tally.ends.tolist(), strict=True)
    )


def _edge(tally: SessionCounts, plan: Plan, ones: Sequence[Distribution], total: int) -> Estimate:
    """The loss on each unit of money staked, beside the expected loss."""
    staked, variance, expected = 0, 0.0, Fraction(0)
    for play, one in enumerate(ones):
        units, squares = tally.units(play)
        staked += units * int(plan.base[play])
        expected += units * one.mean
        variance += squares * float(one.variance)
    error = sqrt(variance)
    z = float(expected - total) / error if error else None
    return estimate(-total / staked, error / staked, float(-expected / staked), z)


def _quantiles(counts: Ints, width: int, start: int) -> tuple[ShareOf, ...]:
    """For each share, the lower end of the bin that this share of the sessions does not exceed."""
    below = np.cumsum(counts)
    places = [int(np.searchsorted(below, float(share) * float(below[-1]))) for share in SHARES]
    return tuple(ShareOf(share, start + place * width) for share, place in zip(SHARES, places, strict=True))


def _bins(counts: Ints, plan: Plan, most: int = 80) -> tuple[Bin, ...]:
    """The results in few bins, for a picture."""
    seen = np.flatnonzero(counts)
    first, last = int(seen[0]), int(seen[-1])
    together = max(1, -(-(last - first + 1) // most))
    found = []
    for place in range(first, last + 1, together):
        high = None if place + together >= BINS else (place + together) * plan.width - plan.bankroll
        found.append(Bin(place * plan.width - plan.bankroll, high, int(counts[place : place + together].sum())))
    return tuple(found)


def _fan(plan: Plan, way: Strategy, key: int, count: int) -> Fan:
    from croupier.analysis.simulate.numpy_players import paths

    points = np.unique(np.linspace(0, plan.rounds, PATH_POINTS).round().astype(np.int64))
    seen = paths(plan, way, key, count, points)
    ordered = np.sort(seen, axis=0)
    places = [min(count - 1, int(float(share) * count)) for share in SHARES]
    return Fan(
        tuple(points.tolist()),
        SHARES,
        tuple(tuple(ordered[place].tolist()) for place in places),
        tuple(tuple(row.tolist()) for row in seen[:12]),
    )
