"""The approved software and rulebooks: a signed list of every installed file with its digest, compared on demand."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from croupier.rules.refusal import Refused
from croupier.store.checkpoint import sign_text, signing_key, text_is_signed, trusted_key
from croupier.store.premises import Premises

INSTALLED = Path(__file__).parents[1]
"""Where the package lies: its code, its rulebooks and its pages."""
_SKIPPED = {"__pycache__"}


def manifest_file(premises: Premises) -> Path:
    return premises.folder / "manifest.json"


def files_of(folder: Path = INSTALLED) -> dict[str, str]:
    """Every file of the package with its SHA-256; what Python compiles for itself is not part of it."""
    found = (file for file in sorted(folder.rglob("*")) if file.is_file() and not _SKIPPED & set(file.parts))
    return {file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in found}


def approve(premises: Premises, version: str) -> int:
    """Sign what is installed here as what may run; the number of its files."""
    files = files_of()
    signature = sign_text(signing_key(premises.keys), _text(version, files))
    whole = {"version": version, "files": files, "signature": signature}
    manifest_file(premises).write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n")
    return len(files)


def unapproved(premises: Premises) -> list[str]:
    """What is not as it was approved: nothing, or what and where."""
    file = manifest_file(premises)
    try:
        said = json.loads(file.read_bytes())
        version, files, signature = str(said["version"]), dict(said["files"]), str(said["signature"])
    except FileNotFoundError:
        return [f"there is no {file}: croupier manifest signs what is installed"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"{file} cannot be read as a manifest: {error!r}"]
    try:
        signed = text_is_signed(trusted_key(premises.public_key), _text(version, files), signature)
    except Refused as refused:
        return [str(refused)]
    if not signed:
        return [f"{file} is not signed by {premises.public_key}"]
    here = files_of()
    return [
        *(
            f"{name} is not the approved one"
            for name in sorted(files.keys() & here.keys())
            if files[name] != here[name]
        ),
        *(f"{name} is missing" for name in sorted(files.keys() - here.keys())),
        *(f"{name} was never approved" for name in sorted(here.keys() - files.keys())),
    ]


def _text(version: str, files: dict[str, str]) -> bytes:
    return json.dumps(["manifest", version, sorted(files.items())]).encode()
