"""Prints tickets: each once, in the order they were made. If one does not come out, an alert is raised.

A ticket is in the journal before it is on paper, and is worth the same without paper. So printing is never repeated by
itself: a paper that comes out late, with no one near, is money on the floor. A person at the cage prints the ticket
again, and that paper is marked as a duplicate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from croupier.cage import messages as c
from croupier.devices import port
from croupier.devices.port import AnyFact, OnFact
from croupier.devices.printer import Delivery
from croupier.floor.floor import Floor
from croupier.paper.ticket import TicketFacts, ticket_escpos
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact, Refused
from croupier.store.reports import TicketLine, ticket_line
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m

MOST_WAITING = 200
"""Tickets that may wait for one printer. An alert is raised for each one above that."""


class Printer(Protocol):
    """A device that prints tickets."""

    @property
    def name(self) -> str: ...

    async def run(self, on_fact: OnFact) -> None: ...

    async def print(self, ticket: bytes) -> Delivery: ...


class Letterhead(NamedTuple):
    """What every ticket of a floor shows."""

    house: str = "Croupier"
    zone: str = "UTC"


class Due(NamedTuple):
    """A ticket that must be printed."""

    number: str
    duplicate: bool


class TicketPrinter:
    """The printer of a table or of the cage: prints the tickets that are made at that place."""

    def __init__(self, floor: Floor, place: str, printer: Printer, letterhead: Letterhead) -> None:
        self.floor = floor
        self.place = place
        self.printer = printer
        self.letterhead = letterhead
        self._due: asyncio.Queue[Due] = asyncio.Queue(MOST_WAITING)
        self._dismissed = False

    async def run(self) -> None:
        """Until cancelled, or until the printer itself fails."""
        self.floor.subscribe(self.place, self._happened)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.printer.run(self.on_fact))
                group.create_task(self._print_all())
        finally:
            self.floor.unsubscribe(self.place, self._happened)

    def dismiss(self) -> None:
        """Another machine works this place, and prints the tickets from now on."""
        self._dismissed = True

    def on_fact(self, fact: AnyFact) -> None:
        """Raise alerts for what the printer reports."""
        match fact:
            case port.Offline():
                self.floor.alert("device-offline", fact.case, self.place, device=self.printer.name, **fact.facts)
            case port.Warned():
                self.floor.alert("device-fault", "told", self.place, device=self.printer.name, fault=fact.what)
            case _:
                pass

    def _happened(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        if not self._dismissed:
            for event in (event for entry in entries for event in entry.events):
                if (due := due_for(event)) is not None:
                    self._queue(due)

    def _queue(self, due: Due) -> None:
        try:
            self._due.put_nowait(due)
        except asyncio.QueueFull:
            ticket, amount, place = self._ticket(due)
            others: dict[str, Fact] = {"device": self.printer.name, "waiting": MOST_WAITING}
            self.floor.alert(
                "ticket-not-printed", "queue", self.place, ticket=ticket, amount=amount, place=place, **others
            )

    async def _print_all(self) -> None:
        while True:
            due = await self._due.get()
            try:
                await self.printer.print(ticket_escpos(self._facts(due)))
            except Refused as refused:
                ticket, amount, place = self._ticket(due)
                self.floor.alert(
                    "ticket-not-printed", "unprinted", self.place, refused, ticket=ticket, amount=amount, place=place
                )

    def _ticket(self, due: Due) -> tuple[str, Cents, str]:
        """Its number, all but the last digits hidden so that it cannot be redeemed; its amount; where it was made."""
        line = self._line(due)
        return f"{'*' * 14}{line.number[-4:]}", line.amount, line.place

    def _line(self, due: Due) -> TicketLine:
        found = self.floor.store.ticket(due.number)
        assert found is not None, f"{due.number} was made and is not in the store"
        return ticket_line(*found)

    def _facts(self, due: Due) -> TicketFacts:
        line, (house, zone) = self._line(due), self.letterhead
        return TicketFacts(
            line.number, line.amount, line.issued, line.expires, line.place, house, zone, line.state, due.duplicate
        )


def due_for(event: object) -> Due | None:
    """The ticket that an event puts on paper, if it does."""
    match event:
        case m.TicketIssued() | c.TicketSold():
            return Due(event.ticket, duplicate=False)
        case c.TicketVoided() if event.replacement:
            return Due(event.replacement, duplicate=False)
        case c.TicketReprinted():
            return Due(event.ticket, duplicate=True)
        case _:
            return None
