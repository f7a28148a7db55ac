"""Commands of `croupier`, run in this process as their entry point runs them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from croupier.cli import main

ROOT = Path(__file__).parents[2]
WHERE = {"folder": ROOT}
"""The folder in which `run` runs commands: that of the project, or one that a test puts in its place."""


def croupier(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    out, err = StringIO(), StringIO()
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch.object(sys, "argv", ["croupier", *words]),
    ):
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def run(*words: str) -> tuple[int, str, str]:
    """Run a command: its exit code, its output and its errors."""
    done = croupier(*words, cwd=WHERE["folder"])
    return done.returncode, done.stdout, done.stderr


def answer(*words: str) -> Any:
    """What a command answers programs; it must succeed."""
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)
