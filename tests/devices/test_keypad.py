"""An entry terminal on a pseudo-terminal: keys, the entry key, a contact that bounces, a cable that is pulled."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from croupier.devices.keypad import BOUNCE, Keypad
from croupier.devices.port import FacePressed
from croupier.rules.refusal import Refused
from tests.support.cammegh_line import WheelEnd

from .stage import FakeTime, Reported, running


@pytest.fixture
def end() -> Iterator[WheelEnd]:
    end = WheelEnd()
    yield end
    end.unplug()


async def pressed(end: WheelEnd, time: FakeTime, reported: Reported, keys: bytes) -> None:
    """Press one key after the other, each once the last was read, with time between them."""
    for key in keys:
        count = len(reported.facts)
        end.write_raw(bytes([key]))
        await reported.until(lambda reported, count=count: len(reported.facts) > count, 30)  # type: ignore[misc]
        time.milliseconds += 2 * BOUNCE


def test_nz_3_3_six_keys_and_an_entry_key(end: WheelEnd) -> None:
    async def play() -> None:
        time = FakeTime()
        async with running(Keypad("keys", end.path, time=time)) as reported:
            await reported.until(lambda reported: reported.words == ["Online"], 30)
            await pressed(end, time, reported, b"641\r1x7")
            faces = [fact.face for fact in reported.facts if isinstance(fact, FacePressed)]
            assert faces == ["6", "4", "1", "1"]
            assert reported.words == [
                "Online",
                *["FacePressed"] * 3,
                "EntryPressed",
                "FacePressed",
                "garbled",
                "garbled",
            ]

    asyncio.run(play())


def test_a_contact_that_bounces_is_one_press_and_a_line_end_of_two_bytes_one_entry(end: WheelEnd) -> None:
    async def play() -> None:
        async with running(Keypad("keys", end.path, time=FakeTime())) as reported:
            await reported.until(lambda reported: reported.words == ["Online"], 30)
            end.write_raw(b"55\r\n6")
            await reported.until(lambda reported: len(reported.facts) == 5, 30)
            assert reported.words == ["Online", "FacePressed", "duplicate", "EntryPressed", "FacePressed"]

    asyncio.run(play())


def test_a_cable_that_is_pulled_is_reported(end: WheelEnd) -> None:
    async def play() -> None:
        async with running(Keypad("keys", end.path, retry=0.05)) as reported:
            await reported.until(lambda reported: reported.words == ["Online"], 30)
            end.unplug()
            await reported.until(lambda reported: reported.words == ["Online", "Offline"], 30)
            with pytest.raises(Refused, match="act keys-only"):
                await Keypad("keys", end.path).act("tumble")

    asyncio.run(play())
