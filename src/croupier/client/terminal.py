"""A Player Terminal as a program. An act is kept until it is answered, and sent again after every lost connection."""

from __future__ import annotations

import asyncio
import random
import secrets
import ssl
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, get_type_hints

import msgspec
from picows import WSError, WSFrame, WSHandshakeError, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.rules.refusal import as_refused

Answer = p.Ok | p.No
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(p.AnySaid).decode
_FIELDS = get_type_hints(p.RoomView)
CONNECTING = 5.0
"""Seconds for which a door may take to answer before the next one is tried."""
PATIENCE = 8.0
"""Seconds without a database after which the terminal tries another machine of the floor."""
_FOR_GOOD = (p.Closed.UNKNOWN_TOKEN, p.Closed.TAKEN_OVER)
"""The reasons of a close after which connecting again is of no use."""


class SentAway(Exception):
    """The floor does not want this terminal: its token is not known, its seat is open elsewhere, or its origin."""


class _Open:
    """An act or a question without an answer yet."""

    __slots__ = ("answer", "body", "message")

    def __init__(self, body: bytes, message: Any, answer: asyncio.Future[p.AnyAnswer]) -> None:
        self.body = body
        self.message = message
        self.answer = answer


class TerminalClient(WSListener):
    """One seat, while inside `async with`. The state of the floor is in `room`, `own` and `closes_at`.

    An act without an answer is sent again on the next connection, with the same id, so it counts once. A connection
    that ends is opened again, and the updates go on from the last one. `SentAway` is raised where that is of no use.
    """

    def __init__(self, address: str, token: str, *, tls: ssl.SSLContext | None = None, origin: str = "") -> None:
        self._doors = [address]
        """The addresses of the floor's doors. The first is the one that was given."""
        self._at = address
        self._token = token
        self._tls = tls
        self._headers = {"Origin": origin} if origin else None
        self._transport: WSTransport | None = None
        self._open: dict[str, _Open] = {}
        # An id must never be used twice, not even after this program was started again.
        self._ids = secrets.token_hex(5)
        self._asked = 0
        self._gone = asyncio.Event()
        self._greeted = asyncio.Event()
        self._changed: list[asyncio.Future[None]] = []
        self._keeper: asyncio.Task[None] | None = None
        self._why_away: SentAway | None = None
        self._seq = 0
        self.welcome: p.Welcome
        self.room: p.RoomView
        self.own: p.Own
        self.closes_at: float | None = None
        """When bets close, on the clock of the running loop."""
        self.motion: p.MotionShown | None = None
        """The last picture of dice or ball."""
        self.faults: list[str] = []
        self.connections = 0
        """How often the terminal was connected."""
        self.moves = 0
        """How often the terminal was sent to another machine of the floor."""
        self._away: asyncio.TimerHandle | None = None

    @property
    def connected(self) -> bool:
        return self._greeted.is_set()

    async def __aenter__(self) -> TerminalClient:
        self._keeper = asyncio.create_task(self._keep_connected())
        greeted = asyncio.create_task(self._greeted.wait())
        try:
            await asyncio.wait((greeted, self._keeper), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.__aexit__(None, None, None)
            raise
        finally:
            greeted.cancel()
        if self._keeper.done():
            self._keeper.result()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        if (transport := self._transport) is not None:
            transport.disconnect()
            await transport.wait_disconnected()

    # ---- acts and questions of a Player

    async def bet(self, box: str, stake: int, id: str | None = None) -> Answer:
        """Bet in the open round. Returns once the bet is on disk or refused."""
        return (await self.bets([(box, stake)], [id] if id else None))[0]

    async def bets(self, bets: Sequence[tuple[str, int]], ids: Sequence[str] | None = None) -> list[Answer]:
        """Place several bets in one message, as with one touch. Each has its own answer."""
        named = [
            p.NewBet(id, box, Cents(stake)) for id, (box, stake) in zip(ids or self._some(bets), bets, strict=True)
        ]
        answers = await self._ask(p.Bets(self.room.round, tuple(named)), named)
        return [_yes_or_no(answer) for answer in answers]

    async def withdraw(self, bet: str, amount: int) -> Answer:
        """Withdraw an amount of a bet. `bet` is its id in `own`."""
        return _yes_or_no(await self._ask_one(p.Withdraw(self._next_id(), bet, Cents(amount))))

    async def ticket_in(self, ticket: str, id: str | None = None) -> Answer:
        return _yes_or_no(await self._ask_one(p.TicketIn(id or self._next_id(), ticket)))

    async def ticket_out(self, amount: int, id: str | None = None) -> Answer:
        """Turn credit into a ticket. Its number is in the answer."""
        return _yes_or_no(await self._ask_one(p.TicketOut(id or self._next_id(), Cents(amount))))

    async def choose_layout(self, layout: str) -> Answer:
        return _yes_or_no(await self._ask_one(p.ShowLayout(self._next_id(), layout)))

    async def recall(self, round: int | None = None) -> tuple[p.OwnRound, ...]:
        """The Player's rounds: the last ten, newest first, or one by its number. Refused if it is another Player's."""
        answer = await self._ask_one(p.Recall(self._next_id(), round))
        assert isinstance(answer, p.Rounds)
        return answer.rounds

    async def receipt(self, bet: str, round: int | None = None) -> str:
        """A registered bet, signed by the floor, as a text to save."""
        answer = await self._ask_one(p.Receipt(self._next_id(), bet, round))
        assert isinstance(answer, p.Signed)
        return answer.receipt

    async def rules(self) -> p.Book:
        """The game, and every box of the layout with its odds."""
        answer = await self._ask_one(p.Rules(self._next_id()))
        assert isinstance(answer, p.Book)
        return answer

    async def changed(self) -> None:
        """Wait for the next message of the floor."""
        if self._why_away is not None:
            raise self._why_away
        waiting = asyncio.get_running_loop().create_future()
        self._changed.append(waiting)
        await waiting

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition is true. It is checked after every message of the floor."""
        while not condition():
            await self.changed()

    # ---- sending

    def _next_id(self) -> str:
        self._asked += 1
        return f"{self._ids}-{self._asked}"

    def _some(self, bets: Sequence[object]) -> list[str]:
        return [self._next_id() for _ in bets]

    async def _ask_one(self, message: p.AnyAct | p.AnyQuestion) -> p.AnyAnswer:
        return (await self._ask(message, [message]))[0]

    async def _ask(self, message: p.Bets | p.AnyAct | p.AnyQuestion, parts: Sequence[Any]) -> list[p.AnyAnswer]:
        """Keep a message, send it, and wait until every part is answered. Refused if a question is refused."""
        if self._why_away is not None:
            raise self._why_away
        loop, body = asyncio.get_running_loop(), _encode(message)
        for part in parts:
            self._open[part.id] = _Open(body, part, loop.create_future())
        waiting = [self._open[part.id].answer for part in parts]
        self._send(body)
        try:
            answers = await asyncio.gather(*waiting)
        finally:
            for part in parts:
                self._open.pop(part.id, None)
        if isinstance(answers[0], p.No) and isinstance(message, p.Recall | p.Receipt | p.Rules):
            raise as_refused(answers[0])
        return answers

    def _send(self, body: bytes) -> None:
        if self._transport is not None and self._greeted.is_set():
            self._transport.send(WSMsgType.TEXT, body)

    # ---- the connection

    async def _keep_connected(self) -> None:
        """Connect whenever there is no connection, until that is of no use."""
        wait = 0.05
        while True:
            self._gone.clear()
            before = self.connections, self.moves
            try:
                async with asyncio.timeout(CONNECTING):  # a machine without power does not even refuse
                    transport, _ = await ws_connect(
                        lambda: self,
                        self._at,
                        ssl_context=self._tls,
                        extra_headers=self._headers,
                        enable_auto_ping=True,
                    )
                # A connection that was cut in its handshake is returned too, without a call that it is closed.
                if not transport.is_disconnected:
                    await self._gone.wait()
            except WSHandshakeError as error:
                if error.response is not None and error.response.status == 403:
                    self._give_up(SentAway("the floor allows no terminal from this origin"))
            except (OSError, WSError, TimeoutError):
                pass
            self._greeted.clear()
            if self._why_away is not None:
                raise self._why_away
            if (self.connections, self.moves) == before:
                wait = min(1.0, wait * 2)
                self._next_door()
            else:
                wait = 0.05
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))

    def _next_door(self) -> None:
        """This door does not answer, or its machine has no database: try the next one."""
        place = self._doors.index(self._at) + 1 if self._at in self._doors else 0
        self._at = self._doors[place % len(self._doors)]

    def _leave_for_next_door(self) -> None:
        """This machine has had no database for some time. Perhaps another one has."""
        if self._transport is not None and self.room.away and len(self._doors) > 1:
            self._next_door()
            self._transport.disconnect()

    def _give_up(self, why: SentAway) -> None:
        self._why_away = why
        for waiting in self._open.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(why)
        self._wake_waiting()

    def _wake_waiting(self) -> None:
        waiting, self._changed = self._changed, []
        for one in waiting:
            if not one.done():
                one.set_exception(self._why_away) if self._why_away else one.set_result(None)

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.send(WSMsgType.TEXT, _encode(p.Hello(p.VERSION, self._token, self._seq)))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if self._transport is transport:
            self._transport = None
            self._greeted.clear()
        if self._away is not None:
            self._away.cancel()
            self._away = None
        self._gone.set()
        self._wake_waiting()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            payload = frame.get_payload_as_bytes()
            if int.from_bytes(payload[:2], "big") in _FOR_GOOD:
                self._give_up(SentAway(payload[2:].decode()))
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT:
            self._receive(_decode(frame.get_payload_as_bytes()))

    # ---- messages of the floor

    def _receive(self, message: p.AnySaid) -> None:
        match message:
            case p.Welcome():
                self.welcome = message
                self._doors = list(dict.fromkeys((self._doors[0], *message.nodes)))
            case p.Moved():
                self._at = message.address
                self.moves += 1
            case p.Room():
                self._room_is(message, message.room)
            case p.News():
                self._room_is(message, merged(self.room, message.changed))
            case p.Own():
                self.own = message
                if not self._greeted.is_set():
                    self._resume()
            case p.MotionShown():
                self.motion = message
            case p.BadMessage():
                self.faults.append(message.message)
            case p.Unknown():
                if (waiting := self._open.get(message.id)) is not None:
                    asyncio.get_running_loop().call_later(0.1, self._send, waiting.body)
            case p.Pong():
                pass
            case _:
                self._answered(message)
        self._wake_waiting()

    def _room_is(self, message: p.Room | p.News, room: p.RoomView) -> None:
        self._seq, self.room = message.seq, room
        self._closing(message.closes_in)
        if self._away is not None and not room.away:
            self._away.cancel()
            self._away = None
        elif self._away is None and room.away:
            self._away = asyncio.get_running_loop().call_later(PATIENCE, self._leave_for_next_door)

    def _closing(self, milliseconds: int | None) -> None:
        now = asyncio.get_running_loop().time()
        self.closes_at = None if milliseconds is None else now + milliseconds / 1000

    def _resume(self) -> None:
        """Welcomed, with the state of the floor: send again what has no answer yet."""
        self.connections += 1
        self._greeted.set()
        for body in dict.fromkeys(waiting.body for waiting in self._open.values()):
            self._send(body)

    def _answered(self, answer: p.Ok | p.No | p.Rounds | p.Signed | p.Book) -> None:
        waiting = self._open.get(answer.id)
        if waiting is None or waiting.answer.done():
            return
        if isinstance(answer, p.Ok):
            self.own = after(self.own, waiting.message, answer)
        waiting.answer.set_result(answer)


def _yes_or_no(answer: p.AnyAnswer) -> Answer:
    assert isinstance(answer, p.Ok | p.No)
    return answer


def merged(room: p.RoomView, changed: dict[str, msgspec.Raw]) -> p.RoomView:
    """The room with its news. Past rounds are merged by their number."""
    new = {name: msgspec.json.decode(raw, type=_FIELDS[name]) for name, raw in changed.items() if name in _FIELDS}
    if "past" in new:
        past = {one.round: one for one in (*room.past, *new["past"])}
        new["past"] = tuple(past[number] for number in sorted(past)[-60:])
    return msgspec.structs.replace(room, **new)


def after(own: p.Own, asked: Any, ok: p.Ok) -> p.Own:
    """The terminal's own state after an act that was answered."""
    bets = own.bets
    if isinstance(asked, p.NewBet):
        if all(bet.id != ok.bet for bet in bets):
            bets = (*bets, p.OwnBet(ok.bet, asked.box, asked.stake, own.layout))
    elif isinstance(asked, p.Withdraw):
        bets = tuple(_less(bet, asked.amount) if bet.id == asked.bet else bet for bet in bets)
        bets = tuple(bet for bet in bets if bet.stake > 0)
    return msgspec.structs.replace(own, credit=ok.credit, held=ok.held, bets=bets)


def _less(bet: p.OwnBet, amount: int) -> p.OwnBet:
    return msgspec.structs.replace(bet, stake=Cents(bet.stake - amount))
