"""A layout with other odds, and the odds that would give a wanted edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import floor, lcm

import msgspec

from croupier.rules.money import Odds, format_odds, parse_odds
from croupier.rules.paytable import Box, BoxName, Layout, Price
from croupier.rules.refusal import Refused


def with_pays(layout: Layout, pays: Mapping[str, str]) -> Layout:
    """The layout with other odds. A name is a box, `total:9`, or a word for all of its boxes, `total`.

    >>> from croupier import load_layout
    >>> layout = load_layout("rws-sicbo-etg-v2/A")
    >>> changed = with_pays(layout, {"total:9": "8 to 1", "single": "1 to 1, 2 to 1, 3 to 1"})
    >>> changed.edge("total:9"), layout.edge("total:9"), changed.edge("single:1")
    (Fraction(-1, 24), Fraction(2, 27), Fraction(17, 216))
    """
    boxes = {name: layout.box(name) for name in layout.boxes}
    for target, text in pays.items():
        for name in named_boxes(layout, target):
            boxes[name] = _paying(boxes[name], text)
    return Layout(
        layout.id, layout.title, layout.clause, layout.appendix, layout.space, list(boxes.values()), layout.felt
    )


def parse_pays(texts: Iterable[str]) -> dict[str, str]:
    """Read `total:9=8 to 1`. All faults are refused together."""
    pays: dict[str, str] = {}
    wrong = []
    for text in texts:
        target, equals, odds = text.partition("=")
        if equals and target.strip() and odds.strip() and target.strip() not in pays:
            pays[target.strip()] = odds.strip()
        else:
            wrong.append(f'"{text}"')
    if wrong:
        raise Refused("pays", "unreadable", given=tuple(wrong), example="'total:9=8 to 1'")
    return pays


def named_boxes(layout: Layout, target: str) -> tuple[BoxName, ...]:
    """The box of this name, or all boxes of this word."""
    of_word = tuple(name for name in layout.boxes if name.partition(":")[0] == target)
    return of_word or (layout.box(target).name,)


def _paying(box: Box, text: str) -> Box:
    odds = [_odds(box.name, price.strip()) for price in text.split(",")]
    if len(odds) != len(box.prices):
        raise Refused("odds", "how-many", box=box.name, prices=len(box.prices), pays=box.pays, given=len(odds))
    return priced(box, odds)


def _odds(box: BoxName, text: str) -> Odds:
    try:
        return parse_odds(text)
    except ValueError:
        raise Refused("odds", "unreadable", box=box, given=text) from None


def priced(box: Box, odds: Iterable[Odds]) -> Box:
    """The box with these odds, which are printed as the books print odds."""
    prices = tuple(replace(price, odds=new) for price, new in zip(box.prices, odds, strict=True))
    printed = ", ".join(format_odds(price.odds) for price in prices)
    return replace(box, prices=prices, pays=printed, prints=printed)


# ---- odds for a wanted edge


class Proposal(msgspec.Struct, frozen=True):
    """The highest odds, in whole steps, that cost the Player at least the wanted edge.

    Of a box with several prices only one is changed. `proposed` is None if even one step is too generous. `generous` is
    one step higher, and its edge is below the wanted one.
    """

    box: str
    pays: str
    edge: Fraction
    proposed: str | None
    proposed_edge: Fraction | None
    generous: str
    generous_edge: Fraction

    @property
    def is_new(self) -> bool:
        return self.pays != self.proposed


def steps_of(layout: Layout) -> Fraction:
    """The step in which a layout prints its odds: halves if it has one half, otherwise whole numbers."""
    return Fraction(1, lcm(*(price.odds.denominator for name in layout.boxes for price in layout.box(name).prices)))


def solve(
    layout: Layout, edge: Fraction, step: Fraction | None = None, boxes: Iterable[str] | None = None
) -> list[Proposal]:
    """For every box, or for the named ones, the odds whose edge is the wanted one or the least above it.

    >>> from croupier import load_layout
    >>> [proposal] = solve(load_layout("rws-sicbo-etg-v2/A"), Fraction(5, 100), boxes=["total:9"])
    >>> proposal.pays, proposal.proposed, proposal.proposed_edge, proposal.generous, proposal.generous_edge
    ('7 to 1', '7 to 1', Fraction(2, 27), '7.5 to 1', Fraction(7, 432))
    """
    if not 0 <= edge < 1:
        raise Refused("edge", "out-of-range", edge=f"{float(edge):.2%}")
    steps = steps_of(layout) if step is None else step
    if not 0 < steps <= 100:
        raise Refused("step", "out-of-range", step=str(steps), most=100)
    named = layout.boxes if boxes is None else [name for target in boxes for name in named_boxes(layout, target)]
    return [_proposal(layout, layout.box(name), edge, steps) for name in dict.fromkeys(named)]


def _proposal(layout: Layout, box: Box, edge: Fraction, step: Fraction) -> Proposal:
    tried = [_moved(layout, box, number, edge, step) for number in range(len(box.prices))]
    return min(tried, key=lambda proposal: 1 if proposal.proposed_edge is None else proposal.proposed_edge)


def _moved(layout: Layout, box: Box, number: int, edge: Fraction, step: Fraction) -> Proposal:
    """The proposal that changes only this price."""
    ways = sum(layout.ways(outcome) for outcome in box.prices[number].outcomes)
    odds = [price.odds for price in box.prices]
    back = layout.return_to_player(box.name) - Fraction(ways, layout.total_ways) * (odds[number] + 1)
    # back + ways / all × (odds + 1) = 1 - edge
    steps = max(0, floor(((1 - edge - back) * layout.total_ways / ways - 1) / step))

    def at(count: int) -> tuple[str, Fraction]:
        odds[number] = count * step
        printed = ", ".join(format_odds(price) for price in odds)
        return printed, 1 - back - Fraction(ways, layout.total_ways) * (odds[number] + 1)

    proposed, proposed_edge = at(steps) if steps else (None, None)
    generous, generous_edge = at(steps + 1)
    return Proposal(
        box.name, _printed(box.prices), layout.edge(box.name), proposed, proposed_edge, generous, generous_edge
    )


def _printed(prices: Iterable[Price]) -> str:
    return ", ".join(format_odds(price.odds) for price in prices)
