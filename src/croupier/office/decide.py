"""A command to the office becomes events or a refusal. Reads the office and changes nothing."""

from __future__ import annotations

import re
from typing import assert_never

from msgspec.structs import replace

from croupier.office import messages as o
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent
from croupier.office.names import check_new_name
from croupier.office.people import CONFIRMERS, check_added, check_confirms, check_signing, credential_of
from croupier.office.state import (
    MACHINE,
    RULES,
    VOUCHERS,
    Account,
    Office,
    check_administered,
    check_person,
    open_alert,
    sessions_of,
)
from croupier.rules.alerts import LONGEST, letters
from croupier.rules.refusal import Refused
from croupier.table.checks import check_name
from croupier.table.messages import Command, PersonId
from croupier.table.permits import SYSTEM
from croupier.table.roles import ADMINISTRATOR, OFFICE_ROLES, SUPERVISION

SELF = "self"
_KEEPERS = (ADMINISTRATOR, MACHINE)

PERMITS: dict[type[Command], tuple[str, ...]] = {
    o.MakeAccount: _KEEPERS,
    o.SetRoles: _KEEPERS,
    o.RetireAccount: _KEEPERS,
    o.NotePassword: (*_KEEPERS, SELF),
    o.MakeLink: _KEEPERS,
    o.BeginSession: (SYSTEM,),
    o.NoteFailure: (SYSTEM,),
    o.EndSessions: (SYSTEM, *_KEEPERS, SELF),
    o.AdoptRules: (SYSTEM, MACHINE),
    o.NameFounders: (MACHINE,),
    o.ConfirmPerson: CONFIRMERS,
    o.NoteAsker: (SYSTEM,),
    o.RequirePasskeys: (SYSTEM,),
    o.AddPasskey: (SELF,),
    o.DropPasskey: (*_KEEPERS, SELF),
    o.SignAsking: (*OFFICE_ROLES,),
    o.EnrolTerminal: _KEEPERS,
    o.RetireTerminal: (*_KEEPERS, *SUPERVISION),
    o.RaiseAlert: (SYSTEM,),
    o.AcknowledgeAlert: (*_KEEPERS, *SUPERVISION),
}
"""Roles by command; `system` is the floor's own software, `machine` a person at its command line, `self` the person
whom the command is about. Everything else is denied."""

MOST_OPEN = 1_000
"""The most open alerts. The first thousand say enough."""
MOST_SESSIONS = 20
"""The most sessions of one person. One more ends the oldest."""
MOST_LINKS = 10
LONGEST_LINK = 24 * 3_600_000
MOST_WORDS = 400
"""The most letters of a note or a reason."""
MOST_FACTS = 8 * LONGEST
"""The most letters of all facts of an alert."""
_DIGEST = re.compile("[0-9a-f]{64}")


def authorise(office: Office, command: AnyOfficeCommand) -> None:
    """Refuse a command that its giver may not give."""
    allowed = PERMITS.get(type(command), ())
    if command.by == SYSTEM and SYSTEM in allowed:
        return
    if command.by.startswith(f"{MACHINE}/") and MACHINE in allowed:
        return
    account = office.accounts.get(PersonId(command.by))
    held = account.roles if account and not account.retired else ()
    if held and SELF in allowed and getattr(command, "person", None) == command.by:
        return
    if not set(allowed) & set(held):
        act = type(command).__name__
        if not held:
            raise Refused("permission", "no-account", person=command.by, act=act, allowed=allowed)
        raise Refused("permission", "role", person=command.by, act=act, held=held, allowed=allowed)


def decide(office: Office, command: AnyOfficeCommand) -> list[AnyOfficeEvent]:
    """The events of a command. Raises Refused, and then nothing has happened."""
    authorise(office, command)
    match command:
        case o.MakeAccount() | o.SetRoles() | o.RetireAccount():
            return _account(office, command)
        case o.NotePassword():
            return _password(office, command)
        case o.MakeLink():
            return [_link(office, command)]
        case o.BeginSession():
            return _begin(office, command)
        case o.NoteFailure():
            whence = (command.where, command.times, command.browser)
            return [o.FailureNoted(command.by, command.at, command.person, command.why, *whence)]
        case o.EndSessions():
            return _end(office, command)
        case o.AdoptRules():
            return [_adopt(office, command)]
        case o.NameFounders():
            return _found(office, command)
        case o.ConfirmPerson():
            _live(office, command.person)
            check_confirms(office, command)
            return [o.PersonConfirmed(command.by, command.at, command.person, command.digest)]
        case o.NoteAsker():
            return [_note_asker(office, command)]
        case o.RequirePasskeys():
            return [] if office.passkeys_since else [o.PasskeysRequired(command.by, command.at)]
        case o.AddPasskey() | o.DropPasskey() | o.SignAsking():
            return [_passkey(office, command)]
        case o.EnrolTerminal():
            return _enrol(office, command)
        case o.RetireTerminal():
            return _retire(office, command)
        case o.RaiseAlert():
            return [_raise(office, command)]
        case o.AcknowledgeAlert():
            return [_acknowledge(office, command)]
        case _:
            assert_never(command)


# ---- accounts


def _account(office: Office, command: o.MakeAccount | o.SetRoles | o.RetireAccount) -> list[AnyOfficeEvent]:
    by, at, person = command.by, command.at, command.person
    match command:
        case o.MakeAccount():
            check_person(person, command.roles)
            if person in office.accounts:
                raise Refused("account", "retired-name" if office.accounts[person].retired else "there", person=person)
            if office.rules:
                check_new_name(person, office.accounts)
            return [o.AccountMade(by, at, person, command.roles)]
        case o.SetRoles():
            account = _live(office, person)
            check_person(person, command.roles)
            check_administered(office.accounts | {person: Account(command.roles, account.retired)})
            return [o.RolesSet(by, at, person, command.roles)]
        case o.RetireAccount():
            account = _live(office, person)
            check_administered(office.accounts | {person: Account(account.roles, retired=True)})
            retired = o.AccountRetired(by, at, person, _reason(command.reason))
            return [*_all_out(office, command, "retired"), retired]
        case _:
            assert_never(command)


def _live(office: Office, person: PersonId) -> Account:
    account = office.accounts.get(person)
    if account is None or account.retired:
        raise Refused("account", "retired" if account else "unknown", person=person)
    return account


def _reason(text: str) -> str:
    if not text.strip() or len(text) > MOST_WORDS:
        raise Refused("reason", "letters", most=MOST_WORDS)
    return text


def _check_digest(office: Office, digest: str) -> None:
    """Refuse the digest of a token that is already in use."""
    if not _DIGEST.fullmatch(digest) or digest in {*office.sessions, *office.links, *office.terminals}:
        raise Refused("token", "digest")


# ---- sessions


def _password(office: Office, command: o.NotePassword) -> list[AnyOfficeEvent]:
    _live(office, command.person)
    if not _DIGEST.fullmatch(command.digest):
        raise Refused("password", "digest")
    made = credential_of(office, command) if office.rules else ()
    noted = o.PasswordNoted(command.by, command.at, command.person, command.digest, *made)
    return [noted, *_all_out(office, command, "password")]


def _link(office: Office, command: o.MakeLink) -> o.LinkMade:
    _live(office, command.person)
    _check_digest(office, command.digest)
    waiting = sum(link.person == command.person and link.until > command.at for link in office.links.values())
    if waiting >= MOST_LINKS:
        raise Refused("link", "unused", person=command.person, links=waiting)
    if not command.at < command.until <= command.at + LONGEST_LINK:
        raise Refused("link", "life", hours=LONGEST_LINK // 3_600_000)
    made = o.LinkMade(command.by, command.at, command.person, command.digest, command.until)
    if not office.rules:
        return made
    maker, vouched_by, _ = credential_of(office, command)
    return replace(made, maker=maker, vouched=bool(vouched_by))


def _begin(office: Office, command: o.BeginSession) -> list[AnyOfficeEvent]:
    _live(office, command.person)
    _check_digest(office, command.digest)
    if command.link:
        link = office.links.get(command.link)
        if link is None or link.person != command.person or link.until <= command.at:
            raise Refused("link", "used")
    from_where = (command.where, command.link, command.browser)
    begun = o.SessionBegun(command.by, command.at, command.person, command.digest, *from_where)
    crowd = sessions_of(office, command.person)[: 1 - MOST_SESSIONS]
    if not crowd:
        return [begun]
    return [o.SessionsEnded(command.by, command.at, command.person, "crowded", crowd), begun]


def _end(office: Office, command: o.EndSessions) -> list[AnyOfficeEvent]:
    theirs = sessions_of(office, command.person)
    if not command.digests:
        return _all_out(office, command, command.how)
    if not set(command.digests) <= set(theirs) or len(set(command.digests)) < len(command.digests):
        raise Refused("session", "not-theirs", person=command.person)
    return [o.SessionsEnded(command.by, command.at, command.person, command.how, command.digests)]


# ---- confirmation of people


def _adopt(office: Office, command: o.AdoptRules) -> o.RulesAdopted:
    if not office.rules < command.rules <= RULES:
        raise Refused("rules", "version", rules=office.rules, known=RULES)
    return o.RulesAdopted(command.by, command.at, command.rules)


def _found(office: Office, command: o.NameFounders) -> list[AnyOfficeEvent]:
    people, digests = command.people, command.digests
    if office.founded or not office.rules:
        raise Refused("founders", "once")
    held = [set(_live(office, person).roles) for person in people]
    if len(set(people)) < max(VOUCHERS, len(people)) or not all(roles & set(CONFIRMERS) for roles in held):
        raise Refused("founders", "people", least=VOUCHERS)
    if not any(ADMINISTRATOR in roles for roles in held):
        raise Refused("founders", "no-administrator")
    if len(set(digests)) < len(people) or not all(map(_DIGEST.fullmatch, digests)):
        raise Refused("password", "digest")
    ended = [event for person in people for event in _ended(office, command, person, "password")]
    return [o.FoundersNamed(command.by, command.at, people, digests), *ended]


def _note_asker(office: Office, command: o.NoteAsker) -> o.AskerNoted:
    session = office.sessions.get(command.session)
    if session is None or session.person != command.person:
        raise Refused("session", "none")
    return o.AskerNoted(command.by, command.at, command.person, command.place, command.request, command.session)


def _passkey(office: Office, command: o.AddPasskey | o.DropPasskey | o.SignAsking) -> AnyOfficeEvent:
    by, at = command.by, command.at
    match command:
        case o.AddPasskey():
            check_added(office, command)
            return o.PasskeyAdded(by, at, command.person, command.credential, command.key, command.host)
        case o.DropPasskey():
            kept = _live(office, command.person).passkeys
            if not any(one.credential == command.credential and not one.until for one in kept):
                raise Refused("passkey", "unknown", person=command.person)
            return o.PasskeyDropped(by, at, command.person, command.credential)
        case o.SignAsking():
            check_signing(office, command)
            return o.AskingSigned(by, at, command.place, command.request, command.signature)
        case _:
            assert_never(command)


def _all_out(
    office: Office, command: o.RetireAccount | o.NotePassword | o.EndSessions, how: o.Ending
) -> list[AnyOfficeEvent]:
    return _ended(office, command, command.person, how)


def _ended(office: Office, command: AnyOfficeCommand, person: PersonId, how: o.Ending) -> list[AnyOfficeEvent]:
    theirs = sessions_of(office, person)
    return [o.SessionsEnded(command.by, command.at, person, how, theirs)] if theirs else []


# ---- terminals


def _enrol(office: Office, command: o.EnrolTerminal) -> list[AnyOfficeEvent]:
    check_name("table", command.table)
    check_name("seat", command.seat)
    _check_digest(office, command.digest)
    made = o.TerminalEnrolled(command.by, command.at, command.digest, command.table, command.seat)
    return [*_out(office, command), made]


def _retire(office: Office, command: o.RetireTerminal) -> list[AnyOfficeEvent]:
    events = _out(office, command, _reason(command.reason))
    if not events:
        raise Refused("terminal", "none-enrolled", table=command.table, seat=command.seat)
    return events


def _out(office: Office, command: o.EnrolTerminal | o.RetireTerminal, reason: str = "") -> list[AnyOfficeEvent]:
    """Retire the terminal that has the seat, if there is one."""
    return [
        o.TerminalRetired(command.by, command.at, digest, terminal.table, terminal.seat, reason)
        for digest, terminal in office.terminals.items()
        if (terminal.table, terminal.seat) == (command.table, command.seat)
    ]


# ---- alerts


def _raise(office: Office, command: o.RaiseAlert) -> o.AlertRaised:
    same = open_alert(office, command)
    if same is not None:
        raise Refused("alert", "open", alert=same.number)
    waiting = sum(alert.open for alert in office.alerts.values())
    if waiting >= MOST_OPEN:
        raise Refused("alert", "too-many", alerts=waiting)
    check_name("kind-of-alert", "-".join(filter(None, (command.kind, command.case))))
    if not (command.case or command.what.strip()) or len(command.what) > MOST_WORDS:
        raise Refused("text of an alert", "letters", most=MOST_WORDS)
    facts = [*command.facts.values(), *(command.because.facts.values() if command.because else ())]
    if sum(map(letters, facts)) > MOST_FACTS:
        raise Refused("text of an alert", "letters", most=MOST_FACTS)
    content = (command.kind, command.table, command.what, command.case, command.facts, command.because)
    return o.AlertRaised(command.by, command.at, office.next_alert, *content)


def _acknowledge(office: Office, command: o.AcknowledgeAlert) -> o.AlertAcknowledged:
    alert = office.alerts.get(command.alert)
    if alert is None:
        raise Refused("alert", "unknown", alert=command.alert)
    if not alert.open:
        raise Refused("alert", "acknowledged", person=alert.acknowledged_by, alert=alert.number)
    if len(command.note) > MOST_WORDS:
        raise Refused("note", "long", most=MOST_WORDS)
    return o.AlertAcknowledged(command.by, command.at, command.alert, command.note)
