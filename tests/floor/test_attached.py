"""The table files of docs/devices.md at work: a wheel on a pseudo-terminal, a shaker behind a broker."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from croupier.floor.config import TableConfig, read_table
from croupier.floor.device_config import Cammegh, Shaker
from croupier.store.folder import Premises
from croupier.table import messages as m
from tests.floor.dealing import LONG, facts, now, phase, play
from tests.support.broker import Machine, broker
from tests.support.cammegh_line import WheelEnd, status
from tests.support.floors import check, until
from tests.support.quick_floor import PACE, Evening, evening

PAGE = Path(__file__).parents[2] / "docs" / "devices.md"
FILES = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
TABLE = "roulette-1"


def documented(name: str) -> TableConfig:
    tables = [read_table(text.encode(), "docs/devices.md") for text in FILES]
    return next(table for table in tables if table.name == name)


@pytest.mark.parametrize("number", range(3))
def test_a_table_file_in_the_documents_has_no_fault(number: int) -> None:
    read_table(FILES[number].encode(), "docs/devices.md")
    assert len(FILES) == 3


def wheel_table(end: WheelEnd) -> list[TableConfig]:
    table = documented(TABLE)
    assert isinstance(table.device, Cammegh)
    device = table.device.model_copy(update={"path": end.path, "silence": 100})
    return [table.model_copy(update={"device": device})]


async def bets_open(here: Evening) -> None:
    await here.workers.start()
    await here.give(TABLE, m.OpenTable("Sam", now(here)), m.OpenBetting("Dana", now(here)))
    await until(lambda: here.live(TABLE).table.seats[here.live(TABLE).config.seat_ids()[0]].held, LONG)


def test_a_spin_by_hand_is_followed_compared_and_settled(premises: Premises) -> None:
    end = WheelEnd()

    async def deal(here: Evening) -> None:
        live = here.live(TABLE)
        await bets_open(here)
        end.write(b"", status(2), status(2), status(3), status(3))
        await phase(here, TABLE, "spinning")  # in the wheel's name: the Dealer's hand was on the ball
        end.write(status(4), status(4))
        await until(lambda: facts(here, TABLE), LONG)
        (slows,) = facts(here, TABLE)
        assert (slows.clause, slows.may) == ("3.2", True)
        await here.give(TABLE, *slows.commands)
        end.write(b"17", status(5, last="17"))
        await until(lambda: facts(here, TABLE), LONG)
        (rests,) = facts(here, TABLE)
        assert rests.case == "uncounted"
        await here.give(TABLE, *rests.commands)
        await until(lambda: live.table.sensed == "17", LONG)
        assert facts(here, TABLE) == ()  # two sources: the Dealer looks at the wheel
        await here.give(TABLE, m.EnterNumber("Dana", now(here), "17"), m.ConfirmResult("Dana", now(here)))
        await here.give(TABLE, m.PayWinners("Dana", now(here)))
        assert here.past(TABLE, 1).outcome == "17"
        assert here.alerts(TABLE) == []

    play(premises, wheel_table(end), deal)
    end.unplug()


def test_warnings_of_the_wheel_void_or_are_offered_and_its_turning_is_watched(premises: Premises) -> None:
    end = WheelEnd()

    async def deal(here: Evening) -> None:
        live = here.live(TABLE)
        await bets_open(here)
        end.write(b"", status(2), status(2), status(3, warning=2))
        await until(lambda: 1 in live.table.past, LONG)
        assert here.past(TABLE, 1).void_clause == "5.1"  # 2: the ball runs with the wheel
        await here.give(TABLE, m.OpenBetting("Dana", now(here)))
        end.write(*[status(2, game="012")] * 2, status(3, game="012", warning=1, speed=300))
        await phase(here, TABLE, "spinning")
        await until(lambda: {fact.clause for fact in facts(here, TABLE)} == {"5.6", "5.10"}, LONG)
        await until(lambda: {"wheel-direction", "wheel-speed"} <= set(here.alerts(TABLE)), LONG)

    play(premises, wheel_table(end), deal)
    end.unplug()


def test_a_shaker_behind_a_broker_is_dealt_automatically(premises: Premises) -> None:
    async def main() -> None:
        async with asyncio.timeout(2 * LONG), broker() as hub:
            machine = Machine(hub)
            table = documented("sicbo-1")
            assert isinstance(table.device, Shaker)
            device = table.device.model_copy(update={"port": hub.port})
            changes = {"device": device, "pace": PACE, "printer": None}
            async with evening(premises, [table.model_copy(update=changes)]) as here:
                await here.workers.start()
                live = here.live("sicbo-1")
                await until(lambda: live.table.next_round > 4, LONG)
                assert {past.outcome for past in live.table.past.values()} == {"2-3-5"}
                assert len(machine.orders) >= 9
                machine.answers = False
                hub.cut()
                await until(lambda: "device-offline" in here.alerts("sicbo-1"), LONG)

    asyncio.run(main())
    check(premises)
