"""Accounts and terminals, kept while the floor is open: secrets are shown once, and only to their keeper."""

from __future__ import annotations

from pathlib import Path

from croupier.store.journal import read_rows
from croupier.table.messages import PersonId, SeatId
from tests.server.staff_floor import StaffFloor, run

TABLE = "sicbo-rws"


def test_an_administrator_gives_links_and_passwords_and_enrols_terminals(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("admin") as admin, here.client() as visitor:
            made = await here.send(admin, "/api/office/commands", "MakeAccount", person="Nia", roles=["auditor"])
            assert made.status_code == 200
            link = await admin.post("/api/office/links", json={"person": "Nia"})
            assert (await visitor.post(link.json()["path"])).json()["screens"][0] == "audit"
            first = await visitor.post("/api/session/password", json={"new": "correct horse"})
            assert (first.status_code, first.json()["person"]) == (200, None)  # her sessions have ended
            signed = await visitor.post("/api/session", json={"person": "Nia", "password": "correct horse"})
            assert signed.json()["person"] == "Nia"
            wrong = await visitor.post("/api/session/password", json={"old": "wrong", "new": "battery staple"})
            assert (wrong.status_code, wrong.json()["reason"]) == (401, "login")
            short = await visitor.post("/api/session/password", json={"old": "correct horse", "new": "x"})
            assert (short.status_code, short.json()["reason"]) == (409, "password")
            given = await admin.post("/api/office/passwords", json={"person": "Nia", "password": "battery staple"})
            nia = next(kept for kept in given.json()["accounts"] if kept["person"] == "Nia")
            assert (nia["has_password"], nia["sessions"], nia["confirmed"]) == (True, 0, False)
            token = (await admin.post("/api/office/terminals", json={"table": TABLE, "seat": "A1"})).json()["token"]
            assert here.sessions.seat_of(token) == (TABLE, SeatId("A1"))
            nowhere = await admin.post("/api/office/terminals", json={"table": TABLE, "seat": "Z9"})
            assert (nowhere.status_code, nowhere.json()["reason"]) == (409, "seat")
            there = (await admin.get("/api/office")).json()["terminals"]
            assert {"table": TABLE, "seat": "A1", "connected": False} in there
        written = b"".join(row.body for row in read_rows(here.floor.store, "office"))
        for secret in (token, link.json()["path"].rpartition("/")[2], "correct horse", "battery staple"):
            assert secret.encode() not in written

    run(tmp_path, play)


def test_the_office_is_for_administrators(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        asks = {
            "links": {"person": "Max"},
            "passwords": {"person": "Max", "password": "battery staple"},
            "terminals": {"table": TABLE, "seat": "A1"},
        }
        async with here.as_("Max") as max_, here.client() as nobody:
            assert (await max_.get("/api/office")).status_code == 403
            for path, body in asks.items():
                assert (await max_.post(f"/api/office/{path}", json=body)).status_code == 403
                assert (await nobody.post(f"/api/office/{path}", json=body)).status_code == 401
        assert here.floor.accounts.accounts[PersonId("Max")].maker == "Max"

    run(tmp_path, play)
