"""The first program that comes to mind: a WebSocket of FastAPI that commits each bet by itself before it answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sqlite3
import sys
from typing import Any

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from bench.live.lines import lines


def _opened(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE bets (id TEXT, round INTEGER, seat INTEGER, box TEXT, stake INTEGER)")
    db.execute("CREATE TABLE seats (seat INTEGER PRIMARY KEY, credit INTEGER, held INTEGER)")
    return db


def _placed(db: sqlite3.Connection, seat: int, round: int, bet: dict[str, Any]) -> dict[str, object]:
    db.execute("BEGIN")
    db.execute("INSERT INTO bets VALUES (?, ?, ?, ?, ?)", (bet["id"], round, seat, bet["box"], bet["stake"]))
    row = db.execute(
        "UPDATE seats SET credit = credit - ?1, held = held + ?1 WHERE seat = ?2 RETURNING credit, held",
        (bet["stake"], seat),
    ).fetchone()
    db.execute("COMMIT")
    return {"said": "ok", "id": bet["id"], "credit": row[0], "held": row[1]}


def make_app(path: str) -> FastAPI:
    app, db = FastAPI(), _opened(path)

    @app.websocket("/")
    async def terminal(socket: WebSocket) -> None:
        await socket.accept()
        seat = db.execute("INSERT INTO seats (credit, held) VALUES (100000000000, 0)").lastrowid
        assert seat is not None
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = json.loads(await socket.receive_text())
                for bet in message["bets"]:
                    answer = _placed(db, seat, message["round"], bet)
                    await socket.send_text(json.dumps(answer, separators=(",", ":")))

    return app


async def main(path: str) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=4_096)
    config = uvicorn.Config(make_app(path), log_level="warning", loop="uvloop", ws_ping_interval=None)
    serving = asyncio.create_task(uvicorn.Server(config).serve([listener]))
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    async for _ in lines():
        print(json.dumps({"round": 1}), flush=True)
    await serving


if __name__ == "__main__":
    import uvloop

    sys.exit(uvloop.run(main(sys.argv[1])))
