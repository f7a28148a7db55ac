"""What a store promises beside the journal when several machines share it: who is there, who owns what, what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from croupier.store.journal import Lease, Secret, Store


class Node(NamedTuple):
    """A machine that works this floor: it counts as there until a moment on the server's clock."""

    name: str
    until: int
    body: bytes
    """What it says of itself."""


class Look(NamedTuple):
    """How a floor of several machines stands, all at one moment of the server's clock."""

    now: int
    leases: dict[str, Lease]
    heads: dict[str, int]
    """The number of the last row of each stream."""
    nodes: list[Node]


class SharedStore(Store, Protocol):
    """A store on a server."""

    def time(self) -> int:
        """The server's clock, by which leases are counted: those of the machines may be wrong."""

    def look(self) -> Look: ...

    def put_node(self, node: Node) -> None:
        """Add a node, or what it says of itself now, and until when it counts."""

    def drop_node(self, name: str, before: int = 0) -> None:
        """Remove a node, and all that have not counted since a moment."""

    def renew_all(self, leases: Sequence[Lease], now: int, milliseconds: int) -> set[str]:
        """Own many streams for longer; those that another has taken are not among the answer."""

    def first_secret(self, secret: Secret) -> Secret:
        """Keep it, unless there is one of its kind and key; the one that is there then."""

    def secrets_after(self, kind: str, key: str) -> list[Secret]:
        """Those of a kind whose keys come after this one, in their order; not more than can be read at once."""

    def reopen(self) -> None:
        """Connect anew, perhaps to another server that has taken over; Away if there is none."""
