"""The differences between two rulebooks, as a regulator needs them: what changed, whom it concerns, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Literal

import msgspec
from pydantic import BaseModel

from croupier.analysis.exact.odds import BoxOdds, Difference, differences
from croupier.rules.paytable import Layout
from croupier.rules.rulebook import Rulebook

Part = Literal[
    "identity",
    "titles",
    "ranks",
    "order of play",
    "calls",
    "announcement",
    "limits",
    "interruption",
    "irregularities",
    "prompts",
    "layouts",
    "boxes",
    "odds",
    "felt",
    "clauses",
    "readings",
]
EVERYONE = "everyone"


class OddsAndEdge(msgspec.Struct, frozen=True):
    """What a box pays, and the share of each stake that the House keeps on average."""

    pays: str
    edge: Fraction


class Change(msgspec.Struct, frozen=True):
    """One difference between two books. `before` or `after` is None if that book does not have the part.

    `edge` is how much more of each stake the Player loses after the change; below zero, less.
    """

    part: Part
    place: str
    before: str | None
    after: str | None
    concerns: str
    clause: str | None = None
    edge: Fraction | None = None
    layout: str = ""
    box: str = ""
    """The layout and the box of a difference in a pay table."""
    odds: tuple[OddsAndEdge | None, OddsAndEdge | None] = (None, None)
    """What the box paid before and pays after, each with its edge."""

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        return "added" if self.before is None else "removed" if self.after is None else "changed"


def book_changes(left: Rulebook, right: Rulebook) -> list[Change]:
    """All differences between two books, in the order in which a book is read."""
    return [
        *_models("identity", left.identity, right.identity, "the record", without=("id", "format", "contents")),
        *_titles(left, right),
        *_models("ranks", left.ranks, right.ranks, "staff"),
        *_models("order of play", left.play, right.play, "dealer and Players"),
        *_rows("calls", left.calls, right.calls, _id),
        *_models("announcement", left.announcement, right.announcement, "dealer and Players"),
        *_models("limits", left.limits, right.limits, "Players and the House"),
        *_models("interruption", left.interruption, right.interruption, "Players and the House"),
        *_rows("irregularities", left.irregularities, right.irregularities, _id),
        *_rows("prompts", left.prompts, right.prompts, _id),
        *_layouts(left, right),
        *_rows("readings", left.readings, right.readings, _reading),
        *_clauses(left, right),
    ]


# ---- pay tables


def _layouts(left: Rulebook, right: Rulebook) -> Iterable[Change]:
    one, other = ({layout.id.rpartition("/")[2]: layout for layout in book.layouts} for book in (left, right))
    for name in dict.fromkeys((*one, *other)):
        before, after = one.get(name), other.get(name)
        if before and after:
            yield from layout_changes(before, after, name)
        else:
            either = before or after
            assert either is not None, "a layout of neither book"
            text = f"{either.title}, {len(either.boxes)} boxes"
            yield Change(
                "layouts",
                name,
                text if before else None,
                text if after else None,
                "Players and the House",
                either.clause,
            )


def layout_changes(left: Layout, right: Layout, name: str) -> Iterable[Change]:
    """The differences between two layouts of the same name: boxes, odds, and places of the boxes."""
    for row in differences(left, right):
        yield _box_change(left, right, name, row)
    if left.title != right.title:
        yield Change("layouts", f"{name}, title", left.title, right.title, "the record", right.clause)
    if left.felt != right.felt and set(left.boxes) == set(right.boxes):
        yield Change("felt", name, "as it was", "drawn otherwise", "Players", right.appendix)


def _box_change(left: Layout, right: Layout, name: str, row: Difference) -> Change:
    clause = (right if row.right else left).box(row.box).odds_clause
    return Change(
        "odds" if row.left and row.right else "boxes",
        f"{name}, {row.box}",
        _summary_of_odds(row.left),
        _summary_of_odds(row.right),
        _whom(row),
        clause,
        row.edge_change,
        name,
        row.box,
        (_priced(row.left), _priced(row.right)),
    )


def _priced(odds: BoxOdds | None) -> OddsAndEdge | None:
    return OddsAndEdge(odds.pays, odds.edge) if odds else None


def _summary_of_odds(odds: BoxOdds | None) -> str | None:
    return f"{odds.pays}, wins in {odds.hits} of {odds.ways}, edge {float(odds.edge):.2%}" if odds else None


def _whom(row: Difference) -> str:
    if row.edge_change is None:
        return "Players who may bet here no more" if row.right is None else "Players who may bet here now"
    if row.edge_change == 0:
        return "Players, who lose as much as before on average"
    return "the House, which keeps more" if row.edge_change > 0 else "Players, who keep more"


# ---- everything else


def _models(
    part: Part, left: BaseModel | None, right: BaseModel | None, concerns: str, without: tuple[str, ...] = ()
) -> Iterable[Change]:
    one, other = (dict(_flat(book.model_dump(mode="json"))) if book else {} for book in (left, right))
    clause = other.get("clause", one.get("clause"))
    for key in dict.fromkeys((*one, *other)):
        if one.get(key) != other.get(key) and key.partition(" ")[0] not in without:
            yield Change(part, key, one.get(key), other.get(key), concerns, clause)


def _flat(data: object, place: str = "") -> Iterable[tuple[str, str]]:
    """Every value with its place, without those that are empty."""
    match data:
        case dict():
            for key, value in data.items():
                yield from _flat(value, f"{place} {key}".strip())
        case list() if all(isinstance(item, str) for item in data):
            if data:
                yield place, ", ".join(data)
        case list():
            for number, item in enumerate(data, 1):
                yield from _flat(item, f"{place} {number}")
        case None | False:
            pass
        case _:
            yield place, str(data)


def _id(part: Any) -> str:
    return str(part.id)


def _reading(part: Any) -> str:
    """The key of a reading: the number of its ruling, which is the same in every book, or else its clause."""
    return f"ruling {part.ruling}, {part.clause}" if part.ruling else str(part.clause)


def _rows(part: Part, left: Iterable[Any], right: Iterable[Any], key: Callable[[Any], str]) -> Iterable[Change]:
    """The differences between two lists of named parts: added, removed, or changed field by field."""
    one, other = ({key(row): row for row in rows} for rows in (left, right))
    for name in dict.fromkeys((*one, *other)):
        before, after = one.get(name), other.get(name)
        either = after or before
        if before and after:
            for change in _models(part, before, after, _people(either)):
                yield msgspec.structs.replace(change, place=f"{name}, {change.place}")
        else:
            text = _summary(either)
            yield Change(
                part, str(name), before and text, after and text, _people(either), getattr(either, "clause", None)
            )


def _people(part: Any) -> str:
    """The roles that a part names; without any, everyone."""
    for field in ("by", "authority"):
        roles = getattr(part, field, None)
        if roles:
            return roles if isinstance(roles, str) else ", ".join(roles)
    return EVERYONE


def _summary(part: Any) -> str:
    for field in ("says", "trigger", "words"):
        if text := getattr(part, field, None):
            return str(text)
    return "; ".join(f"{key}: {value}" for key, value in _flat(part.model_dump(mode="json")))


def _titles(left: Rulebook, right: Rulebook) -> Iterable[Change]:
    for role in dict.fromkeys((*left.titles, *right.titles)):
        before, after = left.titles.get(role), right.titles.get(role)
        if before != after:
            yield Change("titles", role, before, after, role)


def _clauses(left: Rulebook, right: Rulebook) -> Iterable[Change]:
    for id in dict.fromkeys((*left.clauses, *right.clauses)):
        before, after = left.clauses.get(id), right.clauses.get(id)
        if before == after:
            continue
        either = after or before
        assert either is not None, "a clause of neither book"
        before_says, after_says = (f"{side.says} (kept by {side.kept})" if side else None for side in (before, after))
        whom = "people at the table" if either.kept == "people" else EVERYONE
        yield Change("clauses", id, before_says, after_says, whom, id)
