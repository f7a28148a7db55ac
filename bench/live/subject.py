"""A server under load: a process of its own on a core of its own, controlled line by line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bench.live.load import DIGITS, alone_on

BOXES = ("small", "big", "odd", "even", "total:9", "total:12", "single:3")
STAKE = 10_00


class Wire(NamedTuple):
    """The messages of a subject."""

    good: bytes
    """Bytes in the answer to a bet that was taken."""
    packed: bool = False
    """True for MessagePack after a word, as Colyseus has it, instead of JSON."""

    def bets(self, round: int) -> list[bytes]:
        """The same bets for all terminals, on several boxes."""
        return [self._bet(round, box) for box in BOXES]

    def _bet(self, round: int, box: str) -> bytes:
        body = {"round": round, "bets": [{"id": DIGITS, "box": box, "stake": STAKE}]}
        if self.packed:
            return bytes([13, 0xA0 | 3]) + b"bet" + msgspec.msgpack.encode(body)
        return msgspec.json.encode({"do": "bet", **body})


OURS = Wire(b'"said":"ok"')
ECHO = Wire(b'"do":"bet"')
COLYSEUS = Wire(b"ok", packed=True)


class Subject:
    """A server that was started, and the port on which it listens."""

    def __init__(
        self, name: str, command: Sequence[str | Path], wire: Wire, core: int, more: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.wire = wire
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, **(more or {})},
            preexec_fn=lambda: alone_on(core),
        )
        self.port = int(self._answer()["port"])

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"bench.live: {self.name} ended with {self._process.wait()}; it says why above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, word: str) -> dict[str, Any]:
        """Send a line, and wait for the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        return self._answer()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def used(self) -> float:
        """Processor time so far in seconds, with all threads."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """Bytes in memory now."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def python(module: str, *words: object) -> list[str | Path]:
    return [sys.executable, "-m", f"bench.live.{module}", *map(str, words)]
