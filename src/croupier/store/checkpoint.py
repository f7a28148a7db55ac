"""Signed checkpoints, kept outside the database: where all streams stood, so that nothing can be cut off unseen."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.rules.refusal import Refused
from croupier.store.disk import sync
from croupier.store.journal import Store

EVERY = 1_000
"""Rows between two checkpoints."""
PAUSE = 1_000
"""Milliseconds between two at least: a floor in a hurry would otherwise sign after every commit."""


class Checkpoint(NamedTuple):
    at: int
    heads: dict[str, tuple[int, str]]
    """stream → (number, hash) of its last row."""
    signature: str


def make_keys(folder: Path) -> None:
    """A new key pair: `signing.key` for the floor alone, `public.key` for everyone who wants to check."""
    folder.mkdir(parents=True, exist_ok=True)
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    descriptor = os.open(folder / "signing.key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(private)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    (folder / "public.key").write_bytes(public)


def signing_key(folder: Path) -> Ed25519PrivateKey:
    """The floor's own key; refused if the file holds none."""
    file = folder / "signing.key"
    try:
        key = serialization.load_pem_private_key(file.read_bytes(), None)
        assert isinstance(key, Ed25519PrivateKey), "it is a key of another kind"
    except (OSError, ValueError, TypeError, AssertionError) as error:
        raise Refused("key", f"{file} cannot be read as a signing key: {error}") from None
    return key


def public_key(file: Path) -> Ed25519PublicKey:
    key = serialization.load_pem_public_key(file.read_bytes())
    assert isinstance(key, Ed25519PublicKey)
    return key


def sign(store: Store, key: Ed25519PrivateKey, at: int, file: Path) -> Checkpoint:
    """Sign where every stream stands, and add it to the file of checkpoints, on disk before this returns.

    Whoever else signs meanwhile waits: one whole line follows the other.
    """
    fresh = not file.exists()
    with file.open("ab+") as lines:
        fcntl.flock(lines, fcntl.LOCK_EX)
        heads = {stream: (place.seq, place.hash.hex()) for stream in store.streams() for place in [store.head(stream)]}
        checkpoint = Checkpoint(at, heads, key.sign(_signed(at, heads)).hex())
        _drop_torn_line(lines)
        lines.write(json.dumps(checkpoint._asdict(), sort_keys=True).encode() + b"\n")
        lines.flush()
        os.fsync(lines.fileno())
    if fresh:
        sync(file.parent)
    return checkpoint


def _drop_torn_line(lines: BinaryIO) -> None:
    """A line that a power cut has torn says nothing; the next one must not be written behind it."""
    end = size = lines.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 4096)
        lines.seek(start)
        whole = lines.read(end - start).rfind(b"\n")
        if whole >= 0 or not start:
            end = start + whole + 1
            break
        end = start
    if end < size:
        lines.truncate(end)
    lines.seek(0, os.SEEK_END)


class Notary:
    """Signs a checkpoint every so many rows, but not at every moment, and at the end."""

    def __init__(self, store: Store, key: Ed25519PrivateKey, file: Path, every: int = EVERY) -> None:
        self._store = store
        self._key = key
        self._file = file
        self._every = every
        self._pause = PAUSE
        self._signed_at = 0
        self.rows = 0

    def note(self, rows: int, at: int) -> None:
        """So many rows were written."""
        self.rows += rows
        if self.rows >= self._every and not 0 <= at - self._signed_at < self._pause:
            self.sign(at)

    def sign(self, at: int) -> Checkpoint:
        signed = sign(self._store, self._key, at, self._file)
        self.rows, self._signed_at = 0, at
        return signed


def read(file: Path) -> list[Checkpoint]:
    """The checkpoints of a file; a last line that was torn is none."""
    whole, _, _ = file.read_text().rpartition("\n")
    return [read_checkpoint(line) for line in whole.splitlines() if line.strip()]


def read_checkpoint(text: str) -> Checkpoint:
    """ValueError, KeyError or TypeError, if it is none."""
    found = json.loads(text)
    heads = {str(stream): (int(seq), str(hash)) for stream, (seq, hash) in found["heads"].items()}
    return Checkpoint(int(found["at"]), heads, str(found["signature"]))


def trusted(file: Path, key: Path) -> list[Checkpoint]:
    """The checkpoints of a file, all of them signed by this key; refused if one is not."""
    try:
        marks = read(file)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("checkpoint", f"{file} cannot be read as checkpoints: {error!r}") from None
    signer = trusted_key(key)
    for number, mark in enumerate(marks, 1):
        if not is_signed(mark, signer):
            raise Refused("forged", f"checkpoint {number} of {file} is not signed by {key}")
    return marks


def trusted_key(file: Path) -> Ed25519PublicKey:
    """A public key; refused if the file holds none."""
    try:
        return public_key(file)
    except (OSError, ValueError, TypeError, AssertionError) as error:
        raise Refused("key", f"{file} cannot be read as a public key: {error}") from None


def is_signed(checkpoint: Checkpoint, key: Ed25519PublicKey) -> bool:
    try:
        key.verify(bytes.fromhex(checkpoint.signature), _signed(checkpoint.at, checkpoint.heads))
    except (InvalidSignature, ValueError):
        return False
    return True


def _signed(at: int, heads: dict[str, tuple[int, str]]) -> bytes:
    return json.dumps([at, sorted((stream, *head) for stream, head in heads.items())]).encode()


# ---- anything else that is signed


def sign_text(key: Ed25519PrivateKey, text: bytes) -> str:
    return key.sign(b"croupier\n" + text).hex()


def text_is_signed(key: Ed25519PublicKey, text: bytes, signature: str) -> bool:
    try:
        key.verify(bytes.fromhex(signature), b"croupier\n" + text)
    except (InvalidSignature, ValueError):
        return False
    return True
