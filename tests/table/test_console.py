"""The console: it always offers the one act that the round waits for, and offers nothing that the engine refuses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from croupier import Refused, load_rulebook, rulebook_ids
from croupier.rules.library import rulebook_text
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.console import console_view
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.messages import BetId, PersonId, SeatId
from croupier.table.next_acts import OTHERS, Act, Effect, attest_wanted, irregularities_now, next_act, other_acts
from croupier.table.snapshot import dump, load
from croupier.table.state import Table
from croupier.transcript.play import play
from croupier.words import has

STAFF = [PersonId(name) for name in ("Dana", "Sam", "Pat", "Max")]
COMMANDS = {kind.__name__: kind for kind in get_args(m.AnyCommand)}
BOOKS = rulebook_ids()


def table_of(book: str) -> Table:
    layout = load_rulebook(book).layouts[0].id.rpartition("/")[2]
    return play(f"table T {book} {layout}\nseat Ann 1000.00\nseat Ben 1000.00\n").table


def give(table: Table, command: Any) -> list[Any]:
    events = decide(table, command)
    for event in events:
        evolve(table, event)
        if isinstance(event, m.ApprovalRequested):
            second = next(name for name in reversed(STAFF) if name != command.by)
            give(table, m.Approve(second, command.at, event.request, event.digest))
    return events


def fields(table: Table, act: Act) -> dict[str, Any]:
    """What a person fills in: as little as the act asks for."""
    wheel = table.order == "wheel"
    filled: dict[str, Any] = {}
    for need in act.needs:
        match need.kind:
            case _ if not need.must:
                continue
            case "count":
                filled[need.field] = need.value
            case "faces" if (wanted := attest_wanted(table, STAFF[0], 0)) and not wanted.may_show:
                filled[need.field] = ()
            case "faces":
                shown = ("17",) if wheel else ("1", "3", "4")
                filled[need.field] = shown if need.field == "shown" else shown[len(table.entry)]
            case "outcome":
                filled[need.field] = "17" if wheel else "1-3-4"
            case "reason":
                filled[need.field] = "checked"
            case kind:
                raise AssertionError(f"{act.act} asks for {kind}")
    return filled


def do_next(table: Table, at: int) -> Act:
    """Whoever may does what the console shows as the next act."""
    offered = [act for name in STAFF if (act := next_act(table, name, at)) is not None]
    assert offered, f"nothing can be done while the round is {table.phase}"
    (act,) = {(one.act, one.says): one for one in offered}.values()
    person, act = next((name, one) for name, one in zip(STAFF, offered, strict=True) if one.may)
    if act.act == "CallNoMoreBets" and table.round is not None and not table.round.bets and table.interruption is None:
        seat = SeatId("Ann")
        box = table.layouts[table.displayed[0]].boxes[0]
        give(table, m.PlaceBet("Ann", at, BetId(f"b{table.round.number}"), table.round.number, seat, box, Cents(1000)))
    give(table, COMMANDS[act.act](person, at, **fields(table, act)))
    return act


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_is_dealt_by_doing_what_the_console_shows(book: str) -> None:
    table = table_of(book)
    done = [do_next(table, at) for at in range(60)]
    assert len(table.past) >= 3
    assert all(past.void_clause is None for past in table.past.values())
    calls = {act.act: (act.says, act.bell) for act in done}
    words = {call.id: (call.words, call.bell) for call in table.book.calls}
    assert calls["OpenBetting"] == words["place-your-bets"]
    assert calls["CallNoMoreBets"] == words["no-more-bets"]
    assert table.book.moments is not None
    announcing = "ConfirmResult" if table.book.moments.announced == "confirmed" else "PressEntry"
    if table.order != "wheel":  # the number of a wheel is known only once it is entered
        assert calls[announcing][0] == table.book.announce("1-3-4")
    assert {act for act, (says, _) in calls.items() if says} <= {"OpenBetting", "CallNoMoreBets", announcing}
    clauses = {act.act: act.clause for act in done}
    if table.live:
        moments = table.book.moments
        assert (clauses["ConfirmResult"], clauses["PayWinners"]) == (moments.checked_clause, moments.paid_clause)


def test_after_a_void_the_dealer_is_told_to_return_the_bets_until_the_next_round_begins() -> None:
    """Rws-taisai 5.12: a void leads to the phase in which its prompt is shown."""
    table = table_of("rws-taisai-v5")

    def prompts() -> set[str]:
        return {prompt.id for prompt in console_view(table, PersonId("Dana"), 0).prompts}

    while table.phase != "rest":
        assert "return-bets" not in prompts()
        do_next(table, 0)
    give(table, m.Report("Dana", 0, "not-flat"))
    assert "return-bets" in prompts()
    assert do_next(table, 1).act == "OpenBetting"
    assert "return-bets" not in prompts()


@pytest.mark.parametrize("book", BOOKS)
def test_after_an_interruption_in_any_phase_the_console_leads_out_of_it(book: str) -> None:
    for steps in range(14):
        table = table_of(book)
        for at in range(steps):
            do_next(table, at)
        before = len(table.past)
        give(table, m.Interrupt("Dana", steps, "server"))
        for at in range(steps, steps + 40):
            do_next(table, at)
        assert len(table.past) > before + 1, f"stuck after an interruption at step {steps}"


def states(book: str) -> Iterable[Table]:
    """A table at every step of a round, and interrupted there."""
    table = table_of(book)
    for at in range(24):
        do_next(table, at)
        yield table
        struck = load(table.setup, dump(table))
        give(struck, m.Interrupt("Dana", at, "server"))
        yield struck
        if (act := next_act(struck, STAFF[0], at)) is not None and act.act == "Restore":
            give(struck, m.Restore("Dana", at))
            yield struck


@pytest.mark.parametrize("book", BOOKS)
def test_an_irregularity_is_offered_if_and_only_if_the_engine_takes_it(book: str) -> None:
    checked = 0
    for table in states(book):
        for person in STAFF:
            offered = {one.id: one for one in irregularities_now(table, person, 99)}
            for part in table.book.irregularities:
                one = offered.get(part.id)
                try:
                    events = decide(table, m.Report(person, 99, part.id))
                except Refused:
                    assert one is None or not one.may or one.act != "Report" or part.people == 2, part.id
                    continue
                assert one is not None, f"{part.id} is legal while the round is {table.phase} and is not offered"
                assert one.may
                assert one.two == isinstance(events[0], m.ApprovalRequested)
                voids = any(isinstance(event, m.RoundVoided) for event in events)
                assert one.two or voids == one.will.case.startswith("void"), one.will
                checked += 1
    assert checked > 40


@pytest.mark.parametrize("book", BOOKS)
def test_other_acts_without_fields_are_taken_and_are_marked_where_a_second_person_is_needed(book: str) -> None:
    for table in states(book):
        for person in STAFF:
            for act in other_acts(table, person, 99):
                if act.act in ("Interrupt", "CloseTable", "Unlock"):
                    extra = {"part": "server"} if act.act == "Interrupt" else {}
                    extra |= {"reason": "checked"} if act.act == "Unlock" else {}
                    events = decide(table, COMMANDS[act.act](person, 99, **extra))
                    assert act.two == isinstance(events[0], m.ApprovalRequested)


def test_an_excess_comes_with_the_bet_to_reject_and_a_short_bet_with_the_minimum() -> None:
    table = play(
        "table T rws-taisai-v5 C\nminimum 25.00\nmaximum 1000.00\ndifferential 500.00\n"
        "seat Ann 2000.00\nseat Ben 2000.00\n\nDana calls place your bets\n"
        "Ann bets 700.00 on total:9\nBen bets 500.00 on total:9\nBen bets 10.00 on triple:1\nAnn bets 600.00 on big\n"
    ).table
    view = console_view(table, PersonId("Dana"), 0)
    assert [(one.box, one.over, one.seat, one.amount) for one in view.excess] == [
        ("total:9", 200_00, "Ben", 200_00),
        ("big", 100_00, "Ann", 100_00),
    ]
    assert [(one.seat, one.box, one.stake, one.minimum) for one in view.short] == [("Ben", "triple:1", 10_00, 25_00)]
    for excess in view.excess:
        give(table, m.RejectExcess("Dana", 1, excess.bet, excess.amount))
    for short in view.short:
        give(table, m.AdviseShort("Dana", 1, short.bet))
    assert console_view(table, PersonId("Dana"), 0).excess == ()
    assert [one.over for one in view.boxes if one.box == "total:9"] == [200_00]


def test_5_8_1_nothing_is_attested_of_dice_that_were_covered() -> None:
    table = table_of("mbs-esicbo-v4")
    while table.phase != "closed":
        do_next(table, 0)
    give(table, m.Interrupt("Dana", 1, "server"))
    act = next_act(table, PersonId("Dana"), 2)
    assert act is not None
    assert (act.act, act.clause) == ("Restore", "5.8.1")
    (void,) = give(table, m.Restore("system", 2))
    assert (type(void), void.clause, void.told) == (m.RoundVoided, "5.8.1", ("Ann",))
    assert attest_wanted(table, PersonId("Dana"), 3) is None


def test_a_book_that_asks_for_an_attestation_of_covered_dice_takes_only_nothing(tmp_path: Path) -> None:
    """The encoding of before: tables that were made under it go on as they were."""
    file = tmp_path / "mbs-esicbo-v4.toml"
    file.write_text(rulebook_text("mbs-esicbo-v4").replace('act = "void-unseen"', 'act = "attest"'))
    table = play(f"table T {file} rapid-select\nseat Ann 1000.00\n").table
    while table.phase != "closed":
        do_next(table, 0)
    give(table, m.Interrupt("Dana", 1, "server"))
    give(table, m.Restore("Dana", 2))
    wanted = attest_wanted(table, PersonId("Dana"), 3)
    assert wanted is not None
    assert (wanted.of, wanted.count, wanted.may_show, wanted.known) == ("dice", 3, False, ())
    assert wanted.will == Effect("void", {"round": 1, "total": 10_00, "players": 1, "clause": "5.8.1"})
    with pytest.raises(Refused, match="covered"):
        decide(table, m.Attest("Dana", 3, ("1", "2", "3")))


def test_the_second_source_is_not_shown_before_the_first_has_spoken() -> None:
    table = play(
        "table T rws-taisai-v5 A\noption two-sources\nseat Ann 100.00\n\n"
        "Dana calls place your bets\nDana calls no more bets\n"
        "Dana activates the tumbler\nDana counts 3\nDev senses 2-2-5\n"
    ).table
    assert b"2-2-5" not in msgspec.json.encode(console_view(table, PersonId("Dana"), 0))
    for face in "135":
        give(table, m.PressKey("Dana", 1, face))
    give(table, m.PressEntry("Dana", 1))
    view = console_view(table, PersonId("Dana"), 0)
    assert (view.entered, view.sensed) == ("1-3-5", "2-2-5")
    assert view.next is not None
    assert view.next.act == "DecideResult"


def test_every_command_that_people_give_can_be_found_on_the_console() -> None:
    """Or it is one of those with a place of their own: bets to reject, requests, what devices say, the book."""
    elsewhere = {"RejectExcess", "AdviseShort", "Approve", "Decline", "Report", "SenseResult"}
    elsewhere |= {"BringBook", "TakeUpBook", "TakeUpPlanned", "CancelPlan"}
    dice: set[type[m.Command]] = {m.StartMotion, m.EndMotion, m.Uncover, m.PressKey, m.PressEntry, m.EnterNumber}
    following: set[type[m.Command]] = dice | {
        m.OpenTable,
        m.OpenBetting,
        m.DecideResult,
        m.ConfirmResult,
        m.PayWinners,
        m.Restore,
        m.Attest,
    }
    found = {kind.__name__ for kind in (*OTHERS, *following)}
    assert {kind.__name__ for kind in get_args(m.AnyCommand)} - found == elsewhere
    assert [name for name in found if not has(f"acts-{name}") and not has(f"acts-{name}_dice")] == []
