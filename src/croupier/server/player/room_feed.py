"""What a table tells all of its terminals: the room, numbered, whole or as what has changed, encoded once for all."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.floor.floor import LiveTable
from croupier.protocol import terminal as p
from croupier.rules.rulebook import Rulebook
from croupier.server.player.notices import touched
from croupier.server.player.records import Records
from croupier.server.player.seat_view import Owns
from croupier.store.clock import Clock
from croupier.store.journal import Store, read_rows
from croupier.store.streams.entry import NO_COMMANDS, AnyEntry
from croupier.table import messages as m
from croupier.table.checks import struck_phase
from croupier.table.messages import AnyEvent, SeatId
from croupier.table.permits import SYSTEM
from croupier.table.state import OPEN_FOR_BETS, Table

PAST = 60
"""Results told to the room, for information only."""
LOOKED_AT = 10_000
"""Rows that are read again when a door opens, for results and notices from before."""
KEPT_NEWS = 64
"""News that a terminal which comes back can be told instead of everything."""

encode = msgspec.json.Encoder().encode
_UNTOLD = NO_COMMANDS | {m.PlaceBet.__name__, m.WithdrawBet.__name__}
"""Rows of which there is nothing to tell later."""


class RoomNews(NamedTuple):
    """What is to be told after a commit."""

    news: bytes | None
    seats: set[SeatId]
    """Those whose own has changed."""


class RoomFeed:
    """One table as its terminals see it."""

    def __init__(self, live: LiveTable, store: Store, clock: Clock) -> None:
        self.live = live
        self._clock = clock
        # Numbers ascend, over restarts too: every owner of a table has a higher epoch than the one before. One who
        # only follows it has numbers of his own, which no owner knows.
        self.seq = secrets.randbits(32) if live.recorder.followed else live.recorder.lease.epoch << 32
        self._news: deque[tuple[int, bytes]] = deque(maxlen=KEPT_NEWS)
        self._owns = Owns(live)
        self._past: dict[int, p.PastShown] = {}
        self._result: str | None = None
        """The result that was confirmed last, while its bets are being paid."""
        self._lit: dict[tuple[str, tuple[str, ...]], tuple[str, dict[str, tuple[str, ...]]]] = {}
        self.cut_off: set[SeatId] = set()
        """Terminals that the software itself held for interrupted, and may restore."""
        self._remember(store)
        self._view = self._look()
        self._closes_at = live.closes_at

    def _remember(self, store: Store) -> None:
        """Results and notices from before this door was opened."""
        recorder = self.live.recorder
        for row in read_rows(store, self.live.name, max(1, recorder.place.seq - LOOKED_AT)):
            if row.kind not in _UNTOLD:
                self._note(recorder.subject.read(row).events)
        for number, over in self.live.table.past.items():
            self._past[number] = p.PastShown(number, over.outcome, over.void_clause)
        self._past = dict(sorted(self._past.items())[-PAST:])

    # ---- after a commit

    def hear(self, entries: Sequence[AnyEntry]) -> RoomNews:
        """What there is to tell of a commit; without entries, of what has changed beside it."""
        told = [entry for entry in entries if type(bet := entry.command) is not m.PlaceBet or bet.by != bet.seat]
        if entries and not told:
            return RoomNews(None, set())  # nearly every commit: the answers tell it, and nobody else may know
        self._owns.note_credit(entries)
        seats: set[SeatId] = set()
        for entry in told:
            self._note(entry.events)
            for event in entry.events:
                seats.update(touched(self.live.table, event))
        return RoomNews(self._difference(), seats)

    def _note(self, events: Sequence[AnyEvent]) -> None:
        self._owns.note(events)
        for event in events:
            match event:
                case m.TerminalsInterrupted() if event.by == SYSTEM:
                    self.cut_off.update(event.seats)
                case m.TerminalsInterrupted() | m.TerminalsRestored():
                    self.cut_off.difference_update(event.seats)
                case m.LosersCollected():
                    self._result = event.outcome
                case m.WinnersPaid():
                    self._add(p.PastShown(event.round, self._result, None))
                case m.RoundVoided():
                    self._add(p.PastShown(event.round, None, event.clause))
                case m.ResultCorrected() if event.round in self._past:
                    self._past[event.round] = p.PastShown(event.round, event.outcome, None)
                case m.SettledRoundVoided() if event.round in self._past:
                    self._past[event.round] = p.PastShown(event.round, None, event.clause)

    def _add(self, past: p.PastShown) -> None:
        self._past[past.round] = past
        while len(self._past) > PAST:
            del self._past[min(self._past)]

    def _difference(self) -> bytes | None:
        """The news since the last; None if there are none."""
        old, new = self._view, self._look()
        changed = {name: getattr(new, name) for name in _FIELDS if getattr(new, name) != getattr(old, name)}
        if "past" in changed:
            changed["past"] = tuple(one for one in new.past if one not in old.past)
        if not changed and self._closes_at == self.live.closes_at:
            return None
        self._view, self._closes_at = new, self.live.closes_at
        self.seq += 1
        news = self._as_news(changed)
        self._news.append((self.seq, news))
        return news

    def _as_news(self, changed: dict[str, object]) -> bytes:
        raw = {name: msgspec.Raw(encode(value)) for name, value in changed.items()}
        return encode(p.News(self.seq, self._closes_in(), raw))

    def _closes_in(self) -> int | None:
        closes = self.live.closes_at
        return None if closes is None else max(0, closes - self._clock.now())

    def _look(self) -> p.RoomView:
        table, last = self.live.table, next(reversed(self._past.values()), None)
        settling = table.round is not None and struck_phase(table) == "settling"
        result = table.round.outcome if table.round and settling else last.outcome if last else None
        layouts = table.round.layouts if table.round else table.displayed
        words, lit = self._lit_for(result, layouts) if result else ("", {})
        return p.RoomView(
            phase=table.phase,
            round=table.round_number,
            open=table.open,
            locked=table.locked is not None,
            stopped=self.live.stopped is not None and not self.live.away,
            away=bool(self.live.away),
            call=_call(table, last),
            count=table.motion.count,
            layouts=layouts,
            limits=table.round.limits if table.round else table.limits,
            result=result,
            words=words,
            lit=lit,
            past=tuple(self._past.values()),
            betting=table.phase in OPEN_FOR_BETS,
        )

    def _lit_for(self, result: str, layouts: tuple[str, ...]) -> tuple[str, dict[str, tuple[str, ...]]]:
        if (result, layouts) not in self._lit:
            table = self.live.table
            lit: dict[str, tuple[str, ...]] = {id: table.layouts[id].lit(result) for id in layouts}
            self._lit[result, layouts] = table.book.announce(result), lit
        return self._lit[result, layouts]

    # ---- to one who comes

    def since(self, seen: int) -> list[bytes]:
        """What one must be told who has seen so much: the news he missed, or everything."""
        if not self.seq - len(self._news) <= seen <= self.seq:
            return [encode(p.Room(self.seq, self._closes_in(), self._view))]
        missed = [news for number, news in self._news if number > seen]
        # Old news tell how long bets were open then: the last word is how long they are now.
        return [*missed, self._as_news({})]

    def own(self, seat: SeatId) -> bytes:
        return encode(self._owns.own(seat, self.seq))

    async def last_rounds(self, seat: SeatId, records: Records) -> tuple[p.OwnRound, ...]:
        """A Player's rounds at hand; what is not remembered here of his credit around them the journal tells."""
        there = self.live.table.seats.get(seat)
        if there is None or there.gone:
            return ()
        for number in self._owns.untold(there):
            self._owns.learn(number, *await records.credits(self.live, number))
        return tuple(self._owns.last_rounds(there))


_FIELDS = p.RoomView.__struct_fields__


def _call(table: Table, last: p.PastShown | None) -> p.CallShown | None:
    """What stands to be read on a terminal: what was called last in this round, or that the last one was no spin."""
    phase = struck_phase(table)
    if phase in OPEN_FOR_BETS:
        return call_of(table.book, "place-your-bets")
    if table.round is not None:
        return call_of(table.book, "no-more-bets")
    no_spin = call_of(table.book, "no-spin")
    void = last.void if last and last.void else ""
    return no_spin if no_spin and void.startswith(no_spin.clause) else None


def call_of(book: Rulebook, id: str) -> p.CallShown | None:
    return next(
        (p.CallShown(call.id, call.words, call.clause, call.bell) for call in book.calls if call.id == id), None
    )
