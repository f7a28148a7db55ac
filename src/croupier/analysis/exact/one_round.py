"""What a set of bets wins or loses together in one round, where one throw decides them all.

Everything here is counted in whole ways and whole cents. Floats are only for printing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, sqrt
from types import MappingProxyType

import msgspec

from croupier.rules.money import Cents, winnings
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused


@dataclass(frozen=True)
class Distribution:
    """Results in cents, ascending, each with the number of equally likely ways that lead to it.

    >>> from croupier import load_layout
    >>> one = result_of(load_layout("rws-sicbo-etg-v2/A"), [("small", 10_00), ("triple:1", 1_00)])
    >>> dict(one.cells)
    {-1100: 110, 900: 105, 18500: 1}
    >>> one.mean, one.ahead
    (Fraction(-1000, 27), Fraction(53, 108))
    """

    cells: Mapping[int, int]

    @staticmethod
    def make(cells: Mapping[int, int]) -> Distribution:
        assert cells, "a distribution without a result"
        assert min(cells.values()) > 0, "a result that comes about in no way"
        return Distribution(MappingProxyType(dict(sorted(cells.items()))))

    @cached_property
    def ways(self) -> int:
        return sum(self.cells.values())

    @cached_property
    def mean(self) -> Fraction:
        return Fraction(sum(amount * ways for amount, ways in self.cells.items()), self.ways)

    @cached_property
    def variance(self) -> Fraction:
        squares = sum(amount * amount * ways for amount, ways in self.cells.items())
        return Fraction(squares, self.ways) - self.mean**2

    @property
    def deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def ahead(self) -> Fraction:
        """The probability that the Player wins money."""
        return Fraction(sum(ways for amount, ways in self.cells.items() if amount > 0), self.ways)

    @property
    def level(self) -> Fraction:
        """The probability that the Player neither wins nor loses."""
        return Fraction(self.cells.get(0, 0), self.ways)

    @property
    def behind(self) -> Fraction:
        return 1 - self.ahead - self.level

    @property
    def worst(self) -> int:
        return next(iter(self.cells))

    @property
    def best(self) -> int:
        return next(reversed(self.cells))

    @property
    def third_moment(self) -> Fraction:
        """The mean of |result - mean| cubed. The larger it is, the more rounds it takes until totals look normal."""
        return (
            sum((ways * abs(amount - self.mean) ** 3 for amount, ways in self.cells.items()), Fraction(0)) / self.ways
        )

    def quantile(self, share: Fraction) -> int:
        """The smallest result that is not exceeded with at least this probability."""
        check_share(share)
        below = accumulate(self.cells.values())
        return next(amount for amount, ways in zip(self.cells, below, strict=True) if ways >= share * self.ways)


class Cell(msgspec.Struct, frozen=True):
    """One result of a round and its probability."""

    amount: int
    ways: int
    probability: Fraction


class ExactRound(msgspec.Struct, frozen=True):
    """The exact result of one round with a set of bets, for the Player, in cents.

    `edge` is what a unit staked costs on average over the whole set; `volatility` is in units of the sum staked.
    """

    layout: str
    bets: tuple[tuple[str, int], ...]
    staked: int
    ways: int
    cells: tuple[Cell, ...]
    mean: Fraction
    edge: Fraction
    variance: Fraction
    deviation: float
    ahead: Fraction
    level: Fraction
    behind: Fraction
    worst: int
    best: int


def result_of(layout: Layout, bets: Iterable[tuple[str, int]]) -> Distribution:
    """What the Player wins with all of these bets in one round; below zero, what they lose."""
    stakes: Counter[str] = Counter()
    for box, stake in bets:
        stakes[layout.box(box).name] += layout.check_stake(box, stake)
    if not stakes:
        raise Refused("bet", "none-given", example="total:8=10.00")
    cells: Counter[int] = Counter()
    for outcome in layout.outcomes:
        cells[brought(layout, stakes.items(), outcome)] += layout.ways(outcome)
    return Distribution.make(cells)


def brought(layout: Layout, bets: Iterable[tuple[str, int]], outcome: str) -> int:
    """What the Player wins on an outcome: the winnings of the winning bets, less the stakes of the others."""
    total = 0
    for box, stake in bets:
        odds = layout.pays(box, outcome)
        total += winnings(Cents(stake), odds) if odds is not None else -stake
    return total


def one_round(layout: Layout, bets: Iterable[tuple[str, int]]) -> ExactRound:
    """The exact figures of one round with these bets."""
    given = tuple((layout.box(box).name, int(layout.check_stake(box, stake))) for box, stake in bets)
    one = result_of(layout, given)
    staked = sum(stake for _, stake in given)
    return ExactRound(
        layout=layout.id,
        bets=given,
        staked=staked,
        ways=one.ways,
        cells=tuple(Cell(amount, ways, Fraction(ways, one.ways)) for amount, ways in one.cells.items()),
        mean=one.mean,
        edge=-one.mean / staked,
        variance=one.variance,
        deviation=one.deviation,
        ahead=one.ahead,
        level=one.level,
        behind=one.behind,
        worst=one.worst,
        best=one.best,
    )


def lattice(one: Distribution) -> tuple[int, int]:
    """The lowest result and the step: every result is the lowest plus a whole number of steps."""
    lowest = one.worst
    return lowest, gcd(*(amount - lowest for amount in one.cells)) or 1


def check_share(share: Fraction) -> None:
    if not 0 < share <= 1:
        raise Refused("share", "out-of-range", share=str(share))
