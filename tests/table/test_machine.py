"""A Hypothesis state machine for each book: any act in any order, and the laws of money after each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier import load_rulebook
from croupier.ledger import Balances, check_laws, post
from croupier.rules import schema
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.decide import decide, rehearse
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, AnyEvent, BetId, Limits, PersonId, RoundNumber, SeatId
from croupier.table.state import OPEN_FOR_BETS, TRANSITIONS, Setup, Table, new_table
from croupier.table.tickets import LONGEST, ticket_number
from tests.support.staff import PARTS, STAFF

T = TypeVar("T")
SEATS = ("Ann", "Ben", "Cem")
AMOUNTS = st.sampled_from((100, 300, 500, 1000, 1700, 5000, 50, 1, 0, -100))
DICE = st.tuples(*[st.sampled_from("123456")] * 3).map("-".join)
PEOPLE = st.sampled_from([*STAFF, *SEATS, "system"])


class Said(NamedTuple):
    """A refusal."""

    reason: str
    case: str
    facts: dict[str, Any]
    clause: str | None


def tried(act: Callable[[Table, AnyCommand], T], table: Table, command: AnyCommand) -> T | Said:
    try:
        return act(table, command)
    except Refused as no:
        return Said(no.reason, no.case, dict(no.facts), no.clause)


class Floor(RuleBasedStateMachine):
    """A table at which Hypothesis is everyone."""

    book_id: str

    @initialize()
    def opened(self) -> None:
        book = load_rulebook(self.book_id)
        limits = Limits(
            {"*": Cents(300)},
            {"*": Cents(2000)},
            Cents(100),
            Cents(1500) if book.limits.differential else None,
        )
        layouts = tuple(layout.id.rpartition("/")[2] for layout in book.layouts)
        setup = Setup("T1", book, layouts[:1] if book.play.layout_of == "table" else layouts, limits)
        self.table: Table = new_table(setup)
        self.table.staff |= {PersonId(name): roles for name, roles in STAFF.items()}
        self.balances = Balances()
        self.events: list[AnyEvent] = []
        self.clock = 0
        self.bets = 0
        self.boxes = sorted(self.table.layouts[layouts[0]].boxes)
        for seat in SEATS:
            self.give(m.TakeSeat("Sam", 0, SeatId(seat), layouts[0]))
            self.give(m.SellCredit("Cass", 0, SeatId(seat), Cents(20_000)))
        self.give(m.OpenTable("Sam", 0))

    def give(self, command: AnyCommand) -> None:
        before, would, events = (
            self.table.phase,
            tried(rehearse, self.table, command),
            tried(decide, self.table, command),
        )
        if isinstance(events, Said) or isinstance(would, Said):
            assert would == events, "a preview says what the command does, and why not"
            return
        told, two = would
        assert told == events or (two and isinstance(events[0], m.ApprovalRequested))
        for event in events:
            self.balances.apply(post("T1", event))
            evolve(self.table, event)
            check_laws(self.table, self.balances)
        self.events += events
        steps = TRANSITIONS[self.table.order]
        assert self.table.phase in (*steps, "interrupted"), f"{before} led to {self.table.phase}"

    def at(self) -> int:
        self.clock += 500
        return self.clock

    # ---- play: the act that comes next, by whoever may

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        table, at = self.table, self.at()
        dealer, covered = "Dana", self.table.order == "covered"
        match table.phase:
            case "ready" if covered:
                self.give(m.StartMotion(dealer, at))
            case "ready":
                self.give(m.OpenBetting(dealer, at))
            case "betting" if table.order == "wheel":
                self.give(m.StartMotion(dealer, at, with_wheel=data.draw(st.integers(0, 9)) == 0))
            case "betting" | "spinning":
                self.give(m.CallNoMoreBets(dealer, at))
            case "closed" if covered:
                self.give(m.Uncover(dealer, at))
            case "closed":
                self.give(m.StartMotion(dealer, at))
            case "moving" if covered and table.motion.count is not None:
                self.give(m.OpenBetting(dealer, at))
            case "moving":
                self.give(m.EndMotion("Dev", at, data.draw(st.sampled_from((5, 4, 4, 2)))))
            case "rest" if table.order == "wheel":
                self.give(m.EnterNumber(dealer, at, data.draw(st.sampled_from(table.book.space.outcomes))))
            case "rest" | "entering" if len(table.entry) < 3:
                self.give(m.PressKey(dealer, at, data.draw(st.sampled_from("123456"))))
            case "rest" | "entering":
                self.give(m.PressEntry(dealer, at))
            case "entered":
                self.give(m.ConfirmResult(dealer, at))
            case "settling":
                self.give(m.PayWinners(dealer, at))
            case "interrupted":
                self.give(m.Restore("system", at))

    @rule(data=st.data(), seat=st.sampled_from(SEATS), stake=AMOUNTS)
    def bet(self, data: st.DataObject, seat: str, stake: int) -> None:
        self.bets += 1
        box = data.draw(st.sampled_from(self.boxes))
        number = self.table.round.number if self.table.round else self.table.next_round
        self.give(m.PlaceBet(seat, self.at(), BetId(f"b{self.bets}"), number, SeatId(seat), box, Cents(stake)))

    @rule(data=st.data(), amount=AMOUNTS)
    def take_off(self, data: st.DataObject, amount: int) -> None:
        bets = list(self.table.round.bets.values()) if self.table.round else []
        if bets:
            bet, id = data.draw(st.sampled_from(bets)), f"w{self.clock}"
            self.give(m.WithdrawBet(bet.seat, self.at(), id, bet.id, Cents(amount)))
            self.give(m.RejectExcess("Dana", self.at(), bet.id, Cents(amount)))
            self.give(m.DecideBet("Sam", self.at(), bet.id, "return", "moved"))

    # ---- trouble

    @rule(data=st.data(), by=PEOPLE)
    def report(self, data: st.DataObject, by: str) -> None:
        part = data.draw(st.sampled_from(self.table.book.irregularities))
        self.give(m.Report(by, self.at(), part.id))

    @rule(part=st.sampled_from(PARTS), wait=st.sampled_from((0, 29_000, 31_000)))
    def interrupt(self, part: m.Part, wait: int) -> None:
        self.give(m.Interrupt("system", self.at(), part))
        self.clock += wait
        self.give(m.Restore("system", self.at()))

    @rule(shown=DICE)
    def attest(self, shown: str) -> None:
        faces = tuple(shown.split("-")) if self.table.order != "wheel" else (shown[0],)
        self.give(m.Attest("Sam", self.at(), faces))

    @rule(data=st.data(), by=PEOPLE)
    def approve(self, data: st.DataObject, by: str) -> None:
        if self.table.requests:
            request = data.draw(st.sampled_from(list(self.table.requests.values())))
            self.give(m.Approve(by, self.at(), request.number, request.digest))

    @rule(data=st.data(), back=st.integers(1, 3))
    def correct(self, data: st.DataObject, back: int) -> None:
        outcome = data.draw(st.sampled_from(self.table.book.space.outcomes))
        number = RoundNumber(max(1, self.table.next_round - back))
        self.give(m.CorrectResult("Max", self.at(), number, outcome, "seen again"))
        self.give(m.VoidRounds("Max", self.at(), (number,), "damaged-dice", "found damaged"))

    @rule(seat=st.sampled_from(SEATS), amount=AMOUNTS)
    def cash(self, seat: str, amount: int) -> None:
        self.give(m.PayOut("Cass", self.at(), SeatId(seat), Cents(amount * 4)))
        self.give(m.Unlock("Sam", self.at(), "mended"))

    @rule(seat=st.sampled_from(SEATS), amount=AMOUNTS, number=st.integers(0, 10**16 - 1), by=PEOPLE)
    def to_ticket_and_back(self, seat: str, amount: int, number: int, by: str) -> None:
        ticket, expires = ticket_number(number), self.clock + LONGEST
        self.give(m.CashOut(seat, self.at(), SeatId(seat), Cents(amount), ticket, expires))
        self.give(m.RedeemTicket(by, self.at(), SeatId(seat), ticket, Cents(amount), expires, "live"))

    @rule(seat=st.sampled_from(SEATS), amount=AMOUNTS)
    def settle_debts_and_the_bank(self, seat: str, amount: int) -> None:
        self.give(m.RepayDebt("Cass", self.at(), SeatId(seat), Cents(amount)))
        self.give(m.WriteOffDebt("Max", self.at(), SeatId(seat), Cents(amount), "gone"))
        self.give(m.FillBank("Cass", self.at(), Cents(amount)))
        self.give(m.DrainBank("Max", self.at(), Cents(amount * 2)))

    # ---- what always holds

    @invariant()
    def the_table_keeps_its_shape(self) -> None:
        table = self.table
        assert (table.phase == "interrupted") == (table.interruption is not None)
        if table.phase in OPEN_FOR_BETS:
            assert table.round is not None
            assert table.round.outcome is None
        if table.round is None:
            assert not any(seat.held for seat in table.seats.values())

    def teardown(self) -> None:
        """The same events on a fresh table give the same table."""
        if not hasattr(self, "events"):
            return
        again = new_table(self.table.setup)
        again.staff |= {PersonId(name): roles for name, roles in STAFF.items()}
        for event in self.events:
            evolve(again, event)
        assert again == self.table


QUICK = settings(
    max_examples=150,
    stateful_step_count=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


class MbsEsicbo(Floor):
    book_id = "mbs-esicbo-v4"


class MbsSands(Floor):
    book_id = "mbs-sands-roulette-v2"


class NzTaisai(Floor):
    book_id = "nz-taisai-division9"


class RwsSicbo(Floor):
    book_id = "rws-sicbo-etg-v2"


class RwsTaisai(Floor):
    book_id = "rws-taisai-v5"


for machine in (MbsEsicbo, MbsSands, NzTaisai, RwsSicbo, RwsTaisai):
    machine.TestCase.settings = QUICK

TestMbsEsicbo = MbsEsicbo.TestCase
TestMbsSands = MbsSands.TestCase
TestNzTaisai = NzTaisai.TestCase
TestRwsSicbo = RwsSicbo.TestCase
TestRwsTaisai = RwsTaisai.TestCase


def test_the_phases_that_a_book_may_name_are_those_of_its_order_of_play() -> None:
    for order, steps in TRANSITIONS.items():
        assert schema.PHASES[order] == (*(phase for phase in schema.PHASES[order] if phase in steps), "settled")
        assert set(schema.PHASES[order]) == {*steps, "settled"}
        assert {after for events in steps.values() for after in events.values()} <= set(steps)
