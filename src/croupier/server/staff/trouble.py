"""How this door says no: one JSON for every refusal, with the status that fits its reason."""

from __future__ import annotations

import msgspec


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not done. `reason` is for programs, `message` for people; nothing has changed."""

    reason: str
    message: str
    clause: str | None = None
    faults: tuple[str, ...] = ()
    """Everything that is wrong with what was sent, each with its place."""


class Declined(Exception):
    """A request that ends here."""

    def __init__(
        self, status: int, reason: str, message: str, faults: tuple[str, ...] = (), clause: str | None = None
    ) -> None:
        self.status = status
        self.trouble = Trouble(reason, message, clause, faults)
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


def declined(reason: str, message: str, clause: str | None) -> Declined:
    """A refusal by the rules, as this door tells it."""
    return Declined(_STATUS.get(reason, 409), reason, message, clause=clause)


def missing(what: str, there: str = "") -> Declined:
    """What was asked for is not here."""
    return Declined(404, "missing", f"there is no {what} here" + (f"; there is {there}" if there else ""))
