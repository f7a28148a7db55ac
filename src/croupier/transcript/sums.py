"""Why money moved, as transcripts write it: `won 10.00 = 10.00 × 1 to 1 (4.1.1)`.

The words are notation, not prose: transcripts hold them, so they are neither reworded nor translated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from croupier.rules.money import format_money
from croupier.rules.refusal import Fact
from croupier.rules.statement import STATEMENTS, Statement

_FORMS: Mapping[str, str] = {
    "sum-cash": "{event} {amount}",
    "sum-corrected": "corrected {amount} = {after} − {before}",
    "sum-cut": "cut {amount}: {action} = {stake} × {part}/{of}, pro rata {limit}",
    "sum-cut-minimum": "cut {amount}: {action} of {stake}, the minimum, pro rata {limit}",
    "sum-cut-rounded": "cut {amount}: {action} = {stake} × {part}/{of} rounded down, pro rata {limit}",
    "sum-decided": "returned {amount} by decision",
    "sum-limit-differential": "of {most} = {lighter} + {differential}",
    "sum-limit-maximum": "of {maximum}",
    "sum-lost": "lost {amount}",
    "sum-lost-limited": "lost {amount} at {price}, {limit}",
    "sum-over-maximum": "returned {amount} of {stake} − {maximum} over the maximum",
    "sum-placed": "placed {amount}",
    "sum-placed-chips": "placed {amount} = {chips} × {value}",
    "sum-plays-exempt": "{stake} under {minimum} exempt",
    "sum-plays-maximum": "{stake} capped at {maximum}",
    "sum-plays-once": "{stake} under {minimum} once only",
    "sum-rejected": "rejected {amount} of {total} − {most}",
    "sum-stake": "stake {amount}",
    "sum-used-once": "returned {amount}: {stake} under {minimum}, once only used",
    "sum-void": "returned {amount}, void by {void}",
    "sum-withdrawn": "withdrawn {amount}: {left} = {stake} − {amount}",
    "sum-won": "won {amount} = {action} × {odds} to {to}",
    "sum-won-limited": "won {amount} = {action} × {odds} to {to} at {price}, {limit}",
}
_EVENTS = {
    "CreditSold": "sold",
    "CreditPaidOut": "paid out",
    "CreditGiven": "given",
    "TicketRedeemed": "ticket in",
    "TicketIssued": "ticket out",
    "DebtRepaid": "debt repaid",
    "DebtWrittenOff": "debt written off",
    "BankFilled": "fill",
    "BankDrained": "drain",
}


def write_sum(one: Statement) -> str:
    """A sum as transcripts write it, with the clause that moved the money."""
    return _text(one) + (f" ({one.clause})" if one.clause else "")


def _text(one: Statement) -> str:
    kinds = STATEMENTS[one.id]
    facts = {name: _money(fact) if kinds[name] == "money" else str(fact) for name, fact in one.facts.items()}
    if "event" in facts:
        facts["event"] = _EVENTS[facts["event"]]
    parts = {name: _text(*found) for name, found in one.parts.items()}
    owed = f", owed {facts['owed']}" if one.facts.get("owed") else ""
    return _FORMS[one.id].format(**facts, **parts) + owed


def _money(fact: Fact) -> str:
    assert isinstance(fact, int)
    return format_money(fact)


def plain_sum(text: str) -> str:
    """A sum with the signs that every keyboard has: `x` for ×, `-` for −."""
    return re.sub(r"(?<= )[x×](?= )", "×", text).replace(" - ", " − ")
