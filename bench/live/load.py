"""The load generator, compiled here and pinned to a core of its own, and the files it reads."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).with_name("load.c")
DIGITS = "0" * 10
"""The id in a bet: the generator replaces it by ascending numbers."""


class Ran(NamedTuple):
    """The result of a run of bets: answers a second, and seconds from a bet to its answer."""

    rate: float
    p50: float
    p99: float
    busy: float
    """The share of its core that the generator needed: well under 1, or it was the bottleneck."""
    total: int
    """All answers, also those before and after the measurement."""


class Received(NamedTuple):
    """When the first and the last terminal received a message, on the monotonic clock, and its size."""

    first: float
    last: float
    size: int


def alone_on(core: int) -> None:
    """Keep this process on one core, with as many sockets as the system allows."""
    os.sched_setaffinity(0, {core})
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def compiled(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise SystemExit(
            "bench.live: there is no C compiler for the load generator."
            " On Debian, as root: apt-get install gcc libc6-dev"
        )
    program = folder / "load"
    subprocess.run([compiler, "-O2", "-o", str(program), str(SOURCE)], check=True)
    return program


class Load:
    """A crowd of terminals, connected to one subject."""

    def __init__(self, program: Path, folder: Path, core: int) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            preexec_fn=lambda: alone_on(core),
        )

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"bench.live: the load generator ended with {self._process.wait()}; it says why above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _send(self, *words: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{' '.join(map(str, words))}\n")

    def connect(self, port: int, crowd: Path) -> float:
        """Connect all terminals in a file. Returns the seconds until all of them were welcomed."""
        self._send("connect", port, crowd)
        return float(self._answer()["seconds"])

    def _bets(self, bets: Sequence[bytes], good: bytes) -> tuple[Path, str]:
        file = self._folder / f"bets-{self._process.pid}"
        lines = [f"{1 if bet[:1] == b'{' else 2} {bet.index(DIGITS.encode())} {bet.hex()}\n" for bet in bets]
        file.write_text("".join(lines))
        return file, good.hex()

    def _ran(self) -> Ran:
        answer = self._answer()
        if answer["refused"]:
            raise SystemExit(f"bench.live: {answer['refused']} bets were not taken; the first answer stands above")
        if not answer["answers"]:
            raise SystemExit(
                "bench.live: not one bet was answered while it was measured; is the machine busy elsewhere?"
            )
        return Ran(answer["answers"] / answer["seconds"], answer["p50"], answer["p99"], answer["busy"], answer["total"])

    def closed(self, bets: Sequence[bytes], good: bytes, depth: int, warm: float, seconds: float) -> Ran:
        """Every terminal bets again as soon as it has an answer, with `depth` bets on their way at a time."""
        self._send("bets", *self._bets(bets, good), depth, warm, seconds)
        return self._ran()

    def paced(self, bets: Sequence[bytes], good: bytes, rate: float, seconds: float) -> Ran:
        """Send this many bets a second, however long the answers take."""
        self._send("paced", *self._bets(bets, good), rate, seconds)
        return self._ran()

    def each(self, bets: Sequence[bytes], good: bytes, count: int) -> Ran:
        """Every terminal places this many bets, one after another."""
        self._send("each", *self._bets(bets, good), count)
        return self._ran()

    def listen(self, mark: bytes, seconds: float = 60) -> None:
        """Wait from now on for a message that contains these bytes."""
        self._send("await", mark.hex(), seconds)
        self._answer()

    def received(self) -> Received:
        answer = self._answer()
        return Received(answer["first"] / 1e9, answer["last"] / 1e9, answer["bytes"])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
