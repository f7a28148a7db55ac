"""Both stores, real ones: a SQLite file, and a PostgreSQL server that the tests start by themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from croupier.store.journal import Store
from croupier.store.postgres import PostgresStore
from croupier.store.sqlite import SqliteStore
from tests.support.postgres import started

_names = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    with started() as server:
        yield server.get_uri()


Open = Callable[[], Store]
"""Opens the same store anew, as another process would."""


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    opened: list[Store] = []
    if request.param == "sqlite":

        def open_one() -> Store:
            opened.append(SqliteStore(tmp_path / "floor.db"))
            return opened[-1]

    else:
        address = request.getfixturevalue("postgres_address")
        name = f"floor{next(_names)}"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")

        def open_one() -> Store:
            opened.append(PostgresStore(address.replace("/postgres?", f"/{name}?")))
            return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Open) -> Store:
    return open_store()
