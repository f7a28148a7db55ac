"""The routes of the lab: bounded work in other processes, for people who have signed in."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.rules.refusal import Refused
from croupier.server.staff import lab
from croupier.server.staff.lab import Laboratory
from croupier.server.staff.lab_questions import LabBet, SimulationAsked
from croupier.table.messages import PersonId
from tests.server.staff_floor import StaffFloor, run
from tests.server.terminal_floor import PATIENT

LAYOUT = "rws-sicbo-etg-v2/A"
SMALL = [{"box": "small", "stake": 1000}]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker loads its modules before its first answer, which takes long on a loaded machine."""
    monkeypatch.setattr(lab, "ANSWER_SECONDS", PATIENT)


async def ask(client: httpx.AsyncClient, what: str, **body: Any) -> httpx.Response:
    return await client.post(f"/api/lab/{what}", json={"layout": LAYOUT, **body})


def test_the_lab_counts_sets_of_bets_and_other_odds(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Dana") as dana:
            layouts = (await dana.get("/api/lab/layouts")).json()["layouts"]
            assert len(layouts) == 11
            both = [*SMALL, {"box": "total:9", "stake": 500}]
            found = (await ask(dana, "chances", bets=both, rounds=100)).json()
            assert (found["edge"], found["staked"], len(found["cells"])) == ("7/162", 1500, 4)
            assert found["method"] == "exact"
            assert found["many_ahead"] == pytest.approx(0.337941, abs=1e-6)
            assert sum(bar["share"] for bar in found["bars"]) == pytest.approx(1, abs=1e-3)
            other = (await ask(dana, "chances", bets=both[1:], pays={"total:9": "8 to 1"})).json()
            assert Fraction(other["edge"]) == Fraction(-1, 24)
            rows = (await ask(dana, "edges", pays={"total:9": "8 to 1"})).json()["rows"]
            [changed] = [row for row in rows if not row["same"]]
            assert (changed["box"], changed["here"]["edge"], changed["there"]["edge"]) == ("total:9", "-1/24", "2/27")
            rows = (await ask(dana, "edges", against="rws-taisai-v5/A")).json()["rows"]
            assert {row["box"] for row in rows if row["there"] is None} >= {"odd", "even"}

    run(tmp_path, play)


def test_questions_that_the_lab_cannot_answer_are_refused_with_a_reason(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as nobody:
            assert (await ask(nobody, "chances", bets=SMALL)).status_code == 401
        async with here.as_("Dana") as dana:
            for body, status, says in (
                ({"bets": [{"box": "smal", "stake": 1000}]}, 409, "did you mean small"),
                ({"bets": [{"box": "total:8", "stake": 1}]}, 409, "0.02"),
                ({"bets": []}, 422, "1 to 60 items"),
                ({"bets": SMALL, "rounds": 10**9}, 422, "rounds"),
                ({"bets": SMALL, "pays": {"small": "much"}}, 409, "small"),
                ({"bets": SMALL, "layout": "/etc/passwd.toml/A"}, 409, "approved books"),
                ({"bets": SMALL, "layout": "no/A"}, 409, "no rulebook"),
            ):
                said = await ask(dana, "chances", **body)
                assert (said.status_code, says in said.text) == (status, True), said.text
            said = await ask(dana, "edges", against="x.toml/A")
            assert (said.status_code, "approved books" in said.text) == (409, True)

    run(tmp_path, play)


async def until(client: httpx.AsyncClient, *states: str) -> dict[str, Any]:
    async with asyncio.timeout(120):
        while True:
            seen: dict[str, Any] = (await client.get("/api/lab/simulation")).json()
            if seen["state"] in states:
                return seen
            await asyncio.sleep(0.05)


def test_a_simulation_runs_in_another_process_and_can_be_stopped(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("Dana") as dana:
            assert (await dana.get("/api/lab/simulation")).json()["state"] == "never"
            begun = await ask(dana, "simulation", bets=SMALL, rounds=1_000_000, seed=1)
            assert begun.json()["state"] == "running", begun.text
            assert (await dana.get("/health")).status_code == 200
            done = await until(dana, "done")
            assert done["result"]["rounds"] == done["done"] == 1_000_000
            assert abs(done["result"]["edge"]["z"]) < 4
            assert done["result"]["edge"]["exact"] == pytest.approx(1 / 36)
            await ask(dana, "simulation", bets=SMALL, rounds=1_000_000_000)
            assert (await dana.delete("/api/lab/simulation")).json()["state"] in ("stopped", "done")
            await ask(dana, "simulation", bets=[{"box": "nothing", "stake": 1}], rounds=10)
            assert "no box" in (await until(dana, "failed"))["why"]

    run(tmp_path, play)


def test_only_one_simulation_runs_at_a_time() -> None:
    async def play() -> None:
        lab, asked = Laboratory(), SimulationAsked(LAYOUT, (LabBet("small", 1000),))
        lab.begin(PersonId("Dana"), asked)
        with pytest.raises(Refused, match="simulating another person=Dana"):
            lab.begin(PersonId("Sam"), asked)
        await lab.close()
        assert lab.last.state == "stopped"

    asyncio.run(play())
