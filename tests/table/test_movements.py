"""Every movement of money says why: its amounts are those of the ledger, and its clause is the one that moved it."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from croupier import load_rulebook
from croupier.ledger import Transfer
from croupier.rules.reader import read_rulebook
from croupier.rules.statement import Statement
from croupier.table import messages as m
from croupier.table.movements import RoundSums
from croupier.table.state import Movement
from croupier.transcript.play import Evening, Turn, play
from croupier.transcript.sums import write_sum
from tests.support.transcripts import FILES

BOOKS = ("mbs-esicbo-v4", "mbs-sands-roulette-v2", "nz-taisai-division9", "rws-sicbo-etg-v2", "rws-taisai-v5")
NET = ("reversal", "correction", "owed", "repaid")
"""The reasons of the transfers of a correction, whose movement is what they come to for the seat."""


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    return [play(file.read_text()) for file in FILES]


def by_bet(moved: list[Movement]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in moved:
        total[one.bet] += abs(one.amount)
    return total


def moved_by(transfers: list[Transfer]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in transfers:
        total["" if one.reason.startswith("ticket") else one.about] += one.amount
    return total


def is_correction(turn: Turn) -> bool:
    return any(isinstance(event, m.ResultCorrected | m.SettledRoundVoided) for event in turn.events)


def test_every_transfer_of_every_evening_has_its_movement_to_the_cent(evenings: list[Evening]) -> None:
    seen = 0
    for evening in evenings:
        for turn in evening.turns:
            if not is_correction(turn):
                assert by_bet(turn.moved) == moved_by(turn.transfers), turn.command
                seen += len(turn.moved)
    assert seen > 2_500


def test_the_movement_of_a_correction_is_what_it_comes_to_for_the_seat(evenings: list[Evening]) -> None:
    seen = 0
    for evening in evenings:
        for turn in evening.turns:
            for event in turn.events:
                if not isinstance(event, m.ResultCorrected | m.SettledRoundVoided):
                    continue
                for one in event.reversals:
                    found = [moved for moved in turn.moved if moved.bet == one.bet and "before" in moved.sum.facts]
                    account = f"terminal:{evening.table.setup.table}/{one.seat}"
                    net = sum(
                        (row.target == account) * row.amount - (row.source == account) * row.amount
                        for row in turn.transfers
                        if row.about == one.bet and row.reason in NET
                    )
                    assert net == found[0].amount + one.owed
                    assert found[0].sum.clause == event.clause
                    seen += 1
    assert seen > 20


def test_what_a_round_remembers_is_what_happened_act_by_act(evenings: list[Evening]) -> None:
    """The recall of a bet after the round says the same as each act did when it moved the money."""
    seen = 0
    for evening in evenings:
        events = (event for turn in evening.turns for event in turn.events)
        corrected = {one.round for one in events if isinstance(one, m.ResultCorrected | m.SettledRoundVoided)}
        for past in evening.table.past.values():
            if past.number in corrected:
                continue
            sums = RoundSums(past, evening.table.book, evening.table.layouts)
            for bet in past.round.bets.values():
                told = [one.sum for turn in evening.turns for one in turn.moved if one.bet == bet.id]
                assert list(sums.of(bet)) == told[-len(sums.of(bet)) :]
                seen += 1
    assert seen > 500


def test_the_journal_names_the_clause_of_each_cut_and_each_returned_stake(evenings: list[Evening]) -> None:
    """A search for a clause reads events: it finds what moved by 5.1.1 or 5.12, not the call that came with it."""
    cut = returned = 0
    for evening in evenings:
        book, kept = evening.table.book, evening.table.book.movements
        for event in (event for turn in evening.turns for event in turn.events):
            if isinstance(event, m.BettingClosed) and kept:
                assert {share.clause for share in event.cut} <= {book.limits.maximum.clause}
                cut += len(event.cut)
            if isinstance(event, m.RoundVoided) and kept:
                assert {share.clause for share in event.returned} <= {kept.void_clause or event.clause}
                returned += len(event.returned)
    assert cut > 20
    assert returned > 50


def clauses(one: Statement) -> list[str]:
    inside = [clause for parts in one.parts.values() for part in parts for clause in clauses(part)]
    return [*([one.clause] if one.clause else []), *inside]


def test_every_movement_of_a_bet_cites_a_clause_of_its_book(evenings: list[Evening]) -> None:
    for evening in evenings:
        books = (evening.table.setup.rulebook, evening.table.book)  # the book may have changed in between
        known = {clause for book in books for clause in book.clauses}
        for turn in evening.turns:
            for one in turn.moved:
                assert set(clauses(one.sum)) <= known
                assert one.sum.clause or not one.bet or not all(book.movements for book in books), one


def test_every_movement_can_be_written_and_each_kind_is_shown(evenings: list[Evening]) -> None:
    written = {one.sum.id: write_sum(one.sum) for evening in evenings for turn in evening.turns for one in turn.moved}
    assert {
        "sum-cash",
        "sum-corrected",
        "sum-cut",
        "sum-cut-minimum",
        "sum-cut-rounded",
        "sum-decided",
        "sum-lost",
        "sum-lost-limited",
        "sum-over-maximum",
        "sum-placed",
        "sum-placed-chips",
        "sum-rejected",
        "sum-stake",
        "sum-used-once",
        "sum-void",
        "sum-withdrawn",
        "sum-won",
        "sum-won-limited",
    } == written.keys()


@pytest.mark.parametrize("id", BOOKS)
def test_each_book_says_what_moves_money(id: str) -> None:
    book = load_rulebook(id)
    assert book.movements is not None
    assert book.refusals is not None


CAPPED = """\
table T1 {book}
maximum 100.00
seat Ann 1000.00

Dana calls place your bets
Ann bets 150.00 on straight:17
Dana spins the ball
Dana calls no more bets
Dana counts 4
Dana enters {number}
Dana confirms
Dana pays
"""


def test_a_book_from_before_this_part_decides_as_it_did(tmp_path: Path) -> None:
    """Without [movements] a capped bet cites its price, a loser on S the box, and a void no clause of returning."""
    text = (files("croupier") / "rulebooks" / "mbs-sands-roulette-v2.toml").read_text()
    begin, end = text.index("[movements]"), text.index("# A power failure")
    assert read_rulebook((text[:begin] + text[end:]).encode(), "old").movements is None
    old = tmp_path / "mbs-sands-roulette-v2.toml"
    old.write_text(text[:begin] + text[end:])
    for number, clause in (("17", "4.1"), ("16", "3.4.1"), ("S", "3.4.1")):
        evening = play(CAPPED.format(book=old, number=number))
        assert evening.table.past[m.RoundNumber(1)].paid[m.BetId("ann1")].clause == clause
    voided = play(CAPPED.format(book=old, number="17").partition("Dana spins")[0] + "Dana reports foreign-object\n")
    (event,) = (event for event in voided.turns[-1].events if isinstance(event, m.RoundVoided))
    assert event.returned[0].clause == ""
