"""Are draws, dice and wheels fair? One suite, fixed in advance, at 99% for all of its tests together, with one retest.

The rule against false alarms: a test finds a sample odd if its p-value is below the level divided by the number of
tests, and raises an alarm only if it finds a second sample odd as well. So a fair device raises an alarm at most once
ten thousand examinations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from croupier.rules.outcomes import FACES, Dice, Outcome, Space
from croupier.rules.refusal import Refused

LEVEL = 0.01
CELL = 5
"""With fewer expected in a cell, chi-square cannot be trusted."""


class HealthFinding(NamedTuple):
    """The finding of one test. `p` is the probability that a fair device looks at least this odd."""

    test: str
    statistic: float
    p: float


def chi_square(counts: Sequence[int], weights: Sequence[int] | None = None, test: str = "chi-square") -> HealthFinding:
    """Do these counts fit their weights? All weights are equal unless given."""
    weights = weights or [1] * len(counts)
    assert len(counts) == len(weights) > 1, f"{len(counts)} counts, {len(weights)} weights"
    total, ways = sum(counts), sum(weights)
    if total * min(weights) < CELL * ways:
        need = -(-CELL * ways // min(weights))
        raise Refused("sample", "few", test=test, outcomes=total, cells=len(counts), needed=need)
    statistic = sum((n * ways - total * w) ** 2 / (total * w * ways) for n, w in zip(counts, weights, strict=True))
    return HealthFinding(test, statistic, chi_square_tail(statistic, len(counts) - 1))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The probability that chi-square is at least `statistic`: a finite sum, because the degrees of freedom are whole.

    >>> round(chi_square_tail(11.0705, 5), 5), round(chi_square_tail(61.162, 38), 4)
    (0.05, 0.01)
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    first = freedom % 2 / 2  # sums over 0, 1, 2 … or over 1/2, 3/2 …
    tail = math.erfc(math.sqrt(half)) if first else 0.0
    steps = (first + step for step in range(freedom // 2))
    return min(1.0, tail + math.fsum(math.exp(k * math.log(half) - half - math.lgamma(k + 1)) for k in steps))


def runs(values: Sequence[int], test: str = "runs") -> HealthFinding:
    """Do values above and below the middle change sides as often as by chance? (Wald and Wolfowitz)"""
    middle = sorted(values)[len(values) // 2] if values else 0
    sides = [value > middle for value in values if value != middle]
    above, n = sum(sides), len(sides)
    below = n - above
    if min(above, below) < 2 * CELL:
        raise Refused("sample", "one-sided", test=test, above=above, below=below, needed=2 * CELL)
    seen = 1 + sum(a != b for a, b in pairwise(sides))
    mean = 2 * above * below / n + 1
    variance = (mean - 1) * (mean - 2) / (n - 1)
    return _normal(test, (seen - mean) / math.sqrt(variance))


def serial_correlation(values: Sequence[int], lag: int = 1, test: str = "serial correlation") -> HealthFinding:
    """Does a value depend on the one `lag` before it?"""
    n = len(values)
    mean = sum(values) / n if n else 0.0
    apart = [value - mean for value in values]
    spread = math.fsum(a * a for a in apart)
    if n < 10 * CELL + lag or not spread:
        raise Refused("sample", "alike", test=test, values=n, needed=10 * CELL + lag)
    together = math.fsum(a * b for a, b in zip(apart, apart[lag:], strict=False)) / spread
    return _normal(test, (together + 1 / n) * math.sqrt(n))


def _normal(test: str, z: float) -> HealthFinding:
    return HealthFinding(test, z, math.erfc(abs(z) / math.sqrt(2)))


def suite(outcomes: Sequence[Outcome], space: Space) -> tuple[HealthFinding, ...]:
    """The suite for the outcomes of a table: outcomes by their ways, faces, runs and serial correlation."""
    return tuple(test() for test in tests_of(outcomes, space).values())


def tests_of(outcomes: Sequence[Outcome], space: Space) -> dict[str, Callable[[], HealthFinding]]:
    """The tests of the suite by name, to be run one by one. Each refuses a sample that is too small for it."""
    seen, ways = Counter(outcomes), space.ways
    tests: dict[str, Callable[[], HealthFinding]] = {
        "outcomes": lambda: chi_square([seen[o] for o in ways], list(ways.values()), "outcomes")
    }
    if isinstance(space, Dice):
        thrown = [outcome.split("-") for outcome in outcomes]
        faces = Counter(face for throw in thrown for face in throw)
        tests["faces"] = lambda: chi_square([faces[face] for face in FACES], test="faces")
        values = [sum(map(int, throw)) for throw in thrown]
    else:
        values = [space.numbers.index(outcome) for outcome in outcomes]
    return tests | {"runs": lambda: runs(values), "serial correlation": lambda: serial_correlation(values)}


def odd_findings(findings: Sequence[HealthFinding], level: float = LEVEL) -> tuple[HealthFinding, ...]:
    """The findings that are too odd for chance, with the level shared among all of them (Bonferroni)."""
    return tuple(finding for finding in findings if finding.p < level / len(findings))


def examine(sample: Callable[[], Sequence[HealthFinding]], level: float = LEVEL) -> tuple[HealthFinding, ...]:
    """The alarms: tests that find a first sample odd, and a second one. `sample` runs the suite on new outcomes."""
    first = {finding.test for finding in odd_findings(sample(), level)}
    if not first:
        return ()
    return tuple(finding for finding in odd_findings(sample(), level) if finding.test in first)
