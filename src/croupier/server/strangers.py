"""Connections that are not terminals yet: they have said nothing, or not all of a handshake. Only so many at once.

The WebSocket's own server bounds how long a handshake takes, and how many terminals there are once it is over. Between
the two, whoever opens sockets and says nothing could hold as many as the system has.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from picows import WSAutoPingStrategy
from picows.picows import WSProtocol  # type: ignore[attr-defined]

Greet = Callable[[Any], Any]


class Strangers:
    """Counts the connections of a door; `most` may be in their handshake, and half of those from one address."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.turned_away = 0
        self._from: Counter[str] = Counter()
        self._in_all = 0

    def came(self, host: str) -> bool:
        """Whether one more may begin."""
        if self._in_all >= self.most or self._from[host] >= max(1, self.most // 2):
            self.turned_away += 1
            return False
        self._in_all += 1
        self._from[host] += 1
        return True

    def no_longer(self, host: str) -> None:
        """One is a terminal now, or gone."""
        self._in_all -= 1
        self._from[host] -= 1
        if not self._from[host]:
            del self._from[host]

    @property
    def here(self) -> int:
        return self._in_all

    def protocol(self, greet: Greet, logger: object, *, handshake: float, message: int, buffer: int) -> Connection:
        """A connection of a door that listens with `loop.create_server`: as `picows.ws_create_server` makes them."""
        ping = (False, 20, 20, WSAutoPingStrategy.PING_WHEN_IDLE)  # it is the door that asks for a sign of life
        pong = False  # a ping is a message like any other, and counted
        shape = (greet, logger, True, handshake, *ping, pong, message, None, buffer)
        made = Connection(None, None, False, *shape)
        made.strangers = self
        return made


class Connection(WSProtocol):  # type: ignore[misc]
    """One that may become a terminal."""

    strangers: Strangers
    host = ""
    """Of a stranger; empty once it is none."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        host = str((transport.get_extra_info("peername") or ("?",))[0])
        if self.strangers.came(host):
            self.host = host
        else:
            transport.abort()

    def known(self) -> None:
        """Its handshake is over."""
        if self.host:
            self.strangers.no_longer(self.host)
            self.host = ""

    def connection_lost(self, exc: Exception | None) -> None:
        self.known()
        super().connection_lost(exc)
