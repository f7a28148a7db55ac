"""Draws are exact: every side has as many bytes as any other."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.devices.chance import BYTES, Source, draw


def one_byte(byte: int) -> Source:
    """A source that ends: a byte that is thrown away asks for another, which is not there."""
    left = iter([byte])
    return lambda count: bytes([next(left)])


@pytest.mark.parametrize("sides", [1, 2, 6, 37, 38, 39, 129, 255, 256])
def test_all_256_bytes_give_each_side_as_often(sides: int) -> None:
    given = Counter[int]()
    for byte in range(BYTES):
        try:
            given[draw(sides, one_byte(byte))] += 1
        except StopIteration:
            given[-1] += 1
    assert given.pop(-1, 0) == BYTES % sides
    assert given == dict.fromkeys(range(sides), BYTES // sides)


def test_byte_modulo_6_is_biased_and_the_same_count_shows_it() -> None:
    naive = Counter(byte % 6 for byte in range(BYTES))
    assert max(naive.values()) - min(naive.values()) == 1


def test_a_source_that_only_gives_bytes_to_throw_away_stops_the_table() -> None:
    with pytest.raises(AssertionError, match="broken"):
        draw(6, lambda count: b"\xff" * count)
