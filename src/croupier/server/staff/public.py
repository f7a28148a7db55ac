"""Routes for everyone: the lobby, the books and their felts, the display of a table."""

from __future__ import annotations

from functools import cache

import msgspec

from croupier.analysis.sheet import BookSheet, FeltSheet, book_sheet
from croupier.rules.refusal import Refused
from croupier.server.staff.guard import PUBLIC
from croupier.server.staff.plane import Call, Nothing, Plane
from croupier.server.staff.room import DisplayNow, Lobby, display, lobby
from croupier.server.staff.trouble import missing


class TableAsked(msgspec.Struct, frozen=True):
    table: str


class LawWords(msgspec.Struct, frozen=True):
    """Sentences of the books in Chinese, by the English ones, which alone are law."""

    words: dict[str, str]


class BookAsked(msgspec.Struct, frozen=True):
    book: str


class LayoutAsked(msgspec.Struct, frozen=True):
    book: str
    layout: str


def public_routes(plane: Plane) -> None:
    house = plane.house

    @plane.get("/api/floor", PUBLIC)
    async def floor(call: Call, asked: Nothing) -> Lobby:
        """The lobby: every table with its game, limits, state and last results."""
        return lobby(house)

    @plane.get("/api/tables/{table}", PUBLIC)
    async def table(call: Call, asked: TableAsked) -> DisplayNow:
        """The public display of a table."""
        live = house.live(asked.table)
        view = display(house, live, house.chronicles[live.name])
        return DisplayNow(live.recorder.place.seq, house.floor.clock.now(), view)

    words = cache(lambda: LawWords(house.words()))

    @plane.get("/api/words/zh", PUBLIC)
    async def law_in_chinese(call: Call, asked: Nothing) -> LawWords:
        """What the books say, in Chinese, for pages; the English text is the law."""
        return words()

    @plane.get("/api/books/{book}", PUBLIC)
    async def book(call: Call, asked: BookAsked) -> BookSheet:
        """An approved text: its clauses in our words, pay tables, calls, irregularities and readings."""
        return book_sheet(house.book(asked.book))

    @plane.get("/api/layouts/{book}/{layout}", PUBLIC)
    async def layout(call: Call, asked: LayoutAsked) -> FeltSheet:
        """A felt: its geometry, its boxes with their printed odds, and everything a page needs to bet on it."""
        try:
            return house.felt(house.book(asked.book).layout(asked.layout))
        except Refused as refused:
            raise missing(f'layout "{asked.layout[:64]}"', refused.message) from None
