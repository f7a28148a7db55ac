"""A fixed share of the simulator: a seeded crowd at all five tables, checked against the oracle after every command.

`make simulate SEED=… COMMANDS=…` plays another share, `make simulate-long` ten million commands.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from tests.simulation.oracle import apportioned
from tests.simulation.runner import Coverage, EveningFailed, missing, play_evening, report_failure, shrink, wanted
from tests.simulation.swarm import BOOKS, KNOWN

SEED, COMMANDS = "croupier", 100_000
"""Per book; five books make 500,000 commands, about 50 seconds on one core."""

SEEN: dict[str, Coverage] = {}


@pytest.mark.parametrize("book", BOOKS)
def test_the_engine_agrees_with_the_oracle_after_every_command(book: str) -> None:
    coverage, number = Coverage(), 0
    while coverage.commands < COMMANDS:
        try:
            play_evening(SEED, number, book, coverage, COMMANDS - coverage.commands)
        except EveningFailed as failed:
            pytest.fail(report_failure(SEED, number, book, failed), pytrace=False)
        number += 1
    assert coverage.rounds["settled"] > COMMANDS / 100
    SEEN[book] = coverage


def test_every_irregularity_interruption_command_and_refusal_was_met() -> None:
    if set(SEEN) != set(BOOKS):
        pytest.skip("needs the shares of all five books, above")
    together = Coverage()
    for coverage in SEEN.values():
        together.add(coverage)
    assert not any(missing(together).values()), missing(together)


def test_no_fault_of_the_engine_is_known_and_walked_around() -> None:
    assert not KNOWN


def test_the_oracle_wants_every_cell_of_the_interruption_table() -> None:
    wants = wanted()
    assert len(wants["cells"]) == 8 * (3 + 3 + 3 + 4 + 4)
    assert len(wants["kinds"]) == 2 * 49


@pytest.mark.parametrize(
    ("stakes", "cap", "minimum", "in_action"),
    [
        ({"A": 600_00, "B": 500_00, "C": 400_00}, 1000_00, 25_00, {"A": 400_00, "B": 333_33, "C": 266_66}),
        (
            {"A": 6000_00, "B": 1830_00, "C": 120_00, "E": 50_00},
            6000_00,
            100_00,
            {"A": 4482_75, "B": 1367_24, "C": 100_00, "E": 50_00},
        ),
        (
            dict.fromkeys("ABCDEFGHIJKL", 100_00) | {"Q": 300_00},
            1000_00,
            100_00,
            dict.fromkeys("ABCDEFGHIJKLQ", 100_00),
        ),
        ({"A": 5000_00, "B": 3000_00}, 4500_00, 100_00, {"A": 2812_50, "B": 1687_50}),
    ],
)
def test_the_oracle_apportions_as_the_rulings_do(
    stakes: dict[str, int], cap: int, minimum: int, in_action: dict[str, int]
) -> None:
    assert apportioned(stakes, cap, minimum) == in_action
    assert sum(map(Fraction, in_action.values())) <= max(cap, minimum * len(stakes))


def test_a_failure_shrinks_to_what_causes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault, the House pays a cent too much to a winner, is found and made small."""
    from croupier import ledger
    from croupier.table import messages as m
    from tests.simulation import runner

    def generous(table: str, event: m.AnyEvent) -> list[ledger.Transfer]:
        transfers = ledger.post(table, event)
        if isinstance(event, m.WinnersPaid) and transfers:
            first = transfers[0]
            transfers[0] = msgspec.structs.replace(first, amount=first.amount + 1)
        return transfers

    monkeypatch.setattr(runner, "post", generous)
    with pytest.raises(EveningFailed) as failed:
        play_evening("planted", 1, "rws-sicbo-etg-v2", Coverage(), 2_000)
    match = failed.value.match
    few = shrink(match.evening, match.commands, seconds=10)
    assert len(few) <= 20 < len(match.commands)
