"""A Player Terminal as a program: says hello, bets, resends what was not answered, and comes back by itself."""

from __future__ import annotations

import asyncio
from types import TracebackType

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.rules.money import Cents
from croupier.server import protocol as p

Answer = p.Ok | p.No
_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[p.AnySaid] = msgspec.json.Decoder(p.AnySaid)


class TerminalClient(WSListener):
    """One seat. What it asks is kept until it is answered, and sent again after every cut."""

    def __init__(self, address: str, token: str) -> None:
        self._address = address
        self._token = token
        self._transport: WSTransport | None = None
        self._open: dict[str, tuple[bytes, asyncio.Future[Answer]]] = {}
        self._ids = 0
        self._gone = asyncio.Event()
        self._greeted = asyncio.Event()
        self._changed = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self.welcome: p.Welcome | None = None
        self.room: p.Room | None = None
        self.own: p.Own | None = None
        self.faults: list[str] = []
        self.connections = 0

    async def __aenter__(self) -> TerminalClient:
        self._keeper = asyncio.create_task(self._keep_connected())
        await self._greeted.wait()
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

    # ---- what a Player does

    async def bet(self, box: str, stake: int, id: str | None = None) -> Answer:
        """Bet in the round that is open; answered once it is on disk, or refused."""
        round = self.room.room.round if self.room else 0
        return await self._ask(p.Bet(id or self._next_id(), round, box, Cents(stake)))

    async def withdraw(self, bet: str, amount: int) -> Answer:
        return await self._ask(p.Withdraw(self._next_id(), bet, Cents(amount)))

    async def ticket_in(self, ticket: str) -> Answer:
        return await self._ask(p.TicketIn(self._next_id(), ticket))

    async def ticket_out(self, amount: int) -> Answer:
        return await self._ask(p.TicketOut(self._next_id(), Cents(amount)))

    async def changed(self) -> None:
        """Wait for the next push."""
        self._changed.clear()
        await self._changed.wait()

    def _next_id(self) -> str:
        self._ids += 1
        start = self.welcome.seq if self.welcome else 0
        return f"{start}-{self._ids}"

    async def _ask(self, said: p.Bet | p.Withdraw | p.TicketIn | p.TicketOut) -> Answer:
        body = _encode(said)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[said.id] = (body, answer)
        self._send(body)
        try:
            return await answer
        finally:
            self._open.pop(said.id, None)

    # ---- the connection

    def _send(self, body: bytes) -> None:
        if self._transport is not None and self._greeted.is_set():
            self._transport.send(WSMsgType.TEXT, body)

    async def _keep_connected(self) -> None:
        while True:
            self._gone.clear()
            try:
                await ws_connect(lambda: self, self._address)
            except OSError:
                await asyncio.sleep(0.1)
                continue
            await self._gone.wait()
            self._greeted.clear()
            await asyncio.sleep(0.05)

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.connections += 1
        transport.send(WSMsgType.TEXT, _encode(p.Hello(p.VERSION, self._token)))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._transport = None
        self._gone.set()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            if frame.msg_type == WSMsgType.CLOSE:
                transport.disconnect()
            return
        self._hear(_decoder.decode(frame.get_payload_as_bytes()))

    def _hear(self, said: p.AnySaid) -> None:
        match said:
            case p.Welcome():
                self.welcome = self.welcome or said
                self._greeted.set()
                for body, _ in self._open.values():
                    self._send(body)
            case p.Room():
                self.room = said
                self._changed.set()
            case p.Own():
                self.own = said
                self._changed.set()
            case p.Ok() | p.No():
                waiting = self._open.get(said.id)
                if waiting is not None and not waiting[1].done():
                    waiting[1].set_result(said)
            case p.Unknown():
                waiting = self._open.get(said.id)
                if waiting is not None:
                    asyncio.get_running_loop().call_later(0.05, self._send, waiting[0])
            case p.Fault():
                self.faults.append(said.message)
