"""One name for one thing: a reader who has found a class has found the only one of that name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "croupier"
TESTS = ROOT / "tests"


def test_no_public_class_has_the_name_of_another() -> None:
    homes: dict[str, list[str]] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(file.relative_to(SOURCE).as_posix())
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def folders(place: Path) -> set[str]:
    return {folder.name for folder in place.iterdir() if folder.is_dir() and folder.name != "__pycache__"}


def test_tests_have_the_folders_of_the_source_and_those_that_contributing_names() -> None:
    named = set(re.findall(r"`tests/(\w+)`", (ROOT / "CONTRIBUTING.md").read_text()))
    more = folders(TESTS) - folders(SOURCE)
    assert {"support", "project", "live"} <= more
    assert more <= named
    assert named <= folders(TESTS)


def test_helpers_are_no_tests() -> None:
    assert list((TESTS / "support").glob("*.py"))
    assert not list((TESTS / "support").rglob("test_*.py"))


def test_what_several_folders_of_tests_use_stands_in_support() -> None:
    """A folder imports from itself and from `support`; `project` also tests the tools `mutation` and `planted`."""
    borrowed = []
    for file in sorted(TESTS.glob("*/**/*.py")):
        folder = file.relative_to(TESTS).parts[0]
        allowed = {folder, "support", *(("mutation", "planted") if folder == "project" else ())}
        lenders = set(re.findall(r"^ *from tests\.(\w+)", file.read_text(), re.MULTILINE))
        borrowed += [f"{file.relative_to(TESTS)}: tests.{lender}" for lender in sorted(lenders - allowed)]
    assert borrowed == []
