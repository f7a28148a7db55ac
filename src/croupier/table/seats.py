"""Decisions about the table itself, its seats, their credit and their colour chips."""

from __future__ import annotations

from croupier.rules.money import Cents, format_money
from croupier.rules.refusal import Refused
from croupier.table import messages as m
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
from croupier.table.permits import SUPERVISION, SYSTEM
from croupier.table.state import Table

_RANK = {"pit-supervisor": 2, "pit-manager": 3, "shift-manager": 4}


def open_table(table: Table, command: m.OpenTable) -> Events:
    if table.open:
        raise Refused("phase", "the table is open already")
    _check_displayed(table, table.displayed)
    check_limits(table.limits, displayed(table), table.book.limits)
    readings = {reading.ruling for reading in table.book.readings if reading.alternative != "none"}
    for number in sorted(table.setup.alternatives - readings):
        raise Refused("alternative", f"{table.book.id} has no ruling {number} with an alternative")
    checks = [prompt for prompt in table.book.prompts if prompt.when == "opening"]
    for prompt in checks:
        if prompt.id in command.unchecked:
            raise Refused("checks", f"the opening check {prompt.id} was not made: {prompt.says}", prompt.clause)
    return [m.TableOpened(command.by, command.at, tuple(prompt.id for prompt in checks))]


def close_table(table: Table, command: m.CloseTable) -> Events:
    check_open(table)
    check_phase(table, "ready")
    return [m.TableClosed(command.by, command.at)]


def set_layouts(table: Table, command: m.SetLayouts) -> Events:
    """What is on the felt, or may be chosen on terminals, changes like the limits: never in a round under way."""
    for name in command.layouts:
        if name not in table.layouts:
            raise Refused("layout", f'{table.book.id} has no layout "{name}"; it has {", ".join(table.layouts)}')
    if len(set(command.layouts)) < max(1, len(command.layouts)):
        raise Refused("layout", "name the layouts, each once")
    _check_displayed(table, command.layouts)
    check_limits(table.limits, [table.layouts[name] for name in command.layouts], table.book.limits)
    return [m.LayoutsSet(command.by, command.at, command.layouts)]


def _check_displayed(table: Table, layouts: tuple[str, ...]) -> None:
    if table.book.play.layout_of == "table" and len(layouts) > 1:
        raise Refused("layout", f"a table displays one layout, not {', '.join(layouts)}")


def take_seat(table: Table, command: m.TakeSeat) -> Events:
    check_name("seat", command.seat)
    if command.seat in table.seats and not table.seats[command.seat].gone:
        raise Refused("seat", f"seat {command.seat} is taken")
    if command.seat == SYSTEM or PersonId(command.seat) in table.staff:
        raise Refused("seat", f"{command.seat} is a name of the staff; a seat needs another")
    _check_layout(table, command.layout)
    return [m.SeatTaken(command.by, command.at, command.seat, command.layout)]


def choose_layout(table: Table, command: m.ChooseLayout) -> Events:
    """A bet belongs to the layout it was placed on, so a terminal changes its own only while none lies there."""
    seat = seat_of(table, command.seat)
    if table.book.play.layout_of != "terminal":
        raise Refused("layout", "the layout of this game is the table's, the same for every Player")
    _check_layout(table, command.layout)
    if seat.held:
        raise Refused("layout", f"{seat.id} has bets of {format_money(seat.held)} on layout {seat.layout}")
    return [m.LayoutChosen(command.by, command.at, seat.id, command.layout)]


def _check_layout(table: Table, layout: str) -> None:
    offered = table.round.layouts if table.round else table.displayed
    if layout not in offered:
        raise Refused("layout", f'layout "{layout}" is not at this table; it has {", ".join(offered)}')


def leave_seat(table: Table, command: m.LeaveSeat) -> Events:
    seat = seat_of(table, command.seat)
    if seat.held or seat.credit:
        held = format_money(seat.held + seat.credit)
        raise Refused("seat", f"seat {seat.id} still has {held} in credit and bets; pay it out first")
    return [m.SeatLeft(command.by, command.at, seat.id)]


def pay_out(table: Table, command: m.PayOut) -> Events:
    seat = seat_even_gone(table, command.seat)
    check_amount(command.amount)
    check_credit(seat, command.amount)
    return [m.CreditPaidOut(command.by, command.at, seat.id, command.amount)]


def give_colour(table: Table, command: m.GiveColour) -> Events:
    if not table.live:
        raise Refused("colour", "an electronic table has no colour chips")
    seat = seat_of(table, command.seat)
    owner = next((s.id for s in table.seats.values() if s.colour and s.colour[0] == command.colour), None)
    if owner is not None:
        raise Refused("colour", f"{command.colour} belongs to {owner}; a colour has one Player")
    if seat.colour:
        raise Refused("colour", f"{seat.id} has {seat.colour[0]} chips already")
    if command.value <= 0 or command.value % table.limits.unit:
        unit = format_money(table.limits.unit)
        raise Refused("unit", f"{format_money(command.value)} a chip is not a multiple of the chip unit {unit}")
    marker = needs_marker(table, command.value)
    return [m.ColourGiven(command.by, command.at, seat.id, command.colour, command.value, marker)]


def needs_marker(table: Table, value: Cents) -> bool:
    """Colour chips above the minimum are marked with their value (sands 1.1.1)."""
    return value > table.limits.minimum.get("*", Cents(0))


def take_back_colour(table: Table, command: m.TakeBackColour) -> Events:
    seat = seat_of(table, command.seat)
    if seat.colour is None:
        raise Refused("colour", f"{seat.id} has no colour chips")
    if seat.held:
        raise Refused("colour", f"{seat.id} still has bets on the table")
    return [m.ColourTakenBack(command.by, command.at, seat.id)]


def assign_staff(table: Table, command: m.AssignStaff) -> Events:
    check_name("person", command.person)
    if command.person == SYSTEM or SeatId(command.person) in table.seats:
        raise Refused("permission", f"{command.person} is a seat or the system; staff need names of their own")
    if not command.roles:
        raise Refused("permission", f"{command.person} needs at least one role")
    given = max((_RANK.get(role, 1) for role in command.roles), default=0)
    own = max(_RANK.get(role, 1) for role in table.staff[PersonId(command.by)])
    had = max((_RANK.get(role, 1) for role in table.staff.get(command.person, ())), default=0)
    if given > own or had > own:
        raise Refused("permission", f"{command.by} may give or take no role above his own")
    others = [roles for person, roles in table.staff.items() if person != command.person]
    if not any(set(roles) & set(SUPERVISION) for roles in (*others, command.roles)):
        raise Refused("permission", "one person at least must have supervision")
    return [m.StaffAssigned(command.by, command.at, command.person, command.roles)]
