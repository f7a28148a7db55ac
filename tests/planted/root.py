"""Bugs in the files of `src/croupier` that are in no room: the ledger, and the names that it exports."""

from tests.planted.bug import Bug

BUGS = (
    Bug(
        "a void moves no money",
        "src/croupier/ledger.py",
        'one.amount, "void", one.bet) for one in event.returned]',
        'one.amount, "void", one.bet) for one in event.returned[1:]]',
        "tests/transcript/test_transcripts.py",
    ),
    Bug(
        "a void counts as a win",
        "src/croupier/ledger.py",
        '    "void": "turnover",\n',
        '    "void": "wins",\n',
        "tests/test_ledger.py",
    ),
    Bug(
        "a promised name is gone",
        "src/croupier/__init__.py",
        '    "Fault": "bad_input",\n',
        "",
        "tests/project/test_promised.py::test_every_promised_name_exists",
    ),
    Bug(
        "a red transcript counts as green",
        "tests/mutation/law.py",
        "        return True  # the engine noticed by itself, or a line of the transcript is not true\n",
        "        return False\n",
        "tests/project/test_mutation_of_the_law.py",
    ),
)
