"""The mathematics of the lab against brute force, closed forms and published figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import comb, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import Layout, Refused, load_layout, load_rulebook, rulebook_ids
from croupier.analysis.exact.many_rounds import MOST_ROUNDS, after, ahead_after, power, totals
from croupier.analysis.exact.odds import layout_odds
from croupier.analysis.exact.one_round import Distribution, one_round, result_of
from croupier.analysis.exact.ruin import Stops, _in_floats, _in_ways, ruin
from croupier.analysis.exact.streaks import longest_run, losing_run, run_at_most

HIGH, SANDS = load_layout("rws-sicbo-etg-v2/A"), load_layout("mbs-sands-roulette-v2/A")
TEN = [
    ("small", 10_00),
    ("even", 5_00),
    ("single:3", 5_00),
    ("total:9", 5_00),
    ("total:12", 2_00),
    ("domino:1-4", 5_00),
    ("double:2", 2_00),
    ("any-triple", 1_00),
    ("triple:5", 1_00),
    ("four:1-2-3-4", 4_00),
]
ALL = [layout for id in rulebook_ids() for layout in load_rulebook(id).layouts]

small = st.dictionaries(st.integers(-9, 12), st.integers(1, 7), min_size=1, max_size=4).map(Distribution.make)


# ---- one round


@pytest.mark.parametrize("bets", [[("small", 10_00)], TEN, [("total:8", 2), ("big", 1), ("big", 3)]])
def test_a_round_is_the_settlement_of_every_throw(bets: list[tuple[str, int]]) -> None:
    brute: Counter[int] = Counter()
    for faces in product("123456", repeat=3):
        brute[-HIGH.settle(bets, "-".join(faces)).house] += 1
    assert dict(result_of(HIGH, bets).cells) == dict(sorted(brute.items()))


@pytest.mark.parametrize("layout", ALL, ids=lambda layout: layout.id)
def test_one_bet_alone_has_the_figures_of_its_box(layout: Layout) -> None:
    for row in layout_odds(layout):
        unit = layout.unit(row.box)
        found = one_round(layout, [(row.box, unit)])
        assert (found.edge, found.ahead, found.variance / unit**2) == (row.edge, row.hit_frequency, row.variance)
        assert row.volatility_index == pytest.approx(1.6449 * row.deviation, rel=1e-4)


def test_the_mean_of_a_set_is_the_sum_of_its_boxes_and_its_spread_is_not() -> None:
    found = one_round(HIGH, TEN)
    assert found.mean == -sum(stake * HIGH.edge(box) for box, stake in TEN)
    assert found.variance != sum(stake**2 * HIGH.variance(box) for box, stake in TEN)
    assert found.ahead + found.level + found.behind == 1
    assert sum(cell.ways for cell in found.cells) == found.ways == 216


def test_published_deviations_are_found() -> None:
    for layout, box, deviation in (
        ("nz-taisai-division9/1", "small", 0.9996),
        ("nz-taisai-division9/1", "single:1", 1.3671),
        ("nz-taisai-division9/1", "total:4", 7.3729),
        ("nz-taisai-division9/1", "double:1", 3.1427),
        ("nz-taisai-division9/1", "triple:1", 12.287),
        ("mbs-sands-roulette-v2/A", "straight:17", 5.6902),
    ):
        assert one_round(load_layout(layout), [(box, 100)]).deviation / 100 == pytest.approx(deviation, rel=1e-4)


def test_bad_bets_are_refused_with_a_reason() -> None:
    with pytest.raises(Refused, match="bet none-given"):
        result_of(HIGH, [])
    with pytest.raises(Refused, match="unit unpayable"):
        result_of(HIGH, [("total:8", 5)])
    with pytest.raises(Refused, match="box other-numbers"):
        result_of(HIGH, [("total:3", 100)])


# ---- many rounds


@given(small, st.integers(1, 4))
def test_the_exact_totals_are_those_of_every_sequence_of_rounds(one: Distribution, rounds: int) -> None:
    brute: Counter[int] = Counter()
    for sequence in product(one.cells.items(), repeat=rounds):
        ways = 1
        for _, more in sequence:
            ways *= more
        brute[sum(amount for amount, _ in sequence)] += ways
    spread, everything = totals(one, rounds, "exact"), one.ways**rounds
    for amount in range(min(brute) - 2, max(brute) + 3):
        upto = sum(ways for total, ways in brute.items() if total <= amount)
        assert spread.at_most(amount) == Fraction(upto, everything)
    for share in (Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(99, 100), Fraction(1)):
        found = spread.quantile(share)
        assert spread.at_most(found) >= share > spread.at_most(found - 1)


@given(small, st.integers(1, 60))
@settings(max_examples=60)
def test_the_transform_keeps_its_bound(one: Distribution, rounds: int) -> None:
    exact, near = totals(one, rounds, "exact"), totals(one, rounds, "transform")
    assert 0 < near.bound < 1e-10
    low, high = one.worst * rounds, one.best * rounds
    for amount in range(low - 1, high + 2, max(1, (high - low) // 50)):
        assert abs(float(exact.at_most(amount)) - near.at_most(amount)) <= near.bound


@given(small, st.integers(2, 60))
@settings(max_examples=60)
def test_the_normal_distribution_keeps_its_bound(one: Distribution, rounds: int) -> None:
    if one.variance == 0:
        with pytest.raises(Refused, match="rounds all-alike"):
            totals(one, rounds, "normal")
        return
    exact, near = totals(one, rounds, "exact"), totals(one, rounds, "normal")
    for amount in range(one.worst * rounds - 1, one.best * rounds + 2):
        assert abs(float(exact.at_most(amount)) - near.at_most(amount)) <= near.bound


def test_an_even_chance_is_binomial() -> None:
    found = after(SANDS, [("red", 10_00)], 200)
    wins = [comb(200, k) * 18**k * 21 ** (200 - k) for k in range(201)]
    assert found.method == "exact"
    assert found.ahead == Fraction(sum(wins[101:]), 39**200)
    assert found.level == Fraction(wins[100], 39**200)
    assert found.mean == Fraction(-200_000, 13)
    assert found.deviation == pytest.approx(10_00 * sqrt(200 * 18 * 21) * 2 / 39)


def test_every_way_is_used_and_says_what_it_is() -> None:
    methods = {rounds: after(HIGH, TEN, rounds) for rounds in (10, 2_000, 10_000_000)}
    assert [found.method for found in methods.values()] == ["exact", "transform", "normal"]
    assert methods[10].bound == 0 < methods[2_000].bound < 1e-8 < methods[10_000_000].bound < 1e-2
    for found in methods.values():
        assert sum(bar.probability for bar in found.bars) == pytest.approx(1, abs=2e-3)
        assert all(one.high < other.low for one, other in pairwise(found.bars))
        assert [q.amount for q in found.quantiles] == sorted(q.amount for q in found.quantiles)
    with pytest.raises(Refused, match="rounds out-of-range"):
        after(HIGH, TEN, 0)
    with pytest.raises(Refused, match="rounds out-of-range"):
        after(HIGH, TEN, MOST_ROUNDS + 1)


def test_the_chance_to_be_ahead_falls_with_the_rounds() -> None:
    curve = ahead_after(SANDS, [("red", 10_00)], [1, 11, 101, 1001, 10_001])
    assert [rounds for rounds, _ in curve] == [1, 11, 101, 1001, 10_001]
    assert all(one > other for (_, one), (_, other) in pairwise(curve))


def test_bets_that_cover_everything_always_bring_the_same() -> None:
    bets = [("red", 18_00), ("black", 18_00), ("straight:S", 1_00), ("straight:0", 1_00), ("straight:00", 1_00)]
    found = after(SANDS, bets, 50)
    assert (found.mean, found.behind) == (Fraction(-150_00), Fraction(1))
    assert {q.amount for q in found.quantiles} == {-150_00}


@given(st.dictionaries(st.integers(0, 6), st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 6))
def test_the_recurrence_for_powers_is_multiplication(places: dict[int, int], exponent: int) -> None:
    coefficients = {place - min(places): ways for place, ways in places.items()}
    slow = {0: 1}
    for _ in range(exponent):
        product_of: Counter[int] = Counter()
        for (one, ways), (other, more) in product(slow.items(), coefficients.items()):
            product_of[one + other] += ways * more
        slow = product_of
    assert {place: ways for place, ways in enumerate(power(coefficients, exponent)) if ways} == dict(slow)


# ---- ruin


def test_the_gambler_is_ruined_as_the_closed_form_says() -> None:
    p, q = Fraction(18, 39), Fraction(21, 39)
    for own, others in ((3, 3), (10, 5), (1, 20)):
        ratio = q / p
        won = (ratio**own - 1) / (ratio ** (own + others) - 1)
        found = ruin(SANDS, [("red", 10_00)], own * 10_00, stop_win=others * 10_00)
        assert not found.exact
        assert abs(float(found.won) - float(won)) < found.bound + 1e-11
        assert abs(float(found.broke) - float(1 - won)) < found.bound + 1e-11
        rounds = (own - (own + others) * won) / (q - p)
        assert float(found.mean_rounds) == pytest.approx(float(rounds))


def test_a_bankroll_is_followed_through_every_sequence_of_throws() -> None:
    bets, start, rounds = [("total:9", 5_00), ("small", 5_00)], 20_00, 4
    one, ends = result_of(HIGH, bets), Counter[str]()
    for sequence in product(one.cells.items(), repeat=rounds):
        balance, ways, end = start, 1, "playing"
        for amount, more in sequence:
            ways *= more
            if end == "playing":
                balance += amount
                end = "won" if balance >= 50_00 else "broke" if balance < 10_00 else "playing"
        ends[end] += ways
    found = ruin(HIGH, bets, start, rounds, stop_win=30_00)
    assert found.exact
    everything = one.ways**rounds
    assert (found.broke, found.won, found.playing) == tuple(
        Fraction(ends[end], everything) for end in ("broke", "won", "playing")
    )


@given(
    small.filter(lambda one: one.worst < 0),
    st.integers(9, 40),
    st.integers(1, 12),
    st.one_of(st.none(), st.integers(1, 30)),
    st.one_of(st.none(), st.integers(1, 30)),
)
@settings(max_examples=80)
def test_floats_keep_their_bound_against_whole_ways(
    one: Distribution, bankroll: int, rounds: int, win: int | None, loss: int | None
) -> None:
    stops = Stops(9, None if loss is None else bankroll - loss, None if win is None else bankroll + win)
    exact, near = _in_ways(one, stops, bankroll, rounds), _in_floats(one, stops, bankroll, rounds)
    for end, share in exact[0].items():
        assert float(near[0][end]) == pytest.approx(float(share), abs=1e-13)
    assert float(near[1]) == pytest.approx(float(exact[1]), abs=1e-13)
    assert float(near[2]) == pytest.approx(float(exact[2]), abs=1e-11)
    assert sum(exact[0].values()) + exact[1] == 1


def test_an_evening_without_an_end_is_lost() -> None:
    found = ruin(SANDS, [("red", 10_00)], 100_00)
    assert float(found.broke) == pytest.approx(1, abs=1e-9)
    assert float(found.mean_rounds) == pytest.approx(130, abs=1e-6)  # ten units at 1/13 each


def test_questions_of_ruin_without_an_answer_are_refused() -> None:
    for message, bankroll, rounds, stop in (
        ("bankroll too-small bankroll=500 staked=1000", 5_00, 10, None),
        ("stop not-above-zero stop=stop-win amount=0", 100_00, 10, 0),
        ("rounds none rounds=0", 100_00, 0, None),
        ("too-many .*bankrolls=", 99_999_999_01, 10_000_000, None),
    ):
        with pytest.raises(Refused, match=message):
            ruin(SANDS, [("red", 10_00)], bankroll, rounds, stop_win=stop)


# ---- losing runs


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 10), st.integers(0, 10))
def test_the_longest_losing_run_is_counted_in_every_sequence(hits: int, losses: int, rounds: int, length: int) -> None:
    fit = 0
    for sequence in product((True, False), repeat=rounds):
        run = longest = 0
        for won in sequence:
            run = 0 if won else run + 1
            longest = max(longest, run)
        ways = hits ** sum(sequence) * losses ** (rounds - sum(sequence))
        fit += ways if longest <= length else 0
    assert run_at_most(hits, hits + losses, rounds, length) == Fraction(fit, (hits + losses) ** rounds)


def test_a_losing_run_is_the_shortest_that_is_not_exceeded() -> None:
    for box in ("small", "total:4", "triple:1"):
        hits, found = HIGH.hits(box), losing_run(HIGH, box, 300)
        for share, run in zip(found.shares, found.runs, strict=True):
            assert run_at_most(hits, 216, 300, run) >= share > run_at_most(hits, 216, 300, run - 1)
            assert longest_run(hits, 216, 300, share) == run
    with pytest.raises(Refused, match=r"rounds losing-run rounds=.* most="):
        losing_run(HIGH, "small", 10**6)
