"""Unbiased draws from random bytes. Every outcome of a simulated device is drawn by this file."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from croupier.rules.outcomes import DICE, FACES

Source = Callable[[int], bytes]
"""Returns so many random bytes."""

system: Source = secrets.token_bytes
BYTES = 256
TRIES = 10_000


def draw(sides: int, source: Source = system) -> int:
    r"""A number from 0 to `sides` - 1, each exactly as likely: a byte that would favour small numbers is discarded.

    >>> given = iter([b"\xff", b"\x07"])
    >>> draw(6, lambda count: next(given))
    1
    """
    assert 1 <= sides <= BYTES, f"one byte cannot choose among {sides}"
    fair = BYTES - BYTES % sides
    for _ in range(TRIES):
        byte = source(1)[0]
        if byte < fair:
            return byte % sides
    raise AssertionError(f"the byte source gave {TRIES} bytes of {fair} or more: it is broken")


def throw(source: Source = system) -> tuple[str, ...]:
    """Three faces in the order of the dice: 216 equally likely throws."""
    return tuple(FACES[draw(len(FACES), source)] for _ in range(DICE))
