"""What may be asked of the office (commands) and what happened there (events). Nothing here decides."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.rules.refusal import Fact
from croupier.table.messages import Command, Event, PersonId, SeatId, Signature
from croupier.table.roles import OfficeRole

Failure = Literal["wrong", "unknown", "locked", "retired", "no-password"]
"""Why somebody was not let in: `unknown` is a name that nobody has, `locked` one that must wait."""
Ending = Literal["logout", "everywhere", "idle", "expired", "retired", "password", "crowded"]
"""Why a session ended: by its owner, by time, because the account or its password is another now, or because the person
began one too many."""

# ---- values inside messages


class Because(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal that something happened for, as facts; as a sentence where it was one."""

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
    """That a password was set. Its hash is kept beside the journal; here is only the SHA-256 of that hash, with its
    salt, so that nobody can put another in its place. `session` is the one in which a person set it."""

    person: PersonId
    digest: str
    session: str = ""


class MakeLink(Command, frozen=True):
    """Let the bearer of the key with this digest sign in as a person, once."""

    person: PersonId
    digest: str
    until: int
    session: str = ""


class BeginSession(Command, frozen=True):
    """A person signed in, with their password or with a link; `digest` is that of the token they got, `browser` that
    of what their browser keeps."""

    person: PersonId
    digest: str
    where: str
    link: str = ""
    browser: str = ""


class NoteFailure(Command, frozen=True):
    """Somebody was not let in: so many `times` since the last row that said so. A name nobody has is not written down,
    for it may be a password typed into the wrong field. `browser` is one in which this person has signed in before."""

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
    """Hold everyone, from now on, to this version of the rules of who is who."""

    rules: int


class NameFounders(Command, frozen=True):
    """The people who begin as confirmed, because they stood together at the machine: once in the life of a floor.
    `digests` are those of the passwords they chose there."""

    people: tuple[PersonId, ...]
    digests: tuple[str, ...]


class ConfirmPerson(Command, frozen=True):
    """A confirmed person says that whoever chose the password with this digest is the person they call themselves."""

    person: PersonId
    digest: str
    session: str = ""


class NoteAsker(Command, frozen=True):
    """In which session an act was asked for that waits for a second person; `place` is a table or the cage."""

    person: PersonId
    place: str
    request: int
    session: str


class RequirePasskeys(Command, frozen=True):
    """From now on, and for the life of the floor, who asks for a dangerous act and who approves it sign with a
    passkey."""


class AddPasskey(Command, frozen=True):
    """A device that signs for a person; `host` is the address of the pages it was made for."""

    person: PersonId
    credential: str
    key: bytes
    host: str
    session: str = ""


class DropPasskey(Command, frozen=True):
    person: PersonId
    credential: str


class SignAsking(Command, frozen=True):
    """Who has asked for an act that waits for a second person signs that they did."""

    place: str
    request: int
    signature: Signature
    session: str = ""


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
    """Something needs a person's eye; `table` is empty if it concerns the whole floor. `croupier.rules.alerts` has the
    kinds, their cases and the facts of each; an alert of before has a sentence, `what`, in place of case and facts."""

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
    """`maker` chose it (the person, another, or `machine/NAME`); rows from before the rules do not say."""

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
    """`reason` is a person's; empty where another terminal was enrolled for the seat."""

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
