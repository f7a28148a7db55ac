"""The messages between the machines of one floor, in MessagePack: a command for another machine, and its answer.

Machines of the release before this one and after it read the same messages, and ignore fields they do not know. The
tags and the fields are on the wire, and stay as they are.
"""

from __future__ import annotations

import msgspec

VERSION = 1


class NodeHello(msgspec.Struct, frozen=True, tag="Hello"):
    """The first message: the name of the caller, and a token that only the floor's key can make."""

    version: int
    word: bytes
    node: str


class Ask(msgspec.Struct, frozen=True, tag="Ask"):
    """A command for a stream, as an entry without events."""

    number: int
    stream: str
    entry: bytes


class NodeAnswer(msgspec.Struct, frozen=True, tag="Told", omit_defaults=True):
    """The answer. Without an entry the result is unknown. `row` is the head of the stream at that moment."""

    number: int
    entry: bytes = b""
    again: bool = False
    row: int = 0
