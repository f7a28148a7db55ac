"""What a check finds: a kind, a case and facts, as in a refusal, but nobody is refused. No sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact, Refused

FINDINGS: dict[str, Mapping[str, Facts]] = {
    "approval": {
        "unasked": {"request": "number", "person": "name"},
        "unsigned": {"request": "number", "person": "name"},
    },
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
    "pack": {
        "checkpoint-unsigned": {},
        "drawn-by-another": {"file": "text", "maker": "text", "own": "text"},
        "head-unsigned": {},
        "maker-unsigned": {},
        "missing": {"file": "text"},
        "other": {"file": "text"},
        "stray": {"file": "text"},
        "undrawn": {"file": "text", "extra": "text"},
        "unjudged": {"row": "number"},
        "untold": {"error": "text"},
    },
    "receipt": {
        "unsigned": {},
    },
    "row": {
        "after-checkpoint": {},
        "answer-not-kept": {"id": "text"},
        "answer-without-row": {"id": "text"},
        "archive-goes-on": {"next": "number"},
        "chain-elsewhere": {},
        "checkpoint-other": {},
        "corrects-untold": {},
        "cut-off": {"row": "number"},
        "decided-otherwise": {"act": "act"},
        "digest-other": {"act": "act"},
        "door": {},
        "epoch": {"epoch": "number", "before": "number"},
        "epoch-of-owner": {"epoch": "number", "owner": "number"},
        "extra": {"what": "text"},
        "filed-otherwise": {},
        "follows": {"next": "number"},
        "format": {"format": "text", "known": "number"},
        "hash": {},
        "id-again": {"id": "text", "row": "number"},
        "lacks": {"what": "text"},
        "legs-out-of-order": {},
        "legs-without-row": {},
        "loss": {},
        "missing": {},
        "missing-with-all": {},
        "money": {},
        "not-here": {},
        "of-another-stream": {"stream": "name", "other": "name"},
        "owner": {"owner": "text", "seen": "number", "until": "number"},
        "resend-same": {"row": "number"},
        "resend-unanswered": {"id": "text"},
        "snapshot-other": {},
        "snapshot-without-row": {},
        "stands-at": {"row": "number"},
        "stands-elsewhere": {"row": "number"},
        "state-not-kept": {},
        "state-other": {},
        "state-unvouched": {},
        "unreadable": {"error": "text"},
        "unreplayable": {},
        "unreplayable-error": {"error": "text"},
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
    "store": {
        "busy": {"error": "text"},
        "commit-failed": {"error": "text"},
        "failed": {"error": "text"},
        "faster": {"error": "text"},
        "full": {"error": "text"},
        "in-use": {"error": "text"},
        "no-answer": {"error": "text"},
        "no-room-to-shrink": {"error": "text"},
        "other-epoch": {"stream": "name", "epoch": "number"},
        "other-place": {"stream": "name", "row": "number", "expected": "number"},
        "owned": {"stream": "name", "owner": "text"},
        "read-elsewhere": {},
        "refused": {"error": "text"},
        "undone": {"error": "text"},
    },
    "stream": {
        "archived": {"stream": "name", "row": "number", "folder": "text"},
        "loss-accepted": {
            "stream": "name",
            "row": "number",
            "reached": "number",
            "person": "name",
            "second": "name",
            "reason": "text",
        },
        "other-row": {"stream": "name", "row": "number"},
        "shorter": {"stream": "name", "ends": "number", "reached": "number", "missing": "number"},
    },
    "ticket": {
        "ended-again": {"ticket": "id"},
        "ended-otherwise": {"ticket": "id"},
        "made-again": {"ticket": "id"},
        "made-otherwise": {"ticket": "id"},
        "never-made": {"ticket": "id"},
        "not-ended-so": {"ticket": "id"},
        "not-kept": {"ticket": "id"},
        "not-kept-so": {"ticket": "id", "error": "text"},
        "not-so": {"ticket": "id", "found": "text"},
        "not-worth": {"ticket": "id"},
        "paid-late": {"ticket": "id"},
        "unreadable": {"error": "text"},
    },
    "verify": {
        "no-checkpoints": {},
        "no-key": {"file": "text"},
        "no-row": {},
        "no-table": {},
        "unread-place": {"file": "text", "line": "number"},
    },
}
"""Every kind of finding, its cases, and the facts of each case."""


class Finding(NamedTuple):
    """One thing that a check found. `because` is the refusal or finding that caused it, if there is one."""

    kind: str
    case: str
    facts: Mapping[str, Fact]
    because: Refused | Finding | None = None

    def __str__(self) -> str:
        """For developers; people read the sentence that is made of the facts."""
        coded = " ".join((self.kind, self.case, *(f"{name}={fact}" for name, fact in self.facts.items())))
        return f"{coded}: {self.because}" if self.because else coded


class BadRow(Exception):
    """A row that is not what it should be: its number, and what is wrong with it."""

    def __init__(self, seq: int, what: Finding) -> None:
        self.seq = seq
        self.what = what
        super().__init__(f"row {seq}: {what}")


class Failed(Exception):
    """Something was not done, or may not have been done: what was found."""

    def __init__(self, *what: Finding) -> None:
        self.what = what
        super().__init__("; ".join(map(str, what)))


def found(kind: str, case: str, because: Refused | Finding | None = None, **facts: Fact) -> Finding:
    """A finding. Its case must be declared."""
    declared = FINDINGS[kind][case]
    assert facts.keys() == declared.keys(), f"{kind} {case}: {sorted(facts)}, not {sorted(declared)}"
    return Finding(kind, case, facts, because)
