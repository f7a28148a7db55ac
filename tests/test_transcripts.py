"""Every transcript is played: its facts hold, it can be written back, and it plays the same again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier import load_rulebook
from croupier.transcript.play import kept_clauses, play, write

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(FOLDER.rglob("*.round"))
SOURCES = [*(Path(__file__).parents[1] / "src" / "croupier" / "table").glob("*.py")]


def marks(file: Path) -> list[pytest.MarkDecorator]:
    """The clauses a transcript keeps: the one in its name, and those its `keeps` line adds."""
    book = file.parent.name
    if book == "refusals":
        return []
    named = file.stem.split("-")[0].replace("_", " ")
    return [pytest.mark.clause(book, named, *kept_clauses(file.read_text()))]


@pytest.mark.parametrize(
    "file", [pytest.param(file, id=str(file.relative_to(FOLDER)), marks=marks(file)) for file in FILES]
)
def test_transcript(file: Path) -> None:
    evening = play(file.read_text())
    assert evening.checked or any(turn.refused for turn in evening.turns), "it checks nothing"
    again = play(write(evening))
    assert [turn.events for turn in again.turns] == [turn.events for turn in evening.turns]
    book = evening.table.book
    if file.parent.name != "refusals":
        assert book.id == file.parent.name
        assert set(kept_clauses(file.read_text())) <= set(book.clauses)
        assert file.stem.split("-")[0].replace("_", " ") in book.clauses


@pytest.mark.parametrize(
    "id", ["mbs-esicbo-v4", "mbs-sands-roulette-v2", "nz-taisai-division9", "rws-sicbo-etg-v2", "rws-taisai-v5"]
)
def test_every_clause_kept_by_the_table_has_a_transcript(id: str) -> None:
    named = {file.stem.split("-")[0].replace("_", " ") for file in (FOLDER / id).glob("*.round")}
    wanted = {clause for clause, part in load_rulebook(id).clauses.items() if part.kept == "table"}
    assert not wanted - named


def test_every_reason_of_refusal_has_a_transcript() -> None:
    reasons = {reason for source in SOURCES for reason in re.findall(r'Refused\(\s*"([a-z-]+)"', source.read_text())}
    reasons |= {"box", "stake", "late-bet", "late-withdrawal", "early-bet", "outcome"}
    shown = {file.stem for file in (FOLDER / "refusals").glob("*.round")}
    assert reasons == shown
