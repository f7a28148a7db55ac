"""A server that takes copies of checkpoints."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(ThreadingHTTPServer):
    """Keeps every line it takes; it fails as often as it is told to, before or after it has taken one."""

    daemon_threads = True

    def __init__(self, fails: Callable[[], str]) -> None:
        self.lines: list[bytes] = []
        self.asked = 0
        self.wanted = ""
        self.fails = fails
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/checkpoints"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        receiver = self.server
        line, how = self.rfile.read(int(self.headers["Content-Length"])), receiver.fails()
        receiver.asked += 1
        if receiver.wanted and self.headers["Authorization"] != receiver.wanted:
            how = "401"
        if how in ("", "late"):
            receiver.lines.append(line)
        if how == "late":  # taken, and the sender never hears it
            self.connection.close()
            return
        self.send_response(int(how or 204))
        if how == "302":
            self.send_header("Location", receiver.address + "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def receiver(fails: Callable[[], str] = lambda: "") -> Iterator[Receiver]:
    with Receiver(fails) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def once(lines: list[bytes]) -> list[bytes]:
    return list(dict.fromkeys(lines))
