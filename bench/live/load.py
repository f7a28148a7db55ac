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
"""Where a bet has its id; the generator writes numbers that ascend in its place."""


class Ran(NamedTuple):
    """What a run of bets gave: answers a second, and seconds from the bet to its answer."""

    rate: float
    p50: float
    p99: float
    busy: float
    """The share of its core that the generator needed: well under 1, or it was the bottleneck."""
    total: int
    """Answers in all, those before and after the measuring too."""


class Heard(NamedTuple):
    """When the first and the last terminal had a message, on the monotonic clock, and its size."""

    first: float
    last: float
    size: int


def alone_on(core: int) -> None:
    """This process on one core, with as many sockets as the system allows."""
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

    def _said(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"bench.live: the load generator ended with {self._process.wait()}; it says why above")
        said: dict[str, Any] = json.loads(line)
        return said

    def _tell(self, *words: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{' '.join(map(str, words))}\n")

    def connect(self, port: int, crowd: Path) -> float:
        """Connect everyone whom a file names; the seconds it took until all were welcomed."""
        self._tell("connect", port, crowd)
        return float(self._said()["seconds"])

    def _bets(self, bets: Sequence[bytes], good: bytes) -> tuple[Path, str]:
        file = self._folder / f"bets-{self._process.pid}"
        lines = [f"{1 if bet[:1] == b'{' else 2} {bet.index(DIGITS.encode())} {bet.hex()}\n" for bet in bets]
        file.write_text("".join(lines))
        return file, good.hex()

    def _ran(self) -> Ran:
        said = self._said()
        if said["refused"]:
            raise SystemExit(f"bench.live: {said['refused']} bets were not taken; the first answer stands above")
        if not said["answers"]:
            raise SystemExit(
                "bench.live: not one bet was answered while it was measured; is the machine busy elsewhere?"
            )
        return Ran(said["answers"] / said["seconds"], said["p50"], said["p99"], said["busy"], said["total"])

    def closed(self, bets: Sequence[bytes], good: bytes, depth: int, warm: float, seconds: float) -> Ran:
        """Every terminal bets again as soon as it has its answer, with `depth` bets under way."""
        self._tell("bets", *self._bets(bets, good), depth, warm, seconds)
        return self._ran()

    def paced(self, bets: Sequence[bytes], good: bytes, rate: float, seconds: float) -> Ran:
        """So many bets a second, however long the answers take."""
        self._tell("paced", *self._bets(bets, good), rate, seconds)
        return self._ran()

    def each(self, bets: Sequence[bytes], good: bytes, count: int) -> Ran:
        """Every terminal places so many bets, one after the other."""
        self._tell("each", *self._bets(bets, good), count)
        return self._ran()

    def listen(self, mark: bytes, seconds: float = 60) -> None:
        """From now on, wait for a message that has this in it."""
        self._tell("hear", mark.hex(), seconds)
        self._said()

    def heard(self) -> Heard:
        said = self._said()
        return Heard(said["first"] / 1e9, said["last"] / 1e9, said["bytes"])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
