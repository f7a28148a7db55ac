"""Decisions about money that enters or leaves a table: tickets, debts and the table's bank."""

from __future__ import annotations

from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.checks import Events, check_amount, check_credit, seat_even_gone, seat_of
from croupier.table.state import Seat, Table
from croupier.table.tickets import check_expiry, check_redeemable, check_ticket_number


def redeem_ticket(table: Table, command: m.RedeemTicket) -> Events:
    seat = seat_of(table, command.seat)
    number = check_ticket_number(command.ticket)
    check_redeemable(number, command.amount, command.expires, command.found, command.at)
    return [m.TicketRedeemed(command.by, command.at, seat.id, number, command.amount)]


def cash_out(table: Table, command: m.CashOut) -> Events:
    """A Player who has left cannot cash out. Staff can cash out the credit that a later correction gave them."""
    by_player = command.by == command.seat
    seat = seat_of(table, command.seat) if by_player else seat_even_gone(table, command.seat)
    check_amount(command.amount)
    check_credit(seat, command.amount)
    number = check_ticket_number(command.ticket)
    check_expiry(command.expires, command.at)
    return [m.TicketIssued(command.by, command.at, seat.id, number, command.amount, command.expires)]


def repay_debt(table: Table, command: m.RepayDebt) -> Events:
    seat = seat_even_gone(table, command.seat)
    _check_debt(seat, command.amount)
    return [m.DebtRepaid(command.by, command.at, seat.id, command.amount)]


def write_off_debt(table: Table, command: m.WriteOffDebt) -> Events:
    seat = seat_even_gone(table, command.seat)
    _check_debt(seat, command.amount)
    return [m.DebtWrittenOff(command.by, command.at, seat.id, command.amount, command.reason)]


def _check_debt(seat: Seat, amount: int) -> None:
    check_amount(amount)
    if amount > seat.owes:
        raise Refused("debt", "less", seat=seat.id, owes=seat.owes, amount=amount)


def fill_bank(command: m.FillBank) -> Events:
    check_amount(command.amount)
    return [m.BankFilled(command.by, command.at, command.amount)]


def drain_bank(command: m.DrainBank) -> Events:
    """The bank may go below zero: winners are always paid, and money that was counted out is gone."""
    check_amount(command.amount)
    return [m.BankDrained(command.by, command.at, command.amount)]
