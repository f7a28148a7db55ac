"""Numbers for new tickets: the same for a resend of an act, and unpredictable without the floor's key."""

from __future__ import annotations

import hashlib

from croupier.store.folder import Premises
from croupier.table.tickets import ticket_number


class TicketNumbers:
    def __init__(self, premises: Premises, purpose: bytes = b"") -> None:
        """Different purposes give different numbers for the same act."""
        key = (premises.keys / "signing.key").read_bytes()
        self._secret = hashlib.blake2b(purpose + key).digest()

    def of(self, place: str, giver: str, id: str) -> str:
        """The number of the ticket that an act makes: `giver` is the person or the seat, `id` that of the act."""
        digest = hashlib.blake2b(f"{place}\n{giver}\n{id}".encode(), key=self._secret).digest()
        return ticket_number(int.from_bytes(digest[:16], "big") % 10**16)
