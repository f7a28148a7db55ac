"""Commands to the office (imperative) and events at it (past tense). This file decides nothing."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.rules.refusal import Fact
from croupier.table.messages import Command, Event, PersonId, SeatId, Signature
from croupier.table.roles import OfficeRole

Failure = Literal["wrong", "unknown", "locked", "retired", "no-password"]
"""Why a sign-in failed: `unknown` is a name without an account, `locked` one that must wait."""
Ending = Literal["logout", "everywhere", "idle", "expired", "retired", "password", "crowded"]
"""Why a session ended: its owner ended it, time passed, the account or its password changed, or the person began one
session too many."""

# ---- values inside messages


class Because(msgspec.Struct, frozen=True, omit_defaults=True):
    """The refusal that caused an alert, as facts; in old rows as a sentence."""

    reason: str
    case: str = ""
    clause: str | None = None
    facts: dict[str, Fact] = {}
    message: str = ""


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
    """A password was set. Its hash is kept outside the journal. `digest` is the SHA-256 of that hash with its salt, so
    that nobody can replace the hash. `session` is the session in which the password was set."""

    person: PersonId
    digest: str
    session: str = ""


class MakeLink(Command, frozen=True):
    """Let the holder of the link with this digest sign in as a person, once."""

    person: PersonId
    digest: str
    until: int
    session: str = ""


class BeginSession(Command, frozen=True):
    """A person signed in with their password or with a link. `digest` is the digest of their new token, `browser` that
    of the secret that their browser keeps."""

    person: PersonId
    digest: str
    where: str
    link: str = ""
    browser: str = ""


class NoteFailure(Command, frozen=True):
    """Sign-ins failed, `times` since the last row about it. A name without an account is not written down, because it
    may be a password in the wrong field. `browser` is a browser in which this person has signed in before."""

    person: PersonId
    why: Failure
    where: str
    times: int
    browser: str = ""


class EndSessions(Command, frozen=True):
    """End these sessions of a person, or all of them if none is named."""

    person: PersonId
    how: Ending
    digests: tuple[str, ...] = ()


class AdoptRules(Command, frozen=True):
    """From now on apply this version of the rules of who is who."""

    rules: int


class NameFounders(Command, frozen=True):
    """Confirm the first people of a floor, who were together at the machine: once in the life of a floor. `digests` are
    those of the passwords that they chose there."""

    people: tuple[PersonId, ...]
    digests: tuple[str, ...]


class ConfirmPerson(Command, frozen=True):
    """A confirmed person vouches that the person who chose the password with this digest is who they say they are."""

    person: PersonId
    digest: str
    session: str = ""


class NoteAsker(Command, frozen=True):
    """The session in which a request for a second person was made; `place` is a table or the cage."""

    person: PersonId
    place: str
    request: int
    session: str


class RequirePasskeys(Command, frozen=True):
    """From now on, and for the life of the floor, the person who requests a dangerous act and the person who approves
    it both sign with a passkey."""


class AddPasskey(Command, frozen=True):
    """Register a passkey of a person; `host` is the host of the pages it was made for."""

    person: PersonId
    credential: str
    key: bytes
    host: str
    session: str = ""


class DropPasskey(Command, frozen=True):
    person: PersonId
    credential: str


class SignAsking(Command, frozen=True):
    """The person who made a request signs it with a passkey."""

    place: str
    request: int
    signature: Signature
    session: str = ""


class EnrolTerminal(Command, frozen=True):
    """Bind the terminal that has the token with this digest to a seat. The seat's earlier terminal is retired."""

    digest: str
    table: str
    seat: SeatId


class RetireTerminal(Command, frozen=True):
    table: str
    seat: SeatId
    reason: str


class RaiseAlert(Command, frozen=True):
    """Raise an alert for people; `table` is empty if it concerns the whole floor. `croupier.rules.alerts` has the
    kinds, their cases and the facts of each. An old alert has a sentence, `what`, instead of case and facts."""

    kind: str
    table: str
    what: str = ""
    case: str = ""
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)
    because: Because | None = None


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
    """`maker` chose it: the person, another, or `machine/NAME`. Rows from before the rules do not have it."""

    person: PersonId
    digest: str
    maker: str = ""
    vouched_by: tuple[str, ...] = ()
    confirmed: bool = False


class LinkMade(Event, frozen=True):
    person: PersonId
    digest: str
    until: int
    maker: str = ""
    vouched: bool = False


class SessionBegun(Event, frozen=True):
    person: PersonId
    digest: str
    where: str
    link: str
    browser: str = ""


class FailureNoted(Event, frozen=True):
    person: PersonId
    why: Failure
    where: str
    times: int
    browser: str = ""


class SessionsEnded(Event, frozen=True):
    person: PersonId
    how: Ending
    digests: tuple[str, ...]


class RulesAdopted(Event, frozen=True):
    rules: int


class FoundersNamed(Event, frozen=True):
    people: tuple[PersonId, ...]
    digests: tuple[str, ...]


class PersonConfirmed(Event, frozen=True):
    person: PersonId
    digest: str


class AskerNoted(Event, frozen=True):
    person: PersonId
    place: str
    request: int
    session: str


class PasskeysRequired(Event, frozen=True): ...


class PasskeyAdded(Event, frozen=True):
    person: PersonId
    credential: str
    key: bytes
    host: str


class PasskeyDropped(Event, frozen=True):
    person: PersonId
    credential: str


class AskingSigned(Event, frozen=True):
    place: str
    request: int
    signature: Signature


class TerminalEnrolled(Event, frozen=True):
    digest: str
    table: str
    seat: SeatId


class TerminalRetired(Event, frozen=True):
    """`reason` is the reason that a person gave; empty if another terminal was enrolled for the seat."""

    digest: str
    table: str
    seat: SeatId
    reason: str


class AlertRaised(Event, frozen=True):
    alert: int
    kind: str
    table: str
    what: str = ""
    case: str = ""
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)
    because: Because | None = None


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
    | AdoptRules
    | NameFounders
    | ConfirmPerson
    | NoteAsker
    | RequirePasskeys
    | AddPasskey
    | DropPasskey
    | SignAsking
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
    | RulesAdopted
    | FoundersNamed
    | PersonConfirmed
    | AskerNoted
    | PasskeysRequired
    | PasskeyAdded
    | PasskeyDropped
    | AskingSigned
    | TerminalEnrolled
    | TerminalRetired
    | AlertRaised
    | AlertAcknowledged
)
