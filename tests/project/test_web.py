"""The pages: their types are the server's, and they are built on a machine that has only Python."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import web.build
import web.wire

LOCK = Path(web.build.WEB) / "package-lock.json"
ROOT = Path(web.build.WEB).parent


def test_the_types_of_the_pages_are_those_of_the_wire() -> None:
    assert web.wire.TARGET.read_text() == web.wire.wire_types(), "run: make docs"


def test_the_lock_of_the_pages_names_no_host_and_hashes_everything() -> None:
    text = LOCK.read_text()
    assert '"resolved"' not in text
    assert "://" not in text
    assert text.count('"integrity"') > 50


def test_the_pages_are_built_from_their_sources() -> None:
    """`make test` builds them first; a digest of the sources says whether there is anything to do."""
    assert not web.build.build(), "the pages were stale; run: make pages"
    assert (web.build.DIST / "terminal.html").exists()


def test_no_package_of_the_pages_runs_a_program_when_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(web.build, "_MODULES", tmp_path)
    monkeypatch.setattr(web.build, "_npm", lambda *words: asked.append(words))
    web.build._install()
    assert asked == [("ci", "--ignore-scripts", "--no-progress")]


def test_all_that_builds_the_package_is_pinned_as_the_lock_has_it() -> None:
    pinned = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    lock = dict(re.findall(r"^(\S+)==(\S+)", (ROOT / "requirements" / "lock.txt").read_text(), re.MULTILINE))
    assert pinned == [f"{name}=={lock[name]}" for name in sorted(Requirement(one).name for one in pinned)]
    needed = [Requirement(one) for pin in pinned for one in importlib.metadata.requires(pin.partition("==")[0]) or ()]
    mine = {one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})}
    assert mine <= {Requirement(one).name for one in pinned}, "what a build needs is pinned too"
