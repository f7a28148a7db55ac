"""Commands to the cage (imperative) and events at it (past tense). This file decides nothing."""

from __future__ import annotations

from croupier.rules.money import Cents
from croupier.table.messages import (
    ApprovalDeclined,
    ApprovalGiven,
    ApprovalRequested,
    Command,
    Event,
    PersonId,
    Signature,
)
from croupier.table.roles import Role
from croupier.table.tickets import TicketState

# ---- commands


class SellTicket(Command, frozen=True):
    ticket: str
    amount: Cents
    expires: int


class PayTicket(Command, frozen=True):
    ticket: str
    amount: Cents
    expires: int
    found: TicketState


class VoidTicket(Command, frozen=True):
    """Take the value from a ticket; a lost or damaged one gets a replacement. Needs two people."""

    ticket: str
    amount: Cents
    expires: int
    found: TicketState
    reason: str
    replacement: str = ""
    replacement_expires: int = 0


class ReprintTicket(Command, frozen=True):
    """Print a live ticket again, marked as a duplicate. It can still be redeemed only once."""

    ticket: str
    amount: Cents
    expires: int
    found: TicketState
    reason: str


class ExpireTicket(Command, frozen=True):
    ticket: str
    amount: Cents
    expires: int
    found: TicketState


class PayUnclaimed(Command, frozen=True):
    """Pay an expired ticket. Needs two people."""

    ticket: str
    amount: Cents
    found: TicketState
    reason: str


class EmployStaff(Command, frozen=True):
    person: PersonId
    roles: tuple[Role, ...]


class ApproveRequest(Command, frozen=True):
    """A second person agrees to exactly the content of a request; `found` is the state of its ticket now."""

    request: int
    digest: str
    found: TicketState
    signature: Signature | None = None


class DeclineRequest(Command, frozen=True):
    request: int


# ---- events


class TicketSold(Event, frozen=True):
    ticket: str
    amount: Cents
    expires: int


class TicketPaid(Event, frozen=True):
    ticket: str
    amount: Cents


class TicketVoided(Event, frozen=True):
    ticket: str
    amount: Cents
    reason: str
    replacement: str
    replacement_expires: int


class TicketReprinted(Event, frozen=True):
    ticket: str
    amount: Cents
    reason: str


class TicketExpired(Event, frozen=True):
    ticket: str
    amount: Cents


class UnclaimedPaid(Event, frozen=True):
    ticket: str
    amount: Cents
    reason: str


class StaffEmployed(Event, frozen=True):
    person: PersonId
    roles: tuple[Role, ...]


TwoPeople = VoidTicket | PayUnclaimed
"""Commands that need a second person."""
AnyCageCommand = (
    SellTicket
    | PayTicket
    | VoidTicket
    | ReprintTicket
    | ExpireTicket
    | PayUnclaimed
    | EmployStaff
    | ApproveRequest
    | DeclineRequest
)
AnyCageEvent = (
    TicketSold
    | TicketPaid
    | TicketVoided
    | TicketReprinted
    | TicketExpired
    | UnclaimedPaid
    | StaffEmployed
    | ApprovalRequested
    | ApprovalGiven
    | ApprovalDeclined
)
