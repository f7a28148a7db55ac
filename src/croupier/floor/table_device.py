"""Connects a device with its table: asks it to act, makes commands of what it reports, and notices when it is silent.

The journal comes first. A Dealer who activates the tumbler gives a command, and the device is asked only once that is
on disk, so dice never move without a row. What the device reports becomes commands in its own name where the book
leaves no choice, facts for people to confirm where it does, and alerts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from math import ceil
from typing import Any, Literal

from croupier.devices import port
from croupier.devices.port import POINTS_TO, SURE, Act, AnyFact, Device, Fault
from croupier.floor.device_config import Wishes
from croupier.floor.floor import Floor, LiveTable, without_bets
from croupier.floor.motion_picture import picture_of
from croupier.floor.observation import (
    UNDER_COVER,
    FactToConfirm,
    Observation,
    next_device_command,
    round_of,
    to_confirm,
)
from croupier.rules.refusal import Refused
from croupier.store.recorder import Answer
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.checks import struck_phase
from croupier.table.messages import PersonId, RoundNumber
from croupier.table.state import Table

AGAIN = 0.02
"""Seconds until a device that was in motion is asked again."""
NOISE: tuple[Fault, ...] = ("garbled", "late", "duplicate", "unasked", "direction-kept")
"""Shown on the console of the round, without an alert."""
CONTRADICTIONS: tuple[Fault, ...] = ("contradiction", "out-of-order")
Contradicts = Literal["device-contradiction", "device-fault"]
Slow = Literal["not-begun", "not-at-rest", "not-told"]
"""What a late device has not done."""
Trouble = Fault | Slow | Literal["offline"]
NEVER_MOVED: tuple[Fault, ...] = ("no-shake", "no-ball", "failed-launch", "motor-fault")


class TableDevice:
    """The tumbler or the wheel of one table."""

    def __init__(self, floor: Floor, live: LiveTable, device: Device) -> None:
        self.floor = floor
        self.live = live
        self.device = device
        self.name = device.name
        self.online: bool | None = None
        self.slow: Slow | None = None
        """What it should have reported by now, if it is late."""
        self.seen = Observation(round_of(live.table))
        self._asking = False
        self.giving = False
        """True while a command of the device waits for the writer. The Dealer waits as well: the table will change."""
        self._timer: asyncio.TimerHandle | None = None
        self._expects: tuple[RoundNumber, Slow | None] = (self.seen.round, None)
        self._tasks: set[asyncio.Task[None]] = set()
        self._direction = -1
        self._dismissed = False

    async def run(self) -> None:
        """Until cancelled, or until the device itself fails."""
        self.live.device = self
        self.floor.subscribe(self.live.name, self._happened)
        try:
            await self.device.run(self.on_fact)
        finally:
            self.floor.unsubscribe(self.live.name, self._happened)
            self._cancel()

    def dismiss(self) -> None:
        """Another machine works the table: ask nothing of the device any more, and give no command for it."""
        self._dismissed = True
        self._cancel()

    def _cancel(self) -> None:
        for task in (*self._tasks, self._timer):
            if task is not None:
                task.cancel()

    @property
    def table(self) -> Table:
        return self.live.table

    @property
    def wishes(self) -> Wishes:
        return self.live.config.device.wishes

    def facts(self, person: PersonId) -> tuple[FactToConfirm, ...]:
        """What this person's console shows for confirmation."""
        return to_confirm(self.table, self.seen, self.name, person, self.floor.clock.now())

    def refusal(self, act: Act) -> Refused | None:
        """Why the device cannot be asked for an act now; None if it can."""
        if not self.online:
            return Refused("offline", "device", device=self.name)
        try:
            self.device.check(act)
        except Refused as refused:
            return None if refused.reason == "cover" else refused
        return None

    @property
    def trouble(self) -> Trouble | None:
        """Why the device will not report by itself what is missing in this round; None if it may."""
        faults = [fault for fault in self.seen.faults if fault not in NOISE]
        if faults and self.seen.round == round_of(self.table):
            return faults[0]
        return self.slow or (None if self.online else "offline")

    # ---- what it reports

    def on_fact(self, fact: AnyFact) -> None:
        if self._dismissed:
            return
        match fact:
            case port.Progress():
                self._draw(fact)
                return
            case port.Online():
                self.online = True
            case port.Offline():
                self.online = False
                self.floor.alert("device-offline", fact.case, self.live.name, device=self.name, **fact.facts)
            case port.Warned():
                self._warned(fact.what)
            case _ if not self._asking:  # else it still moves from a round that is over
                self._moved(fact)
        self._give_next()
        self.floor.presence_changed(self.live)

    def _draw(self, fact: port.Progress) -> None:
        if fact.stage == "rotor":
            self._check_rotor(fact.rate)
        picture = None if self._asking else picture_of(self.table, self.seen.round, fact)
        if picture is not None:
            self.live.show(picture)

    def _moved(self, fact: AnyFact) -> None:
        match fact:
            case port.Moving() | port.Launched():
                self._begun(fact)
            case port.CoverLifted():
                self.seen.lifted = True
                if struck_phase(self.table) in UNDER_COVER:
                    self._warned("cover-opened")
            case _ if not self.seen.begun and (self.seen.asked or not self.table.motion.started):
                pass  # the end of a motion that was begun for a round that is over
            case port.Slowed():
                self.seen.slowed = True
            case port.Rested():
                self.seen.count = fact.count
            case port.Shown():
                self._read(fact)
            case _:
                pass

    def _begun(self, fact: port.Moving | port.Launched) -> None:
        if self.seen.asked and not self.seen.begun:
            self.seen.begun = True
        elif self.seen.begun and self.seen.round == round_of(self.table):
            self._fault("out-of-order" if isinstance(fact, port.Launched) else "reshake")
            self.seen.count = self.seen.outcome = None
        else:
            self.seen = Observation(round_of(self.table), begun=True)
        if isinstance(fact, port.Launched):
            self.seen.with_wheel = fact.with_wheel
            self._check_direction(fact.direction)

    def _read(self, fact: port.Shown) -> None:
        if self.seen.outcome is None:
            self.seen.outcome = fact.outcome
        elif self.seen.outcome != fact.outcome:
            self._warned("contradiction")

    def _warned(self, what: Fault) -> None:
        if what not in NOISE:
            kind: Contradicts = "device-contradiction" if what in CONTRADICTIONS else "device-fault"
            self.floor.alert(kind, "told", self.live.name, device=self.name, fault=what)
        if self._asking or (what == "cover-opened" and struck_phase(self.table) not in UNDER_COVER):
            return
        self._fault(what)

    def _fault(self, what: Fault) -> None:
        if self.seen.round != round_of(self.table) and not self.seen.moves:
            self.seen = Observation(round_of(self.table))
        self.seen.faults.setdefault(what, self.floor.clock.now())
        if what in NEVER_MOVED and not self.seen.begun:
            self.seen.asked = False

    def _check_direction(self, direction: int) -> None:
        before, self._direction = self._direction, direction
        if self.wishes.alternates and -1 != before == direction:
            self.floor.alert("wheel-direction", "kept", self.live.name, device=self.name)

    def _check_rotor(self, rate: int) -> None:
        rotor = self.wishes.rotor
        if rotor and rate and not rotor[0] <= rate / 10 <= rotor[1]:
            turns = {"rate": f"{rate / 10:g}", "least": f"{rotor[0]:g}", "most": f"{rotor[1]:g}"}
            self.floor.alert("wheel-speed", "outside", self.live.name, device=self.name, **turns)

    # ---- what follows for the table

    def _give_next(self) -> None:
        """Give the next command that follows from the observation. One that the table refuses now is given later."""
        if self._dismissed:
            return
        self._expect()
        if self.giving or self.live.stopped:
            return
        command = next_device_command(self.table, self.seen, self.name, self.floor.clock.now())
        if command is None:
            return
        if isinstance(command, m.Report):
            self.seen.reported |= {fault for fault, sure in SURE.items() if sure == command.irregularity}
        self.giving = True
        self.floor.submit(self.live.recorder, command, "", self._given)

    def _given(self, answer: Answer | None) -> None:
        loop = asyncio.get_running_loop()
        self.giving = False
        if answer is None:
            loop.call_later(1, self._give_next)  # the result is unknown: look at the table again
        else:
            loop.call_soon(self._give_next)

    def _happened(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """Follow the new entries of the table, and ask the device for what they demand."""
        if self._dismissed:
            return
        for entry in without_bets(entries):
            over = any(isinstance(event, m.RoundVoided | m.WinnersPaid) for event in entry.events)
            for event in entry.events:
                self._follow(event, over)
            if over:
                self.live.show(None)
        self._give_next()

    def _follow(self, event: m.AnyEvent, over: bool) -> None:
        match event:
            case m.MotionStarted() if event.by != self.name and not over:
                if not (self.seen.begun and self.seen.round == round_of(self.table)):
                    self._start(self._ask("launch" if self.table.order == "wheel" else "tumble"))
            case m.Uncovered():
                self._start(self._ask("uncover"))
            case m.Resumed() if event.act == "start-again":
                self.seen = Observation(round_of(self.table))
            case m.Reported():
                reported = {fault for fault in self.seen.faults if event.irregularity in POINTS_TO.get(fault, ())}
                self.seen.reported |= reported
            case _:
                pass

    # ---- what the device is asked for

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask(self, act: Act) -> None:
        """Ask the device, once it is at rest from a round that is over. Without a device people act by hand."""
        if not self.online or (act in ("tumble", "launch") and act not in self.device.capabilities):
            return
        if act != "uncover" or self.seen.round != round_of(self.table):
            self.seen = Observation(round_of(self.table))
        self._asking = True
        try:
            refused = await self._try(act)
        finally:
            self._asking = False
        if refused is None:
            self.seen.asked = act != "uncover"
        elif refused.reason != "over":
            self.floor.alert("device-fault", "asked", self.live.name, refused, device=self.name, act=act)
            self._fault("failed-launch" if act == "launch" else "no-shake" if act == "tumble" else "unreadable-die")
        self._give_next()
        self.floor.presence_changed(self.live)

    async def _try(self, act: Act) -> Refused | None:
        round, loop = round_of(self.table), asyncio.get_running_loop()
        last = loop.time() + self.patience
        while True:
            try:
                if self.floor.sure and (act != "tumble" or not await self._cover()):
                    await self.device.act(act)
                    return None
            except Refused as refused:
                if refused.reason != "busy" or loop.time() > last:
                    return refused
            if round_of(self.table) != round:
                return Refused("over", "round", round=round)
            await asyncio.sleep(AGAIN)

    async def _cover(self) -> bool:
        """True if the cover is going down now; false if it is down already, or the Dealer closes it by hand."""
        if self.table.order != "covered" or "cover" not in self.device.capabilities:
            return False
        try:
            await self.device.act("cover")
        except Refused as refused:
            if refused.reason == "cover":
                return False
            raise
        return True

    # ---- silence

    @property
    def patience(self) -> float:
        return self.wishes.patience

    def _expect(self) -> None:
        """Start the timer for what the device must report next. If it does not, an alert is raised."""
        expects = (self.seen.round, self._expected())
        if expects == self._expects:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._expects, self._timer, self.slow = expects, None, None
        if expects[1]:
            self._timer = asyncio.get_running_loop().call_later(self.patience, self._is_slow, expects[1])

    def _expected(self) -> Slow | None:
        seen = self.seen
        if self._asking or not self.online or seen.round != round_of(self.table) or set(seen.faults) - set(NOISE):
            return None
        if seen.asked and not seen.begun:
            return "not-begun"
        if seen.moves:
            return "not-at-rest"
        if seen.begun and seen.outcome is None and self.table.phase == "rest":
            return "not-told"
        return None

    def _is_slow(self, what: Slow) -> None:
        self.slow = what
        self.floor.alert("device-slow", what, self.live.name, device=self.name, seconds=ceil(self.patience))
        self.floor.presence_changed(self.live)


class TableKeypad:
    """The entry terminal of one table: each key is a command in its name."""

    def __init__(self, floor: Floor, live: LiveTable, device: Device) -> None:
        self.floor = floor
        self.live = live
        self.device = device
        self.name = device.name

    async def run(self) -> None:
        await self.device.run(self.on_fact)

    def on_fact(self, fact: AnyFact) -> None:
        now = self.floor.clock.now()
        match fact:
            case port.FacePressed():
                self._give(m.PressKey(self.name, now, fact.face))
            case port.EntryPressed():
                self._give(m.PressEntry(self.name, now))
            case port.Offline():
                self.floor.alert("device-offline", fact.case, self.live.name, device=self.name, **fact.facts)
            case port.Warned() if fact.what not in NOISE:
                self.floor.alert("device-fault", "told", self.live.name, device=self.name, fault=fact.what)
            case _:
                pass

    def _give(self, command: m.PressKey | m.PressEntry) -> None:
        self.floor.submit(self.live.recorder, command, "", _nothing)


_nothing: Callable[[Answer | None], None] = lambda answer: None  # noqa: E731
