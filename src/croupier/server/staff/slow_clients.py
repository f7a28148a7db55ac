"""HTTP connections that must say something in time; of strangers there are only so many, in all and by address."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from croupier.server.player.handshakes import AnonymousConnection, AnonymousConnections

HEAD_SECONDS = 10.0
"""In which the head of a request must come, from its first byte or from the beginning of the connection."""
MOST_ANONYMOUS = 2_000
MOST_FROM_ONE = 300
"""Connections, with sockets, of people who have not signed in: in all, and from one address."""
MOST_OF_ONE = 100
"""Connections of one session that are none of a stranger's; more count as strangers."""
VISIT = "visit"
"""Under this name a request knows the connection on which it came."""


class Visit:
    """A connection, from its first byte to its last, also when it has become a WebSocket: whose it is."""

    __slots__ = ("_anonymous", "_guests", "_transport", "peer", "session")

    def __init__(self, guests: Guests, transport: asyncio.Transport) -> None:
        self.peer = str((transport.get_extra_info("peername") or ("?",))[0])
        self._guests = guests
        self._transport = transport
        self._anonymous: AnonymousConnection | None = guests.anonymous.add(self.peer, transport.abort)
        self.session = ""
        """Of whoever has signed in; empty for a stranger."""

    def comes_from(self, host: str) -> None:
        """A socket's own address, told by a proxy of ours: it is nobody else's line."""
        if self._anonymous is not None:
            self._anonymous = self._guests.anonymous.move(self._anonymous, host)

    def is_of(self, session: str) -> None:
        """Somebody asks on it: with a session, or, if that is empty, as a stranger."""
        if session == self.session:
            return
        self._leave_session()
        if session and self._guests.sessions.get(session, 0) < MOST_OF_ONE:
            self._guests.sessions[session] = self._guests.sessions.get(session, 0) + 1
            self.session = session
            if self._anonymous is not None:
                self._guests.anonymous.remove(self._anonymous)
                self._anonymous = None
        elif self._anonymous is None:
            self._anonymous = self._guests.anonymous.add(self.peer, self._transport.abort)

    def _leave_session(self) -> None:
        if self.session:
            self._guests.sessions[self.session] -= 1
            if not self._guests.sessions[self.session]:
                del self._guests.sessions[self.session]
            self.session = ""

    def over(self) -> None:
        self._leave_session()
        if self._anonymous is not None:
            self._guests.anonymous.remove(self._anonymous)
            self._anonymous = None


class Guests:
    """Who is at a door: strangers, and how many connections each session has."""

    def __init__(self, anonymous: AnonymousConnections) -> None:
        self.anonymous = anonymous
        self.sessions: dict[str, int] = {}


class Impatient(H11Protocol):
    """A connection that is cut if a request begins and does not go on."""

    patience = HEAD_SECONDS
    guests: Guests
    """Of the door; each door has a class of its own."""
    _late: asyncio.TimerHandle | None = None
    _visit: Visit | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._visit = Visit(self.guests, transport)
        self.app_state = {**self.app_state, VISIT: self._visit}
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._visit is not None:
            self._visit.over()
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()  # a whole head has come
        elif self._late is None and self.transport.get_protocol() is self:
            self._wait()  # the first bytes of another request

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._late = asyncio.get_running_loop().call_later(self.patience, self._cut)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE and not (self.cycle and not self.cycle.response_complete):
            self.transport.abort()


class Upgraded(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def connection_lost(self, exc: Exception | None) -> None:
        self.app_state[VISIT].over()
        super().connection_lost(exc)
