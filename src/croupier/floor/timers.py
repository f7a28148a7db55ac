"""What happens because time passes: requests and tickets expire, countdowns end, and alerts are raised.

Each change is a command, so it stands in the journal like the act of a person. The floor's clock is monotonic.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

import structlog

from croupier.cage import Cage
from croupier.cage import messages as c
from croupier.floor.floor import Floor, LiveTable, without_bets
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store.folder import Premises
from croupier.store.journal import Indeterminate
from croupier.store.rounds import ends_round
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.book_change import due
from croupier.table.permits import SYSTEM

log = structlog.get_logger()

TICK = 0.5
"""Seconds between two checks for what has expired."""
TICKETS_EVERY = 600
"""Seconds between two searches for expired tickets."""
AGAIN = 5
"""Seconds until a failed search is repeated."""
MOST_TICKETS = 1_000
"""Tickets that expire in one search. The next search takes the others."""


Side = Literal["", "ahead", "behind"]
MOST_APART = 10_000
"""Milliseconds by which the floor's clock may differ from the system clock before an alert is raised."""


class Timers:
    """The clocks of a floor: countdowns where people deal, requests and tickets that expire, and alerts about stopped
    tables, heads, and a system clock that jumped."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self._alerted: set[str] = set()
        self._alerted_heads: set[tuple[object, ...]] = set()
        self._lapsing: set[tuple[str, int]] = set()
        self._taking_up: set[str] = set()
        """Tables whose planned book is being taken up."""
        self._apart: Side = ""
        """Whether the system clock is ahead of the floor's clock or behind it, if they are far apart."""
        for live in floor.tables.values():
            floor.subscribe(live.name, self._round_over)
            if live.config.dealing == "people":
                floor.subscribe(live.name, self._window)

    async def run(self) -> None:
        """Until cancelled."""
        tickets = asyncio.create_task(self._expire_tickets())
        try:
            while True:
                self._lapse()
                self._take_up_books()
                self._alert_of_heads()
                self._alert_of_stopped()
                self._check_system_clock()
                await asyncio.sleep(TICK)
        finally:
            tickets.cancel()

    def _window(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """Where people deal, the time for betting is only a countdown: by every book the call is the Dealer's."""
        live = self.floor.tables[stream]
        for event in (event for entry in without_bets(entries) for event in entry.events):
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
        """Decline the requests that were not approved in time."""
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

    # ---- planned books

    def _round_over(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """Take up a planned book in the first moment between two rounds."""
        if any(ends_round(entry) for entry in without_bets(entries)):
            self._take_up(self.floor.tables[stream])

    def _take_up_books(self) -> None:
        for live in self.floor.tables.values():
            self._take_up(live)

    def _take_up(self, live: LiveTable) -> None:
        now = self.floor.clock.now()
        if live.name in self._taking_up or not live.recorder.owned or due(live.table, now) is None:
            return
        self._taking_up.add(live.name)
        command = m.TakeUpPlanned(SYSTEM, now)
        self.floor.submit(live.recorder, command, "", lambda _: self._taking_up.discard(live.name))

    # ---- tickets

    async def _expire_tickets(self) -> None:
        while True:
            if not self.floor.cage.owned:  # the machine that has the cage looks for them
                await asyncio.sleep(TICK)
                continue
            try:
                due = await asyncio.to_thread(_due, self.floor.premises, self.floor.clock.now())
            except (Refused, Indeterminate):  # the database does not answer now
                await asyncio.sleep(AGAIN)
                continue
            for number in due:
                command = c.ExpireTicket(SYSTEM, self.floor.clock.now(), number, Cents(0), 0, "unknown")
                await self.floor.give(self.floor.cage, command)
            await asyncio.sleep(TICKETS_EVERY if len(due) < MOST_TICKETS else 1)

    # ---- the system clock

    def _check_system_clock(self) -> None:
        """Raise an alert if the system clock differs much. The floor's own clock runs evenly and never goes back."""
        ahead = self.floor.clock.ahead
        side: Side = "" if abs(ahead) <= MOST_APART else "behind" if ahead > 0 else "ahead"
        if side and side != self._apart:
            self.floor.alert("clock", side, seconds=abs(ahead) // 1000)
        self._apart = side

    # ---- stopped streams

    def _alert_of_heads(self) -> None:
        for kind, case, table, facts in self.floor.heads_alerts():
            alert = (kind, case, table, *facts.values())
            if alert not in self._alerted_heads:
                self._alerted_heads.add(alert)
                log.error("heads", kind=kind, case=case, table=table, **facts)
                self.floor.alert(kind, case, table, **facts)

    def _alert_of_stopped(self) -> None:
        for live in self.floor.tables.values():
            if live.stopped and not live.away and live.name not in {*self._alerted, *self.floor.heads.halted}:
                self._alerted.add(live.name)
                ownership = live.recorder.ownership
                if ownership.state == "superseded":
                    self.floor.alert("table-stopped", "owned-elsewhere", live.name)
                else:
                    self.floor.alert("table-stopped", "fault", live.name, error=repr(ownership.why))
        cage = self.floor.cage
        if not cage.ownership.is_current and cage.subject.name not in self._alerted:
            self._alerted.add(cage.subject.name)
            self.floor.alert("cage-stopped", "fault", error=repr(cage.ownership.why))


def _due(premises: Premises, now: int) -> list[str]:
    """Live tickets whose time is over. Reads with its own connection, in a thread."""
    store = premises.reader()
    try:
        live = (made.number for made, ended in store.tickets() if ended is None and made.expires < now)
        return [number for number, _ in zip(live, range(MOST_TICKETS), strict=False)]
    finally:
        store.close()
