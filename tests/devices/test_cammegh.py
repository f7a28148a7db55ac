"""The lines of a wheel become facts once each, and no line, however bad, becomes a second result."""

from __future__ import annotations

import random

import pytest

from croupier.devices.cammegh import STUCK, QueryAnswer, Status, WheelLines, query, read_line
from croupier.devices.port import AnyFact, Launched, Progress, Rested, Shown
from croupier.rules.outcomes import Wheel
from tests.support.cammegh_line import game, status

from .stage import SANDS, Reported

SINGLE_ZERO = Wheel(tuple(map(str, range(37))), {})


def heard(*lines: bytes, every: int = 500, says: WheelLines | None = None) -> Reported:
    says = says or WheelLines("w1", SANDS)
    reported = Reported.__new__(Reported)
    reported.facts = [fact for number, line in enumerate(lines) for fact in says.read(line, number * every)]
    return reported


GOOD = ["Launched", "Slowed", "Rested", "Shown"]


def test_the_example_line_is_read() -> None:
    assert read_line(b"*X;4;011;34;0;137;1", SANDS) == Status(4, "011", "34", 0, 137, 1)


@pytest.mark.parametrize(
    ("line", "number"),
    [(b"17", "17"), (b"07", "7"), (b"0", "0"), (b"00", "00"), (b"S", "S"), (b" 36 \r", "36"), (b"000", "0")],
)
def test_a_lone_number_is_one_of_the_wheel(line: bytes, number: str) -> None:
    assert read_line(line, SANDS) == number


def test_00_is_0_on_a_wheel_that_has_only_the_one() -> None:
    assert read_line(b"00", SINGLE_ZERO) == "0"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"37",
        b"1.5",
        b"-1",
        b"*X",
        b"*X;7;011;34;0;137;1",
        b"*X;4;011;34;0;137",
        b"*X;4;011;34;0;137;1;9",
        b"\xff\xfe",
    ],
)
def test_a_line_that_no_wheel_sends_is_not_read(line: bytes) -> None:
    assert read_line(line, SANDS) is None


@pytest.mark.parametrize("repeats", [2, 3, 40])
def test_a_game_reports_each_fact_once_however_often_its_lines_repeat(repeats: int) -> None:
    reported = heard(*game("17", repeats=repeats))
    assert reported.words == GOOD
    assert reported.shown == ["17"]
    assert [fact.count for fact in reported.facts if isinstance(fact, Rested)] == [0]  # not counted in this format
    assert [fact.with_wheel for fact in reported.facts if isinstance(fact, Launched)] == [False]


def test_game_after_game_each_has_its_result_even_the_same_number() -> None:
    says = WheelLines("w1", SANDS)
    lines = [line for n in range(5) for line in game("17", f"{n:03}", last="17")]
    assert heard(*lines, says=says).words == GOOD * 5


def test_the_rotor_is_reported_when_it_changes() -> None:
    reported = heard(status(2), status(2), status(2, speed=140), status(2, speed=140))
    assert [fact.rate for fact in reported.facts if isinstance(fact, Progress)] == [137, 140]


@pytest.mark.parametrize(
    ("state", "warning", "faults"),
    [
        (2, 1, ["no-ball"]),
        (3, 1, ["ball-removed"]),
        (3, 2, ["wrong-direction"]),
        (4, 4, ["sensor-or-motor"]),
        (3, 8, ["failed-launch"]),
        (4, 15, ["ball-removed", "wrong-direction", "sensor-or-motor", "failed-launch"]),
        (4, 16, ["garbled"]),
    ],
)
def test_warnings_add_up_and_each_is_reported_once_a_game(state: int, warning: int, faults: list[str]) -> None:
    lines = [status(s) for s in range(1, state + 1) for _ in range(2)]
    lines += [status(state, warning=warning), status(state, warning=0), status(state, warning=warning)]
    assert heard(*lines).warnings == faults


def test_a_ball_launched_with_the_wheel_says_so() -> None:
    reported = heard(status(1), status(1), status(3, warning=2))
    assert [fact.with_wheel for fact in reported.facts if isinstance(fact, Launched)] == [True]
    assert reported.warnings == ["wrong-direction"]


def test_a_rotor_at_rest_is_reported_at_the_launch_or_while_the_ball_runs() -> None:
    assert heard(status(1), status(1), status(3, speed=0), status(3, speed=0)).warnings == ["wheel-not-rotating"]
    assert heard(status(1), status(1), status(3), status(3, speed=0), status(4, speed=0)).warnings == ["wheel-stopped"]


def test_a_ball_that_runs_for_ever_is_a_stuck_sensor() -> None:
    lines = [status(1), status(1), status(3), status(3), status(3)]
    assert heard(*lines, every=STUCK // 2 + 1).warnings == ["stuck-sensor"]


def test_a_game_that_the_wheel_calls_void_has_no_result() -> None:
    lines = [*game("17")[:12], status(4, warning=8), b"17", status(5, last="17"), status(5, last="17")]
    assert heard(*lines).words == ["Launched", "Slowed", "failed-launch", "Rested"]


# ---- contradictory, late, duplicate, missing


def test_a_number_that_state_5_contradicts_is_not_shown() -> None:
    lines = [*game("17")[:13], status(5, last="34"), status(5, last="17")]
    reported = heard(*lines)
    assert reported.warnings == ["contradiction"]
    assert reported.shown == []


def test_two_lone_numbers_that_differ_are_no_result() -> None:
    lines = game("17")
    reported = heard(*lines[:13], b"18", *lines[13:])
    assert reported.warnings == ["contradiction"]
    assert reported.shown == []


@pytest.mark.parametrize(("extra", "fault"), [(b"17", "duplicate"), (b"18", "contradiction")])
def test_a_number_after_the_result_is_a_warning(extra: bytes, fault: str) -> None:
    reported = heard(*game("17"), extra, extra, extra)
    assert reported.words == [*GOOD, fault]


def test_a_number_twice_before_state_5_is_one_result() -> None:
    lines = game("17")
    assert heard(*lines[:13], b"17", *lines[13:]).words == ["Launched", "Slowed", "duplicate", "Rested", "Shown"]


def test_a_number_before_the_ball_runs_is_late() -> None:
    assert heard(status(2), status(2), b"17").words == ["late"]


def test_a_game_without_a_number_is_reported_at_state_5_or_when_the_next_begins() -> None:
    says = WheelLines("w1", SANDS)
    assert heard(*game("17")[:12], *[status(5, last="17")] * 3, b"17", says=says).words[2:] == [
        "Rested",
        "no-number",
        "late",
    ]
    assert heard(*game("17")[:12], status(2, "012"), status(2, "012")).words == ["Launched", "Slowed", "no-number"]


def test_lines_of_the_game_before_are_late_and_nothing_else() -> None:
    says = WheelLines("w1", SANDS)
    heard(*game("17", "011"), status(2, "012"), status(2, "012"), status(3, "012"), says=says)
    reported = heard(
        status(3, "011"), status(4, "011"), status(3, "012"), status(5, "011"), status(4, "012"), says=says
    )
    assert reported.words == ["late", "Slowed"]


def test_a_wheel_that_was_restarted_counts_its_games_anew() -> None:
    says = WheelLines("w1", SANDS)
    heard(*game("17", "001"), *game("18", "002"), says=says)
    assert heard(*game("19", "001", repeats=5), says=says).words == ["late", *GOOD]


def test_states_that_go_back_or_come_again_are_out_of_order() -> None:
    for state in (2, 3, 4):
        assert heard(*game("17"), status(state), status(state)).words == [*GOOD, "out-of-order"]
    again = [status(1), status(3), status(4), b"18", status(5, last="18"), status(5, last="18")]
    assert heard(*game("17"), *again).words == [*GOOD, "out-of-order", "contradiction"]


def test_states_that_were_missed_are_made_up_for_with_a_warning() -> None:
    lines = [status(2), status(2), status(4)]
    assert heard(*lines).words == ["out-of-order", "Launched", "Slowed"]
    reported = heard(status(2), status(2), status(3), b"17", status(5, last="17"))
    assert reported.words == ["Launched", "out-of-order", "Slowed", "Rested", "Shown"]


# ---- garbled lines


def test_one_bad_line_forges_no_game_and_no_rest() -> None:
    lines = game("17")
    for bad in (status(3, "01"), status(4, "911"), status(5, "011"), status(2, "111"), status(1, "0")):
        for place in range(2, 12):
            reported = heard(*lines[:place], bad, *lines[place:])
            assert reported.shown == ["17"], (bad, place)
            assert reported.words.count("Launched") == reported.words.count("Rested") == 1, (bad, place)


def test_half_a_status_line_that_looks_like_a_number_is_no_result() -> None:
    lines = game("17")
    for forged in (b"1", b"34", b"7"):
        reported = heard(*lines[:8], forged, *lines[8:])
        assert reported.shown == [], "the claim and the number disagree, so a person must look"
        assert "contradiction" in reported.warnings


def test_garbled_lines_are_counted_and_reported_once_a_burst() -> None:
    says = WheelLines("w1", SANDS)
    reported = heard(b"###", b"*X;", b"\x00\xff", status(2), b"???", status(2), says=says)
    assert reported.warnings == ["garbled", "garbled"]
    assert says.garbled == 4


def spoilt(line: bytes, chance: random.Random) -> bytes:
    match chance.randrange(5):
        case 0:
            return chance.randbytes(chance.randrange(1, 40)).replace(b"\n", b" ")
        case 1:
            return line[: chance.randrange(len(line))]
        case 2:
            return line[chance.randrange(len(line)) :]
        case 3:
            place = chance.randrange(len(line))
            return line[:place] + bytes([chance.randrange(256)]) + line[place + 1 :]
        case _:
            return chance.choice(
                [b"17", b"00", status(chance.randrange(1, 7), last="17", warning=chance.randrange(32))]
            )


def test_ten_thousand_garbled_lines_crash_nothing_and_give_no_game_a_second_result() -> None:
    chance = random.Random(7)
    says = WheelLines("w1", SANDS)
    facts: list[AnyFact] = []
    games = 0
    lines = 0
    while lines < 10_000:
        games += 1
        for line in game(chance.choice(SANDS.numbers), f"{games:04}"):
            for sent in (line, spoilt(line, chance)) if chance.random() < 0.6 else (line,):
                facts += says.read(sent, lines * 500)
                lines += 1
    shown = 0
    for fact in facts:
        if isinstance(fact, Launched):
            shown = 0
        if isinstance(fact, Shown):
            shown += 1
        assert shown <= 1
    assert sum(isinstance(fact, Shown) for fact in facts) <= games
    assert sum(isinstance(fact, Shown) for fact in facts) > games // 10  # it still reads what can be read
    assert says.garbled > 1000


def test_random_good_looking_lines_give_a_game_one_result_at_most() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        says = WheelLines("w1", SANDS)
        results = 0
        for at in range(300):
            number = chance.choice(("17", "18"))
            line = chance.choice(
                (number.encode(), status(chance.randrange(1, 7), "011", number, chance.choice((0, 0, 2))))
            )
            results += sum(isinstance(fact, Shown) for fact in says.read(line, at))
        assert results <= 1, seed


def test_answers_to_queries_are_kept_and_are_no_facts() -> None:
    says = WheelLines("w1", SANDS)
    assert read_line(b"*F 0 none", SANDS) == QueryAnswer("*F 0 none")
    assert heard(*[b"*T n 12"] * 40, says=says).facts == []
    assert says.answers == ["*T n 12"] * 16
    assert query("n") == b"*T n\r\n"
