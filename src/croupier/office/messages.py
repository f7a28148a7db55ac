"""What may be asked of the office (commands) and what happened there (events). Nothing here decides."""

from __future__ import annotations

from typing import Literal

from croupier.table.messages import Command, Event, PersonId, SeatId

OfficeRole = Literal["administrator", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "cashier", "auditor"]
"""What an account is on the floor. A device has no account: it does not sign in."""
Failure = Literal["wrong", "unknown", "locked", "retired", "no-password"]
"""Why somebody was not let in: `unknown` is a name that nobody has, `locked` one that must wait."""
Ending = Literal["logout", "everywhere", "idle", "expired", "retired", "password", "crowded"]
"""Why a session ended: by its owner, by time, because the account or its password is another now, or because the person
began one too many."""

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
    """That a password was set. Its hash is kept beside the journal; here is only the SHA-256 of that hash, with its
    salt, so that nobody can put another in its place."""

    person: PersonId
    digest: str


class MakeLink(Command, frozen=True):
    """Let the bearer of the key with this digest sign in as a person, once."""

    person: PersonId
    digest: str
    until: int


class BeginSession(Command, frozen=True):
    """A person signed in, with his password or with a link; `digest` is that of the token he got."""

    person: PersonId
    digest: str
    where: str
    link: str = ""


class NoteFailure(Command, frozen=True):
    """Somebody was not let in: so many `times` since the last row that said so. A name nobody has is not written down,
    for it may be a password typed into the wrong field."""

    person: PersonId
    why: Failure
    where: str
    times: int


class EndSessions(Command, frozen=True):
    """End these sessions of a person, or all of them if none is named."""

    person: PersonId
    how: Ending
    digests: tuple[str, ...] = ()


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
    digest: str


class LinkMade(Event, frozen=True):
    person: PersonId
    digest: str
    until: int


class SessionBegun(Event, frozen=True):
    person: PersonId
    digest: str
    where: str
    link: str


class FailureNoted(Event, frozen=True):
    person: PersonId
    why: Failure
    where: str
    times: int


class SessionsEnded(Event, frozen=True):
    person: PersonId
    how: Ending
    digests: tuple[str, ...]


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
    | MakeLink
    | BeginSession
    | NoteFailure
    | EndSessions
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
    | LinkMade
    | SessionBegun
    | FailureNoted
    | SessionsEnded
    | TerminalEnrolled
    | TerminalRetired
    | AlertRaised
    | AlertAcknowledged
)
