"""The engine says no sentence: refusals, events, alerts and prompts are ids and facts, and the catalogue says them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "croupier"
ROOMS = ("rules", "table", "ledger", "cage", "office", "store", "floor", "devices", "protocol")
FOR_DEVELOPERS = {"AssertionError", "critical", "debug", "error", "exception", "info", "log", "warning"}
OF_BAD_FILES = {"BadInput", "Fault", "Unreadable", "fault"}
"""What is wrong in a file is said to whoever wrote it, with its place."""
READERS = ("floor/device_config.py", "rules/bets.py", "rules/felt.py", "rules/reader.py", "rules/wrong_values.py")
"""What reads rulebooks and settings: its sentences are all of bad files."""
NAMES = {"a folder that cannot be read", "credit paid out", "out of action", "text of an alert"}
"""Names of three words and more in what is written and compared: journals, the list of the approved software. People
see another name."""
OF_BEFORE = {"another terminal was enrolled for the seat", "the terminal failed before the close"}
"""What rows of before have."""
WORD = re.compile(r"""["“(]?[A-Za-z][A-Za-z'’-]*["”),.;:?!]*""")
SQL = re.compile(
    r"\s*(ALTER|BEGIN|COPY|CREATE|DELETE|DROP|GRANT|INSERT|LOCK|PRAGMA|REVOKE|SELECT|SET|UPDATE|VACUUM|WITH"
    r"|\S+ WITHOUT|[^ ]*( AS )?\(+(SELECT|INSERT)) "
)


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """Every text of three words in a source, with its line: none of those for developers or of bad files."""
    return _in(ast.parse(source))


def _in(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Assert() | ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in FOR_DEVELOPERS | OF_BAD_FILES:
            return
        case ast.Raise(exc=ast.Call(func=ast.Name(id="ValueError"))):
            return  # a reader's, who gives it the place in the file
        case ast.Constant() | ast.JoinedStr():
            if _is_sentence(text := _text(node)):
                yield node.lineno, text
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _in(child)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_sentence(text: str) -> bool:
    words = sum(WORD.fullmatch(part) is not None for part in text.split())
    return words >= 3 and text not in NAMES | OF_BEFORE and not SQL.match(text)


def files(room: str) -> list[Path]:
    return sorted((SOURCES / room).rglob("*.py")) or [SOURCES / f"{room}.py"]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_of_the_engine_says_no_sentence(room: str) -> None:
    found = []
    for file in files(room):
        place = file.relative_to(SOURCES).as_posix()
        if not place.startswith(READERS):
            found += [f"{place}:{line}: {text}" for line, text in sentences(file.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("seat", f"there is no seat {id} here")',
        'raise Refused("seat", f"{id} is the name of {other}", clause)',
        'm.BetDecided(command.by, command.at, "the terminal failed after the close")',
        'prompt = "The dice lie still" if still else ""',
        'self.alert("slow", stream, "disk: " + f"{name} took {ms} ms, which is too long")',
        'TOLD = {"lock": "The table is locked."}',
        'if x:\n    what = f"{bet} holds {held}, less than {amount}"',
    ],
)
def test_a_sentence_is_found_wherever_it_is_made(source: str) -> None:
    assert [line for line, _ in sentences(source)] == [source.count("\n") + 1]


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("seat", "name-of-staff", seat=command.seat)',
        'assert balance == 0, f"the balance of {name} is {balance}"',
        'def total(self) -> int:\n    """What lies in all boxes."""',
        'LOG.warning("the database of %s does not answer", name)',
        'raise ValueError(f"{text} is not odds; write 6 to 1")',
        'self.fault("layout", f"box {name} stands there twice")',
        'rows("SELECT row, hash FROM rows WHERE stream = ?")',
        '"call place-your-bets"',
    ],
)
def test_what_developers_read_and_names_are_no_sentences(source: str) -> None:
    assert list(sentences(source)) == []
