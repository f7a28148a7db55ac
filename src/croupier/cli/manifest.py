"""Which software may run a floor: listed, signed by its approver, compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.accounts import FloorSetting, SettingsFile, settings_of
from croupier.cli.printing import print_lines
from croupier.cli.shared import app, fail


@app.command()
def manifest(
    check: Annotated[bool, typer.Option("--check", help="Only compare; exit code 1 if something differs.")] = False,
    outside: Annotated[
        bool, typer.Option("--outside", help="With --check: look where the manifest says, from another installation.")
    ] = False,
    make_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Make an approver's key, and its public half in FILE.pub.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The approver's key: sign what is installed here.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what is installed here into a file, to be signed elsewhere."),
    ] = None,
    sign: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --key: sign that file, wherever it was written.")
    ] = None,
    file: SettingsFile = None,
    floor: FloorSetting = None,
) -> None:
    """Approve what is installed (Python, every package, the pages) as what may run this floor, or compare it."""
    from croupier.store.checkpoint import private_key
    from croupier.store.folder import Premises
    from croupier.store.manifest import approve, installed, manifest_file, read_manifest

    if make_key:
        _make_key(make_key)
    elif sign and key:
        signed = read_manifest(sign).signed(private_key(key))
        signed.write(sign)
        print_lines([f"{sign}: {len(signed.files)} files are approved; it belongs into the floor's folder"])
    elif write:
        listed = installed()
        listed.write(write)
        print_lines([f"{write}: {len(listed.files)} files, approved by nobody yet"])
    elif check:
        _check(file, floor, outside=outside)
    elif key:
        premises = Premises(settings_of(file, floor=floor).floor)
        approved = approve(premises, private_key(key))
        print_lines([f"{manifest_file(premises)}: {len(approved.files)} files are approved"])
    else:
        fail(["say what to do: --check, --key FILE, --make-key FILE, --write FILE, or --sign FILE with --key FILE"], 2)


def _check(file: Path | None, floor: Path | None, *, outside: bool) -> None:
    from croupier.store.folder import Premises
    from croupier.store.manifest import MOST_LISTED, unapproved
    from croupier.words import finding

    settings = settings_of(file, floor=floor)
    found = unapproved(Premises(settings.floor), settings.approver, outside=outside)
    more = [f"and {len(found) - MOST_LISTED} more"] if len(found) > MOST_LISTED else []
    print_lines([*map(finding, found[:MOST_LISTED]), *more] or ["what is installed is what was approved"])
    if found:
        raise typer.Exit(1)


def _make_key(file: Path) -> None:
    from croupier.store.checkpoint import make_key_pair

    public = file.with_name(f"{file.name}.pub")
    try:
        make_key_pair(file, public)
    except OSError as error:
        fail([f"{error.filename or file}: {error.strerror}; no key was made"], 2)
    print_lines(
        [
            f"{file}  approves software: keep it away from every machine of the floor",
            f'{public}  belongs onto each of them: the setting approver = "{public.name}"',
        ]
    )
