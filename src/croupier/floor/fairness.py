"""Are the dice and the wheel of a table fair? Every full sample of results is examined; what speaks twice is an alert.

The rule of `devices/health.py`: one suite at 99%, and an alarm only if the same test speaks on two samples that follow
on each other. Samples are counted from the first round in the journal, so a restart forgets nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from croupier.devices.health import CELL, speaking, suite
from croupier.floor.floor import Floor, LiveTable, acts
from croupier.rules.outcomes import Outcome, Space
from croupier.store.folder import Premises
from croupier.store.history import start
from croupier.store.journal import row_at
from croupier.store.streams.entry import AnyEntry
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m


def sample_of(space: Space) -> int:
    """Rounds in a sample: twice what the rarest outcome needs to be looked for at all."""
    return 2 * CELL * sum(space.ways.values()) // min(space.ways.values())


class Fairness:
    """Listens to the results of one table."""

    def __init__(self, floor: Floor, live: LiveTable) -> None:
        self.floor = floor
        self.live = live
        self.size = sample_of(live.table.book.space)
        self.sample: list[Outcome] = []
        """What was shown since the last full sample."""
        self.spoke: frozenset[str] = frozenset()
        """The tests that spoke on the last full sample."""
        self._read = False
        self._meanwhile: list[Outcome] = []

    async def run(self) -> None:
        """Until cancelled; what came before is read beside the floor."""
        self.floor.subscribe(self.live.name, self._happened)
        try:
            name, last = self.live.name, self.live.recorder.place.seq
            before = await asyncio.to_thread(results, self.floor.premises, name, last, 2 * self.size)
            self._begin(before)
            await asyncio.Event().wait()
        finally:
            self.floor.unsubscribe(self.live.name, self._happened)

    def _begin(self, before: tuple[int, list[Outcome]]) -> None:
        """Where a restart left off: the rest of the sample under way, and what spoke on the one before it."""
        count, shown = before
        under_way = count % self.size
        full = shown[: len(shown) - under_way][-self.size :]
        self.sample = shown[len(shown) - under_way :]
        self.spoke = self._speaking(full) if len(full) == self.size else frozenset()
        self._read = True
        for outcome in self._meanwhile:
            self.note(outcome)

    def _happened(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        for event in (event for entry in acts(entries) for event in entry.events):
            if isinstance(event, m.LosersCollected):
                outcome = Outcome(event.outcome)
                self.note(outcome) if self._read else self._meanwhile.append(outcome)

    def note(self, outcome: Outcome) -> None:
        self.sample.append(outcome)
        if len(self.sample) < self.size:
            return
        before, self.spoke = self.spoke, self._speaking(self.sample)
        self.sample = []
        if odd := sorted(before & self.spoke):
            self.floor.alert("device-bias", "odd", self.live.name, results=2 * self.size, tests=tuple(odd))

    def _speaking(self, shown: Sequence[Outcome]) -> frozenset[str]:
        return frozenset(finding.test for finding in speaking(suite(shown, self.live.table.book.space)))


def results(premises: Premises, table: str, last: int, most: int) -> tuple[int, list[Outcome]]:
    """How many results a table has had up to a row, and the last of them."""
    store = premises.reader()
    try:
        rows = [seq for seq in store.search(table, [b'"LosersCollected"']) if seq <= last]
        subject = start(store, table).subject  # the first row may be archived
        assert isinstance(subject, TableSubject)
        shown: list[Outcome] = []
        for seq in rows[-most:]:
            events = subject.read(row_at(store, table, seq)).events
            shown += [Outcome(event.outcome) for event in events if isinstance(event, m.LosersCollected)]
        return len(rows), shown
    finally:
        store.close()
