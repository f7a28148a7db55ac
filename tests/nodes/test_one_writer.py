"""Shares follow from the owners alone; and only one machine writes, however often two believe that they own a table."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from croupier.cage import messages as c
from croupier.floor.floor import Floor
from croupier.floor.shares import shares, surplus
from croupier.rules.bad_input import Unreadable
from croupier.rules.money import Cents
from croupier.store.folder import Premises
from croupier.store.journal import Conflict, NewRow, Row, chain, read_rows
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Recorder
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.made import CageMade
from croupier.table.messages import PersonId
from croupier.table.tickets import ticket_number
from tests.support import postgres
from tests.support.quick_floor import quick


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.started() as running:
        yield running.get_uri()


@pytest.fixture
def address(server: str) -> Iterator[str]:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE owned")
        yield server.replace("/postgres?", "/owned?")
        connection.execute("DROP DATABASE owned WITH (FORCE)")


def test_a_stream_without_an_owner_goes_to_the_node_with_the_fewest() -> None:
    owners = {"a": "one", "b": "one", "c": "", "d": "gone", "e": "two", "f": ""}
    assert shares(owners, ["one", "two", "three"]) == {"c": "three", "d": "three", "f": "two"}
    assert shares(owners, []) == {}


def test_all_nodes_find_the_same_shares_and_no_node_has_two_more_than_another() -> None:
    chance = random.Random(8)
    for _ in range(2_000):
        nodes = [f"n{number}" for number in range(chance.randint(1, 6))]
        streams = [f"s{number}" for number in range(chance.randint(1, 30))]
        owners = {stream: chance.choice([*nodes, "", "gone"]) for stream in streams}
        found = shares(owners, nodes)
        assert found == shares(dict(reversed(owners.items())), list(reversed(nodes)))
        owners |= found
        assert set(owners.values()) <= set(nodes)
        for _ in range(200):  # every node gives up its surplus, one stream at a time
            giving = [node for node in nodes if surplus(owners, nodes, node)]
            for node in giving:
                owners[next(stream for stream, owner in owners.items() if owner == node)] = ""
            owners |= shares(owners, nodes)
            if not giving:
                break
        count = Counter(owners.values())
        assert max(count[node] for node in nodes) - min(count[node] for node in nodes) <= 1


def test_a_lease_that_another_has_taken_is_not_renewed_with_the_others(address: str) -> None:
    one, two = PostgresStore(address), PostgresStore(address)
    kept, lost = (one.take(stream, "one", 0, 5_000) for stream in ("kept", "lost"))
    taken = two.take("lost", "two", 6_000, 5_000)
    assert one.renew_all([kept, lost], 7_000, 60_000) == {"kept"}
    assert one.lease("kept") == kept._replace(until=67_000, seen=7_000)
    assert one.lease("lost") == taken._replace(seen=6_000)
    for store in (one, two):
        store.close()


def test_two_owners_attempted_a_thousand_times_write_one_chain(address: str) -> None:
    """Two owners, each by a lease that was over; the one that is late writes nothing."""
    chance, cashier = random.Random(1000), PersonId("Cass")
    stores = [PostgresStore(address), PostgresStore(address)]
    made = CageMade("cage", {cashier: ("cashier", "pit-manager")})
    first = Recorder.make(stores[0], "one", stores[0].time(), 1, made)
    owners = [first, Recorder.follow(stores[1], "cage")]
    stale = written = 0
    for number in range(1_000):
        taker = chance.randrange(2)
        if not owners[taker].owned:
            owners[taker] = Recorder.follow(stores[taker], "cage")
            # For the database the other's lease is over, whatever that machine believes.
            owners[taker].take_over(str(taker), stores[taker].time() + 10, 1)
        for who in chance.sample((0, 1), 2):
            if not owners[who].owned:
                continue
            try:
                sold = c.SellTicket(cashier, number, ticket_number(2 * number + who), Cents(100), number + 10**6)
                answer = owners[who].give(sold)
                assert answer.entry.refused is None
                written += 1
            except Conflict:
                stale += 1
                assert not owners[who].owned
    rows = [row for row in read_rows(stores[0], "cage") if row.kind == "SellTicket"]
    assert len(rows) == written
    assert stale > 300
    assert len({row.epoch for row in rows}) > 300
    assert sorted(row.epoch for row in rows) == [row.epoch for row in rows]
    last = Recorder.follow(stores[1], "cage")
    assert isinstance(last.subject, CageSubject)
    last.subject.check()
    for store in stores:
        store.close()


def test_what_a_newer_version_writes_and_this_one_cannot_read_is_not_followed_and_still_asked_of_its_owner(
    address: str, tmp_path: Path
) -> None:
    premises = Premises(tmp_path / "floor", address)
    premises.init()

    async def follow() -> None:
        owner, other = (Floor(premises, quick()[:1], name, 60_000) for name in ("newer", "older"))
        await owner.open()
        owner.cluster.announce(relay="there")  # type: ignore[union-attr]
        await owner.cluster.caught_up()  # type: ignore[union-attr]
        await other.open()
        cluster = other.cluster
        assert cluster is not None
        assert [other.cage.followed, other.office.followed] == [True, True]
        place = other.cage.place
        new = chain("cage", other.cage.lease.epoch, place, [NewRow(1, "SellRainbows", b'{"command": "of tomorrow"}')])
        cluster._read("cage", [Row._make((*new.rows[0], ()))])
        assert isinstance(other.cage.ownership.why, Unreadable)
        assert [other.cage.followed, other.office.followed] == [False, True]
        asked: list[object] = []
        other.relay = lambda recorder, command, id, reply: asked.append(command)
        sold = c.SellTicket(PersonId("Cass"), 1, ticket_number(1), Cents(100), 2)
        other.submit(other.cage, sold, "", lambda answer: None)
        assert asked == [sold]
        await other.close()
        await owner.close()

    asyncio.run(follow())


def test_a_reader_beside_a_writer_finds_every_row_with_its_money(address: str) -> None:
    writer, reader = PostgresStore(address), PostgresStore(address)
    made = CageMade("busy", {PersonId("Cass"): ("cashier", "pit-manager")})
    owner = Recorder.make(writer, "one", writer.time(), 60_000, made)
    follower = Recorder.follow(reader, "busy")

    def write() -> None:
        for number in range(400):
            owner.give(c.SellTicket(PersonId("Cass"), number, ticket_number(10**6 + number), Cents(100), 10**6))

    with ThreadPoolExecutor(1) as thread:
        writing = thread.submit(write)
        while not writing.done():
            follower.read(read_rows(reader, "busy", follower.place.seq))
        writing.result()
    follower.read(read_rows(reader, "busy", follower.place.seq))
    assert follower.place == owner.place
    assert follower.subject.state() == owner.subject.state()
    writer.close()
    reader.close()
