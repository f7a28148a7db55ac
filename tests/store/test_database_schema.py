"""The tables are those that the migrations make: at the start, in the doctor, in verify; each other one is named."""

from __future__ import annotations

from pathlib import Path

import apsw
import psycopg
import pytest

from croupier.cli.doctor import examine
from croupier.rules.refusal import Refused
from croupier.server.settings import read_settings
from croupier.store import database_schema
from croupier.store.folder import open_store
from croupier.store.migrations import MIGRATIONS, STEPS, Migration
from croupier.store.postgres import PostgresStore
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.words import finding
from tests.store.conftest import Open
from tests.store.test_freeze import address_of
from tests.support.floors import TABLES

REBUILT = """CREATE TABLE other (
    number TEXT NOT NULL, late INTEGER NOT NULL, stream TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
    how TEXT NOT NULL) STRICT; INSERT INTO other SELECT * FROM ticket_ends;
    DROP TABLE ticket_ends; ALTER TABLE other RENAME TO ticket_ends"""
IN_SQLITE = {
    REBUILT: "ticket_ends: the table is not as this program makes it",
    "DROP INDEX corrections": "corrections: the index is not as this program makes it",
    "CREATE TRIGGER t AFTER INSERT ON journal BEGIN DELETE FROM replies; END": "t: this trigger on journal",
    "CREATE INDEX i ON journal (at)": "i: this index on journal was not made",
    "ALTER TABLE snapshots RENAME TO s; CREATE VIEW snapshots AS SELECT * FROM s": "snapshots: the table",
    "ALTER TABLE tickets ADD COLUMN more TEXT": "tickets: the table is not as",
    "DROP TABLE nodes": "nodes: the table is not as",
    "CREATE TABLE more (a TEXT)": "more: this table was not made by this program",
}
FUNCTION = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
IN_POSTGRES = {
    "ALTER TABLE ticket_ends DROP CONSTRAINT ticket_ends_pkey": "ticket_ends: it has no primary key, and must have",
    "ALTER TABLE replies DROP CONSTRAINT replies_pkey, ADD PRIMARY KEY (stream, id, seq)": "replies: its primary key",
    "ALTER TABLE tickets DROP CONSTRAINT tickets_amount_check": "tickets: the condition amount>0 is missing",
    "ALTER TABLE tickets ADD CHECK (amount < 100)": "tickets: it has an additional condition: amount<100",
    "ALTER TABLE transfers ALTER amount TYPE numeric": "transfers: it has other columns: amount",
    "ALTER TABLE journal ALTER kind DROP NOT NULL": "journal: it has other columns: kind",
    "ALTER TABLE journal ADD more text": "journal: it has other columns: more",
    "DROP INDEX corrections": "journal: the index corrections is missing or different",
    "CREATE INDEX i ON journal (at)": "journal: it has an additional index: i",
    FUNCTION + "CREATE TRIGGER t BEFORE INSERT ON ticket_ends FOR EACH ROW EXECUTE FUNCTION f()": "it has a trigger: t",
    "CREATE RULE r AS ON INSERT TO replies DO INSTEAD NOTHING": "replies: it has a rule: r",
    "ALTER TABLE desk ENABLE ROW LEVEL SECURITY": "desk: row-level security",
    "ALTER TABLE journal SET UNLOGGED": "journal: it is not logged",
    "CREATE TABLE more () INHERITS (transfers)": "transfers: another table is part of it: more",
    "GRANT UPDATE ON journal TO croupier_app": "journal: croupier_app may UPDATE",
    "GRANT UPDATE (body) ON journal TO croupier_app": "journal: croupier_app may UPDATE",
    "GRANT DELETE ON transfers TO PUBLIC": "transfers: everyone may DELETE",
    "GRANT pg_write_all_data TO croupier_app": "journal: croupier_app may DELETE",
    "ALTER TABLE snapshots RENAME TO s; CREATE VIEW snapshots AS SELECT * FROM s": "snapshots: it is not a plain table",
    "DROP TABLE nodes": "nodes: there is no such table",
}


def found(address: str, folder: Path, word: str) -> bool:
    """Is it refused at the start, told by the doctor, and a lie in verify?"""
    with pytest.raises(Refused) as refused:
        open_store(address)
    assert (refused.value.reason, refused.value.case) == ("schema", "changed")
    flags = {"floor": folder, "store": address, "tables": TABLES, "staff_port": 0, "terminal_port": 0}
    told = [one.what for one in examine(read_settings(flags)) if (one.state, one.check) == ("fail", "schema")]
    reader = open_store(address, read_only=True)
    lies = [finding(lie.what) for lie in verify(reader).lies if lie.stream == "database"]
    reader.close()
    return any(word in one for one in told) and any(word in one for one in lies)


@pytest.mark.parametrize("harm", IN_SQLITE, ids=lambda harm: harm[:40])
def test_a_table_of_a_file_that_was_changed_is_named(harm: str, tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    SqliteStore(path, reserve=0).close()
    open_store(str(path)).close()
    with apsw.Connection(str(path)) as db:
        db.execute(harm)
    db.close()
    assert found(str(path), tmp_path, IN_SQLITE[harm])


@pytest.mark.parametrize("harm", IN_POSTGRES, ids=lambda harm: harm[:40])
def test_a_table_of_a_server_that_was_changed_is_named(harm: str, postgres_address: str, tmp_path: Path) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as admin:
        admin.execute("DROP DATABASE IF EXISTS changed")
        admin.execute("CREATE DATABASE changed")
    address = postgres_address.replace("/postgres?", "/changed?")
    open_store(address).close()
    with psycopg.connect(address, autocommit=True) as admin:
        admin.execute(harm)
        try:
            assert found(address, tmp_path, IN_POSTGRES[harm])
        finally:
            admin.execute("REVOKE pg_write_all_data FROM croupier_app")  # roles are those of all databases


def test_a_newer_release_may_have_added_columns_and_indexes(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store()
    if isinstance(store, SqliteStore):
        assert store.schema_faults() == []
        return  # a file has one program at a time, and an older one refuses it
    adds = ("ALTER TABLE nodes ADD COLUMN more TEXT NOT NULL DEFAULT ''", "CREATE INDEX later ON journal (at)")
    newer = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, adds))
    with monkeypatch.context() as patched:
        for place in ("croupier.store.migrations", "croupier.store.postgres"):
            patched.setattr(f"{place}.MIGRATIONS", newer)
        upgraded = PostgresStore(address_of(store))  # type: ignore[arg-type]
        assert upgraded.schema_faults() == []
        upgraded.close()
    assert store.schema_faults() == []  # the release before, beside it
    with psycopg.connect(address_of(store), autocommit=True) as admin:  # type: ignore[arg-type]
        admin.execute("ALTER TABLE ticket_ends DROP CONSTRAINT ticket_ends_pkey")
    assert len(store.schema_faults()) == 1


@pytest.mark.parametrize("steps", range(1, len(MIGRATIONS) + 1))
def test_a_database_of_every_earlier_release_becomes_one_of_this(steps: int, open_store: Open) -> None:
    store = open_store()
    whole = set(store.streams()), store.schema_faults()
    run = store._db.execute  # type: ignore[attr-defined]
    if isinstance(store, PostgresStore):
        run("RESET ROLE")
    for table in database_schema.expected():
        run(f"DROP TABLE {table}")
    run(f"{STEPS} STRICT" if isinstance(store, SqliteStore) else STEPS)
    for step in MIGRATIONS[:steps]:
        for sql in step.sqlite if isinstance(store, SqliteStore) else step.postgres:
            run(sql)
        run(f"INSERT INTO migrations VALUES ({step.number}, '{step.checksum}')")
    assert bool(store.schema_faults()) == (steps < len(MIGRATIONS))
    again = open_store()
    assert (set(again.streams()), again.schema_faults()) == whole == (set(), [])
