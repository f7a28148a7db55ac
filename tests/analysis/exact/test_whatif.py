"""Other odds, odds for an edge, coarse chips, two books beside each other, and what the House can lose."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest

from croupier import Refused, load_layout, load_rulebook, rulebook_ids
from croupier.analysis.exact.books import book_changes
from croupier.analysis.exact.house import Placed, house_risk, in_action, worst_case
from croupier.analysis.exact.odds import differences
from croupier.analysis.exact.rounding import How, rounded
from croupier.analysis.exact.whatif import parse_pays, solve, steps_of, with_pays
from croupier.rules.library import rulebook_text
from croupier.rules.money import Cents
from croupier.table.messages import Limits

HIGH = load_layout("rws-sicbo-etg-v2/A")
TAISAI, SANDS = load_rulebook("rws-taisai-v5"), load_rulebook("mbs-sands-roulette-v2")


def limits(minimum: int, maximum: int, differential: int | None = None, unit: int = 1_00) -> Limits:
    between = None if differential is None else Cents(differential)
    return Limits({"*": Cents(minimum)}, {"*": Cents(maximum)}, Cents(unit), between)


# ---- what if


def test_other_odds_change_their_boxes_and_no_others() -> None:
    changed = with_pays(HIGH, {"total:9": "8 to 1"})
    [row] = differences(HIGH, changed)
    assert row.box == "total:9"
    assert row.edge_change == Fraction(-25, 216)
    assert HIGH.edge("total:9") == Fraction(2, 27)
    assert changed.settle([("total:9", 1_00)], "2-3-4").winnings == 8_00


def test_a_word_changes_all_of_its_boxes() -> None:
    rows = differences(HIGH, with_pays(HIGH, {"double": "10 to 1"}))
    assert {row.box for row in rows} == {f"double:{face}" for face in range(1, 7)}


def test_odds_that_cannot_be_read_are_refused_together() -> None:
    with pytest.raises(Refused, match=r"pays unreadable given=\('\"total:9\"', '\"=8 to 1\"'\)"):
        parse_pays(["total:9", "=8 to 1", "total:8=9 to 1"])
    with pytest.raises(Refused, match=r"odds how-many .* prices=3 pays=1 to 1, 2 to 1, 12 to 1 given=1"):
        with_pays(HIGH, {"single:4": "1 to 1"})
    with pytest.raises(Refused, match="odds unreadable box=total:9 given=eight"):
        with_pays(HIGH, {"total:9": "eight"})
    with pytest.raises(Refused, match="odds unreadable box=total:9 given=0 to 1"):
        with_pays(HIGH, {"total:9": "0 to 1"})
    with pytest.raises(Refused, match="box other-numbers"):
        with_pays(HIGH, {"total:3": "8 to 1"})


@pytest.mark.parametrize("layout", ["rws-sicbo-etg-v2/A", "nz-taisai-division9/2", "mbs-sands-roulette-v2/A"])
@pytest.mark.parametrize("edge", ["0", "1/36", "1/20", "1/13", "3/10"])
def test_proposed_odds_keep_the_edge_and_one_step_more_would_not(layout: str, edge: str) -> None:
    source = load_layout(layout)
    for row in solve(source, Fraction(edge)):
        assert row.generous_edge < Fraction(edge)
        if row.proposed is None:
            assert row.generous.startswith("1 to ")
            continue
        assert row.proposed_edge is not None
        assert row.proposed_edge >= Fraction(edge)
        assert with_pays(source, {row.box: row.proposed}).edge(row.box) == row.proposed_edge
        assert with_pays(source, {row.box: row.generous}).edge(row.box) == row.generous_edge


def test_the_step_is_that_of_the_book() -> None:
    assert steps_of(HIGH) == Fraction(1, 2)
    assert steps_of(load_layout("nz-taisai-division9/1")) == 1
    [row] = solve(HIGH, Fraction(1, 20), Fraction(1, 10), ["total:9"])
    assert (row.proposed, row.proposed_edge) == ("36 to 5", Fraction(11, 216))


def test_an_edge_that_cannot_be_is_refused() -> None:
    with pytest.raises(Refused, match="edge out-of-range"):
        solve(HIGH, Fraction(1))
    [row] = solve(HIGH, Fraction(6, 10), Fraction(1), ["small"])
    assert (row.proposed, row.generous, row.generous_edge) == (None, "1 to 1", Fraction(1, 36))
    with pytest.raises(Refused, match="step out-of-range"):
        solve(HIGH, Fraction(1, 20), Fraction(0))


# ---- coarse chips


def test_rounding_down_doubles_the_edge_of_total_10() -> None:
    boxes = {row.box: row for row in rounded(HIGH, 1_00, 1_00)}
    assert (boxes["total:10"].edge, boxes["total:10"].rounded_edge) == (Fraction(1, 16), Fraction(1, 8))
    assert not boxes["small"].change
    assert {row.box for row in rounded(HIGH, 2_00, 1_00) if row.change} == set()


def test_rounding_up_costs_the_house_and_nearest_is_between() -> None:
    ways: tuple[How, ...] = ("down", "nearest", "up")
    by_how = {how: {row.box: row.rounded_edge for row in rounded(HIGH, 1_00, 2_00, how)} for how in ways}
    for box in HIGH.boxes:
        assert by_how["down"][box] >= by_how["nearest"][box] >= by_how["up"][box]
        assert by_how["down"][box] >= HIGH.edge(box) >= by_how["up"][box]
    with pytest.raises(Refused, match="rounding unknown"):
        rounded(HIGH, 1_00, 1_00, cast(How, "away"))
    with pytest.raises(Refused, match="chip not-above-zero chip=0"):
        rounded(HIGH, 1_00, 0)


# ---- two books


def test_a_book_is_not_changed_from_itself() -> None:
    for id in rulebook_ids():
        assert book_changes(load_rulebook(id), load_rulebook(id)) == []


def edited(tmp_path: Path, *edits: tuple[str, str]) -> Path:
    text = rulebook_text("rws-taisai-v5")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    file = tmp_path / "rws-taisai-v5.toml"
    file.write_text(text)
    return file


def test_a_changed_price_is_found_with_whom_it_concerns_and_how_much(tmp_path: Path) -> None:
    file = edited(tmp_path, ('pays = "180 to 1"', 'pays = "150 to 1"'), ('version = "5"', 'version = "6"'))
    changes = book_changes(TAISAI, load_rulebook(file))
    odds = [change for change in changes if change.part == "odds"]
    assert {change.place.partition(", ")[2] for change in odds} == {f"triple:{face}" for face in range(1, 7)}
    assert {change.edge for change in odds} == {Fraction(30, 216)}
    assert {change.concerns for change in odds} == {"the House, which keeps more"}
    assert [(c.place, c.before, c.after) for c in changes if c.part == "identity"] == [("version", "5", "6")]
    assert len(changes) == len(odds) + 1


def test_every_part_of_two_books_that_differ_is_named() -> None:
    changes = book_changes(load_rulebook("rws-sicbo-etg-v2"), TAISAI)
    assert {"identity", "calls", "limits", "irregularities", "prompts", "layouts", "boxes", "odds", "clauses"} <= {
        change.part for change in changes
    }
    removed = [change for change in changes if change.part == "layouts" and change.kind == "removed"]
    assert [change.place for change in removed] == ["B"]
    assert all(change.before != change.after for change in changes)


# ---- the House


@pytest.mark.clause("rws-taisai-v5", "5.1.1")
def test_what_is_in_action_is_what_the_table_would_play() -> None:
    bets = [Placed("A", "total:9", 600_00), Placed("B", "total:9", 500_00), Placed("C", "total:9", 400_00)]
    found = house_risk(TAISAI.layout("A"), TAISAI.limits, limits(25_00, 1_000_00, 5_000_00), bets)
    assert [bet.in_action for bet in found.bets] == [400_00, 333_33, 266_66]
    assert found.without_limits.worst == -7 * 1_500_00
    assert found.with_limits.worst == -7 * 999_99
    assert found.with_limits.loses == Fraction(25, 216)


def test_a_differential_is_what_the_house_can_lose_to_one_side() -> None:
    bets = [
        Placed("D", "small", 1_000_00),
        *(Placed(s, "big", n) for s, n in (("A", 6_000_00), ("B", 1_830_00), ("C", 120_00), ("E", 50_00))),
    ]
    found = house_risk(TAISAI.layout("A"), TAISAI.limits, limits(100_00, 10_000_00, 5_000_00), bets)
    assert [bet.in_action for bet in found.bets] == [1_000_00, 4_482_75, 1_367_24, 100_00, 50_00]
    assert (found.without_limits.worst, found.with_limits.worst) == (-7_000_00, -4_999_99)
    assert found.with_limits.mean == sum(bet.in_action for bet in found.bets) * Fraction(1, 36)


@pytest.mark.clause("mbs-sands-roulette-v2", "5.16")
def test_over_the_maximum_plays_at_the_maximum() -> None:
    [bet] = in_action(SANDS.layout("A"), SANDS.limits, limits(10_00, 500_00), [Placed("A", "straight:17", 700_00)])
    assert (bet.in_action, bet.unplayed) == (500_00, 200_00)


def test_a_terminal_refuses_what_breaks_a_limit() -> None:
    book = load_rulebook("rws-sicbo-etg-v2")
    bets = [Placed("A1", "small", 600_00), Placed("A1", "big", 5_00), Placed("A1", "big", 100_00)]
    found = house_risk(book.layout("A"), book.limits, limits(10_00, 500_00), bets)
    assert [(bet.in_action, bool(bet.refused)) for bet in found.bets] == [(0, True), (0, True), (100_00, False)]
    assert found.with_limits.staked == 100_00


def test_no_bets_within_the_limits_win_more_than_the_worst_case() -> None:
    """Every box filled on its own, and the boxes of the worst case together, each by as many Players as it takes."""
    layout, rules = TAISAI.layout("C"), limits(100_00, 1_000_00, 700_00)
    worst = worst_case(layout, TAISAI.limits, rules, 8)
    for boxes in ([[box] for box in layout.boxes], [[box for box, _ in worst.boxes]]):
        for group in boxes:
            placed = [Placed(f"S{n}", box, 1_000_00) for box in group for n in range(8)]
            found = house_risk(layout, TAISAI.limits, rules, placed)
            assert -found.with_limits.worst <= worst.loss
    assert -found.with_limits.worst == worst.loss
    small = house_risk(layout, TAISAI.limits, rules, [Placed(f"S{n}", "small", 1_000_00) for n in range(8)])
    assert small.with_limits.worst == -800_00  # eight Players pinned at the minimum: the House bears it (5.1.1)


def test_limits_that_no_table_could_keep_are_refused() -> None:
    with pytest.raises(Refused, match="differential-needed"):
        worst_case(TAISAI.layout("A"), TAISAI.limits, limits(25_00, 1_000_00), 8)
    with pytest.raises(Refused, match="seats none seats="):
        worst_case(TAISAI.layout("A"), TAISAI.limits, limits(25_00, 1_000_00, 5_000_00), 0)
    with pytest.raises(Refused, match="bet none-given"):
        house_risk(TAISAI.layout("A"), TAISAI.limits, limits(25_00, 1_000_00, 5_000_00), [])
