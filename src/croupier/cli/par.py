"""PAR sheets: of one layout, or of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.files import write_document, write_file
from croupier.cli.lab import read_count
from croupier.cli.output import print_lines
from croupier.cli.shared import STUDY, app, fail
from croupier.cli.simulate import progress_bar

if TYPE_CHECKING:
    from croupier.analysis.report.par import Par
    from croupier.rules.paytable import Layout
    from croupier.rules.rulebook import Rulebook

KINDS = (".xlsx", ".pdf", ".html")


@app.command(rich_help_panel=STUDY)
def par(
    layout_name: Annotated[
        str | None,
        typer.Argument(metavar="LAYOUT", help="rulebook/layout such as rws-sicbo-etg-v2/A, or file.toml/layout."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help="The file to write: sheet.xlsx, sheet.pdf or sheet.html; "
            "repeat it for several. Or a folder for all three.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Write the sheets of every layout of the approved books.")
    ] = False,
    rounds: Annotated[
        str, typer.Option(help="How many rounds the simulation plays that confirms the figures.")
    ] = "1e9",
    seed: Annotated[int, typer.Option(help="The seed of the simulation. The same seed gives the same sheet.")] = 1,
    kernel: Annotated[
        str, typer.Option("--kernel", help="What calculates: auto, numba or numpy. The numbers are the same.")
    ] = "auto",
    workers: Annotated[
        int | None, typer.Option(help="Number of processes. Default: chosen by the size of the run.")
    ] = None,
) -> None:
    """Write the PAR sheet of a layout: a workbook with live formulas, a paper (PDF), a page (HTML), or all three.

    Exit code 1 if the simulation does not confirm an edge.
    """
    from croupier.extras import need

    need("reports")
    from croupier.analysis.report.par import par_sheet

    if not output or (every == (layout_name is not None)):
        fail(["give a layout and a file, rws-sicbo-etg-v2/A -o A.pdf; or all layouts and a folder, --all -o sheets"], 2)
    if every and (len(output) > 1 or output[0].suffix):
        fail([f"--all writes many files; give one folder, not {', '.join(map(str, output))}"], 2)
    for path in output:
        if path.suffix.lower() not in ("", *KINDS):
            fail([f"{path} is not a kind of sheet: end its name with {', '.join(KINDS)}, or give a folder"], 2)
    count, unconfirmed = read_count(rounds, "rounds"), []
    for book, layout in _layouts(layout_name):
        with progress_bar("rounds", count) as progress:
            sheet = par_sheet(book, layout, count, seed, kernel=kernel, workers=workers, progress=progress)
        paths = list(_files(output, layout))
        _write(paths, sheet)
        summary = f"{len(sheet.boxes)} boxes, farthest {sheet.worst:.2f} standard errors"
        print_lines(f"{path}: {summary}" for path in paths)
        if not sheet.confirmed:
            unconfirmed.append(layout.id)
    if unconfirmed:
        fail([f"the simulation does not confirm every edge of {', '.join(unconfirmed)}: look at the sheets"], 1)


def _layouts(name: str | None) -> Iterator[tuple[Rulebook, Layout]]:
    from croupier.rules.library import load_layout, load_rulebook, rulebook_ids

    if name is None:
        for book in map(load_rulebook, rulebook_ids()):
            yield from ((book, layout) for layout in book.layouts)
        return
    layout = load_layout(name)
    whole = name.endswith(".toml") or name in rulebook_ids()
    yield load_rulebook(name if whole else name.rpartition("/")[0]), layout


def _files(output: list[Path], layout: Layout) -> Iterator[Path]:
    for path in output:
        if path.suffix:
            yield path
            continue
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fail([f"{path} cannot be made: {error.strerror}"], 2)
        yield from (path / f"{layout.id.replace('/', '.')}{kind}" for kind in KINDS)


def _write(paths: list[Path], sheet: Par) -> None:
    from croupier.analysis.report.par import par_document
    from croupier.analysis.report.par_workbook import par_workbook

    books = [path for path in paths if path.suffix.lower() == ".xlsx"]
    for path in books:
        write_file(path, par_workbook(sheet))
    if len(books) < len(paths):
        document = par_document(sheet)
        for path in paths:
            if path not in books:
                write_document(path, document)
