"""Refusals: a reason, a case, the facts and, where a text says so, the clause. No sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from croupier.rules.reasons import REASONS

Fact = str | int | tuple[str, ...]
"""A value in a sentence. `croupier.rules.reasons` declares its kind: an amount, a box, a phase, ..."""


class RefusedAs(Protocol):
    """A refusal as it is kept in a row or sent to a terminal."""

    @property
    def reason(self) -> str: ...
    @property
    def case(self) -> str: ...
    @property
    def clause(self) -> str | None: ...
    @property
    def facts(self) -> Mapping[str, Fact]: ...
    @property
    def message(self) -> str: ...


class Refused(Exception):
    """The rules do not allow an act or a question. Nothing has changed.

    `reason` and `case` are short stable codes for programs. The sentence is made where a person reads it, in their
    language. `REASONS` lists the cases of each reason and the facts of each case.
    """

    message = ""
    """The sentence of an old refusal, from before facts were kept."""

    def __init__(self, reason: str, case: str, clause: str | None = None, **facts: Fact) -> None:
        declared = REASONS[reason].cases.get(case) if reason in REASONS else None
        assert declared is not None, f"{reason} {case!r} is not in croupier.rules.reasons"
        assert facts.keys() == declared.keys(), f"{reason} {case}: {sorted(facts)}, not {sorted(declared)}"
        self.reason = reason
        self.case = case
        self.clause = clause
        self.facts = facts
        super().__init__(reason, case, clause, facts)

    def __str__(self) -> str:
        """For developers; people read the sentence that is made of the facts."""
        coded = " ".join(
            filter(None, (self.reason, self.case, *(f"{name}={fact}" for name, fact in self.facts.items())))
        )
        text = self.message or coded
        return f"{text} ({self.clause})" if self.clause else text


class Unavailable(Refused):
    """Try again later or on another machine: a machine, a connection or a place in a queue is missing now."""


class RefusedInWords(Refused):
    """A refusal that was kept as a sentence, or whose case only another version knows. Only read, never made."""

    def __init__(self, reason: str, message: str, clause: str | None) -> None:
        self.reason = reason
        self.case = ""
        self.clause = clause
        self.facts = {}
        self.message = message
        Exception.__init__(self, reason, message, clause)


def as_refused(kept: RefusedAs) -> Refused:
    """A kept or sent refusal as an exception to raise."""
    declared = REASONS[kept.reason].cases.get(kept.case) if kept.reason in REASONS else None
    if declared is None or declared.keys() != kept.facts.keys():  # an old sentence, or a case of another version
        return RefusedInWords(kept.reason, kept.message or kept.case, kept.clause)
    return Refused(kept.reason, kept.case, kept.clause, **kept.facts)
