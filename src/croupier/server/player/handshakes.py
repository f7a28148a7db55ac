"""Anonymous connections: nobody has signed in on them yet, or no terminal has sent its hello. Their number is bounded,
in all and by address.

Every new connection is accepted. If there are too many, the oldest connection of the address that has the most is cut.
So a crowd from a few addresses only shuts itself out, and people at other addresses have time to identify themselves.
Then they are no longer anonymous, and no crowd can cut their connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from picows import WSAutoPingStrategy
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from croupier.server.proxies import Proxies

Greet = Callable[[Any], Any]


class AnonymousConnection:
    """One connection, until its person or terminal is identified."""

    __slots__ = ("cut", "host")

    def __init__(self, host: str, cut: Callable[[], None]) -> None:
        self.host = host
        self.cut = cut


class AnonymousConnections:
    """The anonymous connections of a door: at most `most`, and `most_from_one` from one address."""

    def __init__(self, most: int, most_from_one: int = 0, proxies: Proxies | None = None) -> None:
        self.most = most
        self._most_from_one = most_from_one or max(1, most // 2)
        self.proxies = proxies or Proxies()
        self.turned_away = 0
        self._from: dict[str, dict[AnonymousConnection, None]] = {}
        """The connections by address, the oldest first."""
        self._holding: dict[int, dict[str, None]] = {}
        """The addresses by their number of connections."""
        self._in_all = 0
        self._largest = 0

    @property
    def count(self) -> int:
        return self._in_all

    def add(self, host: str, cut: Callable[[], None]) -> AnonymousConnection:
        """Add a connection. If there are too many, cut the oldest one of the largest crowd."""
        if len(self._from.get(host, ())) >= self._most_from_one and not self.proxies.trusts(host):
            self._turn_away(host)
        elif self._in_all >= self.most:
            self._turn_away(next(iter(self._holding[self._largest])))
        one = AnonymousConnection(host, cut)
        held = self._from.setdefault(host, {})
        held[one] = None
        self._in_all += 1
        self._count(host, len(held) - 1, len(held))
        return one

    def remove(self, one: AnonymousConnection) -> None:
        """Stop counting a connection: it is identified, or closed."""
        held = self._from.get(one.host, {})
        if one not in held:
            return
        del held[one]
        self._in_all -= 1
        self._count(one.host, len(held) + 1, len(held))
        if not held:
            del self._from[one.host]

    def move(self, one: AnonymousConnection, host: str) -> AnonymousConnection:
        """Count a connection under another address: the one that a trusted proxy has named."""
        if one.host == host or one not in self._from.get(one.host, ()):
            return one
        self.remove(one)
        return self.add(host, one.cut)

    def _turn_away(self, host: str) -> None:
        oldest = next(iter(self._from[host]))
        self.remove(oldest)
        self.turned_away += 1
        oldest.cut()

    def _count(self, host: str, before: int, after: int) -> None:
        """Keep the addresses sorted by their number of connections, without a search."""
        if before:
            del self._holding[before][host]
            if not self._holding[before]:
                del self._holding[before]
        if after:
            self._holding.setdefault(after, {})[host] = None
        if after > self._largest:
            self._largest = after
        while self._largest and self._largest not in self._holding:
            self._largest -= 1

    def protocol(
        self, greet: Greet, logger: object, *, handshake: float, message: int, buffer: int
    ) -> TerminalProtocol:
        """A protocol for `loop.create_server`, with the same arguments that `picows.ws_create_server` gives it."""
        ping = (False, 20, 20, WSAutoPingStrategy.PING_WHEN_IDLE)  # off: the door itself pings silent terminals
        pong = False  # off: a ping costs an act like any other message
        shape = (greet, logger, True, handshake, *ping, pong, message, None, buffer)
        made = TerminalProtocol(None, None, False, *shape)
        made.anonymous = self
        return made


class TerminalProtocol(WSProtocol):  # type: ignore[misc]
    """A connection that may become a terminal; anonymous until its hello is accepted."""

    anonymous: AnonymousConnections
    entry: AnonymousConnection | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        host = str((transport.get_extra_info("peername") or ("?",))[0])
        self.entry = self.anonymous.add(host, transport.abort)

    def read_origin(self, headers: list[tuple[bytes, bytes]]) -> None:
        """Take the address from the headers of a trusted proxy."""
        if self.entry is not None:
            host = self.anonymous.proxies.client(self.entry.host, headers)
            self.entry = self.anonymous.move(self.entry, host)

    def identified(self) -> None:
        """The terminal has shown the token of a seat: its connection is no longer anonymous."""
        if self.entry is not None:
            self.anonymous.remove(self.entry)
            self.entry = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.identified()
        super().connection_lost(exc)
