"""A live floor seen from outside: its process, killed and started again; its staff over HTTP; its terminals."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from croupier.client import TerminalClient
from croupier.rules.money import Cents
from croupier.store.checkpoint import trusted
from croupier.store.folder import Premises, open_store
from croupier.store.heads import remembered
from croupier.store.verify import verify
from tests.support.house_process import Access, Job
from tests.support.processes import same_program

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "tables"
SEATS = ("A1", "A2")
LONG = 120.0
"""Seconds after which a condition will never hold."""


def write_tables(folder: Path, edit: Callable[[str], str]) -> Path:
    """The tables that come with Croupier, edited, with two seats each."""
    folder.mkdir()
    for file in TABLES.glob("*.toml"):
        text = file.read_text().replace(', "A3", "A4", "A5", "A6", "A7", "A8"', "")
        (folder / file.name).write_text(edit(text))
    return folder


def by_people(text: str) -> str:
    """Dealt by people, who see the dice themselves."""
    text = text.replace('dealing = "automatic"', 'dealing = "people"').replace('device = "simulated"\n', "")
    text = text.replace('[device]\nkind = "simulated"\nalternates = true\n', "")
    return text.replace('automat = ["dealer", "pit-supervisor"]\n', "")


def automatic(betting: float = 0.1, one_in: int = 0) -> Callable[[str], str]:
    """Dealt by a program in milliseconds; one stage of a device in so many goes wrong."""
    device = f'[device]\nkind = "simulated"\nspeed = 1000\none_in = {one_in}\n'

    def edit(text: str) -> str:
        text = text.replace('device = "simulated"\n', "").replace('[device]\nkind = "simulated"\n', device)
        if "[device]" not in text:
            text = text.replace("[limits]\n", f"{device}\n[limits]\n", 1)
        text = text.replace("betting = 30", f"betting = {betting}").replace("warning = 10", "warning = 0")
        return text.replace("result = 6", "result = 0").replace("pause = 3", "pause = 0")

    return edit


class House:
    """One floor, whatever becomes of its process."""

    def __init__(self, folder: Path, tables: Path, address: str = "") -> None:
        self.premises = Premises(folder / "floor", address or None)
        self.premises.init()
        self.log = folder / "log.txt"
        self.starts = 0
        self.job = Job(str(self.premises.folder), self.premises.address, str(tables), str(folder / "access.json"))
        self._process: subprocess.Popen[bytes] | None = None
        self._ids = (f"live-{folder.name}-{number}" for number in itertools.count(1))
        self.access: Access

    def wrong_by(self, milliseconds: int) -> None:
        """The wall's clock jumps: by so much from what is right."""
        wall = self.log.with_name("wall")
        draft = wall.with_suffix(".draft")
        draft.write_text(str(milliseconds))
        draft.rename(wall)
        self.job = msgspec.structs.replace(self.job, wall=str(wall))

    # ---- the process

    def start(self) -> None:
        Path(self.job.access).unlink(missing_ok=True)
        self.starts += 1
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.house_process", msgspec.json.encode(self.job).decode()],
                cwd=ROOT,
                env=same_program(),
                stdout=log,
                stderr=log,
            )
        wait_for(lambda: Path(self.job.access).exists() or self._process is None or self._process.poll() is not None)
        assert Path(self.job.access).exists(), self.log.read_text()[-4000:]
        self.access = msgspec.json.decode(Path(self.job.access).read_bytes(), type=Access)
        # The next start listens where this one did, and knows the terminals and the people that this one let in.
        self.job = msgspec.structs.replace(
            self.job,
            terminals=self.access.terminals,
            staff=self.access.staff,
            seats=self.access.seats,
            people=self.access.people,
        )

    def signal(self, sign: signal.Signals) -> None:
        assert self._process is not None
        os.kill(self._process.pid, sign)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> None:
        """A clean end, as by a service manager."""
        self.signal(signal.SIGTERM)
        assert self._ended() == 0, self.log.read_text()[-4000:]

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _ended(self) -> int:
        assert self._process is not None
        code = self._process.wait(LONG)
        self._process = None
        return code

    def end(self) -> None:
        if self.alive:
            self.kill()

    # ---- through the doors

    def terminal(self, table: str, seat: str) -> TerminalClient:
        return TerminalClient(f"ws://127.0.0.1:{self.access.terminals}/", self.access.seats[f"{table}/{seat}"])

    def browser(self, person: str) -> httpx.Client:
        return httpx.Client(
            base_url=self.access.origin,
            headers={"Origin": self.access.origin},
            cookies={"croupier": self.access.people[person]},
            timeout=LONG,
            trust_env=False,
        )

    def give(self, person: str, table: str, type: str, **fields: Any) -> dict[str, Any]:
        """A command that must be taken: the events. Said again, with its id, for as long as nobody can answer."""
        answer = self.ask(person, table, type, **fields)
        assert answer.status_code == 200, (person, table, type, answer.text)
        return dict(answer.json())

    def ask(self, person: str, table: str, type: str, **fields: Any) -> httpx.Response:
        body = {"id": next(self._ids), "command": {"type": type, **fields}}
        last = time.monotonic() + LONG
        with self.browser(person) as browser:
            while True:
                answer = browser.post(f"/api/tables/{table}/commands", json=body)
                if answer.status_code not in (429, 503) or time.monotonic() > last:
                    return answer
                time.sleep(0.05)

    def two(self, first: str, second: str, table: str, type: str, **fields: Any) -> None:
        """An act of two people."""
        for event in self.give(first, table, type, **fields)["events"]:
            if event["type"] in ("ApprovalRequested", "ReportContradicted"):
                self.give(second, table, "Approve", request=event["request"], digest=event["digest"])

    def console(self, table: str, person: str = "Sam") -> dict[str, Any]:
        with self.browser(person) as browser:
            answer = browser.get(f"/api/tables/{table}/console")
            assert answer.status_code == 200, answer.text
            return dict(answer.json()["snapshot"])

    def seat_everyone(self, credit: int = 10_000_00) -> None:
        for name in self.access.seats:
            table, seat = name.split("/")
            layout = self.layout(table)
            self.give("Sam", table, "TakeSeat", seat=seat, layout=layout)
            self.give("Cass", table, "SellCredit", seat=seat, amount=Cents(credit))

    def layout(self, table: str) -> str:
        with self.browser("Sam") as browser:
            floor = browser.get("/api/floor").json()
        return str(next(one for one in floor["tables"] if one["name"] == table)["layouts"][0]["id"])

    # ---- what is on disk

    def verified(self) -> None:
        """Nothing on disk is a lie. The process must have ended."""
        assert self._process is None
        heads = remembered(self.premises.heads).places
        store = open_store(self.premises.address)
        try:
            lies = verify(store, trusted(self.premises.checkpoints, self.premises.public_key), heads).lies
            assert lies == [], lies
        finally:
            store.close()


@contextmanager
def house(folder: Path, edit: Callable[[str], str], address: str = "") -> Iterator[House]:
    made = House(folder, write_tables(folder / "tables", edit), address)
    try:
        yield made
    finally:
        made.end()


def wait_for(condition: Callable[[], object], seconds: float = LONG) -> None:
    last = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < last, "it did not come about"
        time.sleep(0.01)


def bet(house: House, table: str, box: str = "", stake: int = 500) -> None:
    """A bet of the first seat, through its terminal."""
    box = box or ("red" if table.startswith("roulette") else "small")

    async def place() -> None:
        async with asyncio.timeout(LONG), house.terminal(table, SEATS[0]) as terminal:
            answer = await terminal.bet(box, stake)
            assert type(answer).__name__ == "Ok", answer

    asyncio.run(place())
