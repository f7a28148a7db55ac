"""What a recorder needs of a table, the cage or the office: decide, post, apply, and write the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import msgspec

from croupier.ledger import Balances, Transfer
from croupier.store.journal import Row
from croupier.store.streams.entry import AnyEntry, TicketChange, key_of
from croupier.store.streams.made import AnyMade, made_row
from croupier.table.messages import RoundNumber
from croupier.table.state import PastRound

Recall = Callable[[RoundNumber, int], PastRound | None]
"""Finds a round that is over and no longer in memory, as it was before a row."""


class Subject(Protocol):
    """The table, the cage or the office of a stream. The defaults fit one without rounds, tickets or ids."""

    balances: Balances
    made: AnyMade

    @property
    def name(self) -> str: ...

    @property
    def resting(self) -> bool:
        """Is this a good moment to keep the state?"""
        return True

    @property
    def next_round(self) -> int:
        return 0

    def read(self, row: Row) -> AnyEntry: ...

    def client_id(self, command: Any) -> str:
        """The id in a command itself under which it counts once; empty if it has none."""
        return ""

    def surely_new(self, command: Any) -> bool:
        """Is it certain from memory alone that a command with an id of its own was never given before?"""
        return False

    def old_rounds(self, command: Any) -> Sequence[RoundNumber]:
        """The rounds that a command is about and that are no longer in memory."""
        return ()

    def recall(self, command: Any, row: int, recall: Recall) -> None:
        """Read the old rounds that the command of a row is about into memory."""
        return

    def decided(self, command: Any, id: str = "") -> AnyEntry: ...

    def post(self, entry: AnyEntry) -> list[Transfer]:
        """The money that an entry moves."""

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None: ...

    def alone(self, command: Any) -> bool:
        """Does deciding it need a look at the disk? Then it goes into no group."""
        return False

    def ticket_of(self, command: Any) -> str | None:
        """The number of the ticket that must be looked up for a command."""
        return None

    def new_ticket_of(self, command: Any) -> str | None:
        """The number of the ticket that a command would make."""
        return None

    def tickets(self, entry: AnyEntry) -> list[TicketChange]:
        """The tickets that an entry makes and ends."""
        return []

    def check(self) -> None:
        """Assert the laws of money for every account."""

    def audit(self) -> None:
        """Assert them for the accounts that moved, after every command."""
        self.check()

    def state(self) -> bytes: ...

    def interruption(self, at: int) -> Any | None:
        """The command that records a stop of the software, where the book has a clause for it."""
        return None


def id_of(subject: Subject, entry: AnyEntry) -> str:
    """The id under which an entry answers resends: the sender's, or that in its command; none if it is refused."""
    if entry.refused is not None:
        return ""
    return key_of(entry.id) or subject.client_id(entry.command)


def packed(made: AnyMade, balances: Balances, body: bytes) -> bytes:
    kind, text = made_row(made)
    return msgspec.msgpack.encode((kind, text, balances.flows, body))
