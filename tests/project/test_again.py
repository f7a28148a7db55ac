"""What gets a second look: few tests, and none whose outcome depends on the code alone."""

from __future__ import annotations

import pytest

from tests.support.again import MOST, worth_a_second_look

LIVE = "tests/live/test_evenings.py::test_a"
PURE = "tests/rules/test_settlement.py::test_b"


@pytest.mark.parametrize(
    ("failed", "worth"),
    [
        ([], False),
        ([LIVE], True),
        ([PURE], False),
        ([LIVE, PURE], False),
        ([LIVE] * MOST, True),
        ([LIVE] * (MOST + 1), False),
    ],
)
def test_only_few_tests_with_real_clocks_get_a_second_look(failed: list[str], worth: bool) -> None:
    assert worth_a_second_look(failed) == worth
