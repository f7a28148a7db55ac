"""The lab behind its page. What it counts is counted in other processes, which give way to the floor's.

Questions wait for one worker, a bounded number of them; a simulation has a process of its own, one at a time, and a
bounded time. What a page may ask is bounded by its types (`server/staff/lab_questions.py`), so that no question
takes long.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Literal, TypeVar

import msgspec

from croupier.analysis.simulate.spread import begin
from croupier.rules.refusal import Refused, Unavailable, as_refused
from croupier.server.staff import lab_questions
from croupier.server.staff.guard import SIGNED_IN, RateLimit
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.table.messages import PersonId

MOST_WAITING = 16
ANSWER_SECONDS = 30.0
SIMULATION_SECONDS = 300.0
_GIVES_WAY = 15
_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")


class LabLayout(msgspec.Struct, frozen=True):
    id: str
    book: str
    layout: str
    game: str
    title: str


class LabLayouts(msgspec.Struct, frozen=True):
    layouts: tuple[LabLayout, ...]


class Simulation(msgspec.Struct, frozen=True):
    """The last simulation that was asked for here, whoever asked."""

    state: Literal["never", "running", "done", "stopped", "failed"]
    by: str = ""
    layout: str = ""
    done: int = 0
    rounds: int = 0
    result: lab_questions.Simulated | None = None
    why: str = ""


def _give_way() -> None:
    begin()
    os.nice(_GIVES_WAY)


def _play(told: Connection, asked: lab_questions.SimulationAsked) -> None:
    os.nice(_GIVES_WAY)
    lab_questions.play(told, asked)


class Laboratory:
    """One worker for questions, and one simulation at a time."""

    def __init__(self) -> None:
        self._context = get_context("spawn")  # not forked: threads of this process would be copied as they are
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0
        self._task: asyncio.Task[None] | None = None
        self.last = Simulation("never")
        self._layouts: LabLayouts | None = None

    async def ask(self, question: Callable[[_Asked], _Answer], asked: _Asked) -> _Answer:
        """The answer of the worker; Unavailable if too many wait, or if it takes too long."""
        if self._waiting >= MOST_WAITING:
            raise Unavailable("busy", "lab")
        self._waiting += 1
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, self._context, initializer=_give_way)
            # Handed over by a thread: the first question starts the worker, which the loop need not wait for.
            given = await asyncio.to_thread(self._pool.submit, lab_questions.answered, question, asked)
            answer = await asyncio.wait_for(asyncio.wrap_future(given), ANSWER_SECONDS)
        except TimeoutError:
            raise Unavailable("busy", "lab-slow", seconds=int(ANSWER_SECONDS)) from None
        except BrokenProcessPool:
            self._pool = None  # its worker was killed: the next question starts another
            raise Unavailable("busy", "lab-worker") from None
        finally:
            self._waiting -= 1
        if isinstance(answer, lab_questions.LabRefusal):
            raise as_refused(answer)
        return answer

    async def layouts(self) -> LabLayouts:
        """The layouts of the approved books; asked once, of the worker, who then has them at hand."""
        if self._layouts is None:
            found = await self.ask(lab_questions.layouts, None)
            self._layouts = LabLayouts(tuple(LabLayout(*one) for one in found))
        return self._layouts

    async def warm(self) -> None:
        """Start the worker before anybody asks: loading what it needs takes it seconds."""
        with contextlib.suppress(Unavailable):
            await self.layouts()

    def begin(self, person: PersonId, asked: lab_questions.SimulationAsked) -> Simulation:
        if self._task is not None and not self._task.done():
            raise Refused("simulating", "another", person=self.last.by)
        self.last = Simulation("running", person, asked.layout, 0, asked.rounds)
        self._task = asyncio.create_task(self._simulate(asked))
        return self.last

    async def stop(self) -> Simulation:
        """End the simulation that runs, if one does."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self.last = msgspec.structs.replace(self.last, state="stopped")
        return self.last

    async def close(self) -> None:
        await self.stop()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _simulate(self, asked: lab_questions.SimulationAsked) -> None:
        hear, tell = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_play, args=(tell, asked), daemon=True)
        starting = asyncio.ensure_future(asyncio.to_thread(process.start))
        try:
            await asyncio.shield(starting)
            tell.close()  # so that its end is heard here
            async with asyncio.timeout(SIMULATION_SECONDS):
                while self.last.state == "running":
                    self._told(await _next(hear))
        except TimeoutError:
            self._failed(f"it took more than {SIMULATION_SECONDS:g} seconds")
        except EOFError:
            self._failed("its process ended")
        finally:
            await starting  # stopped while it starts, it must not be left alone
            process.kill()
            await asyncio.to_thread(process.join)
            hear.close()
            tell.close()

    def _told(self, said: object) -> None:
        match said:
            case (int(done), int(rounds)):
                self.last = msgspec.structs.replace(self.last, done=done, rounds=rounds)
            case lab_questions.Simulated():
                self.last = msgspec.structs.replace(self.last, state="done", done=said.rounds, result=said)
            case str(why):
                self._failed(why)

    def _failed(self, why: str) -> None:
        self.last = msgspec.structs.replace(self.last, state="failed", why=why)


async def _next(hear: Connection) -> object:
    """What is said next; waiting holds up nobody and can be broken off."""
    while not hear.poll():
        await asyncio.sleep(0.05)
    return hear.recv()


def lab_routes(router: Router) -> None:
    lab, pace = Laboratory(), RateLimit(burst=40, each_second=10)
    router.ends.append(lab.close)
    router.app.state.warm_lab = lab.warm

    @router.get("/api/lab/layouts", SIGNED_IN, statuses=(503,))
    async def layouts(call: StaffCall, asked: Nothing) -> LabLayouts:
        """The layouts of the approved books, for the lab."""
        return await lab.layouts()

    @router.post("/api/lab/chances", SIGNED_IN, statuses=(409, 429, 503))
    async def chances(call: StaffCall, asked: Nothing, body: lab_questions.ChancesAsked) -> lab_questions.Chances:
        """What a set of bets brings together: every result of a round, and what many rounds come to."""
        pace.take(call.someone)
        return await lab.ask(lab_questions.chances, body)

    @router.post("/api/lab/edges", SIGNED_IN, statuses=(409, 429, 503))
    async def edges(call: StaffCall, asked: Nothing, body: lab_questions.EdgesAsked) -> lab_questions.Edges:
        """What every box of a layout costs, with other odds or beside another layout."""
        pace.take(call.someone)
        return await lab.ask(lab_questions.edges, body)

    @router.post("/api/lab/simulation", SIGNED_IN, statuses=(409, 429))
    async def simulate(call: StaffCall, asked: Nothing, body: lab_questions.SimulationAsked) -> Simulation:
        """Begin a simulation; there is one at a time."""
        pace.take(call.someone)
        return lab.begin(call.someone, body)

    @router.get("/api/lab/simulation", SIGNED_IN)
    async def simulation(call: StaffCall, asked: Nothing) -> Simulation:
        """The last simulation: how far it is, or what it found."""
        return lab.last

    @router.delete("/api/lab/simulation", SIGNED_IN)
    async def stop(call: StaffCall, asked: Nothing) -> Simulation:
        """End the simulation that runs."""
        return await lab.stop()
