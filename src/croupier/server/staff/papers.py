"""Which papers of live tickets a page may print: each act that puts one on paper gives one paper, and no second.

The sale or the replacement gives the first, a reprint one that is marked as a duplicate. It is kept in memory, by the
machine that was asked: after a restart nobody knows what came out, so what comes next is a duplicate.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from croupier.floor.printing import due_for
from croupier.rules.refusal import Refused

MOST_DUE = 1000
"""Papers that wait to be had; the oldest is forgotten first, and can be reprinted."""
Paper = Literal["", "first", "duplicate", "ended"]


class Papers:
    """What waits to be printed by a page."""

    def __init__(self, printer: bool) -> None:
        self._printer = printer
        """The cage's printer gives the first paper itself."""
        self._due: dict[str, bool] = {}

    def give(self, events: Iterable[object]) -> None:
        """What happened at the cage, once."""
        for due in filter(None, map(due_for, events)):
            if due.duplicate or not self._printer:
                self._due.pop(due.number, None)
                self._due[due.number] = due.duplicate
        while len(self._due) > MOST_DUE:
            del self._due[next(iter(self._due))]

    def waits(self, number: str, state: str) -> Paper:
        """The paper that can be had of a ticket; of one that has ended always, marked across."""
        if state != "live":
            return "ended"
        duplicate = self._due.get(number)
        return "" if duplicate is None else "duplicate" if duplicate else "first"

    def take(self, number: str, state: str) -> bool:
        """Is this paper a duplicate? Refused if there is none to be had."""
        if state != "live":
            return False
        duplicate = self._due.pop(number, None)
        if duplicate is None:
            raise Refused("paper", "printed", ticket=number)
        return duplicate
