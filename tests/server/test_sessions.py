"""Who is let in, for how long, and what the office writes down of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from croupier.floor.config import OFFICE
from croupier.floor.floor import Floor
from croupier.office import messages as o
from croupier.rules.refusal import Refused
from croupier.server.sessions import Ended, Seated, Sessions, key_of
from croupier.store.journal import read_rows
from croupier.store.premises import Premises
from croupier.table.messages import PersonId, SeatId
from tests.floor.test_floor import check, opened, until

DANA, SAM = PersonId("Dana"), PersonId("Sam")
TABLE, A1 = "sicbo-rws", SeatId("A1")


def run(tmp_path: Path, play: Callable[[Floor, Sessions], Awaitable[None]]) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def main() -> None:
        async with asyncio.timeout(60), opened(premises) as floor:
            await play(floor, Sessions(floor))

    asyncio.run(main())
    check(premises)


def kinds(floor: Floor) -> list[str]:
    return [row.kind for row in read_rows(floor.store, OFFICE)]


def test_a_password_lets_in_and_everything_leaves_a_row(tmp_path: Path) -> None:
    async def play(floor: Floor, sessions: Sessions) -> None:
        await sessions.set_password(DANA, "correct horse", "admin")
        token = await sessions.login("Dana", "correct horse", "127.0.0.1")
        assert sessions.who(token) == DANA
        for name, word in (("Dana", "wrong"), ("Nobody", "correct horse")):
            with pytest.raises(Refused, match="do not go together"):
                await sessions.login(name, word, "127.0.0.1")
        await sessions.logout(token)
        assert sessions.who(token) is None
        assert kinds(floor) == ["OfficeMade", "NotePassword", "NoteLogin", "NoteFailure", "NoteFailure", "NoteLogout"]
        written = b"".join(row.body for row in read_rows(floor.store, OFFICE))
        for secret in (token, "correct horse", "wrong horse", "Nobody", "argon2"):
            assert secret.encode() not in written

    run(tmp_path, play)


def test_a_link_lets_in_once(tmp_path: Path) -> None:
    async def play(floor: Floor, sessions: Sessions) -> None:
        key = await sessions.link(SAM)
        token = await sessions.enter(key, "127.0.0.1")
        assert sessions.who(token) == SAM
        with pytest.raises(Refused, match="was used"):
            await sessions.enter(key, "127.0.0.1")

    run(tmp_path, play)


def test_a_terminal_is_bound_to_its_seat_until_another_takes_it_or_it_is_retired(tmp_path: Path) -> None:
    async def play(floor: Floor, sessions: Sessions) -> None:
        ended: list[Ended] = []
        sessions.on_end(ended.append)
        first = await sessions.enrol(TABLE, A1, "admin")
        assert sessions.seat_of(first) == Seated(TABLE, A1)
        assert sessions.who(first) is None
        second = await sessions.enrol(TABLE, A1, "admin")
        assert (sessions.seat_of(first), sessions.seat_of(second)) == (None, Seated(TABLE, A1))
        await floor.give(floor.office, o.RetireTerminal("Sam", floor.clock.now(), TABLE, A1, "stolen"))
        assert sessions.seat_of(second) is None
        assert [(one.key, one.seated) for one in ended] == [
            (key_of(first), Seated(TABLE, A1)),
            (key_of(second), Seated(TABLE, A1)),
        ]
        for by, table, seat in (("Dana", TABLE, A1), ("admin", "nowhere", A1), ("admin", TABLE, SeatId("Z9"))):
            with pytest.raises(Refused):
                await sessions.enrol(table, seat, by)

    run(tmp_path, play)


def test_retiring_an_account_ends_its_sessions(tmp_path: Path) -> None:
    async def play(floor: Floor, sessions: Sessions) -> None:
        ended: list[Ended] = []
        sessions.on_end(ended.append)
        tokens = [await sessions.enter(await sessions.link(SAM), "here") for _ in range(3)]
        await floor.give(floor.office, o.RetireAccount("admin", floor.clock.now(), SAM, "left"))
        assert [sessions.who(token) for token in tokens] == [None] * 3
        assert {one.key for one in ended} == {key_of(token) for token in tokens}
        with pytest.raises(Refused, match="retired"):
            await sessions.link(SAM)

    run(tmp_path, play)


def test_an_alert_is_raised_once_and_stays_until_it_is_acknowledged(tmp_path: Path) -> None:
    async def play(floor: Floor, sessions: Sessions) -> None:
        for _ in range(3):
            floor.alert("device-offline", TABLE, "the tumbler does not answer")
            await asyncio.sleep(0)
        await floor.give(floor.office, o.AcknowledgeAlert("Dana", floor.clock.now(), 1))
        (alert,) = floor.accounts.alerts.values()
        assert alert.open
        await floor.give(floor.office, o.AcknowledgeAlert("Sam", floor.clock.now(), 1, "cable"))
        (alert,) = floor.accounts.alerts.values()
        assert (alert.open, alert.acknowledged_by, alert.note) == (False, "Sam", "cable")
        floor.alert("device-offline", TABLE, "the tumbler does not answer")
        await until(lambda: len(floor.accounts.alerts) == 2)
        assert [one.open for one in floor.accounts.alerts.values()] == [False, True]

    run(tmp_path, play)
