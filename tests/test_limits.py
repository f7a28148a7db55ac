"""Limits at a live table: the worked examples of the readings, and the laws of apportionment for any stakes."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.rules.library import load_layout, load_rulebook
from croupier.rules.money import Cents
from croupier.table.limits import apportion, cut_at_close
from croupier.table.messages import BetId, Limits, RoundNumber, SeatId
from croupier.table.state import Bet, Round


def shared(stakes: dict[str, int], cap: int, minimum: int) -> dict[str, int]:
    action = apportion({SeatId(s): Cents(a) for s, a in stakes.items()}, Cents(cap), Cents(minimum), Cents(1))
    return {str(seat): int(amount) for seat, amount in action.items()}


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
    round = Round(RoundNumber(1), limits, ("A",), "")
    for box in ("small", "total:8"):
        for seat in (SeatId("Ann"), SeatId("Ben"), SeatId("Cid")):
            bet = Bet(BetId(f"{seat} {box}"), seat, "A", box, Cents(50_00), (seat, box, 50_00, 1, 0), seat)
            round.bets[bet.id], round.stakes[seat, box] = bet, bet.stake
    cut = cut_at_close(round, load_rulebook("rws-taisai-v5").limits, {"A": layout})
    plays = {share.bet: 50_00 - share.amount for share in cut}
    assert {plays[BetId(f"{seat} small")] for seat in ("Ann", "Ben", "Cid")} == {33_33}
    assert {plays[BetId(f"{seat} total:8")] for seat in ("Ann", "Ben", "Cid")} == {33_32}
