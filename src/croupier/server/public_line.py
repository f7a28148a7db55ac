"""What the floor's process and the public one say to each other, over a line between the two on this machine.

The floor says once what the other needs to open; then every view that somebody looks at there, whole and as what
changed. The other says which views those are, and nothing else: nothing that comes from a stranger goes over the line.
"""

from __future__ import annotations

import asyncio

import msgspec

MOST = 2**24
"""Bytes of one message."""


class Opens(msgspec.Struct, frozen=True, tag=True):
    """What the public process needs to open: the House's choices, and no key, no database, no session."""

    house: str
    zone: str
    origins: tuple[str, ...]
    staff: str
    """The address of the staff's pages."""
    terminals: tuple[str, ...]
    tls: bool
    certificate: str
    key: str
    pages: str
    rulebooks: tuple[str, ...]
    """Those that are played here, by name or file."""
    tables: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    forwarded: str


class View(msgspec.Struct, frozen=True, tag=True):
    """What a view shows now, as its viewers are told it."""

    key: tuple[str, ...]
    told: msgspec.Raw


class ViewsWanted(msgspec.Struct, frozen=True, tag=True):
    """The views that somebody looks at."""

    keys: tuple[tuple[str, ...], ...]


_encode = msgspec.json.Encoder().encode
_Message = Opens | View | ViewsWanted
_decoder = msgspec.json.Decoder(_Message)


def say(writer: asyncio.StreamWriter, message: _Message) -> None:
    body = _encode(message)
    writer.write(len(body).to_bytes(4, "big") + body)


async def hear(reader: asyncio.StreamReader) -> _Message:
    """The next message; IncompleteReadError at the end of the line."""
    size = int.from_bytes(await reader.readexactly(4), "big")
    assert size <= MOST, size
    message: _Message = _decoder.decode(await reader.readexactly(size))
    return message
