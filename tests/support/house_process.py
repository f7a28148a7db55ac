"""`croupier serve` as a process that writes how to reach it: `python -m tests.support.house_process JOB`.

Once everything is open it writes the ports, and the tokens of seats and people, into the file `access` of its job. The
leases that a killed server leaves end sooner than on a real floor; everything else is as the command has it.
"""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from croupier.cli.serve import _write_logs, run_on_a_loop
from croupier.floor.config import read_tables
from croupier.floor.floor import Floor
from croupier.server import serve as serving
from croupier.server.serve import Running
from croupier.server.sessions import Sessions
from croupier.server.settings import read_settings
from tests.support.sign_in import sign_in

PEOPLE = ("Dana", "Sam", "Pat", "Max", "Cass", "admin")
LEASE = 1.0


class Job(msgspec.Struct):
    folder: str
    address: str
    tables: str
    access: str
    terminals: int = 0
    """Ports; 0 for any."""
    staff: int = 0
    seats: dict[str, str] = {}
    """Tokens of an earlier start: terminals stay enrolled, and people signed in."""
    people: dict[str, str] = {}
    wall: str = ""
    """A file with the milliseconds by which the wall's clock is wrong; it may jump at any time."""
    settings: dict[str, str] = {}
    """Any others."""
    next: bool = False
    """As the next release would be: see tests.support.next_release."""


class Access(msgspec.Struct):
    pid: int
    terminals: int
    staff: int
    origin: str
    seats: dict[str, str]
    """table/seat → token"""
    people: dict[str, str]
    public: str = ""
    """The address of the public pages."""


async def announce(job: Job, running: Running) -> None:
    """The doors are open: write how to reach them."""
    floor, sessions = running.floor, running.sessions
    seats = job.seats or await _enrolled(floor, sessions)
    people = job.people or {name: await sign_in(floor, name) for name in PEOPLE}
    terminals, staff = running.port, urlsplit(running.address).port or 0
    _write(Path(job.access), Access(os.getpid(), terminals, staff, running.address, seats, people, running.public))


async def _enrolled(floor: Floor, sessions: Sessions) -> dict[str, str]:
    return {
        f"{name}/{seat}": await sessions.enrol(name, seat, "machine/test")
        for name, live in floor.tables.items()
        for seat in live.config.seat_ids()
    }


def _write(file: Path, access: Access) -> None:
    draft = file.with_suffix(".draft")
    draft.write_bytes(msgspec.json.encode(access))
    draft.rename(file)


def _hang_a_wrong_clock(file: Path) -> None:
    right = time.time_ns
    time.time_ns = lambda: right() + int(file.read_text()) * 1_000_000


def main(job: Job) -> int:
    if job.wall:
        _hang_a_wrong_clock(Path(job.wall))
    if job.next:
        from tests.support.next_release import upgrade

        upgrade()
    flags: dict[str, object] = {"floor": job.folder, "tables": job.tables, "store": job.address}
    flags |= {"staff_port": job.staff, "terminal_port": job.terminals, "lease": LEASE}
    flags |= {"approved": "off", "public": False}
    settings = read_settings(flags | job.settings)
    _write_logs(settings)
    return run_on_a_loop(serving.serve(settings, read_tables(Path(job.tables)), ready=partial(announce, job)))


if __name__ == "__main__":
    sys.exit(main(msgspec.json.decode(sys.argv[1], type=Job)))
