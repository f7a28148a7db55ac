"""The contract of a store that several machines share: which of them run, who owns what, what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from croupier.store.journal import Lease, Secret, Store


class Node(NamedTuple):
    """A machine of this floor: it counts as running until a moment on the server's clock."""

    name: str
    until: int
    body: bytes
    """What it publishes of itself."""


class Look(NamedTuple):
    """The state of a floor of several machines, at one moment of the server's clock."""

    now: int
    leases: dict[str, Lease]
    heads: dict[str, int]
    """The number of the last row of each stream."""
    nodes: list[Node]


class SharedStore(Store, Protocol):
    """A store on a server."""

    def time(self) -> int:
        """The server's clock, by which leases end: those of the machines may be wrong."""

    def look(self) -> Look: ...

    def put_node(self, node: Node) -> None:
        """Add a node, or replace what it publishes."""

    def drop_node(self, name: str, before: int = 0) -> None:
        """Remove a node, and all that have not counted since a moment."""

    def renew_all(self, leases: Sequence[Lease], now: int, milliseconds: int) -> set[str]:
        """Prolong many leases; the streams that another has taken are not in the answer."""

    def first_secret(self, secret: Secret) -> Secret:
        """Keep it, unless there is one of its kind and key; returns the one that is kept."""

    def secrets_after(self, kind: str, key: str) -> list[Secret]:
        """Those of a kind with a later key, in order; at most one page."""

    def reopen(self) -> None:
        """Connect anew, perhaps to another server that has taken over; Away if none answers."""
