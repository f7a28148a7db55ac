"""Checks whether an installation can run a floor: a line for each finding, with what to do about it."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import typer

from croupier.cli.accounts import FloorSetting, SettingsFile, StoreSetting, TablesSetting, settings_of
from croupier.cli.output import CommandReport, print_report
from croupier.cli.shared import RUN, AsJson, app

if TYPE_CHECKING:
    from croupier.server.settings import Settings
    from croupier.store.checkpoint import Checkpoint
    from croupier.store.folder import Premises
    from croupier.store.journal import Store

State = Literal["ok", "warn", "fail"]
LEAST_FREE, SPARE_FREE = 256 * 2**20, 2 * 2**30
"""Free bytes on the disk below which a floor cannot run, and below which it needs attention."""
SPARE_DAYS = 30
"""How many days before the end of a certificate the warnings begin."""
LONGEST_UNSIGNED = 15_000
"""In milliseconds. A running floor signs within ten seconds."""


class DoctorFinding(NamedTuple):
    state: State
    check: str
    what: str
    do: str = ""


@app.command(rich_help_panel=RUN)
def doctor(
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
    tables: TablesSetting = None,
    as_json: AsJson = False,
) -> None:
    """Check whether an installation can run a floor, and say what to do where it cannot.

    It looks at settings, tables, keys, database, clock, disk, ports, books, TLS, approved software and the account that
    runs the server. Exit code 1 if a floor could not run, or not safely.
    """
    findings = list(examine(settings_of(file, floor=floor, store=store, tables=tables)))
    value = [finding._asdict() for finding in findings]
    print_report(CommandReport(value, [_line(finding) for finding in findings]), as_json=as_json)
    if any(finding.state == "fail" for finding in findings):
        raise typer.Exit(1)


def _line(finding: DoctorFinding) -> str:
    do = f"; {finding.do}" if finding.do else ""
    return f"{finding.state:<5} {finding.check:<11} {finding.what}{do}"


def examine(settings: Settings) -> Iterator[DoctorFinding]:
    """Make every check, in order. A check that fails with an error is a finding too."""
    from croupier.store.folder import Premises
    from croupier.words import of_error

    premises = Premises(settings.floor, settings.store or None)
    checks: list[tuple[str, Callable[[], Iterable[DoctorFinding]]]] = [
        ("tables", lambda: _tables(settings)),
        ("keys", lambda: _keys(premises)),
        ("copies", lambda: _copies(settings)),
        ("store", lambda: _store(premises, settings.durability)),
        ("sqlite", _sqlite),
        ("disk", lambda: _disk(settings.floor)),
        ("ports", lambda: _ports(settings)),
        ("tls", lambda: _tls(settings)),
        ("software", lambda: _software(settings, premises)),
        ("account", lambda: _account(premises)),
    ]
    for name, check in checks:
        try:
            yield from check()
        except Exception as error:
            yield DoctorFinding("fail", name, f"cannot be checked: {of_error(error)}")


def _tables(settings: Settings) -> Iterator[DoctorFinding]:
    from croupier.floor.config import read_tables
    from croupier.rules.bad_input import BadInput
    from croupier.words import refusal

    try:
        found = read_tables(settings.tables)
    except BadInput as bad:
        do = "mend the file, or name another folder with the setting tables"
        yield from (DoctorFinding("fail", "tables", fault, do) for fault in bad.lines(refusal))
        return
    yield DoctorFinding(
        "ok", "tables", f"{len(found)} in {settings.tables}: {', '.join(table.name for table in found)}"
    )


def _keys(premises: Premises) -> Iterator[DoctorFinding]:
    from croupier.store.checkpoint import Examined, read_chain, signing_key, trusted_key
    from croupier.words import why

    key = premises.keys / "signing.key"
    if not premises.signs:
        yield DoctorFinding("fail", "keys", f"there is no {key}", "make one with croupier init")
        return
    public = signing_key(premises.keys).public_key().public_bytes_raw()
    if trusted_key(premises.public_key).public_bytes_raw() != public:
        yield DoctorFinding("fail", "keys", f"{premises.public_key} does not belong to {key}", "restore the right one")
    elif key.stat().st_mode & 0o077:
        yield DoctorFinding("fail", "keys", f"other accounts can read {key}", f"chmod 600 {key}")
    else:
        yield DoctorFinding("ok", "keys", f"only its owner can read {key}")
    exists = premises.checkpoints.exists()
    found = read_chain([premises.checkpoints], premises.public_key) if exists else Examined([], [], [])
    for lie in found.lies:
        yield DoctorFinding("fail", "checkpoints", why(lie), "compare them with the copies elsewhere")
    if not found.lies:
        yield DoctorFinding(
            "ok", "checkpoints", f"{len(found.marks)} in {premises.checkpoints}, all signed by this floor"
        )
    yield from _unsigned(premises, found.marks[-1] if found.marks else None)


def _copies(settings: Settings) -> Iterator[DoctorFinding]:
    """Does every place for copies have all checkpoints?"""
    from croupier.store.copies import Copies
    from croupier.store.folder import Premises

    for target in settings.checkpoint_copies:
        copies = Copies(Premises(settings.floor).checkpoints, target, settings.floor)
        if behind := copies.unsent():
            what = f"{behind} bytes of checkpoints have not reached {copies.name}"
            yield DoctorFinding(
                "warn", "copies", what, "a running floor sends them; check whether that place accepts them"
            )
        else:
            yield DoctorFinding("ok", "copies", f"{copies.name} has all checkpoints")


def _unsigned(premises: Premises, last: Checkpoint | None) -> Iterator[DoctorFinding]:
    """Is every row signed? A running floor signs within ten seconds, and a floor that ends signs everything."""
    from croupier.rules.refusal import Refused
    from croupier.store.checkpoint import unsigned_since

    try:
        store = premises.reader()
    except Refused:
        return  # another check reports what is wrong with the store
    try:
        since = unsigned_since(store, last)
    finally:
        store.close()
    if since is not None and time.time_ns() // 1_000_000 - since > LONGEST_UNSIGNED:
        when = datetime.datetime.fromtimestamp(since / 1000, datetime.UTC).isoformat(timespec="seconds")
        yield DoctorFinding(
            "warn", "checkpoints", f"rows have been unsigned since {when}", "start the floor, or croupier sign"
        )


def _store(premises: Premises, durability: str) -> Iterator[DoctorFinding]:
    """Can the database be reached, and is it of this version? Are its settings, its clock and its books in order?"""
    from croupier.store.journal import read_rows

    store = premises.reader()
    try:
        yield from _kept(store, durability)
        streams = store.streams()
        yield DoctorFinding("ok", "store", f"{premises.shown}: {len(streams)} streams")
        last = max((row.at for name in streams for row in read_rows(store, name, store.head(name).seq - 1)), default=0)
        behind = last - time.time_ns() // 1_000_000
        if behind > 0:
            what = f"the machine's clock is {behind / 1000:.0f} s behind the journal"
            yield DoctorFinding(
                "warn" if behind < 60_000 else "fail", "clock", what, "set the clock, and keep it synchronised"
            )
        else:
            moment = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            yield DoctorFinding("ok", "clock", f"{moment}, not behind the journal")
        yield from _heads(premises, store)
        yield from _books(next(read_rows(store, name)).body for name in streams)
    finally:
        store.close()


def _heads(premises: Premises, store: Store) -> Iterator[DoctorFinding]:
    """Does the journal still have every row that this machine has answered for?"""
    from croupier.store.archive import Archived
    from croupier.store.heads import remembered, shortened
    from croupier.words import finding

    found = remembered(premises.heads)
    with Archived(store, premises.archive) as archived:
        short = [shortened(archived, stream, places) for stream, places in found.places.items()]
    for one in filter(None, short):
        yield DoctorFinding("fail", "journal", finding(one.what), "restore a better copy, or run croupier accept-loss")
    for place, line in found.unreadable:
        what = f"line {line} of {place} cannot be read, so it was not compared"
        yield DoctorFinding("warn", "journal", what, "run croupier verify")
    if not any(short) and not found.unreadable:
        yield DoctorFinding("ok", "journal", f"{len(found.places)} streams are as long as this machine has seen them")


def _kept(store: Store, durability: str) -> Iterator[DoctorFinding]:
    """Does the database keep what it has committed? Are its tables as they were made, and who has rights to them?"""
    from croupier.words import finding, to_do

    lost: State = "fail" if durability == "refuse" else "warn"
    states: dict[str, State] = {"well": "ok", "unwise": "warn", "lost": lost}
    for fact in store.durability():
        yield DoctorFinding(states[fact.state], "durability", finding(fact.found), to_do(fact.found))
    strange = store.schema_faults()
    do = "somebody with the rights of the owner has changed it: restore a copy from before"
    yield from (DoctorFinding("fail", "schema", finding(fault), do) for fault in strange)
    if not strange:
        yield DoctorFinding("ok", "schema", "every table is as it was made, and no role has more rights than it should")
    for fact in store.signed_in():
        yield DoctorFinding(states[fact.state], "sign-in", finding(fact.found), to_do(fact.found))


def _books(first_rows: Iterable[bytes]) -> Iterator[DoctorFinding]:
    """Does the text under which each table was made come with this version?"""
    import json

    from croupier.rules.library import load_rulebook, rulebook_ids

    known = {load_rulebook(id).hash: id for id in rulebook_ids()}
    made = [json.loads(body) for body in first_rows]
    played = {table["table"]: table["rulebook_hash"] for table in made if "rulebook_hash" in table}
    for table, hash in played.items():
        if hash not in known:
            what = f"{table} was made under a text ({hash[:12]}) that does not come with this version"
            yield DoctorFinding("warn", "books", what, "play a new text at a new table")
    fine = sorted({known[hash] for hash in played.values() if hash in known})
    yield DoctorFinding("ok", "books", f"played here and known: {', '.join(fine) or 'none yet'}")


def _sqlite() -> Iterator[DoctorFinding]:
    import apsw

    version = apsw.sqlite_lib_version()
    if tuple(int(part) for part in version.split(".")) < (3, 51, 3):
        yield DoctorFinding(
            "fail", "sqlite", f"{version} can lose a database (WAL reset, 3.7.0 to 3.51.2)", "upgrade apsw"
        )
    else:
        yield DoctorFinding("ok", "sqlite", f"{version}, without the WAL-reset bug of 3.7.0 to 3.51.2")


def _disk(folder: Path) -> Iterator[DoctorFinding]:
    place = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(place).free
    state: State = "fail" if free < LEAST_FREE else "warn" if free < SPARE_FREE else "ok"
    do = "" if state == "ok" else "make room, or move old rounds with croupier archive"
    yield DoctorFinding(state, "disk", f"{free / 2**30:.1f} GiB free at {place}", do)
    if not os.access(place, os.W_OK):
        yield DoctorFinding("fail", "disk", f"this account cannot write to {place}", "make it the owner")


def _ports(settings: Settings) -> Iterator[DoctorFinding]:
    doors = [
        ("staff", settings.staff_host, settings.staff_port),
        ("terminal", settings.terminal_host, settings.terminal_port),
    ]
    if settings.public:
        doors.append(("public", settings.public_host, settings.public_listens))
    if settings.metrics_port is not None:
        doors.append(("metrics", settings.metrics_host, settings.metrics_port))
    for door, host, port in doors:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            socket.create_server((host, port), family=family).close()
        except OSError as error:
            do = "fine if it is the server of this floor; else set another port"
            yield DoctorFinding("warn", "ports", f"{door}: {host}:{port}: {error.strerror}", do)
        else:
            yield DoctorFinding("ok", "ports", f"{door}: {host}:{port} is free" if port else f"{door}: any free port")
    if settings.metrics_port is None:
        what = "metrics: no port of its own; auditors and administrators who have signed in can read /metrics"
        yield DoctorFinding("ok", "ports", what)


def _tls(settings: Settings) -> Iterator[DoctorFinding]:
    from croupier.rules.refusal import Refused
    from croupier.server.serve import tls_context
    from croupier.words import why

    doors = (
        ("staff", settings.staff_certificate, settings.staff_key, None),
        ("terminal", settings.terminal_certificate, settings.terminal_key, settings.terminal_ca),
    )
    for door, certificate, key, ca in doors:
        if certificate is None or key is None:
            state: State = "warn" if settings.insecure else "ok"
            yield DoctorFinding(state, "tls", f"{door}: no TLS; it listens on {getattr(settings, f'{door}_host')}")
            continue
        try:
            tls_context(certificate, key, ca)
        except Refused as refused:
            yield DoctorFinding("fail", "tls", f"{door}: {why(refused)}", "give the certificate with its own key, PEM")
            continue
        yield from _expiry(door, certificate)
        if ca is not None:
            yield from _expiry(f"{door} (authority)", ca)


def _expiry(door: str, file: Path) -> Iterator[DoctorFinding]:
    from cryptography import x509

    ends = x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc
    days = (ends - datetime.datetime.now(datetime.UTC)).days
    state: State = "fail" if days < 0 else "warn" if days < SPARE_DAYS else "ok"
    yield DoctorFinding(state, "tls", f"{door}: {file} ends on {ends:%Y-%m-%d}", "renew it" if state != "ok" else "")


def _software(settings: Settings, premises: Premises) -> Iterator[DoctorFinding]:
    from croupier.store.manifest import unapproved
    from croupier.words import in_short

    if settings.approved == "off":
        what = 'approved is "off": the installed software is not compared with anything'
        yield DoctorFinding("warn", "software", what, 'have it signed (croupier manifest), and set approved = "refuse"')
        return
    found = unapproved(premises, settings.approver)
    if not found:
        yield DoctorFinding("ok", "software", "the installed software is the approved software")
        return
    state: State = "fail" if settings.approved == "refuse" else "warn"
    yield DoctorFinding(state, "software", in_short(found), "install the approved software, or have this one signed")


def _account(premises: Premises) -> Iterator[DoctorFinding]:
    """Which account runs this, which ran the server, and who else can change the floor's folder or the code?"""
    import croupier

    findings = []
    folder, code = premises.folder, Path(croupier.__file__).parent
    do = "run it under an account of its own that owns the folder of the floor and no code"
    if os.geteuid() == 0:
        findings.append(("this is root: an intruder in the server would have the whole machine", do))
    elif may_write(code):
        findings.append((f"this account can write to {code}: an intruder in the server could change the code", do))
    files = (folder, premises.keys / "signing.key", premises.checkpoints, *sorted(folder.glob("floor.db*")))
    if of_root := [str(file) for file in files if file.exists() and owner(file) == 0]:
        findings.append((f"the server has run as root, which owns {', '.join(of_root)}", do))
    if folder.exists() and folder.stat().st_mode & 0o077:
        findings.append((f"other accounts can open {folder}", f"chmod 700 {folder}"))
    yield from (DoctorFinding("warn", "account", what, do) for what, do in findings)
    if not findings:
        yield DoctorFinding(
            "ok",
            "account",
            "not root; only its owner can open the folder of the floor; the code belongs to another account",
        )


def owner(file: Path) -> int:
    return file.stat().st_uid


def may_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK)
