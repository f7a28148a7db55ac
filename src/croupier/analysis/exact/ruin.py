"""Risk of ruin for flat betting: the same bets in every round, until the bankroll cannot pay for them.

The probability of every bankroll is calculated round by round: in whole ways while that is cheap, otherwise in floats.
Floats are only added and multiplied here, never subtracted, so the relative error of a probability is at most
(terms + 40) units for each round. `bound` states the error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import gcd, log2
from typing import NamedTuple

import msgspec
import numpy as np

from croupier.analysis.exact.one_round import Distribution, result_of
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

_UNIT = 2.0**-53
_EXACT_WORK = 2_000_000
_MOST_STATES = 2_000_000
_MOST_WORK = 2_000_000_000
_ENDLESS_STATES = 20_000
_LEFT = 1e-12
"""Without a last round, the count stops when no larger share of evenings than this is still going on."""


class Ruin(msgspec.Struct, frozen=True):
    """How an evening of flat betting ends. Evenings that are still going on may yet end in any of these ways.

    `broke`: the bankroll cannot pay for the next bets. `lost`: the stop-loss was reached first. `won`: the stop-win.
    `playing`: all rounds were played and none of these happened.
    """

    staked: int
    bankroll: int
    rounds: int | None
    stop_win: int | None
    stop_loss: int | None
    broke: Fraction | float
    lost: Fraction | float
    won: Fraction | float
    playing: Fraction | float
    mean_rounds: Fraction | float
    counted: int
    """The number of rounds that were calculated."""
    exact: bool
    bound: float


class Stops(NamedTuple):
    """The bankrolls, in cents, at which an evening ends."""

    staked: int
    floor: int | None
    target: int | None

    def end_of(self, bankroll: int) -> str | None:
        if self.target is not None and bankroll >= self.target:
            return "won"
        if self.floor is not None and bankroll <= self.floor:
            return "lost"
        return "broke" if bankroll < self.staked else None


def ruin(
    layout: Layout,
    bets: Iterable[tuple[str, int]],
    bankroll: int,
    rounds: int | None = None,
    *,
    stop_win: int | None = None,
    stop_loss: int | None = None,
) -> Ruin:
    """How an evening ends that begins with `bankroll` cents. Without `rounds` it has no last round.

    >>> from croupier import load_layout
    >>> evening = ruin(load_layout("mbs-sands-roulette-v2/A"), [("red", 10_00)], 30_00, stop_win=30_00)
    >>> round(float(evening.broke), 6), round(float(evening.won), 6)
    (0.613596, 0.386404)
    """
    given = list(bets)
    one = result_of(layout, given)
    staked = sum(stake for _, stake in given)
    if bankroll < staked:
        raise Refused("bankroll", "too-small", bankroll=bankroll, staked=staked)
    for name, stop in (("stop-win", stop_win), ("stop-loss", stop_loss)):
        if stop is not None and stop <= 0:
            raise Refused("stop", "not-above-zero", stop=name, amount=stop)
    if rounds is not None and rounds < 1:
        raise Refused("rounds", "none", rounds=rounds)
    if rounds is None and stop_win is None and one.mean >= 0:
        raise Refused("rounds", "never-ends")
    stops = Stops(
        staked, None if stop_loss is None else bankroll - stop_loss, None if stop_win is None else bankroll + stop_win
    )
    ended, playing, mean, counted, exact = _followed(one, stops, bankroll, rounds)
    return Ruin(
        staked=staked,
        bankroll=bankroll,
        rounds=rounds,
        stop_win=stop_win,
        stop_loss=stop_loss,
        broke=ended["broke"],
        lost=ended["lost"],
        won=ended["won"],
        playing=playing,
        mean_rounds=mean,
        counted=counted,
        exact=exact,
        bound=0.0 if exact else counted * (len(one.cells) + 40) * _UNIT,
    )


_Followed = tuple[dict[str, Fraction | float], Fraction | float, Fraction | float, int, bool]


def _followed(one: Distribution, stops: Stops, bankroll: int, rounds: int | None) -> _Followed:
    if rounds is not None:
        common = gcd(*one.cells)
        states = rounds * (one.best - one.worst) // common
        if rounds * states * len(one.cells) * (1 + rounds * log2(one.ways) / 2500) <= _EXACT_WORK:
            return _in_ways(one, stops, bankroll, rounds)
    return _in_floats(one, stops, bankroll, rounds)


def _in_ways(one: Distribution, stops: Stops, bankroll: int, rounds: int) -> _Followed:
    going = {bankroll: 1}
    ended = dict.fromkeys(("broke", "lost", "won"), 0)
    played = all_ways = (
        1  # played: the evenings still going on before each round, added up, in ways of the latest round
    )
    for step in range(1, rounds + 1):
        after: Counter[int] = Counter()
        for balance, ways in going.items():
            for amount, more in one.cells.items():
                after[balance + amount] += ways * more
        all_ways *= one.ways
        ended = {end: ways * one.ways for end, ways in ended.items()}
        going = {}
        for balance, ways in after.items():
            if end := stops.end_of(balance):
                ended[end] += ways
            else:
                going[balance] = ways
        played = played * one.ways + (sum(going.values()) if step < rounds else 0)
    return (
        {end: Fraction(ways, all_ways) for end, ways in ended.items()},
        Fraction(sum(going.values()), all_ways),
        Fraction(played, all_ways),
        rounds,
        True,
    )


def _in_floats(one: Distribution, stops: Stops, bankroll: int, rounds: int | None) -> _Followed:
    """The ends, calculated in floats on a grid of the bankrolls with which play goes on."""
    grid = _Grid(one, stops, bankroll, rounds)
    most = grid.affordable if rounds is None else rounds
    if most > grid.affordable:
        raise Refused("rounds", "too-many", rounds=most, bankrolls=grid.size)
    mean, counted = 0.0, 0
    while counted < most and grid.playing > (_LEFT if rounds is None else 0.0):
        mean += grid.playing
        grid.play()
        counted += 1
    if rounds is not None:
        counted = rounds
    return grid.ended, grid.playing, mean, counted, False


class _Grid:
    """The probability of each bankroll, in steps of the greatest common divisor of all results."""

    def __init__(self, one: Distribution, stops: Stops, bankroll: int, rounds: int | None) -> None:
        step = gcd(*(abs(amount) for amount in one.cells)) or 1
        lowest = max(stops.staked, 0 if stops.floor is None else stops.floor + 1)
        lowest += (bankroll - lowest) % step
        self.ended: dict[str, Fraction | float] = {"broke": 0.0, "lost": 0.0, "won": 0.0}
        self._target = stops.target is not None
        self.size = (self._highest(one, stops, bankroll, rounds, lowest, step) - lowest) // step + 1
        if self.size > _MOST_STATES:
            raise Refused("bankroll", "too-many", bankrolls=self.size, most=_MOST_STATES)
        self._shares = [(amount // step, ways / one.ways) for amount, ways in one.cells.items()]
        self._reach = max(abs(place) for place, _ in self._shares)
        self._cells = np.zeros(self.size + 2 * self._reach)
        self._cells[self._reach + (bankroll - lowest) // step] = 1.0
        ends = [stops.end_of(lowest + place * step) for place in range(-self._reach, 0)]
        self._below = {name: np.array([end == name for end in ends]) for name in ("broke", "lost")}
        self._safe = 0.0
        """Evenings above the grid: nothing can end them early, or the grid could not be larger."""
        self.playing = 1.0
        self.affordable = max(1, _MOST_WORK // (self.size * len(self._shares)))

    @staticmethod
    def _highest(one: Distribution, stops: Stops, bankroll: int, rounds: int | None, lowest: int, step: int) -> int:
        if stops.target is not None:
            return stops.target - 1
        if rounds is not None:
            # Above the second, the remaining rounds cannot lose enough to end the evening.
            return max(bankroll, min(bankroll + rounds * max(0, one.best), lowest + rounds * max(1, -one.worst)))
        return bankroll + _ENDLESS_STATES * step

    def play(self) -> None:
        """Play one round of every evening that goes on."""
        reach, size = self._reach, self.size
        after = np.zeros_like(self._cells)
        inside = self._cells[reach : reach + size]
        for place, share in self._shares:
            after[reach + place : reach + place + size] += share * inside
        for name, ends in self._below.items():
            self.ended[name] += float(after[:reach][ends].sum())
        above = float(after[reach + size :].sum())
        if self._target:
            self.ended["won"] += above
        else:
            self._safe += above
        after[:reach] = after[reach + size :] = 0.0
        self._cells = after
        self.playing = float(after.sum()) + self._safe
