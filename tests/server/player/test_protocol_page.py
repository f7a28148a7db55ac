"""The conversation in docs/protocol.md, word for word with a real floor."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.transcript.phrases import read_phrase
from tests.server.terminal_floor import A1, Raw, TerminalFloor, connect, run

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
ANY = "…"


def lines() -> list[str]:
    (block,) = re.findall(r"^```conversation\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    return str(block).splitlines()


def fits(expected: Any, told: Any) -> bool:
    """As it is written; `…` is anything, and as a name any further fields, or in a list any further parts."""
    if expected == ANY:
        return True
    if isinstance(expected, dict) and isinstance(told, dict):
        named = {name: value for name, value in expected.items() if name != ANY}
        whole = ANY in expected or named.keys() == told.keys()
        return whole and all(name in told and fits(value, told[name]) for name, value in named.items())
    if isinstance(expected, list) and isinstance(told, list):
        begin = expected[:-1] if expected and expected[-1] == ANY else expected
        enough = len(told) >= len(begin) if len(begin) < len(expected) else len(told) == len(begin)
        return enough and all(fits(one, other) for one, other in zip(begin, told, strict=False))
    return bool(expected == told)


def test_the_conversation_is_true(tmp_path: Path) -> None:
    said = lines()
    assert len(said) > 60

    async def play(here: TerminalFloor) -> None:
        await here.deal(m.OpenTable("Max", here.now()))
        token, raw, heard = await here.token(A1), await connect(here.address), 0
        for line in said:
            kind, _, text = line.strip().partition(" ")
            if line.startswith("Terminal > "):
                if raw.gone.is_set():
                    seen = max(one.get("seq", 0) for one in raw.heard if one["said"] in ("room", "news"))
                    raw, heard = await connect(here.address), 0
                    text = text.replace('"SEEN"', str(seen))
                raw.say(text.removeprefix("> ").replace("TOKEN", token).encode())
            elif kind == "<" and text.isdigit():
                assert await raw.closed() == int(text)
            elif kind == "<":
                told = await _next(raw, heard)
                assert fits(json.loads(text), told), f"{text}\n{told}"
                heard += 1
            elif line == "The line is cut":
                raw.cut()
                await raw.closed()
            elif line == "The floor closes":
                await here.door.close()
            else:
                await here.deal(*read_phrase(text, kind, here.now(), here.live.table, lambda _: 0))
        assert heard == len(raw.heard)  # no message is sent that is not on the page

    run(tmp_path, play)


async def _next(raw: Raw, number: int) -> Any:
    await raw.come(number + 1)
    return raw.heard[number]


def test_a_page_that_lies_is_found_out() -> None:
    assert fits({"said": "ok", "…": "…"}, {"said": "ok", "credit": 5})
    assert not fits({"said": "ok"}, {"said": "ok", "credit": Cents(5)})
    assert not fits({"said": "no", "…": "…"}, {"said": "ok"})
    assert not fits(["a"], ["a", "b"])
    assert fits(["a", "…"], ["a", "b"])
