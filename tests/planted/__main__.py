"""Bugs planted one at a time in a copy of the project: each must turn the test that is named for it red.

A check that cannot fail proves nothing, and neither does one that always fails: each test must be green before its bug
is planted. `make planted` runs them all and fails if one goes unnoticed.
`make test` plants one in each room.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.planted import BUGS
from tests.planted.bug import Bug

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tests", "docs", "tables", "web/src", "web/catalogue.py", "pyproject.toml", "README.md")
"""The parts of the project that tests of planted bugs need."""
FEWER = ("-k", "not postgres")
"""One store shows a bug as well as two, and several servers would not start at once."""
PATIENCE = 600
"""Seconds for a test to end."""


def plant(bug: Bug) -> tuple[bool, str]:
    """Plant a bug in a copy and run its tests there: whether one went red, and which, or what happened instead."""
    if before := unsound(bug.test, stores(bug)):
        return False, before
    with a_copy() as copy:
        file = copy / bug.file
        text = file.read_text()
        if text.count(bug.old) != 1:
            return False, f"cannot be planted: {bug.file} has {text.count(bug.old)} of {bug.old!r}"
        file.write_text(text.replace(bug.old, bug.new))
        code, output = run(copy, bug.test, stores(bug))
    red = re.search(rf"^FAILED ({re.escape(bug.test)}\S*)", output, re.MULTILINE)
    if code == 1 and red:
        return True, red[1]
    return False, f"went unnoticed by {bug.test} (exit {code})\n{output[-600:]}"


@cache
def unsound(test: str, stores: tuple[str, ...]) -> str:
    """Why a test could show no bug: it is red without one, or does not run. Empty if it is green."""
    with a_copy() as copy:
        code, output = run(copy, test, stores)
    return "" if code == 0 else f"{test} is not green before the bug is planted (exit {code})\n{output[-600:]}"


def stores(bug: Bug) -> tuple[str, ...]:
    return () if "postgres" in f"{bug.file} {bug.test}" else FEWER


@contextmanager
def a_copy() -> Iterator[Path]:
    """A copy of the project, with times and compiled files, so that only a changed file is compiled anew."""
    with tempfile.TemporaryDirectory(prefix="croupier-planted-") as folder:
        copy = Path(folder)
        for part in COPIED:
            (copy / part).parent.mkdir(exist_ok=True)
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, copy / part)
            else:
                shutil.copy2(ROOT / part, copy / part)
        yield copy


def run(copy: Path, test: str, stores: tuple[str, ...]) -> tuple[int, str]:
    """Run a test in a copy: the exit code of pytest, and its output."""
    # Whole paths: a process that a test starts elsewhere runs the copy too.
    program = f"import sys, pytest; sys.path[:0] = ['{copy}/src', '{copy}']; sys.exit(pytest.main(sys.argv[1:]))"
    options = ("-q", "-x", "-p", "no:evidence", "-p", "no:cacheprovider", *stores)
    command = [sys.executable, "-c", program, *options, test]
    try:
        ended = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return -1, f"{test} did not end within {PATIENCE} s"
    return ended.returncode, ended.stdout


def sample() -> list[Bug]:
    """One bug for each room, the first in it: enough to see that the tests can fail."""
    return list({str(Path(bug.file).parent): bug for bug in reversed(BUGS)}.values())


def main() -> int:
    parser = ArgumentParser(description="Plant bugs; each must turn its test red.")
    parser.add_argument("--sample", action="store_true", help="one bug for each room")
    parser.add_argument("words", nargs="*", help="only bugs with one of these words in their name, file or test")
    asked = parser.parse_args()
    failed, bugs = 0, sample() if asked.sample else list(BUGS)
    if asked.words:
        bugs = [bug for bug in bugs if any(word in f"{bug.name} {bug.file} {bug.test}" for word in asked.words)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each bug runs in a process of its own
        for bug, (caught, how) in zip(bugs, pool.map(plant, bugs), strict=True):
            failed += not caught
            print(f"{'caught' if caught else 'NOT CAUGHT'}: {bug.name}: {how}", flush=True)
    print(f"{len(bugs) - failed} of {len(bugs)} planted bugs caught")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
