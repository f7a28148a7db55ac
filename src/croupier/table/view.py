"""What the whole room may see: no Player, and nothing that is to come. Live exposure."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec

from croupier.rules.money import Cents
from croupier.rules.outcomes import Outcome
from croupier.table.checks import struck_phase
from croupier.table.limits import in_action
from croupier.table.messages import Limits, RoundNumber
from croupier.table.state import OPEN_FOR_BETS, Phase, Table


class Past(msgspec.Struct, frozen=True):
    """A round that is over, as everyone may know it."""

    round: RoundNumber
    outcome: str | None
    void_clause: str | None


class DisplayView(msgspec.Struct, frozen=True):
    """What the whole room may see. No Player, no stake, no outcome before it is confirmed."""

    table: str
    rulebook: str
    phase: Phase
    round: RoundNumber
    limits: Limits
    locked: bool
    result: str | None
    """The last confirmed result, with the words it is called in and the areas that are lit for it."""
    words: str
    lit: dict[str, tuple[str, ...]]
    past: tuple[Past, ...]


def display_view(table: Table, last: int = 10) -> DisplayView:
    past = [Past(over.number, over.outcome, over.void_clause) for over in list(table.past.values())[-last:]]
    settling = table.round is not None and struck_phase(table) == "settling"
    result = table.round.outcome if table.round and settling else past[-1].outcome if past else None
    return DisplayView(
        table.setup.table,
        table.book.id,
        table.phase,
        table.round_number,
        table.round.limits if table.round else table.limits,
        table.locked is not None,
        result,
        table.book.announce(result) if result else "",
        {id: table.layouts[id].lit(result) for id in in_play(table)} if result else {},
        tuple(past),
    )


def in_play(table: Table) -> tuple[str, ...]:
    """The layouts that screens show: those of the round, or of the next one."""
    return table.round.layouts if table.round else table.displayed


def exposure(table: Table) -> dict[Outcome, Cents]:
    """What the House gains on every outcome if bets closed now and played as far as limits let them; worst first."""
    by_layout: defaultdict[str, Counter[str]] = defaultdict(Counter)
    if table.round:
        used = {seat.id for seat in table.seats.values() if seat.short_bets_settled}
        closed = struck_phase(table) not in OPEN_FOR_BETS
        for id, box, amount in in_action(table.round, table.book.limits, table.layouts, used, closed=closed):
            by_layout[id][box] += amount
    house = dict.fromkeys(table.book.space.outcomes, 0)
    for id, bets in by_layout.items():
        for outcome, gain in table.layouts[id].exposure(bets.items()).items():
            house[outcome] += gain
    return {outcome: Cents(gain) for outcome, gain in sorted(house.items(), key=lambda item: item[1])}
