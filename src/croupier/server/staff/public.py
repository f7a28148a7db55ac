"""Public routes: the lobby, the display of a table, the books and their felts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import msgspec

from croupier.analysis.report.sheet import BookSheet, FeltSheet, book_sheet
from croupier.rules.refusal import Refused
from croupier.server.staff.context import Context
from croupier.server.staff.feeds import View
from croupier.server.staff.guard import PUBLIC, SHOWN
from croupier.server.staff.room import DisplayNow, Lobby, display, lobby
from croupier.server.staff.router import Nothing, Router, StaffCall

T = TypeVar("T")
MOMENT = 0.05
"""Seconds for which the same view answers every request, before it is made again."""


class TableAsked(msgspec.Struct, frozen=True):
    table: str


class LanguageAsked(msgspec.Struct, frozen=True):
    language: str


class LawWords(msgspec.Struct, frozen=True):
    """Sentences of the books in another language, by the English ones. Only the English ones are law."""

    words: dict[str, str]


class BookAsked(msgspec.Struct, frozen=True):
    book: str


class LayoutAsked(msgspec.Struct, frozen=True):
    book: str
    layout: str


class Recent:
    """Keeps views for a moment, so that many requests for the same view make it once."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[int, float, Any]] = {}

    def of(self, name: str, row: int, make: Callable[[], T]) -> T:
        """The view of this name, no older than this row."""
        now = time.monotonic()
        seen, at, made = self._made.get(name, (-1, 0.0, None))
        if row != seen or now - at >= MOMENT:
            made = make()
            self._made[name] = row, now, made
        return cast(T, made)


def public_routes(router: Router) -> None:
    context = router.context

    recent = Recent()

    @router.get("/api/floor", PUBLIC)
    async def floor(call: StaffCall, asked: Nothing) -> Lobby:
        """The lobby: every table with its game, limits, state and last results."""
        rows = sum(live.recorder.place.seq for live in context.floor.tables.values())
        seen = recent.of("", rows, lambda: lobby(context))
        return msgspec.structs.replace(seen, now=context.floor.clock.now())

    @router.get("/api/tables/{table}", SHOWN)
    async def table(call: StaffCall, asked: TableAsked) -> DisplayNow:
        """The public display of a table."""
        live = context.live(asked.table)
        row = live.recorder.place.seq
        view = recent.of(live.name, row, lambda: display(context, live))
        return DisplayNow(row, context.floor.clock.now(), view)


def shown_view(context: Context, key: tuple[str, ...]) -> View:
    """How to make the view that the public process asks for. Refused if there is no such view."""
    if key == ("lobby",):  # without the time, which the public process adds
        rows = context.floor.tables.values()
        return lambda: (sum(live.recorder.place.seq for live in rows), msgspec.structs.replace(lobby(context), now=0))
    kind, table = key
    live = context.live(table)
    assert kind == "display", key
    return lambda: (live.recorder.place.seq, display(context, live))


def book_routes(router: Router) -> None:
    """The routes that need no floor: the books and their felts."""
    context = router.context

    @router.get("/api/words/{language}", PUBLIC, once=True)
    async def law_words(call: StaffCall, asked: LanguageAsked) -> LawWords:
        """The sentences of the books in another language, for pages. The English text is the law."""
        return LawWords(context.words(asked.language))

    @router.get("/api/books/{book}", PUBLIC, once=True)
    async def book(call: StaffCall, asked: BookAsked) -> BookSheet:
        """An approved text: its clauses in our words, pay tables, calls, irregularities and readings."""
        return book_sheet(context.book(asked.book))

    @router.get("/api/layouts/{book}/{layout}", PUBLIC, once=True)
    async def layout(call: StaffCall, asked: LayoutAsked) -> FeltSheet:
        """A felt: its geometry, its boxes with their printed odds, and everything that a page needs to bet on it."""
        book = context.book(asked.book)
        try:
            return context.felt(book.layout(asked.layout))
        except Refused:
            known = tuple(layout.id.rpartition("/")[2] for layout in book.layouts)
            raise Refused("missing", "layout", layout=asked.layout[:64], known=known) from None
