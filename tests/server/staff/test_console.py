"""The console through its socket: a round dealt by a person who does what the screen shows, and who may not look."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.floor.observation import FactToConfirm
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact
from croupier.table import messages as m
from croupier.table.messages import BetId, PersonId, RoundNumber, SeatId
from tests.server.staff_floor import Screen, StaffFloor, run

TABLES = ("roulette-mbs", "sicbo-mbs", "sicbo-rws", "taisai-nz", "taisai-rws")
SHOWN = {"roulette-mbs": ("17",)}


def filled(act: dict[str, Any], view: dict[str, Any], shown: tuple[str, ...]) -> dict[str, Any]:
    """What the Dealer fills in: the count as proposed, the faces as shown."""
    fields: dict[str, Any] = {}
    for need in act["needs"]:
        if need["must"]:
            match need["kind"]:
                case "count":
                    fields[need["field"]] = need["value"]
                case "faces":
                    fields[need["field"]] = shown[len(view["light"])]
                case "outcome":
                    fields[need["field"]] = shown[0]
    return fields


@pytest.mark.parametrize("table", TABLES)
def test_a_round_is_dealt_from_the_screen_alone(tmp_path: Path, table: str) -> None:
    shown = SHOWN.get(table, ("4", "3", "1"))

    async def play(here: StaffFloor) -> None:
        now, live = here.floor.clock.now, here.floor.tables[table]
        await here.deal(table, m.OpenTable("Max", now()))
        token = await here.token("Dana")
        async with here.client(token) as dana, here.watch(f"/api/tables/{table}/console", token) as screen:
            path = f"/api/tables/{table}/display"
            async with here.watch(path) as display:
                await screen.until(lambda view: view["next"])
                said = []
                while not live.table.past:
                    act = screen.view["next"]
                    assert act["may"], act
                    said.append(act["says"])
                    if act["act"] == "CallNoMoreBets":
                        box = live.table.layouts[live.table.displayed[0]].boxes[0]
                        await here.deal(table, bet(now(), 1, box))
                        await screen.until(lambda view: view["boxes"])
                        assert [one["total"] for one in screen.view["boxes"]] == [500]
                        assert {one["seat"]: one["held"] for one in screen.view["seats"]}["A1"] == 500
                    done = await here.give(dana, table, act["act"], **filled(act, screen.view, shown))
                    assert done.status_code == 200, done.text
                    await screen.until(lambda view: screen.seq >= live.recorder.place.seq)
                await display.until(lambda view: view["shown"])
                # The number of a wheel is known only once it is entered, and called with it.
                assert display.view["room"]["words"] in said or live.table.order == "wheel"
                assert "snapshot" in screen.heard[0]
                assert all("changed" in told for told in screen.heard[1:])

    run(tmp_path, play)


def bet(at: int, number: int, box: str) -> m.PlaceBet:
    return m.PlaceBet("A1", at, BetId(f"A1.{number}"), RoundNumber(1), SeatId("A1"), box, Cents(500))


def test_a_console_is_for_the_staff_of_its_table_and_for_our_pages(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        path = f"/api/tables/{TABLES[2]}/console"
        async with here.as_("Cass") as cass, here.client() as nobody:
            assert (await nobody.get(path)).status_code == 401
            assert (await cass.get(path)).status_code == 403
        for token, code in (("", 4001), ("a guess", 4001), (await here.token("Cass"), 1008)):
            async with here.watch(path, token) as screen:
                with pytest.raises(ConnectionClosed) as closed:
                    await screen.hear()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code
        token = await here.token("Dana")
        with pytest.raises(InvalidStatus) as denied:
            async with here.watch(path, token, origin="https://evil.example"):
                pass
        assert denied.value.response.status_code == 403
        async with here.watch("/api/tables/nowhere/display") as screen:
            with pytest.raises(ConnectionClosed):
                await screen.hear()

    run(tmp_path, play)


async def closed_with(screen: Screen) -> int:
    """The code with which a socket is closed."""
    try:
        while True:
            await screen.hear()
    except ConnectionClosed as closed:
        return int(closed.rcvd.code) if closed.rcvd else 0


def test_a_socket_ends_with_its_session_and_with_its_right_to_look(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        table, now = TABLES[2], here.floor.clock.now
        path = f"/api/tables/{table}/console"
        one, other = await here.token("Dana"), await here.token("Dana")
        async with here.watch(path, one) as screen, here.watch(path, other) as beside:
            await screen.hear()
            await beside.hear()
            await here.sessions.logout(one)
            assert await closed_with(screen) == 4001
            await here.deal(table, m.OpenTable("Max", now()))
            await beside.until(lambda view: view["state"] == "open")
            await here.sessions.logout_everywhere(PersonId("Dana"))
            assert await closed_with(beside) == 4001
        async with here.watch(path, await here.token("Sam")) as screen:
            await screen.hear()
            await here.deal(table, m.AssignStaff("Max", now(), PersonId("Sam"), ("cashier",)))
            assert await closed_with(screen) == 1008

    run(tmp_path, play)


def test_a_screen_that_does_not_read_gets_fewer_messages_and_delays_no_other(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        table, now = TABLES[2], here.floor.clock.now
        path = f"/api/tables/{table}/console"
        token = await here.token("Dana")
        await here.deal(table, m.OpenTable("Max", now()), m.OpenBetting("Dana", now()))
        async with here.watch(path, token) as slow, here.watch(path, token) as quick:
            slow.socket.transport.pause_reading()
            recorder = here.floor.tables[table].recorder
            # All at once: they are written in a few groups, however slow this machine is.
            given = await asyncio.gather(*(here.floor.give(recorder, bet(now(), n, "small")) for n in range(150)))
            assert None not in given
            await quick.until(lambda view: view["bets_in_all"] == 150)
            slow.socket.transport.resume_reading()
            await slow.until(lambda view: view["bets_in_all"] == 150)
            assert slow.view["boxes"] == quick.view["boxes"]
            assert len(slow.heard) < 150
            sizes = [len(json.dumps(told)) for told in quick.heard]
            assert sizes[-1] < sizes[0] * 20

    run(tmp_path, play)


def test_a_report_of_a_device_has_the_name_of_its_fault_and_no_sentence(tmp_path: Path) -> None:
    def told(person: PersonId) -> tuple[FactToConfirm, ...]:
        report = m.Report(person, 5, "not-flat", note="die-leaning")
        facts: dict[str, Fact] = {"device": "tumbler", "fault": "die-leaning"}
        return (FactToConfirm("tumbler", 5, "fault", facts, "5.3.2", (report,), True),)

    async def play(here: StaffFloor) -> None:
        here.floor.tables["sicbo-rws"].device = SimpleNamespace(online=True, facts=told)
        async with here.as_("Dana") as dana:
            view = (await dana.get("/api/tables/sicbo-rws/console")).json()["snapshot"]
        [fact] = view["facts"]
        assert (fact["case"], fact["facts"]["fault"]) == ("fault", "die-leaning")
        assert [(one["type"], one["note"]) for one in fact["commands"]] == [("Report", "die-leaning")]

    run(tmp_path, play)
