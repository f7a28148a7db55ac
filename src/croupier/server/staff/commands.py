"""Commands from the screens to a table, to the cage or to the office. Each is answered once its row is on disk."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec

from croupier.cage.messages import AnyCageCommand, AnyCageEvent
from croupier.floor.config import CAGE, OFFICE
from croupier.floor.floor import LiveTable
from croupier.office import messages as o
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent
from croupier.rules.refusal import Refused
from croupier.server.staff.book_changes import bring
from croupier.server.staff.context import Context
from croupier.server.staff.guard import SIGNED_IN, RateLimit
from croupier.server.staff.inputs import Filling, GivenAtCage, GivenAtTable, GivenInOffice, command_of
from croupier.server.staff.public import TableAsked
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.server.ticket_numbers import TicketNumbers
from croupier.table.messages import AnyCommand, AnyEvent, SeatId

DAY = 24 * 60 * 60 * 1000
COMMANDS = (100, 20.0)
"""Commands of one person: how many at once, and how many a second after that."""


class DoneAtTable(msgspec.Struct, frozen=True):
    """The events, which are on disk. `again` if the command with this id was already done before."""

    events: tuple[AnyEvent, ...]
    again: bool


class DoneAtCage(msgspec.Struct, frozen=True):
    events: tuple[AnyCageEvent, ...]
    again: bool


class DoneInOffice(msgspec.Struct, frozen=True):
    events: tuple[AnyOfficeEvent, ...]
    again: bool


class Preparation:
    """Makes the command that a person sends. A command and its preview are prepared by the same call, so they agree."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._ticket_numbers = TicketNumbers(context.floor.premises, b"staff tickets\n")

    def at_table(self, live: LiveTable, call: StaffCall, given: Any) -> AnyCommand:
        """Refused for a person with the name of a seat of this table: they could act as its Player."""
        if SeatId(call.someone) in live.table.seats:
            raise Refused("permission", "name-of-seat", person=call.someone)
        command: AnyCommand = self._command(live.name, live.config.ticket_days, call, given, AnyCommand)
        return command

    def at_cage(self, call: StaffCall, given: Any) -> AnyCageCommand:
        command: AnyCageCommand = self._command(CAGE, self._context.settings.ticket_days, call, given, AnyCageCommand)
        return command

    def in_office(self, call: StaffCall, given: Any) -> AnyOfficeCommand:
        command: AnyOfficeCommand = self._command(OFFICE, 0, call, given, AnyOfficeCommand)
        return command

    def _command(self, place: str, ticket_days: int, call: StaffCall, given: Any, commands: Any) -> Any:
        person, now = call.someone, self._context.floor.clock.now()
        host = urlsplit(call.request.headers.get("origin", "")).hostname or ""  # the origin is one of our own
        number = self._ticket_numbers.of(place, person, given.id)
        known = Filling(given.command, person, call.session, host, number, now + ticket_days * DAY)
        return command_of(known, commands, now)


def command_routes(router: Router) -> None:
    context, prepare, pace = router.context, Preparation(router.context), RateLimit(*COMMANDS)
    refusals = (409, 429, 503)

    @router.post("/api/tables/{table}/commands", SIGNED_IN, statuses=refusals)
    async def at_table(call: StaffCall, asked: TableAsked, given: GivenAtTable) -> DoneAtTable:
        """Give a command to a table. Send it again with the same id until it is answered; 503 asks for that."""
        live, person = context.live(asked.table), call.someone
        pace.take(person)
        command = prepare.at_table(live, call, given)
        await context.people.check(live, command, call.session)
        await bring(context, live, command, f"{person}.{given.id}")
        entry, again = await context.give(live.recorder, command, f"{person}.{given.id}")
        await context.people.note(live.name, command, call.session, entry.events)
        return DoneAtTable(entry.events, again)

    @router.post("/api/cage/commands", SIGNED_IN, statuses=refusals)
    async def at_cage(call: StaffCall, asked: Nothing, given: GivenAtCage) -> DoneAtCage:
        """Give a command to the cage: sell, pay, void or replace tickets."""
        person = call.someone
        pace.take(person)
        command = prepare.at_cage(call, given)
        await context.people.check(None, command, call.session)
        entry, again = await context.give(context.floor.cage, command, f"{person}.{given.id}")
        await context.people.note(CAGE, command, call.session, entry.events)
        if not again:
            context.papers.give(entry.events)
        return DoneAtCage(entry.events, again)

    @router.post("/api/office/commands", SIGNED_IN, statuses=refusals)
    async def in_office(call: StaffCall, asked: Nothing, given: GivenInOffice) -> DoneInOffice:
        """Give a command to the office: accounts, roles, confirmed people, terminals, alerts."""
        person = call.someone
        pace.take(person)
        await context.sessions.adopt_rules()
        command = prepare.in_office(call, given)
        if isinstance(command, o.SignAsking):
            context.people.check_signing(command)
        entry, again = await context.give(context.floor.office, command, f"{person}.{given.id}")
        return DoneInOffice(entry.events, again)
