"""The documents tell the truth: generated pages are current, examples run, every command is described."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
import typer

from croupier import load_rulebook
from croupier.cli import app
from croupier.rules.reasons import REASONS
from croupier.words import languages, refusal_id, say

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_and_console_examples_are_current() -> None:
    generated: dict[Path, str] = generator().generated()
    stale = [
        str(path.relative_to(ROOT)) for path, text in generated.items() if not path.exists() or path.read_text() != text
    ]
    assert not stale, "run: make docs"
    assert set((ROOT / "docs" / "felts").iterdir()) <= set(generated)


_CODE = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b(?:pit-supervisor|pit-manager|shift-manager)\b|\{\$|refused-")
"""A class, a role's id, a fact that is missing, an id of a message."""


@pytest.mark.parametrize("language", languages())
def test_the_example_of_every_refusal_is_a_sentence_without_names_of_code(language: str) -> None:
    docs = generator()
    sentences = {
        (reason, case): say(refusal_id(reason, case), language, **docs.example(reason, case))
        for reason, (_, cases) in REASONS.items()
        for case in cases
    }
    assert {key: one for key, one in sentences.items() if _CODE.search(one)} == {}


def test_every_command_is_documented() -> None:
    reference, readme = (ROOT / "docs" / "cli.md").read_text(), (ROOT / "README.md").read_text()
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"\n## croupier {name}\n" in reference
        assert re.search(rf"`croupier {name}[ `]", readme), f"README does not name croupier {name}"
        assert command.help
        assert all(parameter.help or parameter.name == "help" for parameter in command.params), name


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_example_of_adding_a_rulebook_is_a_rulebook(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-rulebook.md").read_text()
    files = re.findall(r"^```toml\n(# file: (\S+)\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert files
    for content, name in files:
        (tmp_path / name).write_text(content)
        book = load_rulebook(tmp_path / name)
        assert not book.warnings
        assert book.layouts


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX", r"https?://(?!127\.0\.0\.1:)"])
def test_no_page_holds_unfinished_work_or_an_outside_address(word: str) -> None:
    assert not [page.name for page in PAGES if re.search(word, page.read_text())]
