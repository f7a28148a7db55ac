"""Dangerous acts signed by passkeys: a device made by the test signs both halves; `verify` accepts nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

from croupier.office import messages as o
from croupier.office.passkeys import challenge_of, check_key
from croupier.rules.refusal import Refused
from croupier.server.sessions import key_of
from croupier.store.checkpoint import trusted
from croupier.store.folder import Premises, open_store
from croupier.store.verify import Lie, verify
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId, Signature
from croupier.wire import encode
from tests.server.staff_floor import ORIGIN, StaffFloor, run
from tests.support.floors import check
from tests.support.sign_in import found, sign_in

TABLE, HOST = "sicbo-rws", "floor.test"
GIFT: dict[str, Any] = {"type": "GiveCredit", "seat": "A1", "amount": 100, "reason": "a birthday"}


class Device:
    """Keeps a key, and signs as WebAuthn says (Level 2, 6.1 and 7.2)."""

    def __init__(self, kind: str = "ES256") -> None:
        made: Any = {"ES256": _es256, "EdDSA": ed25519.Ed25519PrivateKey.generate, "RS256": _rs256}[kind]()
        self.secret, self.kind = made, kind
        self.credential = urlsafe_b64encode(hashlib.sha256(self.key).digest()).decode().rstrip("=")

    @property
    def key(self) -> bytes:
        kind = serialization.PublicFormat.SubjectPublicKeyInfo
        der: bytes = self.secret.public_key().public_bytes(serialization.Encoding.DER, kind)
        return der

    def sign(
        self,
        challenge: bytes,
        *,
        origin: str = ORIGIN,
        host: str = HOST,
        flags: int = 0b101,
        type: str = "webauthn.get",
    ) -> Signature:
        named = urlsafe_b64encode(challenge).decode().rstrip("=")
        client = json.dumps({"type": type, "challenge": named, "origin": origin, "crossOrigin": False}).encode()
        device = hashlib.sha256(host.encode()).digest() + bytes([flags]) + (7).to_bytes(4, "big")
        signed = device + hashlib.sha256(client).digest()
        match self.kind:
            case "ES256":
                signature = self.secret.sign(signed, ec.ECDSA(hashes.SHA256()))
            case "RS256":
                signature = self.secret.sign(signed, padding.PKCS1v15(), hashes.SHA256())
            case _:
                signature = self.secret.sign(signed)
        return Signature(self.credential, device, client, signature)


def _es256() -> Any:
    return ec.generate_private_key(ec.SECP256R1())


def _rs256() -> Any:
    return rsa.generate_private_key(65537, 2048)


def sent(signature: Signature) -> dict[str, str]:
    parts = ("device", "client", "signature")
    return {"credential": signature.credential} | {name: b64encode(getattr(signature, name)).decode() for name in parts}


async def add(here: StaffFloor, client: httpx.AsyncClient, device: Device) -> httpx.Response:
    fields = {"credential": device.credential, "key": b64encode(device.key).decode()}
    return await here.send(client, "/api/office/commands", "AddPasskey", **fields)


async def challenge(client: httpx.AsyncClient, place: str, request: int) -> bytes:
    said = (await client.get(f"/api/places/{place}/requests/{request}/challenge")).json()
    return b64decode(said["challenge"])


async def signs_asking(
    here: StaffFloor, client: httpx.AsyncClient, device: Device, place: str, request: int
) -> httpx.Response:
    fields = {
        "place": place,
        "request": request,
        "signature": sent(device.sign(await challenge(client, place, request))),
    }
    return await here.send(client, "/api/office/commands", "SignAsking", **fields)


def lies(premises: Premises) -> list[Lie]:
    store = open_store(premises.address)
    try:
        return verify(store, trusted(premises.checkpoints, premises.public_key)).lies
    finally:
        store.close()


@pytest.mark.parametrize("kind", ["ES256", "EdDSA", "RS256"])
def test_both_people_sign_and_no_other_signature_is_accepted(tmp_path: Path, kind: str) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Sam") as sam, here.as_("Max") as max_:
            asker, approver, stranger = Device(kind), Device(), Device()
            assert (await add(here, sam, asker)).status_code == 200
            assert (await add(here, max_, approver)).status_code == 200
            await here.sessions.require_passkeys()
            await here.sessions.require_passkeys()
            number = (await here.give(sam, TABLE, **GIFT)).json()["events"][0]["request"]
            request = here.floor.tables[TABLE].table.requests[number]

            async def approve(signature: Signature | None) -> str:
                fields: dict[str, Any] = {"request": number, "digest": request.digest}
                if signature is not None:
                    fields["signature"] = sent(signature)
                said = await here.give(max_, TABLE, "Approve", **fields)
                return str(said.json().get("message", said.status_code))

            approver_part = await challenge(max_, TABLE, number)
            assert approver_part == challenge_of("approves", TABLE, number, encode(request.command), "Max")
            assert "Sam has not signed request" in await approve(approver.sign(approver_part))
            for no in (stranger.sign(approver_part), approver.sign(approver_part), asker.sign(approver_part)):
                fields = {"place": TABLE, "request": number, "signature": sent(no)}
                assert (await here.send(sam, "/api/office/commands", "SignAsking", **fields)).json()[
                    "reason"
                ] == "passkey"
            assert (await signs_asking(here, max_, approver, TABLE, number)).json()["reason"] in ("passkey", "asker")
            assert (await signs_asking(here, sam, asker, TABLE, number)).status_code == 200
            assert (await signs_asking(here, sam, asker, TABLE, number)).json()["reason"] == "asker", "once"
            other = challenge_of("approves", TABLE, number + 1, encode(request.command), "Max")
            spoilt = approver.sign(approver_part)
            for wrong in (
                None,
                stranger.sign(approver_part),
                asker.sign(approver_part),
                approver.sign(other),
                approver.sign(challenge_of("asks", TABLE, number, encode(request.command), "Max")),
                approver.sign(approver_part, origin="https://evil.example"),
                approver.sign(approver_part, host="evil.example"),
                approver.sign(approver_part, flags=0b001),  # there, but not known to the device
                approver.sign(approver_part, flags=0b100),
                approver.sign(approver_part, type="webauthn.create"),
                Signature(approver.credential, spoilt.device, spoilt.client, spoilt.signature[:-1]),
                Signature(approver.credential, spoilt.device, b"{}", spoilt.signature),
                Signature(approver.credential, b"", spoilt.client, b""),
                Signature(
                    approver.credential,
                    stranger.sign(approver_part).device,
                    spoilt.client,
                    stranger.sign(approver_part).signature,
                ),
            ):
                assert "Max has not signed request" in await approve(wrong)
            assert await approve(approver.sign(approver_part)) == "200"
            refused = [alert.because for alert in here.floor.accounts.alerts.values() if alert.kind == "two-people"]
            assert any(no is not None and no.reason == "passkey" for no in refused)

    run(tmp_path, play)
    check(Premises(tmp_path / "floor"))


def test_the_cage_signs_too(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Cass") as cass, here.as_("Max") as max_:
            asker, approver = Device(), Device()
            await add(here, cass, asker)
            await add(here, max_, approver)
            await here.sessions.require_passkeys()
            sold = await here.send(cass, "/api/cage/commands", "SellTicket", amount=5000)
            void = {"ticket": sold.json()["events"][0]["ticket"], "reason": "lost"}
            asked = (await here.send(cass, "/api/cage/commands", "VoidTicket", **void)).json()["events"][0]
            body: dict[str, Any] = {"request": asked["request"], "digest": asked["digest"]}
            assert (await signs_asking(here, cass, asker, "cage", asked["request"])).status_code == 200
            refused = await here.send(max_, "/api/cage/commands", "ApproveRequest", **body)
            assert refused.json()["reason"] == "passkey"
            body["signature"] = sent(approver.sign(await challenge(max_, "cage", asked["request"])))
            assert (await here.send(max_, "/api/cage/commands", "ApproveRequest", **body)).status_code == 200

    run(tmp_path, play)
    check(Premises(tmp_path / "floor"))


Half = Callable[[Device, bytes], Signature | None]


def _right(device: Device, part: bytes) -> Signature | None:
    return device.sign(part)


@pytest.mark.parametrize(
    ("asks", "approves", "what"),
    [
        (_right, lambda device, part: None, "approval unsigned .*person=Max"),
        (_right, lambda device, part: Device().sign(part), "approval unsigned .*person=Max"),
        (_right, lambda device, part: device.sign(part + b"x"), "approval unsigned .*person=Max"),
        (lambda device, part: None, _right, "approval unasked .*person=Sam"),
        (lambda device, part: Device().sign(part), _right, "approval unasked .*person=Sam"),
        (_right, _right, ""),
    ],
    ids=["nothing", "another device", "another act", "asker nothing", "asker another device", "right"],
)
def test_verify_believes_no_approval_that_is_not_signed(tmp_path: Path, asks: Half, approves: Half, what: str) -> None:
    """A journal written past the server, as if it had accepted the command."""
    premises, rows = Premises(tmp_path / "floor"), []

    async def play(here: StaffFloor) -> None:
        live, now = here.floor.tables[TABLE], here.floor.clock.now
        devices, sessions = {"Sam": Device(), "Max": Device()}, {}
        await found(here.floor)
        early = m.GiveCredit("Sam", now(), SeatId("A1"), 100, "before")  # type: ignore[arg-type]
        await here.deal(TABLE, early)
        (before,) = live.table.requests.values()
        await here.deal(TABLE, m.Approve("Max", now(), before.number, before.digest))  # no signature was needed
        for person, device in devices.items():
            sessions[person] = key_of(await sign_in(here.floor, person))
            fields = (device.credential, device.key, HOST, sessions[person])
            await here.floor.give(here.floor.office, o.AddPasskey(person, now(), PersonId(person), *fields))
        await here.sessions.require_passkeys()
        await here.deal(TABLE, m.GiveCredit("Sam", now(), SeatId("A1"), 100, "after"))  # type: ignore[arg-type]
        (request,) = live.table.requests.values()
        content = encode(request.command)
        noted = o.NoteAsker("system", now(), PersonId("Sam"), TABLE, request.number, sessions["Sam"])
        await here.floor.give(here.floor.office, noted)
        part = asks(devices["Sam"], challenge_of("asks", TABLE, request.number, content, "Sam"))
        if part is not None:
            signing = o.SignAsking("Sam", now(), TABLE, request.number, part, sessions["Sam"])
            await here.floor.give(here.floor.office, signing)
        mine = approves(devices["Max"], challenge_of("approves", TABLE, request.number, content, "Max"))
        await here.deal(TABLE, m.Approve("Max", now(), request.number, request.digest, mine))
        rows.append(live.recorder.place.seq)

    run(tmp_path, play)
    found_ = [(lie.stream, lie.seq, str(lie.what)) for lie in lies(premises)]
    assert [one[:2] for one in found_] == ([(TABLE, rows[0])] if what else [])
    assert not what or re.match(what, found_[0][2])


def test_a_confirmed_person_adds_a_passkey_and_removes_it(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await found(here.floor)
        device = Device()
        async with here.client() as lent, here.as_("Max") as max_, here.as_("admin") as admin:
            key = await here.sessions.link(PersonId("Sam"), "machine/test")
            await lent.post(f"/enter/{key}")
            assert (await add(here, lent, device)).json()["reason"] == "unconfirmed"
            forged = {"credential": "x", "key": "", "person": "Sam"}
            assert (await here.send(admin, "/api/office/commands", "AddPasskey", **forged)).status_code == 422
            for bad in (b"", b"no key", Device().key[:-1], b"x" * 3_000):
                with pytest.raises(Refused):
                    check_key(bad)
            assert (await add(here, max_, device)).status_code == 200
            assert (await add(here, admin, device)).json()["reason"] == "passkey", "one device, one person"
            assert (await max_.get("/api/session")).json()["passkeys"] == [device.credential]
            for _ in range(9):
                assert (await add(here, max_, Device())).status_code == 200
            assert "at most 10 passkeys" in (await add(here, max_, Device())).json()["message"]
            drop = {"person": "Max", "credential": device.credential}
            assert (await here.send(lent, "/api/office/commands", "DropPasskey", **drop)).status_code == 403
            assert (await here.send(max_, "/api/office/commands", "DropPasskey", **drop)).status_code == 200
            assert (await here.send(max_, "/api/office/commands", "DropPasskey", **drop)).json()["reason"] == "passkey"
            assert device.credential not in (await max_.get("/api/session")).json()["passkeys"]

    run(tmp_path, play)
    check(Premises(tmp_path / "floor"))
