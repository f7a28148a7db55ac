"""The past rounds of a table: the one projection of them, for terminals, displays, roads, pace and health.

It is read from the journal when the doors open, and follows the table from then on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from croupier.ledger import Flows
from croupier.store.history import start
from croupier.store.journal import Store, row_at
from croupier.store.streams.entry import AnyEntry
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import RoundNumber
from croupier.table.state import PastRound

MOST = 10_000
"""Past rounds of a table that are kept."""

_KINDS = (m.TableOpened, m.BettingOpened, m.LosersCollected, m.RoundVoided, m.ResultCorrected, m.SettledRoundVoided)
_WORDS = tuple(f'"type":"{kind.__name__}"'.encode() for kind in _KINDS)


class EndedRound(NamedTuple):
    """A round that is over."""

    round: RoundNumber
    at: int
    outcome: str | None
    void_clause: str | None
    dealer: str
    """The Dealer who opened the betting."""


class TableHistory(NamedTuple):
    """The events of a table in the journal that concern past rounds."""

    events: list[Any]
    before: Flows | None
    """The money that had moved before the table was last opened."""


class PastRounds:
    """The rounds of one table that are over or being paid, the oldest first, and when it was last opened.

    They have two sources: `follow` takes the new entries, and `load` takes the history that was read from the journal
    meanwhile. The events that arrive before `load` are kept, and applied again after the history. A door that opens
    before that puts in the newest rounds with `begin`.
    """

    def __init__(self) -> None:
        self.rounds: dict[int, EndedRound] = {}
        self.opened: int | None = None
        self.before: Flows | None = None
        """The money that had moved before the table was opened; None while it is not known."""
        self.betting = (0, 0)
        """The last round in which betting was opened, and when."""
        self._dealer = ""
        self._followed: list[Any] | None = []
        """The events that arrived before `load`; None after it."""

    def follow(self, entries: Sequence[AnyEntry], flows: Flows) -> None:
        """Apply the entries of a commit. `flows` is the money that has moved at the table so far."""
        for entry in entries:
            if type(entry.command) is m.PlaceBet:
                continue  # there are thousands of bets, and none ends a round
            for event in entry.events:
                if isinstance(event, _KINDS):
                    self._apply(event)
                    if self._followed is not None:
                        self._followed.append(event)
                if isinstance(event, m.TableOpened):
                    self.before = {account: dict(moved) for account, moved in flows.items()}

    def begin(self, events: Iterable[Any], at_hand: Iterable[PastRound]) -> None:
        """Put in the newest past rounds: events of the last rows, and the rounds that the table itself keeps.

        Does nothing after `load`.
        """
        if self._followed is None:
            return
        self._rebuild([event for event in events if isinstance(event, _KINDS)])
        for over in at_hand:
            known = self.rounds.get(over.number, EndedRound(over.number, 0, None, None, ""))
            self.rounds[over.number] = known._replace(outcome=over.outcome, void_clause=over.void_clause)
        self.rounds = dict(sorted(self.rounds.items()))

    def load(self, history: TableHistory) -> None:
        """Put in the whole history from the journal."""
        self._rebuild(history.events)
        self._followed = None
        self.before = self.before or history.before

    def _rebuild(self, events: Iterable[Any]) -> None:
        """Apply the events of the journal, and after them those that arrived meanwhile."""
        self.rounds = {}
        for event in (*events, *(self._followed or ())):
            self._apply(event)

    def _apply(self, event: Any) -> None:
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
                self.rounds[event.round] = self.rounds[event.round]._replace(outcome=event.outcome, void_clause=None)
            case m.SettledRoundVoided() if event.round in self.rounds:
                one = self.rounds[event.round]
                self.rounds[event.round] = one._replace(outcome=None, void_clause=event.clause)
        while len(self.rounds) > MOST:
            del self.rounds[next(iter(self.rounds))]

    def last(self, most: int) -> list[EndedRound]:
        """The newest rounds, the oldest of them first."""
        return list(islice(reversed(self.rounds.values()), most))[::-1]

    def outcomes(self) -> list[str]:
        """The outcomes, the oldest first."""
        return [one.outcome for one in self.rounds.values() if one.outcome is not None]


def by_dealer(rounds: Iterable[EndedRound]) -> dict[str, tuple[int, int]]:
    """The number of rounds and of void rounds of each Dealer."""
    dealt, void = Counter[str](), Counter[str]()
    for one in rounds:
        dealt[one.dealer] += 1
        void[one.dealer] += one.void_clause is not None
    return {dealer: (dealt[dealer], void[dealer]) for dealer in sorted(dealt)}


# ---- from the journal


def read_history(store: Store, stream: str) -> TableHistory:
    """The history of a table from the journal; only the newest events of a long one."""
    events = _events(store, stream)
    opened = max((event.at for event in events if isinstance(event, m.TableOpened)), default=None)
    return TableHistory(events, None if opened is None else _flows(store, stream, opened))


def read_rounds(store: Store, stream: str, begin: int, end: int) -> list[EndedRound]:
    """The rounds of a table that ended in a span of time."""
    whole = PastRounds()
    whole.load(TableHistory(_events(store, stream), None))
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
