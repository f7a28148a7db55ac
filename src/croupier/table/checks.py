"""The questions that decisions ask of a table: finding its parts, and refusing what is not possible now."""

from __future__ import annotations

from typing import Literal

from croupier.rules import schema
from croupier.rules.money import MOST
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.table import messages as m
from croupier.table.limits import unknown_boxes
from croupier.table.messages import AnyCommand, AnyEvent, BetId, Limits, SeatId
from croupier.table.state import OPEN_FOR_BETS, TRANSITIONS, LaidBet, Round, Seat, Table

Events = list[AnyEvent]


def check_name(what: str, name: str) -> None:
    """Refuse a name that would be ambiguous in a transcript: spaces, `#`, quotes, a leading `=`."""
    # The plain space is the only space that Python calls printable.
    if not 0 < len(name) <= 64 or not name.isprintable() or " " in name or "#" in name or '"' in name or name[0] == "=":
        shown = name if len(name) <= 64 else f"{name[:64]}…"
        raise Refused("name", "not-a-name", name=shown if shown.isprintable() else repr(shown)[1:-1], what=what)


def seat_of(table: Table, id: str) -> Seat:
    seat = table.seats.get(SeatId(id))
    if seat is None or seat.gone:
        raise Refused("seat", "none", seat=id)
    return seat


def seat_even_gone(table: Table, id: str) -> Seat:
    """A seat, also of a Player who has left: they may still have credit or owe."""
    return table.seats.get(SeatId(id)) or seat_of(table, id)


def open_round(table: Table) -> Round:
    if table.round is None:
        raise Refused("phase", "no-round")
    return table.round


def bet_of(round: Round, id: BetId) -> LaidBet:
    bet = round.bets.get(id)
    if bet is None or not bet.stake:
        raise Refused("bet", "not-on-table", bet=id, round=round.number)
    return bet


def check_part(bet: LaidBet, amount: int) -> None:
    check_amount(amount)
    if amount > bet.stake:
        raise Refused("amount", "over-bet", bet=bet.id, seat=bet.seat, box=bet.box, held=bet.stake, amount=amount)


def check_amount(amount: int) -> None:
    if amount <= 0:
        raise Refused("amount", "not-above-zero", amount=amount)
    if amount > MOST:
        raise Refused("amount", "too-large", amount=amount, most=MOST)


def check_credit(seat: Seat, amount: int) -> None:
    if amount > seat.credit:
        raise Refused("credit", "short", seat=seat.id, credit=seat.credit, amount=amount)


def call_of(table: Table, id: str) -> schema.Call:
    return next(call for call in table.book.calls if call.id == id)


def irregularity_of(table: Table, id: str) -> schema.Irregularity:
    return irregularity_in(table.book, id)


def irregularity_in(book: Rulebook, id: str) -> schema.Irregularity:
    for part in book.irregularities:
        if part.id == id:
            return part
    known = tuple(part.id for part in book.irregularities)
    raise Refused("irregularity", "not-of-book", irregularity=id, book=book.id, known=known)


def irregularity_with(table: Table, consequence: str) -> schema.Irregularity:
    for part in table.book.irregularities:
        if part.consequence == consequence:
            return part
    raise Refused("irregularity", "no-clause", book=table.book.id)


def interruption_act(table: Table, was: str) -> schema.PhaseAct:
    """The book's rule for an interruption in this phase.

    Where nothing can have been seen under the cover, the round is void and nothing is attested (ruling 47), unless the
    House reads dice under the cover as an outcome.
    """
    found = next(act for phase, act in table.book.interruption.round.items() if phase == was)
    if found.act != "void-unseen":
        return found
    if table.reads("covered-dice-count"):
        return found.model_copy(update={"act": "attest"})
    return schema.PhaseAct(act="void", clause=found.otherwise)


def displayed(table: Table) -> list[Layout]:
    return [table.layouts[name] for name in table.displayed]


def check_boxes_named(table: Table, limits: Limits) -> None:
    """Refuse limits of a box that no layout of the book has: nobody would ever keep them."""
    for name in unknown_boxes(limits, table.layouts.values()) if table.book.refusals else ():
        raise Refused("limits", "no-box", table.book.limits.displayed_clause, box=name)


def check_open(table: Table) -> None:
    if not table.open:
        raise Refused("closed", "not-open")


def check_may_start(table: Table) -> None:
    check_open(table)
    if table.locked is not None:
        raise Refused("locked", "table", table.locked)


def check_phase(table: Table, command: AnyCommand, phase: str, clause: str | None = None) -> None:
    if table.phase != phase:
        raise Refused("phase", "only-in", clause, act=type(command).__name__, phase=table.phase, needed=phase)


def check_order(table: Table, command: AnyCommand, event: str, clause: str | None) -> None:
    """Refuse a command whose event the order of play does not allow in this phase."""
    if event not in TRANSITIONS[table.order].get(table.phase, {}):
        raise Refused("phase", "not-now", clause, act=type(command).__name__, phase=table.phase)


def betting_round(table: Table, late: Literal["late-bet", "late-withdrawal"]) -> Round:
    """The round, if bets are open. After the close, a bet or a withdrawal is refused by its clause."""
    if table.round is not None and table.phase in OPEN_FOR_BETS:
        return table.round
    if table.phase == "interrupted":
        raise Refused("interrupted", "bets-safe", table.book.interruption.clause)
    parts = [part for part in table.book.irregularities if part.consequence == "refuse" and table.phase in part.phases]
    for part in parts:
        if part.id == "early-bet" and late == "late-bet":
            raise Refused("early-bet", "unpaid", part.clause)
    for part in parts:
        if part.id == late:
            raise Refused(late, "after-close", part.clause)
    raise Refused("phase", "no-bets", call_of(table, "place-your-bets").clause, phase=table.phase)


def struck_phase(table: Table) -> str:
    """The phase of the round; of an interrupted round, the phase before."""
    return table.interruption.was if table.interruption else table.phase


def check_fits(table: Table, part: schema.Irregularity) -> None:
    """Refuse an irregularity that can neither happen nor be found in this phase."""
    phase = struck_phase(table)
    if phase == "ready" and table.past and "settled" in part.phases:
        return  # it concerns a round that is over
    if phase not in part.phases and not (no_spin_any_time(table, part) and phase in ("rest", "entered")):
        raise Refused(
            "irregularity", "other-phase", part.clause, irregularity=part.id, phase=phase, allowed=part.phases
        )


def no_spin_any_time(table: Table, part: schema.Irregularity) -> bool:
    """True if the House reads the book so that one person may announce no spin at any time before settlement."""
    calls = [call.clause for call in table.book.calls if call.id == "no-spin"]
    return table.reads("no-spin-until-settlement") and part.clause in calls


def lock_after(table: Table, command: AnyCommand) -> Events:
    """The lock after the end of a round, if an interruption requires one (nz 7.4)."""
    struck = table.interruption
    clause = table.lock_after_round
    if struck and interruption_act(table, struck.was).act.endswith("-and-lock"):
        clause = table.book.interruption.clause
    return [m.TableLocked(command.by, command.at, clause)] if clause and not table.locked else []
