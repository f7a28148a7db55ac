"""A small change of the law turns a transcript red: a sample of what `make mutate-law` tries in full."""

from __future__ import annotations

import json

import pytest

from croupier import load_rulebook, rulebook_ids
from tests.mutation.law import BY_SOFTWARE, RESULTS, by_clause, chosen, is_under, reason_of, sample, trials
from tests.mutation.law_code import CODE, planted
from tests.mutation.law_mutants import mutants_of

SAMPLE = 25
"""Mutants of each book; the whole is a target of its own."""


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_sample_of_small_changes_of_the_law_is_found_by_transcripts(id: str) -> None:
    found = trials(id, sample(id, SAMPLE, "ordinary tests"), [])
    missed = [one.mutant for one in found if one.found_by is None and reason_of(id, one.mutant) is None]
    assert missed == [], "write the transcript that would find it, or say in law_survivors.toml why none can"


@pytest.mark.parametrize("id", rulebook_ids())
def test_every_clause_that_software_keeps_was_shown_to_be_kept_in_the_last_whole_run(id: str) -> None:
    shown = json.loads(RESULTS.read_text())[id]["clauses"]
    kept = [clause for clause, part in load_rulebook(id).clauses.items() if part.kept in BY_SOFTWARE]
    assert [clause for clause in kept if not shown.get(clause, {}).get("found")] == []


def test_whatever_survived_the_last_whole_run_is_explained() -> None:
    results = json.loads(RESULTS.read_text())
    assert [(id, one) for id in results for one in results[id]["survivors"] if not reason_of(id, one)] == []


def test_a_mutant_changes_the_book_and_leaves_the_approved_one_as_it_is() -> None:
    book = load_rulebook("mbs-sands-roulette-v2")
    hash, names = book.hash, set()
    for one in mutants_of(book)[::40]:
        assert one.changed() != book
        names.add(one.name)
    assert load_rulebook("mbs-sands-roulette-v2").hash == hash == book.hash
    assert len(names) > 10


def test_a_planted_change_of_code_is_taken_out_again() -> None:
    id = "nz-taisai-division9"
    [entry] = [one for one in CODE if one.name == "two faces are a result"]
    [red] = trials(id, [], [entry])
    assert red.found_by is not None
    with planted(entry):
        pass
    mutants, _ = chosen(id, "6.4(b)")
    assert [one.found_by for one in trials(id, mutants, [])].count(None) < max(1, len(mutants))


def test_a_heading_counts_what_stands_under_it() -> None:
    assert is_under("3.3", "3.3.1")
    assert is_under("3.3", "3.3(a)")
    assert not is_under("3.3", "3.30")
    book = load_rulebook("mbs-esicbo-v4")
    found = list(trials(book.id, [one for one in mutants_of(book) if "3.3.1.1" in one.clauses][:2], []))
    assert by_clause(book, found)["3.3.1"].found == 2
