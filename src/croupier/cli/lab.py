"""Commands with exact answers: what a pay table costs, what other odds would cost, and how sets of bets end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from croupier.cli.output import CommandReport, Line, in_columns, print_report
from croupier.cli.rulebook import odds_json, read_bets
from croupier.cli.shared import STUDY, AsJson, LayoutName, app, fail

if TYPE_CHECKING:
    from croupier.analysis.exact.books import Change
    from croupier.analysis.exact.house import HouseRisk, Placed, Risk, WorstCase
    from croupier.analysis.exact.odds import Difference
    from croupier.paper.document import Rows
    from croupier.rules.paytable import Layout
    from croupier.rules.rulebook import Rulebook
    from croupier.table.messages import Limits

Bets = Annotated[list[str], typer.Option("--bet", help="A bet as box=amount: total:8=10.00. Repeat it for more bets.")]
Bankroll = Annotated[str, typer.Option(help="The money that the Player brings: 500.00.")]
StopWin = Annotated[str | None, typer.Option("--stop-win", help="Leave when this amount is won: 200.00.")]
StopLoss = Annotated[str | None, typer.Option("--stop-loss", help="Leave when this amount is lost: 200.00.")]

# ---- other odds


@app.command(rich_help_panel=STUDY)
def diff(
    left: Annotated[
        str,
        typer.Argument(
            metavar="LAYOUT|BOOK", help="A layout, as rulebook/layout or file.toml/layout; or a whole rulebook."
        ),
    ],
    right: Annotated[str, typer.Argument(metavar="LAYOUT|BOOK", help="The layout or rulebook to compare it with.")],
    as_json: AsJson = False,
) -> None:
    """Compare two layouts or two rulebooks: what changed, whom it concerns, and how the edge changes."""
    from croupier.rules.library import load_layout, load_rulebook

    if _is_book(left) and _is_book(right):
        report = _diff_books(load_rulebook(left), load_rulebook(right))
    else:
        report = _diff_layouts(load_layout(left), load_layout(right))
    print_report(report, as_json=as_json)


@app.command(rich_help_panel=STUDY)
def whatif(
    layout_name: LayoutName,
    pays: Annotated[
        list[str] | None,
        typer.Option(help="Other odds for a box, 'total:9=8 to 1', or for all boxes of a word, 'total=8 to 1'."),
    ] = None,
    book: Annotated[Path | None, typer.Option(help="A changed rulebook file that has this layout.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare what other odds would cost the Player with what the odds of the book cost."""
    from croupier.analysis.exact.odds import differences
    from croupier.analysis.exact.whatif import parse_pays, with_pays
    from croupier.rules.library import load_layout, read_file

    layout = load_layout(layout_name)
    if not pays and book is None:
        fail(["give the other odds: --pays 'total:9=8 to 1', or --book with a changed rulebook file"], 2)
    changed = layout if book is None else read_file(book).layout(layout.id.rpartition("/")[2])
    changed = with_pays(changed, parse_pays(pays or ()))
    rows = differences(layout, changed)
    value = {"layout": layout.id, "differences": [_difference_json(row) for row in rows]}
    heading = [f"{layout.id}: {len(rows)} of {len(layout.boxes)} boxes would differ.", ""]
    shown: list[Line] = [*heading, *_differences(rows, "pays now", "would pay", "edge now", "edge then")]
    print_report(CommandReport(value, shown), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def solve(
    layout_name: LayoutName,
    edge: Annotated[str, typer.Option(help="The wanted edge: 5%, 0.05 or 1/20.")],
    step: Annotated[
        str | None, typer.Option(help="The step between odds: 1/2. Default: the step that the layout uses.")
    ] = None,
    box: Annotated[
        list[str] | None, typer.Option(help="Only this box, or all boxes of this word. Repeat it for more.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find odds, in the steps of the book, that give the wanted edge or the least edge above it."""
    from croupier.analysis.exact.whatif import solve as propose
    from croupier.analysis.exact.whatif import steps_of
    from croupier.rules.library import load_layout

    layout, wanted = load_layout(layout_name), read_share(edge)
    steps = steps_of(layout) if step is None else read_share(step)
    rows = propose(layout, wanted, steps, box)
    proposals = in_columns(
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
    value = {"layout": layout.id, "edge": wanted, "step": steps, "boxes": rows}
    heading = f"{layout.id}: odds in steps of {steps} for an edge of at least {_percent(wanted)}."
    print_report(CommandReport(value, [heading, "", proposals]), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def rounding(
    layout_name: LayoutName,
    stake: Annotated[str, typer.Option(help="The stake in each box: 1.00.")],
    chip: Annotated[str, typer.Option(help="The smallest chip that the table pays with: 1.00.")],
    how: Annotated[str, typer.Option(help="How winnings are rounded: down, nearest or up.")] = "down",
    as_json: AsJson = False,
) -> None:
    """Show how rounding winnings to whole chips would change the edge. No table of Croupier rounds."""
    from croupier.analysis.exact.rounding import rounded
    from croupier.rules.library import load_layout
    from croupier.rules.money import format_money, parse_money

    layout = load_layout(layout_name)
    rows = rounded(layout, parse_money(stake), parse_money(chip), how)  # type: ignore[arg-type]
    hit = [row for row in rows if row.change]
    shown: list[Line] = [f"{layout.id}: {len(hit)} of {len(rows)} boxes would pay otherwise.", ""]
    if hit:
        heads = ("owed", "paid", "edge", "edge rounded", "change")
        cells = [
            (
                row.box,
                ", ".join(_cents(amount) for amount in row.exact),
                ", ".join(format_money(amount) for amount in row.paid),
                _percent(row.edge),
                _percent(row.rounded_edge),
                f"{float(row.change):+.2%}",
            )
            for row in hit
        ]
        shown.append(in_columns(("box", *heads), cells, right=heads))
    print_report(CommandReport({"layout": layout.id, "how": how, "boxes": rows}, shown), as_json=as_json)


# ---- sets of bets


@app.command(rich_help_panel=STUDY)
def chances(
    layout_name: LayoutName,
    bet: Bets,
    rounds: Annotated[
        str, typer.Option(help="Also print the results after this many rounds with the same bets: 100, 1e4.")
    ] = "1",
    as_json: AsJson = False,
) -> None:
    """Print the exact results of a set of bets: every result of one round, and the outcome of many rounds."""
    from croupier.analysis.exact.many_rounds import after
    from croupier.analysis.exact.one_round import one_round
    from croupier.rules.library import load_layout
    from croupier.rules.money import format_money

    layout = load_layout(layout_name)
    bets, count = read_bets(layout, bet), read_count(rounds, "rounds")
    one = one_round(layout, bets)
    many = after(layout, bets, count) if count > 1 else None
    results = in_columns(
        ("result", "ways", "probability", "exactly"),
        [
            (_signed(cell.amount), f"{cell.ways}/{one.ways}", f"{float(cell.probability):.4%}", str(cell.probability))
            for cell in one.cells
        ],
        right={"result", "ways", "probability", "exactly"},
    )
    shown: list[Line] = [
        f"{layout.id}, {format_money(one.staked)} staked a round",
        "",
        results,
        f"The Player is ahead with {_chance(one.ahead)}, level with {_chance(one.level)}.",
        f"A round costs {_cents(-one.mean)} on average, {_percent(one.edge)} of what is staked ({one.edge}); "
        f"deviation {one.deviation / 100:,.2f}.",
    ]
    if many:
        shown += [
            "",
            f"After {count:,} rounds ({_how(many.method, many.bound)}):",
            f"  ahead {_share(many.ahead)}, level {_share(many.level)}, behind {_share(many.behind)}",
            f"  {_signed(round(many.mean))} on average, deviation {many.deviation / 100:,.2f}",
            *(f"  {float(q.share):4.0%} have at most {_signed(q.amount)}" for q in many.quantiles),
        ]
    print_report(CommandReport({"round": one, "rounds": many}, shown), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def ruin(
    layout_name: LayoutName,
    bet: Bets,
    bankroll: Bankroll,
    rounds: Annotated[str | None, typer.Option(help="Leave after this many rounds. Default: no last round.")] = None,
    stop_win: StopWin = None,
    stop_loss: StopLoss = None,
    as_json: AsJson = False,
) -> None:
    """Print how likely a session with the same bets in every round ends broke, stopped, or still playing."""
    from msgspec.structs import asdict

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
    length = f"{found.rounds:,} rounds at most" if found.rounds else "no last round"
    how = "exact" if found.exact else f"within {found.bound:.0e}"
    shown = [
        f"{layout.id}, {format_money(found.staked)} a round from {format_money(found.bankroll)}, {length} ({how}):",
        f"  broke          {_share(found.broke)}",
        f"  stopped, lost  {_share(found.lost)}",
        f"  stopped, won   {_share(found.won)}",
        f"  still playing  {_share(found.playing)}",
        f"  rounds played  {float(found.mean_rounds):,.1f} on average",
    ]
    print_report(CommandReport({"layout": layout.id, **asdict(found)}, shown), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def house(
    layout_name: LayoutName,
    bet: Annotated[
        list[str] | None, typer.Option(help="A bet as seat:box=amount: A1:total:8=10.00. Repeat it for more bets.")
    ] = None,
    table: Annotated[Path | None, typer.Option(help="The file of a table: its limits and seats are used.")] = None,
    minimum: Annotated[str | None, typer.Option(help="The minimum of each box: 5.00.")] = None,
    maximum: Annotated[str | None, typer.Option(help="The maximum of each box: 500.00.")] = None,
    differential: Annotated[str | None, typer.Option(help="The Differential limit, if the book has one.")] = None,
    unit: Annotated[str, typer.Option(help="The chip unit: every stake is a multiple of it.")] = "1.00",
    seats: Annotated[int | None, typer.Option(help="The number of Players who bet.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print what the House can lose: to the given bets, with and without limits, and to any bets within the limits."""
    from croupier.analysis.exact.house import house_risk, worst_case
    from croupier.rules.library import load_layout, load_rulebook

    layout = load_layout(layout_name)
    book = load_rulebook(layout_name.rpartition("/")[0] if not _is_book(layout_name) else layout_name)
    limits, seated = limits_of(table, minimum, maximum, differential, unit)
    placed = read_seat_bets(layout, bet or [])
    worst = worst_case(layout, book.limits, limits, seats or max(seated, len({one.seat for one in placed}), 1))
    found = house_risk(layout, book.limits, limits, placed) if placed else None
    shown = [*(_risk_tables(found) if found else ()), *_worst_lines(worst)]
    print_report(CommandReport({"worst_case": worst, "bets": found}, shown), as_json=as_json)


# ---- pieces of reports


def read_count(text: str, what: Literal["outcomes", "rounds", "sessions"]) -> int:
    """A whole number as people write it: 1000, 1,000, 1e9."""
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


def limits_of(
    table: Path | None, minimum: str | None, maximum: str | None, differential: str | None, unit: str
) -> tuple[Limits, int]:
    """The limits of a table's file or of the options, and the number of seats in the file."""
    from croupier.floor.config import read_table
    from croupier.rules.library import read_bytes
    from croupier.rules.money import parse_money
    from croupier.table.messages import Limits

    if table is not None:
        config = read_table(read_bytes(table), str(table))
        return config.limits.limits(), len(config.seats)
    if minimum is None or maximum is None:
        fail(["limits are missing: give --table with the file of a table, or --minimum and --maximum"], 2)
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
    """Does the name mean a whole book, not one of its layouts?"""
    from croupier.rules.library import rulebook_ids

    return name.endswith(".toml") or name in rulebook_ids()


def _diff_books(left: Rulebook, right: Rulebook) -> CommandReport:
    from msgspec.structs import asdict

    from croupier.analysis.exact.books import book_changes

    changes = book_changes(left, right)
    value = {
        "left": {"id": left.id, "hash": left.hash},
        "right": {"id": right.id, "hash": right.hash},
        "same": not changes,
        "changes": [asdict(change) | {"kind": change.kind} for change in changes],
    }
    shown = [
        f"before  {left.id}, {left.identity.title}, hash {left.hash[:16]}…",
        f"after   {right.id}, {right.identity.title}, hash {right.hash[:16]}…",
        f"{len(changes)} changes." if changes else "No changes.",
        "",
    ]
    part = ""
    for change in changes:
        if change.part != part:
            part = change.part
            shown += [part.upper(), ""]
        shown += _change_lines(change)
    return CommandReport(value, shown)


def _change_lines(change: Change) -> Iterator[str]:
    cited = f" ({change.clause})" if change.clause else ""
    yield f"  {change.place}{cited}: {change.kind}; concerns {change.concerns}"
    yield from (f"    {when:7} {text}" for when, text in (("before", change.before), ("after", change.after)) if text)
    if change.edge:
        more = "more" if change.edge > 0 else "less"
        yield f"    the Player loses {_percent(abs(change.edge))} of each stake {more} ({change.edge})"
    yield ""


def _diff_layouts(one: Layout, other: Layout) -> CommandReport:
    from croupier.analysis.exact.odds import differences

    rows = differences(one, other)
    value = {
        "left": one.id,
        "right": other.id,
        "same": not rows,
        "differences": [_difference_json(row) for row in rows],
    }
    shared = len(set(one.boxes) & set(other.boxes))
    same = len({*one.boxes, *other.boxes}) - len(rows)
    heading = [f"{one.id} and {other.id}: {shared} boxes in both, {same} of them the same.", ""]
    found = _differences(rows, f"pays in {one.id}", f"pays in {other.id}", "edge left", "edge right")
    return CommandReport(value, [*heading, *found])


def _difference_json(row: Difference) -> dict[str, Any]:
    return {
        "box": row.box,
        "left": row.left and odds_json(row.left),
        "right": row.right and odds_json(row.right),
        "edge_change": None if row.edge_change is None else str(row.edge_change),
    }


def _differences(rows: Sequence[Difference], *heads: str) -> Iterator[Rows]:
    """A table of the differences, if there are any."""
    cells = [
        (
            row.box,
            row.left.pays if row.left else "not offered",
            row.right.pays if row.right else "not offered",
            _percent(row.left.edge) if row.left else "",
            _percent(row.right.edge) if row.right else "",
            "" if row.edge_change is None else f"{float(row.edge_change):+.2%}",
        )
        for row in rows
    ]
    if cells:
        yield in_columns(("box", *heads, "change"), cells, right={*heads[2:], "change"})


def _risk_tables(found: HouseRisk) -> Iterator[Rows]:
    from croupier.rules.money import format_money

    yield in_columns(
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
    yield in_columns(
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


def _worst_lines(worst: WorstCase) -> list[str]:
    from croupier.rules.money import format_money

    players = f"{worst.seats} Player{'s' if worst.seats > 1 else ''}"
    return [
        f"The most that {players} can win in a round within the limits: {format_money(worst.loss)}, "
        f"on {_few(worst.outcomes)} ({_percent(worst.probability)}), with all that may play on",
        *(f"  {box:14} {format_money(amount):>16}" for box, amount in worst.boxes),
    ]


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


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
    """An amount that may have fractions of a cent, to a hundredth of a cent."""
    return f"{float(amount) / 100:,.4f}".removesuffix("00")


def _how(method: str, bound: float) -> str:
    if method == "exact":
        return "exact"
    return f"{'by transform' if method == 'transform' else 'by the normal distribution'}, within {bound:.0e}"
