"""Which papers of live tickets a page may print: one for each act that calls for a paper.

A sale or a replacement calls for the first paper, a reprint for one that is marked as a duplicate. The machine that
took the act keeps this in memory. After a restart nothing shows which papers were printed, so only duplicates can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from croupier.floor.printing import due_for
from croupier.rules.refusal import Refused

MOST_DUE = 1000
"""Papers that may wait. Beyond that the oldest is forgotten; the ticket can be reprinted."""
Paper = Literal["", "first", "duplicate", "ended"]


class Papers:
    """The papers that wait to be printed by a page."""

    def __init__(self, printer: bool) -> None:
        self._printer = printer
        """The cage has a printer, which prints first papers itself."""
        self._due: dict[str, bool] = {}

    def give(self, events: Iterable[object]) -> None:
        """Note the papers that new events of the cage call for. Call this once for each event."""
        for due in filter(None, map(due_for, events)):
            if due.duplicate or not self._printer:
                self._due.pop(due.number, None)
                self._due[due.number] = due.duplicate
        while len(self._due) > MOST_DUE:
            del self._due[next(iter(self._due))]

    def waits(self, number: str, state: str) -> Paper:
        """The paper that can be printed of a ticket. One that has ended can always be printed, crossed out."""
        if state != "live":
            return "ended"
        duplicate = self._due.get(number)
        return "" if duplicate is None else "duplicate" if duplicate else "first"

    def take(self, number: str, state: str) -> bool:
        """Take the paper that waits; True if it is a duplicate. Refused if none waits."""
        if state != "live":
            return False
        duplicate = self._due.pop(number, None)
        if duplicate is None:
            raise Refused("paper", "printed", ticket=number)
        return duplicate
