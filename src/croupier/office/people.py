"""Two people are two people: whose password opened a session, who stands for whom, and what a session may then do.

Dangerous acts need two people, and a session is no person: whoever can make a password or a link for somebody can sign
in as them. So every password and every link has a maker, and every session the maker of what opened it.

A session is a person's own if they chose the password that opened it; a link opens none. That alone proves nothing:
whoever had their link may have chosen it. So a password that was chosen in a session which another's password
or link had opened must be confirmed: two confirmed people (`VOUCHERS`) must stand for it. One of them may be the maker
of that password or link, if they made it in a confirmed session of their own; the command line (`machine/NAME`) makes
passwords too, but stands for nobody, because the administrator may be who types there. Only a confirmed person in a
session of their own stands for another, nobody for themself, and nobody twice.

From this follows that one person stays one. Say that a floor has confirmed people who are each a person, and that one
of them, with every right there is and the command line, wants a second confirmed name. The first such name needs two
different confirmed people to stand for it, and they are but one of these. Somebody's name that is confirmed already
does not help: to get in they must make a password or a link, whose session is not that person's own; and a password
chosen in it is confirmed no more. So there is no first such name.

It begins with founders: two people at least, who stood together at the machine and chose their passwords there
(`croupier account founders`), once in the life of a floor and never after anybody was confirmed. In an office of
before these rules those count as confirmed who had chosen their own password then.

What cannot be kept from here: who writes into the database writes what they like, and founders whom one person played.
Against the first there are the chain, the signed checkpoints and approvals signed by passkeys; against the second, that
the key of a floor is handed over by both.
"""

from __future__ import annotations

from croupier.office import messages as o
from croupier.office.passkeys import check_key
from croupier.office.state import MACHINE, VOUCHERS, Account, Office, Session, asked_as, stands
from croupier.rules.refusal import Refused
from croupier.table.checks import check_name
from croupier.table.roles import ADMINISTRATOR, SUPERVISION

MOST_PASSKEYS = 10
MOST_CREDENTIAL = 1_400
"""Letters of what a device calls a passkey: 1023 bytes at most, as base64."""
CONFIRMERS = (ADMINISTRATOR, *SUPERVISION)
"""Who may say that a person is who they call themself."""


def credential_of(office: Office, command: o.NotePassword | o.MakeLink) -> tuple[str, tuple[str, ...], bool]:
    """Who is the maker of a password or a link, who stands for it from the beginning, and is it confirmed?"""
    if command.by.startswith(f"{MACHINE}/"):
        return command.by, (), False
    session = _session(office, command.session, command.by)
    if command.person != command.by or isinstance(command, o.MakeLink):
        return session.maker, (command.by,) if stands(office, command.session) else (), False
    if session.opened_by_owner:
        account = office.accounts[command.person]
        return command.person, account.vouched_by, account.confirmed
    return command.person, (session.maker,) if session.vouched and session.maker != command.by else (), False


def _session(office: Office, digest: str, person: str) -> Session:
    session = office.sessions.get(digest)
    if session is None or session.person != person:
        raise Refused("session", "none")
    return session


def check_stands(office: Office, digest: str) -> Session:
    """Refuse what needs a confirmed person in a session of their own."""
    session = office.sessions.get(digest)
    if session is None:
        raise Refused("session", "none")
    person = session.person
    if not session.opened_by_owner:
        raise Refused("unconfirmed", "not-own-password", maker=session.maker)
    account = office.accounts[person]
    if not account.confirmed:
        raise Refused("unconfirmed", "vouchers", person=person, missing=missing_vouchers(account))
    return session


def missing_vouchers(account: Account) -> int:
    return 0 if account.confirmed else VOUCHERS - len(account.vouched_by)


def check_confirms(office: Office, command: o.ConfirmPerson) -> None:
    """Refuse the word of somebody who cannot stand for a person, or of whom there is nothing to confirm."""
    account = office.accounts[command.person]
    if check_stands(office, command.session).person != command.by:
        raise Refused("session", "none")
    if command.person == command.by:
        raise Refused("same-person", "confirms-self", person=command.by)
    if account.confirmed:
        raise Refused("confirmed", "already", person=command.person)
    if not account.password or account.maker != command.person:
        raise Refused("password", "not-own", person=command.person)
    if command.digest != account.password:
        raise Refused("password", "changed", person=command.person)
    if command.by in account.vouched_by:
        raise Refused("same-person", "stands-already", by=command.by, person=command.person)


def check_added(office: Office, command: o.AddPasskey) -> None:
    """Refuse a passkey that is another's, one too many, or of somebody whom nobody has confirmed."""
    if check_stands(office, command.session).person != command.by:
        raise Refused("session", "none")
    check_key(command.key)
    there = [one for account in office.accounts.values() for one in account.passkeys]
    if not 0 < len(command.credential) <= MOST_CREDENTIAL or command.credential in {one.credential for one in there}:
        raise Refused("passkey", "added")
    if sum(not one.until for one in office.accounts[command.person].passkeys) >= MOST_PASSKEYS:
        raise Refused("passkey", "too-many", person=command.person, passkeys=MOST_PASSKEYS)
    check_name("host", command.host)


def check_signing(office: Office, command: o.SignAsking) -> None:
    """Refuse what somebody signs who has not asked for it, or has signed it."""
    session = check_stands(office, command.session)
    asker = office.askers.get(asked_as(command.place, command.request))
    if session.person != command.by or asker is None or asker.person != command.by or asker.signed:
        raise Refused("asker", "nothing-to-sign", person=command.by, request=command.request)


def check_approval(office: Office, digest: str, place: str, request: int) -> None:
    """Refuse the approval of a request, from this session, that one person alone may have asked for and approved."""
    session = check_stands(office, digest)
    asker = office.askers.get(asked_as(place, request))
    if asker is None:
        raise Refused("asker", "unknown", request=request)
    account = office.accounts[asker.person]
    if account.retired:
        raise Refused("asker", "retired", person=asker.person, request=request)
    if not asker.confirmed or not account.confirmed:
        raise Refused("asker", "unconfirmed", person=asker.person, request=request)
    apart = asker.browser and session.browser and asker.browser != session.browser
    if office.passkeys_since and not asker.signed:
        raise Refused("passkey", "unsigned", person=asker.person, request=request)
    if asker.person != session.person and not apart:
        raise Refused("same-browser", "asked", person=asker.person, request=request)
