"""Tickets: their numbers, and whether one may be turned into credit or cash. Shared by the table and the cage."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Literal, assert_never

from croupier.rules.refusal import Refused

TicketState = Literal["live", "redeemed", "paid", "void", "expired", "unknown"]
"""What is known of a ticket: it can be redeemed, was redeemed at a table, paid at the cage, or has no value."""

DIGITS = 16
"""How many digits of a number are random; two check digits follow them."""
LONGEST = 180 * 24 * 60 * 60 * 1000
"""The longest life of a ticket: 180 days, in milliseconds."""
_DATES = (0, 253_402_300_799_999)
"""The moments that have a date: 1970 to 9999."""


def ticket_number(random: int) -> str:
    """A ticket's number: 16 digits from outside and two check digits (ISO 7064, MOD 97-10).

    >>> ticket_number(1234567890123456)
    '123456789012345611'
    """
    assert 0 <= random < 10**DIGITS, random
    return f"{random:0{DIGITS}}{98 - random * 100 % 97:02}"


def check_ticket_number(text: str) -> str:
    """The 18 digits of a number as people write it, with or without dashes and spaces.

    >>> check_ticket_number("12-3456-7890-1234-5611")
    '123456789012345611'
    """
    digits = text.replace("-", "").replace(" ", "")
    if not re.fullmatch(rf"[0-9]{{{DIGITS + 2}}}", digits):
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise Refused("ticket", f'"{shown}" is not the number of a ticket; it has {DIGITS + 2} digits')
    if digits != ticket_number(int(digits[:DIGITS])):
        raise Refused("ticket", f"{digits} is not the number of a ticket: a digit is wrong or two are exchanged")
    return digits


def check_redeemable(number: str, amount: int, expires: int, found: TicketState, at: int) -> None:
    """Refuse a ticket that has no value now, with what its holder should know."""
    match found:
        case "live" if at > expires:
            raise Refused("ticket", f"ticket {number} expired on {_date(expires)}")
        case "live" if amount <= 0:
            raise Refused("ticket", f"ticket {number} has no value")
        case "live":
            return
        case "redeemed":
            raise Refused("ticket", f"ticket {number} was redeemed already; a ticket counts once")
        case "paid":
            raise Refused("ticket", f"ticket {number} was paid at the cage already; a ticket counts once")
        case "void":
            raise Refused("ticket", f"ticket {number} is void; the cashier knows why")
        case "expired":
            raise Refused("ticket", f"ticket {number} expired on {_date(expires)}")
        case "unknown":
            raise Refused("ticket", f"ticket {number} was never issued here")
        case _:
            assert_never(found)


def check_expiry(expires: int, at: int) -> None:
    """Refuse a new ticket that would be dead at once or live too long."""
    if not at < expires <= at + LONGEST:
        days = LONGEST // (24 * 60 * 60 * 1000)
        message = f"a ticket expires after it is issued and at most {days} days later, not on {_date(expires)}"
        raise Refused("ticket", message)


def _date(moment: int) -> str:
    first, last = _DATES
    when = datetime.fromtimestamp(min(max(moment, first), last) // 1000, UTC)
    return f"{when:%Y-%m-%d}"
