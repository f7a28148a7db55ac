"""The contract of a store, kept by both: order, fencing, replies, tickets, chain, all or nothing."""

from __future__ import annotations

import msgspec
import psycopg
import pytest

from croupier.ledger import Transfer
from croupier.rules.money import Cents
from croupier.store.journal import (
    GENESIS,
    PAGE,
    Append,
    Conflict,
    Lease,
    NewRow,
    Place,
    Reply,
    Row,
    Secret,
    Snapshot,
    Store,
    TicketEnded,
    TicketMade,
    chain,
    hash_of,
    read_rows,
)
from croupier.store.postgres import PostgresStore
from tests.store.conftest import Open


def new(text: str, amount: int = 0) -> NewRow:
    transfers = [Transfer("cage", "terminal:T1/Ann", Cents(amount), "credit sold", text)] if amount else []
    return NewRow(1_000, "Noted", text.encode(), transfers)


def owned(store: Store, stream: str = "T1", owner: str = "one", now: int = 0) -> Lease:
    return store.take(stream, owner, now, 5_000)


def rows(lease: Lease, after: Place, *news: NewRow) -> Append:
    return chain(lease.stream, lease.epoch, after, news)


def write(store: Store, lease: Lease, after: Place, *news: NewRow) -> Place:
    append = rows(lease, after, *news)
    store.append([append])
    return append.place


def test_rows_are_kept_in_order_and_chained(store: Store, open_store: Open) -> None:
    lease = owned(store)
    first = write(store, lease, GENESIS, new("a", 100), new("b"))
    second = write(store, lease, first, new("c", 50))
    for reader in (store, open_store()):
        kept = list(read_rows(reader, "T1"))
        assert [(r.seq, r.body) for r in kept] == [(1, b"a"), (2, b"b"), (3, b"c")]
        before = GENESIS.hash
        for row in kept:
            assert row.hash == hash_of(row, before)
            before = row.hash
        assert reader.head("T1") == second == Place(3, before)
        assert [row.transfers for row in kept] == [tuple(new("a", 100).transfers), (), tuple(new("c", 50).transfers)]
        assert [r.seq for r in read_rows(reader, "T1", after=2)] == [3]
        assert reader.streams() == ["T1"]


def test_many_rows_are_read_page_by_page(store: Store) -> None:
    write(store, owned(store), GENESIS, *(new(str(number), number % 2) for number in range(PAGE * 2 + 1)))
    assert [row.body for row in read_rows(store, "T1")] == [b"%d" % number for number in range(PAGE * 2 + 1)]
    assert sum(len(row.transfers) for row in read_rows(store, "T1")) == PAGE


def test_an_append_at_another_place_than_expected_is_a_conflict_and_writes_nothing(store: Store) -> None:
    lease = owned(store)
    place = write(store, lease, GENESIS, new("a"))
    for expected in (GENESIS, Place(2, bytes(32)), Place(1, bytes(32))):
        with pytest.raises(Conflict, match=r"other-place .* row=1") as conflict:
            write(store, lease, expected, new("b", 10))
        assert conflict.value.streams == {"T1"}
    assert store.head("T1") == place
    assert [row.body for row in read_rows(store, "T1")] == [b"a"]


def test_a_stale_stream_in_a_batch_holds_up_no_other(store: Store, open_store: Open) -> None:
    one, two, three = (owned(store, name) for name in ("T1", "T2", "T3"))
    stale = rows(two, Place(5, bytes(32)), new("b", 20))
    with pytest.raises(Conflict) as conflict:
        store.append([rows(one, GENESIS, new("a", 10)), stale, rows(three, GENESIS, new("c"))])
    assert conflict.value.streams == {"T2"}
    for reader in (store, open_store()):
        assert reader.streams() == ["T1", "T3"]
        assert [len(list(read_rows(reader, name))) for name in ("T1", "T2", "T3")] == [1, 0, 1]


def test_a_large_batch_keeps_the_same_contract(store: Store) -> None:
    one, two = owned(store, "T1"), owned(store, "T2")
    many = [new(str(number), 1) for number in range(300)]
    with pytest.raises(Conflict) as conflict:
        store.append([rows(one, GENESIS, *many), rows(two, Place(5, bytes(32)), *many)])
    assert conflict.value.streams == {"T2"}
    assert (store.head("T1").seq, store.head("T2").seq) == (300, 0)
    twice = rows(two, GENESIS, *many)._replace(replies=[Reply("b1", 1), Reply("b1", 2)])
    with pytest.raises(Conflict, match="faster"):
        store.append([rows(one, store.head("T1"), new("more")), twice])
    assert (store.head("T1").seq, store.head("T2").seq) == (300, 0)
    assert len(list(read_rows(store, "T1"))) == 300


def test_a_stream_has_one_owner_until_its_lease_is_over(store: Store, open_store: Open) -> None:
    other = open_store()
    first = owned(store, owner="one", now=0)
    with pytest.raises(Conflict, match=r"owned .* owner=one"):
        other.take("T1", "two", 4_999, 5_000)
    first = store.renew(first, 4_000, 5_000)
    with pytest.raises(Conflict, match=r"owned .* owner=one"):
        other.take("T1", "two", 8_999, 5_000)
    second = other.take("T1", "two", 9_000, 5_000)
    assert second.epoch > first.epoch
    assert second.seen == 4_000
    with pytest.raises(Conflict, match="other-epoch"):
        store.renew(first, 9_001, 5_000)
    other.release(second)
    assert store.take("T1", "one", 9_002, 5_000).epoch > second.epoch


def test_who_was_replaced_ends_and_lengthens_no_lease_but_their_own(store: Store, open_store: Open) -> None:
    other, third = open_store(), open_store()
    stale = owned(store, owner="one", now=0)
    fresh = other.take("T1", "two", 6_000, 5_000)
    store.release(stale)
    with pytest.raises(Conflict, match="other-epoch"):
        store.renew(stale, 6_001, 60_000)
    assert other.lease("T1") == fresh._replace(seen=6_000)
    with pytest.raises(Conflict, match=r"owned .* owner=two"):
        third.take("T1", "three", 10_999, 5_000)
    assert third.take("T1", "three", 11_000, 5_000).epoch == fresh.epoch + 1


def test_a_stale_owner_cannot_write_not_in_a_thousand_attempts(store: Store, open_store: Open) -> None:
    other = open_store()
    stale = owned(store, owner="one", now=0)
    place = write(store, stale, GENESIS, new("a"))
    fresh = other.take("T1", "two", 6_000, 5_000)
    for attempt in range(1_000):
        with pytest.raises(Conflict, match="other-epoch"):
            write(store, stale, place, new(f"late {attempt}", 10))
    write(other, fresh, place, new("b"))
    assert [r.body for r in read_rows(store, "T1")] == [b"a", b"b"]


def test_without_a_lease_nothing_is_written(store: Store) -> None:
    with pytest.raises(Conflict):
        write(store, Lease("T1", "one", 1, 0), GENESIS, new("a"))
    assert store.streams() == []


def test_a_reply_is_kept_with_its_rows_and_only_once(store: Store, open_store: Open) -> None:
    lease = owned(store)
    append = rows(lease, GENESIS, new("a"))._replace(replies=[Reply("b1", 1)])
    store.append([append])
    assert open_store().reply("T1", "b1") == Reply("b1", 1)
    assert store.reply("T1", "b2") is None
    with pytest.raises(Conflict, match="faster"):
        store.append([rows(lease, append.place, new("b"))._replace(replies=[Reply("b1", 2)])])
    assert store.head("T1") == append.place
    assert list(store.replies("T1")) == [Reply("b1", 1)]


def test_a_ticket_is_made_once_and_ends_once_wherever_it_is_brought(store: Store, open_store: Open) -> None:
    other = open_store()
    cage, table = owned(store, "cage"), other.take("T1", "two", 0, 5_000)
    made = TicketMade("1" * 18, "cage", 1, 500, 1_000, 9_000, "cage")
    first = rows(cage, GENESIS, new("sold"))._replace(tickets=[made])
    store.append([first])
    assert other.ticket(made.number) == (made, None)
    assert other.ticket("2" * 18) is None
    ended = TicketEnded(made.number, 0, "T1", 1, 1_000, "redeemed")
    other.append([rows(table, GENESIS, new("in"))._replace(ended=[ended])])
    paid = ended._replace(stream="cage", seq=2, how="paid")
    for late in (rows(cage, first.place, new("paid"))._replace(ended=[paid]), first._replace(after=first.place)):
        with pytest.raises(Conflict):
            store.append([late])
    assert list(store.tickets()) == [(made, ended)]
    assert store.head("cage") == first.place


def test_an_expired_ticket_can_be_paid_late_once(store: Store) -> None:
    lease = owned(store, "cage")
    made = TicketMade("1" * 18, "cage", 1, 500, 1_000, 9_000, "cage")
    ends = [TicketEnded(made.number, late, "cage", 2, 1_000, how) for late, how in ((0, "expired"), (1, "paid"))]
    append = rows(lease, GENESIS, new("a"), new("b"))._replace(tickets=[made], ended=ends)
    store.append([append])
    assert store.ticket(made.number) == (made, ends[1])
    with pytest.raises(Conflict):
        store.append([rows(lease, append.place, new("c"))._replace(ended=[ends[1]._replace(seq=3)])])


def test_snapshots_are_found_by_round_and_by_row(store: Store, open_store: Open) -> None:
    assert store.snapshot("T1") is None
    lease = owned(store)
    kept = [Snapshot("T1", seq, round, b"state") for seq, round in ((1, 3), (2, 7))]
    store.append([rows(lease, GENESIS, new("a"), new("b"))._replace(snapshots=kept)])
    reader = open_store()
    assert reader.snapshot("T1") == kept[1]
    assert reader.snapshot("T1", round=6) == kept[0]
    assert reader.snapshot("T1", round=2) is None
    assert reader.snapshot("T1", seq=1) == kept[0]
    assert reader.snapshots("T1") == [1, 2]


def test_rows_that_may_have_changed_old_rounds_are_found(store: Store) -> None:
    kinds = ("PlaceBet", "Approve", "CorrectResult", "Decline", "VoidRounds")
    write(store, owned(store), GENESIS, *(NewRow(1, kind, b"{}") for kind in kinds))
    assert store.corrections("T1", 0) == [2, 3, 5]
    assert store.corrections("T1", 2) == [3, 5]


def test_the_flows_of_a_span_of_time_are_summed(store: Store) -> None:
    spread = [msgspec.structs.replace(new("a", amount), at=at) for at, amount in ((1, 10), (2, 20), (3, 40))]
    write(store, owned(store), GENESIS, *spread)
    assert store.flows("T1", 2, 3) == [("cage", "terminal:T1/Ann", "credit sold", 20)]
    assert store.flows("T1", 0, 9) == [("cage", "terminal:T1/Ann", "credit sold", 70)]


def test_only_the_owner_of_a_database_removes_rows(store: Store) -> None:
    lease = owned(store)
    place = write(store, lease, GENESIS, new("a", 5), new("b"), new("c"))
    if isinstance(store, PostgresStore):
        for table in ("journal", "transfers", "replies", "tickets", "ticket_ends", "snapshots"):
            for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET stream = 'x'", f"TRUNCATE {table}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    store._db.execute(sql)
    store.forget("T1", 3)
    assert [row.seq for row in read_rows(store, "T1")] == [3]
    write(store, lease, place, new("d"))
    assert store.head("T1").seq == 4
    if isinstance(store, PostgresStore):  # and is the application again
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            store._db.execute("DELETE FROM journal")


def test_every_field_of_a_row_is_in_its_hash(store: Store) -> None:
    write(store, owned(store), GENESIS, new("a", 100))
    kept = next(iter(read_rows(store, "T1")))
    changes = {
        "stream": "T2",
        "seq": 2,
        "format": 2,
        "epoch": 9,
        "at": 1,
        "kind": "Other",
        "body": b"b",
        "transfers": (),
    }
    for name, value in changes.items():
        assert hash_of(Row(**(kept._asdict() | {name: value})), GENESIS.hash) != kept.hash, name
    for number, value in enumerate(("bank", "terminal:T1/Bob", Cents(101), "credit given", "b")):
        transfer = msgspec.structs.replace(kept.transfers[0], **{Transfer.__struct_fields__[number]: value})
        assert hash_of(kept._replace(transfers=(transfer,)), GENESIS.hash) != kept.hash, number
    assert hash_of(kept, bytes([1]) * 32) != kept.hash
    assert set(changes) | {"hash"} == set(kept._fields)


def test_a_secret_is_kept_beside_the_journal_and_can_be_changed_and_removed(store: Store, open_store: Open) -> None:
    assert store.secret("password", "a") is None
    for body in (b"one", b"two"):
        store.put_secret(Secret("password", "a", body))
    store.put_secret(Secret("other", "a", b"\x00"))
    for reader in (store, open_store()):
        assert reader.secret("password", "a") == Secret("password", "a", b"two")
    store.drop_secret("password", "a")
    store.drop_secret("password", "a")
    assert (store.secret("password", "a"), store.secret("other", "a")) == (None, Secret("other", "a", b"\x00"))
    assert store.streams() == []
