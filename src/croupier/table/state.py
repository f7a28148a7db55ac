"""The state of a table, and the orders of play as tables of transitions. This file has only data and lookups.

Only an event changes the phase: `TRANSITIONS[order][phase][event]` is the next phase, and what is not in the table
cannot happen. The diagrams in docs/orders-of-play.md are drawn from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from croupier.rules.library import book_of
from croupier.rules.money import Cents
from croupier.rules.outcomes import Outcome
from croupier.rules.paytable import Layout
from croupier.rules.readings import RULINGS, Alternative
from croupier.rules.rulebook import Rulebook
from croupier.rules.schema import Order
from croupier.rules.statement import Statement
from croupier.table import messages as m
from croupier.table.messages import BetId, Limits, Paid, PersonId, RoundNumber, SeatId
from croupier.table.roles import Role

Phase = Literal[
    "ready", "betting", "spinning", "closed", "moving", "rest", "entering", "entered", "settling", "interrupted"
]

_FROM_REST: dict[Phase, dict[str, Phase]] = {
    "rest": {"KeyPressed": "entering", "ResultEntered": "entered"},
    "entering": {"KeyPressed": "entering", "ResultEntered": "entered"},
    "entered": {
        "ResultAmended": "entered",
        "ResultAnnounced": "entered",
        "ResultChecked": "entered",
        "LosersCollected": "settling",
    },
    "settling": {"WinnersPaid": "ready"},
}

TRANSITIONS: dict[Order, dict[Phase, dict[str, Phase]]] = {
    # bets → No More Bets → tumble → dice flat → result → settle
    "open-cover": {
        "ready": {"BettingOpened": "betting"},
        "betting": {"BettingClosed": "closed"},
        "closed": {"MotionStarted": "moving"},
        "moving": {"MotionEnded": "rest"},
        **_FROM_REST,
    },
    # tumble under cover → bets → No More Bets → uncover → result → settle
    "covered": {
        "ready": {"MotionStarted": "moving", "BettingOpened": "betting"},
        "moving": {"MotionEnded": "moving", "BettingOpened": "betting"},
        "betting": {"BettingClosed": "closed"},
        "closed": {"Uncovered": "rest"},
        **_FROM_REST,
    },
    # bets → ball spun → No More Bets while it rotates, or before the spin → rest → settle
    "wheel": {
        "ready": {"BettingOpened": "betting"},
        "betting": {"MotionStarted": "spinning", "BettingClosed": "closed"},
        "spinning": {"BettingClosed": "moving"},
        "closed": {"MotionStarted": "moving"},
        "moving": {"MotionEnded": "rest"},
        "rest": {"ResultEntered": "entered"},
        "entered": _FROM_REST["entered"],
        "settling": _FROM_REST["settling"],
    },
}
"""In every order also: RoundVoided leads to ready, Interrupted to interrupted, and Resumed back."""

OPEN_FOR_BETS = ("betting", "spinning")
NOTHING = Cents(0)
FIRST = RoundNumber(1)
NEVER = 2**53 - 1
"""When a request expires for which a round stands still. A browser can read this number exactly."""


class LaidBet(msgspec.Struct, gc=False):
    """A bet on the felt: `stake` is what is held for it now."""

    id: BetId
    seat: SeatId
    layout: str
    box: str
    stake: Cents
    placed: tuple[str, str, int, int, int]
    """Seat, box, stake, round and colour chips as first placed. A resend must repeat them."""
    by: str
    """Who placed it: the Player's seat, or staff on their behalf."""
    chip: Cents = NOTHING
    """The value of the colour chips it is made of."""


class Movement(msgspec.Struct, frozen=True, gc=False):
    """A movement of money: whose it is, how much, and the sum as it was done, with the clause that moved it."""

    bet: str
    """Empty if it is about no bet."""
    seat: str
    amount: Cents
    sum: Statement


@dataclass(slots=True)
class Round:
    """The round in play. What was in force when betting opened stays in force."""

    number: RoundNumber
    limits: Limits
    layouts: tuple[str, ...]
    rulebook_hash: str
    bets: dict[BetId, LaidBet] = field(default_factory=dict)
    stakes: dict[tuple[SeatId, str], Cents] = field(default_factory=dict)
    """(seat, box) → the sum of that seat's bets there."""
    returned: dict[BetId, Paid] = field(default_factory=dict)
    """Bets that a decision has returned."""
    outcome: Outcome | None = None
    fates: tuple[Paid, ...] = ()
    """What every bet gets, from the moment the losing bets are collected."""
    used_before: tuple[SeatId, ...] = ()
    """Seats whose once-only short bets an earlier round had settled when this one was."""
    moved: list[Movement] = field(default_factory=list)
    """What moved of its bets before settlement, in order. What settlement moves follows from the fates."""
    over_at_close: tuple[str, ...] = ()
    """The boxes that were over a limit at the close and were apportioned."""


@dataclass(slots=True)
class PastRound:
    """A round that is over: void, or settled with what every bet got."""

    number: RoundNumber
    round: Round
    outcome: Outcome | None
    paid: dict[BetId, Paid]
    void_clause: str | None = None


@dataclass(slots=True)
class Seat:
    """A Player Terminal, or a Player at the felt."""

    id: SeatId
    layout: str
    credit: Cents = NOTHING
    held: Cents = NOTHING
    """Stakes of this seat on the table."""
    owes: Cents = NOTHING
    colour: tuple[str, Cents] | None = None
    short_bets_settled: bool = False
    connected: bool = True
    since: RoundNumber = FIRST
    """The first round of the Player who has the seat now."""
    gone: bool = False
    """The Player has left. The seat keeps what a later correction gives them."""


@dataclass(slots=True)
class Motion:
    """The motion of the dice or the ball since the last round ended."""

    started: bool = False
    count: int | None = None
    reported: tuple[Literal["start", "count"], ...] = ()
    """What a device has reported of it, and not a person."""
    device: str = ""
    """The last device that reported of it, or read its result."""


@dataclass(slots=True)
class Interruption:
    """An interruption of the whole round: its phase and time, and what has been attested since."""

    was: Phase
    at: int
    power_back: bool = False
    shown: tuple[str, ...] = ()


@dataclass(slots=True)
class Request:
    """An act that waits for a second person."""

    number: int
    command: m.AnyCommand
    digest: str
    expires: int
    round: RoundNumber | None
    """The round that was open when it was asked for."""
    device: m.DeviceReport | None = None
    """What a device has reported against a report: the round stands still until somebody decides."""


class BookChange(msgspec.Struct, frozen=True):
    """A change of the book: from `round` on the table plays under `book`, with these alternatives."""

    round: RoundNumber
    id: str
    book: str
    """Its hash, and that of the book before it."""
    old: str
    correction: bool
    at: int
    asked_by: PersonId
    approved_by: PersonId
    alternatives: tuple[int, ...]


class PlannedBook(msgspec.Struct, frozen=True):
    """A book that two people have agreed to take up, between two rounds, at `not_before` or later.

    Without limits, the table keeps those it has then; without layouts, those that the new book has too.
    """

    id: str
    book: str
    """Its hash."""
    correction: bool
    not_before: int
    asked_by: PersonId
    approved_by: PersonId
    limits: Limits | None
    layouts: tuple[str, ...]
    alternatives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Law:
    """A book as a table plays it: its layouts by their names, and the rulings that the House reads otherwise."""

    book: Rulebook
    layouts: Mapping[str, Layout]
    alternatives: frozenset[int] = frozenset()

    def reads(self, alternative: Alternative) -> bool:
        """True if the House reads this ruling by its alternative."""
        return RULINGS[alternative] in self.alternatives


def law_under(book: Rulebook, alternatives: frozenset[int] = frozenset()) -> Law:
    """A book with all of its layouts: a past round may have used one that is no longer displayed."""
    return Law(book, {layout.id.rpartition("/")[2]: layout for layout in book.layouts}, alternatives)


@dataclass(frozen=True, slots=True)
class Setup:
    """The House's choices with which a table is made, and its first book.

    Two people may change limits and layouts, and take up another book: `Table.law` is what is in force.
    """

    table: str
    rulebook: Rulebook
    layouts: tuple[str, ...]
    limits: Limits
    two_sources: bool = False
    approval_seconds: int = 120
    alternatives: frozenset[int] = frozenset()
    """The numbers of the rulings that the House reads by their alternative; `Table.reads` asks by name."""


@dataclass(slots=True)
class Table:
    """Everything a table remembers. Changed only by `evolve`."""

    setup: Setup
    law: Law
    """The law in force; `law_of` is that of a round."""
    limits: Limits
    displayed: tuple[str, ...]
    """The layouts for bets from the next round on."""
    staff: dict[PersonId, tuple[Role, ...]] = field(default_factory=dict)
    seats: dict[SeatId, Seat] = field(default_factory=dict)
    open: bool = False
    locked: str | None = None
    """The clause of the lock."""
    lock_after_round: str | None = None
    phase: Phase = "ready"
    round: Round | None = None
    past: dict[RoundNumber, PastRound] = field(default_factory=dict)
    next_round: RoundNumber = FIRST
    bet_rounds: dict[BetId, RoundNumber] = field(default_factory=dict)
    """The round of every bet of the kept rounds: an id is used once."""
    withdrawals: dict[str, tuple[BetId, Cents]] = field(default_factory=dict)
    motion: Motion = field(default_factory=Motion)
    entry: tuple[str, ...] = ()
    sensed: Outcome | None = None
    decided: bool = False
    """The result needs no second source: people attested or decided it."""
    interruption: Interruption | None = None
    requests: dict[int, Request] = field(default_factory=dict)
    next_request: int = 1
    house: Cents = NOTHING
    books: dict[str, str] = field(default_factory=dict)
    """By hash, the text of every book that was brought to the table. That of the first one is in the first row."""
    changes: tuple[BookChange, ...] = ()
    """The changes of the book, the oldest first."""
    planned: PlannedBook | None = None

    def law_of(self, round: int) -> Law:
        """The law under which a round was played, or would be played now."""
        if not self.changes or round >= self.changes[-1].round:
            return self.law
        change = next((change for change in reversed(self.changes) if change.round <= round), None)
        return law_after(self, change)

    def reads(self, alternative: Alternative) -> bool:
        """True if the House reads this ruling by its alternative at this table."""
        return self.law.reads(alternative)

    @property
    def book(self) -> Rulebook:
        return self.law.book

    @property
    def layouts(self) -> Mapping[str, Layout]:
        """Every layout of the book in force."""
        return self.law.layouts

    @property
    def round_number(self) -> RoundNumber:
        """The number of the round in play, or of the next one."""
        return self.round.number if self.round else self.next_round

    @property
    def order(self) -> Order:
        return self.law.book.play.order

    @property
    def live(self) -> bool:
        return self.law.book.play.kind == "live"


def new_table(setup: Setup) -> Table:
    """A new table: closed, with nobody seated."""
    return Table(setup, law_under(setup.rulebook, setup.alternatives), setup.limits, setup.layouts)


def between_rounds(table: Table) -> bool:
    """True if no round is under way: nothing is staked, and neither dice nor ball have moved for the next one."""
    return table.round is None and table.phase == "ready" and not table.motion.started


def law_after(table: Table, change: BookChange | None) -> Law:
    """The law in force after a change of the book; the first law, for None."""
    if change is None:
        return law_under(table.setup.rulebook, table.setup.alternatives)
    return law_under(book_of(table.books[change.book]), frozenset(change.alternatives))
