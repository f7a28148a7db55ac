"""The examination of randomness: a fair source passes, unfair ones are caught, and the false alarms are as promised."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from croupier import Refused, load_rulebook
from croupier.analysis.exact.statistics import LEVEL
from croupier.analysis.report.examined import verdict
from croupier.analysis.simulate.randomness import (
    HAND,
    Ints,
    Sample,
    _collected,
    examine,
    look,
    power,
    registered,
    sample_of,
    sees,
    spun,
    stirling,
    thrown,
)
from croupier.cli.rng import _Bytes, drawn
from tests.support.command_line import WHERE, answer, run

DICE, WHEEL = load_rulebook("rws-sicbo-etg-v2").space, load_rulebook("mbs-sands-roulette-v2").space
SUITE = {"faces", "throws", "pairs of throws", "runs", "serial correlation", "gap", "poker", "coupon", "permutation"}


def throws(count: int, seed: int) -> Sample:
    return thrown(DICE, np.random.default_rng(seed).integers(0, 6, (count, 3)))


def test_the_suite_is_the_one_that_the_standards_name() -> None:
    assert {test.name for test in registered(throws(100, 1))} == SUITE
    names = {test.name for test in registered(spun(WHEEL, np.arange(100) % 39))}
    assert names == SUITE - {"faces", "throws", "pairs of throws"} | {"numbers", "pairs of numbers"}


def test_a_fair_source_passes_at_a_fixed_seed() -> None:
    for sample in (throws(500_000, 7), spun(WHEEL, np.random.default_rng(7).integers(0, 39, 200_000))):
        seen = look(sample, "a fair source")
        assert all(test.p is not None for test in seen.tests)
        assert seen.speaking == ()
        assert examine("dice", seen).verdict == "passed"


def test_the_products_own_draws_pass_at_a_fixed_seed() -> None:
    for space in (DICE, WHEEL):
        seen = look(drawn(space, 60_000, _Bytes(1)), "own")
        assert seen.speaking == ()


def test_a_byte_modulo_six_is_caught() -> None:
    """43 of 256 bytes lead to each of four faces, 42 to the others: 310,000 faces are enough in 99 of 100 samples."""
    bytes_ = np.random.default_rng(1).integers(0, 256, (110_000, 3))
    seen = look(thrown(DICE, bytes_ % 6), "byte % 6")
    assert "faces" in seen.speaking
    again = np.random.default_rng(2).integers(0, 256, (110_000, 3))
    found = examine("dice", seen, lambda: look(thrown(DICE, again % 6), "byte % 6"))
    assert (found.verdict, "faces" in found.alarms) == ("failed", True)


def test_one_face_one_percent_too_often_is_caught_by_two_million_faces() -> None:
    assert sees(2_100_000, 6, LEVEL / 9) < 0.01 < sees(1_900_000, 6, LEVEL / 9)
    weights = np.full(6, (1 - 1.01 / 6) / 5)
    weights[3] = 1.01 / 6
    samples = [np.random.default_rng(seed).choice(6, size=(700_000, 3), p=weights) for seed in (1, 2)]
    first, second = (look(thrown(DICE, faces), "a loaded die") for faces in samples)
    found = examine("dice", first, lambda: second)
    assert (found.verdict, found.alarms[0]) == ("failed", "faces")
    assert power(0.01, 100_000, 6, LEVEL / 9) < 0.05  # and 10⁵ faces cannot see it


@pytest.mark.parametrize(
    ("test", "spoil"),
    [
        ("permutation", np.zeros_like),  # one throw for ever
        ("coupon", np.zeros_like),
        ("pairs of throws", lambda f: np.repeat(f[::2], 2, axis=0)),  # every throw twice
        ("serial correlation", lambda f: np.where(np.arange(len(f))[:, None] % 8 == 0, np.roll(f, 1, axis=0), f)),
        ("runs", lambda f: f[np.argsort(f.sum(axis=1) > 10, kind="stable")]),  # low throws first
        ("gap", lambda f: np.roll(np.sort(f, axis=1), 1, axis=0)),  # the dice sorted by their faces
        ("poker", lambda f: np.sort(f.reshape(-1, 30), axis=1).reshape(-1, 3)),
        ("coupon", lambda f: np.sort(f.reshape(-1, 30), axis=1).reshape(-1, 3)),
        ("permutation", lambda f: f[_by_three(f)]),
    ],
)
def test_what_only_one_kind_of_test_is_made_for_is_caught(test: str, spoil: object) -> None:
    faces = np.random.default_rng(5).integers(0, 6, (480_000, 3))
    assert test in look(thrown(DICE, spoil(faces)), "spoilt").speaking  # type: ignore[operator]


def _by_three(faces: Ints) -> Ints:
    """Of every three throws the largest last, a little too often."""
    numbers = (faces @ np.array([36, 6, 1])).reshape(-1, 3)
    order = np.tile(np.arange(3), (len(numbers), 1))
    order[::20] = np.argsort(numbers[::20], axis=1)
    return (order + 3 * np.arange(len(numbers))[:, None]).ravel()


def test_false_alarms_are_as_rare_as_promised() -> None:
    """Of 120 samples each test may say p < 10% in about 12: it is no more often, and not never."""
    odd: Counter[str] = Counter()
    for seed in range(120):
        seen = look(throws(2_000, 1_000 + seed), "fair")
        odd.update(test.test for test in seen.tests if test.p is not None and test.p < 0.1)
    made = SUITE - {"pairs of throws"}
    assert set(odd) == made
    assert all(2 <= odd[test] <= 26 for test in made), odd


def test_the_exact_probabilities_behind_poker_and_coupon() -> None:
    hands = Counter(len(set(hand)) for hand in product(range(6), repeat=HAND))
    for r in range(1, HAND + 1):
        ways = stirling(HAND, r) * int(np.prod(range(6 - r + 1, 7)))
        assert Fraction(ways, 6**HAND) == Fraction(hands[r], 6**HAND)
    for length, upto in enumerate(_collected(3, 7)):
        whole = sum(len(set(row)) == 3 for row in product(range(3), repeat=length))
        assert upto == pytest.approx(whole / 3**length)


def test_throws_written_in_ascending_order_are_known_for_it() -> None:
    rows = np.sort(np.random.default_rng(3).integers(1, 7, (40_000, 3)), axis=1)
    seen = look(sample_of(DICE, ("-".join(map(str, row)) for row in rows.tolist())), "a table")
    assert (seen.ordered, seen.speaking) == (False, ())
    assert next(test for test in seen.tests if test.test == "throws").cells == 56


def test_one_finding_is_no_alarm() -> None:
    bytes_ = np.random.default_rng(1).integers(0, 256, (110_000, 3))
    spoke, silent = look(thrown(DICE, bytes_ % 6), "first"), look(throws(110_000, 7), "second")
    assert examine("dice", spoke).verdict == "examine again"
    assert "examine a fresh sample" in verdict(examine("dice", spoke))
    found = examine("dice", spoke, lambda: silent)
    assert (found.verdict, found.alarms) == ("passed", ())
    assert "by the rule, chance" in verdict(found)
    with pytest.raises(Refused, match="sample the-first-again"):
        examine("dice", spoke, lambda: spoke)


def test_rng_on_the_command_line_draws_reads_and_files(tmp_path: Path) -> None:
    kept, paper = tmp_path / "throws.txt", tmp_path / "rng.pdf"
    code, out, _ = run(
        "rng", "rws-sicbo-etg-v2", "--sample", "2e4", "--seed", "1", "--keep", str(kept), "-o", str(paper)
    )
    assert (code, "PASSED. None of 8 tests spoke on 20,000 outcomes." in out) == (0, True)
    assert "not made: needs 466,560" in out
    assert "PASSED" in PdfReader(paper).pages[0].extract_text()
    report = answer("rng", "rws-sicbo-etg-v2", "--file", str(kept))
    assert (report["verdict"], report["looks"][0]["outcomes"]) == ("passed", 20_000)
    assert answer("rng", "mbs-sands-roulette-v2", "--sample", "5000", "--seed", "2")["looks"][0]["symbols"] == 5_000
    loaded = tmp_path / "loaded.txt"
    loaded.write_text("# three dice, one of them glued\n" + "\n".join(["6-1-2, 6-3-4", "6-5-1 6-2-2"] * 100))
    code, out, _ = run("rng", "rws-sicbo-etg-v2", "--file", str(loaded))
    assert (code, "NOT PASSED: faces" in out) == (1, True)
    again = tmp_path / "again.txt"
    again.write_text("6-1-3 " * 50 + loaded.read_text().partition("\n")[2])
    code, out, _ = run("rng", "rws-sicbo-etg-v2", "--file", str(loaded), "--again", str(again))
    assert (code, "FAILED. On two samples" in out) == (1, True)


def test_rng_examines_what_a_table_has_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WHERE, "folder", tmp_path)
    results = np.random.default_rng(4).integers(1, 7, (40, 3)).tolist()
    rounds = [
        f"Dana calls place your bets\nAnn bets 1.00 on small\nDana calls no more bets\nDana activates the tumbler\n"
        f"Dev counts 3\nDana enters {'-'.join(map(str, sorted(faces)))}\nDana confirms\n"
        for faces in results
    ]
    (tmp_path / "evening.round").write_text("table T1 rws-sicbo-etg-v2 A\nseat Ann 9000.00\n\n" + "".join(rounds))
    assert run("init")[0] == 0
    assert run("play", "evening.round", "--floor", "floor")[0] == 0
    report = answer("rng", "rws-sicbo-etg-v2", "--table", "T1")
    [seen] = report["looks"]
    assert (seen["outcomes"], seen["ordered"], report["verdict"]) == (40, False, "passed")
    assert [test["test"] for test in seen["tests"] if test["p"] is not None] == ["faces"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--sample", "10"), "give 100 to 100,000,000 outcomes"),
        (("--file", "a", "--table", "b"), "examine one source"),
        (("--again", "a"), "examine one source"),
        (("--file", "nowhere.txt"), "cannot be read"),
        (("--table", "T1", "--floor", "nowhere"), "nowhere"),
    ],
)
def test_wrong_use_of_rng_is_refused_with_a_word(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("rng", "rws-sicbo-etg-v2", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_file_with_faults_names_them_all(tmp_path: Path) -> None:
    file = tmp_path / "throws.txt"
    file.write_text("1-2-3\n1-2-7\n4-4\n")
    code, _, err = run("rng", "rws-sicbo-etg-v2", "--file", str(file))
    assert (code, "line 2" in err, "line 3" in err) == (2, True, True)
    file.write_text("1-2-3\n" * 12)
    assert "too few for any test" in run("rng", "rws-sicbo-etg-v2", "--file", str(file))[2]
