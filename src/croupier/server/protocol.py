"""What a Player Terminal and the floor say to each other: small JSON messages, strict both ways.

A terminal says `do`, the floor says `said`. Amounts are whole cents. Whoever speaks is known from the session, never
from a message; the time is the floor's.
"""

from __future__ import annotations

import msgspec

from croupier.rules.money import Cents
from croupier.table.messages import Paid
from croupier.table.view import DisplayView, OwnBet

VERSION = 1

# ---- a terminal


class _Do(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    pass


class Hello(_Do, frozen=True, tag="hello"):
    """The first message. `seen` is the number of the last push this terminal has, 0 for none."""

    version: int
    token: str
    seen: int = 0


class Bet(_Do, frozen=True, tag="bet"):
    """`id` is made by the terminal and kept before it is sent: the same bet may be sent again until it is answered."""

    id: str
    round: int
    box: str
    stake: Cents


class Withdraw(_Do, frozen=True, tag="withdraw"):
    id: str
    bet: str
    amount: Cents


class TicketIn(_Do, frozen=True, tag="ticket-in"):
    id: str
    ticket: str


class TicketOut(_Do, frozen=True, tag="ticket-out"):
    """Credit to a ticket; the floor makes its number. Sent again with the same id, it is the same ticket."""

    id: str
    amount: Cents


AnyDo = Hello | Bet | Withdraw | TicketIn | TicketOut

# ---- the floor


class _Said(msgspec.Struct, frozen=True, tag_field="said"):
    pass


class Welcome(_Said, frozen=True, tag="welcome"):
    version: int
    table: str
    seat: str
    layout: str
    seq: int


class Room(_Said, frozen=True, tag="room"):
    """What the whole room may see, as it is now; the same bytes for every terminal of a table."""

    seq: int
    room: DisplayView
    closes_in: int | None
    """Milliseconds until bets close, where that is timed."""


class Own(_Said, frozen=True, tag="own"):
    """What is the terminal's own: exactly the bets that are registered."""

    seq: int
    credit: Cents
    held: Cents
    owes: Cents
    bets: tuple[OwnBet, ...]
    last_fates: tuple[Paid, ...]


class Ok(_Said, frozen=True, tag="ok", omit_defaults=True):
    """It is on disk."""

    id: str
    credit: Cents
    held: Cents
    ticket: str = ""


class No(_Said, frozen=True, tag="no"):
    id: str
    reason: str
    message: str
    clause: str | None


class Unknown(_Said, frozen=True, tag="unknown"):
    """Whether it was written is unknown: send it again, with the same id."""

    id: str


class Fault(_Said, frozen=True, tag="fault"):
    """A message that is none, or not in its place."""

    message: str


AnySaid = Welcome | Room | Own | Ok | No | Unknown | Fault
