"""Two real PostgreSQL servers: one that is written, and a standby that has every commit before it is acknowledged."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.support import postgres
from tests.support.house import wait_for


class Cluster:
    def __init__(self, primary: Any, folder: Path) -> None:
        self._primary = primary
        self._data = str(folder / "standby")
        self._user = primary.system_user
        self._first, self._second = str(primary.pgdata), str(folder)
        """Their sockets; the data of the first lies beside its own."""

    @property
    def address(self) -> str:
        """The address of both servers; a client connects to the one that may be written."""
        return f"postgresql://postgres@/postgres?host={self._first},{self._second}&target_session_attrs=read-write"

    @property
    def replica(self) -> str:
        return f"postgresql://postgres@/postgres?host={self._second}"

    def follow(self) -> None:
        """Make the standby, start it, and let nothing count as done before it has it."""
        self._run("pg_basebackup", "-h", self._first, "-U", "postgres", "-D", self._data, "-X", "stream", "-R")
        where = f'-h "" -k {self._second}'
        self._run("pg_ctl", "-w", "-D", self._data, "-l", f"{self._data}.log", "-o", where, "start")
        with psycopg.connect(self._primary.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
            sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            wait_for(lambda: connection.execute(sql).fetchone() == (1,))

    def fail_over(self) -> None:
        """The first server is gone in an instant, and the standby is promoted."""
        self._run("pg_ctl", "-D", self._first, "-m", "immediate", "stop")
        self._run("pg_ctl", "-w", "-D", self._data, "promote")

    def end(self) -> None:
        """The standby ends too, if it has not."""
        stop = self._command("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        subprocess.run(stop, user=self._user, capture_output=True, check=False)

    def _run(self, *command: str) -> None:
        # A server that is started keeps what it was given for its output: never a pipe.
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(
                self._command(*command), user=self._user, stdout=said, stderr=said, timeout=60, check=False
            )
            said.seek(0)
            assert done.returncode == 0, said.read()

    def _command(self, program: str, *options: str) -> list[str]:
        return [str(self._primary.bin_path / program), *options]


@contextmanager
def cluster() -> Iterator[Cluster]:
    with postgres.started() as primary, tempfile.TemporaryDirectory(prefix="croupier-standby-") as folder:
        if primary.system_user is not None:
            os.chown(folder, pwd.getpwnam(primary.system_user).pw_uid, -1)
        two = Cluster(primary, Path(folder))
        two.follow()
        try:
            yield two
        finally:
            two.end()
