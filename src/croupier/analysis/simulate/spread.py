"""How the work of a simulation is spread: here, over processes of this machine, or over a Ray cluster.

Work is cut into tasks that depend on nothing but themselves. Results come back in the order of the tasks, so that
whoever did them, and however many they were, the sum is the same. A worker that dies costs time only: its tasks are
given to another.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from itertools import islice
from typing import Literal, TypeVar

from croupier.rules.refusal import Refused

Engine = Literal["auto", "here", "processes", "ray"]
Kernel = Literal["auto", "numba", "numpy"]
ENGINES: tuple[Engine, ...] = ("auto", "here", "processes", "ray")
KERNELS: tuple[Kernel, ...] = ("auto", "numba", "numpy")
_MOST_WORKERS = 10_000
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_WAITING = 3
"""Tasks handed out for each worker: one in work, the others at hand."""
_DEATHS = 20
"""Workers that may die before it is taken for the fault of the work."""


def chosen_kernel(kernel: str) -> Literal["numba", "numpy"]:
    """The kernel that will run: Numba if it is asked for or there."""
    if kernel not in KERNELS:
        raise Refused("kernel", "unknown", kernel=kernel, known=tuple(KERNELS))
    there = find_spec("numba") is not None
    if kernel == "numba" and not there:
        raise Refused("kernel", "no-numba")
    return "numba" if there and kernel != "numpy" else "numpy"


def chosen_engine(engine: str, workers: int | None, seconds: float) -> tuple[Literal["here", "processes", "ray"], int]:
    """Where work of about so many seconds is done, and by how many."""
    if engine not in ENGINES:
        raise Refused("engine", "unknown", engine=engine, known=tuple(ENGINES))
    if workers is not None and not 1 <= workers <= _MOST_WORKERS:
        raise Refused("workers", "out-of-range", workers=workers, most=_MOST_WORKERS)
    if engine == "ray":
        return "ray", workers or 0
    several = workers or len(os.sched_getaffinity(0))
    worth_it = seconds > 4.0 if workers is None else workers > 1
    if engine == "processes" or (engine == "auto" and several > 1 and worth_it):
        return "processes", several
    return "here", 1


def spread(
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    engine: Literal["here", "processes", "ray"],
    workers: int,
    address: str | None = None,
) -> Iterator[tuple[_Task, _Result]]:
    """All tasks in their order, each with its result. A task is not made before there is someone to do it."""
    match engine:
        case "here":
            return ((task, work(task)) for task in tasks)
        case "processes":
            return _over_processes(work, tasks, workers)
        case "ray":
            from croupier.analysis.simulate.cluster import over_ray

            return over_ray(work, tasks, workers, address)


def _over_processes(
    work: Callable[[_Task], _Result], tasks: Iterable[_Task], workers: int
) -> Iterator[tuple[_Task, _Result]]:
    pool = _pool(workers)
    todo, given = iter(tasks), deque[tuple[_Task, Future[_Result]]]()
    deaths = 0
    try:
        while True:
            for task in islice(todo, workers * _WAITING - len(given)):
                given.append((task, _given(pool, work, task)))
            if not given:
                return
            task, future = given[0]
            try:
                result = future.result()
            except BrokenProcessPool:
                deaths += 1
                if deaths > _DEATHS:
                    raise
                pool.shutdown(wait=False, cancel_futures=True)
                pool = _pool(workers)
                given = deque((task, _again(pool, work, task, future)) for task, future in given)
                continue
            given.popleft()
            yield task, result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _given(pool: ProcessPoolExecutor, work: Callable[[_Task], _Result], task: _Task) -> Future[_Result]:
    """The future of a task; that of a pool just found broken says so when it is asked."""
    try:
        return pool.submit(work, task)
    except BrokenProcessPool as error:
        failed: Future[_Result] = Future()
        failed.set_exception(error)
        return failed


def _again(
    pool: ProcessPoolExecutor, work: Callable[[_Task], _Result], task: _Task, future: Future[_Result]
) -> Future[_Result]:
    """The future itself if it is done, otherwise a new one for its task."""
    done = future.done() and not future.cancelled() and future.exception() is None
    return future if done else _given(pool, work, task)


def _pool(workers: int) -> ProcessPoolExecutor:
    from multiprocessing import get_context

    # Not forked from here: threads of this process would be copied in whatever state they are. They come from a process
    # that does nothing else and has loaded once what all of them need.
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", "croupier.analysis.simulate.ready"])
    _begin_server()
    return ProcessPoolExecutor(workers, mp_context=context, initializer=begin)


def _begin_server() -> None:
    """Start the process from which workers come, if it does not run yet.

    It must find the very modules found here: before Python 3.13 it forgets our path of modules, and looks at the
    environment only. Ctrl-C is not for it, even while it starts.
    """
    from multiprocessing import forkserver, resource_tracker
    from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask

    resource_tracker.ensure_running()  # it would let Ctrl-C through again
    name, before = "PYTHONPATH", os.environ.get("PYTHONPATH")
    os.environ[name] = os.pathsep.join(path for path in sys.path if path)
    heard = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        pthread_sigmask(SIG_SETMASK, heard)
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def begin() -> None:
    """A worker leaves Ctrl-C to its parent, and does not outlive it."""
    import signal
    import threading
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None, "a worker without a parent"

    def leave() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=leave, daemon=True).start()
