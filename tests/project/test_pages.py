"""The pages as they are built: small, whole, and no language but for those who read it."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from tests.support.pages import MOST_BYTES

DIST = Path(__file__).parents[2] / "src" / "croupier" / "web" / "dist"
LOADS = {
    ".js": re.compile(r'(?:from|import)\s*"\./([^"]+)"'),
    ".css": re.compile(r"url\(/assets/([^)]+)\)"),
}
"""What a file asks for at once."""

pytestmark = pytest.mark.skipif(not DIST.is_dir(), reason="SKIPPED: the pages are not built; make pages builds them")


def parts(page: str) -> set[Path]:
    """The files that a page loads before it is shown."""
    found = {DIST / f"{page}.html"}
    left = [DIST / name for name in re.findall(r'(?:src|href)="/(assets/[^"]+)"', (DIST / f"{page}.html").read_text())]
    while left:
        file = left.pop()
        if file not in found:
            found.add(file)
            if file.suffix in LOADS:
                left += [file.parent / name for name in LOADS[file.suffix].findall(file.read_text())]
    return found


def size(files: set[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)


def pages() -> list[str]:
    return sorted(file.stem for file in DIST.glob("*.html"))


def test_every_page_is_small() -> None:
    assert len(pages()) >= 9
    sizes = {page: size(parts(page)) for page in pages()}
    assert all(1_000 < taken <= MOST_BYTES for taken in sizes.values()), sizes


def test_no_language_is_loaded_before_it_is_chosen() -> None:
    """What it adds is measured in a browser: tests/browser/test_chinese.py."""
    texts = {file: file.read_text() for file in DIST.glob("assets/*.js")}
    chinese = {file for file, text in texts.items() if len(re.findall("[一-鿿]", text)) > len("简体中文")}
    assert len(chinese) > 10
    for page in pages():
        assert not parts(page) & chinese, f"{page}: who reads English does not load it"
