"""The automatic Dealer: deals round after round by the book, and waits for people when something is odd.

Its next step follows from the table and from the facts of its device alone: `next_step` is called again after every
event. It acts under a name of its own, with the roles the House gives it, and never for a person: whatever needs two
people, or a person's eyes, waits for them with an alert.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from croupier.devices.port import Act
from croupier.floor.config import Pace
from croupier.floor.device_config import AUTOMAT
from croupier.floor.floor import Floor, LiveTable, without_bets
from croupier.floor.observation import accepted, doubted, keys_left, round_of
from croupier.floor.table_device import TableDevice
from croupier.rules.outcomes import Wheel
from croupier.rules.refusal import Fact, Refused, as_refused
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.book_change import due
from croupier.table.checks import interruption_act, struck_phase
from croupier.table.evidence import standing_still
from croupier.table.messages import AnyCommand, PersonId
from croupier.table.state import Table

POLL = 0.05
"""Seconds until a device that was not ready is asked again."""


class Give(NamedTuple):
    """Give a command, `after` seconds from the beginning of the phase."""

    command: AnyCommand
    after: float = 0


class Wait(NamedTuple):
    """Wait for the device. If it takes too long, a person must act. `case` is that of the alert `dealing`."""

    case: str
    because: Refused | None = None


class HandOver(NamedTuple):
    """A person must act. `case` and `facts` are those of the alert `dealing`."""

    case: str
    facts: Mapping[str, Fact] = MappingProxyType({})
    because: Refused | None = None


Step = Give | Wait | HandOver


def next_step(table: Table, device: TableDevice, pace: Pace, me: str, at: int, *, mine: bool) -> Step:
    """What the Dealer does now. `mine`: the Dealer declared the interruption under way."""
    if standing_still(table):
        return HandOver("standstill")
    if table.interruption is not None:
        return _interrupted(table, device, me, at, mine=mine)
    if table.phase == "ready" and not table.motion.started and (closed := _not_open(table, me, at)) is not None:
        return closed
    if device.seen.round == round_of(table) and (odd := _odd(table, device, me, at)) is not None:
        return odd
    if table.phase in ("rest", "entering"):
        return _enter(table, device, me, at)
    if table.phase == "entered":
        return Give(m.ConfirmResult(me, at))
    if table.phase == "settling":
        return Give(m.PayWinners(me, at), pace.result)
    return {"open-cover": _open_cover, "covered": _covered, "wheel": _wheel}[table.order](table, device, pace, me, at)


def _not_open(table: Table, me: str, at: int) -> Step | None:
    if table.locked is not None:
        return HandOver("locked", {"clause": table.locked})
    if table.open:
        return None
    opening = m.OpenTable(me, at)
    return Give(opening) if accepted(table, opening) else HandOver("closed")


# ---- the orders of play


def _open_cover(table: Table, device: TableDevice, pace: Pace, me: str, at: int) -> Step:
    match table.phase:
        case "ready":
            return _when_ready(device, "tumble", Give(m.OpenBetting(me, at), _rest(table, pace)))
        case "betting":
            return Give(m.CallNoMoreBets(me, at), pace.betting)
        case "closed":
            return _when_ready(device, "tumble", Give(m.StartMotion(me, at)))
        case _:
            return _in_motion(device, me, at)


def _covered(table: Table, device: TableDevice, pace: Pace, me: str, at: int) -> Step:
    match table.phase:
        case "ready":
            return _when_ready(device, "tumble", Give(m.StartMotion(me, at), _rest(table, pace)))
        case "moving" if table.motion.count is not None:
            return Give(m.OpenBetting(me, at))
        case "betting":
            return Give(m.CallNoMoreBets(me, at), pace.betting)
        case "closed":
            return _when_ready(device, "uncover", Give(m.Uncover(me, at)))
        case _:
            return _in_motion(device, me, at)


def _wheel(table: Table, device: TableDevice, pace: Pace, me: str, at: int) -> Step:
    match table.phase:
        case "ready":
            return _when_ready(device, "launch", Give(m.OpenBetting(me, at), _rest(table, pace)))
        case "betting":
            return _when_ready(device, "launch", Give(m.StartMotion(me, at), pace.betting))
        case "closed":
            return _when_ready(device, "launch", Give(m.StartMotion(me, at)))
        case "spinning" if device.seen.slowed:
            return Give(m.CallNoMoreBets(me, at))
        case _:
            return _in_motion(device, me, at)


def _rest(table: Table, pace: Pace) -> float:
    """Seconds between two rounds. Where winners are paid with the result, they include the time to show it."""
    return pace.pause + (0 if table.live else pace.result)


def _when_ready(device: TableDevice, act: Act, then: Give) -> Step:
    """Begin nothing that the device could not go on with."""
    why = device.refusal(act)
    return Wait("not-ready", why) if why else then


def _in_motion(device: TableDevice, me: str, at: int) -> Step:
    if device.online is False:
        # The tumbler or the wheel failed in the middle of a motion: a technical interruption of the round.
        return Give(m.Interrupt(me, at, "device"))
    if device.trouble:
        return HandOver("trouble", {"device": device.name, "trouble": device.trouble})
    return Wait("in-motion")


def _enter(table: Table, device: TableDevice, me: str, at: int) -> Step:
    """Enter the result that the sensor read, once it is in the journal."""
    outcome = table.sensed
    if outcome is None:
        if device.trouble:
            return HandOver("unread", {"device": device.name, "trouble": device.trouble})
        return Wait("no-result")
    if isinstance(table.book.space, Wheel):
        return Give(m.EnterNumber(me, at, outcome))
    left = keys_left(table, outcome)
    if left is None:
        return HandOver("entry", {"pressed": "-".join(table.entry), "outcome": outcome})
    return Give(m.PressKey(me, at, left[0]) if left else m.PressEntry(me, at))


# ---- when something is odd


def _odd(table: Table, device: TableDevice, me: str, at: int) -> Step | None:
    """A fault of the device: reported where the book lets one person do so, else left to people."""
    faults = device.seen.open_faults
    if not faults or table.phase == "settling":
        return None
    for fact in device.facts(PersonId(me)):
        if fact.may and isinstance(fact.commands[0], m.Report):
            return Give(fact.commands[0])
    doubts = [fault for fault in faults if doubted(fault)]
    if doubts and struck_phase(table) not in ("ready", "betting"):
        return HandOver("trouble", {"device": device.name, "trouble": doubts[0]})
    return None


def _interrupted(table: Table, device: TableDevice, me: str, at: int, *, mine: bool) -> Step:
    struck = table.interruption
    assert struck is not None
    if not struck.power_back:
        if not mine:
            return HandOver("interrupted")
        return Give(m.Restore(me, at)) if device.online else Wait("offline")
    if interruption_act(table, struck.was).act == "wait":
        if struck.was == "spinning" and device.seen.slowed:
            return Give(m.CallNoMoreBets(me, at))
        return HandOver("ball")
    return HandOver("attest")


class AutomaticDealer:
    """Deals at one table with its device, by the same commands that a person would give."""

    def __init__(self, floor: Floor, live: LiveTable, device: TableDevice) -> None:
        self.floor = floor
        self.live = live
        self.device = device
        self.waiting_for = ""
        """What people must do before the Dealer can go on: the case of the alert, or nothing."""
        self._alerted: object = None
        self._more = asyncio.Event()
        self._began: tuple[object, float] = (None, 0)
        self._refused: tuple[object, HandOver | None] = (None, None)
        self._declared = 0
        """The round that this Dealer interrupted."""

    async def run(self) -> None:
        """Deal until cancelled."""
        self.floor.subscribe(self.live.name, self._happened)
        try:
            self._count_down(struck_phase(self.live.table))
            await self.floor.restore(self.live)
            while self.live.worked:
                await self._do(self._next())
        finally:
            self.floor.unsubscribe(self.live.name, self._happened)
            self.live.closes_at = None

    def _happened(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        self._more.set()
        if any(not isinstance(event, m.BetWithdrawn) for entry in without_bets(entries) for event in entry.events):
            self._refused = (None, None)  # a command that was refused may be accepted now

    def _next(self) -> Step:
        self._more.clear()
        table, now = self.live.table, self.floor.clock.now()
        key = self._key()
        if key != self._began[0]:
            self._began = (key, asyncio.get_running_loop().time())
            self._count_down(table.phase)
        if self.device.giving:
            return Wait("writing")
        if self.live.handing_over and table.phase == "ready" and not table.motion.started:
            return Wait("other-machine")
        if due(table, now) is not None:
            return Wait("writing")  # the floor takes the planned book up first
        if self._refused[1] is not None and self._refused[0] == (key, table.entry):
            return self._refused[1]
        mine = self._declared == round_of(table)
        return next_step(table, self.device, self.live.config.pace, AUTOMAT, now, mine=mine)

    def _key(self) -> object:
        """The state of the round. The pace counts from the moment it was reached."""
        table = self.live.table
        back = table.interruption is not None and table.interruption.power_back
        return table.phase, round_of(table), table.motion.count, back, table.locked, table.open

    async def _do(self, step: Step) -> None:
        match step:
            case Give():
                left = self._began[1] + step.after - asyncio.get_running_loop().time()
                if left > 0:
                    await self._sleep(left)
                else:
                    await self._give(step.command)
            case Wait():
                waited = asyncio.get_running_loop().time() - self._began[1]
                if waited > self.device.patience:
                    self._wait(HandOver(step.case, {"seconds": ceil(self.device.patience)}, step.because))
                else:
                    self.waiting_for, self._alerted = "", None
                await self._sleep(POLL)
            case HandOver():
                self._wait(step)
                await self._sleep(1)

    def _wait(self, step: HandOver) -> None:
        alert = (step.case, dict(step.facts), str(step.because))
        if alert != self._alerted:
            round = round_of(self.live.table)
            self.floor.alert("dealing", step.case, self.live.name, step.because, round=round, **step.facts)
        self.waiting_for, self._alerted = step.case, alert

    async def _sleep(self, seconds: float) -> None:
        """Wait until something happens, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await self._more.wait()
        except TimeoutError:
            pass

    async def _give(self, command: AnyCommand) -> None:
        self.waiting_for, self._alerted = "", None
        if isinstance(command, m.OpenBetting):
            self._count_down("betting")  # subscribers to the opening must find the countdown
        if isinstance(command, m.Interrupt):
            self._declared = round_of(self.live.table)
        where = (self._key(), self.live.table.entry)
        answer = await self.floor.give(self.live.recorder, command)
        if answer is None:
            await asyncio.sleep(POLL)  # the result is unknown: the next step follows from the table
        elif (no := answer.entry.refused) is not None:  # if a person was faster, the state is another by now
            self._refused = (where, HandOver("refused", {"act": type(command).__name__}, as_refused(no)))

    def _count_down(self, phase: str) -> None:
        if phase == "betting":
            self.live.closes_at = self.floor.clock.now() + round(self.live.config.pace.betting * 1000)
        else:
            self.live.closes_at = None
