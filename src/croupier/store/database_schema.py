"""Are the tables those that the migrations make? A person who can change a table can break every promise of the store.

Without the primary key of `ticket_ends` a ticket can be paid many times; a trigger or a rule can write other rows than
were sent; a view can show anything; a table that is not logged is empty after a crash. So the tables are compared with
the statements of `migrations.py`, which alone define them: at each start, by `croupier doctor` and by `verify`, and
every few seconds while a floor is open.

SQLite keeps the text of its statements, and the texts are compared. PostgreSQL keeps only what it made of them: so
SQLite reads the statements (`expected`), and the catalogs of PostgreSQL are compared with what SQLite found. This needs
no right to create anything, so it works on a standby too, and for a role that owns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import apsw

from croupier.rules.findings import Finding, found
from croupier.rules.refusal import Fact
from croupier.store import migrations
from croupier.store.migrations import STEPS, Migration

APPLICATION_ROLE = "croupier_app"
"""The role of the application: it may read the journal and the transfers and add to them, and change neither."""
_ADDS = frozenset(("SELECT", "INSERT"))
_GRANTS = {
    "migrations": frozenset(("SELECT",)),
    "streams": _ADDS | {"UPDATE"},
    "desk": _ADDS | {"UPDATE", "DELETE"},
    "nodes": _ADDS | {"UPDATE", "DELETE"},
}
"""What the application may do with these tables; every other one it may read and add to."""
_WRITES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


def granted(table: str) -> frozenset[str]:
    """What the application's role may do with a table."""
    return _GRANTS.get(table, _ADDS)


class Column(NamedTuple):
    name: str
    type: str
    needed: bool
    """NOT NULL."""


class Index(NamedTuple):
    columns: tuple[str, ...]
    unique: bool
    where: str


class DatabaseTable(NamedTuple):
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    checks: frozenset[str]
    indexes: dict[str, Index]


# ---- what is expected


@lru_cache
def _words(steps: tuple[Migration, ...]) -> frozenset[tuple[str, str, str, str]]:
    """The statements as SQLite keeps them: kind, name, table, text."""
    return frozenset(words_of(_made(steps)))


def _made(steps: tuple[Migration, ...]) -> apsw.Connection:
    """An empty database with all steps."""
    db = apsw.Connection(":memory:")
    for sql in (f"{STEPS} STRICT", *(sql for step in steps for sql in step.sqlite)):
        db.execute(sql)
    return db


def words_of(db: apsw.Connection) -> Iterator[tuple[str, str, str, str]]:
    for kind, name, table, sql in db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"):
        if not name.startswith("sqlite_"):  # SQLite's own
            yield kind, name, table, " ".join(str(sql).split())


def expected() -> dict[str, DatabaseTable]:
    """The tables that the statements make, with PostgreSQL's names of types."""
    return _expected(migrations.MIGRATIONS)


@lru_cache
def _expected(steps: tuple[Migration, ...]) -> dict[str, DatabaseTable]:
    db, types = _made(steps), {"TEXT": "text", "INTEGER": "bigint", "BLOB": "bytea"}
    made = {}
    for kind, table, _, sql in sorted(words_of(db)):
        if kind != "table":
            continue
        parts = list(db.execute(f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table}') ORDER BY cid"))
        key = sorted((place, name) for name, _, _, place in parts if place)
        made[table] = DatabaseTable(
            tuple(Column(name, types[type], bool(needed or place)) for name, type, needed, place in parts),
            tuple(name for _, name in key),
            frozenset(plain(check) for check in _checks(sql)),
            dict(_indexes(db, table)),
        )
    # PostgreSQL numbers the steps with a type of its own.
    number, checksum = made["migrations"].columns
    made["migrations"] = made["migrations"]._replace(columns=(number._replace(type="integer"), checksum))
    return made


def _indexes(db: apsw.Connection, table: str) -> Iterator[tuple[str, Index]]:
    for name, unique, origin in db.execute(f"SELECT name, \"unique\", origin FROM pragma_index_list('{table}')"):
        if origin == "c":
            columns = db.execute(f"SELECT name FROM pragma_index_info('{name}') ORDER BY seqno")
            [(sql,)] = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,))
            yield name, Index(tuple(str(one) for (one,) in columns), bool(unique), plain(sql.partition(" WHERE ")[2]))


def _checks(sql: str) -> Iterator[str]:
    """The conditions in a statement: the text between the brackets after CHECK."""
    for begin in re.finditer(r"CHECK \(", sql):
        depth, end = 1, begin.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            end += 1
        yield sql[begin.end() : end - 1]


def plain(condition: str) -> str:
    """A condition without what PostgreSQL adds to it: types of constants, brackets, its own word for IN."""
    condition = re.sub(r"::\w+(\[\])?", "", condition)
    condition = re.sub(r"=\s*ANY\s*\(+ARRAY\[([^\]]*)\]\)+", r"IN (\1)", condition)
    return re.sub(r"[\s()]", "", condition)


# ---- what is found


def sqlite_faults(db: apsw.Connection) -> list[Finding]:
    """How the tables of a SQLite file differ from those that the migrations make."""
    existing, must = frozenset(words_of(db)), _words(migrations.MIGRATIONS)
    faults = [found("schema", "other", name=name, what=kind) for kind, name, *_ in sorted(must - existing)]
    ours = {name for _, name, *_ in must}
    faults += [
        found("schema", "own", table=on, name=name, what=kind)
        for kind, name, on, _ in sorted(existing - must)
        if name not in ours
    ]
    return faults


def tables_of(faults: Iterable[Finding]) -> tuple[str, ...]:
    """The names of the tables, and of what else has a name, that differ from the statements."""
    return tuple(dict.fromkeys(str(one.facts.get("table") or one.facts["name"]) for one in faults))


_CONSTRAINTS_BY_KIND = {"f": "FOREIGN KEY", "t": "TRIGGER", "u": "UNIQUE", "x": "EXCLUDE"}
"""By the letter of the catalog, as statements write them."""


class Catalog(Protocol):
    def __call__(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = (), /) -> list[tuple[Any, ...]]: ...


def postgres_faults(ask: Catalog, *, newer: bool = False) -> list[Finding]:
    """How the tables of a PostgreSQL differ from those that the migrations make.

    `newer`: a later release has added steps of its own, so that there may be more columns, indexes and conditions.
    """
    must = expected()
    relations = {name: (oid, kind) for name, oid, kind in ask(_RELATIONS, (list(must),))}
    faults = [found("schema", "missing", table=name) for name in must if name not in relations]
    faults += [found("schema", "not-plain", table=name) for name, (_, kind) in relations.items() if kind != "r"]
    tables = {oid: name for name, (oid, kind) in relations.items() if kind == "r"}
    oids = list(tables)
    faults += [_oddity(tables[oid], case, other) for oid, case, other in ask(_ODDITIES, {"oids": oids})]
    actual = _read(ask, oids)
    for oid, name in sorted(tables.items(), key=lambda one: one[1]):
        faults += _differences(name, must[name], actual[oid], newer=newer)
    faults += _excess_rights(ask, tables)
    return sorted(faults, key=lambda one: (str(one.facts["table"]), str(one)))


def _oddity(table: str, case: str, other: str) -> Finding:
    name = {"trigger": "name", "rule": "name", "part": "other", "index-off": "index"}.get(case)
    facts: dict[str, Fact] = {"table": table, **({name: other} if name else {})}
    return found("schema", case, None, **facts)


def _read(ask: Catalog, oids: list[int]) -> dict[int, DatabaseTable]:
    columns: dict[int, list[Column]] = {oid: [] for oid in oids}
    for oid, name, type, needed in ask(_COLUMNS, (oids,)):
        columns[oid].append(Column(name, type, needed))
    keys: dict[int, tuple[str, ...]] = {}
    checks: dict[int, set[str]] = {oid: set() for oid in oids}
    for oid, kind, names, condition in ask(_CONSTRAINTS, (oids,)):
        if kind == "p":
            keys[oid] = tuple(names)
        elif kind == "c":
            checks[oid].add(plain(condition))
        elif kind != "n":  # NOT NULL, which later versions of PostgreSQL list as a constraint too
            checks[oid].add(f"{_CONSTRAINTS_BY_KIND.get(kind[:1], kind)} ({', '.join(names)}){kind[1:]}")
    indexes: dict[int, dict[str, Index]] = {oid: {} for oid in oids}
    for oid, name, names, unique, where in ask(_INDEXES, (oids,)):
        indexes[oid][name] = Index(tuple(names), unique, plain(where or ""))
    return {
        oid: DatabaseTable(tuple(columns[oid]), keys.get(oid, ()), frozenset(checks[oid]), indexes[oid]) for oid in oids
    }


def _differences(name: str, must: DatabaseTable, actual: DatabaseTable, *, newer: bool) -> Iterator[Finding]:
    columns = actual.columns[: len(must.columns)] if newer else actual.columns
    if columns != must.columns:
        differ = {one.name for one in {*columns} ^ {*must.columns}}  # none, if only their order differs
        yield found("schema", "columns", table=name, columns=tuple(sorted(differ)))
    if actual.key != must.key:
        yield found("schema", "key", table=name, key=actual.key, needed=must.key)
    for check in sorted(must.checks - actual.checks):
        yield found("schema", "check-missing", table=name, check=check)
    for index, made in must.indexes.items():
        if actual.indexes.get(index) != made:
            yield found("schema", "index-missing", table=name, index=index)
    if newer:
        return
    for check in sorted(actual.checks - must.checks):
        yield found("schema", "check-own", table=name, check=check)
    for index in sorted(actual.indexes.keys() - must.indexes.keys()):
        yield found("schema", "index-own", table=name, index=index)


def _excess_rights(ask: Catalog, tables: dict[int, str]) -> Iterable[Finding]:
    """Rights that only the owner of a table should have."""
    for oid, grantee, right in ask(_RIGHTS, {"oids": list(tables), "writes": list(_WRITES), "role": APPLICATION_ROLE}):
        if grantee != APPLICATION_ROLE or right not in granted(tables[oid]):
            yield found("schema", "right", table=tables[oid], role=grantee, right=right)


_RELATIONS = """SELECT name, oid::bigint, relkind::text FROM unnest(%s::text[]) AS name
    JOIN pg_class ON pg_class.oid = to_regclass(quote_ident(name))"""
_COLUMNS = """SELECT attrelid::bigint, attname::text,
        format_type(atttypid, atttypmod) || CASE WHEN attcollation = typcollation THEN '' ELSE ' of a collation' END
            || CASE WHEN attgenerated <> '' OR attidentity <> '' THEN ' generated' ELSE '' END, attnotnull
    FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
    WHERE attrelid::bigint = ANY(%s) AND attnum > 0 AND NOT attisdropped ORDER BY attrelid, attnum"""
_CONSTRAINTS = """SELECT conrelid::bigint, contype::text || CASE WHEN condeferrable THEN ' deferrable' ELSE '' END
            || CASE WHEN convalidated THEN '' ELSE ' not validated' END,
        (SELECT array_agg(attname::text ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute ON attrelid = conrelid AND attnum = number), pg_get_expr(conbin, conrelid)
    FROM pg_constraint WHERE conrelid::bigint = ANY(%s)"""
_INDEXES = """SELECT indrelid::bigint, relname::text, (SELECT array_agg(pg_get_indexdef(indexrelid, place, false)
            ORDER BY place) FROM generate_series(1, indnatts) AS place), indisunique, pg_get_expr(indpred, indrelid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid::bigint = ANY(%s) AND NOT indisprimary"""
_ODDITIES = """SELECT tgrelid::bigint, 'trigger', tgname::text FROM pg_trigger
        WHERE tgrelid::bigint = ANY(%(oids)s) AND NOT tgisinternal
    UNION ALL SELECT ev_class::bigint, 'rule', rulename::text FROM pg_rewrite
        WHERE ev_class::bigint = ANY(%(oids)s)
    UNION ALL SELECT oid::bigint, 'row-security', '' FROM pg_class
        WHERE oid::bigint = ANY(%(oids)s) AND (relrowsecurity OR relforcerowsecurity)
    UNION ALL SELECT oid::bigint, 'unlogged', '' FROM pg_class
        WHERE oid::bigint = ANY(%(oids)s) AND relpersistence <> 'p'
    UNION ALL SELECT inhrelid::bigint, 'part-of-another', '' FROM pg_inherits
        WHERE inhrelid::bigint = ANY(%(oids)s)
    UNION ALL SELECT inhparent::bigint, 'part', inhrelid::regclass::text FROM pg_inherits
        WHERE inhparent::bigint = ANY(%(oids)s)
    UNION ALL SELECT indrelid::bigint, 'index-off', indexrelid::regclass::text FROM pg_index
        WHERE indrelid::bigint = ANY(%(oids)s) AND NOT (indisvalid AND indisready AND indislive)"""
# Rights that were granted, to the public too; and what the role of the application has as a member of another role.
_RIGHTS = """SELECT pg_class.oid::bigint, CASE grantee WHEN 0 THEN 'everyone' ELSE pg_get_userbyid(grantee)::text END,
        privilege_type FROM pg_class, aclexplode(relacl)
        WHERE pg_class.oid::bigint = ANY(%(oids)s) AND grantee <> relowner AND privilege_type = ANY(%(writes)s)
    UNION SELECT attrelid::bigint, CASE grantee WHEN 0 THEN 'everyone' ELSE pg_get_userbyid(grantee)::text END,
        privilege_type FROM pg_attribute, pg_class, aclexplode(attacl) WHERE pg_class.oid = attrelid
        AND attrelid::bigint = ANY(%(oids)s) AND grantee <> relowner AND privilege_type = ANY(%(writes)s)
    UNION SELECT pg_class.oid::bigint, rolname::text, "right" FROM pg_class, pg_roles, unnest(%(writes)s) AS "right"
        WHERE pg_class.oid::bigint = ANY(%(oids)s) AND rolname = %(role)s
        AND has_table_privilege(rolname, pg_class.oid, "right")"""
