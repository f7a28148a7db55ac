"""The contract of a store, kept by both: order, fencing, replies, chain, all or nothing."""

from __future__ import annotations

import pytest

from croupier.ledger import Transfer
from croupier.rules.money import Cents
from croupier.store.journal import GENESIS, Append, Conflict, Lease, NewRow, Reply, Row, Snapshot, Store, hash_of
from croupier.wire import encode_transfers
from tests.store.conftest import Open


def row(text: str, amount: int = 0) -> NewRow:
    transfers = [Transfer("cage", "terminal:Ann", Cents(amount), text)] if amount else []
    return NewRow(1_000, "Noted", text.encode(), encode_transfers(transfers))


def owned(store: Store, stream: str = "T1", owner: str = "one", now: int = 0) -> Lease:
    return store.take(stream, owner, now, 5_000)


def test_rows_are_kept_in_order_and_chained(store: Store, open_store: Open) -> None:
    lease = owned(store)
    first = store.append([Append("T1", 0, lease.epoch, [row("a", 100), row("b")])])
    second = store.append([Append("T1", 2, lease.epoch, [row("c", 50)])])
    for reader in (store, open_store()):
        kept = list(reader.rows("T1"))
        assert [(r.seq, r.body) for r in kept] == [(1, b"a"), (2, b"b"), (3, b"c")]
        before = GENESIS
        for kept_row in kept:
            assert kept_row.hash == hash_of(kept_row, before)
            before = kept_row.hash
        assert (reader.head("T1"), first[0], second[0]) == ((3, before), kept[1].hash, before)
        assert list(reader.transfers("T1")) == [
            (1, 0, "cage", "terminal:Ann", 100, "a"),
            (3, 0, "cage", "terminal:Ann", 50, "c"),
        ]
        assert [r.seq for r in reader.rows("T1", after=2)] == [3]
        assert reader.streams() == ["T1"]


def test_an_append_at_another_place_than_expected_is_a_conflict_and_writes_nothing(store: Store) -> None:
    lease = owned(store)
    store.append([Append("T1", 0, lease.epoch, [row("a")])])
    for expected in (0, 2):
        with pytest.raises(Conflict, match="stands at 1"):
            store.append([Append("T1", expected, lease.epoch, [row("b", 10)])])
    assert store.head("T1")[0] == 1
    assert not list(store.transfers("T1"))


def test_a_batch_is_all_or_nothing(store: Store) -> None:
    one, two = owned(store, "T1"), owned(store, "T2")
    with pytest.raises(Conflict):
        store.append([Append("T1", 0, one.epoch, [row("a", 10)]), Append("T2", 5, two.epoch, [row("b")])])
    assert store.head("T1") == store.head("T2") == (0, GENESIS)
    store.append([Append("T1", 0, one.epoch, [row("a", 10)]), Append("T2", 0, two.epoch, [row("b")])])
    assert store.streams() == ["T1", "T2"]


def test_a_stream_has_one_owner_until_its_lease_is_over(store: Store, open_store: Open) -> None:
    other = open_store()
    first = owned(store, owner="one", now=0)
    with pytest.raises(Conflict, match="owned by one"):
        other.take("T1", "two", 4_999, 5_000)
    second = other.take("T1", "two", 5_000, 5_000)
    assert second.epoch > first.epoch
    other.release(second)
    assert store.take("T1", "one", 5_001, 5_000).epoch > second.epoch


def test_a_stale_owner_cannot_write_not_in_a_thousand_attempts(store: Store, open_store: Open) -> None:
    other = open_store()
    stale = owned(store, owner="one", now=0)
    store.append([Append("T1", 0, stale.epoch, [row("a")])])
    fresh = other.take("T1", "two", 6_000, 5_000)
    for attempt in range(1_000):
        with pytest.raises(Conflict, match="another owner"):
            store.append([Append("T1", 1, stale.epoch, [row(f"late {attempt}", 10)])])
    other.append([Append("T1", 1, fresh.epoch, [row("b")])])
    assert [r.body for r in store.rows("T1")] == [b"a", b"b"]


def test_without_a_lease_nothing_is_written(store: Store) -> None:
    with pytest.raises(Conflict):
        store.append([Append("T1", 0, 1, [row("a")])])


def test_a_reply_is_kept_with_its_rows_and_only_once(store: Store, open_store: Open) -> None:
    lease = owned(store)
    reply = Reply("b1", "digest", b"ok")
    store.append([Append("T1", 0, lease.epoch, [row("a")], [reply])])
    assert open_store().reply("T1", "b1") == reply
    assert store.reply("T1", "b2") is None
    with pytest.raises(Conflict, match="faster"):
        store.append([Append("T1", 1, lease.epoch, [row("b")], [reply])])
    assert store.head("T1")[0] == 1


def test_the_newest_snapshot_is_found(store: Store, open_store: Open) -> None:
    assert store.snapshot("T1") is None
    for seq in (10, 20):
        store.save(Snapshot("T1", seq, bytes([seq]) * 32, b"state"))
    assert open_store().snapshot("T1") == Snapshot("T1", 20, bytes([20]) * 32, b"state")


def test_every_field_of_a_row_is_in_its_hash(store: Store) -> None:
    lease = owned(store)
    store.append([Append("T1", 0, lease.epoch, [row("a", 100)])])
    kept = next(iter(store.rows("T1")))
    changes = {
        "stream": "T2",
        "seq": 2,
        "format": 2,
        "epoch": 9,
        "at": 1,
        "kind": "Other",
        "body": b"b",
        "transfers": b"[]",
    }
    for name, value in changes.items():
        assert hash_of(Row(**(kept._asdict() | {name: value})), GENESIS) != kept.hash, name
    assert hash_of(kept, bytes([1]) * 32) != kept.hash
    assert set(changes) | {"hash"} == set(kept._fields)
