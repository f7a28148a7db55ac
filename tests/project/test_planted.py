"""Planted bugs fit the tree, and the page of promises names them: a bug that cannot be planted proves nothing."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.planted import BUGS
from tests.planted.__main__ import ROOT
from tests.planted.bug import Bug

PROMISES = 38
NONE_YET = "none yet"


@cache
def _functions(file: Path) -> frozenset[str]:
    return frozenset(node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_can_be_planted_in_one_place_and_names_a_test_that_exists(bug: Bug) -> None:
    text = (ROOT / bug.file).read_text()
    assert text.count(bug.old) == 1, f"{bug.file} has {text.count(bug.old)} of {bug.old!r}"
    planted = text.replace(bug.old, bug.new)
    assert planted != text
    if bug.file.endswith(".py"):
        ast.parse(planted)  # a file that cannot be read turns every test red, and shows nothing
    file, _, test = bug.test.partition("::")
    assert (ROOT / file).exists()
    assert not test or test.partition("[")[0] in _functions(ROOT / file)


def test_no_two_bugs_have_the_same_name() -> None:
    assert [name for name, count in Counter(bug.name for bug in BUGS).items() if count > 1] == []


def test_every_promise_has_its_tests_and_its_planted_bugs() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in (ROOT / "docs" / "promises.md").read_text().splitlines()
        if line.startswith("| ") and not line.startswith("| |")
    ]
    assert [int(number) for number, *_ in rows] == list(range(1, PROMISES + 1))
    known = {bug.name for bug in BUGS}
    for number, _, proof, bugs in rows:
        if bugs == NONE_YET:
            assert not proof, number
            continue
        assert set(bugs.split("; ")) <= known, (number, set(bugs.split("; ")) - known)
        files = proof.replace("`", "").split()
        assert files, number
        assert all((ROOT / file).exists() for file in files), number
