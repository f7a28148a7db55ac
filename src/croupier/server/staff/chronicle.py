"""What a table has shown: the rounds that are over, remembered beside the table for roads, pace and the health of dice.

Nothing here decides. It is read from the journal when the door opens, and follows the table from then on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from croupier.floor.floor import LiveTable, acts
from croupier.ledger import Flows
from croupier.store.history import start
from croupier.store.journal import Store, row_at
from croupier.store.streams.entry import AnyEntry
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m

MOST = 10_000
"""Rounds that are remembered of a table."""

_KINDS = (m.TableOpened, m.BettingOpened, m.LosersCollected, m.RoundVoided, m.ResultCorrected, m.SettledRoundVoided)
_WORDS = tuple(f'"type":"{kind.__name__}"'.encode() for kind in _KINDS)


class EndedRound(NamedTuple):
    """A round that is over."""

    round: int
    at: int
    outcome: str | None
    void_clause: str | None
    dealer: str
    """Who opened the betting."""


class TableSoFar(NamedTuple):
    """What the journal says of a table."""

    events: list[Any]
    before: Flows | None
    """What had moved before the table was last opened."""


class Chronicle:
    """The rounds of one table, the oldest first, and when it was last opened."""

    def __init__(self) -> None:
        self.rounds: dict[int, EndedRound] = {}
        self.opened: int | None = None
        self.before: Flows | None = None
        """What had moved before the table was opened; None while that is not known."""
        self.betting = (0, 0)
        """The last round whose bets were opened, and when."""
        self._dealer = ""
        self._followed: list[Any] | None = []
        """What happened while the journal was read."""

    def follow(self, live: LiveTable, entries: Sequence[AnyEntry]) -> None:
        """After every commit."""
        for entry in acts(entries):
            for event in entry.events:
                if isinstance(event, _KINDS):
                    self._hear(event)
                    if self._followed is not None:
                        self._followed.append(event)
                if isinstance(event, m.TableOpened):
                    flows = live.recorder.subject.balances.flows
                    self.before = {account: dict(moved) for account, moved in flows.items()}

    def tell_again(self, told: TableSoFar) -> None:
        """What the journal says of the time before we followed; what we heard meanwhile is heard once more after it."""
        followed, self._followed, self.rounds = self._followed or [], None, {}
        for event in (*told.events, *followed):
            self._hear(event)
        self.before = self.before or told.before

    def _hear(self, event: Any) -> None:
        match event:
            case m.TableOpened():
                self.opened = event.at
            case m.BettingOpened():
                self._dealer = event.by
                self.betting = (event.round, event.at)
            case m.LosersCollected():
                self.rounds[event.round] = EndedRound(event.round, event.at, event.outcome, None, self._dealer)
            case m.RoundVoided():
                self.rounds[event.round] = EndedRound(
                    event.round, event.at, None, event.clause, self._dealer or event.by
                )
            case m.ResultCorrected() if event.round in self.rounds:
                self.rounds[event.round] = self.rounds[event.round]._replace(outcome=event.outcome)
            case m.SettledRoundVoided() if event.round in self.rounds:
                one = self.rounds[event.round]
                self.rounds[event.round] = one._replace(outcome=None, void_clause=event.clause)
        while len(self.rounds) > MOST:
            del self.rounds[next(iter(self.rounds))]

    def last(self, most: int) -> list[EndedRound]:
        """The newest rounds, the oldest of them first."""
        return list(self.rounds.values())[-most:]

    def outcomes(self) -> list[str]:
        """What the dice or the ball showed, the oldest first."""
        return [one.outcome for one in self.rounds.values() if one.outcome is not None]


def by_dealer(rounds: Iterable[EndedRound]) -> dict[str, tuple[int, int]]:
    """Rounds and voids of every Dealer."""
    dealt, void = Counter[str](), Counter[str]()
    for one in rounds:
        dealt[one.dealer] += 1
        void[one.dealer] += one.void_clause is not None
    return {dealer: (dealt[dealer], void[dealer]) for dealer in sorted(dealt)}


# ---- from the journal


def read_told(store: Store, stream: str) -> TableSoFar:
    """What the journal says; of a long history the newest."""
    events = _events(store, stream)
    opened = max((event.at for event in events if isinstance(event, m.TableOpened)), default=None)
    return TableSoFar(events, None if opened is None else _flows(store, stream, opened))


def read_rounds(store: Store, stream: str, begin: int, end: int) -> list[EndedRound]:
    """The rounds of a table that ended in a span of time."""
    whole = Chronicle()
    whole.tell_again(TableSoFar(_events(store, stream), None))
    return [one for one in whole.rounds.values() if begin <= one.at < end]


def _events(store: Store, stream: str) -> list[Any]:
    subject = start(store, stream).subject
    assert isinstance(subject, TableSubject)
    rows = store.search(stream, _WORDS)[-3 * MOST :]
    return [event for seq in rows for event in subject.read(row_at(store, stream, seq)).events]


def _flows(store: Store, stream: str, end: int) -> Flows:
    flows: dict[str, dict[Any, int]] = {}
    for source, target, reason, amount in store.flows(stream, 0, end):
        for account, change in ((source, -amount), (target, amount)):
            moved = flows.setdefault("tickets" if account.startswith("ticket:") else account, {})
            moved[reason] = moved.get(reason, 0) + change
    return flows
