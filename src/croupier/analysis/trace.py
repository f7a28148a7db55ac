"""Clause by clause: who keeps it, which test or transcript shows it, and how that went."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook

Result = Literal["passed", "failed", "skipped", "prompted", "waiting"]
Evidence = Mapping[tuple[str, str], tuple[tuple[str, str], ...]]
"""(rulebook, clause) → (test, result) pairs."""


@dataclass(frozen=True, slots=True)
class Traced:
    """One clause with its keeper and its evidence.

    `prompted`: kept by people, and a prompt or a call tells them.
    `waiting`: kept by software, and nothing shows it yet.
    """

    rulebook: str
    clause: str
    kept: str
    says: str
    evidence: tuple[str, ...]
    result: Result


def read_evidence(path: Path) -> Evidence:
    """Read the results that the test run left behind."""
    try:
        data = json.loads(path.read_text())
        rows = [(row["rulebook"], row["clause"], row["test"], row["result"]) for row in data["evidence"]]
    except FileNotFoundError:
        raise Refused("evidence", f"there is no {path}; make test writes it, or name another with --evidence") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused("evidence", f"{path} is not an evidence file: {error!r}") from None
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for rulebook, clause, test, result in rows:
        found.setdefault((rulebook, clause), []).append((test, result))
    return {key: tuple(sorted(pairs)) for key, pairs in found.items()}


def trace(rulebook: Rulebook, evidence: Evidence) -> list[Traced]:
    """Every clause of a book, in the order of its text."""
    told: dict[str, list[str]] = {}
    for prompt in rulebook.prompts:
        told.setdefault(prompt.clause, []).append(f"prompt {prompt.id}")
    for call in rulebook.calls:
        told.setdefault(call.clause, []).append(f"call {call.id}")
    rows = []
    for id, clause in rulebook.clauses.items():
        tests = evidence.get((rulebook.id, id), ())
        people = tuple(told.get(id, ())) if clause.kept == "people" else ()
        rows.append(
            Traced(
                rulebook.id,
                id,
                clause.kept,
                clause.says,
                (*people, *(test for test, _ in tests)),
                _result(tests, people),
            )
        )
    return rows


def _result(tests: tuple[tuple[str, str], ...], people: tuple[str, ...]) -> Result:
    results = {result for _, result in tests}
    if "failed" in results:
        return "failed"
    if "passed" in results:
        return "passed"
    if people:
        return "prompted"
    return "skipped" if results else "waiting"


def count_results(rows: list[Traced]) -> Counter[str]:
    return Counter(row.result for row in rows)
