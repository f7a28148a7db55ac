"""The measurements: bets as fast as possible, bets at a pace, a result sent to everyone, a settlement sent to all."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.live.load import Ran
from bench.live.subjects import BARE, CROUPIER, Pair, Stage

PAST = b'"past":'
"""Bytes that only the message about a result contains."""
PAID = b'"held":0,"owes"'
"""Bytes in the message to a terminal whose bets are settled."""


class Plan(NamedTuple):
    """How much is measured."""

    repeats: int = 5
    warm: float = 0.3
    seconds: float = 1.0
    terminals: tuple[int, ...] = (100, 1_000, 5_000)
    audience: tuple[int, ...] = (1_000, 5_000, 10_000)
    depth: int = 1
    """Bets of each terminal on their way at a time: a person waits for the answer."""
    pace: int = 5_000
    crowd: int = 1_000
    """Terminals that bet at a pace, and that wait for a settlement."""
    bets_each: int = 10


QUICK = Plan(repeats=1, warm=0.2, seconds=0.5, terminals=(100, 1_000), audience=(1_000,))


class Bets(NamedTuple):
    """One run of one subject."""

    ran: Ran
    cost: float
    """Processor time of the subject for each answer, in seconds."""


@contextmanager
def started(stage: Stage, names: Sequence[str], terminals: int) -> Iterator[dict[str, Pair]]:
    pairs: dict[str, Pair] = {}
    try:
        for name in names:
            pairs[name] = stage.start(name, terminals)
        yield pairs
    finally:
        for pair in pairs.values():
            pair.close()


def median(numbers: Sequence[float]) -> float:
    return statistics.median(numbers)


# ---- bets


def bets(stage: Stage, plan: Plan, names: Sequence[str], terminals: int) -> dict[str, list[Bets]]:
    """Bets as fast as possible, with the subjects in turn."""
    runs: dict[str, list[Bets]] = {name: [] for name in names}
    with started(stage, names, terminals) as pairs:
        for repeat in range(plan.repeats):
            for name in (*names[repeat % len(names) :], *names[: repeat % len(names)]):
                runs[name].append(_as_fast(pairs[name], plan))
    return runs


def _as_fast(pair: Pair, plan: Plan) -> Bets:
    subject, round = pair.subject, pair.subject.ask("round")["round"]
    used = subject.used
    ran = pair.crowd.closed(subject.wire.bets(round), subject.wire.good, plan.depth, plan.warm, plan.seconds)
    return Bets(ran, (subject.used - used) / ran.total)


class Paced(NamedTuple):
    """Bets at a pace, and the speed of the disk in the same run."""

    ran: Ran
    sync: float
    """Seconds of a bare fdatasync, the median."""


def paced(stage: Stage, plan: Plan) -> list[Paced]:
    runs = []
    with started(stage, [CROUPIER], plan.crowd) as pairs:
        subject, crowd = pairs[CROUPIER].subject, pairs[CROUPIER].crowd
        for _ in range(plan.repeats):
            sync, round = bare_sync(stage.folder), subject.ask("round")["round"]
            runs.append(Paced(crowd.paced(subject.wire.bets(round), subject.wire.good, plan.pace, 2), sync))
    return runs


def bare_sync(folder: Path, times: int = 200) -> float:
    """Seconds to put a page on this disk: write it, and wait until it is durable."""
    file = folder / "sync"
    took = []
    with file.open("wb", buffering=0) as target:
        os.posix_fallocate(target.fileno(), 0, 4_096 * times)
        for page in range(times):
            begin = time.perf_counter()
            os.pwrite(target.fileno(), b"x" * 4_096, 4_096 * page)
            os.fdatasync(target.fileno())
            took.append(time.perf_counter() - begin)
    return median(took)


# ---- results


class Broadcast(NamedTuple):
    """One result sent to everyone, and as many bytes by a bare loop; and the memory of a terminal that waits."""

    ours: list[float]
    bare: list[float]
    size: int
    memory: float
    bare_memory: float


def broadcast(stage: Stage, plan: Plan, audience: int) -> Broadcast:
    ours, bare, size = [], [], 0
    with started(stage, [CROUPIER, BARE], audience) as pairs:
        (house, crowd, memory), (echo, other, bare_memory) = pairs[CROUPIER], pairs[BARE]
        for _ in range(plan.repeats):
            house.ask("round")
            house.ask("close")
            crowd.listen(PAST)
            began, received = house.ask("result")["began"], crowd.received()
            ours.append(received.last - began)
            size = received.size
            other.listen(PAST)
            began, received = echo.ask(f"broadcast {size}")["began"], other.received()
            bare.append(received.last - began)
    return Broadcast(ours, bare, size, memory, bare_memory)


def settled(stage: Stage, plan: Plan) -> list[float]:
    """Seconds from the result until the last terminal has its settlement."""
    took = []
    with started(stage, [CROUPIER], plan.crowd) as pairs:
        subject, crowd, _ = pairs[CROUPIER]
        for _ in range(plan.repeats):
            round = subject.ask("round")["round"]
            crowd.each(subject.wire.bets(round), subject.wire.good, plan.bets_each)
            subject.ask("close")
            crowd.listen(PAID)
            began = subject.ask("result")["began"]
            took.append(crowd.received().last - began)
    return took
