"""The state of the office, and how events change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import msgspec

from croupier.office import messages as o
from croupier.office.messages import AnyOfficeEvent, Because
from croupier.office.names import check_new_name
from croupier.office.passkeys import Passkey
from croupier.rules.refusal import Fact, Refused
from croupier.table.checks import check_name
from croupier.table.messages import PersonId, SeatId
from croupier.table.permits import SYSTEM
from croupier.table.roles import ADMINISTRATOR, OFFICE_ROLES, OfficeRole

MACHINE = "machine"
"""A person at the command line of the machine, while no server runs: `machine/NAME`, which no account can be called."""
KEPT = 100
"""How many acknowledged alerts are kept. The journal has all of them."""
RULES = 1
"""The version of the rules of who is who (`people`) that this program applies; 0 in an office from before them."""
VOUCHERS = 2
"""How many confirmed people must vouch for a password before its person is confirmed."""
KEPT_ASKERS = 1_000
FREE_FAILURES, FREE_FROM_ALL = 5, 20
"""Failed sign-ins without a wait: from one address or known browser, and from everywhere but known browsers."""
FIRST_WAIT, LONGEST_WAIT = 30_000, 15 * 60_000
"""Then each failure doubles the wait before the next try, within these bounds: milliseconds."""
KEPT_BROWSERS, KEPT_PLACES = 8, 32
"""How many known browsers, and how many places of failures, are kept for one account."""
FORGOTTEN = 24 * 60 * 60_000
"""After this time without a failure, counting starts at zero again."""


class Account(msgspec.Struct, frozen=True):
    roles: tuple[OfficeRole, ...]
    retired: bool = False
    password: str = ""
    """The digest of its password's hash; empty without a password."""
    failures: int = 0
    """Failures since the last sign-in, from everywhere but known browsers."""
    failed_at: int = 0
    failed_from: dict[str, tuple[int, int]] = {}
    """Failures, and the time of the last one, by address or known browser; the newest last."""
    browsers: tuple[str, ...] = ()
    """Browsers in which this person has signed in since the password was set; the newest last."""
    maker: str = ""
    """Who chose the password: the person themself, another, or `machine/NAME`."""
    vouched_by: tuple[str, ...] = ()
    """The confirmed people who vouch for it."""
    confirmed: bool = False
    passkeys: tuple[Passkey, ...] = ()
    """Dropped passkeys too: what they signed before stays signed."""


class Session(msgspec.Struct, frozen=True):
    person: PersonId
    began: int
    where: str
    maker: str = ""
    """Who made the password or the link that opened it."""
    vouched: bool = False
    """True if a confirmed person made it."""
    browser: str = ""
    """The SHA-256 of the secret that the browser keeps, in hex."""
    link: bool = False
    """True if a one-time link opened it, not a password."""

    @property
    def opened_by_owner(self) -> bool:
        """True if its person opened it with a password that they chose themselves."""
        return self.maker == self.person and not self.link


class Link(msgspec.Struct, frozen=True):
    person: PersonId
    until: int
    maker: str = ""
    vouched: bool = False


class Asker(msgspec.Struct, frozen=True):
    """The person who made a request for a second person, and how they had signed in."""

    person: PersonId
    browser: str
    confirmed: bool
    signed: bool = False
    """With a passkey."""


class Enrolled(msgspec.Struct, frozen=True):
    """The table and seat of an enrolled terminal."""

    table: str
    seat: SeatId


class Alert(msgspec.Struct, frozen=True, omit_defaults=True):
    """An alert stays until it is acknowledged. An old alert has a sentence, `what`, instead of case and facts; its
    bytes in a snapshot stay the same."""

    number: int
    kind: str
    table: str
    what: str
    raised_at: int
    raised_by: str
    acknowledged_at: int
    acknowledged_by: str
    note: str
    case: str = ""
    facts: dict[str, Fact] = {}
    because: Because | None = None

    @property
    def open(self) -> bool:
        return not self.acknowledged_at


class Office(msgspec.Struct):
    """Everything the office remembers. Changed only by `evolve`."""

    accounts: dict[PersonId, Account]
    terminals: dict[str, Enrolled]
    """By the SHA-256 of their tokens, in hex, as sessions and links are."""
    sessions: dict[str, Session]
    links: dict[str, Link]
    alerts: dict[int, Alert]
    """The open alerts, and the last acknowledged ones."""
    next_alert: int
    rules: int = 0
    founded: bool = False
    """True once anybody was confirmed: from then on nobody can be a founder."""
    askers: dict[str, Asker] = {}
    """By place and number of the request; only the last ones."""
    passkeys_since: int = 0
    """Since when dangerous acts are signed with passkeys; 0 if they are not."""


def new_office(accounts: Mapping[PersonId, tuple[OfficeRole, ...]], rules: int = 0) -> Office:
    """An office with its first accounts."""
    for number, (person, roles) in enumerate(accounts.items()):
        check_person(person, roles)
        if rules:
            check_new_name(person, list(accounts)[:number])
    made = {person: Account(roles) for person, roles in accounts.items()}
    check_administered(made)
    return Office(made, {}, {}, {}, {}, 1, rules)


def check_person(person: str, roles: tuple[OfficeRole, ...]) -> None:
    """Refuse a name or roles that no account can have."""
    check_name("person", person)
    if "/" in person or person == SYSTEM:
        raise Refused("name", "of-machine", person=person)
    if not roles or not set(roles) <= set(OFFICE_ROLES):
        raise Refused("role", "not-of-account", person=person, roles=roles, known=OFFICE_ROLES)


def check_administered(accounts: Mapping[PersonId, Account]) -> None:
    """Refuse accounts without an administrator, who makes accounts."""
    if not any(ADMINISTRATOR in one.roles and not one.retired for one in accounts.values()):
        raise Refused("administrator", "nobody")


def locked_until(failures: int, failed_at: int, free: int = FREE_FAILURES) -> int:
    """The moment until which every further try is refused unseen."""
    if failures < free:
        return 0
    return failed_at + min(LONGEST_WAIT, FIRST_WAIT * (1 << min(failures - free, 20)))


def waits_until(account: Account, where: str, browser: str) -> int:
    """The moment until which every try from this address or known browser is refused unseen.

    Strangers lock out themselves, and from many addresses each other, but never a browser in which the person has
    signed in.
    """
    wait = locked_until(*account.failed_from.get(browser or where, (0, 0)))
    return wait if browser else max(wait, locked_until(account.failures, account.failed_at, FREE_FROM_ALL))


def failures_after(failures: int, failed_at: int, at: int) -> int:
    """The number of failures after one more."""
    return 1 if at - failed_at > FORGOTTEN else failures + 1


def sessions_of(office: Office, person: PersonId) -> tuple[str, ...]:
    """The digests of a person's sessions, the oldest first."""
    return tuple(digest for digest, session in office.sessions.items() if session.person == person)


def open_alert(office: Office, asked: o.RaiseAlert) -> Alert | None:
    """The open alert with the same kind, case, table and facts, if there is one."""
    same = (one for one in office.alerts.values() if one.open and _content(one) == _content(asked))
    return next(same, None)


def _content(alert: Alert | o.RaiseAlert) -> tuple[object, ...]:
    return alert.kind, alert.case, alert.table, alert.facts, alert.because, alert.what


def dump(office: Office) -> bytes:
    """The office as bytes: the same history, the same bytes."""
    return msgspec.json.encode(office)


def load(body: bytes) -> Office:
    """The office that `dump` wrote."""
    return msgspec.json.decode(body, type=Office)


def evolve(office: Office, event: AnyOfficeEvent) -> None:
    """Apply one event."""
    match event:
        case o.AccountMade():
            office.accounts[event.person] = Account(event.roles)
        case o.RolesSet():
            _change(office, event.person, roles=event.roles)
        case o.AccountRetired():
            _change(office, event.person, retired=True)
            _drop_links(office, [digest for digest, link in office.links.items() if link.person == event.person])
        case o.PasswordNoted():
            given = {"maker": event.maker or event.by, "vouched_by": event.vouched_by, "confirmed": event.confirmed}
            _change(office, event.person, password=event.digest, failures=0, failed_from={}, browsers=(), **given)
        case o.LinkMade():
            _drop_links(office, [digest for digest, link in office.links.items() if link.until <= event.at])
            office.links[event.digest] = Link(event.person, event.until, event.maker or event.by, event.vouched)
        case o.SessionBegun():
            _begin(office, event)
        case o.FailureNoted():
            _failed(office, event)
        case o.SessionsEnded():
            for digest in event.digests:
                del office.sessions[digest]
        case o.RulesAdopted():
            _adopt(office, event)
        case o.FoundersNamed():
            office.founded = True
            for person, digest in zip(event.people, event.digests, strict=True):
                others = tuple(other for other in event.people if other != person)
                whole = {"maker": person, "vouched_by": others, "confirmed": True}
                _change(office, person, password=digest, failures=0, **whole)
        case o.PersonConfirmed():
            vouched_by = (*office.accounts[event.person].vouched_by, event.by)
            _change(office, event.person, vouched_by=vouched_by, confirmed=len(vouched_by) >= VOUCHERS)
        case o.AskerNoted():
            _note_asker(office, event)
        case o.PasskeysRequired():
            office.passkeys_since = event.at
        case o.PasskeyAdded() | o.PasskeyDropped():
            _keep_passkey(office, event)
        case o.AskingSigned():
            asked = asked_as(event.place, event.request)
            office.askers[asked] = msgspec.structs.replace(office.askers[asked], signed=True)
        case o.TerminalEnrolled():
            office.terminals[event.digest] = Enrolled(event.table, event.seat)
        case o.TerminalRetired():
            del office.terminals[event.digest]
        case o.AlertRaised():
            assert event.alert == office.next_alert, event
            what, content = (event.alert, event.kind, event.table, event.what), (event.case, event.facts, event.because)
            office.alerts[event.alert] = Alert(*what, event.at, event.by, 0, "", "", *content)
            office.next_alert += 1
        case o.AlertAcknowledged():
            _acknowledge(office, event)
        case _:
            assert_never(event)


def _change(office: Office, person: PersonId, **fields: object) -> None:
    office.accounts[person] = msgspec.structs.replace(office.accounts[person], **fields)


def _begin(office: Office, event: o.SessionBegun) -> None:
    account, link = office.accounts[event.person], office.links.get(event.link)
    maker, vouched = (link.maker, link.vouched) if link else (account.maker, bool(account.vouched_by))
    _drop_links(office, [event.link] if event.link else [])
    opened = (maker, vouched, event.browser, link is not None)
    office.sessions[event.digest] = Session(event.person, event.at, event.where, *opened)
    before = office.accounts[event.person].browsers
    known = (*(one for one in before if one != event.browser), event.browser) if event.browser else before
    _change(office, event.person, failures=0, failed_from={}, browsers=known[-KEPT_BROWSERS:])


def _adopt(office: Office, event: o.RulesAdopted) -> None:
    """Confirm people who had chosen their password before there were rules, so that money need not wait."""
    office.rules = event.rules
    for person, account in tuple(office.accounts.items()):
        if account.password and account.maker == person and not account.retired:
            _change(office, person, confirmed=True)
            office.founded = True


def _keep_passkey(office: Office, event: o.PasskeyAdded | o.PasskeyDropped) -> None:
    kept = office.accounts[event.person].passkeys
    if isinstance(event, o.PasskeyAdded):
        kept = (*kept, Passkey(event.credential, event.key, event.host, event.at))
    else:
        gone = event.credential
        kept = tuple(
            msgspec.structs.replace(one, until=event.at) if one.credential == gone and not one.until else one
            for one in kept
        )
    _change(office, event.person, passkeys=kept)


def stands(office: Office, digest: str) -> bool:
    """True if a confirmed person opened the session with a password that they chose themselves."""
    session = office.sessions.get(digest)
    return session is not None and session.opened_by_owner and office.accounts[session.person].confirmed


def asked_as(place: str, request: int) -> str:
    return f"{place} {request}"


def _note_asker(office: Office, event: o.AskerNoted) -> None:
    browser = office.sessions[event.session].browser
    office.askers[asked_as(event.place, event.request)] = Asker(event.person, browser, stands(office, event.session))
    for old in list(office.askers)[:-KEPT_ASKERS]:
        del office.askers[old]


def _drop_links(office: Office, digests: list[str]) -> None:
    for digest in digests:
        del office.links[digest]


def _failed(office: Office, event: o.FailureNoted) -> None:
    """Count a failure. A name without an account, or a try that was refused unseen, changes nothing."""
    account = office.accounts.get(event.person)
    if account is not None and event.why != "locked":
        place = event.browser or event.where
        places = {name: failures for name, failures in account.failed_from.items() if name != place}
        places[place] = (failures_after(*account.failed_from.get(place, (0, 0)), event.at), event.at)
        _change(office, event.person, failed_from=dict(list(places.items())[-KEPT_PLACES:]))
        if not event.browser:
            count = failures_after(account.failures, account.failed_at, event.at)
            _change(office, event.person, failures=count, failed_at=event.at)


def _acknowledge(office: Office, event: o.AlertAcknowledged) -> None:
    alert = office.alerts[event.alert]
    assert alert.open, event
    office.alerts[event.alert] = msgspec.structs.replace(
        alert, acknowledged_at=event.at, acknowledged_by=event.by, note=event.note
    )
    done = [number for number, one in office.alerts.items() if not one.open]
    for number in done[:-KEPT]:
        del office.alerts[number]
