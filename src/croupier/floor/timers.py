"""What happens by itself as time passes, on the monotonic clock and always as a command: nothing changes unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

import structlog

from croupier.cage import Cage
from croupier.cage import messages as c
from croupier.floor.floor import Floor, acts
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store.folder import Premises
from croupier.store.journal import Indeterminate
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.permits import SYSTEM

log = structlog.get_logger()

TICK = 0.5
"""Seconds between two looks at what has expired."""
TICKETS_EVERY = 600
"""Seconds between two searches for tickets that have expired."""
AGAIN = 5
"""Seconds after which a search that could not be made is made again."""
MOST_TICKETS = 1_000
"""Tickets that expire at one time; the others at the next."""


Side = Literal["", "ahead", "behind"]
MOST_APART = 10_000
"""Milliseconds that the floor's clock and the wall's may differ before people are told."""


class Timers:
    """The clocks of a floor: betting windows that people end, approvals that lapse, tickets that expire, tables that
    have stopped, a wall's clock that jumped."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self._told: set[str] = set()
        self._told_of_heads: set[tuple[object, ...]] = set()
        self._lapsing: set[tuple[str, int]] = set()
        self._apart: Side = ""
        """On which side of the floor's clock the wall's is, if they are far apart."""
        for live in floor.tables.values():
            if live.config.dealing == "people":
                floor.subscribe(live.name, self._window)

    async def run(self) -> None:
        """Until cancelled."""
        tickets = asyncio.create_task(self._expire_tickets())
        try:
            while True:
                self._lapse()
                self._tell_of_heads()
                self._tell_of_stopped()
                self._look_at_the_wall()
                await asyncio.sleep(TICK)
        finally:
            tickets.cancel()

    def _window(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """When people deal, the House's time for betting is a countdown: the call is the Dealer's, by every book."""
        live = self.floor.tables[stream]
        for event in (event for entry in acts(entries) for event in entry.events):
            match event:
                case m.BettingOpened():
                    live.closes_at = event.at + round(live.config.pace.betting * 1000)
                    self.floor.presence_changed(live)
                case m.BettingClosed() | m.RoundVoided() | m.Interrupted():
                    live.closes_at = None
                case _:
                    pass

    # ---- approvals

    def _lapse(self) -> None:
        """A request that nobody approved in time is declined, and leaves the table."""
        now = self.floor.clock.now()
        for live in self.floor.tables.values():
            for number, request in live.table.requests.items():
                if now > request.expires and live.recorder.owned:
                    self._decline(live.name, number)
        for number, asked in self._cage().requests.items():
            if now > asked.expires and self.floor.cage.owned:
                self._decline(self.floor.cage.subject.name, number)

    def _cage(self) -> Cage:
        assert isinstance(self.floor.cage.subject, CageSubject)
        return self.floor.cage.subject.cage

    def _decline(self, place: str, number: int) -> None:
        if (place, number) in self._lapsing:
            return
        self._lapsing.add((place, number))
        now, live = self.floor.clock.now(), self.floor.tables.get(place)
        recorder = live.recorder if live else self.floor.cage
        command = m.Decline(SYSTEM, now, number) if live else c.DeclineRequest(SYSTEM, now, number)
        self.floor.submit(recorder, command, "", lambda _: self._lapsing.discard((place, number)))

    # ---- tickets

    async def _expire_tickets(self) -> None:
        while True:
            if not self.floor.cage.owned:  # another machine has the cage, and looks for them
                await asyncio.sleep(TICK)
                continue
            try:
                due = await asyncio.to_thread(_due, self.floor.premises, self.floor.clock.now())
            except (Refused, Indeterminate):  # the database does not answer just now
                await asyncio.sleep(AGAIN)
                continue
            for number in due:
                command = c.ExpireTicket(SYSTEM, self.floor.clock.now(), number, Cents(0), 0, "unknown")
                await self.floor.give(self.floor.cage, command)
            await asyncio.sleep(TICKETS_EVERY if len(due) < MOST_TICKETS else 1)

    # ---- the wall

    def _look_at_the_wall(self) -> None:
        """The floor's time goes on evenly and never back, whatever the wall's clock does; people should know of it."""
        ahead = self.floor.clock.ahead
        side: Side = "" if abs(ahead) <= MOST_APART else "behind" if ahead > 0 else "ahead"
        if side and side != self._apart:
            self.floor.alert("clock", side, seconds=abs(ahead) // 1000)
        self._apart = side

    # ---- tables

    def _tell_of_heads(self) -> None:
        for kind, case, table, facts in self.floor.untold():
            alert = (kind, case, table, *facts.values())
            if alert not in self._told_of_heads:
                self._told_of_heads.add(alert)
                log.error("heads", kind=kind, case=case, table=table, **facts)
                self.floor.alert(kind, case, table, **facts)

    def _tell_of_stopped(self) -> None:
        for live in self.floor.tables.values():
            if live.stopped and not live.away and live.name not in {*self._told, *self.floor.heads.halted}:
                self._told.add(live.name)
                ownership = live.recorder.ownership
                if ownership.state == "superseded":
                    self.floor.alert("table-stopped", "owned-elsewhere", live.name)
                else:
                    self.floor.alert("table-stopped", "fault", live.name, error=repr(ownership.why))
        cage = self.floor.cage
        if not cage.ownership.is_current and cage.subject.name not in self._told:
            self._told.add(cage.subject.name)
            self.floor.alert("cage-stopped", "fault", error=repr(cage.ownership.why))


def _due(premises: Premises, now: int) -> list[str]:
    """Tickets that live and whose time is over; read beside the floor, in a thread of its own."""
    store = premises.reader()
    try:
        live = (made.number for made, ended in store.tickets() if ended is None and made.expires < now)
        return [number for number, _ in zip(live, range(MOST_TICKETS), strict=False)]
    finally:
        store.close()
