"""Set-up says what it does, needs nothing of its surroundings, and when it fails says what to do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.support import postgres

ROOT = Path(__file__).parents[2]
BARE = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
"""All that a clean environment has."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What set-up reads first: enough of a tree to begin, too little to end."""
    for name in ("Makefile", "pyproject.toml", "requirements/bootstrap.txt", "requirements/lock.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def make(tree: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/usr/bin/env", "make", *words],
        cwd=tree,
        env=BARE | environment,
        text=True,
        capture_output=True,
        check=False,
        timeout=300,
    )


def test_a_step_that_fails_is_named_and_followed_by_what_to_do(tree: Path) -> None:
    """No index answers: the steps before are done, and the last lines name the settings that lead to one."""
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": "/dev/null"}
    (tree / "requirements" / "bootstrap.txt").write_text(f"no-such-package==1.0 --hash=sha256:{64 * '0'}\n")
    failed = make(tree, "setup", **nowhere)
    lines = failed.stderr.splitlines()
    assert failed.returncode != 0
    assert "five minutes" in lines[0]
    assert re.fullmatch(r"croupier: 1 of 4: an environment of Python 3\.\d+\.\S+ \.\.\. \d+ s", lines[1])
    assert re.fullmatch(r"croupier: 2 of 4: .* \.\.\. FAILED", lines[2])
    assert "no-such-package" in failed.stderr
    assert "PIP_INDEX_URL" in next(line for line in reversed(lines) if line.startswith("croupier: "))
    assert not list((tree / ".venv").glob("ready-*")), "what failed is done again"


def test_a_second_set_up_keeps_what_was_downloaded(tree: Path) -> None:
    kept = tree / ".venv" / "cache" / "uv" / "download"
    kept.parent.mkdir(parents=True)
    kept.write_text("kept")
    (tree / ".venv" / "half").write_text("of an environment")
    (tree / "requirements" / "bootstrap.txt").write_text("nothing==?\n")
    assert make(tree, "setup").returncode != 0
    assert kept.read_text() == "kept"
    assert not (tree / ".venv" / "half").exists()


@pytest.mark.parametrize(
    ("python", "hint"),
    [("/nonexistent/python3", "apt-get install python3"), ("/bin/false", "export PYTHON=")],
    ids=["missing", "too old"],
)
def test_a_python_that_does_not_do_is_named_with_one_that_does(tree: Path, python: str, hint: str) -> None:
    failed = make(tree, "setup", f"PYTHON={python}")
    assert failed.returncode != 0
    assert python in failed.stderr
    assert hint in failed.stderr
    assert not (tree / ".venv").exists()


def test_an_account_for_postgresql_is_made_with_a_plain_path_and_by_several_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", BARE["PATH"])
    monkeypatch.setattr(time, "sleep", lambda _: None)
    asked: list[str] = []

    def second_to_ask() -> str:
        asked.append(os.environ["PATH"])
        if len(asked) == 1:
            raise subprocess.CalledProcessError(9, "useradd")  # it is there by now
        return "made"

    assert postgres.with_account(second_to_ask) == "made"
    assert len(asked) == 2
    assert all("/usr/sbin" in one.split(os.pathsep) for one in asked)
    assert os.environ["PATH"] == BARE["PATH"]


def test_a_machine_that_cannot_make_accounts_is_named_as_the_cause() -> None:
    def no_useradd() -> None:
        raise FileNotFoundError("useradd")

    with pytest.raises(RuntimeError, match="apt-get install passwd"):
        postgres.with_account(no_useradd)
