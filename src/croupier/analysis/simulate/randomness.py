"""Is a source of outcomes fair? The suite that the standards name, fixed beforehand, with a rule against false alarms.

The suite examines a sequence of outcomes, and a sequence of equally likely *symbols*: single faces, or the numbers of a
wheel. If throws were recorded in ascending order, as tables do, the order of the dice is lost. The symbol is then
whether the total is low (3 to 10) or high, each in 108 of 216 ways.

The length of the sample alone decides which tests are made. A test whose cells would expect too little is not made, and
the report says so. A test *speaks* if its p-value is below the level divided by the number of tests made. It is an
alarm if it speaks again on a fresh sample.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, exp, lgamma, log, perm, sqrt
from typing import Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.analysis.exact.statistics import CELL, LEVEL, chi_square_tail
from croupier.rules.outcomes import DICE, FACES, Dice, Space
from croupier.rules.refusal import Refused

Ints = npt.NDArray[np.int64]
Verdict = Literal["passed", "examine again", "failed"]

HAND, GROUP = 5, 3
"""Symbols in a hand of poker; outcomes in a group of the permutation test."""
_BINS = 40
_SURE = 0.99
_FAR = 1000.0
"""With this noncentrality no sample fails to show the bias."""
_ASTRAY = 1e9
"""The statistic of a long sample that has nothing for a test to examine: no fair source gives such a sample."""
_MOST_LOST = 20
"""If this many throws are all in ascending order, they were sorted: one fair throw in 3.9 is ascending."""


class Sample(NamedTuple):
    """Outcomes as places in `weights`, and equally likely symbols below `sides`."""

    space: Space
    ordered: bool
    outcomes: Ints
    weights: tuple[int, ...]
    symbols: Ints
    sides: int
    faces: Ints | None
    """The faces of all throws; None for a wheel."""
    digest: str
    """SHA-256 of the outcomes, one on each line, by which a sample can be recognised."""


class Found(msgspec.Struct, frozen=True):
    """The result of one test. `freedom` is 0 for a normal deviate. `p` is None if the sample was too small."""

    test: str
    what: str
    needs: int
    cells: int
    statistic: float | None
    freedom: int
    p: float | None
    speaks: bool


class SampleResult(msgspec.Struct, frozen=True):
    """The results of the suite on one sample."""

    source: str
    outcomes: int
    symbols: int
    ordered: bool
    digest: str
    tests: tuple[Found, ...]
    threshold: float
    """A test speaks if its p is below this."""
    sees: float
    """The smallest relative bias of one symbol that chi-square finds in 99 of 100 samples of this length."""

    @property
    def speaking(self) -> tuple[str, ...]:
        return tuple(test.test for test in self.tests if test.speaks)


class Examination(msgspec.Struct, frozen=True):
    """The results, and the verdict by the rule."""

    device: str
    level: float
    looks: tuple[SampleResult, ...]
    verdict: Verdict
    alarms: tuple[str, ...]


# ---- samples


def sample_of(space: Space, texts: Iterable[str]) -> Sample:
    """A sample from outcomes as people write them, `3-1-4` or a number of the wheel."""
    written = [text.strip() for text in texts]
    parsed = [space.parse(text) for text in written]
    if isinstance(space, Dice):
        ascending = all(text == outcome for text, outcome in zip(written, parsed, strict=True))
        if ascending and len(written) >= _MOST_LOST:
            return _unordered(space, np.array([space.outcomes.index(o) for o in parsed], dtype=np.int64))
        faces = [FACES.index(face) for text in written for face in text.split("-")]
        return thrown(space, np.array(faces, dtype=np.int64).reshape(-1, DICE))
    return spun(space, np.array([space.numbers.index(o) for o in parsed], dtype=np.int64))


def thrown(space: Space, faces: Ints) -> Sample:
    """A sample of ordered throws: a row of three faces, from 0, for each."""
    sides = len(FACES)
    numbers = faces @ np.array([sides**2, sides, 1])
    flat = faces.ravel()
    digest = hashlib.sha256(written_throws(faces)).hexdigest()
    return Sample(space, True, numbers, (1,) * sides**DICE, flat, sides, flat, digest)


def written_throws(faces: Ints) -> bytes:
    """Throws as text, one on each line.

    >>> written_throws(np.array([[2, 0, 3]]))
    b'3-1-4\\n'
    """
    lines = np.full((len(faces), 2 * DICE), ord("-"), dtype=np.uint8)
    lines[:, ::2] = faces + ord(FACES[0])
    lines[:, -1] = ord("\n")
    return lines.tobytes()


def spun(space: Space, numbers: Ints) -> Sample:
    """A sample of a wheel, from the places of its numbers, counted from 0."""
    sides = len(space.numbers)
    digest = _digest(space.numbers[n] for n in numbers.tolist())
    return Sample(space, True, numbers, (1,) * sides, numbers, sides, None, digest)


def _unordered(space: Dice, numbers: Ints) -> Sample:
    faces = np.array([[FACES.index(face) for face in outcome.split("-")] for outcome in space.outcomes])
    high = (faces.sum(axis=1) + DICE > 10).astype(np.int64)
    digest = _digest(space.outcomes[n] for n in numbers.tolist())
    weights = tuple(space.ways[outcome] for outcome in space.outcomes)
    return Sample(space, False, numbers, weights, high[numbers], 2, faces[numbers].ravel(), digest)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{text}\n" for text in texts).encode()).hexdigest()


# ---- the suite


class _Test(NamedTuple):
    """A test of the suite: what it examines, and how many outcomes it needs."""

    name: str
    what: str
    needs: int
    run: Callable[[Sample], tuple[float, int, int]]
    """→ statistic, degrees of freedom (0 for a normal deviate), number of cells"""


def registered(sample: Sample) -> tuple[_Test, ...]:
    """The suite for samples of this kind, in the order of the report. It does not depend on the outcomes."""
    rarest = Fraction(min(sample.weights), sum(sample.weights))
    a_symbol = len(sample.symbols) / max(1, len(sample.outcomes))
    cells = len(sample.weights)
    what = "throws in their order" if sample.ordered else "throws without their order"
    is_dice = isinstance(sample.space, Dice)

    def symbols(count: float | Fraction) -> int:
        return int(-(-float(count) // a_symbol))

    event = Fraction(max(1, sample.sides // 6), sample.sides)
    name, of = ("throws", what) if is_dice else ("numbers", "numbers of the wheel")
    tests = [
        _Test(name, f"chi-square over {cells} {of}", _enough(rarest), _outcomes),
        _Test(f"pairs of {name}", f"chi-square over {cells**2:,} pairs", 2 * _enough(rarest**2), _pairs),
        _Test("runs", "runs above and below the middle (Wald and Wolfowitz)", 20 * CELL, _runs),
        _Test("serial correlation", "an outcome and the one before it", 20 * CELL, _correlation),
        _Test("gap", f"gaps between symbols that come with probability {event}", symbols(40 * CELL / event), _gap),
        _Test("poker", f"different symbols in hands of {HAND}", symbols(HAND * 40 * CELL), _poker),
        _Test("coupon", f"symbols until all {sample.sides} have come", symbols(_coupons(sample.sides)), _coupon),
        _Test("permutation", f"the order of {GROUP} different outcomes", GROUP * 6 * 2 * CELL, _permutation),
    ]
    if is_dice:
        tests.insert(0, _Test("faces", "chi-square over 6 faces", 6 * CELL, _faces))
    return tuple(tests)


def look(sample: Sample, source: str, level: float = LEVEL) -> SampleResult:
    """The suite on one sample."""
    length = len(sample.outcomes)
    tests = registered(sample)
    made = [test for test in tests if test.needs <= length]
    if not made:
        least = min(test.needs for test in tests)
        raise Refused("sample", "too-short", outcomes=length, needed=least)
    threshold = level / len(made)
    return SampleResult(
        source,
        length,
        len(sample.symbols),
        sample.ordered,
        sample.digest,
        tuple(_tested(test, sample, threshold) for test in tests),
        threshold,
        sees(len(sample.faces if sample.faces is not None else sample.symbols), _kinds(sample), threshold),
    )


def _kinds(sample: Sample) -> int:
    return len(FACES) if sample.faces is not None else sample.sides


def _tested(test: _Test, sample: Sample, threshold: float) -> Found:
    if test.needs > len(sample.outcomes):
        return Found(test.name, test.what, test.needs, 0, None, 0, None, False)
    statistic, freedom, cells = test.run(sample)
    p = chi_square_tail(statistic, freedom) if freedom else erfc(abs(statistic) / sqrt(2))
    return Found(test.name, test.what, test.needs, cells, statistic, freedom, p, p < threshold)


def examine(
    device: str, first: SampleResult, fresh: Callable[[], SampleResult] | None = None, level: float = LEVEL
) -> Examination:
    """The verdict by the rule: if a test speaks, a fresh sample is examined; a test that speaks on both is an alarm.

    Without a fresh sample the verdict is to examine again.
    """
    if not first.speaking:
        return Examination(device, level, (first,), "passed", ())
    if fresh is None:
        return Examination(device, level, (first,), "examine again", ())
    second = fresh()
    if second.digest == first.digest:
        raise Refused("sample", "the-first-again")
    alarms = tuple(test for test in first.speaking if test in second.speaking)
    return Examination(device, level, (first, second), "failed" if alarms else "passed", alarms)


# ---- the tests


def _enough(share: Fraction) -> int:
    return int(-(-CELL // share))


def _chi_square(counts: Ints, shares: Sequence[float] | npt.NDArray[np.float64]) -> tuple[float, int, int]:
    if not counts.sum():
        return _ASTRAY, len(counts) - 1, len(counts)
    expected = np.asarray(shares, dtype=np.float64) * counts.sum()
    return float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1, len(counts)


def _pooled(counts: Sequence[int], shares: Sequence[float], total: int) -> tuple[float, int, int]:
    """Chi-square over cells, of which neighbours are added up until each expects enough."""
    cells: list[tuple[int, float]] = [(0, 0.0)]
    for count, share in zip(counts, shares, strict=True):
        seen, expected = cells[-1]
        if expected * total >= CELL:
            cells.append((count, share))
        else:
            cells[-1] = (seen + count, expected + share)
    if len(cells) > 1 and cells[-1][1] * total < CELL:
        count, share = cells.pop()
        cells[-1] = (cells[-1][0] + count, cells[-1][1] + share)
    if len(cells) == 1:
        return _ASTRAY, 1, 1
    return _chi_square(np.array([count for count, _ in cells]), [share for _, share in cells])


def _faces(sample: Sample) -> tuple[float, int, int]:
    assert sample.faces is not None, "a wheel has no faces"
    return _chi_square(np.bincount(sample.faces, minlength=len(FACES)), [1 / len(FACES)] * len(FACES))


def _shares(sample: Sample) -> npt.NDArray[np.float64]:
    return np.array(sample.weights, dtype=np.float64) / sum(sample.weights)


def _outcomes(sample: Sample) -> tuple[float, int, int]:
    return _chi_square(np.bincount(sample.outcomes, minlength=len(sample.weights)), _shares(sample))


def _pairs(sample: Sample) -> tuple[float, int, int]:
    """Pairs that share no outcome: first and second, third and fourth, and so on."""
    cells, even = len(sample.weights), len(sample.outcomes) // 2 * 2
    pairs = sample.outcomes[:even:2] * cells + sample.outcomes[1:even:2]
    shares = _shares(sample)
    return _chi_square(np.bincount(pairs, minlength=cells**2), np.outer(shares, shares).ravel())


def _values(sample: Sample) -> Ints:
    """Outcomes as amounts: the total of a throw, the place of a number."""
    if sample.faces is None:
        return sample.outcomes
    return np.asarray(sample.faces.reshape(-1, DICE).sum(axis=1), dtype=np.int64)


def _runs(sample: Sample) -> tuple[float, int, int]:
    values = _values(sample)
    middle = np.median(values)
    sides = values[values != middle] > middle
    above, n = int(sides.sum()), len(sides)
    below = n - above
    if not above or not below:
        return _ASTRAY, 0, 2
    seen = 1 + int((sides[1:] != sides[:-1]).sum())
    mean = 2 * above * below / n + 1
    return (seen - mean) / sqrt((mean - 1) * (mean - 2) / (n - 1)), 0, 2


def _correlation(sample: Sample) -> tuple[float, int, int]:
    values = _values(sample).astype(np.float64)
    apart = values - values.mean()
    spread = float(apart @ apart)
    if not spread:
        return _ASTRAY, 0, 1
    together = float(apart[1:] @ apart[:-1]) / spread
    return (together + 1 / len(values)) * sqrt(len(values)), 0, 1


def _gap(sample: Sample) -> tuple[float, int, int]:
    few = max(1, sample.sides // 6)
    gaps = np.diff(np.flatnonzero(sample.symbols >= sample.sides - few)) - 1
    hit = few / sample.sides
    counts = np.bincount(np.minimum(gaps, _BINS * 4), minlength=_BINS * 4 + 1)
    shares = [hit * (1 - hit) ** length for length in range(_BINS * 4)]
    return _pooled(counts.tolist(), [*shares, (1 - hit) ** (_BINS * 4)], len(gaps))


def _poker(sample: Sample) -> tuple[float, int, int]:
    hands = np.sort(sample.symbols[: len(sample.symbols) // HAND * HAND].reshape(-1, HAND), axis=1)
    different = 1 + (hands[:, 1:] != hands[:, :-1]).sum(axis=1)
    counts = np.bincount(different, minlength=HAND + 1)[1:]
    shares = [perm(sample.sides, r) * stirling(HAND, r) / sample.sides**HAND for r in range(1, HAND + 1)]
    return _pooled(counts.tolist(), shares, len(hands))


def stirling(n: int, r: int) -> int:
    """The number of ways to divide n things into r groups of at least one.

    >>> [stirling(5, r) for r in range(1, 6)]
    [1, 15, 25, 10, 1]
    """
    signed = (comb(r, k) * (r - k) ** n * (-1 if k % 2 else 1) for k in range(r + 1))
    return int(sum(signed)) // perm(r)


def _coupons(sides: int) -> float:
    """The number of symbols that probably has enough collections."""
    return 20 * CELL * sides * sum(1 / k for k in range(1, sides + 1))


def _coupon(sample: Sample) -> tuple[float, int, int]:
    lengths = list(_collections(sample.symbols.tolist(), sample.sides))
    most = max(lengths, default=sample.sides)
    counts, shares = [0] * (most + 2), [0.0] * (most + 2)
    for length in lengths:
        counts[length] += 1
    below = 0.0
    for length, upto in enumerate(_collected(sample.sides, most)):
        shares[length], below = upto - below, upto
    shares[-1] = 1 - below
    width = max(1, (most + 2) // _BINS)
    bins = range(0, most + 2, width)
    return _pooled(
        [sum(counts[start : start + width]) for start in bins],
        [sum(shares[start : start + width]) for start in bins],
        len(lengths),
    )


def _collections(symbols: Iterable[int], sides: int) -> Iterator[int]:
    """How many symbols each complete collection took, one after another."""
    seen, every, length = 0, (1 << sides) - 1, 0
    for symbol in symbols:
        seen |= 1 << symbol
        length += 1
        if seen == every:
            yield length
            seen = length = 0


def _collected(sides: int, most: int) -> Iterator[float]:
    """The probabilities that a collection is complete after 0, 1, 2 … symbols, from a chain of its size."""
    state = np.zeros(sides + 1)
    state[0] = 1.0
    stay = np.arange(sides + 1) / sides
    for _ in range(most + 1):
        yield float(state[-1])
        moved = state * (1 - stay)
        state = state * stay
        state[1:] += moved[:-1]


def _permutation(sample: Sample) -> tuple[float, int, int]:
    groups = sample.outcomes[: len(sample.outcomes) // GROUP * GROUP].reshape(-1, GROUP)
    a, b, c = groups[:, 0], groups[:, 1], groups[:, 2]
    kept = (a != b) & (b != c) & (a != c)
    # The six orders differ in these three answers; two of the eight combinations are impossible.
    order = (4 * (a < b) + 2 * (b < c) + (a < c))[kept]
    counts = np.bincount(order, minlength=8)[[0, 2, 3, 4, 5, 7]]
    return _chi_square(counts, [1 / 6] * 6)


# ---- what a sample can see


@lru_cache(64)
def sees(symbols: int, sides: int, threshold: float) -> float:
    """The smallest relative bias of one symbol, the others sharing the rest alike, that 99 of 100 samples show.

    >>> 0.004 < sees(9_000_000, 6, 0.001) < 0.006
    True
    """
    low, high = 0.0, _FAR
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(middle, sides - 1, threshold) >= _SURE else (middle, high)
    return min(float(sides - 1), sqrt(high / _away(1.0, symbols, sides)))


def power(bias: float, symbols: int, sides: int, threshold: float) -> float:
    """The probability that chi-square speaks if one symbol comes `1 + bias` times as often as it should."""
    return _power(_away(bias, symbols, sides), sides - 1, threshold)


def _away(bias: float, symbols: int, sides: int) -> float:
    """The noncentrality of chi-square with this bias."""
    return symbols * bias**2 / sides * (1 + 1 / (sides - 1))


def _power(away: float, freedom: int, threshold: float) -> float:
    """The probability that chi-square speaks at this noncentrality: central ones, mixed by a Poisson distribution."""
    critical, half = _critical(freedom, threshold), away / 2
    if not half or away > _FAR:
        return threshold if not half else 1.0
    numbers = range(max(0, int(half - 10 * sqrt(half) - 10)), int(half + 10 * sqrt(half) + 30))
    weights = (exp(more * log(half) - half - lgamma(more + 1)) for more in numbers)
    return sum(w * chi_square_tail(critical, freedom + 2 * more) for w, more in zip(weights, numbers, strict=True))


@lru_cache(64)
def _critical(freedom: int, threshold: float) -> float:
    low, high = 0.0, 1.0
    while chi_square_tail(high, freedom) > threshold:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, freedom) > threshold else (low, middle)
    return high
