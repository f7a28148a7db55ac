"""One connection of a terminal. Before its hello it can do nothing; then it acts for the seat of its token only."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused, RefusedAs, Unavailable
from croupier.rules.wrong_values import faults_of_json
from croupier.server.player.book import book_of
from croupier.server.player.handshakes import TerminalProtocol
from croupier.server.player.room_feed import RoomFeed, encode
from croupier.server.sessions import key_of
from croupier.store.recorder import Answer
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, BetId, RoundNumber, SeatId
from croupier.table.permits import SYSTEM
from croupier.wire import repeated_key
from croupier.words import refusal

if TYPE_CHECKING:
    from croupier.server.player.door import TerminalDoor

TEXT = WSMsgType.TEXT
DAY = 24 * 60 * 60 * 1000
GRACE = 0.5
"""Seconds for a terminal that is cut off to read the reason."""
COSTS = {p.Recall: 20, p.Receipt: 5, p.Rules: 5}
"""How many acts a question counts for."""

_decode = msgspec.json.Decoder(p.AnyDo).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def _is_plain_bet(message: p.AnyDo, body: bytes) -> bool:
    """True for bets in which no key can stand twice. This counts quotes: two around each of the 3 + 3 keys and the
    1 + 2 texts. All keys are required and no others are allowed, so a repeated key adds two quotes. A quote within a
    text adds one; such a message is then read again for repeated keys."""
    return type(message) is p.Bets and body.count(b'"') == 8 + 10 * len(message.bets)


def _discard(kind: WSMsgType, body: bytes) -> None:
    """What `send` does once the terminal has gone."""


class Terminal(WSListener):
    __slots__ = (
        "_active",
        "_bounds",
        "_connection",
        "_door",
        "_faults",
        "_floor",
        "_left",
        "_pinged",
        "_prefix",
        "_room",
        "_since",
        "_transport",
        "_waiting",
        "key",
        "seat",
        "send",
    )

    def __init__(self, door: TerminalDoor) -> None:
        self._door = door
        self._floor = door.floor
        self._bounds = door.bounds
        self._transport: WSTransport | None = None
        self._connection: TerminalProtocol | None = None
        self._room: RoomFeed | None = None
        self.seat = SeatId("")
        self._prefix = ""
        self.key = ""
        """The digest of its token, after its hello."""
        self.send: Any = _discard
        """Sends a message. A terminal that leaves too much unread is cut off."""
        self._waiting = 0
        self._faults = 0
        self._left = door.bounds.burst
        """Acts it may do now."""
        self._active = False
        """Has it sent anything since the last sweep?"""
        self._pinged = False
        self._since = 0.0
        """When it connected, or was last active."""

    # ---- the connection

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.send = transport.send
        self._since = asyncio.get_running_loop().time()
        stream = transport.underlying_transport
        connection = stream.get_protocol()
        assert isinstance(connection, TerminalProtocol)
        self._connection = connection
        headers = transport.request.headers.items()
        connection.read_origin([(name.encode(), value.encode()) for name, value in headers])
        stream.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._bounds.unsent)
        stream.set_write_buffer_limits(high=self._bounds.unread)
        self._door.connected.add(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._transport = self._connection = None
        self.send = _discard
        self._door.connected.discard(self)
        if self._room is not None:
            self._door.parted(self, self._room)

    def pause_writing(self) -> None:
        """Cut off a terminal that leaves too much unread. It may reconnect and start from the whole room."""
        self._door.cut["unread"] += 1
        self.abort()

    def resume_writing(self) -> None: ...

    def leave(self, code: WSCloseCode | p.Closed, why: str, *, grace: float = 0) -> None:
        """Close the connection with a reason. A terminal that does not answer the close is cut off."""
        if self._transport is not None and self.send is not _discard:
            self.send = _discard
            self._transport.send_close(cast(WSCloseCode, code), why.encode()[:120])
            loop = asyncio.get_running_loop()
            loop.call_later(grace, self._transport.disconnect) if grace else self._transport.disconnect()
            loop.call_later(2, self.abort)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def sweep(self, now: float) -> None:
        """Once a second: let its bounds recover, and ping it or cut it off if it is silent."""
        if self._left < self._bounds.burst:
            self._left = min(self._bounds.burst, self._left + self._bounds.acts)
        if not self.key:
            if now - self._since > self._bounds.hello:
                self._cut("silent", "no hello was sent in time")
        elif self._active:
            self._active, self._pinged, self._since = False, False, now
        elif now - self._since > self._bounds.idle:
            self._door.cut["silent"] += 1
            self.abort()
        elif not self._pinged and now - self._since > self._bounds.idle / 2 and self._transport is not None:
            self._pinged = True
            self._transport.send_ping()

    def _cut(self, why: str, message: str, code: WSCloseCode | p.Closed = p.Closed.NO_SENSE) -> None:
        """Read nothing more, and close after a moment. An immediate close with unread input would reset the connection,
        and the terminal would never read the reason."""
        if self._transport is not None and self.send is not _discard:
            self._door.cut[why] += 1
            self._transport.underlying_transport.pause_reading()
            self.leave(code, message, grace=GRACE)

    # ---- messages from the terminal

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self.send is _discard:
            return  # the connection is being closed: messages that were already under way are not accepted
        self._active = True
        if frame.rsv1 or frame.rsv2 or frame.rsv3:  # no extension was agreed on that uses them (RFC 6455, 5.2)
            self._cut("faults", "a reserved bit is set", WSCloseCode.PROTOCOL_ERROR)
            return
        if frame.msg_type is not TEXT or not frame.fin:
            self._other(transport, frame)
            return
        body = frame.get_payload_as_bytes()  # reading a memoryview takes three times as long
        try:
            message = _decode(body)
            repeated = None if _is_plain_bet(message, body) else repeated_key(body)
        except _UNREADABLE:
            self._fault("; ".join(map(str, faults_of_json(p.AnyDo, body))))
            return
        if repeated is not None:
            self._fault(f"{repeated} is given twice")
            return
        room = self._room
        if room is None:
            self._before_welcome(message)
        elif type(message) is p.Bets:
            self._bets(room, message)
        else:
            self._handle(room, message)

    def _other(self, transport: WSTransport, frame: WSFrame) -> None:
        match frame.msg_type:
            case WSMsgType.CLOSE:
                transport.send_close(WSCloseCode.OK)
                transport.disconnect()
            case WSMsgType.PING if self._spend(1):
                transport.send_pong(frame.get_payload_as_bytes())
            case WSMsgType.PING | WSMsgType.PONG:
                pass
            case _:
                self._fault("one text frame is one message")

    def _fault(self, message: str) -> None:
        self._faults += 1
        self._door.faults += 1
        self.send(TEXT, encode(p.BadMessage(message)))
        if self._faults >= self._bounds.faults:
            self._cut("faults", "too many malformed messages")

    def _spend(self, acts: int) -> bool:
        """Count acts; False if there are too many now. A terminal that does not slow down is cut off."""
        self._left -= acts
        if self._left >= 0:
            self._door.taken += acts
            return True
        self._door.slowed += acts
        if self._left < -self._bounds.burst:
            self._cut("too fast", "too many messages at once")
        return False

    def _before_welcome(self, message: p.AnyDo) -> None:
        if not isinstance(message, p.Hello):
            self._fault("wait for the welcome" if self.key else "send hello first")
        elif self.key:
            self._fault("hello was already sent")
        elif message.version != p.VERSION:
            self._fault(f"this floor speaks version {p.VERSION}, not {message.version}")
        else:
            self._hello(message)

    def _handle(self, room: RoomFeed, message: p.AnyDo) -> None:
        match message:
            case p.Hello():
                self._fault("hello was already sent")
            case p.Ping():
                if self._spend(1):
                    self.send(TEXT, encode(p.Pong(self._floor.clock.now())))
            case p.Recall() | p.Receipt() | p.Rules():
                if self._may((message,), COSTS[type(message)]):
                    self._door.start(self._look_up(room, message))
            case p.Bets():
                self._bets(room, message)
            case _:
                if self._may((message,), 1):
                    self._act(room, message)

    # ---- hello

    def _hello(self, message: p.Hello, *, caught_up: bool = False) -> None:
        if self._door.sessions.office_unreadable:
            self.leave(
                WSCloseCode.SERVICE_RESTART, "this machine cannot read which terminals are enrolled; connect to another"
            )
            return
        seated = self._door.sessions.seat_of(message.token)
        room = self._door.rooms.get(seated.table) if seated else None
        if seated is None and self._floor.office.followed and not caught_up:
            self._door.start(self._hello_once_caught_up(message))
            return
        if seated is None or room is None:
            self._door.refused += 1
            self.leave(p.Closed.UNKNOWN_TOKEN, "this token is not known")
            return
        if self._connection is not None:
            self._connection.identified()
        live, served = room.live, room.live.recorder.owned or room.live.away or room.live.broken_at(self._floor.owner)
        if not served and not self.move(live.name):
            self.leave(WSCloseCode.SERVICE_RESTART, "the table is being taken over; connect again")
        if self.send is _discard:
            return
        self.key, self.seat, self._prefix = key_of(message.token), seated.seat, f"{seated.seat}."
        seat = room.live.table.seats.get(self.seat)
        if seat is None or seat.connected or self.seat not in room.cut_off:
            self._welcome(room, message.seen)
            return
        # The journal has this terminal as interrupted: it is restored before it is welcomed.
        command = m.RestoreTerminals(SYSTEM, self._floor.clock.now(), (self.seat,))
        self._floor.submit(room.live.recorder, command, "", lambda _: self._welcome(room, message.seen))

    async def _hello_once_caught_up(self, message: p.Hello) -> None:
        """Another machine may have enrolled this terminal a moment ago: read its rows first."""
        await self._door.sessions.catch_up(message.token)
        if self._transport is not None and not self.key:
            self._hello(message, caught_up=True)

    def move(self, table: str) -> bool:
        """Send the terminal to the machine that owns its table, if that is another and its address is known."""
        address = self._door.address_of(table)
        if address and self.send is not _discard:
            self.send(TEXT, encode(p.Moved(address)))
            self._door.moved += 1
            self.leave(p.Closed.MOVED, "another machine has this table")
        return bool(address)

    def _welcome(self, room: RoomFeed, seen: int) -> None:
        if self._transport is None:
            return
        self._room = room
        self._door.joined(self, room)
        live, book = room.live, room.live.table.book
        welcome = p.Welcome(
            p.VERSION,
            live.name,
            self.seat,
            book.id,
            book.identity.title,
            book.identity.operator,
            book.play.layout_of == "terminal",
            self._floor.clock.now(),
            self._door.zone,
            round(live.config.pace.warning * 1000),
            live.config.wheel,
            self._door.nodes(),
        )
        for body in (encode(welcome), *room.updates_since(seen), room.seat_message(self.seat)):
            self.send(TEXT, body)

    # ---- acts, answered once their rows are on disk

    def _may(self, acts: Sequence[p.NewBet | p.AnyAct | p.AnyQuestion], cost: int) -> bool:
        """Accept all of these acts, or refuse all of them. Refused acts may be sent again later."""
        if not self._spend(cost):
            no = Refused("rate", "acts", most=self._bounds.acts)
        elif self._waiting + len(acts) > self._bounds.waiting:
            self._door.slowed += cost
            no = Unavailable("busy", "answers", waiting=self._waiting)
        else:
            return True
        for act in acts:
            self._refused(act.id, no)
        return False

    def _refused(self, id: str, no: RefusedAs) -> None:
        self.send(TEXT, encode(p.No(id, no.reason, refusal(no), no.clause, no.case, dict(no.facts))))

    def _bets(self, room: RoomFeed, message: p.Bets) -> None:
        bets, seat, floor = message.bets, self.seat, self._floor
        if not self._may(bets, len(bets)):
            return
        self._waiting += len(bets)
        recorder, submit, now = room.live.recorder, floor.submit, floor.clock.now()
        number, prefix = RoundNumber(message.round), self._prefix
        for bet in bets:
            # The prefix keeps the ids of seats apart, so that no seat can use another's. The token decides who bets.
            command = m.PlaceBet(seat, now, BetId(prefix + bet.id), number, seat, bet.box, bet.stake)
            submit(recorder, command, "", partial(self._answer, room, bet.id, command.id))

    def _act(self, room: RoomFeed, message: p.AnyAct) -> None:
        seat, now, live = self.seat, self._floor.clock.now(), room.live
        command: AnyCommand
        id = ""
        match message:
            case p.Withdraw():
                command = m.WithdrawBet(seat, now, self._prefix + message.id, BetId(message.bet), message.amount)
            case p.TicketIn():
                # The act's id counts it once: a resend gets the same answer, another act finds the ticket redeemed.
                command = m.RedeemTicket(seat, now, seat, message.ticket, Cents(0), 0, "unknown")
                id = self._prefix + message.id
            case p.TicketOut():
                number = self._door.ticket_numbers.of(live.name, seat, message.id)
                command = m.CashOut(seat, now, seat, message.amount, number, now + live.config.ticket_days * DAY)
            case p.ShowLayout():
                command, id = m.ChooseLayout(seat, now, seat, message.layout), self._prefix + message.id
        self._waiting += 1
        self._floor.submit(live.recorder, command, id, partial(self._answer, room, message.id, BetId("")))

    def _answer(self, room: RoomFeed, id: str, bet: BetId, answer: Answer | None) -> None:
        self._waiting -= 1
        if answer is None:
            self.send(TEXT, encode(p.Unknown(id)))
            return
        entry = answer.entry
        if (refused := entry.refused) is not None:
            self._refused(id, refused)
            return
        seat, ticket = room.live.table.seats[self.seat], ""
        if type(entry.command) is m.CashOut:
            ticket = next((event.ticket for event in entry.events if isinstance(event, m.TicketIssued)), "")
        self.send(TEXT, encode(p.Ok(id, seat.credit, seat.held, ticket, bet)))

    # ---- questions

    async def _look_up(self, room: RoomFeed, message: p.AnyQuestion) -> None:
        live, seat = room.live, self.seat
        try:
            match message:
                case p.Rules():
                    sitting = live.table.seats.get(seat)
                    layout = sitting.layout if sitting else live.table.displayed[0]
                    answer: p.AnyAnswer = book_of(live.table.book, layout, message.id)
                case p.Receipt():
                    answer = p.Signed(
                        message.id, await self._door.records.receipt(live, seat, message.bet, message.round)
                    )
                case p.Recall() if message.round is None:
                    answer = p.Rounds(message.id, await room.last_rounds(seat, self._door.records))
                case p.Recall():
                    answer = p.Rounds(message.id, (await self._door.records.round(live, seat, message.round),))
        except Refused as no:
            self._refused(message.id, no)
        else:
            self.send(TEXT, encode(answer))
