"""The conversation in docs/http.md, played with a real door."""

from __future__ import annotations

import json
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from tests.server.staff_floor import StaffFloor, run

PAGE = Path(__file__).parents[3] / "docs" / "http.md"
_SAYS = re.compile(r"(\w+) > (GET|POST|DELETE) (\S+)(?: (\{.*\}))?")
_HEARS = re.compile(r" +< (\d{3}) (\{.*\})")


def fits(told: Any, said: Any) -> bool:
    """Whether the answer fits the pattern. `…` stands for anything."""
    if told == "…":
        return True
    if isinstance(told, dict):
        return isinstance(said, dict) and all(name in said and fits(value, said[name]) for name, value in told.items())
    if isinstance(told, list):
        return isinstance(said, list) and len(told) == len(said) and all(map(fits, told, said))
    return bool(told == said)


def test_the_conversation_in_the_documents_is_true(tmp_path: Path) -> None:
    (block,) = re.findall(r"```conversation\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = block.splitlines()
    assert len(lines) >= 20

    async def play(here: StaffFloor) -> None:
        async with AsyncExitStack() as stack:
            people = {"Nobody": await stack.enter_async_context(here.client())}
            for asks, hears in zip(lines[::2], lines[1::2], strict=True):
                said, heard = _SAYS.fullmatch(asks), _HEARS.fullmatch(hears)
                assert said, asks
                assert heard, hears
                name, method, path, body = said.groups()
                if name not in people:
                    people[name] = await stack.enter_async_context(here.as_(name))
                answer = await people[name].request(method, path, json=json.loads(body) if body else None)
                assert answer.status_code == int(heard[1]), f"{asks}: {answer.text}"
                assert fits(json.loads(heard[2]), answer.json()), f"{asks}: {answer.text}"

    run(tmp_path, play)
