"""The notation refuses what it does not know: one changed word of a transcript is refused, or changes the evening.

A word counts as read only if it can be wrong. `make fuzz-transcripts` changes every word of every transcript of the
tree; the test changes a seeded sample.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.transcript.play import TranscriptFault, kept_clauses, play
from tests.support.transcripts import FILES, FOLDER

SAMPLE = 600


class Change(NamedTuple):
    """One word of one line, and another word in its place."""

    file: Path
    line: int
    place: int
    word: str

    def __str__(self) -> str:
        lines = self.file.read_text().splitlines()
        return f"{self.file.relative_to(FOLDER)}:{self.line + 1}: {lines[self.line]!r} with {self.word!r}"


def read_part(line: str) -> str:
    """A line without its comment."""
    return re.sub(r"(^|\s)#.*", "", line)


def other(word: str) -> str:
    """A word that looks like the word and is not it."""
    number = re.search(r"\d", word)
    if number:
        digit = str((int(number[0]) + 1) % 10)
        return word[: number.start()] + digit + word[number.end() :]
    return word + "x"


def changes(file: Path) -> Iterator[Change]:
    """Every word of a file, changed in two ways: into nonsense, and into a near one."""
    for number, line in enumerate(file.read_text().splitlines()):
        for place, word in enumerate(read_part(line).split()):
            yield Change(file, number, place, "nonsense")
            yield Change(file, number, place, other(word))


def changed(text: str, change: Change) -> str:
    lines = text.splitlines()
    words = read_part(lines[change.line]).split()
    words[change.place] = change.word
    lines[change.line] = " ".join(words)
    return "\n".join(lines) + "\n"


_ABOUT = ("exposure", "owes", "colour", "why")
"""Facts whose second word says what they are about."""


def subjects(text: str) -> list[str]:
    """What each fact is about. A fact about another bet may be as true, but is another fact."""
    facts = [read_part(line).split()[1:3] for line in text.splitlines() if line.startswith("=")]
    return [" ".join(words if words[:1] and words[0] in _ABOUT else words[:1]) for words in facts]


def result(text: str) -> tuple[object, ...]:
    """What an evening comes to: how it began, what was asked, what happened, and what was claimed and checked."""
    evening = play(text)
    setup = evening.table.setup
    began = (setup.table, setup.rulebook.hash, setup.layouts, setup.limits, setup.two_sources, setup.approval_seconds)
    turns = [(turn.command, turn.events, turn.refused and str(turn.refused)) for turn in evening.turns]
    claimed = (kept_clauses(text), subjects(text), evening.checked)
    return began, setup.alternatives, evening.staff, turns, evening.clock, claimed, evening.table.next_round


def survives(change: Change, before: dict[Path, tuple[object, ...]]) -> bool:
    """True if nobody would notice the change."""
    text = change.file.read_text()
    if change.file not in before:
        before[change.file] = result(text)
    try:
        return result(changed(text, change)) == before[change.file]
    except TranscriptFault:
        return False


def test_a_changed_word_is_refused_or_changes_the_evening() -> None:
    rng = random.Random("one word")
    before: dict[Path, tuple[object, ...]] = {}
    sample = [rng.choice(list(changes(rng.choice(FILES)))) for _ in range(SAMPLE)]
    survivors = [str(change) for change in sample if survives(change, before)]
    assert not survivors, "\n".join(survivors)


HEADER = "keeps 3.2\ntable T1 rws-sicbo-etg-v2 A\nseat Ann 100.00\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}option closed\n\nSam opens the table without nonsense\n", "nonsense"),
        (f"{HEADER}\nSam assigns Lee nonsense\n", "nonsense"),
        (f"{HEADER}\nSam interrupts the nonsense\n", "nonsense"),
        (f"{HEADER}\nSam takes up the book nonsense.toml\n", "nonsense.toml: cannot be read"),
        (f"keeps 3.99\n{HEADER}", "3.99"),
        (f"{HEADER}minimum nonsense 5.00\n", "nonsense"),
        (f"{HEADER}\nSam sets limits minimum nonsense 5.00\n", "nonsense"),
        (f"{HEADER}minimum 5.00\nminimum 6.00\n", "minimum"),
        (f"{HEADER}option approval 60\noption approval 70\n", "approval"),
        (f"{HEADER}round 3\nround 4\n", "round"),
        (f"{HEADER}staff Dana dealer\nstaff Dana cashier\n", "Dana"),
        (f"{HEADER}table T2 rws-sicbo-etg-v2 A\n", "table"),
    ],
)
def test_what_the_notation_does_not_know_is_refused(text: str, message: str) -> None:
    with pytest.raises(TranscriptFault, match=message):
        play(text)


def main() -> None:
    """Change every word of every transcript; fail if a change goes unnoticed."""
    before: dict[Path, tuple[object, ...]] = {}
    tried, survivors = 0, 0
    for file in FILES:
        for change in changes(file):
            tried += 1
            if survives(change, before):
                survivors += 1
                print(change)
        before.clear()
    print(f"{tried:,} changes of one word in {len(FILES)} transcripts, {survivors} unnoticed")
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
