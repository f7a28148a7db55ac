"""The public process: the lobby, the displays, the books, the description. `python -m croupier.server.public_process`.

It has no database, no key of the floor and no sessions, and it reads no cookies. The floor sends it everything that it
shows over a socket, and it ends when that socket closes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.floor.floor import Floor
from croupier.rules.library import book_of, load_rulebook
from croupier.rules.refusal import Refused, Unavailable
from croupier.rules.rulebook import Rulebook
from croupier.server import public_messages as messages
from croupier.server.proxies import Proxies
from croupier.server.staff.context import Context, StaffSettings
from croupier.server.staff.door import Listener
from croupier.server.staff.feeds import Feed, Feeds
from croupier.server.staff.feeds import View as Make
from croupier.server.staff.guard import PUBLIC, Headers, RateLimit
from croupier.server.staff.metrics import Readiness
from croupier.server.staff.openapi import describe
from croupier.server.staff.pages import put_pages
from croupier.server.staff.public import TableAsked, book_routes
from croupier.server.staff.room import DisplayNow, Lobby
from croupier.server.staff.router import Nothing, Router, StaffCall, answer, no_such_page, unexpected_error
from croupier.server.staff.session import Me
from croupier.table.messages import PersonId

GIVES_WAY = 10
"""Its nice value: the process of the tables goes first."""
MOST = 4_000
MOST_FROM_ONE = 300
"""Connections, in all and from one address."""
ASKS = (300, 50.0)
"""Requests of one address: how many at once, and how many a second after that."""
FIRST = 5.0
"""Seconds to wait for the first push of a view."""
KEPT = 30.0
"""Seconds for which a view is still wanted after the last request for it."""
LOBBY = ("lobby",)


class PushFields(msgspec.Struct, frozen=True):
    """A push of the floor (`Push`), with its fields still encoded."""

    seq: int
    now: int
    snapshot: dict[str, msgspec.Raw] | None = None
    changed: dict[str, msgspec.Raw] | None = None


class RelayedFeed(Feed):
    """A view that the floor makes and this process passes on."""

    def join(self, viewer: Any) -> None:
        self.viewers.add(viewer)
        if self.fields:
            viewer.news.set()

    def part(self, viewer: Any) -> None:
        self.viewers.discard(viewer)

    def receive(self, push: PushFields) -> None:
        if push.snapshot is None and not self.fields:
            return  # a late push of an earlier subscription; a snapshot follows
        self.seq, fields = push.seq, push.snapshot or push.changed or {}
        self.fields = {**self.fields, **{name: bytes(body) for name, body in fields.items()}}
        for viewer in self.viewers:
            viewer.news.set()


class RelayedFeeds(Feeds):
    """The views of the floor that clients of this process look at."""

    def __init__(self) -> None:
        super().__init__(self.now)
        self.most = MOST
        self.views: dict[tuple[str, ...], RelayedFeed] = {}
        self._asked: dict[tuple[str, ...], float] = {}
        self._floor, self._at = 0, time.monotonic()
        self.books: dict[str, Rulebook] = {}
        """By hash, the books that the floor has sent."""
        self.news = asyncio.Event()
        """Set when the list of wanted views may have changed."""

    def now(self) -> int:
        """The floor's clock."""
        return self._floor + round((time.monotonic() - self._at) * 1000)

    def _feed(self, key: tuple[str, ...], make: Make) -> Feed:
        return self.want(key)

    def want(self, key: tuple[str, ...]) -> RelayedFeed:
        """A view, which the floor will push from now on."""
        self._asked[key] = time.monotonic()
        if key not in self.views:
            self.views[key] = RelayedFeed(_made_by_the_floor, self.now)
            self.news.set()
        return self.views[key]

    def wanted(self) -> tuple[tuple[str, ...], ...]:
        """The views with viewers or recent requests. The others are dropped."""
        now = time.monotonic()
        for key in [key for key, view in self.views.items() if not view.viewers and now - self._asked[key] > KEPT]:
            del self.views[key], self._asked[key]
        return tuple(self.views)

    def receive(self, view: messages.View) -> None:
        push = msgspec.json.decode(view.push, type=PushFields)
        self._floor, self._at = push.now, time.monotonic()
        if view.key in self.views:
            self.views[view.key].receive(push)

    async def whole(self, key: tuple[str, ...]) -> tuple[int, bytes]:
        """The number of a view's latest row, and the view as JSON. Unavailable if the floor does not push it."""
        view, until = self.want(key), time.monotonic() + FIRST
        while not view.fields:
            if time.monotonic() > until:
                raise Unavailable("away", "floor")
            await asyncio.sleep(0.02)
        fields = b",".join(b'"%s":%s' % (name.encode(), body) for name, body in view.fields.items())
        return view.seq, b"{" + fields + b"}"


def _made_by_the_floor() -> tuple[int, msgspec.Struct]:
    raise AssertionError("the public process makes no views of the floor")


class PublicContext(Context):
    """What routes may need that work without a floor: its books and its settings."""

    def __init__(self, opens: messages.Opens, feeds: RelayedFeeds) -> None:
        self.settings = StaffSettings(
            house=opens.house,
            zone=opens.zone,
            origins=frozenset(opens.origins),
            terminals=opens.terminals[0],
            tls=opens.tls,
            pages=Path(opens.pages),
        )
        self.floor = cast(Floor, SimpleNamespace(clock=SimpleNamespace(now=feeds.now)))
        self._feeds = feeds
        self._sources = opens.rulebooks
        self._books = [load_rulebook(source) for source in opens.rulebooks]

    def played(self) -> Iterator[Rulebook]:
        yield from self._feeds.books.values()
        yield from self._books

    def sources(self) -> Iterable[str]:
        return self._sources


class Paced:
    """Refuses clients that ask too often, before any work is done for them. Removes cookies, which have no use here."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._pace = RateLimit(*ASKS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        if scope["type"] == "http":
            try:
                self._pace.take(str((scope.get("client") or ("?",))[0]))
            except Refused as no:
                await answer(no)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def public_app(opens: messages.Opens, feeds: RelayedFeeds) -> Starlette:
    app = Starlette()
    router = Router(app, PublicContext(opens, feeds))
    router.feeds = feeds

    def known(name: str) -> tuple[str, ...]:
        if name not in opens.tables:
            raise Refused("missing", "table", table=name[:64], known=tuple(opens.tables))
        return ("display", name)

    @router.get("/api/floor", PUBLIC)
    async def floor(call: StaffCall, asked: Nothing) -> Lobby:
        """The lobby: every table with its game, limits, state and last results."""
        _, body = await feeds.whole(LOBBY)
        seen = msgspec.json.decode(body, type=Lobby)
        return msgspec.structs.replace(seen, demo=False, public="", staff=opens.staff, now=feeds.now())

    @router.get("/api/tables/{table}", PUBLIC, statuses=(503,))
    async def table(call: StaffCall, asked: TableAsked) -> DisplayNow:
        """The public display of a table."""
        seq, body = await feeds.whole(known(asked.table))
        return cast(DisplayNow, {"seq": seq, "now": feeds.now(), "snapshot": msgspec.Raw(body)})

    @router.socket("/api/tables/{table}/display", PUBLIC, DisplayNow)
    def display_pushed(person: PersonId | None, table: str) -> tuple[tuple[str, ...], Make]:
        """The public display, pushed."""
        return known(table), _made_by_the_floor

    @router.get("/api/session", PUBLIC)
    async def who(call: StaffCall, asked: Nothing) -> Me:
        """Always nobody: people sign in at the staff's door."""
        return Me(None, (), {}, (), ())

    @router.get("/health", PUBLIC)
    async def health(call: StaffCall, asked: Nothing) -> Readiness:
        """The process lives and answers."""
        return Readiness(True)

    put_pages(router, ("display", "terminal"))
    book_routes(router)
    describe(router, "the public door")
    app.add_exception_handler(HTTPException, no_such_page)
    app.add_exception_handler(Exception, unexpected_error)
    app.add_middleware(Headers, terminals=lambda: opens.terminals)
    app.add_middleware(Paced)
    return app


async def main(line_fd: int, listener_fd: int) -> None:
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=line_fd), limit=2**20)
    opens = await messages.receive(reader)
    assert isinstance(opens, messages.Opens), opens
    feeds = RelayedFeeds()
    certificate, key = (Path(file) if file else None for file in (opens.certificate, opens.key))
    proxies = Proxies(opens.trusted_proxies, opens.forwarded)
    most = min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
    door = Listener(
        public_app(opens, feeds),
        certificate,
        key,
        tls=opens.tls,
        proxies=proxies,
        most=most,
        most_from_one=MOST_FROM_ONE,
    )
    await door.serve(socket.socket(fileno=listener_fd))
    asking = asyncio.create_task(_ask(feeds, writer))
    try:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                match await messages.receive(reader):
                    case messages.View() as view:
                        feeds.receive(view)
                    case messages.Books() as sent:
                        feeds.books |= {book.hash: book for book in map(book_of, sent.texts)}
                    case other:
                        raise AssertionError(other)
    finally:
        asking.cancel()
        feeds.close()
        await door.close()


async def _ask(feeds: RelayedFeeds, writer: asyncio.StreamWriter) -> None:
    """Send the list of wanted views whenever it changes."""
    sent: tuple[tuple[str, ...], ...] | None = None
    while True:
        wanted = feeds.wanted()
        if wanted != sent:
            messages.send(writer, messages.ViewsWanted(wanted))
            await writer.drain()
            sent = wanted
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await feeds.news.wait()
        feeds.news.clear()


if __name__ == "__main__":
    import signal

    for sign in (signal.SIGINT, signal.SIGTERM):  # the floor's process ends this one by closing its socket
        signal.signal(sign, signal.SIG_IGN)
    os.nice(GIVES_WAY)
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
