"""Draws, dice and wheels are fair by the suite, and the suite finds those that are not. Seeds are fixed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from croupier.analysis.exact.statistics import (
    HealthFinding,
    chi_square,
    chi_square_tail,
    examine,
    odd_findings,
    runs,
    serial_correlation,
    suite,
)
from croupier.devices.chance import Source, draw, throw
from croupier.rules.library import load_rulebook
from croupier.rules.outcomes import FACES, Dice, Outcome, Space, Wheel
from croupier.rules.refusal import Refused

# ---- the suite, fixed beforehand: 99% for all of it together, one retest

SANDS = load_rulebook("mbs-sands-roulette-v2").space
assert isinstance(SANDS, Wheel)
CELLS = {one: number for number, one in enumerate(product(FACES, repeat=3))}


def dice_findings(source: Source, throws: int) -> list[HealthFinding]:
    thrown = [throw(source) for _ in range(throws)]
    faces = [FACES.index(face) for one in thrown for face in one]
    by_cell, by_face = Counter(thrown), Counter(faces)
    return [
        chi_square([by_face[face] for face in range(6)], test="6 faces"),
        chi_square([by_cell[cell] for cell in CELLS], test="216 throws"),
        runs(faces, test="runs of faces"),
        serial_correlation(faces, test="serial correlation of faces"),
    ]


def pair_finding(source: Source) -> HealthFinding:
    """Two throws after each other; no throw is in two pairs, or the counts would depend on each other."""
    pairs = Counter(CELLS[throw(source)] * 216 + CELLS[throw(source)] for _ in range(5 * 46_656))
    return chi_square([pairs[pair] for pair in range(46_656)], test="46,656 pairs of throws")


def wheel_findings(source: Source) -> list[HealthFinding]:
    numbers = [draw(39, source) for _ in range(200_000)]
    seen = Counter(numbers)
    return [
        chi_square([seen[number] for number in range(39)], test="39 numbers"),
        runs(numbers, test="runs of numbers"),
        serial_correlation(numbers, test="serial correlation of numbers"),
    ]


def test_the_draws_pass_the_suite() -> None:
    seeds = iter(range(1, 3))

    def sample() -> list[HealthFinding]:
        source = random.Random(next(seeds)).randbytes
        return [*dice_findings(source, 100_000), pair_finding(source), *wheel_findings(source)]

    assert examine(sample) == ()


def modulo(source: Source) -> Source:
    """Bytes as a draw without rejection would use them."""
    return lambda count: bytes(byte % 6 for byte in source(count))


@pytest.mark.parametrize(
    ("name", "spoil", "caught_by"),
    [
        ("faces by byte modulo 6", lambda source: modulo(source), "6 faces"),
        ("one byte in 32 repeats the one before", lambda source: sticky(source), "serial correlation of faces"),
        ("each byte is one more than the one before", lambda source: ladder(), "216 throws"),
    ],
)
def test_the_suite_catches_a_bad_source(name: str, spoil: Callable[[Source], Source], caught_by: str) -> None:
    source = spoil(random.Random(1).randbytes)
    assert caught_by in {finding.test for finding in examine(lambda: dice_findings(source, 100_000))}, name


def sticky(source: Source) -> Source:
    last = [0]

    def give(count: int) -> bytes:
        byte = source(1)[0]
        last[0] = last[0] if byte < 8 else byte
        return bytes([last[0]])

    return give


def ladder() -> Source:
    steps = iter(range(10**9))
    return lambda count: bytes([next(steps) % 252])


# ---- the figures, against published ones


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [(3.841459, 1, 0.05), (11.070498, 5, 0.05), (15.086272, 5, 0.01), (61.162087, 38, 0.01), (123.225221, 99, 0.05)],
)
def test_chi_square_tails_are_the_published_ones(statistic: float, freedom: int, p: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(p, abs=1e-6)


def test_a_perfect_fit_has_p_1_and_an_impossible_one_0() -> None:
    assert chi_square([100] * 6).p == 1.0
    assert chi_square([600, 0, 0, 0, 0, 0]).p < 1e-300


def test_runs_sees_too_few_and_too_many() -> None:
    assert runs([0] * 50 + [1] * 100 + [2] * 50).p < 1e-6
    assert runs([0, 2] * 100 + [1]).p < 1e-6
    assert runs(_shuffled()).p > 0.01


def _shuffled() -> list[int]:
    values = list(range(101)) * 4
    random.Random(4).shuffle(values)
    return values


def test_serial_correlation_sees_what_depends_on_the_value_before() -> None:
    assert serial_correlation(sorted(_shuffled())).p < 1e-6
    assert serial_correlation(_shuffled()).p > 0.01


def test_a_sample_too_small_is_refused_with_what_is_needed() -> None:
    with pytest.raises(Refused, match="few test=chi-square outcomes=216 cells=216 needed=1080"):
        chi_square([1] * 216)
    with pytest.raises(Refused, match="one-sided test=runs above=1 below=1 needed=10"):
        runs([1, 2, 3])
    with pytest.raises(Refused, match="alike test=serial correlation values=100 needed=51"):
        serial_correlation([4] * 100)


# ---- live health of dice and of a wheel


def outcomes(space: Space, source: Source, count: int) -> list[Outcome]:
    if isinstance(space, Dice):
        return [Outcome("-".join(sorted(throw(source)))) for _ in range(count)]
    return [Outcome(space.numbers[draw(len(space.numbers), source)]) for _ in range(count)]


@pytest.mark.parametrize("space", [Dice.make(), SANDS], ids=["dice", "wheel"])
def test_fair_equipment_raises_no_alarm(space: Space) -> None:
    source = random.Random(11).randbytes
    assert examine(lambda: suite(outcomes(space, source, 5000), space)) == ()


def test_a_loaded_die_and_a_biased_wheel_are_found() -> None:
    source = random.Random(12).randbytes
    dice = Dice.make()

    def loaded() -> list[Outcome]:
        return [dice.parse("-".join((*o.split("-")[:2], "6"))) for o in outcomes(dice, source, 2000)]

    assert {"outcomes", "faces"} <= {found.test for found in examine(lambda: suite(loaded(), dice))}

    def biased() -> list[Outcome]:
        return outcomes(SANDS, source, 4000) + [Outcome("17")] * 100

    assert "outcomes" in {found.test for found in examine(lambda: suite(biased(), SANDS))}


def test_one_odd_sample_is_no_alarm_and_the_level_is_shared() -> None:
    odd, plain = HealthFinding("runs", 4.0, 0.0001), HealthFinding("runs", 0.1, 0.9)
    samples = iter([[odd], [plain]])
    assert examine(lambda: next(samples)) == ()
    samples = iter([[odd], [odd]])
    assert examine(lambda: next(samples)) == (odd,)
    borderline = HealthFinding("faces", 3.0, 0.004)
    assert odd_findings([borderline]) == (borderline,)
    assert odd_findings([borderline, plain, plain]) == ()
