"""Decisions about the table itself, its staff, its seats and their colour chips."""

from __future__ import annotations

from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.book_change import check_plan
from croupier.table.checks import (
    Events,
    check_amount,
    check_credit,
    check_name,
    check_open,
    check_phase,
    displayed,
    seat_even_gone,
    seat_of,
)
from croupier.table.limits import check_limits
from croupier.table.messages import PersonId, SeatId
from croupier.table.permits import SYSTEM
from croupier.table.roles import SUPERVISION, rank
from croupier.table.state import Table


def open_table(table: Table, command: m.OpenTable) -> Events:
    if table.open:
        raise Refused("phase", "open-already")
    _check_displayed(table, table.displayed)
    check_limits(table.limits, displayed(table), table.book.limits)
    readings = {reading.ruling for reading in table.book.readings if reading.alternative != "none"}
    for number in sorted(table.law.alternatives - readings):
        raise Refused("alternative", "not-of-book", book=table.book.id, ruling=number)
    checks = [prompt for prompt in table.book.prompts if prompt.when == "opening"]
    prompts = {prompt.id for prompt in table.book.prompts}
    for name in command.unchecked:
        if table.book.refusals and name not in prompts:
            raise Refused("checks", "unknown", check=name, known=tuple(prompt.id for prompt in checks))
    for prompt in checks:
        if prompt.id in command.unchecked:
            raise Refused("checks", "not-made", prompt.clause, check=prompt.id)
    return [m.TableOpened(command.by, command.at, tuple(prompt.id for prompt in checks))]


def close_table(table: Table, command: m.CloseTable) -> Events:
    check_open(table)
    check_phase(table, command, "ready")
    return [m.TableClosed(command.by, command.at)]


def set_layouts(table: Table, command: m.SetLayouts) -> Events:
    """Layouts change as limits do: never for a round that is under way."""
    for name in command.layouts:
        if name not in table.layouts:
            raise Refused("layout", "not-of-book", layout=name, book=table.book.id, known=tuple(table.layouts))
    if len(set(command.layouts)) < max(1, len(command.layouts)):
        raise Refused("layout", "each-once")
    _check_displayed(table, command.layouts)
    check_limits(table.limits, [table.layouts[name] for name in command.layouts], table.book.limits)
    check_plan(table, layouts=command.layouts)
    return [m.LayoutsSet(command.by, command.at, command.layouts)]


def _check_displayed(table: Table, layouts: tuple[str, ...]) -> None:
    if table.book.play.layout_of == "table" and len(layouts) > 1:
        raise Refused("layout", "one-displayed", layouts=layouts)


def take_seat(table: Table, command: m.TakeSeat) -> Events:
    check_name("seat", command.seat)
    if command.seat in table.seats and not table.seats[command.seat].gone:
        raise Refused("seat", "taken", seat=command.seat)
    if command.seat == SYSTEM or PersonId(command.seat) in table.staff:
        raise Refused("seat", "name-of-staff", seat=command.seat)
    _check_layout(table, command.layout)
    return [m.SeatTaken(command.by, command.at, command.seat, command.layout)]


def choose_layout(table: Table, command: m.ChooseLayout) -> Events:
    """A bet belongs to the layout it was placed on, so a terminal can change its layout only while it has no bets."""
    seat = seat_of(table, command.seat)
    if table.book.play.layout_of != "terminal":
        raise Refused("layout", "of-table")
    _check_layout(table, command.layout)
    if seat.held:
        raise Refused("layout", "has-bets", seat=seat.id, held=seat.held, layout=seat.layout)
    return [m.LayoutChosen(command.by, command.at, seat.id, command.layout)]


def _check_layout(table: Table, layout: str) -> None:
    offered = table.round.layouts if table.round else table.displayed
    if layout not in offered:
        raise Refused("layout", "not-offered", layout=layout, offered=offered)


def leave_seat(table: Table, command: m.LeaveSeat) -> Events:
    seat = seat_of(table, command.seat)
    if seat.held or seat.credit:
        raise Refused("seat", "has-money", seat=seat.id, held=seat.held + seat.credit)
    return [m.SeatLeft(command.by, command.at, seat.id)]


def pay_out(table: Table, command: m.PayOut) -> Events:
    seat = seat_even_gone(table, command.seat)
    check_amount(command.amount)
    check_credit(seat, command.amount)
    return [m.CreditPaidOut(command.by, command.at, seat.id, command.amount)]


def give_colour(table: Table, command: m.GiveColour) -> Events:
    if not table.live:
        raise Refused("colour", "none-at-electronic")
    seat = seat_of(table, command.seat)
    owner = next((s.id for s in table.seats.values() if s.colour and s.colour[0] == command.colour), None)
    if owner is not None:
        raise Refused("colour", "given", colour=command.colour, seat=owner)
    if seat.colour:
        raise Refused("colour", "one-colour", seat=seat.id, colour=seat.colour[0])
    if command.value <= 0 or command.value % table.limits.unit:
        raise Refused("unit", "chip", value=command.value, unit=table.limits.unit)
    marker = needs_marker(table, command.value)
    return [m.ColourGiven(command.by, command.at, seat.id, command.colour, command.value, marker)]


def needs_marker(table: Table, value: Cents) -> bool:
    """Colour chips above the minimum are marked with their value (sands 1.1.1)."""
    return value > table.limits.minimum.get("*", Cents(0))


def take_back_colour(table: Table, command: m.TakeBackColour) -> Events:
    seat = seat_of(table, command.seat)
    if seat.colour is None:
        raise Refused("colour", "none", seat=seat.id)
    if seat.held:
        raise Refused("colour", "bets-left", seat=seat.id)
    return [m.ColourTakenBack(command.by, command.at, seat.id)]


def assign_staff(table: Table, command: m.AssignStaff) -> Events:
    check_name("person", command.person)
    if command.person == SYSTEM or SeatId(command.person) in table.seats:
        raise Refused("permission", "name-of-seat", person=command.person)
    if not command.roles:
        raise Refused("permission", "no-role", person=command.person)
    given = max(map(rank, command.roles))
    highest = max(table.staff[PersonId(command.by)], key=rank)
    had = max(map(rank, table.staff.get(command.person, ())), default=0)
    if max(given, had) > rank(highest):
        raise Refused("permission", "above-own", person=command.by, highest=highest)
    others = [roles for person, roles in table.staff.items() if person != command.person]
    if not any(set(roles) & set(SUPERVISION) for roles in (*others, command.roles)):
        raise Refused("permission", "no-supervision", roles=SUPERVISION)
    return [m.StaffAssigned(command.by, command.at, command.person, command.roles)]
