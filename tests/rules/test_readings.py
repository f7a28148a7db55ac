"""The names of alternatives are those of the rulings that leave a House a choice."""

from __future__ import annotations

from typing import get_args

import pytest

from croupier import load_rulebook, rulebook_ids
from croupier.rules.readings import ALTERNATIVES, RULINGS, Alternative
from croupier.table.messages import Limits
from croupier.table.state import Setup, new_table


def with_a_choice() -> set[int | None]:
    books = map(load_rulebook, rulebook_ids())
    return {reading.ruling for book in books for reading in book.readings if reading.alternative != "none"}


def test_every_ruling_that_leaves_a_choice_has_a_name_and_no_other_has() -> None:
    assert set(ALTERNATIVES) == with_a_choice()
    assert sorted(ALTERNATIVES.values()) == sorted(get_args(Alternative))
    assert {name: ALTERNATIVES[number] for name, number in RULINGS.items()} == {name: name for name in RULINGS}


@pytest.mark.parametrize(("number", "name"), ALTERNATIVES.items())
def test_a_table_reads_a_ruling_by_its_alternative_only_if_the_house_says_so(number: int, name: Alternative) -> None:
    book = load_rulebook("rws-taisai-v5")
    setup = Setup("T1", book, ("rws-taisai-v5/A",), Limits({}, {}, 100), alternatives=frozenset({number}))  # type: ignore[arg-type]
    assert [other for other in RULINGS if new_table(setup).reads(other)] == [name]
