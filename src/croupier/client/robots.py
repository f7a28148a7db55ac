"""Robot Players: they use the same door as people, and each has its own manner of betting.

async with TerminalClient(address, token) as terminal:
    tally = await Robot(terminal, "spread", seed=7).play(rounds=10)
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple, get_args

from croupier.client.terminal import Answer, TerminalClient
from croupier.protocol import terminal as p

Manner = Literal["flat", "spread", "late", "withdrawer", "random"]
MANNERS: tuple[Manner, ...] = get_args(Manner)
"""Always one box; several boxes with one touch; as late as possible; bets and withdraws; any of these, by chance."""


class RobotTally(NamedTuple):
    """The totals of a robot so far."""

    rounds: int = 0
    bets: int = 0
    refused: int = 0
    withdrawn: int = 0
    staked: int = 0
    credit: int = 0


class Robot:
    """Bets in every round that opens, with the boxes and limits the floor sends. It knows no rule of any game."""

    def __init__(self, terminal: TerminalClient, manner: Manner = "random", seed: int | str = 0) -> None:
        self.terminal = terminal
        self.manner = manner
        self.tally = RobotTally()
        self._chance = random.Random(f"{seed}")
        self._layout = ""
        self._boxes: list[str] = []
        self._favourite = ""

    async def play(
        self, rounds: int | None = None, before_each: Callable[[], Awaitable[None]] | None = None
    ) -> RobotTally:
        """Play so many rounds, or until cancelled. `before_each` is called before every round."""
        last = 0
        while rounds is None or self.tally.rounds < rounds:
            if before_each is not None:
                await before_each()
            await self.terminal.until(lambda: self._may_bet() and self.terminal.room.round > last)  # noqa: B023
            last = self.terminal.room.round
            await self._bet()
            self.tally = self.tally._replace(rounds=self.tally.rounds + 1)
            await self.terminal.until(lambda: self.terminal.room.round > last or not self._may_bet())  # noqa: B023
        return self.tally

    def _may_bet(self) -> bool:
        terminal = self.terminal
        return terminal.connected and terminal.own.seated and terminal.room.betting

    async def _bet(self) -> None:
        if self._layout != self.terminal.own.layout:
            self._layout = self.terminal.own.layout
            self._boxes = [box.name for box in (await self.terminal.rules()).boxes]
            self._favourite = self._chance.choice(self._boxes)
        manner = self._chance.choice(MANNERS[:-1]) if self.manner == "random" else self.manner
        match manner:
            case "flat":
                await self._pause()
                await self._place([self._favourite])
            case "spread":
                await self._pause()
                await self._place(self._chance.sample(self._boxes, min(len(self._boxes), self._chance.randint(2, 8))))
            case "late":
                await self._pause(late=True)
                await self._place([self._chance.choice(self._boxes)])
            case _:
                await self._pause()
                await self._place(self._chance.sample(self._boxes, min(len(self._boxes), 3)))
                await self._withdraw_one()
        self.tally = self.tally._replace(credit=self.terminal.own.credit)

    async def _pause(self, *, late: bool = False) -> None:
        """Wait as a person thinks: for a part of the betting time, or until just before its end."""
        closes = self.terminal.closes_at
        left = closes - asyncio.get_running_loop().time() if closes is not None else 2.0
        await asyncio.sleep(max(0.0, left - 0.2 if late else self._chance.uniform(0.05, 0.6) * left))

    async def _place(self, boxes: list[str]) -> None:
        limits, credit = self.terminal.room.limits, self.terminal.own.credit
        bets = []
        for box in boxes:
            least, most = limits.minimum_of(box), limits.maximum_of(box)
            stake = min(least * self._chance.choice((1, 1, 2, 5)), most)
            if stake <= credit:
                credit = type(credit)(credit - stake)
                bets.append((box, stake))
        if bets:
            self._count(bets, await self.terminal.bets(bets))

    def _count(self, bets: list[tuple[str, int]], answers: list[Answer]) -> None:
        taken = [stake for (_, stake), answer in zip(bets, answers, strict=True) if isinstance(answer, p.Ok)]
        tally = self.tally
        self.tally = tally._replace(
            bets=tally.bets + len(taken),
            refused=tally.refused + len(answers) - len(taken),
            staked=tally.staked + sum(taken),
        )

    async def _withdraw_one(self) -> None:
        """Withdraw one of the bets, whole."""
        await asyncio.sleep(self._chance.uniform(0, 0.2))
        if self.terminal.own.bets:
            bet = self._chance.choice(self.terminal.own.bets)
            answer = await self.terminal.withdraw(bet.id, bet.stake)
            taken = bet.stake if isinstance(answer, p.Ok) else 0
            self.tally = self.tally._replace(
                withdrawn=self.tally.withdrawn + bool(taken), staked=self.tally.staked - taken
            )
