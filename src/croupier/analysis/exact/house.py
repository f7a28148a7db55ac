"""What the House can lose: to given bets, after limits, Differential and apportionment; and to any bets within limits.

The rules of the table apply the limits, not a copy of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec

from croupier.analysis.exact.one_round import Cell, Distribution
from croupier.rules.money import Cents, winnings
from croupier.rules.outcomes import Outcome
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused
from croupier.rules.schema import LimitRules as Policy
from croupier.table.limits import check_bet, check_limits, cut_at_close, fates
from croupier.table.messages import BetId, Limits, RoundNumber, SeatId
from croupier.table.state import LaidBet, Round
from croupier.words import why


class Placed(NamedTuple):
    seat: str
    box: str
    stake: int


class Played(msgspec.Struct, frozen=True):
    """One bet: how much of it is in action and how much goes back unplayed, or why it was refused."""

    seat: str
    box: str
    stake: int
    in_action: int
    unplayed: int
    refused: str | None


class Risk(msgspec.Struct, frozen=True):
    """What the House wins in a round; below zero, what it pays. On `worst_outcomes` it loses most."""

    staked: int
    mean: Fraction
    deviation: float
    worst: int
    worst_outcomes: tuple[str, ...]
    worst_probability: Fraction
    loses: Fraction
    cells: tuple[Cell, ...]


class HouseRisk(msgspec.Struct, frozen=True):
    """The risk of the bets of one round, with and without the limits of the table."""

    layout: str
    bets: tuple[Played, ...]
    without_limits: Risk
    with_limits: Risk


class WorstCase(msgspec.Struct, frozen=True):
    """The most that the House can lose in one round to any bets within its limits."""

    layout: str
    seats: int
    loss: int
    outcomes: tuple[str, ...]
    probability: Fraction
    boxes: tuple[tuple[str, int], ...]
    """The bets that cause it on the first of the outcomes: boxes and amounts in action."""


def house_risk(layout: Layout, policy: Policy, limits: Limits, bets: Iterable[Placed]) -> HouseRisk:
    """The risk of these bets as they were placed, and as the limits let them play."""
    placed = [Placed(bet.seat, layout.box(bet.box).name, layout.check_stake(bet.box, bet.stake)) for bet in bets]
    if not placed:
        raise Refused("bet", "none-given", example="A1:total:8=10.00")
    check_limits(limits, [layout], policy)
    played = in_action(layout, policy, limits, placed)
    return HouseRisk(
        layout.id,
        played,
        risk(layout, _by_box((bet.box, bet.stake) for bet in placed)),
        risk(layout, _by_box((bet.box, bet.in_action) for bet in played)),
    )


def in_action(layout: Layout, policy: Policy, limits: Limits, placed: Iterable[Placed]) -> tuple[Played, ...]:
    """How much of each bet plays, in the order given: it may be refused, cut at the close, or capped at settlement."""
    round, refused = _round(layout, policy, limits, list(placed))
    cut: Counter[str] = Counter()
    for share in cut_at_close(round, policy, {layout.id: layout}):
        cut[share.bet] += share.amount
        bet = round.bets[share.bet]
        bet.stake = Cents(bet.stake - share.amount)
        round.stakes[bet.seat, bet.box] = Cents(round.stakes[bet.seat, bet.box] - share.amount)
    capped = _capped(round, policy, layout)
    return tuple(
        Played(
            bet.seat,
            bet.box,
            bet.stake,
            0 if id in refused else bet.stake - cut[id] - capped[id],
            cut[id] + capped[id],
            refused.get(id),
        )
        for id, bet in _numbered(placed)
    )


def _numbered(placed: Iterable[Placed]) -> list[tuple[BetId, Placed]]:
    return [(BetId(str(number)), bet) for number, bet in enumerate(placed)]


def _round(layout: Layout, policy: Policy, limits: Limits, placed: list[Placed]) -> tuple[Round, dict[BetId, str]]:
    """The table after these bets were placed, and the refused bets with the reasons."""
    round = Round(RoundNumber(1), limits, (layout.id,), "")
    refused: dict[BetId, str] = {}
    for id, bet in _numbered(placed):
        seat = SeatId(bet.seat)
        total = Cents(round.stakes.get((seat, bet.box), 0) + bet.stake)
        try:
            if bet.stake % limits.unit:
                raise Refused("unit", "stake", stake=bet.stake, box=bet.box, unit=limits.unit)
            check_bet(limits, policy, bet.box, total)
        except Refused as refusal:
            refused[id] = why(refusal)
            continue
        stake = Cents(bet.stake)
        round.bets[id] = LaidBet(id, seat, layout.id, bet.box, stake, (bet.seat, bet.box, stake, 1, 0), bet.seat)
        round.stakes[seat, bet.box] = total
    return round, refused


def _capped(round: Round, policy: Policy, layout: Layout) -> Counter[str]:
    """How much of each bet would go back unplayed at settlement."""
    back: Counter[str] = Counter()
    losing: dict[Outcome, list[LaidBet]] = {}
    for bet in round.bets.values():
        row = layout.winning(bet.box)
        lost = next((outcome for outcome in layout.outcomes if outcome not in row), None)
        if lost is not None:
            losing.setdefault(lost, []).append(bet)
    for outcome, bets in losing.items():
        ids = {bet.id for bet in bets}
        for paid in fates(round, outcome, policy, {layout.id: layout}, ()):
            if paid.bet in ids:
                back[paid.bet] += paid.returned
    return back


def _by_box(amounts: Iterable[tuple[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for box, amount in amounts:
        total[box] += amount
    return total


def risk(layout: Layout, stakes: Mapping[str, int]) -> Risk:
    """What the House wins with these stakes on each outcome."""
    staked = sum(stakes.values())
    house = {
        outcome: staked - sum(_paid(layout, box, stake, outcome) for box, stake in stakes.items())
        for outcome in layout.outcomes
    }
    cells: Counter[int] = Counter()
    for outcome, amount in house.items():
        cells[amount] += layout.ways(outcome)
    one = Distribution.make(cells)
    return Risk(
        staked,
        one.mean,
        one.deviation,
        one.worst,
        tuple(outcome for outcome, amount in house.items() if amount == one.worst),
        Fraction(one.cells[one.worst], one.ways),
        one.behind,
        tuple(Cell(amount, ways, Fraction(ways, one.ways)) for amount, ways in one.cells.items()),
    )


def _paid(layout: Layout, box: str, stake: int, outcome: Outcome) -> int:
    odds = layout.pays(box, outcome)
    return 0 if odds is None or not stake else stake + winnings(Cents(stake), odds)


# ---- the worst that the limits allow


def worst_case(layout: Layout, policy: Policy, limits: Limits, seats: int) -> WorstCase:
    """The most that the House can lose in one round: every box that wins holds as much as may play there.

    Of the two sides of a Differential only one has bets: a bet on the other side would bring the House as much as it
    allows on this one. Where a box is apportioned, Players at the minimum may exceed its maximum (rws-taisai 5.1.1).
    """
    if seats < 1:
        raise Refused("seats", "none", seats=seats)
    check_limits(limits, [layout], policy)
    most = {box: _most_in_action(layout, box, policy, limits, seats) for box in layout.boxes}
    loss = {
        outcome: sum(winnings(Cents(most[box]), layout.winning(box)[outcome]) for box in layout.lit(outcome))
        for outcome in layout.outcomes
    }
    worst = max(loss.values())
    outcomes = tuple(outcome for outcome, amount in loss.items() if amount == worst)
    return WorstCase(
        layout.id,
        seats,
        worst,
        outcomes,
        Fraction(sum(map(layout.ways, outcomes)), layout.total_ways),
        tuple((box, most[box]) for box in layout.lit(outcomes[0])),
    )


def _most_in_action(layout: Layout, box: str, policy: Policy, limits: Limits, seats: int) -> int:
    maximum = int(limits.maximum_of(box))
    if policy.maximum.per == "player-box":
        return seats * maximum
    if policy.differential is not None and any(box in pair.split() for pair in policy.differential.pairs):
        maximum = min(maximum, int(limits.differential or 0))
    unit = layout.unit(box)
    return max(maximum - maximum % unit, seats * int(limits.minimum_of(box)))
