"""A compiled layout: the small exact matrix `pays[box][outcome]` and every question that is a lookup or a sum in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from html import escape
from math import lcm, sqrt
from typing import Literal, NamedTuple, NewType

from croupier.rules.bets import Condition
from croupier.rules.felt import Felt
from croupier.rules.money import Cents, Odds, odds_to, whole_cents, winnings
from croupier.rules.outcomes import Outcome, Space
from croupier.rules.refusal import Refused
from croupier.rules.statement import Statement, cited, either, state

BoxName = NewType("BoxName", str)
_MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Price:
    """Odds, the condition on which they are paid, and the outcomes that meet it, in the order of the space."""

    condition: Condition
    odds: Odds
    outcomes: tuple[Outcome, ...]

    @staticmethod
    def make(condition: Condition, odds: Odds, space: Space) -> Price:
        return Price(condition, odds, tuple(filter(condition.wins, space.outcomes)))


@dataclass(frozen=True, slots=True)
class Box:
    """One betting box of a layout, as its book and its felt name it."""

    name: BoxName
    kind: str
    numbers: tuple[str, ...]
    prices: tuple[Price, ...]
    pays: str
    win_clause: str
    odds_clause: str
    label: str
    prints: str


class Bet(NamedTuple):
    """A stake in a box. A plain pair `("small", 1000)` can stand for it."""

    box: str
    stake: int


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one bet."""

    box: BoxName
    stake: Cents
    odds: Odds | None
    winnings: Cents
    returned: Cents
    win_clause: str
    odds_clause: str

    @property
    def won(self) -> bool:
        return self.odds is not None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of a list of bets on one outcome, to the cent."""

    outcome: Outcome
    fates: tuple[Fate, ...]

    @property
    def staked(self) -> Cents:
        return Cents(sum(fate.stake for fate in self.fates))

    @property
    def winnings(self) -> Cents:
        return Cents(sum(fate.winnings for fate in self.fates))

    @property
    def returned(self) -> Cents:
        """The stakes of the winning bets, which go back to their Players."""
        return Cents(sum(fate.returned for fate in self.fates))

    @property
    def collected(self) -> Cents:
        """The stakes of the losing bets, which go to the House."""
        return Cents(self.staked - self.returned)

    @property
    def house(self) -> Cents:
        """What the House gains; below zero, what it pays."""
        return Cents(self.collected - self.winnings)


class Moments(NamedTuple):
    """In how many ways a box wins, and the mean and the variance of what a unit staked in it brings back."""

    hits: int
    mean: Fraction
    variance: Fraction


class Layout:
    """The bets of one layout and what each pays on every outcome.

    >>> from croupier import load_rulebook
    >>> layout = load_rulebook("rws-sicbo-etg-v2").layout("A")
    >>> layout.pays("total:8", "1-3-4")
    Fraction(17, 2)
    >>> layout.edge("total:8")
    Fraction(11, 144)
    >>> layout.pays("total:8", "1-1-1") is None
    True
    """

    def __init__(
        self, id: str, title: str, clause: str, appendix: str, space: Space, boxes: Sequence[Box], felt: Felt
    ) -> None:
        self.id = id
        self.title = title
        self.clause = clause
        self.appendix = appendix
        self.space = space
        self.felt = felt
        self.outcomes = space.outcomes
        self._boxes = {box.name: box for box in boxes}
        self._by_name: Mapping[str, Box] = {box.name: box for box in boxes}
        self._ways = space.ways
        self._pays: dict[BoxName, dict[Outcome, Odds]] = {
            box.name: {outcome: price.odds for price in box.prices for outcome in price.outcomes} for box in boxes
        }
        self._units: Mapping[str, Cents] = {
            name: Cents(lcm(*(odds.denominator for odds in prices.values()))) for name, prices in self._pays.items()
        }

    def __repr__(self) -> str:
        return f"<Layout {self.id}: {len(self._boxes)} boxes, {len(self.outcomes)} outcomes>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(box.kind)}</td><td>{escape(box.pays)}</td>"
            f"<td>{float(self.hit_frequency(name)):.2%}</td>"
            f"<td>{self.edge(name)}</td><td>{float(self.edge(name)):.2%}</td></tr>"
            for name, box in self._boxes.items()
        )
        heads = "".join(f"<th>{head}</th>" for head in ("box", "name", "pays", "hits", "edge", "edge %"))
        return f"<table><caption>{escape(self.id)}</caption><tr>{heads}</tr>{rows}</table>"

    # ---- boxes and outcomes

    @property
    def boxes(self) -> tuple[BoxName, ...]:
        """The names of the boxes, in printed order."""
        return tuple(self._boxes)

    def box(self, name: str) -> Box:
        """A box by its name. A wrong name is refused with the nearest right ones."""
        box = self._by_name.get(name)
        if box is None:
            raise self._no_box(name)
        return box

    def _no_box(self, name: str) -> Refused:
        """A refusal with better names: the same numbers in another order, the numbers of this word, a similar name."""
        word, _, numbers = name.lower().partition(":")
        asked = Counter(re.split(r"[-, ]+", numbers))
        words = get_close_matches(word, {box.partition(":")[0] for box in self._boxes}, n=2)
        near = [
            box.name
            for box in self._boxes.values()
            if Counter(number.lower() for number in box.numbers) == asked and box.name.partition(":")[0] in words
        ]
        has = [box.partition(":")[2] for box in self._boxes if box.startswith(f"{word}:")]
        if has and not near and len(_spans(has)) <= _MOST_LISTED:
            spans, like = tuple(_spans(has)), f"{word}:{has[0]}"
            return Refused("box", "other-numbers", layout=self.id, box=name, word=word, numbers=spans, like=like)
        lowered = {box.lower(): box for box in self._boxes}
        near = near or [lowered[close] for close in get_close_matches(name.lower(), lowered, n=3)]
        if near:
            return Refused("box", "near", layout=self.id, box=name, near=tuple(near))
        return Refused("box", "none", layout=self.id, box=name)

    def ways(self, outcome: str) -> int:
        """In how many equally likely ways an outcome comes about."""
        return self._ways[self.space.parse(outcome)]

    @cached_property
    def total_ways(self) -> int:
        return sum(self._ways.values())

    # ---- what pays

    def pays(self, box: str, outcome: str) -> Odds | None:
        """The odds a box is paid on an outcome, or None when it loses."""
        return self._pays[self.box(box).name].get(self.space.parse(outcome))

    def winning(self, box: str) -> dict[Outcome, Odds]:
        """The outcomes on which a box wins, and at which odds: one row of the matrix."""
        return dict(self._pays[self.box(box).name])

    def lit(self, outcome: str) -> tuple[BoxName, ...]:
        """The winning areas of an outcome, in printed order: one column of the matrix."""
        result = self.space.parse(outcome)
        return tuple(name for name, row in self._pays.items() if result in row)

    def decided(self, known: Sequence[str | int]) -> dict[BoxName, Literal["won", "lost"]]:
        """The boxes that have conclusively won or lost when only these faces are known.

        >>> from croupier import load_rulebook
        >>> layout = load_rulebook("rws-sicbo-etg-v2").layout("A")
        >>> layout.decided([])
        {}
        >>> decided = layout.decided([4])
        >>> decided["single:4"], decided["triple:1"], "small" in decided
        ('won', 'lost', False)
        """
        possible = self.space.possible([str(number) for number in known])
        answer: dict[BoxName, Literal["won", "lost"]] = {}
        for name, row in self._pays.items():
            wins = sum(outcome in row for outcome in possible)
            if wins in (0, len(possible)):
                answer[name] = "won" if wins else "lost"
        return answer

    # ---- what it costs the Player

    def moments(self, box: str) -> Moments:
        """The sums over a row of the matrix: what a stake of `unit(box)` brings back, in whole cents."""
        name, ways = self.box(box).name, self.total_ways
        unit, hits, back, squares = self._units[name], 0, 0, 0
        for outcome, odds in self._pays[name].items():
            times, cents = self._ways[outcome], unit + unit // odds.denominator * odds.numerator
            hits += times
            back += times * cents
            squares += times * cents * cents
        staked = ways * unit
        return Moments(hits, Fraction(back, staked), Fraction(ways * squares - back * back, staked * staked))

    def hits(self, box: str) -> int:
        """In how many of `total_ways` a box wins."""
        return self.moments(box).hits

    def hit_frequency(self, box: str) -> Fraction:
        return Fraction(self.hits(box), self.total_ways)

    def return_to_player(self, box: str) -> Fraction:
        """What a unit staked brings back on average, the stake of a winning bet included."""
        return self.moments(box).mean

    def edge(self, box: str) -> Fraction:
        """What a unit staked costs the Player on average."""
        return 1 - self.return_to_player(box)

    def variance(self, box: str) -> Fraction:
        """The variance of the result of a unit staked."""
        return self.moments(box).variance

    def deviation(self, box: str) -> float:
        """The standard deviation of the result of a unit staked."""
        return sqrt(self.variance(box))

    # ---- money

    def unit(self, box: str | None = None) -> Cents:
        """The smallest stake, and the step of stakes, that can be paid in whole cents whatever wins."""
        return Cents(lcm(*self._units.values())) if box is None else self._units[self.box(box).name]

    def check_stake(self, box: str, stake: int) -> Cents:
        """A stake as cents, from any kind of integer. Refused if this box could not pay it exactly."""
        cents = Cents(stake) if type(stake) is int else whole_cents(stake)
        if cents is None:
            raise Refused("stake", "not-whole", stake=repr(stake), box=box)
        if cents <= 0:
            raise Refused("stake", "not-above-zero", stake=cents, box=box)
        unit = self._units.get(box) or self.unit(box)
        if cents % unit:
            pays, clause = self.box(box).pays, self.box(box).odds_clause
            raise Refused("unit", "unpayable", clause, stake=cents, box=box, pays=pays, least=unit)
        return cents

    def settle(self, bets: Iterable[tuple[str, int]], outcome: str) -> Settlement:
        """Settle bets against an outcome: odds, winnings and returned stake of each, in whole cents.

        >>> from croupier import load_rulebook
        >>> layout = load_rulebook("rws-sicbo-etg-v2").layout("A")
        >>> settlement = layout.settle([("total:8", 10_00), ("big", 5_00)], "4-3-1")
        >>> settlement.winnings, settlement.returned, settlement.collected
        (8500, 1000, 500)
        """
        result = self.space.parse(outcome)
        return Settlement(result, tuple(self._fate(box, stake, result) for box, stake in bets))

    def _fate(self, name: str, stake: int, outcome: Outcome) -> Fate:
        box, cents = self.box(name), self.check_stake(name, stake)
        odds = self._pays[box.name].get(outcome)
        won = winnings(cents, odds) if odds is not None else Cents(0)
        returned = Cents(cents if odds is not None else 0)
        return Fate(box.name, cents, odds, won, returned, box.win_clause, box.odds_clause)

    def exposure(self, bets: Iterable[tuple[str, int]]) -> dict[Outcome, Cents]:
        """What the House gains on every outcome if these bets stand, its worst outcome first.

        >>> from croupier import load_rulebook
        >>> exposure = load_rulebook("mbs-sands-roulette-v2").layout("A").exposure([("red", 100), ("straight:17", 10)])
        >>> list(exposure.items())[:2]
        [('17', -250), ('1', -90)]
        """
        stakes: Counter[BoxName] = Counter()
        for name, stake in bets:
            stakes[BoxName(name)] += self.check_stake(name, stake)
        house = dict.fromkeys(self.outcomes, Cents(stakes.total()))
        for box, stake in stakes.items():
            for outcome, odds in self._pays[box].items():
                house[outcome] = Cents(house[outcome] - stake - winnings(Cents(stake), odds))
        return dict(sorted(house.items(), key=lambda item: item[1]))

    # ---- why

    def explain(self, box: str, outcome: str) -> Statement:
        """What a bet in this box gets on this outcome and why, with the clauses."""
        what, result = self.box(box), self.space.parse(outcome)
        for price in what.prices:
            if result in price.outcomes:
                fact, (odds, to) = cited(price.condition.fact(result), what.win_clause), odds_to(price.odds)
                on = {"box": what.name, "outcome": result, "kind": what.kind}
                return state("explained-wins", what.odds_clause, **on, fact=fact, odds=odds, to=to)
        fact, rule = what.prices[0].condition.fact(result), self.rule(box)
        on = {"box": what.name, "outcome": result, "kind": what.kind}
        return state("explained-loses", what.win_clause, **on, fact=fact, rule=rule)

    def rule(self, box: str) -> Statement:
        """What a bet in this box needs to win."""
        rules = [price.condition.rule() for price in self.box(box).prices]
        return either(tuple(rule for index, rule in enumerate(rules) if rule not in rules[:index]))


def _spans(numbers: Iterable[str]) -> list[str]:
    """Numbers in order, with each run of more than two as `first…last`.

    >>> _spans(["4", "17", "16", "5", "6", "S", "00"])
    ['S', '00', '4…6', '16', '17']
    """
    runs: list[list[str]] = []
    for number in sorted(numbers, key=lambda text: (text.isdecimal(), int(text) if text.isdecimal() else 0, text)):
        if runs and number.isdecimal() and runs[-1][-1] == str(int(number) - 1):
            runs[-1].append(number)
        else:
            runs.append([number])
    return [part for run in runs for part in ([f"{run[0]}…{run[-1]}"] if len(run) > 2 else run)]


def common_unit(layouts: Iterable[Layout]) -> Cents:
    """The smallest chip unit that every box of these layouts can pay in whole cents."""
    return Cents(lcm(*(layout.unit() for layout in layouts)))
