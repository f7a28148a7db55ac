"""The documents name files and functions that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "croupier"
BASES = (ROOT, SOURCE, ROOT / "web")
MAP = ROOT / "ARCHITECTURE.md"
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {ROOT / "CHANGELOG.md"})

_BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_PATH = re.compile(r"`([\w.-]+/[\w./*-]*)`")
_PLACEHOLDER = re.compile(r"(?<![a-zA-Z])(NAME|ID|TABLE|LANGUAGE)(?![a-zA-Z])")


def paths(page: str) -> Iterator[str]:
    """What a page names in a folder of the tree. `floor/keys/` is in the folder of somebody's floor."""
    for path in _PATH.findall(_BLOCK.sub("", page)):
        first = path.partition("/")[0]
        of_a_floor = first == "floor" and not path.endswith(".py")
        of_the_tree = first != "build" and any((base / first).is_dir() for base in BASES)
        if of_the_tree and not of_a_floor and not _PLACEHOLDER.search(path):
            yield path


def exists(path: str) -> bool:
    return any(next(base.glob(name.rstrip("/")), None) for base in BASES for name in (path, f"{path}.py"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert [path for path in paths(page.read_text()) if not exists(path)] == []


def test_a_file_that_is_gone_is_found() -> None:
    assert [path for path in paths("`table/limits.py` `table/gone.py` `nobody/gone.py`") if not exists(path)] == [
        "table/gone.py"
    ]


def test_the_map_has_every_module() -> None:
    named = [path for path in paths(MAP.read_text()) if not path.startswith(("web", "tests"))]
    named += re.findall(r"`(\w+\.py)`", MAP.read_text())
    modules = [path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]
    missing = [path for path in modules if not any(path.is_relative_to(name.rstrip("/")) for name in named)]
    assert missing == []


def test_every_function_that_the_walks_name_is_in_its_file() -> None:
    walks = re.findall(r"`(\w+)`\s+in\s+`([\w/]+\.py)`", MAP.read_text())
    assert len(walks) >= 8
    for function, path in walks:
        assert re.search(rf"def {function}\(", (SOURCE / path).read_text()), f"{function} is not in {path}"


def test_every_class_that_the_glossary_names_exists() -> None:
    source = "\n".join(file.read_text() for file in SOURCE.rglob("*.py"))
    defined = set(re.findall(r"^class (\w+)|^([A-Z]\w+)(?:: \w+)? = ", source, re.MULTILINE))
    known = {name for pair in defined for name in pair}
    named = re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)*)(?:\.\w+)?`", (ROOT / "GLOSSARY.md").read_text())
    assert len(named) > 40
    assert [name for name in named if name not in known] == []
