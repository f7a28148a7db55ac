"""A demonstration seats its visitors and lets them be anybody; a real floor knows nothing of it."""

from __future__ import annotations

from pathlib import Path

from croupier.server.staff.context import StaffSettings
from croupier.table.messages import SeatId
from tests.server.staff_floor import ORIGIN, StaffFloor, run

TABLE = "sicbo-rws"


def test_a_visitor_gets_a_seat_with_credit_and_a_token_for_it(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            taken = await client.post("/api/demo/seat", json={"table": TABLE, "layout": "B"})
            given = taken.json()
            assert (given["table"], given["seat"], given["layout"]) == (TABLE, "A1", "B")
            assert here.sessions.seat_of(given["token"]) == (TABLE, "A1")
            assert here.floor.tables[TABLE].table.seats[SeatId("A1")].credit >= 1_000_00
            assert (await client.post("/api/demo/seat", json={"table": "none"})).status_code == 404
            wrong = await client.post("/api/demo/seat", json={"table": TABLE, "layout": "Z"})
            assert (wrong.status_code, wrong.json()["reason"]) == (409, "layout")

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), demo=True))


def test_a_visitor_can_be_anybody_for_a_while(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            people = (await client.get("/api/demo/people")).json()["people"]
            assert {"dealer", "cashier", "shift-manager"} <= {role for one in people for role in one["roles"]}
            assert (await client.get("/api/demo/people")).json()["people"] == people  # unused links stay
            dealer = next(one for one in people if one["roles"] == ["dealer"])
            entered = await client.post(dealer["link"])
            assert entered.json()["screens"][0] == "console"
            assert (await client.get("/api/session")).json()["person"] == dealer["person"]
            assert (await client.get("/api/demo/people")).json()["people"] != people

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), demo=True))


def test_a_real_floor_has_nothing_of_it(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            assert (await client.post("/api/demo/seat", json={"table": TABLE})).status_code == 404
            assert (await client.get("/api/demo/people")).status_code == 404
            assert (await client.get("/api/floor")).json()["demo"] is False

    run(tmp_path, play)
