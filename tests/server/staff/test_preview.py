"""A preview shows what an act would do, decided by the engine itself; nothing happens."""

from __future__ import annotations

from pathlib import Path

import httpx

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from croupier.table.snapshot import AT_HAND
from tests.server.staff_floor import StaffFloor, run

TABLE = "taisai-nz"
SEAT = SeatId("A1")


async def rehearse(client: httpx.AsyncClient, **command: object) -> httpx.Response:
    return await client.post(f"/api/tables/{TABLE}/rehearsal", json={"id": "r", "command": command})


async def entered(house: StaffFloor) -> None:
    """A round whose result waits for confirmation."""
    opened = [] if house.floor.tables[TABLE].table.open else [m.OpenTable("Sam", 0)]
    bet = m.PlaceBet("A1", 0, BetId("b1"), RoundNumber(1), SEAT, "small", Cents(1000))
    lost = m.PlaceBet("A1", 0, BetId("b2"), RoundNumber(1), SEAT, "big", Cents(500))
    await house.deal(TABLE, *opened, m.StartMotion("Dana", 0), m.EndMotion("Dana", 0, 3), m.OpenBetting("Dana", 0))
    await house.deal(TABLE, bet, lost, m.CallNoMoreBets("Dana", 0), m.Uncover("Dana", 0))
    await house.deal(TABLE, *(m.PressKey("Dana", 0, face) for face in "123"), m.PressEntry("Dana", 0))


def test_a_result_is_rehearsed_to_the_cent_and_nothing_is_written(tmp_path: Path) -> None:
    async def play(house: StaffFloor) -> None:
        await entered(house)
        live = house.floor.tables[TABLE]
        before, credit = live.recorder.place, live.table.seats[SEAT].credit
        async with house.as_("Dana") as dana:
            would = (await rehearse(dana, type="ConfirmResult")).json()
            assert (would["collected"], would["winnings"], would["returned"]) == (500, 1000, 1000)
            assert [line["box"] for line in would["lines"]] == ["small", "big"]
            assert (would["outcome"], would["lit"]) == ("1-2-3", {})  # the felt is lit since the entry
            assert not would["two"]
            assert live.recorder.place == before
            assert live.table.phase == "entered"
            await house.give(dana, TABLE, "ConfirmResult")
            paid = (await rehearse(dana, type="PayWinners")).json()
            assert (paid["winnings"], paid["returned"], paid["collected"]) == (1000, 1000, 0)
            await house.give(dana, TABLE, "PayWinners")
        assert live.table.seats[SEAT].credit == credit + 2000
        async with house.as_("Sam") as sam:
            wrong = (await rehearse(sam, type="CorrectResult", round=1, outcome="4-5-6", reason="misread")).json()
            assert wrong["two"]
            assert {line["box"]: (line["before"], line["winnings"] + line["returned"]) for line in wrong["lines"]} == {
                "small": (2000, 0),
                "big": (0, 1000),
            }
        assert live.table.past[RoundNumber(1)].outcome == "1-2-3"

    run(tmp_path, play)


def test_a_preview_of_a_void_has_its_clause_and_a_refused_act_is_refused_in_its_preview(tmp_path: Path) -> None:
    async def play(house: StaffFloor) -> None:
        await entered(house)
        async with house.as_("Dana") as dana:
            void = (await rehearse(dana, type="Report", irregularity="not-flat")).json()
            assert (void["void"], void["returned"], void["told"], void["two"]) == ("7.1(a)", 1500, 1, True)
            assert void["words"] == "No spin"
            no = await rehearse(dana, type="AmendResult", outcome="1-1-1")
            assert (no.status_code, no.json()["reason"]) == (403, "permission")
            late = await rehearse(dana, type="Uncover")
            assert late.status_code == 409
        async with house.as_("Cass") as cass:
            assert (await rehearse(cass, type="ConfirmResult")).status_code == 403
        assert house.floor.tables[TABLE].table.round is not None

    run(tmp_path, play)


def test_a_correction_of_an_old_round_is_rehearsed_and_done_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async def play(house: StaffFloor) -> None:
        await entered(house)
        live = house.floor.tables[TABLE]
        await house.deal(TABLE, m.ConfirmResult("Dana", 0), m.PayWinners("Dana", 0))
        for _ in range(AT_HAND):
            await house.deal(TABLE, m.StartMotion("Dana", 0), m.EndMotion("Dana", 0, 3), m.OpenBetting("Dana", 0))
            await house.deal(TABLE, m.CallNoMoreBets("Dana", 0), m.Uncover("Dana", 0))
            await house.deal(TABLE, *(m.PressKey("Dana", 0, face) for face in "456"), m.PressEntry("Dana", 0))
            await house.deal(TABLE, m.ConfirmResult("Dana", 0), m.PayWinners("Dana", 0))
        assert RoundNumber(1) not in live.table.past
        before = live.recorder.subject.state()
        act = {"round": 1, "outcome": "4-5-6", "reason": "misread"}
        async with house.as_("Sam") as sam:
            would = (await rehearse(sam, type="CorrectResult", **act)).json()
            assert would["two"]
            assert {line["box"]: (line["before"], line["winnings"] + line["returned"]) for line in would["lines"]} == {
                "small": (2000, 0),
                "big": (0, 1000),
            }
            assert live.recorder.subject.state() == before
            done = await house.give(sam, TABLE, "CorrectResult", **act)
            assert done.json()["events"][0]["type"] == "ApprovalRequested"

    run(tmp_path, play)


def test_a_cash_out_is_rehearsed_as_it_is_done(tmp_path: Path) -> None:
    async def play(house: StaffFloor) -> None:
        await entered(house)
        async with house.as_("Cass") as cass:
            cash: dict[str, object] = {"type": "CashOut", "seat": SEAT}
            assert (await rehearse(cass, **cash, amount=500)).status_code == 403  # a console is not a cashier's
        async with house.as_("Dana") as dana:
            would = await rehearse(dana, **cash, amount=500)
            assert (would.status_code, would.json()["two"]) == (200, False)
            much = await rehearse(dana, **cash, amount=10**9)
            no = await house.give(dana, TABLE, "CashOut", seat=SEAT, amount=10**9)
            assert (much.status_code, much.json()["reason"]) == (no.status_code, no.json()["reason"]) == (409, "credit")
            assert (await house.give(dana, TABLE, "CashOut", seat=SEAT, amount=500)).status_code == 200

    run(tmp_path, play)
