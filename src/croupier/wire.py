"""Messages as bytes and back: one canonical JSON, strict both ways."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from croupier.ledger import Transfer
from croupier.rules.money import Cents

T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="deterministic")
_transfers: msgspec.json.Decoder[list[tuple[str, str, Cents, str]]] = msgspec.json.Decoder(
    list[tuple[str, str, Cents, str]]
)


class Unreadable(Exception):
    """Bytes that are no message: what is wrong, and where."""


def encode(message: msgspec.Struct) -> bytes:
    """The one way a message is written: the same message, the same bytes."""
    return _encoder.encode(message)


def decode(decoder: msgspec.json.Decoder[T], body: bytes, where: str) -> T:
    """Read what `encode` wrote; `where` names the place in the message of a fault."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"{where}: {error}") from None


def encode_transfers(transfers: list[Transfer]) -> bytes:
    return _encoder.encode([tuple(transfer) for transfer in transfers])


def decode_transfers(body: bytes) -> list[Transfer]:
    return [Transfer(*fields) for fields in decode(_transfers, body, "transfers")]
