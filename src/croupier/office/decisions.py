"""What a command to the office leads to: events, or a refusal. Reads the office; changes nothing."""

from __future__ import annotations

import re
from typing import assert_never

from croupier.office import messages as o
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent
from croupier.office.state import (
    ADMINISTRATOR,
    MACHINE,
    Account,
    Office,
    check_administered,
    check_person,
    open_alert,
)
from croupier.rules.refusal import Refused
from croupier.table.lookup import check_name
from croupier.table.messages import Command, PersonId
from croupier.table.permits import SUPERVISION, SYSTEM

SELF = "self"
_KEEPERS = (ADMINISTRATOR, MACHINE)

PERMITS: dict[type[Command], tuple[str, ...]] = {
    o.MakeAccount: _KEEPERS,
    o.SetRoles: _KEEPERS,
    o.RetireAccount: _KEEPERS,
    o.NotePassword: (*_KEEPERS, SELF),
    o.NoteLink: _KEEPERS,
    o.NoteLogin: (SYSTEM,),
    o.NoteFailure: (SYSTEM,),
    o.NoteLogout: (SYSTEM,),
    o.EnrolTerminal: _KEEPERS,
    o.RetireTerminal: (*_KEEPERS, *SUPERVISION),
    o.RaiseAlert: (SYSTEM,),
    o.AcknowledgeAlert: (*_KEEPERS, *SUPERVISION),
}
"""Roles by command; `system` is the floor's own software, `machine` whoever has its command line, `self` the person it
is about. What is not here is denied."""

MOST_OPEN = 1_000
"""Alerts that may wait for an eye; the first thousand say enough."""
MOST_WORDS = 400
"""Letters of a note, a reason, or of what an alert says."""
_DIGEST = re.compile("[0-9a-f]{64}")


def authorise(office: Office, command: AnyOfficeCommand) -> None:
    """Refuse a command whose giver may not give it."""
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
        who = f"{command.by} is {', '.join(held)}" if held else f"{command.by} has no account"
        raise Refused("permission", f"{who} and may not {type(command).__name__}; allowed: {', '.join(allowed)}")


def decide(office: Office, command: AnyOfficeCommand) -> list[AnyOfficeEvent]:
    """The events a command leads to. Raises Refused, and then nothing has happened."""
    authorise(office, command)
    match command:
        case o.MakeAccount() | o.SetRoles() | o.RetireAccount() | o.NotePassword() | o.NoteLink():
            return [_account(office, command)]
        case o.NoteLogin():
            _live(office, command.person)
            return [o.LoginNoted(command.by, command.at, command.person, command.way, command.where)]
        case o.NoteFailure():
            return [o.FailureNoted(command.by, command.at, command.person, command.why, command.where, command.times)]
        case o.NoteLogout():
            return [o.LogoutNoted(command.by, command.at, command.person, command.how, command.sessions)]
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


def _account(
    office: Office, command: o.MakeAccount | o.SetRoles | o.RetireAccount | o.NotePassword | o.NoteLink
) -> AnyOfficeEvent:
    by, at, person = command.by, command.at, command.person
    match command:
        case o.MakeAccount():
            check_person(person, command.roles)
            if person in office.accounts:
                what = "was retired; a name is not given twice" if office.accounts[person].retired else "is there"
                raise Refused("account", f"an account {person} {what}")
            return o.AccountMade(by, at, person, command.roles)
        case o.SetRoles():
            account = _live(office, person)
            check_person(person, command.roles)
            check_administered(office.accounts | {person: Account(command.roles, account.retired)})
            return o.RolesSet(by, at, person, command.roles)
        case o.RetireAccount():
            account = _live(office, person)
            check_administered(office.accounts | {person: Account(account.roles, retired=True)})
            return o.AccountRetired(by, at, person, _words("reason", command.reason))
        case o.NotePassword():
            _live(office, person)
            return o.PasswordNoted(by, at, person)
        case o.NoteLink():
            _live(office, person)
            return o.LinkNoted(by, at, person)
        case _:
            assert_never(command)


def _live(office: Office, person: PersonId) -> Account:
    account = office.accounts.get(person)
    if account is None or account.retired:
        raise Refused("account", f"there is no account {person}" + (", it was retired" if account else ""))
    return account


def _words(what: str, text: str) -> str:
    if not text.strip() or len(text) > MOST_WORDS:
        raise Refused(what, f"a {what} has 1 to {MOST_WORDS} letters")
    return text


# ---- terminals


def _enrol(office: Office, command: o.EnrolTerminal) -> list[AnyOfficeEvent]:
    check_name("table", command.table)
    check_name("seat", command.seat)
    if not _DIGEST.fullmatch(command.digest) or command.digest in office.terminals:
        raise Refused("token", "a new terminal has a new token, of which its SHA-256 is told in hex")
    made = o.TerminalEnrolled(command.by, command.at, command.digest, command.table, command.seat)
    return [*_out(office, command, "another terminal was enrolled for the seat"), made]


def _retire(office: Office, command: o.RetireTerminal) -> list[AnyOfficeEvent]:
    events = _out(office, command, _words("reason", command.reason))
    if not events:
        raise Refused("terminal", f"no terminal is enrolled for {command.table}/{command.seat}")
    return events


def _out(office: Office, command: o.EnrolTerminal | o.RetireTerminal, reason: str) -> list[AnyOfficeEvent]:
    """The end of the terminal that has the seat."""
    return [
        o.TerminalRetired(command.by, command.at, digest, there.table, there.seat, reason)
        for digest, there in office.terminals.items()
        if (there.table, there.seat) == (command.table, command.seat)
    ]


# ---- alerts


def _raise(office: Office, command: o.RaiseAlert) -> o.AlertRaised:
    same = open_alert(office, command.kind, command.table, command.what)
    if same is not None:
        raise Refused("alert", f"alert {same.number} says so already, and nobody has acknowledged it")
    waiting = sum(alert.open for alert in office.alerts.values())
    if waiting >= MOST_OPEN:
        raise Refused("alert", f"{waiting} alerts wait to be acknowledged; no more are taken")
    check_name("kind of alert", command.kind)
    what = _words("text of an alert", command.what)
    return o.AlertRaised(command.by, command.at, office.next_alert, command.kind, command.table, what)


def _acknowledge(office: Office, command: o.AcknowledgeAlert) -> o.AlertAcknowledged:
    alert = office.alerts.get(command.alert)
    if alert is None:
        raise Refused("alert", f"there is no alert {command.alert}")
    if not alert.open:
        raise Refused("alert", f"{alert.acknowledged_by} has acknowledged alert {alert.number} already")
    if len(command.note) > MOST_WORDS:
        raise Refused("note", f"a note has at most {MOST_WORDS} letters")
    return o.AlertAcknowledged(command.by, command.at, command.alert, command.note)
