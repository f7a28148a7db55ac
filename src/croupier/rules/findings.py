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
    "durability": {
        "file-system": {"path": "text", "system": "text"},
        "file-system-loose": {"path": "text", "system": "text"},
        "file-system-unknown": {"path": "text"},
        "moved": {"file": "text"},
        "no-barriers": {"path": "text", "system": "text", "option": "text"},
        "overlay-loose": {"path": "text", "system": "text"},
        "setting": {"name": "text", "value": "text"},
        "setting-loose": {"name": "text", "value": "text", "needed": "names"},
        "setting-of-role": {"name": "text", "value": "text"},
        "standby": {},
        "standbys-unnamed": {},
    },
    "schema": {
        "check-missing": {"table": "text", "check": "text"},
        "check-own": {"table": "text", "check": "text"},
        "columns": {"table": "text", "columns": "names"},
        "index-missing": {"table": "text", "index": "text"},
        "index-off": {"table": "text", "index": "text"},
        "index-own": {"table": "text", "index": "text"},
        "key": {"table": "text", "key": "names", "needed": "names"},
        "missing": {"table": "text"},
        "not-plain": {"table": "text"},
        "other": {"name": "text", "what": "text"},
        "own": {"table": "text", "name": "text", "what": "text"},
        "part": {"table": "text", "other": "text"},
        "part-of-another": {"table": "text"},
        "right": {"table": "text", "role": "text", "right": "text"},
        "row-security": {"table": "text"},
        "rule": {"table": "text", "name": "text"},
        "trigger": {"table": "text", "name": "text"},
        "unlogged": {"table": "text"},
    },
    "sign-in": {
        "owner": {"role": "name"},
        "plain": {"role": "name"},
        "superuser": {"role": "name"},
        "way": {"way": "text"},
        "way-unsafe": {"way": "text"},
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
