"""Settlement, lit boxes, partial dice, exposure and stakes, on every layout of every book."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from importlib.resources import files
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import Cents, Layout, Refused, load_layout, load_rulebook, parse_money, rulebook_ids
from croupier.analysis.simulate.bulk import BulkTable
from croupier.analysis.simulate.settling import settler
from croupier.rules.money import format_money, format_odds, parse_odds, winnings
from croupier.rules.outcomes import Dice
from croupier.rules.paytable import common_unit
from croupier.rules.reader import read_rulebook
from tests.support.golden import layouts

LAYOUTS = {layout.id: layout for layout in layouts()}
DICE = [layout for layout in LAYOUTS.values() if isinstance(layout.space, Dice)]


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Layout, list[tuple[str, int]], str]:
    """A layout, bets that it can pay, and an outcome."""
    layout = LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))]
    stake = st.integers(1, 1_000_000_00).map(lambda units: units * layout.unit())
    bets = draw(st.lists(st.tuples(st.sampled_from(layout.boxes), stake), max_size=12))
    return layout, list(bets), draw(st.sampled_from(layout.outcomes))


@given(rounds())
def test_settlement_conserves_money(played: tuple[Layout, list[tuple[str, int]], str]) -> None:
    layout, bets, outcome = played
    settlement = layout.settle(bets, outcome)
    to_players = settlement.winnings + settlement.returned
    assert settlement.staked == sum(stake for _, stake in bets) == settlement.returned + settlement.collected
    assert settlement.staked - to_players == settlement.house
    for (box, stake), fate in zip(bets, settlement.fates, strict=True):
        odds = layout.pays(box, outcome)
        assert (fate.winnings, fate.returned) == ((stake * odds, stake) if odds is not None else (0, 0))


@given(rounds())
def test_exposure_is_the_settlement_of_every_outcome_worst_first(
    played: tuple[Layout, list[tuple[str, int]], str],
) -> None:
    layout, bets, _ = played
    exposure = layout.exposure(bets)
    assert exposure == {outcome: layout.settle(bets, outcome).house for outcome in layout.outcomes}
    assert list(exposure.values()) == sorted(exposure.values())


@given(st.sampled_from(DICE), st.lists(st.integers(1, 6), min_size=3, max_size=3))
def test_permuting_the_dice_changes_nothing(layout: Layout, faces: list[int]) -> None:
    throws = ["-".join(map(str, order)) for order in permutations(faces)]
    assert len({layout.lit(throw) for throw in throws}) == 1
    assert len({layout.space.parse(throw) for throw in throws}) == 1


@pytest.mark.clause("nz-taisai-division9", "3.3(b)")
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_lit_boxes_are_the_winning_boxes(layout: Layout) -> None:
    for outcome in layout.outcomes:
        lit = layout.lit(outcome)
        assert set(lit) == {box for box in layout.boxes if layout.pays(box, outcome) is not None}
        settled = layout.settle([(box, layout.unit()) for box in layout.boxes], outcome)
        assert [fate.box for fate in settled.fates if fate.won] == list(lit)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_bulk_settlement_is_the_same_settlement(layout: Layout) -> None:
    table = BulkTable(layout)
    rng = np.random.default_rng(7)
    boxes = rng.integers(0, len(layout.boxes), 5_000)
    outcomes = rng.integers(0, len(layout.outcomes), 5_000)
    stakes = rng.integers(1, 1_000_000, 5_000) * layout.unit()
    one = layout.outcomes[int(outcomes[0])]
    for chosen, credits in (
        (outcomes, table.credit(boxes, stakes, outcomes)),
        (np.full(5_000, outcomes[0]), table.credit(boxes, stakes, table.outcome(one))),
    ):
        for box, stake, outcome, credit in zip(boxes, stakes, chosen, credits, strict=True):
            settlement = layout.settle([(layout.boxes[box], int(stake))], layout.outcomes[outcome])
            assert settlement.winnings + settlement.returned == credit


def test_bulk_settlement_refuses_what_it_could_not_pay_exactly() -> None:
    table = BulkTable(load_layout("rws-sicbo-etg-v2/A"))
    boxes, outcome = table.boxes(["total:8", "small"]), table.outcome("1-3-4")
    refused = {
        "unit any-bet unit=2": np.array([1001, 1000]),
        "stake every-above-zero": np.array([0, 1000]),
        "stake too-many-cents": np.array([1 << 60, 1000]),
        "arrays lengths": np.array([1000]),
        "arrays whole-numbers type=float64": np.array([1000.5, 1000]),
    }
    for says, stakes in refused.items():
        with pytest.raises(Refused, match=says):
            table.credit(boxes, stakes, outcome)
    with pytest.raises(Refused, match="box"):
        table.credit(np.array([-1, 0]), np.array([1000, 1000]), outcome)
    with pytest.raises(Refused, match="unit any-bet unit=2"):  # whatever the outcome, as a bet settled by itself
        table.credit(boxes, np.array([1001, 1000]), table.outcome("6-6-6"))
    with pytest.raises(Refused, match="unit any-bet unit=2"):  # not only the first bet counts
        table.credit(boxes[::-1], np.array([1000, 1001]), outcome)
    for wrong in (-1, len(table.layout.outcomes), int(np.int64(-1))):
        with pytest.raises(Refused, match="outcome outside"):
            table.credit(boxes, np.array([1000, 1000]), wrong)
        with pytest.raises(Refused, match="outcome outside"):
            table.credit(boxes, np.array([1000, 1000]), np.array([0, wrong]))
    assert list(table.credit(boxes, np.array([1000, 1001]), outcome)) == [9500, 2002]  # small pays any cent
    small = table.credit(boxes.astype(np.int8), np.array([1000, 1000], np.int32), table.outcomes(["1-3-4", "6-6-6"]))
    assert list(small) == [9500, 0]


def test_bulk_settlement_compiled_is_the_same_and_refuses_the_same() -> None:
    layout = load_layout("rws-sicbo-etg-v2/A")
    table, rng = BulkTable(layout), np.random.default_rng(3)
    boxes = rng.integers(0, len(layout.boxes), 150_000).astype(np.uint8)
    stakes = rng.integers(1, 1_000_000, 150_000) * layout.unit()
    outcome = table.outcome("1-3-4")
    out = np.empty(150_000, dtype=np.int64)
    assert table.credit(boxes, stakes, outcome, out) is out
    assert (out == table.credit(boxes.astype(np.int64), stakes, outcome)).all()  # these numbers go NumPy's way
    assert (table.credit(boxes.astype(np.uint16), stakes, outcome) == out).all()
    total, small = (table.boxes([name])[0] for name in ("total:8", "small"))
    for box, stake, says in (
        (total, 1001, "unit any-bet unit=2"),
        (total, 0, "stake every-above-zero"),
        (total, -2, "stake every-above-zero"),
        (total, 1 << 60, "stake too-many-cents"),
        (200, 1000, "box outside"),
    ):
        wrong_boxes, wrong_stakes = boxes.copy(), stakes.copy()
        wrong_boxes[149_999], wrong_stakes[149_999] = box, stake
        with pytest.raises(Refused, match=says):
            table.credit(wrong_boxes, wrong_stakes, outcome)
    boxes[0], stakes[0] = small, 1001  # small pays any cent
    assert table.credit(boxes, stakes, outcome)[0] == 2002
    for wrong_out in (np.empty(3, dtype=np.int64), np.empty(150_000, dtype=np.int32), stakes):
        with pytest.raises(Refused, match="arrays out"):
            table.credit(boxes, stakes, outcome, wrong_out)  # type: ignore[arg-type]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_bulk_settlement_compiled_is_the_same_on_the_outcomes_where_most_and_fewest_boxes_win(layout: Layout) -> None:
    table, rng = BulkTable(layout), np.random.default_rng(5)
    boxes = rng.integers(0, len(layout.boxes), 100_001).astype(np.uint8)
    stakes = rng.integers(1, 1_000_000, 100_001) * layout.unit()
    won = (table.matrix > 0).sum(axis=0)
    for outcome in (int(won.argmax()), int(won.argmin()), int(table.matrix.max(axis=0).argmax())):
        for kind in (np.uint8, np.uint16):  # found in a table where the processor can, or compared with the winners
            compiled = table.credit(boxes.astype(kind), stakes, outcome)
            assert (compiled == table.matrix[boxes, outcome] * stakes // table.scale).all()
    nobody = BulkTable(layout)
    nobody.matrix[:, 0] = 0
    assert not nobody.credit(boxes, stakes, 0).any()


def test_boxes_beyond_what_a_byte_can_name_are_nobodys() -> None:
    column, credit = np.zeros(300, dtype=np.int64), np.empty(1_000, dtype=np.int64)
    column[[7, 256 + 5, 256 + 7]] = 2, 3, 4
    boxes, stakes = np.arange(1_000).astype(np.uint8), np.full(1_000, 500)
    settler(column, boxes.dtype)(boxes, stakes, 0, credit)
    assert (credit == np.where(boxes == 7, 1_000, 0)).all()


def test_bulk_settlement_is_exact_at_odds_in_thirds() -> None:
    text = (Path(__file__).parents[1] / "rulebooks" / "macau-sicbo.toml").read_text()
    text = text.replace('"8 to 1"', '"25 to 3"').replace('"1 WINS 8"', '"1 WINS 8 1/3"')
    layout = read_rulebook(text.encode(), "macau-sicbo.toml").layouts[0]
    table = BulkTable(layout)
    assert layout.unit() == table.scale == 3
    boxes = table.boxes(["double:2", "total:8"])
    assert list(table.credit(boxes, np.array([300, 303]), table.outcome("2-2-4"))) == [2800, 2828]
    with pytest.raises(Refused, match="unit any-bet unit=3"):
        table.credit(boxes, np.array([300, 301]), table.outcome("1-1-1"))


# ---- stakes


@pytest.mark.clause("rws-sicbo-etg-v2", "4.1.1")
def test_a_stake_that_could_not_be_paid_in_whole_cents_is_refused_with_the_smallest_unit() -> None:
    layout = load_layout("rws-sicbo-etg-v2/A")
    with pytest.raises(Refused, match=r"unit unpayable stake=1001 box=total:8 pays=8\.5 to 1 least=2 \(4\.1\.1\)"):
        layout.settle([("total:8", 10_01)], "1-3-4")
    assert layout.settle([("small", 10_01)], "1-3-4").winnings == 10_01
    assert layout.unit("total:8") == layout.unit() == 2
    assert load_layout("rws-sicbo-etg-v2/C").unit() == 1
    assert common_unit(load_rulebook("mbs-esicbo-v4").layouts) == 2


@pytest.mark.parametrize("stake", [0, -5])
def test_a_stake_is_above_zero(stake: int) -> None:
    with pytest.raises(Refused, match=f"stake not-above-zero stake={stake} box=small"):
        load_layout("rws-sicbo-etg-v2/A").settle([("small", stake)], "1-3-4")


@pytest.mark.parametrize("stake", [np.uint32(10_00), np.int8(100), np.array(10_00)])
def test_a_stake_is_any_kind_of_integer_and_becomes_cents(stake: int) -> None:
    layout = load_layout("rws-sicbo-etg-v2/A")
    settlement = layout.settle([("any-triple", stake)], "1-1-1")
    assert settlement.winnings == int(stake) * 32  # beyond an int8
    assert layout.exposure([("any-triple", stake)] * 2)[Dice.make().parse("1-1-1")] == -2 * settlement.winnings
    assert {type(value) for fate in settlement.fates for value in (fate.stake, fate.winnings, fate.returned)} == {int}
    assert type(layout.check_stake("small", stake)) is int


@pytest.mark.parametrize("stake", [True, np.True_, 10.0, np.float64(20), Fraction(10), "10", None, np.array([1, 2])])
def test_a_stake_is_not_what_only_looks_like_an_integer(stake: int) -> None:
    layout = load_layout("rws-sicbo-etg-v2/A")
    for ask in (
        lambda: layout.check_stake("small", stake),
        lambda: layout.settle([("small", stake)], "1-3-4"),
        lambda: layout.exposure([("small", stake)]),
    ):
        with pytest.raises(Refused, match=r"stake not-whole stake=.* box=small") as caught:
            ask()
        assert caught.value.reason == "stake"


def test_the_unit_of_halves_and_thirds_is_a_sixth() -> None:
    text = (Path(__file__).parents[1] / "rulebooks" / "macau-sicbo.toml").read_text()
    text = text.replace('"1 to 1, 2 to 1, 3 to 1"', '"1.5 to 1, 7 to 3, 3 to 1"').replace('"5 to 1"', '"9 to 4"')
    layout = read_rulebook(text.encode(), "macau-sicbo.toml").layouts[0]
    assert (layout.unit("single:1"), layout.unit("domino:1-2"), layout.unit("small"), layout.unit()) == (6, 4, 1, 12)
    assert common_unit([layout, load_layout("rws-sicbo-etg-v2/A")]) == 12
    assert layout.settle([("single:1", 6)], "1-1-2").winnings == 14
    with pytest.raises(Refused, match=r"unit unpayable .* least=6"):
        layout.settle([("single:1", 3)], "1-1-2")


def test_winnings_that_are_not_whole_cents_are_a_bug_that_stops() -> None:
    with pytest.raises(AssertionError, match="not whole cents"):
        winnings(Cents(1), Fraction(17, 2))


# ---- when only some of the dice are known (ruling 22)


@pytest.mark.parametrize("layout", DICE, ids=[layout.id for layout in DICE])
def test_what_is_decided_is_what_every_outcome_still_possible_agrees_on(layout: Layout) -> None:
    assert layout.decided([]) == {}
    for faces in ([1], [6], [3, 4], [2, 2], [1, 3, 4]):
        possible = [o for o in layout.outcomes if all(o.count(str(f)) >= faces.count(f) for f in faces)]
        for box in layout.boxes:
            wins = [layout.pays(box, outcome) is not None for outcome in possible]
            expected = "won" if all(wins) else "lost" if not any(wins) else None
            assert layout.decided(faces).get(box) == expected, (box, faces)
    assert len(layout.decided([1, 3, 4])) == len(layout.boxes)


def test_one_known_face_is_enough_for_an_outcome_to_be_established() -> None:
    for layout in DICE:
        for face in range(1, 7):
            decided = layout.decided([face])
            assert [box for box in decided if box.startswith("triple:")] == [
                f"triple:{n}" for n in range(1, 7) if n != face
            ]
            assert decided[layout.box(f"single:{face}").name] == "won"


def test_a_wheel_decides_nothing_until_the_ball_rests() -> None:
    layout = load_layout("mbs-sands-roulette-v2/A")
    assert layout.decided([]) == {}
    decided = layout.decided(["17"])
    assert {box for box, fate in decided.items() if fate == "won"} == set(layout.lit("17"))
    assert len(decided) == len(layout.boxes)


@pytest.mark.parametrize(("id", "known"), [("rws-sicbo-etg-v2/A", [7]), ("rws-sicbo-etg-v2/A", [1, 1, 1, 1])])
def test_faces_that_no_throw_shows_are_refused(id: str, known: list[int]) -> None:
    with pytest.raises(Refused, match="outcome not-part known="):
        load_layout(id).decided(known)


# ---- names, money, odds, announcements


@pytest.mark.clause("mbs-esicbo-v4", "2.2")
@pytest.mark.clause("rws-sicbo-etg-v2", "2.2.1")
@pytest.mark.clause("rws-taisai-v5", "2.2.1")
def test_2_2_the_game_is_played_with_three_dice_of_six_faces() -> None:
    for id in ("mbs-esicbo-v4", "rws-sicbo-etg-v2", "rws-taisai-v5", "nz-taisai-division9"):
        space = load_rulebook(id).space
        ordered = {f"{one}-{two}-{three}" for one in range(1, 7) for two in range(1, 7) for three in range(1, 7)}
        assert {space.parse(throw) for throw in ordered} == set(space.outcomes)
        assert sum(space.ways.values()) == len(ordered) == 216


@pytest.mark.clause("rws-sicbo-etg-v2", "1.1")
@pytest.mark.clause("rws-taisai-v5", "1.1")
def test_1_1_every_wager_of_the_file_is_a_bet_that_can_be_settled() -> None:
    for id in ("rws-sicbo-etg-v2", "rws-taisai-v5"):
        text = files("croupier").joinpath("rulebooks", f"{id}.toml").read_text()
        for data, layout in zip(tomllib.loads(text)["layout"], load_rulebook(id).layouts, strict=True):
            kinds = [wager["kind"] for wager in data["wager"]]
            settled = layout.settle([(box, 100) for box in layout.boxes], layout.outcomes[0])
            assert list(dict.fromkeys(layout.box(fate.box).kind for fate in settled.fates)) == kinds


def test_wrong_names_are_refused_with_the_nearest_right_ones() -> None:
    sicbo, sands = load_layout("rws-sicbo-etg-v2/B"), load_layout("mbs-sands-roulette-v2/A")
    for layout, wrong, right in (
        (sicbo, "dommino:4-1", "domino:1-4"),
        (sicbo, "pair:3-1-1", "pair:1-1-3"),
        (sicbo, "smal", "small"),
        (sands, "split:00-0", "split:0-00"),
        (sands, "straight:s", "straight:S"),
    ):
        with pytest.raises(Refused, match=rf"box near .* near=\('{right}'"):
            layout.box(wrong)


def test_a_number_that_a_word_does_not_have_is_refused_with_those_it_has() -> None:
    sicbo, sands = load_layout("rws-sicbo-etg-v2/B"), load_layout("mbs-sands-roulette-v2/A")
    for layout, wrong, right in (
        (sicbo, "total:3", ("total", ("4…17",), "total:4")),
        (sicbo, "total", ("total", ("4…17",), "total:4")),
        (sicbo, "four:1-2-3-7", ("four", ("1-2-3-4", "2-3-4-5", "2-3-5-6", "3-4-5-6"), "four:3-4-5-6")),
        (sands, "straight:37", ("straight", ("S", "0", "00", "1…36"), "straight:S")),
    ):
        with pytest.raises(Refused) as refused:
            layout.box(wrong)
        word, numbers, like = right
        facts = {"layout": layout.id, "box": wrong, "word": word, "numbers": numbers, "like": like}
        assert (refused.value.case, refused.value.facts) == ("other-numbers", facts)


@pytest.mark.parametrize(
    ("id", "outcome"),
    [
        ("rws-sicbo-etg-v2/A", "1-3"),
        ("rws-sicbo-etg-v2/A", "1-3-7"),
        ("rws-sicbo-etg-v2/A", "1-2-3-4"),
        ("rws-sicbo-etg-v2/A", "1-2-3-3"),
        ("mbs-sands-roulette-v2/A", "37"),
    ],
)
def test_an_outcome_that_cannot_happen_is_refused(id: str, outcome: str) -> None:
    with pytest.raises(Refused, match=f"outcome not-.* text={outcome}"):
        load_layout(id).lit(outcome)


@given(st.integers(0, 10**13))
def test_money_is_read_as_it_is_written(cents: int) -> None:
    assert parse_money(format_money(cents)) == cents


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1.234", "ten", "1,00.00", "1e3", "1 000", "٣"])
def test_what_is_not_an_amount_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="money not-an-amount text="):
        parse_money(text)


@pytest.mark.parametrize("text", ["1000000000000", "1,000,000,000,000.00", "9" * 5000])
def test_an_amount_that_is_too_large_is_refused_with_the_bound(text: str) -> None:
    with pytest.raises(Refused, match=r"money too-large .* most=99999999999999"):
        parse_money(text)


@pytest.mark.parametrize("odds", ["1 to 1", "8.5 to 1", "195 to 1", "4 to 5", "6 to 5", "1 to 2", "7 to 4"])
def test_odds_are_written_as_books_print_them(odds: str) -> None:
    assert format_odds(parse_odds(odds)) == odds


@given(st.fractions(min_value=Fraction(1, 100), max_value=1000, max_denominator=100))
def test_odds_are_read_as_they_are_written(odds: Fraction) -> None:
    assert parse_odds(format_odds(odds)) == odds


@pytest.mark.clause("nz-taisai-division9", "6.3")
@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("6-3-1", "1, 3, 6, total 10"),
        ("3-4-3", "double 3, 4, total 10"),
        ("3-1-3", "1, double 3, total 7"),
        ("5-5-5", "triple 5, total 15"),
    ],
)
def test_6_3_results_are_announced_from_the_lowest_to_the_highest(outcome: str, words: str) -> None:
    assert load_rulebook("nz-taisai-division9").announce(outcome) == words


def test_every_result_of_every_book_has_words() -> None:
    for id in rulebook_ids():
        book = load_rulebook(id)
        assert len({book.announce(outcome) for outcome in book.space.outcomes}) == len(book.space.outcomes)


def test_every_cell_is_explained_with_its_clauses() -> None:
    for layout in LAYOUTS.values():
        for name in layout.boxes:
            box = layout.box(name)
            for outcome in layout.outcomes:
                said, odds = layout.explain(name, outcome), layout.pays(name, outcome)
                assert said.id == ("explained-loses" if odds is None else "explained-wins")
                assert (said.facts["box"], said.facts["outcome"]) == (name, outcome)
                if odds is None:
                    assert (said.clause, said.parts["rule"]) == (box.win_clause, (layout.rule(name),))
                else:
                    assert Fraction(str(said.facts["odds"])) == odds * int(str(said.facts["to"]))
                    assert (said.clause, said.parts["fact"][0].clause) == (box.odds_clause, box.win_clause)
