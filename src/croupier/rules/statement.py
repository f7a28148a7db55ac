"""Statements about bets, outcomes, events and commands: an id, the facts and, where there is one, the clause. No
sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from croupier.rules.command_facts import COMMAND_FACTS
from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact

STATEMENTS: dict[str, Facts] = {
    # what a bet needs
    "rule-any": {"rules": "statement"},
    # what a box gets on an outcome, and why
    "explained-loses": {"box": "box", "outcome": "text", "fact": "statement", "kind": "law", "rule": "statement"},
    "explained-wins": {
        "box": "box",
        "outcome": "text",
        "fact": "statement",
        "kind": "law",
        "odds": "text",
        "to": "number",
    },
    # rulebooks side by side on a question: what is compared, and what a book answers
    "comparing-subject": {"subject": "name"},
    "comparing-boxes": {"boxes": "boxes"},
    "comparing-irregularity": {"irregularity": "name"},
    "comparing-phase": {"phase": "phase"},
    "comparing-ruling": {"ruling": "number"},
    "compared-announced": {"words": "law"},
    "compared-checked": {},
    "compared-collected": {},
    "compared-paid": {"kind": "text"},
    "compared-called": {"words": "law", "given": "text", "bell": "text", "by": "roles"},
    "compared-early": {"by": "roles"},
    "compared-evidence": {"evidence": "name", "denied_by": "names"},
    "compared-irregularity": {"consequence": "name", "by": "roles", "people": "number", "last": "phase"},
    "compared-limit": {"per": "name", "breach": "name"},
    "compared-decides": {"decides": "role"},
    "compared-differential": {"boxes": "boxes"},
    "compared-loses": {"outcome": "text"},
    "compared-moment": {"moment": "text"},
    "compared-motion": {"count": "number", "device": "text"},
    "compared-moved": {"movement": "name"},
    "compared-operators": {"by": "roles"},
    "compared-otherwise": {},
    "compared-power": {"act": "text", "seconds": "seconds"},
    "compared-price": {"layouts": "names", "pays": "text", "edge": "text", "percent": "text"},
    "compared-ranks": {"ladder": "roles"},
    "compared-reading": {"read": "law", "alternative": "law"},
    "compared-result": {"announced": "text"},
    "compared-second": {"second": "role", "highest": "role"},
    "compared-terminals": {"act": "text"},
    "compared-title": {"title": "law"},
    # what became of a bet of a round that is over
    "became-explained": {"explained": "statement", "got": "statement"},
    "became-nothing": {},
    "became-off-table": {},
    "became-returned": {},
    "became-void": {},
    "got-back": {"returned": "money"},
    "got-lost": {"collected": "money", "returned": "money"},
    "got-won": {"winnings": "money", "returned": "money"},
    # a round, bet by bet
    "round-advised": {"seat": "name", "minimum": "money"},
    "round-bet": {"bet": "id", "seat": "name", "stake": "money", "box": "box", "layout": "layout", "by": "name"},
    "round-decided": {"treatment": "text", "box": "box", "reason": "text"},
    "round-no-bets": {},
    "round-over": {"round": "number", "table": "name", "result": "statement"},
    "round-result": {"outcome": "text"},
    "round-settled-again": {"outcome": "text", "reason": "text", "before": "money", "after": "money", "owed": "money"},
    "round-void": {},
    "round-voided-again": {
        "irregularity": "name",
        "reason": "text",
        "before": "money",
        "after": "money",
        "owed": "money",
    },
    # why money moved: the sum as it was done
    "sum-cash": {"amount": "money", "event": "text"},
    "sum-corrected": {"amount": "money", "before": "money", "after": "money", "owed": "money"},
    "sum-cut": {
        "amount": "money",
        "stake": "money",
        "action": "money",
        "part": "number",
        "of": "number",
        "limit": "statement",
    },
    "sum-cut-minimum": {"amount": "money", "stake": "money", "action": "money", "limit": "statement"},
    "sum-cut-rounded": {
        "amount": "money",
        "stake": "money",
        "action": "money",
        "part": "number",
        "of": "number",
        "limit": "statement",
    },
    "sum-decided": {"amount": "money"},
    "sum-limit-differential": {"most": "money", "other": "box", "lighter": "money", "differential": "money"},
    "sum-limit-maximum": {"maximum": "money"},
    "sum-lost": {"amount": "money"},
    "sum-lost-limited": {"amount": "money", "price": "text", "limit": "statement"},
    "sum-over-maximum": {"amount": "money", "stake": "money", "maximum": "money"},
    "sum-placed": {"amount": "money", "box": "box"},
    "sum-placed-chips": {"amount": "money", "box": "box", "chips": "number", "value": "money"},
    "sum-plays-exempt": {"stake": "money", "minimum": "money"},
    "sum-plays-maximum": {"stake": "money", "maximum": "money"},
    "sum-plays-once": {"stake": "money", "minimum": "money"},
    "sum-rejected": {"amount": "money", "box": "box", "total": "money", "most": "money", "limit": "statement"},
    "sum-stake": {"amount": "money"},
    "sum-used-once": {"amount": "money", "stake": "money", "minimum": "money"},
    "sum-void": {"amount": "money", "void": "text"},
    "sum-withdrawn": {"amount": "money", "stake": "money", "left": "money"},
    "sum-won": {"amount": "money", "action": "money", "odds": "text", "to": "number"},
    "sum-won-limited": {
        "amount": "money",
        "action": "money",
        "odds": "text",
        "to": "number",
        "price": "text",
        "limit": "statement",
    },
    # an evening: each act, and each event that follows from it
    "story-act": {"by": "name", "phrase": "text"},
    "story-before-facts": {"text": "text"},
    "story-refused": {"why": "statement"},
    "story-table": {"table": "name", "title": "law", "book": "text", "layouts": "names"},
    "event-advised": {"seat": "name", "minimum": "money"},
    "event-amended": {"old": "text", "outcome": "text"},
    "event-approved": {"one": "name", "other": "name"},
    "event-attested": {"shown": "text"},
    "event-bank-drained": {"amount": "money"},
    "event-bank-filled": {"amount": "money"},
    "event-bet": {"bet": "id", "seat": "name", "stake": "money", "box": "box"},
    "event-bet-decided": {"bet": "id", "treatment": "text", "box": "box", "reason": "text"},
    "event-boxes-gone": {"layout": "layout", "boxes": "boxes"},
    "event-called": {"words": "law"},
    "event-checked": {"outcome": "text"},
    "event-closed": {"words": "law"},
    "event-closed-by-bell": {"words": "law"},
    "event-collected": {},
    "event-colour": {"seat": "name", "colour": "name", "value": "money"},
    "event-colour-marked": {"seat": "name", "colour": "name", "value": "money"},
    "event-contradicted": {
        "device": "name",
        "irregularity": "name",
        "began": "text",
        "count": "text",
        "outcome": "text",
        "request": "number",
    },
    "event-cut": {"amount": "money", "bet": "id", "seat": "name"},
    "event-decided": {"treatment": "text", "reason": "text"},
    "event-declined": {"request": "number"},
    "event-dolly": {"outcome": "text"},
    "event-encoding-planned": {
        "id": "name",
        "book": "id",
        "old": "id",
        "since": "moment",
        "one": "name",
        "other": "name",
    },
    "event-encoding-taken-up": {
        "id": "name",
        "book": "id",
        "old": "id",
        "round": "number",
        "one": "name",
        "other": "name",
    },
    "event-entered": {"outcome": "text", "source": "text"},
    "event-excess": {"amount": "money", "bet": "id"},
    "event-given": {"seat": "name", "amount": "money", "reason": "text"},
    "event-interrupted": {"part": "text"},
    "event-layouts": {"layouts": "names"},
    "event-limits": {},
    "event-lit": {"layout": "layout", "boxes": "boxes"},
    "event-locked": {},
    "event-lost": {"bet": "id", "seat": "name", "amount": "money"},
    "event-opened": {"round": "number", "words": "law"},
    "event-paid": {"bet": "id", "seat": "name", "winnings": "money", "returned": "money"},
    "event-paying": {},
    "event-plan-cancelled": {"id": "name", "reason": "text"},
    "event-power": {},
    "event-repaid": {"seat": "name", "amount": "money"},
    "event-reported": {"irregularity": "name", "consequence": "name"},
    "event-request": {"request": "number"},
    "event-result-decided": {"outcome": "text", "reason": "text"},
    "event-resumed": {"act": "text"},
    "event-returned": {"bet": "id", "amount": "money", "seat": "name"},
    "event-reversed": {"bet": "id", "seat": "name", "before": "money", "after": "money", "owed": "money"},
    "event-seat-moved": {"seat": "name", "layout": "layout"},
    "event-sensed": {"outcome": "text"},
    "event-settled": {"round": "number"},
    "event-settled-again": {"round": "number", "outcome": "text", "reason": "text"},
    "event-terminals": {"seats": "names"},
    "event-ticket-issued": {"amount": "money", "seat": "name", "ticket": "id"},
    "event-ticket-redeemed": {"ticket": "id", "amount": "money", "seat": "name"},
    "event-told": {"seats": "names"},
    "event-unlocked": {"reason": "text"},
    "event-unregistered": {"stake": "money", "box": "box", "seat": "name", "treatment": "text"},
    "event-version-planned": {
        "id": "name",
        "book": "id",
        "old": "id",
        "since": "moment",
        "one": "name",
        "other": "name",
    },
    "event-version-taken-up": {
        "id": "name",
        "book": "id",
        "old": "id",
        "round": "number",
        "one": "name",
        "other": "name",
    },
    "event-void": {"round": "number", "irregularity": "name", "words": "law"},
    "event-void-again": {"round": "number", "irregularity": "name", "reason": "text"},
    "event-withdrawn": {"amount": "money", "bet": "id", "seat": "name"},
    "event-written-off": {"seat": "name", "amount": "money", "reason": "text"},
    **COMMAND_FACTS,
}
"""Every statement with its facts. The catalogue has a message for each id. A fact of kind "statement" is one statement
or several inside it. `bets.py` declares the statements of win conditions."""


class Statement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statement. `parts` are the statements inside it, as lists."""

    id: str
    facts: dict[str, Fact] = {}
    parts: dict[str, tuple[Statement, ...]] = {}
    clause: str | None = None


def declare(statements: dict[str, Facts]) -> dict[str, Facts]:
    """Declare the statements of the calling module, so that adding one touches no other file of code."""
    twice = statements.keys() & STATEMENTS.keys()
    assert not twice, twice
    STATEMENTS.update(statements)
    return statements


class Line(NamedTuple):
    """A statement in a story. `under` if it belongs to the line before."""

    says: Statement
    under: bool = False


def state(id: str, clause: str | None = None, /, **facts: Fact | Statement | tuple[Statement, ...]) -> Statement:
    """A declared statement. Statements among its facts become its parts."""
    declared = STATEMENTS[id]
    assert facts.keys() == declared.keys(), f"{id}: {sorted(facts)}, not {sorted(declared)}"
    plain: dict[str, Fact] = {}
    parts: dict[str, tuple[Statement, ...]] = {}
    for name, fact in facts.items():
        if isinstance(fact, Statement):
            parts[name] = (fact,)
        elif declared[name] == "statement":
            parts[name] = fact  # type: ignore[assignment]
        else:
            plain[name] = fact  # type: ignore[assignment]
    return Statement(id, plain, parts, clause)


def either(alternatives: tuple[Statement, ...]) -> Statement:
    """One of several rules must hold."""
    return alternatives[0] if len(alternatives) == 1 else Statement("rule-any", parts={"rules": alternatives})


def cited(one: Statement, clause: str) -> Statement:
    return msgspec.structs.replace(one, clause=clause)


def with_texts_changed(one: Statement, change: Callable[[str], str]) -> Statement:
    """The same statement with every text among its facts changed."""
    return Statement(
        one.id,
        {name: _changed(fact, change) for name, fact in one.facts.items()},
        {name: tuple(with_texts_changed(part, change) for part in parts) for name, parts in one.parts.items()},
        one.clause,
    )


def _changed(fact: Fact, change: Callable[[str], str]) -> Fact:
    if isinstance(fact, int):
        return fact
    return change(fact) if isinstance(fact, str) else tuple(map(change, fact))
