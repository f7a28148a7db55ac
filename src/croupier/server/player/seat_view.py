"""What only the Player of a seat may see: bets, last rounds with the credit before and after them, and notices.

The bets of a round are sorted by seat once, however many seats ask.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from croupier.floor.floor import LiveTable
from croupier.ledger import post, terminal
from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.rules.statement import Statement
from croupier.server.player.notices import loss_notice, notices_of
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, BetId, Paid, RoundNumber, SeatId
from croupier.table.movements import RoundSums
from croupier.table.snapshot import AT_HAND
from croupier.table.state import LaidBet, PastRound, Round, Seat

KEPT_NOTICES = 5

BySeat = dict[SeatId, list[LaidBet]]


class SeatViews:
    """The private state of every seat of a table."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self._notices: defaultdict[SeatId, deque[p.Notice]] = defaultdict(lambda: deque(maxlen=KEPT_NOTICES))
        self._boxes: dict[BetId, str] = {}
        """The box of each bet of the round, as it was placed, for notices."""
        self._lying: tuple[object, BySeat] = (None, {})
        self._fates: tuple[object, dict[BetId, Paid]] = (None, {})
        self._over: dict[RoundNumber, BySeat] = {}
        self._sums: dict[RoundNumber, RoundSums] = {}
        self._before: dict[RoundNumber, dict[SeatId, Cents]] = {}
        self._after: dict[RoundNumber, dict[SeatId, Cents]] = {}

    def view(self, seat: SeatId, seq: int) -> p.Own:
        sitting, number = self.live.table.seats.get(seat), self.live.table.round_number
        if sitting is None or sitting.gone:
            owes = sitting.owes if sitting else Cents(0)
            return p.Own(seq, False, "", Cents(0), Cents(0), owes, True, (), None, (), number)
        notices = (*map(loss_notice, self.live.recorder.losses), *self._notices.get(seat, ()))
        bets, last = self._bets(seat), self._last(sitting)
        money = (sitting.credit, sitting.held, sitting.owes)
        return p.Own(seq, True, sitting.layout, *money, sitting.connected, bets, last, notices, number)

    # ---- bets and rounds

    def _bets(self, seat: SeatId) -> tuple[p.OwnBet, ...]:
        round = self.live.table.round
        if round is None:
            return ()
        now = (self.live.recorder, self.live.recorder.place.seq)
        if self._lying[0] != now:
            self._lying = (now, _by_seat(round))
        if self._fates[0] is not round.fates:
            self._fates = (round.fates, {paid.bet: paid for paid in round.fates})
        fates = self._fates[1]
        return tuple(bet_shown(bet, fates.get(bet.id)) for bet in self._lying[1].get(seat, ()) if bet.stake)

    def _last(self, seat: Seat) -> p.OwnRound | None:
        """The last finished round, if this Player had a bet in it."""
        number = max(self.live.table.past, default=None)
        if number is None or number < seat.since:
            return None
        return self._round(seat.id, self.live.table.past[number], with_sums=False)

    def last_rounds(self, seat: Seat) -> list[p.OwnRound]:
        """The Player's rounds that are in memory, the newest first."""
        past = self.live.table.past
        numbers = (number for number in sorted(past, reverse=True) if number >= seat.since)
        found = (self._round(seat.id, past[number], with_sums=True) for number in numbers)
        return [round for round in found if round is not None]

    def _round(self, seat: SeatId, over: PastRound, *, with_sums: bool) -> p.OwnRound | None:
        bets = self._over.get(over.number)
        if bets is None:
            for gone in set(self._over) - set(self.live.table.past):
                del self._over[gone]
                self._sums.pop(gone, None)
            bets = self._over[over.number] = _by_seat(over.round)
        before, after = (kept.get(over.number, {}).get(seat) for kept in (self._before, self._after))
        words = self.live.table.law_of(over.number).book.announce(over.outcome) if over.outcome else ""
        sums = self._round_sums(over)
        return round_shown(over, bets.get(seat, ()), words, before, after, sums, with_sums=with_sums)

    def _round_sums(self, over: PastRound) -> RoundSums:
        sums, law = self._sums.get(over.number), self.live.table.law_of(over.number)
        if sums is None:
            sums = self._sums[over.number] = RoundSums(over, law.book, law.layouts)
        return sums

    def without_credit(self, seat: Seat) -> list[RoundNumber]:
        """Rounds in memory that ended before this door opened, so that the credit around them is not known."""
        return [number for number in self.live.table.past if number >= seat.since and number not in self._after]

    def learn(self, number: RoundNumber, before: dict[SeatId, Cents], after: dict[SeatId, Cents]) -> None:
        self._before[number], self._after[number] = before, after

    # ---- events, after a commit or read back from the journal

    def note(self, events: Iterable[AnyEvent]) -> None:
        """Keep the notices that events call for."""
        for event in events:
            match event:
                case m.BettingOpened():
                    self._boxes.clear()
                case m.BetPlaced():
                    self._boxes[event.bet] = event.box
            for seat, notice in notices_of(event, self._boxes):
                self._notices[seat].append(notice)
            if isinstance(event, m.SeatTaken):  # the notices of the Player before are not for this one
                self._notices.pop(event.seat, None)

    def note_credit(self, entries: Sequence[AnyEntry]) -> None:
        """Keep every Player's credit when bets opened, and after payment.

        The table already stands after all entries, so the transfers of later entries are taken back.
        """
        for number, entry in enumerate(entries):
            for event in entry.events:
                if isinstance(event, m.BettingOpened):
                    self._before[event.round] = self._credit_before(entries[number + 1 :])
                elif isinstance(event, m.WinnersPaid | m.RoundVoided) and event.round in self._before:
                    self._after[event.round] = self._credit_before(entries[number + 1 :])
        for kept in (self._before, self._after):
            while len(kept) > AT_HAND + 1:
                del kept[min(kept)]

    def _credit_before(self, then: Sequence[AnyEntry]) -> dict[SeatId, Cents]:
        name, seats = self.live.name, self.live.table.seats
        credit = {id: int(seat.credit) for id, seat in seats.items()}
        accounts = {terminal(name, id): id for id in seats} if then else {}
        for transfer in (one for entry in then for event in entry.events for one in post(name, event)):
            if transfer.target in accounts:
                credit[accounts[transfer.target]] -= transfer.amount
            if transfer.source in accounts:
                credit[accounts[transfer.source]] += transfer.amount
        return {id: Cents(amount) for id, amount in credit.items()}


def _by_seat(round: Round) -> BySeat:
    bets: BySeat = defaultdict(list)
    for bet in round.bets.values():
        bets[bet.seat].append(bet)
    return bets


def bet_shown(bet: LaidBet, paid: Paid | None, sums: tuple[Statement, ...] = ()) -> p.OwnBet:
    fate = p.BetFate(paid.collected, paid.winnings, paid.returned, paid.clause) if paid else None
    return p.OwnBet(bet.id, bet.box, bet.stake, bet.layout, fate, sums)


def round_shown(
    over: PastRound,
    bets: Iterable[LaidBet],
    words: str,
    before: Cents | None,
    after: Cents | None,
    sums: RoundSums,
    *,
    with_sums: bool = True,
) -> p.OwnRound | None:
    """A finished round with one Player's bets; None if no bet of theirs was left in it."""
    shown = []
    for bet in bets:
        paid = over.paid.get(bet.id) or over.round.returned.get(bet.id)
        if paid is None and over.void_clause and bet.stake:
            paid = sums.voided(bet)
        if paid is not None:
            shown.append(bet_shown(bet, paid, sums.of(bet) if with_sums else ()))
    if not shown:
        return None
    return p.OwnRound(over.number, over.outcome, over.void_clause, tuple(shown), words, before, after)
