"""The view of a table for the Dealer and the pit: what they may do now, and everything they need for it."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice

import msgspec

from croupier.rules.money import Cents
from croupier.rules.outcomes import DICE
from croupier.rules.refusal import Refused
from croupier.rules.statement import Statement
from croupier.table import messages as m
from croupier.table.checks import interruption_act, struck_phase
from croupier.table.command_statement import command_statement
from croupier.table.evidence import standing_still
from croupier.table.limits import caps
from croupier.table.messages import BetId, DeviceReport, PersonId, SeatId
from croupier.table.next_acts import (
    Act,
    AttestWanted,
    IrregularityNow,
    attest_wanted,
    irregularities_now,
    next_act,
    other_acts,
)
from croupier.table.permits import authorise, check_second
from croupier.table.seats import needs_marker
from croupier.table.state import OPEN_FOR_BETS, LaidBet, Request, Round, Seat, Table
from croupier.table.view import DisplayView, display_view, in_play

MOST_SEATS = 250
MOST_BETS = 500
"""The most that a console shows. A single seat can be read by itself."""


class BoxNow(msgspec.Struct, frozen=True):
    """The bets in a box and its limits; `over` is the amount above the most that can be in action."""

    box: str
    total: Cents
    minimum: Cents
    maximum: Cents
    over: Cents


class DifferentialNow(msgspec.Struct, frozen=True):
    """Two opposed boxes, and the difference between their totals."""

    boxes: tuple[str, str]
    totals: tuple[Cents, Cents]
    difference: Cents
    limit: Cents
    clause: str


class Excess(msgspec.Struct, frozen=True):
    """A box over its limit, and the bet to reject first: the latest, or a part of it."""

    box: str
    over: Cents
    bet: BetId
    seat: SeatId
    amount: Cents
    clause: str


class ShortBet(msgspec.Struct, frozen=True):
    """A Player's bets in a box that are under its minimum. The Dealer advises the Player."""

    bet: BetId
    seat: SeatId
    box: str
    stake: Cents
    minimum: Cents
    clause: str


class BetNow(msgspec.Struct, frozen=True):
    id: BetId
    seat: SeatId
    box: str
    stake: Cents
    by: str
    chips: int
    """How many colour chips it is made of; 0 if none."""


class SeatNow(msgspec.Struct, frozen=True):
    seat: SeatId
    layout: str
    credit: Cents
    held: Cents
    owes: Cents
    colour: str | None
    chip: Cents | None
    """The value of one of their colour chips."""
    marker: bool
    """The value of their chips is above the minimum, so a marker shows it."""
    connected: bool
    gone: bool


class PromptNow(msgspec.Struct, frozen=True):
    """What a person must do for a clause that no software can keep."""

    id: str
    says: str
    by: str
    clause: str


class WaitingNow(msgspec.Struct, frozen=True):
    """A request that waits for a second person, with exactly the content that they would sign."""

    number: int
    by: str
    act: str
    told: Statement
    content: msgspec.Raw
    digest: str
    expires: int
    may: bool
    """This person may approve it, or decide it."""
    device: DeviceReport | None = None
    """What a device reports against this report: the round stands still until somebody decides."""


class InterruptionNow(msgspec.Struct, frozen=True):
    was: str
    at: int
    power_back: bool
    shown: tuple[str, ...]
    clause: str | None


class ConsoleView(msgspec.Struct, frozen=True):
    """A table from the Dealer's side."""

    room: DisplayView
    person: PersonId
    roles: tuple[str, ...]
    next: Act | None
    acts: tuple[Act, ...]
    irregularities: tuple[IrregularityNow, ...]
    keys: tuple[str, ...]
    """The keys of the entry: six faces, or the numbers of the wheel; empty while no result is entered."""
    light: tuple[str, ...]
    read_back: str
    """The words of the result that the light shows, once it is complete; then of the entered result."""
    entered: str | None
    sensed: str | None
    """The result of the second source; only after the first has given one."""
    boxes: tuple[BoxNow, ...]
    differentials: tuple[DifferentialNow, ...]
    excess: tuple[Excess, ...]
    short: tuple[ShortBet, ...]
    seats: tuple[SeatNow, ...]
    seats_in_all: int
    bets: tuple[BetNow, ...]
    bets_in_all: int
    checks: tuple[PromptNow, ...]
    prompts: tuple[PromptNow, ...]
    interruption: InterruptionNow | None
    attest: AttestWanted | None
    requests: tuple[WaitingNow, ...]
    locked: str | None
    staff: dict[PersonId, tuple[str, ...]]


def console_view(table: Table, person: PersonId, at: int) -> ConsoleView:
    """The view of a table for a person on its staff. Refused for everyone else."""
    if person not in table.staff:
        raise Refused("permission", "not-on-staff", person=person)
    totals: defaultdict[str, int] = defaultdict(int)
    for (_, box), stake in table.round.stakes.items() if table.round else ():
        totals[box] += stake
    bets = [bet for bet in table.round.bets.values() if bet.stake] if table.round else []
    round, phase = table.round, struck_phase(table)
    return ConsoleView(
        display_view(table),
        person,
        table.staff[person],
        next_act(table, person, at),
        other_acts(table, person, at),
        irregularities_now(table, person, at),
        table.book.space.numbers if table.phase in ("rest", "entering") and not standing_still(table) else (),
        table.entry,
        _read_back(table),
        round.outcome if round else None,
        table.sensed if phase in ("entered", "settling") else None,
        _boxes(table, totals),
        _differentials(table, totals),
        _excess(table, totals),
        _short(table),
        tuple(_seat(table, seat) for seat in islice(table.seats.values(), MOST_SEATS)),
        len(table.seats),
        tuple(_bet(bet) for bet in bets[-MOST_BETS:]),
        len(bets),
        _prompts(table, "opening") if not table.open else (),
        _prompts(table, phase, "always", *_after_void(table)) if table.open else (),
        _interruption(table),
        attest_wanted(table, person, at),
        tuple(waiting(table, one, person, at) for one in table.requests.values() if at <= one.expires),
        table.locked,
        dict(table.staff),
    )


def seat_now(table: Table, seat: SeatId) -> tuple[SeatNow, tuple[BetNow, ...]] | None:
    """One seat with all of its bets."""
    found = table.seats.get(seat)
    if found is None:
        return None
    bets = table.round.bets.values() if table.round else ()
    return _seat(table, found), tuple(_bet(bet) for bet in bets if bet.seat == seat and bet.stake)


# ---- the result


def _read_back(table: Table) -> str:
    """The words of the result on the light, or of the entered one."""
    if len(table.entry) == DICE and table.order != "wheel":
        return table.book.announce("-".join(table.entry))
    return table.book.announce(table.round.outcome) if table.round and table.round.outcome else ""


# ---- money


def _boxes(table: Table, totals: dict[str, int]) -> tuple[BoxNow, ...]:
    round = table.round
    if round is None:
        return ()
    return tuple(
        BoxNow(
            box,
            Cents(total),
            round.limits.minimum_of(box),
            round.limits.maximum_of(box),
            Cents(_over(table, round, box, total)),
        )
        for box, total in totals.items()
        if total
    )


def _over(table: Table, round: Round, box: str, total: int) -> int:
    """The amount above the most that can be in action in a box, where the book counts all Players together."""
    if table.book.limits.maximum.per != "box":
        return 0
    return max(0, total - round.limits.maximum_of(box))


def _differentials(table: Table, totals: dict[str, int]) -> tuple[DifferentialNow, ...]:
    policy, limits = table.book.limits.differential, (table.round.limits if table.round else table.limits)
    if policy is None:
        return ()
    offered = {box for id in in_play(table) for box in table.layouts[id].boxes}
    found = []
    for one, other in (pair.split() for pair in policy.pairs):
        if {one, other} <= offered:
            first, second = Cents(totals.get(one, 0)), Cents(totals.get(other, 0))
            apart, limit = Cents(abs(first - second)), limits.differential or Cents(0)
            found.append(DifferentialNow((one, other), (first, second), apart, limit, policy.clause))
    return tuple(found)


def _excess(table: Table, totals: dict[str, int]) -> tuple[Excess, ...]:
    part = next((part for part in table.book.irregularities if part.consequence == "reject-excess"), None)
    if part is None or table.round is None or table.phase not in OPEN_FOR_BETS:
        return ()
    found = []
    for box, cap in caps(table.round, table.book.limits).items():
        over = totals[box] - cap
        if over <= 0:
            continue
        latest = next(bet for bet in reversed(table.round.bets.values()) if bet.box == box and bet.stake)
        unit = table.round.limits.unit
        amount = Cents(min(over, latest.stake) // unit * unit)
        if amount:
            found.append(Excess(box, Cents(over), latest.id, latest.seat, amount, part.clause))
    return tuple(found)


def _short(table: Table) -> tuple[ShortBet, ...]:
    part = next((part for part in table.book.irregularities if part.consequence == "advise"), None)
    round = table.round
    if part is None or round is None or table.phase not in OPEN_FOR_BETS:
        return ()
    latest = {(bet.seat, bet.box): bet.id for bet in round.bets.values() if bet.stake}
    return tuple(
        ShortBet(latest[seat, box], seat, box, stake, round.limits.minimum_of(box), part.clause)
        for (seat, box), stake in round.stakes.items()
        if 0 < stake < round.limits.minimum_of(box)
    )


def _seat(table: Table, seat: Seat) -> SeatNow:
    colour, chip = seat.colour or (None, None)
    marker = chip is not None and needs_marker(table, chip)
    return SeatNow(
        seat.id, seat.layout, seat.credit, seat.held, seat.owes, colour, chip, marker, seat.connected, seat.gone
    )


def _bet(bet: LaidBet) -> BetNow:
    return BetNow(bet.id, bet.seat, bet.box, bet.stake, bet.by, bet.stake // bet.chip if bet.chip else 0)


# ---- people


def _prompts(table: Table, *when: str) -> tuple[PromptNow, ...]:
    prompts = (prompt for prompt in table.book.prompts if prompt.when in when)
    return tuple(PromptNow(one.id, one.says, one.by, one.clause) for one in prompts)


def _after_void(table: Table) -> tuple[str, ...]:
    """A round that was void has just ended, and its bets go back (rws-taisai 5.12)."""
    last = table.past[max(table.past)] if table.past else None
    between = table.round is None and not table.motion.started
    return ("void",) if between and last and last.void_clause and last.round.bets else ()


def waiting(table: Table, request: Request, person: PersonId, at: int) -> WaitingNow:
    """A request as the second person sees it."""
    asked = request.command
    may = asked.by != person
    try:
        approve = m.Approve(person, at, request.number, request.digest)
        authorise(table, approve)
        check_second(table, approve, request)
    except Refused:
        may = False
    return WaitingNow(
        request.number,
        asked.by,
        type(asked).__name__,
        command_statement(asked, table.order),
        msgspec.Raw(msgspec.json.encode(asked)),
        request.digest,
        request.expires,
        may,
        request.device,
    )


def _interruption(table: Table) -> InterruptionNow | None:
    struck = table.interruption
    if struck is None:
        return None
    policy = interruption_act(table, struck.was)
    return InterruptionNow(struck.was, struck.at, struck.power_back, struck.shown, policy.clause)
