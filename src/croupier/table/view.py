"""The view of a table for the whole room: no Player, no result before it is announced. Also the live exposure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from croupier.rules.money import Cents
from croupier.rules.outcomes import Outcome
from croupier.rules.paytable import Layout
from croupier.rules.rulebook import Rulebook
from croupier.table.checks import struck_phase
from croupier.table.evidence import standing_still
from croupier.table.limits import in_action
from croupier.table.messages import Limits, RoundNumber
from croupier.table.state import OPEN_FOR_BETS, Phase, Table


class Past(msgspec.Struct, frozen=True):
    """A past round as everyone may see it."""

    round: RoundNumber
    outcome: str | None
    void_clause: str | None


class DisplayView(msgspec.Struct, frozen=True):
    """What the whole room may see. No Player, no stake, no outcome before it is announced."""

    table: str
    rulebook: str
    phase: Phase
    round: RoundNumber
    limits: Limits
    locked: bool
    result: str | None
    """The last result that was announced, with its words."""
    words: str
    lit: dict[str, tuple[str, ...]]
    """The areas that are lit now, by layout; empty while the felt is dark."""
    past: tuple[Past, ...]
    still: bool = False
    """The round stands still: a person and a device disagree, and somebody decides."""
    law: str = ""
    """The hash of the book in force: pages ask for its felts by it."""


class ResultShown(NamedTuple):
    """A result as everyone sees it: its words, and the lit areas of each layout. Empty while the felt is dark."""

    outcome: str | None
    words: str
    lit: dict[str, tuple[str, ...]]


def shown(book: Rulebook, layouts: Mapping[str, Layout], outcome: str | None) -> ResultShown:
    """A result on these layouts. Without a result there are no words and no lit areas."""
    if outcome is None:
        return ResultShown(None, "", {})
    return ResultShown(outcome, book.announce(outcome), {id: _lit(layout, outcome) for id, layout in layouts.items()})


@lru_cache(maxsize=4096)
def _lit(layout: Layout, outcome: str) -> tuple[str, ...]:
    return layout.lit(outcome)


def last_result(table: Table) -> ResultShown:
    """The last result that was announced: of the round under way, or of the last round that is over.

    Its areas stay lit until the next round begins.
    """
    under_way = table.round is not None and _is_announced(table)
    if table.round is not None and under_way:
        number, outcome = table.round.number, table.round.outcome
    else:
        number = max(table.past, default=table.next_round)
        outcome = table.past[number].outcome if number in table.past else None
    law = table.law_of(number)
    result = shown(law.book, {id: law.layouts[id] for id in in_play(table) if id in law.layouts}, outcome)
    if not under_way and (table.round is not None or table.motion.started):
        return result._replace(lit={})
    return result if law is table.law else result._replace(lit=_still_there(table, result.lit))


def _is_announced(table: Table) -> bool:
    """True if the result of the open round is announced: with its entry, or once it is confirmed (rulings 40, 41)."""
    phase, moments = struck_phase(table), table.book.moments
    return phase == "settling" or (phase == "entered" and moments is not None and moments.announced == "entered")


def _still_there(table: Table, lit: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The lit areas of a round under an earlier book, as far as the felt of now has them."""
    return {id: tuple(box for box in boxes if box in table.layouts[id].boxes) for id, boxes in lit.items()}


def display_view(table: Table, last: int = 10) -> DisplayView:
    result = last_result(table)
    return DisplayView(
        table.setup.table,
        table.book.id,
        table.phase,
        table.round_number,
        table.round.limits if table.round else table.limits,
        table.locked is not None,
        result.outcome,
        result.words,
        result.lit,
        tuple(Past(over.number, over.outcome, over.void_clause) for over in list(table.past.values())[-last:]),
        standing_still(table),
        table.book.hash,
    )


def in_play(table: Table) -> tuple[str, ...]:
    """The layouts to show: those of the round in play, or of the next one."""
    return table.round.layouts if table.round else table.displayed


def exposure(table: Table) -> dict[Outcome, Cents]:
    """What the House gains on each outcome if bets closed now, with the limits applied; worst first."""
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
