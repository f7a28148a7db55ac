"""Planted bugs fit the tree, and the page of promises names them: a bug that cannot be planted proves nothing."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.planted import BUGS
from tests.planted import __main__ as runner
from tests.planted.__main__ import ROOT
from tests.planted.bug import Bug

PROMISES = 41
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


def test_a_test_that_is_red_before_its_bug_is_planted_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rule.py").write_text("MOST = 5\n")
    (tmp_path / "test_rule.py").write_text(
        "import rule\n\ndef test_most():\n    assert rule.MOST == 5\n\ndef test_least():\n    assert False\n"
    )
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    monkeypatch.setattr(runner, "COPIED", ("rule.py", "test_rule.py"))
    caught, how = runner.plant(Bug("more", "rule.py", "MOST = 5", "MOST = 6", "test_rule.py::test_most"))
    assert (caught, how) == (True, "test_rule.py::test_most")
    caught, why = runner.plant(Bug("less", "rule.py", "MOST = 5", "MOST = 4", "test_rule.py::test_least"))
    assert not caught
    assert why.startswith("test_rule.py::test_least is not green before the bug is planted (exit 1)")
    caught, why = runner.plant(Bug("same", "rule.py", "MOST = 5", "MOST = 10 // 2", "test_rule.py::test_most"))
    assert not caught
    assert why.startswith("went unnoticed by test_rule.py::test_most (exit 0)")
