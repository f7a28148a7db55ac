"""Every file below some folders with its digest, and whether compiled files say what their sources say.

It runs as a program of its own (`take`), without the compiled files that it examines, without other packages, and with
a low priority, so that it slows no table down. It may import nothing but the standard library.

Python runs `__pycache__/NAME.TAG.pyc` in place of NAME.py if its head fits: sixteen bytes that anyone who can write the
file can write too. So a compiled file is compared with what its source compiles to, whatever its head says; and its
head must be one that Python itself would have written.

Two compilations of one source may differ in their bytes: a value that is used elsewhere too is written once and then
referred to, and what is used elsewhere depends on which other modules were loaded. `marshal` must not be used to undo
that: it trusts what it reads, and what it makes shows other instructions than those that would run. So the bytes are
read here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import marshal
import os
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

TIMEOUT = 600
"""Seconds for an inventory."""
ELSEWHERE = ("site-packages", "dist-packages")
"""Folders of the standard library that are not part of it; on the path they are roots of their own."""
STANDARD = "standard"


MEMORY = 2 * 2**30
"""Bytes of memory that it may use: references within references can stand for more than the machine has."""


class Inventory(NamedTuple):
    files: dict[str, str]
    """root/path → SHA-256, or the kind of what is no plain file."""
    compiled: dict[str, bool]
    """Compiled files that differ from the known digest → does each say what its source says?"""


class Unfinished(Exception):
    """An inventory that could not be taken: the last line of its errors, and the exit code if it ended by itself."""

    def __init__(self, error: str, code: int | None = None) -> None:
        super().__init__(error, code)
        self.error = error
        self.code = code


def take(roots: Mapping[str, str], known: Mapping[str, str]) -> Inventory:
    """The files in these places. A compiled file with its known digest is not compiled again."""
    asked = json.dumps({"roots": dict(roots), "known": dict(known)})
    with tempfile.TemporaryDirectory() as empty:  # Python looks for compiled files in this folder, which has none
        apart = ("-I", "-S", "-B", "-X", f"pycache_prefix={empty}")
        command = [sys.executable, *apart, __file__]
        try:
            done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unfinished(str(error)) from None
    try:
        return Inventory(**json.loads(done.stdout))
    except (ValueError, TypeError):
        error_line = done.stderr.strip().rpartition("\n")[2]
        raise Unfinished(error_line, done.returncode) from None


def is_compiled(path: str) -> bool:
    """Is this a file that Python compiles from a source, and may write anew?"""
    return _source_of(Path(path)) is not None


def _source_of(place: Path) -> Path | None:
    """The source of a compiled file of this Python; None for any other file."""
    if place.parent.name != "__pycache__" or place.suffix != ".pyc":
        return None
    try:
        source = importlib.util.source_from_cache(str(place))
    except ValueError:  # a name that Python does not look for
        return None
    return Path(source) if place.name.split(".")[1] == sys.implementation.cache_tag else None


def _inventory(roots: Mapping[str, str], known: Mapping[str, str]) -> Inventory:
    files, compiled = {}, {}
    for name, root in roots.items():
        skipped = ELSEWHERE if name == STANDARD else ()
        for path, place in _walk(name, Path(root), skipped, frozenset()):
            files[path] = _digest(place)
            if files[path] != known.get(path) and (source := _source_of(place)) is not None:
                compiled[path] = _is_made_of(place, source)
    return Inventory(files, compiled)


def _walk(name: str, place: Path, skipped: tuple[str, ...], above: frozenset[Path]) -> Iterator[tuple[str, Path]]:
    """All files, also behind links: a link to a folder is listed itself, and with the files in it."""
    if not place.is_dir():
        if os.path.lexists(place):
            yield name, place
        return
    if place.is_symlink():
        yield name, place
    resolved = place.resolve()
    if resolved in above:  # a link to a folder around it
        return
    try:
        entries = sorted(place.iterdir())
    except OSError:
        yield name, place  # a folder that cannot be read is listed as such
        return
    for entry in entries:
        if entry.name not in skipped:
            yield from _walk(f"{name}/{entry.name}", entry, (), above | {resolved})


def _digest(place: Path) -> str:
    link = f"link to {place.readlink()} " if place.is_symlink() else ""
    try:
        if place.is_dir():
            return link or "a folder that cannot be read"
        if not place.is_file():  # to read a pipe would be to wait
            return f"{link}no file"
        with place.open("rb") as file:
            return link + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"{link}cannot be read: {error.strerror}"


def _is_made_of(place: Path, source: Path) -> bool:
    """Is a compiled file exactly what this Python makes of its source?"""
    if place.is_symlink():
        return False
    try:
        compiled, written, at = place.read_bytes(), source.read_bytes(), source.stat()
        flags, body = int.from_bytes(compiled[4:8], "little"), io.BytesIO(compiled[16:])
        stamp = importlib.util.source_hash(written) if flags else _word(int(at.st_mtime)) + _word(at.st_size)
        if flags not in (0, 1, 3) or compiled[:16] != importlib.util.MAGIC_NUMBER + _word(flags) + stamp:
            return False
        level = int(place.stem.partition(".opt-")[2] or 0)
        code = compile(written, source, "exec", dont_inherit=True, optimize=level)
        made = marshal.dumps(code)
        return compiled[16:] == made or (_written(body, []) == _written(io.BytesIO(made), []) and not body.read())
    except (
        OSError,
        ValueError,
        IndexError,
        SyntaxError,
        RecursionError,
        MemoryError,
    ):  # the file is no code, or its source is none
        return False


def _written(data: io.BytesIO, known: list[object]) -> object:
    """What `marshal` has written, as plain tuples without references; ValueError or IndexError if it is cut."""
    first = data.read(1)[0]
    kind, place = chr(first & 0x7F), len(known)
    if first & 0x80:  # it may be referred to
        known.append(None)
    match kind:
        case "r":
            if (value := known[_number(data)]) is None:
                raise ValueError("a reference to something within itself")
            return value
        case "N" | "T" | "F" | ".":
            value = (kind,)
        case "i" | "g" | "y":
            value = (kind, _bytes(data, {"i": 4, "g": 8, "y": 16}[kind]))
        case "l":
            digits = _number(data)
            value = (kind, digits, _bytes(data, 2 * abs(digits)))
        case "s":
            value = (kind, _bytes(data, _number(data)))
        case "u" | "t" | "a" | "A":
            value = ("u", _bytes(data, _number(data)))
        case "z" | "Z":
            value = ("u", _bytes(data, _bytes(data, 1)[0]))
        case ")":
            value = ("(", *(_written(data, known) for _ in range(_bytes(data, 1)[0])))
        case "(":
            value = (kind, *(_written(data, known) for _ in range(_number(data))))
        case ">":  # a set is written in an order that depends on its references
            value = (kind, *sorted((_written(data, known) for _ in range(_number(data))), key=repr))
        case ":":
            value = (kind, *(_written(data, known) for _ in range(3)))
        case "c":
            begins, parts = _bytes(data, 20), [_written(data, known) for _ in range(8)]
            value = (kind, begins, *parts, _bytes(data, 4), _written(data, known), _written(data, known))
        case _:
            raise ValueError(f"code has no {kind}")
    if first & 0x80:
        known[place] = value
    return value


def _number(data: io.BytesIO) -> int:
    return int.from_bytes(_bytes(data, 4), "little", signed=True)


def _bytes(data: io.BytesIO, count: int) -> bytes:
    found = data.read(max(count, 0))
    if len(found) != count:
        raise ValueError("it ends too soon")
    return found


def _word(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4, "little")


if __name__ == "__main__":
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    json.dump(_inventory(**json.load(sys.stdin))._asdict(), sys.stdout)
