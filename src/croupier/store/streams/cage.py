"""The cage as a stream."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier import cage as cashier
from croupier.cage import AnyCageCommand, AnyCageEvent
from croupier.cage import messages as c
from croupier.ledger import UNCLAIMED, Balances, Transfer
from croupier.rules.refusal import Refused
from croupier.store.journal import Row
from croupier.store.streams.entry import AnyEntry, Entry, TicketChange, refused_entry, ticket_number_in
from croupier.store.streams.made import CageMade
from croupier.store.streams.stream import Subject, packed
from croupier.wire import decode

_entries: msgspec.json.Decoder[Entry[AnyCageCommand, AnyCageEvent]] = msgspec.json.Decoder(
    Entry[AnyCageCommand, AnyCageEvent]
)


class CageSubject(Subject):
    """The cage with its ledger."""

    def __init__(self, made: CageMade) -> None:
        self.made: CageMade = made
        self.cage = cashier.new_cage(made.staff, made.approval_seconds)
        self.balances = Balances()

    @property
    def name(self) -> str:
        return self.made.cage

    def read(self, row: Row) -> AnyEntry:
        return decode(_entries, row.body, f"row {row.seq} of {row.stream}")

    def client_id(self, command: AnyCageCommand) -> str:
        match command:
            case c.SellTicket() | c.PayTicket() if number := ticket_number_in(command.ticket):
                return f"{type(command).__name__} {number}"
            case _:
                return ""

    def decided(self, command: AnyCageCommand, id: str = "") -> AnyEntry:
        try:
            return Entry(command, tuple(cashier.decide(self.cage, command)), id=id)
        except Refused as refused:
            return refused_entry(command, refused)

    def post(self, entry: AnyEntry) -> list[Transfer]:
        return [transfer for event in entry.events for transfer in cashier.post(event)]

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None:
        self.balances.apply(transfers)
        for event in entry.events:
            cashier.evolve(self.cage, event)

    def alone(self, command: AnyCageCommand) -> bool:
        return self.ticket_of(command) is not None or self.new_ticket_of(command) is not None

    def ticket_of(self, command: AnyCageCommand) -> str | None:
        match command:
            case c.PayTicket() | c.VoidTicket() | c.ReprintTicket() | c.ExpireTicket() | c.PayUnclaimed():
                return ticket_number_in(command.ticket)
            case c.ApproveRequest() if command.request in self.cage.requests:
                return ticket_number_in(self.cage.requests[command.request].command.ticket)
            case _:
                return None

    def new_ticket_of(self, command: AnyCageCommand) -> str | None:
        if isinstance(command, c.ApproveRequest) and command.request in self.cage.requests:
            command = self.cage.requests[command.request].command
        match command:
            case c.SellTicket():
                return ticket_number_in(command.ticket) or None
            case c.VoidTicket() if command.replacement:
                return ticket_number_in(command.replacement) or None
            case _:
                return None

    def tickets(self, entry: AnyEntry) -> list[TicketChange]:
        changes: list[TicketChange] = []
        for event in entry.events:
            match event:
                case c.TicketSold():
                    changes.append(TicketChange(event.ticket, "", event.amount, event.expires, self.name))
                case c.TicketPaid():
                    changes.append(TicketChange(event.ticket, "paid", event.amount))
                case c.UnclaimedPaid():
                    changes.append(TicketChange(event.ticket, "paid", event.amount, late=True))
                case c.TicketExpired():
                    changes.append(TicketChange(event.ticket, "expired", event.amount))
                case c.TicketVoided():
                    changes.append(TicketChange(event.ticket, "void", event.amount))
                    if new := event.replacement:
                        changes.append(TicketChange(new, "", event.amount, event.replacement_expires, self.name))
        return changes

    def check(self) -> None:
        assert sum(self.balances.values()) == 0, "money was created or destroyed"
        assert self.balances[UNCLAIMED] >= 0, "more was paid late than had expired"

    def audit(self) -> None:
        """All accounts: the cage has a handful."""
        self.check()
        self.balances.moved.clear()

    def state(self) -> bytes:
        return packed(self.made, self.balances, cashier.dump(self.cage))
