"""Every clause with who keeps it, the tests and transcripts that show it, and their results."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from croupier.rules.library import read_bytes
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook

Result = Literal["passed", "failed", "stale", "skipped", "prompted", "waiting"]
_LARGEST_EVIDENCE = 1 << 26


class ClauseTest(NamedTuple):
    """A test of a clause, its result, and the hash of the rulebook under which it ran."""

    test: str
    result: str
    hash: str


Evidence = Mapping[tuple[str, str], tuple[ClauseTest, ...]]
"""(rulebook, clause) → the tests of the clause."""


@dataclass(frozen=True, slots=True)
class Traced:
    """One clause with its keeper and its evidence.

    `prompted`: people keep it, and a prompt or a call reminds them.
    `waiting`: nothing shows it yet.
    `stale`: its tests ran under a rulebook that has changed since.
    """

    rulebook: str
    clause: str
    kept: str
    says: str
    evidence: tuple[str, ...]
    result: Result


def read_evidence(path: Path) -> Evidence:
    """Read the results that the last test run has written."""
    if not path.exists():
        raise Refused("evidence", "none", file=str(path))
    found: dict[tuple[str, str], list[ClauseTest]] = {}
    try:
        for row in json.loads(read_bytes(path, _LARGEST_EVIDENCE))["evidence"]:
            line = [row[key] for key in ("rulebook", "clause", "test", "result", "hash")]
            if not all(isinstance(value, str) for value in line):
                raise TypeError(f"{line} is not all text")
            found.setdefault((line[0], line[1]), []).append(ClauseTest(*line[2:]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused("evidence", "unreadable", file=str(path)) from None
    return {key: tuple(sorted(tests)) for key, tests in found.items()}


def trace(rulebook: Rulebook, evidence: Evidence) -> list[Traced]:
    """Every clause of a book, in the order of its text."""
    prompts: dict[str, list[str]] = {}
    for prompt in rulebook.prompts:
        prompts.setdefault(prompt.clause, []).append(f"prompt {prompt.id}")
    for call in rulebook.calls:
        prompts.setdefault(call.clause, []).append(f"call {call.id}")
    rows = []
    for id, clause in rulebook.clauses.items():
        tests = evidence.get((rulebook.id, id), ())
        people = tuple(prompts.get(id, ())) if clause.kept == "people" else ()
        rows.append(
            Traced(
                rulebook.id,
                id,
                clause.kept,
                clause.says,
                (*people, *(shown.test for shown in tests)),
                _result(tests, people, rulebook.hash),
            )
        )
    return rows


def _result(tests: tuple[ClauseTest, ...], people: tuple[str, ...], hash: str) -> Result:
    results = {shown.result for shown in tests}
    if "failed" in results:
        return "failed"
    if any(shown.hash != hash for shown in tests):
        return "stale"
    if "passed" in results:
        return "passed"
    if people:
        return "prompted"
    return "skipped" if results else "waiting"


def count_results(rows: list[Traced]) -> Counter[str]:
    return Counter(row.result for row in rows)
