"""The exact figures of a layout, box by box, and how two layouts differ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from croupier.rules.paytable import BoxName, Layout

VOLATILITY = 1.6448536269514722
"""Nine of ten results of a normal distribution lie within this many deviations of the mean."""


@dataclass(frozen=True, slots=True)
class BoxOdds:
    """What one box pays, how often it wins, and what it costs the Player."""

    box: BoxName
    kind: str
    pays: str
    hits: int
    ways: int
    hit_frequency: Fraction
    return_to_player: Fraction
    edge: Fraction
    variance: Fraction
    deviation: float
    volatility_index: float
    """1.645 deviations: if results were normal, nine of ten would lie within this distance of the mean."""


def box_odds(layout: Layout, box: str) -> BoxOdds:
    what, ways = layout.box(box), layout.total_ways
    hits, returned, variance = layout.moments(box)
    deviation = sqrt(variance)
    return BoxOdds(
        what.name,
        what.kind,
        what.pays,
        hits,
        ways,
        Fraction(hits, ways),
        returned,
        1 - returned,
        variance,
        deviation,
        VOLATILITY * deviation,
    )


def layout_odds(layout: Layout) -> list[BoxOdds]:
    """The figures of every box, in printed order."""
    return [box_odds(layout, box) for box in layout.boxes]


@dataclass(frozen=True, slots=True)
class Difference:
    """A box that differs between two layouts. None stands for a layout that does not offer it."""

    box: BoxName
    left: BoxOdds | None
    right: BoxOdds | None

    @property
    def edge_change(self) -> Fraction | None:
        """How much more the box costs the Player in the right layout; below zero, less."""
        return self.right.edge - self.left.edge if self.left and self.right else None


def differences(left: Layout, right: Layout) -> list[Difference]:
    """The boxes that only one layout offers, or that pay differently on some outcome, in printed order."""
    names = dict.fromkeys((*left.boxes, *right.boxes))
    return [
        Difference(
            name,
            box_odds(left, name) if name in left.boxes else None,
            box_odds(right, name) if name in right.boxes else None,
        )
        for name in names
        if name not in left.boxes or name not in right.boxes or left.winning(name) != right.winning(name)
    ]
