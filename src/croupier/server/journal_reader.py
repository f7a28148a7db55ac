"""Reads the journal and the archive in threads, with a read-only store.

A long search delays neither the event loop nor the writer. The number of waiting questions is bounded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from croupier.floor.floor import Floor
from croupier.rules.bad_input import Unreadable
from croupier.rules.refusal import Refused, Unavailable
from croupier.store.archive import Archived
from croupier.store.history import Untrue
from croupier.store.journal import Broken, Store

T = TypeVar("T")

AT_ONCE = 2
MOST_WAITING = 32
"""Questions that may wait. More are refused as busy."""


class JournalReader:
    """The journal and the archive of a floor, for reading."""

    def __init__(
        self,
        floor: Floor,
        opened: Callable[[], Store] | None = None,
        *,
        at_once: int = AT_ONCE,
        most_waiting: int = MOST_WAITING,
        busy: str = "library",
    ) -> None:
        """`opened` opens a store for one question; by default the one for reports, which may be a replica. `busy` is
        the case of the refusal if too many wait."""
        self._floor = floor
        self._opened = opened or floor.premises.reports
        self._threads = ThreadPoolExecutor(at_once, "journal-reader")
        self._most_waiting = most_waiting
        self._busy = busy
        self._asked = 0

    async def ask(self, question: Callable[[Store], T]) -> T:
        """The answer. Unavailable if too many questions wait, Refused if the files on disk are damaged."""
        if self._asked >= self._most_waiting:
            raise Unavailable("busy", self._busy)
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, question)
        except (Untrue, Broken) as lie:
            self._floor.alert("journal", "untrue-row", row=lie.seq)
            raise Refused("untrue", "row", row=lie.seq) from None
        except Unreadable as lie:
            self._floor.alert("journal", "untrue", lie=str(lie))
            raise Refused("untrue", "disk", lie=str(lie)) from None
        finally:
            self._asked -= 1

    def _answer(self, question: Callable[[Store], T]) -> T:
        store = self._opened()
        try:
            with Archived(store, self._floor.premises.archive) as whole:
                return question(whole)
        finally:
            store.close()

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
