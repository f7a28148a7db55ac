"""What every test session does: Hypothesis repeats itself, and the clauses each test keeps become evidence.

A test names the clauses it keeps: ``@pytest.mark.clause("nz-taisai-division9", "4.7", "4.9")``. At the end of a session
``build/evidence.json`` holds one line for each clause and test with its last result and the hash of the rulebook it ran
under; ``croupier trace`` reads it. A marker that names no rulebook or no clause of it stops the session.
A run that proves nothing about the tree, such as one with a planted bug, leaves it alone: ``pytest -p no:evidence``.
"""

import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import hypothesis
import pytest

from croupier import Refused, Rulebook, RulebookFaults, load_rulebook
from croupier.store.durability import of_file_system
from croupier.words import why

# Floors of the tests live in a folder for what may be lost: where that is in memory, they are not refused for it.
if of_file_system(Path(tempfile.gettempdir())).state == "lost":
    os.environ.setdefault("CROUPIER_DURABILITY", "alert")

# The same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones. For a mutant any red example is enough.
hypothesis.settings.register_profile("repeat", derandomize=True, deadline=None, print_blob=True)
FIRST_FOUND = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
hypothesis.settings.register_profile("mutation", derandomize=True, deadline=None, phases=FIRST_FOUND)
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))

FORMAT = 2
FILES = Path(__file__).parent / "rulebooks"
NARROWED_BY = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise", "collectonly")

Result = Literal["passed", "skipped", "failed"]
WORSE: tuple[Result, ...] = ("passed", "skipped", "failed")


class Line(NamedTuple):
    """One clause, one test that keeps it, how that test ended, and the hash of the rulebook as it then was."""

    rulebook: str
    clause: str
    test: str
    result: str
    hash: str


@cache
def book(id: str) -> Rulebook | None:
    """A rulebook that comes with Croupier, or one that is only a file beside the tests; None if it cannot be read."""
    file = FILES / f"{id}.toml"
    try:
        return load_rulebook(file if file.exists() else id)
    except RulebookFaults:
        return None  # the tests that read it will say what is wrong


class Evidence:
    """Gathers the reports of one session. With xdist only the controller has one: the workers report to it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.clauses: dict[str, set[tuple[str, str]]] = {}
        self.results: dict[str, Result] = {}
        self.uncollected: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.uncollected.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cited = self.clauses.setdefault(report.nodeid, set())
        for name, value in report.user_properties:
            if name == "clause" and isinstance(value, tuple | list):  # a list once it came from a worker
                rulebook, clause = value
                cited.add((rulebook, clause))
        worst = self.results.get(report.nodeid, "passed")
        self.results[report.nodeid] = max(worst, report.outcome, key=WORSE.index)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        ran = [
            Line(rulebook, clause, test, self.results[test], getattr(book(rulebook), "hash", ""))
            for test, cited in self.clauses.items()
            for rulebook, clause in cited
        ]
        kept = [] if self.is_whole(session) else [line for line in read(self.file) if self.may_stand(line.test)]
        if ran or kept or self.file.exists():
            write(self.file, sorted(ran + kept))

    def may_stand(self, test: str) -> bool:
        """An earlier result holds until the test runs again, or could not even be collected."""
        return test not in self.results and not any(test.startswith((f"{id}::", f"{id}/")) for id in self.uncollected)

    def is_whole(self, session: pytest.Session) -> bool:
        """Every test there is has run: only then is a test that left no report one that no longer exists."""
        config = session.config
        return (
            not self.uncollected
            and config.args_source is pytest.Config.ArgsSource.TESTPATHS
            and not any(config.getoption(name, None) for name in NARROWED_BY)
            and not (session.shouldstop or session.shouldfail)
            and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        )


def read(file: Path) -> list[Line]:
    """The evidence of earlier sessions; none if the file is not there or is not ours."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
        return [Line(**line) for line in known["evidence"]] if known["format"] == FORMAT else []
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return []


def write(file: Path, lines: list[Line]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".draft")
    content = {"format": FORMAT, "evidence": [line._asdict() for line in lines]}
    draft.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    draft.replace(file)


def cited_by(item: pytest.Item) -> set[tuple[str, str]]:
    """The (rulebook, clause) pairs that an item's markers name."""
    cited: set[tuple[str, str]] = set()
    for marker in item.iter_markers("clause"):
        if len(marker.args) < 2 or marker.kwargs or not all(isinstance(name, str) for name in marker.args):
            raise pytest.UsageError(f"{item.nodeid}: clause needs a rulebook and at least one clause, as text")
        rulebook, *clauses = marker.args
        try:
            known = book(rulebook)
        except Refused as refusal:
            raise pytest.UsageError(f"{item.nodeid}: {why(refusal)}") from None
        unknown = [clause for clause in clauses if known and clause not in known.clauses]
        if unknown:
            raise pytest.UsageError(f"{item.nodeid}: {rulebook} has no clause {', '.join(unknown)}")
        cited.update((rulebook, clause) for clause in clauses)
    return cited


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Evidence(config.rootpath / "build" / "evidence.json"), "evidence")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # A report carries these from a worker to the controller, so both ways of running are one.
        item.user_properties.extend(("clause", pair) for pair in sorted(cited_by(item)))
