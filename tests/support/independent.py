"""The pay tables written a second time, from the approved texts and the rulings alone.

Nothing here asks whether an outcome satisfies a condition. Each bet is the set of ordered throws that win it, put
together from printed lists by permutation and union. `python3 tests/support/independent.py` checks the tables against
the printed box counts and edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

Throws = frozenset[tuple[int, ...]]
Row = dict[str, Fraction]
Table = dict[str, Row]

BOX_COUNTS: dict[str, int] = {
    "rws-sicbo-etg-v2/A": 56,
    "rws-sicbo-etg-v2/B": 104,
    "rws-sicbo-etg-v2/C": 104,
    "nz-taisai-division9/1": 50,
    "nz-taisai-division9/2": 106,
    "mbs-sands-roulette-v2/A": 166,
    "rws-taisai-v5/A": 50,
    "rws-taisai-v5/C": 104,
    "rws-taisai-v5/E": 107,
    "mbs-esicbo-v4/rapid-select": 104,
    "mbs-esicbo-v4/alfastreet": 50,
}
LAYOUTS: tuple[str, ...] = tuple(BOX_COUNTS)

# --- The dice: 216 ordered throws, 56 outcomes -----------------------------------------------------------------------

FACES = (1, 2, 3, 4, 5, 6)
THROWS: Throws = frozenset(product(FACES, repeat=3))


def outcome(throw: Iterable[int]) -> str:
    return "-".join(str(face) for face in sorted(throw))


WAYS: dict[str, int] = dict(sorted(Counter(outcome(throw) for throw in THROWS).items()))


def digits(text: str) -> tuple[int, ...]:
    return tuple(int(digit) for digit in text)


def ordered(*faces: int) -> Throws:
    """Every order in which the dice can show these three faces."""
    return frozenset(permutations(faces))


def union(parts: Iterable[Throws]) -> Throws:
    return frozenset().union(*parts)


TRIPLES: Throws = frozenset({(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5), (6, 6, 6)})

# The 56 outcomes, listed by hand under their Total Sum.
BY_TOTAL: dict[int, str] = {
    3: "111",
    4: "112",
    5: "113 122",
    6: "114 123 222",
    7: "115 124 133 223",
    8: "116 125 134 224 233",
    9: "126 135 144 225 234 333",
    10: "136 145 226 235 244 334",
    11: "146 155 236 245 335 344",
    12: "156 246 255 336 345 444",
    13: "166 256 346 355 445",
    14: "266 356 446 455",
    15: "366 456 555",
    16: "466 556",
    17: "566",
    18: "666",
}


def totals(*wanted: int) -> Throws:
    return union(ordered(*digits(faces)) for total in wanted for faces in BY_TOTAL[total].split())


CHANCES: dict[str, Throws] = {
    "small": totals(4, 5, 6, 7, 8, 9, 10) - TRIPLES,
    "big": totals(11, 12, 13, 14, 15, 16, 17) - TRIPLES,
    "odd": totals(5, 7, 9, 11, 13, 15, 17) - TRIPLES,
    "even": totals(4, 6, 8, 10, 12, 14, 16) - TRIPLES,
}


def on_dice(face: int) -> tuple[Throws, Throws, Throws]:
    """The throws with the face on one die, on two dice, on three dice."""
    others = [other for other in FACES if other != face]
    one = union(ordered(face, first, second) for first, second in product(others, repeat=2))
    two = union(ordered(face, face, other) for other in others)
    return one, two, ordered(face, face, face)


def two_of(first: int, second: int) -> Throws:
    """Two dice show these faces and the third shows anything; a triple is in the set once."""
    return union(ordered(first, second, third) for third in FACES)


def three_of(four: Iterable[int]) -> Throws:
    """Ruling 1: three different numbers of the four."""
    return union(ordered(*three) for three in combinations(four, 3))


# --- What the dice books print ---------------------------------------------------------------------------------------

RWS_DOMINOES = "14 12 24 13 23 34 25 26 35 45 36 15 16 46 56"
MBS_DOMINOES = "12 13 14 15 16 23 24 25 26 34 35 36 45 46 56"
NZ_DOMINOES = "12 13 14 15 16 23 24 25 26 34 35 36 45 46 56"
RWS_FOURS = "6543 6532 5432 4321"
MBS_FOURS = "1234 2345 2356 3456"
NZ_FOURS = "6543 6532 5432 4321"
FIFTEEN_FOURS = "6543 6542 6532 6432 5432 6541 6531 6431 5431 6521 6421 5421 6321 5321 4321"
RWS_THREES = "126 135 234 256 346 123 136 145 235 356 124 146 236 245 456 125 134 156 246 345"
MBS_THREES = "126 135 234 256 346 123 136 145 235 356 124 146 236 245 456 125 134 156 246 345"
NZ_THREES = "123 124 125 126 134 135 136 145 146 156 234 235 236 245 246 256 345 346 356 456"
RWS_PAIRS = (
    "113 114 115 116 221 223 224 225 226 331 332 334 335 336 441 442 443 445 446 551 552 553 554 556 661 662 663 664"
)
MBS_PAIRS = (
    "113 114 115 116 221 223 224 225 226 331 332 334 335 336 441 442 443 445 446 551 552 553 554 556 661 662 663 664"
)
NZ_PAIRS = (
    "112 113 114 115 116 221 223 224 225 226 331 332 334 335 336 "
    "441 442 443 445 446 551 552 553 554 556 661 662 663 664 665"
)


@dataclass(frozen=True)
class Printed:
    """One pay table. Odds are "to 1"; a bet left empty is not printed in it."""

    chances: str  # at 1 to 1
    single: str  # on one die, two dice, three dice
    totals: str  # 4 or 17, 5 or 16, 6 or 15, 7 or 14, 8 or 13, 9 or 12, 10 or 11
    domino: str
    dominoes: str
    any_triple: str
    triple: str
    double: str = ""
    four: str = ""
    fours: str = ""
    three: str = ""
    threes: str = ""
    pair: str = ""
    pairs: str = ""


PRINTED: dict[str, Printed] = {
    "rws-sicbo-etg-v2/A": Printed(
        chances="small big even odd",
        single="1 2 12",
        totals="64 32 19 12 8.5 7 6.5",
        domino="6",
        dominoes=RWS_DOMINOES,
        four="7.5",
        fours=RWS_FOURS,
        double="11.5",
        any_triple="32",
        triple="195",
    ),
    "rws-sicbo-etg-v2/B": Printed(
        chances="small big even odd",
        single="1 2 12",
        totals="64 32 19 12 8.5 7 6.5",
        domino="6",
        dominoes=RWS_DOMINOES,
        four="7.5",
        fours=RWS_FOURS,
        double="11.5",
        any_triple="32",
        triple="195",
        three="30",
        threes=RWS_THREES,
        pair="50",
        pairs=RWS_PAIRS,
    ),
    "rws-sicbo-etg-v2/C": Printed(
        chances="small big even odd",
        single="1 2 12",
        totals="62 31 18 12 8 7 6",
        domino="6",
        dominoes=RWS_DOMINOES,
        double="11",
        any_triple="31",
        triple="180",
        four="7",
        fours=RWS_FOURS,
        three="30",
        threes=RWS_THREES,
        pair="50",
        pairs=RWS_PAIRS,
    ),
    "nz-taisai-division9/1": Printed(
        chances="small big",
        triple="180",
        double="11",
        any_triple="31",
        totals="62 31 18 12 8 7 6",
        domino="6",
        dominoes=NZ_DOMINOES,
        single="1 2 12",
    ),
    "nz-taisai-division9/2": Printed(
        chances="small big odd even",
        triple="180",
        double="11",
        any_triple="31",
        totals="62 31 18 12 8 7 6",
        domino="6",
        dominoes=NZ_DOMINOES,
        single="1 2 12",
        pair="60",
        pairs=NZ_PAIRS,
        three="30",
        threes=NZ_THREES,
        four="7",
        fours=NZ_FOURS,
    ),
    "rws-taisai-v5/A": Printed(
        chances="small big",
        single="1 2 12",
        totals="62 31 18 12 8 7 6",
        domino="6",
        dominoes=RWS_DOMINOES,
        double="11",
        any_triple="31",
        triple="180",
    ),
    "rws-taisai-v5/C": Printed(
        chances="small big odd even",
        single="1 2 12",
        totals="62 31 18 12 8 7 6",
        domino="6",
        dominoes=RWS_DOMINOES,
        double="11",
        any_triple="31",
        triple="180",
        four="7",
        fours=RWS_FOURS,
        three="30",
        threes=RWS_THREES,
        pair="50",
        pairs=RWS_PAIRS,
    ),
    "rws-taisai-v5/E": Printed(
        chances="small big",
        single="1 2 12",
        totals="62 31 18 12 8 7 6",
        domino="6",
        dominoes=RWS_DOMINOES,
        any_triple="31",
        triple="180",
        four="7",
        fours=FIFTEEN_FOURS,
        three="30",
        threes=RWS_THREES,
        pair="50",
        pairs=RWS_PAIRS,
    ),
    "mbs-esicbo-v4/rapid-select": Printed(
        chances="small big odd even",
        triple="195",
        double="11.5",
        any_triple="32",
        totals="64 32 19 12 8.5 7 6.5",
        domino="6",
        dominoes=MBS_DOMINOES,
        single="1 2 12",
        four="7.5",
        fours=MBS_FOURS,
        pair="50",
        pairs=MBS_PAIRS,
        three="30",
        threes=MBS_THREES,
    ),
    "mbs-esicbo-v4/alfastreet": Printed(
        chances="big small",
        double="11.5",
        triple="195",
        any_triple="32",
        totals="64 32 19 12 8.5 7 6.5",
        single="1 2 12",
        domino="6",
        dominoes=MBS_DOMINOES,
    ),
}


def row(odds: str, *sets: Throws) -> Row:
    """One price for each set of throws; the sets are disjoint and whole outcomes."""
    paid: Row = {}
    for price, throws in zip(odds.split(), sets, strict=True):
        names = Counter(outcome(throw) for throw in throws)
        assert all(WAYS[name] == count for name, count in names.items()), "a set that depends on the order of the dice"
        assert not paid.keys() & names.keys(), "an outcome with two prices"
        paid.update(dict.fromkeys(names, Fraction(price)))
    return paid


def combination(kind: str, faces: str) -> str:
    """`four:3-4-5-6` for "6543", `pair:2-2-1` for "221": faces ascend, the doubled face comes first."""
    numbers = digits(faces)
    in_order = sorted(numbers, key=lambda face: (-numbers.count(face), face))
    return f"{kind}:" + "-".join(str(face) for face in in_order)


def each_face(printed: Printed) -> Table:
    table: Table = {}
    for face in FACES:
        table[f"single:{face}"] = row(printed.single, *on_dice(face))
        table[f"triple:{face}"] = row(printed.triple, ordered(face, face, face))
        if printed.double:
            table[f"double:{face}"] = row(printed.double, two_of(face, face))
    return table


def each_total(printed: Printed) -> Table:
    table: Table = {}
    for low, odds in enumerate(printed.totals.split(), start=4):
        for total in (low, 21 - low):
            table[f"total:{total}"] = row(odds, totals(total))
    return table


def each_combination(printed: Printed) -> Table:
    table: Table = {}
    for faces in printed.dominoes.split():
        table[combination("domino", faces)] = row(printed.domino, two_of(*digits(faces)))
    for faces in printed.fours.split():
        table[combination("four", faces)] = row(printed.four, three_of(digits(faces)))
    for faces in printed.threes.split():
        table[combination("three", faces)] = row(printed.three, ordered(*digits(faces)))
    for faces in printed.pairs.split():
        table[combination("pair", faces)] = row(printed.pair, ordered(*digits(faces)))
    return table


def dice_table(printed: Printed) -> Table:
    chances = {box: row("1", CHANCES[box]) for box in printed.chances.split()}
    any_triple = {"any-triple": row(printed.any_triple, TRIPLES)}
    return chances | any_triple | each_face(printed) | each_total(printed) | each_combination(printed)


# --- The wheel: 39 numbers -------------------------------------------------------------------------------------------

NUMBERS: tuple[str, ...] = ("S", "0", "00", *(str(number) for number in range(1, 37)))
RED = "1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36"
BLACK = "2 4 6 8 10 11 13 15 17 20 22 24 26 28 29 31 33 35"
GREEN_SPLITS = "S-0 S-00 0-00 0-1 0-2 00-2 00-3"
GREEN_STREETS = "S-0-00 0-1-2 0-00-2 00-2-3"


def joined(*numbers: int) -> str:
    return "-".join(str(number) for number in numbers)


def text(numbers: Iterable[int]) -> list[str]:
    return [str(number) for number in numbers]


def splits() -> list[str]:
    across = [joined(number, number + 1) for number in range(1, 36) if number % 3]
    down = [joined(number, number + 3) for number in range(1, 34)]
    return GREEN_SPLITS.split() + across + down


def streets() -> list[str]:
    return GREEN_STREETS.split() + [joined(first, first + 1, first + 2) for first in range(1, 35, 3)]


def corners() -> list[str]:
    return [joined(number, number + 1, number + 3, number + 4) for number in range(1, 33) if number % 3]


def six_lines() -> list[str]:
    return [joined(*range(first, first + 6)) for first in range(1, 32, 3)]


def areas() -> dict[str, tuple[int, list[str]]]:
    """The boxes that are named by a word: their odds and their numbers."""
    return {
        "top-line": (5, ["S", "00", "0", "1", "2", "3"]),
        "column:1": (2, text(range(1, 35, 3))),
        "column:2": (2, text(range(2, 36, 3))),
        "column:3": (2, text(range(3, 37, 3))),
        "dozen:1": (2, text(range(1, 13))),
        "dozen:2": (2, text(range(13, 25))),
        "dozen:3": (2, text(range(25, 37))),
        "low": (1, text(range(1, 19))),
        "high": (1, text(range(19, 37))),
        "even": (1, text(range(2, 37, 2))),
        "odd": (1, text(range(1, 36, 2))),
        "red": (1, RED.split()),
        "black": (1, BLACK.split()),
        "green": (11, ["S", "00", "0"]),
    }


def wheel_table() -> Table:
    table: Table = {}
    spots = {
        "straight": (35, list(NUMBERS)),
        "split": (17, splits()),
        "street": (11, streets()),
        "corner": (8, corners()),
        "six-line": (5, six_lines()),
    }
    for kind, (odds, names) in spots.items():
        for name in names:
            table[f"{kind}:{name}"] = dict.fromkeys(name.split("-"), Fraction(odds))
    for box, (odds, numbers) in areas().items():
        table[box] = dict.fromkeys(numbers, Fraction(odds))
    return table


@cache
def expected(layout_id: str) -> dict[str, dict[str, Fraction]]:
    """Box name to the outcomes that win it and their odds."""
    if layout_id == "mbs-sands-roulette-v2/A":
        return wheel_table()
    return dice_table(PRINTED[layout_id])


# --- The edges, as the rulings state them ----------------------------------------------------------------------------

EVERYWHERE = {
    "small": "1/36",
    "big": "1/36",
    "odd": "1/36",
    "even": "1/36",
    "domino": "1/36",
    "single": "1/27",
    "three": "5/36",
}
HIGH = {
    **dict.fromkeys(("total:4", "total:17", "total:7", "total:14"), "7/72"),
    **dict.fromkeys(("total:5", "total:16"), "1/12"),
    **dict.fromkeys(("total:6", "total:15", "total:9", "total:12"), "2/27"),
    **dict.fromkeys(("total:8", "total:13"), "11/144"),
    **dict.fromkeys(("total:10", "total:11"), "1/16"),
    "double": "2/27",
    "any-triple": "1/12",
    "triple": "5/54",
    "four": "1/18",
}
LOW = {
    **dict.fromkeys(("total:4", "total:17", "total:8", "total:13", "total:10", "total:11"), "1/8"),
    **dict.fromkeys(("total:5", "total:16"), "1/9"),
    **dict.fromkeys(("total:6", "total:15"), "13/108"),
    **dict.fromkeys(("total:7", "total:14"), "7/72"),
    **dict.fromkeys(("total:9", "total:12"), "2/27"),
    "double": "1/9",
    "any-triple": "1/9",
    "triple": "35/216",
    "four": "1/9",
}
HIGH_TABLES = (
    "rws-sicbo-etg-v2/A",
    "rws-sicbo-etg-v2/B",
    "mbs-esicbo-v4/rapid-select",
    "mbs-esicbo-v4/alfastreet",
)


CITED_BY = {
    "rws-sicbo-etg-v2/A": ("4.1.1", "Appendix A"),
    "rws-sicbo-etg-v2/B": ("4.1.2", "Appendix B"),
    "rws-sicbo-etg-v2/C": ("4.1.3", "Appendix C"),
    "nz-taisai-division9/1": ("3.2", "Appendix 1"),
    "nz-taisai-division9/2": ("4.1", "Appendix 2"),
    "mbs-sands-roulette-v2/A": ("4.1", "Appendix A"),
    "rws-taisai-v5/A": ("4.1.1", "Appendix A"),
    "rws-taisai-v5/C": ("4.1.2", "Appendix C"),
    "rws-taisai-v5/E": ("4.1.3", "Appendix E"),
    "mbs-esicbo-v4/rapid-select": ("3.3", "Appendix A"),
    "mbs-esicbo-v4/alfastreet": ("3.3", "Appendix B"),
}
"""The clause by which a layout may be played, and the appendix that shows it."""


def kind_of(box: str) -> str:
    return box.partition(":")[0]


def stated_edge(layout_id: str, box: str) -> Fraction:
    if layout_id.startswith("mbs-sands"):
        return Fraction("1/13")
    if kind_of(box) == "pair":
        return Fraction("11/72" if layout_id.startswith("nz-") else "7/24")
    stated = EVERYWHERE | (HIGH if layout_id in HIGH_TABLES else LOW)
    return Fraction(stated[box] if box in stated else stated[kind_of(box)])


EDGES: dict[str, dict[str, Fraction]] = {
    layout_id: {box: stated_edge(layout_id, box) for box in expected(layout_id)} for layout_id in LAYOUTS
}


# --- The self-check --------------------------------------------------------------------------------------------------


def ways(layout_id: str) -> dict[str, int]:
    return dict.fromkeys(NUMBERS, 1) if layout_id.startswith("mbs-sands") else WAYS


def moments(layout_id: str, box: str) -> tuple[Fraction, Fraction]:
    """The mean and the variance of what one unit wins."""
    weights, paid = ways(layout_id), expected(layout_id)[box]
    results = [(paid.get(name, Fraction(-1)), count) for name, count in weights.items()]
    throws = sum(weights.values())
    mean = sum((result * count for result, count in results), Fraction()) / throws
    square = sum((result**2 * count for result, count in results), Fraction()) / throws
    return mean, square - mean**2


def check_dice() -> None:
    assert sum(WAYS.values()) == 216
    assert len(WAYS) == 56
    listed = [faces for names in BY_TOTAL.values() for faces in names.split()]
    assert sorted(outcome(digits(faces)) for faces in listed) == sorted(WAYS)
    for total, names in BY_TOTAL.items():
        assert all(sum(digits(faces)) == total for faces in names.split()), total


def check_wheel() -> None:
    green = ["S", "0", "00"]
    assert sorted(RED.split() + BLACK.split() + green) == sorted(NUMBERS)


def check_layout(layout_id: str) -> None:
    table = expected(layout_id)
    assert len(table) == BOX_COUNTS[layout_id], f"{layout_id}: {len(table)} boxes"
    for box, stated in EDGES[layout_id].items():
        edge = -moments(layout_id, box)[0]
        assert edge == stated, f"{layout_id} {box}: edge {edge}, the rulings state {stated}"


def check() -> None:
    check_dice()
    check_wheel()
    for layout_id in LAYOUTS:
        check_layout(layout_id)
        print(f"{layout_id}: {BOX_COUNTS[layout_id]} boxes, every edge as stated")


if __name__ == "__main__":
    check()
