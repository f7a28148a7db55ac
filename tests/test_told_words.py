"""The floor's own sentences are there in Chinese, each of them: acts, what came and will come of them, refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from croupier import load_rulebook, rulebook_ids
from croupier.devices import health
from croupier.rules.reasons import REASONS
from croupier.rules.translations import translation
from croupier.table.state import TRANSITIONS
from croupier.transcript.phrases import PHRASES, write_phrase
from croupier.transcript.play import Evening, play
from tests.said import templates
from tests.support.transcripts import FILES

ROOT = Path(__file__).parents[1]
LAW = ROOT / "web" / "src" / "law"
CHINESE: dict[str, dict[str, str]] = json.loads((LAW / "told.zh.json").read_text())
_TELLS = (LAW / "told.svelte.ts").read_text()
MANY = set(re.findall(r"new Set\(\s*'([^']*)'\.split", _TELLS)[0].split())
NUMBERS = set(re.findall(r"NUMBERS = new Set\(\[([^\]]*)\]", _TELLS)[0].replace("'", "").split(", "))
WORD, NUMBER = r'(?:"(?:\\.|[^"\\])*"|\S+)', r"[-\dS.,/]+"
OWN = {
    "reason",
    "note",
    "box",
    "limits",
    "lost",
    "roles",
    "part",
    "by",
    "with_wheel",
    "phase",
    "numbers",
    "spans",
}
"""Facts that told.svelte.ts says in ways of their own, or leaves as people wrote them."""
NAMES = {"bets", "seats", "rounds", "layouts", "unchecked", "people", "streams", "known", "shown"}
"""Facts that are lists of names."""


# ---- as told.svelte.ts reads


def pattern(template: str, wide: bool = False) -> str:
    parts = []
    for piece in re.split(r"(\[[^\]]*\]|\{\w+\})", template):
        name = piece[1:-1]
        if piece.startswith("["):
            parts.append(f"(?:{pattern(name, wide)})?")
        elif name == "with_wheel":
            parts.append("(?P<with_wheel> with the wheel)")
        elif piece.startswith("{"):
            kind = name.rstrip("0123456789")
            parts.append(f"(?P<{name}>{NUMBER if kind in NUMBERS else '.*?' if wide or kind in MANY else WORD})")
        else:
            parts.append(re.escape(piece))
    return "".join(parts)


@cache
def readings() -> list[tuple[re.Pattern[str], str]]:
    whole = dict.fromkeys(CHINESE["sentences"], False) | dict.fromkeys(CHINESE["said"], True)
    whole |= {f"{{by}} {phrase}.": False for phrase in CHINESE["acts"]}
    ordered = sorted(whole, key=lambda english: -len(re.sub(r"\{\w+\}", "", english)))
    return [(re.compile(pattern(english, whole[english])), english) for english in ordered]


@cache
def law() -> dict[str, str]:
    return {english: told for book in rulebook_ids() for english, told in translation(book, "zh").items()}


def strange(sentence: str) -> Iterator[str]:
    """What of a sentence nobody could say in Chinese: nothing, or the sentence, or sentences in it."""
    if sentence in law() or not re.search("[A-Za-z]{2}", sentence):
        return
    if all(re.fullmatch(r"(double |triple |total )?[\dS]+", part) for part in sentence.split(", ")):
        return  # a result as it is called
    for reads, english in readings():
        if found := reads.fullmatch(sentence):
            for name, fact in found.groupdict().items():
                # A fact of several words is a sentence itself, or a list of names.
                several = " " in re.sub(', | or |"[^"]*"', ",", fact or "")
                if fact and several and name.rstrip("0123456789") not in OWN | NAMES:
                    yield from (f"{one} (in: {english})" for one in strange(fact))
            return
    yield sentence


# ---- what there is to tell


def test_every_act_has_its_phrase_in_chinese() -> None:
    assert set(CHINESE["acts"]) == {phrase for _, phrase, _ in PHRASES}


def test_everything_the_server_refuses_or_warns_of_is_told_in_chinese() -> None:
    bare = {template for template in templates() if not re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", template))}
    cases = {case for reason in REASONS.values() for case in reason.cases}
    missing = {
        f"{where}: {one}" for one, where in templates().items() if one not in CHINESE["said"].keys() | bare | cases
    }
    assert missing == set()


def test_both_languages_tell_the_same_facts() -> None:
    for english, chinese in {english: told for part in CHINESE.values() for english, told in part.items()}.items():
        facts = [sorted(re.findall(r"\{(\w+)\}", text)) for text in (english, chinese)]
        assert facts[0] == facts[1], english
        spared = [
            sorted(re.findall(r"\{(\w+)\}", "".join(re.findall(r"\[[^\]]*\]", text)))) for text in (english, chinese)
        ]
        assert spared[0] == spared[1] or english in CHINESE["said"], english
        assert re.search(r"[\u4e00-\u9fff]", chinese) or not re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", english))


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    return [play(file.read_text()) for file in FILES]


def test_every_act_of_every_evening_is_told_in_chinese(evenings: list[Evening]) -> None:
    unknown: set[str] = set()
    for evening in evenings:
        for turn in evening.turns:
            said = [f"{turn.command.by} {write_phrase(turn.command, evening.table.order)}."]
            said += [turn.refused.message] if turn.refused else []
            unknown |= {one for sentence in said for one in strange(sentence)}
    assert unknown == set()


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_every_box_pays_is_told_in_chinese(book: str) -> None:
    pays = {layout.box(box).pays for layout in load_rulebook(book).layouts for box in layout.boxes}
    assert {unknown for one in pays for unknown in strange(one)} == set()


def test_what_devices_and_tests_are_called_is_told_in_chinese() -> None:
    names = [name for book in rulebook_ids() for name in health.tests_of((), load_rulebook(book).space)]
    names += [
        re.sub(r"(?<!^)([A-Z])", r" \1", event).lower()
        for order in TRANSITIONS.values()
        for phase in order.values()
        for event in phase
    ]
    assert len(names) > 50
    assert [one for name in names for one in strange(name)] == []
