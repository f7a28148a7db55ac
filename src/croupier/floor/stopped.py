"""Why a table takes no commands: a case and its facts."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact
from croupier.store.heads import Shortened
from croupier.store.ownership import Ownership

Standstill = Literal["away", "elsewhere", "fault", "full", "replaced", "shortened", "unsafe"]
STOPPED: dict[Standstill, Facts] = {
    "away": {},
    "elsewhere": {},
    "fault": {"error": "text"},
    "full": {},
    "replaced": {"stream": "name", "reached": "number"},
    "shortened": {"stream": "name", "reached": "number", "ends": "number"},
    "unsafe": {"found": "names"},
}
"""case → facts. `full` and `unsafe` are about the database, `away` about it or a stream, the others about a stream. The
catalogue has a message for each: `stopped-CASE`."""


class Stopped(msgspec.Struct, frozen=True):
    case: Standstill
    facts: dict[str, Fact] = {}


class StandsStill(msgspec.Struct, frozen=True):
    """What takes no commands, and why: a table by its name, the `cage`, the `office`, or the `database`."""

    place: str
    why: Stopped


def stopped(stream: str, ownership: Ownership) -> Stopped | None:
    """Why a stream takes no commands; None if it takes them."""
    why = ownership.why
    match ownership.state:
        case "owned" | "followed":
            return None
        case "shortened" if isinstance(why, Shortened):
            return shortened(stream, why)
        case "superseded":
            return Stopped("elsewhere")
        case _:
            return Stopped("fault", {"error": repr(why)})


def shortened(stream: str, short: Shortened) -> Stopped:
    """The journal ends before a row that was answered, or has another row in its place."""
    facts: dict[str, Fact] = {"stream": stream, "reached": short.reached.seq}
    if short.ends < short.reached.seq:
        return Stopped("shortened", {**facts, "ends": short.ends})
    return Stopped("replaced", facts)
