"""Croupier itself, as `croupier serve` runs it, with one table of so many seats; or the same without a journal.

Only two things differ from a floor. The bound on how often one terminal may bet is lifted, because a load generator
plays faster than people. With `--no-journal` the store gets every group and writes nothing.
"""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import structlog
import uvloop

from bench.live.lines import lines
from croupier.floor.config import TableConfig
from croupier.office import messages as o
from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.server import serve as serving
from croupier.server.player.door import Bounds, TerminalDoor
from croupier.server.serve import Running, serve
from croupier.server.sessions import key_of, new_token
from croupier.server.settings import read_settings
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import SeatId

TABLE, BOOK, LAYOUT = "T1", "rws-sicbo-etg-v2", "B"
BOUNDS = Bounds(acts=10**9, burst=10**9)
CREDIT = Cents(10**11)
OUTCOMES = ("134", "256", "445", "126")
"""One after another, so that every result is new."""


def table(seats: int) -> TableConfig:
    settings = {
        "name": TABLE,
        "rulebook": BOOK,
        "layouts": [LAYOUT],
        "seats": [f"s{seat:05}" for seat in range(1, seats + 1)],
        "limits": {"unit": "1.00", "minimum": {"*": "5.00"}, "maximum": {"*": "1000000000.00"}},
        "staff": {"Dana": ["dealer"], "Sam": ["pit-supervisor"], "Max": ["shift-manager"], "Cass": ["cashier"]},
    }
    return TableConfig.model_validate(settings)


class NoJournal:
    """A store that answers every question and writes nothing more."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def append(self, batch: Sequence[object]) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class House:
    """The floor that runs, and the acts of its staff."""

    def __init__(self, running: Running) -> None:
        self.floor = running.floor
        self.live = running.floor.tables[TABLE]
        self.port = int(running.terminals.rpartition(":")[2].rstrip("/"))

    async def furnish(self, crowd: Path) -> None:
        """Give every seat credit and a terminal. The load generator gets the tokens."""
        seats, now, tokens = self.live.config.seat_ids(), self.floor.clock.now(), []
        for seat in seats:
            token = new_token()
            self._later(self.live.recorder, m.TakeSeat("Sam", now, seat, LAYOUT))
            self._later(self.live.recorder, m.SellCredit("Cass", now, seat, CREDIT))
            tokens.append((seat, token))
        await self._give(m.OpenTable("Max", now))
        await asyncio.gather(*(self._enrol(seat, token) for seat, token in tokens))
        ready = b'"said":"own"'.hex()
        hellos = (json.dumps({"do": "hello", "version": p.VERSION, "token": token}) for _, token in tokens)
        crowd.write_text("".join(f"/ {hello.encode().hex()} 0 {ready}\n" for hello in hellos))

    async def _enrol(self, seat: SeatId, token: str) -> None:
        command = o.EnrolTerminal("machine/bench", self.floor.clock.now(), key_of(token), TABLE, seat)
        answer = await self.floor.give(self.floor.office, command)
        assert answer is not None
        assert answer.entry.refused is None, answer.entry.refused

    def _later(self, recorder: Any, command: Any) -> None:
        self.floor.submit(recorder, command, "", _taken)

    async def _give(self, command: Any) -> None:
        _taken(await self.floor.give(self.live.recorder, command))

    def stop_writing(self) -> None:
        store: Any = NoJournal(self.floor.store)
        self.floor.store = store
        for recorder in self.floor.recorders():
            recorder.store = store

    async def round(self) -> int:
        """End the round in play, if any, and open the next. Returns its number."""
        if self.live.table.round is not None:
            await self.close()
            await self.result()
        await self._give(m.OpenBetting("Dana", self.floor.clock.now()))
        assert self.live.table.round is not None
        return self.live.table.round.number

    async def close(self) -> None:
        """Do everything before the result is confirmed."""
        at = self.floor.clock.now()
        keys = [m.PressKey("Dana", at, face) for face in OUTCOMES[self.live.table.next_round % len(OUTCOMES)]]
        moves = (m.CallNoMoreBets("Dana", at), m.StartMotion("Dana", at), m.EndMotion("Dana", at, 3))
        for command in (*moves, *keys, m.PressEntry("Dana", at)):
            await self._give(command)

    async def result(self) -> float:
        """Confirm the result, which settles the round. Returns when that began."""
        begin = time.monotonic()
        await self._give(m.ConfirmResult("Dana", self.floor.clock.now()))
        if self.live.table.phase == "settling":
            await self._give(m.PayWinners("Dana", self.floor.clock.now()))
        return begin


def _taken(answer: Any) -> None:
    assert answer is not None
    assert answer.entry.refused is None, answer.entry.refused


async def _obey(house: House, word: str) -> dict[str, object]:
    match word:
        case "round":
            return {"round": await house.round()}
        case "close":
            await house.close()
            return {}
        case "result":
            return {"began": await house.result()}
        case _:
            raise ValueError(word)


def main(folder: Path, crowd: Path, seats: int, journal: bool) -> int:
    setattr(serving, "TerminalDoor", functools.partial(TerminalDoor, bounds=BOUNDS))  # noqa: B010
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),  # standard output is for the answers to the bench
    )
    Premises(folder).init()
    flags = {"floor": folder, "staff_port": 0, "terminal_port": 0, "approved": "off"}
    settings = read_settings(flags)

    async def ready(running: Running) -> None:
        house = House(running)
        await house.furnish(crowd)
        if not journal:
            house.stop_writing()
        print(json.dumps({"port": house.port}), flush=True)

    async def control(running: Running) -> None:
        house = House(running)
        async for words in lines():
            print(json.dumps(await _obey(house, words[0])), flush=True)

    return uvloop.run(serve(settings, [table(seats)], ready=ready, also=[control]))


if __name__ == "__main__":
    _, place, crowd_file, count, *flags = sys.argv
    sys.exit(main(Path(place), Path(crowd_file), int(count), "--no-journal" not in flags))
