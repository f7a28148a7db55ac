"""What all commands share: the application, its exit codes, options, and how answers are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Annotated, NoReturn

import typer

app = typer.Typer(
    name="croupier",
    help="Casino table games by the book: what every bet of the approved rulebooks pays, why, and what it costs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, as docs/json.md describes it.")]
LayoutName = Annotated[
    str, typer.Argument(metavar="LAYOUT", help="rulebook/layout such as rws-sicbo-etg-v2/A, or file.toml/layout.")
]
FloorFolder = Annotated[
    Path | None,
    typer.Option("--floor", envvar="CROUPIER_FLOOR", help="The floor's folder: database, keys, checkpoints."),
]
StoreAddress = Annotated[
    str | None,
    typer.Option("--store", envvar="CROUPIER_STORE", help="Another database: a file, or postgresql://…."),
]
FLOOR = Path("floor")
FILE = Path("croupier.toml")
"""The settings of the machine, if they are in a file."""
UNKNOWN = 75
"""The exit code when a commit failed in a way that leaves open whether it happened."""
NO = {"unit", "stake", "forged", "approved", "durability", "untrue"}
"""Reasons that are an answer (exit code 1); every other refusal is wrong use (exit code 2)."""


def main() -> None:
    """Run the command line; a refusal becomes one line on standard error and an exit code."""
    from croupier.extras import extra_of, to_install
    from croupier.rules.refusal import Refused, Unavailable
    from croupier.words import why

    try:
        app()
    except Unavailable as refusal:
        fail([why(refusal)], UNKNOWN)
    except Refused as refusal:
        fail([why(refusal)], 1 if refusal.reason in NO else 2)
    except ModuleNotFoundError as missing:
        if (extra := extra_of(missing)) is None:
            raise
        fail([f"this needs {missing.name}, which comes with an extra: {to_install(extra)}"], 2)
    except OSError as error:  # a full disk
        sys.stdout = StringIO()  # what Python would try to write once more as it leaves
        fail([f"the answer cannot be written: {error.strerror}"], 2)
    except Exception as error:
        _told(error)
        raise


def _told(error: Exception) -> None:
    """End with a word for the errors that have one."""
    import apsw

    from croupier.rules.bad_input import BadInput, Unreadable
    from croupier.rules.findings import BadRow
    from croupier.store.journal import Conflict, Indeterminate, Unwritten
    from croupier.words import of_error, refusal

    match error:
        case Indeterminate():
            fail([f"{of_error(error)}. Whether it was written is unknown: start again, and what was is found"], UNKNOWN)
        case Conflict() | Unwritten():
            fail([of_error(error)], 1)
        case apsw.Error():
            fail([f"the database is damaged: {error}"], 1)
        case OverflowError() | UnicodeError():
            fail([f"this cannot be read: {error}"], 2)
        case BadRow() | Unreadable():
            fail([f"the journal does not tell the truth: {of_error(error)}; croupier verify says more"], 1)
        case BadInput():
            fail(error.lines(refusal), 2)


def _version(asked: bool) -> None:
    from croupier import __version__

    if asked:
        typer.echo(f"croupier {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and nothing else.")
    ] = False,
) -> None:
    """What comes before a command: it has no task of its own."""


def fail(messages: Iterable[str], code: int) -> NoReturn:
    for message in messages:
        typer.echo(f"croupier: {message}", err=True)
    sys.exit(code)
