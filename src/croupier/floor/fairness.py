"""Are the dice and the wheel of a table fair? Examines every full sample of results, and alerts of what is odd twice.

The rule is that of `analysis/exact/statistics.py`: one suite at 99%, and an alarm only if the same test finds two
successive samples odd. Samples are counted from the first round in the journal, so a restart changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from croupier.analysis.exact.statistics import CELL, odd_findings, suite
from croupier.floor.floor import Floor, LiveTable, without_bets
from croupier.rules.outcomes import Outcome, Space
from croupier.store.folder import Premises
from croupier.store.history import start
from croupier.store.journal import row_at
from croupier.store.streams.entry import AnyEntry
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m


def sample_of(space: Space) -> int:
    """Rounds in a sample: twice the number at which the rarest outcome can be tested."""
    return 2 * CELL * sum(space.ways.values()) // min(space.ways.values())


class Fairness:
    """Examines the results of one table."""

    def __init__(self, floor: Floor, live: LiveTable) -> None:
        self.floor = floor
        self.live = live
        self.size = sample_of(live.table.book.space)
        self.sample: list[Outcome] = []
        """The outcomes since the last full sample."""
        self.odd: frozenset[str] = frozenset()
        """The tests that found the last full sample odd."""
        self._read = False
        self._meanwhile: list[Outcome] = []

    async def run(self) -> None:
        """Until cancelled. Earlier results are read from the journal in a thread."""
        self.floor.subscribe(self.live.name, self._happened)
        try:
            name, last = self.live.name, self.live.recorder.place.seq
            before = await asyncio.to_thread(results, self.floor.premises, name, last, 2 * self.size)
            self._begin(before)
            await asyncio.Event().wait()
        finally:
            self.floor.unsubscribe(self.live.name, self._happened)

    def _begin(self, before: tuple[int, list[Outcome]]) -> None:
        """Go on where a restart left off: with the sample under way, and the odd tests of the one before it."""
        count, shown = before
        under_way = count % self.size
        full = shown[: len(shown) - under_way][-self.size :]
        self.sample = shown[len(shown) - under_way :]
        self.odd = self._odd_tests(full) if len(full) == self.size else frozenset()
        self._read = True
        for outcome in self._meanwhile:
            self.note(outcome)

    def _happened(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        for event in (event for entry in without_bets(entries) for event in entry.events):
            if isinstance(event, m.LosersCollected):
                outcome = Outcome(event.outcome)
                self.note(outcome) if self._read else self._meanwhile.append(outcome)

    def note(self, outcome: Outcome) -> None:
        self.sample.append(outcome)
        if len(self.sample) < self.size:
            return
        before, self.odd = self.odd, self._odd_tests(self.sample)
        self.sample = []
        if tests := sorted(before & self.odd):
            self.floor.alert("device-bias", "odd", self.live.name, results=2 * self.size, tests=tuple(tests))

    def _odd_tests(self, shown: Sequence[Outcome]) -> frozenset[str]:
        return frozenset(finding.test for finding in odd_findings(suite(shown, self.live.table.book.space)))


def results(premises: Premises, table: str, last: int, most: int) -> tuple[int, list[Outcome]]:
    """The number of results of a table up to a row, and the newest of them."""
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
