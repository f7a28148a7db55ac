"""The reviewed pay matrices: all boxes, all outcomes, eleven layouts."""

from __future__ import annotations

import pytest

from croupier.rules.paytable import Layout
from tests.support import golden
from tests.support.independent import CITED_BY, LAYOUTS


@pytest.mark.parametrize("layout", golden.layouts(), ids=lambda layout: layout.id)
def test_the_matrix_is_the_reviewed_one(layout: Layout) -> None:
    assert golden.printed(layout) == golden.file_of(layout).read_text(), "if the law changed: make golden, and review"


def test_there_is_a_golden_file_for_every_layout_and_no_other() -> None:
    assert {golden.file_of(layout) for layout in golden.layouts()} == set(golden.FOLDER.glob("*.txt"))
    assert len(golden.layouts()) == 11


def test_every_layout_cites_the_clause_and_the_appendix_of_its_text() -> None:
    assert {layout.id: (layout.clause, layout.appendix) for layout in golden.layouts()} == CITED_BY


def test_every_layout_is_written_a_second_time_in_independent() -> None:
    assert {layout.id for layout in golden.layouts()} == set(LAYOUTS)
