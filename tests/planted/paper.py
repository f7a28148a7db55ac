"""Bugs in `src/croupier/paper`."""

from tests.planted.bug import Bug

BUGS = (
    Bug(
        "the words of an amount miss an and",
        "src/croupier/paper/amounts.py",
        'joint = " and " if rest < 100 else " "',
        'joint = " and " if rest < 10 else " "',
        "tests/paper/test_paper.py",
    ),
)
