"""Views that are pushed over WebSockets. A view is made once for all of its viewers, and each is sent what has changed
since its last message.

At most one message is under way to a viewer. A slow reader gets fewer messages, each up to date; one that does not read
at all is cut off. So the memory for unsent messages is bounded.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.rules.refusal import Refused, Unavailable
from croupier.words import of_error

PATIENCE = 20.0
"""Seconds in which a viewer must read a message."""
SOONEST = 0.05
"""Seconds before a view is made again; more, if making it takes longer than a tenth of that."""
AGAIN = 10.0
"""Seconds after which a view is made again although nothing happened: requests expire, paces fall."""
MOST_VIEWERS = 500
"""WebSockets of people who have signed in, and as many again of others, who so cannot crowd out the staff."""

ENDED = 4001
"""The session is over: sign in again."""
NOT_FOR_YOU = 1008
CUT = 1013
"""Try again later: the viewer did not read, or there are too many."""

View = Callable[[], tuple[int, msgspec.Struct]]
"""Makes a view: the number of the latest row, and the view. Refused if it may no longer be seen."""

_encode = msgspec.json.Encoder().encode


class Push(msgspec.Struct, frozen=True, omit_defaults=True):
    """A push: first a whole snapshot, then the fields that changed, or only the time. `now` is the floor's clock."""

    seq: int
    now: int
    snapshot: msgspec.Raw | None = None
    changed: dict[str, msgspec.Raw] | None = None


class Viewer:
    """One viewer of a feed."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.sent: dict[str, bytes] | None = None
        self.sent_at = 0
        self.news = asyncio.Event()
        self.leaving: tuple[int, str] | None = None

    def leave(self, code: int, why: str) -> None:
        self.leaving = self.leaving or (code, why)
        self.news.set()


class Feed:
    """One view and all of its viewers."""

    def __init__(self, make: View, now: Callable[[], int]) -> None:
        self._make = make
        self._now = now
        self.viewers: set[Viewer] = set()
        self.seq = 0
        self.fields: dict[str, bytes] = {}
        self._dirty = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self.resting = False
        """True while the next change will refresh the view at once."""

    def touch(self) -> None:
        """Have the view made again: something happened that it may show."""
        self._dirty.set()

    def join(self, viewer: Viewer) -> None:
        if self._keeper is None:
            self._dirty.set()
            self._keeper = asyncio.get_running_loop().create_task(self._keep())
        self.viewers.add(viewer)
        if self.fields:
            viewer.news.set()

    def part(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)
        if not self.viewers and self._keeper is not None:
            self._keeper.cancel()
            self._keeper = None
            self.fields = {}

    async def _keep(self) -> None:
        while True:
            self.resting = True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await self._dirty.wait()
            self.resting = False
            self._dirty.clear()
            begin = time.perf_counter()
            self._refresh()
            # However long it takes to make a view, nine tenths of the time are left for the tables.
            await asyncio.sleep(max(SOONEST, 10 * (time.perf_counter() - begin)))

    def _refresh(self) -> None:
        try:
            self.seq, view = self._make()
        except Refused as no:
            for viewer in self.viewers:
                viewer.leave(close_code(no), of_error(no)[:100])
            return
        fields = {name: _encode(getattr(view, name)) for name in view.__struct_fields__}
        # An unchanged field stays the same object, so that comparing it again costs nothing.
        self.fields = {name: old if (old := self.fields.get(name)) == body else body for name, body in fields.items()}
        for viewer in self.viewers:
            viewer.news.set()

    def next_message(self, viewer: Viewer) -> bytes | None:
        """What changed since the viewer's last message. After some seconds without a change the time alone is sent, so
        that a silent connection is a broken one."""
        before, viewer.sent = viewer.sent, self.fields
        now = self._now()
        if before is None:
            whole = b"{" + b",".join(_encode(name) + b":" + body for name, body in self.fields.items()) + b"}"
            viewer.sent_at = now
            return _encode(Push(self.seq, now, snapshot=msgspec.Raw(whole)))
        changed = {
            name: msgspec.Raw(body)
            for name, body in self.fields.items()
            if body is not (old := before.get(name)) and body != old
        }
        if not changed and now - viewer.sent_at < AGAIN * 1000:
            return None
        viewer.sent_at = now
        return _encode(Push(self.seq, now, changed=changed))


class Feeds:
    """Every feed of a door. Its key is what it shows, and for whom."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._feeds: dict[tuple[str, ...], Feed] = {}
        self.most = MOST_VIEWERS
        self.cut = 0
        """Viewers cut off because they did not read."""

    @property
    def sockets(self) -> int:
        return sum(len(feed.viewers) for feed in self._feeds.values())

    def _count_like(self, session: str) -> int:
        """How many WebSockets belong to people who have signed in, or to those who have not."""
        viewers = (viewer for feed in self._feeds.values() for viewer in feed.viewers)
        return sum(bool(viewer.session) == bool(session) for viewer in viewers)

    def touch(self, kind: str, *names: str) -> None:
        """Have the views of this kind, or of this kind and these names, made again."""
        for key, feed in self._feeds.items():
            if key[: len(names) + 1] == (kind, *names):
                feed.touch()

    def end(self, session: str) -> None:
        """Close the WebSockets of a session that has ended."""
        for feed in self._feeds.values():
            for viewer in feed.viewers:
                if viewer.session == session:
                    viewer.leave(ENDED, "the session has ended; sign in again")

    def refresh_all(self) -> None:
        """Make every view again, which checks that its viewers may still see it."""
        for feed in self._feeds.values():
            feed.touch()

    def close(self) -> None:
        for feed in self._feeds.values():
            for viewer in feed.viewers:
                viewer.leave(1012, "the floor is closing")

    async def show(self, socket: WebSocket, session: str, key: tuple[str, ...], make: View) -> None:
        """Push a view to a WebSocket until either ends."""
        await socket.accept()
        if self._count_like(session) >= self.most:
            await socket.close(CUT, "too many screens are open")
            return
        viewer = Viewer(session)
        disconnected = asyncio.create_task(_wait_for_disconnect(socket, viewer))
        try:
            await self.push(viewer, key, make, lambda body: socket.send_text(body.decode()))
            if viewer.leaving is not None:
                async with asyncio.timeout(PATIENCE):
                    await socket.close(*viewer.leaving)
        except TimeoutError:
            self.cut += 1
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # the viewer left while a message was under way
        finally:
            disconnected.cancel()

    async def push(
        self, viewer: Viewer, key: tuple[str, ...], make: View, send: Callable[[bytes], Awaitable[None]]
    ) -> None:
        """Push a view to a viewer until it leaves. TimeoutError if it does not read."""
        feed = self._feeds.get(key) or self._feeds.setdefault(key, self._feed(key, make))
        feed.join(viewer)
        try:
            while True:
                await viewer.news.wait()
                viewer.news.clear()
                if viewer.leaving is not None:
                    return
                body = feed.next_message(viewer) if feed.fields else None
                if body is not None:
                    async with asyncio.timeout(PATIENCE):
                        await send(body)
        finally:
            feed.part(viewer)
            if not feed.viewers and self._feeds.get(key) is feed:
                del self._feeds[key]

    def _feed(self, key: tuple[str, ...], make: View) -> Feed:
        return Feed(make, self._now)


def close_code(no: Refused) -> int:
    """The code that closes a screen: try again later if something is unavailable, otherwise not allowed."""
    return CUT if isinstance(no, Unavailable) else NOT_FOR_YOU


async def _wait_for_disconnect(socket: WebSocket, viewer: Viewer) -> None:
    """Drop everything that the viewer sends, until it disconnects."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    viewer.leave(1000, "")
