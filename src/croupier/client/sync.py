"""The same Player Terminal for programs without asyncio: a thread of its own keeps the connection."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, TypeVar

from croupier.client.terminal import Answer, TerminalClient
from croupier.protocol import terminal as p

T = TypeVar("T")


class SyncTerminalClient:
    """One seat, while inside `with`. Every method is that of `TerminalClient`, and waits at most `seconds`.

    Not for use by several threads at once.
    """

    def __init__(
        self, address: str, token: str, *, tls: ssl.SSLContext | None = None, origin: str = "", seconds: float = 60
    ) -> None:
        self._make: Callable[[], TerminalClient] = lambda: TerminalClient(address, token, tls=tls, origin=origin)
        self._seconds = seconds
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="terminal", daemon=True)
        self._terminal: TerminalClient

    def __enter__(self) -> SyncTerminalClient:
        self._thread.start()
        try:
            self._run(self._enter())
        except BaseException:
            self._stop()
            raise
        return self

    async def _enter(self) -> None:
        self._terminal = self._make()
        await self._terminal.__aenter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self._run(self._terminal.__aexit__(kind, error, at))
        finally:
            self._stop()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, self._seconds), self._loop).result()

    @property
    def welcome(self) -> p.Welcome:
        return self._terminal.welcome

    @property
    def room(self) -> p.RoomView:
        return self._terminal.room

    @property
    def own(self) -> p.Own:
        return self._terminal.own

    def bet(self, box: str, stake: int, id: str | None = None) -> Answer:
        return self._run(self._terminal.bet(box, stake, id))

    def bets(self, bets: Sequence[tuple[str, int]]) -> list[Answer]:
        return self._run(self._terminal.bets(bets))

    def withdraw(self, bet: str, amount: int) -> Answer:
        return self._run(self._terminal.withdraw(bet, amount))

    def ticket_in(self, ticket: str) -> Answer:
        return self._run(self._terminal.ticket_in(ticket))

    def ticket_out(self, amount: int) -> Answer:
        return self._run(self._terminal.ticket_out(amount))

    def choose_layout(self, layout: str) -> Answer:
        return self._run(self._terminal.choose_layout(layout))

    def recall(self, round: int | None = None) -> tuple[p.OwnRound, ...]:
        return self._run(self._terminal.recall(round))

    def receipt(self, bet: str, round: int | None = None) -> str:
        return self._run(self._terminal.receipt(bet, round))

    def rules(self) -> p.Book:
        return self._run(self._terminal.rules())

    def until(self, condition: Callable[[], object]) -> None:
        self._run(self._terminal.until(condition))
