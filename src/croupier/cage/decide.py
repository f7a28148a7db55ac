"""A command to the cage becomes events or a refusal. Reads the cage and changes nothing."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from croupier.cage import messages as c
from croupier.cage.messages import AnyCageCommand, AnyCageEvent, TwoPeople
from croupier.cage.state import Cage, check_person, check_supervised
from croupier.rules.refusal import Refused
from croupier.table.approvals import approved, declined, requested
from croupier.table.checks import check_amount
from croupier.table.messages import Command, PersonId
from croupier.table.permits import SYSTEM
from croupier.table.roles import AT_THE_CAGE, SUPERVISION, Role, rank
from croupier.table.tickets import check_expiry, check_redeemable, check_ticket_number

PERMITS: dict[type[Command], tuple[str, ...]] = {
    c.SellTicket: AT_THE_CAGE,
    c.PayTicket: AT_THE_CAGE,
    c.VoidTicket: AT_THE_CAGE,
    c.ReprintTicket: AT_THE_CAGE,
    c.ExpireTicket: (SYSTEM,),
    c.PayUnclaimed: AT_THE_CAGE,
    c.EmployStaff: SUPERVISION,
    c.ApproveRequest: SUPERVISION,
    c.DeclineRequest: (*SUPERVISION, SYSTEM),
}
"""Roles by command; `system` is the floor's own software. Everything else is denied."""


def authorise(cage: Cage, command: AnyCageCommand) -> None:
    """Refuse a command that its giver may not give."""
    allowed = PERMITS.get(type(command), ())
    if command.by == SYSTEM and SYSTEM in allowed:
        return
    held = cage.staff.get(PersonId(command.by), ())
    if not set(allowed) & set(held):
        act = type(command).__name__
        if not held:
            raise Refused("permission", "not-cage-staff", person=command.by, act=act, allowed=allowed)
        raise Refused("permission", "role", person=command.by, act=act, held=held, allowed=allowed)


def decide(cage: Cage, command: AnyCageCommand) -> list[AnyCageEvent]:
    """The events of a command. Raises Refused, and then nothing has happened."""
    authorise(cage, command)
    match command:
        case c.SellTicket():
            return [_sell(command)]
        case c.PayTicket():
            number = check_ticket_number(command.ticket)
            check_redeemable(number, command.amount, command.expires, command.found, command.at)
            return [c.TicketPaid(command.by, command.at, number, command.amount)]
        case c.ReprintTicket():
            return [_reprint(command)]
        case c.ExpireTicket():
            return [_expire(command)]
        case c.VoidTicket() | c.PayUnclaimed():
            _act(command)  # requested only if the act itself would not be refused
            return [requested(cage.next_request, command, cage.approval_seconds)]
        case c.EmployStaff():
            return [_employ(cage, command)]
        case c.ApproveRequest():
            return _approve(cage, command)
        case c.DeclineRequest():
            return [declined(cage.requests, command)]
        case _:
            assert_never(command)


# ---- one person


def _sell(command: c.SellTicket) -> c.TicketSold:
    number = check_ticket_number(command.ticket)
    check_amount(command.amount)
    check_expiry(command.expires, command.at)
    return c.TicketSold(command.by, command.at, number, command.amount, command.expires)


def _reprint(command: c.ReprintTicket) -> c.TicketReprinted:
    """Print a ticket again. The number is the same and is redeemed once."""
    number = check_ticket_number(command.ticket)
    if not command.reason.strip():
        raise Refused("reason", "needed", act=type(command).__name__)
    check_redeemable(number, command.amount, command.expires, command.found, command.at)
    return c.TicketReprinted(command.by, command.at, number, command.amount, command.reason)


def _expire(command: c.ExpireTicket) -> c.TicketExpired:
    number = check_ticket_number(command.ticket)
    # Only a ticket that could be redeemed at its last moment can expire.
    check_redeemable(number, command.amount, command.expires, command.found, command.expires)
    if command.at <= command.expires:
        raise Refused("early", "ticket-lives", ticket=number, expires=command.expires, at=command.at)
    return c.TicketExpired(command.by, command.at, number, command.amount)


def _employ(cage: Cage, command: c.EmployStaff) -> c.StaffEmployed:
    check_person(command.person, command.roles)
    highest, had = _rank(cage.staff[PersonId(command.by)]), _rank(cage.staff.get(command.person, ()))
    if max(_rank(command.roles), had) > highest:
        raise Refused("rank", "above-own", person=command.by, highest=AT_THE_CAGE[highest])
    check_supervised(cage.staff | {command.person: command.roles})
    return c.StaffEmployed(command.by, command.at, command.person, command.roles)


def _rank(roles: tuple[Role, ...]) -> int:
    return max(map(rank, roles), default=0)


# ---- two people


def _approve(cage: Cage, command: c.ApproveRequest) -> list[AnyCageEvent]:
    request, given = approved(cage.requests, command)
    asked = request.command
    authorise(cage, asked)
    # The ticket may have been redeemed, paid or expired since: its state now decides.
    happened = _act(replace(asked, found=command.found, at=command.at))
    return [given, happened]


def _act(command: TwoPeople) -> c.TicketVoided | c.UnclaimedPaid:
    """The event once both people agree."""
    if not command.reason.strip():
        raise Refused("reason", "needed", act=type(command).__name__)
    match command:
        case c.VoidTicket():
            return _void(command, check_ticket_number(command.ticket))
        case c.PayUnclaimed():
            return _pay_unclaimed(command, check_ticket_number(command.ticket))
        case _:
            assert_never(command)


def _void(command: c.VoidTicket, number: str) -> c.TicketVoided:
    check_redeemable(number, command.amount, command.expires, command.found, command.at)
    new = _replacement(command, number)
    by, at, expires = command.by, command.at, command.replacement_expires
    return c.TicketVoided(by, at, number, command.amount, command.reason, new, expires)


def _replacement(command: c.VoidTicket, number: str) -> str:
    """The number of the ticket that replaces the void one; empty if none does."""
    if not command.replacement:
        if command.replacement_expires:
            raise Refused("replacement", "none-to-expire", ticket=number)
        return ""
    new = check_ticket_number(command.replacement)
    if new == number:
        raise Refused("replacement", "itself", ticket=number)
    check_expiry(command.replacement_expires, command.at)
    return new


def _pay_unclaimed(command: c.PayUnclaimed, number: str) -> c.UnclaimedPaid:
    if command.found != "expired":
        raise Refused("ticket", "not-expired", ticket=number, found=command.found)
    check_amount(command.amount)
    return c.UnclaimedPaid(command.by, command.at, number, command.amount, command.reason)
