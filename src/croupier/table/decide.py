"""A command becomes events or a refusal. Reads the table and changes nothing."""

from __future__ import annotations

from typing import Any, assert_never

from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.approvals import approved, declined, requested
from croupier.table.betting import advise_short, close_betting, open_betting, place_bet, reject_excess, withdraw_bet
from croupier.table.book_change import bring_book, cancel_plan, check_plan, take_up_book, take_up_planned
from croupier.table.cash import cash_out, drain_bank, fill_bank, redeem_ticket, repay_debt, write_off_debt
from croupier.table.checks import (
    Events,
    check_amount,
    check_boxes_named,
    check_phase,
    displayed,
    irregularity_of,
    no_spin_any_time,
    open_round,
    seat_of,
    struck_phase,
)
from croupier.table.corrections import correct, void_rounds
from croupier.table.evidence import check_moves, contradicted
from croupier.table.interruptions import attest, interrupt, interrupt_terminals, restore, restore_terminals
from croupier.table.irregularities import decide_bet, decide_uncovered, report, void_as_reported
from croupier.table.limits import check_limits
from croupier.table.messages import AnyCommand, PersonId
from croupier.table.motion import end_motion, start_motion, uncover
from croupier.table.permits import SYSTEM, authorise, check_second, check_when, with_clause
from croupier.table.result import amend, confirm, decide_result, enter_number, pay, press_entry, press_key, sense
from croupier.table.seats import (
    assign_staff,
    choose_layout,
    close_table,
    give_colour,
    leave_seat,
    open_table,
    pay_out,
    set_layouts,
    take_back_colour,
    take_seat,
)
from croupier.table.state import Table

_REASONED = frozenset(
    (m.Unlock, m.GiveCredit, m.WriteOffDebt, m.CorrectResult, m.VoidRounds, m.DecideResult, m.DecideBet, m.CancelPlan)
)


def decide(table: Table, command: AnyCommand) -> Events:
    """The events of a command. Raises Refused, and then nothing has happened."""
    try:
        return _decided(table, command)
    except Refused as refused:
        raise with_clause(table.book, command, refused) from None


def _decided(table: Table, command: AnyCommand) -> Events:
    authorise(table, command)
    if type(command) is m.PlaceBet:  # the most frequent by far, and the rest of this function does not concern them
        return place_bet(table, command)
    if type(command) in _REASONED:
        _check_reason(command)
    events, two = _agreed(table, command)
    if two:  # requested only if the act itself would not be refused
        return [requested(table.next_request, command, table.setup.approval_seconds)]
    return events


def _check_reason(command: Any) -> None:
    if not command.reason.strip():
        raise Refused("reason", "needed", act=type(command).__name__)


def _in_its_time(table: Table, command: AnyCommand) -> Events:
    check_moves(table, command)
    events = _decide(table, command)
    if events:
        check_when(table, command)
    return events


def rehearse(table: Table, command: AnyCommand) -> tuple[Events, bool]:
    """The events of a command once everyone it needs has agreed, and whether it needs a second person.

    Like `decide`, but a reason may be missing: people see what a command would do before they write why.
    """
    try:
        authorise(table, command)
        return _agreed(table, command)
    except Refused as refused:
        raise with_clause(table.book, command, refused) from None


def _agreed(table: Table, command: AnyCommand) -> tuple[Events, bool]:
    if type(command) is m.PlaceBet:
        return place_bet(table, command), False
    return _in_its_time(table, command), needs_two(table, command)


def _decide(table: Table, command: AnyCommand) -> Events:
    match command:  # bets first: the most frequent by far
        case m.PlaceBet():
            return place_bet(table, command)
        case m.WithdrawBet():
            return withdraw_bet(table, command)
        case m.OpenTable():
            return open_table(table, command)
        case m.CloseTable():
            return close_table(table, command)
        case m.AssignStaff():
            return assign_staff(table, command)
        case m.TakeSeat():
            return take_seat(table, command)
        case m.ChooseLayout():
            return choose_layout(table, command)
        case m.LeaveSeat():
            return leave_seat(table, command)
        case m.SellCredit():
            check_amount(command.amount)
            return [m.CreditSold(command.by, command.at, seat_of(table, command.seat).id, command.amount)]
        case m.PayOut():
            return pay_out(table, command)
        case m.GiveCredit():
            check_amount(command.amount)
            return [
                m.CreditGiven(command.by, command.at, seat_of(table, command.seat).id, command.amount, command.reason)
            ]
        case m.GiveColour():
            return give_colour(table, command)
        case m.TakeBackColour():
            return take_back_colour(table, command)
        case m.SetLimits():
            check_limits(command.limits, displayed(table), table.book.limits)
            check_plan(table, limits=command.limits)
            check_boxes_named(table, command.limits)
            return [m.LimitsSet(command.by, command.at, command.limits)]
        case m.SetLayouts():
            return set_layouts(table, command)
        case m.OpenBetting():
            return open_betting(table, command)
        case m.RedeemTicket():
            return redeem_ticket(table, command)
        case m.CashOut():
            return cash_out(table, command)
        case m.RepayDebt():
            return repay_debt(table, command)
        case m.WriteOffDebt():
            return write_off_debt(table, command)
        case m.FillBank():
            return fill_bank(command)
        case m.DrainBank():
            return drain_bank(command)
        case m.RejectExcess():
            return reject_excess(table, command)
        case m.AdviseShort():
            return advise_short(table, command)
        case m.CallNoMoreBets():
            return close_betting(table, command)
        case m.StartMotion():
            return start_motion(table, command)
        case m.EndMotion():
            return end_motion(table, command)
        case m.Uncover():
            return uncover(table, command)
        case m.PressKey():
            return press_key(table, command)
        case m.PressEntry():
            return press_entry(table, command)
        case m.EnterNumber():
            return enter_number(table, command)
        case m.SenseResult():
            return sense(table, command)
        case m.DecideResult():
            return decide_result(table, command)
        case m.AmendResult():
            return amend(table, command)
        case m.ConfirmResult():
            return confirm(table, command)
        case m.PayWinners():
            check_phase(table, command, "settling")
            return pay(table, command, open_round(table), open_round(table).fates)
        case m.Report():
            return report(table, command)
        case m.DecideBet():
            return decide_bet(table, command)
        case m.Decide():
            return decide_uncovered(table, command)
        case m.CorrectResult():
            return correct(table, command)
        case m.VoidRounds():
            return void_rounds(table, command)
        case m.Unlock():
            if table.locked is None:
                raise Refused("phase", "not-locked")
            return [m.TableUnlocked(command.by, command.at, command.reason)]
        case m.Interrupt():
            return interrupt(table, command)
        case m.InterruptTerminals():
            return interrupt_terminals(table, command)
        case m.Restore():
            return restore(table, command)
        case m.RestoreTerminals():
            return restore_terminals(table, command)
        case m.Attest():
            return attest(table, command)
        case m.Approve():
            return _approve(table, command)
        case m.Decline():
            return _decline(table, command)
        case m.BringBook():
            return bring_book(table, command)
        case m.TakeUpBook():
            return take_up_book(table, command, command.at, PersonId(""))
        case m.TakeUpPlanned():
            return take_up_planned(table, command)
        case m.CancelPlan():
            return cancel_plan(table, command)
        case _:
            assert_never(command)


# ---- two people


def needs_two(table: Table, command: AnyCommand) -> bool:
    """Corrections, voids once a result is entered, limits and layouts of an open table, unlocking, gifts, the book."""
    match command:
        case m.PlaceBet() | m.WithdrawBet():
            return False
        case m.CorrectResult() | m.VoidRounds() | m.Unlock() | m.WriteOffDebt() | m.GiveCredit() | m.Attest():
            return True
        case m.SetLimits() | m.SetLayouts():
            return table.open
        case m.TakeUpBook() | m.CancelPlan():
            return True
        case m.Restore():
            # Where an interruption always voids, one person who ends it would void a result alone.
            return command.by != SYSTEM and table.reads("power-failure-voids") and struck_phase(table) == "entered"
        case m.Decide():
            known = table.interruption is not None and bool(table.interruption.shown or table.sensed)
            return command.treatment == "void" and (known or struck_phase(table) == "entered")
        case m.Report():
            part = irregularity_of(table, command.irregularity)
            if contradicted(table, part, command.by) is not None:
                return False  # the round stands still instead: another person decides
            after_result = part.consequence == "void" and struck_phase(table) == "entered"
            return after_result or (part.people == 2 and not no_spin_any_time(table, part))
        case _:
            return False


def _approve(table: Table, command: m.Approve) -> Events:
    request, given = approved(table.requests, command)
    asked = request.command
    if request.device is not None:
        assert isinstance(asked, m.Report)
        return [given, *void_as_reported(table, command, asked)]
    now = table.round.number if table.round else None
    if isinstance(asked, m.Report | m.Decide | m.Attest) and request.round != now:
        raise Refused("approval", "round-over", request=command.request)
    check_second(table, command, request)
    authorise(table, asked)
    if isinstance(asked, m.TakeUpBook):  # whether its hour has come counts when it is approved
        return [given, *take_up_book(table, asked, command.at, PersonId(command.by))]
    return [given, *_in_its_time(table, asked)]


def _decline(table: Table, command: m.Decline) -> Events:
    request = table.requests.get(command.request)
    if request is not None and request.device is not None and request.command.by == command.by:
        raise Refused("same-person", "reported", person=command.by, request=request.number)
    return [declined(table.requests, command)]
