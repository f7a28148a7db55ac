"""Croupier: casino table games by the book.

The names below are the library. They load on first use, so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.rules.bad_input import BadInput, Fault
    from croupier.rules.library import load_layout, load_rulebook, rulebook_ids
    from croupier.rules.money import Cents, format_money, parse_money
    from croupier.rules.paytable import Bet, Box, Fate, Layout, Settlement
    from croupier.rules.reader import RulebookFaults
    from croupier.rules.refusal import Refused
    from croupier.rules.rulebook import Rulebook

__version__ = "0.1.0"

_HOME = {
    "Cents": "money",
    "format_money": "money",
    "parse_money": "money",
    "Bet": "paytable",
    "Box": "paytable",
    "Fate": "paytable",
    "Layout": "paytable",
    "Settlement": "paytable",
    "Refused": "refusal",
    "BadInput": "bad_input",
    "Fault": "bad_input",
    "Rulebook": "rulebook",
    "RulebookFaults": "reader",
    "load_layout": "library",
    "load_rulebook": "library",
    "rulebook_ids": "library",
}

__all__ = [
    "BadInput",
    "Bet",
    "Box",
    "Cents",
    "Fate",
    "Fault",
    "Layout",
    "Refused",
    "Rulebook",
    "RulebookFaults",
    "Settlement",
    "format_money",
    "load_layout",
    "load_rulebook",
    "parse_money",
    "rulebook_ids",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module 'croupier' has no attribute '{name}'")
    return getattr(import_module(f"croupier.rules.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
