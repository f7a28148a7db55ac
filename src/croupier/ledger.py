"""Money: accounts, transfers of whole cents between two accounts, the transfers of each event, meters and figures.

Corrections are new transfers. A balance is never stored: it is the sum of the flows of its account, by reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, assert_never

import msgspec

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, Paid, Reversal
from croupier.table.state import Table

CAGE = "cage"
UNCLAIMED = "unclaimed"
"""The money of expired tickets, until it is paid late."""

Reason = Literal[
    "credit sold",
    "credit paid out",
    "credit given",
    "bet",
    "withdrawn",
    "excess rejected",
    "out of action",
    "lost",
    "won",
    "returned",
    "void",
    "decided",
    "reversal",
    "correction",
    "owed",
    "repaid",
    "debt repaid",
    "written off",
    "ticket in",
    "ticket out",
    "ticket sold",
    "ticket paid",
    "ticket void",
    "ticket replaced",
    "ticket expired",
    "fill",
    "drain",
]


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An amount that moves from one account to another, the reason, and the bet or ticket."""

    source: str
    target: str
    amount: Cents
    reason: Reason
    about: str = ""


def terminal(table: str, seat: str) -> str:
    """The account of a seat's credit at a table."""
    return f"terminal:{table}/{seat}"


def receivable(table: str, seat: str) -> str:
    """The account of a seat's debt, after a correction took back more than it had."""
    return f"receivable:{table}/{seat}"


def ticket(number: str) -> str:
    """The account of what the House owes the holder of a ticket."""
    return f"ticket:{number}"


def post(table: str, event: AnyEvent) -> list[Transfer]:
    """The transfers of an event at a table."""
    bets, house = f"bets:{table}", f"house:{table}"
    match event:  # bets first: the most frequent by far
        case m.BetPlaced():
            return [Transfer(terminal(table, event.seat), bets, event.stake, "bet", event.bet)]
        case m.BetWithdrawn():
            return [Transfer(bets, terminal(table, event.seat), event.amount, "withdrawn", event.bet)]
        case m.CreditSold():
            return [Transfer(CAGE, terminal(table, event.seat), event.amount, "credit sold")]
        case m.CreditPaidOut():
            return [Transfer(terminal(table, event.seat), CAGE, event.amount, "credit paid out")]
        case m.CreditGiven():
            return [Transfer(house, terminal(table, event.seat), event.amount, "credit given")]
        case m.ExcessRejected():
            return [Transfer(bets, terminal(table, event.seat), event.amount, "excess rejected", event.bet)]
        case m.BettingClosed():
            return [
                Transfer(bets, terminal(table, one.seat), one.amount, "out of action", one.bet) for one in event.cut
            ]
        case m.LosersCollected():
            lost = ((paid.collected, paid.bet) for paid in event.fates)
            return [Transfer(bets, house, amount, "lost", bet) for amount, bet in lost if amount]
        case m.WinnersPaid():
            return [transfer for paid in event.paid for transfer in _paid(table, paid) if transfer.amount]
        case m.RoundVoided():
            return [Transfer(bets, terminal(table, one.seat), one.amount, "void", one.bet) for one in event.returned]
        case m.BetDecided() if event.returned:
            return [Transfer(bets, terminal(table, event.seat), event.returned, "decided", event.bet)]
        case m.TicketRedeemed():
            number = event.ticket
            return [Transfer(ticket(number), terminal(table, event.seat), event.amount, "ticket in", number)]
        case m.TicketIssued():
            number = event.ticket
            return [Transfer(terminal(table, event.seat), ticket(number), event.amount, "ticket out", number)]
        case m.DebtRepaid():
            return [Transfer(CAGE, receivable(table, event.seat), event.amount, "debt repaid")]
        case m.DebtWrittenOff():
            return [Transfer(house, receivable(table, event.seat), event.amount, "written off")]
        case m.BankFilled():
            return [Transfer(CAGE, house, event.amount, "fill")]
        case m.BankDrained():
            return [Transfer(house, CAGE, event.amount, "drain")]
        case m.ResultCorrected() | m.SettledRoundVoided():
            moved = (transfer for reversal in event.reversals for transfer in _reverse(table, reversal))
            return [transfer for transfer in moved if transfer.amount]
        case (
            m.BetDecided()
            | m.TableOpened()
            | m.TableClosed()
            | m.StaffAssigned()
            | m.SeatTaken()
            | m.LayoutChosen()
            | m.SeatLeft()
            | m.ColourGiven()
            | m.ColourTakenBack()
            | m.LimitsSet()
            | m.LayoutsSet()
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
            | m.ResultAnnounced()
            | m.ResultChecked()
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
            | m.ReportContradicted()
            | m.ApprovalGiven()
            | m.ApprovalDeclined()
            | m.BookBrought()
            | m.BookPlanned()
            | m.BookTakenUp()
            | m.PlanCancelled()
        ):
            return []
        case _:
            assert_never(event)


def _paid(table: str, paid: Paid) -> Iterable[Transfer]:
    seat = terminal(table, paid.seat)
    yield Transfer(f"house:{table}", seat, paid.winnings, "won", paid.bet)
    yield Transfer(f"bets:{table}", seat, paid.returned, "returned", paid.bet)


def _reverse(table: str, reversal: Reversal) -> Iterable[Transfer]:
    """Undo the old settlement of a bet and make the new one. What the seat cannot give back becomes a debt.

    The stake first goes back to the table's bets and leaves them again, so that each transfer has a meaning by itself.
    Money that a seat gains comes before money that it gives back.
    """
    bets, house = f"bets:{table}", f"house:{table}"
    seat, owed = terminal(table, reversal.seat), receivable(table, reversal.seat)
    old, new = reversal.old, reversal.new
    if reversal.owed > 0:
        yield Transfer(owed, seat, reversal.owed, "owed", reversal.bet)
    yield Transfer(house, bets, old.collected, "reversal", reversal.bet)
    yield Transfer(house, seat, new.winnings, "correction", reversal.bet)
    yield Transfer(seat, house, old.winnings, "reversal", reversal.bet)
    returned = new.returned - old.returned
    if returned >= 0:
        yield Transfer(bets, seat, Cents(returned), "correction", reversal.bet)
    else:
        yield Transfer(seat, bets, Cents(-returned), "reversal", reversal.bet)
    yield Transfer(bets, house, new.collected, "correction", reversal.bet)
    if reversal.owed < 0:
        yield Transfer(seat, owed, Cents(-reversal.owed), "repaid", reversal.bet)


# ---- balances


Flows = dict[str, dict[Reason, int]]
"""account → reason → what came into the account for it, less what went out."""

TICKETS = "tickets"
"""The account of all tickets together. The store knows which are live, so that these balances never grow."""


class Balances:
    """The flows of every account by reason, and so its balance. All balances together are zero."""

    __slots__ = ("flows", "moved")

    def __init__(self) -> None:
        self.flows: Flows = {}
        self.moved: set[str] = set()
        """The accounts that moved since the last audit."""

    @staticmethod
    def of(flows: Mapping[str, Mapping[Reason, int]]) -> Balances:
        """Balances with these flows; there is no other state."""
        balances = Balances()
        balances.flows = {account: dict(by_reason) for account, by_reason in flows.items()}
        balances.moved = set(balances.flows)
        return balances

    def __getitem__(self, account: str) -> int:
        return sum(self.flows.get(account, {}).values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Balances):
            return NotImplemented
        return self.flows == other.flows

    def __repr__(self) -> str:
        return f"Balances.of({self.flows!r})"

    def values(self) -> Iterable[int]:
        """All balances. Their sum is zero if no money was created or destroyed."""
        return (sum(flow.values()) for flow in self.flows.values())

    def apply(self, transfers: Iterable[Transfer]) -> None:
        flows, moved = self.flows, self.moved
        for transfer in transfers:
            source, target, amount, reason = transfer.source, transfer.target, transfer.amount, transfer.reason
            assert amount > 0, transfer
            flow = flows.get(target) or self._flow(target)
            flow[reason] = flow.get(reason, 0) + amount
            flow = flows.get(source) or self._flow(source)
            flow[reason] = flow.get(reason, 0) - amount
            moved.add(target)
            moved.add(source)

    def _flow(self, account: str) -> dict[Reason, int]:
        """The flow of an account that has not moved yet, or of all tickets together."""
        return self.flows.setdefault(TICKETS if account.startswith("ticket:") else account, {})

    def merge(self, account: str, other: str) -> None:
        """Drop an account whose balance is zero, and add its flows to those of another."""
        flow = self.flows.pop(account, None)
        if flow is None:
            return
        assert sum(flow.values()) == 0, f"{account} is not at zero"
        into = self.flows.setdefault(other, {})
        for reason, amount in flow.items():
            into[reason] = into.get(reason, 0) + amount
        self.moved.discard(account)


def since(flows: Flows, before: Flows) -> Flows:
    """The flows between two moments, for example of a shift."""
    changed = {
        account: {reason: amount - before.get(account, {}).get(reason, 0) for reason, amount in by_reason.items()}
        for account, by_reason in flows.items()
    }
    return {
        account: moved
        for account, by_reason in changed.items()
        if (moved := {reason: amount for reason, amount in by_reason.items() if amount})
    }


# ---- meters of a terminal


class Meter(NamedTuple):
    """The counts of a terminal since the seat was made; see METERS."""

    turnover: Cents
    """Bets, less what came back without having been in action."""
    wins: Cents
    """Winnings and returned stakes of settled bets, with the changes by corrections and by voids after settlement."""
    cash_in: Cents
    tickets_in: Cents
    given: Cents
    tickets_out: Cents
    cancelled: Cents
    """Credit paid out by hand."""
    owed: Cents
    """What corrections lent the terminal because its credit was too small, less what later corrections took back."""

    @property
    def credit(self) -> Cents:
        """The credit by these meters. It must be the credit of the seat."""
        gains = self.cash_in + self.tickets_in + self.given + self.wins + self.owed
        return Cents(gains - self.tickets_out - self.cancelled - self.turnover)


METERS: dict[Reason, str] = {
    "credit sold": "cash_in",
    "ticket in": "tickets_in",
    "credit given": "given",
    "bet": "turnover",
    "withdrawn": "turnover",
    "excess rejected": "turnover",
    "out of action": "turnover",
    "void": "turnover",
    "decided": "turnover",
    "won": "wins",
    "returned": "wins",
    "reversal": "wins",
    "correction": "wins",
    "owed": "owed",
    "repaid": "owed",
    "ticket out": "tickets_out",
    "credit paid out": "cancelled",
}
"""The meter of each reason for which a terminal's credit moves."""

_COUNT_OUT = ("turnover", "tickets_out", "cancelled")
"""Meters of what leaves the credit."""
_PLACES: dict[Reason, tuple[int, int]] = {
    reason: (Meter._fields.index(name), -1 if name in _COUNT_OUT else 1) for reason, name in METERS.items()
}


_COUNTED = _PLACES.keys()


def meter(balances: Balances, table: str, seat: str) -> Meter:
    """The meters of a seat's terminal. The self-audit stops the table at a reason without a meter."""
    counts = [Cents(0)] * len(Meter._fields)
    for reason, amount in balances.flows.get(terminal(table, seat), {}).items():
        if reason in _PLACES:
            place, sign = _PLACES[reason]
            counts[place] = Cents(counts[place] + sign * amount)
    return Meter(*counts)


# ---- figures of a table


class Figures(NamedTuple):
    """The House's figures of a table, from the beginning or over a shift."""

    drop: Cents
    """Cash and tickets that Players brought to play."""
    win: Cents
    """What the House won from play, with corrections, whether or not it has been paid."""
    hold: Fraction | None
    """The part of the drop that the House won; None without a drop."""
    fills: Cents
    drains: Cents
    bank: Cents
    """The money of the bank; over a shift, its change."""
    handed_out: Cents
    """Tickets issued, and credit paid out by hand."""
    given: Cents
    written_off: Cents


def figures(flows: Flows, table: str) -> Figures:
    """The figures of a table from its flows, or from those of a shift (`since`)."""
    seats = [moved for account, moved in flows.items() if account.startswith(terminal(table, ""))]
    bank = flows.get(f"house:{table}", {})
    drop, win = _net(seats, "credit sold", "ticket in"), _net([bank], "lost", "won", "reversal", "correction")
    return Figures(
        drop=drop,
        win=win,
        hold=Fraction(win, drop) if drop else None,
        fills=_net([bank], "fill"),
        drains=Cents(-_net([bank], "drain")),
        bank=Cents(sum(bank.values())),
        handed_out=Cents(-_net(seats, "ticket out", "credit paid out")),
        given=Cents(-_net([bank], "credit given")),
        written_off=Cents(-_net([bank], "written off")),
    )


def _net(accounts: Iterable[Mapping[Reason, int]], *reasons: Reason) -> Cents:
    return Cents(sum(moved.get(reason, 0) for moved in accounts for reason in reasons))


# ---- laws


def check_laws(table: Table, balances: Balances) -> None:
    """The laws of money: nothing is created or lost, and the figures of the table equal those of the ledger."""
    assert sum(balances.values()) == 0, "money was created or destroyed"
    held, name = sum(seat.held for seat in table.seats.values()), table.setup.table
    assert balances[f"bets:{name}"] == held, "the bets on the table are not what the seats hold"
    assert balances[f"house:{name}"] == table.house, "the House's figure is not the ledger's"
    for seat in table.seats.values():
        assert balances[terminal(name, seat.id)] == seat.credit, f"the credit of {seat.id} is not the ledger's"
        assert -balances[receivable(name, seat.id)] == seat.owes, f"what {seat.id} owes is not the ledger's"
        assert seat.held >= 0
    audit(table, balances)


def audit(table: Table, balances: Balances) -> None:
    """The self-audit of the accounts that moved since the last one: after each command, at a constant cost."""
    name = table.setup.table
    prefix, seats, flows = terminal(name, ""), table.seats, balances.flows
    length = len(prefix)
    for account in balances.moved:
        if account == prefix:  # all seats that were dropped
            assert balances[prefix] == 0, "a seat was dropped with credit"
        elif account.startswith(prefix):
            # The credit equals the ledger's and that of the meters: each reason is counted once, by one meter.
            seat, flow = seats[account[length:]], flows[account]  # type: ignore[index]
            assert sum(flow.values()) == seat.credit, f"the credit of {seat.id} is not the ledger's"
            assert seat.credit >= 0, f"{account} is below zero"
            assert flow.keys() <= _COUNTED, f"the meters of {seat.id} miss its credit"
    assert balances[f"bets:{name}"] >= 0, f"bets:{name} is below zero"
    assert balances[f"house:{name}"] == table.house, "the House's figure is not the ledger's"
    _audit_bank(balances, name)
    balances.moved.clear()


def _audit_bank(balances: Balances, table: str) -> None:
    if f"house:{table}" in balances.moved:
        now = figures({f"house:{table}": balances.flows[f"house:{table}"]}, table)
        expected = now.win + now.fills - now.drains - now.given - now.written_off
        assert now.bank == expected, f"the bank of {table} moved for a reason no figure counts"
