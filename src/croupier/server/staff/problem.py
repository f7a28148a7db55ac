"""How this door says no: one JSON for every refusal, with the status that fits its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.extras import extra_of, to_install
from croupier.floor.stopped import StandsStill
from croupier.rules.bad_input import BadInput
from croupier.rules.refusal import Fact, Refused, Unavailable
from croupier.words import refusal, say


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not done. `reason` is for programs, `message` for people; nothing has changed."""

    reason: str
    message: str
    clause: str | None = None
    faults: tuple[str, ...] = ()
    """Everything that is wrong with what was sent, each with its place."""
    case: str = ""
    facts: dict[str, Fact] = {}
    stopped: tuple[StandsStill, ...] = ()
    """What takes nothing new, and why."""


class NotReady(Unavailable):
    """Not everything of the floor takes commands."""

    def __init__(self, stopped: Sequence[StandsStill]) -> None:
        super().__init__("not-ready", "stopped", places=tuple(one.place for one in stopped))
        self.stopped = tuple(stopped)


Problem = Refused | BadInput
"""What ends a request that was understood, and whose answer is no."""

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
"""By the reason of a refusal, or by its reason and case."""


def status_of(no: Problem) -> int:
    """The other refusals say that the table is not where the request thinks it is."""
    if isinstance(no, BadInput):
        return 422
    otherwise = 503 if isinstance(no, Unavailable) else 409
    return _STATUS.get((no.reason, no.case)) or _STATUS.get(no.reason, otherwise)


def trouble_of(no: Problem) -> Trouble:
    if isinstance(no, BadInput):
        lines = no.lines(refusal)
        return Trouble("faults", "; ".join(lines), faults=tuple(lines))
    stopped = no.stopped if isinstance(no, NotReady) else ()
    return Trouble(no.reason, refusal(no), no.clause, said(stopped), no.case, dict(no.facts), stopped)


def said(stopped: Iterable[StandsStill]) -> tuple[str, ...]:
    """What takes nothing new, in English."""
    return tuple(
        say("stands-still", place=one.place, why=say(f"stopped-{one.why.case}", **one.why.facts)) for one in stopped
    )


def without(error: ModuleNotFoundError) -> Refused:
    """This floor runs without the extra that has it."""
    if (extra := extra_of(error)) is None:
        raise error
    return Refused("extra", "missing", module=str(error.name), install=to_install(extra))
