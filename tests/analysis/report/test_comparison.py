"""Rulebooks side by side on a question: what each says, from its data alone, with its clause."""

from __future__ import annotations

import json
import re

import pytest

from croupier import Refused, load_rulebook, rulebook_ids
from croupier.analysis.report.comparison import QUESTIONS, Comparison, compare
from croupier.rules.rulebook import Rulebook
from croupier.words import languages, say, statement
from tests.support.command_line import run

BOOKS = [load_rulebook(id) for id in rulebook_ids()]


def asked(question: str, *ids: str) -> Comparison:
    return compare(question, [load_rulebook(id) for id in ids] if ids else BOOKS)


def answer(question: str, subject: str, book: str) -> list[str]:
    [row] = [row for row in asked(question).rows if row.subject == subject]
    return [statement(one) for one in row.answers.get(book, ())]


def cited(one: Comparison, book: str) -> set[str]:
    return {given.clause for row in one.rows for given in row.answers.get(book, ()) if given.clause}


def test_a_power_failure_phase_by_phase() -> None:
    assert answer("power", "betting", "mbs-esicbo-v4") == [
        "betting resumes if the power is back within 30 s; otherwise the round is void (5.8.1)"
    ]
    assert answer("power", "betting", "mbs-sands-roulette-v2") == [
        "play goes on (5.11.2)",
        "otherwise the round is void (5.11.1)",
    ]
    assert answer("power", "spinning", "rws-taisai-v5") == []


def test_what_a_small_and_a_large_bet_get() -> None:
    assert answer("minimum", "minimum", "mbs-sands-roulette-v2") == [
        "for each Player in each box: it is settled once for each Player, and returned every time after that (5.15)"
    ]
    assert answer("minimum", "minimum", "mbs-esicbo-v4") == ["for each Player in each box: it is refused (3.3)"]
    assert answer("maximum", "maximum", "rws-taisai-v5") == [
        "for a box, over all Players: what is over it at the close is shared out in proportion, and the rest goes back "
        "(5.1.1)"
    ]


def test_who_may_say_that_a_round_is_void() -> None:
    assert answer("void", "short-tumble", "nz-taisai-division9") == [
        "the round is void; by Dealer or Pit Supervisor; "
        "at the latest while the result is entered and not settled (7.1(b))"
    ]
    assert answer("void", "damaged-dice", "rws-taisai-v5") == [
        "the affected rounds are void; by Pit Supervisor, Pit Manager or Shift Manager and a second person; "
        "at the latest while bets are settled (5.6)"
    ]


def test_ranks_second_people_and_evidence() -> None:
    assert answer("people", "ranks", "mbs-esicbo-v4") == [
        "whoever holds a position may do everything below it: Dealer, Pit Supervisor, Pit Manager, Shift Manager, "
        "from the lowest to the highest (6.2)"
    ]
    assert answer("people", "ranks", "rws-taisai-v5") == ["a position must be assigned (1.5)"]
    assert answer("two-people", "second-person", "nz-taisai-division9") == [
        "somebody else of the rank of Pit Manager or above, never two of the rank of Pit Manager or above"
    ]
    assert answer("evidence", "not-flat", "mbs-esicbo-v4") == [
        "either a person or a device; the reading of a device may contradict a person (5.3)"
    ]
    assert answer("evidence", "foreign-object", "mbs-sands-roulette-v2") == ["a person (5.4)"]


def test_the_stakes_of_a_void_round_go_back_by_the_clause_that_the_book_has_for_it() -> None:
    assert answer("money", "void-stakes", "rws-taisai-v5") == ["they go back (5.12)"]
    assert answer("money", "void-stakes", "mbs-esicbo-v4") == ["they go back by the clause that makes the round void"]
    assert (
        answer("money", "lost-bets", "mbs-sands-roulette-v2")[1] == "on 0 every bet that does not cover it loses (4.3)"
    )


def test_bets_close_before_the_spin_only_with_leave() -> None:
    assert answer("close", "early-close", "mbs-sands-roulette-v2") == [
        "before the spin, if Pit Manager or Shift Manager allows it (6.1)"
    ]
    assert answer("close", "early-close", "rws-taisai-v5") == []


def test_boxes_of_one_price_share_a_row() -> None:
    rows = {row.subject: row for row in asked("prices").rows}
    assert statement(rows["total:4"].about) == "Total 4, Total 17"
    assert [statement(one) for one in rows["total:4"].answers["rws-sicbo-etg-v2"]] == [
        "A: 64 to 1, edge 7/72, 9.72% (4.1.1)",
        "B: 64 to 1, edge 7/72, 9.72% (4.1.2)",
        "C: 62 to 1, edge 1/8, 12.50% (4.1.3)",
    ]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_every_irregularity_of_every_book_is_compared_on_some_question(book: Rulebook) -> None:
    compared = {row.subject for one in QUESTIONS for row in asked(one.id).rows if book.id in row.answers}
    missing = {part.id for part in book.irregularities if part.consequence != "interruption"} - compared
    assert missing == set()


_BARE = {
    "compared-title",
    "compared-operators",
    "compared-ranks",
    "compared-second",
    "compared-decides",
    "compared-moved",
}
"""Answers from tables of a book that may cite no clause."""


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_every_answer_cites_a_clause_of_its_book_or_stands_in_its_titles(book: Rulebook) -> None:
    for one in QUESTIONS:
        assert cited(asked(one.id), book.id) <= set(book.clauses)
        bare = [given for row in asked(one.id).rows for given in row.answers.get(book.id, ()) if given.clause is None]
        assert {given.id for given in bare} <= _BARE


@pytest.mark.parametrize("language", languages())
def test_every_question_is_answered_in_every_language(language: str) -> None:
    for one in QUESTIONS:
        compared = asked(one.id)
        assert compared.rows, one.id
        said = [statement(row.about, language) for row in compared.rows]
        said += [statement(given, language) for row in compared.rows for many in row.answers.values() for given in many]
        assert [
            text for text in said if re.search(r"\{\$|(comparing|compared|subject|moment|consequence)-", text)
        ] == []
        assert say(f"question-{one.id}", language) != f"question-{one.id}"


def test_a_question_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(Refused) as refused:
        asked("voids")
    assert (refused.value.reason, refused.value.case) == ("question", "unknown")


def test_the_command_prints_questions_answers_and_json() -> None:
    assert "What makes a round void" in run("compare")[1]
    assert {"question": "power", "asks": say("question-power")} in json.loads(run("compare", "--json")[1])
    code, printed, _ = run("compare", "power", "--book", "mbs-esicbo-v4", "--book", "rws-taisai-v5")
    assert code == 0
    assert "while bets are open" in printed
    assert "(5.4.2)" in printed
    [value] = json.loads(run("compare", "power", "--book", "mbs-esicbo-v4", "--json")[1])
    assert value["rows"][0]["answers"]["mbs-esicbo-v4"][0]["facts"] == {"act": "nothing", "seconds": 30}
    assert "本局作废" in run("compare", "power", "--language", "zh")[1]


def test_the_command_refuses_a_question_or_a_language_that_it_does_not_know() -> None:
    assert run("compare", "voids")[::2] == (
        2,
        f"croupier: there is no question “voids”; the questions are {', '.join(one.id for one in QUESTIONS)}\n",
    )
    assert run("compare", "void", "--language", "tlh")[0] == 2
