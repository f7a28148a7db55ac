"""Refusals as HTTP answers: one JSON document for all of them, with the status that fits the reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.extras import extra_of, to_install
from croupier.floor.stopped import StandsStill
from croupier.rules.bad_input import BadInput
from croupier.rules.refusal import Fact, Refused, Unavailable
from croupier.words import refusal, say


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was refused; nothing has changed. `reason`, `case` and `facts` are for programs, `message` is for
    people."""

    reason: str
    message: str
    clause: str | None = None
    faults: tuple[str, ...] = ()
    """Everything that is wrong with the request, each fault with its place."""
    case: str = ""
    facts: dict[str, Fact] = {}
    stopped: tuple[StandsStill, ...] = ()
    """The places that take no commands, and why."""


class NotReady(Unavailable):
    """Some place of the floor takes no commands."""

    def __init__(self, stopped: Sequence[StandsStill]) -> None:
        super().__init__("not-ready", "stopped", places=tuple(one.place for one in stopped))
        self.stopped = tuple(stopped)


AnyRefusal = Refused | BadInput
"""Every error that this door answers with a problem document."""

_STATUS: dict[str | tuple[str, str], int] = {
    "unreadable": 400,
    "login": 401,
    ("session", "none"): 401,
    **dict.fromkeys(("permission", "public", "origin", "unconfirmed", "same-browser"), 403),
    **dict.fromkeys(("missing", "archived"), 404),
    "slow": 408,
    "size": 413,
    "media": 415,
    **dict.fromkeys((("busy", "often"), ("busy", "tries"), ("busy", "in-motion"), ("locked", "wait")), 429),
    "extra": 501,
    **dict.fromkeys(("disk", "durability"), 503),
}
"""The status by the reason of a refusal, or by its reason and case."""


def status_of(no: AnyRefusal) -> int:
    """The status of an error. A refusal that is not listed is 409: it conflicts with the state of the floor."""
    if isinstance(no, BadInput):
        return 422
    otherwise = 503 if isinstance(no, Unavailable) else 409
    return _STATUS.get((no.reason, no.case)) or _STATUS.get(no.reason, otherwise)


def problem_of(no: AnyRefusal) -> Problem:
    if isinstance(no, BadInput):
        lines = no.lines(refusal)
        return Problem("faults", "; ".join(lines), faults=tuple(lines))
    stopped = no.stopped if isinstance(no, NotReady) else ()
    return Problem(no.reason, refusal(no), no.clause, stopped_sentences(stopped), no.case, dict(no.facts), stopped)


def stopped_sentences(stopped: Iterable[StandsStill]) -> tuple[str, ...]:
    """The places that take no commands, and why, in English."""
    return tuple(
        say("stands-still", place=one.place, why=say(f"stopped-{one.why.case}", **one.why.facts)) for one in stopped
    )


def without(error: ModuleNotFoundError) -> Refused:
    """The refusal for a package that is not installed. Other import errors are raised again: they are bugs."""
    if (extra := extra_of(error)) is None:
        raise error
    return Refused("extra", "missing", module=str(error.name), install=to_install(extra))
