"""Settlement of millions of bets on one outcome, compiled by Numba: each stake times the return of its box.

Imported only if Numba is installed (extra `sim`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.core.cgutils import get_item_pointer
from numba.extending import intrinsic

from croupier.analysis.simulate.numba_players import FEATURES, compiled

PERMUTES = "+avx512vbmi" in FEATURES
"""Can this processor look up 64 bytes of a table at once?"""
_BLOCK = 512
"""How many bets are settled at a time, so that their cells and stakes fit into the nearest cache."""
_LINE = 8
"""Stakes in a line of the cache."""
_WIDE = 64
"""Boxes in a register."""
_TABLE = 256
"""The number of boxes that a byte can tell apart."""

Settler = Callable[[npt.NDArray[Any], npt.NDArray[np.int64], int, npt.NDArray[np.int64]], tuple[int, int, int]]
"""Called with boxes, stakes, the number of bits by which results are shifted, and the array for the credit. Returns
what the caller must check: the bits that any stake has, the least stake, and the highest box."""


def settler(column: npt.NDArray[np.int64], kind: np.dtype[Any]) -> Settler:
    """The loop for one outcome: `column` is the return of a unit in each box, `kind` the type of box numbers."""
    column = column[: np.iinfo(kind).max + 1]
    brings = column.astype(np.min_scalar_type(column.max()))
    if PERMUTES and kind == brings.dtype == np.uint8:
        table = np.zeros(_TABLE, dtype=np.uint8)
        table[: len(brings)] = brings
        return partial(permuting, table)
    winners = np.flatnonzero(column) if column.any() else np.zeros(1, dtype=np.intp)  # box 0 returns nothing either
    fours = np.resize(winners, -(-len(winners) // 4) * 4)  # the first ones again, to fill the last group
    return partial(comparing, fours.astype(kind), brings[fours])


# ---- instructions of processors that Numba does not offer


def _fetch(typing: Any, array: Any, index: Any) -> Any:
    """Fetch this item of an array into the cache before it is needed, without waiting."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = _place(context, builder, array, arguments[0], arguments[1], byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        to_read, into_the_nearest_cache, data = number(0), number(3), number(1)
        builder.call(fetch, [place, to_read, into_the_nearest_cache, data])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def _look_up(typing: Any, table: Any, boxes: Any, index: Any, cells: Any) -> Any:
    """`cells[i] = table[boxes[i]]` for 64 bytes at once, from an index on. The table has 256 entries."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bytes = ir.VectorType(ir.IntType(8), _WIDE)

        def part(array: Any, argument: Any, index: Any) -> Any:
            return _place(context, builder, array, argument, index, bytes.as_pointer())

        number = context.get_value_type(types.intp)
        one, two, three, four = (
            builder.load(part(table, arguments[0], number(start)), align=1) for start in range(0, _TABLE, _WIDE)
        )
        places = builder.load(part(boxes, arguments[1], arguments[2]), align=1)
        permute = builder.module.declare_intrinsic(
            "llvm.x86.avx512.vpermi2var.qi.512", (), ir.FunctionType(bytes, [bytes] * 3)
        )
        low, high = builder.call(permute, [one, places, two]), builder.call(permute, [three, places, four])
        upper = builder.icmp_signed("<", places, ir.Constant(bytes, [0] * _WIDE))  # true if the highest bit is set
        builder.store(builder.select(upper, high, low), part(cells, arguments[3], arguments[2]), align=1)
        return context.get_dummy_value()

    return types.void(table, boxes, types.intp, cells), generate


def _place(context: Any, builder: Any, array: Any, argument: Any, index: Any, pointer: Any) -> Any:
    """The address of an item of an array."""
    items = context.make_array(array)(context, builder, argument)
    item = get_item_pointer(context, builder, array, items, [index])  # type: ignore[no-untyped-call]
    return builder.bitcast(item, pointer)


fetch = cast(Callable[[Any, int], None], intrinsic(_fetch))
look_up = cast(Callable[[Any, Any, int, Any], None], intrinsic(_look_up))


# ---- the loops


def _pay(cells: Any, stakes: Any, shift: int, credit: Any) -> tuple[Any, Any]:
    bits, least = np.int64(0), stakes[0]
    for i in range(len(stakes)):
        stake = stakes[i]
        bits |= stake
        least = min(least, stake)
        credit[i] = (np.int64(cells[i]) * stake) >> shift
    return bits, least


pay = compiled(_pay, inline="always")


def _permuting(table: Any, boxes: Any, stakes: Any, shift: int, credit: Any) -> tuple[int, int, int]:
    bits, least, last = np.int64(0), stakes[0], boxes[0]
    cells = np.empty(_BLOCK, dtype=table.dtype)
    for start in range(0, len(stakes), _BLOCK):
        end = min(len(stakes), start + _BLOCK)
        some, staked = boxes[start:end], stakes[start:end]
        for i in range(0, end - start, _LINE):
            fetch(staked, i)
        whole = (end - start) // _WIDE * _WIDE
        for i in range(0, whole, _WIDE):
            look_up(table, some, i, cells)
        for i in range(whole, end - start):
            cells[i] = table[some[i]]
        for i in range(end - start):
            last = max(last, some[i])
        some, smallest = pay(cells, staked, shift, credit[start:end])
        bits, least = bits | some, min(least, smallest)
    return bits, least, last  # type: ignore[return-value]


permuting = compiled(_permuting)


def _one_of_four(box: Any, cell: Any, winners: Any, brings: Any) -> Any:
    cell = brings[0] if box == winners[0] else cell
    cell = brings[1] if box == winners[1] else cell
    cell = brings[2] if box == winners[2] else cell
    return brings[3] if box == winners[3] else cell


one_of_four = compiled(_one_of_four, inline="always")


def _comparing(winners: Any, brings: Any, boxes: Any, stakes: Any, shift: int, credit: Any) -> tuple[int, int, int]:
    """Compare every bet with each of the few boxes that win on the outcome, four boxes at a time.

    The compiler turns this into dozens of bets at once; a table could be looked up for one bet only. The stakes of a
    block are fetched from memory while its boxes are compared.
    """
    bits, least, last = np.int64(0), stakes[0], boxes[0]
    cells, nothing = np.empty(_BLOCK, dtype=brings.dtype), brings[0] ^ brings[0]
    for start in range(0, len(stakes), _BLOCK):
        end = min(len(stakes), start + _BLOCK)
        some, staked = boxes[start:end], stakes[start:end]
        share = 4 * (end - start) // len(winners)
        for four in range(0, len(winners), 4):
            for i in range(four // 4 * share, (four // 4 + 1) * share, _LINE):
                fetch(staked, i)
            those = winners[four], winners[four + 1], winners[four + 2], winners[four + 3]
            theirs = brings[four], brings[four + 1], brings[four + 2], brings[four + 3]
            if four == 0:
                for i in range(end - start):
                    cells[i] = one_of_four(some[i], nothing, those, theirs)
                    last = max(last, some[i])
            else:
                for i in range(end - start):
                    cells[i] = one_of_four(some[i], cells[i], those, theirs)
        some, smallest = pay(cells, staked, shift, credit[start:end])
        bits, least = bits | some, min(least, smallest)
    return bits, least, last  # type: ignore[return-value]


comparing = compiled(_comparing)
