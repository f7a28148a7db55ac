"""The one projection of past rounds: follows new entries, and reads the earlier ones from the journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.floor.past_rounds import MOST, EndedRound, PastRounds, TableHistory, by_dealer
from croupier.rules.money import Cents
from croupier.store.streams.entry import Entry
from croupier.table import messages as m
from croupier.table.messages import Limits, RoundNumber

LIMITS = Limits({}, {}, Cents(100))


def opened(number: int, by: str = "Dana") -> m.BettingOpened:
    return m.BettingOpened(by, number * 10, RoundNumber(number), "", LIMITS, ("A",), "hash", "1")


def shown(number: int, outcome: str = "1-2-3") -> m.LosersCollected:
    return m.LosersCollected("Dana", number * 10 + 5, RoundNumber(number), outcome, "", {}, (), "1")


def void(number: int) -> m.RoundVoided:
    return m.RoundVoided("Sam", number * 10 + 5, RoundNumber(number), "no-tumble", "9.9", "", (), ())


def corrected(number: int, outcome: str) -> m.ResultCorrected:
    return m.ResultCorrected("Sam", 900, RoundNumber(number), outcome, (), "misread", "4.4", ())


def void_afterwards(number: int) -> m.SettledRoundVoided:
    return m.SettledRoundVoided("Sam", 901, RoundNumber(number), "no-spin", (), "late", "5.3.1", ())


def heard(rounds: PastRounds, *events: Any) -> None:
    rounds.follow([Entry(m.ConfirmResult("Dana", 1), events)], {})


def told(rounds: Sequence[EndedRound]) -> list[tuple[int, str | None, str | None]]:
    return [(one.round, one.outcome, one.void_clause) for one in rounds]


def test_a_round_is_known_by_its_result_or_by_the_clause_that_made_it_void() -> None:
    rounds = PastRounds()
    heard(rounds, opened(1), shown(1), opened(2, "Eve"), void(2), opened(3), shown(3, "6-6-6"))
    assert told(rounds.last(2)) == [(2, None, "9.9"), (3, "6-6-6", None)]
    assert rounds.outcomes() == ["1-2-3", "6-6-6"]
    assert by_dealer(rounds.rounds.values()) == {"Dana": (2, 0), "Eve": (1, 1)}


def test_a_correction_changes_the_round_and_not_its_place() -> None:
    rounds = PastRounds()
    heard(rounds, opened(1), shown(1), opened(2), shown(2), corrected(1, "4-5-6"), void_afterwards(2))
    assert told(rounds.last(9)) == [(1, "4-5-6", None), (2, None, "5.3.1")]
    heard(rounds, corrected(7, "1-1-1"))  # a round so old that it is not remembered
    assert told(rounds.last(9)) == [(1, "4-5-6", None), (2, None, "5.3.1")]


def test_rounds_of_the_journal_come_before_those_that_arrived_meanwhile() -> None:
    rounds = PastRounds()
    heard(rounds, opened(3), shown(3), corrected(1, "4-5-6"))
    assert told(rounds.last(9)) == [(3, "1-2-3", None)]
    rounds.load(TableHistory([opened(1), shown(1), opened(2), shown(2), opened(3), shown(3)], None))
    assert told(rounds.last(9)) == [(1, "4-5-6", None), (2, "1-2-3", None), (3, "1-2-3", None)]


def test_a_door_that_opens_first_begins_with_what_it_has_read_until_all_is_learned() -> None:
    rounds = PastRounds()
    rounds.begin([opened(2), shown(2)], [])
    heard(rounds, opened(3), shown(3))
    assert told(rounds.last(9)) == [(2, "1-2-3", None), (3, "1-2-3", None)]
    rounds.load(TableHistory([opened(1), shown(1), opened(2), shown(2)], None))
    assert [one.round for one in rounds.last(9)] == [1, 2, 3]
    rounds.begin([opened(2), shown(2, "6-6-6")], [])  # another door, later: it knows less
    assert told(rounds.last(9)) == [(1, "1-2-3", None), (2, "1-2-3", None), (3, "1-2-3", None)]


def test_no_more_rounds_are_remembered_than_there_is_room_for() -> None:
    rounds = PastRounds()
    for number in range(1, MOST + 6):
        heard(rounds, shown(number))
    assert [rounds.last(MOST + 9)[0].round, len(rounds.rounds)] == [6, MOST]
