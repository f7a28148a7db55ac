"""Who is let in, for how long, and what the office writes down of it: on both stores, over restarts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from croupier.floor import config as config_module
from croupier.floor.config import OFFICE
from croupier.floor.floor import Floor
from croupier.office import messages as o
from croupier.office.decide import MOST_SESSIONS
from croupier.office.state import FORGOTTEN, FREE_FAILURES, FREE_FROM_ALL, LONGEST_WAIT
from croupier.rules.refusal import Refused, Unavailable
from croupier.server import sessions as sessions_module
from croupier.server.sessions import (
    HOUR,
    MINUTE,
    MOST_TRYING,
    PASSWORD,
    EndedSession,
    Seated,
    Sessions,
    Times,
    _matches,
    _UnknownNames,
    check_password,
    is_password_of,
    key_of,
)
from croupier.store.clock import Clock
from croupier.store.folder import Premises, open_store
from croupier.store.journal import Secret, read_rows
from croupier.table.messages import PersonId, SeatId
from tests.support.floors import check, opened, until
from tests.support.sign_in import begin

DANA, SAM = PersonId("Dana"), PersonId("Sam")
TABLE, A1 = "sicbo-rws", SeatId("A1")
WORD, HERE = "correct horse battery", "127.0.0.1"
BY = "machine/test"


class Jumping(Clock):
    """A clock that only a test moves on."""

    def __init__(self, before: Clock) -> None:
        super().__init__()
        self._stands = before.now()
        self.jumped = 0

    def now(self) -> int:
        return self._stands + self.jumped


class Here:
    def __init__(self, floor: Floor, times: Times | None = None) -> None:
        self.floor = floor
        self.clock = floor.clock = Jumping(floor.clock)
        self.sessions = Sessions(floor, times)
        self.ended: list[EndedSession] = []
        self.sessions.on_end(self.ended.append)

    async def give(self, command: o.AnyOfficeCommand) -> None:
        answer = await self.floor.give(self.floor.office, command)
        assert answer is not None
        assert answer.entry.refused is None, answer.entry.refused

    def rows(self) -> list[tuple[str, dict[str, Any]]]:
        """What the office wrote down, without its first row."""
        return [(row.kind, json.loads(row.body)["command"]) for row in list(read_rows(self.floor.store, OFFICE))[1:]]

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.rows()]

    async def refused(self, word: str = "wrong wrong wrong", person: str = "Dana", where: str = HERE) -> str:
        with pytest.raises(Refused) as refusal:
            await self.sessions.login(person, word, where)
        return refusal.value.reason


Play = Callable[[Here], Awaitable[None]]


def run(premises: Premises, *evenings: Play, times: Times | None = None) -> None:
    """Play, close the floor, open it again, play on."""

    async def main() -> None:
        for play in evenings:
            async with asyncio.timeout(120), opened(premises) as floor:
                await play(Here(floor, times))

    asyncio.run(main())
    check(premises)


@pytest.fixture
def premises(tmp_path: Path) -> Premises:
    made = Premises(tmp_path / "floor")
    made.init()
    return made


def test_a_password_lets_in_and_everything_leaves_one_row_without_a_secret(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        token = await here.sessions.login("Dana", WORD, HERE)
        assert here.sessions.who(token) == DANA
        assert await here.refused() == "login"
        assert await here.refused(WORD, "Nobody") == "login"
        await here.sessions.logout(token)
        assert here.sessions.who(token) is None
        assert here.kinds() == ["NotePassword", "BeginSession", "NoteFailure", "NoteFailure", "EndSessions"]
        assert [one["person"] for _, one in here.rows()] == ["Dana", "Dana", "Dana", "", "Dana"]
        written = b"".join(row.body for row in read_rows(here.floor.store, OFFICE))
        for secret in (token, WORD, "wrong wrong wrong", "Nobody", "argon2"):
            assert secret.encode() not in written

    run(premises, play)


def test_sessions_outlive_a_restart_and_end_by_their_time(premises: Premises) -> None:
    tokens: list[str] = []

    async def first(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        tokens.append(await here.sessions.login("Dana", WORD, HERE))

    async def second(here: Here) -> None:
        assert here.sessions.who(tokens[0]) == DANA
        here.clock.jumped += 9 * MINUTE
        assert here.sessions.who(tokens[0]) == DANA
        here.clock.jumped += 9 * MINUTE
        here.clock.jumped += 2 * MINUTE
        assert here.sessions.who(tokens[0]) is None
        await here.sessions.sweep()
        assert [(one.key, one.why) for one in here.ended] == [(key_of(tokens[0]), "idle")]
        tokens[0] = await here.sessions.login("Dana", WORD, HERE)
        for _ in range(7):
            assert here.sessions.who(tokens[0]) == DANA
            here.clock.jumped += 9 * MINUTE
        assert here.sessions.who(tokens[0]) is None
        await here.sessions.sweep()
        assert here.ended[-1].why == "expired"
        assert here.floor.accounts.sessions == {}

    run(premises, first, second, times=Times(idle=10 * MINUTE, absolute=HOUR))


def test_failures_lock_an_account_for_longer_and_longer_also_over_a_restart(premises: Premises) -> None:
    async def first(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        assert [await here.refused() for _ in range(FREE_FAILURES)] == ["login"] * FREE_FAILURES
        assert await here.refused(WORD) == "locked"

    async def second(here: Here) -> None:
        assert await here.refused(WORD) == "locked"
        waits = []
        for _ in range(7):
            waits.append(0)
            while await here.refused() == "locked":
                here.clock.jumped += 1_000
                waits[-1] += 1
        assert waits[1:] == [60, 120, 240, 480, 900, 900]
        here.clock.jumped += LONGEST_WAIT
        token = await here.sessions.login("Dana", WORD, HERE)
        assert here.sessions.who(token) == DANA
        assert here.floor.accounts.accounts[DANA].failures == 0

    run(premises, first, second)


def test_a_link_signs_in_once_also_a_person_who_is_locked_out(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        for _ in range(FREE_FAILURES):
            await here.refused()
        key = await here.sessions.link(DANA, BY)
        token = await here.sessions.enter(key, HERE)
        assert here.sessions.who(token) == DANA
        for again in (key, "nothing", ""):
            with pytest.raises(Refused, match="link used"):
                await here.sessions.enter(again, HERE)
        for waited in (999, 1_000):
            brief = await here.sessions.link(SAM, BY, lasts=1_000)
            here.clock.jumped += waited
            if waited < 1_000:
                assert here.sessions.who(await here.sessions.enter(brief, HERE)) == SAM
            else:
                with pytest.raises(Refused, match="link used"):
                    await here.sessions.enter(brief, HERE)
        late = await here.sessions.link(SAM, BY)
        here.clock.jumped += here.sessions.times.link
        with pytest.raises(Refused, match="link used"):
            await here.sessions.enter(late, HERE)
        with pytest.raises(Refused, match="permission role person=Dana act=MakeLink"):
            await here.sessions.link(SAM, "Dana")
        assert (here.sessions.who(key), here.sessions.seat_of(token)) == (None, None)

    run(premises, play)


def test_a_flood_of_failed_logins_leaves_few_rows_that_count_all_of_them(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        begin = len(here.rows())
        for number in range(400):
            await here.refused(where=f"10.0.0.{number % 9}")
            here.clock.jumped += 100
        for number in range(20):  # each of them is compared with a hash
            await here.refused(person=f"made-up-{number}")
        here.clock.jumped += 2 * LONGEST_WAIT
        for _ in range(2):
            await here.sessions.sweep()
        # The jumps of this clock raise alerts too: checkpoints seem late.
        rows = [row for row in here.rows()[begin:] if row[0] != "RaiseAlert"]
        assert all(kind == "NoteFailure" for kind, _ in rows)
        assert len(rows) < 40
        assert sum(one["times"] for _, one in rows if one["person"] == "Dana") == 400
        assert sum(one["times"] for _, one in rows if one["person"] == "") == 20

    run(premises, play)


def test_an_unknown_name_waits_as_long_as_a_known_one(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        said = {person: [await here.refused(person=person) for _ in range(8)] for person in ("Dana", "Nobody", "Sam")}
        assert said["Dana"] == said["Nobody"] == said["Sam"]
        assert said["Dana"] == ["login"] * FREE_FAILURES + ["locked"] * 3
        here.clock.jumped += FORGOTTEN + 1
        assert [await here.refused(person=person) for person in said] == ["login"] * 3
        assert [await here.refused(person=person) for person in said] == ["login"] * 3

    run(premises, play)


def test_tries_at_the_same_time_are_not_more_tries(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        said = await asyncio.gather(*(here.refused() for _ in range(50)))
        assert sorted(set(said)) == ["busy", "login"]
        assert said.count("login") == 1
        said = await asyncio.gather(*(here.refused(person=f"n{n}", where="10.0.0.9") for n in range(20)))
        assert said.count("login") == 4
        here.clock.jumped += LONGEST_WAIT
        crowd = [here.refused(person=f"m{n}", where=f"10.0.1.{n}") for n in range(MOST_TRYING + 4)]
        assert (await asyncio.gather(*crowd)).count("login") == MOST_TRYING

    run(premises, play)


def test_a_new_password_a_retired_account_and_logout_everywhere_end_all_sessions(premises: Premises) -> None:
    async def play(here: Here) -> None:
        async def set_own() -> None:
            await here.sessions.set_password(SAM, WORD, "Sam", key_of(await begin(here.floor, "Sam")))

        async def change_own() -> None:
            session = key_of(await begin(here.floor, "Sam"))
            await here.sessions.change_password(SAM, WORD, WORD + "!", HERE, session)

        acts: tuple[Callable[[], Awaitable[None]], ...] = (
            set_own,
            change_own,
            lambda: here.sessions.logout_everywhere(SAM),
            lambda: here.give(o.RetireAccount("admin", here.floor.clock.now(), SAM, "left")),
        )
        other = await here.sessions.enter(await here.sessions.link(DANA, BY), HERE)
        for act in acts:
            tokens = [await here.sessions.enter(await here.sessions.link(SAM, BY), HERE) for _ in range(3)]
            here.ended.clear()
            await act()
            assert [here.sessions.who(token) for token in tokens] == [None] * 3
            assert {key_of(token) for token in tokens} <= {one.key for one in here.ended}
        assert here.sessions.who(other) == DANA
        assert await here.refused(WORD + "!", "Sam") == "login"
        with pytest.raises(Refused, match="retired"):
            await here.sessions.link(SAM, BY)

    run(premises, play)


def test_one_session_too_many_ends_the_oldest(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(SAM, WORD, BY)
        tokens = [await here.sessions.login("Sam", WORD, HERE) for _ in range(MOST_SESSIONS + 1)]
        assert [here.sessions.who(token) for token in tokens] == [None] + [SAM] * MOST_SESSIONS
        assert [one.why for one in here.ended] == ["crowded"]

    run(premises, play)


def test_a_password_is_set_by_the_person_or_an_administrator_and_is_long_enough(premises: Premises) -> None:
    async def play(here: Here) -> None:
        for person, word, by, why in (
            (SAM, "short", BY, "password length shortest=10 longest=128"),
            (SAM, "x" * 129, BY, "password length shortest=10 longest=128"),
            (SAM, "with a \n in it", BY, "password length"),
            (SAM, WORD, "Dana", "permission role person=Dana act=NotePassword"),
            (SAM, WORD, "system", "permission no-account person=system act=NotePassword"),
            (PersonId("Nobody"), WORD, BY, "account unknown person=Nobody"),
        ):
            with pytest.raises(Refused, match=why):
                await here.sessions.set_password(person, word, by)
        with pytest.raises(Refused, match="session none"):
            await here.sessions.set_password(SAM, WORD, "Sam", key_of(await begin(here.floor, "Dana")))
        session = key_of(await begin(here.floor, "Sam"))
        await here.sessions.set_password(SAM, WORD, "Sam", session)
        with pytest.raises(Refused):
            await here.sessions.change_password(SAM, "not the old one", "another long one", HERE, session)
        assert await here.sessions.login("Sam", WORD, HERE)

    run(premises, play)


def test_a_hash_that_was_put_into_the_database_signs_nobody_in(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(SAM, "the thief's own", BY)
        thief = here.floor.store.secret(PASSWORD, here.floor.accounts.accounts[SAM].password)
        await here.sessions.set_password(DANA, WORD, BY)
        key = here.floor.accounts.accounts[DANA].password
        assert thief is not None
        here.floor.store.put_secret(Secret(PASSWORD, key, thief.body))
        assert await here.refused("the thief's own") == "login"

    run(premises, play)


def test_a_terminal_is_bound_to_its_seat_until_another_takes_it_or_it_is_retired(premises: Premises) -> None:
    tokens: list[str] = []

    async def first(here: Here) -> None:
        token = await here.sessions.enrol(TABLE, A1, "admin")
        assert here.sessions.seat_of(token) == Seated(TABLE, A1)
        assert here.sessions.who(token) is None
        tokens.append(token)

    async def second(here: Here) -> None:
        first, now = tokens[0], here.floor.clock.now
        assert here.sessions.seat_of(first) == Seated(TABLE, A1)
        second = await here.sessions.enrol(TABLE, A1, "admin")
        assert (here.sessions.seat_of(first), here.sessions.seat_of(second)) == (None, Seated(TABLE, A1))
        await here.give(o.RetireTerminal("Sam", now(), TABLE, A1, "stolen"))
        assert here.sessions.seat_of(second) is None
        assert [(one.key, one.seated) for one in here.ended] == [
            (key_of(first), Seated(TABLE, A1)),
            (key_of(second), Seated(TABLE, A1)),
        ]
        for by, table, seat in (("Dana", TABLE, A1), ("admin", "nowhere", A1), ("admin", TABLE, SeatId("Z9"))):
            with pytest.raises(Refused):
                await here.sessions.enrol(table, seat, by)

    run(premises, first, second)


def test_an_alert_is_raised_once_and_stays_until_it_is_acknowledged(premises: Premises) -> None:
    async def play(here: Here) -> None:
        floor = here.floor
        for _ in range(3):
            floor.alert("device-offline", "no-power", TABLE, device="tumbler")
        await floor.give(floor.office, o.AcknowledgeAlert("Dana", floor.clock.now(), 1))
        assert here.kinds() == ["RaiseAlert", "AcknowledgeAlert"]
        (alert,) = floor.accounts.alerts.values()
        assert alert.open
        await here.give(o.AcknowledgeAlert("Sam", floor.clock.now(), 1, "cable"))
        (alert,) = floor.accounts.alerts.values()
        assert (alert.open, alert.acknowledged_by, alert.note) == (False, "Sam", "cable")
        floor.alert("device-offline", "no-power", TABLE, device="tumbler")
        await until(lambda: len(floor.accounts.alerts) == 2)
        assert [one.open for one in floor.accounts.alerts.values()] == [False, True]

    run(premises, play)


def test_failed_attempts_lock_out_their_address_and_never_a_known_browser(premises: Premises) -> None:
    own, other = "kept by her browser", "kept by another browser"

    async def first(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        await here.sessions.login("Dana", WORD, HERE, own)
        assert [await here.refused(where="10.0.0.1") for _ in range(FREE_FAILURES)] == ["login"] * FREE_FAILURES
        assert await here.refused(WORD, where="10.0.0.1") == "locked"
        await here.sessions.login("Dana", WORD, "10.0.0.2")  # who comes from elsewhere does not wait for that

    async def second(here: Here) -> None:
        for number in range(FREE_FROM_ALL):  # each from an address of its own
            assert await here.refused(where=f"10.0.1.{number}") == "login"
        assert await here.refused(WORD, where="10.0.2.1") == "locked"
        with pytest.raises(Refused, match="locked wait"):
            await here.sessions.login("Dana", WORD, "10.0.2.1", other)
        before = here.floor.accounts.accounts[DANA].failures
        assert before == FREE_FROM_ALL
        assert here.sessions.who(await here.sessions.login("Dana", WORD, "10.0.1.1", own)) == DANA

    async def third(here: Here) -> None:
        """A browser that is known has a bound of its own, and a new password is a new beginning."""
        for _ in range(FREE_FAILURES):
            with pytest.raises(Refused, match="login wrong"):
                await here.sessions.login("Dana", "a wrong one", HERE, own)
        with pytest.raises(Refused, match="locked wait"):
            await here.sessions.login("Dana", WORD, HERE, own)
        await here.sessions.login("Dana", WORD, HERE)
        await here.sessions.set_password(DANA, WORD + "!", BY)
        assert here.floor.accounts.accounts[DANA].browsers == ()
        for number in range(FREE_FROM_ALL):
            await here.refused(where=f"10.0.3.{number}")
        with pytest.raises(Refused, match="locked wait"):
            await here.sessions.login("Dana", WORD + "!", HERE, own)

    run(premises, first, second, third)
    written = b"".join(row.body for row in read_rows(open_store(premises.address), OFFICE))
    assert own.encode() not in written
    assert key_of(own).encode() in written


def test_a_known_browser_does_not_wait_behind_a_crowd_of_made_up_names(premises: Premises) -> None:
    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        await here.sessions.login("Dana", WORD, HERE, "kept")
        crowd = [asyncio.create_task(here.refused(where="10.0.1.1"))]  # somebody tries her name at this moment
        crowd += [
            asyncio.create_task(here.refused(person=f"n{number}", where=f"10.0.0.{number}"))
            for number in range(MOST_TRYING + 4)
        ]
        await asyncio.sleep(0)
        assert here.sessions.who(await here.sessions.login("Dana", WORD, HERE, "kept")) == DANA
        assert "busy" in await asyncio.gather(*crowd)

    run(premises, play)


def test_of_a_person_only_the_hash_of_the_password_in_force_is_kept(premises: Premises) -> None:
    async def play(here: Here) -> None:
        keys = []
        for word in (WORD, WORD + "!", WORD + "?"):
            await here.sessions.set_password(DANA, word, BY)
            keys.append(here.floor.accounts.accounts[DANA].password)
            kept = [here.floor.store.secret(PASSWORD, key) is not None for key in keys]
            assert kept == [False] * (len(keys) - 1) + [True]
        with pytest.raises(Refused, match="permission"):
            await here.sessions.set_password(DANA, WORD, "Sam")
        kept_keys = here.floor.store._run("SELECT key FROM desk WHERE kind = ?", (PASSWORD,))  # type: ignore[attr-defined]
        assert kept_keys == [(keys[-1],)], "a password that was refused is not kept either"
        session = key_of(await begin(here.floor, "Dana"))
        await here.sessions.change_password(DANA, WORD + "?", "another long one", HERE, session)
        assert here.floor.accounts.sessions == {}
        assert await here.refused(WORD + "?") == "login"
        assert here.sessions.who(await here.sessions.login("Dana", "another long one", HERE)) == DANA

    run(premises, play)


def test_a_session_is_over_at_the_moment_its_time_is_over(premises: Premises) -> None:
    async def play(here: Here) -> None:
        idle, absolute = here.sessions.times.idle, here.sessions.times.absolute
        for last, why in ((idle, "idle"), (absolute, "expired")):
            token = await begin(here.floor, "Dana")
            began = here.clock.jumped
            while here.clock.jumped - began + idle - 1 < last - 1:
                assert here.sessions.who(token) == DANA
                here.clock.jumped += idle - 1
            assert here.sessions.who(token) == DANA
            here.clock.jumped = began + last - 1
            await here.sessions.sweep()
            assert here.ended == []
            here.clock.jumped += 1
            assert here.sessions.who(token) is None
            await here.sessions.sweep()
            assert [(one.key, one.why) for one in here.ended] == [(key_of(token), why)]
            assert key_of(token) not in here.sessions._touched, "what is over is not remembered"
            here.ended.clear()

    run(premises, play)


def test_only_a_link_opens_a_session_by_link(premises: Premises) -> None:
    async def play(here: Here) -> None:
        entered = await here.sessions.enter(await here.sessions.link(DANA, BY), HERE)
        assert here.sessions.by_link(key_of(entered))
        assert not here.sessions.by_link(key_of(await begin(here.floor, "Dana")))
        assert not here.sessions.by_link(key_of("unknown"))
        assert (await here.refused("x"), here.sessions.by_link("")) == ("login", False)

    run(premises, play)


def test_passkeys_are_required_by_one_row(premises: Premises) -> None:
    async def play(here: Here) -> None:
        for _ in range(2):
            await here.sessions.require_passkeys()
            assert here.kinds() == ["RequirePasskeys"]

    run(premises, play)


def test_an_office_that_does_not_answer_lets_nobody_in(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(*_: object) -> None:
        return None

    async def play(here: Here) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(here.floor, "give", silent)
            with pytest.raises(Unavailable, match="office no-answer"):
                await here.sessions.link(DANA, BY)

    run(premises, play)


def test_what_a_made_up_name_is_compared_with_is_made_once(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a made-up name takes as long as a name that there is."""

    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        made, hash = [], here.sessions._passwords.hash

        async def counted(password: str) -> str:
            made.append(password)
            return await hash(password)

        monkeypatch.setattr(here.sessions._passwords, "hash", counted)
        assert await here.refused() == "login"
        assert made == [], "a known account has a hash of its own"
        assert [await here.refused(person=f"made-up-{number}") for number in range(3)] == ["login"] * 3
        assert len(made) == 1

    run(premises, play)


def test_failures_with_made_up_names_are_counted_by_rows_that_become_rarer() -> None:
    names, now = _UnknownNames(), 10**12
    assert [names.failed("a", HERE, now, looked_at=False) for _ in range(3)] == [1, 1, 0]
    for gap in (30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000):
        assert (names.due(now + gap - 1), names.due(now + gap)) == (0, 1)
        now += gap
        assert names.due(now + 10 * gap) == 0, "nothing is left to count"
        assert names.failed("a", HERE, now + 1, looked_at=False) == 0
    assert names.failed("a", HERE, now + FORGOTTEN, looked_at=False) == 2
    now += FORGOTTEN
    assert names.failed("a", HERE, now, looked_at=False) == 0
    assert [names.failed("a", HERE, now + FORGOTTEN + 1, looked_at=False) for _ in range(3)] == [2, 1, 0]


def test_of_made_up_names_the_latest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_module, "MOST_UNKNOWN", 5)
    names, now = _UnknownNames(), 10**12
    for name in ("a", "b", "c"):
        for _ in range(FREE_FAILURES):
            assert names.wait(name, HERE, now) <= 0
            names.failed(name, HERE, now, looked_at=True)
        assert names.wait(name, HERE, now) == 30_000
    assert [names.wait(name, HERE, now) > 0 for name in ("a", "b", "c")] == [False, True, True]


def test_an_office_from_before_the_rules_adopts_them_with_its_first_act(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config_module, "RULES", 0)

    async def play(here: Here) -> None:
        for _ in range(2):
            await here.sessions.link(DANA, BY)
        assert here.kinds() == ["AdoptRules", "MakeLink", "MakeLink"]

    run(premises, play)


def test_what_is_no_hash_or_no_text_is_no_password(premises: Premises) -> None:
    assert not _matches(PasswordHasher(), "no hash", WORD)

    async def play(here: Here) -> None:
        await here.sessions.set_password(DANA, WORD, BY)
        assert await here.refused("\ud800 and more") == "login"

    run(premises, play)


def test_without_a_server_a_password_is_compared_with_the_hash_in_force(premises: Premises) -> None:
    async def play(here: Here) -> None:
        store, accounts = here.floor.store, here.floor.accounts.accounts
        assert not is_password_of(store, accounts[DANA], WORD)
        await here.sessions.set_password(DANA, WORD, BY)
        assert is_password_of(store, accounts[DANA], WORD)
        assert not is_password_of(store, accounts[DANA], WORD + "!")

    run(premises, play)


def test_a_name_that_nobody_has_is_refused_like_a_wrong_password_from_any_browser(premises: Premises) -> None:
    async def play(here: Here) -> None:
        with pytest.raises(Refused, match="login wrong"):
            await here.sessions.login("Nobody", WORD, HERE, "kept")

    run(premises, play)


def test_a_token_that_no_letters_can_be_is_an_unknown_one(premises: Premises) -> None:
    async def play(here: Here) -> None:
        for token in ("", "\ud800", "\udcff" * 50, "é", "\0"):
            assert (here.sessions.who(token), here.sessions.seat_of(token)) == (None, None)
            await here.sessions.logout(token)
        assert here.kinds() == []

    run(premises, play)


def test_expired_sessions_are_ended_while_the_floor_is_open(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_module, "SWEEP_SECONDS", 0.01)

    async def play(here: Here) -> None:
        sweeping = asyncio.create_task(here.sessions.run())
        for _ in range(2):
            assert here.sessions.who(await begin(here.floor, "Dana")) == DANA
            here.clock.jumped += HOUR
            before = len(here.ended)
            await until(lambda before=before: len(here.ended) > before)  # type: ignore[misc]
        assert [one.why for one in here.ended] == ["idle", "idle"]
        sweeping.cancel()

    run(premises, play)


def test_a_password_has_ten_to_128_printable_letters_and_is_not_the_name() -> None:
    for word in ("x" * 10, "x" * 128, "a word with spaces"):
        check_password("Dana", word)
    for word in ("x" * 9, "x" * 129, "x" * 9 + "\n"):
        with pytest.raises(Refused) as refused:
            check_password("Dana", word)
        assert (refused.value.case, refused.value.facts) == ("length", {"shortest": 10, "longest": 128})
    with pytest.raises(Refused, match="password own-name"):
        check_password("Straßenbahn", "STRASSENBAHN")
