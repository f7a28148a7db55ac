"""Passkeys (WebAuthn): what a person's device signs when they ask for a dangerous act or approve one, and whether it
has.

A device signs bytes of its own, which begin with the SHA-256 of the address it was made for, and the SHA-256 of what
the browser says: among it the challenge. Here the challenge is the act: half, place, number and whole content of the
request, and the person. So a signature is worth something for this half of this act alone, and whoever has the journal
can check it. A browser hands the key over as the usual DER (`getPublicKey`), so nothing else of the protocol is needed.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key

from croupier.rules.refusal import Refused
from croupier.table.messages import Signature

Half = Literal["asks", "approves"]
MOST_KEY = 2_000
"""Bytes; the longest that are in use have about 550."""
_PRESENT_AND_VERIFIED = 0b101
"""A person was there, and the device knew them: by a finger, a face, a number."""


class Passkey(msgspec.Struct, frozen=True):
    """The public half of what a device keeps for a person."""

    credential: str
    key: bytes
    host: str
    """The address it was made for."""
    since: int
    until: int = 0
    """When it was taken away; 0 if it was not."""


class _Said(msgspec.Struct, frozen=True):
    """What a browser says of a signature."""

    type: str
    challenge: str
    origin: str


_said = msgspec.json.Decoder(_Said)


def challenge_of(half: Half, place: str, request: int, content: bytes, person: str) -> bytes:
    """What is signed of a request: `content` is the command that was asked for, as its row has it."""
    whole = hashlib.sha256(content).hexdigest()
    return hashlib.sha256(f"croupier\n{half}\n{place}\n{request}\n{whole}\n{person}".encode()).digest()


def check_key(key: bytes) -> None:
    """Refuse what is no public key that a passkey can have."""
    try:
        if len(key) <= MOST_KEY and isinstance(load_der_public_key(key), _KINDS):
            return
    except (ValueError, UnsupportedAlgorithm):
        pass
    raise Refused("passkey", "not-a-key")


_KINDS = (ec.EllipticCurvePublicKey, ed25519.Ed25519PublicKey, rsa.RSAPublicKey)


def is_signed(passkeys: Iterable[Passkey], signature: Signature | None, challenge: bytes, at: int) -> bool:
    """Has a device of this person signed this challenge at this moment?"""
    return signature is not None and any(
        one.credential == signature.credential
        and one.since <= at
        and (not one.until or at < one.until)
        and _fits(one, signature, challenge)
        for one in passkeys
    )


def _fits(passkey: Passkey, signature: Signature, challenge: bytes) -> bool:
    try:
        said = _said.decode(signature.client)
        host = urlsplit(said.origin).hostname or ""
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return False
    device = signature.device
    return (
        said.type == "webauthn.get"
        and said.challenge == urlsafe_b64encode(challenge).rstrip(b"=").decode()
        and host == passkey.host
        and len(device) >= 37
        and device[:32] == hashlib.sha256(passkey.host.encode()).digest()
        and device[32] & _PRESENT_AND_VERIFIED == _PRESENT_AND_VERIFIED
        and _verifies(passkey.key, signature.signature, device + hashlib.sha256(signature.client).digest())
    )


def _verifies(key: bytes, signature: bytes, signed: bytes) -> bool:
    public = load_der_public_key(key)
    try:
        match public:
            case ec.EllipticCurvePublicKey():
                public.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
            case ed25519.Ed25519PublicKey():
                public.verify(signature, signed)
            case rsa.RSAPublicKey():
                public.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
            case _:
                return False
    except InvalidSignature:
        return False
    return True
