"""Half a minute of the long evening that `make soak` plays: a fault every few seconds, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nodes.soak import evening
from tests.support import postgres


def test_an_evening_of_three_machines_with_a_fault_every_few_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with postgres.started() as server:
        found = evening(tmp_path, server.get_uri(), seconds=30, seed=8, kinds=5)
    with capsys.disabled():
        print(f"\n{found.told()}")
    assert len(found.faults) >= 5
    assert found.moves > 5
    assert max(found.takeovers) < 20
