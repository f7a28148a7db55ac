"""A felt as an SVG picture, drawn from the rulebook's geometry alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from croupier.rules.bets import CountOf, DifferentOf, Shows
from croupier.rules.felt import Area
from croupier.rules.outcomes import Wheel
from croupier.rules.paytable import Box, Layout

CELL_WIDTH, CELL_HEIGHT = 46, 66
_FELT, _LINE, _INK = "#0d5c3f", "#e9dfb8", "#fdf9e8"
_COLOURS = {"red": "#a3212b", "black": "#16181a", "green": "#0d7a4c"}
_PIPS = {
    "1": ((0.5, 0.5),),
    "2": ((0.25, 0.25), (0.75, 0.75)),
    "3": ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    "4": ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)),
    "5": ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)),
    "6": ((0.25, 0.2), (0.75, 0.2), (0.25, 0.5), (0.75, 0.5), (0.25, 0.8), (0.75, 0.8)),
}


def draw_felt(layout: Layout) -> str:
    """The whole felt of a layout: areas with their labels and printed odds, captions, and spots on the lines."""
    felt = layout.felt
    width, height = felt.columns * CELL_WIDTH, felt.rows * CELL_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {width + 16} {height + 16}" '
        f'font-family="Georgia, serif" text-anchor="middle" role="img" aria-label="{escape(layout.id)}">',
        f'<rect x="-8" y="-8" width="{width + 16}" height="{height + 16}" rx="14" fill="{_FELT}"/>',
    ]
    for area in felt.areas:
        parts += _box_area(layout, area) if area.box else _caption(area)
    parts += [
        f'<circle cx="{float(spot.x) * CELL_WIDTH:g}" cy="{float(spot.y) * CELL_HEIGHT:g}" r="5" fill="{_LINE}">'
        f"<title>{escape(spot.box)}</title></circle>"
        for spot in felt.spots
    ]
    return "\n".join([*parts, "</svg>", ""])


def needed_dice(box: Box) -> tuple[str, ...]:
    """The dice a picture of the bet shows: the faces it needs, as often as it needs them."""
    match box.prices[0].condition:
        case Shows(faces) | DifferentOf(faces):
            return faces
        case CountOf(counts, face):
            return (face,) * counts.start
        case _:
            return ()


def _box_area(layout: Layout, area: Area) -> Iterator[str]:
    box = layout.box(area.box or "")
    yield _rectangle(area, _fill(layout, box), box.name)
    label = box.label.replace("{dice}", "").strip()
    dice = needed_dice(box) if "{dice}" in box.label else ()
    lines = [(line, 15) for line in _wrapped(label, area, 15)] if label else []
    if box.prints not in {other.caption for other in layout.felt.areas}:  # a legend says it once for the whole group
        lines += [(line, 9) for line in _wrapped(box.prints, area, 9)]
    room = area.height * CELL_HEIGHT
    side = min(20.0, area.width * CELL_WIDTH / (len(dice) + 0.5)) if dice else 0
    used = sum(size + 3 for _, size in lines) + (side + 4 if dice else 0)
    middle, y = (area.column + area.width / 2) * CELL_WIDTH, area.row * CELL_HEIGHT + max(2, (room - used) / 2)
    if dice:
        start = middle - side * len(dice) / 2
        for number, face in enumerate(dice):
            yield from _die(face, start + number * side, y, side - 2)
        y += side + 4
    for line, size in lines:
        y += size + 2
        yield f'<text x="{middle:g}" y="{y:g}" font-size="{size}" fill="{_INK}">{escape(line)}</text>'


def _caption(area: Area) -> Iterator[str]:
    yield _rectangle(area, "none", area.caption or "")
    lines = _wrapped(area.caption or "", area, 11)
    x = (area.column + area.width / 2) * CELL_WIDTH
    y = (area.row + area.height / 2) * CELL_HEIGHT - 7 * len(lines) + 10
    for number, line in enumerate(lines):
        yield f'<text x="{x:g}" y="{y + 14 * number:g}" font-size="11" fill="{_LINE}">{escape(line)}</text>'


def _rectangle(area: Area, fill: str, title: str) -> str:
    return (
        f'<rect x="{area.column * CELL_WIDTH}" y="{area.row * CELL_HEIGHT}" width="{area.width * CELL_WIDTH}" '
        f'height="{area.height * CELL_HEIGHT}" fill="{fill}" stroke="{_LINE}"><title>{escape(title)}</title></rect>'
    )


def _fill(layout: Layout, box: Box) -> str:
    """The colour of a number on a wheel; everything else is felt."""
    if isinstance(layout.space, Wheel) and len(box.numbers) == 1 and len(layout.winning(box.name)) == 1:
        colours = [name for name, numbers in layout.space.colours.items() if box.numbers[0] in numbers]
        return _COLOURS.get(colours[0], _FELT) if colours else _FELT
    return _FELT


def _die(face: str, x: float, y: float, side: float) -> Iterator[str]:
    yield f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" rx="{side / 6:g}" fill="{_INK}"/>'
    for across, down in _PIPS[face]:
        yield f'<circle cx="{x + across * side:g}" cy="{y + down * side:g}" r="{side / 9:g}" fill="#a3212b"/>'


def _wrapped(text: str, area: Area, size: int) -> list[str]:
    """Break a text into lines that fit the area."""
    room = max(4, int(area.width * CELL_WIDTH / (size * 0.72)))
    lines = [""]
    for word in re.split(r"\s+", text):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
