"""Signing in, being who one is, and acting: the person comes from the session, never from the message."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.server.staff import session
from croupier.server.staff.context import StaffSettings
from croupier.store.journal import read_rows
from croupier.table.messages import PersonId
from tests.server.staff_floor import ORIGIN, StaffFloor, run

TABLE = "sicbo-rws"
DANA = PersonId("Dana")


def test_a_password_begins_a_session_that_its_owner_can_end_alone_or_with_all_others(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await here.sessions.set_password(DANA, "correct horse", "machine/test")
        async with here.client() as client, here.client() as other:
            assert (await client.get("/api/session")).json()["person"] is None
            wrong = await client.post("/api/session", json={"person": "Dana", "password": "wrong"})
            assert (wrong.status_code, wrong.json()["reason"]) == (401, "login")
            for browser in (client, other):
                right = await browser.post("/api/session", json={"person": "Dana", "password": "correct horse"})
                assert right.json()["tables"][TABLE] == ["dealer"]
                kept = right.headers["set-cookie"]
                assert all(part in kept for part in ("HttpOnly", "SameSite=Strict", "Path=/"))
                assert "Secure" not in kept  # there is no TLS here
                assert "strict-transport-security" not in right.headers
            assert (await other.get("/api/session")).json()["person"] == "Dana"
            await client.delete("/api/session")
            assert (await client.get("/api/session")).json()["person"] is None
            assert (await other.get("/api/session")).json()["person"] == "Dana"
            await other.delete("/api/sessions")
            assert (await here.give(other, TABLE, "OpenBetting")).status_code == 401

    run(tmp_path, play)


def test_under_tls_the_cookie_is_for_tls_only(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        key = await here.sessions.link(DANA, "machine/test")
        async with here.client() as client:
            entered = await client.post(f"/enter/{key}")
            assert (entered.status_code, entered.json()["screens"]) == (200, ["console", "lab"])
            browser, kept = entered.headers.get_list("set-cookie")
            assert kept.startswith("__Host-croupier=")
            assert browser.startswith("__Host-croupier-browser=")
            for one in (kept, browser):
                assert all(part in one for part in ("; Path=/", "; Secure", "; HttpOnly", "; SameSite=Strict"))
                assert "Domain" not in one
            token = kept.partition("=")[2].partition(";")[0]
            for name, person in (("__Host-croupier", "Dana"), ("croupier", None)):  # a plain one is not ours
                said = await client.get("/api/session", headers={"Cookie": f"{name}={token}"})
                assert said.json()["person"] == person
                assert said.headers["strict-transport-security"] == "max-age=31536000"
            again = await client.post(f"/enter/{key}")
            assert (again.status_code, again.json()["reason"]) == (409, "link")

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), tls=True))


def test_looking_at_a_link_spends_nothing(tmp_path: Path) -> None:
    """Whatever opens links before people do (a scanner of mail, a preview) leaves them as they are."""

    async def play(here: StaffFloor) -> None:
        key = await here.sessions.link(DANA, "machine/test")
        async with here.client() as scanner, here.client() as dana:
            for _ in range(3):
                seen = await scanner.get(f"/enter/{key}")
                assert (seen.status_code, seen.headers["content-type"]) == (200, "text/html; charset=utf-8")
                assert "set-cookie" not in seen.headers
                assert key not in seen.text
            assert (await scanner.head(f"/enter/{key}")).status_code == 200
            assert (await scanner.post(f"/enter/{key}", headers={"Origin": "https://evil.example"})).status_code == 403
            assert (await dana.post(f"/enter/{key}")).json()["person"] == "Dana"
        assert len(here.floor.accounts.sessions) == 1

    run(tmp_path, play)


def test_a_command_is_given_by_the_person_who_has_signed_in_and_counts_once(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Max") as max_, here.as_("Dana") as dana, here.client() as nobody:
            body = {"id": "o1", "command": {"type": "OpenTable"}}
            path = f"/api/tables/{TABLE}/commands"
            assert (await nobody.post(path, json=body)).status_code == 401
            denied = await dana.post(path, json=body)
            assert (denied.status_code, denied.json()["reason"]) == (403, "permission")
            done = await max_.post(path, json=body)
            assert [event["type"] for event in done.json()["events"]] == ["TableOpened"]
            assert done.json()["events"][0]["by"] == "Max"
            again = await max_.post(path, json=body)
            assert again.json() == done.json() | {"again": True}
            other = await max_.post(path, json={"id": "o1", "command": {"type": "CloseTable"}})
            assert (other.status_code, other.json()["reason"]) == (409, "resend")
            opened = await dana.post(path, json={"id": "o1", "command": {"type": "OpenBetting"}})
            assert opened.status_code == 200  # the ids of two people do not clash
            forged = await dana.post(path, json={"id": "o2", "command": {"type": "CloseTable", "by": "Max"}})
            assert forged.status_code == 422
            early = await here.give(dana, TABLE, "OpenBetting")
            assert (early.status_code, early.json()["clause"]) == (409, "3.2")
        kinds = [(row.kind, b'"refused"' in row.body) for row in read_rows(here.floor.store, TABLE)]
        assert kinds[-5:] == [
            ("OpenTable", True),
            ("OpenTable", False),
            ("CloseTable", True),
            ("OpenBetting", False),
            ("OpenBetting", True),
        ]

    run(tmp_path, play)


def test_only_our_pages_may_change_anything(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Max") as max_:
            path, body = f"/api/tables/{TABLE}/commands", {"id": "o1", "command": {"type": "OpenTable"}}
            for origin in ("https://evil.example", "null", ""):
                denied = await max_.post(path, json=body, headers={"Origin": origin})
                assert (denied.status_code, denied.json()["reason"]) == (403, "origin")
            del max_.headers["Origin"]
            assert (await max_.post(path, json=body)).status_code == 403
            assert (await max_.delete("/api/session")).status_code == 403
        assert not here.floor.tables[TABLE].table.open

    run(tmp_path, play)


def test_malformed_bodies_are_refused_with_what_is_wrong(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        path, kind = f"/api/tables/{TABLE}/commands", {"Content-Type": "application/json"}
        async with here.as_("Max") as max_:
            for body, status in (
                (b"{", 400),
                (b"\xff", 400),
                (b"[" * 5_000, 422),
                (b"null", 422),
                (b'{"id":"a","command":{"type":"Explode"}}', 422),
                (b'{"id":"a","command":{"type":"FillBank","amount":1.5}}', 422),
                (b'{"id":"a","command":{"type":"FillBank","amount":%d}}' % 10**30, 422),
                (b'{"id":"a","command":{"type":"FillBank","amount":-1}}', 422),
                (b'{"id":"","command":{"type":"OpenTable"}}', 422),
                (b'{"id":"a","id":"b","command":{"type":"OpenTable"}}', 422),
                (b'{"id":"a","command":{"type":"OpenTable","type":"CloseTable"}}', 422),
                (b"x" * 100_000, 413),
            ):
                said = await max_.post(path, content=body, headers=kind)
                assert said.status_code == status, body[:60]
                assert said.json()["message"]
            form = await max_.post(path, content=b"{}", headers={"Content-Type": "text/plain"})
            assert form.status_code == 415

    run(tmp_path, play)


def test_signing_in_is_slowed_for_an_address_that_tries_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    burst, rate = session.LOGINS
    assert rate <= 1
    monkeypatch.setattr(session, "LOGINS", (burst, 0.0))  # however long forty requests take on this machine

    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            body = {"person": "", "password": "x"}
            said = [(await client.post(f"/enter/guess{number}")).status_code for number in range(40)]
            assert said[:5] == [409] * 5
            assert 429 in said
            assert (await client.post("/api/session", json=body | {"person": "Dana"})).status_code == 429

    run(tmp_path, play)
