"""One name for one thing: a reader who has found a class, or a file, has found the only one of that name."""

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


SAME_SUBJECT = {
    "comparison": ("analysis/report cli", "rulebooks side by side"),
    "console": ("server/staff table", "the Game Console: what it shows, and its routes"),
    "decide": ("cage office table", "a command becomes events or a refusal"),
    "demo": ("cli server/staff", "a demonstration"),
    "door": ("server/player server/staff", "where a server listens"),
    "floor": ("cli floor", "a floor, and the commands that read one"),
    "history": ("server/staff store", "the past, read from the journal"),
    "journal": ("server/staff store", "the journal, and its pages for an auditor"),
    "lab": ("cli server/staff", "exact answers of the lab, as commands and as a page"),
    "manifest": ("cli store", "the approved software"),
    "messages": ("cage office table", "commands and events"),
    "metrics": ("floor server/staff", "what programs that watch over a floor measure"),
    "nodes": ("cli protocol", "the machines of a floor"),
    "notices": ("protocol server/player", "the notices that Players get"),
    "office": ("server/staff store/streams", "the office: its routes and its stream"),
    "par": ("analysis/report cli", "PAR sheets"),
    "people": ("office server/staff", "two people are two people"),
    "rounds": ("server/staff store", "rounds that are over"),
    "rulebook": ("cli rules", "a rulebook, and the commands that read one"),
    "serve": ("cli server", "a floor put together and run"),
    "state": ("cage office table", "a state, and how events change it"),
    "terminal": ("client protocol", "a Player Terminal, and its messages"),
}
"""The file names that stand in several rooms, because their subject is the same: the rooms, and the subject."""


def test_files_of_one_name_have_one_subject() -> None:
    rooms: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        rooms.setdefault(file.stem, set()).add(file.parent.relative_to(SOURCE).as_posix())
    several = {name: found for name, found in rooms.items() if len(found) > 1 and not name.startswith("__")}
    assert several == {name: set(places.split()) for name, (places, _) in SAME_SUBJECT.items()}


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
