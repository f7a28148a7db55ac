"""Questions to the lab: what a pay table costs, what it would cost, and what bets come to; one function a command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from croupier.cli.rulebook import odds_json, read_bets
from croupier.cli.shared import AsJson, LayoutName, app, fail, print_json, print_lines, print_table

if TYPE_CHECKING:
    from croupier.analysis.exact.house import HouseRisk, Placed, Risk, WorstCase
    from croupier.analysis.exact.odds import Difference
    from croupier.analysis.simulate.estimates import Estimate
    from croupier.analysis.simulate.flat import FlatRun, How
    from croupier.analysis.simulate.sessions import SessionsRun
    from croupier.analysis.simulate.table_run import CrowdRun
    from croupier.paper.document import Document
    from croupier.rules.paytable import Layout
    from croupier.rules.rulebook import Rulebook
    from croupier.table.messages import Limits

Bets = Annotated[list[str], typer.Option("--bet", help="A bet as box=amount: total:8=10.00. As often as you like.")]
Bankroll = Annotated[str, typer.Option(help="The money one comes with: 500.00.")]
StopWin = Annotated[str | None, typer.Option("--stop-win", help="Leave when so much is won.")]
StopLoss = Annotated[str | None, typer.Option("--stop-loss", help="Leave when so much is lost.")]

# ---- other odds


@app.command()
def diff(
    left: Annotated[str, typer.Argument(metavar="LAYOUT|BOOK", help="rulebook/layout, file.toml/layout, or a book.")],
    right: Annotated[str, typer.Argument(metavar="LAYOUT|BOOK", help="What to compare it with.")],
    as_json: AsJson = False,
) -> None:
    """Compare two layouts, or two books: what changed, whom it concerns, and what it does to the edge."""
    from croupier.rules.library import load_layout, load_rulebook

    if _is_book(left) and _is_book(right):
        _diff_books(load_rulebook(left), load_rulebook(right), as_json=as_json)
        return
    _diff_layouts(load_layout(left), load_layout(right), as_json=as_json)


@app.command()
def whatif(
    layout_name: LayoutName,
    pays: Annotated[
        list[str] | None, typer.Option(help="Other odds: 'total:9=8 to 1', or for all boxes of a word 'total=…'.")
    ] = None,
    book: Annotated[Path | None, typer.Option(help="A rulebook file edited by hand, with this layout in it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what other odds would cost the Player, beside what the book's odds cost."""
    from croupier.analysis.exact.odds import differences
    from croupier.analysis.exact.whatif import parse_pays, with_pays
    from croupier.rules.library import load_layout, read_file

    layout = load_layout(layout_name)
    if not pays and book is None:
        fail(["what if what? Give --pays 'total:9=8 to 1', or --book with a file edited by hand"], 2)
    changed = layout if book is None else read_file(book).layout(layout.id.rpartition("/")[2])
    changed = with_pays(changed, parse_pays(pays or ()))
    rows = differences(layout, changed)
    if as_json:
        print_json({"layout": layout.id, "differences": [_difference_json(row) for row in rows]})
        return
    print_lines([f"{layout.id}: {len(rows)} of {len(layout.boxes)} boxes would differ.", ""])
    if rows:
        _print_differences(rows, "pays now", "would pay", "edge now", "edge then")


@app.command()
def solve(
    layout_name: LayoutName,
    edge: Annotated[str, typer.Option(help="The edge that is wanted: 5%, 0.05 or 1/20.")],
    step: Annotated[str | None, typer.Option(help="The step of odds: 1/2. Without it, that of the layout.")] = None,
    box: Annotated[list[str] | None, typer.Option(help="Only this box, or all boxes of this word.")] = None,
    as_json: AsJson = False,
) -> None:
    """Propose odds in the book's steps that cost the Player a wanted edge, or as little more as can be."""
    from croupier.analysis.exact.one_round import plain
    from croupier.analysis.exact.whatif import solve as propose
    from croupier.analysis.exact.whatif import steps_of
    from croupier.rules.library import load_layout

    layout, wanted = load_layout(layout_name), read_share(edge)
    steps = steps_of(layout) if step is None else read_share(step)
    rows = propose(layout, wanted, steps, box)
    if as_json:
        print_json({"layout": layout.id, "edge": str(wanted), "step": str(steps), "boxes": plain(rows)})
        return
    print_lines([f"{layout.id}: odds in steps of {steps} for an edge of at least {_percent(wanted)}.", ""])
    print_table(
        ("box", "pays now", "edge now", "proposed", "its edge", "one step higher", "edge there"),
        [
            (
                row.box,
                row.pays,
                _percent(row.edge),
                (row.proposed or "none so low") if row.is_new else "as it is",
                "" if row.proposed_edge is None else _percent(row.proposed_edge),
                row.generous,
                _percent(row.generous_edge),
            )
            for row in rows
        ],
        right={"edge now", "its edge", "edge there"},
    )


@app.command()
def rounding(
    layout_name: LayoutName,
    stake: Annotated[str, typer.Option(help="The stake in every box: 1.00.")],
    chip: Annotated[str, typer.Option(help="The smallest chip that is paid: 1.00.")],
    how: Annotated[str, typer.Option(help="down, nearest or up.")] = "down",
    as_json: AsJson = False,
) -> None:
    """Show what paying in coarse chips would do to the edge, which is why no table here may."""
    from croupier.analysis.exact.one_round import plain
    from croupier.analysis.exact.rounding import rounded
    from croupier.rules.library import load_layout
    from croupier.rules.money import format_money, parse_money

    layout = load_layout(layout_name)
    rows = rounded(layout, parse_money(stake), parse_money(chip), how)  # type: ignore[arg-type]
    if as_json:
        print_json({"layout": layout.id, "how": how, "boxes": plain(rows)})
        return
    hit = [row for row in rows if row.change]
    print_lines([f"{layout.id}: {len(hit)} of {len(rows)} boxes would pay otherwise.", ""])
    if hit:
        print_table(
            ("box", "owed", "paid", "edge", "edge rounded", "change"),
            [
                (
                    row.box,
                    ", ".join(_cents(amount) for amount in row.exact),
                    ", ".join(format_money(amount) for amount in row.paid),
                    _percent(row.edge),
                    _percent(row.rounded_edge),
                    f"{float(row.change):+.2%}",
                )
                for row in hit
            ],
            right={"owed", "paid", "edge", "edge rounded", "change"},
        )


# ---- sets of bets


@app.command()
def chances(
    layout_name: LayoutName,
    bet: Bets,
    rounds: Annotated[str, typer.Option(help="Also after so many rounds with the same bets: 100, 1e4.")] = "1",
    as_json: AsJson = False,
) -> None:
    """Print what a set of bets brings together, exactly: every result of a round, and many rounds."""
    from croupier.analysis.exact.many_rounds import after
    from croupier.analysis.exact.one_round import one_round, plain
    from croupier.rules.library import load_layout
    from croupier.rules.money import format_money

    layout = load_layout(layout_name)
    bets, count = read_bets(layout, bet), read_count(rounds, "rounds")
    one = one_round(layout, bets)
    many = after(layout, bets, count) if count > 1 else None
    if as_json:
        print_json({"round": plain(one), "rounds": plain(many)})
        return
    print_lines([f"{layout.id}, {format_money(one.staked)} staked a round", ""])
    print_table(
        ("result", "ways", "probability", "exactly"),
        [
            (_signed(cell.amount), f"{cell.ways}/{one.ways}", f"{float(cell.probability):.4%}", str(cell.probability))
            for cell in one.cells
        ],
        right={"result", "ways", "probability", "exactly"},
    )
    print_lines(
        [
            f"The Player is ahead with {_chance(one.ahead)}, level with {_chance(one.level)}.",
            f"A round costs {_cents(-one.mean)} on average, {_percent(one.edge)} of what is staked ({one.edge}); "
            f"deviation {one.deviation / 100:,.2f}.",
        ]
    )
    if many:
        print_lines(["", f"After {count:,} rounds ({_how(many.method, many.bound)}):"])
        print_lines(
            [
                f"  ahead {_share(many.ahead)}, level {_share(many.level)}, behind {_share(many.behind)}",
                f"  {_signed(round(many.mean))} on average, deviation {many.deviation / 100:,.2f}",
                *(f"  {float(q.share):4.0%} have at most {_signed(q.amount)}" for q in many.quantiles),
            ]
        )


@app.command()
def ruin(
    layout_name: LayoutName,
    bet: Bets,
    bankroll: Bankroll,
    rounds: Annotated[str | None, typer.Option(help="Leave after so many rounds; without it, play on.")] = None,
    stop_win: StopWin = None,
    stop_loss: StopLoss = None,
    as_json: AsJson = False,
) -> None:
    """Print how an evening of flat betting ends: broke, stopped, or still playing."""
    from croupier.analysis.exact.one_round import plain
    from croupier.analysis.exact.ruin import ruin as risk_of_ruin
    from croupier.rules.library import load_layout
    from croupier.rules.money import format_money, parse_money

    layout = load_layout(layout_name)
    found = risk_of_ruin(
        layout,
        read_bets(layout, bet),
        parse_money(bankroll),
        None if rounds is None else read_count(rounds, "rounds"),
        stop_win=None if stop_win is None else parse_money(stop_win),
        stop_loss=None if stop_loss is None else parse_money(stop_loss),
    )
    if as_json:
        print_json({"layout": layout.id, **_table(plain(found))})
        return
    length = f"{found.rounds:,} rounds at most" if found.rounds else "no last round"
    how = "exact" if found.exact else f"within {found.bound:.0e}"
    print_lines(
        [
            f"{layout.id}, {format_money(found.staked)} a round from {format_money(found.bankroll)}, {length} ({how}):",
            f"  broke          {_share(found.broke)}",
            f"  stopped, lost  {_share(found.lost)}",
            f"  stopped, won   {_share(found.won)}",
            f"  still playing  {_share(found.playing)}",
            f"  rounds played  {float(found.mean_rounds):,.1f} on average",
        ]
    )


@app.command()
def house(
    layout_name: LayoutName,
    bet: Annotated[
        list[str] | None, typer.Option(help="A bet as seat:box=amount: A1:total:8=10.00. As often as you like.")
    ] = None,
    table: Annotated[Path | None, typer.Option(help="A table's file, whose limits and seats these are.")] = None,
    minimum: Annotated[str | None, typer.Option(help="The minimum in every box.")] = None,
    maximum: Annotated[str | None, typer.Option(help="The maximum in every box.")] = None,
    differential: Annotated[str | None, typer.Option(help="The Differential, where the book has one.")] = None,
    unit: Annotated[str, typer.Option(help="The chip unit.")] = "1.00",
    seats: Annotated[int | None, typer.Option(help="How many Players may bet.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print what the House can lose: to these bets with and without limits, and to any bets that the limits allow."""
    from croupier.analysis.exact.house import house_risk, worst_case
    from croupier.analysis.exact.one_round import plain
    from croupier.rules.library import load_layout, load_rulebook

    layout = load_layout(layout_name)
    book = load_rulebook(layout_name.rpartition("/")[0] if not _is_book(layout_name) else layout_name)
    limits, seated = _limits(table, minimum, maximum, differential, unit)
    placed = read_seat_bets(layout, bet or [])
    worst = worst_case(layout, book.limits, limits, seats or max(seated, len({one.seat for one in placed}), 1))
    found = house_risk(layout, book.limits, limits, placed) if placed else None
    if as_json:
        print_json({"worst_case": plain(worst), "bets": plain(found)})
        return
    if found:
        _print_risk(found)
    _print_worst(worst)


# ---- simulation

Seed = Annotated[int | None, typer.Option(help="The same seed gives the same numbers; without one, a new one.")]
EngineName = Annotated[str, typer.Option("--engine", help="Where: auto, here, processes or ray.")]
KernelName = Annotated[str, typer.Option("--kernel", help="With what: auto, numba or numpy. The numbers are the same.")]
Workers = Annotated[int | None, typer.Option(help="How many processes; without it, what is worth it.")]
Address = Annotated[str | None, typer.Option(help="With --engine ray: the cluster. Without it, one on this machine.")]
Pace = Annotated[float | None, typer.Option(help="Rounds an hour, for time at the table.")]
Page = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also write a report with plots here: run.html or run.pdf.")
]


@app.command()
def simulate(
    layout_name: LayoutName,
    bet: Annotated[
        list[str] | None, typer.Option(help="A bet as box=amount: small=10. Without one, every box is counted.")
    ] = None,
    rounds: Annotated[str, typer.Option(help="Rounds to play, or the most of a session: 1e9.")] = "1e7",
    sessions: Annotated[str | None, typer.Option(help="Play so many sessions instead of one long run: 1e6.")] = None,
    strategy: Annotated[
        str,
        typer.Option(
            help="Of a session: flat, martingale[:steps], paroli[:wins], dalembert, fibonacci, labouchere[:1-2-3-4], "
            "follow, against, or file.py:function."
        ),
    ] = "flat",
    bankroll: Annotated[str | None, typer.Option(help="Of a session: the money one comes with.")] = None,
    stop_win: StopWin = None,
    stop_loss: StopLoss = None,
    minimum: Annotated[str | None, typer.Option(help="Of a session: the table's minimum in every box.")] = None,
    maximum: Annotated[str | None, typer.Option(help="Of a session: the table's maximum in every box.")] = None,
    pace: Pace = None,
    seed: Seed = None,
    engine: EngineName = "auto",
    kernel: KernelName = "auto",
    workers: Workers = None,
    address: Address = None,
    output: Page = None,
    as_json: AsJson = False,
) -> None:
    """Play flat bets, or sessions with a strategy, as often as you like, beside the exact answer.

    Ctrl-C ends the run and prints what it has.
    """
    from croupier.analysis.exact.one_round import plain
    from croupier.analysis.simulate.flat import simulate as simulate_flat
    from croupier.analysis.simulate.sessions import simulate_sessions
    from croupier.analysis.simulate.strategies import CHOOSING, named
    from croupier.rules.library import load_layout
    from croupier.rules.money import parse_money

    layout = load_layout(layout_name)
    bets, count = read_bets(layout, bet or []), read_count(rounds, "rounds")
    spread = {"seed": seed, "engine": engine, "kernel": kernel, "workers": workers, "address": address}
    if sessions is None:
        of_sessions = (bankroll, stop_win, stop_loss, minimum, maximum)
        if strategy != "flat" or any(option is not None for option in of_sessions):
            fail(["a strategy, a bankroll, stops and limits belong to sessions; give --sessions"], 2)
        with progress_bar("rounds", count) as progress:
            flat = simulate_flat(layout, bets, count, progress=progress, **spread)  # type: ignore[arg-type]
        if output:
            _write_report(output, flat, layout_name)
        if as_json:
            print_json(plain(flat))
        else:
            _print_flat(flat)
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
            **spread,  # type: ignore[arg-type]
        )
    if output:
        _write_report(output, run, layout_name)
    if as_json:
        print_json(plain(run))
    else:
        _print_sessions(run)


@app.command()
def crowd(
    layout_name: LayoutName,
    players: Annotated[int, typer.Option(help="How many Players bet in every round.")] = 8,
    bets: Annotated[int, typer.Option(help="How many bets each makes in a round.")] = 3,
    stake: Annotated[list[str] | None, typer.Option(help="A stake they choose from: 25. As often as you like.")] = None,
    box: Annotated[list[str] | None, typer.Option(help="A box, or a word for its boxes, they choose from.")] = None,
    rounds: Annotated[str, typer.Option(help="Rounds to play: 1e5.")] = "1e4",
    table: Annotated[Path | None, typer.Option(help="A table's file, whose limits these are.")] = None,
    minimum: Annotated[str | None, typer.Option(help="The minimum in every box.")] = None,
    maximum: Annotated[str | None, typer.Option(help="The maximum in every box.")] = None,
    differential: Annotated[str | None, typer.Option(help="The Differential, where the book has one.")] = None,
    unit: Annotated[str, typer.Option(help="The chip unit.")] = "1.00",
    pace: Pace = None,
    seed: Seed = None,
    engine: EngineName = "auto",
    workers: Workers = None,
    address: Address = None,
    output: Page = None,
    as_json: AsJson = False,
) -> None:
    """Play a crowd of Players at one table with its limits, Differential and apportionment: what the House wins."""
    from croupier.analysis.exact.one_round import plain
    from croupier.analysis.exact.whatif import named_boxes
    from croupier.analysis.simulate.table_run import Habit, simulate_crowd
    from croupier.rules.library import load_layout
    from croupier.rules.money import parse_money

    layout = load_layout(layout_name)
    boxes = [name for target in box for name in named_boxes(layout, target)] if box else list(layout.boxes)
    stakes = tuple(parse_money(text) for text in stake or ("10", "25", "50", "100"))
    habit = Habit(tuple(dict.fromkeys(boxes)), stakes, bets)
    limits, _ = _limits(table, minimum, maximum, differential, unit)
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
    if output:
        _write_report(output, run, layout_name)
    if as_json:
        print_json(plain(run))
    else:
        _print_crowd(run)


# ---- pieces of reports


def read_count(text: str, what: Literal["outcomes", "rounds", "sessions"]) -> int:
    """A number of rounds or sessions as people write it: 1000, 1,000, 1e9."""
    from croupier.rules.refusal import Refused

    try:
        number = Fraction(text.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        number = Fraction(0)
    if number.denominator != 1 or number < 1:
        raise Refused(what, "not-a-count", text=text)
    return int(number)


def read_share(text: str) -> Fraction:
    """A share as people write it.

    >>> read_share("5%"), read_share("1/20"), read_share("0.05")
    (Fraction(1, 20), Fraction(1, 20), Fraction(1, 20))
    """
    from croupier.rules.refusal import Refused

    try:
        return Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise Refused("share", "unread", text=text) from None


def read_seat_bets(layout: Layout, texts: Sequence[str]) -> list[Placed]:
    from croupier.analysis.exact.house import Placed
    from croupier.rules.refusal import Refused

    seats = [text.partition(":")[0] for text in texts]
    if wrong := [text for text in texts if not text.partition(":")[2]]:
        raise Refused("bet", "not-of-a-seat", text=wrong[0])
    bets = read_bets(layout, [text.partition(":")[2] for text in texts])
    return [Placed(seat, box, stake) for seat, (box, stake) in zip(seats, bets, strict=True)]


def _limits(
    table: Path | None, minimum: str | None, maximum: str | None, differential: str | None, unit: str
) -> tuple[Limits, int]:
    """The limits of a table's file, or those given; and how many seats it has."""
    from croupier.floor.config import read_table
    from croupier.rules.library import read_bytes
    from croupier.rules.money import parse_money
    from croupier.table.messages import Limits

    if table is not None:
        config = read_table(read_bytes(table), str(table))
        return config.limits.limits(), len(config.seats)
    if minimum is None or maximum is None:
        fail(["give --table with a table's file, or --minimum and --maximum"], 2)
    return (
        Limits(
            {"*": parse_money(minimum)},
            {"*": parse_money(maximum)},
            parse_money(unit),
            None if differential is None else parse_money(differential),
        ),
        0,
    )


def _is_book(name: str) -> bool:
    """A whole book, not one layout of it."""
    from croupier.rules.library import rulebook_ids

    return name.endswith(".toml") or name in rulebook_ids()


def _diff_books(left: Rulebook, right: Rulebook, *, as_json: bool) -> None:
    from croupier.analysis.exact.books import book_changes
    from croupier.analysis.exact.one_round import plain

    changes = book_changes(left, right)
    if as_json:
        sides = {name: {"id": book.id, "hash": book.hash} for name, book in (("left", left), ("right", right))}
        rows = [_table(plain(change)) | {"kind": change.kind} for change in changes]
        print_json({**sides, "same": not changes, "changes": rows})
        return
    for name, book in (("before", left), ("after", right)):
        print_lines([f"{name:7} {book.id}, {book.identity.title}, hash {book.hash[:16]}…"])
    print_lines([f"{len(changes)} changes." if changes else "They say the same.", ""])
    part = ""
    for change in changes:
        if change.part != part:
            part = change.part
            print_lines([part.upper(), ""])
        cited = f" ({change.clause})" if change.clause else ""
        print_lines([f"  {change.place}{cited}: {change.kind}; concerns {change.concerns}"])
        print_lines(
            f"    {name:7} {said}" for name, said in (("before", change.before), ("after", change.after)) if said
        )
        if change.edge:
            more = "more" if change.edge > 0 else "less"
            print_lines([f"    the Player loses {_percent(abs(change.edge))} of each stake {more} ({change.edge})"])
        print_lines([""])


def _diff_layouts(one: Layout, other: Layout, *, as_json: bool) -> None:
    from croupier.analysis.exact.odds import differences

    rows = differences(one, other)
    if as_json:
        print_json(
            {
                "left": one.id,
                "right": other.id,
                "same": not rows,
                "differences": [_difference_json(row) for row in rows],
            }
        )
        return
    shared = len(set(one.boxes) & set(other.boxes))
    same = len({*one.boxes, *other.boxes}) - len(rows)
    print_lines([f"{one.id} and {other.id}: {shared} boxes in both, {same} of them the same.", ""])
    if rows:
        _print_differences(rows, f"pays in {one.id}", f"pays in {other.id}", "edge left", "edge right")


def _difference_json(row: Difference) -> dict[str, Any]:
    return {
        "box": row.box,
        "left": row.left and odds_json(row.left),
        "right": row.right and odds_json(row.right),
        "edge_change": None if row.edge_change is None else str(row.edge_change),
    }


def _print_differences(rows: Sequence[Difference], *heads: str) -> None:
    print_table(
        ("box", *heads, "change"),
        [
            (
                row.box,
                row.left.pays if row.left else "not offered",
                row.right.pays if row.right else "not offered",
                _percent(row.left.edge) if row.left else "",
                _percent(row.right.edge) if row.right else "",
                "" if row.edge_change is None else f"{float(row.edge_change):+.2%}",
            )
            for row in rows
        ],
        right={*heads[2:], "change"},
    )


def _print_risk(found: HouseRisk) -> None:
    from croupier.rules.money import format_money

    print_table(
        ("seat", "box", "stake", "in action", "goes back", ""),
        [
            (
                bet.seat,
                bet.box,
                format_money(bet.stake),
                format_money(bet.in_action),
                format_money(bet.unplayed),
                f"refused: {bet.refused}" if bet.refused else "",
            )
            for bet in found.bets
        ],
        right={"stake", "in action", "goes back"},
    )
    print_table(
        ("for the House", "staked", "on average", "deviation", "loses in", "worst", "on"),
        [_risk_row("without limits", found.without_limits), _risk_row("with limits", found.with_limits)],
        right={"staked", "on average", "deviation", "loses in", "worst"},
    )


def _risk_row(name: str, risk: Risk) -> tuple[str, ...]:
    from croupier.rules.money import format_money

    return (
        name,
        format_money(risk.staked),
        _signed(round(risk.mean)),
        f"{risk.deviation / 100:,.2f}",
        f"{float(risk.loses):.2%}",
        _signed(risk.worst),
        _few(risk.worst_outcomes),
    )


def _print_worst(worst: WorstCase) -> None:
    from croupier.rules.money import format_money

    players = f"{worst.seats} Player{'s' if worst.seats > 1 else ''}"
    print_lines(
        [
            f"The most that {players} can win in a round within the limits: {format_money(worst.loss)}, "
            f"on {_few(worst.outcomes)} ({_percent(worst.probability)}), with all that may play on",
            *(f"  {box:14} {format_money(amount):>16}" for box, amount in worst.boxes),
        ]
    )


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A bar with rate and time left on a person's screen, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.percentage:>3.0f}%"), BarColumn(), TextColumn("{task.fields[rate]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate="")

        def told(done: int, _: int) -> None:
            bar.update(task, completed=done)
            # The speed from which the bar tells the time left: that of late, without the start of workers.
            speed = bar.tasks[task].speed
            bar.update(task, rate=f"{speed:,.0f} {what} a second" if speed else "")

        yield told


def _print_flat(run: FlatRun) -> None:
    from croupier.rules.money import format_money

    stopped = f" of {run.asked:,}, interrupted" if run.interrupted else ""
    print_lines([f"{run.layout}, {run.rounds:,} rounds{stopped}, seed {run.seed}", ""])
    if run.edge and run.ahead:
        print_table(
            ("", "simulated", "99% from", "to", "exact", "z"),
            [
                _estimate_row("edge", run.edge, 6),
                _estimate_row("ahead after a round", run.ahead, 6),
            ],
            right={"simulated", "99% from", "to", "exact", "z"},
        )
        print_lines(
            [
                f"{format_money(run.staked)} staked, {_signed(run.total)} for the Player; deviation of a round "
                f"{run.deviation / 100:,.2f}, exactly {run.exact_deviation / 100:,.2f}.",
                "",
            ]
        )
    print_table(
        ("box", "hits", "edge", "99% from", "to", "exact", "z"),
        [(row.box, f"{row.hits:,}", *_estimate_row("", row.edge, 6)[1:]) for row in run.boxes],
        right={"hits", "edge", "99% from", "to", "exact", "z"},
    )
    print_lines([f"Outcomes against their ways: chi-square {run.chi_square:.1f}, p = {run.chi_square_p:.3f}."])
    _tell_how(run.how, run.rounds)


def _print_sessions(run: SessionsRun) -> None:
    from croupier.rules.money import format_money

    stopped = f" of {run.asked:,}, interrupted" if run.interrupted else ""
    print_lines(
        [
            f"{run.layout}, {run.strategy}: {run.says}",
            f"{run.sessions:,} sessions{stopped} of at most {run.most_rounds:,} rounds from "
            f"{format_money(run.bankroll)}, seed {run.seed}",
            "",
        ]
    )
    money, plain = {"result of a session": run.result}, {"rounds of a session": run.length}
    print_table(
        ("", "simulated", "99% from", "to", "exact", "z"),
        [
            *(_estimate_row(end.end, end.share, 4) for end in run.ends if end.sessions or end.share.exact),
            _estimate_row("ahead", run.ahead, 4),
            _estimate_row("edge on all that was staked", run.edge, 5),
            *(_amount_row(name, estimate) for name, estimate in money.items()),
            *(_estimate_row(name, estimate, 2, percent=False) for name, estimate in plain.items()),
        ],
        right={"simulated", "99% from", "to", "exact", "z"},
    )
    heads = tuple(f"{float(one.share):.0%}" for one in run.results)
    print_table(
        ("of sessions at most", *heads),
        [
            ("result", *(_signed(one.amount) for one in run.results)),
            ("deepest fall", *(format_money(one.amount) for one in run.drawdowns)),
            ("rounds", *(f"{one.amount:,}" for one in run.lengths)),
            *([("hours", *(f"{one.amount / run.pace:.1f}" for one in run.lengths))] if run.pace else []),
        ],
        right=set(heads),
    )
    _tell_how(run.how, run.rounds)


def _print_crowd(run: CrowdRun) -> None:
    from croupier.rules.money import format_money

    stopped = f" of {run.asked:,}, interrupted" if run.interrupted else ""
    print_lines([f"{run.layout}, {run.players} Players, {run.rounds:,} rounds{stopped}, seed {run.seed}", ""])
    print_table(
        ("money", "amount", "of what was put down"),
        [
            (name, format_money(amount), f"{amount / run.placed:.2%}")
            for name, amount in (
                ("put down", run.placed),
                ("refused", run.refused),
                ("given back by limits", run.unplayed),
                ("in action", run.in_action),
                ("won by the House", run.house),
            )
        ],
        right={"amount", "of what was put down"},
    )
    print_table(
        ("for the House", "simulated", "99% from", "to", "exact", "z"),
        [_estimate_row("hold", run.hold, 4), _amount_row("a round", run.a_round)],
        right={"simulated", "99% from", "to", "exact", "z"},
    )
    print_lines(
        [
            f"Limits refused or gave back something in {run.limited_rounds / run.rounds:.2%} of the rounds.",
            f"Worst round {_signed(run.worst)}. Most at risk in one round {_signed(run.exposed)}, "
            f"without limits {_signed(run.exposed_without_limits)}.",
            *(f"  {float(share):6.1%} of rounds bring at most {_signed(amount)}" for share, amount in run.quantiles),
        ]
    )
    if run.an_hour is not None and run.pace is not None:
        print_lines([f"At {run.pace:g} rounds an hour: {_signed(round(run.an_hour))} an hour."])
    _tell_how(run.how, run.rounds)


def _estimate_row(name: str, one: Estimate, digits: int, *, percent: bool = True) -> tuple[str, ...]:
    def written(value: float | None) -> str:
        if value is None:
            return ""
        return f"{value:.{digits}%}" if percent else f"{value:,.{digits}f}"

    z = "" if one.z is None else f"{one.z:+.2f}"
    return name, written(one.simulated), written(one.low), written(one.high), written(one.exact), z


def _amount_row(name: str, one: Estimate) -> tuple[str, ...]:
    def written(value: float | None) -> str:
        return "" if value is None else f"{value / 100:+,.2f}"

    z = "" if one.z is None else f"{one.z:+.2f}"
    return name, written(one.simulated), written(one.low), written(one.high), written(one.exact), z


def _tell_how(how: How, rounds: int) -> None:
    """To standard error, for it would be another time tomorrow."""
    where = {"here": "here", "processes": f"in {how.workers} processes", "ray": "on Ray"}[how.engine]
    slow = how.kernel == "numpy" and find_spec("numba") is None
    note = "; croupier[sim] brings Numba, which is many times faster" if slow else ""
    rate = rounds / max(how.seconds, 1e-9)
    typer.echo(f"{how.seconds:.1f} s {where} with {how.kernel}, {rate:,.0f} rounds a second{note}", err=True)


def _write_report(output: Path, run: FlatRun | SessionsRun | CrowdRun, layout_name: str) -> None:
    from croupier.analysis.report.runs import run_document

    write_document(output, run_document(run, layout_name))


def write_document(output: Path, document: Document) -> None:
    """Write a report as what its name says: a page or a paper."""
    from croupier.paper.document import as_html, as_pdf
    from croupier.rules.refusal import Refused

    match output.suffix.lower():
        case ".html":
            write(output, as_html(document).encode())
        case ".pdf":
            write(output, as_pdf(document))
        case _:
            raise Refused("output", "neither", file=str(output))


def write(output: Path, content: bytes) -> None:
    """Write a file, or say why not."""
    try:
        output.write_bytes(content)
    except OSError as error:
        fail([f"{output} cannot be written: {error.strerror}"], 2)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _table(value: object) -> dict[str, Any]:
    assert isinstance(value, dict), f"{type(value).__name__} is not a table"
    return value


def _percent(share: Fraction) -> str:
    return f"{float(share):.2%}"


def _share(share: Fraction | float) -> str:
    return f"{float(share):.4%}"


def _chance(share: Fraction) -> str:
    return f"{float(share):.2%} ({share})"


def _signed(cents: int) -> str:
    from croupier.rules.money import format_money

    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)


def _cents(amount: Fraction) -> str:
    """An amount that need not be whole cents, to a hundredth of one."""
    return f"{float(amount) / 100:,.4f}".removesuffix("00")


def _how(method: str, bound: float) -> str:
    if method == "exact":
        return "exact"
    return f"{'by transform' if method == 'transform' else 'by the normal distribution'}, within {bound:.0e}"
