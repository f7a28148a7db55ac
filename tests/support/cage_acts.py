"""The staff of a cage, and acts with its tickets."""

from __future__ import annotations

from croupier.cage import messages as c
from croupier.rules.money import Cents
from croupier.table.messages import PersonId
from croupier.table.roles import Role
from croupier.table.tickets import TicketState, ticket_number

NOW = 1_700_000_000_000
DAY = 24 * 60 * 60 * 1000
ONE, TWO, THREE = (ticket_number(number) for number in (1, 22, 333))
STAFF: dict[PersonId, tuple[Role, ...]] = {
    PersonId("Cass"): ("cashier",),
    PersonId("Cole"): ("cashier",),
    PersonId("Sue"): ("pit-supervisor",),
    PersonId("Max"): ("pit-manager",),
    PersonId("Shay"): ("shift-manager", "cashier"),
}


def sell(by: str = "Cass", ticket: str = ONE, amount: int = 50_00, expires: int = NOW + DAY) -> c.SellTicket:
    return c.SellTicket(by, NOW, ticket, Cents(amount), expires)


def pay(
    by: str = "Cass", ticket: str = ONE, amount: int = 50_00, found: TicketState = "live", at: int = NOW
) -> c.PayTicket:
    return c.PayTicket(by, at, ticket, Cents(amount), NOW + DAY, found)


def expire(
    by: str = "system", ticket: str = ONE, found: TicketState = "live", at: int = NOW + DAY + 1, amount: int = 50_00
) -> c.ExpireTicket:
    return c.ExpireTicket(by, at, ticket, Cents(amount), NOW + DAY, found)


def void(
    by: str = "Cass",
    ticket: str = ONE,
    found: TicketState = "live",
    reason: str = "misprint",
    replacement: str = "",
    replacement_expires: int = 0,
    at: int = NOW,
) -> c.VoidTicket:
    return c.VoidTicket(by, at, ticket, Cents(50_00), NOW + DAY, found, reason, replacement, replacement_expires)
