"""The one way the rules say no to a person: a reason, a fact, a bound and, where there is one, the clause."""

from __future__ import annotations


class Refused(Exception):
    """An act or a question that the rules do not allow. Nothing has changed.

    `reason` is a short stable code for programs; the message is for people.
    """

    def __init__(self, reason: str, message: str, clause: str | None = None) -> None:
        self.reason = reason
        self.clause = clause
        self.message = message
        super().__init__(f"{message} ({clause})" if clause else message)
