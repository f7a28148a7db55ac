"""The state of a table, and the orders of play as tables of transitions. This file has only data and lookups.

Only an event changes the phase: `TRANSITIONS[order][phase][event]` is the next phase, and what is not in the table
cannot happen. The diagrams in docs/orders-of-play.md are drawn from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from croupier.rules.money import Cents
from croupier.rules.outcomes import Outcome
from croupier.rules.paytable import Layout
from croupier.rules.readings import RULINGS, Alternative
from croupier.rules.rulebook import Rulebook
from croupier.rules.schema import Order
from croupier.table import messages as m
from croupier.table.messages import BetId, Limits, Paid, PersonId, RoundNumber, SeatId
from croupier.table.roles import Role

Phase = Literal[
    "ready", "betting", "spinning", "closed", "moving", "rest", "entering", "entered", "settling", "interrupted"
]

_FROM_REST: dict[Phase, dict[str, Phase]] = {
    "rest": {"KeyPressed": "entering", "ResultEntered": "entered"},
    "entering": {"KeyPressed": "entering", "ResultEntered": "entered"},
    "entered": {"ResultAmended": "entered", "LosersCollected": "settling"},
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


@dataclass(frozen=True, slots=True)
class Setup:
    """The House's choices for a table. They hold for its life, but two people may change limits and layouts."""

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
    layouts: Mapping[str, Layout]
    """Every layout of the book: a past round may have used one that is no longer displayed."""
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

    def reads(self, alternative: Alternative) -> bool:
        """True if the House reads this ruling by its alternative at this table."""
        return RULINGS[alternative] in self.setup.alternatives

    @property
    def book(self) -> Rulebook:
        return self.setup.rulebook

    @property
    def round_number(self) -> RoundNumber:
        """The number of the round in play, or of the next one."""
        return self.round.number if self.round else self.next_round

    @property
    def order(self) -> Order:
        return self.setup.rulebook.play.order

    @property
    def live(self) -> bool:
        return self.setup.rulebook.play.kind == "live"


def new_table(setup: Setup) -> Table:
    """A new table: closed, with nobody seated."""
    layouts = {layout.id.rpartition("/")[2]: layout for layout in setup.rulebook.layouts}
    return Table(setup, layouts, setup.limits, setup.layouts)
