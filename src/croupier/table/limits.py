"""Limits: refusals when a bet is placed, cuts at the close, and what plays at settlement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec.structs import replace

from croupier.rules.money import Cents, winnings
from croupier.rules.outcomes import Outcome
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused
from croupier.rules.schema import LimitRules as Policy
from croupier.rules.schema import Movements
from croupier.table.messages import BetId, Limits, Paid, SeatId, Share
from croupier.table.state import NOTHING, LaidBet, Round


def check_limits(limits: Limits, layouts: Iterable[Layout], policy: Policy) -> None:
    """Refuse limits that no table could keep."""
    for refusal in misfits(limits, layouts, policy):
        raise refusal


def misfits(limits: Limits, layouts: Iterable[Layout], policy: Policy) -> Iterator[Refused]:
    """Why limits do not fit: unpayable units, a minimum above the maximum, amounts off the unit, the Differential."""
    if "*" not in limits.minimum or "*" not in limits.maximum:
        yield Refused("limits", "none-for-all", policy.displayed_clause)
        return
    if limits.unit <= 0:
        yield Refused("limits", "unit", unit=limits.unit)
        return
    for layout in layouts:
        if limits.unit % layout.unit():
            least = layout.unit()
            yield Refused("limits", "unit-unpayable", layout.clause, unit=limits.unit, layout=layout.id, least=least)
        for box in layout.boxes:
            low, high = limits.minimum_of(box), limits.maximum_of(box)
            if not 0 < low <= high or low % limits.unit or high % limits.unit:
                yield Refused(
                    "limits", "steps", policy.displayed_clause, box=box, minimum=low, maximum=high, unit=limits.unit
                )
    if limits.differential is None and policy.differential is not None:
        yield Refused("limits", "differential-needed", policy.differential.clause)
    if limits.differential is not None and policy.differential is None:
        yield Refused("limits", "differential-unknown", policy.displayed_clause)


def unknown_boxes(limits: Limits, layouts: Iterable[Layout]) -> list[str]:
    """The names in limits that are no box of these layouts and no kind of box."""
    boxes = {str(box) for layout in layouts for box in layout.boxes}
    known = {"*", *boxes, *(box.partition(":")[0] for box in boxes)}
    return [name for name in dict.fromkeys((*limits.minimum, *limits.maximum)) if name not in known]


def check_bet(limits: Limits, policy: Policy, box: str, total: int) -> None:
    """Refuse a seat's total in a box that breaks a limit, if the book refuses it and does not settle it later."""
    low, high = limits.minimum_of(box), limits.maximum_of(box)
    if low <= total <= high:
        return
    if policy.maximum.breach == "refuse" and total > high:
        raise Refused("maximum", "over", policy.maximum.clause, box=box, total=total, maximum=high)
    if policy.minimum.breach == "refuse" and 0 < total < low:
        raise Refused("minimum", "under", policy.minimum.clause, box=box, total=total, minimum=low)


# ---- at the close


def caps(round: Round, policy: Policy) -> dict[str, Cents]:
    """The most that may be in action in each box, over all Players (rws-taisai 5.1)."""
    totals: defaultdict[str, int] = defaultdict(int)
    for (_, box), stake in round.stakes.items():
        totals[box] += stake
    cap = {box: round.limits.maximum_of(box) for box in totals}
    for pair in policy.differential.pairs if policy.differential else ():
        one, other = pair.split()
        first, second = (min(totals[box], round.limits.maximum_of(box)) for box in (one, other))
        if first != second:
            heavy, light = (one, second) if first > second else (other, first)
            cap[heavy] = Cents(min(round.limits.maximum_of(heavy), light + (round.limits.differential or 0)))
    return cap


class Apportioned(NamedTuple):
    """How one box was shared out: each Player's part in action, and the sum by which it was found."""

    action: dict[SeatId, Cents]
    exempt: frozenset[SeatId] = frozenset()
    """Those below the minimum, who play in full."""
    pinned: frozenset[SeatId] = frozenset()
    """Those who play at the minimum."""
    room: int = 1
    """The others play their stakes times `room` by `total`, rounded down."""
    total: int = 1


def apportion(stakes: Mapping[SeatId, Cents], cap: Cents, minimum: Cents, unit: Cents) -> Apportioned:
    """Each Player's part in action in one box (5.1.1, 5.1.2): in proportion, never below the minimum, in no order.

    A stake below the minimum is exempt, plays in full and counts toward the cap. A Player who would fall below the
    minimum is pinned at it, and the rest share again. If all are pinned and the cap is still exceeded, the House
    bears it.
    """
    if sum(stakes.values()) <= cap:
        return Apportioned(dict(stakes))
    action = {seat: stake for seat, stake in stakes.items() if stake < minimum}
    exempt, at_minimum = frozenset(action), frozenset[SeatId]()
    sharing = {seat: stake for seat, stake in stakes.items() if stake >= minimum}
    room = max(0, cap - sum(action.values()))
    while True:
        total = sum(sharing.values())
        pinned = {seat for seat, stake in sharing.items() if room * stake < minimum * total}
        if not pinned:
            break
        action |= dict.fromkeys(pinned, minimum)
        at_minimum |= pinned
        sharing = {seat: stake for seat, stake in sharing.items() if seat not in pinned}
        room = max(0, room - minimum * len(pinned))
    for seat, stake in sharing.items():
        share = room * stake // total
        action[seat] = Cents(share - share % unit)
    return Apportioned(action, exempt, at_minimum, room, total or 1)


class BoxAtClose(NamedTuple):
    """One box when bets close: what each Player staked there, the most that may be in action, and its sharing out."""

    box: str
    stakes: dict[SeatId, Cents]
    cap: Cents
    shared: Apportioned


def boxes_at_close(round: Round, policy: Policy, layouts: Mapping[str, Layout]) -> Iterator[BoxAtClose]:
    """Every box with a bet, where what is over a limit at the close is apportioned."""
    if policy.maximum.breach != "apportion":
        return
    by_box: defaultdict[str, dict[SeatId, Cents]] = defaultdict(dict)
    for (seat, box), stake in round.stakes.items():
        by_box[box][seat] = stake
    layout = layouts[round.layouts[0]]
    for box, cap in caps(round, policy).items():
        shared = apportion(by_box[box], cap, round.limits.minimum_of(box), layout.unit(box))
        yield BoxAtClose(box, by_box[box], cap, shared)


def cut_at_close(
    round: Round, policy: Policy, layouts: Mapping[str, Layout], movements: Movements | None = None
) -> tuple[Share, ...]:
    """The part of each bet that goes back at the close because a box or a Differential is over its limit."""
    excess: dict[tuple[SeatId, str], int] = {}
    for box, stakes, _, shared in boxes_at_close(round, policy, layouts):
        action = shared.action
        excess |= {(seat, box): stake - action[seat] for seat, stake in stakes.items() if stake > action[seat]}
    clause = policy.maximum.clause if movements else ""
    return tuple(_taken_from_bets(round.bets.values(), excess, clause)) if excess else ()


def _taken_from_bets(
    bets: Iterable[LaidBet], excess: dict[tuple[SeatId, str], int], clause: str = ""
) -> Iterable[Share]:
    """Take the excess of each Player from their bets in the box, the latest first."""
    left = dict(excess)
    for bet in reversed(list(bets)):
        take = min(bet.stake, left.get((bet.seat, bet.box), 0))
        if take:
            left[bet.seat, bet.box] -= take
            yield Share(bet.id, bet.seat, Cents(take), clause)


# ---- at settlement


LimitedBy = Literal["", "maximum", "once-only", "used-once", "exempt"]
"""What a limit does to a bet at settlement: nothing; it plays at the maximum; it plays this once; it has played once
and goes back; it is exempt from the sharing out."""


class Standing(NamedTuple):
    """What the limits leave of a bet at settlement."""

    by: LimitedBy
    excess: Cents
    """The part that neither wins nor loses."""


def standings(round: Round, policy: Policy, used_before: Container[SeatId]) -> dict[BetId, Standing]:
    """What the limits leave of each bet. `used_before` holds the seats whose short bets an earlier round settled."""
    capped = _over_maximum(round, policy)
    excess = {share.bet: share.amount for share in _taken_from_bets(round.bets.values(), capped)} if capped else {}
    short, exempt = _short(round, policy), _exempt(round, policy)
    found = {}
    for bet in round.bets.values():
        place = (bet.seat, bet.box)
        if place in short:
            by: LimitedBy = "used-once" if bet.seat in used_before else "once-only"
        elif bet.id in excess:
            by = "maximum"
        else:
            by = "exempt" if place in exempt else ""
        found[bet.id] = Standing(by, bet.stake if by == "used-once" else excess.get(bet.id, NOTHING))
    return found


def fates(
    round: Round,
    outcome: Outcome,
    policy: Policy,
    layouts: Mapping[str, Layout],
    used_before: Container[SeatId],
    movements: Movements | None = None,
) -> tuple[Paid, ...]:
    """What each bet gets on an outcome, and by which clause: of the limit that moved it, or of its price."""
    found = standings(round, policy, used_before)
    loses = {part.outcome: part.clause for part in movements.loses} if movements else {}
    paid = []
    for bet in round.bets.values():
        if not bet.stake:
            continue
        by, excess = found[bet.id]
        if by == "used-once":
            paid.append(Paid(bet.id, bet.seat, NOTHING, NOTHING, bet.stake, policy.minimum.clause))
            continue
        fate = _fate(bet, outcome, layouts[bet.layout], excess, loses.get(outcome, ""))
        clause = _limiting_clause(by, bet, round, policy, movements) if movements and by else fate.clause
        paid.append(fate if clause == fate.clause else replace(fate, clause=clause))
    return tuple(paid)


def _limiting_clause(by: LimitedBy, bet: LaidBet, round: Round, policy: Policy, movements: Movements) -> str:
    if by == "maximum":
        return policy.maximum.clause
    if by == "exempt" and movements.exempt_clause and bet.box in round.over_at_close:
        return movements.exempt_clause
    return policy.minimum.clause


def in_action(
    round: Round, policy: Policy, layouts: Mapping[str, Layout], used_before: Container[SeatId], *, closed: bool
) -> list[tuple[str, str, Cents]]:
    """(layout, box, amount) of each bet: the part that would play if bets closed now."""
    cut = () if closed else cut_at_close(round, policy, layouts)
    out: defaultdict[str, int] = defaultdict(int)
    for share in (*cut, *_taken_from_bets(round.bets.values(), _over_maximum(round, policy))):
        out[share.bet] += share.amount
    short = {key for key in _short(round, policy) if key[0] in used_before}
    return [
        (bet.layout, bet.box, Cents(bet.stake - out[bet.id]))
        for bet in round.bets.values()
        if bet.stake > out[bet.id] and (bet.seat, bet.box) not in short
    ]


def short_seats(round: Round, policy: Policy) -> tuple[SeatId, ...]:
    """The seats with bets under the minimum in this round, where such bets are settled once only."""
    return tuple(sorted({seat for seat, _ in _short(round, policy)}))


def _fate(bet: LaidBet, outcome: Outcome, layout: Layout, excess: Cents, loses: str) -> Paid:
    box, action = layout.box(bet.box), Cents(bet.stake - excess)
    odds = layout.pays(bet.box, outcome)
    if odds is None:
        return Paid(bet.id, bet.seat, action, NOTHING, excess, loses or box.win_clause)
    return Paid(bet.id, bet.seat, NOTHING, winnings(action, odds), bet.stake, box.odds_clause)


def _over_maximum(round: Round, policy: Policy) -> dict[tuple[SeatId, str], int]:
    """The amount of each seat above the maximum of a box, where a breach plays at the maximum (sands 5.16)."""
    if policy.maximum.breach != "cap":
        return {}
    return {
        (seat, box): stake - round.limits.maximum_of(box)
        for (seat, box), stake in round.stakes.items()
        if stake > round.limits.maximum_of(box)
    }


def _short(round: Round, policy: Policy) -> set[tuple[SeatId, str]]:
    """The seats' totals under the minimum of a box, where such bets are settled once only."""
    if policy.minimum.breach != "once-only":
        return set()
    return {key for key, stake in round.stakes.items() if 0 < stake < round.limits.minimum_of(key[1])}


def _exempt(round: Round, policy: Policy) -> set[tuple[SeatId, str]]:
    """The seats' totals under the minimum of a box, where such bets win or lose in full (rws-taisai 5.1.2, 5.2.1)."""
    if policy.minimum.breach != "plays":
        return set()
    return {key for key, stake in round.stakes.items() if 0 < stake < round.limits.minimum_of(key[1])}


def returning_clause(movements: Movements | None, clause: str) -> str:
    """The clause by which the stakes of a round that `clause` voids are returned (ruling 49)."""
    return (movements.void_clause if movements else None) or clause


def void_paid(bet: LaidBet, clause: str) -> Paid:
    """What a bet gets when its round is void: its whole stake."""
    return Paid(bet.id, bet.seat, NOTHING, NOTHING, bet.stake, clause)
