"""Money: accounts, two-account transfers in whole cents, and what each event moves. Corrections are new transfers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, assert_never

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, Reversal
from croupier.table.state import Table

CAGE = "cage"


class Transfer(NamedTuple):
    """An amount that leaves one account and enters another, and why."""

    source: str
    target: str
    amount: Cents
    reason: str


def terminal(seat: str) -> str:
    return f"terminal:{seat}"


def post(table: str, event: AnyEvent) -> list[Transfer]:
    """The money that an event at a table moves."""
    return [transfer for transfer in _post(table, event) if transfer.amount]


def _post(table: str, event: AnyEvent) -> Iterable[Transfer]:
    bets, house = f"bets:{table}", f"house:{table}"
    match event:
        case m.CreditSold():
            yield Transfer(CAGE, terminal(event.seat), event.amount, "credit sold")
        case m.CreditPaidOut():
            yield Transfer(terminal(event.seat), CAGE, event.amount, "credit paid out")
        case m.CreditGiven():
            yield Transfer(house, terminal(event.seat), event.amount, "credit given")
        case m.BetPlaced():
            yield Transfer(terminal(event.seat), bets, event.stake, f"bet {event.bet}")
        case m.BetWithdrawn():
            yield Transfer(bets, terminal(event.seat), event.amount, f"withdrawn {event.bet}")
        case m.ExcessRejected():
            yield Transfer(bets, terminal(event.seat), event.amount, f"excess rejected {event.bet}")
        case m.BettingClosed():
            for share in event.cut:
                yield Transfer(bets, terminal(share.seat), share.amount, f"out of action {share.bet}")
        case m.LosersCollected():
            for paid in event.fates:
                yield Transfer(bets, house, paid.collected, f"lost {paid.bet}")
        case m.WinnersPaid():
            for paid in event.paid:
                yield Transfer(house, terminal(paid.seat), paid.winnings, f"won {paid.bet}")
                yield Transfer(bets, terminal(paid.seat), paid.returned, f"returned {paid.bet}")
        case m.RoundVoided():
            for share in event.returned:
                yield Transfer(bets, terminal(share.seat), share.amount, f"void {share.bet}")
        case m.BetDecided():
            yield Transfer(bets, terminal(event.seat), event.returned, f"returned {event.bet}")
        case m.ResultCorrected() | m.SettledRoundVoided():
            for reversal in event.reversals:
                yield from _reverse(bets, house, reversal)
        case (
            m.TableOpened()
            | m.TableClosed()
            | m.StaffAssigned()
            | m.SeatTaken()
            | m.SeatLeft()
            | m.ColourGiven()
            | m.ColourTakenBack()
            | m.LimitsSet()
            | m.BettingOpened()
            | m.ShortBetAdvised()
            | m.MotionStarted()
            | m.MotionEnded()
            | m.Uncovered()
            | m.KeyPressed()
            | m.ResultEntered()
            | m.ResultSensed()
            | m.ResultDecided()
            | m.ResultAmended()
            | m.Reported()
            | m.Decided()
            | m.TableLocked()
            | m.TableUnlocked()
            | m.Interrupted()
            | m.TerminalsInterrupted()
            | m.TerminalsRestored()
            | m.Resumed()
            | m.PowerBack()
            | m.FacesAttested()
            | m.ApprovalRequested()
            | m.ApprovalGiven()
            | m.ApprovalDeclined()
        ):
            return
        case _:
            assert_never(event)


def _reverse(bets: str, house: str, reversal: Reversal) -> Iterable[Transfer]:
    """The old settlement of a bet undone, then the new one; what the seat cannot give back is owed.

    The stake goes back to the table's bets first and leaves them again, so that each leg can be read by itself. Money a
    seat gains comes before money it gives back.
    """
    seat, owed = terminal(reversal.seat), f"receivable:{reversal.seat}"
    old, new = reversal.old, reversal.new
    if reversal.owed > 0:
        yield Transfer(owed, seat, reversal.owed, f"owed {reversal.bet}")
    yield Transfer(house, bets, old.collected, f"reversal {reversal.bet}")
    yield Transfer(house, seat, new.winnings, f"correction {reversal.bet}")
    yield Transfer(seat, house, old.winnings, f"reversal {reversal.bet}")
    returned = new.returned - old.returned
    if returned >= 0:
        yield Transfer(bets, seat, Cents(returned), f"correction {reversal.bet}")
    else:
        yield Transfer(seat, bets, Cents(-returned), f"reversal {reversal.bet}")
    yield Transfer(bets, house, new.collected, f"correction {reversal.bet}")
    if reversal.owed < 0:
        yield Transfer(seat, owed, Cents(-reversal.owed), f"repaid {reversal.bet}")


class Balances(Counter[str]):
    """Every account's balance. They always sum to zero."""

    def apply(self, transfers: Iterable[Transfer]) -> None:
        for transfer in transfers:
            assert transfer.amount > 0, transfer
            self[transfer.source] -= transfer.amount
            self[transfer.target] += transfer.amount
            if transfer.source.startswith(("terminal:", "bets:", "ticket:")):
                assert self[transfer.source] >= 0, f"{transfer.source} would go below zero by {transfer}"


def check_laws(table: Table, balances: Balances) -> None:
    """The laws of money: nothing created, nothing lost, and the table's own figures are the ledger's."""
    assert sum(balances.values()) == 0, "money was created or destroyed"
    held = sum(seat.held for seat in table.seats.values())
    assert balances[f"bets:{table.setup.table}"] == held, "the bets on the table are not what the seats hold"
    assert balances[f"house:{table.setup.table}"] == table.house, "the House's figure is not the ledger's"
    for seat in table.seats.values():
        assert balances[terminal(seat.id)] == seat.credit, f"the credit of {seat.id} is not the ledger's"
        assert -balances[f"receivable:{seat.id}"] == seat.owes, f"what {seat.id} owes is not the ledger's"
        assert seat.credit >= 0
        assert seat.held >= 0
