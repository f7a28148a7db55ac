"""The audit: rounds found by anything, replayed step by step, explained, verified, exported; the journal; the trace."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import zipfile
from pathlib import Path
from typing import Any

import apsw
import httpx
import msgspec

from croupier.rules.statement import Statement
from croupier.server.staff.context import StaffSettings
from croupier.store.checkpoint import trusted_key
from croupier.store.pack import check_pack
from croupier.table import messages as m
from croupier.words import statement
from tests.server.staff.test_pit import TABLE, approve, round_of
from tests.server.staff_floor import ORIGIN, StaffFloor, run

ROUNDS = f"/api/tables/{TABLE}/rounds"


async def evening(here: StaffFloor) -> None:
    """Three rounds: settled and then corrected by two people, void, settled."""
    now = here.floor.clock.now
    await round_of(here)
    await round_of(here, until="StartMotion")
    await here.deal(TABLE, m.EndMotion("Dana", now(), 1))
    await round_of(here, "666")
    async with here.as_("Max") as first, here.as_("Pat") as second:
        asked = await here.give(first, TABLE, "CorrectResult", round=1, outcome="5-5-6", reason="misread")
        await approve(here, second, asked)


async def found(client: httpx.AsyncClient, **asked: Any) -> list[int]:
    said = await client.get("/api/history", params=asked)
    assert said.status_code == 200, said.text
    return [line["round"] for line in said.json()["rounds"]]


def test_rounds_are_found_by_anything_that_is_known_of_them(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        begin = here.floor.clock.now()
        await evening(here)
        async with here.as_("Max") as max_:
            assert await found(max_) == [3, 2, 1]
            assert await found(max_, limit=1) == [3]
            assert await found(max_, table="sicbo-rws") == []
            assert await found(max_, seat="A1") == [3, 2, 1]
            assert await found(max_, seat="A7") == []
            assert await found(max_, bet="A2.3") == [3]
            assert await found(max_, box="small") == [3, 2, 1]
            assert await found(max_, box="total:9") == []
            assert await found(max_, outcome="5-5-6") == [1]
            assert await found(max_, void="true") == [2]
            assert await found(max_, corrected="true") == [1]
            void = here.floor.tables[TABLE].table.past[m.RoundNumber(2)].void_clause
            assert await found(max_, clause=str(void)) == [2]
            assert await found(max_, clause="3.6") == [3, 2, 1]  # No more Bets, in every round
            assert await found(max_, begin=begin) == [3, 2, 1]
            assert await found(max_, end=begin) == []
            wrong = await max_.get("/api/history", params={"void": "perhaps", "limit": 10_000, "colour": "red"})
            assert (wrong.status_code, len(wrong.json()["faults"])) == (422, 3)

    run(tmp_path, play)


def test_a_round_is_replayed_step_by_step_so_that_its_felt_can_be_drawn(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await evening(here)
        async with here.as_("Max") as max_:
            told = (await max_.get(f"{ROUNDS}/1")).json()
            assert (told["outcome"], told["words"], told["void_clause"]) == ("5-5-6", "double 5, 6, total 16", None)
            felt: dict[str, int] = {}
            phases = []
            for step in told["steps"]:
                phases.append(step["phase"])
                for chip in step["chips"]:
                    felt[f"{chip['seat']} {chip['box']}"] = chip["amount"]
                if step["act"] == "CallNoMoreBets":
                    assert felt == {"A1 small": 1_000, "A2 big": 500}
                    assert step["says"] == "No more Bets"
                if step["act"] == "PressEntry":
                    assert "small" in step["lit"]["A"]
                    assert step["shown"] == ["1", "3", "4"]
                if step["act"] in ("PressKey", "ConfirmResult"):
                    assert step["lit"] == {}  # nothing lights up or goes dark with it
            assert felt == {"A1 small": 0, "A2 big": 0}
            assert [phase for phase, _ in itertools.groupby(phases)] == [
                *("ready", "betting", "closed", "moving", "rest", "entering", "entered", "settling", "ready")
            ]
            ann, ben = told["bets"]
            assert (ann["winnings"], ann["collected"], ann["returned"]) == (0, 1_000, 0)
            assert (ben["winnings"], ben["returned"], ben["clause"]) == (500, 500, "4.1.1")
            assert "Big wins on 5-5-6: the total is 16" in statement(msgspec.convert(ben["why"], Statement))
            (correction,) = told["corrections"][-1:]
            texts = [statement(one) for one in msgspec.convert(correction["statements"], list[Statement])]
            assert any("settled again with result 5-5-6, because misread" in text for text in texts)
            assert "table taisai-rws" in told["transcript"]
            story = (await max_.get(f"{ROUNDS}/1/bets/A2.1")).json()["sentences"]
            assert any("0.00 before, 10.00 now" in text for text in story)
            assert (await max_.get(f"{ROUNDS}/2")).json()["void_clause"] is not None
            for path in (f"{ROUNDS}/9", f"{ROUNDS}/1/bets/none", "/api/tables/nowhere/rounds/1"):
                assert (await max_.get(path)).status_code == 404
            assert (await max_.get(f"{ROUNDS}/0")).status_code == 422

    run(tmp_path, play)


def test_a_round_is_exported_as_paper_and_as_a_pack_that_anyone_can_check(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await evening(here)
        async with here.as_("Max") as max_, here.as_("Dana") as dana:
            paper = await max_.get(f"{ROUNDS}/1/report.pdf")
            assert paper.content.startswith(b"%PDF-")
            packed = await max_.get(f"{ROUNDS}/1/pack")
            assert packed.headers["content-disposition"] == 'attachment; filename="taisai-rws-round-1.zip"'
            target = tmp_path / "pack.zip"
            target.write_bytes(packed.content)
            assert "rows.jsonl" in zipfile.ZipFile(io.BytesIO(packed.content)).namelist()
            checked = check_pack(target, trusted_key(here.floor.premises.public_key))
            assert (checked.table, checked.round, checked.lies) == (TABLE, 1, [])
            marks = here.floor.premises.checkpoints.read_text().count("\n")
            await max_.get(f"{ROUNDS}/3/pack")
            assert here.floor.premises.checkpoints.read_text().count("\n") == marks  # one that knows it is there
            assert (await dana.get(f"{ROUNDS}/1/pack")).status_code == 403

    run(tmp_path, play)


async def verified(client: httpx.AsyncClient) -> dict[str, Any]:
    """Verify, and wait for what comes of it."""
    begun = (await client.post("/api/verify", json={})).json()
    assert begun["state"] == "running"
    async with asyncio.timeout(120):
        while (said := (await client.get("/api/verify")).json())["state"] == "running":
            await asyncio.sleep(0.05)
    return dict(said)


def test_the_whole_journal_is_verified_with_one_click_while_the_floor_plays_on(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await evening(here)
        async with here.as_("Max") as max_:
            assert (await max_.get("/api/verify")).json()["state"] == "never"
            begun = (await max_.post("/api/verify", json={})).json()
            again = (await max_.post("/api/verify", json={})).json()
            assert again["began"] == begun["began"]  # one at a time
            await round_of(here)  # meanwhile the table goes on
            async with asyncio.timeout(120):
                while (said := (await max_.get("/api/verify")).json())["state"] == "running":
                    await asyncio.sleep(0.05)
            assert (said["state"], said["lies"], said["by"]) == ("true", [], "Max"), said
            assert said["tables"] == 5
            assert said["rows"] > 100

    run(tmp_path, play)


def test_a_lie_is_found_and_raises_an_alert(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await evening(here)
        database = apsw.Connection(here.floor.premises.address)
        database.execute("UPDATE journal SET at = at + 1 WHERE stream = 'taisai-nz' AND seq = 3")
        assert database.changes()
        database.close()
        async with here.as_("Max") as max_:
            said = await verified(max_)
            assert said["state"] == "lies"
            assert said["lies"][0].startswith("taisai-nz, row ")
            findings = [statement(msgspec.convert(one, Statement)) for one in said["findings"]]
            assert findings == [*said["lies"], *said["notes"]]
            assert said["findings"][0]["facts"] == {"stream": "taisai-nz", "row": 3}
            async with asyncio.timeout(120):
                while not (alerts := (await max_.get("/api/pit")).json()["snapshot"]["alerts"]):
                    await asyncio.sleep(0.05)
            assert alerts[0]["kind"] == "journal"

    run(tmp_path, play)


def test_the_journal_shows_every_row_and_hides_the_numbers_of_tickets(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await evening(here)
        async with here.as_("Max") as max_, here.as_("Dana") as dana:
            await here.give(dana, TABLE, "OpenTable")  # refused: it has a row too
            out = await here.give(dana, TABLE, "CashOut", seat="A3", amount=500)
            number = out.json()["events"][0]["ticket"]
            page = (await max_.get("/api/journal", params={"stream": TABLE, "limit": 3})).json()
            assert page["head"] == page["rows"][0]["seq"] == here.floor.tables[TABLE].recorder.place.seq
            out_row, refused, _ = page["rows"]
            assert (out_row["kind"], out_row["by"]) == ("CashOut", "Dana")
            assert out_row["money"][0]["reason"] == "ticket out"
            assert number not in json.dumps(page)
            assert number[-4:] in out_row["told"]["facts"]["ticket"]
            told = {"id": "did-OpenTable", "facts": {"by": "Dana", "unchecked": []}}
            assert (refused["refused"]["reason"], refused["told"]) == ("permission", told)
            older = (await max_.get("/api/journal", params={"stream": TABLE, "before": 3})).json()
            assert [row["seq"] for row in older["rows"]] == [2, 1]
            assert older["rows"][-1]["kind"] == "TableMade"
            assert (await max_.get("/api/journal", params={"stream": "office"})).status_code == 404
            assert (await dana.get("/api/journal", params={"stream": TABLE})).status_code == 403

    run(tmp_path, play)


def test_an_auditor_of_the_floor_reads_everything_and_does_nothing(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await evening(here)
        async with here.as_("admin") as admin:
            made = await here.send(admin, "/api/office/commands", "MakeAccount", person="Ada", roles=["auditor"])
            assert made.status_code == 200, made.text
        async with here.as_("Ada") as ada:
            assert await found(ada) == [3, 2, 1]
            for stream in (*here.floor.tables, "cage", "office"):
                assert (await ada.get("/api/journal", params={"stream": stream})).status_code == 200, stream
            assert (await ada.get("/api/pit")).status_code == 403
            assert (await ada.get(f"/api/tables/{TABLE}/console")).status_code == 403
            assert (await here.give(ada, TABLE, "OpenBetting")).status_code == 403
            done = (await ada.get("/api/approvals")).json()["requests"]
            assert [(one["act"], one["asked_by"], one["state"], one["by"]) for one in done] == [
                ("CorrectResult", "Max", "approved", "Pat")
            ]
            assert done[0]["told"]["facts"] == {"by": "Max", "round": 1, "outcome": "5-5-6", "reason": "misread"}

    run(tmp_path, play)


def test_every_clause_is_traced_to_its_tests(tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.json"
    evidence.write_text(
        json.dumps(
            {
                "evidence": [
                    {"rulebook": "rws-taisai-v5", "clause": "3.6", "test": "t", "result": "passed", "hash": "old"}
                ]
            }
        )
    )

    async def play(here: StaffFloor) -> None:
        async with here.as_("Max") as max_:
            books = (await max_.get("/api/trace")).json()["books"]
            assert sum(len(book["clauses"]) for book in books) == 308
            (one,) = (await max_.get("/api/trace", params={"book": "rws-taisai-v5"})).json()["books"]
            clause = next(clause for clause in one["clauses"] if clause["clause"] == "3.6")
            assert (clause["evidence"], clause["result"]) == (["t"], "stale")
            assert (await max_.get("/api/trace", params={"book": "none"})).status_code == 404

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), evidence=evidence))
