"""The other end of a serial line: a wheel that writes its status over and over, as the real one does."""

from __future__ import annotations

import asyncio
import os
import pty
import tty


def status(
    state: int, game: str = "011", last: str = "34", warning: int = 0, speed: int = 137, direction: int = 1
) -> bytes:
    return f"*X;{state};{game};{last};{warning};{speed};{direction}".encode("ascii")


def game(number: str, name: str = "011", last: str = "34", repeats: int = 3) -> list[bytes]:
    """All lines of a good game, every status so many times."""
    before = [status(state, name, last) for state in (1, 2, 3, 4) for _ in range(repeats)]
    return [*before, number.encode("ascii"), *[status(5, name, number)] * repeats]


class WheelEnd:
    """A pseudo-terminal: the driver opens `path`, the test holds the other end."""

    def __init__(self) -> None:
        self._end, self._driver_end = pty.openpty()
        tty.setraw(self._end)
        self.path = os.ttyname(self._driver_end)

    def write(self, *lines: bytes) -> None:
        for line in lines:
            os.write(self._end, line + b"\r\n")

    def write_raw(self, data: bytes) -> None:
        os.write(self._end, data)

    async def flood(self, data: bytes) -> None:
        """More than the line holds: waits for the driver to read."""
        os.set_blocking(self._end, False)
        while data:
            try:
                data = data[os.write(self._end, data) :]
            except BlockingIOError:
                await asyncio.sleep(0)
        os.set_blocking(self._end, True)

    def commands(self) -> bytes:
        os.set_blocking(self._end, False)
        try:
            return os.read(self._end, 4096)
        except BlockingIOError:
            return b""

    async def commanded(self, size: int) -> bytes:
        """So many bytes of commands, or what came within a minute."""
        taken = b""
        for _ in range(6_000):
            taken += self.commands()
            if len(taken) >= size:
                break
            await asyncio.sleep(0.01)
        return taken

    def unplug(self) -> None:
        for end in (self._end, self._driver_end):
            if end >= 0:
                os.close(end)
        self._end = self._driver_end = -1
