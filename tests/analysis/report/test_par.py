"""PAR sheets: the workbook calculates what the sheet says, paper and page hold it, and the same facts give one file."""

from __future__ import annotations

import os
import re
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from msgspec import structs
from pypdf import PdfReader

from croupier import load_layout, load_rulebook, rulebook_ids
from croupier.analysis.exact.one_round import one_round
from croupier.analysis.exact.whatif import with_pays
from croupier.analysis.report import plots
from croupier.analysis.report.par import Par, par_document, par_sheet, verdict_of
from croupier.analysis.report.par_workbook import par_workbook
from croupier.paper.document import Document, as_html, as_pdf
from tests.analysis.report.workbook import Workbook
from tests.support.command_line import run

LAYOUTS = [layout.id for id in rulebook_ids() for layout in load_rulebook(id).layouts]
DICE, WHEEL = "rws-sicbo-etg-v2/A", "mbs-sands-roulette-v2/A"
HEAD, FIRST = 5, 6
"""The rows of the heads and of the first box."""


@cache
def sheet_of(layout: str) -> Par:
    return par_sheet(load_rulebook(layout.partition("/")[0]), load_layout(layout), 300_000, 3)


@cache
def document_of(layout: str) -> Document:
    return par_document(sheet_of(layout))


@pytest.mark.parametrize("layout", LAYOUTS if os.environ.get("CROUPIER_FAULTS") == "all" else [DICE, WHEEL])
def test_every_formula_of_a_workbook_comes_to_the_exact_figure(layout: str) -> None:
    par = sheet_of(layout)
    book = Workbook(par_workbook(par))
    assert len(book.formulas) > len(par.boxes) * len(par.layout.outcomes)
    for place, kept in book.kept.items():
        assert book.value(place) == pytest.approx(kept, rel=1e-9, abs=1e-9), (place, book.formulas[place])
    letters = {name: book.column("Boxes", HEAD, name) for name in ("box", "edge", "return", "deviation", "z")}
    for row, box in enumerate(par.layout.boxes, FIRST):
        assert book.at("Boxes", f"{letters['box']}{row}") == box
        assert book.at("Boxes", f"{letters['edge']}{row}") == pytest.approx(float(par.layout.edge(box)), abs=1e-12)
        assert book.at("Boxes", f"{letters['deviation']}{row}") == pytest.approx(par.layout.deviation(box))


def test_the_names_of_bets_in_pictures_are_different_and_too_short_to_meet() -> None:
    names = {layout: [group.name for group in sheet_of(layout).groups] for layout in LAYOUTS}
    assert names[WHEEL][2:5] == ["street (16), green", "corner (22)", "six-line (11), top-line"]
    for layout, those in names.items():
        assert len(set(those)) == len(those), layout
        assert max(map(len, those)) < 30, layout


def test_a_changed_odds_changes_every_figure_that_depends_on_it() -> None:
    book, par = Workbook(par_workbook(sheet_of(DICE))), sheet_of(DICE)
    row = FIRST + par.layout.boxes.index("total:9")
    book.change("Boxes", f"{book.column('Boxes', HEAD, 'odds 1')}{row}", 8.0)
    changed = with_pays(par.layout, {"total:9": "8 to 1"})
    edge, deviation = (book.column("Boxes", HEAD, name) for name in ("edge", "deviation"))
    assert book.at("Boxes", f"{edge}{row}") == pytest.approx(float(changed.edge("total:9")))
    assert book.at("Boxes", f"{deviation}{row}") == pytest.approx(changed.deviation("total:9"))
    assert book.at("Boxes", f"{edge}{FIRST}") == pytest.approx(1 / 36)
    # Bets begin in row 9: small has a stake already, total:9 gets one.
    book.change("Bets", f"B{9 + par.layout.boxes.index('total:9')}", 50.0)
    together = one_round(changed, [("small", 100_00), ("total:9", 50_00)])
    assert book.at("Bets", "C5") == pytest.approx(float(together.edge))
    assert book.at("Bets", "D5") == pytest.approx(together.deviation / 100)
    assert book.at("Bets", "E5") == pytest.approx(float(together.ahead))


def test_a_sheet_says_what_it_is_of_and_how_it_was_made() -> None:
    par = sheet_of(WHEEL)
    page = as_html(document_of(WHEEL))
    paper = " ".join(page.extract_text() for page in PdfReader(BytesIO(as_pdf(document_of(WHEEL)))).pages)
    for text in (page, re.sub(r"\s+", " ", paper)):
        assert "PAR sheet: mbs-sands-roulette-v2/A" in text
        assert par.book.hash in text.replace(" ", "") or par.book.hash in text
        assert "300,000 rounds" in text
        assert "--seed 3" in text
        assert "straight:36" in text
        assert "1/13" in text
        assert "Examined by" in text
        assert par.book.readings[0].clause in text
    assert page.count("<svg ") == 4
    assert not re.search(r'(?:src|href)="[^#]', page), "a page needs nothing else"


def test_groups_are_bets_that_pay_the_same_in_as_many_ways() -> None:
    groups = {group.boxes: group for group in sheet_of(DICE).groups}
    assert ("small", "big", "even", "odd") in groups
    assert ("total:4", "total:17") in groups
    assert sum(len(boxes) for boxes in groups) == 56
    assert len(sheet_of(WHEEL).groups) == 7


def test_the_same_facts_give_the_same_bytes() -> None:
    par = sheet_of(WHEEL)
    assert par_workbook(par) == par_workbook(par)
    assert plots.edges([("small", 0.5)]) == plots.edges([("small", 0.5)])
    assert as_pdf(document_of(WHEEL)) == as_pdf(document_of(WHEEL))


def test_a_simulation_that_does_not_fit_is_not_called_a_confirmation() -> None:
    par = sheet_of(DICE)
    assert par.confirmed
    assert "confirms every one of them" in verdict_of(par)
    first, *others = par.run.boxes
    astray = structs.replace(first, edge=structs.replace(first.edge, z=-4.5))
    wrong = par._replace(run=structs.replace(par.run, boxes=(*others, astray)))
    assert not wrong.confirmed
    assert "does NOT confirm" in verdict_of(wrong)


def test_par_on_the_command_line(tmp_path: Path) -> None:
    names = [tmp_path / f"sheet{kind}" for kind in (".xlsx", ".pdf", ".html")]
    code, out, _ = run("par", WHEEL, "--rounds", "1e5", *(word for name in names for word in ("-o", str(name))))
    assert code == 0
    assert "166 boxes" in out
    assert [name.read_bytes()[:4] for name in names] == [b"PK\x03\x04", b"%PDF", b"<!do"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("par", DICE), "give a layout and a file"),
        (("par", "-o", "sheets"), "give a layout and a file"),
        (("par", DICE, "--all", "-o", "sheets"), "give a layout and a file"),
        (("par", "--all", "-o", "sheets.pdf"), "--all writes many files"),
        (("par", DICE, "-o", "sheet.doc"), "is not a kind of sheet"),
        (("par", DICE, "-o", "/nowhere/sheet.xlsx", "--rounds", "10"), "cannot be written"),
        (("par", "rws-sicbo-etg-v2", "-o", "x.pdf"), "has several layouts"),
    ],
)
def test_wrong_use_of_par_is_refused_with_a_word(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
