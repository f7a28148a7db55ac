"""A layout and a rulebook as the pages get them: a felt to draw and to bet on, a book to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import msgspec

from croupier.analysis.report.felt_picture import boxes_with_a_legend, fill, printed
from croupier.rules.money import Odds, odds_to
from croupier.rules.outcomes import Wheel
from croupier.rules.paytable import Layout
from croupier.rules.rulebook import Device, Rulebook
from croupier.rules.schema import Order
from croupier.rules.statement import Statement

# ---- a felt


class SheetArea(msgspec.Struct, frozen=True):
    """A rectangle of the grid and what is printed in it. A mark is the face of a die or the colour of a diamond."""

    row: int
    column: int
    width: int
    height: int
    box: str | None
    marks: tuple[str, ...]
    label: str
    odds: str
    fill: str | None
    """The colour of a number of a wheel."""


class SheetSpot(msgspec.Struct, frozen=True):
    """A point on the lines where a chip makes a bet, in columns from the left and rows from the top."""

    box: str
    x: float
    y: float


class SheetPrice(msgspec.Struct, frozen=True):
    """Odds as the books print them: "8.5" to 1."""

    odds: str
    to: int


class SheetBox(msgspec.Struct, frozen=True):
    name: str
    kind: str
    numbers: tuple[str, ...]
    pays: str
    prints: str
    win_clause: str
    odds_clause: str
    rule: Statement
    """When it wins."""
    unit: int
    """The step of stakes, in cents, that can be paid exactly."""
    prices: tuple[SheetPrice, ...]
    """What `pays` says, as facts."""


class SheetRoad(msgspec.Struct, frozen=True):
    """Two boxes that never win together, for a road of results: the box that wins on each outcome, if one does."""

    boxes: tuple[str, str]
    won: dict[str, str]


class FeltSheet(msgspec.Struct, frozen=True):
    """A layout as a page draws it, with everything that a bet needs."""

    book: str
    layout: str
    title: str
    clause: str
    appendix: str
    note: str | None
    columns: int
    rows: int
    areas: tuple[SheetArea, ...]
    spots: tuple[SheetSpot, ...]
    boxes: tuple[SheetBox, ...]
    roads: tuple[SheetRoad, ...]


def felt_sheet(layout: Layout) -> FeltSheet:
    """
    >>> from croupier import load_layout
    >>> sheet = felt_sheet(load_layout("rws-sicbo-etg-v2/A"))
    >>> sheet.areas[1].marks, sheet.areas[1].odds
    (('6', '6', '6'), '1 WINS 195')
    >>> [road.boxes for road in sheet.roads]
    [('small', 'big'), ('even', 'odd')]
    """
    captioned = boxes_with_a_legend(layout)
    areas = []
    for area in layout.felt.areas:
        what = printed(layout, area, area.box in captioned)
        at = (area.row, area.column, area.width, area.height)
        areas.append(SheetArea(*at, area.box, what.marks, what.label, what.odds, fill(layout, area)))
    book, _, id = layout.id.rpartition("/")
    return FeltSheet(
        book,
        id,
        layout.title,
        layout.clause,
        layout.appendix,
        layout.felt.note,
        layout.felt.columns,
        layout.felt.rows,
        tuple(areas),
        tuple(SheetSpot(spot.box, float(spot.x), float(spot.y)) for spot in layout.felt.spots),
        tuple(_box(layout, name) for name in layout.boxes),
        tuple(_roads(layout)),
    )


def _box(layout: Layout, name: str) -> SheetBox:
    box = layout.box(name)
    clauses, rule = (box.win_clause, box.odds_clause), layout.rule(name)
    prices = sheet_prices(price.odds for price in box.prices)
    return SheetBox(box.name, box.kind, box.numbers, box.pays, box.prints, *clauses, rule, layout.unit(name), prices)


def sheet_prices(odds: Iterable[Odds]) -> tuple[SheetPrice, ...]:
    """
    >>> sheet_prices([Odds(17, 2), Odds(4, 5)])
    (SheetPrice(odds='8.5', to=1), SheetPrice(odds='4', to=5))
    """
    return tuple(SheetPrice(*odds_to(one)) for one in odds)


def _roads(layout: Layout) -> Iterator[SheetRoad]:
    """Pairs of even chances: boxes at 1 to 1 that win equally often, never both, and mostly one of the two."""
    even = [name for name in layout.boxes if set(layout.winning(name).values()) == {Odds(1)}]
    for one, other in combinations(even, 2):
        first, second = layout.winning(one), layout.winning(other)
        together = layout.hits(one) + layout.hits(other)
        if (
            layout.hits(one) == layout.hits(other)
            and not first.keys() & second.keys()
            and together > layout.total_ways / 2
        ):
            won = {str(outcome): str(box) for box, wins in ((one, first), (other, second)) for outcome in wins}
            yield SheetRoad((one, other), won)


# ---- a book


class SheetLayout(msgspec.Struct, frozen=True):
    id: str
    title: str
    appendix: str
    clause: str
    boxes: int


class SheetCall(msgspec.Struct, frozen=True):
    id: str
    words: str
    by_the_book: bool
    """The words are the book's own, not ours."""
    announced: bool
    bell: bool
    clause: str


class SheetClause(msgspec.Struct, frozen=True):
    id: str
    kept: str
    says: str


class SheetIrregularity(msgspec.Struct, frozen=True):
    id: str
    clause: str
    trigger: str
    phases: tuple[str, ...]
    consequence: str
    authority: tuple[str, ...]
    people: int


class SheetPrompt(msgspec.Struct, frozen=True):
    id: str
    when: str
    by: str
    says: str
    clause: str


class SheetReading(msgspec.Struct, frozen=True):
    ruling: int | None
    clause: str
    says: str
    read: str
    why: str
    alternative: str


class SheetLimits(msgspec.Struct, frozen=True):
    """The limits of a book and the consequence of a breach. A pair is two boxes whose difference is limited."""

    displayed_clause: str
    minimum: str
    minimum_clause: str
    maximum_per: str
    maximum: str
    maximum_clause: str
    pairs: tuple[tuple[str, str], ...]
    pairs_clause: str | None


class BookSheet(msgspec.Struct, frozen=True):
    """An approved text as a page shows it, in our own words."""

    id: str
    title: str
    operator: str | None
    authority: str | None
    version: str | None
    effective: str | None
    time_zone: str
    hash: str
    device: Device
    numbers: tuple[str, ...]
    colours: dict[str, tuple[str, ...]]
    kind: str
    order: Order
    layout_of: str
    motion_minimum: int
    titles: dict[str, str]
    layouts: tuple[SheetLayout, ...]
    calls: tuple[SheetCall, ...]
    limits: SheetLimits
    clauses: tuple[SheetClause, ...]
    irregularities: tuple[SheetIrregularity, ...]
    prompts: tuple[SheetPrompt, ...]
    readings: tuple[SheetReading, ...]


def book_sheet(book: Rulebook) -> BookSheet:
    """
    >>> from croupier import load_rulebook
    >>> sheet = book_sheet(load_rulebook("nz-taisai-division9"))
    >>> sheet.order, [call.words for call in sheet.calls if call.bell]
    ('covered', ['No more bets'])
    """
    wheel = book.space if isinstance(book.space, Wheel) else None
    names = wheel.numbers if wheel else ()
    identity = book.identity
    return BookSheet(
        identity.id,
        identity.title,
        identity.operator,
        identity.authority,
        identity.version,
        identity.effective.isoformat() if identity.effective else None,
        identity.time_zone,
        book.hash,
        book.device,
        book.space.numbers,
        {name: tuple(n for n in names if n in numbers) for name, numbers in wheel.colours.items()} if wheel else {},
        book.play.kind,
        book.play.order,
        book.play.layout_of,
        book.play.minimum,
        {str(role): title for role, title in book.titles.items()},
        tuple(_layout(layout) for layout in book.layouts),
        tuple(
            SheetCall(call.id, call.words, call.wording == "book", call.given == "announced", call.bell, call.clause)
            for call in book.calls
        ),
        _limits(book),
        tuple(SheetClause(id, clause.kept, clause.says) for id, clause in book.clauses.items()),
        tuple(msgspec.convert(part.model_dump(), SheetIrregularity) for part in book.irregularities),
        tuple(msgspec.convert(part.model_dump(), SheetPrompt) for part in book.prompts),
        tuple(msgspec.convert(part.model_dump(), SheetReading) for part in book.readings),
    )


def _layout(layout: Layout) -> SheetLayout:
    id = layout.id.rpartition("/")[2]
    return SheetLayout(id, layout.title, layout.appendix, layout.clause, len(layout.boxes))


def _limits(book: Rulebook) -> SheetLimits:
    limits, differential = book.limits, book.limits.differential
    pairs = [pair.split() for pair in differential.pairs] if differential else []
    return SheetLimits(
        limits.displayed_clause,
        limits.minimum.breach,
        limits.minimum.clause,
        limits.maximum.per,
        limits.maximum.breach,
        limits.maximum.clause,
        tuple((one, other) for one, other in pairs),
        differential.clause if differential else None,
    )
