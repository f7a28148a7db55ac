"""Reports for the House: tickets with what became of them, and the figures of a shift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.ledger import Figures, Flows, figures
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store.history import ARCHIVED, start
from croupier.store.journal import LAST, Store, TicketEnded, TicketMade, row_after
from croupier.store.streams.table import TableSubject


class TicketsWanted(NamedTuple):
    """What to search for, as when a Player has lost a ticket; an empty field matches everything."""

    state: str = ""
    place: str = ""
    amount: int = 0
    begin: int = 0
    end: int = LAST


class TicketLine(NamedTuple):
    number: str
    state: str
    amount: Cents
    issued: int
    expires: int
    place: str
    ended: int
    """When it ended; 0 while it is live."""

    @property
    def shown(self) -> str:
        """The number as a list may show it: of a live ticket, only the last four digits."""
        return f"{'*' * 14}{self.number[-4:]}" if self.state == "live" else self.number


class TicketTotals(NamedTuple):
    """Counts and sums by state; the House owes the live ones."""

    counts: dict[str, int]
    sums: dict[str, Cents]

    @property
    def liability(self) -> Cents:
        return self.sums["live"]


STATES = ("live", "redeemed", "paid", "void", "expired")


def find_tickets(store: Store, wanted: TicketsWanted) -> Iterator[TicketLine]:
    for made, ended in store.tickets():
        line = ticket_line(made, ended)
        if (
            wanted.state in ("", line.state)
            and (not wanted.place or line.place == wanted.place or line.place.startswith(f"{wanted.place}/"))
            and wanted.amount in (0, line.amount)
            and wanted.begin <= line.issued < wanted.end
        ):
            yield line


def ticket_line(made: TicketMade, ended: TicketEnded | None) -> TicketLine:
    state = ended.how if ended else "live"
    at = ended.at if ended else 0
    return TicketLine(made.number, state, Cents(made.amount), made.at, made.expires, made.place, at)


def total(lines: Iterator[TicketLine]) -> TicketTotals:
    counts, sums = dict.fromkeys(STATES, 0), dict.fromkeys(STATES, Cents(0))
    for line in lines:
        counts[line.state] += 1
        sums[line.state] = Cents(sums[line.state] + line.amount)
    return TicketTotals(counts, sums)


def shift_figures(store: Store, table: str, begin: int, end: int) -> Figures:
    """Drop, win, hold and the rest of a table over a span of time."""
    if not isinstance(start(store, table).subject, TableSubject):
        raise Refused("table", "no-table", table=table)
    first = row_after(store, table, 0)
    if first is not None and first.seq > 1 and begin < first.at:
        raise Refused(ARCHIVED, "figures-from", table=table, row=first.seq, moment=first.at)
    flows: Flows = {}
    for source, target, reason, amount in store.flows(table, begin, end):
        for account, change in ((source, -amount), (target, amount)):
            moved = flows.setdefault(account, {})
            moved[reason] = moved.get(reason, 0) + change  # type: ignore[index, call-overload]
    return figures(flows, table)
