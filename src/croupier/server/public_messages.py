"""The messages between the floor's process and the public process, over a socket pair on this machine.

The floor first sends what the public process needs to open, then pushes of every view that it wants. The public process
sends only the list of views that it wants: nothing that its clients send reaches the floor.
"""

from __future__ import annotations

import asyncio

import msgspec

MOST = 2**24
"""Bytes of one message."""


class Opens(msgspec.Struct, frozen=True, tag=True):
    """What the public process needs to open: settings of the House, but no key, database or session of the floor."""

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
    """The books of the floor's tables, by name or file."""
    tables: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    forwarded: str


class Books(msgspec.Struct, frozen=True, tag=True):
    """The texts of books that the tables play under, before a view that names one by its hash."""

    texts: tuple[str, ...]


class View(msgspec.Struct, frozen=True, tag=True):
    """A push of a view."""

    key: tuple[str, ...]
    push: msgspec.Raw


class ViewsWanted(msgspec.Struct, frozen=True, tag=True):
    """The views that the public process wants."""

    keys: tuple[tuple[str, ...], ...]


_encode = msgspec.json.Encoder().encode
_Message = Opens | Books | View | ViewsWanted
_decoder = msgspec.json.Decoder(_Message)


def send(writer: asyncio.StreamWriter, message: _Message) -> None:
    body = _encode(message)
    writer.write(len(body).to_bytes(4, "big") + body)


async def receive(reader: asyncio.StreamReader) -> _Message:
    """The next message. IncompleteReadError once the other process has closed its end."""
    size = int.from_bytes(await reader.readexactly(4), "big")
    assert size <= MOST, size
    message: _Message = _decoder.decode(await reader.readexactly(size))
    return message
