"""The felts as pictures: every box says what it pays, inside its lines, in one piece, and in its colour."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from croupier import Layout, load_layout, load_rulebook
from croupier.analysis.report.felt_picture import boxes_with_a_legend, draw_felt
from croupier.rules.reader import read_rulebook
from tests.support.golden import layouts

SVG = "{http://www.w3.org/2000/svg}"
ZERO = (Path(__file__).parents[2] / "rulebooks" / "single-zero-roulette.toml").read_text()
EVERY_FELT = pytest.mark.parametrize("layout", layouts(), ids=lambda layout: layout.id)


class Drawn(NamedTuple):
    """One area of a picture: its rectangle, its lines of text from top to bottom, and the fills of its diamonds."""

    rectangle: dict[str, str]
    lines: list[ElementTree.Element]
    diamonds: list[str]

    @property
    def text(self) -> str:
        return " ".join(line.text or "" for line in self.lines)


def drawn(layout: Layout) -> Iterator[tuple[str, Drawn]]:
    """Every area of a picture with its title; what is printed in an area follows its rectangle."""
    area: Drawn | None = None
    for element in ElementTree.fromstring(draw_felt(layout)):
        title = element.find(f"{SVG}title")
        if element.tag == f"{SVG}rect" and title is not None:
            area = Drawn(dict(element.attrib), [], [])
            yield title.text or "", area
        elif element.tag == f"{SVG}text" and area:
            area.lines.append(element)
        elif element.tag == f"{SVG}polygon" and area:
            area.diamonds.append(element.attrib["fill"])


@EVERY_FELT
def test_every_box_prints_its_odds_unless_a_legend_does(layout: Layout) -> None:
    legends = boxes_with_a_legend(layout)
    for name, area in list(drawn(layout)):
        if name in layout.boxes:
            odds = layout.box(name).prints.replace(" 1/2", "½")
            assert area.text.endswith(odds) == (name not in legends), (name, area.text)


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        ("nz-taisai-division9/1", {"triple", "any-triple"}),
        ("nz-taisai-division9/2", set()),
        ("rws-sicbo-etg-v2/A", {"double", "domino"}),
        ("rws-sicbo-etg-v2/B", {"domino", "four", "pair", "three"}),
        ("rws-sicbo-etg-v2/C", {"domino", "pair", "three", "triple"}),
        ("rws-taisai-v5/C", {"pair", "three"}),
    ],
)
def test_a_legend_speaks_for_the_boxes_of_its_group_and_no_others(layout: str, words: set[str]) -> None:
    felt = load_layout(layout)
    assert boxes_with_a_legend(felt) == {box for box in felt.boxes if box.partition(":")[0] in words}


@EVERY_FELT
def test_text_stays_inside_its_area(layout: Layout) -> None:
    for name, area in list(drawn(layout)):
        left, top, width, height = (float(area.rectangle[side]) for side in ("x", "y", "width", "height"))
        for line in area.lines:
            size, base = float(line.attrib["font-size"]), float(line.attrib["y"])
            assert size >= 8, (name, line.text)
            room = height if "transform" in line.attrib else width
            assert len((line.text or "").replace(" ", "")) * size * 0.62 < room, (name, line.text)
            assert top < base - size * 0.7, (name, line.text)
            assert base < top + height, (name, line.text)
            assert float(line.attrib["x"]) == left + width / 2


@EVERY_FELT
def test_no_line_breaks_inside_odds(layout: Layout) -> None:
    for name, area in list(drawn(layout)):
        for line in area.lines:
            assert not re.search(r"(?i)(^|\s)(to|wins)$|^(to|wins)\s", line.text or ""), (name, area.text)


def test_a_diamond_has_the_colour_of_its_box() -> None:
    areas = dict(drawn(load_layout("mbs-sands-roulette-v2/A")))
    list_of = {name: areas[name].diamonds for name in ("red", "black", "green", "odd")}
    assert list_of == {
        "red": [areas["straight:1"].rectangle["fill"]],
        "black": [areas["straight:2"].rectangle["fill"]],
        "green": [areas["straight:0"].rectangle["fill"]],
        "odd": [],
    }
    assert not any("◆" in area.text for area in areas.values())


@pytest.mark.parametrize(("colour", "diamonds"), [("blue", ["blue"]), ("deep-blue", []), ("Green", [])])
def test_a_colour_of_another_name_is_a_diamond_if_its_name_is_a_plain_word(colour: str, diamonds: list[str]) -> None:
    book = read_rulebook(ZERO.replace("\ngreen = ", f"\n{colour} = ").encode(), "f.toml")
    assert dict(drawn(book.layouts[0]))["straight:0"].diamonds == diamonds


def test_what_a_book_says_is_text_in_a_picture_and_in_a_notebook_whatever_it_says() -> None:
    evil = "<script>&\"'</svg>"
    quoted = json.dumps(evil)  # which is how TOML writes it, too
    text = ZERO.replace('kind = "Low"', f"kind = {quoted}").replace("'SINGLE ZERO'", "'<script>&'")
    text = text.replace('label = "1 to 18"', f"label = {quoted}").replace("pays = ", f"prints = {quoted}\npays = ")
    layout = read_rulebook(text.encode(), "f.toml").layouts[0]
    assert evil in " ".join(area.text for _, area in list(drawn(layout))).replace(" ", "")
    table = ElementTree.fromstring(layout._repr_html_())
    assert evil in [cell.text for cell in table.iter("td")]


def test_the_columns_of_the_sands_felt_differ() -> None:
    layout = load_rulebook("mbs-sands-roulette-v2").layout("A")
    assert len({layout.box(f"column:{number}").label for number in (1, 2, 3)}) == 3
