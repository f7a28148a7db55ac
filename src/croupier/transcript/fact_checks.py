"""The facts that a transcript checks: a line `= word rest` must be what the evening gives for the word."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.ledger import TICKETS
from croupier.rules.money import format_money
from croupier.table import messages as m
from croupier.table.checks import seat_even_gone
from croupier.table.messages import AnyEvent, BetId, SeatId
from croupier.table.state import Seat, Table
from croupier.table.view import exposure, last_result
from croupier.transcript.sums import plain_sum, write_sum

if TYPE_CHECKING:
    from croupier.transcript.play import Evening


def difference(evening: Evening, fact: str) -> str | None:
    """How a fact of a transcript differs from the evening; None if it is true.

    Raises Refused or IndexError if the fact is incomplete or names what does not exist.
    """
    word, _, rest = fact.partition(" ")
    table = evening.table
    if SeatId(word) in table.seats:
        return _compared(word, rest, format_money(table.seats[SeatId(word)].credit))
    if word == "lit":  # in whatever order
        return _compared(word, " ".join(sorted(rest.split())), " ".join(sorted(_check_lit(evening, rest).split())))
    if word in _CHECKS:
        return _compared(word, rest.strip(), _CHECKS[word](evening, rest.strip()))
    if (fate := _fate(table, BetId(word))) is not None:
        return _compared(word, rest, fate)
    return f'"{word}" cannot be checked; name a seat, a bet or one of {", ".join(_CHECKS)}'


def _compared(what: str, expected: str, found: str) -> str | None:
    return None if _plain(expected) == _plain(found) else f"{what} should be: {expected}; it is: {found}"


def _plain(text: str) -> str:
    """Amounts may be written with or without commas."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def _fate(table: Table, bet: BetId) -> str | None:
    """A bet as the checks write it: what it holds, or what it got."""
    number = table.bet_rounds.get(bet)
    round = table.round if table.round and table.round.number == number else None
    round = table.past[number].round if number in table.past else round
    if round and bet in round.returned:
        return _fate_text(round.returned[bet])
    if table.round and bet in table.round.bets:
        fates = {paid.bet: paid for paid in table.round.fates}
        return _fate_text(fates.get(bet)) if bet in fates else f"holds {format_money(table.round.bets[bet].stake)}"
    for past in reversed(table.past.values()):
        if bet in past.round.bets:
            if past.void_clause and bet not in past.paid:
                return f"void ({past.void_clause})"
            return _fate_text(past.paid.get(bet))
    return None


def _fate_text(paid: m.Paid | None) -> str:
    if paid is None:
        return "off the table"
    if paid.winnings:
        return f"wins {format_money(paid.winnings)}, returned {format_money(paid.returned)} ({paid.clause})"
    if paid.collected:
        back = f", returned {format_money(paid.returned)}" if paid.returned else ""
        return f"loses {format_money(paid.collected)}{back} ({paid.clause})"
    return f"returned {format_money(paid.returned)} ({paid.clause})"


def _check_why(evening: Evening, rest: str) -> str:
    """What is asked for, if it is among the movements of this bet or seat; otherwise all of them."""
    name, _, asked = rest.partition(" ")
    moved = (one for turn in evening.turns for one in turn.moved if name in (one.bet, one.seat if not one.bet else ""))
    sums = [_plain(write_sum(one.sum)) for one in moved]
    wanted = _plain(plain_sum(asked))
    return rest if wanted in sums else f"{name} {'; '.join(sums) or 'nothing moved'}"


def _last(evening: Evening, *kinds: type[AnyEvent]) -> AnyEvent | None:
    events = (event for turn in reversed(evening.turns) for event in reversed(turn.events))
    return next((event for event in events if isinstance(event, kinds)), None)


def _check_house(evening: Evening, _: str) -> str:
    return format_money(evening.table.house)


def _check_void(evening: Evening, _: str) -> str:
    past = next(reversed(evening.table.past.values()), None)
    return (past.void_clause if past else None) or "no"


def _check_lit(evening: Evening, rest: str) -> str:
    lit = last_result(evening.table).lit
    if not lit:
        return "nothing"
    layout, colon, _ = rest.partition(": ")
    if colon and layout not in lit:
        return f"no area of {layout}, but of {', '.join(lit)}"
    if colon:
        return f"{layout}: {' '.join(lit[layout])}"
    return " ".join(next(iter(lit.values())))


def _check_dark(evening: Evening, _: str) -> str:
    return "no" if last_result(evening.table).lit else ""


_CALLED = (m.ResultAnnounced, m.LosersCollected, m.BettingOpened, m.BettingClosed, m.RoundVoided)


def _check_says(evening: Evening, _: str) -> str:
    called = (e for turn in reversed(evening.turns) for e in reversed(turn.events) if isinstance(e, _CALLED))
    # Under a book with moments, the announcement has the words, and the collection calls nothing.
    event = next((one for one in called if one.words or not isinstance(one, m.LosersCollected)), None)
    words = event.words if event else ""
    return words + (" with the bell" if isinstance(event, m.BettingClosed) and event.bell else "")


def _check_notified(evening: Evening, _: str) -> str:
    event = _last(evening, m.RoundVoided, m.ResultCorrected, m.SettledRoundVoided)
    return " ".join(getattr(event, "told", ()))


def _check_worst(evening: Evening, _: str) -> str:
    outcome, amount = next(iter(exposure(evening.table).items()))
    return f"{outcome} {format_money(amount)}"


def _check_exposure(evening: Evening, rest: str) -> str:
    outcome = evening.table.book.space.parse(rest.split()[0])
    return f"{outcome} {format_money(exposure(evening.table)[outcome])}"


def _check_owes(evening: Evening, rest: str) -> str:
    seat = _seat_named(evening, rest)
    return f"{seat.id} {format_money(seat.owes)}"


def _check_colour(evening: Evening, rest: str) -> str:
    seat = _seat_named(evening, rest)
    given = [e for turn in evening.turns for e in turn.events if isinstance(e, m.ColourGiven) and e.seat == seat.id]
    if seat.colour is None:
        return f"{seat.id} none"
    marked = " with a marker" if given[-1].marker else ""
    return f"{seat.id} {seat.colour[0]} {format_money(seat.colour[1])}{marked}"


def _seat_named(evening: Evening, rest: str) -> Seat:
    return seat_even_gone(evening.table, rest.split()[0])


def _check_events(evening: Evening, _: str) -> str:
    return " ".join(type(event).__name__ for event in evening.turns[-1].events) or "none"


def _check_cites(evening: Evening, _: str) -> str:
    """The clauses that the events of the last act cite, each once."""
    names = ("clause", "lit_clause", "dolly_clause")
    clauses = (getattr(event, name, None) for event in evening.turns[-1].events for name in names)
    return " ".join(dict.fromkeys(clause for clause in clauses if clause)) or "none"


def _check_notes(evening: Evening, _: str) -> str:
    """The last reported irregularity, and what the book lets follow from it."""
    event = _last(evening, m.Reported)
    return f"{event.irregularity} {event.consequence}" if isinstance(event, m.Reported) else "nothing"


def _check_light(evening: Evening, _: str) -> str:
    return "-".join(evening.table.entry) or "dark"


def _check_laws_of(evening: Evening, _: str) -> str:
    round = evening.table.round
    limits = round.limits if round else evening.table.limits
    return f"{format_money(limits.minimum['*'])} to {format_money(limits.maximum['*'])}"


_CHECKS: dict[str, Callable[[Evening, str], str]] = {
    "house": _check_house,
    "tickets": lambda evening, _: format_money(evening.balances[TICKETS]),
    "void": _check_void,
    "lit": _check_lit,
    "dark": _check_dark,
    "says": _check_says,
    "told": _check_notified,
    "why": _check_why,
    "worst": _check_worst,
    "exposure": _check_exposure,
    "owes": _check_owes,
    "colour": _check_colour,
    "events": _check_events,
    "cites": _check_cites,
    "notes": _check_notes,
    "light": _check_light,
    "limits": _check_laws_of,
    "book": lambda evening, _: evening.table.book.id,
    "planned": lambda evening, _: evening.table.planned.id if evening.table.planned else "none",
    "phase": lambda evening, _: evening.table.phase,
    "round": lambda evening, _: str(
        evening.table.round.number if evening.table.round else evening.table.next_round - 1
    ),
    "locked": lambda evening, _: evening.table.locked or "no",
    "requests": lambda evening, _: " ".join(map(str, evening.table.requests)) or "none",
}
