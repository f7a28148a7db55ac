"""Commands that read a floor: the rounds that were played, explained, exported and checked; tickets; figures."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.files import write_file
from croupier.cli.output import CommandReport, in_columns, print_lines, print_report
from croupier.cli.shared import CHECK, FILE, FLOOR, RUN, STUDY, AsJson, FloorFolder, StoreAddress, app, fail

if TYPE_CHECKING:
    from croupier.store.archive import Archived
    from croupier.store.folder import Premises
    from croupier.store.verify import Lie
    from croupier.transcript.play import Evening

TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The name of a table.")]
Begin = Annotated[
    str,
    typer.Option(
        "--from", help="Only from this moment on: 2026-11-16, or 2026-11-16T18:00+08:00. Without a zone, UTC."
    ),
]
End = Annotated[str, typer.Option("--to", help="Only before this moment.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]


@app.command(rich_help_panel=STUDY)
def play(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The transcripts (.round) to play and check.")],
    show: Annotated[bool, typer.Option("--show", help="Also print what happened, in sentences with clauses.")] = False,
    folder: Annotated[
        Path | None, typer.Option("--floor", help="Also record the evening in the journal of this floor.")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="Also record it in this database: a file, or postgresql://….")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play transcripts and check every fact in them. Exit code 1 if one differs; its first difference is printed."""
    from croupier.rules.library import read_bytes
    from croupier.rules.reader import RulebookFaults
    from croupier.transcript.play import TranscriptFault
    from croupier.transcript.play import play as play_text
    from croupier.transcript.story import story_of, text_of
    from croupier.words import refusal

    reports: list[dict[str, Any]] = []
    for file in files:
        report: dict[str, Any] = {"file": str(file), "acts": 0, "facts": 0, "line": None, "fault": None}
        reports.append(report)
        try:
            evening = play_text(read_bytes(file).decode(errors="replace"))
            report |= {"acts": len(evening.turns), "facts": evening.checked}
            if store is not None or folder is not None:
                _put_on_disk(evening, folder, store)
            if show:
                print_lines(text_of(story_of(evening)))
        except TranscriptFault as fault:
            report |= {"line": fault.line, "fault": fault.faults[0].message}
        except RulebookFaults as error:
            report["fault"] = "; ".join(error.lines(refusal)).removeprefix(f"{file}: ")
    print_report(CommandReport(reports, [_played_line(report) for report in reports]), as_json=as_json)
    if any(report["fault"] for report in reports):
        raise typer.Exit(1)


@app.command(rich_help_panel=CHECK)
def verify(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[DB|PACK|RECEIPT|ARCHIVE]", help="A database, or a file made by export, receipt or archive."
        ),
    ] = None,
    checkpoints: Annotated[
        list[Path] | None,
        typer.Option(
            help="Signed checkpoints: a file, or a folder of files. Repeat it for more. Default: those of the floor."
        ),
    ] = None,
    key: Annotated[Path | None, typer.Option(help="The public key. Default: the one of the floor.")] = None,
    papers: Annotated[
        Path | None, typer.Option(help="For a pack: make its papers again from its rows and write them to this folder.")
    ] = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """Check a journal: its hash chain, every decision and every transfer. Or check a pack, a receipt or an archive.

    Exit code 1 if anything is false; the first false row of each table is printed.
    """
    if what is not None and "://" not in what and not Path(what).exists():
        fail([f"there is no file {what}; give a database, or a file made by export, receipt or archive"], 2)
    if key is not None:
        from croupier.store.checkpoint import trusted_key

        trusted_key(key)  # refused here, even where nothing is signed that it could check
    premises = premises_of(folder, what or store)
    key = key or (premises.public_key if premises.public_key.exists() else None)
    file = Path(premises.address)
    kind = _kind(file)
    if papers is not None and kind != "pack":
        fail([f"{file} is not a pack: --papers writes the papers of a pack"], 2)
    if kind == "store":
        report = _verify_store(premises, _files_of(checkpoints or []), key, copy=what is not None)
    elif kind == "archive":
        report = _verify_archive(file)
    elif key is None:
        fail([f"{file} is checked with the public key of the floor that made it: --key public.key"], 2)
    else:
        report = _verify_pack(file, key, papers) if kind == "pack" else _verify_receipt(file, key)
    print_report(CommandReport(report, [*report["lies"], *report["notes"], report["summary"]]), as_json=as_json)
    if report["lies"]:
        raise typer.Exit(1)


@app.command(rich_help_panel=CHECK)
def replay(
    table: TableName,
    round: Annotated[int | None, typer.Option(help="Only this round, with the state in which it began.")] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print what happened in sentences with clauses instead.")
    ] = False,
    folder: FloorFolder = None,
    store: StoreAddress = None,
) -> None:
    """Print the rounds of a table as a transcript, which croupier play can play again."""
    from croupier.store.history import evening_of
    from croupier.store.rounds import find_round
    from croupier.transcript.play import write
    from croupier.transcript.story import story_of, text_of

    with open_floor(folder, store) as opened:
        evening = evening_of(opened, table) if round is None else find_round(opened, table, round).evening
        print_lines(text_of(story_of(evening)) if show else write(evening).splitlines())


@app.command(rich_help_panel=CHECK)
def law(
    table: TableName,
    to: Annotated[
        str | None,
        typer.Option(metavar="BOOK", help="Also compare with this book: an id, or the path of a .toml file."),
    ] = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """List the rulebooks of a table with the rows that took them up; and what another book would change."""
    from croupier.analysis.exact.books import book_changes
    from croupier.rules.library import load_rulebook
    from croupier.store.rounds import books_of

    with open_floor(folder, store) as opened:
        found = books_of(opened, table)
    value: dict[str, Any] = {
        "table": table,
        "books": [
            {
                "book": one.book.id,
                "version": one.book.identity.version,
                "hash": one.book.hash,
                "from_round": one.round,
                "row": one.row,
                "at": one.at,
                "correction": one.correction,
                "asked_by": one.asked_by,
                "approved_by": one.approved_by,
            }
            for one in found.books
        ],
        "planned": found.planned,
    }
    books = in_columns(
        ("from round", "row", "when", "book", "version", "hash", "asked by", "agreed by"),
        [
            (
                str(one.round),
                str(one.row),
                moment(one.at) if one.at else "-",
                one.book.id,
                (one.book.identity.version or "-") + (", corrected encoding" if one.correction else ""),
                one.book.hash[:16],
                one.asked_by or "-",
                one.approved_by or "-",
            )
            for one in found.books
        ],
        right={"from round", "row"},
    )
    lines: list[Any] = [books]
    if found.planned is not None:
        since = moment(found.planned.not_before) if found.planned.not_before else "the next pause"
        lines.append(f"Planned: {found.planned.id} {found.planned.book[:16]}, from {since} on.")
    if to is not None:
        changes = book_changes(found.books[-1].book, load_rulebook(to))
        value["differences"] = changes
        shown = [(one.part, one.place, one.before or "-", one.after or "-", one.clause or "") for one in changes]
        lines += ["", in_columns(("part", "place", "before", "after", "clause"), shown)]
    print_report(CommandReport(value, lines), as_json=as_json)


@app.command(rich_help_panel=CHECK)
def history(
    table: Annotated[list[str] | None, typer.Option(help="Only this table. Repeat it for more.")] = None,
    seat: Annotated[str, typer.Option(help="Rounds in which this seat had a bet.")] = "",
    bet: Annotated[str, typer.Option(help="The round of this bet.")] = "",
    outcome: Annotated[str, typer.Option(help="Rounds with this result: 1-3-4, or a number of the wheel.")] = "",
    void: Annotated[bool, typer.Option("--void", help="Only rounds that are void.")] = False,
    corrected: Annotated[bool, typer.Option("--corrected", help="Only rounds that were corrected later.")] = False,
    begin: Begin = "",
    end: End = "",
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """Search the rounds that were played, by table, seat, bet, result or time."""
    from croupier.rules.money import format_money
    from croupier.store.history import missing_rows
    from croupier.store.rounds import RoundQuery
    from croupier.store.rounds import history as search
    from croupier.words import why

    first, last = _span(begin, end)
    wanted = RoundQuery(seat, bet, outcome, void, corrected, first, last)
    with open_floor(folder, store) as opened:
        tables = table or opened.streams()
        lines = list(search(opened, tables, wanted))
        notes = [why(missing) for name in tables if (missing := missing_rows(opened, name))]
    value = [line._asdict() | {"bets": sorted(line.bets), "seats": sorted(line.seats)} for line in lines]
    listed = in_columns(
        ("table", "round", "ended", "result", "bets", "staked", "paid", ""),
        [
            (
                line.table,
                str(line.round),
                moment(line.at),
                line.outcome or f"void ({line.void_clause})",
                str(len(line.bets)),
                format_money(line.staked),
                format_money(line.paid),
                "corrected" if line.corrected else "",
            )
            for line in lines
        ],
        right={"round", "bets", "staked", "paid"},
    )
    print_report(CommandReport(value, [listed, *notes]), as_json=as_json)


@app.command(rich_help_panel=CHECK)
def export(
    table: TableName,
    round: Annotated[int, typer.Argument(metavar="ROUND", help="The number of a round that is over.")],
    output: Output = None,
    seat: Annotated[
        str, typer.Option(help="Instead of a pack, make the paper of this Player: a PDF with only their bets.")
    ] = "",
    checkpoints: Annotated[Path | None, typer.Option(help="Signed checkpoints. Default: those of the floor.")] = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
) -> None:
    """Make a pack: everything about a round in one file, which croupier verify checks without a database.

    It shows what every Player at the table did, and the numbers of their tickets. For the paper of one Player, use
    --seat.
    """
    from croupier.paper.report import round_pdf
    from croupier.store.checkpoint import knowing, signing_key
    from croupier.store.pack import make_pack
    from croupier.store.rounds import find_round, report_of

    premises = premises_of(folder, store)
    name = f"{table.replace('/', '_')}-round-{round}"
    if seat:
        target = output or Path(f"{name}-{seat.replace('/', '_')}.pdf")
        with open_floor(folder, store) as opened:
            found = find_round(opened, table, round)
        write_file(target, round_pdf(report_of(found, (), seat)))
        print_lines([f"{target}: the bets of {seat} in round {round} of {table}."])
        return
    target = output or Path(f"{name}.zip")
    file = checkpoints or premises.checkpoints
    with open_floor(folder, store) as opened:
        found = find_round(opened, table, round)
        last = max([found.last, *(turn.line for turn in found.corrections)])
        if (
            checkpoints is None
            and premises.signs
            and next(premises.knowing(table, opened.head(table).seq), None) is None
        ):
            premises.sign(_now())
        key = signing_key(premises.keys) if premises.signs else None
        make_pack(opened, table, round, knowing(file, premises.public_key, table, last), target, key)
    print_lines([f"{target}: round {round} of {table}. Check it with: croupier verify {target} --key public.key"])


@app.command(rich_help_panel=RUN)
def sign(folder: FloorFolder = None, store: StoreAddress = None) -> None:
    """Sign a checkpoint: the last row of every table, cage and office as it is now."""
    premises = premises_of(folder, store)
    if not premises.signs:
        fail([f"{premises.keys} has no signing key. Make one with croupier init"], 2)
    mark = premises.sign(_now())
    print_lines(f"{stream} stands at row {seq}" for stream, (seq, _) in sorted(mark.heads.items()))


@app.command(rich_help_panel=CHECK)
def receipt(
    table: TableName,
    bet: Annotated[str, typer.Argument(metavar="BET", help="The id of a bet that was registered.")],
    output: Output = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
) -> None:
    """Make the signed receipt of a bet, which croupier verify checks with nothing but the public key."""
    from croupier.store.checkpoint import signing_key
    from croupier.store.receipt import make_receipt

    premises = premises_of(folder, store)
    if not premises.signs:
        fail([f"{premises.keys} has no signing key. Make one with croupier init"], 2)
    with open_floor(folder, store) as opened:
        text = make_receipt(opened, table, bet, signing_key(premises.keys))
    write_file(output, text.encode()) if output else typer.echo(text, nl=False)


@app.command(rich_help_panel=RUN)
def archive(
    before: Annotated[str, typer.Option(help="Move the rounds that are older than this moment: 2026-05-01.")],
    table: Annotated[list[str] | None, typer.Option(help="Only this table. Repeat it for more.")] = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """Move old rounds to compressed files in the archive of the floor. They can still be read and verified."""
    from croupier.store.archive import archive as move
    from croupier.store.folder import open_store
    from croupier.store.journal import Conflict, Full
    from croupier.words import of_error

    premises = premises_of(folder, store)
    opened = open_store(premises.address)
    moved = [(name, move(opened, name, parse_moment(before), premises.archive)) for name in table or opened.streams()]
    if any(part for _, part in moved):
        try:
            opened.shrink()
        except (Full, Conflict) as error:
            typer.echo(f"croupier: the database keeps its size for now: {of_error(error)}", err=True)
    opened.close()
    value = [{"table": name, "file": str(part.file), "rows": part.last - part.first} for name, part in moved if part]
    shown = [
        f"{name}: rows {part.first} to {part.last - 1} are in {part.file}" if part else f"{name}: nothing to move"
        for name, part in moved
    ]
    print_report(CommandReport(value, shown), as_json=as_json)


@app.command(rich_help_panel=CHECK)
def tickets(
    state: Annotated[str, typer.Option(help="Only tickets in this state: live, redeemed, paid, void or expired.")] = "",
    place: Annotated[str, typer.Option(help="Only tickets issued at this table, terminal (T1/A3) or cage.")] = "",
    amount: Annotated[str, typer.Option(help="Only tickets of this amount.")] = "",
    begin: Begin = "",
    end: End = "",
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """List tickets with their states, and what the House owes for them."""
    from croupier.rules.money import format_money, parse_money
    from croupier.store.reports import STATES, TicketsWanted, find_tickets, total

    if state and state not in STATES:
        fail([f"“{state}” is not a state of a ticket; the states are {', '.join(STATES)}"], 2)
    wanted = TicketsWanted(state, place, parse_money(amount) if amount else 0, *_span(begin, end))
    with open_floor(folder, store) as opened:
        lines = list(find_tickets(opened, wanted))
    totals = total(iter(lines))
    value = {
        "tickets": [line._asdict() | {"number": line.shown} for line in lines],
        "counts": totals.counts,
        "sums": totals.sums,
        "liability": totals.liability,
    }
    listed = in_columns(
        ("number", "state", "amount", "issued", "at", "expires", "ended"),
        [
            (
                line.shown,
                line.state,
                format_money(line.amount),
                moment(line.issued),
                line.place,
                moment(line.expires),
                moment(line.ended) if line.ended else "",
            )
            for line in lines
        ],
        right={"amount"},
    )
    summed = in_columns(
        ("state", "tickets", "amount"),
        [(name, str(totals.counts[name]), format_money(totals.sums[name])) for name in STATES],
        right={"tickets", "amount"},
    )
    owed = f"The House owes {format_money(totals.liability)} for live tickets."
    print_report(CommandReport(value, [listed, summed, owed]), as_json=as_json)


@app.command(rich_help_panel=RUN)
def ticket(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="The 18 digits of a ticket.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: .pdf, .png, or .escpos for a thermal printer.")
    ],
    house: Annotated[str, typer.Option(help="The name of the casino.")] = "Croupier",
    zone: Annotated[str, typer.Option(help="The time zone of the floor.")] = "Asia/Singapore",
    folder: FloorFolder = None,
    store: StoreAddress = None,
) -> None:
    """Write the paper of a ticket. A ticket that is not live is marked across."""
    from croupier.extras import need
    from croupier.paper.ticket import TicketFacts, ticket_escpos, ticket_pdf, ticket_png
    from croupier.rules.refusal import Refused
    from croupier.store.reports import ticket_line
    from croupier.table.tickets import check_ticket_number

    if output.suffix in (".pdf", ".png"):
        need("reports")
    makers = {".pdf": ticket_pdf, ".png": ticket_png, ".escpos": ticket_escpos}
    if output.suffix not in makers:
        fail([f"{output} is not a kind of ticket: end its name with {', '.join(makers)}"], 2)
    with open_floor(folder, store) as opened:
        found = opened.ticket(check_ticket_number(number))
    if found is None:
        raise Refused("ticket", "unknown", ticket=number)
    line = ticket_line(*found)
    facts = TicketFacts(line.number, line.amount, line.issued, line.expires, line.place, house, zone, line.state)
    write_file(output, makers[output.suffix](facts))


@app.command(rich_help_panel=CHECK)
def shift(
    table: TableName,
    begin: Begin = "",
    end: End = "",
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """Print the figures of a table over a shift: drop, win, hold, fills, drains, and what was handed out."""
    from croupier.rules.money import format_money
    from croupier.store.reports import shift_figures

    with open_floor(folder, store) as opened:
        figures = shift_figures(opened, table, *_span(begin, end))
    hold = "-" if figures.hold is None else f"{float(figures.hold):.2%}"
    amounts = {name: format_money(value) for name, value in figures._asdict().items() if name != "hold"}
    shown = [(name.replace("_", " "), amounts.get(name, hold)) for name in figures._fields]
    print_report(
        CommandReport(figures._asdict(), [in_columns(("figure", "amount"), shown, right={"amount"})]), as_json=as_json
    )


@app.command(rich_help_panel=CHECK)
def disagreements(
    table: Annotated[list[str] | None, typer.Option(help="Only this table. Repeat it for more.")] = None,
    begin: Begin = "",
    end: End = "",
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """List the rounds that stood still because a device contradicted a person, by person, table and device."""
    import msgspec

    from croupier.store.disagreements import BY, counted
    from croupier.store.disagreements import disagreements as search

    with open_floor(folder, store) as opened:
        found = search(opened, table or opened.streams(), *_span(begin, end))
    listed = in_columns(
        ("table", "round", "at", "person", "reported", "device", "counted", "read", "ending", "decided by"),
        [
            (
                one.table,
                str(one.round),
                moment(one.at),
                one.person,
                f"{one.irregularity} ({one.clause})",
                one.device.device,
                "" if one.device.count is None else str(one.device.count),
                one.device.outcome or "",
                one.ending,
                one.decided_by,
            )
            for one in found
        ],
        right={"round", "counted"},
    )
    counts = {by: counted(found, by) for by in BY}
    tables = [
        in_columns(
            (by, "disagreements", "void"),
            [(one.name, str(one.disagreements), str(one.voids)) for one in counts[by]],
            right={"disagreements", "void"},
        )
        for by in BY
    ]
    value = {"disagreements": msgspec.to_builtins(found)} | {f"by_{by}": msgspec.to_builtins(counts[by]) for by in BY}
    print_report(CommandReport(value, [listed, *tables]), as_json=as_json)


# ---- pieces


def explain_played(
    table: str, round: str, bet: str | None, folder: Path | None, store: str | None, *, as_json: bool
) -> None:
    """Print what became of each bet of a round, in sentences with clauses."""
    from croupier.store.rounds import explain_round, find_round, result
    from croupier.transcript.story import text_of
    from croupier.words import statement

    if not (round.isascii() and round.isdigit()):
        fail([f"“{round}” is not the number of a round; to explain a box of a layout, give an outcome too"], 2)
    with open_floor(folder, store) as opened:
        found = find_round(opened, table, int(round))
        lines = list(text_of(explain_round(found, bet)))
    value = {"table": table, "round": int(round), "result": statement(result(found.past)), "sentences": lines}
    print_report(CommandReport(value, lines), as_json=as_json)


@contextmanager
def open_floor(folder: Path | None, address: str | None) -> Iterator[Archived]:
    """A floor's store together with its archive."""
    from croupier.store.archive import Archived

    premises = premises_of(folder, address)
    store = premises.reports()
    try:
        with Archived(store, premises.archive) as opened:
            yield opened
    finally:
        store.close()


def premises_of(folder: Path | None, address: str | None) -> Premises:
    """The folder and the database of a floor. Options that are not given come from the settings of `croupier serve`."""
    from croupier.store.folder import Premises

    if (folder is None or address is None) and (FILE.exists() or os.environ.get("CROUPIER_SETTINGS")):
        from croupier.cli.accounts import settings_of

        settings = settings_of(floor=folder, store=address)
        return Premises(settings.floor, settings.store or None, settings.replica if address is None else "")
    return Premises(folder or FLOOR, address, os.environ.get("CROUPIER_REPLICA", ""))


def _put_on_disk(evening: Evening, folder: Path | None, address: str | None) -> None:
    """Give every command of an evening to a new table of a floor. Its name must not be in use there."""
    from croupier.floor.config import OFFICE
    from croupier.rules.library import rulebook_text
    from croupier.rules.refusal import Refused
    from croupier.store.checkpoint import sign, signing_key
    from croupier.store.folder import Premises, open_store
    from croupier.store.recorder import Recorder
    from croupier.store.streams.table import made_of
    from croupier.words import refusal

    premises = Premises(folder or FLOOR, address or (os.environ.get("CROUPIER_STORE") if folder else None))
    store = open_store(premises.address, make=True)
    if store.head(OFFICE).seq:  # only people who have signed in may act at such a floor
        raise Refused("floor", "has-accounts", address=premises.shown)
    if store.head(evening.table.setup.table).seq:
        raise Refused("table", "there-already", table=evening.table.setup.table, address=premises.shown)
    if folder is not None and not premises.signs:
        typer.echo(f"croupier: {folder} has no keys, so nothing is signed there; croupier init makes them", err=True)
    begin = evening.turns[0].command.at if evening.turns else 0
    recorded = Recorder.make(
        store,
        "croupier play",
        begin,
        0,
        made_of(evening, rulebook_text(evening.sources[evening.table.setup.rulebook.hash])),
    )
    for turn in evening.turns:
        refused = recorded.give(turn.command).entry.refused
        if (refused is None) != (turn.refused is None):
            if refused is None:
                raise Refused("floor", "otherwise-accepted", line=turn.line)
            raise Refused("floor", "otherwise-refused", line=turn.line, why=refusal(refused))
    if folder is not None and address is None and premises.signs:
        sign(store, signing_key(premises.keys), _now(), premises.checkpoints)
    store.close()


def _kind(what: Path) -> str:
    """What kind of file is to be checked."""
    if not what.is_file():
        return "store"
    if what.name.endswith(".rows.gz"):
        return "archive"
    with what.open("rb") as file:
        begin = file.read(16)
    if begin.startswith(b"PK"):
        return "pack"
    return "receipt" if begin.lstrip().startswith(b"{") else "store"


def _files_of(places: list[Path]) -> list[Path]:
    """The files of checkpoints: those named, and all *.jsonl in the folders named."""
    files = [file for place in places for file in (sorted(place.glob("*.jsonl")) if place.is_dir() else [place])]
    if places and not files:
        fail([f"there is no file *.jsonl in {', '.join(map(str, places))}"], 2)
    return files


def _verify_store(premises: Premises, checkpoints: list[Path], key: Path | None, *, copy: bool) -> dict[str, Any]:
    from msgspec import to_builtins

    from croupier.rules.findings import found
    from croupier.store.archive import Archived
    from croupier.store.checkpoint import Examined, read_chain
    from croupier.store.heads import Remembered, remembered
    from croupier.store.verify import verify as verify_store
    from croupier.words import of_finding, of_refusal, of_row, statement

    files = checkpoints or ([premises.checkpoints] if premises.checkpoints.exists() else [])
    if checkpoints and key is None:
        fail(["--checkpoints and --key go together"], 2)
    chain = read_chain(files, key) if files and key else Examined([], [], [])
    marks = chain.marks
    # Read before the journal, which may grow meanwhile. A copy of a journal may end earlier, so it is not compared.
    heads = Remembered({}, []) if copy else remembered(premises.heads)
    at_least = {stream: max(places).seq for stream, places in heads.places.items()}
    at_least |= {
        stream: max(seq, at_least.get(stream, 0)) for mark in marks[-1:] for stream, (seq, _) in mark.heads.items()
    }
    store = premises.reports(at_least)
    with Archived(store, premises.archive) as opened:
        verdict = verify_store(opened, marks, heads.places)
    store.close()
    archive = str(premises.archive)
    notes = [
        found("stream", "archived", stream=stream, row=row, folder=archive) for stream, row in verdict.archived.items()
    ]
    notes += verdict.losses
    notes += [found("verify", "unread-place", file=str(file), line=line) for file, line in heads.unreadable]
    if files and key is None:
        notes.append(found("verify", "no-key", file=str(files[0])))
    notes += chain.notes
    if not verdict.tables and not verdict.others:
        notes.append(found("verify", "no-table"))
    if not marks:
        notes.append(found("verify", "no-checkpoints"))
    untrue = [*map(of_refusal, chain.lies), *(of_row(lie.what, lie.seq, lie.stream) for lie in verdict.lies)]
    noted = [*map(of_finding, notes)]
    lies = [*map(statement, untrue)]
    all_true = "all true" if not lies else f"not all true, {len(lies)} fault{'s' if len(lies) > 1 else ''}"
    streams = ", ".join([_count(verdict.tables, "table"), *verdict.others])
    counted = f"{_count(verdict.rows, 'row')} of {streams}; {_count(verdict.tickets, 'ticket')}"
    return {
        "what": premises.shown,
        "rows": verdict.rows,
        "tables": verdict.tables,
        "others": verdict.others,
        "tickets": verdict.tickets,
        "checkpoints": verdict.checkpoints,
        "lies": lies,
        "notes": [*map(statement, noted)],
        "summary": f"{counted}, {_count(verdict.checkpoints, 'signed checkpoint')}: {all_true}.",
        "findings": to_builtins([*untrue, *noted]),
    }


def _verify_pack(file: Path, key: Path, papers: Path | None) -> dict[str, Any]:
    from croupier.store.checkpoint import trusted_key
    from croupier.store.pack import check_pack
    from croupier.words import finding

    checked = check_pack(file, trusted_key(key))
    if papers is not None:
        papers.mkdir(parents=True, exist_ok=True)
        for name, text in checked.papers.items():
            (papers / name).write_bytes(text)
    result = "all true, and signed" if not checked.lies else "not true"
    summary = f"{file}: round {checked.round} of {checked.table}: {result}."
    notes = [*map(finding, checked.notes)]
    return {"what": str(file), "lies": _lies_of(checked.lies), "notes": notes, "summary": summary}


def _lies_of(lies: Sequence[Lie]) -> list[str]:
    from croupier.words import at_row

    return [at_row(lie.what, lie.seq, lie.stream) for lie in lies]


def _verify_receipt(file: Path, key: Path) -> dict[str, Any]:
    from croupier.rules.findings import found
    from croupier.rules.money import Cents, format_money
    from croupier.store.checkpoint import trusted_key
    from croupier.store.receipt import check_receipt, read_receipt
    from croupier.words import finding

    receipt = read_receipt(file)
    if not check_receipt(receipt, trusted_key(key)):
        return {
            "what": str(file),
            "lies": [finding(found("receipt", "unsigned"))],
            "notes": [],
            "summary": f"{file}: not true.",
        }
    bet = f"bet {receipt['bet']} of {receipt['seat']}: {format_money(Cents(receipt['stake']))} on {receipt['box']}"
    where = f"round {receipt['round']} of {receipt['table']}, {moment(receipt['at'])}"
    summary = f"{file}: {bet}, {where}: registered, and signed."
    return {"what": str(file), "lies": [], "notes": [], "summary": summary}


def _verify_archive(file: Path) -> dict[str, Any]:
    from croupier.rules.findings import found
    from croupier.store.archive import unpacked
    from croupier.store.verify import verify as verify_store
    from croupier.words import finding

    with unpacked(file) as store:
        verdict = verify_store(store, rows_only=True)
    lies = _lies_of(verdict.lies)
    if not verdict.rows:
        lies.append(finding(found("verify", "no-row")))
    summary = f"{file}: {_count(verdict.rows, 'row')}: {'all true' if not lies else 'not true'}."
    return {"what": str(file), "lies": lies, "notes": [], "summary": summary}


def _played_line(report: dict[str, Any]) -> str:
    if report["fault"] is None:
        return f"{report['file']}: fine. {_count(report['acts'], 'act')}, {_count(report['facts'], 'fact')}."
    return f"{report['file']}{':' + str(report['line']) if report['line'] else ''}: {report['fault']}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _span(begin: str, end: str) -> tuple[int, int]:
    return parse_moment(begin) if begin else 0, parse_moment(end) if end else 2**62


def parse_moment(text: str) -> int:
    from croupier.rules.refusal import Refused

    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise Refused("time", "unread", text=text) from None
    return round((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)


def moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}Z"


def _now() -> int:
    return round(datetime.now(UTC).timestamp() * 1000)
