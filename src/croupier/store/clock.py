"""The clock of a floor, which does not jump when the machine's clock does."""

from __future__ import annotations

import time


class Clock:
    """Milliseconds: the wall's time at the start, then evenly onwards, whatever the wall's clock does."""

    def __init__(self, at_least: int = 0, begin: int | None = None) -> None:
        """It begins at `begin`, if given: the time of a server, which several machines share."""
        self._begin = max(time.time_ns() // 1_000_000 if begin is None else begin, at_least)
        self._monotonic = time.monotonic_ns()

    def now(self) -> int:
        return self._begin + (time.monotonic_ns() - self._monotonic) // 1_000_000

    def not_before(self, moment: int) -> None:
        """Continue from a moment, if it is later than now: machines that share a floor share its time."""
        self._begin += max(0, moment - self.now())

    @property
    def ahead(self) -> int:
        """Milliseconds by which the floor is ahead of the wall: what the wall's clock has jumped since the start."""
        return self.now() - time.time_ns() // 1_000_000
