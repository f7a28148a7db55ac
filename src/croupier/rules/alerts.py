"""The kinds of alerts, the cases of each kind, and the facts of each case."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact

ALERTS: dict[str, Mapping[str, Facts]] = {
    "cage-stopped": {
        "fault": {"error": "text"},
    },
    "checkpoint": {
        "unsigned": {"seconds": "seconds"},
        "unwritten": {"error": "text"},
    },
    "clock": {
        "ahead": {"seconds": "seconds"},
        "behind": {"seconds": "seconds"},
    },
    "copies": {
        "late": {"place": "name", "error": "text"},
    },
    "credential": {
        "lent": {"person": "name", "maker": "name"},
    },
    "crew-fault": {
        "dealer": {"error": "text"},
        "device": {"device": "name", "error": "text"},
        "examination": {"error": "text"},
    },
    "dealing": {
        "attest": {"round": "number"},
        "ball": {"round": "number"},
        "closed": {"round": "number"},
        "entry": {"round": "number", "pressed": "text", "outcome": "text"},
        "in-motion": {"round": "number", "seconds": "seconds"},
        "interrupted": {"round": "number"},
        "locked": {"round": "number", "clause": "text"},
        "no-result": {"round": "number", "seconds": "seconds"},
        "not-ready": {"round": "number", "seconds": "seconds"},
        "offline": {"round": "number", "seconds": "seconds"},
        "other-machine": {"round": "number", "seconds": "seconds"},
        "refused": {"round": "number", "act": "act"},
        "standstill": {"round": "number"},
        "trouble": {"round": "number", "device": "name", "trouble": "text"},
        "unread": {"round": "number", "device": "name", "trouble": "text"},
        "writing": {"round": "number", "seconds": "seconds"},
    },
    "device-bias": {
        "odd": {"results": "number", "tests": "names"},
    },
    "device-contradiction": {
        "told": {"device": "name", "fault": "text"},
    },
    "device-fault": {
        "asked": {"device": "name", "act": "text"},
        "told": {"device": "name", "fault": "text"},
    },
    "device-offline": {
        "broker": {"device": "name", "error": "text"},
        "line": {"device": "name", "line": "text", "error": "text"},
        "line-closed": {"device": "name", "line": "text"},
        "no-answer": {"device": "name", "line": "text", "seconds": "seconds"},
        "no-broker": {"device": "name"},
        "no-power": {"device": "name"},
        "no-status": {"device": "name", "line": "text", "answer": "text"},
        "silent": {"device": "name", "seconds": "seconds"},
        "switched-off": {"device": "name"},
        "unplugged": {"device": "name"},
    },
    "device-slow": {
        "not-at-rest": {"device": "name", "seconds": "seconds"},
        "not-begun": {"device": "name", "seconds": "seconds"},
        "not-told": {"device": "name", "seconds": "seconds"},
    },
    "disk": {
        "full": {},
    },
    "durability": {
        "weak": {"found": "names"},
    },
    "heads": {
        "gone": {"place": "text"},
        "unreadable": {"place": "text"},
        "unwritable": {"place": "text", "error": "text"},
    },
    "journal": {
        "lies": {"lies": "number"},
        "replaced": {"stream": "name", "reached": "number"},
        "shortened": {"stream": "name", "reached": "number", "ends": "number"},
        "untrue": {"lie": "text"},
        "untrue-row": {"row": "number"},
    },
    "schema": {
        "changed": {"found": "names"},
    },
    "screen-fault": {
        "failed": {"error": "text", "place": "text"},
    },
    "software": {
        "off": {},
        "other": {"differences": "number", "places": "names"},
        "uncompared": {},
    },
    "table-stopped": {
        "fault": {"error": "text"},
        "owned-elsewhere": {},
    },
    "ticket-not-printed": {
        "queue": {"ticket": "id", "amount": "money", "place": "name", "device": "name", "waiting": "number"},
        "unprinted": {"ticket": "id", "amount": "money", "place": "name"},
    },
    "two-people": {
        "refused": {"by": "name"},
    },
    "wheel-direction": {
        "kept": {"device": "name"},
    },
    "wheel-speed": {
        "outside": {"device": "name", "rate": "text", "least": "text", "most": "text"},
    },
}
"""kind → case → facts. The catalogue has a message for each: `alert-KIND-CASE`."""

LONGEST = 400
"""The most letters in one fact of an alert."""


def letters(fact: Fact) -> int:
    return len(str(fact)) if isinstance(fact, str | int) else sum(map(len, fact))


def cut(fact: Fact) -> Fact:
    """A fact shortened to what an alert may hold: of an error, the beginning."""
    if isinstance(fact, str):
        return fact[:LONGEST]
    if isinstance(fact, int) or letters(fact) <= LONGEST:
        return fact
    return tuple(one[: max(1, LONGEST // len(fact))] for one in fact[:LONGEST])
