"""The pages: their types are the server's, and they are built on a machine that has only Python."""

from __future__ import annotations

from pathlib import Path

import web.build
import web.wire

LOCK = Path(web.build.WEB) / "package-lock.json"


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
