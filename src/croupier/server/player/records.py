"""Players' questions to the journal: their rounds, a receipt. A thread reads the answers, so that no bet waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from croupier.floor.floor import Floor, LiveTable
from croupier.ledger import terminal
from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused, Unavailable
from croupier.server.journal_reader import JournalReader
from croupier.server.player.seat_view import round_shown
from croupier.store.checkpoint import signing_key
from croupier.store.journal import Indeterminate, Reply, Store, row_at
from croupier.store.receipt import receipt_of
from croupier.store.rounds import RoundFound, find_round, sums_of
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import RoundNumber, SeatId

T = TypeVar("T")
MOST_WAITING = 50
"""Questions that may wait. One is answered at a time."""


class Credits(NamedTuple):
    """Every Player's credit before and after a round."""

    before: dict[SeatId, Cents]
    after: dict[SeatId, Cents]


class Records:
    """Answers questions from the journal, one after another, in one thread."""

    def __init__(self, floor: Floor) -> None:
        self._key = signing_key(floor.premises.keys)
        self._journal = JournalReader(
            floor, floor.premises.reader, at_once=1, most_waiting=MOST_WAITING, busy="questions"
        )

    def close(self) -> None:
        self._journal.close()

    async def round(self, live: LiveTable, seat: SeatId, number: int) -> p.OwnRound:
        """A finished round with one Player's bets. Refused if the round was before that Player's time."""
        if not _played(live, seat, number):
            raise Refused("round", "before", seat=seat, round=number)

        def read(store: Store) -> p.OwnRound | None:
            found = find_round(store, live.name, number)
            credits = _credits(found)
            bets = [bet for bet in found.past.round.bets.values() if bet.seat == seat]
            words = found.evening.table.book.announce(found.past.outcome) if found.past.outcome else ""
            before, after = credits.before.get(seat), credits.after.get(seat)
            return round_shown(found.past, bets, words, before, after, sums_of(found))

        round = await self._read(read)
        if round is None:
            raise Refused("round", "no-bet", seat=seat, round=number)
        return round

    async def credits(self, live: LiveTable, number: RoundNumber) -> Credits:
        """Every Player's credit before and after a round."""
        return await self._read(lambda store: _credits(find_round(store, live.name, number)))

    async def receipt(self, live: LiveTable, seat: SeatId, bet: str, round: int | None) -> str:
        """The receipt of a bet of this Player. Refused if they have no such bet."""
        subject = live.recorder.subject
        assert isinstance(subject, TableSubject)
        number = round if round is not None else live.table.bet_rounds.get(m.BetId(bet), 0)
        if not _played(live, seat, number):
            raise Refused("round", "bet-before", seat=seat, bet=bet)
        id = f"bet {number}/{bet}"
        recent = live.recorder.row_of(id)

        def read(store: Store) -> str:
            reply = Reply(id, recent) if recent else store.reply(live.name, id)
            row = row_at(store, live.name, reply.seq) if reply else None
            placed = next((e for e in subject.read(row).events if isinstance(e, m.BetPlaced)), None) if row else None
            if row is None or placed is None or placed.seat != seat:
                raise Refused("bet", "not-in-round", seat=seat, bet=bet, round=number)
            return receipt_of(subject, row, self._key)

        return await self._read(read)

    async def _read(self, question: Callable[[Store], T]) -> T:
        try:
            return await self._journal.ask(question)
        except Indeterminate:
            raise Unavailable("store", "no-answer") from None


def _played(live: LiveTable, seat: SeatId, number: int) -> bool:
    """False for rounds before this Player took the seat: those belong to another Player."""
    sitting = live.table.seats.get(seat)
    return sitting is not None and not sitting.gone and number >= sitting.since


def _credits(found: RoundFound) -> Credits:
    """The credit after payment, and the credit when bets opened, which follows from the transfers in between."""
    table = found.evening.table
    after = {id: seat.credit for id, seat in table.seats.items()}
    before = {id: int(credit) for id, credit in after.items()}
    accounts = {terminal(table.setup.table, id): id for id in after}
    for turn in reversed(found.evening.turns):
        if any(isinstance(event, m.BettingOpened) for event in turn.events):
            break
        for one in turn.transfers:
            if one.target in accounts:
                before[accounts[one.target]] -= one.amount
            if one.source in accounts:
                before[accounts[one.source]] += one.amount
    return Credits({id: Cents(credit) for id, credit in before.items()}, after)
