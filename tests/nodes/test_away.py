"""A machine without its database, or one that was frozen, shows staff nothing, and refuses what it can refuse."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import apsw
import msgspec
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from croupier.rules.money import Cents
from croupier.store.recorder import Answer
from croupier.table import messages as m
from tests.nodes.line import line_to_unix
from tests.nodes.machines import machines
from tests.nodes.test_late import opened
from tests.support import postgres
from tests.support.floors import until
from tests.support.house import House, automatic, by_people, house, wait_for
from tests.support.quick_floor import by_people as dealt_by_people

TABLE = "sicbo-rws"
LEASE = 1.0
LONG_LEASE = 10_000
"""Milliseconds: longer than a busy machine takes for what must happen before the lease ends."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.started() as running:
        yield running.get_uri()


# ---- staff


@contextlib.contextmanager
def _shown(address: str, origin: str, cookies: dict[str, str]) -> Iterator[ClientConnection]:
    """A screen that shows its table: a busy machine may be behind its database for a moment, and says: come again."""
    for _ in range(30):
        with connect(address, origin=Origin(origin), additional_headers=cookies) as screen:
            try:
                assert screen.recv(timeout=30)
            except ConnectionClosed:
                time.sleep(1)
                continue
            yield screen
            return
    raise AssertionError("no screen was shown")


def test_a_machine_cut_off_from_its_database_for_a_lease_shows_staff_nothing(tmp_path: Path, server: str) -> None:
    with machines(tmp_path, server, by_people, 2) as floor:
        floor.start()
        node = floor.nodes[1]
        console = f"/api/tables/{TABLE}/console"
        with node.browser("Sam") as browser:
            wait_for(lambda: browser.get(console).status_code == 200)
            scheme, _, place = node.access.origin.partition("://")
            cookies = {"Cookie": f"croupier={node.access.people['Sam']}"}
            address = f"{'wss' if scheme == 'https' else 'ws'}://{place}{console}"
            with contextlib.ExitStack() as screens:
                screen = screens.enter_context(_shown(address, node.access.origin, cookies))
                floor.lines[1].cut("silent")
                cut = time.monotonic()
                wait_for(lambda: browser.get(console).status_code == 503)
                assert time.monotonic() - cut < 6 * LEASE
                said = browser.get(console).json()
                assert said["reason"] == "away"
                assert "nobody's session can be checked" in said["message"]
                for path in ("/api/pit", "/api/journal?stream=office", "/api/history", "/api/lab/layouts"):
                    assert browser.get(path).status_code == 503, path
                with contextlib.suppress(ConnectionClosed):
                    for _ in screen:  # what was pushed before
                        pass
                assert screen.close_code == 1013  # come again
            assert browser.get("/health").status_code == 200  # for the monitoring of machines
            assert browser.get("/ready").status_code == 503
            floor.lines[1].mend()
            wait_for(lambda: browser.get(console).status_code == 200)
        with floor.nodes[0].browser("Sam") as browser:
            assert browser.get(console).status_code == 200


# ---- bets


def test_a_bet_that_comes_while_the_database_is_away_is_refused_if_nothing_of_it_can_be_on_disk(
    tmp_path: Path, server: str
) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE refused")
    name = urlsplit(server.replace("/postgres?", "/refused?")).path.strip("/")

    def place(number: int, round: int = 1) -> m.PlaceBet:
        id = m.BetId(f"A1.b{number}")
        return m.PlaceBet("A1", 0, id, m.RoundNumber(round), m.SeatId("A1"), "small", Cents(500))

    async def play(through: str, line: object) -> None:
        async with opened(tmp_path, through, "one", configs=dealt_by_people(TABLE), lease=LONG_LEASE) as (floor,):
            live, cluster = floor.tables[TABLE], floor.cluster
            assert cluster is not None
            now = floor.clock.now()
            for command in (
                m.TakeSeat("Sam", now, m.SeatId("A1"), live.table.displayed[0]),
                m.SellCredit("Cass", now, m.SeatId("A1"), Cents(100_00)),
                m.OpenTable("Sam", now),
                m.OpenBetting("Dana", now),
                place(1),
            ):
                answer = await floor.give(live.recorder, command)
                assert answer is not None
                assert answer.entry.refused is None, answer.entry.refused
            await until(lambda: cluster.sure)  # after the first look at the database
            line.cut("loud")  # type: ignore[attr-defined]
            assert await floor.give(live.recorder, place(2)) is None  # it was being written: who knows
            await until(lambda: bool(cluster.away))
            answer = await floor.give(live.recorder, place(3))
            assert isinstance(answer, Answer)
            assert answer.entry.refused is not None
            assert (answer.entry.refused.reason, answer.entry.refused.case) == ("away", "database")
            # The one that was sent before, one that is on disk, one of a round that is not at hand, no bet.
            other = m.CallNoMoreBets("Dana", floor.clock.now())
            for unknown in (place(2), place(1), place(4, round=7), other):
                assert await floor.give(live.recorder, unknown) is None
            await until(lambda: not cluster.sure)
            assert await floor.give(live.recorder, place(5)) is None  # another machine may have the table by now
            line.mend()  # type: ignore[attr-defined]
            await until(lambda: not cluster.away and floor.tables[TABLE].recorder.owned, 60)

    query = parse_qs(urlsplit(server).query)
    with line_to_unix(f"{query['host'][0]}/.s.PGSQL.5432") as line:
        asyncio.run(play(f"postgresql://postgres@127.0.0.1:{line.port}/{name}", line))


# ---- frozen


def beside(first: House) -> House:
    """Another server of the same floor, on other ports."""
    second = copy.copy(first)
    second.log, second.starts = first.log.with_name("second.txt"), 0
    access = str(first.log.with_name("second.json"))
    second.job = msgspec.structs.replace(first.job, access=access, terminals=0, staff=0)
    second._process = None
    return second


def frozen(server: House) -> None:
    """Freeze it, but not while it writes: it would keep the file from everyone."""
    for _ in range(200):
        server.signal(signal.SIGSTOP)
        db = apsw.Connection(server.premises.address)
        try:
            db.execute("BEGIN IMMEDIATE; ROLLBACK")
        except apsw.BusyError:
            pass
        else:
            return
        finally:
            db.close()
        server.signal(signal.SIGCONT)
        time.sleep(0.02)
    raise AssertionError("it writes all the time")


def test_a_server_whose_floor_was_taken_over_while_it_was_frozen_logs_it_and_ends(tmp_path: Path) -> None:
    with house(tmp_path, automatic(betting=0.3)) as first:
        first.start()
        first.seat_everyone()
        frozen(first)
        second = beside(first)
        try:
            second.start()
            first.signal(signal.SIGCONT)
            assert first._ended() == 76
            log = first.log.read_text()
            assert "taken over" in log
            assert "another server has taken over everything" in log
            assert second.alive
            second.stop()
            second.verified()
        finally:
            second.end()
