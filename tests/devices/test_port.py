"""The port: facts can be written and read, faults have names that lead to the books."""

from __future__ import annotations

import msgspec
import pytest

from croupier import load_rulebook, rulebook_ids
from croupier.devices.port import FAULTS, POINTS_TO, SURE, AnyFact, Monotonic, Shown, Warned
from croupier.devices.tumbler import SimulatedTumbler
from croupier.devices.wheel import SimulatedWheel
from croupier.rules.outcomes import Outcome
from tests.devices.simulated_entry import SimulatedEntry


def test_a_fact_is_written_and_read_as_json() -> None:
    for fact in (Shown("t1", 7, Outcome("1-3-4")), Warned("w1", 8, "no-number")):
        assert msgspec.json.decode(msgspec.json.encode(fact), type=AnyFact) == fact


def test_a_warning_outside_the_list_is_no_fact() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"type":"Warned","device":"w1","at":1,"what":"gremlins"}', type=Warned)


def test_every_fault_points_to_irregularities_that_a_book_has() -> None:
    known = {part.id for id in rulebook_ids() for part in load_rulebook(id).irregularities}
    pointed = {id for ids in POINTS_TO.values() for id in ids}
    assert pointed <= known, pointed - known
    assert set(POINTS_TO) <= set(FAULTS)
    assert all(irregularity in POINTS_TO[fault] for fault, irregularity in SURE.items())


def test_every_fault_of_a_simulator_is_a_fault_of_the_port() -> None:
    for device in (SimulatedTumbler, SimulatedWheel, SimulatedEntry):
        assert set(device.faults) <= set(FAULTS)
        assert len(set(device.faults)) == len(device.faults)


def test_the_clock_never_goes_back() -> None:
    clock = Monotonic()
    seen = [clock.now() for _ in range(1000)]
    assert seen == sorted(seen)
