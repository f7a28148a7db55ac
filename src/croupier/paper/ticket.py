"""A ticket on paper: a cash voucher as a PDF, as a picture, and in the language of thermal printers."""

from __future__ import annotations

from io import BytesIO
from typing import Literal, NamedTuple

from croupier.paper import escpos
from croupier.paper.amounts import LARGEST, amount_in_words
from croupier.paper.page import long_date, plain, typeset, zone_in_full
from croupier.rules.money import Cents, format_money
from croupier.rules.refusal import Refused
from croupier.words import say

_STATES = ("live", "redeemed", "paid", "void", "expired")
_LONGEST_HOUSE, _LONGEST_PLACE = 500, 130


class TicketFacts(NamedTuple):
    """The facts on a ticket. Moments are milliseconds since the epoch. If it is not live, a reprint is marked."""

    number: str
    amount: Cents
    issued: int
    expires: int
    place: str
    house: str
    time_zone: str
    state: str = "live"
    duplicate: bool = False
    """The ticket was printed before, or may have been. Of two papers with one number only one can be redeemed."""


class _Lines(NamedTuple):
    """The printed text."""

    house: str
    figures: str
    written: str
    grouped: str
    issued: str
    issued_zone: str
    place: str
    expires: str
    expires_zone: str
    mark: str


def ticket_pdf(facts: TicketFacts) -> bytes:
    """A ticket as a PDF of 156 mm × 65 mm."""
    return _set(facts, "pdf")


def ticket_png(facts: TicketFacts) -> bytes:
    """A ticket as a picture, 300 pixels to the inch."""
    return _set(facts, "png")


def ticket_escpos(facts: TicketFacts) -> bytes:
    """A ticket for a thermal printer of 42 columns."""
    lines = _lines(facts)
    mark = escpos.reversed_double(lines.mark) if lines.mark else b""
    return b"".join(
        (
            escpos.BEGIN,
            escpos.bold(lines.house),
            escpos.feed(1),
            escpos.bold(say("paper-ticket-title")),
            escpos.text(lines.grouped),
            mark,
            escpos.feed(1),
            escpos.double(lines.figures),
            escpos.text(lines.written),
            escpos.feed(1),
            escpos.qr(facts.number),
            escpos.text(lines.grouped),
            escpos.feed(1),
            escpos.text(f"{say('paper-ticket-issued')} {lines.issued}"),
            escpos.text(lines.issued_zone),
            escpos.text(f"{say('paper-ticket-place')} {lines.place}"),
            escpos.text(f"{say('paper-ticket-expires')} {lines.expires}"),
            escpos.text(lines.expires_zone),
            mark,
            escpos.END,
        )
    )


def grouped(number: str) -> str:
    """A validation number as it is printed.

    >>> grouped("123456789012345678")
    '12-3456-7890-1234-5678'
    """
    if not (len(number) == 18 and number.isascii() and number.isdigit()):
        raise Refused("ticket", "digits", ticket=plain(number)[:40], digits=18)
    return "-".join((number[:2], *(number[at : at + 4] for at in range(2, 18, 4))))


def _set(facts: TicketFacts, format: Literal["pdf", "png"]) -> bytes:
    drawn = {
        **_lines(facts)._asdict(),
        "title": say("paper-ticket-document", number=grouped(facts.number)),
        "qr": _qr_drawing(facts.number),
    }
    return typeset("ticket", drawn, facts.issued, format)


def _lines(facts: TicketFacts) -> _Lines:
    _check(facts)
    return _Lines(
        house=_shortened(facts.house, _LONGEST_HOUSE),
        figures=f"${format_money(facts.amount)}",
        written=amount_in_words(facts.amount),
        grouped=grouped(facts.number),
        issued=long_date(facts.issued, facts.time_zone),
        issued_zone=zone_in_full(facts.issued, facts.time_zone),
        place=_shortened(facts.place, _LONGEST_PLACE),
        expires=long_date(facts.expires, facts.time_zone),
        expires_zone=zone_in_full(facts.expires, facts.time_zone),
        mark=_mark(facts),
    )


def _mark(facts: TicketFacts) -> str:
    if facts.state != "live":
        return say(f"paper-ticket-{facts.state}")
    return say("paper-ticket-duplicate") if facts.duplicate else ""


def _check(facts: TicketFacts) -> None:
    if not 0 < facts.amount <= LARGEST:
        raise Refused("ticket", "amount-of-paper", amount=facts.amount, most=LARGEST)
    if facts.expires <= facts.issued:
        raise Refused("ticket", "expires-before", issued=facts.issued, expires=facts.expires)
    if facts.state not in _STATES:
        raise Refused("ticket", "unprinted-state", state=plain(facts.state)[:40], known=_STATES)


def _shortened(text: str, longest: int) -> str:
    """A name from outside. A name that is too long is cut and ends in dots."""
    name = plain(text)
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _qr_drawing(number: str) -> str:
    import segno

    drawing = BytesIO()
    segno.make(number, error="m", micro=False).save(drawing, kind="svg", border=0, xmldecl=False)
    return drawing.getvalue().decode()
