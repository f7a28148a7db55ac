"""Everything a screen does is a command: given to a table, to the cage or to the office, and answered once on disk."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import urlsplit

import msgspec

from croupier.cage import messages as c
from croupier.cage.messages import AnyCageCommand, AnyCageEvent
from croupier.floor.config import CAGE
from croupier.floor.floor import LiveTable
from croupier.office import messages as o
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent
from croupier.rules.refusal import Refused, Unavailable, refused_again
from croupier.server.staff.context import House
from croupier.server.staff.guard import SIGNED_IN, RateLimit
from croupier.server.staff.inputs import GivenAtCage, GivenAtTable, GivenInOffice, command_of
from croupier.server.staff.public import TableAsked
from croupier.server.staff.router import Nothing, Plane, StaffCall
from croupier.store.recorder import Recorder
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, AnyEvent, PersonId, SeatId
from croupier.table.tickets import ticket_number

DAY = 24 * 60 * 60 * 1000
DEEDS = (100, 20.0)
"""Commands of one person: so many at once, and so many a second after that."""


class DoneAtTable(msgspec.Struct, frozen=True):
    """It is on disk. `again` if it was done before, under the same id."""

    events: tuple[AnyEvent, ...]
    again: bool


class DoneAtCage(msgspec.Struct, frozen=True):
    events: tuple[AnyCageEvent, ...]
    again: bool


class DoneInOffice(msgspec.Struct, frozen=True):
    events: tuple[AnyOfficeEvent, ...]
    again: bool


class Numbers:
    """Numbers of tickets that people make: the same whenever the act is sent again, known to nobody before."""

    def __init__(self, house: House) -> None:
        key = (house.floor.premises.keys / "signing.key").read_bytes()
        self._secret = hashlib.blake2b(b"staff tickets\n" + key).digest()

    def of(self, place: str, person: PersonId, id: str) -> str:
        digest = hashlib.blake2b(f"{place}\n{person}\n{id}".encode(), key=self._secret).digest()
        return ticket_number(int.from_bytes(digest[:16], "big") % 10**16)


def deed_routes(plane: Plane) -> None:
    house, numbers, pace = plane.house, Numbers(plane.house), RateLimit(*DEEDS)
    refusals = (409, 429, 503)

    @plane.post("/api/tables/{table}/commands", SIGNED_IN, statuses=refusals)
    async def at_table(call: StaffCall, asked: TableAsked, given: GivenAtTable) -> DoneAtTable:
        """Give a command to a table. The same id may be sent again until it is answered; 503 asks for that."""
        live, person = house.live(asked.table), call.someone
        pace.take(person)
        if SeatId(person) in live.table.seats:
            raise Refused("permission", "name-of-seat", person=person)
        command = _table_command(house, live, numbers, person, given)
        await house.people.check(live, command, call.session)
        entry, again = await _give(house, live.recorder, command, person, given)
        await house.people.note(live.name, command, call.session, entry.events)
        return DoneAtTable(entry.events, again)

    @plane.post("/api/cage/commands", SIGNED_IN, statuses=refusals)
    async def at_cage(call: StaffCall, asked: Nothing, given: GivenAtCage) -> DoneAtCage:
        """Give a command to the cage: sell, pay, void and replace tickets."""
        person = call.someone
        pace.take(person)
        command = _cage_command(house, numbers, person, given)
        await house.people.check(None, command, call.session)
        entry, again = await _give(house, house.floor.cage, command, person, given)
        await house.people.note(CAGE, command, call.session, entry.events)
        if not again:
            house.papers.give(entry.events)
        return DoneAtCage(entry.events, again)

    @plane.post("/api/office/commands", SIGNED_IN, statuses=refusals)
    async def in_office(call: StaffCall, asked: Nothing, given: GivenInOffice) -> DoneInOffice:
        """Give a command to the office: accounts, roles, confirmed people, terminals, alerts."""
        person = call.someone
        pace.take(person)
        await house.sessions.adopt_rules()
        known = _known_in_office(call, given.command)
        command = command_of(given.command, AnyOfficeCommand, person, house.floor.clock.now(), known)
        if isinstance(command, o.SignAsking):
            house.people.check_signing(command)
        entry, again = await _give(house, house.floor.office, command, person, given)
        return DoneInOffice(entry.events, again)


async def _give(house: House, recorder: Recorder, command: Any, person: PersonId, given: Any) -> tuple[Any, bool]:
    """What came of a command; Refused if the rules say no, Unavailable if nobody knows."""
    answer = await house.floor.give(recorder, command, f"{person}.{given.id}")
    if answer is None:
        raise Unavailable("unknown", "written")
    if (no := answer.entry.refused) is not None:
        raise refused_again(no)
    return answer.entry, answer.again


def _table_command(house: House, live: LiveTable, numbers: Numbers, person: PersonId, given: Any) -> AnyCommand:
    now, kind = house.floor.clock.now(), type(given.command).__struct_config__.tag
    known: dict[str, Any] = {}
    if kind == m.RedeemTicket.__name__:
        known = {"amount": 0, "expires": 0, "found": "unknown"}  # the store looks these up
    elif kind == m.CashOut.__name__:
        number = numbers.of(live.name, person, given.id)
        known = {"ticket": number, "expires": now + live.config.ticket_days * DAY}
    elif kind in (m.PlaceBet.__name__, m.WithdrawBet.__name__):
        known = {"id": f"{person}.{given.command.id}"}  # nobody takes the id of another's bet
    command: AnyCommand = command_of(given.command, AnyCommand, person, now, known)
    return command


def _known_in_office(call: StaffCall, ask: Any) -> dict[str, Any]:
    match type(ask).__struct_config__.tag:
        case o.ConfirmPerson.__name__ | o.SignAsking.__name__:
            return {"session": call.session}
        case o.AddPasskey.__name__:
            host = urlsplit(call.request.headers["origin"]).hostname  # it was compared with our own
            return {"session": call.session, "person": call.someone, "host": host}
        case _:
            return {}


def _cage_command(house: House, numbers: Numbers, person: PersonId, given: Any) -> AnyCageCommand:
    now, ask = house.floor.clock.now(), given.command
    number, expires = numbers.of("cage", person, given.id), now + house.settings.ticket_days * DAY
    looked_up = {"amount": 0, "expires": 0, "found": "unknown"}  # by the store
    known: dict[str, Any] = {}
    match type(ask).__struct_config__.tag:
        case c.SellTicket.__name__:
            known = {"ticket": number, "expires": expires}
        case c.PayTicket.__name__ | c.ReprintTicket.__name__:
            known = looked_up
        case c.VoidTicket.__name__:
            new = {"replacement": number, "replacement_expires": expires} if ask.replace else {}
            known = {**looked_up, **new}
        case c.PayUnclaimed.__name__:
            known = {"amount": 0, "found": "unknown"}
        case c.ApproveRequest.__name__:
            known = {"found": "unknown"}
    command: AnyCageCommand = command_of(ask, AnyCageCommand, person, now, known)
    return command
