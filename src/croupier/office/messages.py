"""What may be asked of the office (commands) and what happened there (events). Nothing here decides."""

from __future__ import annotations

from typing import Literal

from croupier.table.messages import Command, Event, PersonId, SeatId

OfficeRole = Literal["administrator", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "cashier", "auditor"]
"""What an account is on the floor. A device has no account: it does not sign in."""
Failure = Literal["wrong", "unknown", "locked", "retired", "no-password"]
"""Why somebody was not let in; `unknown` is a name that nobody has."""
Way = Literal["password", "link"]
Ending = Literal["logout", "everywhere", "idle", "expired", "retired", "password"]
"""Why a session ended: by its owner, by time, or because the account or its password is another now."""

# ---- commands


class MakeAccount(Command, frozen=True):
    person: PersonId
    roles: tuple[OfficeRole, ...]


class SetRoles(Command, frozen=True):
    person: PersonId
    roles: tuple[OfficeRole, ...]


class RetireAccount(Command, frozen=True):
    person: PersonId
    reason: str


class NotePassword(Command, frozen=True):
    """That a password was set; the password itself is nowhere in a journal, not even as a hash."""

    person: PersonId


class NoteLink(Command, frozen=True):
    """That a one-time link was made, with which this person can sign in once."""

    person: PersonId


class NoteLogin(Command, frozen=True):
    """Somebody signed in; `where` is the address he came from."""

    person: PersonId
    way: Way
    where: str


class NoteFailure(Command, frozen=True):
    """Somebody was not let in: `times` more since the last row that said so. A name nobody has is not written down."""

    person: PersonId
    why: Failure
    where: str
    times: int


class NoteLogout(Command, frozen=True):
    """Sessions of a person that ended, and why."""

    person: PersonId
    how: Ending
    sessions: int


class EnrolTerminal(Command, frozen=True):
    """Bind the terminal that has the token with this digest to a seat; the one that had the seat is retired."""

    digest: str
    table: str
    seat: SeatId


class RetireTerminal(Command, frozen=True):
    table: str
    seat: SeatId
    reason: str


class RaiseAlert(Command, frozen=True):
    """Something needs a person's eye; `table` is empty if it concerns the whole floor."""

    kind: str
    table: str
    what: str


class AcknowledgeAlert(Command, frozen=True):
    alert: int
    note: str = ""


# ---- events


class AccountMade(Event, frozen=True):
    person: PersonId
    roles: tuple[OfficeRole, ...]


class RolesSet(Event, frozen=True):
    person: PersonId
    roles: tuple[OfficeRole, ...]


class AccountRetired(Event, frozen=True):
    person: PersonId
    reason: str


class PasswordNoted(Event, frozen=True):
    person: PersonId


class LinkNoted(Event, frozen=True):
    person: PersonId


class LoginNoted(Event, frozen=True):
    person: PersonId
    way: Way
    where: str


class FailureNoted(Event, frozen=True):
    person: PersonId
    why: Failure
    where: str
    times: int


class LogoutNoted(Event, frozen=True):
    person: PersonId
    how: Ending
    sessions: int


class TerminalEnrolled(Event, frozen=True):
    digest: str
    table: str
    seat: SeatId


class TerminalRetired(Event, frozen=True):
    digest: str
    table: str
    seat: SeatId
    reason: str


class AlertRaised(Event, frozen=True):
    alert: int
    kind: str
    table: str
    what: str


class AlertAcknowledged(Event, frozen=True):
    alert: int
    note: str


AnyOfficeCommand = (
    MakeAccount
    | SetRoles
    | RetireAccount
    | NotePassword
    | NoteLink
    | NoteLogin
    | NoteFailure
    | NoteLogout
    | EnrolTerminal
    | RetireTerminal
    | RaiseAlert
    | AcknowledgeAlert
)
AnyOfficeEvent = (
    AccountMade
    | RolesSet
    | AccountRetired
    | PasswordNoted
    | LinkNoted
    | LoginNoted
    | FailureNoted
    | LogoutNoted
    | TerminalEnrolled
    | TerminalRetired
    | AlertRaised
    | AlertAcknowledged
)
