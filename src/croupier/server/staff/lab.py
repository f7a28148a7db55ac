"""The routes of the lab's page. Other processes do the work, at a lower priority than the floor's.

One worker answers questions, and the number that may wait is bounded. One simulation at a time runs in another process,
for a bounded time. The types in `server/staff/lab_questions.py` bound each question, so that none takes long.
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
    """The last simulation that anybody began on this machine."""

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


def _play(sender: Connection, asked: lab_questions.SimulationAsked) -> None:
    os.nice(_GIVES_WAY)
    lab_questions.play(sender, asked)


class Laboratory:
    """One worker for questions, and one simulation at a time."""

    def __init__(self) -> None:
        self._context = get_context("spawn")  # not fork, which would copy the state of this process's threads
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0
        self._task: asyncio.Task[None] | None = None
        self.last = Simulation("never")
        self._layouts: LabLayouts | None = None

    async def ask(self, question: Callable[[_Asked], _Answer], asked: _Asked) -> _Answer:
        """The worker's answer. Unavailable if too many questions wait, or if this one takes too long."""
        if self._waiting >= MOST_WAITING:
            raise Unavailable("busy", "lab")
        self._waiting += 1
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, self._context, initializer=_give_way)
            # In a thread: the first question starts the worker, and the event loop must not wait for that.
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
        """The layouts of the approved books. The worker loads them once, and so has them ready for questions."""
        if self._layouts is None:
            found = await self.ask(lab_questions.layouts, None)
            self._layouts = LabLayouts(tuple(LabLayout(*one) for one in found))
        return self._layouts

    async def warm(self) -> None:
        """Start the worker before the first question: it takes seconds to load its modules."""
        with contextlib.suppress(Unavailable):
            await self.layouts()

    def begin(self, person: PersonId, asked: lab_questions.SimulationAsked) -> Simulation:
        if self._task is not None and not self._task.done():
            raise Refused("simulating", "another", person=self.last.by)
        self.last = Simulation("running", person, asked.layout, 0, asked.rounds)
        self._task = asyncio.create_task(self._simulate(asked))
        return self.last

    async def stop(self) -> Simulation:
        """Stop the simulation, if one is running."""
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
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_play, args=(sender, asked), daemon=True)
        starting = asyncio.ensure_future(asyncio.to_thread(process.start))
        try:
            await asyncio.shield(starting)
            sender.close()  # so that the receiver notices when the process ends
            async with asyncio.timeout(SIMULATION_SECONDS):
                while self.last.state == "running":
                    self._apply(await _next(receiver))
        except TimeoutError:
            self._failed(f"it took more than {SIMULATION_SECONDS:g} seconds")
        except EOFError:
            self._failed("its process ended")
        finally:
            await starting  # a process that is still starting must be stopped too
            process.kill()
            await asyncio.to_thread(process.join)
            receiver.close()
            sender.close()

    def _apply(self, message: object) -> None:
        match message:
            case (int(done), int(rounds)):
                self.last = msgspec.structs.replace(self.last, done=done, rounds=rounds)
            case lab_questions.Simulated():
                self.last = msgspec.structs.replace(self.last, state="done", done=message.rounds, result=message)
            case str(why):
                self._failed(why)

    def _failed(self, why: str) -> None:
        self.last = msgspec.structs.replace(self.last, state="failed", why=why)


async def _next(receiver: Connection) -> object:
    """The next message. Waiting for it blocks nothing and can be cancelled."""
    while not receiver.poll():
        await asyncio.sleep(0.05)
    return receiver.recv()


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
        """What a set of bets wins or loses: every result of one round, and the spread over many rounds."""
        pace.take(call.someone)
        return await lab.ask(lab_questions.chances, body)

    @router.post("/api/lab/edges", SIGNED_IN, statuses=(409, 429, 503))
    async def edges(call: StaffCall, asked: Nothing, body: lab_questions.EdgesAsked) -> lab_questions.Edges:
        """What every box of a layout costs, with other odds or compared with another layout."""
        pace.take(call.someone)
        return await lab.ask(lab_questions.edges, body)

    @router.post("/api/lab/simulation", SIGNED_IN, statuses=(409, 429))
    async def simulate(call: StaffCall, asked: Nothing, body: lab_questions.SimulationAsked) -> Simulation:
        """Begin a simulation. Only one runs at a time."""
        pace.take(call.someone)
        return lab.begin(call.someone, body)

    @router.get("/api/lab/simulation", SIGNED_IN)
    async def simulation(call: StaffCall, asked: Nothing) -> Simulation:
        """The last simulation: its progress, or its results."""
        return lab.last

    @router.delete("/api/lab/simulation", SIGNED_IN)
    async def stop(call: StaffCall, asked: Nothing) -> Simulation:
        """Stop the simulation that is running."""
        return await lab.stop()
