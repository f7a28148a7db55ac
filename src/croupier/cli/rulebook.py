"""Commands about rulebooks: what every bet pays and why, what it costs, and whether a file has faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.files import write_file
from croupier.cli.floor import explain_played
from croupier.cli.output import CommandReport, Line, in_columns, print_report
from croupier.cli.shared import NO, STUDY, AsJson, FloorFolder, LayoutName, StoreAddress, app, fail

if TYPE_CHECKING:
    from croupier.analysis.exact.odds import BoxOdds
    from croupier.rules.paytable import Layout
    from croupier.rules.rulebook import Rulebook

# ---- commands


@app.command(rich_help_panel=STUDY)
def rulebooks(as_json: AsJson = False) -> None:
    """List the approved rulebooks and their layouts."""
    from croupier.rules.library import load_rulebook, rulebook_ids

    books = [load_rulebook(id) for id in rulebook_ids()]
    listed = in_columns(
        ("rulebook", "game", "operator", "version", "effective", "kind", "order of play", "layouts"),
        [
            (
                book.id,
                book.identity.title,
                book.identity.operator or "-",
                book.identity.version or "-",
                _effective(book),
                book.play.kind,
                book.play.order,
                " ".join(layout.id.rpartition("/")[2] for layout in book.layouts),
            )
            for book in books
        ],
    )
    print_report(CommandReport([_book_summary(book) for book in books], [listed]), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def rulebook(
    source: Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or the path of a .toml file.")],
    as_json: AsJson = False,
) -> None:
    """Show one rulebook: identity, layouts, readings and clauses."""
    from croupier.rules.library import load_rulebook

    book = load_rulebook(source)
    layouts = in_columns(
        ("layout", "title", "boxes", "clause"),
        [(layout.id, layout.title, str(len(layout.boxes)), layout.clause) for layout in book.layouts],
    )
    shown: list[Line] = [*_book_heading(book), layouts, *_reading_lines(book), "Clauses"]
    width = max(map(len, book.clauses))
    shown += [f"  {id:{width}}  {clause.kept:6}  {clause.says}" for id, clause in book.clauses.items()]
    print_report(CommandReport(_book_json(book), shown), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def odds(
    layout_name: LayoutName,
    runs: Annotated[
        int | None,
        typer.Option(
            help="Also print the longest losing run in this many rounds: "
            "the usual one, and those of 95% and 99% of cases."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print what every box of a layout pays, how often it wins, and what it costs the Player, exactly."""
    from croupier.analysis.exact.odds import layout_odds
    from croupier.rules.library import load_layout

    layout = load_layout(layout_name)
    rows = layout_odds(layout)
    longest = {row.box: _losing_run(layout, row.box, runs) for row in rows}
    boxes = [odds_json(row) | ({"losing_run": longest[row.box]} if runs else {}) for row in rows]
    shown = in_columns(
        ("box", "name", "pays", "ways", "probability", "edge", "edge %", "deviation", *_RUNS[: 3 if runs else 0]),
        [
            (
                row.box,
                row.kind,
                row.pays,
                f"{row.hits}/{row.ways}",
                f"{float(row.hit_frequency):.4%}",
                str(row.edge),
                f"{float(row.edge):.2%}",
                f"{row.deviation:.4f}",
                *map(str, longest[row.box]),
            )
            for row in rows
        ],
        right={"ways", "probability", "edge", "edge %", "deviation", *_RUNS},
    )
    value = {"layout": layout.id, "ways": layout.total_ways, "boxes": boxes}
    print_report(CommandReport(value, [shown]), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def settle(
    layout_name: LayoutName,
    outcome: Annotated[str, typer.Option(help="The result: 1-3-4, or a number of the wheel.")],
    bet: Annotated[list[str], typer.Option(help="A bet as box=amount: total:8=10.00. Repeat it for more bets.")],
    as_json: AsJson = False,
) -> None:
    """Settle bets on an outcome: fate, odds, winnings, returned stake and clause of each."""
    from croupier.rules.library import load_layout
    from croupier.rules.money import format_money, format_odds

    layout = load_layout(layout_name)
    settlement = layout.settle(read_bets(layout, bet), outcome)
    value = {
        "layout": layout.id,
        "outcome": settlement.outcome,
        "bets": [
            {
                "box": fate.box,
                "stake": fate.stake,
                "won": fate.won,
                "odds": fate.odds,
                "winnings": fate.winnings,
                "returned": fate.returned,
                "win_clause": fate.win_clause,
                "odds_clause": fate.odds_clause,
            }
            for fate in settlement.fates
        ],
        "staked": settlement.staked,
        "winnings": settlement.winnings,
        "returned": settlement.returned,
        "collected": settlement.collected,
        "house": settlement.house,
    }
    sums = [format_money(sum) for sum in (settlement.staked, settlement.winnings, settlement.returned)]
    fates = in_columns(
        ("box", "name", "stake", "fate", "odds", "winnings", "returned", "clauses"),
        [
            *(
                (
                    fate.box,
                    layout.box(fate.box).kind,
                    format_money(fate.stake),
                    "wins" if fate.won else "loses",
                    "" if fate.odds is None else format_odds(fate.odds),
                    format_money(fate.winnings),
                    format_money(fate.returned),
                    ", ".join(dict.fromkeys((fate.win_clause, fate.odds_clause))),
                )
                for fate in settlement.fates
            ),
            ("total", "", sums[0], "", "", *sums[1:], ""),
        ],
        right={"stake", "winnings", "returned"},
    )
    verb = "collects" if settlement.house >= 0 else "pays"
    verdict = f"The House {verb} {format_money(abs(settlement.house))}."
    shown: list[Line] = [f"{layout.id}, outcome {settlement.outcome}", "", fates, verdict]
    print_report(CommandReport(value, shown), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def explain(
    subject: Annotated[str, typer.Argument(metavar="LAYOUT|TABLE", help="A layout, or a table of the floor.")],
    box: Annotated[
        str,
        typer.Argument(
            metavar="BOX|ROUND", help="With a layout: a box, such as total:8. With a table: the number of a round."
        ),
    ],
    outcome: Annotated[
        str | None, typer.Argument(metavar="OUTCOME", help="With a layout: the result, 1-3-4 or a number of the wheel.")
    ] = None,
    bet: Annotated[str | None, typer.Option(help="With a table: only this bet.")] = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """Explain what a box gets on an outcome; or what became of each bet of a round that was played."""
    from croupier.rules.library import load_layout
    from croupier.words import sentence

    if outcome is None:
        explain_played(subject, box, bet, folder, store, as_json=as_json)
        return
    layout = load_layout(subject)
    explained = sentence(layout.explain(box, outcome))
    what, paid = layout.box(box), layout.pays(box, outcome)
    value = {
        "layout": layout.id,
        "box": what.name,
        "outcome": layout.space.parse(outcome),
        "won": paid is not None,
        "odds": paid,
        "win_clause": what.win_clause,
        "odds_clause": what.odds_clause,
        "sentence": explained,
    }
    print_report(CommandReport(value, [explained]), as_json=as_json)


@app.command(rich_help_panel=STUDY)
def felt(
    layout_name: LayoutName,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the picture to this file instead of printing it.")
    ] = None,
) -> None:
    """Draw the felt of a layout as an SVG picture."""
    from croupier.analysis.report.felt_picture import draw_felt
    from croupier.rules.library import load_layout

    picture = draw_felt(load_layout(layout_name))
    if output is None:
        typer.echo(picture, nl=False)
        return
    write_file(output, picture.encode())


@app.command(rich_help_panel=STUDY)
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The rulebook files to check.")],
    as_json: AsJson = False,
) -> None:
    """Check rulebook files and list every fault at once. Exit code 1 if there is one."""
    from croupier.rules.library import read_file
    from croupier.rules.reader import RulebookFaults

    reports: list[dict[str, Any]] = []
    for file in files:
        try:
            book = read_file(file)
            reports.append(
                {
                    "file": str(file),
                    "id": book.id,
                    "hash": book.hash,
                    "faults": [],
                    "warnings": list(book.warnings),
                    "layouts": {layout.id: len(layout.boxes) for layout in book.layouts},
                }
            )
        except RulebookFaults as error:
            faults = [{"place": fault.place, "message": fault.message} for fault in error.faults]
            reports.append(
                {"file": str(file), "id": None, "hash": None, "faults": faults, "warnings": [], "layouts": {}}
            )
    lines = [line for report in reports for line in _check_lines(report)]
    print_report(CommandReport(reports, lines), as_json=as_json)
    if any(report["faults"] for report in reports):
        raise typer.Exit(1)


@app.command(rich_help_panel=STUDY)
def trace(
    book: Annotated[
        list[str] | None,
        typer.Option(help="Only this rulebook: an id, or the path of a .toml file. Repeat it for more."),
    ] = None,
    evidence: Annotated[
        Path, typer.Option(help="The file with the results of the last test run. make test writes it.")
    ] = Path("build/evidence.json"),
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 also if a clause has no evidence yet.")] = False,
    as_json: AsJson = False,
) -> None:
    """List every clause with who keeps it, the tests and transcripts that show it, and their results.

    A transcript is an evening at a table, written act by act and played again as a test.
    """
    from croupier.analysis.report.trace import count_results, read_evidence
    from croupier.analysis.report.trace import trace as trace_book
    from croupier.rules.library import load_rulebook, rulebook_ids

    found = read_evidence(evidence)
    traced = {id: trace_book(load_rulebook(id), found) for id in book or rulebook_ids()}
    rows = [row for book_rows in traced.values() for row in book_rows]
    counts = count_results(rows)
    clauses = in_columns(
        ("rulebook", "clause", "kept by", "result", "evidence"),
        [(row.rulebook, row.clause, row.kept, row.result, _evidence_text(row.evidence)) for row in rows],
    )
    results = ("passed", "prompted", "waiting", "skipped", "stale", "failed")
    summary = [(id, len(part), count_results(part)) for id, part in traced.items()]
    summary.append(("in all", len(rows), counts))
    totals = in_columns(
        ("rulebook", "clauses", *results),
        [(id, str(total), *(str(count[result]) for result in results)) for id, total, count in summary],
        right={"clauses", *results},
    )
    value = {"clauses": rows, "totals": dict(sorted(counts.items()))}
    print_report(CommandReport(value, [clauses, totals]), as_json=as_json)
    if counts["failed"] or counts["stale"] or (strict and counts["waiting"] + counts["skipped"]):
        raise typer.Exit(1)


# ---- pieces of reports

_RUNS = ("losing run", "in 95%", "in 99%")


def _losing_run(layout: Layout, box: str, rounds: int | None) -> list[int]:
    """The longest losing runs in this many rounds that are not exceeded in 50%, 95% and 99% of cases."""
    from croupier.analysis.exact.streaks import losing_run

    return [] if rounds is None else list(losing_run(layout, box, rounds).runs)


def read_bets(layout: Layout, texts: list[str]) -> list[tuple[str, int]]:
    """Read the --bet options, and report all of their faults at once."""
    from croupier.rules.money import parse_money
    from croupier.rules.refusal import Refused
    from croupier.words import why

    bets: list[tuple[str, int]] = []
    refusals: list[Refused] = []
    for text in texts:
        box, equals, amount = text.rpartition("=")
        try:
            if not equals:
                raise Refused("bet", "not-a-bet", text=text)
            stake = parse_money(amount)
            layout.check_stake(box, stake)
            bets.append((box, stake))
        except Refused as refusal:
            refusals.append(refusal)
    if refusals:
        fail(
            [f"Bet refused: {why(refusal)}" for refusal in refusals], 1 if all(r.reason in NO for r in refusals) else 2
        )
    return bets


def _book_summary(book: Rulebook) -> dict[str, Any]:
    identity = book.identity
    return {
        "id": book.id,
        "title": identity.title,
        "also_known_as": list(identity.also_known_as),
        "operator": identity.operator,
        "authority": identity.authority,
        "approved_under": identity.approved_under,
        "version": identity.version,
        "effective": None if identity.effective is None else identity.effective.isoformat(),
        "time_zone": identity.time_zone,
        "kind": book.play.kind,
        "order": book.play.order,
        "hash": book.hash,
        "layouts": [
            {"id": layout.id, "title": layout.title, "clause": layout.clause, "boxes": len(layout.boxes)}
            for layout in book.layouts
        ],
    }


def _book_json(book: Rulebook) -> dict[str, Any]:
    return {
        **_book_summary(book),
        "readings": [reading.model_dump() for reading in book.readings],
        "clauses": {id: clause.model_dump() for id, clause in book.clauses.items()},
        "irregularities": [irregularity.model_dump(mode="json") for irregularity in book.irregularities],
        "prompts": [prompt.model_dump() for prompt in book.prompts],
        "limits": book.limits.model_dump(mode="json"),
        "interruption": book.interruption.model_dump(mode="json"),
    }


def _reading_lines(book: Rulebook) -> Iterator[str]:
    if not book.readings:
        return
    yield "Readings: where the text is silent, wrong or contradicts itself"
    for reading in book.readings:
        number = f" (ruling {reading.ruling})" if reading.ruling else ""
        yield f"  {reading.clause}{number}"
        yield f"    says         {reading.says}"
        yield f"    we read      {reading.read}"
        yield f"    because      {reading.why}"
        yield f"    alternative  {reading.alternative}"
    yield ""


def _book_heading(book: Rulebook) -> list[str]:
    identity = book.identity
    known = f" (also known as {', '.join(identity.also_known_as)})" if identity.also_known_as else ""
    lines = [f"{identity.title}{known}"]
    fields = (
        ("rulebook", book.id),
        ("operator", identity.operator),
        ("approved by", identity.authority),
        ("under", identity.approved_under),
        ("version", identity.version),
        ("effective", None if identity.effective is None else f"{_effective(book)} {identity.time_zone}"),
        ("play", f"{book.play.kind}, {book.play.order}"),
        ("hash", book.hash),
    )
    return [*lines, *(f"  {name:12} {value}" for name, value in fields if value), ""]


def _effective(book: Rulebook) -> str:
    from datetime import datetime

    when = book.identity.effective
    if when is None:
        return "-"
    return f"{when:%Y-%m-%d %H:%M}" if isinstance(when, datetime) else when.isoformat()


def odds_json(row: BoxOdds) -> dict[str, Any]:
    return {
        "box": row.box,
        "kind": row.kind,
        "pays": row.pays,
        "hits": row.hits,
        "hit_frequency": str(row.hit_frequency),
        "return": str(row.return_to_player),
        "edge": str(row.edge),
        "edge_percent": round(float(row.edge) * 100, 6),
        "variance": str(row.variance),
        "deviation": round(row.deviation, 6),
        "volatility_index": round(row.volatility_index, 6),
    }


def _check_lines(report: dict[str, Any]) -> Iterable[str]:
    file = report["file"]
    if report["faults"]:
        for fault in report["faults"]:
            yield f"{file}: {fault['place'] + ': ' if fault['place'] else ''}{fault['message']}"
        yield f"{file}: {len(report['faults'])} fault{'s' if len(report['faults']) > 1 else ''}"
        return
    for warning in report["warnings"]:
        yield f"{file}: warning: {warning}"
    layouts = ", ".join(f"{id} ({boxes} boxes)" for id, boxes in report["layouts"].items())
    yield f"{file}: fine. {layouts}. Hash {report['hash'][:16]}…"


def _evidence_text(evidence: Sequence[str]) -> str:
    if not evidence:
        return "-"
    more = f" and {len(evidence) - 1} more" if len(evidence) > 1 else ""
    return evidence[0].removeprefix("tests/") + more
