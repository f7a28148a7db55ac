"""The health of dice and wheels for a screen: the tests, their results, and the counts behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from croupier.analysis.exact.statistics import LEVEL, HealthFinding, tests_of
from croupier.rules.outcomes import Dice, Outcome, Space
from croupier.rules.refusal import Refused
from croupier.server.staff.problem import Problem, problem_of
from croupier.server.staff.room import Frequency, numbers_shown, total_of

TRAIL = 500
"""How many of the last values are shown in order, so that people can look for runs."""


class Tested(msgspec.Struct, frozen=True):
    """The result of one test. It speaks if chance alone would give a result this odd less often than `level`."""

    test: str
    statistic: float | None
    p: float | None
    level: float
    speaks: bool
    alarm: bool
    """It speaks on both the older and the newer half of the rounds: one odd sample is no alarm."""
    why: Problem | None
    """Why the test could not be made; null if it was."""


class TotalCount(msgspec.Struct, frozen=True):
    total: int
    count: int
    expected: float


class Health(msgspec.Struct, frozen=True):
    """Whether these dice or this wheel are fair. All counts are over the past rounds in memory."""

    table: str
    rounds: int
    level: float
    """That of all tests together."""
    tests: tuple[Tested, ...]
    alarm: bool
    numbers: tuple[Frequency, ...]
    totals: tuple[TotalCount, ...]
    trail: tuple[int, ...]
    """The last values: totals of the dice, or places of the numbers in the list of the wheel."""


def health(table: str, outcomes: Sequence[str], space: Space) -> Health:
    """Run the tests on the past outcomes of a table."""
    shown = [space.parse(outcome) for outcome in outcomes]
    half = len(shown) // 2
    older, newer = _speaking(shown[:half], space), _speaking(shown[half:], space)
    tests = tuple(_tested(name, found, name in older & newer, space) for name, found in _found(shown, space).items())
    seen = Counter(number for outcome in shown for number in numbers_shown(space, outcome))
    expected = round(seen.total() / len(space.numbers), 2)
    return Health(
        table,
        len(shown),
        LEVEL,
        tests,
        any(test.alarm for test in tests),
        tuple(Frequency(number, seen[number], expected) for number in space.numbers),
        _totals(shown, space),
        tuple(_value(space, outcome) for outcome in shown[-TRAIL:]),
    )


def _found(shown: Sequence[Outcome], space: Space) -> dict[str, HealthFinding | Refused]:
    """The result of each test, or why it could not be made."""
    found: dict[str, HealthFinding | Refused] = {}
    for name, test in tests_of(shown, space).items():
        try:
            found[name] = test()
        except Refused as refused:
            found[name] = refused
    return found


def _speaking(shown: Sequence[Outcome], space: Space) -> set[str]:
    found = _found(shown, space)
    return {name for name, one in found.items() if isinstance(one, HealthFinding) and one.p < LEVEL / len(found)}


def _tested(name: str, found: HealthFinding | Refused, alarm: bool, space: Space) -> Tested:
    level = LEVEL / len(tests_of((), space))
    if isinstance(found, Refused):
        return Tested(name, None, None, level, False, False, problem_of(found))
    return Tested(name, round(found.statistic, 4), found.p, level, found.p < level, alarm, None)


def _totals(shown: Sequence[Outcome], space: Space) -> tuple[TotalCount, ...]:
    if not isinstance(space, Dice):
        return ()
    ways, seen = Counter[int](), Counter(total_of(space, outcome) for outcome in shown)
    for outcome, many in space.ways.items():
        ways[total_of(space, outcome) or 0] += many
    each = len(shown) / ways.total()
    return tuple(TotalCount(total, seen[total], round(many * each, 2)) for total, many in sorted(ways.items()))


def _value(space: Space, outcome: Outcome) -> int:
    total = total_of(space, outcome)
    return space.numbers.index(outcome) if total is None else total
