"""Refusals carry facts and no sentence: all are declared, for mypy before they are raised and for themselves when."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

from croupier.office.decide import MOST_FACTS
from croupier.rules.alerts import ALERTS, LONGEST, cut, letters
from croupier.rules.findings import FINDINGS, found
from croupier.rules.reasons import REASONS, TYPES
from croupier.rules.refusal import Fact, Refused, RefusedInWords, as_refused
from croupier.rules.statement import STATEMENTS

BAD = """
from croupier.floor.floor import Floor
from croupier.rules.findings import found
from croupier.rules.refusal import Refused
Refused("no-such-reason", "x")
Refused("maximum", "over", box="small", total=5)
Refused("maximum", "over", box=5, total=5, maximum=4)
Refused("maximum", "above", box="small", total=5, maximum=4)
Refused("maximum", "over", "5.1", box="small", total=5, maximum=4)
found("software", "fact-order", of="path")
found("softness", "fact-order", of="path")
found("software", "chaos")
found("software", "fact-order", of=1)
def raised(floor: Floor) -> None:
    floor.alert("no-such-kind", "x")
    floor.alert("clock", "ahead", seconds=5)
    floor.alert("clock", "ahead", seconds="5")
    floor.alert("clock", "ahead")
    floor.alert("clock", "wrong")
    floor.alert("table-stopped", "fault", "T1", error="KeyError()")
"""


def test_the_type_check_refuses_what_is_not_declared(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    said, wrong, _ = api.run(["--config-file", "pyproject.toml", "--cache-dir", str(tmp_path / "cache"), str(file)])
    assert not wrong
    assert [int(line.split(":")[1]) for line in said.splitlines()[:-1]] == [5, 6, 7, 8, 11, 12, 13, 15, 17, 18, 19], (
        said
    )


@pytest.mark.parametrize(
    ("reason", "case", "facts"),
    [("maximum", "over", {"box": "small"}), ("limits", "none-for-all", {"pace": 1}), ("seat", "", {"seat": "A1"})],
)
def test_a_refusal_has_the_facts_of_its_case_and_no_others(reason: str, case: str, facts: dict[str, Fact]) -> None:
    with pytest.raises(AssertionError, match=reason):
        Refused(reason, case, None, **facts)


def test_a_refusal_is_the_same_after_it_was_kept() -> None:
    made = Refused("maximum", "over", "5.1", box="small", total=5, maximum=4)
    again = as_refused(made)
    assert str(again) == str(made) == "maximum over box=small total=5 maximum=4 (5.1)"
    assert (again.reason, again.case, again.clause, again.facts) == ("maximum", "over", "5.1", made.facts)
    prose = as_refused(RefusedInWords("seat", "there is no seat A1 at this table", None))
    assert (prose.message, prose.case, prose.facts) == ("there is no seat A1 at this table", "", {})


def test_every_fact_is_of_a_kind() -> None:
    kinds = {kind for reason in REASONS.values() for facts in reason.cases.values() for kind in facts.values()}
    kinds |= {kind for cases in FINDINGS.values() for facts in cases.values() for kind in facts.values()}
    kinds |= {kind for cases in ALERTS.values() for facts in cases.values() for kind in facts.values()}
    assert kinds <= TYPES.keys()
    assert {kind for facts in STATEMENTS.values() for kind in facts.values()} <= {*TYPES, "statement"}


def test_no_fact_of_an_alert_is_longer_than_a_row_may_hold() -> None:
    assert [cut(fact) for fact in ("short", 10**9, ("a", "b"))] == ["short", 10**9, ("a", "b")]
    assert [letters(cut(fact)) for fact in ("x" * 500, ("x" * 300, "y" * 300), ("zz",) * 500)] == [400, 400, 400]
    assert all(len(facts) <= MOST_FACTS // LONGEST for cases in ALERTS.values() for facts in cases.values())


def test_a_finding_has_the_facts_of_its_case_and_what_it_comes_from() -> None:
    facts: dict[str, Fact] = {"of": "path", "value": "x"}
    with pytest.raises(AssertionError, match="software"):
        found("software", "fact-order", None, **facts)
    one = found("software", "uncompared", Refused("approved", "no-approver"))
    assert (one.kind, one.case, one.facts) == ("software", "uncompared", {})
    assert str(one) == "software uncompared: approved no-approver"
