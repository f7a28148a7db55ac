"""What each screen may see, and what it may not."""

from __future__ import annotations

import msgspec
import pytest

from croupier import Cents, Refused
from croupier.table import messages as m
from croupier.table.command_statement import command_statement
from croupier.table.console import console_view
from croupier.table.evolve import evolve
from croupier.table.messages import Limits, PersonId, SeatId
from croupier.table.view import display_view, exposure
from croupier.transcript.play import play
from tests.support.seat_view import seat_view

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


def test_a_seat_sees_its_bets_and_credit_and_nobody_elses() -> None:
    table = play(BETTING).table
    ann = seat_view(table, "Ann")
    assert [(bet.box, bet.stake) for bet in ann.bets] == [("big", 10_00)]
    assert (ann.credit, ann.held) == (90_00, 10_00)
    assert b"Ben" not in msgspec.json.encode(ann)


def test_a_player_who_sits_down_while_bets_are_open_sees_this_round_and_nothing_of_the_player_before() -> None:
    table = play(BETTING).table
    evolve(table, m.SeatTaken("Sam", 1, SeatId("Cat"), "C"))
    assert table.round is not None
    assert table.seats[SeatId("Cat")].since == table.round.number
    # Ann's bets are hers: who takes her seat in the same round begins with the next.
    evolve(table, m.SeatTaken("Sam", 1, SeatId("Ann"), "C"))
    assert table.seats[SeatId("Ann")].since == table.next_round


def test_the_room_sees_no_player_and_no_stake() -> None:
    shown = msgspec.json.encode(display_view(play(BETTING).table))
    assert b"Ann" not in shown
    assert b"triple:6" not in shown
    assert b"betting" in shown


def test_the_console_sees_totals_differentials_and_only_the_next_legal_act() -> None:
    table = play(BETTING).table
    console = console_view(table, PersonId("Dana"), 0)
    assert {box.box: box.total for box in console.boxes} == {"big": 10_00, "small": 25_00, "triple:6": 5_00}
    assert [(one.boxes, one.difference) for one in console.differentials] == [
        (("big", "small"), 15_00),
        (("odd", "even"), 0),
    ]
    assert console.next is not None
    assert (console.next.act, console.next.says) == ("CallNoMoreBets", "No more Bets")
    assert "over-maximum" in [one.id for one in console.irregularities]
    other = console_view(table, PersonId("Cass"), 0)
    assert other.next is not None
    assert not other.next.may


TUMBLED = "Dana calls no more bets\nDana activates the tumbler\nDana counts 3\n"


def test_an_entered_result_is_on_the_console_but_not_in_the_room_before_it_is_registered() -> None:
    """Ruling 41: an electronic book reads the entry back to the Dealer alone."""
    begin = "table T1 rws-sicbo-etg-v2 A\nseat Ann 100.00\n\nDana calls place your bets\nAnn bets 10.00 on big\n"
    table = play(begin + TUMBLED + "Dana enters 6-6-6\n").table
    assert console_view(table, PersonId("Dana"), 0).entered == "6-6-6"
    for view in (display_view(table), seat_view(table, "Ann")):
        assert b"6-6-6" not in msgspec.json.encode(view)


def test_at_a_live_table_the_room_sees_the_result_and_the_lit_areas_from_the_entry_on() -> None:
    """Ruling 40: entering is announcing and lighting, and the felt is dark again when the next round begins."""
    pressed, entered = BETTING + TUMBLED + "Dana presses 1 3 4\n", BETTING + TUMBLED + "Dana enters 1-3-4\n"
    assert display_view(play(pressed).table).lit == {}
    view = display_view(play(entered).table)
    assert (view.phase, view.result, view.words) == ("entered", "1-3-4", "1, 3, 4, total 8")
    assert set(view.lit["C"]) >= {"small", "total:8"}
    paid = entered + "Dana confirms\nDana pays\n"
    assert display_view(play(paid).table).lit == view.lit
    after = display_view(play(paid + "Dana calls place your bets\n").table)
    assert (after.result, after.lit) == ("1-3-4", {})


def test_exposure_is_worst_first_over_all_layouts() -> None:
    worst = exposure(play(BETTING).table)
    assert next(iter(worst.items())) == ("6-6-6", -865_00)  # 10 and 25 won on Big and Small, 5 lost at 180 to 1
    assert list(worst.values()) == sorted(worst.values())


def test_the_second_person_sees_exactly_what_they_would_sign() -> None:
    table = play(BETTING + "Sam sets limits minimum 5.00, maximum 50.00\n").table
    (waiting,) = console_view(table, PersonId("Pat"), 0).requests
    assert (waiting.number, waiting.by, waiting.act) == (1, "Sam", "SetLimits")
    assert waiting.digest == table.requests[1].digest
    assert b'"maximum":{"*":5000}' in bytes(waiting.content)
    assert waiting.told == command_statement(table.requests[1].command)


def test_a_console_is_for_the_staff() -> None:
    with pytest.raises(Refused, match="not-on-staff person=Ann"):
        console_view(play(BETTING).table, PersonId("Ann"), 0)


def test_the_room_sees_the_result_while_a_live_table_settles() -> None:
    text = (
        BETTING
        + "Dana calls no more bets\nDana activates the tumbler\nDana counts 3\nDana enters 1-3-4\nDana confirms\n"
    )
    room = display_view(play(text).table)
    assert (room.phase, room.result, room.words) == ("settling", "1-3-4", "1, 3, 4, total 8")
    assert "small" in room.lit["C"]


def test_the_next_player_of_a_seat_does_not_see_the_bets_of_the_last() -> None:
    text = """
table T rws-sicbo-etg-v2 A
seat Ann 10.00

Dana calls place your bets
Ann bets 10.00 on big
Dana calls no more bets
Dana activates the tumbler
Dana counts 3
Dana enters 1-3-4
Dana confirms
"""
    assert seat_view(play(text).table, "Ann").last
    assert not seat_view(play(text + "Ann leaves\nSam seats Ann at A\n").table, "Ann").last


def test_limits_without_an_amount_for_all_boxes_are_refused() -> None:
    evening = play(BETTING)
    turn = evening.give(m.SetLimits("Sam", 1, Limits({}, {}, Cents(100))))
    assert turn.refused is not None
    assert turn.refused.reason == "limits"


def test_a_taken_id_does_not_show_whose_bet_it_is() -> None:
    evening = play(BETTING)
    turn = evening.give(m.PlaceBet("Ann", 1, m.BetId("ben1"), m.RoundNumber(1), SeatId("Ann"), "big", Cents(100)))
    assert turn.refused is not None
    assert (turn.refused.case, turn.refused.facts) == ("other-bet", {"bet": "ben1"})
