"""Simulated means, each with its interval of 99% and, if it is known, the exact value."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import msgspec

CONFIDENCE = 0.99
WIDE = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""Standard errors on each side of a mean that hold 99% of them."""


class Estimate(msgspec.Struct, frozen=True):
    """A simulated mean and its interval; the exact value, and the distance from it in standard errors, `z`.

    `exact` is None if no exact value is known; `z` also if the figure cannot vary.
    """

    simulated: float
    low: float
    high: float
    exact: float | None
    z: float | None


def estimate(seen: float, error: float, exact: float | None = None, z: float | None = None) -> Estimate:
    """An estimate from a simulated mean and its standard error."""
    return Estimate(seen, seen - WIDE * error, seen + WIDE * error, exact, z)


def deviation(total: int, squares: int, count: int) -> float:
    """The standard deviation of `count` values, from their sum and the sum of their squares."""
    return sqrt(max(Fraction(0), Fraction(squares, count) - Fraction(total, count) ** 2))


def share(hits: int, count: int, exact: Fraction | float | None = None) -> Estimate:
    """The share of `count` in which something happened. `z` is in standard errors of the exact share."""
    seen = Fraction(hits, count)
    error = sqrt(seen * (1 - seen) / count)
    true_error = 0.0 if exact is None else sqrt(max(0.0, exact * (1 - exact) / count))
    z = None if exact is None or not true_error else float(seen - exact) / true_error
    low, high = max(0.0, float(seen) - WIDE * error), min(1.0, float(seen) + WIDE * error)
    return Estimate(float(seen), low, high, None if exact is None else float(exact), z)


def mean(total: int, spread: float, count: int, exact: float | None = None) -> Estimate:
    """The mean of `count` values from their sum and standard deviation. `z` is in standard errors of the simulation."""
    seen, error = total / count, spread / sqrt(count)
    z = None if exact is None or not error else (seen - exact) / error
    return estimate(seen, error, exact, z)
