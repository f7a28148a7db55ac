"""Acts of two people: one requests an act, and another approves or declines exactly that request.

Tables and the cage share this file. Each decides which acts need two people, and what follows an approval.
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
    """A request that waits for a second person."""

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
    """The digest of the exact content of a request, which an approval must repeat."""
    return hashlib.sha256(msgspec.json.encode(command)).hexdigest()[:16]


def requested(number: int, command: Any, seconds: int) -> ApprovalRequested:
    """The event that begins a request, which expires after `seconds`."""
    content, expires = msgspec.json.encode(command), command.at + seconds * 1000
    return ApprovalRequested(command.by, command.at, number, content, digest(command), expires)


def approved(requests: Mapping[int, W], command: Any) -> tuple[W, ApprovalGiven]:
    """The request that a command approves: by another person, in time, and with the same content."""
    request = _waiting(requests, command.request)
    if command.at > request.expires:
        raise Refused("approval-expired", "expired", request=request.number)
    if request.command.by == command.by:
        raise Refused("same-person", "asked", person=command.by, request=request.number)
    if request.digest != command.digest:
        raise Refused("approval-content", "other", request=request.number)
    return request, ApprovalGiven(command.by, command.at, request.number, request.command.by)


def declined(requests: Mapping[int, W], command: Any) -> ApprovalDeclined:
    """The event that ends a request. People may decline any request, the floor's own software only an expired one."""
    request = _waiting(requests, command.request)
    if command.by == SYSTEM and command.at <= request.expires:
        raise Refused("approval", "not-expired", request=request.number)
    return ApprovalDeclined(command.by, command.at, request.number)


def _waiting(requests: Mapping[int, W], number: int) -> W:
    request = requests.get(number)
    if request is None:
        raise Refused("approval", "unknown", request=number, waiting=tuple(map(str, requests)))
    return request
