"""The maker of mutants makes what it says, plants it where it is used, and sees when a test is red."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.record import MODULES, read_results

ROOT = Path(__file__).parents[2]


def made(source: str) -> list[str]:
    return [mutant.name.partition(": ")[2] for mutant in mutants_of(ast.parse(textwrap.dedent(source)))]


@pytest.mark.parametrize(
    ("line", "mutants"),
    [
        ("return a < b", ["a < b → a <= b", "a < b → a >= b"]),
        ("return a == b", ["a == b → a != b"]),
        ("return a and b", ["a and b → b", "a and b → a"]),
        ("if not a: b = 1", ["not a → a", "1 → 2"]),
        ("if a: raise ValueError", ["a → not a", "raise ValueError → pass"]),
        ("a += b", ["a += b → pass"]),
        ("a.b = c - d", ["a.b = c - d → pass", "c - d → c + d"]),
        ("return 'word'", ["'word' → 'word~'"]),
        (
            "raise Refused('limits', 'prose is left alone', clause)",
            ["raise Refused('limits', 'pro", "'limits' → 'limits~'"],
        ),
        ("log.info('taken')", []),
        ("'''What it does.'''", []),
        ("return [x for x in y if x]", ["for x in y if x → for x in y"]),
        ("return isinstance(a, B | C)", ["B | C → B", "B | C → C"]),
        ("a = 'UPDATE streams SET until = 0 WHERE stream = ? AND epoch = ?'", ["'UPDATE streams SET until"] * 2),
    ],
)
def test_each_small_mistake_is_made_once(line: str, mutants: list[str]) -> None:
    found = made(f"def f(a, b, c, d, y):\n    {line}\n")
    assert len(found) == len(mutants)
    assert all(one.startswith(start) for one, start in zip(found, mutants, strict=True)), found


def test_a_way_of_a_match_and_an_entry_of_a_table_are_left_out() -> None:
    assert made("def f(a):\n    match a:\n        case B() | C():\n            return None\n") == [
        "B() | C() → C()",
        "B() | C() → B()",
    ]
    assert made("WHO = {m.Bet: (one, two)}\nsize = 3\nSIZE = 3\n") == ["(one, two) → (two,)", "(one, two) → (one,)"]


def test_mutants_are_the_same_in_every_run_and_no_two_have_one_name() -> None:
    for name in MODULES:
        source = (ROOT / "src" / "croupier" / f"{name}.py").read_text()
        names = [mutant.name for mutant in mutants_of(ast.parse(source))]
        assert names == [mutant.name for mutant in mutants_of(ast.parse(source))]
        assert len(set(names)) == len(names) > 10


PLANTED = """
import ast, importlib
from pathlib import Path
from croupier.table import decide as user, permits, roles
from tests.mutation.__main__ import plant
from tests.mutation.mutants import mutants_of

def planted(module, start):
    source = Path(module.__file__).read_text()
    names = [mutant.name for mutant in mutants_of(ast.parse(source))]
    [number] = [number for number, name in enumerate(names) if name.startswith(start)]
    plant(module, source, number)

before = user.authorise.__code__
planted(permits, "authorise: not set(allowed) & set(held)")
assert user.authorise is permits.authorise and user.authorise.__code__ is not before
from croupier.table import roles, seats
held = roles.SUPERVISION
planted(roles, "module: ('pit-supervisor', 'pit-manager', 'shift-manager') \\u2192 ('pit-manager',")
assert roles.SUPERVISION == ("pit-manager", "shift-manager") != held
assert seats.SUPERVISION is permits.SUPERVISION is roles.SUPERVISION
"""


def test_a_mutant_is_planted_wherever_its_part_is_in_use() -> None:
    """In a process of its own: nothing takes it out again."""
    ended = subprocess.run([sys.executable, "-c", PLANTED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_whatever_no_test_found_is_explained_and_what_nobody_has_looked_at_does_not_grow() -> None:
    results = read_results()
    assert set(results) <= set(MODULES)
    open = {name: sum(not why for why in result.survivors.values()) for name, result in results.items()}
    assert {name: count for name, count in open.items() if count} == NOT_LOOKED_AT


NOT_LOOKED_AT: dict[str, int] = {"server/sessions": 73}
"""Modules in which survivors wait for a test or a reason: these only become fewer."""
