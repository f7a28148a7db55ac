"""Why a table takes no commands: a case and its facts."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact
from croupier.store.heads import Shortened

Standstill = Literal["away", "elsewhere", "fault", "replaced", "shortened"]
STOPPED: dict[Standstill, Facts] = {
    "away": {},
    "elsewhere": {},
    "fault": {"error": "text"},
    "replaced": {"stream": "name", "reached": "number"},
    "shortened": {"stream": "name", "reached": "number", "ends": "number"},
}
"""case → facts. A message of the catalogue says each: `stopped-CASE`."""


class Stopped(msgspec.Struct, frozen=True):
    case: Standstill
    facts: dict[str, Fact] = {}


def shortened(stream: str, short: Shortened) -> Stopped:
    """A journal that ends too early, or that has another row where one was answered for."""
    facts: dict[str, Fact] = {"stream": stream, "reached": short.reached.seq}
    if short.ends < short.reached.seq:
        return Stopped("shortened", {**facts, "ends": short.ends})
    return Stopped("replaced", facts)
