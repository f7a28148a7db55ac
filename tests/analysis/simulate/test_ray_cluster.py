"""Simulation on a real Ray, started on this machine and kept on loopback: the same numbers, and workers may die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier import Refused, load_layout
from croupier.analysis.simulate import ray_cluster
from croupier.analysis.simulate.flat import simulate

ROOT = Path(__file__).parents[3]
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


def test_ray_on_this_machine_gives_the_same_numbers_and_a_killed_worker_costs_time_only(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.analysis.simulate.local_ray", "here", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"HOME": str(tmp_path / "home"), "RAY_TMPDIR": "/tmp"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["answers"] == [number * number for number in range(12)]
    assert len(list(tmp_path.glob("killed-*"))) == 2
    assert found["how"] == "ray"
    here = simulate(load_layout("rws-sicbo-etg-v2/A"), [("small", 10_00)], 9_000_000, seed=5, engine="here")
    assert [tuple(pair) for pair in found["outcomes"]] == list(here.outcomes)
    assert found["ports"]
    assert set(found["ports"]) <= LOOPBACK


def test_without_ray_there_is_a_word_for_it() -> None:
    with (
        patch.object(ray_cluster, "find_spec", return_value=None),
        pytest.raises(Refused, match="engine no-ray"),
    ):
        simulate(load_layout("rws-sicbo-etg-v2/A"), rounds=10, engine="ray")
