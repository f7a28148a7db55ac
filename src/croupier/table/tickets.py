"""Tickets: their numbers, and whether one may be turned into credit or cash. Shared by the table and the cage."""

from __future__ import annotations

import re
from typing import Literal, assert_never

from croupier.rules.refusal import Refused

TicketState = Literal["live", "redeemed", "paid", "void", "expired", "unknown"]
"""The state of a ticket: it can be redeemed, was redeemed at a table or paid at the cage, or has no value."""

DIGITS = 16
"""How many digits of a number are random. Two check digits follow."""
LONGEST = 180 * 24 * 60 * 60 * 1000
"""The longest life of a ticket: 180 days, in milliseconds."""
_DATED = (0, 253_402_300_799_999)
"""The moments that have a date: 1970 to 9999."""


def ticket_number(random: int) -> str:
    """A ticket's number: the 16 given digits and two check digits (ISO 7064, MOD 97-10).

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
        shown = text if text.isprintable() else repr(text)[1:-1]
        raise Refused("ticket", "digits", ticket=shown if len(shown) <= 40 else f"{shown[:40]}…", digits=DIGITS + 2)
    if digits != ticket_number(int(digits[:DIGITS])):
        raise Refused("ticket", "wrong-digit", ticket=digits)
    return digits


def check_redeemable(number: str, amount: int, expires: int, found: TicketState, at: int) -> None:
    """Refuse a ticket that has no value now, with the reason."""
    match found:
        case "live" if at <= expires and amount > 0:
            return
        case "live" if at <= expires:
            raise Refused("ticket", "no-value", ticket=number)
        case "live" | "expired":
            raise Refused("ticket", "expired", ticket=number, expires=_dated(expires))
        case "redeemed" | "paid" | "void" | "unknown":
            raise Refused("ticket", found, ticket=number)
        case _:
            assert_never(found)


def check_expiry(expires: int, at: int) -> None:
    """Refuse a new ticket that would expire at once or be valid too long."""
    if not at < expires <= at + LONGEST:
        raise Refused("ticket", "life", days=LONGEST // (24 * 60 * 60 * 1000), expires=_dated(expires))


def _dated(moment: int) -> int:
    """The nearest moment that has a date: a command may hold any number."""
    first, last = _DATED
    return min(max(moment, first), last)
