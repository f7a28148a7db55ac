"""What a check finds: a kind, a case and the facts, as a refusal has them, though nobody is refused. No sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact, Refused

FINDINGS: dict[str, Mapping[str, Facts]] = {
    "checkpoints": {
        "begin-late": {"number": "number"},
    },
    "software": {
        "compiled-otherwise": {"place": "text"},
        "fact-missing": {"of": "text", "value": "text"},
        "fact-new": {"of": "text", "value": "text"},
        "fact-order": {"of": "text"},
        "missing": {"place": "text"},
        "new": {"place": "text"},
        "other": {"place": "text"},
        "uncompared": {},
    },
}
"""Every kind of finding, its cases, and what each case is about."""


class Finding(NamedTuple):
    """One thing that was found; `because` of what, where something else said why."""

    kind: str
    case: str
    facts: Mapping[str, Fact]
    because: Refused | None = None

    def __str__(self) -> str:
        """For developers; people read the sentence that is made of the facts."""
        coded = " ".join((self.kind, self.case, *(f"{name}={fact}" for name, fact in self.facts.items())))
        return f"{coded}: {self.because}" if self.because else coded


def found(kind: str, case: str, because: Refused | None = None, **facts: Fact) -> Finding:
    """A finding of a case that is declared."""
    declared = FINDINGS[kind][case]
    assert facts.keys() == declared.keys(), f"{kind} {case}: {sorted(facts)}, not {sorted(declared)}"
    return Finding(kind, case, facts, because)
