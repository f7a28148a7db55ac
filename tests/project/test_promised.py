"""The names that docs/python.md promises to programs are there, and no example of ours needs another.

The code of the page runs as every page's does: `--doctest-glob` in pyproject.toml collects it.
"""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path
from typing import get_args

import croupier
from croupier.table import messages

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "docs" / "python.md"


def promised() -> dict[str, set[str]]:
    """Module → names, from the table of the page."""
    table = PYTHON.read_text().partition("\n## What is promised\n")[2]
    return {
        module: set(re.findall(r"`(\w+)`", names))
        for module, names in re.findall(r"^\| `([\w.]+)` \| (.*) \|$", table, re.MULTILINE)
    }


def shown(page: Path) -> set[tuple[str, str]]:
    """What the examples of a page import: module and name."""
    found = set()
    for example in doctest.DocTestParser().get_examples(page.read_text()):
        for module, names in re.findall(r"^from (croupier[\w.]*) import (.+)$", example.source, re.MULTILINE):
            found |= {(module, name.split(" as ")[0].strip()) for name in names.split(",")}
    return found


def test_every_promised_name_exists() -> None:
    assert len(promised()) > 10
    for module, names in promised().items():
        assert names, module
        missing = {name for name in names if not hasattr(import_module(module), name)}
        assert not missing, f"{module} has no {', '.join(sorted(missing))}"


def test_all_that_the_package_itself_offers_is_promised() -> None:
    assert promised()["croupier"] == set(croupier.__all__)


def test_the_classes_of_commands_and_events_are_found_in_their_module() -> None:
    for union in (messages.AnyCommand, messages.AnyEvent):
        assert len(get_args(union)) > 30
        assert all(getattr(messages, one.__name__) is one for one in get_args(union))


def test_no_example_needs_a_name_that_is_not_promised() -> None:
    names = {(module, name) for module, names in promised().items() for name in names}
    modules = {tuple(module.rsplit(".", 1)) for module in promised()}
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    needed = {found for page in pages for found in shown(page)}
    assert {"load_rulebook", "Recorder", "one_round"} <= {name for _, name in needed}
    assert needed <= names | modules
