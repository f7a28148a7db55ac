"""Messages as bytes and back: one canonical JSON, strict both ways."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import msgspec

from croupier.rules.bad_input import Unreadable
from croupier.rules.wrong_values import faults_of_json

T = TypeVar("T")

# Not sorted: staff, seats and bets are read back in the order in which they were written.
_encoder = msgspec.json.Encoder()


encode: Callable[[msgspec.Struct], bytes] = _encoder.encode
"""Write a message. The same message gives the same bytes."""


def decode(decoder: msgspec.json.Decoder[T], body: bytes, where: str) -> T:
    """Read what `encode` wrote; `where` names the place in the message of a fault."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Unreadable(where, "; ".join(map(str, faults_of_json(decoder.type, body)))) from None


class _Repeated(Exception):
    pass


def repeated_key(body: bytes) -> str | None:
    """A key that stands twice in an object of this JSON. The decoder would silently take the last value."""
    try:
        json.loads(body, object_pairs_hook=_once, parse_int=str, parse_float=str)
    except _Repeated as repeated:
        return str(repeated)
    return None


def _once(pairs: list[tuple[str, object]]) -> None:
    if len(pairs) > 1:
        ((key, times),) = Counter(key for key, _ in pairs).most_common(1)
        if times > 1:
            raise _Repeated(key)
