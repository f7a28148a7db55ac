"""Which modules have mutants, which tests look for them, and what was found in the last run."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import msgspec

RESULTS = Path(__file__).with_name("results.json")


class Suite(NamedTuple):
    """The fast tests that reach a module: a test that is not named here may find more."""

    files: tuple[str, ...]
    only: str = ""
    """As pytest's -k."""
    server: bool = False
    """Do some need a PostgreSQL?"""


_TABLE = Suite(
    (
        "tests/table/test_limits.py",
        "tests/transcript/test_transcripts.py",
        "tests/table/test_permits.py",
        "tests/test_ledger.py",
        "tests/simulation/test_oracle.py",
        "tests/table/test_view.py",
        "tests/table/test_console.py",
        "tests/table/test_table.py",
    )
)
_ROWS = (
    "tests/store/test_contract.py",
    "tests/store/test_recorder.py",
    "tests/store/test_doors.py",
    "tests/store/test_tickets.py",
    "tests/store/test_bounds.py",
    "tests/store/test_adversary.py",
)
_KEPT = (
    "tests/store/test_archive.py",
    "tests/store/test_heads.py",
    "tests/store/test_office_kept.py",
    "tests/store/test_schema.py",
    "tests/store/test_durability.py",
)
_IN_A_FILE = Suite(
    (
        *_ROWS,
        *_KEPT,
        "tests/store/test_disk.py",
        "tests/store/test_golden_journal.py",
        "tests/store/test_golden_refusals.py",
        "tests/store/test_law.py",
        "tests/store/test_ownership.py",
        "tests/store/test_pack.py",
        "tests/store/test_read_only.py",
        "tests/store/test_flips.py",
        "tests/server/staff/test_passkeys.py",
    ),
    "not postgres",
)
_ON_A_SERVER = Suite(
    (
        *_ROWS,
        *_KEPT,
        "tests/store/test_postgres_faults.py",
        "tests/store/test_roles.py",
        "tests/nodes/test_one_writer.py",
    ),
    "not sqlite",
    server=True,
)
_OFFICE = Suite(
    (
        "tests/office/test_office.py",
        "tests/office/test_people.py",
        "tests/office/test_names.py",
        "tests/table/test_permits.py",
        "tests/store/test_office_kept.py",
    ),
    "not postgres",
)
_SESSIONS = Suite(
    ("tests/server/test_sessions.py", "tests/server/staff/test_session.py", "tests/nodes/test_late.py"),
    "session",
    server=True,
)
MODULES: dict[str, Suite] = {
    "table/limits": _TABLE,
    "table/decide": _TABLE,
    "table/seats": _TABLE,
    "table/cash": _TABLE,
    "table/betting": _TABLE,
    "table/motion": _TABLE,
    "table/result": _TABLE,
    "table/irregularities": _TABLE,
    "table/corrections": _TABLE,
    "table/interruptions": _TABLE,
    "table/checks": _TABLE,
    "table/permits": _TABLE,
    "ledger": _TABLE,
    "office/decide": _OFFICE,
    "server/sessions": _SESSIONS,
    "store/verify": _IN_A_FILE,
    "store/recorder": _IN_A_FILE,
    "store/sqlite": _IN_A_FILE,
    "store/queries": _IN_A_FILE,
    "store/postgres": _ON_A_SERVER,
}


class Result(msgspec.Struct, frozen=True):
    mutants: int
    """There are."""
    run: int
    """Were tried: all, or a sample."""
    survivors: dict[str, str]
    """Those that no test found, each with the reason why none should."""

    @property
    def found(self) -> int:
        return self.run - len(self.survivors)

    @property
    def score(self) -> Fraction:
        return Fraction(self.found, self.run)


def read_results() -> dict[str, Result]:
    return msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, Result]) if RESULTS.exists() else {}


def write_results(results: dict[str, Result]) -> None:
    ordered = {name: results[name] for name in MODULES if name in results}
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n")
