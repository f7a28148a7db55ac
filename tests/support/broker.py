"""A broker on loopback that knows as much of MQTT as the tests need, and the shaker and camera behind it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

PUBLISH, DISCONNECT = 3, 14


class Broker:
    """Hands what is published to `heard`, and publishes to everyone who is connected."""

    def __init__(self) -> None:
        self.on_message: Callable[[str, bytes], None] = lambda topic, payload: None
        self.subscribed = asyncio.Event()
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()

    def publish(self, topic: str, payload: bytes) -> None:
        name = topic.encode("utf-8")
        packet = _packet(PUBLISH << 4, len(name).to_bytes(2) + name + payload)
        for writer in self._writers:
            writer.write(packet)

    def cut(self) -> None:
        self.subscribed.clear()
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while await self._packet(reader, writer):
                    pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _packet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readexactly(1))[0]
        body = await reader.readexactly(await _length(reader))
        match head >> 4:
            case 1:
                writer.write(b"\x20\x02\x00\x00")
            case 3:
                size = int.from_bytes(body[:2])
                self.on_message(body[2 : 2 + size].decode("utf-8"), body[2 + size :])
            case 8:
                writer.write(_packet(0x90, body[:2] + b"\x00\x00"))
                self.subscribed.set()
            case 12:
                writer.write(b"\xd0\x00")
        return head >> 4 != DISCONNECT


def _packet(head: int, body: bytes) -> bytes:
    assert len(body) < 128 * 128
    size = bytes([len(body)]) if len(body) < 128 else bytes([len(body) % 128 | 128, len(body) // 128])
    return bytes([head]) + size + body


async def _length(reader: asyncio.StreamReader) -> int:
    size = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        size |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return size


@asynccontextmanager
async def broker() -> AsyncIterator[Broker]:
    hub = Broker()
    server = await asyncio.start_server(hub.serve, "127.0.0.1", 0)
    hub.port = server.sockets[0].getsockname()[1]
    try:
        yield hub
    finally:
        server.close()
        hub.cut()
        await asyncio.sleep(0.02)


class Machine:
    """The shaker and the camera: they do as told, and say it as often as `repeats`."""

    def __init__(self, hub: Broker, faces: tuple[int, ...] = (5, 2, 3), repeats: int = 2) -> None:
        self.orders: list[bytes] = []
        self.asked: list[str] = []
        self.answers = True
        self._hub, self._faces, self._repeats = hub, faces, repeats
        hub.on_message = self.receive

    def receive(self, topic: str, payload: bytes) -> None:
        if topic == "shaker/command":
            self.orders.append(payload)
            for state in (b"S2", b"S1", b"S0") if self.answers else ():
                for _ in range(self._repeats):
                    self._hub.publish("shaker/state", state)
        elif topic == "camera/command":
            round_id = json.loads(payload)["arg"]["round_id"]
            self.asked.append(round_id)
            self._hub.publish("camera/result", result(round_id, self._faces))


def result(round_id: str, faces: tuple[int, ...] | None, err: int = 0) -> bytes:
    return json.dumps({"response": "result", "arg": {"round_id": round_id, "res": faces, "err": err}}).encode()
