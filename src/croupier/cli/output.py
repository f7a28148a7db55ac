"""The report of a command, for people and for programs, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import typer

from croupier.paper.document import Document, Rows, as_text, table_lines

Line = str | Rows


class CommandReport(NamedTuple):
    """One JSON value, as docs/json.md describes it; and the same for people: lines and tables, or a document.

    The value may hold structs and fractions.
    """

    value: object
    shown: Document | Sequence[Line]


def print_report(report: CommandReport, *, as_json: bool) -> None:
    if as_json:
        print_json(report.value)
    elif isinstance(report.shown, Document):
        typer.echo(as_text(report.shown))
    else:
        print_lines(report.shown)


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines and tables; an empty line follows each table."""
    for line in lines:
        typer.echo(line if isinstance(line, str) else "\n".join([*table_lines(line), ""]))


def print_json(value: object) -> None:
    """Print every struct as an object and every fraction as text in lowest terms."""
    import json

    import msgspec

    typer.echo(json.dumps(msgspec.to_builtins(value, enc_hook=_written), indent=2, ensure_ascii=False))


def in_columns(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> Rows:
    """A table whose columns named in `right` are numbers."""
    return Rows(tuple(heads), tuple(map(tuple, rows)), frozenset(right))


def _written(value: object) -> object:
    from fractions import Fraction

    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no JSON")
