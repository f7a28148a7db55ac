"""A listener: uvicorn with its bounds, on a port of its own; and the staff's door as one."""

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
from croupier.server.staff.slow_clients import MOST_ANONYMOUS, MOST_FROM_ONE, VISIT, Guests, Impatient, Upgraded

DEAF = 0.25
"""Seconds between two looks at whether the database still answers."""
UNREAD_SECONDS = 30.0
"""For which somebody may take nothing of what was sent to him. A connection that we close with something unsent would
otherwise be held until TCP gives up, a quarter of an hour later."""


def listening(host: str, port: int) -> socket.socket:
    """Take a port, 0 for any; whoever comes waits until he is served. OSError if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=4_096)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it: the system itself cuts who takes nothing
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(UNREAD_SECONDS * 1000))
    return listener


class Listener:
    """Answers whoever comes to a port, until it is closed."""

    def __init__(
        self,
        app: ASGIApp,
        certificate: Path | None = None,
        key: Path | None = None,
        http: type[Impatient] = Impatient,
        *,
        tls: bool = False,
        proxies: Proxies | None = None,
        most: int = MOST_ANONYMOUS,
        most_from_one: int = MOST_FROM_ONE,
        asks: tuple[int, float] | None = None,
    ) -> None:
        """`tls`: those who come speak it, to us or to what stands in front of us. `asks`: requests of an address that
        has no session here, so many at once, and so many a second after that."""
        proxies = proxies or Proxies()
        self.guests = Guests(AnonymousConnections(most, most_from_one, proxies))
        self._app = Origin(app, proxies, RateLimit(*asks) if asks else None, self.knows)
        self._http = type(http.__name__, (http,), {"guests": self.guests})
        self._certificate = certificate
        self._key = key
        self._headers = [HSTS] if tls else []
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None

    def knows(self, scope: Scope) -> bool:
        """Does somebody ask who has signed in?"""
        return False

    async def open(self, host: str, port: int) -> int:
        """Listen; the port, which may have been 0 for any. OSError if it is taken."""
        listener = listening(host, port)
        await self.serve(listener)
        return int(listener.getsockname()[1])

    async def serve(self, listener: socket.socket) -> None:
        """Answer whoever comes to a port that is listened on already."""
        config = uvicorn.Config(
            self._app,
            http=self._http,
            ws=Upgraded,
            ws_max_size=4_096,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            # Packing costs each viewer 100 kB and the loop its time, and beside a secret its length would tell.
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
        """Hear no more, end what is under way, and let go of the port."""
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            await self._task


class Origin:
    """Puts in the place of a trusted proxy's address the one from which somebody comes to it; slows strangers down."""

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
                scope["state"][VISIT].comes_from(host)
        if self._pace is not None and scope["type"] == "http" and not self._knows(scope):
            try:
                self._pace.take(str((scope.get("client") or ("?",))[0]))
            except Refused as no:  # before anything is made for it
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
        http: type[Impatient] = Impatient,
        proxies: Proxies | None = None,
        **bounds: Any,
    ) -> None:
        self._router: Router = app.state.router
        tls = self._router.context.settings.tls
        super().__init__(app, certificate, key, http, tls=tls, proxies=proxies, **bounds)
        self._beside: list[asyncio.Task[None]] = []

    def knows(self, scope: Scope) -> bool:
        context = self._router.context
        return context.sessions.who(token_of(context, HTTPConnection(scope))) is not None

    async def serve(self, listener: socket.socket) -> None:
        self._beside = [asyncio.create_task(self._recall()), asyncio.create_task(self._close_if_deaf())]
        await super().serve(listener)

    async def close(self) -> None:
        """Hear no more, end what is under way, and let go of the port."""
        if self._server is not None:
            self._router.feeds.close()
            await super().close()
            for task in self._beside:
                task.cancel()
            await asyncio.gather(*self._beside, return_exceptions=True)
            for end in self._router.ends:
                await end()
            self._router.context.library.close()

    async def _recall(self) -> None:
        """What the tables have shown is read while the door is open already; screens show it once it is there."""
        await self._router.context.recall()
        for kind in ("pit", "display"):
            self._router.feeds.touch(kind)

    async def _close_if_deaf(self) -> None:
        """Screens are closed on a machine that has not heard for a lease's time who may still look at them."""
        sessions, before = self._router.context.sessions, False
        while True:
            await asyncio.sleep(DEAF)
            if sessions.deaf and not before:
                self._router.feeds.look_again()
            before = sessions.deaf


class _Server(uvicorn.Server):
    """A server whose process has its own mind about signals: whoever composed it ends it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield
