"""The office as a stream."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier import office as clerk
from croupier.ledger import Balances, Transfer
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent
from croupier.rules.refusal import Refused
from croupier.store.journal import Row
from croupier.store.streams.entry import AnyEntry, Entry, refused_entry
from croupier.store.streams.made import OfficeMade
from croupier.store.streams.stream import Subject, packed
from croupier.wire import decode

_entries: msgspec.json.Decoder[Entry[AnyOfficeCommand, AnyOfficeEvent]] = msgspec.json.Decoder(
    Entry[AnyOfficeCommand, AnyOfficeEvent]
)


class OfficeSubject(Subject):
    """The office. No money moves there."""

    def __init__(self, made: OfficeMade) -> None:
        self.made: OfficeMade = made
        self.office = clerk.new_office(made.accounts, made.rules)
        self.balances = Balances()

    @property
    def name(self) -> str:
        return self.made.office

    def read(self, row: Row) -> AnyEntry:
        return decode(_entries, row.body, f"row {row.seq} of {row.stream}")

    def decided(self, command: AnyOfficeCommand, id: str = "") -> AnyEntry:
        try:
            return Entry(command, tuple(clerk.decide(self.office, command)), id=id)
        except Refused as refused:
            return refused_entry(command, refused)

    def post(self, entry: AnyEntry) -> list[Transfer]:
        return []

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None:
        self.balances.apply(transfers)
        for event in entry.events:
            clerk.evolve(self.office, event)

    def check(self) -> None:
        assert not self.balances.flows, "money moved in the office"

    def state(self) -> bytes:
        return packed(self.made, self.balances, clerk.dump(self.office))
