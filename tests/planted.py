"""Bugs planted one at a time in a copy of the project: each must turn the test that is named for it red.

A check that cannot fail proves nothing. `make planted` runs them all and fails if one goes unnoticed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BOOKS = "src/croupier/rulebooks"


class Bug(NamedTuple):
    name: str
    file: str
    old: str
    new: str
    test: str


BUGS = (
    Bug(
        "8.5 to 1 swapped with 8 to 1",
        f"{BOOKS}/rws-sicbo-etg-v2.toml",
        'pays = "8.5 to 1"',
        'pays = "8 to 1"',
        "tests/test_matrix.py::test_total_8_pays_8_5_on_the_high_tables",
    ),
    Bug(
        "repeats allowed in four-number bets",
        "src/croupier/rules/bets.py",
        "return len(shown) == DICE and shown <= set(self.faces)",
        "return shown <= set(self.faces)",
        "tests/test_matrix.py::test_four_number_bets_need_three_different_numbers",
    ),
    Bug(
        "pair:1-1-2 offered where it is not printed",
        f"{BOOKS}/rws-sicbo-etg-v2.toml",
        'boxes = "pair: 1-1-3',
        'boxes = "pair: 1-1-2 1-1-3',
        "tests/test_matrix.py::test_pair_1_1_2_is_not_offered_where_it_is_not_printed",
    ),
    Bug(
        "Top Line loses on S",
        f"{BOOKS}/mbs-sands-roulette-v2.toml",
        'wins = "number S 0 00 1 2 3"',
        'wins = "number 0 00 1 2 3"',
        "tests/test_matrix.py::test_top_line_wins_on_S_0_and_00",
    ),
    Bug(
        "a triple wins Small",
        "src/croupier/rules/bets.py",
        "return not _is_triple(outcome) and self.inner.wins(outcome)",
        "return self.inner.wins(outcome)",
        "tests/test_golden.py::test_the_matrix_is_the_reviewed_one",
    ),
    Bug(
        "the stake of a winning bet is not returned",
        "src/croupier/rules/paytable.py",
        "returned = Cents(stake if odds is not None else 0)",
        "returned = Cents(0)",
        "tests/test_settlement.py::test_settlement_conserves_money",
    ),
    Bug(
        "half a cent is rounded away",
        "src/croupier/rules/paytable.py",
        "if stake % unit:",
        "if stake % 1:",
        "tests/test_settlement.py::test_a_stake_that_could_not_be_paid_in_whole_cents_is_refused_with_the_smallest_unit",
    ),
    Bug(
        "decided as soon as one outcome agrees",
        "src/croupier/rules/paytable.py",
        "if wins in (0, len(possible)):",
        "if wins != 1:",
        "tests/test_settlement.py::test_what_is_decided_is_what_every_outcome_still_possible_agrees_on",
    ),
    Bug(
        "bulk settlement forgets the stake",
        "src/croupier/analysis/bulk.py",
        "int((row[outcome] + 1) * self.scale)",
        "int(row[outcome] * self.scale)",
        "tests/test_settlement.py::test_bulk_settlement_is_the_same_settlement",
    ),
    Bug(
        "a clause cited but not indexed goes unseen",
        "src/croupier/rules/reader.py",
        "if clause not in indexed:",
        "if clause is None:",
        "tests/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
)


def plant(bug: Bug) -> str | None:
    """Plant a bug in a copy and run its test there; say what went wrong if the test stays green."""
    with tempfile.TemporaryDirectory(prefix="croupier-planted-") as folder:
        copy = Path(folder)
        for part in ("src", "tests", "docs"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        file = copy / bug.file
        text = file.read_text()
        if bug.old not in text:
            return f"cannot be planted: {bug.file} has no {bug.old!r}"
        file.write_text(text.replace(bug.old, bug.new, 1))
        program = "import sys, pytest; sys.path[:0] = ['src', '.']; sys.exit(pytest.main(sys.argv[1:]))"
        run = subprocess.run(
            [sys.executable, "-c", program, "-q", "-x", "-p", "no:evidence", "-p", "no:cacheprovider", bug.test],
            cwd=copy,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if run.returncode == 1 and f"FAILED {bug.test}" in run.stdout:
            return None
        return f"went unnoticed by {bug.test} (exit {run.returncode})\n{run.stdout[-600:]}"


def main() -> int:
    failed = 0
    for bug in BUGS:
        trouble = plant(bug)
        failed += trouble is not None
        print(f"{'caught' if trouble is None else 'NOT CAUGHT'}: {bug.name}" + (f": {trouble}" if trouble else ""))
    print(f"{len(BUGS) - failed} of {len(BUGS)} planted bugs caught")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
