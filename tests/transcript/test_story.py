"""The story of an evening: every event has its words in every language, with all that it is about."""

from __future__ import annotations

from typing import get_args

import pytest

from croupier.rules import schema
from croupier.rules.money import Cents
from croupier.rules.reasons import TYPES
from croupier.rules.refusal import as_refused
from croupier.rules.statement import STATEMENTS, Statement
from croupier.store.rounds import hidden
from croupier.store.streams.entry import Refusal
from croupier.table import messages as m
from croupier.table.messages import SeatId
from croupier.transcript.play import Evening, play
from croupier.transcript.story import statements, story_of, text_of
from croupier.words import has, languages, sentence
from tests.support.transcripts import FILES

QUIET = {
    "TableOpened",
    "TableClosed",
    "StaffAssigned",
    "SeatTaken",
    "LayoutChosen",
    "SeatLeft",
    "CreditSold",
    "CreditPaidOut",
    "ColourTakenBack",
    "MotionStarted",
    "MotionEnded",
    "Uncovered",
    "KeyPressed",
    "TerminalsRestored",
    "BookBrought",
}
"""Events that say nothing beyond their act."""


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    return [play(file.read_text()) for file in FILES]


@pytest.mark.parametrize("language", languages())
def test_every_line_of_every_evening_has_a_sentence_with_all_its_facts(evenings: list[Evening], language: str) -> None:
    lines = [line.says for evening in evenings for line in story_of(evening)]
    told = [(one, sentence(one, language)) for one in lines]
    assert [one for one, text in told if "{$" in text or any(id in text for id in ids(one))] == []


def ids(one: Statement) -> set[str]:
    return {one.id}.union(*(ids(part) for parts in one.parts.values() for part in parts))


def test_every_fact_of_every_statement_is_of_its_kind(evenings: list[Evening]) -> None:
    ones = [one for evening in evenings for turn in evening.turns for event in turn.events for one in statements(event)]
    wrong = {
        (one.id, name)
        for one in ones
        for name, fact in one.facts.items()
        if type(fact) is not TYPES[STATEMENTS[one.id][name]]
    }
    assert wrong == set()


def test_every_kind_of_event_is_in_some_story_or_adds_nothing_to_its_act(evenings: list[Evening]) -> None:
    events = [event for evening in evenings for turn in evening.turns for event in turn.events]
    told = {type(event).__name__ for event in events if list(statements(event))}
    assert told | QUIET == {kind.__name__ for kind in get_args(m.AnyEvent)}
    assert not told & QUIET
    said_by = {one.id for event in events for one in statements(event)}
    assert {id for id in STATEMENTS if id.startswith("event-")} - said_by == set(), "no evening has shown these yet"


def test_whatever_follows_from_an_irregularity_or_an_interruption_has_a_name() -> None:
    words = [f"consequence-{one}" for one in get_args(schema.Irregularity.model_fields["consequence"].annotation)]
    words += [f"goes-on-{one}" for one in get_args(schema.PhaseAct.model_fields["act"].annotation)]
    assert len(words) > 30
    assert [word for word in words if not has(word)] == []


def test_a_refusal_in_a_story_has_its_case_and_an_old_one_its_sentence(evenings: list[Evening]) -> None:
    text = "\n".join(text_of(story_of(next(one for one in evenings if any(turn.refused for turn in one.turns)))))
    assert "  Refused: " in text
    before = play(FILES[0].read_text())
    before.turns[0].refused = as_refused(Refusal("phase", "it is too late", "3.5"))
    assert "  Refused: it is too late (3.5)." in list(text_of(story_of(before)))


def test_the_number_of_a_ticket_is_hidden_in_every_fact() -> None:
    ticket = "123456789012345611"
    (one,) = statements(m.TicketIssued("A1", 0, SeatId("A1"), ticket, Cents(500), 1))
    assert sentence(one).endswith(f"becomes ticket {ticket}.")
    assert sentence(hidden(one)).endswith("becomes ticket **************5611.")
    outer = Statement("story-refused", parts={"why": (Statement("x", {"tickets": (ticket,), "row": 7}),)})
    assert hidden(outer).parts["why"][0].facts == {"tickets": ("**************5611",), "row": 7}
