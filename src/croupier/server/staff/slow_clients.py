"""Bounds on HTTP connections: a request must arrive in time, and the number of anonymous connections is bounded."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from croupier.server.player.handshakes import AnonymousConnection, AnonymousConnections

HEAD_SECONDS = 10.0
"""Time in which the head of a request must arrive, from its first byte or from the start of the connection."""
MOST_ANONYMOUS = 2_000
MOST_FROM_ONE = 300
"""Connections, WebSockets included, of people who have not signed in: in all, and from one address."""
MOST_OF_ONE = 100
"""Connections of one session that count as signed in. More of them count as anonymous."""
CONNECTION = "connection"
"""The key of the connection in the state of a request."""


class ClientConnection:
    """One connection of a door, also after it has become a WebSocket: anonymous, or of a session."""

    __slots__ = ("_anonymous", "_door", "_transport", "peer", "session")

    def __init__(self, door: Clients, transport: asyncio.Transport) -> None:
        self.peer = str((transport.get_extra_info("peername") or ("?",))[0])
        self._door = door
        self._transport = transport
        self._anonymous: AnonymousConnection | None = door.anonymous.add(self.peer, transport.abort)
        self.session = ""
        """The session that it is counted for; empty if it is anonymous."""

    def set_address(self, host: str) -> None:
        """Count it under the address that a trusted proxy has named. For WebSockets, which serve one client only."""
        if self._anonymous is not None:
            self._anonymous = self._door.anonymous.move(self._anonymous, host)

    def set_session(self, session: str) -> None:
        """Count it for the session of its latest request, or as anonymous if that is empty."""
        if session == self.session:
            return
        self._leave_session()
        if session and self._door.sessions.get(session, 0) < MOST_OF_ONE:
            self._door.sessions[session] = self._door.sessions.get(session, 0) + 1
            self.session = session
            if self._anonymous is not None:
                self._door.anonymous.remove(self._anonymous)
                self._anonymous = None
        elif self._anonymous is None:
            self._anonymous = self._door.anonymous.add(self.peer, self._transport.abort)

    def _leave_session(self) -> None:
        if self.session:
            self._door.sessions[self.session] -= 1
            if not self._door.sessions[self.session]:
                del self._door.sessions[self.session]
            self.session = ""

    def closed(self) -> None:
        self._leave_session()
        if self._anonymous is not None:
            self._door.anonymous.remove(self._anonymous)
            self._anonymous = None


class Clients:
    """The connections of a door: the anonymous ones, and how many each session has."""

    def __init__(self, anonymous: AnonymousConnections) -> None:
        self.anonymous = anonymous
        self.sessions: dict[str, int] = {}


class TimedConnection(H11Protocol):
    """An HTTP connection that is cut if the head of a request does not arrive in time."""

    head_seconds = HEAD_SECONDS
    clients: Clients
    """Those of its door: each door makes a subclass."""
    _late: asyncio.TimerHandle | None = None
    _connection: ClientConnection | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._connection = ClientConnection(self.clients, transport)
        self.app_state = {**self.app_state, CONNECTION: self._connection}
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._connection is not None:
            self._connection.closed()
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()  # the whole head has arrived
        elif self._late is None and self.transport.get_protocol() is self:
            self._wait()  # the first bytes of the next request

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._late = asyncio.get_running_loop().call_later(self.head_seconds, self._cut)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE and not (self.cycle and not self.cycle.response_complete):
            self.transport.abort()


class UpgradedConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def connection_lost(self, exc: Exception | None) -> None:
        self.app_state[CONNECTION].closed()
        super().connection_lost(exc)
