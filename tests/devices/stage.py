"""A device under test: its time, its byte source, and the facts that it reports."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Protocol

from croupier.devices.port import AnyFact, OnFact, Progress, Shown, Warned
from croupier.rules.library import load_rulebook
from croupier.rules.outcomes import Wheel


def _sands() -> Wheel:
    space = load_rulebook("mbs-sands-roulette-v2").space
    assert isinstance(space, Wheel)
    return space


SANDS = _sands()


class FakeTime:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.milliseconds = 0.0

    def now(self) -> int:
        return round(self.milliseconds)

    async def wait(self, milliseconds: float) -> None:
        self.milliseconds += milliseconds
        await asyncio.sleep(0)


class Bytes:
    """A byte source that repeats itself from its seed and counts what was taken."""

    def __init__(self, seed: int) -> None:
        self.taken = 0
        self._random = random.Random(seed)

    def __call__(self, count: int) -> bytes:
        self.taken += count
        return self._random.randbytes(count)


class Reported:
    """The facts that a device reported, in order."""

    def __init__(self) -> None:
        self.facts: list[AnyFact] = []
        self._more = asyncio.Event()

    def __call__(self, fact: AnyFact) -> None:
        self.facts.append(fact)
        self._more.set()

    @property
    def words(self) -> list[str]:
        """One word a fact, without the pictures."""
        return [_word(fact) for fact in self.facts if not isinstance(fact, Progress)]

    @property
    def warnings(self) -> list[str]:
        return [fact.what for fact in self.facts if isinstance(fact, Warned)]

    @property
    def shown(self) -> list[str]:
        return [fact.outcome for fact in self.facts if isinstance(fact, Shown)]

    async def until(self, enough: Callable[[Reported], bool], seconds: float = 60.0) -> None:
        async with asyncio.timeout(seconds):
            while not enough(self):
                self._more.clear()
                await self._more.wait()


def _word(fact: AnyFact) -> str:
    return fact.what if isinstance(fact, Warned) else type(fact).__name__


async def quiet(turns: int = 400) -> None:
    """Let a device on a fake clock do all that it can do."""
    for _ in range(turns):
        await asyncio.sleep(0)


class Runs(Protocol):
    """A device, or a printer."""

    async def run(self, on_fact: OnFact) -> None: ...


@asynccontextmanager
async def running(device: Runs) -> AsyncIterator[Reported]:
    reported = Reported()
    task = asyncio.create_task(device.run(reported))
    await asyncio.sleep(0)
    try:
        yield reported
        assert not task.done() or task.exception() is None, task.exception()
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
