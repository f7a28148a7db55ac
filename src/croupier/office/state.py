"""What the office remembers, and what an event changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never, get_args

import msgspec

from croupier.office import messages as o
from croupier.office.messages import AnyOfficeEvent, OfficeRole
from croupier.rules.refusal import Refused
from croupier.table.lookup import check_name
from croupier.table.messages import PersonId, SeatId
from croupier.table.permits import SYSTEM

ROLES: tuple[OfficeRole, ...] = get_args(OfficeRole)
ADMINISTRATOR: OfficeRole = "administrator"
MACHINE = "machine"
"""Whoever has the command line of the machine, while no server runs: `machine/NAME`, which nobody can be called."""
KEPT = 100
"""Acknowledged alerts that stay at hand; the journal has them all."""


class Account(msgspec.Struct, frozen=True):
    roles: tuple[OfficeRole, ...]
    retired: bool = False
    password_at: int = 0
    """When its password was last set; 0 if it has none."""


class Enrolled(msgspec.Struct, frozen=True):
    """Where an enrolled terminal sits."""

    table: str
    seat: SeatId


class Alert(msgspec.Struct, frozen=True):
    """It stays until it is acknowledged."""

    number: int
    kind: str
    table: str
    what: str
    raised_at: int
    raised_by: str
    acknowledged_at: int = 0
    acknowledged_by: str = ""
    note: str = ""

    @property
    def open(self) -> bool:
        return not self.acknowledged_at


class Office(msgspec.Struct):
    """Everything the office remembers. Changed only by `evolve`."""

    accounts: dict[PersonId, Account]
    terminals: dict[str, Enrolled]
    """By the SHA-256 of their tokens, in hex."""
    alerts: dict[int, Alert]
    """Those that are open, and the last that were acknowledged."""
    next_alert: int


def new_office(accounts: Mapping[PersonId, tuple[OfficeRole, ...]]) -> Office:
    """An office with its first accounts."""
    for person, roles in accounts.items():
        check_person(person, roles)
    made = {person: Account(roles) for person, roles in accounts.items()}
    check_administered(made)
    return Office(made, {}, {}, 1)


def check_person(person: str, roles: tuple[OfficeRole, ...]) -> None:
    """Refuse a name or roles that no account can have."""
    check_name("person", person)
    if "/" in person or person == SYSTEM:
        raise Refused("name", f"{person} cannot be the name of a person: {SYSTEM} and names with / are the machine's")
    if not roles or not set(roles) <= set(ROLES):
        held = ", ".join(roles) or "without a role"
        raise Refused("role", f"{person} cannot be {held}; the roles of an account: {', '.join(ROLES)}")


def check_administered(accounts: Mapping[PersonId, Account]) -> None:
    """Refuse accounts among which nobody could make another."""
    if not any(ADMINISTRATOR in one.roles and not one.retired for one in accounts.values()):
        raise Refused("administrator", "one account at least must be administrator")


def open_alert(office: Office, kind: str, table: str, what: str) -> Alert | None:
    """The open alert that says the same."""
    same = (one for one in office.alerts.values() if (one.kind, one.table, one.what) == (kind, table, what))
    return next((one for one in same if one.open), None)


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
        case o.PasswordNoted():
            _change(office, event.person, password_at=event.at)
        case o.TerminalEnrolled():
            office.terminals[event.digest] = Enrolled(event.table, event.seat)
        case o.TerminalRetired():
            del office.terminals[event.digest]
        case o.AlertRaised():
            assert event.alert == office.next_alert, event
            office.alerts[event.alert] = Alert(event.alert, event.kind, event.table, event.what, event.at, event.by)
            office.next_alert += 1
        case o.AlertAcknowledged():
            _acknowledge(office, event)
        case o.LinkNoted() | o.LoginNoted() | o.FailureNoted() | o.LogoutNoted():
            pass  # the row itself is the record
        case _:
            assert_never(event)


def _change(office: Office, person: PersonId, **fields: object) -> None:
    office.accounts[person] = msgspec.structs.replace(office.accounts[person], **fields)


def _acknowledge(office: Office, event: o.AlertAcknowledged) -> None:
    alert = office.alerts[event.alert]
    assert alert.open, event
    office.alerts[event.alert] = msgspec.structs.replace(
        alert, acknowledged_at=event.at, acknowledged_by=event.by, note=event.note
    )
    done = [number for number, one in office.alerts.items() if not one.open]
    for number in done[:-KEPT]:
        del office.alerts[number]
