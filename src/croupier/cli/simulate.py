"""Rounds in great numbers: `croupier simulate` and `croupier crowd`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.files import check_document, write_document
from croupier.cli.lab import StopLoss, StopWin, limits_of, read_count
from croupier.cli.output import CommandReport, print_report
from croupier.cli.rulebook import read_bets
from croupier.cli.shared import STUDY, AsJson, LayoutName, app, fail

if TYPE_CHECKING:
    from croupier.analysis.simulate.bankroll_sessions import SessionsRun
    from croupier.analysis.simulate.flat import FlatRun, How
    from croupier.analysis.simulate.table_run import CrowdRun

Seed = Annotated[int | None, typer.Option(help="The same seed gives the same numbers. Default: a new one.")]
EngineName = Annotated[str, typer.Option("--engine", help="Where it runs: auto, here, processes or ray.")]
KernelName = Annotated[
    str, typer.Option("--kernel", help="What calculates: auto, numba or numpy. The numbers are the same.")
]
Workers = Annotated[int | None, typer.Option(help="Number of processes. Default: chosen by the size of the run.")]
Address = Annotated[
    str | None, typer.Option(help="With --engine ray: the address of a cluster. Default: a cluster on this machine.")
]
Pace = Annotated[float | None, typer.Option(help="Rounds an hour: results are also given in hours.")]
Page = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Also write the report with plots to this file: run.html or run.pdf."),
]


@app.command(rich_help_panel=STUDY)
def simulate(
    layout_name: LayoutName,
    bet: Annotated[
        list[str] | None,
        typer.Option(help="A bet as box=amount: small=10. Repeat it for more bets. Default: count every box."),
    ] = None,
    rounds: Annotated[
        str, typer.Option(help="The number of rounds; with --sessions, the most rounds of a session: 1e9.")
    ] = "1e7",
    sessions: Annotated[str | None, typer.Option(help="Play this many sessions instead of one long run: 1e6.")] = None,
    strategy: Annotated[
        str,
        typer.Option(
            help="How a session is played: flat, martingale[:steps], paroli[:wins], "
            "dalembert, fibonacci, labouchere[:1-2-3-4], "
            "follow, against, or file.py:function."
        ),
    ] = "flat",
    bankroll: Annotated[str | None, typer.Option(help="The money that the Player brings to a session: 500.00.")] = None,
    stop_win: StopWin = None,
    stop_loss: StopLoss = None,
    minimum: Annotated[str | None, typer.Option(help="For sessions: the minimum of each box.")] = None,
    maximum: Annotated[str | None, typer.Option(help="For sessions: the maximum of each box.")] = None,
    pace: Pace = None,
    seed: Seed = None,
    engine: EngineName = "auto",
    kernel: KernelName = "auto",
    workers: Workers = None,
    address: Address = None,
    output: Page = None,
    as_json: AsJson = False,
) -> None:
    """Simulate many rounds of the same bets, or many sessions with a strategy, and compare with the exact answer.

    Ctrl-C ends the run and prints the rounds played so far.
    """
    if output:
        check_document(output, pictures=True)
    from croupier.analysis.simulate.bankroll_sessions import simulate_sessions
    from croupier.analysis.simulate.flat import simulate as simulate_flat
    from croupier.analysis.simulate.strategies import CHOOSING, named
    from croupier.rules.library import load_layout
    from croupier.rules.money import parse_money

    layout = load_layout(layout_name)
    bets, count = read_bets(layout, bet or []), read_count(rounds, "rounds")
    where = {"seed": seed, "engine": engine, "kernel": kernel, "workers": workers, "address": address}
    if sessions is None:
        of_sessions = (bankroll, stop_win, stop_loss, minimum, maximum)
        if strategy != "flat" or any(option is not None for option in of_sessions):
            fail(["a strategy, a bankroll, stops and limits are for sessions: give --sessions too"], 2)
        with progress_bar("rounds", count) as progress:
            flat = simulate_flat(layout, bets, count, progress=progress, **where)  # type: ignore[arg-type]
        _show(flat, output, as_json=as_json)
        return
    if bankroll is None or not bets:
        fail(["a session needs --bet and --bankroll"], 2)
    many = read_count(sessions, "sessions")
    low, high = (None if text is None else parse_money(text) for text in (minimum, maximum))
    with progress_bar("sessions", many) as progress:
        run = simulate_sessions(
            layout,
            [[one] for one in bets] if strategy in CHOOSING or ".py:" in strategy else [bets],
            named(strategy, len(bets)),
            bankroll=parse_money(bankroll),
            rounds=count,
            sessions=many,
            stop_win=None if stop_win is None else parse_money(stop_win),
            stop_loss=None if stop_loss is None else parse_money(stop_loss),
            minimum=None if low is None else lambda box: low,
            maximum=None if high is None else lambda box: high,
            pace=pace,
            progress=progress,
            **where,  # type: ignore[arg-type]
        )
    _show(run, output, as_json=as_json)


@app.command(rich_help_panel=STUDY)
def crowd(
    layout_name: LayoutName,
    players: Annotated[int, typer.Option(help="The number of Players. All of them bet in every round.")] = 8,
    bets: Annotated[int, typer.Option(help="The number of bets of each Player in a round.")] = 3,
    stake: Annotated[
        list[str] | None,
        typer.Option(help="A stake that they may choose: 25. Repeat it for more. Default: 10, 25, 50 and 100."),
    ] = None,
    box: Annotated[
        list[str] | None,
        typer.Option(
            help="A box, or a word for all of its boxes, that they may choose. Repeat it for more. Default: all boxes."
        ),
    ] = None,
    rounds: Annotated[str, typer.Option(help="The number of rounds: 1e5.")] = "1e4",
    table: Annotated[Path | None, typer.Option(help="The file of a table: its limits are used.")] = None,
    minimum: Annotated[str | None, typer.Option(help="The minimum of each box: 5.00.")] = None,
    maximum: Annotated[str | None, typer.Option(help="The maximum of each box: 500.00.")] = None,
    differential: Annotated[str | None, typer.Option(help="The Differential limit, if the book has one.")] = None,
    unit: Annotated[str, typer.Option(help="The chip unit: every stake is a multiple of it.")] = "1.00",
    pace: Pace = None,
    seed: Seed = None,
    engine: EngineName = "auto",
    workers: Workers = None,
    address: Address = None,
    output: Page = None,
    as_json: AsJson = False,
) -> None:
    """Simulate many Players at one table with its limits, Differential and apportionment: what the House wins."""
    if output:
        check_document(output, pictures=True)
    from croupier.analysis.exact.whatif import named_boxes
    from croupier.analysis.simulate.table_run import Habit, simulate_crowd
    from croupier.rules.library import load_layout
    from croupier.rules.money import parse_money

    layout = load_layout(layout_name)
    boxes = [name for target in box for name in named_boxes(layout, target)] if box else list(layout.boxes)
    stakes = tuple(parse_money(text) for text in stake or ("10", "25", "50", "100"))
    habit = Habit(tuple(dict.fromkeys(boxes)), stakes, bets)
    limits, _ = limits_of(table, minimum, maximum, differential, unit)
    count = read_count(rounds, "rounds")
    with progress_bar("rounds", count) as progress:
        run = simulate_crowd(
            layout_name,
            [habit] * players,
            limits,
            count,
            pace=pace,
            seed=seed,
            engine=engine,
            workers=workers,
            address=address,
            progress=progress,
        )
    _show(run, output, as_json=as_json)


def _show(run: FlatRun | SessionsRun | CrowdRun, output: Path | None, *, as_json: bool) -> None:
    """Print the report of a run, and write it into a file if one is given."""
    from croupier.analysis.report.runs import run_document

    document = run_document(run)
    if output:
        write_document(output, document)
    print_report(CommandReport(run, document), as_json=as_json)
    if not as_json:
        _print_speed(run.how, run.rounds)


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar with rate and time left on a terminal; nothing where standard error is a file or a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.percentage:>3.0f}%"), BarColumn(), TextColumn("{task.fields[rate]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate="")

        def update(done: int, _: int) -> None:
            bar.update(task, completed=done)
            # The recent speed, from which the bar has the time left: the start of workers is not in it.
            speed = bar.tasks[task].speed
            bar.update(task, rate=f"{speed:,.0f} {what} a second" if speed else "")

        yield update


def _print_speed(how: How, rounds: int) -> None:
    """Print the time that a run took to standard error, for it differs from run to run."""
    where = {"here": "here", "processes": f"in {how.workers} processes", "ray": "on Ray"}[how.engine]
    slow = how.kernel == "numpy" and find_spec("numba") is None
    note = "; croupier[sim] brings Numba, which is many times faster" if slow else ""
    rate = rounds / max(how.seconds, 1e-9)
    typer.echo(f"{how.seconds:.1f} s {where} with {how.kernel}, {rate:,.0f} rounds a second{note}", err=True)
