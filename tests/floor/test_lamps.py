"""The lamps of a felt follow a real round: lit with the entry, dark at an amendment, a void and the next round."""

from __future__ import annotations

import pytest

from croupier.devices.lamps import SimulatedLamps
from croupier.floor.config import TableConfig, read_table
from croupier.floor.device_config import NoDevice, SimulatedLampsConfig
from croupier.rules.bad_input import BadInput
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import PersonId
from tests.floor.dealing import LONG, now, play
from tests.support.floors import until
from tests.support.quick_floor import Evening, by_people

NZ = "taisai-nz"
LIT = {
    "1-3-4": {"small", "total:8", "domino:1-3", "domino:1-4", "domino:3-4", "single:1", "single:3", "single:4"},
    "4-5-6": {"big", "total:15", "domino:4-5", "domino:4-6", "domino:5-6", "single:4", "single:5", "single:6"},
}


def table_with_lamps() -> list[TableConfig]:
    (table,) = by_people(NZ, layouts=("1",), device=NoDevice(), lamps=SimulatedLampsConfig(kind="simulated"))
    return [table]


class Watched(SimulatedLamps):
    """Lamps that remember everything they were told."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.told: list[set[str]] = []

    def light(self, layout: str, boxes: tuple[str, ...]) -> None:
        assert layout == "1"
        self.told.append(set(boxes))
        super().light(layout, boxes)


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.floor.device_config.SimulatedLamps", Watched)


def lamps_of(here: Evening) -> Watched:
    lamps = here.workers.lamps[NZ].lamps
    assert isinstance(lamps, Watched)
    return lamps


async def uncovered(here: Evening) -> None:
    """A round up to the lifted cover."""
    at = now(here)
    await here.give(NZ, m.StartMotion("Dana", at), m.EndMotion("Dana", at, 3), m.OpenBetting("Dana", at))
    await until(lambda: here.live(NZ).table.seats[here.live(NZ).config.seat_ids()[0]].held, LONG)
    await here.give(NZ, m.CallNoMoreBets("Dana", at), m.Uncover("Dana", at))


async def press(here: Evening, faces: str) -> None:
    await here.give(NZ, *(m.PressKey("Dana", now(here), face) for face in faces))


def test_the_lamps_are_lit_with_the_entry_and_dark_between_a_wrong_result_and_the_right_one(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await here.workers.start()
        lamps = lamps_of(here)
        await here.give(NZ, m.OpenTable("Sam", now(here)))
        await uncovered(here)
        await press(here, "456")
        assert lamps.told == [set()]
        await here.give(NZ, m.PressEntry("Dana", now(here)))
        assert lamps.told == [set(), LIT["4-5-6"]]
        await here.give(NZ, m.AmendResult("Sam", now(here), "1-3-4"))
        assert lamps.told == [set(), LIT["4-5-6"], set(), LIT["1-3-4"]]
        await here.give(NZ, m.ConfirmResult("Dana", now(here)), m.PayWinners("Dana", now(here)))
        assert set(lamps.shown) == LIT["1-3-4"]  # until the next round begins
        await here.give(NZ, m.StartMotion("Dana", now(here)))
        assert lamps.told == [set(), LIT["4-5-6"], set(), LIT["1-3-4"], set()]
        assert here.alerts(NZ) == []

    play(premises, table_with_lamps(), deal)


def test_a_void_puts_the_lamps_out(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await here.workers.start()
        lamps = lamps_of(here)
        await here.give(NZ, m.OpenTable("Sam", now(here)))
        await uncovered(here)
        await press(here, "456")
        await here.give(NZ, m.PressEntry("Dana", now(here)))
        assert set(lamps.shown) == LIT["4-5-6"]
        await here.two(NZ, m.Report("Dana", now(here), "not-flat"), "Pat")
        assert here.past(NZ, 1).void_clause == "7.1(a)"
        assert lamps.shown == ()

    play(premises, table_with_lamps(), deal)


def test_a_lamp_that_fails_and_lamps_without_power_are_alerts_and_are_told_anew_when_they_are_back(
    premises: Premises,
) -> None:
    async def deal(here: Evening) -> None:
        await here.workers.start()
        lamps = lamps_of(here)
        await here.give(NZ, m.OpenTable("Sam", now(here)))
        await uncovered(here)
        await press(here, "456")
        lamps.fail_next("lamp-out")
        await here.give(NZ, m.PressEntry("Dana", now(here)))
        assert len(lamps.shown) == len(LIT["4-5-6"]) - 1
        await until(lambda: "device-fault" in here.alerts(NZ), LONG)
        await here.give(NZ, m.Report("Dana", now(here), "wrong-illumination"))
        assert here.live(NZ).table.locked == "7.4"  # nz 7.3: taken and paid by the dice, and then no further game
        await lamps.act("power-off")
        await until(lambda: "device-offline" in here.alerts(NZ), LONG)
        await lamps.act("power-on")
        assert set(lamps.shown) == LIT["4-5-6"]

    play(premises, table_with_lamps(), deal)


def test_lamps_are_for_a_felt_that_belongs_to_the_table() -> None:
    text = """
name = "sicbo-1"
rulebook = "rws-sicbo-etg-v2"
seats = ["A1"]
lamps = "simulated"
[limits]
unit = "1.00"
minimum = { "*" = "5.00" }
maximum = { "*" = "1000.00" }
[staff]
Dana = ["dealer"]
Sam = ["pit-supervisor"]
Max = ["shift-manager"]
Cass = ["cashier"]
"""
    with pytest.raises(BadInput, match="lamps"):
        read_table(text.encode(), "sicbo-1.toml")
    assert PersonId("Dana") in read_table(text.replace('lamps = "simulated"', "").encode(), "sicbo-1.toml").people()
