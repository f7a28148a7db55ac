"""Taking up another book through the door: the differences, two people, and what the screens show afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.rules.library import book_of
from croupier.rules.money import Cents
from croupier.server.player.notices import notices_of
from croupier.table import messages as m
from tests.server.staff_floor import StaffFloor, run
from tests.support.next_book import BOOK, TABLE, next_version


def test_two_people_see_the_differences_and_every_screen_follows(tmp_path: Path) -> None:
    text = next_version()
    folder = tmp_path / "rulebooks"
    folder.mkdir()
    (folder / f"{BOOK}.3.toml").write_text(text)
    (folder / "broken.toml").write_text("no book")
    new = book_of(text)

    async def play(here: StaffFloor) -> None:
        here.floor.bookshelf.folder = folder
        live = here.floor.tables[TABLE]
        old = live.table.book
        assert "C" in live.table.displayed
        async with here.as_("Sam") as sam, here.as_("Max") as max_:
            found: dict[str, Any] = (await sam.get(f"/api/tables/{TABLE}/books")).json()
            [offered] = [one for one in found["offered"] if one["book"]["hash"] == new.hash]
            assert (offered["correction"], offered["come"], offered["misfits"]) == (False, True, [])
            assert set(offered["gone"]) == {"C"}
            assert any("broken.toml" in fault for fault in found["unreadable"])
            [odds] = [one for one in offered["differences"] if one["box"] == "any-triple" and one["layout"] == "A"]
            assert (odds["pays_before"], odds["pays_after"]) == ("32 to 1", "31 to 1")
            assert odds["edge_before"] < odds["edge_after"]

            taking = {"id": BOOK, "book": new.hash, "old": old.hash}
            asked = await here.give(sam, TABLE, "TakeUpBook", **taking)
            assert asked.status_code == 200, asked.text
            [request] = asked.json()["events"]
            assert live.table.book is old
            alone = await here.give(sam, TABLE, "Approve", request=request["request"], digest=request["digest"])
            assert alone.status_code in (403, 409)
            agreed = await here.give(max_, TABLE, "Approve", request=request["request"], digest=request["digest"])
            assert agreed.status_code == 200, agreed.text
            assert live.table.book.hash == new.hash

            display = (await sam.get(f"/api/tables/{TABLE}")).json()["snapshot"]
            assert display["room"]["law"] == new.hash
            assert [one["id"] for one in display["layouts"]] == ["A", "B"]
            felts = [(await sam.get(f"/api/layouts/{law.hash}/A")).json() for law in (old, new)]
            prices = [next(one for one in felt["boxes"] if one["name"] == "any-triple") for felt in felts]
            assert prices[0] != prices[1]
            gone = await sam.get(f"/api/layouts/{new.hash}/C")
            assert gone.status_code == 404
            assert (await sam.get(f"/api/layouts/{old.hash}/C")).status_code == 200
            changed = (await sam.get(f"/api/tables/{TABLE}/books")).json()
            assert changed["in_force"]["hash"] == new.hash
            assert [one["asked_by"] for one in changed["changes"]] == ["Sam"]

    run(tmp_path, play)


def test_every_player_is_told_what_they_can_no_longer_bet_on() -> None:
    taken = m.BookTakenUp(
        "Sam",
        1,
        "book",
        "new",
        "old",
        False,
        m.RoundNumber(7),
        m.PersonId("Sam"),
        m.PersonId("Max"),
        m.Limits({}, {}, Cents(1)),
        ("A",),
        (),
        {"A": ("odd",)},
        {m.SeatId("A2"): "A"},
        (m.SeatId("A1"), m.SeatId("A2")),
    )
    told = [(seat, notice.case) for seat, notice in notices_of(taken, {})]
    assert told == [("A1", "taken-up"), ("A1", "boxes-gone"), ("A2", "taken-up"), ("A2", "layout-gone")]
