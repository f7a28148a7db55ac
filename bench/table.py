"""What a command and a settled bet cost as a round grows from 100 to 100,000 bets, beside a bare dict loop.

Trust the ratios, not the nanoseconds: machines are noisy. The growth must be linear: ten times the bets, at most twelve
times the time.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from croupier import load_rulebook
from croupier.ledger import Balances, post
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, BetId, Limits, PersonId, RoundNumber, SeatId
from croupier.table.state import Setup, Table, new_table

SIZES = (100, 1_000, 10_000, 100_000)
SEATS = 100
MOST = 12.0
REPEATS = 3


@dataclass(slots=True)
class Floor:
    """A table and its money, as a server has them."""

    table: Table
    balances: Balances

    def give(self, command: AnyCommand) -> None:
        for event in decide(self.table, command):
            self.balances.apply(post("T1", event))
            evolve(self.table, event)


def seated(book_id: str, layout: str) -> Floor:
    book = load_rulebook(book_id)
    most = Cents(10**9)
    limits = Limits({"*": Cents(100)}, {"*": most}, Cents(100), most if book.limits.differential else None)
    floor = Floor(new_table(Setup("T1", book, (layout,), limits)), Balances())
    floor.table.staff |= {
        PersonId("Dana"): ("dealer",),
        PersonId("Sam"): ("pit-supervisor",),
        PersonId("Cass"): ("cashier",),
    }
    for seat in range(SEATS):
        floor.give(m.TakeSeat("Sam", 0, SeatId(f"s{seat}"), layout))
        floor.give(m.SellCredit("Cass", 0, SeatId(f"s{seat}"), Cents(10**9)))
    floor.give(m.OpenTable("Sam", 0))
    return floor


def bets(floor: Floor, count: int) -> list[m.PlaceBet]:
    boxes = next(iter(floor.table.layouts.values())).boxes
    seats = [f"s{seat}" for seat in range(SEATS)]
    return [
        m.PlaceBet(
            seats[n % SEATS],
            n,
            BetId(f"b{n}"),
            RoundNumber(1),
            SeatId(seats[n % SEATS]),
            boxes[n * 7 % len(boxes)],
            Cents(100 + n % 5 * 100),
        )
        for n in range(count)
    ]


def timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def one_round(book_id: str, layout: str, count: int) -> tuple[float, float, float]:
    """Seconds to place all bets, to close them, and to settle them."""
    floor = seated(book_id, layout)
    commands = bets(floor, count)
    floor.give(m.OpenBetting("Dana", 0))

    def place() -> None:
        for command in commands:
            floor.give(command)

    def settle() -> None:
        floor.give(m.ConfirmResult("Dana", 0))
        if floor.table.phase == "settling":
            floor.give(m.PayWinners("Dana", 0))

    placing = timed(place)
    closing = timed(lambda: floor.give(m.CallNoMoreBets("Dana", 0)))
    floor.give(m.StartMotion("Dana", 0))
    floor.give(m.EndMotion("Dana", 0, 3))
    for face in "134":
        floor.give(m.PressKey("Dana", 0, face))
    floor.give(m.PressEntry("Dana", 0))
    settling = timed(settle)
    assert floor.table.past[RoundNumber(1)].outcome == "1-3-4"
    return placing, closing, settling


def bare_loop(book_id: str, layout: str, count: int) -> tuple[float, float]:
    """The least that Python can do: keep the bets in a dict, then look each one up and add it."""
    commands = bets(seated(book_id, layout), count)
    matrix = load_rulebook(book_id).layout(layout)
    pays = {box: dict(matrix.winning(box)) for box in matrix.boxes}
    credit = dict.fromkeys((command.seat for command in commands), 10**9)
    held: dict[BetId, m.PlaceBet] = {}
    outcome = matrix.space.parse("1-3-4")

    def place() -> None:
        for command in commands:
            credit[command.seat] -= command.stake
            held[command.id] = command

    def settle() -> None:
        for bet in held.values():
            odds = pays[matrix.box(bet.box).name].get(outcome)
            if odds is not None:
                credit[bet.seat] += bet.stake + bet.stake * odds.numerator // odds.denominator

    return timed(place), timed(settle)


def best(work: Callable[[], tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(min, zip(*(work() for _ in range(REPEATS)), strict=True)))


def growth(book_id: str, layout: str) -> float:
    """Print a line for each size. Returns the worst growth of time for ten times the bets."""
    print(f"a round on {book_id}/{layout}, {SEATS} seats:")
    before: tuple[float, ...] | None = None
    worst = 0.0
    for count in SIZES:
        placing, closing, settling = best(lambda count=count: one_round(book_id, layout, count))  # type: ignore[misc]
        bare_place, bare_settle = best(lambda count=count: bare_loop(book_id, layout, count))  # type: ignore[misc]
        grown = ""
        if before:
            factors = [now / then for now, then in zip((placing, closing, settling), before, strict=True)]
            worst = max(worst, factors[0], factors[2], factors[1] if closing > 1e-3 else 0.0)
            grown = f"   {factors[0]:4.1f}x placing, {factors[2]:4.1f}x settling for 10x the bets"
        before = (placing, closing, settling)
        print(
            f"  {count:7,} bets   {placing * 1e9 / count:7,.0f} ns a command "
            f"({placing / bare_place:4.0f}x a dict loop)   "
            f"close {closing * 1e9 / count:6,.0f} ns a bet   "
            f"settled {settling * 1e9 / count:7,.0f} ns a bet ({settling / bare_settle:4.1f}x a dict loop){grown}"
        )
    return worst


def main() -> int:
    worst = max(growth("rws-sicbo-etg-v2", "B"), growth("rws-taisai-v5", "C"))
    print(f"ten times the bets take at most {worst:.1f} times the time (allowed: {MOST:.0f})")
    return 1 if worst > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
