"""Signed checkpoints, kept outside the database: where all streams stood, so that nothing can be cut off unseen.

A checkpoint is a line of a file. Each has a number and the hash of the line before, both under its signature, so that
no line can be taken out, changed or moved unseen: the lines are one chain. Machines that share a floor sign one chain
together: a number belongs to the machine that puts it into the database first, and every machine keeps the whole chain
in a file of its own. Lines of older releases have no number; the chain begins after them.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.rules.bad_input import cause
from croupier.rules.findings import Finding, found
from croupier.rules.refusal import Refused
from croupier.store.disk import sync
from croupier.store.journal import Secret, SharedStore, Store

NOTHING = "0" * 64
"""The hash before the first line of a chain."""
SHARED = "checkpoint"
"""The kind under which machines that share a floor keep their chain in the database."""
SHARED_LINES = 100_000
"""Lines that the database keeps. A machine that was away for longer has a gap in its file."""
_BLOCK = 65_536


class Checkpoint(NamedTuple):
    at: int
    heads: dict[str, tuple[int, str]]
    """stream → (number, hash) of its last row."""
    signature: str
    number: int = 0
    """Its place in the chain, from 1; 0 for a line of an older release, which is in no chain."""
    before: str = ""
    """The hash of the line before."""

    def written(self) -> dict[str, Any]:
        """Its fields in a file or a pack: a line of an older release has no number and no hash before."""
        fields = self._asdict()
        return fields if self.number else {name: fields[name] for name in ("at", "heads", "signature")}

    @property
    def line(self) -> bytes:
        """Its line in a file, without the line end."""
        return json.dumps(self.written(), sort_keys=True).encode()


def hash_of_line(line: bytes) -> str:
    return sha256(line).hexdigest()


def make_keys(folder: Path) -> None:
    """A new key pair: `signing.key` for the floor alone, `public.key` for everyone who wants to check."""
    folder.mkdir(parents=True, exist_ok=True)
    make_key_pair(folder / "signing.key", folder / "public.key")


def make_key_pair(private: Path, public: Path) -> None:
    """FileExistsError if there is one already: a key is never written over."""
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    descriptor = os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
    public.write_bytes(
        key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


def signing_key(folder: Path) -> Ed25519PrivateKey:
    """The floor's own key; refused if the file holds none."""
    return private_key(folder / "signing.key")


def private_key(file: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(file.read_bytes(), None)
    except OSError as error:
        raise Refused("key", "unreadable-signing", file=str(file), error=cause(error)) from None
    except (ValueError, TypeError):
        raise Refused("key", "not-pem", file=str(file)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Refused("key", "of-another-kind", file=str(file))
    return key


# ---- signing


def sign(store: Store, key: Ed25519PrivateKey, at: int, file: Path, shared: SharedStore | None = None) -> Checkpoint:
    """Sign the head of every stream, on disk before this returns; the last checkpoint, if there are no new rows.

    Another process of this machine waits meanwhile. Another machine may be first to take the number: then the next
    number is taken. `shared` is the database of a floor of several machines.
    """
    fresh = not file.exists()
    with file.open("ab+") as lines:
        fcntl.flock(lines, fcntl.LOCK_EX)
        drop_torn_line(lines)
        last = _taken_over(lines, key.public_key(), file, shared)
        while True:
            heads = {name: (place.seq, place.hash.hex()) for name in store.streams() for place in [store.head(name)]}
            if last is not None and last.heads == heads:
                return last
            mark = _signed_after(last, at, heads, key)
            if shared is None or _is_first(shared, mark):
                break
            last = _taken_over(lines, key.public_key(), file, shared)
        _add(lines, mark.line)
    if fresh:
        sync(file.parent)
    return mark


def catch_up(key: Ed25519PublicKey, file: Path, shared: SharedStore) -> Checkpoint | None:
    """Add to the file what other machines have signed since; the last checkpoint."""
    with file.open("ab+") as lines:
        fcntl.flock(lines, fcntl.LOCK_EX)
        drop_torn_line(lines)
        return _taken_over(lines, key, file, shared)


def last_checkpoint(file: Path, key: Ed25519PublicKey) -> Checkpoint | None:
    """The last line of a file that this key has signed."""
    if not file.exists():
        return None
    with file.open("rb") as lines:
        return _last(lines, key)


def unsigned_since(store: Store, last: Checkpoint | None) -> int | None:
    """The moment of the first row that the last checkpoint does not cover; None if it covers all."""
    moments: list[int] = []
    for stream in store.streams():
        known = last.heads.get(stream, (0, ""))[0] if last else 0
        moments += [int(str(row[4])) for row in store.page(stream, known, 1)[0]]
    return min(moments, default=None)


def _signed_after(
    last: Checkpoint | None, at: int, heads: dict[str, tuple[int, str]], key: Ed25519PrivateKey
) -> Checkpoint:
    chained = last is not None and last.number > 0
    number, before = (last.number + 1, hash_of_line(last.line)) if last and chained else (1, NOTHING)
    mark = Checkpoint(at, heads, "", number, before)
    return mark._replace(signature=key.sign(_signed(mark)).hex())


def _is_first(shared: SharedStore, mark: Checkpoint) -> bool:
    """Is this machine the first to take the number of this checkpoint?"""
    kept = shared.first_secret(Secret(SHARED, _key(mark.number), mark.line)).body == mark.line
    if kept and mark.number > SHARED_LINES:
        shared.drop_secret(SHARED, _key(mark.number - SHARED_LINES))
    return kept


def _key(number: int) -> str:
    return f"{number:012}"


def _taken_over(lines: BinaryIO, key: Ed25519PublicKey, file: Path, shared: SharedStore | None) -> Checkpoint | None:
    """Add what other machines have signed; the last checkpoint then. Refused, if theirs is another chain."""
    last = _last(lines, key)
    if shared is None:
        return last
    while True:
        number = last.number if last else 0
        shared_lines = shared.secrets_after(SHARED, _key(number - 1) if number else "")
        if (
            last is not None and number and not shared_lines
        ):  # a database was restored: its chain goes on from this line
            shared_lines = [shared.first_secret(Secret(SHARED, _key(number), last.line))]
        news: list[bytes] = []
        for kept in shared_lines:
            mark = read_checkpoint(kept.body.decode())
            number = last.number if last else 0
            same = last is not None and mark.number == number and kept.body == last.line
            before = hash_of_line(last.line) if last and number else NOTHING
            follows = mark.number > number and (mark.number > number + 1 or mark.before == before)
            if not is_signed(mark, key) or not (same or follows):
                raise Refused("chain", "not-following", number=mark.number, file=str(file))
            news += [] if same else [kept.body]
            last = mark
        if not news:
            return last
        _add(lines, *news)


def _add(lines: BinaryIO, *news: bytes) -> None:
    lines.writelines(line + b"\n" for line in news)
    lines.flush()
    os.fsync(lines.fileno())


def drop_torn_line(lines: BinaryIO) -> None:
    """Remove a last line that a power cut has left incomplete, so that the next one begins a line of its own."""
    end = size = lines.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - _BLOCK)
        lines.seek(start)
        whole = lines.read(end - start).rfind(b"\n")
        if whole >= 0 or not start:
            end = start + whole + 1
            break
        end = start
    if end < size:
        lines.truncate(end)
    lines.seek(0, os.SEEK_END)


def _last(lines: BinaryIO, key: Ed25519PublicKey) -> Checkpoint | None:
    """The last whole line that this key has signed. A changed line stops no signing: verification finds it."""
    for line in _backwards(lines):
        try:
            mark = read_checkpoint(line.decode())
        except _NO_CHECKPOINT:
            continue
        if is_signed(mark, key):
            return mark
    return None


def _backwards(lines: BinaryIO) -> Iterator[bytes]:
    """The whole lines of a file, the last one first, without what comes after the last line end."""
    rest, place, first = b"", lines.seek(0, os.SEEK_END), True
    while place:
        begin = max(0, place - _BLOCK)
        lines.seek(begin)
        rest, place = lines.read(place - begin) + rest, begin
        parts = rest.split(b"\n")
        if first:
            parts, first = parts[:-1] if len(parts) > 1 else parts, len(parts) == 1
        rest = parts[0] if begin else b""
        yield from (line for line in reversed(parts[1:] if begin else parts) if line.strip())


# ---- reading

_NO_CHECKPOINT = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


class Examined(NamedTuple):
    """What was read of checkpoints: those that are signed, in order; lies; and gaps that are no lie."""

    marks: list[Checkpoint]
    lies: list[Refused]
    notes: list[Finding]


def read_chain(files: Sequence[Path], key: Path) -> Examined:
    """All checkpoints of some files as one chain, which must be signed by this key and have no gap and no fork."""
    signer, chain = trusted_key(key), _Chain()
    for file in files:
        try:
            text = file.read_bytes()
        except OSError as error:
            raise Refused("checkpoint", "unreadable", file=str(file), error=cause(error)) from None
        highest, lines = 0, text.split(b"\n")[:-1]  # an incomplete last line does not count
        if lines and not any(map(_is_checkpoint, lines)):
            raise Refused("checkpoint", "none-of-file", file=str(file))
        for number, line in enumerate(lines, 1):
            if line.strip():
                highest = max(highest, chain.add(file, number, line, signer, key, highest))
    return chain.joined()


class _Line(NamedTuple):
    """A checkpoint, with the number of its line and its file."""

    text: bytes
    mark: Checkpoint
    place: int
    file: str


class _Chain:
    """Lines of checkpoints as they are read, from any number of files, in any order."""

    def __init__(self) -> None:
        self._found: dict[int, _Line] = {}
        self._loose: dict[bytes, Checkpoint] = {}
        """Those without a number."""
        self._named: set[int] = set()
        """Numbers of lines that are not signed."""
        self._lies: list[Refused] = []

    def add(self, file: Path, place: int, line: bytes, signer: Ed25519PublicKey, key: Path, highest: int) -> int:
        """Add a line; its number in the chain."""
        at = str(file)
        try:
            mark = read_checkpoint(line.decode())
        except _NO_CHECKPOINT:
            self._lies.append(Refused("forged", "unreadable-line", line=place, file=at))
            return 0
        if not is_signed(mark, signer):
            self._lies.append(Refused("forged", "unsigned-line", line=place, file=at, key=str(key)))
            self._named.add(mark.number)
        elif not mark.number:
            self._loose[line] = mark
        elif mark.number not in self._found:
            self._found[mark.number] = _Line(line, mark, place, at)
            if mark.number < highest:
                self._lies.append(Refused("forged", "order", line=place, file=at, number=mark.number, after=highest))
        elif (first := self._found[mark.number]).text != line:
            fork = Refused(
                *("forged", "fork"),
                line=place,
                file=at,
                number=mark.number,
                other_line=first.place,
                other_file=first.file,
            )
            self._lies.append(fork)
        return mark.number

    def joined(self) -> Examined:
        marks, lies, notes = list(self._loose.values()), list(self._lies), []
        numbers = sorted(self._found)
        if numbers and numbers[0] > 1 and not self._named & set(range(1, numbers[0])):
            notes.append(found("checkpoints", "begin-late", number=numbers[0]))
        for number in numbers:
            _, mark, place, file = self._found[number]
            marks.append(mark)
            if number - 1 in self._found:
                if mark.before != hash_of_line(self._found[number - 1].text):
                    lies.append(
                        Refused("forged", "not-following", line=place, file=file, number=number, before=number - 1)
                    )
            elif number > numbers[0] and number - 1 not in self._named:
                lies.append(Refused("forged", "gap", line=place, file=file, number=number, missing=number - 1))
        return Examined(marks, lies, notes)


def read(file: Path) -> list[Checkpoint]:
    """The checkpoints of a file, without an incomplete last line."""
    whole, _, _ = file.read_text().rpartition("\n")
    return [read_checkpoint(line) for line in whole.splitlines() if line.strip()]


def read_checkpoint(text: str) -> Checkpoint:
    """A checkpoint from its line; ValueError, KeyError or TypeError, if the line is no checkpoint."""
    found = json.loads(text)
    heads = {str(stream): (int(seq), str(hash)) for stream, (seq, hash) in found["heads"].items()}
    chained = int(found.get("number", 0)), str(found.get("before", ""))
    mark = Checkpoint(int(found["at"]), heads, str(found["signature"]), *chained)
    if mark.number < 0 or (not mark.number and mark.before):
        raise ValueError("a number below 0, or a hash before without a number")
    return mark


def _is_checkpoint(line: bytes) -> bool:
    try:
        read_checkpoint(line.decode())
    except _NO_CHECKPOINT:
        return False
    return True


def trusted(file: Path, key: Path) -> list[Checkpoint]:
    """The checkpoints of a file, a chain signed by this key; refused if they are not."""
    examined = read_chain([file], key)
    if examined.lies:
        raise examined.lies[0]
    return examined.marks


def knowing(file: Path, key: Path, stream: str, seq: int) -> Iterator[Checkpoint]:
    """The checkpoints of a file from the first one that covers a row; those before it are not read."""
    signer = trusted_key(key)
    if not file.exists():
        return
    with file.open("rb") as lines:
        low, high = 0, lines.seek(0, os.SEEK_END)
        while low < high:
            middle = (low + high) // 2
            begin, mark = _line_from(lines, middle, file)
            if mark is None or begin >= high or _covers(mark, stream, seq):
                high = middle
            else:
                low = lines.tell()
        begin, mark = _line_from(lines, low, file)
        while mark is not None:
            if not is_signed(mark, signer):
                raise Refused("forged", "unsigned-checkpoint", number=mark.number, file=str(file), key=str(key))
            if _covers(mark, stream, seq):
                yield mark
            begin, mark = _line_from(lines, lines.tell(), file)


def _line_from(lines: BinaryIO, place: int, file: Path) -> tuple[int, Checkpoint | None]:
    """The first whole line that begins at a place or after it, and its place."""
    lines.seek(max(0, place - 1))
    if place:
        lines.readline()
    begin, line = lines.tell(), lines.readline()
    if not line.endswith(b"\n"):
        return begin, None
    try:
        return begin, read_checkpoint(line.decode())
    except _NO_CHECKPOINT:
        raise Refused("checkpoint", "none-of-file", file=str(file)) from None


def _covers(mark: Checkpoint, stream: str, seq: int) -> bool:
    return mark.heads.get(stream, (0, ""))[0] >= seq


def trusted_key(file: Path) -> Ed25519PublicKey:
    """A public key; refused if the file holds none."""
    try:
        key = serialization.load_pem_public_key(file.read_bytes())
    except OSError as error:
        raise Refused("key", "unreadable-public", file=str(file), error=cause(error)) from None
    except (ValueError, TypeError):
        raise Refused("key", "not-pem", file=str(file)) from None
    if not isinstance(key, Ed25519PublicKey):
        raise Refused("key", "of-another-kind", file=str(file))
    return key


def is_signed(checkpoint: Checkpoint, key: Ed25519PublicKey) -> bool:
    return _is_by(key, _signed(checkpoint), checkpoint.signature)


def _is_by(key: Ed25519PublicKey, text: bytes, signature: str) -> bool:
    """A signature has one spelling, so that no letter of a file can be changed unseen."""
    try:
        found = bytes.fromhex(signature)
        key.verify(found, text)
    except (InvalidSignature, ValueError):
        return False
    return found.hex() == signature


def _signed(mark: Checkpoint) -> bytes:
    heads = sorted((stream, *head) for stream, head in mark.heads.items())
    return json.dumps([mark.at, heads, mark.number, mark.before] if mark.number else [mark.at, heads]).encode()


# ---- anything else that is signed


def sign_text(key: Ed25519PrivateKey, text: bytes) -> str:
    return key.sign(b"croupier\n" + text).hex()


def text_is_signed(key: Ed25519PublicKey, text: bytes, signature: str) -> bool:
    return _is_by(key, b"croupier\n" + text, signature)
