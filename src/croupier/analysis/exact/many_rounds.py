"""The result of a set of bets after many rounds: exact if that is feasible, otherwise within a stated bound.

There are three methods, and the first that is feasible is used:

- *exact*: the ways of every total in whole numbers, by J. C. P. Miller's recurrence for powers of a polynomial;
- *transform*: the characteristic function on a grid as fine as the results, raised to the power, and one inverse
  transform. `bound` follows from the rounding of every step (Higham, Accuracy and Stability of Numerical Algorithms,
  theorem 24.2, with room to spare);
- *normal*: the normal distribution, and the bound of Berry and Esseen with Shevtsova's constant 0.4748.

No probability is further from the truth than `bound`; where it is 0 the fractions are exact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, erfc, gcd, log, log2, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from croupier.analysis.exact.one_round import Distribution, check_share, lattice, result_of
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Method = Literal["exact", "transform", "normal"]
Probability = Fraction | float

_EXACT_WORK = 40_000_000
"""The most 64-bit words that the recurrence may read or write: about half a second of work."""
_EXACT_WORDS = 12_000_000
"""The most 64-bit words that its numbers may take: about 100 MB."""
_GRID = 1 << 22
_UNIT = 2.0**-53
_BERRY_ESSEEN = 0.4748
MOST_ROUNDS = 10**12


class Totals(Protocol):
    """The probability of each total of many rounds."""

    @property
    def method(self) -> Method: ...

    @property
    def bound(self) -> float: ...

    def at_most(self, amount: int) -> Probability: ...

    def quantile(self, share: Fraction) -> int: ...


def totals(one: Distribution, rounds: int, method: Method | None = None) -> Totals:
    """The totals of many rounds, by the named method or by the first that is feasible."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused("rounds", "out-of-range", rounds=rounds, most=MOST_ROUNDS)
    lowest, step = lattice(one)
    steps = rounds * ((one.best - lowest) // step)
    if method is None:
        method = "exact" if _is_cheap(one, rounds, steps) else "transform" if steps < _GRID else "normal"
    match method:
        case "exact":
            return Exact.make(one, rounds)
        case "transform":
            return Transform.make(one, rounds)
        case "normal":
            return Normal.make(one, rounds)


def _is_cheap(one: Distribution, rounds: int, steps: int) -> bool:
    words = rounds * log2(one.ways // gcd(*one.cells.values())) / 64 + 1
    return steps * words <= _EXACT_WORDS and steps * words * len(one.cells) <= _EXACT_WORK


# ---- in whole numbers


@dataclass(frozen=True)
class Exact:
    """`ways[i]` of all the ways, in lowest terms, lead to `start + i * step`."""

    start: int
    step: int
    ways: tuple[int, ...]
    method: Method = "exact"
    bound: float = 0.0

    @staticmethod
    def make(one: Distribution, rounds: int) -> Exact:
        lowest, step = lattice(one)
        common = gcd(*one.cells.values())
        coefficients = {(amount - lowest) // step: ways // common for amount, ways in one.cells.items()}
        return Exact(lowest * rounds, step, tuple(power(coefficients, rounds)))

    @cached_property
    def below(self) -> list[int]:
        """`below[i]` ways lead to the i-th total or a lower one."""
        return list(accumulate(self.ways))

    def at_most(self, amount: int) -> Fraction:
        place = (amount - self.start) // self.step
        if place < 0:
            return Fraction(0)
        return Fraction(self.below[min(place, len(self.below) - 1)], self.below[-1])

    def quantile(self, share: Fraction) -> int:
        check_share(share)
        return self.start + self.step * bisect_left(self.below, ceil(share * self.below[-1]))


def power(coefficients: dict[int, int], exponent: int) -> list[int]:
    """The coefficients of a power of a polynomial with whole coefficients. The constant one must not be 0.

    >>> power({0: 1, 1: 2, 3: 1}, 2)
    [1, 4, 4, 2, 4, 0, 1]
    """
    first = coefficients[0]
    others = [(place, ways) for place, ways in coefficients.items() if place]
    found = [first**exponent]
    for m in range(1, exponent * max(coefficients) + 1):
        total = sum((j * (exponent + 1) - m) * ways * found[m - j] for j, ways in others if j <= m)
        exact, rest = divmod(total, m * first)
        assert rest == 0, "the recurrence for powers leaves a remainder"
        found.append(exact)
    return found


# ---- on a grid


@dataclass(frozen=True)
class Transform:
    start: int
    step: int
    below: npt.NDArray[np.float64]
    """`below[i]` is the probability of the i-th total or a lower one."""
    bound: float
    method: Method = "transform"

    @staticmethod
    def make(one: Distribution, rounds: int) -> Transform:
        import numpy as np  # comes with the extra lab; a few rounds need only the exact method

        lowest, step = lattice(one)
        size = rounds * ((one.best - lowest) // step) + 1
        grid = 1 << (size - 1).bit_length()
        frequency = np.arange(grid // 2 + 1, dtype=np.int64)
        characteristic = np.zeros(len(frequency), dtype=np.complex128)
        for amount, ways in one.cells.items():
            # Whole numbers for as long as possible: then the angle is right to its last digit.
            turn = (frequency * ((amount - lowest) // step % grid)) % grid
            characteristic += ways / one.ways * np.exp(turn * (-2j * np.pi / grid))
        probabilities = np.fft.irfft(_raised(characteristic, rounds), grid)[:size]
        return Transform(lowest * rounds, step, np.cumsum(probabilities), _rounding(one, rounds, grid))

    def at_most(self, amount: int) -> float:
        place = (amount - self.start) // self.step
        if place < 0:
            return 0.0
        if place >= len(self.below) - 1:
            return 1.0
        return min(1.0, max(0.0, float(self.below[place])))

    def quantile(self, share: Fraction) -> int:
        check_share(share)
        place = int(self.below.searchsorted(float(share)))
        return self.start + self.step * min(place, len(self.below) - 1)


def _raised(base: npt.NDArray[np.complex128], exponent: int) -> npt.NDArray[np.complex128]:
    """A power by squaring, so that the rounding error of every step is known."""
    answer = base**0
    while exponent:
        if exponent & 1:
            answer *= base
        base = base * base
        exponent >>= 1
    return answer


def _rounding(one: Distribution, rounds: int, grid: int) -> float:
    """The largest possible error in the probability of any range of totals.

    A value of the characteristic function is off by at most (terms + 8) units, its power by `rounds` times that and
    two multiplications; a sum over a range takes in at most 2 + ln(grid) of the largest such error. The inverse
    transform and the running sum add at most 10 log2(grid) units of the root of the grid, and a unit for each total.
    """
    powers = rounds * (len(one.cells) + 8 + 5) * _UNIT * (2 + log(grid))
    transform = 10 * log2(max(2, grid)) * sqrt(grid) * _UNIT
    return powers + transform + grid * _UNIT


# ---- the normal distribution


@dataclass(frozen=True)
class Normal:
    mean: Fraction
    variance: Fraction
    bound: float
    step: int
    start: int
    method: Method = "normal"

    @staticmethod
    def make(one: Distribution, rounds: int) -> Normal:
        if one.variance == 0:
            raise Refused("rounds", "all-alike")
        bound = _BERRY_ESSEEN * float(one.third_moment) / float(one.variance) ** 1.5 / sqrt(rounds)
        lowest, step = lattice(one)
        return Normal(one.mean * rounds, one.variance * rounds, min(1.0, bound), step, lowest * rounds)

    def at_most(self, amount: int) -> float:
        # Halfway to the next total: the true distribution is flat between two totals.
        place = self.start + (amount - self.start) // self.step * self.step + self.step / 2
        return erfc(-(place - float(self.mean)) / sqrt(2 * float(self.variance))) / 2

    def quantile(self, share: Fraction) -> int:
        check_share(share)
        if share == 1:
            raise Refused("share", "no-largest")
        exact = NormalDist(float(self.mean), sqrt(float(self.variance))).inv_cdf(float(share))
        return self.start + ceil((exact - self.start) / self.step - 0.5) * self.step


# ---- the answer


class Quantile(msgspec.Struct, frozen=True):
    share: Fraction
    amount: int


class Bar(msgspec.Struct, frozen=True):
    """The probability of a total from `low` to `high`, both included."""

    low: int
    high: int
    probability: float


class After(msgspec.Struct, frozen=True):
    """What the Player has won or lost with a set of bets after many rounds, in cents."""

    rounds: int
    method: Method
    bound: float
    mean: Fraction
    deviation: float
    ahead: Probability
    level: Probability
    behind: Probability
    quantiles: tuple[Quantile, ...]
    bars: tuple[Bar, ...]


SHARES = tuple(Fraction(text) for text in ("1/100", "5/100", "1/4", "1/2", "3/4", "95/100", "99/100"))


def after(layout: Layout, bets: Iterable[tuple[str, int]], rounds: int, *, bars: int = 60) -> After:
    """The result of the same bets in each of many rounds: how likely the Player is ahead, and by how much.

    >>> from croupier import load_layout
    >>> evening = after(load_layout("mbs-sands-roulette-v2/A"), [("red", 10_00)], 100)
    >>> evening.method, round(float(evening.ahead), 4), evening.mean
    ('exact', 0.1915, Fraction(-100000, 13))
    """
    one = result_of(layout, bets)
    spread = totals(one, rounds)
    behind = spread.at_most(-1)
    not_ahead = spread.at_most(0)
    return After(
        rounds=rounds,
        method=spread.method,
        bound=spread.bound,
        mean=one.mean * rounds,
        deviation=sqrt(one.variance * rounds),
        ahead=1 - not_ahead,
        level=not_ahead - behind,
        behind=behind,
        quantiles=tuple(Quantile(share, spread.quantile(share)) for share in SHARES),
        bars=_bars(one, rounds, spread, bars),
    )


def ahead_after(layout: Layout, bets: Iterable[tuple[str, int]], counts: Iterable[int]) -> list[tuple[int, float]]:
    """The probability that the Player is ahead after each of these numbers of rounds, for a curve."""
    one = result_of(layout, bets)
    return [(rounds, 1 - float(totals(one, rounds).at_most(0))) for rounds in counts]


def _bars(one: Distribution, rounds: int, spread: Totals, count: int) -> tuple[Bar, ...]:
    """Bars that cover all but a ten-thousandth of the totals. Each is one or more whole steps wide."""
    _, step = lattice(one)
    low, high = (spread.quantile(Fraction(n, 20_000)) for n in (1, 19_999))
    width = max(1, -(-((high - low) // step + 1) // count)) * step
    edges = range(low - step, high + width, width)
    shares = [float(spread.at_most(edge)) for edge in edges]
    return tuple(
        Bar(left + step, right, max(0.0, upto - before))
        for left, right, before, upto in zip(edges, edges[1:], shares, shares[1:], strict=False)
    )
