"""Verification with one click: the same `croupier verify` that an auditor runs, in a separate process.

It decides and posts everything again, which keeps a processor busy for a while, but not that of the floor's process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import Literal

import msgspec

from croupier.floor.floor import Floor
from croupier.rules.statement import Statement
from croupier.table.messages import PersonId


class Verification(msgspec.Struct, frozen=True):
    """The last verification, finished or running; state `never` if there was none."""

    state: Literal["never", "running", "true", "lies", "failed"]
    by: str = ""
    began: int = 0
    ended: int = 0
    rows: int = 0
    tables: int = 0
    tickets: int = 0
    checkpoints: int = 0
    lies: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    summary: str = ""
    findings: tuple[Statement, ...] = ()
    """What `lies` and `notes` say, as facts, in their order."""


class _Report(msgspec.Struct):
    """The JSON that the command prints."""

    rows: int
    tables: int
    tickets: int
    checkpoints: int
    lies: tuple[str, ...]
    notes: tuple[str, ...]
    summary: str
    findings: tuple[Statement, ...]


class Verifier:
    """Runs one verification at a time, and remembers the last."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self.last = Verification("never")
        self._task: asyncio.Task[None] | None = None

    def begin(self, person: PersonId) -> Verification:
        """Begin, unless one is running."""
        if self._task is None or self._task.done():
            self.last = Verification("running", person, self._floor.clock.now())
            self._task = asyncio.create_task(self._run())
        return self.last

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        premises = self._floor.premises
        # The address may hold a password, and a list of processes shows arguments, but not the environment.
        settings = {"FLOOR": str(premises.folder), "STORE": premises.address, "REPLICA": premises.replica}
        environment = os.environ | {f"CROUPIER_{name}": value for name, value in settings.items()}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier.cli", "verify", "--json"),
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, 10)
            output, errors = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        self._finish(output, errors)

    def _finish(self, output: bytes, errors: bytes) -> None:
        now = self._floor.clock.now()
        try:
            report = msgspec.json.decode(output, type=_Report)
        except msgspec.MsgspecError:
            why = errors.decode(errors="replace").strip()[-400:] or "it printed nothing"
            self.last = msgspec.structs.replace(self.last, state="failed", ended=now, summary=why)
            return
        self.last = msgspec.structs.replace(
            self.last,
            state="lies" if report.lies else "true",
            ended=now,
            rows=report.rows,
            tables=report.tables,
            tickets=report.tickets,
            checkpoints=report.checkpoints,
            lies=report.lies,
            notes=report.notes,
            summary=report.summary,
            findings=report.findings,
        )
        if report.lies:
            self._floor.alert("journal", "lies", lies=len(report.lies))
