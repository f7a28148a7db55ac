"""The pit: every table on one page, with pace, takings, exposure, requests for a second person, and alerts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from croupier.cage import messages as c
from croupier.floor.config import CAGE
from croupier.floor.floor import LiveTable
from croupier.floor.past_rounds import PastRounds, by_dealer, read_rounds
from croupier.floor.stopped import Stopped
from croupier.ledger import Figures, figures, since
from croupier.office.state import Alert
from croupier.rules.money import Cents
from croupier.rules.rulebook import Device
from croupier.server.staff.context import Context
from croupier.server.staff.feeds import View
from croupier.server.staff.guard import PIT, PIT_OF_TABLE
from croupier.server.staff.health import Health, health
from croupier.server.staff.people import Unconfirmed
from croupier.server.staff.public import TableAsked
from croupier.server.staff.room import TableState, state_of
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.store.disagreements import Counted, Disagreement, counted, disagreements
from croupier.store.journal import LAST, Store
from croupier.store.reports import shift_figures
from croupier.store.streams.cage import CageSubject
from croupier.table.command_statement import command_statement
from croupier.table.console import WaitingNow, waiting
from croupier.table.messages import Limits, PersonId
from croupier.table.roles import SUPERVISION
from croupier.table.state import Phase
from croupier.table.view import exposure

HOUR = 60 * 60 * 1000
Moment = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
"""Milliseconds on the floor's clock."""


class Takings(msgspec.Struct, frozen=True):
    """The House's figures of a table."""

    begin: int
    drop: Cents
    win: Cents
    hold: float | None
    """The share of the drop that the House won."""
    fills: Cents
    drains: Cents
    bank: Cents
    handed_out: Cents
    given: Cents
    written_off: Cents


class DealerRounds(msgspec.Struct, frozen=True):
    """The rounds of one Dealer, and how many of them were void."""

    dealer: str
    rounds: int
    voids: int
    rate: float


class OutcomeExposed(msgspec.Struct, frozen=True):
    """What the House would gain on an outcome if bets closed now, and in how many ways that outcome can occur."""

    outcome: str
    gain: Cents
    ways: int


class Exposure(msgspec.Struct, frozen=True):
    """What every outcome would cost or bring, the worst first. `mean` is weighted by chance."""

    worst: Cents
    best: Cents
    mean: float
    held: Cents
    outcomes: tuple[OutcomeExposed, ...]


class PitTable(msgspec.Struct, frozen=True):
    name: str
    title: str
    device: Device
    state: TableState
    stopped: Stopped | None
    """Why the table takes no commands, if it does not."""
    phase: Phase
    round: int
    closes_at: int | None
    dealing: str
    staff: dict[PersonId, tuple[str, ...]]
    limits: Limits
    seats: int
    taken: int
    connected: int
    rounds_an_hour: float | None
    """Over the last hour, or since the table began to deal in it."""
    takings: Takings | None
    """Since the table was opened. Null before that, and while it is being counted."""
    dealt: tuple[DealerRounds, ...]
    exposure: Exposure
    alerts: int
    waiting: int


class Approval(msgspec.Struct, frozen=True):
    """An act that waits for a second person, and its place."""

    place: str
    """The name of a table, or `cage`."""
    request: WaitingNow


class Pit(msgspec.Struct, frozen=True):
    zone: str
    tables: tuple[PitTable, ...]
    approvals: tuple[Approval, ...]
    alerts: tuple[Alert, ...]
    """First those that are not acknowledged, then the latest acknowledged ones; the newest first."""
    unconfirmed: tuple[Unconfirmed, ...]


class PitNow(msgspec.Struct, frozen=True):
    """The pit as it is now; `now` is the floor's clock."""

    seq: int
    now: int
    snapshot: Pit


class ExposureNow(msgspec.Struct, frozen=True):
    table: str
    round: int
    exposure: Exposure


class ShiftSpan(msgspec.Struct, frozen=True):
    begin: Moment = 0
    end: Moment = LAST


class ShiftTable(msgspec.Struct, frozen=True):
    table: str
    takings: Takings
    rounds: int
    voids: int
    dealt: tuple[DealerRounds, ...]


class Shift(msgspec.Struct, frozen=True):
    """The figures of a shift: for each table of this person, and in all."""

    begin: int
    end: int
    tables: tuple[ShiftTable, ...]
    drop: Cents
    win: Cents
    hold: float | None


class Disagreements(msgspec.Struct, frozen=True):
    """The rounds that stood still over a span of time because a device contradicted a person, and their counts."""

    begin: int
    end: int
    disagreements: tuple[Disagreement, ...]
    by_person: tuple[Counted, ...]
    by_table: tuple[Counted, ...]
    by_device: tuple[Counted, ...]


# ---- a table


def pit_table(context: Context, live: LiveTable, now: int) -> PitTable:
    table, rounds = live.table, live.past_rounds
    seated = [seat for seat in table.seats.values() if not seat.gone]
    alerts = [alert for alert in context.floor.accounts.alerts.values() if alert.open and alert.table == live.name]
    return PitTable(
        live.name,
        table.book.identity.title,
        table.book.device,
        state_of(live),
        live.stopped,
        table.phase,
        table.round_number,
        live.closes_at,
        live.config.dealing,
        dict(table.staff),
        table.round.limits if table.round else table.limits,
        len(live.config.seats),
        len(seated),
        sum(seat.connected for seat in seated),
        rounds_an_hour(rounds, now),
        _takings_now(live),
        dealt(by_dealer(rounds.rounds.values())),
        exposed(live),
        len(alerts),
        sum(now <= request.expires for request in table.requests.values()),
    )


def rounds_an_hour(rounds: PastRounds, now: int) -> float | None:
    """How fast a table deals. The rate falls while the table stands still."""
    ended = [one.at for one in rounds.last(500) if one.at > now - HOUR]
    if len(ended) < 2 or now <= ended[0]:
        return None
    return round((len(ended) - 1) * HOUR / (now - ended[0]), 1)


def _takings_now(live: LiveTable) -> Takings | None:
    rounds = live.past_rounds
    if rounds.opened is None or rounds.before is None:
        return None
    moved = since(live.recorder.subject.balances.flows, rounds.before)
    return takings(figures(moved, live.name), rounds.opened)


def takings(counted: Figures, begin: int) -> Takings:
    hold = None if counted.hold is None else round(float(counted.hold), 6)
    return Takings(
        begin,
        counted.drop,
        counted.win,
        hold,
        counted.fills,
        counted.drains,
        counted.bank,
        counted.handed_out,
        counted.given,
        counted.written_off,
    )


def dealt(counted: dict[str, tuple[int, int]]) -> tuple[DealerRounds, ...]:
    return tuple(
        DealerRounds(name, rounds, voids, round(voids / rounds, 4)) for name, (rounds, voids) in counted.items()
    )


def exposed(live: LiveTable) -> Exposure:
    gains, space = exposure(live.table), live.table.book.space
    ways = space.ways
    mean = sum(gain * ways[outcome] for outcome, gain in gains.items()) / sum(ways.values())
    outcomes = tuple(OutcomeExposed(outcome, gain, ways[outcome]) for outcome, gain in gains.items())
    held = Cents(sum(seat.held for seat in live.table.seats.values()))
    return Exposure(outcomes[0].gain, outcomes[-1].gain, round(mean, 2), held, outcomes)


# ---- the whole


def pit(context: Context, person: PersonId) -> Pit:
    """Every table that a person supervises, and what waits for them."""
    now = context.floor.clock.now()
    tables = context.tables_of(person, SUPERVISION)
    names = {live.name for live in tables}
    return Pit(
        context.settings.zone,
        tuple(pit_table(context, live, now) for live in tables),
        (*_table_approvals(tables, person, now), *cage_approvals(context, person, now)),
        alerts(context, names),
        context.people.unconfirmed(person),
    )


def alerts(context: Context, tables: set[str]) -> tuple[Alert, ...]:
    """The alerts of these tables and of the whole floor."""
    mine = [alert for alert in context.floor.accounts.alerts.values() if not alert.table or alert.table in tables]
    return tuple(sorted(mine, key=lambda alert: (not alert.open, -alert.number)))


def _table_approvals(tables: list[LiveTable], person: PersonId, now: int) -> Iterator[Approval]:
    for live in tables:
        table = live.table
        for request in table.requests.values():
            if now <= request.expires:
                yield Approval(live.name, waiting(table, request, person, now))


def cage_approvals(context: Context, person: PersonId, now: int) -> Iterator[Approval]:
    """The requests that wait at the cage, for a person of its staff."""
    subject = context.floor.cage.subject
    assert isinstance(subject, CageSubject)
    held = set(subject.cage.staff.get(person, ()))
    for request in subject.cage.requests.values() if held else ():
        if now <= request.expires:
            asked = request.command
            may = bool(held & set(SUPERVISION)) and asked.by != person
            hidden = msgspec.structs.replace(asked, ticket=shown_number(asked.ticket))
            if isinstance(hidden, c.VoidTicket) and hidden.replacement:
                hidden = msgspec.structs.replace(hidden, replacement=shown_number(hidden.replacement))
            content = msgspec.Raw(msgspec.json.encode(hidden))
            kind, told = type(asked).__name__, command_statement(hidden)
            yield Approval(
                CAGE,
                WaitingNow(request.number, asked.by, kind, told, content, request.digest, request.expires, may),
            )


def shown_number(number: str) -> str:
    """A ticket's number with all but four digits hidden: the whole number of a live ticket would redeem it."""
    return f"{'*' * (len(number) - 4)}{number[-4:]}"


def pit_routes(router: Router) -> None:
    context, feeds = router.context, router.feeds
    context.floor.subscribe(None, lambda stream, entries: feeds.touch("pit"))

    @router.get("/api/pit", PIT)
    async def pit_now(call: StaffCall, asked: Nothing) -> PitNow:
        """Every table of this person on one page."""
        return PitNow(context.floor.written, context.floor.clock.now(), pit(context, call.someone))

    @router.socket("/api/pit", PIT, PitNow)
    def pit_pushed(person: PersonId) -> tuple[tuple[str, ...], View]:
        """The pit, pushed."""
        return ("pit", person), lambda: (context.floor.written, pit(context, person))

    @router.get("/api/tables/{table}/exposure", PIT_OF_TABLE)
    async def exposure_now(call: StaffCall, asked: TableAsked) -> ExposureNow:
        """What every outcome would cost or bring the House if bets closed now."""
        live = context.live(asked.table)
        number = live.table.round.number if live.table.round else live.table.next_round
        return ExposureNow(live.name, number, exposed(live))

    @router.get("/api/tables/{table}/health", PIT_OF_TABLE)
    async def health_now(call: StaffCall, asked: TableAsked) -> Health:
        """Whether the dice or the wheel of a table are fair: the statistics and their evidence."""
        live = context.live(asked.table)
        outcomes, space = live.past_rounds.outcomes(), live.table.book.space
        return await context.journal.ask(lambda store: health(live.name, outcomes, space))

    @router.get("/api/shift", PIT, statuses=(409, 422, 503))
    async def shift(call: StaffCall, asked: ShiftSpan) -> Shift:
        """Drop, win and hold, and each Dealer's rate of void rounds, over a span of time."""
        names = [live.name for live in context.tables_of(call.someone, SUPERVISION)]
        return await context.journal.ask(lambda store: read_shift(store, names, asked))

    @router.get("/api/disagreements", PIT, statuses=(409, 422, 503))
    async def disagreements_then(call: StaffCall, asked: ShiftSpan) -> Disagreements:
        """The rounds that stood still because a device contradicted a person, by person, table and device."""
        names = [live.name for live in context.tables_of(call.someone, SUPERVISION)]
        return await context.journal.ask(lambda store: read_disagreements(store, names, asked))


def read_disagreements(store: Store, names: list[str], span: ShiftSpan) -> Disagreements:
    found = disagreements(store, names, span.begin, span.end)
    return Disagreements(
        span.begin,
        span.end,
        found,
        counted(found, "person"),
        counted(found, "table"),
        counted(found, "device"),
    )


def read_shift(store: Store, names: list[str], span: ShiftSpan) -> Shift:
    tables = []
    for name in names:
        rounds = read_rounds(store, name, span.begin, span.end)
        counted = takings(shift_figures(store, name, span.begin, span.end), span.begin)
        voids = sum(one.void_clause is not None for one in rounds)
        tables.append(ShiftTable(name, counted, len(rounds), voids, dealt(by_dealer(rounds))))
    drop = sum(table.takings.drop for table in tables)
    win = sum(table.takings.win for table in tables)
    hold = round(win / drop, 6) if drop else None
    return Shift(span.begin, span.end, tuple(tables), Cents(drop), Cents(win), hold)
