"""What the tests of a floor share by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.store.folder import Premises


@pytest.fixture
def premises(tmp_path: Path) -> Premises:
    """The folder of a new floor."""
    made = Premises(tmp_path / "floor")
    made.init()
    return made
