"""A table as a stream: its commands, its money, its old rounds and its tickets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.ledger import Balances, Transfer, audit, check_laws, post, receivable, terminal
from croupier.rules.library import book_of
from croupier.rules.refusal import Refused
from croupier.store.journal import Row
from croupier.store.streams.entry import (
    AnyEntry,
    Entry,
    TicketChange,
    id_of_bet,
    is_name,
    refused_entry,
    ticket_number_in,
)
from croupier.store.streams.made import TableMade
from croupier.store.streams.stream import Recall, Subject, packed
from croupier.table import messages as m
from croupier.table import snapshot
from croupier.table.checks import interruption_act
from croupier.table.decide import decide, rehearse
from croupier.table.evidence import waiting_decision
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, AnyEvent, RoundNumber
from croupier.table.permits import authorise
from croupier.table.state import Setup, new_table
from croupier.transcript.play import Evening
from croupier.wire import decode

MOST_RECALLED = 100
"""Old rounds that one act may be about."""

_entries: msgspec.json.Decoder[Entry[AnyCommand, AnyEvent]] = msgspec.json.Decoder(Entry[AnyCommand, AnyEvent])

_ALONE = frozenset((m.RedeemTicket, m.CashOut, m.Approve, m.CorrectResult, m.VoidRounds))


class TableSubject(Subject):
    """A table with its ledger, under the text of the book with which it was made."""

    def __init__(self, made: TableMade) -> None:
        book = book_of(made.rulebook)
        assert book.hash == made.rulebook_hash, f"{made.table} was made under another text of {book.id}"
        self.made: TableMade = made
        self.setup = Setup(
            made.table,
            book,
            made.layouts,
            made.limits,
            two_sources=made.two_sources,
            approval_seconds=made.approval_seconds,
            alternatives=frozenset(made.alternatives),
        )
        self.table = new_table(self.setup)
        self.table.staff |= made.staff
        self.balances = Balances()

    @property
    def name(self) -> str:
        return self.made.table

    @property
    def resting(self) -> bool:
        return self.table.round is None and self.table.phase == "ready"

    @property
    def next_round(self) -> int:
        return self.table.next_round

    def book_text(self, hash: str) -> str:
        """The text of a book under which rounds of this table were played."""
        return self.made.rulebook if hash == self.made.rulebook_hash else self.table.books[hash]

    def read(self, row: Row) -> AnyEntry:
        return decode(_entries, row.body, f"row {row.seq} of {row.stream}")

    def client_id(self, command: AnyCommand) -> str:
        if type(command) is m.PlaceBet:
            return id_of_bet(command) if is_name(command.id) else ""
        match command:
            case m.WithdrawBet() if is_name(command.id):
                return f"withdrawal {self.table.bet_rounds.get(command.bet, 0)}/{command.id}"
            case m.RedeemTicket() | m.CashOut() if is_name(command.seat) and (
                number := ticket_number_in(command.ticket)
            ):
                return f"{type(command).__name__} {command.seat}/{number}"
            case _:
                return ""

    def surely_new(self, command: AnyCommand) -> bool:
        table, round = self.table, self.table.round
        if type(command) is m.PlaceBet:
            return round is not None and round.number == command.round and command.id not in table.bet_rounds
        if type(command) is m.WithdrawBet:
            return command.bet in table.bet_rounds and command.id not in table.withdrawals
        return False

    def old_rounds(self, command: AnyCommand) -> Sequence[RoundNumber]:
        if isinstance(command, m.Approve) and command.request in self.table.requests:
            asked = self.table.requests[command.request].command
        else:
            asked = command
        match asked:
            case m.CorrectResult():
                rounds: Sequence[RoundNumber] = (asked.round,)
            case m.VoidRounds():
                rounds = asked.rounds[:MOST_RECALLED]
            case _:
                return ()
        try:
            authorise(self.table, command)
        except Refused:
            return ()  # it will be refused: no need to look for anything
        at_hand = {*self.table.past, self.table.round.number if self.table.round else 0}
        return [number for number in rounds if 0 < number < self.table.next_round and number not in at_hand]

    def recall(self, command: AnyCommand, row: int, recall: Recall) -> None:
        for number in self.old_rounds(command):
            past = recall(number, row)
            if past is not None:
                self.table.past[number] = past

    def decided(self, command: AnyCommand, id: str = "") -> AnyEntry:
        try:
            return Entry(command, tuple(decide(self.table, command)), id=id)
        except Refused as refused:
            return refused_entry(command, refused)

    def previewed(self, command: AnyCommand) -> tuple[AnyEntry, bool]:
        """What would be decided if everyone needed had agreed, and whether that takes a second person."""
        try:
            events, two = rehearse(self.table, command)
        except Refused as refused:
            return refused_entry(command, refused), False
        return Entry(command, tuple(events)), two

    def let_go(self, rounds: Iterable[RoundNumber]) -> None:
        """Forget old rounds that `recall` has read, before anything is applied."""
        for number in rounds:
            self.table.past.pop(number, None)

    def post(self, entry: AnyEntry) -> list[Transfer]:
        name, events = self.made.table, entry.events
        if len(events) == 1:  # as of every bet
            return post(name, events[0])
        return [transfer for event in events for transfer in post(name, event)]

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None:
        self.balances.apply(transfers)
        for event in entry.events:
            evolve(self.table, event)
        if len(self.table.past) > snapshot.AT_HAND:
            for seat in snapshot.forget(self.table):
                for account in (terminal, receivable):
                    self.balances.merge(account(self.name, seat), account(self.name, ""))

    def alone(self, command: AnyCommand) -> bool:
        return type(command) in _ALONE

    def ticket_of(self, command: AnyCommand) -> str | None:
        return ticket_number_in(command.ticket) if isinstance(command, m.RedeemTicket) else None

    def new_ticket_of(self, command: AnyCommand) -> str | None:
        return ticket_number_in(command.ticket) or None if isinstance(command, m.CashOut) else None

    def tickets(self, entry: AnyEntry) -> list[TicketChange]:
        changes = []
        for event in entry.events:
            if isinstance(event, m.TicketIssued):
                changes.append(TicketChange(event.ticket, "", event.amount, event.expires, f"{self.name}/{event.seat}"))
            elif isinstance(event, m.TicketRedeemed):
                changes.append(TicketChange(event.ticket, "redeemed", event.amount))
        return changes

    def check(self) -> None:
        check_laws(self.table, self.balances)

    def audit(self) -> None:
        audit(self.table, self.balances)

    def state(self) -> bytes:
        return packed(self.made, self.balances, snapshot.dump(self.table))

    def interruption(self, at: int) -> AnyCommand | None:
        if waiting_decision(self.table) is not None:
            return None  # it stands still already, and nothing of it can be lost
        if self.table.interruption is not None or interruption_act(self.table, self.table.phase).act == "nothing":
            return None
        return m.Interrupt("system", at, "server")


def made_of(evening: Evening, text: str) -> TableMade:
    """What a table played from a transcript was made of; `text` is that of its rulebook."""
    setup = evening.table.setup
    return TableMade(
        setup.table,
        text,
        setup.rulebook.hash,
        setup.layouts,
        setup.limits,
        evening.staff,
        setup.two_sources,
        setup.approval_seconds,
        tuple(sorted(setup.alternatives)),
    )
