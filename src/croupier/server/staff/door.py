"""HTTP listeners: uvicorn with bounds, on a port. The staff's door is one of them."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.rules.refusal import Refused
from croupier.server.player.handshakes import AnonymousConnections
from croupier.server.proxies import Proxies
from croupier.server.staff.guard import HSTS, RateLimit, token_of
from croupier.server.staff.router import Router, answer
from croupier.server.staff.slow_clients import (
    CONNECTION,
    MOST_ANONYMOUS,
    MOST_FROM_ONE,
    Clients,
    TimedConnection,
    UpgradedConnection,
)

LOOK_AGAIN = 0.25
"""Seconds between two checks that the database still answers."""
UNREAD_SECONDS = 30.0
"""How long a client may read nothing of what was sent. A connection closed with unsent data would otherwise stay until
TCP gives up, a quarter of an hour later."""


def listening(host: str, port: int) -> socket.socket:
    """Bind a port (0 picks a free one). Connections queue until `serve` is called. OSError if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=4_096)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it: the system cuts clients that read nothing
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(UNREAD_SECONDS * 1000))
    return listener


class Listener:
    """Serves an application on a port, until it is closed."""

    def __init__(
        self,
        app: ASGIApp,
        certificate: Path | None = None,
        key: Path | None = None,
        http: type[TimedConnection] = TimedConnection,
        *,
        tls: bool = False,
        proxies: Proxies | None = None,
        most: int = MOST_ANONYMOUS,
        most_from_one: int = MOST_FROM_ONE,
        asks: tuple[int, float] | None = None,
    ) -> None:
        """`tls`: clients use it, to this process or to a proxy in front of it. `asks`: requests that one address
        without a session may make, at once and then a second."""
        proxies = proxies or Proxies()
        self.clients = Clients(AnonymousConnections(most, most_from_one, proxies))
        self._app = Origin(app, proxies, RateLimit(*asks) if asks else None, self.knows)
        self._http = type(http.__name__, (http,), {"clients": self.clients})
        self._certificate = certificate
        self._key = key
        self._headers = [HSTS] if tls else []
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None

    def knows(self, scope: Scope) -> bool:
        """Is this a request of somebody who has signed in?"""
        return False

    async def open(self, host: str, port: int) -> int:
        """Listen. Returns the port: if 0 was asked for, the one the system chose. OSError if the port is in use."""
        listener = listening(host, port)
        await self.serve(listener)
        return int(listener.getsockname()[1])

    async def serve(self, listener: socket.socket) -> None:
        """Serve connections of a socket that already listens."""
        config = uvicorn.Config(
            self._app,
            http=self._http,
            ws=UpgradedConnection,
            ws_max_size=4_096,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            # Compression costs 100 kB a viewer and time of the loop, and the length could leak a secret.
            ws_per_message_deflate=False,
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            headers=self._headers,
            proxy_headers=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=5,
            h11_max_incomplete_event_size=16 * 1024,
            ssl_certfile=self._certificate,
            ssl_keyfile=self._key,
        )
        self._server = _Server(config)
        self._task = asyncio.create_task(self._server.serve([listener]))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0.01)
        if self._task.done():
            self._task.result()

    async def close(self) -> None:
        """Accept no more connections, finish open requests, and release the port."""
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            await self._task


class Origin:
    """Replaces the address of a trusted proxy by that of its client, and slows clients without a session down."""

    def __init__(self, app: ASGIApp, proxies: Proxies, pace: RateLimit | None, knows: Callable[[Scope], bool]) -> None:
        self._app = app
        self._proxies = proxies
        self._pace = pace
        self._knows = knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if client is not None and self._proxies.trusts(client[0]):
            host = self._proxies.client(client[0], scope["headers"])
            scope["client"] = (host, 0)
            if scope["type"] == "websocket":
                scope["state"][CONNECTION].set_address(host)
        if self._pace is not None and scope["type"] == "http" and not self._knows(scope):
            try:
                self._pace.take(str((scope.get("client") or ("?",))[0]))
            except Refused as no:  # before any work is done for the request
                await answer(no)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class StaffDoor(Listener):
    """The staff's door."""

    def __init__(
        self,
        app: Starlette,
        certificate: Path | None = None,
        key: Path | None = None,
        http: type[TimedConnection] = TimedConnection,
        proxies: Proxies | None = None,
        **bounds: Any,
    ) -> None:
        self._router: Router = app.state.router
        tls = self._router.context.settings.tls
        super().__init__(app, certificate, key, http, tls=tls, proxies=proxies, **bounds)
        self._tasks: list[asyncio.Task[None]] = []

    def knows(self, scope: Scope) -> bool:
        context = self._router.context
        return context.sessions.who(token_of(context, HTTPConnection(scope))) is not None

    async def serve(self, listener: socket.socket) -> None:
        self._tasks = [asyncio.create_task(self._recall()), asyncio.create_task(self._watch_the_database())]
        await super().serve(listener)

    async def close(self) -> None:
        """Accept no more connections, finish open requests, and release the port."""
        if self._server is not None:
            self._router.feeds.close()
            await super().close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for end in self._router.ends:
                await end()
            self._router.context.journal.close()

    async def _recall(self) -> None:
        """Read the past rounds while the door is already open; screens show them once they are read."""
        await self._router.context.recall()
        for kind in ("pit", "display"):
            self._router.feeds.touch(kind)

    async def _watch_the_database(self) -> None:
        """Close the screens if the database is silent for longer than a lease: people may have lost their roles."""
        sessions, before = self._router.context.sessions, False
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            if sessions.database_silent and not before:
                self._router.feeds.refresh_all()
            before = sessions.database_silent


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals alone: the process handles them itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield
