"""The pit: all tables, what they take and risk, and every act that needs two people, by two sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import BetId, PersonId, RoundNumber, SeatId
from tests.server.staff_floor import StaffFloor, run

TABLE = "taisai-rws"


async def round_of(here: StaffFloor, faces: str = "431", table: str = TABLE, *, until: str = "PayWinners") -> None:
    """A round dealt by hand, with a bet of ten on small and five on big, as far as an act."""
    now, live = here.floor.clock.now, here.floor.tables[table].table
    if not live.open:
        await here.deal(table, m.OpenTable("Max", now()))
    number = RoundNumber(live.next_round)
    ids = [BetId(f"A{seat}.{number}") for seat in (1, 2)]
    commands: tuple[m.AnyCommand, ...] = (
        m.OpenBetting("Dana", now()),
        m.PlaceBet("A1", now(), ids[0], number, SeatId("A1"), "small", Cents(1_000)),
        m.PlaceBet("A2", now(), ids[1], number, SeatId("A2"), "big", Cents(500)),
        m.CallNoMoreBets("Dana", now()),
        m.StartMotion("Dana", now()),
        m.EndMotion("Dana", now(), 3),
        *(m.PressKey("Dana", now(), face) for face in faces),
        m.PressEntry("Dana", now()),
        m.ConfirmResult("Dana", now()),
        m.PayWinners("Dana", now()),
    )
    for command in commands:
        await here.deal(table, command)
        if type(command).__name__ == until:
            break


def test_the_pit_sees_state_pace_takings_exposure_and_alerts(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await round_of(here)
        await round_of(here, until="CallNoMoreBets")
        here.floor.alert("device-offline", "no-power", TABLE, device="tumbler")
        token = await here.token("Sam")
        async with here.watch("/api/pit", token) as screen, here.client(token) as sam:
            view = await screen.until(lambda view: view["alerts"] and view["tables"][-1]["takings"])
            assert [table["name"] for table in view["tables"]] == list(here.floor.tables)
            table = next(one for one in view["tables"] if one["name"] == TABLE)
            assert (table["state"], table["phase"], table["round"], table["taken"]) == ("open", "closed", 2, 8)
            assert (table["takings"]["drop"], table["takings"]["win"]) == (0, -500)  # credit was sold before it opened
            assert table["dealt"] == [{"dealer": "Dana", "rounds": 1, "voids": 0, "rate": 0.0}]
            assert (table["exposure"]["worst"], table["exposure"]["best"]) == (-500, 1_500)
            assert table["exposure"]["outcomes"][-1]["outcome"] in ("1-1-1", "6-6-6")  # a triple takes both
            assert table["alerts"] == 1
            alert = view["alerts"][0]
            assert (alert["kind"], alert["case"], alert["facts"]) == (
                "device-offline",
                "no-power",
                {"device": "tumbler"},
            )
            done = await here.send(sam, "/api/office/commands", "AcknowledgeAlert", alert=alert["number"], note="seen")
            assert done.status_code == 200
            view = await screen.until(lambda view: not view["tables"][-1]["alerts"])
            assert (view["alerts"][0]["acknowledged_by"], view["alerts"][0]["note"]) == ("Sam", "seen")
            alone = await sam.get(f"/api/tables/{TABLE}/exposure")
            assert alone.json()["exposure"] == table["exposure"]

    run(tmp_path, play)


def test_the_pit_shows_the_tables_where_one_supervises_and_no_others(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        now = here.floor.clock.now
        async with here.as_("Dana") as dana, here.as_("Sam") as sam:
            assert (await dana.get("/api/pit")).status_code == 403
            await here.deal(TABLE, m.AssignStaff("Max", now(), PersonId("Sam"), ("dealer",)))
            names = [table["name"] for table in (await sam.get("/api/pit")).json()["snapshot"]["tables"]]
            assert names == [name for name in here.floor.tables if name != TABLE]
            assert (await sam.get(f"/api/tables/{TABLE}/exposure")).status_code == 403

    run(tmp_path, play)


def test_a_shift_is_counted_from_the_journal_while_the_floor_plays(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        now = here.floor.clock.now
        begin = now()
        await round_of(here)
        await round_of(here, until="CallNoMoreBets")
        await here.deal(TABLE, m.StartMotion("Dana", now()), m.EndMotion("Dana", now(), 1))  # too short: void
        async with here.as_("Max") as max_:
            shift = (await max_.get("/api/shift", params={"begin": begin})).json()
            table = next(one for one in shift["tables"] if one["table"] == TABLE)
            assert (table["rounds"], table["voids"], table["takings"]["win"]) == (2, 1, -500)
            assert table["dealt"] == [{"dealer": "Dana", "rounds": 2, "voids": 1, "rate": 0.5}]
            whole = (await max_.get("/api/shift")).json()
            assert whole["drop"] == 5 * 8 * 10_000_00
            wrong = await max_.get("/api/shift", params={"begin": "yesterday", "until": "now"})
            assert (wrong.status_code, len(wrong.json()["faults"])) == (422, 2)

    run(tmp_path, play)


def test_rounds_played_before_a_restart_are_on_the_roads_and_in_the_takings_after_it(tmp_path: Path) -> None:
    async def before(here: StaffFloor) -> None:
        await round_of(here)
        await round_of(here, "666")

    async def after(here: StaffFloor) -> None:
        token = await here.token("Sam")
        async with here.watch(f"/api/tables/{TABLE}/display") as display, here.watch("/api/pit", token) as pit:
            shown = await display.until(lambda view: len(view["shown"]) == 2)
            assert [one["outcome"] for one in shown["shown"]] == ["1-3-4", "6-6-6"]
            await pit.until(lambda view: (view["tables"][-1]["takings"] or {"win": 0})["win"] == -500 + 1_500)

    run(tmp_path, before)
    run(tmp_path, after)


def test_the_health_of_dice_says_how_many_rounds_a_test_needs(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await round_of(here)
        async with here.as_("Sam") as sam:
            told = (await sam.get(f"/api/tables/{TABLE}/health")).json()
            assert (told["rounds"], told["alarm"], told["trail"]) == (1, False, [8])
            assert [test["test"] for test in told["tests"]] == ["outcomes", "faces", "runs", "serial correlation"]
            assert [test["why"]["case"] for test in told["tests"]] == ["few", "few", "one-sided", "alike"]

    run(tmp_path, play)


# ---- two people


async def approve(here: StaffFloor, second: httpx.AsyncClient, asked: httpx.Response) -> httpx.Response:
    """A second person agrees to what the first has asked for."""
    assert asked.status_code == 200, asked.text
    (event,) = asked.json()["events"]
    assert event["type"] == "ApprovalRequested"
    seen = (await second.get("/api/pit")).json()["snapshot"]["approvals"]
    waiting = next(one["request"] for one in seen if one["place"] == TABLE)
    assert (waiting["number"], waiting["digest"], waiting["may"]) == (event["request"], event["digest"], True)
    done = await here.give(second, TABLE, "Approve", request=waiting["number"], digest=waiting["digest"])
    assert done.status_code == 200, done.text
    return done


LIMITS = {"minimum": {"*": 1000}, "maximum": {"*": 50_000}, "unit": 100, "differential": 100_000}
TWO_PEOPLE: list[tuple[str, dict[str, Any], str, str]] = [
    # what is asked, with what, after how much of a round, and what comes of it
    ("CorrectResult", {"round": 1, "outcome": "5-5-6", "reason": "misread"}, "PayWinners", "ResultCorrected"),
    (
        "VoidRounds",
        {"rounds": [1], "irregularity": "damaged-dice", "reason": "a chipped die"},
        "PayWinners",
        "SettledRoundVoided",
    ),
    ("SetLimits", {"limits": LIMITS}, "PayWinners", "LimitsSet"),
    ("SetLayouts", {"layouts": ["C"]}, "PayWinners", "LayoutsSet"),
    ("GiveCredit", {"seat": "A3", "amount": 500, "reason": "goodwill"}, "PayWinners", "CreditGiven"),
    ("Report", {"irregularity": "not-flat", "note": "a die leans"}, "PressEntry", "RoundVoided"),
    ("Decide", {"treatment": "void", "reason": "the lights went out"}, "PressEntry", "RoundVoided"),
]


@pytest.mark.parametrize(("act", "fields", "until", "event"), TWO_PEOPLE, ids=[one[0] for one in TWO_PEOPLE])
def test_a_dangerous_act_is_done_by_two_people_in_two_sessions(
    tmp_path: Path, act: str, fields: dict[str, Any], until: str, event: str
) -> None:
    async def play(here: StaffFloor) -> None:
        await round_of(here, until=until)
        async with here.as_("Sam" if act == "Report" else "Max") as first, here.as_("Pat") as second:
            asked = await here.give(first, TABLE, act, **fields)
            alone = await here.give(first, TABLE, "Approve", request=1, digest=asked.json()["events"][0]["digest"])
            assert (alone.status_code, alone.json()["reason"]) == (409, "same-person")
            other = await here.give(second, TABLE, "Approve", request=1, digest="0" * 16)
            assert (other.status_code, other.json()["reason"]) == (409, "approval-content")
            done = await approve(here, second, asked)
            kinds = [one["type"] for one in done.json()["events"]]
            assert kinds[0] == "ApprovalGiven"
            assert event in kinds

    run(tmp_path, play)


def test_an_interrupted_round_is_attested_and_a_locked_table_unlocked_by_two_people(tmp_path: Path) -> None:
    table = "taisai-nz"

    async def play(here: StaffFloor) -> None:
        now = here.floor.clock.now
        live = here.floor.tables[table].table
        await here.deal(
            table,
            m.OpenTable("Max", now()),
            m.StartMotion("Dana", now()),
            m.EndMotion("Dana", now(), 3),
            m.OpenBetting("Dana", now()),
            m.PlaceBet("A1", now(), BetId("A1.1"), RoundNumber(1), SeatId("A1"), "small", Cents(1_000)),
            m.CallNoMoreBets("Dana", now()),
            m.Uncover("Dana", now()),
            m.Interrupt("Dana", now(), "console"),
            m.Restore("Dana", now()),
        )
        async with here.as_("Dana") as dana, here.as_("Sam") as sam, here.as_("Pat") as pat:
            view = (await dana.get(f"/api/tables/{table}/console")).json()["snapshot"]
            assert (view["next"]["act"], view["next"]["two"], view["attest"]["count"]) == ("Attest", True, 3)
            for first, second, act, fields in (
                (dana, pat, "Attest", {"shown": ["1", "3", "4"]}),
                (sam, pat, "Unlock", {"reason": "the equipment was checked"}),
            ):
                if act == "Unlock":
                    await here.deal(table, m.ConfirmResult("Dana", now()), m.PayWinners("Dana", now()))
                    assert live.locked == "7.4"
                asked = (await here.give(first, table, act, **fields)).json()["events"][0]
                agreed = {"request": asked["request"], "digest": asked["digest"]}
                done = await here.give(second, table, "Approve", **agreed)
                assert done.status_code == 200, done.text
        assert live.locked is None
        assert live.past[RoundNumber(1)].outcome == "1-3-4"

    run(tmp_path, play)


def test_a_debt_is_written_off_by_two_people(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        now = here.floor.clock.now
        await round_of(here)
        await here.deal(TABLE, m.PayOut("Cass", now(), SeatId("A1"), Cents(10_010_00)))
        async with here.as_("Max") as first, here.as_("Pat") as second:
            asked = await here.give(first, TABLE, "CorrectResult", round=1, outcome="6-6-6", reason="misread")
            await approve(here, second, asked)
            assert here.floor.tables[TABLE].table.seats[SeatId("A1")].owes == 2_000
            asked = await here.give(first, TABLE, "WriteOffDebt", seat="A1", amount=2_000, reason="gone")
            await approve(here, second, asked)
            assert here.floor.tables[TABLE].table.seats[SeatId("A1")].owes == 0

    run(tmp_path, play)
