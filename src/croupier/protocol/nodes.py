"""What the machines of one floor write to each other, in MessagePack: a command that belongs elsewhere, and its answer.

Machines of the release before and after this one read the same, and pass over what they do not know: the tags and the
fields are what crosses the line, and stay as they are.
"""

from __future__ import annotations

import msgspec

VERSION = 1


class NodeHello(msgspec.Struct, frozen=True, tag="Hello"):
    """The first message: who calls, and a word that only the floor's key can make."""

    version: int
    word: bytes
    node: str


class Ask(msgspec.Struct, frozen=True, tag="Ask"):
    """A command for a stream: an entry without events, as it would stand in a row."""

    number: int
    stream: str
    entry: bytes


class NodeAnswer(msgspec.Struct, frozen=True, tag="Told", omit_defaults=True):
    """What came of it; without an entry, that nobody knows. `row` is where the stream stood then."""

    number: int
    entry: bytes = b""
    again: bool = False
    row: int = 0
