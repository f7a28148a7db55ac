"""Work on a Ray cluster: one started on this machine, on loopback only, or the one at an address."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from importlib.util import find_spec
from itertools import islice
from typing import Any, TypeVar

from croupier.rules.refusal import Refused, Unavailable

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_WAITING = 3
_LOOPBACK, _CLUSTER = "127.0.0.1", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"


def over_ray(
    work: Callable[[_Task], _Result], tasks: Iterable[_Task], workers: int, address: str | None
) -> Iterator[tuple[_Task, _Result]]:
    """Yield all tasks in order, each with its result. Ray gives the tasks of a dead worker to another."""
    ray = _ray(address)
    # Ray reports dead workers on standard output, which is for the answer.
    reports = redirect_stdout(sys.stderr)
    reports.__enter__()
    try:
        _join(ray, workers, address)
        many = max(1, int(ray.cluster_resources().get("CPU", 1)))
        remote = ray.remote(work).options(max_retries=-1, retry_exceptions=False)
        todo, given = iter(tasks), deque[tuple[_Task, Any]]()
        while True:
            for task in islice(todo, many * _WAITING - len(given)):
                given.append((task, remote.remote(task)))
            if not given:
                return
            task, promise = given.popleft()
            yield task, ray.get(promise)
    finally:
        ray.shutdown()
        reports.__exit__(None, None, None)


def _ray(address: str | None) -> Any:
    if find_spec("ray") is None:
        raise Refused("engine", "no-ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise it reports its use
    if address is None:
        os.environ[_CLUSTER] = "0"  # read once, when Ray is imported: there is no cluster, so every port is on loopback
        # The secret that its processes share, which it would otherwise keep in the home folder.
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    import ray

    return ray


def _join(ray: Any, workers: int, address: str | None) -> None:
    if ray.is_initialized():
        raise Refused("engine", "in-a-cluster")
    if address is not None:
        _knock(address)
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise Refused("engine", "no-cluster", address=address, error=f"{str(error).strip():.200}") from None
        return
    ray.init(
        address="local",
        num_cpus=workers or None,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    bound = ray.util.get_node_ip_address()
    if bound != _LOOPBACK:
        ray.shutdown()
        raise Refused("engine", "ray-imported", address=bound)


def _knock(address: str) -> None:
    """Refuse an address at which nothing answers. Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65_535:
        raise Refused("address", "unreadable", address=address)
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise Unavailable("address", "no-cluster", address=address, error=str(error.strerror or error)) from None
