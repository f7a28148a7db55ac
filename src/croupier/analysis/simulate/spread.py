"""Where the work of a simulation is done: in this process, in several processes of this machine, or on a Ray cluster.

Work is divided into independent tasks. Results come back in the order of the tasks, so that the sum does not depend on
the workers. A worker that dies costs only time: its tasks are given to another.
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
"""Tasks given out for each worker: one in work, the others waiting."""
_DEATHS = 20
"""The number of workers that may die before the work itself is considered the cause."""


def chosen_kernel(kernel: str) -> Literal["numba", "numpy"]:
    """The kernel to use: the one that is asked for, or Numba if it is installed, or else NumPy."""
    if kernel not in KERNELS:
        raise Refused("kernel", "unknown", kernel=kernel, known=tuple(KERNELS))
    installed = find_spec("numba") is not None
    if kernel == "numba" and not installed:
        raise Refused("kernel", "no-numba")
    return "numba" if installed and kernel != "numpy" else "numpy"


def chosen_engine(engine: str, workers: int | None, seconds: float) -> tuple[Literal["here", "processes", "ray"], int]:
    """Where to do work of about this many seconds, and with how many workers."""
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
    """Yield all tasks in order, each with its result. A task is made only when a worker is free for it."""
    match engine:
        case "here":
            return ((task, work(task)) for task in tasks)
        case "processes":
            return _over_processes(work, tasks, workers)
        case "ray":
            from croupier.analysis.simulate.ray_cluster import over_ray

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
                given = deque((task, _renewed(pool, work, task, future)) for task, future in given)
                continue
            given.popleft()
            yield task, result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _given(pool: ProcessPoolExecutor, work: Callable[[_Task], _Result], task: _Task) -> Future[_Result]:
    """The future of a task. If the pool is broken, the future raises that when its result is read."""
    try:
        return pool.submit(work, task)
    except BrokenProcessPool as error:
        failed: Future[_Result] = Future()
        failed.set_exception(error)
        return failed


def _renewed(
    pool: ProcessPoolExecutor, work: Callable[[_Task], _Result], task: _Task, future: Future[_Result]
) -> Future[_Result]:
    """The future itself if it is done, else a new one for the same task."""
    done = future.done() and not future.cancelled() and future.exception() is None
    return future if done else _given(pool, work, task)


def _pool(workers: int) -> ProcessPoolExecutor:
    from multiprocessing import get_context

    # Not forked from this process, whose threads would be copied in an unknown state. The workers are forked from a
    # process that does nothing else and has loaded once what they all need.
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", "croupier.analysis.simulate.ready"])
    _begin_server()
    return ProcessPoolExecutor(workers, mp_context=context, initializer=begin)


def _begin_server() -> None:
    """Start the process that starts the workers, if it does not run yet.

    It must import the same modules as this process: before Python 3.13 it does not get our module path and reads the
    environment only. It must ignore Ctrl-C, even while it starts.
    """
    from multiprocessing import forkserver, resource_tracker
    from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask

    resource_tracker.ensure_running()  # starting it unblocks Ctrl-C again
    name, before = "PYTHONPATH", os.environ.get("PYTHONPATH")
    os.environ[name] = os.pathsep.join(path for path in sys.path if path)
    blocked = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        pthread_sigmask(SIG_SETMASK, blocked)
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def begin() -> None:
    """Make a worker ignore Ctrl-C, which its parent handles, and end when the parent ends."""
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
