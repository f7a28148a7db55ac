"""The state of a table that all of its terminals see: the whole room, or numbered news of what changed.

Each message is encoded once, however many terminals receive it.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.floor.floor import LiveTable
from croupier.protocol import terminal as p
from croupier.rules.rulebook import Rulebook
from croupier.server.player.notices import seats_changed
from croupier.server.player.records import Records
from croupier.server.player.seat_view import SeatViews
from croupier.store.clock import Clock
from croupier.store.journal import Store, read_rows
from croupier.store.streams.entry import NO_COMMANDS, AnyEntry
from croupier.table import messages as m
from croupier.table.checks import struck_phase
from croupier.table.evidence import standing_still
from croupier.table.messages import AnyEvent, SeatId
from croupier.table.permits import SYSTEM
from croupier.table.state import OPEN_FOR_BETS, Table
from croupier.table.view import in_play, last_result

PAST = 60
"""Past results shown to the room, for information only."""
READ_BACK = 10_000
"""Rows that are read when a door opens, for earlier results and notices."""
KEPT_NEWS = 64
"""News kept for terminals that reconnect; one that missed more receives the whole room."""

encode = msgspec.json.Encoder().encode
_WITHOUT_NEWS = NO_COMMANDS | {m.PlaceBet.__name__, m.WithdrawBet.__name__}
"""Kinds of rows that leave neither a past result nor a notice."""


class RoomUpdate(NamedTuple):
    """What terminals receive after a commit."""

    news: bytes | None
    seats: set[SeatId]
    """Seats whose own state has changed."""


class RoomFeed:
    """One table as its terminals see it."""

    def __init__(self, live: LiveTable, store: Store, clock: Clock) -> None:
        self.live = live
        self._clock = clock
        # Numbers only grow, over restarts too: each owner of a table has a higher epoch than the one before. A machine
        # that only follows the table starts at a random number, which no owner would take for one of its own.
        self.seq = secrets.randbits(32) if live.recorder.followed else live.recorder.lease.epoch << 32
        self._news: deque[tuple[int, bytes]] = deque(maxlen=KEPT_NEWS)
        self._seat_views = SeatViews(live)
        self._first = 0
        """The oldest round known at the start. Older rounds that are read later are not news."""
        self.cut_off: set[SeatId] = set()
        """Seats whose interruption the software itself recorded, so that it may restore them."""
        self._remember(store)
        self._view = self._room_view()
        self._closes_at = live.closes_at

    def _remember(self, store: Store) -> None:
        """Read the results and notices from before this door was opened."""
        live, recorder = self.live, self.live.recorder
        events: list[AnyEvent] = []
        for row in read_rows(store, live.name, max(1, recorder.place.seq - READ_BACK)):
            if row.kind not in _WITHOUT_NEWS:
                events += recorder.subject.read(row).events
        self._note(events)
        live.past_rounds.begin(events, live.table.past.values())
        self._first = min(live.past_rounds.rounds, default=0)

    # ---- after a commit

    def apply(self, entries: Sequence[AnyEntry]) -> RoomUpdate:
        """The messages that a commit calls for; without entries, those for changes outside the journal."""
        others = [entry for entry in entries if type(bet := entry.command) is not m.PlaceBet or bet.by != bet.seat]
        if entries and not others:
            return RoomUpdate(None, set())  # nearly every commit: bets, which only the seat that made them may see
        self._seat_views.note_credit(entries)
        seats: set[SeatId] = set()
        for entry in others:
            self._note(entry.events)
            for event in entry.events:
                seats.update(seats_changed(self.live.table, event))
        return RoomUpdate(self._difference(), seats)

    def _note(self, events: Sequence[AnyEvent]) -> None:
        self._seat_views.note(events)
        for event in events:
            match event:
                case m.TerminalsInterrupted() if event.by == SYSTEM:
                    self.cut_off.update(event.seats)
                case m.TerminalsInterrupted() | m.TerminalsRestored():
                    self.cut_off.difference_update(event.seats)

    def _difference(self) -> bytes | None:
        """The news since the last message; None if nothing changed."""
        old, new = self._view, self._room_view()
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

    def _room_view(self) -> p.RoomView:
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
            still=standing_still(table),
            law=table.book.hash,
        )

    def _past(self) -> tuple[p.PastShown, ...]:
        """The rounds that are over. A round whose bets are being paid is not over."""
        under_way = self.live.table.round.number if self.live.table.round else None
        newest = self.live.past_rounds.last(PAST + 1)
        over = [one for one in newest if one.round != under_way and one.round >= self._first]
        return tuple([p.PastShown(one.round, one.outcome, one.void_clause) for one in over[-PAST:]])

    # ---- to a terminal that connects

    def updates_since(self, seen: int) -> list[bytes]:
        """The updates since `seen`, or the whole room if there were too many."""
        if not self.seq - len(self._news) <= seen <= self.seq:
            return [encode(p.Room(self.seq, self._closes_in(), self._view))]
        missed = [news for number, news in self._news if number > seen]
        # Old news hold the countdown of their time, so one more update with the countdown of now follows them.
        return [*missed, self._as_news({})]

    def seat_message(self, seat: SeatId) -> bytes:
        return encode(self._seat_views.view(seat, self.seq))

    async def last_rounds(self, seat: SeatId, records: Records) -> tuple[p.OwnRound, ...]:
        """The Player's last rounds. Credit before and after a round comes from memory, or else from the journal."""
        sitting = self.live.table.seats.get(seat)
        if sitting is None or sitting.gone:
            return ()
        for number in self._seat_views.without_credit(sitting):
            self._seat_views.learn(number, *await records.credits(self.live, number))
        return tuple(self._seat_views.last_rounds(sitting))


_FIELDS = p.RoomView.__struct_fields__


def _call(table: Table, last: p.PastShown | None) -> p.CallShown | None:
    """The call that terminals show: the last of this round, or the call of No Spin after a round that was one."""
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
