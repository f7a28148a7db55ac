"""What each screen may see, and what it may not."""

from __future__ import annotations

import msgspec

from croupier.table.messages import PersonId, SeatId
from croupier.table.view import console_view, display_view, exposure, next_acts, seat_view
from croupier.transcript.play import play

BETTING = """
table T rws-taisai-v5 C
differential 500.00
seat Ann 100.00
seat Ben 100.00

Dana calls place your bets
Ann bets 10.00 on big
Ben bets 25.00 on small
Ben bets 5.00 on triple:6
"""


def test_a_seat_sees_its_own_bets_and_credit_and_nobody_elses() -> None:
    table = play(BETTING).table
    ann = seat_view(table, SeatId("Ann"))
    assert [(bet.box, bet.stake) for bet in ann.bets] == [("big", 10_00)]
    assert (ann.credit, ann.held) == (90_00, 10_00)
    assert b"Ben" not in msgspec.json.encode(ann)


def test_the_room_sees_no_player_and_no_stake() -> None:
    shown = msgspec.json.encode(display_view(play(BETTING).table))
    assert b"Ann" not in shown
    assert b"triple:6" not in shown
    assert b"betting" in shown


def test_the_console_sees_totals_differentials_and_only_the_next_legal_act() -> None:
    table = play(BETTING).table
    console = console_view(table, PersonId("Dana"), 0)
    assert console.totals == {"big": 10_00, "small": 25_00, "triple:6": 5_00}
    assert console.differentials == {"big small": 15_00, "odd even": 0}
    assert console.next_acts == ("CallNoMoreBets",)
    assert "over-maximum" in console.irregularities
    assert next_acts(table, PersonId("Cass"), 0) == ()


def test_an_entered_result_is_on_the_console_but_not_in_the_room_before_it_is_confirmed() -> None:
    text = BETTING + "Dana calls no more bets\nDana activates the tumbler\nDana counts 3\nDana enters 6-6-6\n"
    table = play(text).table
    assert console_view(table, PersonId("Dana"), 0).entered == "6-6-6"
    for view in (display_view(table), seat_view(table, SeatId("Ann"))):
        assert b"6-6-6" not in msgspec.json.encode(view)


def test_exposure_is_worst_first_over_all_layouts() -> None:
    worst = exposure(play(BETTING).table)
    assert next(iter(worst.items())) == ("6-6-6", -865_00)  # 10 and 25 won on Big and Small, 5 lost at 180 to 1
    assert list(worst.values()) == sorted(worst.values())
