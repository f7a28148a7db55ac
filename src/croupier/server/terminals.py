"""The terminals' door: a WebSocket for each seat; bounded in both directions; nothing answered before it is on disk."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import socket
import ssl
from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

from croupier.floor.floor import Floor, LiveTable
from croupier.rules.money import Cents
from croupier.server import protocol as p
from croupier.server.sessions import Sessions
from croupier.store.record import Answer
from croupier.store.subjects import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, BetId, RoundNumber, SeatId
from croupier.table.tickets import ticket_number
from croupier.table.view import display_view, seat_view

MOST_BYTES = 4_096
"""Of one message from a terminal."""
MOST_WAITING = 64
"""Messages of one terminal that may wait for their answers."""
MOST_UNREAD = 256 * 1024
"""Bytes a terminal may leave unread before it is cut off; it comes back and reads how things stand."""
UNSENT = 64 * 1024
"""Bytes the system may hold for a terminal on top of that."""
MOST_FAULTS = 20
"""Unreadable messages before a terminal is cut off."""
HELLO_SECONDS = 5
DAY = 24 * 60 * 60 * 1000

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[p.AnyDo] = msgspec.json.Decoder(p.AnyDo)
_QUIET = (m.BetPlaced, m.BetWithdrawn)
"""Events that only their own seat need hear of; the answer tells it."""


class Seated(NamedTuple):
    table: str
    seat: SeatId


class Tokens:
    """Which terminal sits where: opaque tokens, of which only a digest is kept, for as long as the floor is open."""

    def __init__(self) -> None:
        self._seats: dict[bytes, Seated] = {}

    def issue(self, table: str, seat: SeatId) -> str:
        """A new token for a seat; an older one of that seat is worth nothing any more."""
        self.revoke(table, seat)
        token = secrets.token_urlsafe(32)
        self._seats[_digest(token)] = Seated(table, seat)
        return token

    def revoke(self, table: str, seat: SeatId) -> None:
        self._seats = {key: seated for key, seated in self._seats.items() if seated != (table, seat)}

    def seated(self, token: str) -> Seated | None:
        return self._seats.get(_digest(token))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class TerminalDoor:
    """Listens for terminals, and pushes to them what they may see."""

    def __init__(
        self,
        floor: Floor,
        sessions: Sessions | None = None,
        *,
        origins: Collection[str] = (),
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.floor = floor
        self.sessions = sessions
        self._tls = tls
        self.tokens = Tokens()
        self.origins = frozenset(origins)
        self.terminals: dict[Seated, Terminal] = {}
        self.cut = 0
        """Terminals that were cut off because they did not read, or did not speak sense."""
        self._server: asyncio.Server | None = None
        self._secret = hashlib.blake2b((floor.premises.keys / "signing.key").read_bytes()).digest()

    async def open(self, host: str, port: int) -> int:
        """Listen; the port, which may have been 0 for any."""
        self._server = await ws_create_server(
            self._greet,
            host,
            port,
            websocket_handshake_timeout=HELLO_SECONDS,
            ssl=self._tls,
            max_frame_size=MOST_BYTES,
            read_buffer_init_size=2_048,
            enable_auto_ping=True,
        )
        for live in self.floor.tables.values():
            live.watchers.append(self._push)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        for live in self.floor.tables.values():
            live.watchers.remove(self._push)
        if self._server is not None:
            self._server.close()
        for terminal in tuple(self.terminals.values()):
            terminal.leave(WSCloseCode.SERVICE_RESTART, "the floor closes; your bets are safe")
        for _ in range(100):
            if not self.terminals:
                break
            await asyncio.sleep(0.01)

    def _greet(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self.origins:
            refused = WSUpgradeResponse.create_error_response(HTTPStatus.FORBIDDEN, b"this origin is not allowed")
            return WSUpgradeResponseWithListener(refused, None)
        return Terminal(self)

    def _push(self, live: LiveTable, entries: Sequence[AnyEntry]) -> None:
        """After a commit: the room to all, if it changed for all; his own to everyone whose own changed."""
        events = [event for entry in entries for event in entry.events]
        if not any(not isinstance(event, _QUIET) for event in events):
            return
        here = [terminal for seated, terminal in self.terminals.items() if seated.table == live.name]
        room = self.room(live)
        for terminal in here:
            terminal.push(room)
            terminal.push(self.own(live, terminal.seat))

    def number_of(self, table: str, seat: SeatId, id: str) -> str:
        """The number of the ticket that an act makes: the same whenever it is sent again, known to nobody before."""
        digest = hashlib.blake2b(f"{table}\n{seat}\n{id}".encode(), key=self._secret).digest()
        return ticket_number(int.from_bytes(digest[:16], "big") % 10**16)

    def room(self, live: LiveTable) -> bytes:
        closes = None if live.closes_at is None else max(0, live.closes_at - self.floor.clock.now())
        return _encode(p.Room(live.recorder.place.seq, display_view(live.table), closes))

    def own(self, live: LiveTable, seat: SeatId) -> bytes:
        own = seat_view(live.table, seat)
        return _encode(p.Own(live.recorder.place.seq, own.credit, own.held, own.owes, own.bets, own.last_fates))


class Terminal(WSListener):
    """One connection. Before it says hello it is nobody; then it is the seat of its token, and nothing else."""

    def __init__(self, door: TerminalDoor) -> None:
        self._door = door
        self._transport: WSTransport | None = None
        self._live: LiveTable | None = None
        self.seat = SeatId("")
        self._waiting = 0
        self._faults = 0
        self._hello: asyncio.TimerHandle | None = None

    # ---- the connection

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        sock = transport.underlying_transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
        loop = asyncio.get_running_loop()
        self._hello = loop.call_later(HELLO_SECONDS, self.leave, WSCloseCode.POLICY_VIOLATION, "no hello came")

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._transport = None
        if self._hello is not None:
            self._hello.cancel()
        if self._live is not None:
            key = Seated(self._live.name, self.seat)
            if self._door.terminals.get(key) is self:
                del self._door.terminals[key]

    def leave(self, code: WSCloseCode, why: str) -> None:
        if self._transport is not None:
            self._transport.send_close(code, why.encode())
            self._transport.disconnect()

    def push(self, body: bytes) -> None:
        if self._transport is None:
            return
        if self._transport.underlying_transport.get_write_buffer_size() > MOST_UNREAD:
            self._door.cut += 1
            self._transport.disconnect(graceful=False)
            return
        self._transport.send(WSMsgType.TEXT, body)

    # ---- what it says

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
            return
        if frame.msg_type in (WSMsgType.PING, WSMsgType.PONG):
            return
        if frame.msg_type != WSMsgType.TEXT or not frame.fin:
            self._fault("one text frame is one message")
            return
        try:
            said = _decoder.decode(frame.get_payload_as_memoryview())
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._fault(f"cannot be read: {error}")
            return
        if isinstance(said, p.Hello):
            self._greeted(said)
        elif self._live is None:
            self._fault("say hello first")
        elif self._waiting >= MOST_WAITING:
            self.push(
                _encode(p.No(said.id, "busy", f"{MOST_WAITING} messages wait already; send it again later", None))
            )
        else:
            self._give(self._live, said)

    def _fault(self, message: str) -> None:
        self._faults += 1
        self.push(_encode(p.Fault(message)))
        if self._faults >= MOST_FAULTS:
            self._door.cut += 1
            self.leave(WSCloseCode.POLICY_VIOLATION, "too many messages that are none")

    def _greeted(self, said: p.Hello) -> None:
        if said.version != p.VERSION or self._live is not None:
            self._fault(f"this floor speaks version {p.VERSION}" if self._live is None else "hello was said already")
            return
        sessions = self._door.sessions
        known = sessions.seat_of(said.token) if sessions is not None else None
        seated = Seated(*known) if known is not None else self._door.tokens.seated(said.token)
        if seated is None:
            self.leave(WSCloseCode.POLICY_VIOLATION, "this token is not known here")
            return
        if self._hello is not None:
            self._hello.cancel()
        older = self._door.terminals.get(seated)
        if older is not None:
            older.leave(WSCloseCode.POLICY_VIOLATION, "this seat is open on another terminal")
        self._live, self.seat = self._door.floor.tables[seated.table], seated.seat
        self._door.terminals[seated] = self
        seq = self._live.recorder.place.seq
        layout = self._live.table.seats[self.seat].layout
        self.push(_encode(p.Welcome(p.VERSION, seated.table, self.seat, layout, seq)))
        if said.seen != seq:
            self.push(self._door.room(self._live))
            self.push(self._door.own(self._live, self.seat))

    def _give(self, live: LiveTable, said: p.Bet | p.Withdraw | p.TicketIn | p.TicketOut) -> None:
        self._waiting += 1
        self._door.floor.submit(
            live.recorder, self._command(live, said), "", lambda answer: self._answer(live, said.id, answer)
        )

    def _command(self, live: LiveTable, said: p.Bet | p.Withdraw | p.TicketIn | p.TicketOut) -> AnyCommand:
        """The act as the floor knows it: by this seat, now; ids are this seat's own, so that nobody takes another's."""
        seat, now = self.seat, self._door.floor.clock.now()
        match said:
            case p.Bet():
                bet = BetId(f"{seat}.{said.id}")
                return m.PlaceBet(seat, now, bet, RoundNumber(said.round), seat, said.box, said.stake)
            case p.Withdraw():
                return m.WithdrawBet(seat, now, f"{seat}.{said.id}", BetId(said.bet), said.amount)
            case p.TicketIn():
                return m.RedeemTicket(seat, now, seat, said.ticket, Cents(0), 0, "unknown")
            case p.TicketOut():
                number = self._door.number_of(live.name, seat, said.id)
                return m.CashOut(seat, now, seat, said.amount, number, now + live.config.ticket_days * DAY)

    def _answer(self, live: LiveTable, id: str, answer: Answer | None) -> None:
        self._waiting -= 1
        if answer is None:
            self.push(_encode(p.Unknown(id)))
            return
        refused = answer.entry.refused
        if refused is not None:
            self.push(_encode(p.No(id, refused.reason, refused.message, refused.clause)))
            return
        own = live.table.seats[self.seat]
        ticket = next((event.ticket for event in answer.entry.events if isinstance(event, m.TicketIssued)), "")
        self.push(_encode(p.Ok(id, own.credit, own.held, ticket)))
