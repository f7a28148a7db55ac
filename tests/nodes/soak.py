"""An evening of three machines with a fault every few seconds: `make soak`, or `python -m tests.nodes.soak SECONDS`.

Robots bet at every table. Machines are killed, frozen, told to end, cut off from the database, from the terminals or
from both, and the database itself goes away. At the end: no acknowledged bet is lost or counted twice, every Player has
what the journal says, every round has ended by its clause, `verify` finds nothing, every terminal has followed its
table. Printed: how long tables were without an owner, how long terminals were without an answer.
"""

from __future__ import annotations

import asyncio
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.table import messages as m
from tests.nodes.machines import Machines, machines
from tests.support import postgres
from tests.support.crowd import Robot, check_all, crowded, history, until
from tests.support.house import automatic, wait_for

STREAMS = 7
BETWEEN = (1.0, 4.0)
"""Seconds between the end of a fault and the next."""


class Evening(NamedTuple):
    seconds: float
    faults: Counter[str]
    takeovers: list[float]
    """Seconds until every table had an owner again, for each fault that left some without."""
    bets: int
    rounds: int
    voids: int
    moves: int

    def told(self) -> str:
        times = sorted(self.takeovers)
        what = ", ".join(f"{count} {name}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.seconds:.0f} s, {sum(self.faults.values())} faults ({what})\n"
            f"{self.bets} bets acknowledged, 0 lost; {self.rounds} rounds paid, {self.voids} void by their clause;"
            f" terminals moved {self.moves} times; verify found nothing\n"
            f"every table owned again: p50 {statistics.median(times):.2f} s, max {times[-1]:.2f} s of {len(times)}"
        )


class Faults:
    """Whatever can happen to three machines, one after the other, so that one of them always stands."""

    def __init__(self, floor: Machines, chance: random.Random) -> None:
        self._floor = floor
        self._chance = chance
        self.done: Counter[str] = Counter()
        self.takeovers: list[float] = []
        self._kinds: list[Callable[[int], None]] = [
            self._killed,
            self._frozen,
            self._ended,
            self._cut_from_database,
            self._cut_from_terminals,
            self._cut_from_both,
            self._no_database,
        ]
        self._order: list[Callable[[int], None]] = []

    def strike(self) -> None:
        """In a thread of its own. Every kind comes as often as any other."""
        if not self._order:
            self._order = self._chance.sample(self._kinds, len(self._kinds))
        kind, number = self._order.pop(), self._chance.randrange(len(self._floor.nodes))
        self.done[kind.__name__.strip("_").replace("_", " ")] += 1
        kind(number)
        self._floor.down.clear()
        wait_for(lambda: len(self._floor.owners()) == STREAMS)

    def _without(self, number: int) -> None:
        """Until the others have what was its own."""
        mark, begin = f"-{self._floor.nodes[number].access.pid}-", time.monotonic()

        def taken() -> bool:
            owners = self._floor.owners().values()
            return len(owners) == STREAMS and not any(mark in owner for owner in owners)

        wait_for(taken)
        self.takeovers.append(time.monotonic() - begin)

    def _killed(self, number: int) -> None:
        self._floor.down.add(number)
        self._floor.nodes[number].kill()
        self._without(number)
        self._floor.nodes[number].start()

    def _frozen(self, number: int) -> None:
        self._floor.down.add(number)
        self._floor.nodes[number].signal(signal.SIGSTOP)
        self._without(number)
        self._floor.nodes[number].signal(signal.SIGCONT)

    def _ended(self, number: int) -> None:
        self._floor.down.add(number)
        self._floor.nodes[number].stop()
        self._floor.nodes[number].start()

    def _cut_from_database(self, number: int) -> None:
        self._floor.down.add(number)
        self._floor.lines[number].cut("silent")
        self._without(number)
        self._floor.lines[number].mend()

    def _cut_from_terminals(self, number: int) -> None:
        self._floor.doors[number].cut("silent")
        time.sleep(self._chance.uniform(0.5, 2.0))
        self._floor.doors[number].mend()

    def _cut_from_both(self, number: int) -> None:
        self._floor.down.add(number)
        self._floor.doors[number].cut("loud")
        self._floor.lines[number].cut("loud")
        self._without(number)
        self._floor.lines[number].mend()
        self._floor.doors[number].mend()

    def _no_database(self, number: int) -> None:
        for line in self._floor.lines:
            line.cut("loud")
        time.sleep(self._chance.uniform(0.2, 2.5))
        begin = time.monotonic()
        for line in self._floor.lines:
            line.mend()
        wait_for(lambda: len(self._floor.owners()) == STREAMS)
        self.takeovers.append(time.monotonic() - begin)


def evening(folder: Path, server: str, seconds: float, seed: int, kinds: int = 0) -> Evening:
    """So many seconds, and until so many kinds of faults have happened."""
    with machines(folder, server, automatic(betting=0.5), handover=20) as floor:
        floor.start()
        floor.seat_everyone(1_000_000_00)
        wait_for(floor.shared)
        chance, begin = random.Random(seed), time.monotonic()
        faults = Faults(floor, chance)

        async def play() -> list[Robot]:
            async with crowded(floor) as (crowd, _):  # type: ignore[arg-type]
                while time.monotonic() - begin < seconds or len(faults.done) < kinds:
                    await asyncio.to_thread(faults.strike)
                    await asyncio.sleep(chance.uniform(*BETWEEN))
                # Everyone plays on wherever their table is now.
                rounds, bets = [robot.round for robot in crowd], [len(robot.acknowledged) for robot in crowd]
                await until(lambda: all(r.round > n for r, n in zip(crowd, rounds, strict=True)), 120)
                await until(lambda: all(len(r.acknowledged) > n for r, n in zip(crowd, bets, strict=True)), 120)
            return crowd

        crowd = asyncio.run(play())
        lasted = time.monotonic() - begin
        for node in floor.nodes:
            if node.alive:
                node.stop()
        bets = check_all(floor, crowd)  # type: ignore[arg-type]
        paid = void = 0
        for table in sorted({robot.table for robot in crowd}):
            ended = _ended_by_their_clause(table, history(floor, table))  # type: ignore[arg-type]
            paid, void = paid + ended[0], void + ended[1]
        floor.nodes[0].verified()
        moves = sum(robot.terminal.moves for robot in crowd)
        return Evening(lasted, faults.done, faults.takeovers, bets, paid, void, moves)


def _ended_by_their_clause(table: str, events: Sequence[object]) -> tuple[int, int]:
    """Every round that was begun was paid, or void by a clause, once; but the last, if it was under way at the end."""
    opened = [event.round for event in events if isinstance(event, m.BettingOpened)]
    paid = [event.round for event in events if isinstance(event, m.WinnersPaid)]
    void = {event.round: event.clause for event in events if isinstance(event, m.RoundVoided)}
    assert all(void.values()), f"{table}: void without a clause"
    ended = Counter([*paid, *void])
    assert max(ended.values(), default=1) == 1, f"{table}: a round ended twice"
    missing = [number for number in opened if number not in ended]
    assert missing in ([], opened[-1:]), f"{table}: rounds {missing} have no end"
    return len(paid), len(void)


def main(seconds: float, seed: int) -> None:
    with postgres.started() as server, tempfile.TemporaryDirectory(prefix="croupier-soak-") as folder:
        print(evening(Path(folder), server.get_uri(), seconds, seed).told())


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 600.0, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
