"""Messages as bytes and back: one canonical JSON, strict both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

T = TypeVar("T")

# Not sorted: what was staffed, seated and placed in an order is read back in that order.
_encoder = msgspec.json.Encoder()


class Unreadable(Exception):
    """Bytes that are no message: what is wrong, and where."""


encode: Callable[[msgspec.Struct], bytes] = _encoder.encode
"""The one way a message is written: the same message, the same bytes."""


def decode(decoder: msgspec.json.Decoder[T], body: bytes, where: str) -> T:
    """Read what `encode` wrote; `where` names the place in the message of a fault."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"{where}: {error}") from None
