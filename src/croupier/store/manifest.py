"""The approved software: what may run a floor, listed and signed by a person who does not keep the floor.

A manifest lists every file below the roots (`roots`: the interpreter, its library, every place where Python looks for
code) and the facts that decide which of these files run: the order of the path, the options, the environment. The
lists of packages (RECORD) are not used: files that belong to no package can run too.

The approver's private key is made and kept elsewhere. The floor knows the public one by a setting. The floor's own key
does not count, or the people who keep the floor could approve their own changes.

The check is made by a process of its own that uses no compiled files (`inventory`); it begins from this one, so it
proves nothing against a person who has changed the check itself. To find that, check with another installation, which
that person could not change, at the places that the manifest names (`outside=True`).
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import croupier
from croupier.rules.bad_input import cause
from croupier.rules.findings import Finding, found
from croupier.rules.refusal import Refused
from croupier.store.checkpoint import sign_text, text_is_signed, trusted_key
from croupier.store.folder import Premises
from croupier.store.inventory import ELSEWHERE, STANDARD, Inventory, Unfinished, is_compiled, take

FORMAT = 2
"""Manifests of format 1 listed the package alone, signed by the floor's own key."""
ENVIRONMENT = (
    *("PYTHONPATH", "PYTHONHOME", "PYTHONPLATLIBDIR", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX", "PYTHONOPTIMIZE"),
    *("PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PYTHONWARNINGS", "PYTHONCASEOK"),
    *("LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"),
    *("OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES"),
)
"""Variables that make other code run, or the same code run differently."""
MOST_LISTED = 100
"""Differences that are listed one by one."""
_MOST_NAMED = 3
"""Files that one refusal names."""


class Manifest(NamedTuple):
    version: str
    roots: dict[str, str]
    """name → place"""
    facts: dict[str, list[str]]
    files: dict[str, str]
    """root/path → its entry in the `inventory`."""
    signature: str = ""

    def text(self) -> bytes:
        """The bytes that are signed: everything but the signature."""
        whole = {"format": FORMAT, "kind": "manifest", **self._asdict()}
        del whole["signature"]
        return json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()

    def signed(self, key: Ed25519PrivateKey) -> Manifest:
        return self._replace(signature=sign_text(key, self.text()))

    def write(self, file: Path) -> None:
        file.write_text(json.dumps({"format": FORMAT, **self._asdict()}, indent=1, sort_keys=True) + "\n")


def manifest_file(premises: Premises) -> Path:
    return premises.folder / "manifest.json"


def read_manifest(file: Path) -> Manifest:
    """The manifest in a file; refused if it is none. The signature is not checked."""
    try:
        fields = json.loads(file.read_bytes())
        if fields.pop("format", 1) != FORMAT:
            raise Refused("approved", "other-format", file=str(file))
        manifest = Manifest(**fields)
        assert all(isinstance(part, dict) for part in (manifest.roots, manifest.facts, manifest.files))
    except FileNotFoundError:
        raise Refused("approved", "none", file=str(file)) from None
    except OSError as error:
        raise Refused("approved", "unreadable", file=str(file), error=cause(error)) from None
    except (ValueError, TypeError, AttributeError, AssertionError):
        raise Refused("approved", "no-manifest", file=str(file)) from None
    return manifest


# ---- what is installed


def roots() -> dict[str, str]:
    """The places of the code that may run: name → place.

    A root with a name may have another place on another machine. Every other place where Python looks for code is named
    by itself, as the sources of an installation for development are.
    """
    paths = sysconfig.get_paths()
    named = {
        "python": os.path.realpath(sys.executable),
        "library": _library(),
        STANDARD: paths["stdlib"],
        "packages": paths["purelib"],
        "programs": paths["scripts"],
        "environment": str(Path(sys.prefix) / "pyvenv.cfg"),
    }
    found = {name: place for name, place in named.items() if place}
    for place in (*_path(), str(Path(croupier.__file__).parent)):
        if _root_of(place, found) is None:
            found[place] = place
    return found


def _library() -> str:
    """The shared library of the interpreter, if it has one."""
    try:
        mapped = Path("/proc/self/maps").read_text().splitlines()
    except OSError:  # not Linux
        config = sysconfig.get_config_vars("Py_ENABLE_SHARED", "LIBDIR", "LDLIBRARY")
        return str(Path(config[1], config[2])) if config[0] else ""
    return next((line[line.index("/") :] for line in mapped if "/libpython" in line), "")


def _path() -> list[str]:
    return [str(Path(place).absolute()) for place in sys.path]


def _root_of(place: str, roots: Mapping[str, str]) -> str | None:
    """The name of the root that covers a place."""
    for name, root in roots.items():
        inside = place.removeprefix(root)
        elsewhere = name == STANDARD and inside.startswith(tuple(f"/{folder}" for folder in ELSEWHERE))
        if place.startswith(root) and inside[:1] in ("", "/") and not elsewhere:
            return name
    return None


def _named(place: str, roots: Mapping[str, str]) -> str:
    name = _root_of(place, roots)
    return place if name is None else name + place.removeprefix(roots[name])


def facts(roots: Mapping[str, str]) -> dict[str, list[str]]:
    """What decides which of the files run: the path, the options and the environment."""
    return {
        "path": [_named(place, roots) for place in _path()],
        "options": [f"optimize={sys.flags.optimize}", f"pycache_prefix={sys.pycache_prefix}"],
        "environment": [f"{name}={os.environ[name]}" for name in ENVIRONMENT if name in os.environ],
    }


def installed(version: str = croupier.__version__) -> Manifest:
    """What is installed, not signed yet; refused if a compiled file holds other code than its source."""
    places = roots()
    inventory = _taken(places, {})
    if wrong := [_place_of(path, places) for path, true in inventory.compiled.items() if not true]:
        more = max(0, len(wrong) - _MOST_NAMED)
        raise Refused("approved", "compiled-otherwise", places=tuple(wrong[:_MOST_NAMED]), more=more)
    return Manifest(version, places, facts(places), inventory.files)


def _taken(roots: Mapping[str, str], known: Mapping[str, str]) -> Inventory:
    try:
        return take(roots, known)
    except Unfinished as ended:
        if ended.code is not None:
            raise Refused("approved", "ended", code=ended.code, error=ended.error) from None
        raise Refused("approved", "unfinished", error=ended.error) from None


def approve(premises: Premises, key: Ed25519PrivateKey) -> Manifest:
    """Sign what is installed as the software that may run this floor."""
    if premises.signs and _raw(trusted_key(premises.public_key)) == _raw(key.public_key()):
        raise Refused("key", "own")
    if around := [place for place in roots().values() if premises.folder.resolve().is_relative_to(place)]:
        raise Refused("approved", "code-around", place=around[0], folder=str(premises.folder))
    manifest = installed().signed(key)
    manifest.write(manifest_file(premises))
    return manifest


# ---- compared


def unapproved(premises: Premises, approver: Path | None, *, outside: bool = False) -> list[Finding]:
    """Every difference between what is installed and what was approved.

    With `outside`, another installation is compared, at the places that the manifest names: its files alone.
    """
    try:
        manifest = _trusted(premises, approver)
        known = manifest.roots | ({} if outside else roots())
        places = {name: known[name] for name in manifest.roots}
        inventory = _taken(places, manifest.files)
    except Refused as refused:
        return [found("software", "uncompared", refused)]
    compared = list(_compared_files(manifest.files, inventory.files, inventory.compiled, places))
    return compared if outside else [*_compared_facts(manifest.facts, facts(known)), *compared]


def _trusted(premises: Premises, approver: Path | None) -> Manifest:
    """The manifest, if the approver has signed it."""
    file = manifest_file(premises)
    manifest = read_manifest(file)
    if approver is None:
        raise Refused("approved", "no-approver")
    key = trusted_key(approver)
    if premises.public_key.exists() and _raw(trusted_key(premises.public_key)) == _raw(key):
        raise Refused("approved", "own-key", file=str(approver))
    if not text_is_signed(key, manifest.text(), manifest.signature):
        raise Refused("approved", "unsigned", file=str(file), key=str(approver))
    return manifest


def _raw(key: object) -> bytes:
    return key.public_bytes_raw()  # type: ignore[attr-defined,no-any-return]


def _compared_facts(approved: Mapping[str, Sequence[str]], current: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    for name in sorted(approved.keys() | current.keys()):
        was, now = approved.get(name, ()), current.get(name, ())
        yield from (found("software", "fact-new", of=name, value=_safe(one)) for one in now if one not in was)
        yield from (found("software", "fact-missing", of=name, value=_safe(one)) for one in was if one not in now)
        if was != now and sorted(was) == sorted(now):
            yield found("software", "fact-order", of=name)


def _compared_files(
    approved: Mapping[str, str], current: Mapping[str, str], compiled: Mapping[str, bool], roots: Mapping[str, str]
) -> Iterator[Finding]:
    """A compiled file may be added, removed and written anew, as long as it says what its source says."""
    for path in sorted(approved.keys() | current.keys()):
        was, now = approved.get(path), current.get(path)
        if was == now or compiled.get(path) or (now is None and is_compiled(path)):
            continue
        if path in compiled:
            yield found("software", "compiled-otherwise", place=_place_of(path, roots))
        elif now is None:
            yield found("software", "missing", place=_place_of(path, roots))
        elif was is None:
            yield found("software", "new", place=_place_of(path, roots))
        else:
            yield found("software", "other", place=_place_of(path, roots))


def _place_of(path: str, roots: Mapping[str, str]) -> str:
    """The place of a file in the list."""
    name = next(name for name in roots if path == name or path.startswith(f"{name}/"))
    return _safe(roots[name] + path.removeprefix(name))


def _safe(text: str) -> str:
    """Text that can be printed: a name may hold line ends, or bytes that are no text."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()
