"""A felt as an SVG picture, drawn from the rulebook's geometry alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from croupier.rules.bets import CountOf, DifferentOf, Shows
from croupier.rules.felt import Area
from croupier.rules.outcomes import Wheel
from croupier.rules.paytable import Box, Layout

CELL_WIDTH, CELL_HEIGHT = 46, 66
_MARGIN = 6  # a spot on the lines reaches 5 into its areas
_LARGEST, _LARGEST_CAPTION, _SMALLEST = 26, 16, 5
_MARK_SCALE, _ODDS_SCALE, _LINE_SCALE = 1.3, 0.7, 1.15  # of the size of a label; of the size of a line
_ONE_LINE = 0.85  # how much a text shrinks before it is broken into lines
_FELT, _LINE, _INK = "#0d5c3f", "#e9dfb8", "#fdf9e8"
_COLOURS = {"red": "#a3212b", "black": "#16181a", "green": "#0d7a4c"}
_FONTS = (
    "Georgia, 'Noto Serif CJK SC', 'Source Han Serif SC', 'Songti SC', SimSun, "
    "'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'WenQuanYi Micro Hei', serif"
)
_WORD = re.compile(r"\S+ (?:to|TO|WINS|AND|-) \S+|\S+")
_PIPS = {
    "1": ((0.5, 0.5),),
    "2": ((0.25, 0.25), (0.75, 0.75)),
    "3": ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    "4": ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)),
    "5": ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)),
    "6": ((0.25, 0.2), (0.75, 0.2), (0.25, 0.5), (0.75, 0.5), (0.25, 0.8), (0.75, 0.8)),
}


class Print(NamedTuple):
    """What is printed in an area, from top to bottom. A mark is the face of a die or the colour of a diamond."""

    marks: tuple[str, ...]
    label: str
    odds: str


class _Sizes(NamedTuple):
    mark: float
    label: float
    odds: float


def draw_felt(layout: Layout) -> str:
    """The whole felt of a layout: areas with their labels and printed odds, captions, and spots on the lines."""
    felt = layout.felt
    width, height = felt.columns * CELL_WIDTH, felt.rows * CELL_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {width + 16} {height + 16}" '
        f'font-family="{_FONTS}" text-anchor="middle" role="img" aria-label="{escape(layout.id)}">',
        f'<rect x="-8" y="-8" width="{width + 16}" height="{height + 16}" rx="14" fill="{_FELT}"/>',
    ]
    captioned = boxes_with_a_legend(layout)
    prints = {area: printed(layout, area, area.box in captioned) for area in felt.areas}
    sizes: dict[tuple[str, int, int], _Sizes] = {}
    for area, what in prints.items():
        fitting = _fitting(area, what)
        sizes[_alike(area)] = _Sizes(*map(min, fitting, sizes.get(_alike(area), fitting)))
    for area, what in prints.items():
        parts.append(_rectangle(area, _ground(layout, area), area.box or area.caption or ""))
        parts += _set(area, what, sizes[_alike(area)])
    parts += [
        f'<circle cx="{float(spot.x) * CELL_WIDTH:g}" cy="{float(spot.y) * CELL_HEIGHT:g}" r="5" fill="{_LINE}">'
        f"<title>{escape(spot.box)}</title></circle>"
        for spot in felt.spots
    ]
    return "\n".join([*parts, "</svg>", ""])


def boxes_with_a_legend(layout: Layout) -> set[str]:
    """The boxes whose odds stand in a caption that touches their group: boxes of one kind side by side."""
    boxes = {area: layout.box(area.box) for area in layout.felt.areas if area.box}
    found: set[str] = set()
    for legend in [area for area in layout.felt.areas if area.caption]:
        border = [legend]
        while border:
            piece = border.pop()
            for area, box in boxes.items():
                of_group = piece is legend or boxes[piece].kind == box.kind
                if box.prints == legend.caption and of_group and box.name not in found and piece.touches(area):
                    found.add(box.name)
                    border.append(area)
    return found


def needed_dice(box: Box) -> tuple[str, ...]:
    """The dice in the picture of a bet: the faces that it needs, as often as it needs them."""
    match box.prices[0].condition:
        case Shows(faces) | DifferentOf(faces):
            return faces
        case CountOf(counts, face):
            return (face,) * counts.start
        case _:
            return ()


# ---- what is printed in an area


def printed(layout: Layout, area: Area, captioned: bool) -> Print:
    if area.box is None:
        return Print((), _halved(area.caption or ""), "")
    box = layout.box(area.box)
    colour = _colour(layout, box)
    marks = needed_dice(box) if "{dice}" in box.label else ()
    label = box.label.replace("{dice}", "").strip()
    if colour and ("◆" in label or (_is_straight(layout, box) and colour not in _COLOURS)):
        marks, label = (*marks, colour), label.replace("◆", "").strip()
    return Print(marks, label, "" if captioned else _halved(box.prints))


def _halved(odds: str) -> str:
    """Odds as a felt prints them: "1 WINS 8 1/2", with the half as one character."""
    return odds.replace(" 1/2", "½")


def fill(layout: Layout, area: Area) -> str | None:
    """The colour of a number of a wheel. Everything else has the colour of the felt."""
    box = layout.box(area.box) if area.box else None
    colour = _colour(layout, box) if box is not None and _is_straight(layout, box) else None
    return colour if colour in _COLOURS else None


def _ground(layout: Layout, area: Area) -> str:
    return _COLOURS.get(fill(layout, area) or "", _FELT) if area.box else "none"


def _is_straight(layout: Layout, box: Box) -> bool:
    return len(box.numbers) == 1 and len(layout.winning(box.name)) == 1


def _colour(layout: Layout, box: Box) -> str | None:
    """The colour of all the numbers on which a box wins, if it can be drawn: its name must be a plain word."""
    if not isinstance(layout.space, Wheel):
        return None
    wins = set(layout.winning(box.name))
    names = [name.lower() for name, numbers in layout.space.colours.items() if wins <= numbers]
    return names[0] if names and re.fullmatch("[a-z]+", names[0]) else None


# ---- in which size


def _alike(area: Area) -> tuple[str, int, int]:
    """The key of areas that share their sizes of print: the same shape, and the same word if they are numbered."""
    word, colon, _ = (area.box or "'").partition(":")
    return word if colon or not area.box else "", area.width, area.height


def _is_upright(area: Area) -> bool:
    """Is this a tall narrow caption, to be read from the bottom up?"""
    return area.box is None and area.height * CELL_HEIGHT > 2 * area.width * CELL_WIDTH


def _room(area: Area) -> tuple[float, float]:
    width, height = area.width * CELL_WIDTH - 2 * _MARGIN, area.height * CELL_HEIGHT - 2 * _MARGIN
    return (height, width) if _is_upright(area) else (width, height)


def _fitting(area: Area, what: Print) -> _Sizes:
    """The largest sizes of print with which everything stays inside the area."""
    width, height = _room(area)
    for size in range(_LARGEST if area.box else _LARGEST_CAPTION, _SMALLEST - 1, -1):
        sizes = _Sizes(
            min(size * _MARK_SCALE, width / max(1, len(what.marks))),
            _narrowed(what.label, size, width),
            _narrowed(what.odds, size * _ODDS_SCALE, width),
        )
        if _height(what, sizes, width) <= height:
            break
    return sizes


def _narrowed(text: str, size: float, room: float) -> float:
    """The size with which a text fits, in one line if that is not much smaller than in several."""
    if _width(text, size * _ONE_LINE) <= room:
        return min(size, room / max(1, _width(text, 1)))
    return min(size, room / max((_width(word, 1) for word in _words(text)), default=1))


def _height(what: Print, sizes: _Sizes, room: float) -> float:
    return sum(size * _LINE_SCALE for _, size in _lines(what, sizes, room)) + (sizes.mark if what.marks else 0)


def _lines(what: Print, sizes: _Sizes, room: float) -> list[tuple[str, float]]:
    texts = ((what.label, sizes.label), (what.odds, sizes.odds))
    return [(line, size) for text, size in texts for line in _wrapped(text, size, room)]


def _wrapped(text: str, size: float, room: float) -> list[str]:
    lines: list[str] = []
    for word in _words(text):
        if lines and _width(f"{lines[-1]} {word}", size) <= room + 0.01:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _words(text: str) -> list[str]:
    """The parts that a line break must not split: words, odds, ranges."""
    return [found[0] for found in _WORD.finditer(text)]


def _width(text: str, size: float) -> float:
    """The width of a text, estimated a little wider than in the usual fonts."""
    return size * sum(
        1 if letter > "⺀" else 0.8 if letter.isupper() else 0.65 if letter.isalnum() else 0.34 for letter in text
    )


# ---- drawing


def _set(area: Area, what: Print, sizes: _Sizes) -> Iterator[str]:
    room, _ = _room(area)
    middle, centre = (area.column + area.width / 2) * CELL_WIDTH, (area.row + area.height / 2) * CELL_HEIGHT
    turn = f' transform="rotate(-90 {middle:g} {centre:g})"' if _is_upright(area) else ""
    y = centre - _height(what, sizes, room) / 2
    if what.marks:
        for number, mark in enumerate(what.marks):
            yield from _mark(mark, middle + (number - len(what.marks) / 2) * sizes.mark, y, sizes.mark)
        y += sizes.mark
    for line, size in _lines(what, sizes, room):
        yield (
            f'<text x="{middle:g}" y="{y + size * 0.93:.1f}" font-size="{size:.1f}" '
            f'fill="{_INK if area.box else _LINE}"{turn}>{escape(line)}</text>'
        )
        y += size * _LINE_SCALE


def _mark(mark: str, x: float, y: float, side: float) -> Iterator[str]:
    if mark in _PIPS:
        yield from _die(mark, x + side * 0.04, y, side * 0.92)
    else:
        x, y, half = x + side / 2, y + side / 2, side * 0.45
        points = f"{x:g},{y - half:g} {x + half:g},{y:g} {x:g},{y + half:g} {x - half:g},{y:g}"
        yield f'<polygon points="{points}" fill="{_COLOURS.get(mark, mark)}" stroke="{_LINE}"/>'


def _rectangle(area: Area, fill: str, title: str) -> str:
    return (
        f'<rect x="{area.column * CELL_WIDTH}" y="{area.row * CELL_HEIGHT}" width="{area.width * CELL_WIDTH}" '
        f'height="{area.height * CELL_HEIGHT}" fill="{fill}" stroke="{_LINE}"><title>{escape(title)}</title></rect>'
    )


def _die(face: str, x: float, y: float, side: float) -> Iterator[str]:
    yield f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" rx="{side / 6:g}" fill="{_INK}"/>'
    for across, down in _PIPS[face]:
        yield f'<circle cx="{x + across * side:g}" cy="{y + down * side:g}" r="{side / 9:g}" fill="#a3212b"/>'
