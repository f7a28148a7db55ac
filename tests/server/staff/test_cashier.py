"""The cashier: a ticket sold, found, printed, redeemed at a table, voided by two people; and what the House owes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.cage import messages as c
from croupier.rules.money import Cents
from croupier.server.staff.context import StaffSettings
from croupier.table.messages import SeatId
from tests.server.staff_floor import ORIGIN, StaffFloor, run

CAGE = "/api/cage/commands"
TABLE = "sicbo-rws"


def test_a_ticket_goes_its_way_and_counts_once(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Cass") as cass, here.as_("Dana") as dana:
            sell = {"id": "s1", "command": {"type": "SellTicket", "amount": 5_000}}
            sold = await cass.post(CAGE, json=sell)
            number = sold.json()["events"][0]["ticket"]
            again = await cass.post(CAGE, json=sell)
            assert again.json()["events"][0]["ticket"] == number
            listed = (await cass.get("/api/tickets", params={"state": "live"})).json()
            assert (listed["found"], listed["liability"]) == (1, 5_000)
            assert listed["tickets"][0]["number"] == f"{'*' * 14}{number[-4:]}"
            dashed = "-".join((number[:2], *(number[at : at + 4] for at in range(2, 18, 4))))
            alone = (await cass.get(f"/api/tickets/{dashed}")).json()
            assert (alone["ticket"]["number"], alone["ticket"]["state"]) == (number, "live")
            assert (await dana.get(f"/api/tickets/{number}")).status_code == 403
            pdf = await cass.get(f"/api/tickets/{number}.pdf")
            assert (pdf.headers["content-type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")
            before = here.floor.tables[TABLE].table.seats[SeatId("A1")].credit
            redeemed = await here.give(dana, TABLE, "RedeemTicket", seat="A1", ticket=number)
            assert redeemed.status_code == 200, redeemed.text
            assert here.floor.tables[TABLE].table.seats[SeatId("A1")].credit == before + 5_000
            anew = await here.give(dana, TABLE, "RedeemTicket", seat="A1", ticket=number)
            assert (anew.status_code, anew.json()["reason"]) == (409, "ticket")
            twice = await here.send(cass, CAGE, "PayTicket", ticket=number)
            assert (twice.status_code, twice.json()["reason"]) == (409, "ticket")
            assert (await cass.get(f"/api/tickets/{number}")).json()["end"][0] == TABLE
            out = await here.give(dana, TABLE, "CashOut", seat="A1", amount=7_000)
            number = out.json()["events"][0]["ticket"]
            paid = await here.send(cass, CAGE, "PayTicket", ticket=number)
            assert paid.json()["events"][0]["amount"] == 7_000
            assert (await cass.get("/api/tickets")).json()["liability"] == 0

    run(tmp_path, play)


@pytest.mark.parametrize("printer", [False, True])
def test_a_live_ticket_is_put_on_paper_once_for_each_row_that_asks_for_it(tmp_path: Path, printer: bool) -> None:
    """Its sale gives the first paper, unless the cage's printer did; every other is a reprint, marked and in a row."""

    async def play(here: StaffFloor) -> None:
        async with here.as_("Cass") as cass, here.as_("Dana") as dana:
            sell = {"id": "s1", "command": {"type": "SellTicket", "amount": 5_000}}
            number = (await cass.post(CAGE, json=sell)).json()["events"][0]["ticket"]

            async def waits() -> str:
                return str((await cass.get(f"/api/tickets/{number}")).json()["paper"])

            async def paper() -> bytes | None:
                got = await cass.get(f"/api/tickets/{number}.escpos")
                assert got.status_code == 200 or (got.status_code, got.json()["reason"]) == (409, "paper")
                return got.content if got.status_code == 200 else None

            async def rows() -> int:
                return here.floor.cage.place.seq

            assert await waits() == ("" if printer else "first")
            first = await paper()
            assert first is None if printer else first is not None and b"DUPLICATE" not in first
            before = await rows()
            assert (await cass.post(CAGE, json=sell)).json()["again"], "what is sent again puts nothing on paper again"
            assert [await paper(), await waits()] == [None, ""]
            assert (await cass.get(f"/api/tickets/{number}.pdf")).status_code == 409
            why = await here.send(cass, CAGE, "ReprintTicket", ticket=number, reason=" ")
            assert (why.status_code, why.json()["reason"]) == (409, "reason")
            done = await here.send(cass, CAGE, "ReprintTicket", ticket=number, reason="it came out blank")
            assert done.json()["events"][0]["type"] == "TicketReprinted"
            assert await rows() == before + 2, "the refusal and the reprint are both on record"
            assert await waits() == "duplicate"
            again = await paper()
            assert again is not None
            assert b"DUPLICATE" in again
            assert await paper() is None
            await here.send(cass, CAGE, "ReprintTicket", ticket=number, reason="lost in the post")
            picture = await cass.get(f"/api/tickets/{number}.png")
            assert picture.content.startswith(b"\x89PNG")
            out = await here.give(dana, TABLE, "CashOut", seat="A1", amount=7_000)
            number = out.json()["events"][0]["ticket"]
            assert [await waits(), await paper()] == ["", None], "the table gave it its paper"
            assert (await here.send(cass, CAGE, "PayTicket", ticket=number)).status_code == 200
            ended = [await paper(), await paper()]
            assert ended[0] == ended[1]
            assert ended[0] is not None
            assert b"PAID" in ended[0]

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), cage_printer=printer))


@pytest.mark.parametrize("replace", [False, True])
def test_a_ticket_is_voided_or_replaced_by_two_people(tmp_path: Path, replace: bool) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Cass") as cass, here.as_("Sam") as sam:
            number = (await here.send(cass, CAGE, "SellTicket", amount=5_000)).json()["events"][0]["ticket"]
            asked = await here.send(cass, CAGE, "VoidTicket", ticket=number, reason="torn", replace=replace)
            assert asked.json()["events"][0]["type"] == "ApprovalRequested"
            async with here.watch("/api/cage", await here.token("Sam")) as screen:
                view = await screen.until(lambda view: view["requests"])
                waiting = view["requests"][0]["request"]
                assert number not in str(view)
                assert not re.search(r"\d{18}", str(view)), "nor may the number of its replacement be read"
                assert waiting["may"]
                assert waiting["told"]["id"] == "did-VoidTicket"
                assert waiting["told"]["facts"]["ticket"] == f"{'*' * 14}{number[-4:]}"
                agreed = {"request": waiting["number"], "digest": waiting["digest"]}
                same = await here.send(cass, CAGE, "ApproveRequest", **agreed)
                assert same.status_code == 403
                done = await here.send(sam, CAGE, "ApproveRequest", **agreed)
                assert [event["type"] for event in done.json()["events"]] == ["ApprovalGiven", "TicketVoided"]
                await screen.until(lambda view: not view["requests"])
            new = done.json()["events"][1]["replacement"]
            assert bool(new) == replace
            found = (await cass.get(f"/api/tickets/{number}")).json()
            assert (found["replacement"], found["paper"]) == (new, "first" if replace else "ended")
            assert (await cass.get("/api/tickets")).json()["liability"] == (5_000 if replace else 0)

    run(tmp_path, play)


def test_an_expired_ticket_is_paid_after_all_by_two_people(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Cass") as cass, here.as_("Sam") as sam:
            number = (await here.send(cass, CAGE, "SellTicket", amount=5_000)).json()["events"][0]["ticket"]
            later = here.floor.clock.now() + 31 * 24 * 60 * 60 * 1000
            expired = c.ExpireTicket("system", later, number, Cents(0), 0, "unknown")
            assert (await here.floor.give(here.floor.cage, expired)) is not None
            asked = await here.send(cass, CAGE, "PayUnclaimed", ticket=number, reason="came back from a journey")
            event = asked.json()["events"][0]
            agreed = {"request": event["request"], "digest": event["digest"]}
            done = await here.send(sam, CAGE, "ApproveRequest", **agreed)
            assert [event["type"] for event in done.json()["events"]] == ["ApprovalGiven", "UnclaimedPaid"]

    run(tmp_path, play)


def test_numbers_that_no_ticket_has_are_not_found(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Cass") as cass, here.client() as nobody:
            for number in ("123456789012345611", "12", "x", "123456789012345612"):
                for path in (f"/api/tickets/{number}", f"/api/tickets/{number}.pdf", f"/api/tickets/{number}.png"):
                    assert (await cass.get(path)).status_code == 404, path
            assert (await nobody.get("/api/tickets")).status_code == 401
            assert (await cass.get("/api/tickets", params={"state": "lost", "limit": "0"})).status_code == 422

    run(tmp_path, play)
