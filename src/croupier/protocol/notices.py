"""The notices that a Player may get: every kind, its cases, and the facts of each."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rules.reasons import Facts

_VOID: Facts = {"round": "number", "reason": "text", "owed": "money"}
_AGAIN: Facts = {**_VOID, "outcome": "text"}

NOTICES: dict[str, Mapping[str, Facts]] = {
    "book": {
        "boxes-gone": {"layout": "layout", "boxes": "boxes"},
        "layout-gone": {"layout": "layout"},
        "taken-up": {"book": "name", "round": "number"},
    },
    "corrected": {
        "again-gain": {**_AGAIN, "amount": "money"},
        "again-loss": {**_AGAIN, "amount": "money"},
        "again-same": _AGAIN,
        "void-gain": {**_VOID, "amount": "money"},
        "void-loss": {**_VOID, "amount": "money"},
        "void-same": _VOID,
    },
    "cut": {
        "out-of-action": {"bet": "id", "box": "box", "amount": "money"},
    },
    "decided": {
        "move": {"bet": "id", "box": "box", "reason": "text"},
        "return": {"bet": "id", "box": "box", "amount": "money", "reason": "text"},
        "stand": {"bet": "id", "box": "box", "reason": "text"},
        "terminal-failed": {"bet": "id", "box": "box", "amount": "money"},
    },
    "interrupted": {
        "terminal": {},
    },
    "loss": {
        "records": {"row": "number"},
    },
    "rejected": {
        "over-limit": {"bet": "id", "box": "box", "amount": "money"},
    },
    "short": {
        "under-minimum": {"bet": "id", "box": "box", "minimum": "money"},
    },
    "void": {
        "round": {"round": "number", "amount": "money"},
    },
}
"""kind → case → facts. The catalogue has a message for each: `notice-KIND-CASE`.

A sentence names a bet by its box; `bet` is for programs. The box is empty if nothing is known of the bet but its id.
"""
