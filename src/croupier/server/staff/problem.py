"""How this door says no: one JSON for every refusal, with the status that fits its reason."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.extras import extra_of, to_install
from croupier.rules.refusal import Fact, RefusedAs
from croupier.words import refusal


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not done. `reason` is for programs, `message` for people; nothing has changed."""

    reason: str
    message: str
    clause: str | None = None
    faults: tuple[str, ...] = ()
    """Everything that is wrong with what was sent, each with its place."""
    case: str = ""
    facts: dict[str, Fact] = {}


class Declined(Exception):
    """A request that ends here."""

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        faults: tuple[str, ...] = (),
        clause: str | None = None,
        case: str = "",
        facts: Mapping[str, Fact] = {},
    ) -> None:
        self.status = status
        self.trouble = Trouble(reason, message, clause, faults, case, dict(facts))
        super().__init__(message)


_STATUS = {
    "permission": 403,
    "origin": 403,
    "login": 401,
    "unconfirmed": 403,
    "same-browser": 403,
    "busy": 429,
    "archived": 404,
    **dict.fromkeys(("away", "disk", "durability", "store"), 503),
}
"""By the reason of a refusal; the others say that the table is not where the request thinks it is."""


def declined(no: RefusedAs) -> Declined:
    """A refusal by the rules, as this door tells it."""
    status = _STATUS.get(no.reason, 409)
    return Declined(status, no.reason, refusal(no), clause=no.clause, case=no.case, facts=no.facts)


def without(error: ModuleNotFoundError) -> Declined:
    """This floor runs without the extra that has it."""
    if (extra := extra_of(error)) is None:
        raise error
    return Declined(501, "extra", f"this floor runs without {error.name}: {to_install(extra)}")


def missing(what: str, there: str = "") -> Declined:
    """What was asked for is not here."""
    return Declined(404, "missing", f"there is no {what} here" + (f"; there is {there}" if there else ""))
