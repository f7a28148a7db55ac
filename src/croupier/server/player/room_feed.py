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
from croupier.table.view import in_play, last_result

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
        self._first = 0
        """The oldest round that was known when this began: what is learned later of the time before is not news."""
        self.cut_off: set[SeatId] = set()
        """Terminals that the software itself held for interrupted, and may restore."""
        self._remember(store)
        self._view = self._look()
        self._closes_at = live.closes_at

    def _remember(self, store: Store) -> None:
        """Results and notices from before this door was opened."""
        live, recorder = self.live, self.live.recorder
        told: list[AnyEvent] = []
        for row in read_rows(store, live.name, max(1, recorder.place.seq - LOOKED_AT)):
            if row.kind not in _UNTOLD:
                told += recorder.subject.read(row).events
        self._note(told)
        live.past_rounds.begin(told, live.table.past.values())
        self._first = min(live.past_rounds.rounds, default=0)

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
        table, past = self.live.table, self._past()
        shown = last_result(table)
        return p.RoomView(
            phase=table.phase,
            round=table.round_number,
            open=table.open,
            locked=table.locked is not None,
            stopped=self.live.stopped is not None and not self.live.away,
            away=self.live.away,
            call=_call(table, past[-1] if past else None),
            count=table.motion.count,
            layouts=in_play(table),
            limits=table.round.limits if table.round else table.limits,
            result=shown.outcome,
            words=shown.words,
            lit=shown.lit,
            past=past,
            betting=table.phase in OPEN_FOR_BETS,
        )

    def _past(self) -> tuple[p.PastShown, ...]:
        """The rounds that are over; one whose bets are being paid is not yet."""
        under_way = self.live.table.round.number if self.live.table.round else None
        newest = self.live.past_rounds.last(PAST + 1)
        over = [one for one in newest if one.round != under_way and one.round >= self._first]
        return tuple([p.PastShown(one.round, one.outcome, one.void_clause) for one in over[-PAST:]])

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
