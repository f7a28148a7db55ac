"""Who may write to a stream: every state met by everything that can happen to it."""

from __future__ import annotations

from typing import get_args

import pytest

from croupier.rules.findings import found
from croupier.store.heads import Shortened
from croupier.store.journal import Away, Conflict, Full, Indeterminate, Place
from croupier.store.ownership import BEGINNINGS, TRANSITIONS, Happening, Ownership, State

STATES: tuple[State, ...] = get_args(State)
HAPPENINGS: tuple[Happening, ...] = get_args(Happening)
TAKEN = Conflict(found("store", "owned", stream="T1", owner="two"))
FULL = Full(found("store", "full", error=""))
SHORT = Shortened("T1", Place(9, bytes(32)), 7)


@pytest.mark.parametrize("happening", HAPPENINGS)
@pytest.mark.parametrize("state", STATES)
def test_what_the_table_does_not_say_cannot_happen(state: State, happening: Happening) -> None:
    ownership, why = Ownership(state, FULL), TAKEN
    if happening in TRANSITIONS[state]:
        ownership.change(happening, why)
        assert (ownership.state, ownership.why) == (TRANSITIONS[state][happening], why)
    else:
        with pytest.raises(KeyError):
            ownership.change(happening, why)
        assert ownership.state == state
        assert isinstance(ownership.why, Full)


def test_every_state_can_be_reached_and_everything_that_happens_is_met_somewhere() -> None:
    reached = set(BEGINNINGS)
    while more := {after for state in reached for after in TRANSITIONS[state].values()} - reached:
        reached |= more
    assert reached == set(STATES) == set(TRANSITIONS)
    assert {happening for events in TRANSITIONS.values() for happening in events} == set(HAPPENINGS)


def test_only_a_follower_becomes_the_owner_and_only_by_the_lease() -> None:
    ways = [(state, event) for state, events in TRANSITIONS.items() for event, to in events.items() if to == "owned"]
    assert ways == [("followed", "LeaseTaken")]


def test_whoever_stopped_follows_again_only_after_the_rows_were_read() -> None:
    ways = {(state, event) for state, events in TRANSITIONS.items() for event, to in events.items() if to == "followed"}
    assert ways == {("superseded", "ReadAgain"), ("uncertain", "ReadAgain")}


@pytest.mark.parametrize("state", STATES)
def test_a_state_is_current_or_is_to_be_read_again_or_is_broken(state: State) -> None:
    one = Ownership(state)
    assert [one.is_current, one.must_read_again, one.is_broken].count(True) == 1


@pytest.mark.parametrize("state", STATES)
def test_a_stream_that_is_read_again_is_followed_and_the_old_recorder_stays_stopped(state: State) -> None:
    one = Ownership(state)
    if one.must_read_again:
        assert one.read_again().state == "followed"
    else:
        with pytest.raises(KeyError):
            one.read_again()
    assert one.state == state


@pytest.mark.parametrize(
    ("why", "state"),
    [
        (TAKEN, "superseded"),
        (Indeterminate(found("store", "commit-failed", error="")), "uncertain"),
        (Away(found("store", "no-answer", error="")), "uncertain"),
        (SHORT, "shortened"),
        (AssertionError("a cent is missing"), "faulted"),
    ],
)
def test_an_owner_stops_as_the_failure_says(why: Exception, state: State) -> None:
    one = Ownership("owned")
    one.stop(why)
    assert (one.state, one.why) == (state, why)


def test_only_owners_and_whoever_has_a_bug_renew_their_lease() -> None:
    assert [state for state in STATES if Ownership(state).keeps_its_lease] == ["owned", "faulted"]
