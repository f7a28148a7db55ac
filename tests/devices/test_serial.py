"""A wheel on a pseudo-terminal: its line is opened, read, written to, lost and opened again."""

from __future__ import annotations

import asyncio
import os
import random
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.devices.port import Offline
from croupier.devices.serial import LONGEST, Lines, SerialWheel, open_line
from croupier.rules.refusal import Refused
from tests.support.cammegh_line import WheelEnd, game, status

from .stage import SANDS, running


@pytest.fixture
def end() -> Iterator[WheelEnd]:
    end = WheelEnd()
    yield end
    end.unplug()


async def opened(path: str, times: int) -> None:
    """Wait until this process holds a line open so often: the test's own end is one."""
    async with asyncio.timeout(60):
        while [os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()].count(path) < times:
            await asyncio.sleep(0.01)


def wheel(path: str, silence: float = 100) -> SerialWheel:
    return SerialWheel("w1", path, SANDS, silence=silence, retry=0.05)


def test_the_line_is_raw_9600_8n1(end: WheelEnd) -> None:
    line = open_line(end.path)
    try:
        input_flags, output_flags, control, local, speed_in, speed_out, _ = termios.tcgetattr(line)
        assert (input_flags, output_flags, local) == (0, 0, 0)
        assert speed_in == speed_out == termios.B9600
        assert control & termios.CSIZE == termios.CS8
        assert not control & (termios.PARENB | termios.CSTOPB)
    finally:
        os.close(line)


def test_a_game_over_the_line(end: WheelEnd) -> None:
    async def play() -> None:
        async with running(wheel(end.path)) as reported:
            end.write(b"half a line", *game("17"))
            await reported.until(lambda reported: bool(reported.shown))
            assert reported.words == ["Online", "Launched", "Slowed", "Rested", "Shown"]

    asyncio.run(play())


def test_bytes_one_by_one_make_the_same_game(end: WheelEnd) -> None:
    async def play() -> None:
        async with running(wheel(end.path)) as reported:
            for byte in b"\r\n" + b"\r\n".join(game("17")) + b"\r\n":
                await end.flood(bytes([byte]))
            await reported.until(lambda reported: bool(reported.shown))
            assert reported.words == ["Online", "Launched", "Slowed", "Rested", "Shown"]

    asyncio.run(play())


def test_half_a_line_at_the_start_is_no_number() -> None:
    """The driver may begin to listen in the middle of a status line, of which the rest looks like a number."""
    assert Lines().feed(b"17\r\n18\r\n") == [b"18"]


def test_over_long_lines_are_dropped_whole_and_counted() -> None:
    lines = Lines()
    assert lines.feed(b"\n" + b"a" * 50) == []
    assert lines.feed(b"b" * 50) == []
    assert lines.feed(b"17\n18\n") == [b"18"]
    assert lines.feed(b"c" * (LONGEST + 1) + b"\n19\n") == [b"19"]
    assert lines.dropped == 2
    for _ in range(100):
        lines.feed(b"x" * 10_000)
    assert lines.dropped == 3
    assert lines.feed(b"\n20\n") == [b"20"]


def test_commands_are_written_as_the_format_has_them(end: WheelEnd) -> None:
    async def play() -> bytes:
        device = wheel(end.path)
        async with running(device) as reported:
            end.write(b"", status(2), status(2))
            await reported.until(lambda reported: "Online" in reported.words)
            await device.act("power-on")
            await device.act("launch")
            await device.ask("n")
            await device.ask_errors()
            await device.act("power-off")
            return await end.commanded(len(expected))

    expected = b"*P 1\r\n*u 1\r\n*T n\r\n*F\r\n*P 0\r\n"
    assert asyncio.run(play()) == expected


def test_acts_that_the_wheel_lacks_or_cannot_take_now_are_refused(end: WheelEnd) -> None:
    async def play() -> None:
        device = wheel(end.path)
        with pytest.raises(Refused, match=r"act unable .* act=tumble"):
            await device.act("tumble")
        with pytest.raises(Refused, match="offline device "):
            await device.act("power-on")
        async with running(device) as reported:
            with pytest.raises(Refused, match="offline device"):
                await device.act("launch")
            end.write(b"", status(2), status(2), status(3))
            await reported.until(lambda reported: "Launched" in reported.words)
            with pytest.raises(Refused, match="busy in-motion"):
                await device.act("launch")
            assert end.commands() == b""

    asyncio.run(play())


def test_a_silent_line_is_offline_once_and_online_when_it_speaks(end: WheelEnd) -> None:
    async def play() -> None:
        device = wheel(end.path)
        async with running(device) as reported:
            end.write(b"", status(2), status(2), status(3))
            await reported.until(lambda reported: "Launched" in reported.words)
            device._silence = 0.05
            end.write(status(3))  # the driver counts the silence from its last line
            await reported.until(lambda reported: "Offline" in reported.words)
            await asyncio.sleep(0.25)
            assert reported.words == ["Online", "Launched", "Offline"]
            device._silence = 100
            end.write_raw(b"\xff\xfe junk that is no line\r\n")
            await reported.until(lambda reported: "garbled" in reported.words)
            assert reported.words.count("Online") == 1
            end.write(status(3), status(4))
            await reported.until(lambda reported: "Slowed" in reported.words)
            assert reported.words == ["Online", "Launched", "Offline", "garbled", "Online", "Slowed"]

    asyncio.run(play())


def test_a_line_that_is_silent_from_the_start_is_offline(end: WheelEnd) -> None:
    async def play() -> None:
        async with running(wheel(end.path, silence=0.05)) as reported:
            await reported.until(lambda reported: bool(reported.facts))
            assert reported.words == ["Offline"]

    asyncio.run(play())


def test_an_unplugged_line_is_opened_again_when_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "wheel"
    first = WheelEnd()
    path.symlink_to(first.path)

    async def play() -> None:
        async with running(wheel(str(path))) as reported:
            first.write(b"", status(2), status(2), status(3))
            await reported.until(lambda reported: "Launched" in reported.words)
            path.unlink()
            first.unplug()
            await reported.until(lambda reported: "Offline" in reported.words)
            second = WheelEnd()
            try:
                path.symlink_to(second.path)
                await opened(second.path, 2)
                second.write(b"", *game("17")[6:])
                await reported.until(lambda reported: bool(reported.shown))
            finally:
                second.unplug()
            assert reported.words == ["Online", "Launched", "Offline", "Online", "Slowed", "Rested", "Shown"]

    asyncio.run(play())


def test_a_path_that_is_not_a_line_is_reported_with_its_name(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")

    async def play(path: Path) -> str:
        async with running(wheel(str(path))) as reported:
            await reported.until(lambda reported: bool(reported.facts))
            await asyncio.sleep(0.15)
            assert len(reported.facts) == 1
            (fact,) = reported.facts
            assert isinstance(fact, Offline)
            return str(fact.facts)

    assert "plain" in asyncio.run(play(plain))
    assert "No such file" in asyncio.run(play(tmp_path / "nothing"))


def test_a_flood_of_junk_is_survived_and_the_next_game_is_read(end: WheelEnd) -> None:
    chance = random.Random(3)

    async def play() -> None:
        device = wheel(end.path)
        async with running(device) as reported:
            await end.flood(chance.randbytes(60_000))
            end.write(b"", *game("17", "500"))
            await reported.until(lambda reported: bool(reported.shown))
            assert reported.shown == ["17"]

    asyncio.run(play())
