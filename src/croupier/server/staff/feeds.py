"""Views that are pushed: made once for all who look at the same one, told as what changed since each of them looked.

A viewer has one message under way at most. Who reads slowly gets fewer, newer messages; who does not read at all is cut
off. So what waits for viewers is bounded, whatever they do.
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
"""Seconds in which a viewer must take a message."""
SOONEST = 0.05
"""Seconds between two makings of one view; more, if making it takes more than a tenth of that."""
AGAIN = 10.0
"""Seconds after which a view is made again though nothing happened: requests expire, paces fall."""
MOST_VIEWERS = 500
"""Sockets of people who have signed in, and as many again of everyone: nobody can crowd the staff out."""

ENDED = 4001
"""The session is over: sign in again."""
NOT_FOR_YOU = 1008
CUT = 1013
"""Come back: you did not read, or there are too many."""

View = Callable[[], tuple[int, msgspec.Struct]]
"""Makes a view: the number of the row it shows, and what is shown. Refused if it may no longer be seen."""

_encode = msgspec.json.Encoder().encode


class Push(msgspec.Struct, frozen=True, omit_defaults=True):
    """A push: first a whole snapshot, then what changed, if only the hour. `now` is the floor's clock."""

    seq: int
    now: int
    snapshot: msgspec.Raw | None = None
    changed: dict[str, msgspec.Raw] | None = None


class Viewer:
    """One socket that looks at a feed."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.sent: dict[str, bytes] | None = None
        self.told_at = 0
        self.news = asyncio.Event()
        self.leaving: tuple[int, str] | None = None

    def leave(self, code: int, why: str) -> None:
        self.leaving = self.leaving or (code, why)
        self.news.set()


class Feed:
    """One view and all who look at it."""

    def __init__(self, make: View, now: Callable[[], int]) -> None:
        self._make = make
        self._now = now
        self.viewers: set[Viewer] = set()
        self.seq = 0
        self.fields: dict[str, bytes] = {}
        self._dirty = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self.resting = False
        """What happens next is looked at at once."""

    def touch(self) -> None:
        """Something happened that this view may show."""
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
            self._look()
            # However much is on the table, making views leaves nine tenths of the time to the table itself.
            await asyncio.sleep(max(SOONEST, 10 * (time.perf_counter() - begin)))

    def _look(self) -> None:
        try:
            self.seq, view = self._make()
        except Refused as no:
            for viewer in self.viewers:
                viewer.leave(leaving(no), of_error(no)[:100])
            return
        fields = {name: _encode(getattr(view, name)) for name in view.__struct_fields__}
        # What did not change stays the same object: comparing it again costs nothing.
        self.fields = {name: old if (old := self.fields.get(name)) == body else body for name, body in fields.items()}
        for viewer in self.viewers:
            viewer.news.set()

    def told(self, viewer: Viewer) -> bytes | None:
        """What this viewer has not heard yet; after a while that nothing changed, so that silence means a cut line."""
        before, viewer.sent = viewer.sent, self.fields
        now = self._now()
        if before is None:
            whole = b"{" + b",".join(_encode(name) + b":" + body for name, body in self.fields.items()) + b"}"
            viewer.told_at = now
            return _encode(Push(self.seq, now, snapshot=msgspec.Raw(whole)))
        changed = {
            name: msgspec.Raw(body)
            for name, body in self.fields.items()
            if body is not (old := before.get(name)) and body != old
        }
        if not changed and now - viewer.told_at < AGAIN * 1000:
            return None
        viewer.told_at = now
        return _encode(Push(self.seq, now, changed=changed))


class Feeds:
    """Every feed of this door, by what it shows and for whom."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._feeds: dict[tuple[str, ...], Feed] = {}
        self.most = MOST_VIEWERS
        self.cut = 0
        """Viewers that were cut off because they did not read."""

    @property
    def sockets(self) -> int:
        return sum(len(feed.viewers) for feed in self._feeds.values())

    def _like(self, session: str) -> int:
        """Sockets of people who have signed in, or of those who have not."""
        viewers = (viewer for feed in self._feeds.values() for viewer in feed.viewers)
        return sum(bool(viewer.session) == bool(session) for viewer in viewers)

    def touch(self, kind: str, *names: str) -> None:
        """Something happened that the views of this kind, or of this kind and these names, may show."""
        for key, feed in self._feeds.items():
            if key[: len(names) + 1] == (kind, *names):
                feed.touch()

    def end(self, session: str) -> None:
        """A session is over: so are its sockets."""
        for feed in self._feeds.values():
            for viewer in feed.viewers:
                if viewer.session == session:
                    viewer.leave(ENDED, "the session has ended; sign in again")

    def look_again(self) -> None:
        """Whoever looks may not be allowed to any more."""
        for feed in self._feeds.values():
            feed.touch()

    def close(self) -> None:
        for feed in self._feeds.values():
            for viewer in feed.viewers:
                viewer.leave(1012, "the floor closes")

    async def show(self, socket: WebSocket, session: str, key: tuple[str, ...], make: View) -> None:
        """Push a view to a socket until one of them ends."""
        await socket.accept()
        if self._like(session) >= self.most:
            await socket.close(CUT, "too many screens are open")
            return
        viewer = Viewer(session)
        listening = asyncio.create_task(_listen(socket, viewer))
        try:
            await self.tell(viewer, key, make, lambda body: socket.send_text(body.decode()))
            if viewer.leaving is not None:
                async with asyncio.timeout(PATIENCE):
                    await socket.close(*viewer.leaving)
        except TimeoutError:
            self.cut += 1
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # it went while we spoke
        finally:
            listening.cancel()

    async def tell(
        self, viewer: Viewer, key: tuple[str, ...], make: View, send: Callable[[bytes], Awaitable[None]]
    ) -> None:
        """Push a view to a viewer until it leaves; TimeoutError if it takes nothing."""
        feed = self._feeds.get(key) or self._feeds.setdefault(key, self._feed(key, make))
        feed.join(viewer)
        try:
            while True:
                await viewer.news.wait()
                viewer.news.clear()
                if viewer.leaving is not None:
                    return
                body = feed.told(viewer) if feed.fields else None
                if body is not None:
                    async with asyncio.timeout(PATIENCE):
                        await send(body)
        finally:
            feed.part(viewer)
            if not feed.viewers and self._feeds.get(key) is feed:
                del self._feeds[key]

    def _feed(self, key: tuple[str, ...], make: View) -> Feed:
        return Feed(make, self._now)


def leaving(no: Refused) -> int:
    """How a screen is closed that may not be shown: for good, or until all is well again."""
    return CUT if isinstance(no, Unavailable) else NOT_FOR_YOU


async def _listen(socket: WebSocket, viewer: Viewer) -> None:
    """A viewer has nothing to say here; that it goes is heard."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    viewer.leave(1000, "")
