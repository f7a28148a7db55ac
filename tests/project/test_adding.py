"""What someone adds touches few files. CONTRIBUTING.md counts them; here is what keeps the counts true.

That a page which was built is served stands in `tests/server/staff/test_public.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from croupier.floor import device_config
from croupier.rules.bets import CONDITION_STATEMENTS
from croupier.rules.library import load_rulebook, rulebook_text
from croupier.rules.refusal import Refused
from croupier.rules.statement import STATEMENTS
from croupier.store.address import SERVERS
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.next_acts import irregularities_now
from croupier.transcript.play import play
from croupier.words import refusal

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "croupier"
ANYWHERE = {"none", "simulated"}
"""Kinds of device that are no make: the words are used of other things too."""


@cache
def trees() -> dict[str, ast.Module]:
    return {file.relative_to(SOURCE).as_posix(): ast.parse(file.read_text()) for file in SOURCE.rglob("*.py")}


def words_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def importers(module: str) -> set[str]:
    """The files that import from a module of ours."""
    return {
        file
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
    }


def kinds() -> dict[str, type[device_config._Device]]:
    """Every kind of device that a table's file may name."""
    every = [*device_config._Device.__subclasses__()]
    for one in every:
        every += one.__subclasses__()
    return {one.model_fields["kind"].annotation.__args__[0]: one for one in every if not one.__abstractmethods__}  # type: ignore[union-attr]


def test_a_make_of_device_is_named_in_one_file() -> None:
    makes = kinds().keys() - ANYWHERE
    assert {"cammegh", "shaker"} <= makes
    named = {file for file, tree in trees().items() if makes & set(words_of(tree))}
    assert named == {"floor/device_config.py"}
    pages = "".join(file.read_text() for file in (ROOT / "web" / "src").rglob("*.*s*") if file.name != "wire.ts")
    assert len(pages) > 100_000
    assert not re.search("|".join(makes), pages, re.IGNORECASE)


def test_a_driver_is_made_in_one_file() -> None:
    for driver in ("serial", "shaker"):
        others = {"devices/keypad.py", "devices/lamps.py"}
        assert importers(f"croupier.devices.{driver}") - others == {"floor/device_config.py"}


def test_which_store_is_at_an_address_is_known_in_one_file() -> None:
    assert importers("croupier.store.postgres") == {"store/folder.py"}
    schemes = re.compile("|".join(f"({scheme[:-3]})(://)?" for scheme in SERVERS))
    named = {file for file, tree in trees().items() if any(map(schemes.fullmatch, words_of(tree)))}
    assert named == {"store/address.py", "extras.py"}, "an extra has the name of its database"


def test_the_statements_of_a_win_condition_are_declared_with_it() -> None:
    """A new one is a change of that file and messages. `rule-any` is no condition: it joins several."""
    assert {id for id in STATEMENTS if id.startswith(("fact-", "rule-"))} == CONDITION_STATEMENTS.keys() | {"rule-any"}


TRAY = """
[[irregularity]]
id = "tray-opened"
clause = "5.5.2"
trigger = "The tray of the tumbler was opened before the result was entered."
phases = ["moving", "rest", "entering"]
consequence = "void"
authority = ["dealer", "pit-supervisor"]
people = 1
"""
TUMBLING = """table T1 {file} A
seat Ann 100.00

Dana calls place your bets
Ann bets 10.00 on small
Dana calls no more bets
Dana activates the tumbler
"""


def test_an_irregularity_with_a_consequence_that_others_have_is_data_alone(tmp_path: Path) -> None:
    file = tmp_path / "tray.toml"
    law = rulebook_text("rws-taisai-v5").replace('id = "rws-taisai-v5"', 'id = "tray"')
    file.write_text(f"{law}{TRAY}")
    table = play(TUMBLING.format(file=file)).table
    part = next(one for one in irregularities_now(table, m.PersonId("Dana"), 99) if one.id == "tray-opened")
    assert (part.clause, part.consequence, part.may) == ("5.5.2", "void", True)
    assert "tray-opened" not in {one.id for one in load_rulebook("rws-taisai-v5").irregularities}

    evening = play(f"{TUMBLING.format(file=file)}Dana reports tray-opened\n= void 5.5.2\n= Ann 100.00\n")
    assert evening.checked == 2
    with pytest.raises(Refused) as no:
        decide(evening.table, m.Report(m.PersonId("Dana"), 99, "tray-opened"))
    assert (no.value.reason, no.value.case) == ("irregularity", "other-phase")
    assert "tray-opened" in refusal(no.value)
