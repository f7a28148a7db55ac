"""Connections of people and terminals who are not known yet. They have bounds of their own, in all and by address.

Whoever comes is let in. Where there are too many, the address that holds the most gives one up, its oldest: a crowd
from a few addresses shuts out itself, and whoever comes from another has time to say who they are. Once they have, they
are no stranger any more, and no crowd can cut them off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from picows import WSAutoPingStrategy
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from croupier.server.proxies import Proxies

Greet = Callable[[Any], Any]


class Stranger:
    """One connection, as long as nobody knows whose it is."""

    __slots__ = ("cut", "host")

    def __init__(self, host: str, cut: Callable[[], None]) -> None:
        self.host = host
        self.cut = cut
        """Ends the connection."""


class Strangers:
    """The strangers at a door: `most` in all, `most_from_one` of them from one address."""

    def __init__(self, most: int, most_from_one: int = 0, proxies: Proxies | None = None) -> None:
        self.most = most
        self._most_from_one = most_from_one or max(1, most // 2)
        self.proxies = proxies or Proxies()
        self.turned_away = 0
        self._from: dict[str, dict[Stranger, None]] = {}
        """By address, the oldest first."""
        self._holding: dict[int, dict[str, None]] = {}
        """Addresses by how many they hold."""
        self._in_all = 0
        self._largest = 0

    @property
    def here(self) -> int:
        return self._in_all

    def came(self, host: str, cut: Callable[[], None]) -> Stranger:
        """One more; the oldest of a crowd is cut off where there is no room for it."""
        if len(self._from.get(host, ())) >= self._most_from_one and not self.proxies.trusts(host):
            self._turn_away(host)
        elif self._in_all >= self.most:
            self._turn_away(next(iter(self._holding[self._largest])))
        one = Stranger(host, cut)
        own = self._from.setdefault(host, {})
        own[one] = None
        self._in_all += 1
        self._count(host, len(own) - 1, len(own))
        return one

    def no_longer(self, one: Stranger) -> None:
        """It is known now, or gone."""
        own = self._from.get(one.host, {})
        if one not in own:
            return
        del own[one]
        self._in_all -= 1
        self._count(one.host, len(own) + 1, len(own))
        if not own:
            del self._from[one.host]

    def moved(self, one: Stranger, host: str) -> Stranger:
        """A proxy told from where this one really comes."""
        if one.host == host or one not in self._from.get(one.host, ()):
            return one
        self.no_longer(one)
        return self.came(host, one.cut)

    def _turn_away(self, host: str) -> None:
        oldest = next(iter(self._from[host]))
        self.no_longer(oldest)
        self.turned_away += 1
        oldest.cut()

    def _count(self, host: str, before: int, after: int) -> None:
        """Keep the addresses sorted by how many they hold, without looking through them."""
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

    def protocol(self, greet: Greet, logger: object, *, handshake: float, message: int, buffer: int) -> Connection:
        """A connection of a door that listens with `loop.create_server`: as `picows.ws_create_server` makes them."""
        ping = (False, 20, 20, WSAutoPingStrategy.PING_WHEN_IDLE)  # it is the door that asks for a sign of life
        pong = False  # a ping is a message like any other, and counted
        shape = (greet, logger, True, handshake, *ping, pong, message, None, buffer)
        made = Connection(None, None, False, *shape)
        made.strangers = self
        return made


class Connection(WSProtocol):  # type: ignore[misc]
    """One that may become a terminal: a stranger until its hello is taken."""

    strangers: Strangers
    stranger: Stranger | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        host = str((transport.get_extra_info("peername") or ("?",))[0])
        self.stranger = self.strangers.came(host, transport.abort)

    def comes_from(self, headers: list[tuple[bytes, bytes]]) -> None:
        """What a proxy in front of us says of where it comes from."""
        if self.stranger is not None:
            host = self.strangers.proxies.client(self.stranger.host, headers)
            self.stranger = self.strangers.moved(self.stranger, host)

    def known(self) -> None:
        """Its token is that of a seat."""
        if self.stranger is not None:
            self.strangers.no_longer(self.stranger)
            self.stranger = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.known()
        super().connection_lost(exc)
