"""Sessions played by NumPy, all of them at once, round by round; one by one in Python if the strategy is a function.

This is the reference for the compiled loops, and it is used if Numba is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from croupier.analysis.simulate import draws
from croupier.analysis.simulate.plan import (
    AHEAD,
    BINS,
    BROKE,
    DRAWDOWN,
    FIRST_PLAY,
    LEFT,
    LOST_STOP,
    LOW,
    PER_PLAY,
    PLAYED,
    RESULT,
    ROUNDS,
    ROUNDS_SQUARE,
    SQUARE_HIGH,
    SQUARE_LOW,
    WON_STOP,
    Ints,
    Plan,
    SessionCounts,
    StateRows,
)
from croupier.analysis.simulate.strategies import Programme
from croupier.rules.refusal import Refused

_GOING = -1


class TableSessions:
    """Many sessions of a table strategy. The arrays have a cell for each one that goes on; `ended` has the others."""

    def __init__(self, plan: Plan, key: int, first: int, count: int) -> None:
        self.plan, self.key, self.rows = plan, np.uint64(key), StateRows.of(plan)
        self.session = np.arange(count)
        self.half = np.arange(first, first + count, dtype=np.uint64) * np.uint64(2 * plan.words)
        self.balance = np.full(count, plan.bankroll, dtype=np.int64)
        self.peak, self.drawdown = self.balance.copy(), np.zeros(count, dtype=np.int64)
        self.state = np.zeros(count, dtype=np.int64)
        self.played = 0
        self.visits = np.zeros(len(self.rows.cost), dtype=np.int64)
        self.last = np.zeros((4, count), dtype=np.int64)
        """Balance, rounds, drawdown and end of each session that is over."""
        self.tally = SessionCounts.empty(len(plan.base))
        self._leave(np.where(self.balance < self.rows.need[0], BROKE, _GOING))

    def play(self) -> None:
        """Play all sessions to their ends."""
        while len(self.session):
            self.three()

    def three(self, seen: Callable[[], None] | None = None) -> None:
        """Play the rounds of the next half of a word."""
        group = self.plan.group[self._drawn()]
        for place in range(draws.DRAWS):
            stays = self.round(group[:, place])
            if stays is not None:
                group = group[stays]
            if seen:
                seen()

    def _drawn(self) -> npt.NDArray[np.uint16]:
        """The next three draws of every session that goes on."""
        found = np.empty((len(self.session), draws.DRAWS), dtype=np.uint16)
        missing = np.arange(len(self.session))
        while len(missing):
            half = self.half[missing]
            self.half[missing] += np.uint64(1)
            word = draws.mixed(self.key + (half >> np.uint64(1)) * np.uint64(draws.GOLDEN))
            part = (word >> (np.uint64(32) * (half & np.uint64(1)))) & np.uint64(LOW)
            drawn, kept = draws.drawn(part, self.plan.sides)
            found[missing[kept]] = drawn[kept]
            missing = missing[~kept]
        return found

    def round(self, group: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_] | None:
        """Play one round of every session, and return which of them go on, if not all do."""
        plan, rows = self.plan, self.rows
        cell = self.state + group
        brings = rows.pays.take(cell)
        short = np.flatnonzero(rows.cost.take(self.state) > self.balance)
        self.visits += np.bincount(self.state, minlength=len(self.visits))
        if len(short):
            brings[short] = self._short(short, group[short])
        self.balance += brings
        self.state = rows.moves.take(cell)
        self.played += 1
        np.maximum(self.peak, self.balance, out=self.peak)
        np.maximum(self.drawdown, self.peak - self.balance, out=self.drawdown)
        out = (self.balance >= plan.target) | (self.balance <= plan.floor)
        out |= self.balance < rows.need.take(self.state)
        if self.played >= plan.rounds:
            out[:] = True
        if not out.any():
            return None
        return self._leave(np.where(out, self._why(), _GOING))

    def _short(self, which: Ints, group: npt.NDArray[np.uint8]) -> Ints:
        """The result of a round for Players who cannot pay the whole stake and stake what they have, in whole units."""
        state = self.state[which]
        self.visits -= np.bincount(state, minlength=len(self.visits))
        play = self.plan.play[state // self.plan.result.shape[1]]
        units = self.balance[which] // self.plan.base[play]
        for number in range(len(self.plan.base)):
            place = FIRST_PLAY + PER_PLAY * number
            self.tally.sums[place : place + PER_PLAY] += _squared(units[play == number])
        brings: Ints = units * self.plan.result[play, group]
        return brings

    def _why(self) -> Ints:
        """How each session ends, if it does."""
        plan = self.plan
        return np.select(
            [
                self.balance >= plan.target,
                self.balance <= plan.floor,
                self.balance < self.rows.need.take(self.state),
            ],
            [WON_STOP, LOST_STOP, BROKE],
            PLAYED,
        )

    def _leave(self, why: Ints) -> npt.NDArray[np.bool_]:
        """Move the sessions that are over from the arrays to `ended`."""
        stays: npt.NDArray[np.bool_] = why == _GOING
        over = ~stays
        leaving = self.session[over]
        self.last[0, leaving], self.last[1, leaving] = self.balance[over], self.played
        self.last[2, leaving], self.last[3, leaving] = self.drawdown[over], why[over]
        for name in ("session", "half", "balance", "peak", "drawdown", "state"):
            setattr(self, name, getattr(self, name)[stays])
        return stays

    def tallied(self) -> SessionCounts:
        balance, rounds, drawdown, end = self.last
        tallied(self.plan, balance, rounds, drawdown, end, self.tally)
        self.rows.add(self.plan, self.visits, self.tally)
        return self.tally

    def balances(self) -> Ints:
        """The balance of every session, also of those that are over."""
        now: Ints = self.last[0].copy()
        now[self.session] = self.balance
        return now


def _squared(units: Ints) -> Ints:
    squares = units * units
    return np.array([units.sum(), (squares & LOW).sum(), (squares >> 32).sum()], dtype=np.int64)


def tallied(plan: Plan, balance: Ints, rounds: Ints, drawdown: Ints, end: Ints, tally: SessionCounts) -> None:
    """Count sessions that are over."""
    steps = (balance - plan.bankroll) // plan.step
    squares = steps * steps
    for cells, places in (
        (tally.ends, end),
        (tally.results, np.minimum(balance // plan.width, BINS - 1)),
        (tally.lengths, rounds // plan.length),
        (tally.drawdowns, np.minimum(drawdown // plan.width, BINS - 1)),
    ):
        cells += np.bincount(places, minlength=len(cells))
    sums = tally.sums
    sums[RESULT], sums[ROUNDS], sums[DRAWDOWN] = steps.sum(), rounds.sum(), (drawdown // plan.step).sum()
    sums[SQUARE_LOW], sums[SQUARE_HIGH] = (squares & LOW).sum(), (squares >> 32).sum()
    sums[ROUNDS_SQUARE], sums[AHEAD] = (rounds * rounds).sum(), (steps > 0).sum()


def play_table(plan: Plan, key: int, first: int, count: int) -> SessionCounts:
    """Play `count` sessions of a table strategy, from the session `first` on."""
    table = TableSessions(plan, key, first, count)
    table.play()
    return table.tallied()


def paths(plan: Plan, strategy: Any, key: int, count: int, points: npt.NDArray[np.int64]) -> Ints:
    """The balance of the first sessions after each of these numbers of rounds, for a picture."""
    found = np.full((count, len(points)), plan.bankroll, dtype=np.int64)
    wanted = {int(point): place for place, point in enumerate(points)}
    if isinstance(strategy, Programme):
        for session in range(count):
            seen: list[int] = [plan.bankroll]
            play_one(plan, strategy, key, session, seen)
            found[session] = [seen[min(int(point), len(seen) - 1)] for point in points]
        return found
    table = TableSessions(plan, key, 0, count)

    def look() -> None:
        if table.played in wanted:
            found[:, wanted[table.played]] = table.balances()

    while len(table.session):
        table.three(look)
    late = points >= table.played
    found[:, late] = table.balances()[:, None]
    return found


# ---- strategies that are functions


class Draws:
    """The draws of one session, one after the other."""

    def __init__(self, key: int, first_word: int, sides: int) -> None:
        self._key, self._half, self._sides = key, 2 * first_word, sides
        self._ready: list[int] = []

    def next(self) -> int:
        while not self._ready:
            word = draws.word(self._key, self._half >> 1)
            part = (word >> 32 if self._half & 1 else word) & LOW
            self._half += 1
            self._ready = list(reversed(draws.draws_of_half(part, self._sides) or ()))
        return self._ready.pop()


def play_one(
    plan: Plan, strategy: Programme, key: int, session: int, seen: list[int] | None = None
) -> tuple[int, int, int, int, Ints]:
    """Play one session of a programme: balance, rounds, drawdown, how it ended, and what was staked."""
    memory = np.zeros(strategy.memory, dtype=np.int64)
    memory[: len(strategy.start)] = strategy.start
    given = Draws(key, session * plan.words, plan.sides)
    staked = np.zeros((len(plan.base), PER_PLAY), dtype=np.int64)
    balance = peak = plan.bankroll
    drawdown = rounds = result = 0
    last = -1
    while True:
        answer = strategy.function(memory, last, result, balance)
        play, units = map(int, answer if strategy.chooses else (0, answer))
        end = _may_play(plan, play, units, balance, rounds)
        if end != _GOING:
            return balance, rounds, drawdown, end, staked
        units = min(max(units, int(plan.least[play])), int(plan.most[play]), balance // int(plan.base[play]))
        staked[play] += (units, units * units & LOW, units * units >> 32)
        drawn = given.next()
        last = int(plan.outcome[drawn])
        won = units * int(plan.result[play, plan.group[drawn]])
        balance, rounds, result = balance + won, rounds + 1, (won > 0) - (won < 0)
        peak = max(peak, balance)
        drawdown = max(drawdown, peak - balance)
        if seen is not None:
            seen.append(balance)


def _may_play(plan: Plan, play: int, units: int, balance: int, rounds: int) -> int:
    """How the session ends, or that it goes on."""
    if rounds and balance >= plan.target:
        return WON_STOP
    if rounds and balance <= plan.floor:
        return LOST_STOP
    if not 0 <= play < len(plan.base):
        raise Refused("strategy", "play-unknown", play=int(play), plays=len(plan.base))
    if balance < plan.base[play] * plan.least[play]:
        return BROKE
    if rounds >= plan.rounds:
        return PLAYED
    return LEFT if units <= 0 else _GOING


def play_programme(plan: Plan, strategy: Programme, key: int, first: int, count: int) -> SessionCounts:
    """Play `count` sessions of a programme, one by one."""
    ended = [play_one(plan, strategy, key, session) for session in range(first, first + count)]
    balance, rounds, drawdown, end = (np.array(column, dtype=np.int64) for column in list(zip(*ended, strict=True))[:4])
    tally = SessionCounts.empty(len(plan.base))
    tallied(plan, balance, rounds, drawdown, end, tally)
    tally.sums[FIRST_PLAY:] = np.stack([row[4] for row in ended]).sum(axis=0).ravel()
    return tally
