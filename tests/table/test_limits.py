"""Limits at a live table: the worked examples of the readings, and the laws of apportionment for any stakes."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.rules.library import load_layout, load_rulebook
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table.limits import (
    apportion,
    caps,
    check_bet,
    check_limits,
    cut_at_close,
    fates,
    in_action,
    misfits,
    short_seats,
)
from croupier.table.messages import BetId, Limits, RoundNumber, SeatId
from croupier.table.state import LaidBet, Round


def shared(stakes: dict[str, int], cap: int, minimum: int) -> dict[str, int]:
    found = apportion({SeatId(s): Cents(a) for s, a in stakes.items()}, Cents(cap), Cents(minimum), Cents(1))
    return {str(seat): int(amount) for seat, amount in found.action.items()}


@pytest.mark.clause("rws-taisai-v5", "5.1.1")
def test_5_1_1_the_examples_are_exact_to_the_cent() -> None:
    assert shared({"A": 600_00, "B": 500_00, "C": 400_00}, 1_000_00, 25_00) == {"A": 400_00, "B": 333_33, "C": 266_66}
    assert shared({"A": 6_000_00, "B": 1_830_00, "C": 120_00, "E": 50_00}, 6_000_00, 100_00) == {
        "A": 4_482_75,
        "B": 1_367_24,
        "C": 100_00,
        "E": 50_00,
    }
    twelve = {f"P{n}": 100_00 for n in range(12)}
    assert set(shared(twelve | {"Q": 300_00}, 1_000_00, 100_00).values()) == {100_00}
    assert shared({"A": 5_000_00, "B": 3_000_00}, 4_500_00, 100_00) == {"A": 2_812_50, "B": 1_687_50}


def slow_share(stakes: dict[str, int], cap: int, minimum: int) -> dict[str, int]:
    """The rule once more, by brute force: pin one Player at a time, the one furthest below the minimum."""
    if sum(stakes.values()) <= cap:
        return stakes
    exempt = {seat for seat, stake in stakes.items() if stake < minimum}
    pinned: set[str] = set()
    while True:
        free = [seat for seat in stakes if seat not in exempt | pinned]
        room = max(Fraction(0), Fraction(cap) - sum(stakes[seat] for seat in exempt) - minimum * len(pinned))
        total = sum(stakes[seat] for seat in free)
        shares = {seat: room * stakes[seat] / total for seat in free}
        low = [seat for seat in free if shares[seat] < minimum]
        if not low:
            break
        pinned |= {seat for seat in low if shares[seat] == min(shares[other] for other in low)}
    whole = {seat: int(share) for seat, share in shares.items()}
    return whole | dict.fromkeys(pinned, minimum) | {seat: stakes[seat] for seat in exempt}


STAKES = st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(1, 5_000_00), min_size=1, max_size=8)


@settings(max_examples=3_000)
@given(STAKES, st.integers(1, 10_000_00), st.integers(1, 500_00), st.randoms(use_true_random=False))
@pytest.mark.clause("rws-taisai-v5", "5.1.1", "5.1.2")
def test_5_1_1_the_share_is_fair_whoever_came_first(
    stakes: dict[str, int], cap: int, minimum: int, rng: random.Random
) -> None:
    action = shared(stakes, cap, minimum)
    assert action == slow_share(stakes, cap, minimum)
    order = sorted(stakes, key=lambda _: rng.random())
    assert action == shared({seat: stakes[seat] for seat in order}, cap, minimum)
    for seat, stake in stakes.items():
        assert 0 < action[seat] <= stake
        assert action[seat] >= min(stake, minimum)  # nobody is pushed below the minimum (5.1.1)
        assert stake >= minimum or action[seat] == stake  # below it, pro rata is not applied (5.1.2)
    over = sum(action.values()) - cap
    if over > 0 and sum(stakes.values()) > cap:  # then everyone is at the minimum or exempt, and the House bears it
        assert all(action[seat] == min(stake, minimum) for seat, stake in stakes.items())


def test_5_1_1_a_share_is_rounded_by_the_unit_of_its_own_box() -> None:
    """To the cent where the box is paid in whole cents, though another box of the layout pays 8.5 to 1."""
    layout = load_layout("rws-sicbo-etg-v2/A")
    assert (layout.unit(), layout.unit("small"), layout.unit("total:8")) == (2, 1, 2)
    limits = Limits({"*": Cents(5_00)}, {"*": Cents(100_00)}, Cents(1_00), Cents(100_00))
    round = a_round({(seat, box): [50_00] for seat in ("Ann", "Ben", "Cid") for box in ("small", "total:8")}, limits)
    cut = cut_at_close(round, load_rulebook("rws-taisai-v5").limits, {"A": layout})
    plays = {share.bet: 50_00 - share.amount for share in cut}
    assert {plays[BetId(f"{seat} small 0")] for seat in ("Ann", "Ben", "Cid")} == {33_33}
    assert {plays[BetId(f"{seat} total:8 0")] for seat in ("Ann", "Ben", "Cid")} == {33_32}


def a_round(stakes: dict[tuple[str, str], list[int]], limits: Limits) -> Round:
    """A round with bets of (seat, box) on layout A, each in as many pieces as there are amounts."""
    round = Round(RoundNumber(1), limits, ("A",), "")
    for (name, box), amounts in stakes.items():
        for number, amount in enumerate(amounts):
            seat, id = SeatId(name), BetId(f"{name} {box} {number}")
            round.bets[id] = LaidBet(id, seat, "A", box, Cents(amount), (name, box, amount, 1, 0), name)
            round.stakes[seat, box] = Cents(round.stakes.get((seat, box), 0) + amount)
    return round


PIECES = st.lists(st.integers(1, 9), max_size=3)
BOXES = {
    "rws-taisai-v5": ("small", "big", "total:8"),
    "rws-sicbo-etg-v2": ("small", "big", "total:8"),
    "mbs-sands-roulette-v2": ("red", "black", "straight:7"),
}


@settings(max_examples=300)
@given(st.sampled_from(list(BOXES)), st.lists(PIECES, min_size=9, max_size=9), st.sets(st.sampled_from("ABC")))
def test_what_is_shown_in_action_is_what_plays(id: str, pieces: list[list[int]], used: set[str]) -> None:
    """While bets are open, and after the close; to the cent, in every box, under each kind of limit."""
    policy, layout = load_rulebook(id).limits, load_rulebook(id).layouts[0]
    places = [(seat, box) for seat in "ABC" for box in BOXES[id]]
    differential = Cents(2) if policy.differential else None
    limits = Limits({"*": Cents(3)}, {"*": Cents(8)}, Cents(1), differential)
    round = a_round(dict(zip(places, pieces, strict=True)), limits)
    before = {SeatId(seat) for seat in used}

    def told(closed: bool) -> Counter[str]:
        counted: Counter[str] = Counter()
        for name, box, amount in in_action(round, policy, {"A": layout}, before, closed=closed):
            assert name == "A"
            assert amount > 0
            counted[box] += amount
        return counted

    open = told(closed=False)
    for share in cut_at_close(round, policy, {"A": layout}):
        bet = round.bets[share.bet]
        bet.stake = Cents(bet.stake - share.amount)
        round.stakes[bet.seat, bet.box] = Cents(round.stakes[bet.seat, bet.box] - share.amount)
    plays: Counter[str] = Counter()
    for box in BOXES[id]:
        lost = next(outcome for outcome in layout.outcomes if outcome not in layout.winning(box))
        for paid in fates(round, lost, policy, {"A": layout}, before):
            plays[box] += paid.collected if round.bets[paid.bet].box == box else 0
            assert paid.collected + paid.returned >= round.bets[paid.bet].stake
    assert open == told(closed=True) == +plays


HELD = {"*": Cents(5_00)}, {"*": Cents(100_00)}


@pytest.mark.parametrize(
    ("book", "limits", "clause"),
    [
        ("rws-taisai-v5", Limits({"total": Cents(5_00)}, HELD[1], Cents(1_00), Cents(100_00)), "displayed"),
        ("rws-taisai-v5", Limits(HELD[0], {"total": Cents(5_00)}, Cents(1_00), Cents(100_00)), "displayed"),
        ("rws-taisai-v5", Limits(*HELD, Cents(1_00)), "differential"),
        ("mbs-esicbo-v4", Limits(*HELD, Cents(1_00), Cents(100_00)), "displayed"),
    ],
    ids=["no minimum for all", "no maximum for all", "no Differential", "a Differential that the book has not"],
)
def test_limits_are_whole_for_their_book_or_refused_by_its_clause(book: str, limits: Limits, clause: str) -> None:
    policy = load_rulebook(book).limits
    with pytest.raises(Refused) as refused:
        check_limits(limits, load_rulebook(book).layouts, policy)
    part = policy.differential if clause == "differential" else None
    assert (refused.value.reason, refused.value.clause) == ("limits", part.clause if part else policy.displayed_clause)


def test_the_smallest_coin_is_under_a_minimum_of_two() -> None:
    policy = load_rulebook("mbs-esicbo-v4").limits
    with pytest.raises(Refused, match="minimum under"):
        check_bet(Limits({"*": Cents(2)}, {"*": Cents(9)}, Cents(1)), policy, "small", 1)


def test_the_smallest_coin_is_a_short_bet_where_short_bets_play_once() -> None:
    round = a_round({("Ann", "red"): [1], ("Ben", "red"): [3], ("Cid", "red"): []}, Limits(*SMALL, Cents(1)))
    assert short_seats(round, load_rulebook("mbs-sands-roulette-v2").limits) == ("Ann",)


SMALL = {"*": Cents(3)}, {"*": Cents(8)}


@pytest.mark.parametrize(
    ("low", "high", "unit", "case"),
    [
        (1, 1, 1, ""),
        (1_00, 2_00, 1_00, ""),
        (1_00, 2_00, 0, "unit"),
        (1_00, 2_00, -1_00, "unit"),
        (0, 2_00, 1_00, "steps"),
        (2_00, 1_00, 1_00, "steps"),
        (1_50, 2_00, 1_00, "steps"),
        (1_00, 2_50, 1_00, "steps"),
    ],
)
def test_limits_are_whole_chips_above_zero_and_the_least_may_be_the_most(
    low: int, high: int, unit: int, case: str
) -> None:
    layout, policy = load_layout("rws-sicbo-etg-v2/C"), load_rulebook("rws-sicbo-etg-v2").limits
    limits = Limits({"*": Cents(low)}, {"*": Cents(high)}, Cents(unit))
    if not case:
        check_limits(limits, [layout], policy)
        return
    with pytest.raises(Refused) as refused:
        check_limits(limits, [layout], policy)
    assert (refused.value.reason, refused.value.case) == ("limits", case)


@pytest.mark.clause("rws-taisai-v5", "5.1.1", "5.1.2")
def test_5_1_2_a_stake_at_the_minimum_shares_once_and_leaves_the_others_their_shares() -> None:
    assert shared({"A": 100_00, "B": 300_00}, 250_00, 100_00) == {"A": 100_00, "B": 150_00}
    assert shared({"A": 99_99, "B": 300_00}, 250_00, 100_00) == {"A": 99_99, "B": 150_01}


@pytest.mark.clause("rws-taisai-v5", "5.1")
@pytest.mark.parametrize(("differential", "cap"), [(0, 4), (1, 5), (5, 8), (7, 8)])
def test_5_1_the_heavier_side_is_at_most_the_differential_above_the_lighter(differential: int, cap: int) -> None:
    policy = load_rulebook("rws-taisai-v5").limits
    limits = Limits({"*": Cents(1)}, {"*": Cents(8)}, Cents(1), Cents(differential))
    for heavy, light in (("small", "big"), ("big", "small")):
        round = a_round({("Ann", heavy): [6, 4], ("Ben", light): [4]}, limits)
        assert caps(round, policy) == {heavy: cap, light: 8}


def test_every_misfit_of_limits_is_told_at_once_unless_nothing_can_be_compared() -> None:
    book = load_rulebook("rws-sicbo-etg-v2")
    layout = load_layout("rws-sicbo-etg-v2/A")

    def cases(low: dict[str, int], high: dict[str, int], unit: int, differential: int | None = None) -> set[str]:
        limits = Limits(low, high, Cents(unit), None if differential is None else Cents(differential))  # type: ignore[arg-type]
        return {misfit.case for misfit in misfits(limits, [layout], book.limits)}

    assert cases({"*": 2}, {"*": 8}, 2) == set()
    assert cases({"*": 2}, {"*": 7}, 1, 100) == {"unit-unpayable", "differential-unknown"}
    assert cases({"*": 2}, {"*": 7}, 2, 100) == {"steps", "differential-unknown"}
    assert cases({"small": 2}, {"*": 7}, 1, 100) == {"none-for-all"}
    assert cases({"*": 2}, {"small": 7}, 1, 100) == {"none-for-all"}
    assert cases({"*": 2}, {"*": 7}, 0, 100) == {"unit"}
