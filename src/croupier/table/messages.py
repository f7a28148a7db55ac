"""Commands to a table (imperative) and events at it (past tense). This file decides nothing.

Every command has `by`, the person or device that gives it, and `at`, milliseconds on the floor's clock.
"""

from __future__ import annotations

from typing import Literal, NewType

import msgspec

from croupier.rules.money import Cents
from croupier.table.roles import Role
from croupier.table.tickets import TicketState

SeatId = NewType("SeatId", str)
BetId = NewType("BetId", str)
PersonId = NewType("PersonId", str)
RoundNumber = NewType("RoundNumber", int)

Part = Literal["server", "console", "device"]


class Message(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A command or an event, as a journal keeps it. No message contains itself, so `gc=False` is safe."""


# ---- values inside messages


class Limits(msgspec.Struct, frozen=True, gc=False):
    """The House's limits: amounts by box name, by kind of box (`total`), or for all boxes (`*`)."""

    minimum: dict[str, Cents]
    maximum: dict[str, Cents]
    unit: Cents
    differential: Cents | None = None

    def minimum_of(self, box: str) -> Cents:
        return self.minimum["*"] if len(self.minimum) == 1 else _most_special(self.minimum, box)

    def maximum_of(self, box: str) -> Cents:
        return self.maximum["*"] if len(self.maximum) == 1 else _most_special(self.maximum, box)


def _most_special(amounts: dict[str, Cents], box: str) -> Cents:
    if box in amounts:
        return amounts[box]
    kind = box.partition(":")[0]
    return amounts[kind if kind in amounts else "*"]


class Share(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An amount of one bet that goes somewhere, and by which clause; none in rows from before it was kept."""

    bet: BetId
    seat: SeatId
    amount: Cents
    clause: str = ""


class Paid(msgspec.Struct, frozen=True, gc=False):
    """What one bet got: the stake collected, the winnings, and the stake returned (some of it never in action)."""

    bet: BetId
    seat: SeatId
    collected: Cents
    winnings: Cents
    returned: Cents
    clause: str


class Reversal(msgspec.Struct, frozen=True, gc=False):
    """One bet settled again: what it got before and gets now, and how much more its seat owes (below zero, less)."""

    bet: BetId
    seat: SeatId
    old: Paid
    new: Paid
    owed: Cents


class DeviceReport(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a device has reported of a round: that it began in its time, its count, and the result it read."""

    device: str
    began: bool = False
    count: int | None = None
    outcome: str | None = None


class Signature(msgspec.Struct, frozen=True, gc=False):
    """The signature of a person's passkey, with the data of the device and of the browser that it signs."""

    credential: str
    device: bytes
    client: bytes
    signature: bytes


# ---- commands


class Command(Message, frozen=True):
    by: str
    at: int


class OpenTable(Command, frozen=True):
    """Open for gaming; `unchecked` names opening checks that were not made."""

    unchecked: tuple[str, ...] = ()


class CloseTable(Command, frozen=True): ...


class AssignStaff(Command, frozen=True):
    person: PersonId
    roles: tuple[Role, ...]


class TakeSeat(Command, frozen=True):
    seat: SeatId
    layout: str


class ChooseLayout(Command, frozen=True):
    """Show another layout on a Player Terminal: only where the layout is the terminal's."""

    seat: SeatId
    layout: str


class LeaveSeat(Command, frozen=True):
    seat: SeatId


class SellCredit(Command, frozen=True):
    seat: SeatId
    amount: Cents


class PayOut(Command, frozen=True):
    seat: SeatId
    amount: Cents


class GiveCredit(Command, frozen=True):
    """Credit without money: needs two people."""

    seat: SeatId
    amount: Cents
    reason: str


class RedeemTicket(Command, frozen=True):
    """Turn a ticket into credit. The sender has looked up the amount and the state of the ticket."""

    seat: SeatId
    ticket: str
    amount: Cents
    expires: int
    found: TicketState


class CashOut(Command, frozen=True):
    """Turn credit into a ticket. The sender chooses its number and its last moment."""

    seat: SeatId
    amount: Cents
    ticket: str
    expires: int


class RepayDebt(Command, frozen=True):
    """Take cash for a debt that a correction left."""

    seat: SeatId
    amount: Cents


class WriteOffDebt(Command, frozen=True):
    """Give up what a seat owes: needs two people."""

    seat: SeatId
    amount: Cents
    reason: str


class FillBank(Command, frozen=True):
    """Bring money from the cage to the table's bank."""

    amount: Cents


class DrainBank(Command, frozen=True):
    """Take money from the table's bank to the cage."""

    amount: Cents


class GiveColour(Command, frozen=True):
    """Issue colour chips: the colour belongs to one Player, its value is set now."""

    seat: SeatId
    colour: str
    value: Cents


class TakeBackColour(Command, frozen=True):
    seat: SeatId


class SetLimits(Command, frozen=True):
    limits: Limits


class SetLayouts(Command, frozen=True):
    """Display other layouts from the next round on: one at a live table; elsewhere those that terminals may choose."""

    layouts: tuple[str, ...]


class BringBook(Command, frozen=True):
    """Lay the text of a rulebook before the table. It changes nothing in play until two people take the book up."""

    text: str


class TakeUpBook(Command, frozen=True):
    """Play under another book from its hour on, or from `not_before` if that is later: needs two people.

    `id` is that of the new book, `book` its hash, and `old` the hash of the book in force. Limits, layouts and
    alternatives that are not given stay as they are, as far as the new book has them.
    """

    id: str
    book: str
    old: str
    not_before: int = 0
    limits: Limits | None = None
    layouts: tuple[str, ...] = ()
    alternatives: tuple[int, ...] | None = None


class TakeUpPlanned(Command, frozen=True):
    """Take up the planned book: its hour has come and no round is under way."""


class CancelPlan(Command, frozen=True):
    """Give up the planned change of the book: needs two people."""

    reason: str


class OpenBetting(Command, frozen=True): ...


class PlaceBet(Command, frozen=True):
    """A bet, or a raise of one. `colour_chips` counts the Player's colour chips when the stake is made of them."""

    id: BetId
    round: RoundNumber
    seat: SeatId
    box: str
    stake: Cents
    colour_chips: int = 0


class WithdrawBet(Command, frozen=True):
    id: str
    bet: BetId
    amount: Cents


class RejectExcess(Command, frozen=True):
    bet: BetId
    amount: Cents


class AdviseShort(Command, frozen=True):
    bet: BetId


class CallNoMoreBets(Command, frozen=True):
    allowed_by: PersonId | None = None


class StartMotion(Command, frozen=True):
    """Activate the tumbler, or spin the ball; `with_wheel` when it runs in the wheel's own direction."""

    with_wheel: bool = False


class EndMotion(Command, frozen=True):
    """The dice or the ball have come to rest after so many tumbles or revolutions."""

    count: int


class Uncover(Command, frozen=True): ...


class PressKey(Command, frozen=True):
    face: str


class PressEntry(Command, frozen=True): ...


class EnterNumber(Command, frozen=True):
    number: str


class SenseResult(Command, frozen=True):
    outcome: str


class DecideResult(Command, frozen=True):
    outcome: str
    reason: str


class AmendResult(Command, frozen=True):
    outcome: str


class ConfirmResult(Command, frozen=True): ...


class PayWinners(Command, frozen=True): ...


class Report(Command, frozen=True):
    """Report an irregularity of the book by its id; `bet` or `seat` where it concerns one."""

    irregularity: str
    bet: BetId | None = None
    seat: SeatId | None = None
    note: str = ""


class DecideBet(Command, frozen=True):
    """Treat a moved or unclear bet: let it stand, move it to a box, or return it."""

    bet: BetId
    treatment: Literal["stand", "move", "return"]
    reason: str
    box: str = ""


class Decide(Command, frozen=True):
    """The Shift Manager's decision where no clause applies."""

    treatment: Literal["void", "result", "return"]
    reason: str
    outcome: str = ""
    bets: tuple[BetId, ...] = ()


class CorrectResult(Command, frozen=True):
    round: RoundNumber
    outcome: str
    reason: str


class VoidRounds(Command, frozen=True):
    rounds: tuple[RoundNumber, ...]
    irregularity: str
    reason: str


class Unlock(Command, frozen=True):
    reason: str


class LostBet(msgspec.Struct, frozen=True, gc=False):
    """A bet a terminal tried to place in an interruption and that was never registered."""

    seat: SeatId
    box: str
    stake: Cents


class Interrupt(Command, frozen=True):
    part: Part


class InterruptTerminals(Command, frozen=True):
    seats: tuple[SeatId, ...]
    lost: tuple[LostBet, ...] = ()


class Restore(Command, frozen=True): ...


class RestoreTerminals(Command, frozen=True):
    seats: tuple[SeatId, ...]


class Attest(Command, frozen=True):
    """What the dice or the ball show after an interruption: the whole result, a part of it, or nothing."""

    shown: tuple[str, ...]


class Approve(Command, frozen=True):
    """A second person agrees to exactly the content of a request."""

    request: int
    digest: str
    signature: Signature | None = None


class Decline(Command, frozen=True):
    request: int


# ---- events


class Event(Message, frozen=True):
    by: str
    at: int


class TableOpened(Event, frozen=True):
    checks: tuple[str, ...]


class TableClosed(Event, frozen=True): ...


class StaffAssigned(Event, frozen=True):
    person: PersonId
    roles: tuple[Role, ...]


class SeatTaken(Event, frozen=True):
    seat: SeatId
    layout: str


class LayoutChosen(Event, frozen=True):
    seat: SeatId
    layout: str


class SeatLeft(Event, frozen=True):
    seat: SeatId


class CreditSold(Event, frozen=True):
    seat: SeatId
    amount: Cents


class CreditPaidOut(Event, frozen=True):
    seat: SeatId
    amount: Cents


class CreditGiven(Event, frozen=True):
    seat: SeatId
    amount: Cents
    reason: str


class TicketRedeemed(Event, frozen=True):
    seat: SeatId
    ticket: str
    amount: Cents


class TicketIssued(Event, frozen=True):
    seat: SeatId
    ticket: str
    amount: Cents
    expires: int


class DebtRepaid(Event, frozen=True):
    seat: SeatId
    amount: Cents


class DebtWrittenOff(Event, frozen=True):
    seat: SeatId
    amount: Cents
    reason: str


class BankFilled(Event, frozen=True):
    amount: Cents


class BankDrained(Event, frozen=True):
    amount: Cents


class ColourGiven(Event, frozen=True):
    seat: SeatId
    colour: str
    value: Cents
    marker: bool


class ColourTakenBack(Event, frozen=True):
    seat: SeatId


class LimitsSet(Event, frozen=True):
    limits: Limits


class LayoutsSet(Event, frozen=True):
    layouts: tuple[str, ...]


class BookBrought(Event, frozen=True):
    hash: str
    text: str


class BookPlanned(Event, frozen=True):
    """Two people agreed: the table takes the book up between two rounds, at `not_before` or later."""

    id: str
    book: str
    old: str
    correction: bool
    """The same text in a corrected encoding, and not another version."""
    not_before: int
    asked_by: PersonId
    approved_by: PersonId
    limits: Limits | None
    layouts: tuple[str, ...]
    alternatives: tuple[int, ...]


class BookTakenUp(Event, frozen=True):
    """From `round` on the table plays under `book`. Rounds before it keep the book they were played under."""

    id: str
    book: str
    old: str
    correction: bool
    round: RoundNumber
    asked_by: PersonId
    approved_by: PersonId
    limits: Limits
    layouts: tuple[str, ...]
    alternatives: tuple[int, ...]
    gone: dict[str, tuple[str, ...]]
    """Boxes that are no longer offered, by the layout that was on display."""
    moved: dict[SeatId, str]
    """Seats whose layout is gone, and the layout that each has now."""
    told: tuple[SeatId, ...]


class PlanCancelled(Event, frozen=True):
    id: str
    book: str
    reason: str


class BettingOpened(Event, frozen=True):
    """Fixes the limits, the layouts and the hash of the book for the round."""

    round: RoundNumber
    words: str
    limits: Limits
    layouts: tuple[str, ...]
    rulebook_hash: str
    clause: str


class BetPlaced(Event, frozen=True):
    bet: BetId
    round: RoundNumber
    seat: SeatId
    layout: str
    box: str
    stake: Cents
    colour_chips: int


class BetWithdrawn(Event, frozen=True):
    id: str
    bet: BetId
    seat: SeatId
    amount: Cents


class ExcessRejected(Event, frozen=True):
    bet: BetId
    seat: SeatId
    amount: Cents
    clause: str


class ShortBetAdvised(Event, frozen=True):
    bet: BetId
    seat: SeatId
    minimum: Cents
    clause: str


class BettingClosed(Event, frozen=True):
    """`cut` is what the limits keep out of action. It goes back at once."""

    words: str
    bell: bool
    cut: tuple[Share, ...]
    clause: str


class MotionStarted(Event, frozen=True): ...


class MotionEnded(Event, frozen=True):
    count: int


class Uncovered(Event, frozen=True): ...


class KeyPressed(Event, frozen=True):
    face: str


class ResultEntered(Event, frozen=True):
    outcome: str
    source: Literal["entry", "attested", "decided"]


class ResultSensed(Event, frozen=True):
    outcome: str


class ResultDecided(Event, frozen=True):
    outcome: str
    reason: str


class ResultAmended(Event, frozen=True):
    old: str
    outcome: str
    clause: str


class ResultAnnounced(Event, frozen=True, omit_defaults=True):
    """The result is announced and its areas are lit, in one instant. What was lit before goes dark."""

    round: RoundNumber
    outcome: str
    words: str
    lit: dict[str, tuple[str, ...]]
    clause: str
    lit_clause: str = ""
    dolly_clause: str = ""
    """Not empty if the dolly is placed on the winning number."""


class ResultChecked(Event, frozen=True):
    """The Dealer has compared the lit felt with the dice or the wheel."""

    round: RoundNumber
    outcome: str
    clause: str


class LosersCollected(Event, frozen=True):
    """The fate of every bet is fixed, and the losing bets are collected.

    Under a book without moments also the announcement: only then it has words and lit areas.
    """

    round: RoundNumber
    outcome: str
    words: str
    lit: dict[str, tuple[str, ...]]
    fates: tuple[Paid, ...]
    clause: str


class WinnersPaid(Event, frozen=True, omit_defaults=True):
    """Ends the round. `paid` holds the bets that got something back; `used_once` the seats whose once-only is used."""

    round: RoundNumber
    paid: tuple[Paid, ...]
    used_once: tuple[SeatId, ...]
    clause: str = ""
    """Empty under a book without moments."""


class RoundVoided(Event, frozen=True):
    round: RoundNumber
    irregularity: str
    clause: str
    words: str
    returned: tuple[Share, ...]
    told: tuple[SeatId, ...]


class Reported(Event, frozen=True):
    irregularity: str
    consequence: str
    clause: str
    bet: BetId | None
    seat: SeatId | None
    note: str


class BetDecided(Event, frozen=True):
    bet: BetId
    seat: SeatId
    treatment: str
    box: str
    returned: Cents
    reason: str
    """The reason that a person gave; empty if the bet went back because its terminal failed."""
    clause: str


class Decided(Event, frozen=True):
    treatment: str
    reason: str
    clause: str


class ResultCorrected(Event, frozen=True):
    round: RoundNumber
    outcome: str
    reversals: tuple[Reversal, ...]
    reason: str
    clause: str
    told: tuple[SeatId, ...]


class SettledRoundVoided(Event, frozen=True):
    round: RoundNumber
    irregularity: str
    reversals: tuple[Reversal, ...]
    reason: str
    clause: str
    told: tuple[SeatId, ...]


class TableLocked(Event, frozen=True):
    clause: str


class TableUnlocked(Event, frozen=True):
    reason: str


class Interrupted(Event, frozen=True):
    part: Part
    clause: str


class TerminalsInterrupted(Event, frozen=True):
    seats: tuple[SeatId, ...]
    lost: tuple[LostBet, ...]
    treatment: str
    clause: str


class TerminalsRestored(Event, frozen=True):
    seats: tuple[SeatId, ...]


class Resumed(Event, frozen=True):
    act: str
    clause: str | None


class PowerBack(Event, frozen=True):
    """The power is back but the round stays interrupted until the facts are attested."""


class FacesAttested(Event, frozen=True):
    shown: tuple[str, ...]


class ApprovalRequested(Event, frozen=True):
    request: int
    command: bytes
    digest: str
    expires: int


class ReportContradicted(Event, frozen=True):
    """A person reports what a device contradicts: the round stands still until another decides the request."""

    request: int
    command: bytes
    digest: str
    round: RoundNumber
    irregularity: str
    clause: str
    device: DeviceReport


class ApprovalGiven(Event, frozen=True):
    request: int
    asked_by: str


class ApprovalDeclined(Event, frozen=True):
    request: int


AnyCommand = (
    OpenTable
    | CloseTable
    | AssignStaff
    | TakeSeat
    | ChooseLayout
    | LeaveSeat
    | SellCredit
    | PayOut
    | GiveCredit
    | RedeemTicket
    | CashOut
    | RepayDebt
    | WriteOffDebt
    | FillBank
    | DrainBank
    | GiveColour
    | TakeBackColour
    | SetLimits
    | SetLayouts
    | OpenBetting
    | PlaceBet
    | WithdrawBet
    | RejectExcess
    | AdviseShort
    | CallNoMoreBets
    | StartMotion
    | EndMotion
    | Uncover
    | PressKey
    | PressEntry
    | EnterNumber
    | SenseResult
    | DecideResult
    | AmendResult
    | ConfirmResult
    | PayWinners
    | Report
    | DecideBet
    | Decide
    | CorrectResult
    | VoidRounds
    | Unlock
    | Interrupt
    | InterruptTerminals
    | Restore
    | RestoreTerminals
    | Attest
    | Approve
    | Decline
    | BringBook
    | TakeUpBook
    | TakeUpPlanned
    | CancelPlan
)
AnyEvent = (
    TableOpened
    | TableClosed
    | StaffAssigned
    | SeatTaken
    | LayoutChosen
    | SeatLeft
    | CreditSold
    | CreditPaidOut
    | CreditGiven
    | TicketRedeemed
    | TicketIssued
    | DebtRepaid
    | DebtWrittenOff
    | BankFilled
    | BankDrained
    | ColourGiven
    | ColourTakenBack
    | LimitsSet
    | LayoutsSet
    | BettingOpened
    | BetPlaced
    | BetWithdrawn
    | ExcessRejected
    | ShortBetAdvised
    | BettingClosed
    | MotionStarted
    | MotionEnded
    | Uncovered
    | KeyPressed
    | ResultEntered
    | ResultSensed
    | ResultDecided
    | ResultAmended
    | ResultAnnounced
    | ResultChecked
    | LosersCollected
    | WinnersPaid
    | RoundVoided
    | Reported
    | BetDecided
    | Decided
    | ResultCorrected
    | SettledRoundVoided
    | TableLocked
    | TableUnlocked
    | Interrupted
    | TerminalsInterrupted
    | TerminalsRestored
    | Resumed
    | PowerBack
    | FacesAttested
    | ApprovalRequested
    | ReportContradicted
    | ApprovalGiven
    | ApprovalDeclined
    | BookBrought
    | BookPlanned
    | BookTakenUp
    | PlanCancelled
)
