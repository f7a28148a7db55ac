"""What everyone may see through the staff's door, and what nobody may."""

from __future__ import annotations

from pathlib import Path

import msgspec

from croupier.rules.money import Cents
from croupier.server.staff.room import Lobby, Screen
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from tests.server.staffed import House, run

TABLE = "taisai-rws"


def test_the_lobby_shows_every_table_and_the_display_the_rounds_that_are_over(tmp_path: Path) -> None:
    async def play(here: House) -> None:
        now = here.floor.clock.now
        async with here.client() as client:
            lobby = msgspec.json.decode((await client.get("/api/floor")).content, type=Lobby)
            assert [table.name for table in lobby.tables] == list(here.floor.tables)
            closed = next(table for table in lobby.tables if table.name == TABLE)
            assert (closed.state, closed.kind, closed.device, closed.seats, closed.taken) == (
                "closed",
                "live",
                "dice",
                8,
                8,
            )
            await here.deal(
                TABLE,
                m.OpenTable("Max", now()),
                m.OpenBetting("Dana", now()),
                m.PlaceBet("A1", now(), BetId("A1.b1"), RoundNumber(1), SeatId("A1"), "small", Cents(500)),
                m.CallNoMoreBets("Dana", now()),
                m.StartMotion("Dana", now()),
                m.EndMotion("Dana", now(), 3),
                *(m.PressKey("Dana", now(), face) for face in "431"),
                m.PressEntry("Dana", now()),
            )
            before = await client.get(f"/api/tables/{TABLE}")
            assert b"1-3-4" not in before.content  # it is entered, but not confirmed
            assert b"A1" not in before.content
            await here.deal(TABLE, m.ConfirmResult("Dana", now()), m.PayWinners("Dana", now()))
            screen = msgspec.json.decode((await client.get(f"/api/tables/{TABLE}")).content, type=Screen)
            assert (screen.view.state, screen.view.room.result) == ("open", "1-3-4")
            (shown,) = screen.view.shown
            assert (shown.numbers, shown.total, shown.roads) == (("1", "3", "4"), 8, ("small",))
            assert {one.number: one.count for one in screen.view.frequencies}["3"] == 1

    run(tmp_path, play)


def test_what_is_not_there_is_told_as_json_with_headers_that_keep_pages_to_themselves(tmp_path: Path) -> None:
    async def play(here: House) -> None:
        async with here.client() as client:
            lost = await client.get("/api/tables/nowhere")
            assert (lost.status_code, lost.json()["reason"]) == (404, "missing")
            assert "sicbo-rws" in lost.json()["message"]
            for path, method, status in (("/api/nothing", "GET", 404), ("/api/floor", "PATCH", 405)):
                said = await client.request(method, path)
                assert (said.status_code, said.json()["reason"]) == (status, "missing")
                assert said.headers["cache-control"] == "no-store"
                assert said.headers["x-content-type-options"] == "nosniff"
                assert said.headers["referrer-policy"] == "no-referrer"
                policy = said.headers["content-security-policy"]
                assert policy.startswith("default-src 'none'; script-src 'self'")
                assert "frame-ancestors 'none'" in policy

    run(tmp_path, play)
