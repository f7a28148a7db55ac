"""A table before the evening and its staff: what may be opened, laid out, and who may give which post."""

from __future__ import annotations

from itertools import product

import pytest

from croupier import load_rulebook, rulebook_ids
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.messages import Limits, PersonId, Role, SeatId
from croupier.table.state import Setup, Table, new_table
from croupier.transcript.play import play

RANKS: dict[Role, int] = {"dealer": 1, "cashier": 1, "pit-supervisor": 2, "pit-manager": 3, "shift-manager": 4}


def refused(table: Table, command: m.AnyCommand) -> str:
    """Why a command is refused; empty if it is taken."""
    try:
        decide(table, command)
    except Refused as no:
        return no.reason
    return ""


@pytest.mark.parametrize("more", [False, True], ids=["one post", "several"])
@pytest.mark.parametrize("giver", ["pit-supervisor", "pit-manager", "shift-manager"])
def test_nobody_gives_or_takes_a_post_above_their_own(giver: Role, more: bool) -> None:
    """Whoever has several posts is as high as the highest of them, and so are the posts together."""
    table = play("table T1 rws-sicbo-etg-v2 A\n").table
    own: tuple[Role, ...] = ("dealer", giver, "cashier") if more else (giver,)
    for given, had in product(RANKS, (None, *RANKS)):
        table.staff = {PersonId("Boss"): own, PersonId("Other"): ("shift-manager",)}
        posts: tuple[Role, ...] = (given, "dealer") if more else (given,)
        if had:
            table.staff[PersonId("Lee")] = ("cashier", had) if more else (had,)
        allowed = max(RANKS[given], RANKS[had] if had else 0) <= RANKS[giver]
        said = refused(table, m.AssignStaff("Boss", 1, PersonId("Lee"), posts))
        assert said == ("" if allowed else "permission"), (giver, given, had)


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_table_opens_with_the_checks_of_its_book_for_the_opening_and_no_others(id: str) -> None:
    layout = load_rulebook(id).layouts[0].id.rpartition("/")[2]
    table = play(f"table T1 {id} {layout}\n").table
    table.open = False
    [opened] = decide(table, m.OpenTable("Max", 1))
    assert isinstance(opened, m.TableOpened)
    assert opened.checks == tuple(prompt.id for prompt in table.book.prompts if prompt.when == "opening")
    others = next(prompt.id for prompt in table.book.prompts if prompt.when != "opening")
    assert refused(table, m.OpenTable("Max", 1, (others,))) == ""
    if opened.checks:
        assert refused(table, m.OpenTable("Max", 1, opened.checks[-1:])) == "checks"


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_house_reads_by_its_alternative_only_what_has_one(id: str) -> None:
    book = load_rulebook(id)
    table = play(f"table T1 {id} {book.layouts[0].id.rpartition('/')[2]}\n").table
    for reading in book.readings:
        if reading.ruling is None:
            continue
        setup = Setup("T1", book, table.setup.layouts, table.setup.limits, alternatives=frozenset((reading.ruling,)))
        shut = new_table(setup)
        shut.staff = table.staff
        has = any(one.ruling == reading.ruling and one.alternative != "none" for one in book.readings)
        assert refused(shut, m.OpenTable("Max", 1)) == ("" if has else "alternative"), reading.ruling


def test_a_layout_that_the_chips_of_the_table_could_not_be_paid_on_is_not_laid_out() -> None:
    """8.5 to 1 on layout A needs two cents a chip; layout C is paid with one."""
    table = play("table T1 rws-sicbo-etg-v2 C\n").table
    laid_out = m.SetLayouts("Sam", 1, ("A",))
    assert refused(table, laid_out) == ""
    table.limits = Limits({"*": Cents(5)}, {"*": Cents(11)}, Cents(1))
    assert refused(table, laid_out) == "limits"
    assert refused(table, m.SetLayouts("Sam", 1, ("C",))) == ""


def test_no_seat_has_a_name_of_the_staff_or_of_the_software() -> None:
    table = play("table T1 rws-sicbo-etg-v2 A\n").table
    for name in ("system", "Dana"):
        assert refused(table, m.TakeSeat("Sam", 1, SeatId(name), "A")) == "seat"
    assert refused(table, m.TakeSeat("Sam", 1, SeatId("Ann"), "A")) == ""
    assert refused(table, m.AssignStaff("Sam", 1, PersonId("system"), ("dealer",))) == "permission"
