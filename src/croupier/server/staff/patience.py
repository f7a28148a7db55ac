"""HTTP connections that must say something in time, and of which one address holds only so many."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""In which the head of a request must come, from its first byte or from the beginning of the connection."""
MOST_FROM_ONE = 300
"""Connections of one address: whoever opens more shuts out himself, and nobody else."""


class Impatient(H11Protocol):
    """A connection that is cut if a request begins and does not go on."""

    patience = HEAD_SECONDS
    most = MOST_FROM_ONE
    _late: asyncio.TimerHandle | None = None
    _host = ""
    """From where it came; empty if it was turned away."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        hosts, host = self._hosts(), str((transport.get_extra_info("peername") or ("?",))[0])
        if hosts[host] >= self.most:  # before anything is made for it: a crowd shall cost little
            transport.abort()
            return
        hosts[host] += 1
        self._host = host
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._host:
            return
        hosts = self._hosts()
        hosts[self._host] -= 1
        if not hosts[self._host]:
            del hosts[self._host]
        self._stop()
        super().connection_lost(exc)

    def _hosts(self) -> Counter[str]:
        """How many connections each address has at this door."""
        hosts: Counter[str] = vars(self.server_state).setdefault("hosts", Counter())
        return hosts

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()  # a whole head has come
        elif self._late is None and self.transport.get_protocol() is self:
            self._wait()  # the first bytes of another request

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._late = asyncio.get_running_loop().call_later(self.patience, self._cut)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE and not (self.cycle and not self.cycle.response_complete):
            self.transport.abort()
