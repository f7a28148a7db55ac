"""This program as its next release may be: another version, one more step of the database, more said between nodes."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.floor import cluster
from croupier.server import relay
from croupier.store import migrations, postgres
from croupier.store.migrations import Migration

VERSION = "0.2.0"
STEP = Migration(
    len(migrations.MIGRATIONS) + 1, ("CREATE TABLE colours (table_name TEXT PRIMARY KEY, colour TEXT NOT NULL)",)
)


def upgrade() -> None:
    for module in (migrations, postgres):
        vars(module)["MIGRATIONS"] = (*migrations.MIGRATIONS, STEP) if module is migrations else migrations.MIGRATIONS
    vars(cluster)["__version__"] = VERSION
    vars(cluster)["_encode"] = lambda message: msgspec.json.encode(_more(message))
    vars(relay)["_encode"] = lambda message: msgspec.msgpack.encode(_more(message))


def _more(message: msgspec.Struct) -> dict[str, Any]:
    """A message with a field that this release does not know."""
    fields: dict[str, Any] = msgspec.to_builtins(message, builtin_types=(bytes,))
    return fields | {"colour": "blue"}
