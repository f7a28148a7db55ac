"""What a table has shown: the rounds that are over, remembered beside the table for roads, pace and the health of dice.

Nothing here decides. It is read from the journal when the door opens, and follows the table from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from croupier.floor.floor import LiveTable
from croupier.ledger import Flows
from croupier.store.journal import Store, row_at
from croupier.store.recall import start
from croupier.store.subjects import AnyEntry, TableSubject
from croupier.table import messages as m
from croupier.table.messages import AnyEvent

MOST = 10_000
"""Rounds that are remembered of a table."""

_WORDS = tuple(
    f'"type":"{kind.__name__}"'.encode()
    for kind in (
        m.TableOpened,
        m.BettingOpened,
        m.LosersCollected,
        m.RoundVoided,
        m.ResultCorrected,
        m.SettledRoundVoided,
    )
)


class Ended(NamedTuple):
    """A round that is over."""

    round: int
    at: int
    outcome: str | None
    void_clause: str | None
    dealer: str
    """Who opened the betting."""


class Chronicle:
    """The rounds of one table, the oldest first, and when it was last opened."""

    def __init__(self) -> None:
        self.rounds: dict[int, Ended] = {}
        self.opened: int | None = None
        self.before: Flows | None = None
        """What had moved before the table was opened; None while that is not known."""
        self._dealer = ""

    def follow(self, live: LiveTable, entries: Sequence[AnyEntry]) -> None:
        """After every commit."""
        for entry in entries:
            for event in entry.events:
                if isinstance(event, m.TableOpened):
                    self.before = {
                        account: dict(moved) for account, moved in live.recorder.subject.balances.flows.items()
                    }
                self._hear(event)
        self._forget()

    def tell_again(self, events: Iterable[AnyEvent]) -> None:
        """What the journal says of the time before we followed; what is known already is newer."""
        followed, opened, dealer = self.rounds, self.opened, self._dealer
        self.rounds = {}
        for event in events:
            self._hear(event)
        self.rounds |= followed
        self.opened, self._dealer = opened or self.opened, dealer or self._dealer
        self._forget()

    def _hear(self, event: AnyEvent) -> None:
        match event:
            case m.TableOpened():
                self.opened = event.at
            case m.BettingOpened():
                self._dealer = event.by
            case m.LosersCollected():
                self.rounds[event.round] = Ended(event.round, event.at, event.outcome, None, self._dealer)
            case m.RoundVoided():
                self.rounds[event.round] = Ended(event.round, event.at, None, event.clause, self._dealer or event.by)
            case m.ResultCorrected() if event.round in self.rounds:
                self.rounds[event.round] = self.rounds[event.round]._replace(outcome=event.outcome)
            case m.SettledRoundVoided() if event.round in self.rounds:
                one = self.rounds[event.round]
                self.rounds[event.round] = one._replace(outcome=None, void_clause=event.clause)
            case _:
                pass

    def _forget(self) -> None:
        while len(self.rounds) > MOST:
            del self.rounds[next(iter(self.rounds))]

    def last(self, most: int) -> list[Ended]:
        """The newest rounds, the oldest of them first."""
        return list(self.rounds.values())[-most:]


def read_events(store: Store, stream: str) -> list[AnyEvent]:
    """The events of the journal that a chronicle is made of; of a long history the newest."""
    subject = start(store, stream).subject
    assert isinstance(subject, TableSubject)
    rows = store.search(stream, _WORDS)[-2 * MOST :]
    return [event for seq in rows for event in subject.read(row_at(store, stream, seq)).events]
