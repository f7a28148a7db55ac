"""What pages draw and bet on: every box of a layout once, with the odds its felt prints; roads that are true."""

from __future__ import annotations

import pytest

from croupier import Layout, load_rulebook, rulebook_ids
from croupier.analysis.report.felt_picture import boxes_with_a_legend
from croupier.analysis.report.sheet import book_sheet, felt_sheet
from tests.support.golden import layouts

EVERY = pytest.mark.parametrize("layout", layouts(), ids=lambda layout: layout.id)


@EVERY
def test_every_box_stands_on_the_sheet_once_as_area_or_spot(layout: Layout) -> None:
    sheet = felt_sheet(layout)
    placed = [area.box for area in sheet.areas if area.box] + [spot.box for spot in sheet.spots]
    assert sorted(placed) == sorted(layout.boxes) == sorted(box.name for box in sheet.boxes)


@EVERY
def test_odds_are_those_the_felt_prints_unless_a_legend_does(layout: Layout) -> None:
    captioned = boxes_with_a_legend(layout)
    for area in felt_sheet(layout).areas:
        if area.box:
            printed = layout.box(area.box).prints.replace(" 1/2", "½")
            assert area.odds == ("" if area.box in captioned else printed)


@EVERY
def test_a_road_has_the_box_that_won(layout: Layout) -> None:
    sheet = felt_sheet(layout)
    assert sheet.roads
    for road in sheet.roads:
        for outcome in layout.outcomes:
            won = [box for box in road.boxes if layout.pays(box, outcome) is not None]
            assert won == ([road.won[outcome]] if outcome in road.won else [])


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_sheet_has_the_whole_book(id: str) -> None:
    book = load_rulebook(id)
    sheet = book_sheet(book)
    assert [clause.id for clause in sheet.clauses] == list(book.clauses)
    assert [part.id for part in sheet.irregularities] == [part.id for part in book.irregularities]
    assert len(sheet.readings) == len(book.readings)
    assert [(call.words, call.bell) for call in sheet.calls] == [(call.words, call.bell) for call in book.calls]
    assert sheet.hash == book.hash
