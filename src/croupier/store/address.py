"""Where a store is: a file for SQLite, a postgresql:// address for PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from croupier.rules.refusal import Refused
from croupier.store.journal import Store
from croupier.store.sqlite import SqliteStore


def open_store(address: str, *, make: bool = False) -> Store:
    """Open the store at an address; a file that is not there is refused unless it may be made."""
    if address.startswith(("postgresql://", "postgres://")):
        try:
            from croupier.store.postgres import PostgresStore
        except ModuleNotFoundError:
            raise Refused("store", "PostgreSQL needs the extra postgres: pip install croupier[postgres]") from None
        return PostgresStore(address)
    path = Path(address)
    if not path.exists() and not make:
        raise Refused("store", f"there is no database {address}")
    return SqliteStore(path)
