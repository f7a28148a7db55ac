"""`croupier serve --store postgresql://…` as its keeper runs it: made, played, stopped, killed, started again."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from croupier.client import Ok, TerminalClient
from croupier.store.folder import open_store
from croupier.table import messages as m
from tests.support import postgres
from tests.support.command_line import croupier
from tests.support.crowd import events_of
from tests.support.house import by_people, write_tables
from tests.support.processes import Server, browser, server

TABLE, SEAT, CREDIT = "sicbo-rws", "A1", 1_000_00
LIMIT = 120


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres.started() as running:
        with psycopg.connect(running.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE served")
        yield running.get_uri().replace("/postgres?", "/served?")


class Staff:
    """People who have signed in with the passwords that their keeper was shown."""

    def __init__(self, floor: Server, words: dict[str, str]) -> None:
        self._floor = floor
        self._words = words

    def give(self, person: str, type: str, **fields: object) -> None:
        with browser(self._floor) as client:
            said = client.post("/api/session", json={"person": person, "password": self._words[person]})
            assert said.status_code == 200, said.text
            body = {"id": type, "command": {"type": type, **fields}}
            done = client.post(f"/api/tables/{TABLE}/commands", json=body)
            assert done.status_code == 200, done.text


def at_terminal(floor: Server, token: str, bet: str) -> None:
    """A Player connects, finds all their money, and bets. What they sent before the floor ended counts once."""

    async def play() -> None:
        async with asyncio.timeout(LIMIT), TerminalClient(floor.open["terminals"], token) as terminal:
            await terminal.until(lambda: terminal.room.phase in ("betting", "ready"))
            assert terminal.own.credit + terminal.own.held == CREDIT
            if terminal.room.phase == "betting":  # else it took longer than thirty seconds, and the round is void
                for _ in range(2):
                    assert isinstance(await terminal.bet("small", 5_00, id=bet), Ok)
                assert terminal.own.credit + terminal.own.held == CREDIT

    asyncio.run(play())


def test_a_floor_on_postgresql_is_made_played_stopped_killed_and_played_on(tmp_path: Path, address: str) -> None:
    tables = str(write_tables(tmp_path / "tables", by_people))
    made = croupier("init", "--store", address, "--tables", tables, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    words = dict(re.findall(r"^(\w+) .* (\w{4}-\w{4}-\w{4}-\w{4})$", made.stdout, re.MULTILINE))
    enrolled = croupier("enrol", TABLE, SEAT, "--store", address, "--tables", tables, cwd=tmp_path)
    token = enrolled.stdout.split()[-1]

    def first(floor: Server) -> None:
        staff = Staff(floor, words)
        staff.give("Sam", "TakeSeat", seat=SEAT, layout="A")
        staff.give("Cass", "SellCredit", seat=SEAT, amount=CREDIT)
        staff.give("Sam", "OpenTable")
        staff.give("Dana", "OpenBetting")
        at_terminal(floor, token, "b1")

    def again(bet: str) -> Callable[[Server], None]:
        return lambda floor: at_terminal(floor, token, bet)

    flags = ("--store", address, "--tables", tables)
    for act, how, code in (
        (first, signal.SIGTERM, 0),
        (again("b2"), signal.SIGKILL, -9),
        (again("b2"), signal.SIGTERM, 0),
    ):
        with server(tmp_path, *flags) as floor:
            act(floor)
            assert floor.end(how) == code
    # The keeper's other commands find the same floor where croupier.toml says that it is.
    (tmp_path / "croupier.toml").write_text(f'store = "{address}"\n')
    checked = croupier("verify", cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr
    assert not (tmp_path / "floor" / "floor.db").exists()
    store = open_store(address, read_only=True)
    placed = [event.bet for event in events_of(store, TABLE) if isinstance(event, m.BetPlaced)]
    store.close()
    assert placed[0] == f"{SEAT}.b1"
    assert len(set(placed)) == len(placed)
