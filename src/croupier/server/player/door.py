"""The terminals' door: one WebSocket for each seat, bounded in both directions. No answer leaves before its row is on
disk."""

from __future__ import annotations

import asyncio
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
from croupier.floor.motion_picture import may_be_seen
from croupier.protocol import terminal as p
from croupier.server.player.absence import AbsentTerminals
from croupier.server.player.connection import TEXT, Terminal
from croupier.server.player.handshakes import AnonymousConnections
from croupier.server.player.records import Records
from croupier.server.player.room_feed import RoomFeed, encode
from croupier.server.proxies import Proxies
from croupier.server.sessions import EndedSession, Sessions
from croupier.server.ticket_numbers import TicketNumbers
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import SeatId
from croupier.table.permits import SYSTEM

_log = logging.getLogger("croupier.terminals")


class Bounds(NamedTuple):
    """Limits on what one terminal may send and leave unread, so that no terminal slows the others."""

    message: int = 16 * 1024
    """Bytes of one message from a terminal."""
    waiting: int = 200
    """Acts of one terminal that may wait for their answers."""
    acts: int = 50
    """Acts and questions a second in the long run. `burst` is how many may come at once."""
    burst: int = 300
    unread: int = 256 * 1024
    """Bytes a terminal may leave unread before it is cut off. It may reconnect and start from the whole room."""
    unsent: int = 64 * 1024
    """Further bytes that may wait in the send buffer of the operating system."""
    faults: int = 20
    """Malformed messages before a terminal is cut off."""
    hello: float = 5
    """Seconds for the handshake, and again for the first message."""
    idle: float = 40
    """Seconds of silence before a terminal is cut off. It is pinged after half of them."""
    away: float = 10
    """Seconds a terminal with bets on the table may be disconnected before the table counts it as interrupted."""
    terminals: int = 20_000
    anonymous: int = 10_000
    """Connections without an accepted hello. At most half come from one address, and in all at most a quarter of the
    files this process may open. If there are more, the address with the most loses its oldest."""


class TerminalDoor:
    """Listens for terminals and pushes to each what it may see. The counters only grow."""

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
        """The time zone of the House: every screen shows its local time."""
        self.rooms: dict[str, RoomFeed] = {}
        self.connected: set[Terminal] = set()
        self.welcomed: dict[str, dict[SeatId, Terminal]] = {}
        """The terminals that were welcomed, by table and seat."""
        self.accepted = 0
        self.refused = 0
        """Connections refused: a foreign origin, an unknown token, too many terminals."""
        self.taken = 0
        """Acts and questions accepted."""
        self.faults = 0
        """Malformed messages."""
        self.slowed = 0
        """Acts and questions refused because they came too fast, or because too many waited."""
        self.cut: dict[str, int] = dict.fromkeys(("faults", "silent", "unread", "too fast", "replaced", "retired"), 0)
        """Terminals cut off, by cause."""
        self.broken = 0
        """Connections that failed to speak WebSocket."""
        self.moved = 0
        """Terminals sent to the machine that owns their table."""
        self.records: Records
        self._tls = tls
        self._absent = AbsentTerminals(self.bounds.away)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self.anonymous = AnonymousConnections(min(self.bounds.anonymous, files // 4), proxies=proxies)
        self._most = min(self.bounds.terminals, files - self.anonymous.most - 100)
        self.ticket_numbers = TicketNumbers(floor.premises)
        sessions.on_end(self._ended)

    # ---- opening and closing

    async def open(self, host: str, port: int) -> int:
        """Listen. Returns the port: if 0 was asked for, the one that the system chose."""
        self.records = Records(self.floor)
        for live in self.floor.tables.values():
            self.rooms[live.name] = RoomFeed(live, self.floor.store, self.floor.clock)
            self.welcomed[live.name] = {}
            self.floor.subscribe(live.name, self._push)
            live.picture_watchers.append(self._show)
        if self.floor.cluster is not None:
            self.floor.cluster.listeners.append(self._owner_changed)
        tls: dict[str, Any] = {"ssl": self._tls, "ssl_handshake_timeout": self.bounds.hello} if self._tls else {}
        connection = partial(
            self.anonymous.protocol,
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
        """Close every connection with the reason, and wait until all are gone."""
        if self._server is None:
            return
        for live in self.floor.tables.values():
            self.floor.unsubscribe(live.name, self._push)
            live.picture_watchers.remove(self._show)
        if self.floor.cluster is not None:
            self.floor.cluster.listeners.remove(self._owner_changed)
        self._server.close()
        self._server = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for terminal in tuple(self.connected):
            terminal.leave(WSCloseCode.SERVICE_RESTART, "the floor is closing; your bets are safe")
        for _ in range(300):
            if not self.connected:
                break
            await asyncio.sleep(0.01)
        for terminal in tuple(self.connected):
            terminal.abort()
        self.records.close()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task that is cancelled when the door closes."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- more than one machine

    def address_of(self, table: str) -> str:
        """The address of the terminals' door at the machine that owns a table; empty if that is this machine."""
        cluster = self.floor.cluster
        owner = cluster.owner_of(table) if cluster is not None else None
        return owner.terminals if owner is not None else ""

    def nodes(self) -> tuple[str, ...]:
        """The addresses of the terminals' doors of all machines, if the floor has more than one."""
        cluster = self.floor.cluster
        doors = sorted(node.terminals for node in cluster.nodes.values() if node.terminals) if cluster else []
        return tuple(doors) if len(doors) > 1 else ()

    def _is_of_a_node(self, origin: str) -> bool:
        """True for a page that another machine of this floor served: its table may have moved to this machine."""
        cluster = self.floor.cluster
        return cluster is not None and any(origin in node.origins for node in cluster.nodes.values())

    def _owner_changed(self, stream: str) -> None:
        """Send terminals to the new owner of their table; if that is this machine, they start from the whole room."""
        live = self.floor.tables.get(stream)
        if live is None:
            return
        terminals = list(self.welcomed[stream].values())
        if live.recorder.owned:
            self.rooms[stream] = RoomFeed(live, self.floor.store, self.floor.clock)
            live.connected_seats = set(self.welcomed[stream])
            for terminal in terminals:
                terminal.leave(p.Closed.UNREAD, "this machine has taken over the table; connect again")
            now = asyncio.get_running_loop().time()
            for seat in live.table.seats:  # seats whose terminals do not reconnect to this machine count as absent
                self._absent.left(live, seat, now)
            return
        for terminal in terminals:
            terminal.move(stream)

    # ---- coming and going

    def _greet(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self.origins and not self._is_of_a_node(origin):
            return self._reject(HTTPStatus.FORBIDDEN, b"this origin is not allowed")
        if sum(map(len, self.welcomed.values())) >= self._most:
            return self._reject(HTTPStatus.SERVICE_UNAVAILABLE, b"this machine has too many terminals")
        # Some browsers write `Connection: keep-alive, Upgrade`, which is as good (RFC 6455, 4.2.1).
        if "upgrade" in (word.strip().lower() for word in request.headers.get("Connection", "").split(",")):
            request.headers["Connection"] = "Upgrade"
        self.accepted += 1
        return Terminal(self)

    def _reject(self, status: HTTPStatus, why: bytes) -> WSUpgradeResponseWithListener:
        self.refused += 1
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(status, why), None)

    def joined(self, terminal: Terminal, room: RoomFeed) -> None:
        """The terminal now speaks for its seat. An older connection for the same seat is closed."""
        older = self.welcomed[room.live.name].get(terminal.seat)
        if older is not None and older is not terminal:
            self.cut["replaced"] += 1
            older.leave(p.Closed.TAKEN_OVER, "this seat is open on another terminal")
        self.welcomed[room.live.name][terminal.seat] = terminal
        room.live.connected_seats.add(terminal.seat)
        self._absent.returned(room.live, terminal.seat)

    def parted(self, terminal: Terminal, room: RoomFeed) -> None:
        welcomed = self.welcomed[room.live.name]
        if welcomed.get(terminal.seat) is terminal:
            del welcomed[terminal.seat]
            room.live.connected_seats.discard(terminal.seat)
            if room.live.recorder.owned:  # otherwise the terminal followed its table to another machine
                self._absent.left(room.live, terminal.seat, asyncio.get_running_loop().time())

    def _ended(self, ended: EndedSession) -> None:
        """Close the connection of a terminal that was retired."""
        for terminal in tuple(self.connected):
            if terminal.key == ended.key:
                self.cut["retired"] += 1
                terminal.leave(p.Closed.UNKNOWN_TOKEN, f"this terminal was retired: {ended.why}")

    # ---- pushing

    def _push(self, table: str, entries: Sequence[AnyEntry]) -> None:
        """After a commit: send the news of the room to all terminals, and each changed seat its own state."""
        live, room, welcomed = self.floor.tables[table], self.rooms[table], self.welcomed[table]
        try:
            news, seats = room.apply(entries)
        except Exception:  # the rows are on disk: a bug in showing them must not stop the table
            _log.exception("the news of %s could not be made; its terminals start from a snapshot", live.name)
            self.rooms[live.name] = RoomFeed(live, self.floor.store, self.floor.clock)
            for terminal in list(welcomed.values()):
                terminal.leave(p.Closed.UNREAD, "an update was lost; connect again")
            return
        if news is not None:
            for terminal in list(welcomed.values()):
                terminal.send(TEXT, news)
        for seat in seats:
            if (of_seat := welcomed.get(seat)) is not None:
                of_seat.send(TEXT, room.seat_message(seat))

    def _show(self, live: LiveTable) -> None:
        """Send all terminals the picture of the moving dice or ball. Faces are left out until the book lets them be
        seen."""
        picture = live.picture
        if picture is None:
            return
        faces = picture.faces if may_be_seen(live.table) else ()
        body = encode(p.MotionShown(picture.round, picture.stage, picture.number, picture.of, faces, picture.rate))
        for terminal in list(self.welcomed[live.name].values()):
            terminal.send(TEXT, body)

    # ---- once a second

    async def _sweep(self) -> None:
        """Let bounds recover, ping or cut silent terminals, report absent ones, push changes that no commit made."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1)
            now = loop.time()
            for terminal in tuple(self.connected):
                terminal.sweep(now)
            for live in self.floor.tables.values():
                self._push(live.name, ())
                if live.recorder.followed and not live.away:
                    # The new owner had not yet opened its doors when the table moved.
                    for terminal in list(self.welcomed[live.name].values()):
                        terminal.move(live.name)
                if live.recorder.owned and (seats := self._absent.due(live, now)):
                    command = m.InterruptTerminals(SYSTEM, self.floor.clock.now(), seats)
                    self.floor.submit(live.recorder, command, "", lambda _: None)


class _Counting(logging.LoggerAdapter[logging.Logger]):
    """The log of picows: broken connections are counted, and only exceptions in our code are logged."""

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
