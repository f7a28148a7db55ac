"""What belongs to each seat of a table: its bets, its last rounds, its credit around them, and its notices.

However many seats ask, the bets of a round are gone through once.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from croupier.floor.floor import LiveTable
from croupier.ledger import post, terminal
from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.server.player.notices import loss_notice, notices
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import AnyEvent, BetId, Paid, RoundNumber, SeatId
from croupier.table.snapshot import AT_HAND
from croupier.table.state import LaidBet, PastRound, Round, Seat

KEPT_NOTICES = 5

BySeat = dict[SeatId, list[LaidBet]]


class Owns:
    """Everything that only one Player of a table may see, for each of them."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self._notices: defaultdict[SeatId, deque[p.Notice]] = defaultdict(lambda: deque(maxlen=KEPT_NOTICES))
        self._lying: tuple[object, BySeat] = (None, {})
        self._fates: tuple[object, dict[BetId, Paid]] = (None, {})
        self._over: dict[RoundNumber, BySeat] = {}
        self._before: dict[RoundNumber, dict[SeatId, Cents]] = {}
        self._after: dict[RoundNumber, dict[SeatId, Cents]] = {}

    def own(self, seat: SeatId, seq: int) -> p.Own:
        there, number = self.live.table.seats.get(seat), self.live.table.round_number
        if there is None or there.gone:
            owes = there.owes if there else Cents(0)
            return p.Own(seq, False, "", Cents(0), Cents(0), owes, True, (), None, (), number)
        told = (*map(loss_notice, self.live.recorder.losses), *self._notices.get(seat, ()))
        bets, last = self._bets(seat), self._last(there)
        money = (there.credit, there.held, there.owes)
        return p.Own(seq, True, there.layout, *money, there.connected, bets, last, told, number)

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
        return tuple(own_bet(bet, fates.get(bet.id)) for bet in self._lying[1].get(seat, ()) if bet.stake)

    def _last(self, seat: Seat) -> p.OwnRound | None:
        """The last round that is over, if this Player had a bet in it."""
        number = max(self.live.table.past, default=None)
        return None if number is None or number < seat.since else self._round(seat.id, self.live.table.past[number])

    def last_rounds(self, seat: Seat) -> list[p.OwnRound]:
        """His rounds that are at hand, the newest first."""
        past = self.live.table.past
        found = (self._round(seat.id, past[number]) for number in sorted(past, reverse=True) if number >= seat.since)
        return [round for round in found if round is not None]

    def _round(self, seat: SeatId, over: PastRound) -> p.OwnRound | None:
        bets = self._over.get(over.number)
        if bets is None:
            for gone in set(self._over) - set(self.live.table.past):
                del self._over[gone]
            bets = self._over[over.number] = _by_seat(over.round)
        before, after = (kept.get(over.number, {}).get(seat) for kept in (self._before, self._after))
        words = self.live.table.book.announce(over.outcome) if over.outcome else ""
        return own_round(over, bets.get(seat, ()), words, before, after)

    def untold(self, seat: Seat) -> list[RoundNumber]:
        """Rounds at hand of which the credit around them is not known here: they ended before this door was opened."""
        return [number for number in self.live.table.past if number >= seat.since and number not in self._after]

    def learn(self, number: RoundNumber, before: dict[SeatId, Cents], after: dict[SeatId, Cents]) -> None:
        self._before[number], self._after[number] = before, after

    # ---- after a commit, and before a door opens

    def note(self, events: Iterable[AnyEvent]) -> None:
        """Keep what Players must be told."""
        for event in events:
            for seat, notice in notices(event):
                self._notices[seat].append(notice)
            if isinstance(event, m.SeatTaken):  # another Player: what concerned the one before is not his
                self._notices.pop(event.seat, None)

    def note_credit(self, entries: Sequence[AnyEntry]) -> None:
        """What every Player had when bets opened, and when all was paid.

        The table stands after all the entries; what those that follow moved is taken back.
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


def own_bet(bet: LaidBet, paid: Paid | None) -> p.OwnBet:
    fate = p.BetFate(paid.collected, paid.winnings, paid.returned, paid.clause) if paid else None
    return p.OwnBet(bet.id, bet.box, bet.stake, bet.layout, fate)


def own_round(
    over: PastRound, bets: Iterable[LaidBet], words: str, before: Cents | None, after: Cents | None
) -> p.OwnRound | None:
    """A round that is over as one Player had it; None if no bet of his was left in it."""
    told = []
    for bet in bets:
        paid = over.paid.get(bet.id) or over.round.returned.get(bet.id)
        if paid is None and over.void_clause and bet.stake:
            # Void before a result: every stake that still lay there went back whole.
            paid = Paid(bet.id, bet.seat, Cents(0), Cents(0), bet.stake, over.void_clause)
        if paid is not None:
            told.append(own_bet(bet, paid))
    if not told:
        return None
    return p.OwnRound(over.number, over.outcome, over.void_clause, tuple(told), words, before, after)
