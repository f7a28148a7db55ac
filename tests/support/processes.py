"""Programs that a test starts: a floor's server, or this very code in another process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from tests.support.floors import TABLES

LIMIT = 120
"""Seconds for anything that must happen; far more than it takes."""


def same_program() -> dict[str, str]:
    """The environment for a process that is to run the very code that runs here."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


class Server:
    """A `croupier serve` in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "croupier.cli", "serve", "--tables", str(TABLES), "--set", "log=json"]
        command += ["--set", "approved=off"]
        self.log = folder / f"log-{time.monotonic_ns()}"
        with self.log.open("w") as log:
            command += ["--staff-port", "0", "--terminal-port", "0", "--set", "public=false", *words]
            self.process = subprocess.Popen(command, cwd=folder, stderr=log, env=same_program())
        self.open = self.wait_for("open")
        self.address: str = self.open["pages"]

    def lines(self) -> list[dict[str, str]]:
        text = self.log.read_text()
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def wait_for(self, event: str) -> dict[str, str]:
        for _ in range(LIMIT * 20):
            found = next((line for line in self.lines() if line["event"] == event), None)
            if found is not None:
                return found
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        raise AssertionError(f"no {event} in {self.log.read_text()}")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(LIMIT)


@contextlib.contextmanager
def server(folder: Path, *words: str) -> Iterator[Server]:
    made = Server(folder, *words)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.process.wait(LIMIT)


def browser(made: Server, verify: ssl.SSLContext | bool = True) -> httpx.Client:
    return httpx.Client(base_url=made.address, headers={"Origin": made.address}, verify=verify, timeout=LIMIT)
