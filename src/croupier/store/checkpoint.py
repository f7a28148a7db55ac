"""Signed checkpoints, kept outside the database: where all streams stood, so that nothing can be cut off unseen."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.rules.refusal import Refused
from croupier.store.journal import Store


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
    key = serialization.load_pem_private_key((folder / "signing.key").read_bytes(), None)
    assert isinstance(key, Ed25519PrivateKey)
    return key


def public_key(file: Path) -> Ed25519PublicKey:
    key = serialization.load_pem_public_key(file.read_bytes())
    assert isinstance(key, Ed25519PublicKey)
    return key


def sign(store: Store, key: Ed25519PrivateKey, at: int, file: Path) -> Checkpoint:
    """Sign where every stream stands, and add it to the file of checkpoints, on disk before this returns."""
    heads = {stream: (seq, hash.hex()) for stream in store.streams() for seq, hash in [store.head(stream)]}
    checkpoint = Checkpoint(at, heads, key.sign(_signed(at, heads)).hex())
    with file.open("a") as lines:
        lines.write(json.dumps(checkpoint._asdict(), sort_keys=True) + "\n")
        lines.flush()
        os.fsync(lines.fileno())
    return checkpoint


def read(file: Path) -> list[Checkpoint]:
    lines = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
    heads = [{stream: (seq, hash) for stream, (seq, hash) in line["heads"].items()} for line in lines]
    return [Checkpoint(line["at"], head, line["signature"]) for line, head in zip(lines, heads, strict=True)]


def trusted(file: Path, key: Path) -> list[Checkpoint]:
    """The checkpoints of a file, all of them signed by this key; refused if one is not."""
    try:
        marks, signer = read(file), public_key(key)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError) as error:
        raise Refused(
            "checkpoint", f"{file} and {key} cannot be read as checkpoints and their key: {error!r}"
        ) from None
    for number, mark in enumerate(marks, 1):
        if not is_signed(mark, signer):
            raise Refused("forged", f"checkpoint {number} of {file} is not signed by {key}")
    return marks


def is_signed(checkpoint: Checkpoint, key: Ed25519PublicKey) -> bool:
    try:
        key.verify(bytes.fromhex(checkpoint.signature), _signed(checkpoint.at, checkpoint.heads))
    except (InvalidSignature, ValueError):
        return False
    return True


def _signed(at: int, heads: dict[str, tuple[int, str]]) -> bytes:
    return json.dumps([at, sorted((stream, *head) for stream, head in heads.items())]).encode()
