"""What a subject is told on its standard input, beside everything else it does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator


async def lines() -> AsyncIterator[list[str]]:
    """The words of every line, until there are no more."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().split()
