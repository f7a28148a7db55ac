"""What a test session leaves behind for `croupier trace`, and what the trace makes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from croupier import load_rulebook
from croupier.analysis.report.trace import ClauseTest, trace

BOOK = "nz-taisai-division9"
TEST = f"""
import pytest

@pytest.mark.clause("{BOOK}", "4.1(d)")
def test_double(): pass

@pytest.mark.clause("macau-sicbo", "2.1")
def test_file(): pass
"""


class Project:
    """A folder with our conftest, one file of tests, and the evidence that a session in it leaves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        here = Path(__file__).parents[2]
        shutil.copytree(here / "rulebooks", folder / "rulebooks")
        shutil.copy(here / "conftest.py", folder)
        (folder / "pytest.ini").write_text("[pytest]\nmarkers = clause(rulebook, *ids): as in pyproject.toml\n")

    def run(self, tests: str, *arguments: str) -> str:
        (self.folder / "test_it.py").write_text(tests)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout + done.stderr

    @property
    def evidence(self) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = json.loads((self.folder / "build" / "evidence.json").read_text())["evidence"]
        return lines

    @property
    def results(self) -> dict[str, str]:
        return {line["test"].partition("::")[2]: line["result"] for line in self.evidence}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_evidence_carries_the_hash_of_the_rulebook_and_is_kept_until_the_test_runs_again(project: Project) -> None:
    project.run(TEST)
    assert project.results == {"test_double": "passed", "test_file": "passed"}
    macau = load_rulebook(Path(__file__).parents[2] / "rulebooks" / "macau-sicbo.toml")
    assert {line["rulebook"]: line["hash"] for line in project.evidence} == {
        BOOK: load_rulebook(BOOK).hash,
        "macau-sicbo": macau.hash,
    }
    project.run(TEST.replace("test_double(): pass", "test_double(): assert False"), "-k", "double")
    assert project.results == {"test_double": "failed", "test_file": "passed"}
    project.run(TEST.replace("test_double(): pass", "test_double(): pytest.skip()"), "-k", "double")
    assert project.results == {"test_double": "skipped", "test_file": "passed"}


def test_evidence_of_tests_that_could_not_be_collected_is_dropped(project: Project) -> None:
    project.run(TEST)
    assert "SyntaxError" in project.run("def")
    assert project.results == {}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("4.1(d)", "4.99", f"test_it.py::test_double: {BOOK} has no clause 4.99"),
        (BOOK, "nz-taisai", "test_it.py::test_double: there is no rulebook “nz-taisai”; did you mean"),
        (', "4.1(d)"', "", "clause needs a rulebook and at least one clause"),
    ],
)
def test_a_marker_that_names_nothing_stops_the_session(project: Project, old: str, new: str, says: str) -> None:
    output = project.run(TEST.replace(old, new))
    assert says in output
    assert "passed" not in output


HASH = load_rulebook(BOOK).hash


@pytest.mark.parametrize(
    ("clause", "tests", "result"),
    [
        ("4.1(d)", [], "waiting"),
        ("5.0(a)", [], "prompted"),
        ("4.1(d)", [ClauseTest("a", "passed", HASH)], "passed"),
        ("4.1(d)", [ClauseTest("a", "passed", HASH), ClauseTest("b", "failed", HASH)], "failed"),
        ("4.1(d)", [ClauseTest("a", "passed", HASH), ClauseTest("b", "skipped", HASH)], "passed"),
        ("4.1(d)", [ClauseTest("a", "skipped", HASH)], "skipped"),
        ("4.1(d)", [ClauseTest("a", "passed", HASH), ClauseTest("b", "passed", "old")], "stale"),
        ("4.1(d)", [ClauseTest("a", "passed", "old"), ClauseTest("b", "failed", "old")], "failed"),
        ("5.0(a)", [ClauseTest("a", "skipped", HASH)], "prompted"),
    ],
)
def test_the_result_of_a_clause_is_the_worst_that_is_known_of_it(
    clause: str, tests: list[ClauseTest], result: str
) -> None:
    rows = trace(load_rulebook(BOOK), {(BOOK, clause): tuple(tests)})
    assert {row.clause: row.result for row in rows}[clause] == result
