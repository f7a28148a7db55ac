"""The cashier: finds and prints tickets, shows what the House owes for them and what waits for a second person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec

from croupier.cage import messages as c
from croupier.floor.config import CAGE
from croupier.paper.ticket import TicketFacts, ticket_escpos, ticket_pdf, ticket_png
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.server.staff.context import Context
from croupier.server.staff.feeds import View
from croupier.server.staff.guard import CASHIER
from croupier.server.staff.papers import Paper, Papers
from croupier.server.staff.pit import Approval, Moment, cage_approvals
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.store.history import start
from croupier.store.journal import LAST, Broken, Store, TicketEnded, row_at
from croupier.store.reports import TicketLine, TicketsWanted, find_tickets, ticket_line, total
from croupier.store.streams.cage import CageSubject
from croupier.table.messages import PersonId
from croupier.table.tickets import check_ticket_number

MOST_SHOWN = 500
State = Literal["", "live", "redeemed", "paid", "void", "expired"]


class CageView(msgspec.Struct, frozen=True):
    """The cage as its staff see it."""

    person: PersonId
    roles: tuple[str, ...]
    house: str
    zone: str
    ticket_days: int
    counts: dict[str, int]
    """Tickets sold at the cage, and tickets ended at the cage, by how they ended."""
    requests: tuple[Approval, ...]
    staff: dict[PersonId, tuple[str, ...]]


class CageNow(msgspec.Struct, frozen=True):
    """The cage as it is now; `now` is the floor's clock."""

    seq: int
    now: int
    snapshot: CageView


class TicketsAsked(msgspec.Struct, frozen=True):
    """A search for tickets, for example if a Player has lost one. Fields that are left out match every ticket."""

    state: State = ""
    place: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """The cage, a table, or a terminal as T1/A3."""
    amount: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    begin: Moment = 0
    end: Moment = LAST
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_SHOWN)] = 100


class TicketShown(msgspec.Struct, frozen=True):
    """A ticket in a list. Of a live ticket only the last four digits are shown."""

    number: str
    state: str
    amount: Cents
    issued: int
    expires: int
    place: str
    ended: int
    """When it ended; 0 if it is live."""


class TicketList(msgspec.Struct, frozen=True):
    tickets: tuple[TicketShown, ...]
    """The newest first."""
    found: int
    counts: dict[str, int]
    sums: dict[str, Cents]
    liability: Cents
    """What the House owes for the live ones."""


class TicketAsked(msgspec.Struct, frozen=True):
    number: str


class TicketAlone(msgspec.Struct, frozen=True):
    """One ticket, found by its whole number."""

    ticket: TicketShown
    made: tuple[str, int]
    """The stream and the row that made it."""
    end: tuple[str, int] | None
    """The stream and the row that ended it."""
    replacement: str
    """The number of the ticket that replaced it; empty if none did."""
    paper: Paper
    """The paper that can be printed of it, or of the ticket that replaced it; empty until it is reprinted."""


def cage_view(context: Context, person: PersonId) -> CageView:
    subject, settings = context.floor.cage.subject, context.settings
    assert isinstance(subject, CageSubject)
    cage = subject.cage
    requests = tuple(cage_approvals(context, person, context.floor.clock.now()))
    counts = {str(name): count for name, count in cage.counts.items()}
    return CageView(
        person,
        cage.staff.get(person, ()),
        settings.house,
        settings.zone,
        settings.ticket_days,
        counts,
        requests,
        dict(cage.staff),
    )


def list_tickets(store: Store, asked: TicketsAsked) -> TicketList:
    wanted = TicketsWanted(asked.state, asked.place, asked.amount, asked.begin, asked.end)
    lines = list(find_tickets(store, wanted))
    totals = total(iter(lines))
    newest = tuple(_shown(line, line.shown) for line in reversed(lines[-asked.limit :]))
    return TicketList(newest, len(lines), totals.counts, totals.sums, totals.liability)


def _shown(line: TicketLine, number: str) -> TicketShown:
    return TicketShown(number, line.state, line.amount, line.issued, line.expires, line.place, line.ended)


def find_ticket(store: Store, number: str, papers: Papers) -> TicketAlone:
    """A ticket by its number, with or without spaces and dashes. Refused as missing if this floor never issued it."""
    try:
        found = store.ticket(check_ticket_number(number))
    except Refused:
        found = None  # not a number that a ticket can have
    if found is None:
        raise Refused("missing", "ticket")
    made, ended = found
    line = ticket_line(made, ended)
    end = (ended.stream, ended.seq) if ended else None
    shown, new = _shown(line, line.number), _replacement(store, ended)
    printed = store.ticket(new) if new else None
    heir = ticket_line(*printed) if printed else line
    paper = papers.waits(heir.number, heir.state)
    return TicketAlone(shown, (made.stream, made.seq), end, new, paper)


def _replacement(store: Store, ended: TicketEnded | None) -> str:
    """The number of the ticket that replaced a void one; empty if none did."""
    if ended is None or ended.how != "void":
        return ""
    try:
        row = row_at(store, ended.stream, ended.seq)
    except Broken:
        return ""  # it was archived
    events = start(store, ended.stream).subject.read(row).events
    return next((event.replacement for event in events if isinstance(event, c.TicketVoided)), "")


def cashier_routes(router: Router) -> None:
    context, feeds = router.context, router.feeds
    context.floor.subscribe(CAGE, lambda stream, entries: feeds.touch("cage"))

    @router.get("/api/cage", CASHIER)
    async def cage_now(call: StaffCall, asked: Nothing) -> CageNow:
        """The cage: its staff, its counts, and what waits for a second person."""
        return CageNow(context.floor.cage.place.seq, context.floor.clock.now(), cage_view(context, call.someone))

    @router.socket("/api/cage", CASHIER, CageNow)
    def cage_pushed(person: PersonId) -> tuple[tuple[str, ...], View]:
        """The cage, pushed."""
        return ("cage", person), lambda: (context.floor.cage.place.seq, cage_view(context, person))

    @router.get("/api/tickets", CASHIER, statuses=(409, 503))
    async def tickets(call: StaffCall, asked: TicketsAsked) -> TicketList:
        """Tickets that match, the newest first, with what the House owes for them."""
        return await context.journal.ask(lambda store: list_tickets(store, asked))

    async def paper(number: str, on: Callable[[TicketFacts], bytes]) -> bytes:
        ticket = (await context.journal.ask(lambda store: find_ticket(store, number, context.papers))).ticket
        at = (ticket.issued, ticket.expires, ticket.place, context.settings.house, context.settings.zone)
        facts = TicketFacts(
            ticket.number, ticket.amount, *at, ticket.state, context.papers.take(ticket.number, ticket.state)
        )
        return await context.journal.ask(lambda store: on(facts))

    @router.get("/api/tickets/{number}.pdf", CASHIER, media="application/pdf", statuses=(409, 503))
    async def ticket_as_pdf(call: StaffCall, asked: TicketAsked) -> bytes:
        """A ticket to print: once after its sale, and once, marked, after each reprint. An ended one is crossed out."""
        return await paper(asked.number, ticket_pdf)

    @router.get("/api/tickets/{number}.png", CASHIER, media="image/png", statuses=(409, 503))
    async def ticket_as_png(call: StaffCall, asked: TicketAsked) -> bytes:
        """The same as a picture."""
        return await paper(asked.number, ticket_png)

    @router.get("/api/tickets/{number}.escpos", CASHIER, media="application/octet-stream", statuses=(409, 503))
    async def ticket_as_escpos(call: StaffCall, asked: TicketAsked) -> bytes:
        """The same as commands for thermal printers."""
        return await paper(asked.number, ticket_escpos)

    @router.get("/api/tickets/{number}", CASHIER, statuses=(409, 503))
    async def ticket(call: StaffCall, asked: TicketAsked) -> TicketAlone:
        """One ticket by its whole number: what it is worth, or how it ended."""
        return await context.journal.ask(lambda store: find_ticket(store, asked.number, context.papers))
