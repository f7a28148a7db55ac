"""Health, readiness and metrics of the floor, for programs that watch over machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from croupier.floor.floor import Floor
from croupier.floor.stopped import StandsStill, Stopped, stopped
from croupier.server.staff.context import Context
from croupier.server.staff.guard import METRICS, PUBLIC
from croupier.server.staff.problem import NotReady, stopped_sentences
from croupier.server.staff.room import state_of
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m

DATABASE = "database"
_encode = msgspec.json.Encoder().encode


class Readiness(msgspec.Struct, frozen=True):
    """Whether all is well, and if not, what takes no commands: as facts, and in English."""

    well: bool
    faults: tuple[str, ...] = ()
    stopped: tuple[StandsStill, ...] = ()


def standing_still(context: Context) -> tuple[StandsStill, ...]:
    """Everything that keeps the floor from being ready."""
    found, database, cluster = stopped_streams(context.floor), context.floor.database, context.floor.cluster
    if cluster is not None and cluster.cut_off and not cluster.away:  # staff are refused already
        found.append(StandsStill(DATABASE, Stopped("away")))
    if database.unsafe:
        found.append(StandsStill(DATABASE, Stopped("unsafe", {"found": database.unsafe})))
    elif not database.room():
        found.append(StandsStill(DATABASE, Stopped("full")))
    return tuple(found)


def stopped_streams(floor: Floor) -> list[StandsStill]:
    """The tables, the cage and the office, if they take no commands, and why."""
    found = [(live.name, live.stopped) for live in floor.tables.values()]
    found += [(one.name, stopped(one.name, one.ownership)) for one in (floor.cage, floor.office)]
    return [StandsStill(place, why) for place, why in found if why is not None]


class FloorCounts:
    """Counters of what happened since the floor was opened, kept after every commit."""

    def __init__(self) -> None:
        self.bets = 0
        self.bet_cents = 0
        self.refused: Counter[tuple[str, str]] = Counter()

    def follow(self, entries: Sequence[AnyEntry]) -> None:
        for entry in entries:
            if entry.refused is not None:
                self.refused[type(entry.command).__name__, entry.refused.reason] += 1
            elif type(entry.command) is m.PlaceBet and entry.events:
                self.bets += 1
                self.bet_cents += entry.command.stake


class Meters:
    """Every metric, read when it is asked for, so that no bet is slowed."""

    def __init__(self, router: Router, counts: FloorCounts) -> None:
        self._router = router
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        floor, counts, feeds = self._router.context.floor, self._counts, self._router.feeds
        yield _count("bets", "Bets registered", counts.bets)
        yield _count("bet_cents", "Cents staked in registered bets", counts.bet_cents)
        yield _count("commits", "Commits to the journal", floor.commits)
        yield _count("rows", "Rows written to the journal", floor.written)
        yield _count("viewers_cut", "Staff sockets cut off because they did not read", feeds.cut)
        yield GaugeMetricFamily("croupier_sockets", "Staff sockets that are open", feeds.sockets)
        refused = CounterMetricFamily("croupier_refused", "Commands refused", labels=["command", "reason"])
        for (command, reason), times in counts.refused.items():
            refused.add_metric([command, reason], times)
        yield refused
        alerts = sum(alert.open for alert in floor.accounts.alerts.values())
        yield GaugeMetricFamily("croupier_alerts_open", "Alerts nobody has acknowledged", alerts)
        yield from self._writer()
        yield from self._tables()
        yield from self._terminals()
        yield from self._nodes()

    def _nodes(self) -> Iterable[Metric]:
        """Metrics of a floor with more than one machine."""
        cluster = self._router.context.floor.cluster
        if cluster is None:
            return
        yield GaugeMetricFamily("croupier_nodes", "Machines that work this floor", len(cluster.nodes))
        yield GaugeMetricFamily("croupier_owned", "Tables, cage and office that are worked here", len(cluster.mine))
        yield GaugeMetricFamily("croupier_database_away", "Does the database not answer?", bool(cluster.away))
        lag = GaugeMetricFamily("croupier_lag_rows", "Rows of others not yet applied here", labels=["stream"])
        for stream, rows in cluster.lag.items():
            lag.add_metric([stream], rows)
        yield lag
        yield _count("taken", "Streams taken, when nobody had them", cluster.taken)
        yield _count("handed_over", "Streams given up for others", cluster.given)
        yield _count("database_lost", "Times at which the database did not answer", cluster.losses)
        yield _count("relayed", "Commands given to other machines", cluster.asked)
        yield _count("relays_answered", "Commands of other machines taken", cluster.answered)
        yield _count("relays_unknown", "Commands given to other machines that nobody answered", cluster.unanswered)

    def _writer(self) -> Iterable[Metric]:
        floor = self._router.context.floor
        yield GaugeMetricFamily("croupier_waiting", "Commands that wait for the writer", floor.waiting)
        signing = floor.signing
        short = len(floor.heads.halted)
        yield GaugeMetricFamily("croupier_short_streams", "Streams stopped for being shorter than they were", short)
        yield GaugeMetricFamily("croupier_unsigned_rows", "Rows that no checkpoint has signed yet", signing.rows)
        age = signing.age / 1000
        yield GaugeMetricFamily("croupier_unsigned_seconds", "For how long the first of them has been unsigned", age)
        if signing.copies:
            late = "For how long a checkpoint has not reached its copy"
            behind = GaugeMetricFamily("croupier_copy_behind_seconds", late, labels=["to"])
            for copies in signing.copies:
                behind.add_metric([copies.name], copies.seconds_behind)
            yield behind
        groups, seconds = floor.groups, floor.seconds
        yield HistogramMetricFamily(
            "croupier_group_size", "Commands that went to disk together", groups.up_to(), groups.sum
        )
        yield HistogramMetricFamily(
            "croupier_commit_seconds", "What a group took: decided, on disk, told", seconds.up_to(), seconds.sum
        )

    def _terminals(self) -> Iterable[Metric]:
        door = self._router.context.terminals
        if door is None:
            return
        yield GaugeMetricFamily("croupier_terminals", "Terminals that are connected", len(door.connected))
        yield _count("terminals_refused", "Connections of terminals sent away", door.refused)
        yield _count("terminals_moved", "Terminals sent to the machine of their table", door.moved)
        yield _count("terminal_messages", "Acts and questions of terminals taken", door.taken)
        yield _count("terminal_faults", "Messages of terminals that are none", door.faults)
        yield _count("terminal_slowed", "Acts and questions refused for coming too fast", door.slowed)
        cut = CounterMetricFamily("croupier_terminals_cut", "Terminals cut off", labels=["why"])
        for why, times in door.cut.items():
            cut.add_metric([why], times)
        yield cut

    def _tables(self) -> Iterable[Metric]:
        live = self._router.context.floor.tables.values()
        states = Counter(state_of(table) for table in live)
        by_state = GaugeMetricFamily("croupier_tables", "Tables by state", labels=["state"])
        for state in ("open", "closed", "locked", "interrupted", "standing-still", "stopped"):
            by_state.add_metric([state], states[state])
        yield by_state
        held = GaugeMetricFamily("croupier_held_cents", "Cents on the table", labels=["table"])
        rounds = GaugeMetricFamily("croupier_round", "The number of the round", labels=["table"])
        waiting = GaugeMetricFamily("croupier_approvals", "Acts that wait for a second person", labels=["table"])
        for one in live:
            held.add_metric([one.name], sum(seat.held for seat in one.table.seats.values()))
            rounds.add_metric([one.name], one.table.next_round)
            waiting.add_metric([one.name], len(one.table.requests))
        yield from (held, rounds, waiting)


def _count(name: str, says: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(f"croupier_{name}", says, value)


def metrics_routes(router: Router) -> None:
    context, counts, registry = router.context, FloorCounts(), CollectorRegistry()

    def follow(table: str, entries: Sequence[AnyEntry]) -> None:
        if context.floor.tables[table].recorder.owned:  # otherwise its owner counts it
            counts.follow(entries)

    for table in context.floor.tables:
        context.floor.subscribe(table, follow)
    registry.register(Meters(router, counts))

    @router.get("/health", PUBLIC)
    async def health(call: StaffCall, asked: Nothing) -> Readiness:
        """The process lives and answers."""
        return Readiness(True)

    @router.get("/ready", PUBLIC, statuses=(503,))
    async def ready(call: StaffCall, asked: Nothing) -> Readiness:
        """Every table was recovered and takes commands, and the disk has room; otherwise 503."""
        if found := standing_still(context):
            raise NotReady(found)
        return Readiness(True)

    @router.get("/metrics", METRICS, media="text/plain")
    async def metrics(call: StaffCall, asked: Nothing) -> Response:
        """The metrics, for Prometheus."""
        return _counted(registry)

    router.app.state.counted = lambda: _counted(registry)


def _counted(registry: CollectorRegistry) -> Response:
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def machine_app(app: Starlette) -> ASGIApp:
    """The application for programs that watch over machines: without sessions, on a separate port."""
    context: Context = app.state.router.context

    async def metrics(request: Request) -> Response:
        counted: Response = app.state.counted()
        return counted

    async def health(request: Request) -> Response:
        return Response(_encode(Readiness(True)), media_type="application/json")

    async def ready(request: Request) -> Response:
        found = standing_still(context)
        return Response(
            _encode(Readiness(not found, stopped_sentences(found), found)),
            503 if found else 200,
            media_type="application/json",
        )

    return Starlette(routes=[Route("/metrics", metrics), Route("/health", health), Route("/ready", ready)])
