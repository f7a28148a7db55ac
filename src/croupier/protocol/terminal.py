"""What a Player Terminal and the floor say to each other: small JSON messages, strict both ways.

A terminal says `do`, the floor says `said`. Amounts are whole cents, moments and spans are milliseconds on the floor's
clock. Whoever speaks is known from his token, never from a message; the time is the floor's. docs/protocol.md tells it
in order, with a conversation.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from croupier.devices.port import Stage
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact
from croupier.table.messages import BetId, Limits, RoundNumber, SeatId
from croupier.table.state import Phase

VERSION = 1
MOST_BETS = 100
"""In one message."""

Id = Annotated[str, Meta(min_length=1, max_length=40)]
Word = Annotated[str, Meta(max_length=128)]
Amount = Annotated[Cents, Meta(ge=1, le=10**12)]
Number = Annotated[int, Meta(ge=0, le=2**53)]


class Closed(IntEnum):
    """Why the floor closed a connection, where the reason is its own."""

    UNKNOWN_TOKEN = 4001
    """It is not known here, or no longer: asking again is of no use."""
    TAKEN_OVER = 4002
    """The seat was opened on another connection."""
    NO_SENSE = 4003
    """No hello in time, or too many messages that are none, or too many in too short a time."""
    UNREAD = 4004
    """It did not read what it was told: come back and begin with a snapshot."""
    FULL = 4005
    """There are as many terminals here as the House allows."""
    MOVED = 4006
    """The table is worked by another machine: `moved` has told where."""


# ---- a terminal


class _Do(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, gc=False):
    pass


class Hello(_Do, frozen=True, tag="hello"):
    """The first message. `seen` is the `seq` of the last room or news that this terminal has, 0 for none."""

    version: int
    token: Word
    seen: Number = 0


class Ping(_Do, frozen=True, tag="ping"):
    """Is the line alive? A page cannot see the pings of WebSocket itself."""


class NewBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`id` is made by the terminal and kept before it is sent: the same bet may be sent again until it is answered."""

    id: Id
    box: Word
    stake: Amount


class Bets(_Do, frozen=True, tag="bet"):
    """One bet, or as many as a person places with one touch. Each is answered by itself."""

    round: Number
    bets: Annotated[tuple[NewBet, ...], Meta(min_length=1, max_length=MOST_BETS)]


class Withdraw(_Do, frozen=True, tag="withdraw"):
    """`bet` is the bet as the floor knows it: as `ok` and `own` tell it, `SEAT.ID`."""

    id: Id
    bet: Word
    amount: Amount


class TicketIn(_Do, frozen=True, tag="ticket-in"):
    id: Id
    ticket: Word


class TicketOut(_Do, frozen=True, tag="ticket-out"):
    """Credit to a ticket; the floor makes its number. Sent again with the same id, it is the same ticket."""

    id: Id
    amount: Amount


class ShowLayout(_Do, frozen=True, tag="layout"):
    """Show another layout, where the book makes it the terminal's and no bet of this seat lies on the table."""

    id: Id
    layout: Word


class Recall(_Do, frozen=True, tag="recall"):
    """Own rounds: the last ten, or one by its number, however old."""

    id: Id
    round: Number | None = None


class Receipt(_Do, frozen=True, tag="receipt"):
    """A registered bet of this seat, signed by the floor. `round` is needed where the bet is no longer at hand."""

    id: Id
    bet: Word
    round: Number | None = None


class Rules(_Do, frozen=True, tag="rules"):
    """The game, the layout of this terminal with every box and what it pays, and how the text is read."""

    id: Id


AnyAct = Withdraw | TicketIn | TicketOut | ShowLayout
"""What goes to the journal, beside bets."""
AnyQuestion = Recall | Receipt | Rules
AnyDo = Hello | Ping | Bets | AnyAct | AnyQuestion

# ---- what the room may see


class CallShown(msgspec.Struct, frozen=True):
    """What was called last, in the book's words; with a bell where the book wants one."""

    id: str
    words: str
    clause: str
    bell: bool


class PastShown(msgspec.Struct, frozen=True):
    """A round that is over: its result, or the clause that made it void."""

    round: RoundNumber
    outcome: str | None
    void: str | None


class RoomView(msgspec.Struct, frozen=True):
    """What every terminal of a table may see. No Player, no stake, no result before it is confirmed."""

    phase: Phase
    round: RoundNumber
    open: bool
    locked: bool
    stopped: bool
    """The table takes nothing for now, and people look after it."""
    away: bool
    """Nothing can be put on disk for now, at any table: what was registered is safe, and play goes on by the book."""
    call: CallShown | None
    count: int | None
    """Tumbles or revolutions that were counted for this round."""
    layouts: tuple[str, ...]
    """Those that are displayed; where the book makes the layout the terminal's, it may choose among them."""
    limits: Limits
    result: str | None
    """The last confirmed result, the words it is called in, and the boxes of each layout that are lit for it."""
    words: str
    lit: dict[str, tuple[str, ...]]
    past: tuple[PastShown, ...]
    betting: bool = False
    """Are bets open in this phase?"""


# ---- what is a terminal's own


class BetFate(msgspec.Struct, frozen=True):
    """What became of a bet: collected by the House, won, returned; and by which clause."""

    collected: Cents
    winnings: Cents
    returned: Cents
    clause: str


class OwnBet(msgspec.Struct, frozen=True, omit_defaults=True):
    id: BetId
    box: str
    stake: Cents
    layout: str
    fate: BetFate | None = None


class OwnRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round as one Player had it. `before` and `after` are his credit when bets opened and when all was paid."""

    round: RoundNumber
    outcome: str | None
    void: str | None
    bets: tuple[OwnBet, ...]
    words: str = ""
    before: Cents | None = None
    after: Cents | None = None


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a Player must be told: `kind`, `case` and `facts` for a program that says it in its own words, by
    `croupier.protocol.notices`; `message` for one that has none."""

    at: int
    kind: str
    message: str
    round: RoundNumber | None = None
    bet: BetId | None = None
    amount: Cents | None = None
    clause: str | None = None
    case: str = ""
    facts: dict[str, Fact] = {}


# ---- the floor


class _Said(msgspec.Struct, frozen=True, tag_field="said", gc=False):
    pass


class Welcome(_Said, frozen=True, tag="welcome"):
    """Who this terminal is, and what does not change while it is connected."""

    version: int
    table: str
    seat: SeatId
    rulebook: str
    title: str
    operator: str | None
    choice: bool
    """May this terminal choose its layout?"""
    now: int
    zone: str
    """The time zone of the House: its local time is `now` there."""
    warning: int
    """Milliseconds before the end of betting at which a Player is warned."""
    wheel: tuple[str, ...] = ()
    """The pockets of this table's wheel, clockwise, if it has one and the House has written them down."""
    nodes: tuple[str, ...] = ()
    """Where else this floor has a door for terminals, for one that finds nobody here any more."""


class Moved(_Said, frozen=True, tag="moved"):
    """In place of a welcome, or later: this table is worked by another machine, and its door is at this address."""

    address: str


class Room(_Said, frozen=True, tag="room"):
    """Everything the room may see, as it is now."""

    seq: int
    closes_in: int | None
    """Milliseconds until bets close, where that is timed."""
    room: RoomView


class News(_Said, frozen=True, tag="news"):
    """What has changed in the room: only the fields that did. Of `past`, only the rounds that are new or different."""

    seq: int
    closes_in: int | None
    changed: dict[str, msgspec.Raw]


class MotionShown(_Said, frozen=True, tag="motion"):
    """For pictures only: dice tumble, faces land, a ball runs. It decides nothing and may be missed."""

    round: RoundNumber
    stage: Stage
    number: int
    of: int
    faces: tuple[str, ...]
    rate: int
    """Tenths of a revolution a minute."""


class Own(_Said, frozen=True, tag="own"):
    """What is the terminal's own, whole: exactly the bets that are registered."""

    seq: int
    seated: bool
    layout: str
    credit: Cents
    held: Cents
    owes: Cents
    connected: bool
    """False while the table holds this terminal for interrupted."""
    bets: tuple[OwnBet, ...]
    last: OwnRound | None
    notices: tuple[Notice, ...]
    round: RoundNumber = RoundNumber(0)
    """The round of `bets`: the one in play, or the one to come."""


class Pong(_Said, frozen=True, tag="pong"):
    now: int


class Ok(_Said, frozen=True, tag="ok", omit_defaults=True):
    """It is on disk."""

    id: str
    credit: Cents
    held: Cents
    ticket: str = ""
    bet: BetId = BetId("")
    """The bet that was registered, as the floor knows it."""


class No(_Said, frozen=True, tag="no"):
    """It was refused, and nothing changed."""

    id: str
    reason: str
    message: str
    clause: str | None
    case: str = ""
    facts: dict[str, Fact] = {}
    """What the sentence is about; `croupier.rules.reasons` lists them, by reason and case."""


class Unknown(_Said, frozen=True, tag="unknown"):
    """Whether it was written is unknown: send it again, with the same id."""

    id: str


class Rounds(_Said, frozen=True, tag="rounds"):
    id: str
    rounds: tuple[OwnRound, ...]


class Signed(_Said, frozen=True, tag="receipt"):
    id: str
    receipt: str
    """A text to save: `croupier receipt` and anyone with the floor's public key can check it."""


class BoxRules(msgspec.Struct, frozen=True):
    name: str
    kind: str
    label: str
    pays: str
    win_clause: str
    odds_clause: str


class ReadingShown(msgspec.Struct, frozen=True):
    clause: str
    says: str
    read: str
    why: str


class Book(_Said, frozen=True, tag="rules"):
    id: str
    rulebook: str
    title: str
    operator: str | None
    version: str | None
    hash: str
    layout: str
    layout_title: str
    boxes: tuple[BoxRules, ...]
    calls: tuple[CallShown, ...]
    clauses: dict[str, str]
    readings: tuple[ReadingShown, ...]


class BadMessage(_Said, frozen=True, tag="fault"):
    """A message that is none, or not in its place."""

    message: str


AnyAnswer = Ok | No | Unknown | Rounds | Signed | Book
AnySaid = Welcome | Moved | Room | News | MotionShown | Own | Pong | BadMessage | AnyAnswer


def structs() -> list[type[msgspec.Struct]]:
    """Every message, for whoever writes them down in another language."""
    return [*get_args(AnyDo), *get_args(AnySaid)]
