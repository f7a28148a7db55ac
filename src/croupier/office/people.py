"""The rules of who is who: which sessions belong to a confirmed person, so that two people are two people.

Dangerous acts need two people, but a session is not a person: anyone who can make a password or a link for somebody can
sign in as them. So every password and every link has a maker, and every session has the maker of the password or link
that opened it.

A session is opened by its owner if they chose the password that opened it; a link never does this. That alone proves
nothing, because another person may have used their link and chosen the password. So a password that was chosen in a
session which another's password or link had opened must be confirmed: two confirmed people (`VOUCHERS`) must vouch for
it. One of them may be the maker of that password or link, if they made it in a confirmed session that they opened
themselves. The command line (`machine/NAME`) makes passwords too but vouches for nobody, because any administrator may
be typing. Only a confirmed person in a session that they opened themselves vouches for another, nobody for themselves,
and nobody twice.

It follows that one person cannot become two. Suppose that every confirmed name of a floor is a different person, and
that one of them, with every role and the command line, wants a second confirmed name. The first such name needs two
different confirmed people to vouch for it, and this person is only one of them. A name that is already confirmed does
not help: to sign in with it they must make a password or a link, whose session is not opened by its owner, and a
password chosen in that session is no longer confirmed. So there is no first such name.

It begins with founders: at least two people who were together at the machine and chose their passwords there
(`croupier account founders`), once in the life of a floor and never after anybody was confirmed. In an office from
before these rules, people who had chosen their password then count as confirmed.

Two things these rules cannot prevent: somebody who writes to the database writes what they like, and one person may
have played both founders. Against the first there are the chain, the signed checkpoints and approvals signed by
passkeys; against the second, both founders hand over the key of the floor.
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
"""The most letters of a passkey's id: 1023 bytes as base64."""
CONFIRMERS = (ADMINISTRATOR, *SUPERVISION)
"""The roles that may confirm people."""


def credential_of(office: Office, command: o.NotePassword | o.MakeLink) -> tuple[str, tuple[str, ...], bool]:
    """The maker of a new password or link, the people who vouch for it at once, and whether it is confirmed."""
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
    """Refuse a session that a confirmed person has not opened themselves."""
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
    """Refuse a confirmation by a person who cannot vouch for this person, or that confirms nothing."""
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
    """Refuse a passkey that was added before, is one too many, or belongs to a person who is not confirmed."""
    if check_stands(office, command.session).person != command.by:
        raise Refused("session", "none")
    check_key(command.key)
    added = {one.credential for account in office.accounts.values() for one in account.passkeys}
    if not 0 < len(command.credential) <= MOST_CREDENTIAL or command.credential in added:
        raise Refused("passkey", "added")
    if sum(not one.until for one in office.accounts[command.person].passkeys) >= MOST_PASSKEYS:
        raise Refused("passkey", "too-many", person=command.person, passkeys=MOST_PASSKEYS)
    check_name("host", command.host)


def check_signing(office: Office, command: o.SignAsking) -> None:
    """Refuse a signature by a person who has not made the request, or has already signed it."""
    session = check_stands(office, command.session)
    asker = office.askers.get(asked_as(command.place, command.request))
    if session.person != command.by or asker is None or asker.person != command.by or asker.signed:
        raise Refused("asker", "nothing-to-sign", person=command.by, request=command.request)


def check_decision(office: Office, digest: str, place: str, request: int) -> None:
    """Refuse a decision about a round that stands still, if the person who reported it may have made it.

    Where it is not known in which browser it was reported, as after a failure, the round must still be decided.
    """
    session = check_stands(office, digest)
    asker = office.askers.get(asked_as(place, request))
    if asker is not None and not apart(asker.browser, session.browser):
        raise Refused("same-browser", "asked", person=asker.person, request=request)


def apart(one: str, other: str) -> bool:
    """True if two sessions are surely in different browsers."""
    return bool(one and other and one != other)


def check_approval(office: Office, digest: str, place: str, request: int) -> None:
    """Refuse an approval from this session if one person alone may have made and approved the request."""
    session = check_stands(office, digest)
    asker = office.askers.get(asked_as(place, request))
    if asker is None:
        raise Refused("asker", "unknown", request=request)
    account = office.accounts[asker.person]
    if account.retired:
        raise Refused("asker", "retired", person=asker.person, request=request)
    if not asker.confirmed or not account.confirmed:
        raise Refused("asker", "unconfirmed", person=asker.person, request=request)
    if office.passkeys_since and not asker.signed:
        raise Refused("passkey", "unsigned", person=asker.person, request=request)
    if asker.person != session.person and not apart(asker.browser, session.browser):
        raise Refused("same-browser", "asked", person=asker.person, request=request)
