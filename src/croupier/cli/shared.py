"""What all commands share: the application, its exit codes and its options; and how an error ends a command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """The commands. What is wrong with the value of an option is said in our words, not in those of a library."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            from pydantic import ValidationError

            if isinstance(error.__cause__, ValidationError):
                from croupier.rules.wrong_values import fault_in_file

                error.message = "; ".join(fault_in_file(dict(detail))[1] for detail in error.__cause__.errors())
            raise


app = typer.Typer(
    name="croupier",
    cls=Commands,
    help="Casino table games by the book: study the games, run a floor, or check one.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

STUDY, CHECK, RUN = "Study the games", "Check a floor", "Run a floor"
"""The headings under which `croupier --help` lists the commands."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, as docs/json.md describes it.")]
LayoutName = Annotated[
    str, typer.Argument(metavar="LAYOUT", help="rulebook/layout such as rws-sicbo-etg-v2/A, or file.toml/layout.")
]
FloorFolder = Annotated[
    Path | None,
    typer.Option(
        "--floor",
        envvar="CROUPIER_FLOOR",
        help="The folder of the floor: database, keys, checkpoints. Default: ./floor, or the one in the settings.",
    ),
]
StoreAddress = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar="CROUPIER_STORE",
        help="Use this database instead of the one in the folder: a file, or postgresql://….",
    ),
]
FLOOR = Path("floor")
FILE = Path("croupier.toml")
"""The file with the settings of this machine, if there is one."""
UNKNOWN = 75
"""The exit code when it is unknown whether a commit happened."""
NO = {"unit", "stake", "forged", "approved", "durability", "untrue"}
"""Refusals for these reasons are an answer (exit code 1); all others are wrong use (exit code 2)."""


def main() -> None:
    """Run a command. A refusal becomes lines on standard error and an exit code."""
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
        sys.stdout = StringIO()  # otherwise Python tries to write the rest once more when it exits
        fail([f"the answer cannot be written: {error.strerror}"], 2)
    except Exception as error:
        _fail_if_known(error)
        raise


def _fail_if_known(error: Exception) -> None:
    """End with a message for each kind of error that has one. Every other error is a bug."""
    import apsw

    from croupier.rules.bad_input import BadInput, Unreadable
    from croupier.rules.findings import BadRow
    from croupier.store.journal import Conflict, Indeterminate, Unwritten
    from croupier.words import of_error, refusal

    match error:
        case Indeterminate():
            fail([f"{of_error(error)}. It is unknown whether that was written. Start again to find out"], UNKNOWN)
        case Conflict() | Unwritten():
            fail([of_error(error)], 1)
        case apsw.Error():
            fail([f"the database is damaged: {error}"], 1)
        case OverflowError() | UnicodeError():
            fail([f"this cannot be read: {error}"], 2)
        case BadRow() | Unreadable():
            fail([f"the journal is inconsistent: {of_error(error)}. Run croupier verify for details"], 1)
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
    """The options before a command."""


def fail(messages: Iterable[str], code: int) -> NoReturn:
    for message in messages:
        typer.echo(f"croupier: {message}", err=True)
    sys.exit(code)
