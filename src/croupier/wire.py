"""Messages as bytes and back: one canonical JSON for events, commands and transfers, strict both ways."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from croupier.ledger import Transfer
from croupier.rules.money import Cents
from croupier.table.messages import AnyCommand, AnyEvent

T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="deterministic")
_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_commands: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_transfers: msgspec.json.Decoder[list[tuple[str, str, Cents, str]]] = msgspec.json.Decoder(
    list[tuple[str, str, Cents, str]]
)


class Unreadable(Exception):
    """Bytes that are no message: what is wrong, and where."""


def encode(message: AnyEvent | AnyCommand) -> bytes:
    """The one way a message is written: the same message, the same bytes."""
    return _encoder.encode(message)


def decode_event(body: bytes) -> AnyEvent:
    return _decoded(_events, body)


def decode_command(body: bytes) -> AnyCommand:
    return _decoded(_commands, body)


def encode_transfers(transfers: list[Transfer]) -> bytes:
    return _encoder.encode([tuple(transfer) for transfer in transfers])


def decode_transfers(body: bytes) -> list[Transfer]:
    return [Transfer(*fields) for fields in _decoded(_transfers, body)]


def _decoded(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from None
