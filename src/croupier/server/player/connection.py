"""One connection of a terminal. Before it says hello it is nobody; then it is the seat of its token, nothing else."""

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
from croupier.server.player.book import book_of
from croupier.server.player.handshakes import Connection
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
"""Seconds for one that is cut off to read why."""
COSTS = {p.Recall: 20, p.Receipt: 5, p.Rules: 5}
"""Of questions, counted in acts."""

_decode = msgspec.json.Decoder(p.AnyDo).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def _is_plain_bet(said: p.AnyDo, body: bytes) -> bool:
    """Bets that give every key once, told by the quotes around keys and texts: two for each of the 3 + 3 keys and the
    1 + 2 texts. All must be there and others may not, so one key more is two quotes more; a quote within a text is one
    more too, and then it is looked at closely."""
    return type(said) is p.Bets and body.count(b'"') == 8 + 10 * len(said.bets)


def _nobody(kind: WSMsgType, body: bytes) -> None:
    """Told to a terminal that has gone."""


class Terminal(WSListener):
    __slots__ = (
        "_asked",
        "_bounds",
        "_connection",
        "_door",
        "_faults",
        "_floor",
        "_heard",
        "_left",
        "_prefix",
        "_room",
        "_since",
        "_transport",
        "_waiting",
        "key",
        "seat",
        "tell",
    )

    def __init__(self, door: TerminalDoor) -> None:
        self._door = door
        self._floor = door.floor
        self._bounds = door.bounds
        self._transport: WSTransport | None = None
        self._connection: Connection | None = None
        self._room: RoomFeed | None = None
        self.seat = SeatId("")
        self._prefix = ""
        self.key = ""
        """The digest of its token, once it said hello."""
        self.tell: Any = _nobody
        """Sends a message. What it does not read in time is the end of it."""
        self._waiting = 0
        self._faults = 0
        self._left = door.bounds.burst
        """Acts it may do at once."""
        self._heard = False
        """Since the last sweep."""
        self._asked = False
        self._since = 0.0
        """When it connected, or was last heard of."""

    # ---- the connection

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.tell = transport.send
        self._since = asyncio.get_running_loop().time()
        stream = transport.underlying_transport
        connection = stream.get_protocol()
        assert isinstance(connection, Connection)
        self._connection = connection
        headers = transport.request.headers.items()
        connection.comes_from([(name.encode(), value.encode()) for name, value in headers])
        stream.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._bounds.unsent)
        stream.set_write_buffer_limits(high=self._bounds.unread)
        self._door.connected.add(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._transport = self._connection = None
        self.tell = _nobody
        self._door.connected.discard(self)
        if self._room is not None:
            self._door.left(self, self._room)

    def pause_writing(self) -> None:
        """It leaves more unread than it may: it is cut off, comes back, and begins with how things stand."""
        self._door.cut["unread"] += 1
        self.abort()

    def resume_writing(self) -> None: ...

    def leave(self, code: WSCloseCode | p.Closed, why: str, *, grace: float = 0) -> None:
        """Say why, and close; whoever does not take note of it is cut off."""
        if self._transport is not None and self.tell is not _nobody:
            self.tell = _nobody
            self._transport.send_close(cast(WSCloseCode, code), why.encode()[:120])
            loop = asyncio.get_running_loop()
            loop.call_later(grace, self._transport.disconnect) if grace else self._transport.disconnect()
            loop.call_later(2, self.abort)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def sweep(self, now: float) -> None:
        """Once a second: let its bounds recover, and see whether it is still there."""
        if self._left < self._bounds.burst:
            self._left = min(self._bounds.burst, self._left + self._bounds.acts)
        if not self.key:
            if now - self._since > self._bounds.hello:
                self._cut("silent", "no hello came")
        elif self._heard:
            self._heard, self._asked, self._since = False, False, now
        elif now - self._since > self._bounds.idle:
            self._door.cut["silent"] += 1
            self.abort()
        elif not self._asked and now - self._since > self._bounds.idle / 2 and self._transport is not None:
            self._asked = True
            self._transport.send_ping()

    def _cut(self, why: str, message: str, code: WSCloseCode | p.Closed = p.Closed.NO_SENSE) -> None:
        """Read nothing more from it; closed at once, what it has sent and nobody reads would take the reason away."""
        if self._transport is not None and self.tell is not _nobody:
            self._door.cut[why] += 1
            self._transport.underlying_transport.pause_reading()
            self.leave(code, message, grace=GRACE)

    # ---- what it says

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self.tell is _nobody:
            return  # it was told to leave: what it had sent before is not taken any more
        self._heard = True
        if frame.rsv1 or frame.rsv2 or frame.rsv3:  # no extension was agreed on that would use them (RFC 6455, 5.2)
            self._cut("faults", "a reserved bit is set", WSCloseCode.PROTOCOL_ERROR)
            return
        if frame.msg_type is not TEXT or not frame.fin:
            self._other(transport, frame)
            return
        body = frame.get_payload_as_bytes()  # reading a memoryview takes three times as long
        try:
            said = _decode(body)
            repeated = None if _is_plain_bet(said, body) else repeated_key(body)
        except _UNREADABLE as error:
            self._fault(f"this cannot be read: {error}")
            return
        if repeated is not None:
            self._fault(f"{repeated} is given twice")
            return
        room = self._room
        if room is None:
            self._before_welcome(said)
        elif type(said) is p.Bets:
            self._bets(room, said)
        else:
            self._hear(room, said)

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
        self.tell(TEXT, encode(p.BadMessage(message)))
        if self._faults >= self._bounds.faults:
            self._cut("faults", "too many messages that are none")

    def _spend(self, acts: int) -> bool:
        """May it do so much now? One that does not stop asking is cut off."""
        self._left -= acts
        if self._left >= 0:
            self._door.heard += acts
            return True
        self._door.slowed += acts
        if self._left < -self._bounds.burst:
            self._cut("too fast", "too many messages at once")
        return False

    def _before_welcome(self, said: p.AnyDo) -> None:
        if not isinstance(said, p.Hello):
            self._fault("wait for the welcome" if self.key else "say hello first")
        elif self.key:
            self._fault("hello was said already")
        elif said.version != p.VERSION:
            self._fault(f"this floor speaks version {p.VERSION}, not {said.version}")
        else:
            self._hello(said)

    def _hear(self, room: RoomFeed, said: p.AnyDo) -> None:
        match said:
            case p.Hello():
                self._fault("hello was said already")
            case p.Ping():
                if self._spend(1):
                    self.tell(TEXT, encode(p.Pong(self._floor.clock.now())))
            case p.Recall() | p.Receipt() | p.Rules():
                if self._may((said,), COSTS[type(said)]):
                    self._door.start(self._look_up(room, said))
            case p.Bets():
                self._bets(room, said)
            case _:
                if self._may((said,), 1):
                    self._act(room, said)

    # ---- hello

    def _hello(self, said: p.Hello, *, heard: bool = False) -> None:
        if self._door.sessions.blind:
            self.leave(WSCloseCode.SERVICE_RESTART, "this machine cannot tell who is enrolled; come to another")
            return
        seated = self._door.sessions.seat_of(said.token)
        room = self._door.rooms.get(seated.table) if seated else None
        if seated is None and self._floor.office.followed and not heard:
            self._door.start(self._hear_of(said))
            return
        if seated is None or room is None:
            self._door.refused += 1
            self.leave(p.Closed.UNKNOWN_TOKEN, "this token is not known here")
            return
        if self._connection is not None:
            self._connection.known()
        live, here = room.live, room.live.recorder.owned or room.live.away or room.live.broken_at(self._floor.owner)
        if not here and not self.move(live.name):
            self.leave(WSCloseCode.SERVICE_RESTART, "the table is being taken over; come back")
        if self.tell is _nobody:
            return
        self.key, self.seat, self._prefix = key_of(said.token), seated.seat, f"{seated.seat}."
        seat = room.live.table.seats.get(self.seat)
        if seat is None or seat.connected or self.seat not in room.cut_off:
            self._welcome(room, said.seen)
            return
        # The table was told that it had dropped out; it plays again from here.
        command = m.RestoreTerminals(SYSTEM, self._floor.clock.now(), (self.seat,))
        self._floor.submit(room.live.recorder, command, "", lambda _: self._welcome(room, said.seen))

    async def _hear_of(self, said: p.Hello) -> None:
        """Perhaps another machine has enrolled it a moment ago."""
        await self._door.sessions.hear_of(said.token)
        if self._transport is not None and not self.key:
            self._hello(said, heard=True)

    def move(self, table: str) -> bool:
        """Send it to the machine that works its table, if that is another and known."""
        address = self._door.address_of(table)
        if address and self.tell is not _nobody:
            self.tell(TEXT, encode(p.Moved(address)))
            self._door.moved += 1
            self.leave(p.Closed.MOVED, "this table is worked by another machine")
        return bool(address)

    def _welcome(self, room: RoomFeed, seen: int) -> None:
        if self._transport is None:
            return
        self._room = room
        self._door.came(self, room)
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
        for body in (encode(welcome), *room.since(seen), room.own(self.seat)):
            self.tell(TEXT, body)

    # ---- acts: answered once they are on disk

    def _may(self, acts: Sequence[p.NewBet | p.AnyAct | p.AnyQuestion], cost: int) -> bool:
        """All of it, or none: what is too much is refused, and may be sent again later."""
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
        self.tell(TEXT, encode(p.No(id, no.reason, refusal(no), no.clause, no.case, dict(no.facts))))

    def _bets(self, room: RoomFeed, said: p.Bets) -> None:
        bets, seat, floor = said.bets, self.seat, self._floor
        if not self._may(bets, len(bets)):
            return
        self._waiting += len(bets)
        recorder, submit, now = room.live.recorder, floor.submit, floor.clock.now()
        number, prefix = RoundNumber(said.round), self._prefix
        for bet in bets:
            # Ids are this seat's own, so that nobody takes another's; whoever bets is known from the session.
            command = m.PlaceBet(seat, now, BetId(prefix + bet.id), number, seat, bet.box, bet.stake)
            submit(recorder, command, "", partial(self._answer, room, bet.id, command.id))

    def _act(self, room: RoomFeed, said: p.AnyAct) -> None:
        seat, now, live = self.seat, self._floor.clock.now(), room.live
        command: AnyCommand
        id = ""
        match said:
            case p.Withdraw():
                command = m.WithdrawBet(seat, now, self._prefix + said.id, BetId(said.bet), said.amount)
            case p.TicketIn():
                # Under its own id: sent again it is answered the same, asked for anew the ticket was redeemed already.
                command = m.RedeemTicket(seat, now, seat, said.ticket, Cents(0), 0, "unknown")
                id = self._prefix + said.id
            case p.TicketOut():
                number = self._door.ticket_number(live.name, seat, said.id)
                command = m.CashOut(seat, now, seat, said.amount, number, now + live.config.ticket_days * DAY)
            case p.ShowLayout():
                command, id = m.ChooseLayout(seat, now, seat, said.layout), self._prefix + said.id
        self._waiting += 1
        self._floor.submit(live.recorder, command, id, partial(self._answer, room, said.id, BetId("")))

    def _answer(self, room: RoomFeed, id: str, bet: BetId, answer: Answer | None) -> None:
        self._waiting -= 1
        if answer is None:
            self.tell(TEXT, encode(p.Unknown(id)))
            return
        entry = answer.entry
        if (refused := entry.refused) is not None:
            self._refused(id, refused)
            return
        seat, ticket = room.live.table.seats[self.seat], ""
        if type(entry.command) is m.CashOut:
            ticket = next((event.ticket for event in entry.events if isinstance(event, m.TicketIssued)), "")
        self.tell(TEXT, encode(p.Ok(id, seat.credit, seat.held, ticket, bet)))

    # ---- questions

    async def _look_up(self, room: RoomFeed, said: p.AnyQuestion) -> None:
        live, seat = room.live, self.seat
        try:
            match said:
                case p.Rules():
                    there = live.table.seats.get(seat)
                    layout = there.layout if there else live.table.displayed[0]
                    answer: p.AnyAnswer = book_of(live.table.book, layout, said.id)
                case p.Receipt():
                    answer = p.Signed(said.id, await self._door.records.receipt(live, seat, said.bet, said.round))
                case p.Recall() if said.round is None:
                    answer = p.Rounds(said.id, await room.last_rounds(seat, self._door.records))
                case p.Recall():
                    answer = p.Rounds(said.id, (await self._door.records.round(live, seat, said.round),))
        except Refused as no:
            self._refused(said.id, no)
        else:
            self.tell(TEXT, encode(answer))
