"""`croupier accept-loss`: the rows that a journal has lost, and the decision of two people to go on without them."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from croupier.cli.accounts import (
    FloorSetting,
    SettingsFile,
    StoreSetting,
    TablesSetting,
    machine,
    settings_of,
    tables_of,
)
from croupier.cli.output import print_lines
from croupier.cli.shared import RUN, app, fail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.office import Office
    from croupier.server.settings import Settings
    from croupier.store.folder import Premises
    from croupier.store.heads import Heads
    from croupier.store.journal import Place, Store


@app.command("accept-loss", rich_help_panel=RUN)
def accept_loss(
    stream: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="The table, cage or office. Default: list what is missing.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who accepts the loss: pit-supervisor, pit-manager or shift-manager.")] = "",
    second: Annotated[
        str, typer.Option(help="Who accepts it too. One of the two must be pit-manager or shift-manager.")
    ] = "",
    reason: Annotated[str, typer.Option(help="What happened, and why no better copy can be restored.")] = "",
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
    tables: TablesSetting = None,
) -> None:
    """List the rows that a journal has lost, or accept the loss: two people give their passwords.

    First restore a better copy of the journal, if there is one. Exit code 1 while rows are missing.
    """
    from croupier.rules.refusal import Refused
    from croupier.words import finding

    settings = settings_of(file, floor=floor, store=store, tables=tables)
    with _opened(settings) as opened:
        if stream is None:
            lines = [finding(short.what) for short in opened.heads.halted.values()]
            print_lines(lines or ["Nothing is missing: the journal has every row that this floor remembers."])
            if lines:
                raise typer.Exit(1)
            return
        if stream not in opened.heads.halted:
            raise Refused("loss", "nothing-missing", stream=stream, missing=tuple(opened.heads.halted))
        if not reason.strip():
            raise Refused("reason", "loss-needs")
        _check_two(opened, by, second)
        seq = _accept(settings, opened, stream, by, second, reason.strip())
        print_lines([f"{stream}, row {seq}: the loss is accepted by {by} and {second}; play goes on from here"])


class _OpenedFloor(NamedTuple):
    """A floor, and how far each of its streams had come, as far as anything remembers."""

    store: Store
    heads: Heads
    reached: dict[str, set[Place]]


@contextmanager
def _opened(settings: Settings) -> Iterator[_OpenedFloor]:
    from croupier.store.archive import Archived
    from croupier.store.folder import Premises, open_store
    from croupier.store.heads import Heads

    premises = Premises(settings.floor, settings.store or None)
    plain = open_store(premises.address)
    heads = Heads(premises.heads, f"{machine()}-{os.getpid()}")
    try:
        with Archived(plain, premises.archive) as store:
            reached = _reached(premises, heads)
            for stream in sorted(reached):
                heads.compare(store, stream, reached[stream])
            yield _OpenedFloor(store, heads, reached)
    finally:
        heads.close()
        plain.close()


def _reached(premises: Premises, heads: Heads) -> dict[str, set[Place]]:
    """The places that each stream had reached: as noted on this machine, in checkpoints, and by the other machines."""
    from croupier.floor.cluster import read_status
    from croupier.store.checkpoint import trusted
    from croupier.store.journal import Place

    reached = {stream: set(places) for stream, places in heads.found.places.items()}
    marks = trusted(premises.checkpoints, premises.public_key) if premises.checkpoints.exists() else []
    known = [mark.heads for mark in marks]
    if premises.shared:
        shared = premises.open_shared(5, read_only=True)
        try:
            known += [read_status(node.body).halted for node in shared.look().nodes]
        finally:
            shared.close()
    for places in known:
        for stream, (seq, hash) in places.items():
            reached.setdefault(stream, set()).add(Place(seq, bytes.fromhex(hash)))
    return reached


def _check_two(opened: _OpenedFloor, by: str, second: str) -> None:
    """Check the two people: different, of the pit, one of them above pit-supervisor, each with their password."""
    from croupier.rules.refusal import Refused
    from croupier.server.sessions import is_password_of
    from croupier.table.messages import PersonId
    from croupier.table.roles import SUPERVISION

    if not by or not second or by == second:
        raise Refused("same-person", "loss")
    accounts = _office(opened.store).accounts
    ranks = []
    for name in (by, second):
        account = accounts.get(PersonId(name))
        held = [rank for rank, role in enumerate(SUPERVISION) if account and role in account.roles]
        if account is None or account.retired or not held:
            raise Refused("permission", "accept-loss", person=name, allowed=SUPERVISION)
        if not account.confirmed:
            raise Refused("unconfirmed", "loss", person=name)
        ranks.append(max(held))
        word = typer.prompt(f"Password of {name}", hide_input=True)
        if not is_password_of(opened.store, account, word):
            raise Refused("login", "wrong-password", person=name)
    if not any(ranks):
        raise Refused("rank", "one-of-two", needed=SUPERVISION[1:])


def _office(store: Store) -> Office:
    """The accounts, from the rows that the journal still has."""
    from croupier.floor.config import OFFICE
    from croupier.store.recorder import Recorder
    from croupier.store.streams.office import OfficeSubject

    subject = Recorder.follow(store, OFFICE).subject
    assert isinstance(subject, OfficeSubject)
    return subject.office


def _accept(settings: Settings, opened: _OpenedFloor, stream: str, by: str, second: str, reason: str) -> int:
    from croupier.store.heads import accept, missing
    from croupier.store.journal import GENESIS, Conflict
    from croupier.store.streams.entry import LossAccepted
    from croupier.table.messages import PersonId
    from croupier.words import of_error

    store, now = opened.store, time.time_ns() // 1_000_000
    gone = missing(store, stream, {*opened.reached.get(stream, ()), opened.heads.halted[stream].reached})
    loss = LossAccepted(PersonId(by), PersonId(second), reason, tuple((seq, hash.hex()) for seq, hash in gone))
    made = None
    if store.head(stream) == GENESIS:
        from croupier.floor.config import made_of

        made = made_of(tables_of(settings))[stream]()
    try:
        lease = store.take(stream, f"{machine()}-{os.getpid()}", now, 60_000)
    except Conflict as held:
        fail([f"{of_error(held)}: stop the server that has this floor open first (after a kill, wait 5 s)"], 2)
    try:
        place = accept(store, lease, max(now, lease.seen), loss, made)
    finally:
        store.release(lease)
    opened.heads.compare(store, stream)
    opened.heads.note(stream, place)
    return place.seq
