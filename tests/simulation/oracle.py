"""A table of Croupier written a second time: slowly, from the approved texts and the rulings, not from the engine.

The engine asks what comes next; this model lists everything that is wrong with an act. A command with no fault is
accepted; one with faults is refused for one of them. Money is worked out for a whole round at once: from the bets as
they lie, the limits in force and the win tables of `tests/support/independent.py`, with fractions. Nothing here imports
`decide`, `evolve` or `limits`.
"""

from __future__ import annotations

import copy
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import floor, lcm

from croupier.rules import schema
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, Limits
from croupier.table.permits import PERMITS
from croupier.table.state import Setup
from croupier.table.tickets import TicketState
from tests.support import independent

TWO_PEOPLE_AFTER = ("entered",)
DEVICE = "device"
RISING = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
NOT_OF_THE_ROUND = (
    *(m.OpenTable, m.CloseTable, m.AssignStaff, m.TakeSeat, m.ChooseLayout, m.LeaveSeat, m.SellCredit, m.PayOut),
    *(m.GiveCredit, m.RedeemTicket, m.CashOut, m.RepayDebt, m.WriteOffDebt, m.FillBank, m.DrainBank, m.GiveColour),
    *(m.TakeBackColour, m.SetLimits, m.SetLayouts, m.CorrectResult, m.Unlock, m.InterruptTerminals),
    *(m.RestoreTerminals, m.Approve, m.Decline),
)
"""What may be done while a round stands still (ruling 45): nothing on the round but the decision."""
NEVER = 2**60


@cache
def win_table(layout: str) -> dict[str, dict[str, Fraction]]:
    return independent.expected(layout)


@cache
def smallest_unit(layout: str) -> int:
    """Ruling 12: the stake every cell can pay in whole cents."""
    return lcm(*(odds.denominator for row in win_table(layout).values() for odds in row.values()))


def bad_name(text: str) -> bool:
    """A name that a line of text cannot hold as one word."""
    odd = any(unicodedata.category(letter)[0] in "CZ" or letter in '#"' for letter in text)
    return odd or not 1 <= len(text) <= 64 or text[0] == "="


def with_check_digits(digits: str) -> str:
    """ISO 7064, MOD 97-10: the two digits that leave a remainder of 1."""
    return next(f"{digits}{check:02}" for check in range(2, 99) if int(f"{digits}{check:02}") % 97 == 1)


def bad_ticket(text: str) -> bool:
    digits = "".join(letter for letter in text if letter not in "- ")
    whole = len(digits) == 18 and all(letter in "0123456789" for letter in digits)
    return not whole or with_check_digits(digits[:16]) != digits


DAYS_180 = 180 * 86_400_000


@dataclass(slots=True)
class Ticket:
    """A ticket as its holder knows it."""

    amount: int
    expires: int
    state: TicketState = "live"


@dataclass(slots=True)
class Wager:
    """A bet as the oracle knows it."""

    id: str
    seat: str
    layout: str
    box: str
    stake: int
    first: tuple[str, str, int, int]
    """Seat, box, stake and colour chips as it was first placed."""
    by: str


@dataclass(slots=True)
class Game:
    """One round, from its opening to its end and beyond, for corrections."""

    number: int
    limits: Limits
    felts: tuple[str, ...]
    wagers: list[Wager] = field(default_factory=list)
    withdrawn: dict[str, tuple[str, int]] = field(default_factory=dict)
    shorted_before: frozenset[str] = frozenset()
    """Sands 5.15: who had a short bet settled in an earlier round."""
    result: str | None = None
    ended: str = ""
    """How it ended: `settled`, or the clause of its void."""
    fates: dict[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)
    """(seat, box) → collected, winnings, returned."""

    decided: set[tuple[str, str]] = field(default_factory=set)
    """(seat, box) of bets returned by a Shift Manager's decision: what is left there may be under the minimum."""

    def find(self, bet: str | None) -> Wager | None:
        return next((wager for wager in self.wagers if wager.id == bet), None)

    def sums(self) -> dict[tuple[str, str], int]:
        total: Counter[tuple[str, str]] = Counter()
        for wager in self.wagers:
            total[wager.seat, wager.box] += wager.stake
        return total


@dataclass(slots=True)
class Person:
    """A seat: its purse, its debt, what it shows."""

    layout: str
    purse: int = 0
    owes: int = 0
    colour: tuple[str, int] | None = None
    shorted: bool = False
    online: bool = True
    here: bool = True
    books: Counter[str] = field(default_factory=Counter)
    """What the terminal's meters must show, counted by hand."""


@dataclass(slots=True)
class Pending:
    """An act that waits for a second person, and the round it was asked about."""

    command: AnyCommand
    until: int
    game: int | None
    stop: int
    against: bool = False
    """A person's report that a device contradicts: the round stands still until another decides."""


@dataclass(slots=True)
class Stop:
    """An interruption: in which phase, when, and whether the power is back."""

    was: str
    at: int
    back: bool = False
    seen: tuple[str, ...] = ()


Faults = set[str]


class Oracle:
    """Predicts what a table does with a command. `judge` looks, `apply` follows an accepted command."""

    def __init__(self, setup: Setup, staff: dict[str, tuple[str, ...]]) -> None:
        self.setup = setup
        self.book = setup.rulebook
        self.order = self.book.play.order
        self.live = self.book.play.kind == "live"
        self.staff = dict(staff)
        self.limits = setup.limits
        self.felts = setup.layouts
        self.open = False
        self.lock: str | None = None
        self.lock_due: str | None = None
        self.phase = "ready"
        self.people: dict[str, Person] = {}
        self.game: Game | None = None
        self.games: dict[int, Game] = {}
        self.next_number = 1
        self.spun = False
        self.heard: set[str] = set()
        """What the device itself has reported of this motion."""
        self.count: int | None = None
        self.keys: list[str] = []
        self.sensed: str | None = None
        self.settled_dispute = False
        self.stop: Stop | None = None
        self.stops = 0
        self.pending: dict[int, Pending] = {}
        self.next_request = 1
        self.house = 0
        self.books: Counter[str] = Counter()
        """The table's figures, counted by hand."""
        self.tickets: dict[str, Ticket] = {}
        self.last_end = ""
        self.reopened = False
        self.used_ids: dict[str, tuple[int, tuple[str, str, int, int]]] = {}
        self.interruptions: set[tuple[str, str]] = set()

    # ---- looking things up

    def layout_id(self, short: str) -> str:
        return f"{self.book.id}/{short}"

    def wins(self, layout: str) -> dict[str, dict[str, Fraction]]:
        return win_table(self.layout_id(layout))

    def offered(self) -> tuple[str, ...]:
        """The layouts of the round; they change only between rounds."""
        return self.game.felts if self.game else self.felts

    def moment(self) -> str:
        """The phase of the round, also behind an interruption."""
        return self.stop.was if self.stop else self.phase

    def irregularity(self, id: str) -> schema.Irregularity | None:
        return next((part for part in self.book.irregularities if part.id == id), None)

    def parts(self, consequence: str) -> list[schema.Irregularity]:
        return [part for part in self.book.irregularities if part.consequence == consequence]

    def alternative(self, ruling: int) -> bool:
        return ruling in self.setup.alternatives

    def good_outcome(self, text: str) -> str | None:
        if self.order == "wheel":
            return text if text in independent.NUMBERS else None
        faces = text.split("-")
        if len(faces) != 3 or any(face not in "123456" or len(face) != 1 for face in faces):
            return None
        return independent.outcome(map(int, faces))

    def seat(self, id: str) -> Person | None:
        person = self.people.get(id)
        return person if person and person.here else None

    # ---- who may

    def permitted(self, command: AnyCommand) -> bool:
        roles = self.staff.get(command.by, ())
        for word in PERMITS[type(command)]:
            head, _, rest = word.partition(" ")
            if head == "operators":
                allowed: Iterable[str] = self.book.play.operated_by
            elif head == "approvers":
                allowed = self._from(self._ranks.decides)
            elif head == "on-behalf":
                allowed = self.book.play.on_behalf_by
            elif head == "call":
                allowed = next(call.by for call in self.book.calls if call.id == rest)
            elif head == "consequence":
                allowed = [role for part in self.parts(rest) for role in part.authority]
            elif head == "irregularity":
                named = command.irregularity if isinstance(command, m.Report) else rest
                part = self.irregularity(named)
                sensed = isinstance(command, m.Report) and part is not None and self._sensed(part)
                people = part is not None and part.evidence != "device"
                allowed = [*(part.authority if part and people else ()), *([DEVICE] if sensed else [])]
            elif head == "seat":
                allowed = ()
                if command.by == self._seat_of(command):
                    return True
            else:
                allowed = [head]
            rungs = [RISING.index(role) for role in allowed if role in RISING]
            if self._ranks.ladder and rungs:  # ruling 42: whoever holds a position may do everything below it
                allowed = [*allowed, *RISING[min(rungs) :]]
            if (command.by == "system" and "system" in allowed) or any(role in roles for role in allowed):
                return True
        return False

    @property
    def _ranks(self) -> schema.Ranks:
        assert self.book.ranks
        return self.book.ranks

    def _from(self, lowest: str) -> list[str]:
        return RISING[RISING.index(lowest) :]

    def _sensed(self, part: schema.Irregularity) -> bool:
        """A device reports what the book lets it establish."""
        return part.evidence in ("device", "either")

    def _contradicted(self, part: schema.Irregularity, by: str) -> bool:
        """Ruling 45: a person says, of a result that can be seen, what the device has reported otherwise."""
        if part.evidence in (None, "person") or self.alternative(45):
            return False
        if by == "system" or DEVICE in self.staff.get(by, ()):
            return False
        if self.sensed is None and self.moment() not in ("rest", "entering", "entered", "settling"):
            return False
        enough = self.count is not None and self.count >= self.book.play.minimum
        said = {
            "start": "start" in self.heard,
            "direction": "start" in self.heard,
            "count": "count" in self.heard and enough,
            "reading": self.sensed is not None,
        }
        return any(said[report] for report in part.denied_by)

    def _stands_still(self) -> bool:
        return any(request.against for request in self.pending.values())

    def _seat_of(self, command: AnyCommand) -> str | None:
        if isinstance(command, m.PlaceBet | m.ChooseLayout | m.LeaveSeat | m.RedeemTicket | m.CashOut):
            return command.seat
        if isinstance(command, m.WithdrawBet):
            wager = self.game.find(command.bet) if self.game else None
            return wager.seat if wager else command.by
        return None

    # ---- the verdict

    def judge(self, command: AnyCommand) -> Faults:
        """Everything that is wrong with a command: it is accepted if there is nothing."""
        if not self.permitted(command):
            unknown = isinstance(command, m.Report) and self.irregularity(command.irregularity) is None
            return {"irregularity"} if unknown else {"permission"}
        faults = set(self._faults(command))
        if self._stands_still() and not isinstance(command, NOT_OF_THE_ROUND):
            faults |= {"standstill"}
        same = {"phase", "interrupted"}
        return faults | same if self.stop and faults & same else faults

    def _faults(self, command: AnyCommand) -> Iterator[str]:
        named: Callable[[AnyCommand], Iterator[str]] = getattr(self, f"_judge_{type(command).__name__}")
        yield from named(command)

    def _seat_fault(self, seat: str) -> Iterator[str]:
        if self.seat(seat) is None:
            yield "seat"

    def _judge_OpenTable(self, command: m.OpenTable) -> Iterator[str]:  # noqa: N802
        if self.open:
            yield "phase"
        if not self.setup.alternatives <= {part.ruling for part in self.book.readings if part.alternative != "none"}:
            yield "alternative"
        if set(command.unchecked) & {prompt.id for prompt in self.book.prompts if prompt.when == "opening"}:
            yield "checks"
        if self.book.play.layout_of == "table" and len(self.felts) != 1:
            yield "layout"
        yield from self._limit_faults(self.limits, self.felts)

    def _judge_CloseTable(self, command: m.CloseTable) -> Iterator[str]:  # noqa: N802
        if not self.open:
            yield "closed"
        if self.phase != "ready":
            yield "phase"

    def _judge_AssignStaff(self, command: m.AssignStaff) -> Iterator[str]:  # noqa: N802
        if bad_name(command.person):
            yield "name"
        if command.person == "system" or command.person in self.people:
            yield "permission"
        ranks = ("pit-supervisor", "pit-manager", "shift-manager")
        own = max(ranks.index(role) for role in self.staff[command.by] if role in ranks)
        before = self.staff.get(command.person, ())
        if any(role in ranks[own + 1 :] for role in (*command.roles, *before)):
            yield "permission"
        seniors = {person for person, roles in self.staff.items() if set(roles) & set(ranks)} - {command.person}
        if not seniors and not set(command.roles) & set(ranks):
            yield "permission"
        if not command.roles:
            yield "permission"

    def _judge_TakeSeat(self, command: m.TakeSeat) -> Iterator[str]:  # noqa: N802
        if bad_name(command.seat):
            yield "name"
        taken = self.people.get(command.seat)
        if (taken and taken.here) or command.seat in self.staff or command.seat == "system":
            yield "seat"
        if command.layout not in self.offered():
            yield "layout"

    def _judge_ChooseLayout(self, command: m.ChooseLayout) -> Iterator[str]:  # noqa: N802
        yield from self._seat_fault(command.seat)
        electronic = self.book.play.kind == "electronic"
        if not electronic or command.layout not in self.offered() or self.held(command.seat):
            yield "layout"

    def _judge_LeaveSeat(self, command: m.LeaveSeat) -> Iterator[str]:  # noqa: N802
        person = self.seat(command.seat)
        if person is None or person.purse or self.held(command.seat):
            yield "seat"

    def held(self, seat: str) -> int:
        """What lies on the felt for a seat: its stakes, until the losing ones are collected."""
        if self.game is None:
            return 0
        if self.moment() == "settling":
            return sum(returned for (owner, _), (_, _, returned) in self.game.fates.items() if owner == seat)
        return sum(wager.stake for wager in self.game.wagers if wager.seat == seat)

    def _judge_SellCredit(self, command: m.SellCredit) -> Iterator[str]:  # noqa: N802
        yield from self._seat_fault(command.seat)
        if command.amount <= 0:
            yield "amount"

    def _judge_PayOut(self, command: m.PayOut) -> Iterator[str]:  # noqa: N802
        """Credit that a correction gave to a Player who has left can be paid out to them."""
        person = self.people.get(command.seat)
        if person is None:
            yield "seat"
        if command.amount <= 0:
            yield "amount"
        if person and command.amount > person.purse:
            yield "credit"

    def _judge_GiveCredit(self, command: m.GiveCredit) -> Iterator[str]:  # noqa: N802
        yield from self._judge_SellCredit(m.SellCredit(command.by, command.at, command.seat, command.amount))
        if not command.reason:
            yield "reason"

    def _judge_RedeemTicket(self, command: m.RedeemTicket) -> Iterator[str]:  # noqa: N802
        """A ticket counts once, and while it lives."""
        yield from self._seat_fault(command.seat)
        dead = command.found != "live" or command.at > command.expires or command.amount <= 0
        if dead or bad_ticket(command.ticket):
            yield "ticket"

    def _judge_CashOut(self, command: m.CashOut) -> Iterator[str]:  # noqa: N802
        yield from self._judge_PayOut(m.PayOut(command.by, command.at, command.seat, command.amount))
        if command.by == command.seat:
            yield from self._seat_fault(command.seat)
        if bad_ticket(command.ticket) or not 0 < command.expires - command.at <= DAYS_180:
            yield "ticket"

    def _judge_RepayDebt(self, command: m.RepayDebt | m.WriteOffDebt) -> Iterator[str]:  # noqa: N802
        person = self.people.get(command.seat)
        if person is None:
            yield "seat"
        if command.amount <= 0:
            yield "amount"
        if person and command.amount > person.owes:
            yield "debt"

    def _judge_WriteOffDebt(self, command: m.WriteOffDebt) -> Iterator[str]:  # noqa: N802
        yield from self._judge_RepayDebt(command)
        if not command.reason:
            yield "reason"

    def _judge_FillBank(self, command: m.FillBank | m.DrainBank) -> Iterator[str]:  # noqa: N802
        if command.amount <= 0:
            yield "amount"

    def _judge_DrainBank(self, command: m.DrainBank) -> Iterator[str]:  # noqa: N802
        yield from self._judge_FillBank(command)

    def _judge_GiveColour(self, command: m.GiveColour) -> Iterator[str]:  # noqa: N802
        yield from self._seat_fault(command.seat)
        person = self.seat(command.seat)
        if not self.live or (person and person.colour):
            yield "colour"
        if any(p.here and p.colour and p.colour[0] == command.colour for p in self.people.values()):
            yield "colour"
        if command.value <= 0 or command.value % self.limits.unit:
            yield "unit"

    def _judge_TakeBackColour(self, command: m.TakeBackColour) -> Iterator[str]:  # noqa: N802
        yield from self._seat_fault(command.seat)
        person = self.seat(command.seat)
        if person and (person.colour is None or self.held(command.seat)):
            yield "colour"

    def _limit_faults(self, limits: Limits, felts: Iterable[str]) -> Iterator[str]:
        for layout in felts:
            if limits.unit <= 0 or limits.unit % smallest_unit(self.layout_id(layout)):
                yield "limits"
                continue
            for box in self.wins(layout):
                low, high = limits.minimum_of(box), limits.maximum_of(box)
                if not 0 < low <= high or low % limits.unit or high % limits.unit:
                    yield "limits"
        if self.book.limits.differential and (limits.differential is None or limits.differential <= 0):
            yield "limits"

    def _judge_SetLimits(self, command: m.SetLimits) -> Iterator[str]:  # noqa: N802
        boxes = {box for layout in self.book.layouts for box in layout.boxes}
        known = {"*", *boxes, *(box.split(":")[0] for box in boxes)}
        if not {*command.limits.minimum, *command.limits.maximum} <= known:
            yield "limits"
        yield from self._limit_faults(command.limits, self.felts)

    def _judge_SetLayouts(self, command: m.SetLayouts) -> Iterator[str]:  # noqa: N802
        known = [layout.id.split("/")[1] for layout in self.book.layouts]
        wanted = command.layouts
        one = self.book.play.kind == "live"
        if not wanted or len(wanted) != len(set(wanted)) or set(wanted) - set(known) or (one and len(wanted) != 1):
            yield "layout"
        else:
            yield from self._limit_faults(self.limits, wanted)

    # -- calls and bets

    def _judge_OpenBetting(self, command: m.OpenBetting) -> Iterator[str]:  # noqa: N802
        if not self.open:
            yield "closed"
        if self.lock:
            yield "locked"
        if self.phase not in (("ready", "moving") if self.order == "covered" else ("ready",)):
            yield "phase"
        elif self.order == "covered" and self.count is None and (self.spun or not self.irregularity("no-tumble")):
            yield "motion"

    def _judge_PlaceBet(self, command: m.PlaceBet) -> Iterator[str]:  # noqa: N802
        if bad_name(command.id):
            yield "name"
        known = self.used_ids.get(command.id)
        content = (command.seat, command.box, command.stake, command.colour_chips)
        if known is not None:
            if known != (command.round, content):
                yield "resend"
            return
        person = self.seat(command.seat)
        if person is None or not person.here:
            yield "seat"
        elif not person.online:
            yield "terminal"
        if self.phase not in ("betting", "spinning"):
            yield self._bet_too_late("late-bet")
            return
        assert self.game
        if command.round != self.game.number:
            yield "round"
        if command.stake <= 0:
            yield "stake"
        if person is None:
            return
        if command.box not in self.wins(person.layout):
            yield "box"
            return
        if command.stake % self.game.limits.unit:
            yield "unit"
        if command.stake > person.purse:
            yield "credit"
        if command.colour_chips and (
            person.colour is None
            or command.colour_chips < 0
            or person.colour[1] * command.colour_chips != command.stake
        ):
            yield "colour"
        yield from self._refusing_limits(command.seat, command.box, command.stake)

    def _bet_too_late(self, name: str) -> str:
        moment = self.moment()
        if self.phase == "interrupted":
            return "interrupted"
        if moment in ("ready", "moving") and self.game is None:
            return "phase"
        if moment == "settling" and name == "late-bet" and self.irregularity("early-bet"):
            return "early-bet"
        return name

    def _refusing_limits(self, seat: str, box: str, change: int) -> Iterator[str]:
        """Ruling 38 and the terminals: what breaks a limit is refused, unless the book treats it at the close."""
        assert self.game
        after = self.game.sums().get((seat, box), 0) + change
        if self.book.limits.maximum.breach == "refuse" and after > self.game.limits.maximum_of(box):
            yield "maximum"
        if self.book.limits.minimum.breach == "refuse" and 0 < after < self.game.limits.minimum_of(box):
            yield "minimum"

    def _judge_WithdrawBet(self, command: m.WithdrawBet) -> Iterator[str]:  # noqa: N802
        if bad_name(command.id):
            yield "name"
        for game in self.games.values():
            if command.id in game.withdrawn:
                if game.withdrawn[command.id] != (command.bet, command.amount):
                    yield "resend"
                return
        wager = self.game.find(command.bet) if self.game else None
        if self.phase not in ("betting", "spinning"):
            yield self._bet_too_late("late-withdrawal")
            if wager is None or not wager.stake:
                yield "bet"
            return
        if wager is None or not wager.stake:
            yield "bet"
            return
        assert self.game
        person = self.seat(wager.seat)
        if person and not person.online:
            yield "terminal"
        if not 0 < command.amount <= wager.stake:
            yield "amount"
        if command.amount % self.game.limits.unit:
            yield "unit"
        chips, colour = wager.first[3], person.colour if person else None
        if chips and command.amount != wager.stake and (colour is None or command.amount % colour[1]):
            yield "colour"
        if self.book.limits.minimum.breach == "refuse":
            left = self.game.sums()[wager.seat, wager.box] - command.amount
            if 0 < left < self.game.limits.minimum_of(wager.box):
                yield "minimum"

    def _excess(self, box: str) -> int:
        """How much lies in a box above its maximum or the Differential."""
        assert self.game
        total: Counter[str] = Counter()
        for wager in self.game.wagers:
            total[wager.box] += wager.stake
        return max(0, total[box] - cap_of(self.game.limits, self._pairs(), total, box))

    def _pairs(self) -> list[list[str]]:
        differential = self.book.limits.differential
        return [pair.split() for pair in differential.pairs] if differential else []

    def _judge_RejectExcess(self, command: m.RejectExcess) -> Iterator[str]:  # noqa: N802
        wager = self.game.find(command.bet) if self.game else None
        if self.phase not in ("betting", "spinning"):
            yield self._bet_too_late("late-bet")
        if wager is None or not wager.stake:
            yield "bet"
            return
        assert self.game
        if not 0 < command.amount <= wager.stake:
            yield "amount"
        if command.amount % self.game.limits.unit:
            yield "unit"
        if command.amount > self._excess(wager.box):
            yield "excess"
        lying = [other.id for other in self.game.wagers if other.box == wager.box and other.stake]
        if lying and lying[-1] != wager.id:
            yield "excess"

    def _judge_AdviseShort(self, command: m.AdviseShort) -> Iterator[str]:  # noqa: N802
        wager = self.game.find(command.bet) if self.game else None
        if self.phase not in ("betting", "spinning"):
            yield self._bet_too_late("late-bet")
        if wager is None or not wager.stake:
            yield "bet"
            return
        assert self.game
        if not 0 < self.game.sums()[wager.seat, wager.box] < self.game.limits.minimum_of(wager.box):
            yield "minimum"

    def _judge_CallNoMoreBets(self, command: m.CallNoMoreBets) -> Iterator[str]:  # noqa: N802
        if self.stop and self.stop.was == "spinning" and self._act().act == "wait":
            if not self.stop.back:
                yield "interrupted"
        elif self.phase not in ("betting", "spinning"):
            yield "phase"
        elif self.order == "wheel" and self.phase == "betting":
            call = next(call for call in self.book.calls if call.id == "no-more-bets")
            allows = self.staff.get(command.allowed_by or command.by, ())
            if not any(role in allows for role in call.early_by):
                yield "early-close"

    # -- the device

    def _judge_StartMotion(self, command: m.StartMotion) -> Iterator[str]:  # noqa: N802
        starts = {"open-cover": ("betting", "closed"), "covered": ("ready",), "wheel": ("betting", "closed")}
        if self.phase not in starts[self.order]:
            yield "phase"
        if not self.open:
            yield "closed"
        if self.order == "covered" and self.lock:
            yield "locked"

    def _judge_EndMotion(self, command: m.EndMotion) -> Iterator[str]:  # noqa: N802
        if self.stop and self._act().act == "wait":
            if not self.stop.back:
                yield "interrupted"
        elif self.phase != "moving":
            yield "phase"
        elif self.count is not None or not self.spun:
            yield "motion"
        if command.count < 0:
            yield "motion"

    def _judge_Uncover(self, command: m.Uncover) -> Iterator[str]:  # noqa: N802
        if self.order != "covered" or self.phase not in ("moving", "betting", "closed"):
            yield "phase"

    def _judge_PressKey(self, command: m.PressKey) -> Iterator[str]:  # noqa: N802
        if self.order == "wheel":
            yield "entry"
        if self.phase not in ("rest", "entering"):
            yield "phase"
        if command.face not in tuple("123456"):
            yield "entry"

    def _judge_PressEntry(self, command: m.PressEntry) -> Iterator[str]:  # noqa: N802
        if self.phase not in ("rest", "entering"):
            yield "phase"
        if len(self.keys) < 3:
            yield "entry"

    def _judge_EnterNumber(self, command: m.EnterNumber) -> Iterator[str]:  # noqa: N802
        if self.order != "wheel":
            yield "entry"
        if self.phase != "rest":
            yield "phase"
        if self.good_outcome(command.number) is None:
            yield "outcome"

    def _judge_SenseResult(self, command: m.SenseResult) -> Iterator[str]:  # noqa: N802
        moving = self.stop is not None and self.stop.was == "moving"  # a sensor may find the rest in a power failure
        if self.game is None or not (moving or self.moment() in ("rest", "entering", "entered")):
            yield "phase"
        if self.good_outcome(command.outcome) is None:
            yield "outcome"

    def _disputed(self) -> bool:
        return bool(
            self.game
            and self.game.result is not None
            and self.sensed is not None
            and self.sensed != self.game.result
            and not self.settled_dispute
        )

    def _blocked(self) -> bool:
        lacking = self.setup.two_sources and self.sensed is None and not self.settled_dispute
        return lacking or self._disputed()

    def _judge_DecideResult(self, command: m.DecideResult) -> Iterator[str]:  # noqa: N802
        if self.phase != "entered":
            yield "phase"
        known = (self.game.result if self.game else None, self.sensed)
        if not self._blocked() or self.good_outcome(command.outcome) not in known:
            yield "sources"
        if self.good_outcome(command.outcome) is None:
            yield "outcome"
        if not command.reason:
            yield "reason"

    def _judge_AmendResult(self, command: m.AmendResult) -> Iterator[str]:  # noqa: N802
        outcome = self.good_outcome(command.outcome)
        if self.phase != "entered":
            yield "phase"
        if outcome is None or (self.game and outcome == self.game.result):
            yield "outcome"

    def _judge_ConfirmResult(self, command: m.ConfirmResult) -> Iterator[str]:  # noqa: N802
        if self.phase != "entered":
            yield "phase"
        elif self._blocked():
            yield "sources"

    def _judge_PayWinners(self, command: m.PayWinners) -> Iterator[str]:  # noqa: N802
        if self.phase != "settling":
            yield "phase"

    # -- irregularities and decisions

    OWN_ACT = (
        "reject-excess",
        "advise",
        "amend-result",
        "bet-decision",
        "decision",
        "interruption",
    )

    @classmethod
    def reportable(cls, part: schema.Irregularity) -> bool:
        """What has an act of its own, a correction above all, is not a report."""
        correction = part.consequence == "actual-outcome-stands" and part.people == 2
        return part.consequence not in cls.OWN_ACT and not correction

    def _fits(self, part: schema.Irregularity) -> bool:
        """When it can happen or be found; `settled` speaks of a round that is over."""
        moment = self.moment()
        over = moment == "ready" and "settled" in part.phases and any(game.ended for game in self.games.values())
        later = self.alternative(30) and part.id == "no-spin" and moment in ("rest", "entered")
        return moment in part.phases or over or later

    def _judge_Report(self, command: m.Report) -> Iterator[str]:  # noqa: N802
        part = self.irregularity(command.irregularity)
        if part is None or not self._fits(part) or not self.reportable(part):
            yield "irregularity"
        if command.bet is not None and command.bet not in self.used_ids:
            yield "bet"
        if command.seat is not None:
            yield from self._seat_fault(command.seat)
        if part and part.consequence == "void-affected-rounds" and self.moment() == "ready":
            yield "round"

    def _judge_DecideBet(self, command: m.DecideBet) -> Iterator[str]:  # noqa: N802
        phases = {phase for part in self.parts("bet-decision") for phase in part.phases}
        if self.moment() not in phases:
            yield "irregularity" if self.game else "phase"
        wager = self.game.find(command.bet) if self.game else None
        if wager is None or not wager.stake:
            yield "bet"
        elif self.irregularity("call-bet-misplaced") and wager.by != wager.seat and command.treatment != "stand":
            yield "irregularity"  # nz 4.9: a call bet plays where it was put
        elif command.treatment == "move" and command.box not in self.wins(wager.layout):
            yield "box"
        elif command.treatment == "move":
            yield from self._refusing_limits(wager.seat, command.box, wager.stake if command.box != wager.box else 0)
        if not command.reason:
            yield "reason"

    def _judge_Decide(self, command: m.Decide) -> Iterator[str]:  # noqa: N802
        phases = {phase for part in self.parts("decision") for phase in part.phases}
        if self.moment() == "ready" or (self.game is None and command.treatment != "void"):
            yield "phase"
        elif self.moment() not in phases:
            yield "irregularity"
        if not command.reason:
            yield "reason"
        if command.treatment == "result":
            if self.good_outcome(command.outcome) is None:
                yield "outcome"
            if self.phase in ("betting", "spinning", "interrupted"):
                yield "phase"  # no result while bets are taken (promise 12); an interruption has its own way out
        if command.treatment == "return":
            found = [self.game.find(bet) if self.game else None for bet in command.bets]
            if not found or any(wager is None or not wager.stake for wager in found):
                yield "bet"

    def _judge_CorrectResult(self, command: m.CorrectResult) -> Iterator[str]:  # noqa: N802
        outcome = self.good_outcome(command.outcome)
        game = self.games.get(command.round)
        if game is None or game.ended != "settled":
            yield "round"
        elif game.result == outcome:
            yield "outcome"
        if outcome is None:
            yield "outcome"
        if not command.reason:
            yield "reason"

    def _judge_VoidRounds(self, command: m.VoidRounds) -> Iterator[str]:  # noqa: N802
        part = self.irregularity(command.irregularity)
        if part is None or part.consequence != "void-affected-rounds":
            yield "irregularity"
        if self.alternative(33):
            yield "round"
        if not command.rounds:
            yield "round"
        for number in command.rounds:
            game = self.games.get(number)
            if game is not None and game is self.game:
                if part and not self._fits(part):
                    yield "irregularity"
            elif game is None or game.ended != "settled":
                yield "round"
        if not command.reason:
            yield "reason"

    def _judge_Unlock(self, command: m.Unlock) -> Iterator[str]:  # noqa: N802
        if self.lock is None:
            yield "phase"
        if not command.reason:
            yield "reason"

    # -- interruptions

    def _act(self) -> schema.PhaseAct:
        assert self.stop
        act = self.book.interruption.round[self.stop.was]  # type: ignore[index]
        if act.act == "void-unseen":  # ruling 47: void, unless the House reads dice under the cover (ruling 23)
            seen = {"act": "attest"} if self.alternative(23) else {"act": "void", "clause": act.otherwise}
            return act.model_copy(update=seen)
        return act

    def _judge_Interrupt(self, command: m.Interrupt) -> Iterator[str]:  # noqa: N802
        if self.phase == "interrupted":
            yield "interrupted"

    def _judge_InterruptTerminals(self, command: m.InterruptTerminals) -> Iterator[str]:  # noqa: N802
        if self.book.interruption.terminals is None:
            yield "terminal"
        for seat in command.seats:
            yield from self._seat_fault(seat)
        if not command.seats:
            yield "terminal"
        if any(lost.seat not in command.seats for lost in command.lost):
            yield "terminal"
        for lost in command.lost:
            person = self.seat(lost.seat)
            if person and lost.box not in self.wins(person.layout):
                yield "box"

    def _judge_RestoreTerminals(self, command: m.RestoreTerminals) -> Iterator[str]:  # noqa: N802
        if self.book.interruption.terminals is None or not command.seats:
            yield "terminal"
        for seat in command.seats:
            yield from self._seat_fault(seat)

    def _judge_Restore(self, command: m.Restore) -> Iterator[str]:  # noqa: N802
        if self.stop is None or self.stop.back:
            yield "interrupted"

    def _judge_Attest(self, command: m.Attest) -> Iterator[str]:  # noqa: N802
        if self.stop is None or not self.stop.back:
            yield "interrupted"
            return
        act = self._act()
        if not act.act.startswith("attest"):
            yield "interrupted"
        if self.order == "wheel":
            if len(command.shown) > 1 or any(number not in independent.NUMBERS for number in command.shown):
                yield "outcome"
        elif len(command.shown) > 3 or any(face not in tuple("123456") for face in command.shown):
            yield "outcome"
        # Ruling 23: dice that lay under the cover show nothing, unless the table reads it by the alternative.
        phases = list(schema.PHASES[self.order])
        from_close = "closed" if self.alternative(23) else self.book.interruption.established
        covered = self.order == "covered" and phases.index(self.stop.was) < phases.index(from_close)  # type: ignore[arg-type]
        if command.shown and covered:
            yield "established"
        # Ruling 22: once a face is known an outcome is established, and the round is not void for want of one.
        known, shown = Counter(self._known()), Counter(command.shown)
        if known - shown and (not shown or shown - known or shown.total() >= known.total()):
            yield "established"

    def _known(self) -> tuple[str, ...]:
        """The faces an interrupted round is known to show: by the sensor, the stronger evidence, or attested."""
        if self.sensed:
            return tuple(self.sensed.split("-"))
        return self.stop.seen if self.stop else ()

    def _whole(self) -> tuple[str, ...]:
        return ("number",) if self.order == "wheel" else ("one", "two", "three")

    # -- two people

    def _judge_Approve(self, command: m.Approve) -> Iterator[str]:  # noqa: N802
        request = self.pending.get(command.request)
        if request is None or self._lapsed(request):
            yield "approval"
        if request is None:
            return
        if command.by == request.command.by:
            yield "same-person"
        if command.digest == "wrong":
            yield "approval-content"
        if command.at > request.until:
            yield "approval-expired"
        if request.against:
            return
        if not self.permitted(request.command) or not self._two(command.by, request.command.by):
            yield "permission"
        if self._stands_still() and not isinstance(request.command, NOT_OF_THE_ROUND):
            yield "standstill"
        yield from self._faults(request.command)

    def _two(self, second: str, first: str) -> bool:
        """Ruling 44: the second is of the rank that the book names, and the two are never both of the highest."""
        held, theirs = set(self.staff.get(second, ())), set(self.staff.get(first, ()))
        highest = set(self._from(self._ranks.highest))
        return bool(held & set(self._from(self._ranks.second))) and not (held & highest and theirs & highest)

    def _lapsed(self, request: Pending) -> bool:
        """Promise 29: an approval binds the content, and what it speaks of is the round in which it was asked."""
        kinds = (m.Report, m.Decide, m.Attest)
        if not isinstance(request.command, kinds):
            return False
        other_stop = isinstance(request.command, m.Attest) and request.stop != self.stops
        return other_stop or request.game != (self.game.number if self.game else None)

    def _judge_Decline(self, command: m.Decline) -> Iterator[str]:  # noqa: N802
        request = self.pending.get(command.request)
        if request is None or (command.by == "system" and command.at <= request.until):
            yield "approval"
        if request is not None and request.against and command.by == request.command.by:
            yield "same-person"

    def needs_two(self, command: AnyCommand) -> bool:
        """Promise 29, and the irregularities for which the book data says so."""
        match command:
            case m.GiveCredit() | m.WriteOffDebt() | m.CorrectResult() | m.VoidRounds() | m.Unlock() | m.Attest():
                return True
            case m.SetLimits() | m.SetLayouts():
                return self.open
            case m.Restore():
                return command.by != "system" and self.alternative(28) and self.moment() == "entered"
            case m.Report():
                part = self.irregularity(command.irregularity)
                assert part
                if self._contradicted(part, command.by):
                    return False
                voids = part.consequence in ("void", "void-affected-rounds")
                people = 1 if part.id.startswith("no-spin") and self.alternative(30) else part.people
                return people == 2 or (voids and self.moment() in TWO_PEOPLE_AFTER)
            case m.Decide():
                known = self.stop is not None and bool(self._known())
                return command.treatment == "void" and (known or self.moment() in TWO_PEOPLE_AFTER)
            case _:
                return False

    # ---- following an accepted command

    def apply(self, command: AnyCommand) -> None:
        if self.needs_two(command):
            self._ask(command)
        else:
            self._do(command)

    def _ask(self, command: AnyCommand, *, against: bool = False) -> None:
        until = NEVER if against else command.at + self.setup.approval_seconds * 1000
        game = self.game.number if self.game else None
        for number, earlier in list(self.pending.items()):
            if earlier.until < command.at:  # out of time, and out of the way of the new one
                self.pending.pop(number)
        self.pending[self.next_request] = Pending(command, until, game, self.stops, against)
        self.next_request += 1

    def _do(self, command: AnyCommand) -> None:
        named: Callable[[AnyCommand], None] | None = getattr(self, f"_do_{type(command).__name__}", None)
        if named:
            named(command)

    def _do_OpenTable(self, command: m.OpenTable) -> None:  # noqa: N802
        self.reopened = bool(self.games)
        self.open = True
        for person in self.people.values():
            person.shorted = False  # sands 5.15 counts by the session

    def _do_CloseTable(self, command: m.CloseTable) -> None:  # noqa: N802
        self.open = False

    def _do_AssignStaff(self, command: m.AssignStaff) -> None:  # noqa: N802
        self.staff[command.person] = command.roles

    def _do_TakeSeat(self, command: m.TakeSeat) -> None:  # noqa: N802
        before = self.people.get(command.seat)
        person = before or Person(command.layout)
        person.layout, person.here, person.colour = command.layout, True, None
        self.people[command.seat] = person

    def _do_ChooseLayout(self, command: m.ChooseLayout) -> None:  # noqa: N802
        self.people[command.seat].layout = command.layout

    def _do_LeaveSeat(self, command: m.LeaveSeat) -> None:  # noqa: N802
        self.people[command.seat].here = False
        self.people[command.seat].colour = None

    def _purse(self, seat: str, meter: str, change: int) -> None:
        """Money into a purse or out of it, and the meter that counts it."""
        person = self.people[seat]
        person.purse += change
        person.books[meter] += -change if meter in ("tickets_out", "cancelled", "turnover") else change

    def _house(self, figure: str, change: int) -> None:
        self.house += change
        self.books[figure] += -change if figure in ("drains", "given", "written_off") else change

    def _do_SellCredit(self, command: m.SellCredit) -> None:  # noqa: N802
        self._purse(command.seat, "cash_in", command.amount)
        self.books["drop"] += command.amount

    def _do_PayOut(self, command: m.PayOut) -> None:  # noqa: N802
        self._purse(command.seat, "cancelled", -command.amount)
        self.books["handed_out"] += command.amount

    def _do_GiveCredit(self, command: m.GiveCredit) -> None:  # noqa: N802
        self._purse(command.seat, "given", command.amount)
        self._house("given", -command.amount)

    def _do_RedeemTicket(self, command: m.RedeemTicket) -> None:  # noqa: N802
        self._purse(command.seat, "tickets_in", command.amount)
        self.books["drop"] += command.amount
        self.tickets.setdefault(command.ticket, Ticket(command.amount, command.expires)).state = "redeemed"

    def _do_CashOut(self, command: m.CashOut) -> None:  # noqa: N802
        self._purse(command.seat, "tickets_out", -command.amount)
        self.books["handed_out"] += command.amount
        self.tickets[command.ticket] = Ticket(command.amount, command.expires)

    def _do_RepayDebt(self, command: m.RepayDebt) -> None:  # noqa: N802
        self.people[command.seat].owes -= command.amount

    def _do_WriteOffDebt(self, command: m.WriteOffDebt) -> None:  # noqa: N802
        self.people[command.seat].owes -= command.amount
        self._house("written_off", -command.amount)

    def _do_FillBank(self, command: m.FillBank) -> None:  # noqa: N802
        self._house("fills", command.amount)

    def _do_DrainBank(self, command: m.DrainBank) -> None:  # noqa: N802
        self._house("drains", -command.amount)

    def _do_GiveColour(self, command: m.GiveColour) -> None:  # noqa: N802
        self.people[command.seat].colour = (command.colour, command.value)

    def _do_TakeBackColour(self, command: m.TakeBackColour) -> None:  # noqa: N802
        self.people[command.seat].colour = None

    def _do_SetLimits(self, command: m.SetLimits) -> None:  # noqa: N802
        self.limits = command.limits

    def _do_SetLayouts(self, command: m.SetLayouts) -> None:  # noqa: N802
        self.felts = command.layouts
        if self.game is None:
            self._lay_felts()

    def _lay_felts(self) -> None:
        """Between rounds, a Player at a felt that was removed is moved to the first of the new ones."""
        for person in self.people.values():
            if person.layout not in self.felts:
                person.layout = self.felts[0]

    def _new_game(self) -> Game:
        game = Game(self.next_number, copy.copy(self.limits), self.felts)
        self.games[game.number] = game
        self.next_number += 1
        return game

    def _do_OpenBetting(self, command: m.OpenBetting) -> None:  # noqa: N802
        self.game = self._new_game()
        self.phase = "betting"

    def _do_PlaceBet(self, command: m.PlaceBet) -> None:  # noqa: N802
        if command.id in self.used_ids:
            return
        assert self.game
        person = self.people[command.seat]
        content = (command.seat, command.box, command.stake, command.colour_chips)
        self.used_ids[command.id] = (command.round, content)
        self.game.wagers.append(
            Wager(command.id, command.seat, person.layout, command.box, command.stake, content, command.by)
        )
        self._purse(command.seat, "turnover", -command.stake)

    def _give_back(self, wager: Wager, amount: int) -> None:
        wager.stake -= amount
        self._purse(wager.seat, "turnover", amount)

    def _do_WithdrawBet(self, command: m.WithdrawBet) -> None:  # noqa: N802
        if any(command.id in game.withdrawn for game in self.games.values()):
            return
        assert self.game
        wager = self.game.find(command.bet)
        assert wager
        self.game.withdrawn[command.id] = (command.bet, command.amount)
        self._give_back(wager, command.amount)

    def _do_RejectExcess(self, command: m.RejectExcess) -> None:  # noqa: N802
        wager = self.game.find(command.bet) if self.game else None
        assert wager
        self._give_back(wager, command.amount)

    def _do_CallNoMoreBets(self, command: m.CallNoMoreBets) -> None:  # noqa: N802
        self.phase = "moving" if self.moment() == "spinning" else "closed"
        self.stop = None
        if self.book.limits.maximum.breach == "apportion":
            self._apportion()

    def _apportion(self) -> None:
        """Rws-taisai 5.1.1, 5.1.2: what is over a limit at the close is shared out, and the rest goes back."""
        assert self.game
        total: Counter[str] = Counter()
        for wager in self.game.wagers:
            total[wager.box] += wager.stake
        for box in total:
            stakes: Counter[str] = Counter()
            for wager in self.game.wagers:
                if wager.box == box:
                    stakes[wager.seat] += wager.stake
            cap = cap_of(self.game.limits, self._pairs(), total, box)
            shares = apportioned(dict(stakes), cap, self.game.limits.minimum_of(box))
            for seat, share in shares.items():
                cut = stakes[seat] - share
                # Which of a Player's bets is cut does not change their loss: the oracle cuts the latest first.
                for wager in reversed(self.game.wagers):
                    if cut and wager.box == box and wager.seat == seat:
                        part = min(cut, wager.stake)
                        self._give_back(wager, part)
                        cut -= part

    # -- the device

    def _do_StartMotion(self, command: m.StartMotion) -> None:  # noqa: N802
        if self.order == "open-cover" and self.phase == "betting":
            self._void("tumbled-before-close")
            return
        self.spun, self.count = True, None
        self.heard = {"start"} if DEVICE in self.staff.get(command.by, ()) else set()
        if self.order == "wheel":
            if command.with_wheel:
                self._void("wrong-direction")
                return
            self.phase = "spinning" if self.phase == "betting" else "moving"
        else:
            self.phase = "moving"

    def _do_EndMotion(self, command: m.EndMotion) -> None:  # noqa: N802
        if self.stop:  # the ball ran on; bets still open are closed by its rest
            self.phase, self.stop = "moving", None
        self.count = command.count
        if DEVICE in self.staff.get(command.by, ()):
            self.heard.add("count")
        if command.count < self.book.play.minimum:
            self._void("short-spin" if self.order == "wheel" else "short-tumble")
        elif self.order != "covered":
            self.phase = "rest"

    def _do_Uncover(self, command: m.Uncover) -> None:  # noqa: N802
        if self.phase == "closed":
            self.phase = "rest"
            self._tumbled()  # ruling 46: everyone sees the dice of the last round
        else:
            self._void("exposed-before-close")

    def _tumbled(self) -> bool:
        """Nz 7.1(d), ruling 34: without a tumble there is no result, and the round is void."""
        if self.order == "covered" and not self.spun and self.irregularity("no-tumble"):
            self._void("no-tumble")
            return False
        return True

    def _do_PressKey(self, command: m.PressKey) -> None:  # noqa: N802
        if self._tumbled():
            self.keys = [*self.keys, command.face][-3:]
            self.phase = "entering"

    def _do_PressEntry(self, command: m.PressEntry) -> None:  # noqa: N802
        self._enter("-".join(self.keys))

    def _do_EnterNumber(self, command: m.EnterNumber) -> None:  # noqa: N802
        self._enter(command.number)

    def _enter(self, text: str) -> None:
        assert self.game
        if self._tumbled():
            self.game.result = self.good_outcome(text)
            self.phase = "entered"
            self.keys = []

    def _do_SenseResult(self, command: m.SenseResult) -> None:  # noqa: N802
        self.sensed = self.good_outcome(command.outcome)
        self.settled_dispute = False

    def _do_DecideResult(self, command: m.DecideResult) -> None:  # noqa: N802
        assert self.game
        self.game.result = self.good_outcome(command.outcome)
        self.settled_dispute = True

    def _do_AmendResult(self, command: m.AmendResult) -> None:  # noqa: N802
        assert self.game
        self.game.result = self.good_outcome(command.outcome)
        self.settled_dispute = False

    def _do_ConfirmResult(self, command: m.ConfirmResult) -> None:  # noqa: N802
        game = self.game
        assert game
        game.shorted_before = frozenset(seat for seat, person in self.people.items() if person.shorted)
        game.fates = self.settle(game, game.result)
        self._house("win", sum(collected for collected, _, _ in game.fates.values()))
        self.phase = "settling"
        if not self.live:
            self._pay()

    def _do_PayWinners(self, command: m.PayWinners) -> None:  # noqa: N802
        self._pay()

    def _pay(self) -> None:
        game = self.game
        assert game
        for (seat, _), (_, winnings, returned) in game.fates.items():
            self._purse(seat, "wins", winnings + returned)
            self._house("win", -winnings)
        if self.book.limits.minimum.breach == "once-only":
            for (seat, box), total in game.sums().items():
                if 0 < total < game.limits.minimum_of(box):
                    self.people[seat].shorted = True
        self._end("settled")

    def settle(self, game: Game, result: str | None) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Every Player's every box on a result: collected, winnings, returned; all by the words of the book."""
        assert result
        fates = {}
        layouts = {(wager.seat, wager.box): wager.layout for wager in game.wagers}
        for (seat, box), total in game.sums().items():
            in_action = total
            if self.book.limits.maximum.breach == "cap":  # sands 5.16
                in_action = min(in_action, game.limits.maximum_of(box))
            once = self.book.limits.minimum.breach == "once-only"  # sands 5.15
            if once and total < game.limits.minimum_of(box) and seat in game.shorted_before:
                in_action = 0
            odds = self.wins(layouts[seat, box])[box].get(result)
            if odds is None:
                fates[seat, box] = (in_action, 0, total - in_action)
            else:
                won = in_action * odds
                assert won.denominator == 1
                fates[seat, box] = (0, int(won), total)
        return fates

    def _end(self, how: str) -> None:
        assert self.game
        self.game.ended = self.last_end = how
        if self.game.number not in self.games:
            self.games[self.game.number] = self.game
        self.game = None
        self._lay_felts()
        self.stop = None
        self.phase = "ready"
        self.spun, self.count, self.keys = False, None, []
        self.heard = set()
        self.sensed, self.settled_dispute = None, False
        if self.lock_due:
            self.lock, self.lock_due = self.lock or self.lock_due, None

    # -- irregularities

    def _void(self, irregularity: str) -> None:
        part = self.irregularity(irregularity)
        assert part, irregularity
        self._void_by(part.clause)

    def _void_by(self, clause: str) -> None:
        if self.game is None:
            self.game = self._new_game()
        if self.stop and self._act().act.endswith("lock"):
            self.lock_due = self.book.interruption.clause  # nz 7.4, whatever voids the interrupted round
        for wager in self.game.wagers:
            self._give_back(wager, wager.stake)
        self.game.result = None
        self._end(clause)

    def _do_Report(self, command: m.Report) -> None:  # noqa: N802
        part = self.irregularity(command.irregularity)
        assert part
        match part.consequence:
            case "void" | "void-affected-rounds" if self._contradicted(part, command.by):
                self._ask(command, against=True)
            case "void" | "void-affected-rounds":
                announced = next((call.clause for call in self.book.calls if call.id == "no-spin"), None)
                if self.stop and part.clause == announced and self._act().otherwise:
                    self._void_by(self._act().otherwise or "")  # sands 5.11.1
                else:
                    self._void_by(part.clause)
            case "lock":
                self._lock(part.clause)
            case "actual-outcome-stands-and-lock":
                self._lock(self.book.interruption.clause)
            case _:
                pass

    def _lock(self, clause: str) -> None:
        if self.lock is None:
            self.lock, self.lock_due = clause, None

    def _do_DecideBet(self, command: m.DecideBet) -> None:  # noqa: N802
        wager = self.game.find(command.bet) if self.game else None
        assert wager
        if command.treatment == "move":
            wager.box = command.box
        elif command.treatment == "return":
            self._give_back(wager, wager.stake)

    def _do_Decide(self, command: m.Decide) -> None:  # noqa: N802
        if command.treatment == "void":
            self._void_by(self.parts("decision")[0].clause)
            return
        assert self.game
        if command.treatment == "return":
            for bet in command.bets:
                wager = self.game.find(bet)
                assert wager
                self.game.decided.add((wager.seat, wager.box))
                self._give_back(wager, wager.stake)
        else:
            self.stop = None
            self.game.result = self.good_outcome(command.outcome)
            self.phase = "entered"
            self.keys = []
            self.settled_dispute = True

    def _restate(self, game: Game, new: dict[tuple[str, str], tuple[int, int, int]]) -> None:
        """Ruling 32: the old settlement undone, the new one made; who cannot give back owes it."""
        gains: Counter[str] = Counter()
        losses: Counter[str] = Counter()
        for place, (collected, winnings, returned) in new.items():
            old_collected, old_winnings, old_returned = game.fates[place]
            change = winnings + returned - old_winnings - old_returned
            (gains if change > 0 else losses)[place[0]] += abs(change)
            self._house("win", collected - winnings - old_collected + old_winnings)
        for seat, amount in gains.items():  # a gain first pays the Player's debt
            person = self.people[seat]
            repaid = min(amount, person.owes)
            person.owes -= repaid
            self._purse(seat, "wins", amount)
            self._purse(seat, "owed", -repaid)
        for seat, amount in losses.items():
            person = self.people[seat]
            self._purse(seat, "wins", -amount)
            if person.purse < 0:
                person.owes -= person.purse
                self._purse(seat, "owed", -person.purse)
        game.fates = new

    def _do_CorrectResult(self, command: m.CorrectResult) -> None:  # noqa: N802
        game = self.games[command.round]
        game.result = self.good_outcome(command.outcome)
        self._restate(game, self.settle(game, game.result))

    def _do_VoidRounds(self, command: m.VoidRounds) -> None:  # noqa: N802
        part = self.irregularity(command.irregularity)
        assert part
        if self.game and self.game.number in command.rounds:
            self._void_by(part.clause)
        for number in dict.fromkeys(command.rounds):
            game = self.games[number]
            if game.ended != "settled":
                continue
            self._restate(game, {place: (0, 0, total) for place, total in game.sums().items()})
            game.result, game.ended = None, part.clause

    def _do_Unlock(self, command: m.Unlock) -> None:  # noqa: N802
        self.lock = None

    # -- interruptions

    def _do_Interrupt(self, command: m.Interrupt) -> None:  # noqa: N802
        self.interruptions.add((self.phase, command.part))
        self.stop = Stop(self.phase, command.at)
        self.stops += 1
        self.phase = "interrupted"

    def _do_InterruptTerminals(self, command: m.InterruptTerminals) -> None:  # noqa: N802
        for seat in command.seats:
            self.people[seat].online = False
        if self.alternative(29) and self.moment() in ("betting", "spinning") and self.game:
            for wager in self.game.wagers:
                if wager.seat in command.seats:
                    self._give_back(wager, wager.stake)

    def _do_RestoreTerminals(self, command: m.RestoreTerminals) -> None:  # noqa: N802
        for seat in command.seats:
            self.people[seat].online = True

    def _resume(self, phase: str) -> None:
        self.phase, self.stop = phase, None

    def _do_Restore(self, command: m.Restore) -> None:  # noqa: N802
        """The table of PROMISES.md, cell by cell, in the words of the book's data."""
        assert self.stop
        act, was, late = self._act(), self.stop.was, command.at - self.stop.at
        # Where the book says to conclude an established outcome it concludes (26); Division 9 has no such clause (28).
        kept = ("ready", "settling") if self.alternative(28) else ("ready", "settling", "entering", "entered")
        if (self.alternative(26) or self.alternative(28)) and was not in kept:
            betting = self.book.interruption.round["betting"].clause
            self._void_by(act.otherwise or (act.clause if "void" in act.act else None) or betting or "")
            return
        base = act.act.removesuffix("-and-lock")
        if base in ("finish", "complete-entry", "confirm") and base != act.act:
            self.lock_due = self.book.interruption.clause  # nz 7.4
        match base:
            case "finish":
                self._resume(was)
                self._pay()  # the settlement is finished, once
            case "nothing" | "continue" | "complete-entry" | "confirm":
                self._resume(was)
            case "start-again":
                self.spun, self.count, self.heard = False, None, set()
                self._resume("ready")
            case "resume-or-void":
                if late <= self.book.interruption.resume_seconds * 1000:
                    self._resume(was)
                else:
                    assert act.clause
                    self._void_by(act.clause)
            case "void":
                assert act.clause
                self._void_by(act.clause)
            case _:
                self.stop.back = True

    def _do_Attest(self, command: m.Attest) -> None:  # noqa: N802
        assert self.stop
        assert self.game
        act = self._act()
        if not command.shown:
            assert act.otherwise
            self._void_by(act.otherwise)
        elif len(command.shown) < len(self._whole()):
            self.stop.seen = max(self.stop.seen, command.shown, key=len)
        elif self._tumbled():
            if act.act.endswith("lock"):
                self.lock_due = self.book.interruption.clause
            self.stop = None
            self._enter("-".join(command.shown))
            self.settled_dispute = True

    # -- two people

    def _do_Approve(self, command: m.Approve) -> None:  # noqa: N802
        request = self.pending.pop(command.request)
        if request.against:
            assert isinstance(request.command, m.Report)
            part = self.irregularity(request.command.irregularity)
            assert part
            self._void_by(part.clause)
        else:
            self._do(request.command)

    def _do_Decline(self, command: m.Decline) -> None:  # noqa: N802
        del self.pending[command.request]


def cap_of(limits: Limits, pairs: list[list[str]], total: Counter[str], box: str) -> int:
    """Limits, step 1: the maximum of a box; for the heavier of an opposed pair, the lighter plus the Differential."""
    cap: int = limits.maximum_of(box)
    for pair in pairs:
        if box in pair and limits.differential is not None:
            other = pair[1 - pair.index(box)]
            mine = min(total[box], limits.maximum_of(box))
            theirs = min(total[other], limits.maximum_of(other)) if total[other] else 0
            if mine > theirs:
                cap = min(cap, theirs + limits.differential)
    return cap


def apportioned(stakes: dict[str, int], cap: int, minimum: int) -> dict[str, int]:
    """Limits, steps 2 to 5: shares in action, iterated on fractions until nothing changes."""
    if sum(stakes.values()) <= cap:
        return stakes
    exempt = {seat: stake for seat, stake in stakes.items() if stake < minimum}
    sharing = {seat: stake for seat, stake in stakes.items() if stake >= minimum}
    left = Fraction(cap - sum(exempt.values()))
    pinned: set[str] = set()
    while True:
        rest = left - minimum * len(pinned)
        free = {seat: stake for seat, stake in sharing.items() if seat not in pinned}
        shares = {seat: rest * stake / sum(free.values()) for seat, stake in free.items()}
        falling = {seat for seat, share in shares.items() if share < minimum}
        if not falling:
            break
        pinned |= falling
    answer = dict(exempt) | dict.fromkeys(pinned, minimum)
    return answer | {seat: floor(share) for seat, share in shares.items()}
