"""`croupier manifest`: the software that may run a floor, listed, signed by its approver, and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.accounts import FloorSetting, SettingsFile, settings_of
from croupier.cli.output import print_lines
from croupier.cli.shared import RUN, app, fail


@app.command(rich_help_panel=RUN)
def manifest(
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Compare what is installed with what was approved. Exit code 1 if something differs."
        ),
    ] = False,
    outside: Annotated[
        bool,
        typer.Option(
            "--outside", help="With --check: examine the places that the manifest names, from another installation."
        ),
    ] = False,
    make_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Make the key of an approver in FILE, and its public half in FILE.pub."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The key of the approver: sign the list of what is installed here."),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the list of what is installed here, to be signed elsewhere."),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --key: sign a list that --write has written, on any machine."),
    ] = None,
    file: SettingsFile = None,
    floor: FloorSetting = None,
) -> None:
    """Approve the installed software (Python, every package, the pages) for this floor, or compare it with the list."""
    from croupier.store.checkpoint import private_key
    from croupier.store.folder import Premises
    from croupier.store.manifest import approve, installed, manifest_file, read_manifest

    if make_key:
        _make_key(make_key)
    elif sign and key:
        if not sign.is_file():
            fail([f"there is no file {sign}; croupier manifest --write makes one"], 2)
        signed = read_manifest(sign).signed(private_key(key))
        signed.write(sign)
        print_lines([f"{sign}: {len(signed.files)} files are approved; put it into the folder of the floor"])
    elif write:
        listed = installed()
        listed.write(write)
        print_lines([f"{write}: {len(listed.files)} files, not approved yet"])
    elif check:
        _check(file, floor, outside=outside)
    elif key:
        premises = Premises(settings_of(file, floor=floor).floor)
        approved = approve(premises, private_key(key))
        print_lines([f"{manifest_file(premises)}: {len(approved.files)} files are approved"])
    else:
        fail(["choose one: --check, --key FILE, --make-key FILE, --write FILE, or --sign FILE with --key FILE"], 2)


def _check(file: Path | None, floor: Path | None, *, outside: bool) -> None:
    from croupier.store.folder import Premises
    from croupier.store.manifest import MOST_LISTED, unapproved
    from croupier.words import finding

    settings = settings_of(file, floor=floor)
    found = unapproved(Premises(settings.floor), settings.approver, outside=outside)
    more = [f"and {len(found) - MOST_LISTED} more"] if len(found) > MOST_LISTED else []
    print_lines([*map(finding, found[:MOST_LISTED]), *more] or ["The installed software is the approved software."])
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
            f"{file}  approves software: keep it on no machine of the floor",
            f'{public}  belongs on each of them, with the setting approver = "{public.name}"',
        ]
    )
