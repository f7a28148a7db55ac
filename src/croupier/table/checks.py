"""What is there and what may be done now: the questions every decision asks of a table."""

from __future__ import annotations

from croupier.rules import schema
from croupier.rules.money import MOST, format_money
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, AnyEvent, BetId, SeatId
from croupier.table.state import OPEN_FOR_BETS, TRANSITIONS, LaidBet, Round, Seat, Table

Events = list[AnyEvent]


def check_name(what: str, name: str) -> None:
    """Refuse a name that cannot be told from what stands beside it where it is written down."""
    # Of all that separates words only the plain space counts as printable.
    if not 0 < len(name) <= 64 or not name.isprintable() or " " in name or "#" in name or '"' in name or name[0] == "=":
        allowed = 'a name has 1 to 64 printed characters, no spaces, no # or ", and does not begin with ='
        shown = name if len(name) <= 64 else f"{name[:64]}…"
        raise Refused("name", f"{shown!r} is not a name for a {what}; {allowed}")


def seat_of(table: Table, id: str) -> Seat:
    seat = table.seats.get(SeatId(id))
    if seat is None or seat.gone:
        raise Refused("seat", f"there is no seat {id} at this table")
    return seat


def seat_even_gone(table: Table, id: str) -> Seat:
    """A seat for the settling of accounts: one who has left may still have credit, or owe."""
    return table.seats.get(SeatId(id)) or seat_of(table, id)


def open_round(table: Table) -> Round:
    if table.round is None:
        raise Refused("phase", "no round is open")
    return table.round


def bet_of(round: Round, id: BetId) -> LaidBet:
    bet = round.bets.get(id)
    if bet is None or not bet.stake:
        raise Refused("bet", f"there is no bet {id} on the table in round {round.number}")
    return bet


def check_part(bet: LaidBet, amount: int) -> None:
    check_amount(amount)
    if amount > bet.stake:
        raise Refused("amount", f"bet {bet.id} holds {format_money(bet.stake)}, less than {format_money(amount)}")


def check_amount(amount: int) -> None:
    if not 0 < amount <= MOST:
        bounds = f"it must be above 0.00 and at most {format_money(MOST)}" if amount > MOST else "it must be above 0.00"
        raise Refused("amount", f"{format_money(amount)} is not an amount; {bounds}")


def check_credit(seat: Seat, amount: int) -> None:
    if amount > seat.credit:
        raise Refused(
            "credit", f"{seat.id} has {format_money(seat.credit)} in credit, less than {format_money(amount)}"
        )


def call_of(table: Table, id: str) -> schema.Call:
    return next(call for call in table.book.calls if call.id == id)


def irregularity_of(table: Table, id: str) -> schema.Irregularity:
    for part in table.book.irregularities:
        if part.id == id:
            return part
    known = ", ".join(part.id for part in table.book.irregularities)
    raise Refused("irregularity", f'{table.book.id} has no irregularity "{id}"; it has {known}')


def irregularity_with(table: Table, consequence: str) -> schema.Irregularity:
    for part in table.book.irregularities:
        if part.consequence == consequence:
            return part
    raise Refused("irregularity", f"{table.book.id} has no clause for this act")


def interruption_act(table: Table, was: str) -> schema.PhaseAct:
    """What the book says of an interruption that struck in this phase."""
    return next(act for phase, act in table.book.interruption.round.items() if phase == was)


def displayed(table: Table) -> list[Layout]:
    return [table.layouts[name] for name in table.displayed]


def check_open(table: Table) -> None:
    if not table.open:
        raise Refused("closed", "the table is not open for gaming")


def check_may_start(table: Table) -> None:
    check_open(table)
    if table.locked is not None:
        raise Refused("locked", "the table is locked until a supervisor unlocks it with a reason", table.locked)


def check_phase(table: Table, phase: str, clause: str | None = None) -> None:
    if table.phase != phase:
        raise Refused("phase", f"the round is {table.phase}, not {phase}", clause)


def check_order(table: Table, event: str, clause: str | None) -> None:
    """Refuse what the order of play does not lead to from here."""
    if event not in TRANSITIONS[table.order].get(table.phase, {}):
        raise Refused("phase", f"{_spoken(event)} does not come while the round is {table.phase}", clause)


def _spoken(event: str) -> str:
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in event)
    return words.strip()


def betting_round(table: Table, late: str) -> Round:
    """The round, if bets are open; after the close a bet or a withdrawal is refused by its own clause."""
    if table.round is not None and table.phase in OPEN_FOR_BETS:
        return table.round
    if table.phase == "interrupted":
        raise Refused(
            "interrupted", "the round is interrupted; registered bets are safe", table.book.interruption.clause
        )
    parts = [part for part in table.book.irregularities if part.consequence == "refuse" and table.phase in part.phases]
    early = next((part for part in parts if part.id == "early-bet" and late == "late-bet"), None)
    part = early or next((part for part in parts if part.id == late), None)
    if part is not None:
        said = f"{call_of(table, 'no-more-bets').words} was called"
        said = "the winning bets of the round before are not paid yet" if early else said
        raise Refused(part.id, said, part.clause)
    raise Refused(
        "phase", f"no bets are open while the table is {table.phase}", call_of(table, "place-your-bets").clause
    )


def struck_phase(table: Table) -> str:
    """The phase of the round; an interruption does not hide it."""
    return table.interruption.was if table.interruption else table.phase


def check_fits(table: Table, part: schema.Irregularity) -> None:
    """Refuse an irregularity that cannot happen or be found in this phase."""
    phase = struck_phase(table)
    if phase == "ready" and table.past and "settled" in part.phases:
        return  # it concerns a round that is over
    if phase not in part.phases and not (no_spin_any_time(table, part) and phase in ("rest", "entered")):
        allowed = ", ".join(part.phases)
        message = f"{part.id} does not fit while the round is {phase}; only: {allowed}"
        raise Refused("irregularity", message, part.clause)


def no_spin_any_time(table: Table, part: schema.Irregularity) -> bool:
    """Read by its alternative, ruling 30 lets one person announce no spin any time before settlement."""
    calls = [call.clause for call in table.book.calls if call.id == "no-spin"]
    return 30 in table.setup.alternatives and part.clause in calls


def lock_after(table: Table, command: AnyCommand) -> Events:
    """The lock that follows the end of a round, where an interruption asks for one (nz 7.4)."""
    struck = table.interruption
    clause = table.lock_after_round
    if struck and interruption_act(table, struck.was).act.endswith("-and-lock"):
        clause = table.book.interruption.clause
    return [m.TableLocked(command.by, command.at, clause)] if clause and not table.locked else []
