"""Decisions while bets are open: placing, raising, withdrawing, rejecting, and the close."""

from __future__ import annotations

from croupier.rules import schema
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.book_change import check_not_due
from croupier.table.checks import (
    Events,
    bet_of,
    betting_round,
    call_of,
    check_credit,
    check_may_start,
    check_name,
    check_order,
    check_part,
    interruption_act,
    irregularity_with,
    seat_of,
)
from croupier.table.limits import caps, check_bet, cut_at_close
from croupier.table.state import LaidBet, Round, Seat, Table


def open_betting(table: Table, command: m.OpenBetting) -> Events:
    check_may_start(table)
    check_not_due(table, command.at)
    call = call_of(table, "place-your-bets")
    check_order(table, command, "BettingOpened", call.clause)
    if table.order == "covered":
        _tumbled(table, call.clause)
    event = m.BettingOpened(
        command.by,
        command.at,
        table.next_round,
        call.words,
        table.limits,
        table.displayed,
        table.book.hash,
        call.clause,
    )
    return [event]


def _tumbled(table: Table, clause: str) -> None:
    """A covered game begins with the tumble, unless the book has an irregularity for its omission."""
    forgettable = any(part.id == "no-tumble" for part in table.book.irregularities)
    if not table.motion.started and not forgettable:
        raise Refused("motion", "not-tumbled", clause)
    if table.motion.started and table.motion.count is None:
        raise Refused("motion", "tumbling", clause)


def place_bet(table: Table, command: m.PlaceBet) -> Events:
    id, stake, chips = command.id, command.stake, command.colour_chips
    check_name("bet", id)
    if id in table.bet_rounds:
        _check_resend(table, command)
        return []
    seat = seat_of(table, command.seat)
    round = betting_round(table, "late-bet")
    if command.round != round.number:
        raise Refused("round", "not-open", bet=id, round=command.round, open=round.number)
    _connected(seat)
    layout, limits = table.layouts[seat.layout], round.limits
    box = layout.box(command.box).name
    if chips:
        _check_chips(seat, chips, stake)
    if type(stake) is not int or stake <= 0 or stake % limits.unit:  # whole chips can be paid, or no table would open
        layout.check_stake(box, stake)
    if stake % limits.unit:
        raise Refused("unit", "stake", stake=stake, box=box, unit=limits.unit)
    check_bet(limits, table.law.book.limits, box, round.stakes.get((seat.id, box), 0) + stake)
    check_credit(seat, stake)
    return [m.BetPlaced(command.by, command.at, id, round.number, seat.id, seat.layout, box, stake, chips)]


def _connected(seat: Seat) -> None:
    if not seat.connected:
        raise Refused("terminal", "interrupted", seat=seat.id)


def _check_resend(table: Table, command: m.PlaceBet) -> None:
    """Refuse a bet with the id of another bet of any round. The refusal shows a bet only to its own seat."""
    number = table.bet_rounds[command.id]
    round = table.past[number].round if number in table.past else table.round
    assert round is not None
    placed = round.bets[command.id].placed
    if placed == (command.seat, command.box, command.stake, command.round, command.colour_chips):
        return
    seat, box, stake, of, _ = placed
    if seat != command.seat:
        raise Refused("resend", "other-bet", bet=command.id)
    raise Refused("resend", "other-bet-of-seat", bet=command.id, seat=seat, box=box, stake=stake, round=of)


def _check_chips(seat: Seat, count: int, stake: Cents) -> None:
    if seat.colour is None:
        raise Refused("colour", "none", seat=seat.id)
    colour, value = seat.colour
    worth = value * count
    if worth != stake:
        raise Refused("colour", "other-worth", chips=count, colour=colour, value=value, worth=worth, stake=stake)


def withdraw_bet(table: Table, command: m.WithdrawBet) -> Events:
    check_name("withdrawal", command.id)
    if command.id in table.withdrawals:
        if table.withdrawals[command.id] != (command.bet, command.amount):
            raise Refused("resend", "other-withdrawal", withdrawal=command.id)
        return []
    _not_a_loser(table, command)
    round = betting_round(table, "late-withdrawal")
    bet = bet_of(round, command.bet)
    _connected(seat_of(table, bet.seat))
    check_part(bet, command.amount)
    if bet.chip and command.amount % bet.chip and command.amount != bet.stake:
        raise Refused("colour", "whole-chips", bet=bet.id, seat=bet.seat, box=bet.box, value=bet.chip)
    check_bet(round.limits, table.book.limits, bet.box, _left(round, bet, command.amount))
    return [m.BetWithdrawn(command.by, command.at, command.id, bet.id, bet.seat, command.amount)]


def _not_a_loser(table: Table, command: m.WithdrawBet) -> None:
    """Once the result is known, a clause of some books keeps Players from losing bets (nz 4.8)."""
    bet = table.round.bets.get(command.bet) if table.round else None
    part = next((part for part in table.book.irregularities if part.id == "losing-wager-handled"), None)
    if part is None or bet is None or not (table.round and table.round.outcome) or table.phase not in part.phases:
        return
    if table.layouts[bet.layout].pays(bet.box, table.round.outcome) is None:
        raise Refused("late-withdrawal", "lost", part.clause, bet=bet.id, box=bet.box)


def _left(round: Round, bet: LaidBet, amount: Cents) -> Cents:
    """What a seat has left in a box after an amount is taken off. It must be whole chips."""
    left = Cents(round.stakes[bet.seat, bet.box] - amount)
    if left % round.limits.unit:
        raise Refused("unit", "left", left=left, box=bet.box, unit=round.limits.unit)
    return left


def reject_excess(table: Table, command: m.RejectExcess) -> Events:
    round = betting_round(table, "late-bet")
    bet = bet_of(round, command.bet)
    check_part(bet, command.amount)
    clause = irregularity_with(table, "reject-excess").clause
    latest = next(other for other in reversed(round.bets.values()) if other.box == bet.box and other.stake)
    if latest.id != bet.id:
        raise Refused(
            "excess", "latest-first", clause, box=bet.box, bet=latest.id, seat=latest.seat, stake=latest.stake
        )
    _left(round, bet, command.amount)
    over = _over_limit(table, round, bet.box)
    if command.amount > over:
        raise Refused("excess", "over", clause, box=bet.box, over=over, amount=command.amount)
    return [m.ExcessRejected(command.by, command.at, bet.id, bet.seat, command.amount, clause)]


def _over_limit(table: Table, round: Round, box: str) -> int:
    total = sum(stake for (_, name), stake in round.stakes.items() if name == box)
    return max(0, total - caps(round, table.book.limits).get(box, total))


def advise_short(table: Table, command: m.AdviseShort) -> Events:
    round = betting_round(table, "late-bet")
    bet = bet_of(round, command.bet)
    part = irregularity_with(table, "advise")
    minimum = round.limits.minimum_of(bet.box)
    if round.stakes[bet.seat, bet.box] >= minimum:
        raise Refused("minimum", "not-under", part.clause, box=bet.box, seat=bet.seat, minimum=minimum)
    return [m.ShortBetAdvised(command.by, command.at, bet.id, bet.seat, minimum, part.clause)]


def close_betting(table: Table, command: m.CallNoMoreBets) -> Events:
    call = call_of(table, "no-more-bets")
    if table.round is None:
        raise Refused("phase", "no-bets-open", call.clause)
    cut = cut_at_close(table.round, table.book.limits, table.layouts, table.book.movements)
    closed = m.BettingClosed(command.by, command.at, call.words, call.bell, cut, call.clause)
    if table.interruption and table.interruption.was == "spinning" and table.interruption.power_back:
        # The ball still runs after a power failure: play continues, and bets close as in any spin (sands 5.11.2).
        act = interruption_act(table, "spinning")
        return [m.Resumed(command.by, command.at, act.act, act.clause), closed]
    check_order(table, command, "BettingClosed", call.clause)
    if table.order == "wheel" and table.phase == "betting":
        _early_close_allowed(table, command, call)
    return [closed]


def _early_close_allowed(table: Table, command: m.CallNoMoreBets, call: schema.Call) -> None:
    """Before the spin, only the roles that the book names may close bets (sands 6.1)."""
    person = command.allowed_by or command.by
    if not set(table.staff.get(m.PersonId(person), ())) & set(call.early_by):
        raise Refused("early-close", "before-spin", call.early_clause, allowed=call.early_by)
