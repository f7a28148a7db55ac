"""Passkeys (WebAuthn): a person's device signs when they request a dangerous act or approve one.

A device signs its own data, which begins with the SHA-256 of the host it was made for, and the SHA-256 of the browser's
data, which contains the challenge. The challenge is the act: half, place, number and whole content of the request, and
the person. So a signature is valid for this half of this act alone, and anyone who has the journal can check it. A
browser gives the key as DER (`getPublicKey`), so nothing else of the protocol is needed.
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
"""The most bytes of a key. The longest in use have about 550."""
_PRESENT_AND_VERIFIED = 0b101
"""The device saw a person and verified them: by a finger, a face, a number."""


class Passkey(msgspec.Struct, frozen=True):
    """The public key of a passkey."""

    credential: str
    key: bytes
    host: str
    """The host it was made for."""
    since: int
    until: int = 0
    """When it was dropped; 0 if it was not."""


class _ClientData(msgspec.Struct, frozen=True):
    """The browser's data in a signature."""

    type: str
    challenge: str
    origin: str


_client_data = msgspec.json.Decoder(_ClientData)


def challenge_of(half: Half, place: str, request: int, content: bytes, person: str) -> bytes:
    """The challenge of a request: `content` is the requested command as its row has it."""
    whole = hashlib.sha256(content).hexdigest()
    return hashlib.sha256(f"croupier\n{half}\n{place}\n{request}\n{whole}\n{person}".encode()).digest()


def check_key(key: bytes) -> None:
    """Refuse bytes that are not the public key of a passkey."""
    try:
        if len(key) <= MOST_KEY and isinstance(load_der_public_key(key), _KINDS):
            return
    except (ValueError, UnsupportedAlgorithm):
        pass
    raise Refused("passkey", "not-a-key")


_KINDS = (ec.EllipticCurvePublicKey, ed25519.Ed25519PublicKey, rsa.RSAPublicKey)


def is_signed(passkeys: Iterable[Passkey], signature: Signature | None, challenge: bytes, at: int) -> bool:
    """True if one of these passkeys was valid at this moment and has signed this challenge."""
    return signature is not None and any(
        one.credential == signature.credential
        and one.since <= at
        and (not one.until or at < one.until)
        and _fits(one, signature, challenge)
        for one in passkeys
    )


def _fits(passkey: Passkey, signature: Signature, challenge: bytes) -> bool:
    try:
        client = _client_data.decode(signature.client)
        host = urlsplit(client.origin).hostname or ""
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return False
    device = signature.device
    return (
        client.type == "webauthn.get"
        and client.challenge == urlsafe_b64encode(challenge).rstrip(b"=").decode()
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
