"""`croupier serve`: a floor, or a demonstration that needs no preparation."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.accounts import FloorSetting, SettingsFile, StoreSetting, TablesSetting, settings_of, tables_of
from croupier.cli.output import print_lines
from croupier.cli.shared import RUN, app, fail

if TYPE_CHECKING:
    from croupier.server.serve import Running
    from croupier.server.settings import Settings


@app.command(rich_help_panel=RUN)
def serve(
    demo: Annotated[
        bool,
        typer.Option(
            "--demo", help="Run a demonstration: no set-up, robot Players, links that sign you in as each role."
        ),
    ] = False,
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
    tables: TablesSetting = None,
    staff_port: Annotated[
        int | None, typer.Option(help="The port of the staff's pages. 0 takes any free port.")
    ] = None,
    terminal_port: Annotated[
        int | None, typer.Option(help="The port for Player Terminals. 0 takes any free port.")
    ] = None,
    replica: Annotated[
        str | None, typer.Option(help="A replica of the PostgreSQL: long reports are read from it, decisions never.")
    ] = None,
    lease: Annotated[
        float | None, typer.Option(help="Seconds without a sign of life after which other machines take over.")
    ] = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any other setting in docs/operating.md. Repeat it for more."),
    ] = None,
) -> None:
    """Run a floor until Ctrl-C or SIGTERM: recover its tables, accept terminals and staff, deal."""
    flags: dict[str, Any] = {"floor": floor, "store": store, "tables": tables}
    flags |= {"staff_port": staff_port, "terminal_port": terminal_port}
    flags |= {"lease": lease, "replica": replica}
    for other in others or ():
        name, given, value = other.partition("=")
        if not given:
            fail([f'--set {other}: write a setting as NAME=VALUE, like --set house="Grand Hotel"'], 2)
        flags[name.replace("-", "_")] = value
    if not demo:
        raise typer.Exit(_run(settings_of(file, **flags)))
    with tempfile.TemporaryDirectory(prefix="croupier-demo-") as folder:
        flags["floor"] = floor or Path(folder)
        flags |= {"link_minutes": 24 * 60, "approved": "off", "durability": "off"}
        settings = settings_of(file, **flags)
        if tables is None and not settings.tables.exists():
            settings = settings.model_copy(update={"tables": packaged_tables()})
        raise typer.Exit(_demo(settings))


def packaged_tables() -> Path:
    """The tables that come with Croupier: in an installed package, or beside the sources."""
    package = Path(__file__).parents[1]
    inside = package / "tables"
    return inside if inside.is_dir() else package.parents[1] / "tables"


def _run(settings: Settings) -> int:
    from croupier.rules.refusal import Refused
    from croupier.server.serve import serve as run
    from croupier.store.folder import Premises

    configs = tables_of(settings)
    if not Premises(settings.floor).signs:
        raise Refused("floor", "none-yet", folder=str(settings.floor))
    _write_logs(settings)
    return run_on_a_loop(run(settings, configs))


def run_on_a_loop(work: Any) -> int:
    """Run on uvloop if it is installed, with as many sockets as the system allows."""
    import asyncio
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        import uvloop
    except ModuleNotFoundError:
        return int(asyncio.run(work))
    return int(uvloop.run(work))


def _write_logs(settings: Settings) -> None:
    """Write log lines to standard error, as text for people or as JSON for programs."""
    import logging
    import sys

    import structlog

    lines: Any = structlog.processors.JSONRenderer()
    if settings.log == "text":
        lines = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            lines,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(settings.log_level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


# ---- a demonstration


def _demo(settings: Settings) -> int:
    from croupier.cli.demo import admit_auditor, play, seat_robots
    from croupier.server.serve import serve as run
    from croupier.store.folder import Premises

    configs = tables_of(settings)
    premises = Premises(settings.floor)
    if not premises.signs:
        premises.init()
    settings = settings.model_copy(update={"log_level": "warning"} if settings.log_level == "info" else {})
    _write_logs(settings)

    async def ready(running: Running) -> None:
        await admit_auditor(running)
        await seat_robots(running)
        print_lines(await _welcome(running))

    return run_on_a_loop(run(settings, configs, demo=True, ready=ready, also=[play]))


async def _welcome(running: Running) -> list[str]:
    """What a newcomer reads: the addresses, and a link for each role."""
    from croupier.cli.demo import BY, people_by_role

    lines = [
        "",
        f"This is a demonstration of Croupier: {len(running.floor.tables)} tables, simulated dice and wheel, robots.",
        "Nobody plays for money, and what happens here is gone when it ends. End it with Ctrl-C.",
        "",
        f"  {running.address}/   everyone: the tables, a seat to play at, and from there the displays",
        "",
        "Each of these links signs you in once, in the role beside it:",
        "",
    ]
    for person, role in people_by_role(running):
        lines.append(f"  {running.address}/enter/{await running.sessions.link(person, BY)}   {role} ({person})")
    return [*lines, ""]
