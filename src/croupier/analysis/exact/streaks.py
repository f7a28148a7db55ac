"""The longest losing run of a box in a number of rounds, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd

import msgspec

from croupier.analysis.exact.one_round import check_share
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

MOST_ROUNDS = 20_000
SHARES = (Fraction(1, 2), Fraction(95, 100), Fraction(99, 100))


class LosingRun(msgspec.Struct, frozen=True):
    """In `rounds` rounds the longest losing run is at most `runs[share]` with at least the probability `share`."""

    box: str
    rounds: int
    shares: tuple[Fraction, ...]
    runs: tuple[int, ...]


def losing_run(layout: Layout, box: str, rounds: int = 1000, shares: Iterable[Fraction] = SHARES) -> LosingRun:
    """Quantiles of the longest losing run of a box.

    >>> from croupier import load_layout
    >>> losing_run(load_layout("rws-sicbo-etg-v2/A"), "small", 1000).runs
    (9, 13, 16)
    """
    wanted = tuple(shares)
    return LosingRun(
        layout.box(box).name,
        rounds,
        wanted,
        tuple(longest_run(layout.hits(box), layout.total_ways, rounds, share) for share in wanted),
    )


def longest_run(hits: int, ways: int, rounds: int, share: Fraction) -> int:
    """The smallest length that the longest losing run does not exceed with at least this probability."""
    check_share(share)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused("rounds", "losing-run", rounds=rounds, most=MOST_ROUNDS)
    common = gcd(hits, ways)
    return _longest_run(hits // common, ways // common, rounds, share)


@lru_cache(4096)
def _longest_run(hits: int, ways: int, rounds: int, share: Fraction) -> int:
    low, high = 0, rounds
    while low < high:
        middle = (low + high) // 2
        # Floats first; whole numbers where rounding could change the answer.
        guess = _roughly(hits / ways, rounds, middle)
        enough = run_at_most(hits, ways, rounds, middle) >= share if abs(guess - share) < 1e-6 else guess >= share
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def run_at_most(hits: int, ways: int, rounds: int, length: int) -> Fraction:
    """The probability that no losing run is longer than `length`, in whole ways.

    The ways without a longer run are counted round by round. The first run that is too long begins after a win, or at
    the very beginning.
    """
    losses, too_long = ways - hits, length + 1
    if rounds < too_long:
        return Fraction(1)
    fit = [1]
    for _ in range(too_long - 1):
        fit.append(fit[-1] * ways)
    fit.append(fit[-1] * ways - losses**too_long)
    ending = hits * losses**too_long
    for done in range(too_long + 1, rounds + 1):
        fit.append(fit[-1] * ways - ending * fit[done - too_long - 1])
    return Fraction(fit[rounds], ways**rounds)


def _roughly(hit: float, rounds: int, length: int) -> float:
    too_long = length + 1
    if rounds < too_long:
        return 1.0
    tail = (1 - hit) ** too_long
    fit = [1.0] * too_long + [1 - tail]
    for done in range(too_long + 1, rounds + 1):
        fit.append(fit[-1] - hit * tail * fit[done - too_long - 1])
    return fit[rounds]
