"""Every box on every outcome of the eleven layouts, against the tables of `independent.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Protocol

import pytest

from croupier import load_rulebook
from tests.support.independent import BOX_COUNTS, EDGES, HIGH_TABLES, LAYOUTS, NUMBERS, WAYS, expected, kind_of, moments

Wins = dict[str, Fraction]

SICBO = "rws-sicbo-etg-v2"
TAISAI = "rws-taisai-v5"
ESICBO = "mbs-esicbo-v4"
DIVISION9 = "nz-taisai-division9"
SANDS = "mbs-sands-roulette-v2"
SANDS_LAYOUT = f"{SANDS}/A"
DICE_LAYOUTS = tuple(layout_id for layout_id in LAYOUTS if layout_id != SANDS_LAYOUT)
RWS_LAYOUTS = tuple(layout_id for layout_id in LAYOUTS if layout_id.startswith("rws-"))
LOW_TABLES = tuple(layout_id for layout_id in DICE_LAYOUTS if layout_id not in HIGH_TABLES)


class Layout(Protocol):
    """What these tests ask of a layout."""

    @property
    def boxes(self) -> tuple[str, ...]: ...
    @property
    def outcomes(self) -> tuple[str, ...]: ...
    def ways(self, outcome: str, /) -> int: ...
    def pays(self, box: str, outcome: str, /) -> Fraction | None: ...
    def edge(self, box: str, /) -> Fraction: ...
    def deviation(self, box: str, /) -> float: ...


@cache
def layout_of(layout_id: str) -> Layout:
    book, _, name = layout_id.partition("/")
    return load_rulebook(book).layout(name)


@cache
def won(layout_id: str, box: str) -> Wins:
    """The outcomes that win the box, with their odds, as the engine has them."""
    layout = layout_of(layout_id)
    odds = {outcome: layout.pays(box, outcome) for outcome in layout.outcomes}
    return {outcome: price for outcome, price in odds.items() if price is not None}


def lit(layout_id: str, outcome: str) -> set[str]:
    """The boxes that win on the outcome."""
    layout = layout_of(layout_id)
    return {box for box in layout.boxes if layout.pays(box, outcome) is not None}


def boxes_of(layout_id: str, kind: str) -> set[str]:
    return {box for box in layout_of(layout_id).boxes if kind_of(box) == kind}


def expected_of(layout_id: str, kind: str) -> dict[str, Wins]:
    return {box: wins for box, wins in expected(layout_id).items() if kind_of(box) == kind}


def differences(layout_id: str, wanted: dict[str, Wins]) -> Iterator[str]:
    for box, wins in wanted.items():
        found = won(layout_id, box)
        for outcome in sorted(found.keys() | wins.keys()):
            if found.get(outcome) != wins.get(outcome):
                yield f"{box} on {outcome}: pays {found.get(outcome)}, the text says {wins.get(outcome)}"


def first_few(lines: Iterable[str], few: int = 8) -> str:
    every = list(lines)
    more = [f"... and {len(every) - few} more"] if len(every) > few else []
    return "\n".join(every[:few] + more)


# --- Which clause says it --------------------------------------------------------------------------------------------

Clauses = tuple[str, ...]

PAY_TABLE: dict[str, str] = {
    f"{SICBO}/A": "4.1.1",
    f"{SICBO}/B": "4.1.2",
    f"{SICBO}/C": "4.1.3",
    f"{TAISAI}/A": "4.1.1",
    f"{TAISAI}/C": "4.1.2",
    f"{TAISAI}/E": "4.1.3",
}

# Bets match the outcome, and are paid as the tables say.
OBJECTIVE: dict[str, Clauses] = {
    SICBO: ("3.1", "3.8"),
    TAISAI: ("3.1", "3.9", "4.1"),
    ESICBO: ("3.3", "3.6", "4.1"),
    DIVISION9: ("4.1", "4.10"),
    SANDS: ("3.4", "4.1"),
}

# The outcome is what the uppermost faces show, or the compartment of the ball.
OUTCOME: dict[str, Clauses] = {
    SICBO: ("3.7",),
    TAISAI: ("3.8",),
    ESICBO: ("3.5",),
    DIVISION9: ("4.2",),
    SANDS: ("1.1.3",),
}

TOTAL: dict[str, Clauses] = {
    SICBO: ("1.9",),
    TAISAI: ("1.8",),
    ESICBO: ("3.3.8", "3.3.8.1"),
    DIVISION9: ("1.0", "4.1(f)"),
}

WIN_CLAUSE: dict[str, dict[str, Clauses]] = {
    ESICBO: {
        "small": ("3.3.1", "3.3.1.1"),
        "big": ("3.3.2", "3.3.2.1"),
        "odd": ("3.3.3", "3.3.3.1"),
        "even": ("3.3.4", "3.3.4.1"),
        "triple": ("3.3.5", "3.3.5.1"),
        "double": ("3.3.6", "3.3.6.1"),
        "any-triple": ("3.3.7", "3.3.7.1"),
        "total": ("3.3.8", "3.3.8.1"),
        "domino": ("3.3.9", "3.3.9.1"),
        "single": ("3.3.10", "3.3.10.1"),
        "four": ("3.3.11", "3.3.11.1"),
        "pair": ("3.3.12", "3.3.12.1"),
        "three": ("3.3.13", "3.3.13.1"),
    },
    DIVISION9: {
        "small": ("4.1(a)", "1.0"),
        "big": ("4.1(b)", "1.0"),
        "triple": ("4.1(c)",),
        "double": ("4.1(d)",),
        "any-triple": ("4.1(e)",),
        "total": ("4.1(f)", "1.0"),
        "domino": ("4.1(g)",),
        "single": ("4.1(h)",),
        "three": ("4.1(i)",),
        "pair": ("4.1(i)",),
        "four": ("4.1(j)",),
        "odd": ("4.1(k)", "1.0"),
        "even": ("4.1(l)", "1.0"),
    },
    SANDS: {
        "straight": ("3.4.1",),
        "split": ("3.4.2",),
        "corner": ("3.4.3",),
        "street": ("3.4.4",),
        "six-line": ("3.4.5",),
        "top-line": ("3.4.6",),
        "column": ("3.4.7",),
        "dozen": ("3.4.8",),
        "low": ("3.4.9",),
        "high": ("3.4.10",),
        "black": ("3.4.11",),
        "red": ("3.4.12",),
        "odd": ("3.4.13",),
        "even": ("3.4.14",),
        "green": ("3.4.15",),
    },
}

ESICBO_ODDS: dict[str, Clauses] = {
    **dict.fromkeys(("small", "big", "odd", "even", "triple", "double", "any-triple"), ("4.1.1",)),
    "total": ("4.1.2",),
    "domino": ("4.1.3",),
    "single": ("4.1.4",),
    "four": ("4.1.5",),
    "pair": ("4.1.6",),
    "three": ("4.1.7",),
}

CHANCES = ("small", "big", "odd", "even")
EIGHT_KINDS = "small big single total domino double any-triple triple"
THIRTEEN_KINDS = f"{EIGHT_KINDS} odd even four three pair"
OFFERED: dict[str, str] = {
    f"{SICBO}/A": f"{EIGHT_KINDS} odd even four",
    f"{SICBO}/B": THIRTEEN_KINDS,
    f"{SICBO}/C": THIRTEEN_KINDS,
    f"{DIVISION9}/1": EIGHT_KINDS,
    f"{DIVISION9}/2": THIRTEEN_KINDS,
    SANDS_LAYOUT: "straight split street corner six-line top-line column dozen low high even odd red black green",
    f"{TAISAI}/A": EIGHT_KINDS,
    f"{TAISAI}/C": THIRTEEN_KINDS,
    f"{TAISAI}/E": "small big single total domino any-triple triple four three pair",
    f"{ESICBO}/rapid-select": THIRTEEN_KINDS,
    f"{ESICBO}/alfastreet": EIGHT_KINDS,
}
OFFER_CLAUSE: dict[str, Clauses] = {
    **{layout_id: (clause,) for layout_id, clause in PAY_TABLE.items()},
    f"{ESICBO}/rapid-select": ("Appendix A", "3.3"),
    f"{ESICBO}/alfastreet": ("Appendix B", "3.3"),
    f"{DIVISION9}/1": ("4.1",),
    f"{DIVISION9}/2": ("4.1",),
    SANDS_LAYOUT: ("3.4",),
}


def book_of(layout_id: str) -> str:
    return layout_id.partition("/")[0]


def keeps(layout_id: str, *clauses: str) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.clause(book_of(layout_id), *clauses),) if clauses else ()


def win_clauses(layout_id: str, kind: str) -> Clauses:
    """The clauses that say when this kind of bet wins; the rws books say it in the pay table."""
    if layout_id not in PAY_TABLE:
        return WIN_CLAUSE[book_of(layout_id)][kind]
    by_total = TOTAL[book_of(layout_id)] if kind in (*CHANCES, "total") else ()
    return (PAY_TABLE[layout_id], *by_total)


def odds_clauses(layout_id: str, kind: str) -> Clauses:
    match book_of(layout_id):
        case "mbs-esicbo-v4":
            return ESICBO_ODDS[kind]
        case "nz-taisai-division9":
            return ("4.10",)
        case "mbs-sands-roulette-v2":
            return ("4.1",)
        case _:
            return (PAY_TABLE[layout_id],)


WIN_CASES = [
    pytest.param(layout_id, kind, marks=keeps(layout_id, *win_clauses(layout_id, kind)), id=f"{layout_id} {kind}")
    for layout_id, kinds in OFFERED.items()
    for kind in kinds.split()
]
ODDS_CASES = [
    pytest.param(layout_id, kind, marks=keeps(layout_id, *odds_clauses(layout_id, kind)), id=f"{layout_id} {kind}")
    for layout_id, kinds in OFFERED.items()
    for kind in kinds.split()
]
EVERY_LAYOUT = pytest.mark.parametrize("layout_id", LAYOUTS)

# --- The whole matrix ------------------------------------------------------------------------------------------------


@EVERY_LAYOUT
def test_the_layout_has_the_printed_boxes_and_no_others(layout_id: str) -> None:
    boxes = layout_of(layout_id).boxes
    assert set(boxes) == set(expected(layout_id))
    assert len(boxes) == len(set(boxes)) == BOX_COUNTS[layout_id]


@pytest.mark.parametrize("layout_id", [pytest.param(name, marks=keeps(name, *OFFER_CLAUSE[name])) for name in LAYOUTS])
def test_the_layout_offers_these_kinds_of_bet(layout_id: str) -> None:
    assert {kind_of(box) for box in layout_of(layout_id).boxes} == set(OFFERED[layout_id].split())


@pytest.mark.parametrize(
    "layout_id", [pytest.param(name, marks=keeps(name, *OBJECTIVE[book_of(name)])) for name in LAYOUTS]
)
def test_every_cell_of_the_matrix(layout_id: str) -> None:
    shown = first_few(differences(layout_id, expected(layout_id)))
    assert not shown, f"{layout_id}\n{shown}"


@pytest.mark.parametrize(
    "layout_id", [pytest.param(name, marks=keeps(name, *OUTCOME[book_of(name)])) for name in LAYOUTS]
)
def test_the_outcomes_and_in_how_many_ways_they_happen(layout_id: str) -> None:
    layout = layout_of(layout_id)
    wanted = dict.fromkeys(NUMBERS, 1) if layout_id == SANDS_LAYOUT else WAYS
    assert len(layout.outcomes) == len(wanted)
    assert {outcome: layout.ways(outcome) for outcome in layout.outcomes} == wanted


# --- Clause by clause: what wins, what pays --------------------------------------------------------------------------


@pytest.mark.parametrize(("layout_id", "kind"), WIN_CASES)
def test_what_wins(layout_id: str, kind: str) -> None:
    found = {box: set(won(layout_id, box)) for box in boxes_of(layout_id, kind)}
    assert found == {box: set(wins) for box, wins in expected_of(layout_id, kind).items()}


@pytest.mark.parametrize(("layout_id", "kind"), ODDS_CASES)
def test_what_pays(layout_id: str, kind: str) -> None:
    wanted = expected_of(layout_id, kind)
    assert boxes_of(layout_id, kind) == set(wanted)
    shown = first_few(differences(layout_id, wanted))
    assert not shown, f"{layout_id}\n{shown}"


WAYS_OF_TOTALS = dict(zip(range(4, 18), (3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3), strict=True))


@pytest.mark.parametrize(
    "layout_id", [pytest.param(name, marks=keeps(name, *TOTAL[book_of(name)])) for name in DICE_LAYOUTS]
)
def test_a_total_is_the_sum_of_the_three_faces(layout_id: str) -> None:
    layout = layout_of(layout_id)
    for total, ways in WAYS_OF_TOTALS.items():
        wins = won(layout_id, f"total:{total}")
        assert all(sum(int(face) for face in outcome.split("-")) == total for outcome in wins)
        assert sum(layout.ways(outcome) for outcome in wins) == ways


@pytest.mark.parametrize("layout_id", DICE_LAYOUTS)
@pytest.mark.parametrize("face", range(1, 7))
def test_a_face_is_on_one_two_three_dice_in_75_15_1_ways(layout_id: str, face: int) -> None:
    layout = layout_of(layout_id)
    ways: dict[Fraction, int] = {}
    for outcome, odds in won(layout_id, f"single:{face}").items():
        ways[odds] = ways.get(odds, 0) + layout.ways(outcome)
    assert ways == {Fraction(1): 75, Fraction(2): 15, Fraction(12): 1}


# --- Triples ---------------------------------------------------------------------------------------------------------

TRIPLE_CLAUSE = {SICBO: "3.9", TAISAI: "3.10"}
TRIPLE_CASES = [
    pytest.param(layout_id, marks=keeps(layout_id, *filter(None, [TRIPLE_CLAUSE.get(book_of(layout_id))])))
    for layout_id in DICE_LAYOUTS
]
TOTAL_OF_TRIPLE = {2: {"total:6"}, 3: {"total:9"}, 4: {"total:12"}, 5: {"total:15"}}


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("layout_id", TRIPLE_CASES)
def test_on_a_triple_only_the_listed_bets_win(layout_id: str, face: int) -> None:
    double = set() if layout_id == f"{TAISAI}/E" else {f"double:{face}"}
    listed = {f"triple:{face}", "any-triple", f"single:{face}"} | double | TOTAL_OF_TRIPLE.get(face, set())
    assert lit(layout_id, f"{face}-{face}-{face}") == listed


@pytest.mark.clause(SICBO, "3.9")
def test_rws_sicbo_3_9_the_boxes_that_light_on_2_2_2() -> None:
    five = {"triple:2", "any-triple", "double:2", "single:2", "total:6"}
    assert [lit(f"{SICBO}/{name}", "2-2-2") for name in "ABC"] == [five, five, five]


@pytest.mark.clause(TAISAI, "3.10")
def test_rws_taisai_3_10_the_boxes_that_light_on_2_2_2() -> None:
    five = {"triple:2", "any-triple", "double:2", "single:2", "total:6"}
    assert [lit(f"{TAISAI}/{name}", "2-2-2") for name in "ACE"] == [five, five, five - {"double:2"}]


ONE_OF_EACH = {face: f"{face}-{face}-{face}" for face in range(1, 7)}


def on_triples(layout_id: str, kind: str) -> dict[str, Wins]:
    """What the boxes of a kind win on the six triples."""
    triples = set(ONE_OF_EACH.values())
    found = {
        box: {outcome: odds for outcome, odds in won(layout_id, box).items() if outcome in triples}
        for box in boxes_of(layout_id, kind)
    }
    return {box: wins for box, wins in found.items() if wins}


def by_face(kind: str, odds: str) -> dict[str, Wins]:
    return {f"{kind}:{face}": {triple: Fraction(odds)} for face, triple in ONE_OF_EACH.items()}


def triple_wins(layout_id: str) -> dict[str, dict[str, Wins]]:
    """The five sub-clauses of 3.9 and 3.10, in order: the kind, and what it wins on triples."""
    high = layout_id in HIGH_TABLES
    outer = Fraction(19 if high else 18)
    return {
        "triple": by_face("triple", "195" if high else "180"),
        "any-triple": {"any-triple": dict.fromkeys(ONE_OF_EACH.values(), Fraction(32 if high else 31))},
        "double": {} if layout_id == f"{TAISAI}/E" else by_face("double", "11.5" if high else "11"),
        "single": by_face("single", "12"),
        "total": {
            "total:6": {"2-2-2": outer},
            "total:9": {"3-3-3": Fraction(7)},
            "total:12": {"4-4-4": Fraction(7)},
            "total:15": {"5-5-5": outer},
        },
    }


@pytest.mark.parametrize(
    ("layout_id", "kind", "wins"),
    [
        pytest.param(
            layout_id,
            kind,
            wins,
            marks=keeps(layout_id, f"{TRIPLE_CLAUSE[book_of(layout_id)]}.{number}"),
            id=f"{layout_id} {kind}",
        )
        for layout_id in RWS_LAYOUTS
        for number, (kind, wins) in enumerate(triple_wins(layout_id).items(), start=1)
    ],
)
def test_what_a_listed_bet_wins_on_a_triple(layout_id: str, kind: str, wins: dict[str, Wins]) -> None:
    assert on_triples(layout_id, kind) == wins


@pytest.mark.clause(DIVISION9, "4.1(d)")
@pytest.mark.parametrize("name", ["1", "2"])
def test_nz_4_1_d_a_triple_wins_the_double_once_only(name: str) -> None:
    assert on_triples(f"{DIVISION9}/{name}", "double") == by_face("double", "11")


@pytest.mark.parametrize(
    ("box", "lost"),
    [
        pytest.param("small", {"2-2-2", "3-3-3"}, marks=pytest.mark.clause(DIVISION9, "4.1(a)")),
        pytest.param("big", {"4-4-4", "5-5-5"}, marks=pytest.mark.clause(DIVISION9, "4.1(b)")),
        pytest.param("odd", {"3-3-3", "5-5-5"}, marks=pytest.mark.clause(DIVISION9, "4.1(k)")),
        pytest.param("even", {"2-2-2", "4-4-4"}, marks=pytest.mark.clause(DIVISION9, "4.1(l)")),
    ],
)
def test_nz_4_1_the_triples_that_beat_an_even_chance(box: str, lost: set[str]) -> None:
    wins = won(f"{DIVISION9}/2", box)
    assert not lost & wins.keys()
    assert sum(WAYS[outcome] for outcome in wins) == 105


# --- Faults that were planted ----------------------------------------------------------------------------------------

TOTAL_CLAUSE = {layout_id: odds_clauses(layout_id, "total") for layout_id in DICE_LAYOUTS}


def prices(layout_id: str, box: str) -> set[Fraction]:
    return set(won(layout_id, box).values())


@pytest.mark.parametrize("layout_id", [pytest.param(x, marks=keeps(x, *TOTAL_CLAUSE[x])) for x in HIGH_TABLES])
def test_total_8_pays_8_5_on_the_high_tables(layout_id: str) -> None:
    assert prices(layout_id, "total:8") == prices(layout_id, "total:13") == {Fraction("8.5")}


@pytest.mark.parametrize("layout_id", [pytest.param(x, marks=keeps(x, *TOTAL_CLAUSE[x])) for x in LOW_TABLES])
def test_total_8_pays_8_on_the_low_tables(layout_id: str) -> None:
    assert prices(layout_id, "total:8") == prices(layout_id, "total:13") == {Fraction(8)}


@pytest.mark.parametrize(
    "layout_id",
    [
        pytest.param(layout_id, marks=keeps(layout_id, *win_clauses(layout_id, "four")))
        for layout_id, kinds in OFFERED.items()
        if "four" in kinds.split()
    ],
)
def test_four_number_bets_need_three_different_numbers(layout_id: str) -> None:
    wins = {box: set(won(layout_id, box)) for box in boxes_of(layout_id, "four")}
    assert wins["four:1-2-3-4"] == {"1-2-3", "1-2-4", "1-3-4", "2-3-4"}
    assert wins["four:2-3-5-6"] == {"2-3-5", "2-3-6", "2-5-6", "3-5-6"}
    assert all(len(outcomes) == 4 for outcomes in wins.values())
    assert all(len(set(outcome.split("-"))) == 3 for outcomes in wins.values() for outcome in outcomes)


@pytest.mark.parametrize(
    "layout_id",
    [
        pytest.param(layout_id, marks=keeps(layout_id, *clauses))
        for layout_id, clauses in {
            f"{SICBO}/B": ("4.1.2",),
            f"{SICBO}/C": ("4.1.3",),
            f"{TAISAI}/C": ("4.1.2",),
            f"{TAISAI}/E": ("4.1.3",),
            f"{ESICBO}/rapid-select": ("3.3.12.1", "4.1.6"),
        }.items()
    ],
)
def test_pair_1_1_2_is_not_offered_where_it_is_not_printed(layout_id: str) -> None:
    pairs = boxes_of(layout_id, "pair")
    assert not {"pair:1-1-2", "pair:6-6-5"} & pairs
    assert len(pairs) == 28


@pytest.mark.clause(DIVISION9, "4.1(i)", "4.10")
def test_pair_1_1_2_is_offered_in_division_9() -> None:
    layout_id = f"{DIVISION9}/2"
    assert won(layout_id, "pair:1-1-2") == {"1-1-2": Fraction(60)}
    assert won(layout_id, "pair:6-6-5") == {"5-6-6": Fraction(60)}
    assert len(boxes_of(layout_id, "pair")) == 30


@pytest.mark.clause(DIVISION9, "4.1(i)", "4.10")
def test_three_2_5_6_is_one_bet_in_division_9() -> None:
    assert won(f"{DIVISION9}/2", "three:2-5-6") == {"2-5-6": Fraction(30)}


@pytest.mark.clause(ESICBO, "4.1.6", "4.1.7")
def test_a_printed_row_of_combinations_is_not_one_bet() -> None:
    layout_id = f"{ESICBO}/rapid-select"
    combinations = boxes_of(layout_id, "pair") | boxes_of(layout_id, "three")
    assert len(combinations) == 48
    assert all(len(won(layout_id, box)) == 1 for box in combinations)


# --- Sands Roulette --------------------------------------------------------------------------------------------------


@pytest.mark.clause(SANDS, "3.4.6", "4.2", "4.3", "4.4")
def test_top_line_wins_on_S_0_and_00() -> None:  # noqa: N802
    assert won(SANDS_LAYOUT, "top-line") == dict.fromkeys(("S", "0", "00", "1", "2", "3"), Fraction(5))


@pytest.mark.clause(SANDS, "4.2")
def test_sands_4_2_what_wins_on_S() -> None:  # noqa: N802
    assert lit(SANDS_LAYOUT, "S") == {"straight:S", "split:S-0", "split:S-00", "street:S-0-00", "top-line", "green"}


@pytest.mark.clause(SANDS, "4.3")
def test_sands_4_3_what_wins_on_0() -> None:
    splits = {"split:S-0", "split:0-00", "split:0-1", "split:0-2"}
    streets = {"street:S-0-00", "street:0-1-2", "street:0-00-2"}
    assert lit(SANDS_LAYOUT, "0") == {"straight:0", "top-line", "green"} | splits | streets


@pytest.mark.clause(SANDS, "4.4")
def test_sands_4_4_what_wins_on_00() -> None:
    splits = {"split:S-00", "split:0-00", "split:00-2", "split:00-3"}
    streets = {"street:S-0-00", "street:0-00-2", "street:00-2-3"}
    assert lit(SANDS_LAYOUT, "00") == {"straight:00", "top-line", "green"} | splits | streets


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        pytest.param("straight", 39, marks=pytest.mark.clause(SANDS, "3.4.1")),
        pytest.param("split", 64, marks=pytest.mark.clause(SANDS, "3.4.2")),
        pytest.param("corner", 22, marks=pytest.mark.clause(SANDS, "3.4.3")),
        pytest.param("street", 16, marks=pytest.mark.clause(SANDS, "3.4.4")),
        pytest.param("six-line", 11, marks=pytest.mark.clause(SANDS, "3.4.5")),
        pytest.param("column", 3, marks=pytest.mark.clause(SANDS, "3.4.7")),
        pytest.param("dozen", 3, marks=pytest.mark.clause(SANDS, "3.4.8")),
    ],
)
def test_sands_3_4_how_many_boxes_of_a_kind(kind: str, count: int) -> None:
    assert len(boxes_of(SANDS_LAYOUT, kind)) == count


def test_every_sands_box_has_an_edge_of_one_in_thirteen() -> None:
    layout = layout_of(SANDS_LAYOUT)
    assert {layout.edge(box) for box in layout.boxes} == {Fraction(1, 13)}


# --- Edges and deviations --------------------------------------------------------------------------------------------


@EVERY_LAYOUT
def test_every_edge_is_the_stated_one(layout_id: str) -> None:
    layout = layout_of(layout_id)
    shown = first_few(
        f"{box}: edge {layout.edge(box)}, stated {stated}"
        for box, stated in EDGES[layout_id].items()
        if layout.edge(box) != stated
    )
    assert not shown, f"{layout_id}\n{shown}"


@pytest.mark.parametrize(
    ("layout_id", "box", "percent"),
    [
        (f"{TAISAI}/C", "single:4", "3.70"),
        (f"{TAISAI}/C", "total:4", "12.50"),
        (f"{SICBO}/A", "total:17", "9.72"),
        (f"{TAISAI}/C", "triple:5", "16.20"),
        (f"{TAISAI}/C", "double:2", "11.11"),
        (f"{TAISAI}/C", "four:3-4-5-6", "11.11"),
        (f"{TAISAI}/C", "domino:1-4", "2.78"),
        (SANDS_LAYOUT, "straight:17", "7.69"),
    ],
)
def test_published_edges(layout_id: str, box: str, percent: str) -> None:
    assert f"{float(100 * layout_of(layout_id).edge(box)):.2f}" == percent


@pytest.mark.parametrize(
    ("layout_id", "box", "published"),
    [
        (f"{TAISAI}/C", "small", "0.9996"),
        (f"{TAISAI}/C", "big", "0.9996"),
        (f"{TAISAI}/C", "odd", "0.9996"),
        (f"{TAISAI}/C", "even", "0.9996"),
        (f"{TAISAI}/C", "single:4", "1.3671"),
        (f"{TAISAI}/C", "total:4", "7.3729"),
        (f"{TAISAI}/C", "double:2", "3.1427"),
        (f"{TAISAI}/C", "triple:5", "12.287"),
        (SANDS_LAYOUT, "straight:17", "5.6902"),
    ],
)
def test_published_deviations(layout_id: str, box: str, published: str) -> None:
    places = len(published.partition(".")[2])
    assert f"{layout_of(layout_id).deviation(box):.{places}f}" == published


@EVERY_LAYOUT
def test_every_deviation_is_that_of_the_independent_table(layout_id: str) -> None:
    layout = layout_of(layout_id)
    for box in expected(layout_id):
        _, variance = moments(layout_id, box)
        assert layout.deviation(box) == pytest.approx(sqrt(variance), rel=1e-12), box
