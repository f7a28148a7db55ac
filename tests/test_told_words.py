"""The floor's own sentences are there in Chinese, each of them: acts, what came of them, what will come of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from croupier.cage import messages as c
from croupier.rules.money import Cents
from croupier.server.staff.pit import cage_phrase
from croupier.table import acts
from croupier.transcript.phrases import PHRASES, write_phrase
from croupier.transcript.play import play
from croupier.transcript.story import sentences
from tests.test_transcripts import FILES

ROOT = Path(__file__).parents[1]
LAW = ROOT / "web" / "src" / "law"
CHINESE = json.loads((LAW / "told.zh.json").read_text())
MANY = set(re.findall(r"new Set\('([^']*)'\.split", (LAW / "told.ts").read_text())[0].split())
WORD = r'(?:"(?:\\.|[^"\\])*"|\S+)'
QUIET = {
    "TableOpened",
    "TableClosed",
    "StaffAssigned",
    "SeatTaken",
    "LayoutChosen",
    "SeatLeft",
    "CreditSold",
    "CreditPaidOut",
    "ColourTakenBack",
    "MotionStarted",
    "MotionEnded",
    "Uncovered",
    "KeyPressed",
    "TerminalsRestored",
}
"""Events that say nothing beyond their act."""


def pattern(template: str) -> str:
    """The same as in told.ts."""
    parts = []
    for piece in re.split(r"(\[[^\]]*\]|\{\w+\})", template):
        name = piece[1:-1]
        if piece.startswith("["):
            parts.append(f"(?:{pattern(name)})?")
        elif name == "with_wheel":
            parts.append("(?P<with_wheel> with the wheel)")
        elif piece.startswith("{"):
            parts.append(f"(?P<{name}>{'.*?' if name in MANY else WORD})")
        else:
            parts.append(re.escape(piece))
    return "".join(parts)


SENTENCES = [re.compile(pattern(template)) for template in CHINESE["sentences"]]
ACTS = [re.compile(rf"{WORD} {pattern(template)}\.") for template in CHINESE["acts"]]


def known(sentence: str) -> bool:
    return any(one.fullmatch(sentence) for one in (*SENTENCES, *ACTS))


def test_every_act_has_its_phrase_in_chinese() -> None:
    assert set(CHINESE["acts"]) == {phrase for _, phrase, _ in PHRASES}


def test_both_languages_tell_the_same_facts() -> None:
    for english, chinese in (CHINESE["acts"] | CHINESE["sentences"]).items():
        facts = [sorted(re.findall(r"\{(\w+)\}", text)) for text in (english, chinese)]
        assert facts[0] == facts[1], english
        spared = [
            sorted(re.findall(r"\{(\w+)\}", "".join(re.findall(r"\[[^\]]*\]", text)))) for text in (english, chinese)
        ]
        assert spared[0] == spared[1], english
        assert re.search(r"[\u4e00-\u9fff]", chinese) or not re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", english))


def test_every_sentence_of_every_evening_is_told_in_chinese() -> None:
    told: set[str] = set()
    strange: set[str] = set()
    for file in FILES:
        evening = play(file.read_text())
        for turn in evening.turns:
            said = [f"{turn.command.by} {write_phrase(turn.command, evening.table.order)}."]
            for event in turn.events:
                lines = list(sentences(event))
                said += lines
                told |= {type(event).__name__} if lines else set()
            strange |= {one for one in said if not known(one)}
    assert strange == set()
    kinds = {name.removeprefix("m.").removesuffix("()") for name in re.findall(r"m\.\w+\(\)", _story())}
    assert kinds - QUIET - told == set(), "no evening has shown these yet"


def _story() -> str:
    return (ROOT / "src" / "croupier" / "transcript" / "story.py").read_text()


def test_what_an_irregularity_will_do_and_the_requests_of_the_cage_are_told_in_chinese() -> None:
    ticket = ("Cass", 0, "123456789012345611", Cents(5_00))
    requests = [
        c.VoidTicket(*ticket, 0, "live", "torn"),
        c.VoidTicket(*ticket, 0, "live", "torn", "123456789012345611", 1),
        c.PayUnclaimed(*ticket, "expired", "late"),
    ]
    lines = [*acts._WILL.values(), *map(cage_phrase, requests)]
    source = (ROOT / "src" / "croupier" / "table" / "acts.py").read_text()
    will = source.partition("def _will(")[2].partition("\n# ---- after")[0]
    lock = re.findall(r'lock = "([^"]*)"', will)[0]
    facts = {"part.clause": "5.1", "void": "Round 1 is void; nobody has a bet in it", "lock": lock, "number": "1"}
    facts |= {"total": "5.00", "players": "2 Players, who are told", "_WILL['actual-outcome-stands']": lines[0]}
    for text in re.findall(r'return f?"([^"]*)"', will):
        whole = re.sub(r"\{([^}]*)\}", lambda found: facts[found[1]], text)
        lines.append(whole if whole.endswith(".") else f"{whole} (5.1).")
    assert [one for one in lines if not known(one)] == []


def test_every_kind_of_alert_has_its_heading() -> None:
    source = "".join(file.read_text() for file in (ROOT / "src" / "croupier").rglob("*.py"))
    raised = set(re.findall(r"\.alert\(\s*\"([\w-]+)\"", source))
    raised |= set(re.findall(r"ALERTS[^=]*= \{([^}]*)\}", source)[0].replace('"', " ").split(":")[-1].split()[:1])
    words = (LAW.parent / "pages" / "pit" / "alerts" / "words.ts").read_text()
    assert len(raised) > 10
    assert [kind for kind in raised if not re.search(rf"^  '?{kind}'?:", words, re.MULTILINE)] == []
