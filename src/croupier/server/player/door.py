"""The terminals' door: a WebSocket for each seat; bounded in both directions; nothing answered before it is on disk."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import resource
import ssl
from collections.abc import Collection, Coroutine, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from picows import (
    WSCloseCode,
    WSListener,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)

from croupier.floor.floor import Floor, LiveTable
from croupier.floor.motion import may_be_seen
from croupier.protocol import terminal as p
from croupier.server.player.absence import Absent
from croupier.server.player.connection import TEXT, Terminal
from croupier.server.player.handshakes import Strangers
from croupier.server.player.records import Records
from croupier.server.player.room_feed import RoomFeed, encode
from croupier.server.proxies import Proxies
from croupier.server.sessions import EndedSession, Sessions
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import SeatId
from croupier.table.permits import SYSTEM
from croupier.table.tickets import ticket_number

_log = logging.getLogger("croupier.terminals")


class Bounds(NamedTuple):
    """What one terminal may cost the others."""

    message: int = 16 * 1024
    """Bytes of one message from a terminal."""
    waiting: int = 200
    """Its acts that may wait for their answers."""
    acts: int = 50
    """Acts and questions a second, in the long run; and as many at once as `burst`."""
    burst: int = 300
    unread: int = 256 * 1024
    """Bytes it may leave unread before it is cut off; it comes back and reads how things stand."""
    unsent: int = 64 * 1024
    """Bytes the system may hold for it on top of that."""
    faults: int = 20
    """Messages that are none before it is cut off."""
    hello: float = 5
    """Seconds for the handshake, and again for the first message."""
    idle: float = 40
    """Seconds without a sign of life; half-way it is asked for one."""
    away: float = 10
    """Seconds a terminal with bets on the table may be gone before the table is told."""
    terminals: int = 20_000
    strangers: int = 10_000
    """Connections whose hello was not taken yet, half of them from one address; never more than a quarter of what may
    be open. Where there are more, the address that has the most gives up its oldest."""


class TerminalDoor:
    """Listens for terminals, and pushes to them what they may see. The counters only grow."""

    def __init__(
        self,
        floor: Floor,
        sessions: Sessions,
        *,
        origins: Collection[str] = (),
        tls: ssl.SSLContext | None = None,
        bounds: Bounds | None = None,
        zone: str = "Asia/Singapore",
        proxies: Proxies | None = None,
    ) -> None:
        self.floor = floor
        self.sessions = sessions
        self.origins = frozenset(origins)
        self.bounds = bounds or Bounds()
        self.zone = zone
        """The House's: every screen shows its local time."""
        self.rooms: dict[str, RoomFeed] = {}
        self.connected: set[Terminal] = set()
        self.here: dict[str, dict[SeatId, Terminal]] = {}
        """Who was welcomed, by table."""
        self.accepted = 0
        self.refused = 0
        """Connections sent away: a foreign origin, a token that is not known, no room."""
        self.heard = 0
        """Acts and questions taken."""
        self.faults = 0
        """Messages that are none."""
        self.slowed = 0
        """Acts and questions refused because they came too fast, or too many waited."""
        self.cut: dict[str, int] = dict.fromkeys(("faults", "silent", "unread", "too fast", "replaced", "retired"), 0)
        """Terminals cut off, and why."""
        self.broken = 0
        """Connections that spoke no WebSocket."""
        self.moved = 0
        """Terminals sent to the machine that works their table."""
        self.records: Records
        self._tls = tls
        self._absent = Absent(self.bounds.away)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self.strangers = Strangers(min(self.bounds.strangers, files // 4), proxies=proxies)
        self._most = min(self.bounds.terminals, files - self.strangers.most - 100)
        self._secret = hashlib.blake2b((floor.premises.keys / "signing.key").read_bytes()).digest()
        sessions.on_end(self._ended)

    # ---- opening and closing

    async def open(self, host: str, port: int) -> int:
        """Listen; the port, which may have been 0 for any."""
        self.records = Records(self.floor)
        for live in self.floor.tables.values():
            self.rooms[live.name] = RoomFeed(live, self.floor.store, self.floor.clock)
            self.here[live.name] = {}
            live.watchers.append(self._push)
            live.picture_watchers.append(self._show)
        if self.floor.cluster is not None:
            self.floor.cluster.listeners.append(self._owner_changed)
        tls: dict[str, Any] = {"ssl": self._tls, "ssl_handshake_timeout": self.bounds.hello} if self._tls else {}
        connection = partial(
            self.strangers.protocol,
            self._greet,
            _Counting(self),
            handshake=self.bounds.hello,
            message=self.bounds.message,
            buffer=2_048,
        )
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(connection, host, port, backlog=4_096, **tls)
        self.start(self._sweep())
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Tell every terminal, and wait until they are gone."""
        if self._server is None:
            return
        for live in self.floor.tables.values():
            live.watchers.remove(self._push)
            live.picture_watchers.remove(self._show)
        if self.floor.cluster is not None:
            self.floor.cluster.listeners.remove(self._owner_changed)
        self._server.close()
        self._server = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for terminal in tuple(self.connected):
            terminal.leave(WSCloseCode.SERVICE_RESTART, "the floor closes; your bets are safe")
        for _ in range(300):
            if not self.connected:
                break
            await asyncio.sleep(0.01)
        for terminal in tuple(self.connected):
            terminal.abort()
        self.records.close()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run beside; it ends with the door."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- more than one machine

    def address_of(self, table: str) -> str:
        """The door of the machine that works a table, if it is another."""
        cluster = self.floor.cluster
        owner = cluster.owner_of(table) if cluster is not None else None
        return owner.terminals if owner is not None else ""

    def nodes(self) -> tuple[str, ...]:
        """The doors of all machines of this floor, if there is more than one."""
        cluster = self.floor.cluster
        doors = sorted(said.terminals for said in cluster.nodes.values() if said.terminals) if cluster else []
        return tuple(doors) if len(doors) > 1 else ()

    def _is_of_a_node(self, origin: str) -> bool:
        """A page of another machine of this floor, whose table has moved here."""
        cluster = self.floor.cluster
        return cluster is not None and any(origin in said.origins for said in cluster.nodes.values())

    def _owner_changed(self, stream: str) -> None:
        """Terminals go where their table has gone; where it has come to, they begin with how things stand."""
        live = self.floor.tables.get(stream)
        if live is None:
            return
        here = list(self.here[stream].values())
        if live.recorder.owned:
            self.rooms[stream], live.there = RoomFeed(live, self.floor.store, self.floor.clock), set(self.here[stream])
            for terminal in here:
                terminal.leave(p.Closed.UNREAD, "this machine works the table now; come back")
            now = asyncio.get_running_loop().time()
            for seat in live.table.seats:  # whoever does not come here either has dropped out
                self._absent.left(live, seat, now)
            return
        for terminal in here:
            terminal.move(stream)

    # ---- coming and going

    def _greet(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self.origins and not self._is_of_a_node(origin):
            return self._sent_away(HTTPStatus.FORBIDDEN, b"this origin is not allowed")
        if sum(map(len, self.here.values())) >= self._most:
            return self._sent_away(HTTPStatus.SERVICE_UNAVAILABLE, b"there are too many terminals here")
        # Some browsers write `Connection: keep-alive, Upgrade`, which is as good (RFC 6455, 4.2.1).
        if "upgrade" in (word.strip().lower() for word in request.headers.get("Connection", "").split(",")):
            request.headers["Connection"] = "Upgrade"
        self.accepted += 1
        return Terminal(self)

    def _sent_away(self, status: HTTPStatus, why: bytes) -> WSUpgradeResponseWithListener:
        self.refused += 1
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(status, why), None)

    def came(self, terminal: Terminal, room: RoomFeed) -> None:
        """A terminal said hello: what else is open for its seat is closed, and it is the seat."""
        older = self.here[room.live.name].get(terminal.seat)
        if older is not None and older is not terminal:
            self.cut["replaced"] += 1
            older.leave(p.Closed.TAKEN_OVER, "this seat is open on another terminal")
        self.here[room.live.name][terminal.seat] = terminal
        room.live.there.add(terminal.seat)
        self._absent.came(room.live, terminal.seat)

    def left(self, terminal: Terminal, room: RoomFeed) -> None:
        here = self.here[room.live.name]
        if here.get(terminal.seat) is terminal:
            del here[terminal.seat]
            room.live.there.discard(terminal.seat)
            if room.live.recorder.owned:  # else it has gone where its table is
                self._absent.left(room.live, terminal.seat, asyncio.get_running_loop().time())

    def _ended(self, ended: EndedSession) -> None:
        """A terminal was retired: its connection ends with it."""
        for terminal in tuple(self.connected):
            if terminal.key == ended.key:
                self.cut["retired"] += 1
                terminal.leave(p.Closed.UNKNOWN_TOKEN, f"this terminal is not known any more: {ended.why}")

    def ticket_number(self, table: str, seat: SeatId, id: str) -> str:
        """The number of the ticket that an act makes: the same whenever it is sent again, known to nobody before."""
        digest = hashlib.blake2b(f"{table}\n{seat}\n{id}".encode(), key=self._secret).digest()
        return ticket_number(int.from_bytes(digest[:16], "big") % 10**16)

    # ---- pushing

    def _push(self, live: LiveTable, entries: Sequence[AnyEntry]) -> None:
        """After a commit: the news to all, if there are any; his own to everyone whose own changed."""
        room, here = self.rooms[live.name], self.here[live.name]
        try:
            news, seats = room.hear(entries)
        except Exception:  # what is on disk stands: a bug in telling it stops no table
            _log.exception("what happened at %s could not be told; its terminals begin with a snapshot", live.name)
            self.rooms[live.name] = RoomFeed(live, self.floor.store, self.floor.clock)
            for terminal in list(here.values()):
                terminal.leave(p.Closed.UNREAD, "something was not told; come back")
            return
        if news is not None:
            for terminal in list(here.values()):
                terminal.tell(TEXT, news)
        for seat in seats:
            if (there := here.get(seat)) is not None:
                there.tell(TEXT, room.own(seat))

    def _show(self, live: LiveTable) -> None:
        """A picture of what dice or ball do, to all. No face leaves before the book lets it be seen."""
        picture = live.picture
        if picture is None:
            return
        faces = picture.faces if may_be_seen(live.table) else ()
        body = encode(p.MotionShown(picture.round, picture.stage, picture.number, picture.of, faces, picture.rate))
        for terminal in list(self.here[live.name].values()):
            terminal.tell(TEXT, body)

    # ---- once a second

    async def _sweep(self) -> None:
        """Let bounds recover, look for the silent, tell of those that stay away, push what no commit has told."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1)
            now = loop.time()
            for terminal in tuple(self.connected):
                terminal.sweep(now)
            for live in self.floor.tables.values():
                self._push(live, ())
                if live.recorder.followed and not live.away:
                    # Its machine had not opened its doors yet when the table went there.
                    for terminal in list(self.here[live.name].values()):
                        terminal.move(live.name)
                if live.recorder.owned and (seats := self._absent.due(live, now)):
                    command = m.InterruptTerminals(SYSTEM, self.floor.clock.now(), seats)
                    self.floor.submit(live.recorder, command, "", lambda _: None)


class _Counting(logging.LoggerAdapter[logging.Logger]):
    """What picows would write down: strangers' nonsense is counted, and only faults of our own are logged."""

    def __init__(self, door: TerminalDoor) -> None:
        super().__init__(_log, {})
        self._door = door

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802
        return level >= logging.ERROR

    def log(self, level: int, msg: object, *args: object, **kwargs: Any) -> None:
        if kwargs.get("exc_info"):
            _log.log(level, msg, *args, **kwargs)
        elif level >= logging.ERROR:
            self._door.broken += 1
