"""Runs a floor: recovers and checks it, opens its doors, works its tables, and closes it safely."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import secrets
import shutil
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from croupier import __version__, words
from croupier.floor.bookshelf import FOLDER
from croupier.floor.config import OFFICE, TableConfig
from croupier.floor.database_watch import DatabaseWatch
from croupier.floor.floor import Floor, TakenOver
from croupier.floor.printing import Letterhead
from croupier.floor.timers import Timers
from croupier.floor.workers import Workers
from croupier.office import messages as o
from croupier.rules.refusal import Refused, Unavailable
from croupier.server.approved_software import differences, not_approved, watch
from croupier.server.player.door import TerminalDoor
from croupier.server.proxies import Proxies
from croupier.server.public_door import PublicDoor
from croupier.server.public_messages import Opens
from croupier.server.relay import Relay
from croupier.server.sessions import Sessions
from croupier.server.settings import Settings, in_address
from croupier.server.staff.app import make_app
from croupier.server.staff.context import StaffSettings
from croupier.server.staff.door import Listener, StaffDoor, listening
from croupier.server.staff.metrics import machine_app
from croupier.server.staff.public import shown_view
from croupier.server.staff.router import Router
from croupier.store.durability import broken
from croupier.store.folder import Premises
from croupier.store.journal import Conflict, Indeterminate
from croupier.store.streams.entry import AnyEntry

UNKNOWN = 75
"""The exit code if it is unknown what is on disk: a restart reads it."""
TAKEN_OVER = 76
"""The exit code if another server has taken the floor over, for example while this one was frozen."""
TAKE_OVER_SECONDS = 15
"""Seconds for which a start waits for the lease of a killed server to expire."""
ANONYMOUS_REQUESTS = (300, 30.0)
"""Requests without a session at the staff's door, by address: how many at once, and how many a second after that."""
AGAIN = 5
"""Seconds before a failed task is started again."""

log = structlog.get_logger()


async def _nothing() -> None: ...


class Running:
    """A floor whose doors are open."""

    def __init__(self, settings: Settings, floor: Floor, sessions: Sessions) -> None:
        self.settings = settings
        self.floor = floor
        self.sessions = sessions
        self.address = ""
        """The address of the staff's pages."""
        self.public = ""
        """The address of the public pages; empty if there is no public process."""
        self.terminals = ""
        """The address of the terminals' door."""
        self.port = 0
        """The port of that door on this machine."""
        self.watches: Callable[[], Awaitable[None]] | None = None
        """Compares the software with the approved one; None in a demonstration."""
        self.warm: Callable[[], Coroutine[Any, Any, None]] = _nothing
        """Starts workers that would otherwise delay the first request."""


Also = Callable[[Running], Awaitable[None]]
"""A further task that runs while the floor is open."""


async def serve(
    settings: Settings,
    configs: Sequence[TableConfig],
    *,
    demo: bool = False,
    ready: Callable[[Running], Awaitable[None]] | None = None,
    also: Sequence[Also] = (),
) -> int:
    """Run a floor until a signal ends it. Returns the exit code. `ready` is called once the doors are open."""
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    differs = await differences(settings)
    if differs and settings.approved == "refuse":
        raise not_approved(differs)
    if os.geteuid() == 0:
        log.warning("root", hint="run the floor under a separate account; croupier doctor explains why")
    floor = await _opened(settings, configs)
    floor.subscribe(None, _note_alerts)
    log.info("recovered", tables=len(floor.tables), streams={r: floor.store.head(r).seq for r in floor.store.streams()})
    try:
        with _collector_spared(), _fresh_machine_code(settings.floor):
            async with _relay(settings, floor), _doors(settings, floor, demo) as running:
                running.watches = None if demo else partial(watch, floor, settings, differs)
                await _run(running, ending, ready, also)
    except Indeterminate as lost:
        log.error("indeterminate", what=str(lost), hint="start again: what is on disk is found")
        await floor.abandon()
        return UNKNOWN
    except TakenOver as taken:
        hint = "another server has taken over everything, and nothing was lost; find out who started it, and keep one"
        log.error("taken over", of=str(taken), hint=hint)
        await floor.abandon()
        return TAKEN_OVER
    except BaseException:
        await floor.close()
        raise
    try:
        await floor.close()
    except Indeterminate as lost:  # the database failed during the close: the next start reads what is on disk
        log.error("indeterminate", what=str(lost), hint="start again: what is on disk is found")
        return UNKNOWN
    log.info("closed", version=__version__)
    return 0


async def _opened(settings: Settings, configs: Sequence[TableConfig]) -> Floor:
    """Recover every table. Wait for the leases of a killed server, which expire within seconds."""
    premises = Premises(settings.floor, settings.store or None, settings.replica, settings.checkpoint_copies)
    owner, waited = f"{socket.gethostname()}-{os.getpid()}", 0
    if premises.shared:  # in containers, machines may have the same name and the same number
        owner = f"{owner}-{secrets.token_hex(2)}"
    for _ in range(TAKE_OVER_SECONDS):
        floor = Floor(premises, configs, owner, round(settings.lease * 1000), settings.tables / FOLDER)
        try:
            if settings.durability == "refuse":
                _check_durability(floor)
            await floor.open(waited)
        except Conflict as conflict:
            await floor.abandon()
            log.info("waiting", why=str(conflict))
            await asyncio.sleep(1)
            waited = floor.clock.now()  # so that leases also end if the wall clock was set back
        except BaseException:
            await floor.abandon()
            raise
        else:
            return floor
    raise Unavailable("owned", "another-server", folder=str(premises.folder))


def _check_durability(floor: Floor) -> None:
    """Refused if the database may lose rows after it has acknowledged them (promise 2)."""
    if found := broken(floor.database.durability()):
        raise Refused("durability", "may-lose", settings=tuple(fact.brief for fact in found))


@contextlib.contextmanager
def _collector_spared() -> Iterator[None]:
    """Have Python's garbage collector look at new objects only, and seldom.

    Recovered state stays in memory, and the bets of a round stay until its end. To scan all of it after every few
    hundred new objects took a third of the time of a bet.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextlib.contextmanager
def _fresh_machine_code(floor: Path) -> Iterator[None]:
    """Give the lab's processes an empty Numba cache: Numba would run any machine code that it finds in the old one.

    It is in the floor's folder, so that the next start removes the one of a server that was killed.
    """
    before, cache = os.environ.get("NUMBA_CACHE_DIR"), floor / "loops"
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(mode=0o700)
    os.environ["NUMBA_CACHE_DIR"] = str(cache.absolute())
    try:
        yield
    finally:
        del os.environ["NUMBA_CACHE_DIR"]
        if before is not None:
            os.environ["NUMBA_CACHE_DIR"] = before
        shutil.rmtree(cache, ignore_errors=True)


@contextlib.asynccontextmanager
async def _relay(settings: Settings, floor: Floor) -> AsyncIterator[None]:
    """The relay to the other machines of this floor, if there may be any."""
    cluster = floor.cluster
    if cluster is None:
        yield
        return
    relay = Relay(floor)
    with _listening("relay", settings.relay_host, settings.relay_port):
        address, certificate = await relay.open(settings.relay_host, settings.relay_port)
    cluster.announce(relay=address, certificate=certificate)
    try:
        yield
    finally:
        await relay.close()


@contextlib.asynccontextmanager
async def _doors(settings: Settings, floor: Floor, demo: bool) -> AsyncIterator[Running]:
    """Open the doors; each knows the addresses of the others."""
    sessions = Sessions(floor, settings.times)
    running = Running(settings, floor, sessions)
    tls = terminal_tls(settings)
    # The pages must know their address before they are served, so the port is bound first.
    with _listening("staff", settings.staff_host, settings.staff_port):
        listener = listening(settings.staff_host, settings.staff_port)
    origins = settings.origins_at(int(listener.getsockname()[1]))
    public = None
    if settings.public:
        with _listening("public", settings.public_host, settings.public_listens):
            public = listening(settings.public_host, settings.public_listens)
    running.public = settings.public_at(int(public.getsockname()[1])) if public else ""
    pages = {*origins, running.public} if public else origins
    proxies = Proxies(settings.trusted_proxies, settings.forwarded)
    terminals = TerminalDoor(floor, sessions, origins=pages, tls=tls, zone=settings.zone, proxies=proxies)
    try:
        with _listening("terminal", settings.terminal_host, settings.terminal_port):
            port = await terminals.open(settings.terminal_host, settings.terminal_port)
    except BaseException:
        listener.close()
        if public is not None:
            public.close()
        raise
    running.terminals, running.port = settings.terminals_at(port), port
    app = make_app(
        floor,
        sessions,
        StaffSettings(
            house=settings.house,
            zone=settings.zone,
            origins=origins,
            terminals=running.terminals,
            tls=settings.tls,
            cage_printer=bool(settings.cage_printer),
            demo=demo,
            public=running.public,
        ),
        terminals,
    )
    if settings.approvals == "passkey" and not demo:
        await sessions.require_passkeys()
    staff = StaffDoor(app, settings.staff_certificate, settings.staff_key, proxies=proxies, asks=ANONYMOUS_REQUESTS)
    running.warm = app.state.warm_lab
    machines = Listener(machine_app(app))
    public_door = _public_door(settings, running, app.state.router, public) if public else None
    try:
        await staff.serve(listener)
        running.address = sorted(origins)[0]
        if settings.metrics_port is not None:
            with _listening("metrics", settings.metrics_host, settings.metrics_port):
                metrics = await machines.open(settings.metrics_host, settings.metrics_port)
            log.info("metrics", address=f"http://{in_address(settings.metrics_host)}:{metrics}/metrics")
        if floor.cluster is not None:
            floor.cluster.announce(terminals=running.terminals, pages=running.address, origins=tuple(sorted(origins)))
        if public_door is not None:
            public_door.open()
        log.info(
            "open",
            pages=running.address,
            terminals=running.terminals,
            public=running.public,
            tls=settings.tls,
            demo=demo,
        )
        yield running
    finally:
        if public_door is not None:
            await public_door.close()
        await machines.close()
        await staff.close()
        await terminals.close()


def _public_door(settings: Settings, running: Running, router: Router, listener: socket.socket) -> PublicDoor:
    """The public door. It receives only what everyone may know."""
    context, certified = router.context, settings.staff_certificate and settings.staff_key
    opens = Opens(
        settings.house,
        settings.zone,
        (running.public,),
        sorted(context.settings.origins)[0],
        (running.terminals,),
        running.public.startswith("https:"),
        str(settings.staff_certificate.absolute()) if certified and settings.staff_certificate else "",
        str(settings.staff_key.absolute()) if certified and settings.staff_key else "",
        str(context.settings.pages),
        tuple(dict.fromkeys(context.sources())),
        tuple(context.floor.tables),
        settings.trusted_proxies,
        settings.forwarded,
    )
    return PublicDoor(listener, opens, router.feeds, partial(shown_view, context), context.book_texts)


async def _run(
    running: Running,
    ending: asyncio.Event,
    ready: Callable[[Running], Awaitable[None]] | None,
    also: Sequence[Also],
) -> None:
    """Run until a signal ends it or it cannot continue. The writer may fail even while the work starts."""
    settings = running.settings
    workers = Workers(running.floor, Letterhead(settings.house, settings.zone), settings.cage_printer)
    work = asyncio.create_task(_work(running, workers, ready, also))
    failed, ended = asyncio.create_task(running.floor.failed()), asyncio.create_task(ending.wait())
    try:
        done, _ = await asyncio.wait({work, failed, ended}, return_when=asyncio.FIRST_COMPLETED)
        for task in (failed, work):  # the failure of the writer first: it explains the others
            if task in done:
                task.result()
        log.info("closing")
        if (cluster := running.floor.cluster) is not None and failed not in done and work not in done:
            await cluster.leave(settings.handover)
    finally:
        for one in (work, failed, ended):
            one.cancel()
        await asyncio.gather(work, failed, ended, return_exceptions=True)
        await workers.stop()


async def _work(
    running: Running, workers: Workers, ready: Callable[[Running], Awaitable[None]] | None, also: Sequence[Also]
) -> None:
    await workers.start()
    timers, database = Timers(running.floor), DatabaseWatch(running.floor, running.settings.durability)
    async with asyncio.TaskGroup() as group:
        group.create_task(running.warm())
        for one in (timers.run, database.run, running.sessions.run, running.watches):
            if one is not None:
                group.create_task(_restarted(one))
        if ready is not None:
            await ready(running)
        for other in also:
            group.create_task(_restarted(partial(other, running)))


async def _restarted(work: Callable[[], Awaitable[None]]) -> None:
    """Run a task, and start it again if it fails; each failure is logged."""
    while True:
        try:
            await work()
        except Exception as error:
            log.error("failed", what=repr(error), exc_info=True)
        await asyncio.sleep(AGAIN)


def _note_alerts(stream: str, entries: Sequence[AnyEntry]) -> None:
    if stream != OFFICE:
        return
    for event in (event for entry in entries for event in entry.events):
        if isinstance(event, o.AlertRaised):
            log.warning("alert", kind=event.kind, table=event.table, what=words.alert(event), number=event.alert)


def terminal_tls(settings: Settings) -> ssl.SSLContext | None:
    """The TLS context of the terminals' door; None without a certificate. Refused if its files cannot be used."""
    if settings.terminal_certificate is None or settings.terminal_key is None:
        return None
    return tls_context(settings.terminal_certificate, settings.terminal_key, settings.terminal_ca)


def tls_context(certificate: Path, key: Path, ca: Path | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")
        if ca is not None:
            context.load_verify_locations(ca)
            context.verify_mode = ssl.CERT_REQUIRED
    except (OSError, ssl.SSLError) as error:
        raise Refused("tls", "files", certificate=str(certificate), key=str(key), error=_cause(error)) from None
    return context


@contextlib.contextmanager
def _listening(door: str, host: str, port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Refused("port", "taken", door=door, address=f"{host}:{port}", error=_cause(error)) from None


def _cause(error: OSError) -> str:
    """What the system says of an error, without the words that Python adds. TLS has error numbers of its own."""
    return os.strerror(error.errno) if error.errno and not isinstance(error, ssl.SSLError) else str(error)
