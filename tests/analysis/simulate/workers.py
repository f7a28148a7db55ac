"""Work for the tests of spreading it: where a worker process can import it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import NamedTuple


class Task(NamedTuple):
    number: int
    folder: str


def squared(task: Task) -> int:
    return task.number * task.number


def squared_by_mortals(task: Task) -> int:
    """The first worker that is given the fourth or the ninth task is killed over it."""
    marker = Path(task.folder) / f"killed-{task.number}"
    if task.number in (4, 9) and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return squared(task)


def killed_always(task: Task) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def failing(task: Task) -> int:
    if task.number == 5:
        raise ValueError("five")
    return squared(task)
