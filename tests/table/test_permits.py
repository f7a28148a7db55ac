"""Every cell of docs/permissions.md, tried: role × command × phase × book at tables, and the cage and the office.

The page is what people read and sign; so the page, not the program's own table, says what is expected here.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import replace

from croupier import cage, office, rulebook_ids
from croupier.cage.messages import AnyCageCommand
from croupier.office.messages import AnyOfficeCommand
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.decide import decide, rehearse
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, PersonId
from croupier.table.permits import PERMITS, WHEN, WHENEVER, check_when, roles_of
from croupier.table.roles import AT_THE_CAGE, DEALING, OFFICE_ROLES, SUPERVISION, Role
from croupier.table.snapshot import dump, load
from croupier.table.state import Phase, Table, new_table
from croupier.transcript.play import play

PAGE = Path(__file__).parents[2] / "docs" / "permissions.md"
TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").rglob("*.round"))
ROLES: tuple[Role, ...] = get_args(Role)
STRANGER = "stranger"
Grid = dict[str, frozenset[str]]


@cache
def grids() -> dict[str, Grid]:
    """Title or sentence above a table → row → the columns that have a mark."""
    found: dict[str, Grid] = {}
    title, heads = "", []
    for line in PAGE.read_text().splitlines():
        if line.startswith("| |"):
            heads = [cell.strip() for cell in line.split("|")[2:-1]]
            found[title] = {}
        elif line.startswith("| "):
            name, *cells = (cell.strip() for cell in line.split("|")[1:-1])
            assert len(cells) == len(heads)
            found[title][name] = frozenset(head for head, cell in zip(heads, cells, strict=True) if cell == "✓")
        elif line.startswith("#") or line.endswith(":"):
            title = line.lstrip("# ").rstrip(":")
    return found


class Seen:
    """What the transcripts show: a table of every book in every phase, and an accepted command of every kind."""

    def __init__(self) -> None:
        self.tables: dict[tuple[str, str], Table] = {}
        self.commands: dict[tuple[str, type[m.Command]], AnyCommand] = {}
        self.any: dict[type[m.Command], AnyCommand] = {}
        self.accepted: dict[type[m.Command], set[str]] = defaultdict(set)
        for file in TRANSCRIPTS:
            self._watch(file)

    def _watch(self, file: Path) -> None:
        evening = play(file.read_text())
        if evening.beginning:
            return  # one round out of an evening: its table did not begin empty
        setup = evening.table.setup
        table, book = new_table(setup), setup.rulebook.id
        for turn in evening.turns:
            self._keep(table, book)
            if turn.refused is None:
                self.commands.setdefault((book, type(turn.command)), turn.command)
                self.any.setdefault(type(turn.command), turn.command)
                if turn.events:
                    self.accepted[type(turn.command)].add(table.phase)
            for event in turn.events:
                evolve(table, event)
        self._keep(table, book)

    def _keep(self, table: Table, book: str) -> None:
        """One table a phase, with bets on it if there is one."""
        there = self.tables.get((book, table.phase))
        if there is None or (table.round and table.round.bets and not (there.round and there.round.bets)):
            self.tables[book, table.phase] = kept = load(table.setup, dump(table))
            kept.staff = {PersonId(role): (role,) for role in ROLES}

    def command(self, book: str, kind: type[m.Command]) -> AnyCommand:
        return self.commands.get((book, kind)) or self.any[kind]


@pytest.fixture(scope="module")
def seen() -> Seen:
    return Seen()


def reason(table: Table, command: AnyCommand) -> str:
    """Why it is refused; `nothing` if it leads to nothing, empty if to something."""
    try:
        return "" if decide(table, command) else "nothing"
    except Refused as refused:
        return refused.reason


def fitting(table: Table, command: AnyCommand) -> AnyCommand | None:
    """A command about somebody who is no one's senior, and a bet that is there: of another nobody is the owner."""
    if isinstance(command, m.AssignStaff):
        return replace(command, person=PersonId("Lee"), roles=("cashier",))
    if isinstance(command, m.WithdrawBet):
        bets = list(table.round.bets) if table.round else []
        return replace(command, bet=bets[0], id="w") if bets else None
    return command


def givers(table: Table, command: AnyCommand) -> Iterator[tuple[str, str]]:
    """(column of the page, name) of everyone who may try."""
    for role in ROLES:
        yield role, role
    yield "system", "system"
    seat = getattr(command, "seat", None)
    if isinstance(command, m.WithdrawBet) and table.round:
        seat = table.round.bets[command.bet].seat
    if seat is not None:
        yield "seat", seat
    yield STRANGER, STRANGER


def test_the_page_has_every_command_phase_and_role() -> None:
    names = {command.__name__ for command in get_args(AnyCommand)}
    assert {command.__name__ for command in PERMITS} == {command.__name__ for command in WHEN} == names
    assert set(grids()["When, at a table"]) == names
    for id in rulebook_ids():
        assert set(grids()[f"Who, under {id}"]) == names - {"Report"}
    assert set(grids()["At the cage"]) == {command.__name__ for command in get_args(AnyCageCommand)}
    assert set(grids()["In the office"]) == {command.__name__ for command in get_args(AnyOfficeCommand)}


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_cell_of_a_table(book: str, seen: Seen) -> None:
    who, when, cells = grids()[f"Who, under {book}"], grids()["When, at a table"], 0
    phases = {phase for id, phase in seen.tables if id == book}
    assert phases >= set(get_args(Phase)) - {"entering", "spinning", "settling"}
    for phase in phases:
        table = seen.tables[book, phase]
        before = dump(table)
        for kind in PERMITS:
            if kind is m.Report:
                continue
            command = fitting(table, seen.command(book, kind))
            if command is None:
                continue
            for column, name in givers(table, command):
                said, cells = reason(table, replace(command, by=name)), cells + 1
                place = f"{kind.__name__} by {name} while {phase}: {said or 'accepted'}"
                assert (said == "permission") == (column not in who[kind.__name__]), place
                assert said or phase in when[kind.__name__], place
        assert dump(table) == before
    assert cells > 3_000


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_cell_of_a_report(book: str, seen: Seen) -> None:
    who = grids()[f"What may be reported under {book}"]
    table = seen.tables[book, "betting"]
    assert set(who) == {part.id for part in table.book.irregularities}
    for irregularity, allowed in who.items():
        command = m.Report("", 0, irregularity)
        for column, name in givers(table, command):
            said = reason(table, replace(command, by=name))
            assert (said == "permission") == (column not in allowed), (irregularity, name, said)


def test_the_phases_of_a_command_are_those_in_which_it_was_seen_to_lead_to_something(seen: Seen) -> None:
    """A wider table would deny less: every mark of a command that has not all marks is shown by a transcript."""
    assert {kind for kind, phases in WHEN.items() if phases == WHENEVER} == EVER
    for kind, phases in WHEN.items():
        assert grids()["When, at a table"][kind.__name__] == phases
        assert seen.accepted[kind] <= phases, kind
        if phases != WHENEVER:
            assert phases - seen.accepted[kind] == UNSEEN.get(kind, set()), kind


EVER = {
    *(
        m.AssignStaff,
        m.TakeSeat,
        m.ChooseLayout,
        m.LeaveSeat,
        m.SetLimits,
        m.SetLayouts,
        m.GiveColour,
        m.TakeBackColour,
    ),
    *(m.SellCredit, m.PayOut, m.GiveCredit, m.RedeemTicket, m.CashOut, m.RepayDebt, m.WriteOffDebt),
    *(m.FillBank, m.DrainBank, m.Report, m.CorrectResult, m.VoidRounds, m.Unlock, m.Approve, m.Decline),
    *(m.InterruptTerminals, m.RestoreTerminals, m.BringBook, m.TakeUpBook, m.CancelPlan),
}
UNSEEN: dict[type[m.Command], set[str]] = {
    # A table that is closed stops and is opened again before it is restored: tests/simulation does so.
    m.OpenTable: {"interrupted"},
    # No wheel of today has a clause for these, but a file of tomorrow may.
    m.RejectExcess: {"spinning"},
    m.AdviseShort: {"spinning"},
    # The phases of what these decide are written in each book.
    m.DecideBet: {"betting", "interrupted", "moving", "settling", "spinning"},
    m.Decide: {"settling"},
    # A sensor speaks when it likes; tests/table/test_machine.py gives every command in every phase.
    m.SenseResult: {"entering"},
}


def blank(kind: type[m.Command], by: str, **known: object) -> Any:
    """A command of a kind that says nothing in particular."""
    empty: dict[Any, object] = {int: 1, Cents: Cents(1)}
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in ("by", "at", *known)]
    values = {
        field.name: get_origin(field.type)() if get_origin(field.type) in (tuple, dict) else empty.get(field.type, "x")
        for field in fields
        if field.required or field.default == ""
    }
    return kind(by, 1, **values, **known)


@pytest.mark.parametrize("kind", get_args(AnyCageCommand))
def test_every_cell_of_the_cage(kind: type[m.Command]) -> None:
    here = cage.new_cage({PersonId(role): (role,) for role in AT_THE_CAGE})
    for giver in (*AT_THE_CAGE, "system", STRANGER):
        with pytest.raises(Refused) as refused:  # a blank command is never in order
            cage.decide(here, blank(kind, giver))
        said = refused.value.reason
        assert (said == "permission") == (giver not in grids()["At the cage"][kind.__name__]), (giver, said)


@pytest.mark.parametrize("kind", get_args(AnyOfficeCommand))
def test_every_cell_of_the_office(kind: type[m.Command]) -> None:
    here = office.new_office({PersonId(role): (role,) for role in OFFICE_ROLES} | {PersonId("Lee"): ("auditor",)})
    about = {"person": "Lee"} if "person" in kind.__struct_fields__ else {}
    givers = {role: role for role in OFFICE_ROLES} | {"machine/root": "machine", "system": "system", STRANGER: ""}
    if about:
        givers["Lee"] = "self"
    for giver, column in givers.items():
        try:
            office.decide(here, blank(kind, giver, **about))
            said = ""
        except Refused as refused:
            said = refused.reason
        assert (said == "permission") == (column not in grids()["In the office"][kind.__name__]), (giver, said)


@pytest.mark.parametrize(
    "asks",
    [
        "Sam credits Ann 5.00 because goodwill",
        "Sam sets limits minimum 10.00",
        "Sam corrects round 1 to 1-3-5 because a photo",
        "Sam voids rounds 1 for damaged-dice because a photo",
    ],
)
def test_a_request_ends_when_its_asker_loses_the_role(asks: str) -> None:
    """Not by the approval of another either; and with the role they are obeyed again."""
    play(f"{ONE_ROUND}{asks}\nMax assigns Sam dealer\nPat approves 1 ! permission\n= requests 1\n{HAS_IT_AGAIN}")


HAS_IT_AGAIN = "Max assigns Sam pit-supervisor\nPat approves 1\n= requests none\n"
ONE_ROUND = """table T1 rws-sicbo-etg-v2 A
seat Ann 100.00

Dana calls place your bets
Ann bets 10.00 on small
Dana calls no more bets
Dana activates the tumbler
Dev counts 3
Dana enters 1-3-4
Dana confirms
"""


def test_a_refused_person_reads_their_roles_and_those_that_may() -> None:
    table = play(ONE_ROUND).table
    for by, said in (
        (STRANGER, f"permission not-table-staff person=stranger act=Unlock allowed={SUPERVISION}"),
        ("Dana", f"permission role person=Dana act=Unlock held=('dealer',) allowed={SUPERVISION}"),
    ):
        with pytest.raises(Refused) as refused:
            decide(table, m.Unlock(PersonId(by), 1, "it is mended"))
        assert str(refused.value) == said
    with pytest.raises(Refused, match=r"allowed=\(\) \(1\.5\)$"):
        decide(table, m.RejectExcess("Dana", 1, m.BetId("ann1"), Cents(1)))


@pytest.mark.parametrize("phase", sorted(WHENEVER - {"ready"}))
def test_outside_its_phases_a_command_is_refused_whatever_else_would_let_it_pass(phase: Phase) -> None:
    table = play("table T1 rws-sicbo-etg-v2 A\nseat Ann 100.00\n").table
    for command in (m.CloseTable("Sam", 1), m.Unlock("Sam", 1, "it is mended")):
        check_when(table, command)
    table.phase = phase
    check_when(table, m.Unlock("Sam", 1, "it is mended"))
    with pytest.raises(Refused) as refused:
        check_when(table, m.CloseTable("Sam", 1))
    assert refused.value.reason == "phase"


def test_every_right_that_a_book_gives_is_read_from_its_entry() -> None:
    """A book of tomorrow may give each call and each irregularity to others."""
    book = play("table T1 rws-sicbo-etg-v2 A\n").table.book
    first, second, *more = (part for part in book.irregularities if part.consequence == "void" and part.people == 1)
    calls = tuple(
        call.model_copy(update={"by": ("dealer",) if call.id == "place-your-bets" else ("pit-manager",)})
        for call in book.calls
    )
    parts = (
        first.model_copy(update={"people": 2, "authority": ("auditor",), "evidence": None}),
        second.model_copy(update={"authority": ("cashier",), "evidence": None}),
        *more,
    )
    titles = {role: title for role, title in book.titles.items() if role not in SUPERVISION[:2]}
    other = dataclasses.replace(book, calls=calls, irregularities=parts, titles=titles, ranks=None)
    assert roles_of(other, m.OpenBetting) == ("dealer",)
    assert roles_of(other, m.CallNoMoreBets) == ("pit-manager",)
    assert roles_of(other, m.Report, first.id) == ("auditor",)  # two people: no device senses that
    assert roles_of(other, m.Report, second.id) == ("cashier", "device")
    assert roles_of(other, m.Approve) == ("shift-manager",)
    assert "device" not in roles_of(other, m.CorrectResult)


def test_a_book_says_what_establishes_an_irregularity() -> None:
    """A device reports what only people can see as little as people report what only a device can establish."""
    book = play("table T1 rws-sicbo-etg-v2 A\n").table.book
    first = next(part for part in book.irregularities if part.evidence == "either")
    for evidence, expected in (
        ("either", (*first.authority, "device")),
        ("person", first.authority),
        ("device", ("device",)),
    ):
        other = dataclasses.replace(book, irregularities=(first.model_copy(update={"evidence": evidence}),))
        assert roles_of(other, m.Report, first.id) == expected


def test_6_2_on_a_ladder_whoever_holds_a_position_may_do_everything_below_it() -> None:
    """Without a ladder the position itself must be assigned (rws 1.5)."""
    book = play("table T1 mbs-esicbo-v4 alfastreet\n").table.book
    assert book.ranks is not None
    named = frozenset(book.play.operated_by)
    assert named == {"dealer", "shift-manager"}
    assert set(roles_of(book, m.PressKey)) == set(DEALING)
    assert roles_of(book, m.AmendResult) == ("shift-manager",)
    without = dataclasses.replace(book, ranks=book.ranks.model_copy(update={"ladder": ()}))
    assert set(roles_of(without, m.PressKey)) == named
    shorter = dataclasses.replace(book, ranks=book.ranks.model_copy(update={"ladder": ("dealer", "pit-manager")}))
    assert set(roles_of(shorter, m.PressKey)) == named | {"pit-manager"}


def test_the_phase_is_checked_when_a_command_is_given_and_when_it_is_approved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = play("table T1 rws-sicbo-etg-v2 A\nseat Ann 100.00\n")
    table, seat = evening.table, m.SeatId("Ann")
    gift = m.GiveCredit("Sam", 1, seat, Cents(5_00), "goodwill")
    asked = decide(table, gift)[0]
    assert isinstance(asked, m.ApprovalRequested)
    evolve(table, asked)
    for kind in (m.SellCredit, m.GiveCredit):
        monkeypatch.setitem(WHEN, kind, frozenset(("betting",)))
    for command in (
        m.SellCredit("Cass", 2, seat, Cents(1_00)),
        gift,
        m.Approve("Pat", 2, asked.request, asked.digest),
    ):
        assert reason(table, command) == "phase"
        with pytest.raises(Refused):
            rehearse(table, command)


def test_nobody_rehearses_what_they_may_not_do() -> None:
    table = play(ONE_ROUND).table
    command = m.GiveCredit("Dana", 1, m.SeatId("Ann"), Cents(5_00), "goodwill")
    with pytest.raises(Refused) as refused:
        rehearse(table, command)
    assert refused.value.reason == "permission"
    events, two = rehearse(table, replace(command, by="Sam"))
    assert ([type(event) for event in events], two) == ([m.CreditGiven], True)


def test_the_software_declines_a_request_only_after_its_last_moment_and_people_at_any() -> None:
    evening = play("table T1 rws-sicbo-etg-v2 A\nseat Ann 100.00\nSam credits Ann 5.00 because goodwill\n")
    table = evening.table
    last = table.requests[1].expires
    assert reason(table, m.Decline("system", last, 1)) == "approval"
    assert reason(table, m.Decline("system", last + 1, 1)) == ""
    for moment in (last, last + 1):
        assert reason(table, m.Decline("Pat", moment, 1)) == ""
    digest = table.requests[1].digest
    assert reason(table, m.Approve("Pat", last, 1, digest)) == ""
    assert reason(table, m.Approve("Pat", last + 1, 1, digest)) == "approval-expired"
