"""A machine that was frozen or cut off shows what other machines did meanwhile, and does none of it itself."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import psycopg
import pytest

from croupier.cage import messages as c
from croupier.floor import cluster as cluster_module
from croupier.floor import timers as timers_module
from croupier.floor.cluster import Cluster, NodeStatus, _news
from croupier.floor.config import TableConfig
from croupier.floor.floor import Floor
from croupier.floor.presence import Presence, apply_presence
from croupier.floor.shares import surplus
from croupier.floor.timers import Timers
from croupier.floor.workers import Workers
from croupier.rules.findings import found
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused, Unavailable
from croupier.server.sessions import Sessions, key_of
from croupier.store import recorder as record_module
from croupier.store.archive import Archived, archive
from croupier.store.folder import Premises
from croupier.store.heads import Shortened, accept
from croupier.store.journal import Away, Busy, Conflict, NewRow, Node, Row, Secret, chain
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Recorder
from croupier.store.streams.entry import LossAccepted
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId
from croupier.table.tickets import ticket_number
from tests.nodes.line import line_to_unix
from tests.support import postgres
from tests.support.floors import until
from tests.support.quick_floor import by_people
from tests.support.recorders import correct, long_evening

TABLE = "sicbo-rws"
LONG = 60.0
_count = itertools.count()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.started() as running:
        yield running.get_uri()


@pytest.fixture
def address(server: str) -> str:
    name = f"late_{next(_count)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


@contextlib.asynccontextmanager
async def opened(
    folder: Path, address: str, *names: str, configs: Sequence[TableConfig] = (), lease: int = 60_000
) -> AsyncIterator[list[Floor]]:
    """The machines of a floor, in one process; the first owns everything."""
    premises = Premises(folder / "floor", address)
    premises.init()
    floors = [Floor(premises, configs, name, lease) for name in names]
    try:
        for floor in floors:
            await floor.open()
        yield floors
    finally:
        for floor in reversed(floors):
            await floor.close()


def taken_by(address: str, stream: str) -> Recorder:
    """Take a stream as another machine would, after its owner was silent for long."""
    store = PostgresStore(address)
    other = Recorder.follow(store, stream)
    other.take_over("other", store.time() + 600_000, 60_000)
    return other


def given(recorder: Recorder, *commands: Any) -> None:
    for command in commands:
        answer = recorder.give(command)
        assert answer.entry.refused is None, answer.entry.refused


def test_a_device_is_not_asked_for_what_another_machine_did_meanwhile(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "frozen", configs=by_people(TABLE)) as (floor,):
            workers, live = Workers(floor), floor.tables[TABLE]
            await workers.start()
            device = workers.devices[TABLE]
            await until(lambda: device.online, LONG)
            asked: list[str] = []

            async def act(what: str) -> None:
                asked.append(what)

            device.device.act = act  # type: ignore[method-assign, assignment]
            other, now = taken_by(address, TABLE), floor.clock.now()
            given(other, m.OpenTable("Sam", now), m.OpenBetting("Dana", now), m.CallNoMoreBets("Dana", now))
            given(other, m.StartMotion("Dana", now))
            assert floor.cluster is not None
            floor.cluster.announce()  # it wakes up, and wants to renew
            await until(lambda: live.recorder.followed and live.recorder.place == other.place, LONG)
            await asyncio.sleep(0.2)
            assert live.table.motion.started
            assert asked == []
            await workers.stop()
            other.store.close()

    asyncio.run(play())


def test_after_a_pause_longer_than_a_lease_no_dice_are_moved_before_the_leases_are_read(
    tmp_path: Path, address: str
) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "asleep", configs=by_people(TABLE), lease=1_000) as (floor,):
            workers, live, asked = Workers(floor), floor.tables[TABLE], list[str]()
            await workers.start()
            device = workers.devices[TABLE]
            await until(lambda: device.online and floor.sure, LONG)

            async def act(what: str) -> None:
                asked.append(what)

            device.device.act = act  # type: ignore[method-assign, assignment]
            await stop_looking(floor)
            await until(lambda: not floor.sure, LONG)
            for command in (m.OpenTable("Sam", now(floor)), m.OpenBetting("Dana", now(floor))):
                await floor.give(live.recorder, command)
            for later in (m.CallNoMoreBets("Dana", now(floor)), m.StartMotion("Dana", now(floor))):
                await floor.give(live.recorder, later)
            await asyncio.sleep(0.5)
            assert live.table.motion.started
            assert asked == []
            assert floor.cluster is not None
            floor._tasks.append(asyncio.create_task(floor.cluster.run()))
            await until(lambda: asked == ["tumble"], LONG)
            await workers.stop()

    asyncio.run(play())


def test_no_node_is_sure_of_a_stream_once_its_lease_is_over_by_the_clock_of_the_database(
    tmp_path: Path, address: str
) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "asleep", configs=by_people(TABLE), lease=1_000) as (floor,):
            store, looks = PostgresStore(address), 0
            while not looks:  # a busy machine may sleep through a whole lease: then once more
                await until(lambda: floor.sure, LONG)
                await stop_looking(floor)
                over = min(store.lease(stream).until for stream in (TABLE, "cage", "office"))
                while (moment := store.time()) < over + 1_500:
                    looks += floor.sure
                    # The database has whole milliseconds.
                    assert moment <= over + 1 or not floor.sure, f"sure {moment - over} ms after it was over"
                    await asyncio.sleep(0.005)
                assert floor.cluster is not None
                floor._tasks.append(asyncio.create_task(floor.cluster.run()))
            store.close()

    asyncio.run(play())


def test_leases_and_signs_of_life_are_counted_by_the_clock_of_the_database(tmp_path: Path, address: str) -> None:
    """The floor's clock never goes back: it may be an hour ahead of a database whose clock was mended."""

    async def play() -> None:
        async with opened(tmp_path, address, "ahead", configs=by_people(TABLE)) as (floor,):
            cluster, store = floor.cluster, PostgresStore(address)
            assert cluster is not None
            floor.clock.not_before(floor.clock.now() + 3_600_000)
            for _ in range(2):
                cluster.announce()
                await cluster.caught_up()
            live = floor.tables[TABLE]
            live.recorder.ownership.stop(Conflict(found("store", "other-epoch", stream=TABLE, epoch=1)))
            await until(lambda: TABLE in cluster.mine and live.recorder.owned, LONG)
            look = store.look()
            for lease in look.leases.values():
                assert lease.seen <= look.now < lease.until <= look.now + 60_000
            assert all(look.now < node.until <= look.now + 60_000 for node in look.nodes)
            store.close()

    asyncio.run(play())


def test_a_stream_that_its_next_owner_does_not_take_within_a_lease_is_taken_by_another(
    tmp_path: Path, address: str
) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "alive", configs=by_people(TABLE), lease=1_000) as (floor,):
            cluster, store = floor.cluster, PostgresStore(address)
            assert cluster is not None
            # It says that it lives, has nothing, and is given the table; it never takes anything.
            store.put_node(Node("a ghost", store.time() + 60_000, msgspec.json.encode(NodeStatus("0"))))
            others = {"more": "alive", "yet more": "alive"} | {TABLE: "alive"}
            assert surplus(others, ["alive", "a ghost"], "alive")
            cluster.mine.discard(TABLE)
            store.release(floor.tables[TABLE].recorder.lease)
            floor.tables[TABLE].recorder.ownership.change("HandedOver")
            await until(lambda: "a ghost" in cluster.nodes, LONG)
            # Within less than the minute for which the other lives.
            await until(lambda: TABLE in cluster.mine and floor.tables[TABLE].recorder.owned, 45)
            store.close()

    asyncio.run(play())


def test_without_the_database_devices_rest_after_the_time_of_a_lease_and_not_before(
    tmp_path: Path, address: str
) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "cut off", configs=by_people(TABLE), lease=2_000) as (floor,):
            cluster, loop = floor.cluster, asyncio.get_running_loop()
            assert cluster is not None

            def gone(*_: Any) -> Any:
                raise Away(found("store", "no-answer", error="the line is cut"))

            ask, reopen = cluster._ask, cluster._reopen
            cluster._ask = cluster._reopen = gone  # type: ignore[method-assign, assignment]
            left: list[float] = []
            cluster.listeners.append(lambda stream: left.append(loop.time()) if stream == TABLE else None)
            await until(lambda: left, LONG)
            assert TABLE not in cluster.mine
            assert cluster.away
            assert left[0] - cluster._away_since > 2.0
            cluster._ask, cluster._reopen = ask, reopen  # type: ignore[method-assign]
            await until(lambda: TABLE in cluster.mine, LONG)

    asyncio.run(play())


def test_the_presence_another_machine_sends_of_our_own_table_is_not_shown(tmp_path: Path, address: str) -> None:
    """It had the table before, and does not know yet that it has it no more."""

    async def play() -> None:
        async with opened(tmp_path, address, "owner", "other", configs=by_people(TABLE)) as (owner, other):
            for floor in (owner, other):
                apply_presence(floor, Presence(TABLE, 123, there=(SeatId("A1"),)))
            assert (owner.tables[TABLE].closes_at, owner.tables[TABLE].connected_seats) == (None, set())
            assert (other.tables[TABLE].closes_at, other.tables[TABLE].connected_seats) == (123, {"A1"})

    asyncio.run(play())


async def stop_looking(floor: Floor) -> None:
    """As if it slept: it renews nothing and sees nothing of the others."""
    [looking] = [task for task in floor._tasks if getattr(task.get_coro(), "__qualname__", "") == "Cluster.run"]
    floor._tasks.remove(looking)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)


def now(floor: Floor) -> int:
    return floor.clock.now()


def test_two_machines_that_begin_at_once_have_one_key(address: str) -> None:
    stores = [PostgresStore(address), PostgresStore(address)]
    kept = [store.first_secret(Secret("nodes", "key", body)) for store, body in zip(stores, (b"a", b"b"), strict=True)]
    assert [one.body for one in kept] == [b"a", b"a"]
    for store in stores:
        store.close()


def test_what_was_given_up_is_not_renewed(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "one", configs=by_people(TABLE)) as (floor,):
            cluster, store = floor.cluster, PostgresStore(address)
            assert cluster is not None
            cluster.announce(leaving=True)
            cluster._give_one_up()
            assert [floor.tables[TABLE].recorder.followed, floor.cage.followed] == [True, True]
            for _ in range(3):  # each of these turns renews what is owned
                cluster.announce()
                await cluster.caught_up()
            assert [store.lease(stream).until for stream in (TABLE, "cage", "office")] == [0, 0, 0]
            store.close()

    asyncio.run(play())


def test_a_status_that_changes_during_a_turn_is_written_after_it(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "one", configs=by_people(TABLE)) as (floor,):
            cluster, store = floor.cluster, PostgresStore(address)
            assert cluster is not None
            ask, loop = cluster._ask, asyncio.get_running_loop()

            def asked(due: bool, *more: Any) -> Any:
                answer = ask(due, *more)
                if due and not cluster.status.pages:  # it has just said that it lives
                    loop.call_soon_threadsafe(lambda: cluster.announce(pages="over there"))
                    time.sleep(0.2)
                return answer

            cluster._ask = asked  # type: ignore[method-assign, assignment]
            cluster.announce()
            # A machine that has nothing to say writes its status every quarter of a lease.
            await until(lambda: b"over there" in store.look().nodes[0].body, 14)
            store.close()

    asyncio.run(play())


def test_a_takeover_that_failed_halfway_is_repeated(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream has an owner without its first row: it would not be dealt, and no other machine would take it."""
    faults: list[Exception] = [
        Busy(found("store", "undone", error="deadlock")),
        Conflict(found("store", "owned", stream=TABLE, owner="another")),
    ]

    async def play() -> None:
        async with opened(tmp_path, address, "one", configs=by_people(TABLE), lease=1_000) as (floor,):
            cluster, live = floor.cluster, floor.tables[TABLE]
            assert cluster is not None
            now, append = floor.clock.now(), PostgresStore.append
            for command in (m.OpenTable("Sam", now), m.OpenBetting("Dana", now)):
                assert await floor.give(live.recorder, command)

            def fails(store: PostgresStore, batch: Any) -> None:
                if faults and batch[0].rows[0][5] == "Interrupt":
                    raise faults.pop()
                append(store, batch)

            monkeypatch.setattr(PostgresStore, "append", fails)
            live.recorder.ownership.stop(Conflict(found("store", "other-epoch", stream=TABLE, epoch=1)))
            await until(lambda: not faults and TABLE in cluster.mine and live.recorder.owned, LONG)
            assert live.table.interruption is not None

    asyncio.run(play())


def test_a_correction_of_a_round_in_another_machines_archive_stops_no_machine(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    store = PostgresStore(address)
    owner = long_evening(store, 60)
    assert archive(store, "T", 45_000, tmp_path / "archive") is not None
    with Archived(store, tmp_path / "archive") as whole:
        reader = PostgresStore(address)
        before = Recorder.follow(reader, "T")
        # Where the archive is not, the correction is refused, and that can be read everywhere.
        said = owner.give(m.CorrectResult("Sam", 99_000, m.RoundNumber(2), "1-1-2", "misread"))
        assert said.entry.refused is not None
        assert said.entry.refused.reason == "archived"
        assert Recorder.follow(reader, "T").place == owner.place
        second = Recorder.recover(whole, "two", 999_001, 5_000, "T")
        correct(second, 2, "1-1-2", 999_500)

        class Here:
            recorder = staticmethod(lambda name: before)

        here = Cluster.__new__(Cluster)
        here._floor = Here()  # type: ignore[assignment]
        here._read("T", _news(reader, "T", before.place.seq))
        assert isinstance(before.ownership.why, Refused)
        assert not before.followed
        reader.close()
    store.close()


def test_a_machine_that_cannot_follow_the_office_admits_no_session(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "newer", "older", configs=by_people(TABLE)) as (owner, other):
            sessions = [Sessions(floor) for floor in (owner, other)]
            token = await sessions[0]._begin(PersonId("admin"), "here")
            await until(lambda: sessions[1].who(token) == "admin", LONG)
            assert other.cluster is not None
            new = chain("office", 1, other.office.place, [NewRow(1, "PaintTheOffice", b'{"command": "of tomorrow"}')])
            other.cluster._read("office", [Row._make((*new.rows[0], ()))])
            assert sessions[1].office_unreadable
            assert sessions[1].who(token) is None
            assert sessions[0].who(token) == "admin"
            ended: list[str] = []  # whose screens are closed
            sessions[1].on_end(lambda one: ended.append(one.key))
            await sessions[1].sweep()
            assert ended == [key_of(token)]

    asyncio.run(play())


def test_what_one_machine_writes_of_sessions_another_knows_when_it_is_asked(tmp_path: Path, address: str) -> None:
    admin = PersonId("admin")

    async def play() -> None:
        async with opened(tmp_path, address, "newer", "older", configs=by_people(TABLE)) as (owner, other):
            ours, theirs = Sessions(owner), Sessions(other)
            assert other.office.followed
            assert not theirs.database_silent
            for number in range(2):
                token, link = await ours._begin(admin, "here"), await ours.link(admin, "machine/test")
                terminal = await ours.enrol(TABLE, SeatId(f"A{number + 1}"), "admin")
                for unknown in (token, link, terminal):
                    await theirs.catch_up(unknown)
                    office = other.accounts
                    assert key_of(unknown) in {*office.sessions, *office.links, *office.terminals}
                await in_use_elsewhere(ours, theirs, token)

    async def in_use_elsewhere(ours: Sessions, theirs: Sessions, token: str) -> None:
        """What is in use on another machine has not been idle on the one that ends sessions."""
        key, owner = key_of(token), ours._floor
        assert theirs.who(token) == admin
        await theirs.sweep()
        await until(lambda: owner.cluster and any(key in node.touched for node in owner.cluster.nodes.values()), LONG)
        ours._touched[key] = 0
        await ours.sweep()
        assert ours.who(token) == admin

    asyncio.run(play())


def test_readers_that_wait_hold_up_no_lease(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        ended = threading.Event()
        async with opened(tmp_path, address, "one", configs=by_people(TABLE), lease=1_000) as _:
            waiting = [asyncio.create_task(asyncio.to_thread(ended.wait, LONG)) for _ in range(64)]
            try:
                store = PostgresStore(address)
                begun = store.lease(TABLE).until
                await until(lambda: store.lease(TABLE).until > begun + 3 * 1_000, LONG)
                store.close()
            finally:
                ended.set()
                await asyncio.gather(*waiting)

    asyncio.run(play())


def test_a_database_that_falls_silent_keeps_no_caller_for_ever(address: str) -> None:
    """A reader, and a connection that is opened again."""
    query = parse_qs(urlsplit(address).query)
    with line_to_unix(f"{query['host'][0]}/.s.PGSQL.5432") as line:
        name = urlsplit(address).path.strip("/")
        through = f"postgresql://postgres@127.0.0.1:{line.port}/{name}"
        PostgresStore(address).close()
        reader = PostgresStore(through, read_only=True, patience=1)
        again = PostgresStore(through, patience=1)
        line.cut("silent")
        for wait in (reader.streams, again.reopen):
            begin = time.monotonic()
            with pytest.raises(Away):
                wait()
            assert time.monotonic() - begin < 10
        reader.close()
        again.close()


def test_a_database_that_falls_silent_after_a_connection(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    query = parse_qs(urlsplit(address).query)
    with line_to_unix(f"{query['host'][0]}/.s.PGSQL.5432") as line:
        name = urlsplit(address).path.strip("/")
        store = PostgresStore(f"postgresql://postgres@127.0.0.1:{line.port}/{name}", patience=1)
        connected = store._connected

        def then_silent() -> Any:
            made = connected()
            line.cut("silent")
            time.sleep(0.2)
            return made

        monkeypatch.setattr(store, "_connected", then_silent)
        begin = time.monotonic()
        with pytest.raises(Away):
            store.reopen()
        assert time.monotonic() - begin < 10
        store.close()


def test_tickets_expire_after_the_database_was_away(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers_module, "AGAIN", 0.05)
    due, failed = (
        timers_module._due,
        [Unavailable("store", "no-answer"), Away(found("store", "no-answer", error="timeout"))],
    )

    def sometimes(premises: Premises, now: int) -> list[str]:
        if failed:
            raise failed.pop()
        return due(premises, now)

    monkeypatch.setattr(timers_module, "_due", sometimes)

    async def play() -> None:
        async with opened(tmp_path, address, "one", configs=by_people(TABLE)) as (floor,):
            now, number = floor.clock.now(), ticket_number(1)
            sold = await floor.give(floor.cage, c.SellTicket(PersonId("Cass"), now, number, Cents(100), now + 1))
            assert sold is not None
            assert sold.entry.refused is None
            running = asyncio.create_task(Timers(floor).run())
            await until(lambda: (floor.store.ticket(number) or (0, 0))[1], LONG)
            assert not failed
            running.cancel()

    asyncio.run(play())


def test_a_lease_from_before_the_servers_clock_was_set_back_is_over_when_it_is_not_renewed(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "STILL", 1.0)
    monkeypatch.setattr(cluster_module, "PATIENCE", 3.0)

    async def play() -> None:
        async with opened(tmp_path, address, "dead", configs=by_people(TABLE), lease=1_000) as (floor,):
            premises = floor.premises
            await floor.abandon()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("UPDATE streams SET until = until + 3600000, seen = seen + 3600000")
            connection.execute("INSERT INTO nodes SELECT 'dead', max(until), '{\"version\": \"1\"}' FROM streams")
        after = Floor(premises, by_people(TABLE), "after", 1_000)
        await after.open()
        cluster = after.cluster
        assert cluster is not None
        await until(lambda: len(cluster.mine) == 3 and list(cluster.nodes) == ["after"], LONG)
        await asyncio.sleep(1)  # it has renewed by the clock as it goes now
        assert after.store.lease(TABLE).until < after.clock.now() + 5_000
        await after.close()

    asyncio.run(play())


def test_a_stream_that_lost_rows_stops_on_every_machine_until_two_people_accept_it(
    tmp_path: Path, address: str
) -> None:
    async def play() -> None:
        async with opened(tmp_path, address, "owner", "other", configs=by_people(TABLE)) as (owner, other):
            before = owner.cage.place
            sold = c.SellTicket(PersonId("Cass"), owner.clock.now(), ticket_number(1), Cents(100), 2**50)
            assert await owner.give(owner.cage, sold)
            await until(lambda: other.cage.place == owner.cage.place, LONG)
            reached = owner.cage.place
            with psycopg.connect(address, autocommit=True) as connection:
                for table in ("journal", "transfers"):
                    connection.execute(f"DELETE FROM {table} WHERE stream = 'cage' AND seq > {before.seq}")
                connection.execute("DELETE FROM tickets")
                connection.execute("UPDATE streams SET seq = %s, hash = %s WHERE stream = 'cage'", before)
            # The owner has written nothing since, and learns it from the machine that reads.
            await until(lambda: all(isinstance(one.cage.ownership.why, Shortened) for one in (owner, other)), LONG)
            more = c.SellTicket(PersonId("Cass"), owner.clock.now(), ticket_number(2), Cents(100), 2**50)
            assert await owner.give(owner.cage, more) is None
            store = PostgresStore(address)
            assert store.head("cage") == before, "nothing is added to it"
            loss = LossAccepted(
                PersonId("Pat"), PersonId("Max"), "a standby lagged", ((reached.seq, reached.hash.hex()),)
            )
            lease = store.take("cage", "desk", store.time() + 600_000, 1_000)
            accept(store, lease, store.time(), loss, None)
            store.release(lease)
            store.close()
            await until(lambda: owner.cage.owned or other.cage.owned, LONG)
            owning = owner if owner.cage.owned else other
            assert await owning.give(owning.cage, more)
            await until(lambda: other.cage.place == owner.cage.place, LONG)

    asyncio.run(play())
