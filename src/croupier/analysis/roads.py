"""Roads: what tables hang above the game for those who look for patterns. For information only."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

from croupier.rules.outcomes import Dice, Outcome, Space
from croupier.rules.paytable import BoxName, Layout


def even_chances(layouts: Iterable[Layout]) -> tuple[tuple[BoxName, BoxName], ...]:
    """The opposed boxes of a game, of which one at most wins: each pays even money, and no outcome is in both.

    >>> from croupier import load_rulebook
    >>> even_chances(load_rulebook("rws-sicbo-etg-v2").layouts)
    (('small', 'big'), ('even', 'odd'))
    """
    found: dict[frozenset[BoxName], tuple[BoxName, BoxName]] = {}
    for layout in layouts:
        wins = {box: layout.winning(box) for box in layout.boxes}
        even = [box for box, row in wins.items() if row and set(row.values()) == {Fraction(1)}]
        for one, other in combinations(even, 2):
            if not wins[one].keys() & wins[other].keys():
                found.setdefault(frozenset((one, other)), (one, other))
    return tuple(found.values())


def numbers_shown(space: Space, outcome: Outcome) -> tuple[str, ...]:
    """The numbers an outcome shows: three faces, or one compartment."""
    return tuple(outcome.split("-")) if isinstance(space, Dice) else (outcome,)


def total_of(space: Space, outcome: Outcome) -> int | None:
    """The sum of the faces; a wheel has none."""
    return sum(map(int, outcome.split("-"))) if isinstance(space, Dice) else None
