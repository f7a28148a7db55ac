"""The lines on the standard input of a subject, read while it does its work."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator


async def lines() -> AsyncIterator[list[str]]:
    """The words of each line, until the input ends."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().split()
