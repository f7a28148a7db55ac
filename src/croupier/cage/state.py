"""The state of the cage, how events change it, and the money that they move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, assert_never

import msgspec

from croupier.cage import messages as c
from croupier.cage.messages import AnyCageEvent, TwoPeople
from croupier.ledger import CAGE, UNCLAIMED, Transfer, ticket
from croupier.rules.refusal import Refused
from croupier.table.checks import check_name
from croupier.table.messages import ApprovalDeclined, ApprovalGiven, ApprovalRequested, PersonId
from croupier.table.permits import SYSTEM
from croupier.table.roles import AT_THE_CAGE, SUPERVISION, Role

Count = Literal["sold", "paid", "void", "replaced", "expired", "unclaimed paid"]
Staff = dict[PersonId, tuple[Role, ...]]


class CageRequest(msgspec.Struct, frozen=True):
    """An act that waits for a second person."""

    number: int
    command: TwoPeople
    digest: str
    expires: int


class Cage(msgspec.Struct):
    """Everything the cage remembers. Changed only by `evolve`."""

    staff: Staff
    approval_seconds: int
    requests: dict[int, CageRequest]
    next_request: int
    counts: dict[Count, int]
    """How many tickets the cage has sold, and how many it has ended, by the way they ended."""


def new_cage(staff: Mapping[PersonId, tuple[Role, ...]], approval_seconds: int = 120) -> Cage:
    """A cage before its first ticket."""
    for person, roles in staff.items():
        check_person(person, roles)
    check_supervised(dict(staff))
    if approval_seconds <= 0:
        raise Refused("time", "approval-seconds", seconds=approval_seconds)
    counts: dict[Count, int] = dict.fromkeys(("sold", "paid", "void", "replaced", "expired", "unclaimed paid"), 0)
    return Cage(dict(staff), approval_seconds, {}, 1, counts)


def check_person(person: str, roles: tuple[Role, ...]) -> None:
    """Refuse a name or roles that a person at the cage cannot have."""
    check_name("person", person)
    if person == SYSTEM:
        raise Refused("name", "system", person=person)
    if not roles or not set(roles) <= set(AT_THE_CAGE):
        raise Refused("role", "not-of-cage", person=person, roles=roles, known=AT_THE_CAGE)


def check_supervised(staff: Staff) -> None:
    """Refuse a staff without supervision, which could neither approve anything nor employ anyone."""
    if not any(set(roles) & set(SUPERVISION) for roles in staff.values()):
        raise Refused("supervision", "nobody", roles=SUPERVISION)


def dump(cage: Cage) -> bytes:
    """The cage as bytes: the same history, the same bytes."""
    return msgspec.json.encode(cage)


def load(body: bytes) -> Cage:
    """The cage that `dump` wrote."""
    return msgspec.json.decode(body, type=Cage)


def evolve(cage: Cage, event: AnyCageEvent) -> None:
    """Apply one event."""
    match event:
        case c.TicketSold():
            cage.counts["sold"] += 1
        case c.TicketPaid():
            cage.counts["paid"] += 1
        case c.TicketVoided():
            cage.counts["replaced" if event.replacement else "void"] += 1
        case c.TicketExpired():
            cage.counts["expired"] += 1
        case c.UnclaimedPaid():
            cage.counts["unclaimed paid"] += 1
        case c.TicketReprinted():
            pass  # another paper for the same ticket: it is in the journal
        case c.StaffEmployed():
            cage.staff[event.person] = event.roles
        case ApprovalRequested():
            _wait(cage, event)
        case ApprovalGiven() | ApprovalDeclined():
            del cage.requests[event.request]
        case _:
            assert_never(event)


def _wait(cage: Cage, event: ApprovalRequested) -> None:
    assert event.request == cage.next_request, event
    for number in [number for number, request in cage.requests.items() if event.at > request.expires]:
        del cage.requests[number]  # it can no longer be approved, and need not be declined
    command = msgspec.json.decode(event.command, type=TwoPeople)
    cage.requests[event.request] = CageRequest(event.request, command, event.digest, event.expires)
    cage.next_request += 1


def post(event: AnyCageEvent) -> list[Transfer]:
    """The money that an event at the cage moves."""
    match event:
        case c.TicketSold():
            return [Transfer(CAGE, ticket(event.ticket), event.amount, "ticket sold", event.ticket)]
        case c.TicketPaid():
            return [Transfer(ticket(event.ticket), CAGE, event.amount, "ticket paid", event.ticket)]
        case c.TicketVoided() if event.replacement:
            new = ticket(event.replacement)
            return [Transfer(ticket(event.ticket), new, event.amount, "ticket replaced", event.ticket)]
        case c.TicketVoided():
            return [Transfer(ticket(event.ticket), CAGE, event.amount, "ticket void", event.ticket)]
        case c.TicketExpired():
            return [Transfer(ticket(event.ticket), UNCLAIMED, event.amount, "ticket expired", event.ticket)]
        case c.UnclaimedPaid():
            return [Transfer(UNCLAIMED, CAGE, event.amount, "ticket paid", event.ticket)]
        case c.TicketReprinted() | c.StaffEmployed() | ApprovalRequested() | ApprovalGiven() | ApprovalDeclined():
            return []
        case _:
            assert_never(event)
