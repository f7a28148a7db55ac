"""The draws of a simulation: one definition, which every engine follows bit for bit.

A *word* is the n-th output of SplitMix64 (Steele, Lea and Flood, 2014): `word(key, n) = mix(key + n × GOLDEN)`. The
2**64 words of a key are all different, and each takes the same time to calculate, so work can be divided anywhere.

Each half of a word, low half first, gives three *draws* among `sides` equally likely numbers. The half is read as a
fraction of 2**32 and multiplied by `sides` three times; each whole part is a draw. The 2**32 halves cannot be divided
evenly among `sides`**3 results, so the few whose last remainder is below 2**32 mod `sides`**3 are rejected. Of the
others exactly ⌊2**32 / `sides`**3⌋ lead to each result (Lemire, 2019): there is no bias.

A *block* of a flat run is a fixed number of rounds with words of its own. A *session* has words of its own too. Both
are the same on every machine and every engine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
HALF = 1 << 32
ALL = (1 << 64) - 1
DRAWS = 3
"""Draws from a half of a word."""
MOST_SIDES = 255
"""The most sides with which the number of a pair of draws fits into 16 bits."""
BLOCK = 1 << 22
"""Rounds in a block."""
BLOCK_WORDS = 1 << 20
"""Words of a block: half as many again as it needs."""
_CHUNK = 1 << 14

Words = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]


class LayoutDraws(NamedTuple):
    """The draws of a layout: a number below `sides` for each equally likely way, and the outcome of each number."""

    sides: int
    outcome: npt.NDArray[np.uint8]

    @staticmethod
    def of(layout: Layout) -> LayoutDraws:
        ways = [layout.ways(outcome) for outcome in layout.outcomes]
        if sum(ways) > MOST_SIDES:
            raise Refused("layout", "too-many-ways", layout=layout.id, ways=sum(ways), most=MOST_SIDES)
        return LayoutDraws(sum(ways), np.repeat(np.arange(len(ways), dtype=np.uint8), ways))


def key_of(seed: int) -> int:
    """The key of a seed. Seeds that are close together have keys that are far apart."""
    if not 0 <= seed <= ALL:
        raise Refused("seed", "out-of-range", seed=str(seed), most=str(ALL))
    return mix(mix((seed + GOLDEN) & ALL) ^ FIRST)


def mix(number: int) -> int:
    number = ((number ^ (number >> 30)) * FIRST) & ALL
    number = ((number ^ (number >> 27)) * SECOND) & ALL
    return number ^ (number >> 31)


def word(key: int, number: int) -> int:
    """One word, in plain whole numbers: the reference for every engine.

    >>> hex(word(0, 1)), hex(word(0, 2))
    ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """
    return mix((key + number * GOLDEN) & ALL)


def rejected_below(sides: int) -> int:
    """A half whose last remainder is below this is rejected."""
    return HALF % (sides * sides * sides)


def draws_of_half(half: int, sides: int) -> tuple[int, ...] | None:
    """The three draws of a half, or None if it is rejected.

    >>> draws_of_half(HALF // 2 + HALF // 12, 6), draws_of_half(0, 6)
    ((3, 2, 5), None)
    """
    drawn = []
    rest = half
    for _ in range(DRAWS):
        whole, rest = divmod(rest * sides, HALF)
        drawn.append(whole)
    return tuple(drawn) if rest >= rejected_below(sides) else None


def words(key: int, first: int, count: int) -> Words:
    """`count` words, beginning with the number `first`."""
    numbers = np.arange(count, dtype=np.uint64)
    numbers *= np.uint64(GOLDEN)
    numbers += np.uint64((key + first * GOLDEN) & ALL)
    return mixed(numbers)


def mixed(numbers: Words) -> Words:
    """`mix` in place."""
    for shift, factor in ((30, FIRST), (27, SECOND)):
        numbers ^= numbers >> np.uint64(shift)
        numbers *= np.uint64(factor)
    numbers ^= numbers >> np.uint64(31)
    return numbers


def halves(given: Words) -> Words:
    """The halves of words, the low half of each first, each as a number of its own."""
    both = np.empty(2 * len(given), dtype=np.uint64)
    np.bitwise_and(given, np.uint64(HALF - 1), out=both[::2])
    np.right_shift(given, np.uint64(32), out=both[1::2])
    return both


def drawn(parts: Words, sides: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
    """The draws of halves, a row for each, and which halves are accepted. The rows of the others mean nothing."""
    found = np.empty((len(parts), DRAWS), dtype=np.uint16)
    rest = parts.copy()
    for place in range(DRAWS):
        rest *= np.uint64(sides)
        found[:, place] = rest >> np.uint64(32)
        rest &= np.uint64(HALF - 1)
    return found, rest >= np.uint64(rejected_below(sides))


def draws(key: int, first: int, count: int, sides: int) -> npt.NDArray[np.uint16]:
    """The first `count` draws from the word `first` on, in order."""
    parts: list[npt.NDArray[np.uint16]] = []
    missing = count
    while missing > 0:
        many = min(_CHUNK, missing // (2 * DRAWS) + 1)
        found, kept = drawn(halves(words(key, first, many)), sides)
        first += many
        parts.append((found if kept.all() else found[kept]).ravel()[:missing])
        missing -= len(parts[-1])
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint16)


def count_draws(key: int, first_block: int, blocks: int, last: int, sides: int) -> Counts:
    """How often each number is drawn in these blocks, of which the last has `last` rounds."""
    counts = np.zeros(sides, dtype=np.int64)
    for block in range(first_block, first_block + blocks):
        first, missing = block * BLOCK_WORDS, BLOCK if block < first_block + blocks - 1 else last
        while missing >= 2 * DRAWS:
            many = min(_CHUNK, missing // (2 * DRAWS))
            missing -= _count_words(key, first, many, sides, counts)
            first += many
        counts += np.bincount(draws(key, first, missing, sides), minlength=sides)
    return counts


def _count_words(key: int, first: int, many: int, sides: int, counts: Counts) -> int:
    """Count all draws of these words, and return their number."""
    rest = halves(words(key, first, many))
    found = []
    for _ in range(DRAWS):
        rest *= np.uint64(sides)
        found.append((rest >> np.uint64(32)).view(np.int64))
        rest &= np.uint64(HALF - 1)
    out = np.flatnonzero(rest < np.uint64(rejected_below(sides)))
    for place in found:
        counts += np.bincount(place, minlength=sides)
        if len(out):
            counts -= np.bincount(place[out], minlength=sides)
    return DRAWS * (len(rest) - len(out))


def choices(key: int, first: int, count: int, sides: int) -> npt.NDArray[np.int64]:
    """Equally likely numbers below `sides`, one from each accepted half of the words from `first` on."""
    if not 1 <= sides <= 1 << 20:
        raise Refused("sides", "out-of-range", sides=sides, most=1 << 20)
    parts: list[npt.NDArray[np.int64]] = []
    missing = count
    while missing > 0:
        many = missing // 2 + 1
        chosen = halves(words(key, first, many)) * np.uint64(sides)
        kept = chosen & np.uint64(HALF - 1) >= np.uint64(HALF % sides)
        parts.append((chosen[kept] >> np.uint64(32)).astype(np.int64)[:missing])
        first += many
        missing -= len(parts[-1])
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
