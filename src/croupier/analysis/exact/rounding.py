"""How the edge of each box would change if winnings were rounded to whole chips.

No book rounds: a table that could not pay exactly in its chips does not open. These figures show why.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Literal

import msgspec

from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

How = Literal["down", "nearest", "up"]
_HOW: dict[How, Callable[[Fraction], int]] = {
    "down": floor,
    "nearest": lambda exact: floor(exact + Fraction(1, 2)),
    "up": ceil,
}


class Rounded(msgspec.Struct, frozen=True):
    """One box with its exact edge, and its edge if winnings are paid in whole chips of `chip` cents."""

    box: str
    stake: int
    chip: int
    exact: tuple[Fraction, ...]
    """The exact winnings at each price, in cents."""
    paid: tuple[int, ...]
    """The winnings that are paid in whole chips."""
    edge: Fraction
    rounded_edge: Fraction

    @property
    def change(self) -> Fraction:
        return self.rounded_edge - self.edge


def rounded(layout: Layout, stake: int, chip: int, how: How = "down") -> list[Rounded]:
    """Every box of a layout with this stake, its winnings rounded to whole chips.

    >>> from croupier import load_layout
    >>> boxes = {row.box: row for row in rounded(load_layout("rws-sicbo-etg-v2/A"), 1_00, 1_00)}
    >>> boxes["total:10"].edge, boxes["total:10"].rounded_edge
    (Fraction(1, 16), Fraction(1, 8))
    """
    if stake <= 0:
        raise Refused("stake", "no-amount", stake=stake)
    if chip <= 0:
        raise Refused("chip", "not-above-zero", chip=chip)
    if how not in _HOW:
        raise Refused("rounding", "unknown", rounding=how, known=tuple(_HOW))
    return [_of_box(layout, box, stake, chip, how) for box in layout.boxes]


def _of_box(layout: Layout, box: str, stake: int, chip: int, how: How) -> Rounded:
    exact, paid, back = [], [], Fraction(0)
    for price in layout.box(box).prices:
        owed = stake * price.odds
        chips = chip * _HOW[how](owed / chip)
        exact.append(owed)
        paid.append(chips)
        back += sum(layout.ways(outcome) for outcome in price.outcomes) * Fraction(stake + chips, stake)
    edge = 1 - back / layout.total_ways
    return Rounded(layout.box(box).name, stake, chip, tuple(exact), tuple(paid), layout.edge(box), edge)
