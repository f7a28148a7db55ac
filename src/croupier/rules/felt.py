"""The geometry of a felt: a grid of areas read from rows of tokens, and the spots on the lines between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

_WORD = re.compile(r"'[^']*'\S*|\S+")
_TOKEN = re.compile(r"('[^']*'|[^\s'*]+)(?:\*(\d{1,3})(?:x(\d{1,3}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the felt: a betting box, or a printed caption. Row and column count from 0 at the top left."""

    box: str | None
    caption: str | None
    row: int
    column: int
    width: int
    height: int

    def touches(self, other: Area) -> bool:
        """The two share an edge; a corner is not enough."""
        across = min(self.column + self.width, other.column + other.width) - max(self.column, other.column)
        down = min(self.row + self.height, other.row + other.height) - max(self.row, other.row)
        return min(across, down) == 0 < max(across, down)


@dataclass(frozen=True, slots=True)
class Spot:
    """A point on the lines of the felt where a chip is a bet. x counts columns from the left, y rows from the top."""

    box: str
    x: Fraction
    y: Fraction


@dataclass(frozen=True, slots=True)
class Felt:
    columns: int
    rows: int
    areas: tuple[Area, ...]
    spots: tuple[Spot, ...]
    note: str | None


def read_felt(
    columns: int,
    rows: Sequence[str],
    boxes: Iterable[str] | None,
    spots: Mapping[str, Sequence[str] | str],
    note: str | None,
) -> tuple[Felt, list[str]]:
    """Read the rows of a felt and place the spots; return the felt and every fault found.

    `boxes` are the names that must stand on the felt as areas, or None when they are not known. `spots` gives for each
    other box the areas whose meeting point it sits on, or, as a text, `left` and the areas whose left edge it sits on.
    """
    faults: list[str] = []
    areas = _place(columns, rows, faults)
    placed = [area.box for area in areas if area.box]
    wanted = set(placed if boxes is None else boxes)
    twice = sorted(name for name, times in Counter(placed).items() if times > 1)
    faults += [f'"{name}" stands on the felt more than once' for name in twice]
    faults += [
        f'"{name}" is a spot on the lines, so it cannot be an area too' for name in sorted(set(placed) & set(spots))
    ]
    unknown = sorted(set(placed) - wanted - set(spots))
    faults += [f'"{name}" on the felt is not a box of this layout' for name in unknown]
    faults += [f'box "{name}" is missing on the felt' for name in sorted(wanted - set(placed))]
    points = _spots({area.box: area for area in areas if area.box}, wanted, spots, faults)
    assert faults or {*placed, *(point.box for point in points)} == wanted | set(spots), "a box has no place"
    return Felt(columns, len(rows), tuple(areas), tuple(points), note), faults


def _place(columns: int, rows: Sequence[str], faults: list[str]) -> list[Area]:
    areas: list[Area] = []
    taken: dict[tuple[int, int], str] = {}
    for row, text in enumerate(rows):
        column = 0
        for name, width, height in _tokens(row, text, faults):
            while (row, column) in taken:
                column += 1
            if column + width > columns or row + height > len(rows):
                faults.append(f"row {row + 1}: {name} reaches past the grid of {columns} columns and {len(rows)} rows")
                break
            cells = [(row + down, column + right) for down in range(height) for right in range(width)]
            overlap = sorted({taken[cell] for cell in cells if cell in taken})
            if overlap:
                faults.append(f"row {row + 1}: {name} at column {column + 1} overlaps {overlap[0]}")
            taken.update(dict.fromkeys(cells, name))
            if name != ".":
                caption = name[1:-1] if name.startswith("'") else None
                areas.append(Area(None if caption is not None else name, caption, row, column, width, height))
            column += width
        free = sum((row, place) not in taken for place in range(columns))
        if free:
            faults.append(f"row {row + 1} leaves {free} of {columns} columns empty; write . for a gap")
    return areas


def _tokens(row: int, text: str, faults: list[str]) -> list[tuple[str, int, int]]:
    tokens = []
    for word in _WORD.findall(text):
        if match := _TOKEN.fullmatch(word):
            tokens.append((match[1], int(match[2] or 1), int(match[3] or 1)))
        else:
            faults.append(f"row {row + 1}: cannot read \"{word}\"; write box*width or box*widthxheight, '…' or .")
    faults += [f"row {row + 1}: {name} is 0 wide or high" for name, width, height in tokens if not (width and height)]
    return [token for token in tokens if token[1] and token[2]]


def _spots(
    areas: Mapping[str, Area], boxes: Collection[str], spots: Mapping[str, Sequence[str] | str], faults: list[str]
) -> list[Spot]:
    points: list[Spot] = []
    seen: dict[tuple[Fraction, Fraction], str] = {}
    for box, where in spots.items():
        left = isinstance(where, str)
        names = where.split()[1:] if isinstance(where, str) else where
        lost = [name for name in names if name not in areas]
        if lost or not names:
            # A box that is not on the felt though it should be is a fault already.
            faults += [
                f'"{box}" sits on "{name}", which is not an area of this felt' for name in lost if name not in boxes
            ]
            faults += [] if names else [f'"{box}" has no numbers to sit on; say which, like "left of 0 1"']
            continue
        point = _left([areas[name] for name in names]) if left else _meet([areas[name] for name in names])
        if point is None:
            how = "are not one block with a left edge" if left else "do not touch in one place"
            faults.append(f'the areas of "{box}" ({" ".join(names)}) {how}')
        elif point in seen:
            faults.append(f'"{box}" and "{seen[point]}" sit on the same spot')
        else:
            seen[point] = box
            points.append(Spot(box, *point))
    return points


def _meet(areas: Sequence[Area]) -> tuple[Fraction, Fraction] | None:
    left, right = max(area.column for area in areas), min(area.column + area.width for area in areas)
    top, bottom = max(area.row for area in areas), min(area.row + area.height for area in areas)
    touching = len(areas) > 1 and left <= right and top <= bottom and _lie_together(areas)
    return (Fraction(left + right, 2), Fraction(top + bottom, 2)) if touching else None


def _left(areas: Sequence[Area]) -> tuple[Fraction, Fraction] | None:
    top, bottom = min(area.row for area in areas), max(area.row + area.height for area in areas)
    edge = min(area.column for area in areas)
    straight = sum(area.height for area in areas if area.column == edge) == bottom - top
    return (Fraction(edge), Fraction(top + bottom, 2)) if straight and _lie_together(areas) else None


def _lie_together(areas: Sequence[Area]) -> bool:
    """All areas are connected by shared edges; a shared corner is not enough."""
    reached, border = {areas[0]}, [areas[0]]
    while border:
        area = border.pop()
        found = {other for other in areas if area.touches(other)} - reached
        reached |= found
        border += found
    return len(reached) == len(areas)
