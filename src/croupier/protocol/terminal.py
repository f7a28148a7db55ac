"""The messages between a Player Terminal and the floor: small JSON objects, checked strictly at both ends.

Messages of a terminal have the tag `do`, messages of the floor the tag `said`. Amounts are whole cents; moments and
spans are milliseconds on the floor's clock. The token says who sends, never the message itself, and the time is the
floor's. docs/protocol.md explains the order of messages, with a conversation.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from croupier.devices.port import Stage
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact
from croupier.rules.statement import Statement
from croupier.table.messages import BetId, Limits, RoundNumber, SeatId
from croupier.table.state import Phase

VERSION = 1
MOST_BETS = 100
"""Bets in one message."""

Id = Annotated[str, Meta(min_length=1, max_length=40)]
Word = Annotated[str, Meta(max_length=128)]
Amount = Annotated[Cents, Meta(ge=1, le=10**12)]
Number = Annotated[int, Meta(ge=0, le=2**53)]


class Closed(IntEnum):
    """Why the floor closed a connection, where the floor has a reason of its own."""

    UNKNOWN_TOKEN = 4001
    """The token is not known, or no longer: connecting again is of no use."""
    TAKEN_OVER = 4002
    """The seat was opened on another connection."""
    NO_SENSE = 4003
    """No hello in time, too many malformed messages, or too many messages per second."""
    UNREAD = 4004
    """The terminal did not read its messages: connect again, and begin with a snapshot."""
    FULL = 4005
    """There are as many terminals as the House allows."""
    MOVED = 4006
    """Another machine works the table. The message `moved` had its address."""


# ---- messages of a terminal


class _FromTerminal(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, gc=False):
    pass


class Hello(_FromTerminal, frozen=True, tag="hello"):
    """The first message. `seen` is the `seq` of the last room or news that this terminal has, 0 for none."""

    version: int
    token: Word
    seen: Number = 0


class Ping(_FromTerminal, frozen=True, tag="ping"):
    """A test that the line is alive. A page cannot see the pings of WebSocket itself."""


class NewBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The terminal makes `id` and keeps it before it sends the bet: it may send the same bet until it is answered."""

    id: Id
    box: Word
    stake: Amount


class Bets(_FromTerminal, frozen=True, tag="bet"):
    """One bet, or as many as a person places with one touch. Each is answered by itself."""

    round: Number
    bets: Annotated[tuple[NewBet, ...], Meta(min_length=1, max_length=MOST_BETS)]


class Withdraw(_FromTerminal, frozen=True, tag="withdraw"):
    """`bet` is the floor's id of the bet, `SEAT.ID`, as in `ok` and `own`."""

    id: Id
    bet: Word
    amount: Amount


class TicketIn(_FromTerminal, frozen=True, tag="ticket-in"):
    id: Id
    ticket: Word


class TicketOut(_FromTerminal, frozen=True, tag="ticket-out"):
    """Turn credit into a ticket. The floor makes its number; sent again with the same id, it is the same ticket."""

    id: Id
    amount: Amount


class ShowLayout(_FromTerminal, frozen=True, tag="layout"):
    """Show another layout, where the book lets the terminal choose and while this seat has no bet on the table."""

    id: Id
    layout: Word


class Recall(_FromTerminal, frozen=True, tag="recall"):
    """Ask for the Player's rounds: the last ten, or one by its number, however old."""

    id: Id
    round: Number | None = None


class Receipt(_FromTerminal, frozen=True, tag="receipt"):
    """Ask for a registered bet of this seat, signed by the floor. An old bet needs its `round`."""

    id: Id
    bet: Word
    round: Number | None = None


class Rules(_FromTerminal, frozen=True, tag="rules"):
    """Ask for the game, the layout of this terminal with every box and its odds, and how the book is read."""

    id: Id


AnyAct = Withdraw | TicketIn | TicketOut | ShowLayout
"""The acts that are written to the journal, apart from bets."""
AnyQuestion = Recall | Receipt | Rules
AnyDo = Hello | Ping | Bets | AnyAct | AnyQuestion

# ---- what everyone at the table may see


class CallShown(msgspec.Struct, frozen=True):
    """The last call, in the book's words; with a bell where the book wants one."""

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
    """The part of a table that every terminal may see: no Player, no stake, no result before it is announced."""

    phase: Phase
    round: RoundNumber
    open: bool
    locked: bool
    stopped: bool
    """The table takes no commands now, and staff look after it."""
    away: bool
    """The database is away, for every table: registered bets are safe, and play goes on by the book."""
    call: CallShown | None
    count: int | None
    """The tumbles or revolutions of this round."""
    layouts: tuple[str, ...]
    """The layouts on display. Where the book lets the terminal choose, it may show one of them."""
    limits: Limits
    result: str | None
    """The last announced result, and the words it is called in."""
    words: str
    lit: dict[str, tuple[str, ...]]
    """The boxes of each layout that are lit now; empty while the felt is dark."""
    past: tuple[PastShown, ...]
    betting: bool = False
    """Are bets open in this phase?"""
    still: bool = False
    """The round stands still until a supervisor has decided about it. Bets are held."""
    law: str = ""
    """The hash of the book in force. When it changes, a terminal asks for the rules and the felt again."""


# ---- what only one terminal may see


class BetFate(msgspec.Struct, frozen=True):
    """The fate of a bet: collected by the House, won or returned, and by which clause."""

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
    sums: tuple[Statement, ...] = ()
    """In the recall of a round that is over: every movement of its money, with clause and sum."""


class OwnRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round of one Player. `before` and `after` are their credit when bets opened and when everything was paid."""

    round: RoundNumber
    outcome: str | None
    void: str | None
    bets: tuple[OwnBet, ...]
    words: str = ""
    before: Cents | None = None
    after: Cents | None = None


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A notice to a Player. `kind`, `case` and `facts` are declared in `croupier.protocol.notices`, for programs with
    words of their own; `message` is an English sentence for those without."""

    at: int
    kind: str
    message: str
    round: RoundNumber | None = None
    bet: BetId | None = None
    amount: Cents | None = None
    clause: str | None = None
    case: str = ""
    facts: dict[str, Fact] = {}


# ---- messages of the floor


class _FromFloor(msgspec.Struct, frozen=True, tag_field="said", gc=False):
    pass


class Welcome(_FromFloor, frozen=True, tag="welcome"):
    """The identity of this terminal, and what does not change while it is connected."""

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
    """The pockets of this table's wheel, clockwise, if it has one and its file lists them."""
    nodes: tuple[str, ...] = ()
    """The other doors of this floor for terminals, in case this one does not answer any more."""


class Moved(_FromFloor, frozen=True, tag="moved"):
    """Instead of a welcome, or later: another machine works this table, and its door is at this address."""

    address: str


class Room(_FromFloor, frozen=True, tag="room"):
    """The whole room, as it is now."""

    seq: int
    closes_in: int | None
    """Milliseconds until bets close, where that is timed."""
    room: RoomView


class News(_FromFloor, frozen=True, tag="news"):
    """The fields of the room that changed. Of `past`, only the rounds that are new or different."""

    seq: int
    closes_in: int | None
    changed: dict[str, msgspec.Raw]


class MotionShown(_FromFloor, frozen=True, tag="motion"):
    """For pictures only: dice tumble, faces land, a ball runs. It decides nothing and may be lost."""

    round: RoundNumber
    stage: Stage
    number: int
    of: int
    faces: tuple[str, ...]
    rate: int
    """Tenths of a revolution a minute."""


class Own(_FromFloor, frozen=True, tag="own"):
    """Everything of this terminal, whole: exactly the bets that are registered."""

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


class Pong(_FromFloor, frozen=True, tag="pong"):
    now: int


class Ok(_FromFloor, frozen=True, tag="ok", omit_defaults=True):
    """The act is on disk."""

    id: str
    credit: Cents
    held: Cents
    ticket: str = ""
    bet: BetId = BetId("")
    """The floor's id of the bet that was registered."""


class No(_FromFloor, frozen=True, tag="no"):
    """The act was refused, and nothing changed."""

    id: str
    reason: str
    message: str
    clause: str | None
    case: str = ""
    facts: dict[str, Fact] = {}
    """The facts of the refusal, declared in `croupier.rules.reasons` by reason and case."""


class Unknown(_FromFloor, frozen=True, tag="unknown"):
    """The result is unknown: send the act again, with the same id."""

    id: str


class Rounds(_FromFloor, frozen=True, tag="rounds"):
    id: str
    rounds: tuple[OwnRound, ...]


class Signed(_FromFloor, frozen=True, tag="receipt"):
    id: str
    receipt: str
    """A text to save: `croupier receipt`, and anyone with the floor's public key, can check it."""


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


class Book(_FromFloor, frozen=True, tag="rules"):
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


class BadMessage(_FromFloor, frozen=True, tag="fault"):
    """The terminal's message is malformed, or out of order."""

    message: str


AnyAnswer = Ok | No | Unknown | Rounds | Signed | Book
AnySaid = Welcome | Moved | Room | News | MotionShown | Own | Pong | BadMessage | AnyAnswer


def structs() -> list[type[msgspec.Struct]]:
    """Every message, for generators of other languages."""
    return [*get_args(AnyDo), *get_args(AnySaid)]
