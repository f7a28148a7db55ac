"""The book of a table and how it may change: books that were found, with all differences from the one in force."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec

from croupier.analysis.exact.books import Change, OddsAndEdge, Part, book_changes
from croupier.floor.bookshelf import BookFound
from croupier.floor.floor import LiveTable
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.server.staff.context import Context
from croupier.server.staff.guard import PIT_OF_TABLE
from croupier.server.staff.problem import Problem, problem_of
from croupier.server.staff.public import TableAsked
from croupier.server.staff.router import Router, StaffCall
from croupier.table import messages as m
from croupier.table.book_change import alternatives_under, check_successor, gone_boxes, layouts_under
from croupier.table.limits import misfits
from croupier.table.state import BookChange, PlannedBook, Table, law_under


class BookNamed(msgspec.Struct, frozen=True):
    """A book: its name, its version, and the hash of its content."""

    id: str
    title: str
    version: str | None
    hash: str
    hour: str
    """The hour from which the text has effect, in the book's time zone; empty if the text names none."""
    since: int | None


class BookDifference(msgspec.Struct, frozen=True):
    """One difference. Null where a book does not have the part; `odds` and edges only for boxes."""

    part: Part
    place: str
    layout: str
    box: str
    before: str | None
    after: str | None
    pays_before: str | None
    pays_after: str | None
    edge_before: float | None
    edge_after: float | None
    clause: str | None


class BookOffered(msgspec.Struct, frozen=True):
    """A book that the table may take up, and what would change."""

    book: BookNamed
    correction: bool
    """A corrected encoding of the text in force, and not another version."""
    come: bool
    """Has its hour come?"""
    layouts: tuple[str, ...]
    """The layouts on display after it; empty if none of those of now is left: then name some."""
    known: tuple[str, ...]
    """All of its layouts."""
    gone: dict[str, tuple[str, ...]]
    """Boxes on display that it no longer has."""
    alternatives_lost: tuple[int, ...]
    """Rulings that the House reads otherwise, and that this book no longer leaves to it."""
    misfits: tuple[Problem, ...]
    """Why the limits of the table do not fit: set others first, or in the act."""
    differences: tuple[BookDifference, ...]


class BooksOfTable(msgspec.Struct, frozen=True):
    in_force: BookNamed
    planned: PlannedBook | None
    changes: tuple[BookChange, ...]
    """The changes so far, the oldest first."""
    offered: tuple[BookOffered, ...]
    unreadable: tuple[str, ...]
    """Faults of files in the House's folder."""


def change_of_book_routes(router: Router) -> None:
    context = router.context

    @router.get("/api/tables/{table}/books", PIT_OF_TABLE)
    async def books(call: StaffCall, asked: TableAsked) -> BooksOfTable:
        """The book of a table, its changes, and the books it may take up, with every difference."""
        live = context.live(asked.table)
        found = await asyncio.to_thread(context.floor.bookshelf.books)
        faults = context.floor.bookshelf.faults
        table, now = live.table, context.floor.clock.now()
        offered = tuple(_offered(table, list(found.values()), now))
        unreadable = tuple(str(fault) for fault in faults)
        return BooksOfTable(named(table.book), table.planned, table.changes, offered, unreadable)


async def bring(context: Context, live: LiveTable, command: m.AnyCommand, id: str) -> None:
    """Lay the text of a book before the table, if a person asks to take it up and the table does not have it yet."""
    if not isinstance(command, m.TakeUpBook) or command.book in live.table.books:
        return
    found = (await asyncio.to_thread(context.floor.bookshelf.books)).get(command.book)
    if found is not None:
        await context.give(live.recorder, m.BringBook(command.by, command.at, found.text), f"{id}.text")


def named(book: Rulebook) -> BookNamed:
    identity = book.identity
    return BookNamed(book.id, identity.title, identity.version, book.hash, book.hour, book.in_force_from)


def _offered(table: Table, found: list[BookFound], now: int) -> Iterator[BookOffered]:
    for one in found:
        try:
            correction = check_successor(table.book, one.book)
        except Refused:
            continue
        yield offered(table, one.book, now, correction=correction)


def offered(table: Table, book: Rulebook, now: int, *, correction: bool) -> BookOffered:
    law = law_under(book)
    try:
        layouts = layouts_under(table, book, ())
    except Refused:
        layouts = ()
    kept = alternatives_under(book, table.law.alternatives, None)
    return BookOffered(
        named(book),
        correction,
        correction or book.in_force_from is None or book.in_force_from <= now,
        layouts,
        tuple(law.layouts),
        gone_boxes(table, law.layouts),
        tuple(sorted(table.law.alternatives - set(kept))),
        tuple(problem_of(no) for no in misfits(table.limits, [law.layouts[name] for name in layouts], book.limits)),
        tuple(_difference(change) for change in book_changes(table.book, book)),
    )


def _difference(change: Change) -> BookDifference:
    before, after = change.odds
    return BookDifference(
        change.part,
        change.place,
        change.layout,
        change.box,
        change.before,
        change.after,
        before.pays if before else None,
        after.pays if after else None,
        _share(before),
        _share(after),
        change.clause,
    )


def _share(odds: OddsAndEdge | None) -> float | None:
    return round(float(odds.edge), 6) if odds else None
