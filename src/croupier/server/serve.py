"""A floor put together: recovered and checked, its doors opened, its tables worked, and ended so that all is safe."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import secrets
import signal
import socket
import ssl
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from croupier import __version__, words
from croupier.floor.config import OFFICE, TableConfig
from croupier.floor.database_watch import DatabaseWatch
from croupier.floor.floor import Floor, TakenOver
from croupier.floor.printing import Letterhead
from croupier.floor.timers import Timers
from croupier.floor.workers import Workers
from croupier.office import messages as o
from croupier.rules.refusal import Refused, Unavailable
from croupier.server.player.door import TerminalDoor
from croupier.server.proxies import Proxies
from croupier.server.public_door import PublicDoor
from croupier.server.public_line import Opens
from croupier.server.relay import Relay
from croupier.server.sessions import Sessions
from croupier.server.settings import Settings, in_address
from croupier.server.software import differences, not_approved, watch
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
"""The exit code when only a restart can tell what is on disk."""
TAKEN_OVER = 76
"""The exit code when another server has taken the floor over, while this one was frozen or asleep."""
PATIENCE = 15
"""Seconds for which a start waits until the lease of a server that was killed is over."""
STRANGERS_ASK = (300, 30.0)
"""Requests of an address without a session at the staff's door: so many at once, and so many a second after that."""
AGAIN = 5
"""Seconds after which what failed is tried again."""

log = structlog.get_logger()


async def _nothing() -> None: ...


class Running:
    """A floor that is open to everyone."""

    def __init__(self, settings: Settings, floor: Floor, sessions: Sessions) -> None:
        self.settings = settings
        self.floor = floor
        self.sessions = sessions
        self.address = ""
        """Where a browser finds the pages."""
        self.public = ""
        """Where everyone finds the public pages; empty if they have no process of their own."""
        self.terminals = ""
        """Where a terminal finds its door."""
        self.port = 0
        """The port of that door on this machine."""
        self.watches: Callable[[], Awaitable[None]] | None = None
        """What holds the software against what was approved; not in a demonstration."""
        self.warm: Callable[[], Coroutine[Any, Any, None]] = _nothing
        """Starts what should not begin only when somebody asks for it."""


Also = Callable[[Running], Awaitable[None]]
"""What else is to run while the floor is open."""


async def serve(
    settings: Settings,
    configs: Sequence[TableConfig],
    *,
    demo: bool = False,
    ready: Callable[[Running], Awaitable[None]] | None = None,
    also: Sequence[Also] = (),
) -> int:
    """Run a floor until it is told to end; the exit code. `ready` is called when the doors are open."""
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    differs = await differences(settings)
    if differs and settings.approved == "refuse":
        raise not_approved(differs)
    if os.geteuid() == 0:
        log.warning("root", hint="run the floor by an account of its own: croupier doctor says more")
    floor = await _opened(settings, configs)
    floor.subscribe(None, _note_alerts)
    log.info("recovered", tables=len(floor.tables), streams={r: floor.store.head(r).seq for r in floor.store.streams()})
    try:
        with _collector_spared(), _fresh_machine_code():
            async with _relay(settings, floor), _doors(settings, floor, demo) as running:
                running.watches = None if demo else partial(watch, floor, settings, differs)
                await _run(running, ending, ready, also)
    except Indeterminate as lost:
        log.error("indeterminate", what=str(lost), hint="start again: what is on disk is found")
        await floor.abandon()
        return UNKNOWN
    except TakenOver as taken:
        hint = "another server has all that this one had; nothing was lost here; see who started it, and keep one"
        log.error("taken over", of=str(taken), hint=hint)
        await floor.abandon()
        return TAKEN_OVER
    except BaseException:
        await floor.close()
        raise
    try:
        await floor.close()
    except Indeterminate as lost:  # the database went while we did: whoever takes over finds what is on disk
        log.error("indeterminate", what=str(lost), hint="start again: what is on disk is found")
        return UNKNOWN
    log.info("closed", version=__version__)
    return 0


async def _opened(settings: Settings, configs: Sequence[TableConfig]) -> Floor:
    """Recover every table. A server that was killed has left its leases: they are over within seconds."""
    premises = Premises(settings.floor, settings.store or None, settings.replica, settings.checkpoint_copies)
    owner, waited = f"{socket.gethostname()}-{os.getpid()}", 0
    if premises.shared:  # in containers, machines may have the same name and the same number
        owner = f"{owner}-{secrets.token_hex(2)}"
    for _ in range(PATIENCE):
        floor = Floor(premises, configs, owner, round(settings.lease * 1000))
        try:
            if settings.durability == "refuse":
                _check_durability(floor)
            await floor.open(waited)
        except Conflict as conflict:
            await floor.abandon()
            log.info("waiting", why=str(conflict))
            await asyncio.sleep(1)
            waited = floor.clock.now()  # also where the wall's clock was set back, the leases end
        except BaseException:
            await floor.abandon()
            raise
        else:
            return floor
    raise Unavailable("owned", "another-server", folder=str(premises.folder))


def _check_durability(floor: Floor) -> None:
    """Refused, if what is acknowledged here may be lost (promise 2)."""
    if found := broken(floor.database.durability()):
        raise Refused("durability", "may-lose", settings=tuple(fact.brief for fact in found))


@contextlib.contextmanager
def _collector_spared() -> Iterator[None]:
    """Have Python look for circles among what is new only, and seldom.

    What was recovered stays, and every bet of a round stays until its end: to go through all of it again after every
    few hundred new objects cost a third of a bet.
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
def _fresh_machine_code() -> Iterator[None]:
    """Let the lab's processes run no machine code that was there before: Numba would take it from the disk unseen."""
    before = os.environ.get("NUMBA_CACHE_DIR")
    with tempfile.TemporaryDirectory(prefix="croupier-loops-") as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        try:
            yield
        finally:
            del os.environ["NUMBA_CACHE_DIR"]
            if before is not None:
                os.environ["NUMBA_CACHE_DIR"] = before


@contextlib.asynccontextmanager
async def _relay(settings: Settings, floor: Floor) -> AsyncIterator[None]:
    """The line to the other machines of this floor, where there may be any."""
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
    """Both listeners, open; what is shown on one tells of the other."""
    sessions = Sessions(floor, settings.times)
    running = Running(settings, floor, sessions)
    tls = terminal_tls(settings)
    # The pages' own address is known before they are served: the port is taken first, and kept.
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
    staff = StaffDoor(app, settings.staff_certificate, settings.staff_key, proxies=proxies, asks=STRANGERS_ASK)
    running.warm = app.state.warm_lab
    machines = Listener(machine_app(app))
    crowd = _public_door(settings, running, app.state.router, public) if public else None
    try:
        await staff.serve(listener)
        running.address = sorted(origins)[0]
        if settings.metrics_port is not None:
            with _listening("metrics", settings.metrics_host, settings.metrics_port):
                metrics = await machines.open(settings.metrics_host, settings.metrics_port)
            log.info("metrics", address=f"http://{in_address(settings.metrics_host)}:{metrics}/metrics")
        if floor.cluster is not None:
            floor.cluster.announce(terminals=running.terminals, pages=running.address, origins=tuple(sorted(origins)))
        if crowd is not None:
            crowd.open()
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
        if crowd is not None:
            await crowd.close()
        await machines.close()
        await staff.close()
        await terminals.close()


def _public_door(settings: Settings, running: Running, router: Router, listener: socket.socket) -> PublicDoor:
    """The door for everyone; what it is told is nothing but what everyone may know."""
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
    return PublicDoor(listener, opens, router.feeds, partial(shown_view, context))


async def _run(
    running: Running,
    ending: asyncio.Event,
    ready: Callable[[Running], Awaitable[None]] | None,
    also: Sequence[Also],
) -> None:
    """Until it is told to end, or cannot go on; the writer may also fail while the work begins."""
    settings = running.settings
    workers = Workers(running.floor, Letterhead(settings.house, settings.zone), settings.cage_printer)
    work = asyncio.create_task(_work(running, workers, ready, also))
    failed, ended = asyncio.create_task(running.floor.failed()), asyncio.create_task(ending.wait())
    try:
        done, _ = await asyncio.wait({work, failed, ended}, return_when=asyncio.FIRST_COMPLETED)
        for task in (failed, work):  # why the writer stopped says more than who waited for it in vain
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
                group.create_task(_kept(one))
        if ready is not None:
            await ready(running)
        for other in also:
            group.create_task(_kept(partial(other, running)))


async def _kept(work: Callable[[], Awaitable[None]]) -> None:
    """What fails is told, and begun again."""
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
    """How the terminals' door speaks TLS; Refused if its files cannot be used."""
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
        raise Refused("tls", "files", certificate=str(certificate), key=str(key), error=str(error)) from None
    return context


@contextlib.contextmanager
def _listening(door: str, host: str, port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Refused("port", "taken", door=door, address=f"{host}:{port}", error=str(error.strerror)) from None
