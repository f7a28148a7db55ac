"""A bare picows server: it sends each message back, and on request the same bytes to everyone."""

from __future__ import annotations

import json
import sys
import time

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

from bench.live.lines import lines

_everyone: list[WSTransport] = []


class Echo(WSListener):
    def on_ws_connected(self, transport: WSTransport) -> None:
        _everyone.append(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        transport.send(WSMsgType.TEXT, frame.get_payload_as_memoryview())


def _greet(_: WSUpgradeRequest) -> WSListener:
    return Echo()


def _broadcast(size: int) -> float:
    """Send this many bytes to all. Returns when that began."""
    body = b'{"past":' + b"x" * (size - 8)
    begin = time.monotonic()
    for transport in _everyone:
        transport.send(WSMsgType.TEXT, body)
    return begin


async def main() -> None:
    server = await ws_create_server(_greet, "127.0.0.1", 0, read_buffer_init_size=2_048, backlog=4_096)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    async for word, *rest in lines():
        answer = {"began": _broadcast(int(rest[0]))} if word == "broadcast" else {"round": 1}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.exit(uvloop.run(main()))
