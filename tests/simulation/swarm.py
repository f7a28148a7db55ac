"""A seeded crowd at a table: honest, greedy, late, repeating and malicious Players, forgetful Dealers, supervisors,
cashiers, devices and power failures. Time, ids, dice and names come from here and nowhere else.

The crowd looks at the oracle, never at the engine, so that an evening does not depend on what is being tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from msgspec.structs import replace

from croupier import load_rulebook
from croupier.rules.money import Cents
from croupier.rules.rulebook import Rulebook
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, BetId, Limits, PersonId, RoundNumber, SeatId
from croupier.table.roles import Role
from croupier.table.state import Setup
from croupier.table.tickets import TicketState
from tests.simulation.oracle import DAYS_180, Oracle, with_check_digits
from tests.support import independent
from tests.support.staff import PARTS, STAFF

BOOKS = ("mbs-esicbo-v4", "mbs-sands-roulette-v2", "nz-taisai-division9", "rws-sicbo-etg-v2", "rws-taisai-v5")
SEATS = ("Ann", "Ben", "Cem", "Dee", "Eve", "Fay")
COLOURS = ("red", "blue", "lime")
BAD_NAMES = ("", "Ann Lee", "#1", '"', "=Ann", "x" * 65, "\u2028", "a\x00")
STATES: tuple[TicketState, ...] = ("redeemed", "paid", "void", "expired", "unknown")
DAY = 86_400_000
WRONG, RIGHT = "wrong", "right"
"""What an approval says of the content it approves; the runner puts the real digest in the place of `right`."""

KNOWN: set[str] = set()
"""Faults of the engine that are known and reported; the crowd does not walk into them, so that the run goes on."""


@dataclass(frozen=True, slots=True)
class Evening:
    """A table as it is set up, before anyone acts."""

    setup: Setup
    staff: dict[str, tuple[Role, ...]]


def random_limits(rng: Random, book: Rulebook) -> Limits:
    unit = rng.choice((50, 100, 100, 100, 500))
    minimum = {"*": Cents(unit * rng.choice((1, 2, 5, 10)))}
    maximum = {"*": Cents(minimum["*"] * rng.choice((1, 3, 10, 40)))}
    boxes = {box for layout in book.layouts for box in layout.boxes}
    named = ("total", "triple", "small", "big", "single", "red", "straight", "single:4", "low")
    known = [name for name in named if any(box == name or box.startswith(f"{name}:") for box in boxes)]
    for kind in rng.sample(known, 2):
        low = Cents(unit * rng.choice((1, 2, 4)))
        minimum[kind] = low
        maximum[kind] = Cents(low * rng.choice((2, 5, 20)))
    gap = Cents(unit * rng.choice((1, 5, 20, 100)))
    return Limits(minimum, maximum, Cents(unit), gap if book.limits.differential else None)


def random_evening(rng: Random, book_id: str) -> Evening:
    book = load_rulebook(book_id)
    names = [layout.id.rpartition("/")[2] for layout in book.layouts]
    one = book.play.layout_of == "table" and rng.random() < 0.99
    count = 1 if one else rng.randint(1, len(names))
    alternatives = {part.ruling for part in book.readings if part.ruling and part.alternative.lower() != "none"}
    chosen = frozenset(number for number in sorted(alternatives) if rng.random() < 0.15)
    if rng.random() < 0.01:
        chosen |= {99}  # a reading no book has: the table cannot open
    setup = Setup(
        f"T{rng.randint(1, 9)}",
        book,
        tuple(rng.sample(names, count)),
        random_limits(rng, book),
        two_sources=rng.random() < 0.3,
        approval_seconds=rng.choice((30, 120)),
        alternatives=chosen,
    )
    return Evening(setup, dict(STAFF))


KINDS = tuple(
    kind for kind in get_args(m.AnyCommand) if kind not in (m.BringBook, m.TakeUpBook, m.TakeUpPlanned, m.CancelPlan)
)
"""The commands of a crowd. A change of the book has a machine of its own."""


class Swarm:
    """Everyone at one table. `next` gives the next command."""

    def __init__(self, rng: Random, evening: Evening, oracle: Oracle) -> None:
        self.rng = rng
        self.evening = evening
        self.oracle = oracle
        self.book = evening.setup.rulebook
        self.clock = 0
        self.ids = 0
        self.sent: list[AnyCommand] = []
        self.queue: list[Callable[[], AnyCommand]] = []
        self.nuisance = rng.choice((0.05, 0.15, 0.3))
        self.trouble = rng.choice((0.02, 0.05, 0.1))
        self.rush = rng.choice((0.1, 0.2, 0.5))
        """How soon the Dealer closes the bets."""
        self.dark = rng.choice(list(self.book.interruption.round))
        """The phase in which the power likes to fail here."""
        self.rich = rng.choice((0.02, 0.02, 0.1))
        """How often money comes and goes while a round is played."""
        self.numbers = list(independent.NUMBERS)

    # ---- time, names, numbers

    def at(self) -> int:
        self.clock += self.rng.choice((0, 1, 20, 300, 1500))
        return self.clock

    def wait(self) -> None:
        self.clock += self.rng.choice((5_000, 29_999, 30_000, 30_001, 45_000, 125_000))

    def new_id(self, letter: str) -> str:
        self.ids += 1
        return f"{letter}{self.ids}" if self.rng.random() < 0.998 else self.rng.choice(BAD_NAMES)

    def staff(self, *roles: str) -> str:
        people = [name for name, held in self.oracle.staff.items() if set(held) & set(roles)]
        return self.rng.choice(people) if people else "Sam"

    def operator(self) -> str:
        return self.staff(*self.book.play.operated_by)

    def boss(self) -> str:
        return self.staff("pit-supervisor", "pit-manager", "shift-manager")

    def pit(self) -> str:
        return self.staff("dealer", "pit-supervisor", "pit-manager")

    def caller(self, call: str) -> str:
        return self.staff(*next(part.by for part in self.book.calls if part.id == call))

    def authority(self, consequence: str) -> str:
        roles = [role for part in self.oracle.parts(consequence) for role in part.authority]
        return self.staff(*roles)

    def anyone(self) -> str:
        return self.rng.choice((*self.oracle.staff, *SEATS, "system", "Nobody", "Mallory"))

    def seats(self) -> list[str]:
        return [id for id, person in self.oracle.people.items() if person.here]

    def a_seat(self) -> str:
        seats = self.seats()
        return self.rng.choice(seats) if seats and self.rng.random() < 0.97 else self.rng.choice((*SEATS, "Nobody"))

    def outcome(self) -> str:
        if self.oracle.order == "wheel":
            return self.rng.choice(self.numbers)
        return "-".join(str(self.rng.randint(1, 6)) for _ in range(3))

    def any_outcome(self) -> str:
        return self.outcome() if self.rng.random() < 0.9 else self.rng.choice(("0-0-0", "1-2", "37", "x", "7-1-1"))

    def a_bet(self) -> BetId:
        game = self.oracle.game
        if game and game.wagers and self.rng.random() < 0.95:
            return BetId(self.rng.choice(game.wagers).id)
        return BetId(self.rng.choice(list(self.oracle.used_ids)) if self.oracle.used_ids else "b0")

    def a_box(self, seat: str) -> str:
        person = self.oracle.people.get(seat)
        layout = person.layout if person else self.oracle.felts[0]
        if self.rng.random() < 0.03:
            return self.rng.choice(("small", "pair:1-1-2", "straight:99", "nothing", "odd", "four:3-4-5-6", ""))
        boxes = list(self.oracle.wins(layout))
        crowded = [box for box in ("big", "small", "red", "odd", "even", "total:9") if box in boxes]
        return self.rng.choice(crowded if self.rng.random() < 0.5 else boxes)

    def a_stake(self, box: str, purse: int) -> int:
        game = self.oracle.game
        limits = game.limits if game else self.oracle.limits
        unit, low, high = limits.unit, limits.minimum_of(box), limits.maximum_of(box)
        kind = self.rng.random()
        if kind < 0.55:
            return low + unit * self.rng.randint(0, max(0, min(20, (high - low) // unit)))
        if kind < 0.75:
            return unit * self.rng.randint(1, 40)
        if kind < 0.9:
            return high + unit * self.rng.randint(-3, 3)
        if kind < 0.95:
            return max(unit, purse // unit * unit)
        return self.rng.choice((0, -unit, unit // 2, unit + 1, 1, purse + unit, 10**9 * unit))

    def reason(self) -> str:
        return "x" if self.rng.random() < 0.98 else ""

    # ---- the next command

    def next(self) -> AnyCommand:
        for _ in range(100):
            command = self._pick()
            if self.known_fault(command) is None:
                break
        if isinstance(command, m.PlaceBet | m.WithdrawBet):
            self.sent = [*self.sent[-30:], command]
        return command

    def _pick(self) -> AnyCommand:
        if self.queue:
            return self.queue.pop(0)()
        luck = self.rng.random()
        if luck < self.nuisance:
            return self._nuisance()
        if luck < self.nuisance + self.trouble:
            return self._trouble()
        if self.oracle.phase == self.dark and self.rng.random() < 0.06:
            return self._power_failure()
        return self._useful()

    def _useful(self) -> AnyCommand:
        oracle = self.oracle
        if not oracle.open:
            return self._before_opening()
        if oracle.pending and self.rng.random() < 0.25:
            return self._second_person()
        if oracle.phase == "ready" and self.rng.random() < 0.35:
            return self._between_rounds()
        if self.rng.random() < self.rich:
            return self._money()
        return self._play()

    def _before_opening(self) -> AnyCommand:
        if len(self.seats()) < 2 or self.rng.random() < 0.5:
            return self._newcomer()
        if self.rng.random() < 0.1:
            return self._limits()
        checks = [prompt.id for prompt in self.book.prompts if prompt.when == "opening"]
        missing = (self.rng.choice(checks),) if checks and self.rng.random() < 0.2 else ()
        return m.OpenTable(self.boss(), self.at(), missing)

    def _newcomer(self) -> AnyCommand:
        free = [seat for seat in SEATS if seat not in self.seats()]
        if free and (len(self.seats()) < 2 or self.rng.random() < 0.6):
            return m.TakeSeat(self.pit(), self.at(), SeatId(self.rng.choice(free)), self._layout())
        amount = Cents(self.rng.choice((1000, 10_000, 100_000, 1_000_000)))
        return m.SellCredit("Cass", self.at(), SeatId(self.a_seat()), amount)

    def _layout(self) -> str:
        return self.rng.choice(self.oracle.felts) if self.rng.random() < 0.95 else "Z"

    def _layouts(self) -> AnyCommand:
        names = [layout.id.rpartition("/")[2] for layout in self.book.layouts]
        one = self.book.play.layout_of == "table" and self.rng.random() < 0.9
        chosen = self.rng.sample(names, 1 if one else self.rng.randint(1, len(names)))
        if self.rng.random() < 0.1:
            chosen = self.rng.choice(([], ["Z"], [*chosen, chosen[0]]))
        return m.SetLayouts(self.boss(), self.at(), tuple(chosen))

    def _limits(self) -> AnyCommand:
        limits = random_limits(self.rng, self.book)
        if self.rng.random() < 0.05:
            limits = replace(limits, minimum={**limits.minimum, "nowhere": Cents(100)})
        if self.rng.random() < 0.2:
            limits = Limits({"*": Cents(1)}, {"*": Cents(10)}, Cents(self.rng.choice((1, 7, 0))), limits.differential)
        return m.SetLimits(self.boss(), self.at(), limits)

    def _second_person(self) -> AnyCommand:
        number = self.rng.choice(list(self.oracle.pending))
        if self.rng.random() < 0.1:
            return m.Decline(self.boss(), self.at(), number)
        return m.Approve(self.boss(), self.at(), number, WRONG if self.rng.random() < 0.05 else RIGHT)

    def _between_rounds(self) -> AnyCommand:
        oracle, rng = self.oracle, self.rng
        if oracle.lock and rng.random() < 0.6:
            return m.Unlock(self.boss(), self.at(), self.reason())
        poor = [id for id in self.seats() if oracle.people[id].purse < oracle.limits.minimum_of("small")]
        if poor and rng.random() < 0.4:
            return m.SellCredit("Cass", self.at(), SeatId(rng.choice(poor)), Cents(rng.choice((500, 20_000, 100_000))))
        choices: list[Callable[[], AnyCommand]] = [
            self._newcomer,
            self._cash_out,
            self._correct,
            self._void_rounds,
            self._leave,
            self._choose_layout,
            self._colour,
            self._limits_rarely,
            self._layouts_rarely,
            self._money,
        ]
        return rng.choice(choices)()

    # ---- money around the table

    def _money(self) -> AnyCommand:
        kind = self.rng.choice((self._redeem, self._to_ticket, self._to_ticket, self._debt, self._debt, self._bank))
        return kind()

    def _number(self) -> str:
        """The number of a new ticket, now and then misread."""
        number = with_check_digits(f"{self.rng.randrange(10**16):016}")
        if self.rng.random() < 0.04:
            return self.rng.choice((number[:-1], f"{number[:16]}00", number[1:] + number[0], "", "x"))
        return f"{number[:2]}-{number[2:]}" if self.rng.random() < 0.05 else number

    def _redeem(self) -> AnyCommand:
        """A ticket of this table, once or again, or one from elsewhere; what is found of it is the truth."""
        at, rng, seat = self.at(), self.rng, self.a_seat()
        number, ticket = rng.choice([("", None), *self.oracle.tickets.items()])
        by = rng.choice((seat, seat, self.pit(), "Cass", self.anyone()))
        if ticket is None:
            found: TicketState = "live" if rng.random() < 0.8 else rng.choice(STATES)
            expires = at + rng.choice((DAY, DAYS_180, 0, -1, -DAY))
            amount = rng.choice((100, 5_000, 20_000, 123, 0))
            return m.RedeemTicket(by, at, SeatId(seat), self._number(), Cents(amount), expires, found)
        if rng.random() < 0.02:
            self.clock = at = max(at, ticket.expires + rng.choice((0, 1)))
        return m.RedeemTicket(by, at, SeatId(seat), number, Cents(ticket.amount), ticket.expires, ticket.state)

    def _to_ticket(self) -> AnyCommand:
        at, rng, seat = self.at(), self.rng, self.a_seat()
        if rng.random() < 0.2:  # also for one who has left
            seat = rng.choice((*self.oracle.people, "Nobody"))
        person = self.oracle.people.get(seat)
        purse = person.purse if person else 0
        amount = rng.choice((purse, purse // 2, 100, 0, purse + 1))
        expires = at + (rng.choice((DAY, DAYS_180, 1)) if rng.random() < 0.93 else rng.choice((0, -1, DAYS_180 + 1)))
        by = rng.choice((seat, seat, self.pit(), "Cass", self.anyone()))
        return m.CashOut(by, at, SeatId(seat), Cents(amount), self._number(), expires)

    def _debt(self) -> AnyCommand:
        rng, oracle = self.rng, self.oracle
        owing = [id for id, person in oracle.people.items() if person.owes]
        seat = rng.choice(owing) if owing else self.a_seat()
        owes = oracle.people[seat].owes if seat in oracle.people else 100
        amount = Cents(rng.choice((owes, owes // 2, owes // 2, 1, 0, owes + 1)))
        if rng.random() < 0.5:
            return m.RepayDebt(rng.choice(("Cass", self.pit())), self.at(), SeatId(seat), amount)
        return m.WriteOffDebt(self.boss(), self.at(), SeatId(seat), amount, self.reason())

    def _bank(self) -> AnyCommand:
        kind = self.rng.choice((m.FillBank, m.DrainBank))
        return kind(self.rng.choice(("Cass", self.boss())), self.at(), Cents(self.rng.choice((100_000, 5_000, 1, 0))))

    def _limits_rarely(self) -> AnyCommand:
        return self._limits() if self.rng.random() < 0.3 else self._newcomer()

    def _layouts_rarely(self) -> AnyCommand:
        return self._layouts() if self.rng.random() < 0.3 else self._newcomer()

    def _cash_out(self) -> AnyCommand:
        seat = self.a_seat()
        person = self.oracle.people.get(seat)
        purse = person.purse if person else 0
        amount = purse if self.rng.random() < 0.6 else self.rng.randint(0, purse + 100)
        return m.PayOut("Cass", self.at(), SeatId(seat), Cents(amount))

    def _leave(self) -> AnyCommand:
        empty = [id for id in self.seats() if self.oracle.people[id].purse == 0]
        seat = self.rng.choice(empty) if empty else self.a_seat()
        return m.LeaveSeat(self.rng.choice((seat, "Cass")), self.at(), SeatId(seat))

    def _choose_layout(self) -> AnyCommand:
        seat = self.a_seat()
        return m.ChooseLayout(self.rng.choice((seat, seat, self.anyone())), self.at(), SeatId(seat), self._layout())

    def _colour(self) -> AnyCommand:
        seat = self.a_seat()
        person = self.oracle.people.get(seat)
        if person and person.colour and self.rng.random() < 0.8:
            return m.TakeBackColour(self.pit(), self.at(), SeatId(seat))
        value = Cents(self.oracle.limits.unit * self.rng.choice((1, 1, 2, 5)))
        return m.GiveColour(self.pit(), self.at(), SeatId(seat), self.rng.choice(COLOURS), value)

    def _correct(self) -> AnyCommand:
        number = self._a_round()
        by = self.authority("actual-outcome-stands") if self.rng.random() < 0.9 else self.boss()
        return m.CorrectResult(by, self.at(), number, self.any_outcome(), self.reason())

    def _a_round(self) -> RoundNumber:
        return RoundNumber(max(1, self.oracle.next_number - self.rng.choice((0, 1, 1, 1, 2, 3, 5))))

    def _void_rounds(self) -> AnyCommand:
        rounds = tuple(self._a_round() for _ in range(self.rng.choice((0, 1, 1, 1, 2, 3))))
        name = "damaged-dice" if self.rng.random() < 0.9 else "not-flat"
        return m.VoidRounds(self.boss(), self.at(), rounds, name, self.reason())

    # ---- a round of play

    def _play(self) -> AnyCommand:
        by_phase: dict[str, Callable[[], AnyCommand]] = {
            "ready": self._play_ready,
            "betting": self._play_betting,
            "spinning": self._play_betting,
            "closed": self._play_closed,
            "moving": self._play_moving,
            "rest": self._play_rest,
            "entering": self._play_rest,
            "entered": self._play_entered,
            "settling": self._play_settling,
            "interrupted": self._play_interrupted,
        }
        return by_phase[self.oracle.phase]()

    def _play_ready(self) -> AnyCommand:
        forgetful = self.rng.random() < 0.04
        if self.oracle.order == "covered" and not forgetful:
            return m.StartMotion(self.operator(), self.at())
        return m.OpenBetting(self.caller("place-your-bets"), self.at())

    def _play_betting(self) -> AnyCommand:
        luck, oracle = self.rng.random(), self.oracle
        assert oracle.game
        if luck < 0.12 * self.rush * 5 and (oracle.game.wagers or luck < 0.02):
            return self._close()
        if luck > 0.93 and self.sent:
            return self._again()
        if luck > 0.86:
            return self._withdrawal()
        if luck > 0.80 and oracle.parts("reject-excess"):
            return self._dealer_and_limits()
        return self._bet()

    def _close(self) -> AnyCommand:
        by = self.caller("no-more-bets")
        if self.oracle.order == "wheel" and self.oracle.phase == "betting":
            if self.rng.random() < 0.6:
                with_wheel = self.rng.random() < 0.04
                return m.StartMotion(self.operator(), self.at(), with_wheel)
            allowed = self.rng.choice(("Pat", "Max", "Sam", None))
            return m.CallNoMoreBets(by, self.at(), PersonId(allowed) if allowed else None)
        return m.CallNoMoreBets(by, self.at())

    def _bet(self) -> m.PlaceBet:
        rng, oracle = self.rng, self.oracle
        seat = self.a_seat()
        person = oracle.people.get(seat)
        box = self.a_box(seat)
        stake, chips = self.a_stake(box, person.purse if person else 0), 0
        if person and person.colour and rng.random() < 0.5:
            chips = rng.randint(1, 10)
            stake = chips * person.colour[1] if rng.random() < 0.9 else stake
        number = oracle.next_number - 1 if rng.random() < 0.97 else rng.randint(0, oracle.next_number + 1)
        by = seat if rng.random() < 0.85 else self.staff(*(self.book.play.on_behalf_by or ("dealer",)))
        if rng.random() < 0.02:
            by = self.anyone()
        return m.PlaceBet(
            by, self.at(), BetId(self.new_id("b")), RoundNumber(number), SeatId(seat), box, Cents(stake), chips
        )

    def _again(self) -> AnyCommand:
        """A frame sent twice, or sent again with something changed."""
        old = self.rng.choice(self.sent)
        at = self.at()
        if isinstance(old, m.WithdrawBet):
            amount = old.amount if self.rng.random() < 0.7 else Cents(old.amount + 100)
            return m.WithdrawBet(old.by, at, old.id, old.bet, amount)
        assert isinstance(old, m.PlaceBet)
        change = self.rng.random()
        stake = Cents(old.stake + self.oracle.limits.unit) if change < 0.1 else old.stake
        box = self.a_box(old.seat) if 0.1 < change < 0.2 else old.box
        seat = SeatId(self.a_seat()) if 0.2 < change < 0.3 else old.seat
        number = RoundNumber(old.round + 1) if 0.3 < change < 0.4 else old.round
        chips = old.colour_chips + 1 if 0.4 < change < 0.45 else old.colour_chips
        by = seat if old.by == old.seat else old.by
        return m.PlaceBet(by, at, old.id, number, seat, box, stake, chips)

    def _withdrawal(self) -> AnyCommand:
        rng, bet = self.rng, self.a_bet()
        wager = self.oracle.game.find(bet) if self.oracle.game else None
        stake, seat = (wager.stake, wager.seat) if wager else (100, "Ann")
        unit = self.oracle.limits.unit
        amount = rng.choice((stake, stake, unit, stake - unit, stake + unit, 0, -unit, unit // 2))
        by = seat if rng.random() < 0.85 else rng.choice((self.pit(), self.a_seat(), self.anyone()))
        return m.WithdrawBet(by, self.at(), self.new_id("w"), bet, Cents(amount))

    def _dealer_and_limits(self) -> AnyCommand:
        oracle, bet = self.oracle, self.a_bet()
        wager = oracle.game.find(bet) if oracle.game else None
        if self.rng.random() < 0.4:
            short = [
                w.id
                for w in (oracle.game.wagers if oracle.game else ())
                if oracle.game and 0 < oracle.game.sums()[w.seat, w.box] < oracle.game.limits.minimum_of(w.box)
            ]
            return m.AdviseShort(self.authority("advise"), self.at(), BetId(self.rng.choice(short)) if short else bet)
        amount = self.rng.choice((wager.stake, oracle._excess(wager.box), oracle.limits.unit)) if wager else 100
        if wager and oracle.game and self.rng.random() < 0.7:
            lying = [w.id for w in oracle.game.wagers if w.box == wager.box and w.stake]
            bet = BetId(lying[-1]) if lying else bet
            top = oracle.game.find(bet)
            amount = min(top.stake if top else 0, max(amount, 0))
        return m.RejectExcess(self.authority("reject-excess"), self.at(), bet, Cents(amount))

    def _play_closed(self) -> AnyCommand:
        if self.rng.random() < 0.1:
            return self._late()
        if self.rng.random() < 0.1 and self.oracle.parts("bet-decision"):
            return self._bet_decision()
        if self.oracle.order == "covered":
            return m.Uncover(self.operator(), self.at())
        return m.StartMotion(self._mover(), self.at(), self.oracle.order == "wheel" and self.rng.random() < 0.04)

    def _mover(self) -> str:
        return self.operator() if self.rng.random() < 0.7 else "Dev"

    def _late(self) -> AnyCommand:
        return self._bet() if self.rng.random() < 0.6 else self._withdrawal()

    def _play_moving(self) -> AnyCommand:
        if self.oracle.count is not None:
            if self.rng.random() < 0.03:
                return m.Uncover(self.operator(), self.at())
            return m.OpenBetting(self.caller("place-your-bets"), self.at())
        enough = self.book.play.minimum
        count = enough + self.rng.randint(0, 5) if self.rng.random() < 0.94 else self.rng.randint(-1, enough - 1)
        return m.EndMotion(self._mover(), self.at(), count)

    def _play_rest(self) -> AnyCommand:
        luck = self.rng.random()
        if luck < 0.06 and self.oracle.parts("bet-decision"):
            return self._bet_decision()
        if luck < 0.1:
            return self._late()
        if luck < 0.2 and self.evening.setup.two_sources:
            return self._sense()
        if self.oracle.order == "wheel":
            return m.EnterNumber(self.operator(), self.at(), self.any_outcome())
        if len(self.oracle.keys) >= 3 or luck > 0.97:
            return m.PressEntry(self.operator(), self.at())
        face = str(self.rng.randint(1, 6)) if self.rng.random() < 0.98 else self.rng.choice(("0", "7", "", "11"))
        return m.PressKey(self.operator(), self.at(), face)

    def _sense(self) -> AnyCommand:
        game, keys = self.oracle.game, self.oracle.keys
        seen = game.result if game and game.result else "-".join(keys) if len(keys) == 3 else self.any_outcome()
        return m.SenseResult("Dev", self.at(), seen if self.rng.random() < 0.7 else self.any_outcome())

    def _play_entered(self) -> AnyCommand:
        luck, oracle = self.rng.random(), self.oracle
        if luck < 0.05 and oracle.parts("bet-decision"):
            return self._bet_decision()
        if luck < 0.12:
            return m.AmendResult(self.authority("amend-result"), self.at(), self.any_outcome())
        if luck < 0.16:
            return self._report()
        if self.evening.setup.two_sources and luck < 0.6:
            if oracle.sensed is None:
                return self._sense()
            if oracle._disputed():
                return m.DecideResult(self.boss(), self.at(), self.any_outcome(), self.reason())
        return m.ConfirmResult(self.operator(), self.at())

    def _bet_decision(self) -> AnyCommand:
        bet = self.a_bet()
        wager = self.oracle.game.find(bet) if self.oracle.game else None
        treatments: tuple[Literal["stand", "move", "return"], ...] = ("stand", "move", "return")
        treatment = self.rng.choice(treatments)
        box = self.a_box(wager.seat if wager else "Ann") if treatment == "move" else ""
        return m.DecideBet(self.authority("bet-decision"), self.at(), bet, treatment, self.reason(), box)

    def _play_settling(self) -> AnyCommand:
        if not self.oracle.live and self.rng.random() < 0.8:  # found collecting its losers: the power had gone
            return self._power_failure()
        return m.PayWinners(self.operator(), self.at())

    def _power_failure(self) -> AnyCommand:
        if self.book.interruption.terminals and self.rng.random() < 0.25:
            return self._terminals()
        return m.Interrupt(self.rng.choice(("system", self.pit())), self.at(), self.rng.choice(PARTS))

    def _play_interrupted(self) -> AnyCommand:
        stop = self.oracle.stop
        assert stop
        if not stop.back:
            if self.rng.random() < 0.1:
                return self._report()
            if self.rng.random() < 0.3:
                self.wait()
            return m.Restore(self.rng.choice(("system", self.pit())), self.at())
        if self.rng.random() < 0.15:
            return self._report()
        if self.oracle._act().act == "wait":
            if stop.was == "spinning" and self.rng.random() < 0.5:
                return m.CallNoMoreBets(self.caller("no-more-bets"), self.at())
            return m.EndMotion(self._mover(), self.at(), self.rng.choice((3, 4, 5)))
        return self._attest()

    def _attest(self) -> AnyCommand:
        whole = 1 if self.oracle.order == "wheel" else 3
        shown = tuple(self.any_outcome().split("-"))[: self.rng.choice((0, 1, 2, whole, whole, whole))]
        seen = self.oracle.stop.seen if self.oracle.stop else ()
        if seen and self.rng.random() < 0.8:
            shown = (*seen, *shown)[:whole]
        return m.Attest(self.rng.choice((self.operator(), self.boss())), self.at(), shown)

    # ---- trouble

    def _trouble(self) -> AnyCommand:
        luck = self.rng.random()
        if luck < 0.5:
            return self._power_failure()
        if luck < 0.6:
            return self._decide()
        return self._report()

    def _terminals(self) -> AnyCommand:
        seats = tuple(SeatId(self.a_seat()) for _ in range(self.rng.choice((1, 1, 2, 3))))
        offline = tuple(SeatId(id) for id in self.seats() if not self.oracle.people[id].online)
        if offline and self.rng.random() < 0.7:
            return m.RestoreTerminals("system", self.at(), offline)
        lost: tuple[m.LostBet, ...] = ()
        if self.rng.random() < 0.5:
            owner = seats[0] if self.rng.random() < 0.9 else SeatId(self.a_seat())
            lost = (m.LostBet(owner, self.a_box(owner), Cents(1000)),)
        self.queue.append(lambda: m.RestoreTerminals("system", self.at(), seats))
        if self.rng.random() < 0.7:
            self.queue.insert(0, self._bet)
        return m.InterruptTerminals(self.rng.choice(("system", self.pit())), self.at(), seats, lost)

    def _report(self) -> AnyCommand:
        moment = self.oracle.moment()
        fitting = [part for part in self.book.irregularities if moment in part.phases]
        part = self.rng.choice(fitting if fitting and self.rng.random() < 0.9 else self.book.irregularities)
        if part.consequence in ("void", "void-affected-rounds") and self.rng.random() < 0.5:
            part = self.rng.choice(fitting or [part])
        by = "system" if part.authority == ("system",) else self.staff(*part.authority)
        by = "Dev" if self.rng.random() < 0.05 else by
        name = part.id if self.rng.random() < 0.98 else "aliens"
        bet = self.a_bet() if self.rng.random() < 0.2 else None
        seat = SeatId(self.a_seat()) if self.rng.random() < 0.2 else None
        return m.Report(by, self.at(), name, bet, seat, self.rng.choice(("", "x")))

    def _decide(self) -> AnyCommand:
        treatments: tuple[Literal["void", "result", "return"], ...] = ("void", "result", "return")
        treatment = self.rng.choice(treatments)
        outcome = self.any_outcome() if treatment == "result" else ""
        bets = tuple(self.a_bet() for _ in range(self.rng.randint(0, 2))) if treatment == "return" else ()
        return m.Decide(self.authority("decision"), self.at(), treatment, self.reason(), outcome, bets)

    # ---- nuisance: any command from anyone at any time

    def _nuisance(self) -> AnyCommand:
        kind = self.rng.choice(KINDS)
        at, by, rng = self.at(), self.anyone(), self.rng
        if rng.random() < 0.5:
            by = rng.choice((self.pit(), self.boss(), self.operator(), "Max"))
        seat = SeatId(self.a_seat())
        amount = Cents(rng.choice((0, -100, 1, 100, 5000, 10**12)))
        simple: dict[type[m.Command], Callable[[], AnyCommand]] = {
            m.OpenTable: lambda: m.OpenTable(by, at),
            m.CloseTable: lambda: m.CloseTable(by, at),
            m.AssignStaff: lambda: self._assign(by, at),
            m.TakeSeat: lambda: m.TakeSeat(
                by, at, SeatId(rng.choice((*SEATS, "Dana", "system", "=x"))), self._layout()
            ),
            m.ChooseLayout: self._choose_layout,
            m.LeaveSeat: lambda: m.LeaveSeat(by, at, seat),
            m.SellCredit: lambda: m.SellCredit(by, at, seat, amount),
            m.PayOut: lambda: m.PayOut(by, at, seat, amount),
            m.GiveCredit: lambda: m.GiveCredit(by, at, seat, amount, self.reason()),
            m.RedeemTicket: self._redeem,
            m.CashOut: self._to_ticket,
            m.RepayDebt: lambda: m.RepayDebt(by, at, seat, amount),
            m.WriteOffDebt: lambda: m.WriteOffDebt(by, at, seat, amount, self.reason()),
            m.FillBank: lambda: m.FillBank(by, at, amount),
            m.DrainBank: lambda: m.DrainBank(by, at, amount),
            m.GiveColour: lambda: m.GiveColour(by, at, seat, rng.choice(COLOURS), amount),
            m.TakeBackColour: lambda: m.TakeBackColour(by, at, seat),
            m.SetLimits: self._limits,
            m.SetLayouts: self._layouts,
            m.OpenBetting: lambda: m.OpenBetting(by, at),
            m.PlaceBet: self._bet,
            m.WithdrawBet: self._withdrawal,
            m.RejectExcess: lambda: m.RejectExcess(by, at, self.a_bet(), amount),
            m.AdviseShort: lambda: m.AdviseShort(by, at, self.a_bet()),
            m.CallNoMoreBets: lambda: m.CallNoMoreBets(by, at, PersonId("Pat") if rng.random() < 0.5 else None),
            m.StartMotion: lambda: m.StartMotion(by, at, self.oracle.order == "wheel" and rng.random() < 0.3),
            m.EndMotion: lambda: m.EndMotion(by, at, rng.randint(-2, 6)),
            m.Uncover: lambda: m.Uncover(by, at),
            m.PressKey: lambda: m.PressKey(by, at, str(rng.randint(0, 7))),
            m.PressEntry: lambda: m.PressEntry(by, at),
            m.EnterNumber: lambda: m.EnterNumber(by, at, self.any_outcome()),
            m.SenseResult: lambda: m.SenseResult(rng.choice((by, "Dev")), at, self.any_outcome()),
            m.DecideResult: lambda: m.DecideResult(by, at, self.any_outcome(), self.reason()),
            m.AmendResult: lambda: m.AmendResult(by, at, self.any_outcome()),
            m.ConfirmResult: lambda: m.ConfirmResult(by, at),
            m.PayWinners: lambda: m.PayWinners(by, at),
            m.Report: self._report,
            m.DecideBet: self._bet_decision,
            m.Decide: self._decide,
            m.CorrectResult: self._correct,
            m.VoidRounds: self._void_rounds,
            m.Unlock: lambda: m.Unlock(by, at, self.reason()),
            m.Interrupt: lambda: m.Interrupt(rng.choice(SEATS), at, rng.choice(PARTS)),
            m.InterruptTerminals: self._terminals,
            m.Restore: lambda: m.Restore(by, at),
            m.RestoreTerminals: lambda: m.RestoreTerminals(by, at, (seat,)),
            m.Attest: self._attest,
            m.Approve: lambda: m.Approve(by, at, rng.randint(1, self.oracle.next_request), RIGHT),
            m.Decline: lambda: m.Decline(by, at, rng.randint(1, self.oracle.next_request)),
        }
        return simple[kind]()

    def _assign(self, by: str, at: int) -> AnyCommand:
        """A new colleague, or an old one in another role; the first ten keep theirs, so that play goes on."""
        person = self.rng.choice(("Lee", "Kim", "Ann", "system", "Lee Kim"))
        roles = self.rng.sample(get_args(Role), self.rng.randint(0, 2))
        return m.AssignStaff(by, at, PersonId(person), tuple(roles))

    # ---- faults of the engine that are known

    def known_fault(self, command: AnyCommand) -> str | None:
        """The known fault a command would walk into."""
        return next((name for name in known_faults(self.oracle, command) if name in KNOWN), None)


def known_faults(oracle: Oracle, command: AnyCommand) -> Iterator[str]:
    """The names of the known faults that a command would meet. A fault that is mended is taken out again."""
    if isinstance(command, m.Approve):
        request = oracle.pending.get(command.request)
        yield from known_faults(oracle, request.command) if request else ()
