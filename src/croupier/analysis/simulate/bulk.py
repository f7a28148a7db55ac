"""Settlement of millions of bets at once, with a matrix of whole numbers: by Numba if installed, else by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from math import lcm
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

_BLOCK = 1 << 16
"""How many bets are settled at a time: as many as fit into the nearest cache of a core."""
_WORTH_COMPILING = 100_000
"""For fewer bets than this, importing Numba is not worth its time."""


class BulkTable:
    """A layout in whole numbers, for arrays of bets.

    >>> from croupier import load_layout
    >>> table = BulkTable(load_layout("rws-sicbo-etg-v2/A"))
    >>> boxes = table.boxes(["total:8", "big"])
    >>> table.credit(boxes, np.array([10_00, 5_00]), table.outcome("1-3-4"))
    array([9500,    0])
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._box = {name: index for index, name in enumerate(layout.boxes)}
        self._outcome = {name: index for index, name in enumerate(layout.outcomes)}
        rows = [layout.winning(name) for name in layout.boxes]
        self.scale = lcm(*(odds.denominator for row in rows for odds in row.values()))
        """The factor of every entry of the matrix, so that half odds are whole numbers."""
        self.matrix: npt.NDArray[np.int64] = np.array(
            [
                [int((row[outcome] + 1) * self.scale) if outcome in row else 0 for outcome in layout.outcomes]
                for row in rows
            ]
        )
        """`scale` times the return of a unit staked, stake included: a row for each box, a column for each outcome."""
        self.units: npt.NDArray[np.int64] = np.array([layout.unit(name) for name in layout.boxes])
        self.in_halves = self.scale > 1 and self.scale & (self.scale - 1) == 0
        """For odds in halves and quarters, the only parts in approved books, a shift replaces the division."""
        self._settlers: dict[tuple[int, np.dtype[Any]], Callable[..., tuple[int, int, int]]] = {}
        """The compiled loops, by outcome and by the type of the numbers of boxes."""
        self.largest = int(np.iinfo(np.int64).max // self.matrix.max())

    def boxes(self, names: list[str]) -> npt.NDArray[np.unsignedinteger[Any]]:
        """The numbers of these boxes, in the smallest type that holds every number: less to read, so faster."""
        kind = np.uint8 if len(self._box) < 1 << 8 else np.uint16
        return np.array([self._box[self.layout.box(name).name] for name in names], dtype=kind)

    def outcome(self, name: str) -> int:
        return self._outcome[self.layout.space.parse(name)]

    def outcomes(self, names: list[str]) -> npt.NDArray[np.intp]:
        return np.array([self.outcome(name) for name in names], dtype=np.intp)

    def credit(
        self,
        boxes: npt.NDArray[np.integer[Any]],
        stakes: npt.NDArray[np.integer[Any]],
        outcomes: int | npt.NDArray[np.integer[Any]],
        out: npt.NDArray[np.int64] | None = None,
    ) -> npt.NDArray[np.int64]:
        """The credit of each bet, winnings and stake together, in cents; written into `out` if it is given.

        `outcomes` is one outcome for all bets, or one for each. A stake for which the box could not pay whole cents on
        every outcome is refused, whatever the outcome.
        """
        each = outcomes if isinstance(outcomes, np.ndarray) else None
        self._check_shapes(boxes, stakes, *(() if each is None else (each,)))
        credit = np.empty(len(stakes), dtype=np.int64) if out is None else out
        if credit.shape != stakes.shape or credit.dtype != np.int64 or np.may_share_memory(credit, stakes):
            raise Refused("arrays", "out")
        if each is None:
            if not 0 <= int(outcomes) < self.matrix.shape[1]:
                raise _outside("outcome", self.matrix.shape[1])
            if self._compiled(boxes, stakes, int(outcomes), credit):
                return credit
        flat = self.matrix.ravel() if each is not None else self.matrix[:, int(outcomes)].copy()
        for start in range(0, len(stakes), _BLOCK):
            block = slice(start, start + _BLOCK)
            cells: npt.NDArray[np.intp] = boxes[block].astype(np.intp, copy=False)
            staked: npt.NDArray[np.int64] = stakes[block].astype(np.int64, copy=False)
            self._check_numbers(cells, len(self.matrix), "box")
            self._check_stakes(cells, staked)
            if each is not None:
                fell = each[block].astype(np.intp, copy=False)
                self._check_numbers(fell, self.matrix.shape[1], "outcome")
                cells = cells * self.matrix.shape[1] + fell
            np.multiply(flat.take(cells), staked, out=credit[block])
            self._to_cents(credit[block])
        return credit

    def _compiled(
        self,
        boxes: npt.NDArray[np.integer[Any]],
        stakes: npt.NDArray[np.integer[Any]],
        outcome: int,
        credit: npt.NDArray[np.int64],
    ) -> bool:
        """Settle with a compiled loop. False if there is none, or if a bet is wrong: the other method names it."""
        if not (self.scale == 1 or self.in_halves) or len(stakes) < _WORTH_COMPILING:
            return False
        if boxes.dtype not in (np.uint8, np.uint16) or stakes.dtype != np.int64 or (settler := _settler()) is None:
            return False
        settle = self._settlers.get((outcome, boxes.dtype))
        if settle is None:
            settle = self._settlers[outcome, boxes.dtype] = settler(self.matrix[:, outcome], boxes.dtype)
        bits, least, last = settle(boxes, stakes, self.scale.bit_length() - 1, credit)
        return last < len(self.matrix) and least > 0 and bits <= self.largest and not bits & (self.scale - 1)

    def _parts(self, boxes: npt.NDArray[np.intp], stakes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The rest of each stake above a multiple of the unit of its box."""
        if not self.in_halves:
            return stakes % self.units.take(boxes)
        if not np.bitwise_or.reduce(stakes) & (self.scale - 1):  # whole units in every box: the usual case, and fast
            return stakes[:0]
        return stakes & (self.units - 1).take(boxes)

    def _to_cents(self, scaled: npt.NDArray[np.int64]) -> None:
        if self.in_halves:
            np.right_shift(scaled, self.scale.bit_length() - 1, out=scaled)
        elif self.scale > 1:
            np.floor_divide(scaled, self.scale, out=scaled)

    def _check_shapes(self, *arrays: npt.NDArray[Any]) -> None:
        if len({array.shape for array in arrays}) > 1 or arrays[0].ndim != 1:
            raise Refused("arrays", "lengths")
        for array in arrays:
            if array.dtype.kind not in "iu" or array.dtype == np.uint64:
                raise Refused("arrays", "whole-numbers", type=str(array.dtype))

    def _check_stakes(self, boxes: npt.NDArray[np.intp], stakes: npt.NDArray[np.int64]) -> None:
        if stakes.min() <= 0:
            raise Refused("stake", "every-above-zero")
        if stakes.max() > self.largest:
            raise Refused("stake", "too-many-cents", stake=int(stakes.max()), most=self.largest)
        if self.scale > 1 and self._parts(boxes, stakes).any():
            raise Refused("unit", "any-bet", unit=self.layout.unit())

    def _check_numbers(
        self, numbers: npt.NDArray[np.integer[Any]], count: int, what: Literal["box", "outcome"]
    ) -> None:
        if numbers.min() < 0 or numbers.max() >= count:
            raise _outside(what, count)


@cache
def _settler() -> Callable[..., Callable[..., tuple[int, int, int]]] | None:
    """The function that compiles a loop; None without Numba."""
    if find_spec("numba") is None:
        return None
    from croupier.analysis.simulate.settling import settler

    return settler


def _outside(what: Literal["box", "outcome"], count: int) -> Refused:
    return Refused("box", "outside", last=count - 1) if what == "box" else Refused("outcome", "outside", last=count - 1)
