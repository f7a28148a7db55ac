"""A printer of tickets on the network, which answers as a thermal printer does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from croupier.devices.printer import OFFLINE_CAUSE, PAPER, WHEN_DONE, PrinterPort

WELL = 0b0001_0010


class NetworkPrinter:
    """Answers as a thermal printer does; `cause` and `paper` are its sensors, `mute` what it no longer answers."""

    def __init__(self) -> None:
        self.cause = self.paper = WELL
        self.mute: tuple[bytes, ...] = ()
        self.hangs_up_on: bytes = b"never"
        self.printed = b""
        self.asked = 0
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken = b""
        with suppress(ConnectionError):
            while data := await reader.read(4096):
                taken += data
                if self.hangs_up_on in taken:
                    break
                for question, answer in ((OFFLINE_CAUSE, self.cause), (PAPER, self.paper), (WHEN_DONE, 0)):
                    if taken.endswith(question) and question not in self.mute:
                        self.printed += taken.removesuffix(question)
                        self.asked += question == PAPER
                        taken = b""
                        writer.write(bytes([answer]))
        writer.close()


@asynccontextmanager
async def network_printer(timeout: float = 60) -> AsyncIterator[tuple[NetworkPrinter, PrinterPort]]:
    printer = NetworkPrinter()
    server = await asyncio.start_server(printer.serve, "127.0.0.1", 0)
    printer.port = server.sockets[0].getsockname()[1]
    try:
        yield printer, PrinterPort("p1", f"127.0.0.1:{printer.port}", timeout=timeout, every=0.02)
    finally:
        server.close()
        await asyncio.sleep(0.02)
