"""One report for people and for programs: lines, tables, documents, and the same as JSON."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from croupier import load_layout
from croupier.analysis.exact.one_round import one_round
from croupier.analysis.report.runs import run_document
from croupier.analysis.simulate.flat import simulate
from croupier.cli.output import CommandReport, in_columns, print_json, print_report
from croupier.paper.document import as_html, as_text
from tests.support.command_line import run

SANDS = "mbs-sands-roulette-v2/A"


def test_json_has_structs_as_objects_and_fractions_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"round": one_round(load_layout(SANDS), [("red", 100)])})
    found = json.loads(capsys.readouterr().out)["round"]
    assert (found["edge"], found["cells"][0]) == ("1/13", {"amount": -100, "ways": 21, "probability": "7/13"})
    with pytest.raises(NotImplementedError, match="object has no JSON"):
        print_json({"answer": object()})


def test_a_report_is_lines_and_tables_for_people_and_its_value_for_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = CommandReport(
        {"edge": Fraction(1, 36)}, ["before", in_columns(("box", "ways"), [("small", "105")], {"ways"})]
    )
    print_report(report, as_json=False)
    assert capsys.readouterr().out == "before\nbox    ways\n-----  ----\nsmall   105\n\n"
    print_report(report, as_json=True)
    assert json.loads(capsys.readouterr().out) == {"edge": "1/36"}


def test_a_simulation_is_printed_as_the_document_that_is_filed() -> None:
    """Every cell of the screen stands on the page too."""
    document = run_document(simulate(load_layout(SANDS), [("red", 10_00)], 100_000, seed=1))
    code, out, _ = run("simulate", SANDS, "--bet", "red=10", "--rounds", "1e5", "--seed", "1")
    assert (code, out) == (0, as_text(document) + "\n")
    page = as_html(document)
    words = {cell for line in out.splitlines() for cell in line.split("  ") if cell.strip("- ")}
    assert len(words) > 20
    assert all(cell.strip() in page for cell in words)
    assert "<svg " in page
    assert "<svg " not in out
