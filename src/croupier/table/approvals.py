"""Two people: an act waits as one of them asked for it, and another approves exactly that, or declines it.

A table and the cage do it alike. Whether an act needs two, and what happens once both agree, is theirs to say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from croupier.rules.refusal import Refused
from croupier.table.messages import ApprovalDeclined, ApprovalGiven, ApprovalRequested
from croupier.table.permits import SYSTEM


class Waiting(Protocol):
    """An act that waits for a second person."""

    @property
    def number(self) -> int: ...
    @property
    def command(self) -> Any: ...
    @property
    def digest(self) -> str: ...
    @property
    def expires(self) -> int: ...


W = TypeVar("W", bound=Waiting)


def digest(command: Any) -> str:
    """What an approval binds: the exact content of the request."""
    return hashlib.sha256(msgspec.json.encode(command)).hexdigest()[:16]


def requested(number: int, command: Any, seconds: int) -> ApprovalRequested:
    """An act begins to wait, for so long."""
    content, expires = msgspec.json.encode(command), command.at + seconds * 1000
    return ApprovalRequested(command.by, command.at, number, content, digest(command), expires)


def approved(requests: Mapping[int, W], command: Any) -> tuple[W, ApprovalGiven]:
    """What a second person agrees to: another person, in time, and to the very content that was asked for."""
    request = _waiting(requests, command.request)
    if command.at > request.expires:
        raise Refused("approval-expired", "expired", request=request.number)
    if request.command.by == command.by:
        raise Refused("same-person", "asked", person=command.by, request=request.number)
    if request.digest != command.digest:
        raise Refused("approval-content", "other", request=request.number)
    return request, ApprovalGiven(command.by, command.at, request.number, request.command.by)


def declined(requests: Mapping[int, W], command: Any) -> ApprovalDeclined:
    """A person declines what they like; the floor's own software only what nobody can approve any more."""
    request = _waiting(requests, command.request)
    if command.by == SYSTEM and command.at <= request.expires:
        raise Refused("approval", "not-expired", request=request.number)
    return ApprovalDeclined(command.by, command.at, request.number)


def _waiting(requests: Mapping[int, W], number: int) -> W:
    request = requests.get(number)
    if request is None:
        raise Refused("approval", "unknown", request=number, waiting=tuple(map(str, requests)))
    return request
