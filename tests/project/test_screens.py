"""Clauses kept by screens: what a felt, a terminal, a console and a display must be able to show."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier import Layout, load_layout
from croupier.rules.felt import Area
from croupier.table.console import console_view
from croupier.table.messages import PersonId
from croupier.table.view import display_view
from croupier.transcript.play import play
from tests.support.seat_view import seat_view

ROUND = """
Dana calls place your bets
Ann bets 10.00 on small
Dana calls no more bets
Dana activates the tumbler
Dana counts 3
Dana enters 1-3-4
Dana confirms
"""


def area_of(layout: Layout, box: str) -> Area:
    return next(area for area in layout.felt.areas if area.box == box)


def kinds(layout: Layout) -> list[str]:
    return list(dict.fromkeys(layout.box(box).kind for box in layout.boxes))


def clause(book: str, *ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(book, *ids)


@pytest.mark.parametrize(
    "id",
    [
        pytest.param("rws-sicbo-etg-v2/A", marks=clause("rws-sicbo-etg-v2", "2.1.1", "3.4", "Appendix A")),
        pytest.param("rws-sicbo-etg-v2/B", marks=clause("rws-sicbo-etg-v2", "2.1.1", "3.4", "Appendix B")),
        pytest.param("rws-sicbo-etg-v2/C", marks=clause("rws-sicbo-etg-v2", "2.1.1", "3.4", "Appendix C")),
        pytest.param("rws-taisai-v5/A", marks=clause("rws-taisai-v5", "2.1", "2.1.1", "Appendix A")),
        pytest.param("rws-taisai-v5/C", marks=clause("rws-taisai-v5", "2.1", "2.1.1", "Appendix C")),
        pytest.param("rws-taisai-v5/E", marks=clause("rws-taisai-v5", "2.1", "2.1.1", "Appendix E")),
        pytest.param("mbs-esicbo-v4/rapid-select", marks=clause("mbs-esicbo-v4", "2.1")),
        pytest.param("mbs-esicbo-v4/alfastreet", marks=clause("mbs-esicbo-v4", "2.1")),
        pytest.param("nz-taisai-division9/1", marks=clause("nz-taisai-division9", "3.2")),
        pytest.param("nz-taisai-division9/2", marks=clause("nz-taisai-division9", "3.2")),
        pytest.param("mbs-sands-roulette-v2/A", marks=clause("mbs-sands-roulette-v2", "2.1", "Appendix A")),
    ],
)
def test_the_felt_has_a_place_with_a_label_and_odds_for_every_bet_and_no_other(id: str) -> None:
    layout = load_layout(id)
    areas = [area.box for area in layout.felt.areas if area.box]
    spots = [spot.box for spot in layout.felt.spots]
    assert sorted(areas + spots) == sorted(layout.boxes)
    assert all(layout.box(box).label and layout.box(box).prints for box in layout.boxes)


@clause("mbs-esicbo-v4", "Appendix A", "Appendix B")
@clause("nz-taisai-division9", "Appendix 1", "Appendix 2")
def test_the_appendices_list_these_kinds_of_wager() -> None:
    assert [len(kinds(load_layout(f"mbs-esicbo-v4/{name}"))) for name in ("rapid-select", "alfastreet")] == [13, 8]
    assert [len(kinds(load_layout(f"nz-taisai-division9/{name}"))) for name in "12"] == [8, 12]
    assert kinds(load_layout("mbs-esicbo-v4/alfastreet"))[:2] == ["Big", "Small"]


@clause("mbs-sands-roulette-v2", "Appendix B")
def test_appendix_b_each_of_the_fifteen_kinds_has_its_place() -> None:
    layout = load_layout("mbs-sands-roulette-v2/A")
    spots: dict[str, tuple[Fraction | int, Fraction | int]] = {s.box: (s.x, s.y) for s in layout.felt.spots}
    one, two, four = (area_of(layout, f"straight:{number}") for number in (1, 2, 4))
    left, line = Fraction(one.column), Fraction(one.row + one.height)
    assert spots["split:1-2"] == (two.column, Fraction(2 * one.row + one.height, 2))  # on the line between them
    assert spots["corner:1-2-4-5"] == (two.column, line)  # where four numbers meet
    assert spots["street:1-2-3"] == (left, Fraction(2 * one.row + one.height, 2))  # outside line, first number
    assert spots["six-line:1-2-3-4-5-6"] == (left, line)  # outside line, between the first two of the six
    assert spots["top-line"] == (left, one.row)  # outside line between 0 and 1
    assert area_of(layout, "column:1").row > area_of(layout, "straight:34").row  # below 34
    assert area_of(layout, "column:1").column == four.column
    assert area_of(layout, "dozen:1").column < one.column
    named = ("dozen:1", "low", "high", "odd", "even", "black", "red", "green")
    assert all(area_of(layout, box) for box in named)
    assert len(kinds(layout)) == 15


@clause("mbs-sands-roulette-v2", "Appendix C")
def test_appendix_c_the_spots_around_s_0_and_00() -> None:
    layout = load_layout("mbs-sands-roulette-v2/A")
    spots: dict[str, tuple[Fraction | int, Fraction | int]] = {s.box: (s.x, s.y) for s in layout.felt.spots}
    zero, double = area_of(layout, "straight:0"), area_of(layout, "straight:00")
    edge, below = double.column, zero.row + zero.height
    assert spots["street:S-0-00"] == (edge, zero.row)
    assert spots["street:0-00-2"] == (edge, below)
    row = [spots[box] for box in ("split:0-1", "street:0-1-2", "split:0-2", "street:0-00-2", "split:00-2")]
    assert row == sorted(row)
    assert {y for _, y in row} == {below}
    assert spots["split:0-00"][0] == edge


@clause("rws-taisai-v5", "Appendix B", "Appendix D", "Appendix F")
@pytest.mark.parametrize("name", ["A", "C", "E"])
def test_a_bet_can_be_placed_on_every_box_the_felt_shows(name: str) -> None:
    boxes = load_layout(f"rws-taisai-v5/{name}").boxes
    bets = "\n".join(f"Ann bets 1.00 on {box}" for box in boxes)
    text = f"table T rws-taisai-v5 {name}\nseat Ann 1000.00\n\nDana calls place your bets\n{bets}\n"
    table = play(text).table
    assert [bet.box for bet in seat_view(table, "Ann").bets] == list(boxes)


@clause("rws-sicbo-etg-v2", "3.3")
@clause("rws-taisai-v5", "3.3")
def test_3_3_the_limits_are_shown_to_everyone() -> None:
    for book, extra in (("rws-sicbo-etg-v2", ""), ("rws-taisai-v5", "differential 900.00\n")):
        text = f"table T {book}\nminimum 10.00\nmaximum 500.00\n{extra}seat Ann 1000.00\n"
        table = play(text).table
        view = display_view(table)
        assert view.limits.minimum_of("small") == 10_00
        assert view.limits.maximum_of("small") == 500_00
        assert view.limits.differential == (900_00 if extra else None)


@clause("rws-sicbo-etg-v2", "1.3")
def test_1_3_what_the_console_enters_reaches_every_terminal() -> None:
    table = play(f"table T rws-sicbo-etg-v2 A\nseat Ann 100.00\nseat Ben 100.00\n{ROUND}").table
    assert console_view(table, PersonId("Dana"), 0).room.past[-1].outcome == "1-3-4"
    assert display_view(table).past[-1].outcome == "1-3-4"


@clause("rws-sicbo-etg-v2", "1.7")
@clause("mbs-esicbo-v4", "1.1.2")
def test_a_terminal_buys_credit_bets_and_cashes_out() -> None:
    for book, tumble in (("rws-sicbo-etg-v2", ""), ("mbs-esicbo-v4", "Dana activates the tumbler\nDana counts 3\n")):
        evening = play(
            f"table T {book}\nseat Ann 0.00\n\nCass sells Ann 50.00\n= Ann 50.00\n{tumble}"
            "Dana calls place your bets\nAnn bets 20.00 on small\nCass pays out Ann 30.00\n= Ann 0.00\n"
        )
        assert evening.balances["cage"] == -20_00


@clause("rws-sicbo-etg-v2", "5.8")
@clause("rws-taisai-v5", "5.11")
def test_a_wrong_display_changes_nothing() -> None:
    for book in ("rws-sicbo-etg-v2", "rws-taisai-v5"):
        pays = "Dana pays\n" if book == "rws-taisai-v5" else ""
        text = f"table T {book} A\nseat Ann 100.00\n{ROUND}{pays}= Ann 110.00\n"
        table = play(text + "Dana reports wrong-display\n= events Reported\n= Ann 110.00\n").table
        assert display_view(table).past[-1].outcome == "1-3-4"


@clause("nz-taisai-division9", "3.3", "3.3(a)", "3.3(a)(i)", "3.3(a)(ii)", "3.3(a)(iii)", "3.3(b)")
def test_3_3_six_keys_an_entry_key_a_light_and_the_winning_areas() -> None:
    evening = play(
        """
table T nz-taisai-division9 1
seat Ann 100.00

Dana activates the tumbler
Dana counts 3
Dana calls place your bets
Dana calls no more bets
Dana uncovers the dice
Dana presses 7 ! entry
Dana presses 1 2 3 4 5 6
= light 4-5-6
Dana presses 2
= light 5-6-2
Dana presses entry
= says 2, 5, 6, total 13
"""
    )
    lit = load_layout("nz-taisai-division9/1").lit("2-5-6")
    assert set(lit) == {"big", "total:13", "domino:2-5", "domino:2-6", "domino:5-6", "single:2", "single:5", "single:6"}
    assert evening.turns[-1].events[-1].lit["1"] == lit  # type: ignore[union-attr]
