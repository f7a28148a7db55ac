"""Histograms of what the floor does, for `/metrics`."""

from __future__ import annotations

from bisect import bisect_left


class Buckets:
    """A histogram: how many values are up to each bound, and the sum of all values."""

    def __init__(self, *bounds: float) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """The last one counts the values above every bound."""
        self.sum = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def up_to(self) -> list[tuple[str, int]]:
        """(bound, how many values are up to it); the last pair counts all values.

        >>> buckets = Buckets(1, 10)
        >>> for value in (1, 2, 50):
        ...     buckets.add(value)
        >>> buckets.up_to()
        [('1', 1), ('10', 2), ('+Inf', 3)]
        """
        total, found = 0, []
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts, strict=True):
            total += count
            found.append((bound, total))
        return found
