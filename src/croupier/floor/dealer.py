"""A Dealer who is a program: deals round after round by the book, and hands over to people when something is odd."""

from __future__ import annotations

import asyncio
from typing import Any, NoReturn

from croupier.devices import port
from croupier.devices.port import POINTS_TO, AnyFact, Device, Time
from croupier.floor.floor import Floor, LiveTable
from croupier.rules.outcomes import Wheel
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.messages import PersonId
from croupier.table.permits import SUPERVISION

PATIENCE = 60
"""Seconds, by the machine's own clock, that a device may take for one motion before people are called."""


class Stuck(Exception):
    """What the Dealer cannot do by the book alone."""


class AutomaticDealer:
    """Works one table with one device. What it does are the same commands that a person would give."""

    def __init__(self, floor: Floor, live: LiveTable, device: Device, time: Time) -> None:
        self.floor = floor
        self.live = live
        self.device = device
        self.time = time
        self.alerts: list[str] = []
        """What people should look at."""
        self._facts: asyncio.Queue[AnyFact] = asyncio.Queue()
        self._asked = False
        """Was the device asked for anything in this round? If not, it has nothing to tell of it."""
        roles = live.config.staff
        self._dealer = _first(roles, ("dealer",))
        self._senior = _first(roles, tuple(reversed(SUPERVISION)))
        self._other = _first({n: r for n, r in roles.items() if n != self._senior}, SUPERVISION)
        self._device = _first(roles, ("device",))

    async def run(self) -> None:
        """Deal until cancelled."""
        device = asyncio.create_task(self.device.run(self._facts.put_nowait))
        try:
            await asyncio.sleep(0)  # the device begins to run
            await self.floor.restore(self.live)
            while not self.live.stopped:
                try:
                    await self._step()
                except _RoundOver:
                    continue
                except Stuck as stuck:
                    await self._hand_over(str(stuck))
        finally:
            device.cancel()

    # ---- one act after another

    async def _step(self) -> None:
        table, pace = self.live.table, self.live.config.pace
        if table.interruption is not None:
            await self._end_interruption()
        elif table.locked is not None:
            await self._two(m.Unlock(self._other, self._now(), "checked after the failure"))
        elif not table.open:
            await self._do(m.OpenTable(self._senior, self._now()))
        else:
            await {"open-cover": self._open_cover, "covered": self._covered, "wheel": self._wheel}[table.order]()
            if table.phase == "ready" and table.round is None:
                self._asked = self._asked and table.motion.started
                await self.time.wait(pace.pause * 1000)

    async def _open_cover(self) -> None:
        match self.live.table.phase:
            case "ready" | "betting":
                await self._take_bets()
                await self._do(m.CallNoMoreBets(self._dealer, self._now()))
            case "closed" | "moving":
                await self._set_in_motion("tumble")
            case _:
                await self._settle()

    async def _covered(self) -> None:
        table = self.live.table
        match table.phase:
            case "ready" | "moving" if table.motion.count is None:
                await self._cover()
                await self._set_in_motion("tumble")
            case "ready" | "moving" | "betting":
                await self._take_bets()
                await self._do(m.CallNoMoreBets(self._dealer, self._now()))
            case "closed":
                await self._ask("uncover")
                await self._until(port.Uncovered)
                await self._do(m.Uncover(self._dealer, self._now()))
            case _:
                await self._settle()

    async def _wheel(self) -> None:
        match self.live.table.phase:
            case "ready" | "betting":
                await self._take_bets()
                await self._launch()
            case "spinning":
                await self._until(port.Slowed)
                await self._do(m.CallNoMoreBets(self._dealer, self._now()))
            case "closed":
                await self._launch()
            case "moving":
                rested = await self._until(port.Rested)
                await self._do(m.EndMotion(self._dealer, self._now(), rested.count))
            case _:
                await self._settle()

    async def _launch(self) -> None:
        await self._ask("launch")
        launched = await self._until(port.Launched)
        await self._do(m.StartMotion(self._dealer, self._now(), launched.with_wheel))

    async def _take_bets(self) -> None:
        pace = self.live.config.pace
        if self.live.table.phase != "betting":
            await self._do(m.OpenBetting(self._dealer, self._now()))
        self.live.closes_at = self._now() + round(pace.betting * 1000)
        try:
            await self._until(None, pace.betting * 1000)
        finally:
            self.live.closes_at = None

    async def _set_in_motion(self, act: port.Act) -> None:
        if self.live.table.phase != "moving" or not self.live.table.motion.started:
            await self._ask(act)
            await self._until(port.Moving)
            await self._do(m.StartMotion(self._dealer, self._now()))
        rested = await self._until(port.Rested)
        await self._do(m.EndMotion(self._dealer, self._now(), rested.count))

    async def _cover(self) -> None:
        if await self._ask("cover", done="cover"):
            await self._until(port.Covered)

    async def _settle(self) -> None:
        table = self.live.table
        match table.phase:
            case "rest" | "entering":
                shown = (await self._until(port.Shown)).outcome
                if table.setup.two_sources:
                    await self._do(m.SenseResult(self._device, self._now(), shown))
                if isinstance(table.book.space, Wheel):
                    await self._do(m.EnterNumber(self._dealer, self._now(), shown))
                else:
                    for face in shown.split("-")[len(table.entry) :]:
                        await self._do(m.PressKey(self._dealer, self._now(), face))
                    await self._do(m.PressEntry(self._dealer, self._now()))
            case "entered":
                await self._do(m.ConfirmResult(self._dealer, self._now()))
                await self.time.wait(self.live.config.pace.result * 1000)
            case "settling":
                await self._do(m.PayWinners(self._dealer, self._now()))
            case phase:
                raise Stuck(f"the round is {phase}")

    # ---- when something is odd

    async def _end_interruption(self) -> None:
        """The power is back. What a device showed meanwhile no program knows: the wheel stopped, no die is read."""
        table = self.live.table
        if table.interruption is not None and not table.interruption.power_back:
            await self._do(m.Restore(self._senior, self._now()))
        elif table.order == "wheel" and await self._warned("wheel-stopped"):
            return
        else:
            await self._two(m.Attest(self._other, self._now(), ()))

    async def _hand_over(self, why: str) -> None:
        """Tell people, and wait until the round has moved on without us."""
        self.alerts.append(f"{self.live.name}: {why}; a person must act")
        table = self.live.table
        before = (table.phase, table.next_round, table.interruption is None)
        while not self.live.stopped and before == (table.phase, table.next_round, table.interruption is None):
            await self.time.wait(200)
        self._drop_facts()

    async def _warned(self, fault: port.Fault) -> bool:
        """Report what a device warns of, if the book has a word for it; did the round end by it?"""
        ids = {part.id for part in self.live.table.book.irregularities}
        for irregularity in POINTS_TO.get(fault, ()):
            if irregularity not in ids:
                continue
            for person in (self._dealer, self._other, self._senior):
                note = f"{self.device.name}: {fault}"
                answer = await self._try(m.Report(person, self._now(), irregularity, note=note))
                if answer is not None and answer.entry.refused is None:
                    return any(isinstance(event, m.RoundVoided) for event in answer.entry.events)
        return False

    # ---- the device

    async def _ask(self, act: port.Act, done: str = "") -> bool:
        """Ask the device; one that still moves from a round that was voided is waited for.

        False, if it refuses for the reason that it is done already.
        """
        self._asked = True
        for _ in range(PATIENCE * 10):
            self._drop_facts()
            try:
                await self.device.act(act)
            except Refused as refused:
                if refused.reason == done:
                    return False
                if refused.reason != "busy":
                    raise Stuck(f"the device will not {act}: {refused}") from None
                await self.time.wait(100)
            else:
                return True
        raise Stuck(f"{self.device.name} does not come to rest")

    def _drop_facts(self) -> None:
        while not self._facts.empty():
            self._facts.get_nowait()

    async def _until(self, kind: type[Any] | None, most: float = 0) -> Any:
        """The next fact of a kind, or None when bets were open long enough; a warning may end the round before."""
        if kind is not None and not self._asked:
            await self._give_up_round("the device was set in motion before we came back, and its result is not known")
        waiting = asyncio.create_task(self.time.wait(most) if kind is None else asyncio.sleep(PATIENCE))
        try:
            return await self._next(kind, waiting)
        finally:
            waiting.cancel()

    async def _give_up_round(self, why: str) -> NoReturn:
        """The Shift Manager decides that a round is void whose result nobody can know, where the book lets him."""
        await self._do(m.Decide(self._senior, self._now(), "void", why))
        raise _RoundOver

    async def _next(self, kind: type[Any] | None, waiting: asyncio.Task[None]) -> Any:
        while True:
            asked = asyncio.create_task(self._facts.get())
            await asyncio.wait((asked, waiting), return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                asked.cancel()
                if kind is None:
                    return None
                raise Stuck(f"{self.device.name} tells nothing of {kind.__name__}")
            fact = asked.result()
            if kind is not None and isinstance(fact, kind):
                return fact
            if isinstance(fact, port.Offline):
                raise Stuck(f"{self.device.name} is offline: {fact.why}")
            if isinstance(fact, port.Warned) and await self._warned(fact.what):
                raise _RoundOver

    # ---- giving

    async def _try(self, command: m.AnyCommand) -> Any:
        return await self.floor.give(self.live.recorder, command)

    async def _do(self, command: m.AnyCommand) -> Any:
        answer = await self._try(command)
        if answer is None:
            raise Stuck("whether it was written is unknown")
        if answer.entry.refused is not None:
            raise Stuck(f"{type(command).__name__} was refused: {answer.entry.refused.message}")
        return answer

    async def _two(self, command: m.AnyCommand) -> None:
        """An act that a second person must agree to."""
        answer = await self._do(command)
        for event in answer.entry.events:
            if isinstance(event, m.ApprovalRequested):
                await self._do(m.Approve(self._senior, self._now(), event.request, event.digest))

    def _now(self) -> int:
        return self.floor.clock.now()


class _RoundOver(Exception):
    """The round was voided for what a device warned of."""


def _first(staff: dict[str, Any], roles: tuple[str, ...]) -> PersonId:
    """The first person with the first of these roles that anyone has."""
    for role in roles:
        for name, held in staff.items():
            if role in held:
                return PersonId(name)
    return PersonId("nobody")
