"""A floor signs in with the least role; what asks for more asks for the owner; no password is ever shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.cli.doctor import State, examine
from croupier.rules.refusal import Refused
from croupier.server.settings import read_settings
from croupier.store.address import masked, without_passwords
from croupier.store.folder import Premises, open_store
from croupier.store.journal import Away
from croupier.store.postgres import PostgresStore
from croupier.transcript.play import play
from tests.support.floors import TABLES
from tests.support.recorders import BETTING, bet, record

PASSWORD = "Pfau!und:Gans@7/8"
WRITTEN = "Pfau%21und%3AGans%407%2F8"
"""The same, as an address has it."""


class Roles(NamedTuple):
    owner: str
    least: str
    """Addresses of one database: of its owner, and of a role that is a member of the application's and nothing else."""
    outsider: str


@pytest.fixture
def roles(postgres_address: str) -> Iterator[Roles]:
    name = os.urandom(4).hex()
    with psycopg.connect(postgres_address, autocommit=True) as admin:
        if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = 'croupier_app'").fetchone():
            admin.execute("CREATE ROLE croupier_app NOLOGIN")
        for role, more in (("owner", "IN ROLE croupier_app"), ("least", "IN ROLE croupier_app"), ("outsider", "")):
            admin.execute(f"CREATE ROLE {role}{name} LOGIN PASSWORD '{PASSWORD}' {more}")
        admin.execute(f"CREATE DATABASE d{name} OWNER owner{name}")

        def address(role: str) -> str:
            whole = postgres_address.replace("/postgres?", f"/d{name}?")
            return whole.replace("postgres:@", f"{role}{name}:{WRITTEN}@")

        yield Roles(address("owner"), address("least"), address("outsider"))
        admin.execute(f"DROP DATABASE d{name} WITH (FORCE)")
        admin.execute(f"DROP ROLE owner{name}, least{name}, outsider{name}")


def test_a_role_that_owns_nothing_works_a_floor_that_its_owner_has_made(roles: Roles, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="store no-tables") as refused:
        open_store(roles.least)
    assert PASSWORD not in str(refused.value.facts)
    assert CliRunner().invoke(app, ["migrate", "--store", roles.owner]).exit_code == 0
    store = PostgresStore(roles.least)
    recorder = record(store, play(BETTING))
    assert recorder.give(bet("b1")).entry.refused is None
    for sql in ("RESET ROLE", "SET SESSION AUTHORIZATION DEFAULT", "SELECT 1"):
        store._db.execute(sql)
        for harm in ("UPDATE journal SET at = 0", "DELETE FROM ticket_ends", "ALTER TABLE journal ADD more text"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                store._db.execute(harm)
    with pytest.raises(Refused, match="role not-owner-of-tables"):
        store.forget("T", 2)
    assert store.head("T") == recorder.place
    store.close()
    with pytest.raises(Refused, match="store unusable"):
        open_store(roles.outsider)
    owner = PostgresStore(roles.owner)  # who archives
    owner.forget("T", 2)
    owner.shrink()
    owner.close()


def test_an_owner_must_add_the_steps_of_a_new_release(roles: Roles) -> None:
    open_store(roles.owner).close()
    with psycopg.connect(roles.owner, autocommit=True) as owner:
        owner.execute("DROP TABLE nodes")
        owner.execute("DELETE FROM migrations WHERE number = 3")
    with pytest.raises(Refused, match=r"store steps-missing .*missing=1"):
        open_store(roles.least)
    open_store(roles.owner).close()
    open_store(roles.least).close()


def test_the_doctor_tells_as_whom_a_floor_signs_in(roles: Roles, postgres_address: str, tmp_path: Path) -> None:
    open_store(roles.owner).close()

    def told(address: str) -> list[tuple[State, str]]:
        flags = {"floor": tmp_path, "store": address, "tables": TABLES, "staff_port": 0, "terminal_port": 0}
        found = list(examine(read_settings(flags)))
        assert PASSWORD not in str(found)
        assert WRITTEN not in str(found)
        return [(one.state, one.what.rpartition(", ")[2]) for one in found if one.check == "sign-in"][:1]

    assert told(roles.owner) == [("warn", "the owner of the tables")]
    assert told(roles.least) == [("ok", "a role that owns nothing")]
    assert told(
        postgres_address.replace("/postgres?", f"/{psycopg.conninfo.conninfo_to_dict(roles.owner)['dbname']}?")
    ) == [("warn", "a superuser")]


# ---- passwords


ADDRESSES = [
    f"postgresql://floor:{WRITTEN}@127.0.0.1:1/casino",
    f"postgresql://floor:{PASSWORD}@127.0.0.1:1/casino",
    f"postgres://127.0.0.1:1/casino?user=floor&password={WRITTEN}",
    f"postgresql://127.0.0.1:1/casino?sslpassword={WRITTEN}&connect_timeout=2",
    f"postgresql://floor:{WRITTEN}@127.0.0.1:1,127.0.0.2:1/casino?target_session_attrs=read-write",
    f"postgresql://floor:{WRITTEN}%zz@127.0.0.1:1/casino",
    f"postgresql://floor:{WRITTEN}@127.0.0.1:port/casino",
]


def secret_in(text: str) -> bool:
    return any(part in text for part in (PASSWORD, WRITTEN, "Pfau", "Gans"))


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_password_is_ever_shown(address: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert not secret_in(masked(address))
    assert not secret_in(Premises(tmp_path, address).shown)
    assert not secret_in(without_passwords(f"it says {address}", address))
    commands: list[list[str]] = [
        ["init", str(tmp_path / "new"), "--store", address],
        *(["migrate", "--store", address], ["verify", "--store", address], ["tickets", "--store", address]),
        *(["floor", "--store", address], ["account", "list", "--store", address], ["doctor", "--store", address]),
    ]
    for command in commands:
        result = CliRunner().invoke(app, command)
        assert result.exit_code != 0
        said = f"{result.output} {result.exception} {capfd.readouterr()}"
        assert not secret_in(said), said


def test_init_and_verify_show_the_address_without_its_password(
    roles: Roles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run: Callable[..., str] = lambda *words: CliRunner().invoke(app, list(words)).output  # noqa: E731
    made = run("init", "floor", "--store", roles.owner)
    assert "the journal" in made
    assert "***" in made
    checked = run("verify", "--json", "--floor", "floor", "--store", roles.least)
    assert '"lies": []' in checked
    assert not secret_in(made + checked)


def test_a_server_that_is_lost_is_told_of_without_the_password(roles: Roles) -> None:
    open_store(roles.owner).close()
    store = PostgresStore(roles.least)
    store._address = roles.least.replace("host=", "host=/nowhere")
    with pytest.raises(Away) as away:
        store.reopen()
    assert not secret_in(str(away.value))
    with pytest.raises(Away) as again:
        store.head("T")
    assert not secret_in(str(again.value))
