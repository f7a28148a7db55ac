"""The lamps of a felt: simulated ones, and lamps on a pseudo-terminal that answer, fail and are unplugged."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from croupier.devices.lamps import SerialLamps, SimulatedLamps
from croupier.devices.port import Offline
from croupier.rules.refusal import Refused
from tests.support.cammegh_line import WheelEnd

from .stage import FakeTime, running

LONG = 30.0


@pytest.fixture
def end() -> Iterator[WheelEnd]:
    end = WheelEnd()
    yield end
    end.unplug()


async def shown(end: WheelEnd, line: bytes, answer: bytes = b"ok") -> None:
    """The lamps receive this line and answer."""
    assert await end.commanded(len(line) + 1) == line + b"\n"
    end.write(answer)


def test_nz_3_3_the_areas_are_lit_and_each_change_is_shown_in_its_order(end: WheelEnd) -> None:
    async def play() -> None:
        lamps = SerialLamps("lamps", end.path, time=FakeTime(), silence=LONG)
        async with running(lamps) as reported:
            await shown(end, b"dark")
            await reported.until(lambda reported: reported.words == ["Online"], LONG)
            lamps.light("1", ("big", "total:15"))
            lamps.light("1", ())  # an amendment: dark, and lit again at once
            lamps.light("1", ("small", "total:8"))
            for line in (b"lit 1 big total:15", b"dark", b"lit 1 small total:8"):
                await shown(end, line)
            assert reported.words == ["Online"]

    asyncio.run(play())


def test_a_lamp_that_stays_dark_and_an_answer_that_cannot_be_read_are_faults(end: WheelEnd) -> None:
    async def play() -> None:
        lamps = SerialLamps("lamps", end.path, time=FakeTime(), silence=LONG)
        async with running(lamps) as reported:
            await shown(end, b"dark")
            lamps.light("1", ("big",))
            await shown(end, b"lit 1 big", b"out big\r\nhello\r\nok")
            await reported.until(lambda reported: len(reported.words) == 3, LONG)
            assert reported.words == ["Online", "lamp-out", "garbled"]

    asyncio.run(play())


def test_lamps_that_do_not_answer_are_offline_and_are_told_only_what_is_lit_when_they_are_back(end: WheelEnd) -> None:
    async def play() -> None:
        lamps = SerialLamps("lamps", end.path, time=FakeTime(), retry=0.01, silence=0.05)
        async with running(lamps) as reported:
            await reported.until(lambda reported: reported.words == ["Offline"], LONG)
            (offline,) = reported.facts
            assert isinstance(offline, Offline)
            assert offline.case == "no-answer"
            lamps.light("1", ("big",))
            lamps.light("1", ("small",))
            taken = b""
            while b"small" not in taken:
                taken += end.commands()
                await asyncio.sleep(0.001)
            assert b"big" not in taken
            end.write(b"ok")
            await reported.until(lambda reported: reported.words[-1] == "Online", LONG)

    asyncio.run(play())


def test_a_line_that_is_not_there_is_offline() -> None:
    async def play() -> None:
        async with running(SerialLamps("lamps", "/dev/no-such-line", retry=0.01)) as reported:
            await reported.until(lambda reported: reported.words == ["Offline"], LONG)
            (offline,) = reported.facts
            assert isinstance(offline, Offline)
            assert offline.case == "line"

    asyncio.run(play())


def test_lamps_have_no_motion() -> None:
    lamps = SerialLamps("lamps", "/dev/no-such-line")
    assert lamps.capabilities == {"lights"}
    with pytest.raises(Refused, match="unable"):
        asyncio.run(lamps.act("tumble"))


def test_simulated_lamps_show_what_they_are_told_while_they_have_power() -> None:
    async def play() -> None:
        lamps = SimulatedLamps("lamps", time=FakeTime())
        async with running(lamps) as reported:

            def lit() -> list[str]:
                return list(lamps.shown)

            lamps.light("1", ("big", "total:15"))
            assert lit() == ["big", "total:15"]
            lamps.fail_next("lamp-out")
            lamps.light("1", ("small", "total:8"))
            assert (lit(), reported.warnings) == (["total:8"], ["lamp-out"])
            await lamps.act("power-off")
            assert lit() == []
            lamps.light("1", ("odd",))
            assert lit() == []
            await lamps.act("power-on")
            assert lit() == ["odd"]
            lamps.light("1", ())
            assert lit() == []
            assert reported.words == ["Online", "lamp-out", "Offline", "Online"]

    asyncio.run(play())
