"""The reader of rulebook files: every fault, with its place and what is allowed, all at once, and never a traceback."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable, MutableMapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import pytest

from croupier import RulebookFaults, load_rulebook, rulebook_ids
from croupier.rules.felt import read_felt
from croupier.rules.library import read_file
from croupier.rules.outcomes import Wheel
from croupier.rules.reader import read_rulebook

TEXTS = {id: files("croupier").joinpath("rulebooks", f"{id}.toml").read_text() for id in rulebook_ids()}
MACAU = (Path(__file__).parents[1] / "rulebooks" / "macau-sicbo.toml").read_text()
DIVISION9 = TEXTS["nz-taisai-division9"]
SANDS = TEXTS["mbs-sands-roulette-v2"]
RWS = TEXTS["rws-sicbo-etg-v2"]


def faults(text: str) -> list[str]:
    with pytest.raises(RulebookFaults) as caught:
        read_rulebook(text.encode(), "f.toml")
    return [str(fault) for fault in caught.value.faults]


def edited(text: str, old: str, new: str) -> str:
    assert old in text, f"{old!r} is not in the file any more"
    return text.replace(old, new, 1)


FAULTS = [
    ("unknown key", RWS, 'version = "2"', 'versoin = "2"', r'unknown key "versoin"; did you mean version\?'),
    (
        "unknown key in a wager",
        RWS,
        'prints = "1 WINS 64"',
        'prnts = "x"',
        r'layout "A", wager ".*4 or 17.*": unknown key',
    ),
    ("missing key", RWS, 'title = "Sic Bo (Open Cover)"\n', "", r'the key "title" is missing'),
    ("missing table", RWS, "[limits]\n", "[limitz]\n", r"limits: .*missing"),
    ("odds unreadable", RWS, '"8.5 to 1"', '"8,5:1"', r'pays: "8" is not odds.*"6 to 1" or "8.5 to 1"'),
    ("odds of nothing", RWS, '"8.5 to 1"', '"0 to 1"', r"pays nothing"),
    ("too few prices", RWS, '"1 to 1, 2 to 1, 12 to 1"', '"1 to 1"', r"1 prices for 3 conditions"),
    ("a face 7", RWS, "single: 1 2 3 4 5 6", "single: 1 2 3 4 5 7", r"box single:7: 7 is not a face \(1 to 6\)"),
    ("a box twice", RWS, "total: 4 17", "total: 4 4", r'"total:4" stands twice'),
    ("a list with a repeat", RWS, "four: 3-4-5-6", "four: 3-3-5-6", r"the list 3 3 5 6 repeats 3"),
    ("two numbers of four", RWS, "four: 3-4-5-6", "four: 3-4", r"needs at least three numbers"),
    ("not in order", RWS, "domino: 1-4 1-2", "domino: 4-1 1-2", r'write "domino:1-4" for "domino:4-1"'),
    ("a total of 19", RWS, "total: 4 17", "total: 4 19", r'"19" is not a total of three dice; allowed are 3 to 18'),
    (
        "a phrase unknown",
        RWS,
        "total 4 to 10, not a triple",
        "sum 4 to 10",
        r'"sum 4 to 10" is not a win condition for dice',
    ),
    ("a range backwards", RWS, "total 4 to 10, not a triple", "total 10 to 4", r"write the lower number first"),
    (
        "never wins",
        RWS,
        "total 4 to 10, not a triple",
        "total 3, not a triple",
        r"box small has a win condition that can never",
    ),
    ("two prices", RWS, '"exactly 1 of {}"', '"at least 1 of {}"', r"box single:1 has two prices on 1-1-1"),
    ("same for all boxes", RWS, 'wins = "total {}"', 'wins = "total 9"', r"is the same for every box"),
    (
        "cited, not indexed",
        RWS,
        'odds_clause = "4.1.1"',
        'odds_clause = "4.9"',
        r"odds_clause: clause 4.9 is cited but not in",
    ),
    ("indexed, no such clause", RWS, '"1.1" = {', '"1.99" = {', r"clauses, 1.99: no such clause in the text"),
    ("a clause missing", RWS, '"1.1" = {', '"1.99" = {', r"clauses: clause 1.1 of the text is missing"),
    ("kept by nobody", RWS, 'kept = "rules"', 'kept = "hope"', r'"hope" is not allowed; allowed are .*people'),
    ("silence", RWS, 'kept = "screen"', 'kept = "people"', r"is kept by people, so a prompt or a call must cite it"),
    ("felt misses a box", RWS, " total:4*3", " .*3", r'felt: box "total:4" is missing on the felt'),
    (
        "felt has it twice",
        RWS,
        "total:17*3 total:16*2",
        "total:17*3 total:17*2",
        r'"total:17" stands on the felt more than once',
    ),
    ("felt overlaps", RWS, "any-triple*6x2", "any-triple*6x3", r"overlaps any-triple"),
    ("felt has a hole", RWS, "total:17*3", "total:17*2", r"leaves 1 of 30 columns empty"),
    ("felt too wide", RWS, "total:17*3", "total:17*9", r"reaches past the grid of 30 columns"),
    ("felt unknown box", RWS, "total:17*3", "total:71*3", r'"total:71" on the felt is not a box'),
    ("felt unreadable", RWS, "total:17*3", "total:17*", r"row 4: cannot read"),
    (
        "phase of another order",
        RWS,
        '"closed"',
        '"spinning"',
        r"spinning is not a phase of open-cover; allowed are ready",
    ),
    ("role without title", RWS, 'pit-manager = "Pit Manager"\n', "", r"pit-manager has no title in \[titles\]"),
    (
        "no such order",
        RWS,
        'order = "open-cover"',
        'order = "upside-down"',
        r"allowed are open-cover, covered, wheel",
    ),
    ("device and order", RWS, 'order = "open-cover"', 'order = "wheel"', r"does not go with the device"),
    (
        "no such time zone",
        RWS,
        "Asia/Singapore",
        "Asia/Atlantis",
        r'time_zone: "Asia/Atlantis" is not a known time zone',
    ),
    ("braces", RWS, '"total {total}"', '"total {sum}"', r"must contain \{total\} and no other braces"),
    ("label", RWS, 'label = "{dice}"', 'label = "{cards}"', r"unknown field; allowed are \{\}, \{down\}"),
    ("not a date", RWS, "effective = 2021-05-24T08:00:00", 'effective = "May"', r"effective"),
    ("minimum", RWS, "minimum = 3", "minimum = 0", r"play, minimum: must be at least 1, not 0"),
    (
        "number not on the wheel",
        SANDS,
        "straight: S",
        "straight: X",
        r'"X" is not on the wheel; its numbers are S 0 00 1',
    ),
    (
        "no such colour",
        SANDS,
        '"number red"',
        '"number rouge"',
        r'"rouge" is not on the wheel; its numbers are .*, its colours green red black',
    ),
    (
        "a number without colour",
        SANDS,
        'green = "S 0 00"',
        'green = "S 0"',
        r"00 has 0 colours; every number has exactly one",
    ),
    ("numbers that do not touch", SANDS, "corner: 1-2-4-5", "corner: 1-2-4-9", r'"corner:1-2-4-9".*do not touch'),
    ("two spots in one place", SANDS, 'spot = "left of 0 1"', 'spot = "left of 1 2 3"', r"sit on the same spot"),
    ("differential", MACAU, '"big small"', '"big bigger"', r'"big bigger" must be two boxes of the layouts'),
    ("call missing", RWS, 'id = "no-more-bets"', 'id = "no-spin"', r'play: the call "no-more-bets" is missing'),
    ("phase unsaid", RWS, "\nrest = {", "\n# rest = {", r"nothing is said about the phase rest"),
    ("not toml", RWS, "[titles]", "[titles", r"not TOML: .*line"),
    ("odds to nothing", RWS, '"64 to 1"', '"6 to 0"', r'"6 to 0" is not odds'),
    (
        "a number without numbers",
        RWS,
        '"total 4 to 10, not a triple"',
        '"total {}"',
        r"uses \{\}, but the box has no num",
    ),
    ("a total of two numbers", RWS, "total: 4 17", "total: 4-5 17", r'box total:4-5: "total \{\}" must be one number'),
    ("a total below zero", RWS, "total: 4 17", "total: -4 17", r'box total:-4: "total \{\}" must be one number'),
    ("a total with a zero", RWS, "total: 4 17", "total: 04 17", r'box total:04: "04" is not a total'),
    ("a total and another", RWS, '"total {}"', '"total {} 9"', r'"total \{\} 9" must be one number'),
    ("a number left out", SANDS, "split: S-0", "split: S--0", r'"split:S--0" must be written with numbers of the game'),
    (
        "a count with a zero",
        SANDS,
        '"column:1"',
        '"column:01"',
        r'"column:01" must be written with numbers of the game',
    ),
    ("straight on another", SANDS, '"column:1"', '"straight:1"', r"write \{\} for the numbers in the box's name"),
    ("two numbers, another list", SANDS, '"column:1"', '"column:1-2"', r"write \{\} for the numbers in the box's name"),
    (
        "a number and another",
        SANDS,
        '"number {}"',
        '"number {} 18"',
        r'"number \{\} 18" is not a win condition for a wheel',
    ),
    ("a wheel's number twice", SANDS, '"S 0 00 1 to 36"', '"S 0 00 1 1 to 36"', r"must be 2 to 200 different numbers"),
    ("a list with a number twice", SANDS, '"number 1 to 18"', '"number 1 to 18 7"', r"repeats 7"),
    ("a colour and its number", SANDS, '"number red"', '"number red 1"', r"repeats 1"),
    (
        "a number of two colours",
        SANDS,
        'red = "1 3',
        'red = "00 1 3',
        r"00 has 2 colours; every number has exactly one",
    ),
    ("a range from 00", SANDS, '"S 0 00 1 to 36"', '"S 0 00 to 36"', r'"00 to 36" is not a range; write plain numbers'),
    ("a range of hundreds", SANDS, '"number 1 to 18"', '"number 1 to 201"', r"like 1 to 18, and at most 200"),
    (
        "a list of hundreds",
        SANDS,
        '"number 1 to 18"',
        '"number 1 to 99 1 to 99 S 0 00"',
        r"has 201 numbers; the most is",
    ),
    ("a number called to", SANDS, '"S 0 00 1 to 36"', '"to S 0 00 1 to 36"', r'"to" has a meaning in lists'),
    ("a number called even", SANDS, '"S 0 00 1 to 36"', '"even S 0 00 1 to 36"', r'"even" has a meaning in lists'),
    ("a number called red", SANDS, '"S 0 00 1 to 36"', '"red S 0 00 1 to 36"', r'"red" has a meaning in lists'),
    ("a colour called S", SANDS, "\ngreen =", "\nS =", r'"S" has a meaning in lists'),
    ("a colour called odd", SANDS, "\ngreen =", "\nodd =", r'"odd" has a meaning in lists'),
    (
        "a spot at no number",
        SANDS,
        '"left of 0 1"',
        '"left of 0 99"',
        r'"top-line" sits on "straight:99", which is not an',
    ),
    ("a spot at no numbers", SANDS, '"left of 0 1"', '"left"', r'"top-line" has no numbers to sit on'),
    ("a spot where none meet", SANDS, '"left of 0 1"', '"meet"', r'"top-line" has no numbers to sit on'),
    (
        "a spot among dice",
        MACAU,
        'boxes = "domino',
        'spot = "meet"\nboxes = "domino',
        r'"domino:1-2" sits on "straight:1"',
    ),
    ("a spot left of two ends", SANDS, "street: 1-2-3 4-5-6", "street: 1-3 4-5-6", r'"street:1-3" .* not one block'),
    (
        "a spot left of a bend",
        SANDS,
        '"left of 0 1"',
        '"left of 1 2 5"',
        r'"top-line" .* not one block with a left edge',
    ),
    ("a split over a corner", SANDS, "\n  1-2 1-4", "\n  1-2 1-5 1-4", r'"split:1-5" .* do not touch in one place'),
    ("felt too high", RWS, "total:17*3", "total:17*3x9", r"total:17 reaches past the grid of 30 columns and"),
    ("other odds printed", RWS, '"1 WINS 64"', '"1 WINS 62"', r'prints: "1 WINS 62" is not 64 to 1, which pays says'),
    ("half odds printed", RWS, '"1 WINS 8 1/2"', '"1 WINS 8"', r'prints: "1 WINS 8" is not 8.5 to 1'),
    ("other odds with words", RWS, '"1 WINS 1 EXCEPT', '"1 WINS 2 EXCEPT', r'prints: "1 WINS 2 EXCEPT.* is not 1 to 1'),
    ("other odds with a colon", RWS, '"1:62"', '"1:61"', r'prints: "1:61" is not 62 to 1'),
    ("other odds as they pay", RWS, '"1:62"', '"61 to 1"', r'prints: "61 to 1" is not 62 to 1'),
    ("other odds in a list", DIVISION9, "2 TO 1, 12 TO 1", "2 TO 1, 13 TO 1", r'prints: "13 TO 1" is not 12 to 1'),
    ("one condition in a list", RWS, '"total {}"', '["total {}"]', r"at least 2 items"),
    ("an hour elsewhere", RWS, "24T08:00:00", "24T08:00:00+08:00", r"effective: .* without an offset of its own"),
    ("an hour in London", RWS, "24T08:00:00", "24T08:00:00Z", r"effective: .* without an offset of its own"),
    (
        "short bets on terminals",
        RWS,
        'breach = "refuse"',
        'breach = "once-only"',
        r'minimum: "once-only" is for chips on a felt',
    ),
    ("format true", RWS, "format = 1", "format = true", r"format: must be a whole number, not true"),
    ("people true", RWS, "people = 1", "people = true", r"people: must be a whole number, not true"),
    ("three people", RWS, "people = 1", "people = 3", r"people: must be at most 2, not 3"),
    ("a conversion", RWS, '"{face}"', '"{face!r}"', r"must contain \{face\} and no other braces"),
    ("a width", RWS, '"{face}"', '"{face:>9}"', r"must contain \{face\} and no other braces"),
    (
        "a line break",
        RWS,
        '"Sic Bo (',
        '"Sic Bo\\nf.toml: fine. (',
        r'title: "Sic Bo\ufffdf.toml: fine. .* cannot be printed',
    ),
    ("an escape", RWS, 'words = "No', 'words = "\\u001b[2JNo', r'"no-more-bets", words: .* cannot be printed'),
    ("a turn to the left", RWS, 'label = "ANY', 'label = "\\u202eANY', r'wager "Any.*", label: .* cannot be printed'),
    (
        "a bell in a key",
        RWS,
        '"1.1" = {',
        '"1.1\\u0007" = {',
        r'clauses: "1.1\ufffd" holds a character that cannot be pr',
    ),
    (
        "an escape in a name",
        RWS,
        'id = "short-tumble"',
        'id = "a\\u001bb"',
        r'irregularity "a\ufffdb", id: .* cannot be printed',
    ),
    ("a huge number", RWS, "minimum = 3", f"minimum = 0x{'f' * 900}", r"play, minimum: is beyond 1,000,000"),
    (
        "a deep key",
        RWS,
        "minimum = 3",
        f"minimum{'.a' * 400} = 3",
        r"play, minimum, a, a, a, a, a, a, a: is nested too deep",
    ),
    ("a layout twice", RWS, 'id = "B"', 'id = "A"', r'layout "A": stands 2 times'),
    (
        "an irregularity twice",
        RWS,
        'id = "short-tumble"',
        'id = "interruption"',
        r'irregularity "interruption": stands 2 times',
    ),
    (
        "a clause of the text twice",
        RWS,
        '"1.1", "1.2"',
        '"1.1", "1.1", "1.2"',
        r"contents: clause 1.1 stands more than once",
    ),
    (
        "otherwise, not indexed",
        RWS,
        'otherwise = "5.1.2"',
        'otherwise = "5.99"',
        r"moving, otherwise: clause 5.99 is cited",
    ),
    ("appendix, not indexed", RWS, 'appendix = "Appendix A"', 'appendix = "Z"', r'"A", appendix: clause Z is cited'),
    (
        "terminals on a felt",
        RWS,
        'kind = "electronic"',
        'kind = "live"',
        r"terminals: is for electronic books, and needed there",
    ),
    (
        "no terminals",
        MACAU,
        'kind = "live"',
        'kind = "electronic"',
        r"terminals: is for electronic books, and needed there",
    ),
]


@pytest.mark.parametrize(
    ("text", "old", "new", "says"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS]
)
def test_a_fault_is_reported_with_its_place_and_what_is_allowed(text: str, old: str, new: str, says: str) -> None:
    found = faults(edited(text, old, new))
    assert any(re.search(says, fault) for fault in found), found


def test_all_faults_of_a_file_are_reported_at_once() -> None:
    text = RWS
    for old, new in (
        ('version = "2"', 'versoin = "2"'),
        ('"8.5 to 1"', '"8.5"'),
        ("single: 1 2 3 4 5 6", "single: 1 2 3 4 5 7"),
        ("Asia/Singapore", "Asia/Atlantis"),
        ('"1.1" = {', '"1.99" = {'),
        ('consequence = "void"', 'consequence = "shrug"'),
    ):
        text = edited(text, old, new)
    found = "\n".join(faults(text))
    for part in ("versoin", '"8.5" is not odds', "7 is not a face", "Atlantis", "1.99", "shrug"):
        assert part in found


SECTIONS = ("titles", "outcomes", "play", "limits", "interruption", "clauses")


@pytest.mark.parametrize(("above", "below"), [("", ""), ("", "[{}]"), ("{} = 1", ""), ("{} = []", "")])
@pytest.mark.parametrize("section", SECTIONS)
def test_a_table_that_says_nothing_is_a_fault_with_its_name(section: str, above: str, below: str) -> None:
    tables = re.split(r"\n(?=\[)", SANDS)
    others = [table for table in tables if not re.match(rf"\[\[?{section}[].]", table)]
    found = faults("\n".join([above.format(section), *others, below.format(section)]))
    assert [fault for fault in found if fault.startswith(section)], found


def test_faults_are_never_an_empty_list() -> None:
    with pytest.raises(AssertionError, match="without a fault"):
        RulebookFaults("f.toml", [])


def test_a_missing_table_of_clauses_is_one_fault_not_one_for_each_citation() -> None:
    assert faults(RWS[: RWS.index("[clauses]")]) == ["clauses: the table [clauses] is missing"]


def test_a_book_may_have_no_readings_and_no_prompts() -> None:
    tables = re.split(r"\n(?=\[)", RWS)
    text = "\n".join(table for table in tables if not table.startswith(("[[reading]]", "[[prompt]]")))
    book = read_rulebook(text.replace('kept = "people"', 'kept = "table"').encode(), "f.toml")
    assert (book.readings, book.prompts) == ((), ())


def test_the_id_is_the_name_of_the_file_when_there_is_one() -> None:
    with pytest.raises(RulebookFaults, match='id: "rws-sicbo-etg-v2" is not the file\'s name') as caught:
        read_rulebook(edited(RWS, '"8.5 to 1"', '"8.5"').encode(), "f.toml", "f")
    assert len(caught.value.faults) > 1  # it hides no other fault


def test_an_unknown_key_hides_no_other_fault() -> None:
    text = edited(RWS, 'prints = "1 WINS 8 1/2"', 'prnts = "1 WINS 8 1/2"')
    found = "\n".join(faults(edited(text, '"8.5 to 1"', '"8:1"')))
    assert 'unknown key "prnts"' in found
    assert '"8:1" is not odds' in found


def test_a_box_that_returns_more_than_the_stake_is_a_warning_that_names_it() -> None:
    text = edited(edited(RWS, '"64 to 1"', '"640 to 1"'), '"1 WINS 64"', '"1 WINS 640"')
    book = read_rulebook(text.encode(), "f.toml")
    assert [warning for warning in book.warnings if "total:4 returns 890.28%" in warning]
    assert not any(load_rulebook(id).warnings for id in rulebook_ids())


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("format = 1", "# a remark\n\nformat   =   1", True),
        ('title = "Sic Bo (Open Cover)"', 'title = " Sic Bo  (Open Cover)  "', True),
        ('words = "No More Bets"', 'words = "No More Bets"\nbell = false', True),
        ('words = "No More Bets"', 'words = "No More Bets"\nearly_by = []', True),
        ('words = "No More Bets"', 'words = "No More Bets"\nbell = true', False),
        ('title = "Sic Bo (Open Cover)"', 'title = "Sic Bo (Open Covers)"', False),
        (" total:4*3", "  total:4*3", True),
        ("2 to 1, 12 to 1", "2 to 1, 13 to 1", False),
        ("resume_seconds = 30", "resume_seconds = 0", False),
        ("2021-05-24T08:00:00", "2021-05-24", False),
    ],
)
def test_the_hash_is_of_what_a_file_says_not_of_its_form(old: str, new: str, same: bool) -> None:
    book = read_rulebook(edited(RWS, old, new).encode(), "f.toml")
    assert (book.hash == load_rulebook("rws-sicbo-etg-v2").hash) == same


def test_clauses_stand_in_the_order_of_the_text_whatever_the_order_of_the_file() -> None:
    head, clauses = RWS.split("[clauses]\n")
    table, rest = clauses.split("\n\n", 1)
    turned = "\n".join(reversed(table.splitlines()))
    book = read_rulebook(f"{head}[clauses]\n{turned}\n\n{rest}".encode(), "f.toml")
    assert tuple(book.clauses) == book.identity.contents
    assert book.hash == load_rulebook("rws-sicbo-etg-v2").hash


def test_a_book_is_the_same_for_everyone_so_nobody_can_change_it() -> None:
    dice, sands = load_rulebook("rws-sicbo-etg-v2"), load_rulebook("mbs-sands-roulette-v2")
    assert isinstance(sands.space, Wheel)
    for mapping in (dice.space.ways, sands.space.colours, dice.clauses, dice.titles, dice.interruption.round):
        with pytest.raises(TypeError):
            cast(MutableMapping[str, Any], mapping)["x"] = None


NOT_RULEBOOKS = {
    "empty": b"",
    "not UTF-8": b"\xff\xfe",
    "brackets": b"[" * 900,
    "nested lists": b"a = " + b"[" * 450 + b"]" * 450,
    "nested keys": b"a" + b".a" * 450 + b" = 1",
    "no table": b"layout = 3",
    "huge": b"a = " + b"9" * 900,
    "huge and hexadecimal": b"a = 0x" + b"f" * 900,
    "a long line": b"a = '" + b"x" * 200_000 + b"'",
    "many keys": b"\n".join(b"a%d = 1" % number for number in range(50_000)),
    "many layouts": b"[[layout]]\n" * 30_000,
    "many prompts": b"[[prompt]]\n" * 19_000,
    "long keys": b"\n".join(b"a" * 900 + b"%d = 1" % number for number in range(1_000)),
    "keys of many parts": b"\n".join(b"k%d" % number + b".a" * 490 + b" = 1" for number in range(200)),
}


@pytest.mark.parametrize("content", NOT_RULEBOOKS.values(), ids=NOT_RULEBOOKS)
def test_a_file_that_is_no_rulebook_is_refused(content: bytes) -> None:
    start = time.process_time()
    with pytest.raises(RulebookFaults):
        read_rulebook(content, "f.toml")
    assert time.process_time() - start < 30


def test_a_book_has_an_end() -> None:
    boxes = " ".join(f"{one}-{two}-{three}" for one in range(1, 7) for two in range(one, 7) for three in range(two, 7))
    wager = (
        'kind = "k"\nboxes = "b{}: {}"\nwins = "shows {{}}"\npays = "1 to 1"\nwin_clause = "4.1"\nodds_clause = "4.1"'
    )
    wagers = [f"[[layout.wager]]\n{wager.format(chr(97 + number % 26), boxes)}\n" for number in range(60)]
    found = faults(edited(MACAU, "[[layout.wager]]", "".join(wagers) + "[[layout.wager]]"))
    assert any("a book has at most 2,000 boxes" in fault for fault in found)
    assert any("21 layouts; the most is 20" in fault for fault in faults(MACAU + '[[layout]]\nid = "x"\n' * 20))


def test_a_row_of_a_felt_is_read_in_time_with_its_length() -> None:
    for row in ("x" * 200_000, "'" * 200_001, "*1" * 100_000, "a*1x" * 50_000, "'a " * 70_000):
        start = time.process_time()
        assert read_felt(10, [row], [], {}, None)[1]
        assert time.process_time() - start < 5, row[:10]


def test_only_a_regular_file_of_at_most_a_mebibyte_is_read(tmp_path: Path) -> None:
    pipe, large = tmp_path / "pipe.toml", tmp_path / "large.toml"
    os.mkfifo(pipe)
    large.write_bytes(b"#" * (1 << 20) + b"\n")
    for path, says in (
        (pipe, "not a regular file"),
        (tmp_path, "not a regular file"),
        (Path("/dev/zero"), "not a regular file"),
        (large, "larger than 1,048,576 bytes"),
        (tmp_path / "missing.toml", "No such file"),
        (tmp_path / "\0.toml", "null"),
    ):
        with pytest.raises(RulebookFaults, match=says):
            read_file(path)


# ---- fuzz: thousands of random edits end in a rulebook or in a list of faults, never in anything else


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|.", text, re.DOTALL)


def _swap_words(words: list[str], rng: random.Random) -> None:
    one, other = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[other] = words[other], words[one]


def _drop_word(words: list[str], rng: random.Random) -> None:
    del words[rng.randrange(len(words))]


def _double_word(words: list[str], rng: random.Random) -> None:
    place = rng.randrange(len(words))
    words.insert(place, words[place])


def _strange_word(words: list[str], rng: random.Random) -> None:
    strange = (
        "0",
        "-1",
        "7",
        "1e9",
        "99999999999999999999",
        "true",
        "{}",
        "{",
        "'",
        '"',
        "*",
        "x",
        "\x00",
        "大",
        "[]",
        "",
    )
    words[rng.randrange(len(words))] = rng.choice(strange)


def _drop_line(words: list[str], rng: random.Random) -> None:
    lines = "".join(words).splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    words[:] = _words("".join(lines))


def _swap_lines(words: list[str], rng: random.Random) -> None:
    lines = "".join(words).splitlines(keepends=True)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    words[:] = _words("".join(lines))


def _strange_value(words: list[str], rng: random.Random) -> None:
    lines = "".join(words).splitlines(keepends=True)
    keyed = [number for number, line in enumerate(lines) if re.match(r'["\w]+ = ', line)]
    number = rng.choice(keyed)
    value = rng.choice(
        ("1", "-1", "true", "[]", "{}", '""', '"x"', "[1, 2]", "[[]]", "1.5", "1979-05-27", "{ a = 1 }", "nan")
    )
    lines[number] = lines[number].partition(" = ")[0] + f" = {value}\n"
    words[:] = _words("".join(lines))


EDITS: tuple[Callable[[list[str], random.Random], None], ...] = (
    _swap_words,
    _drop_word,
    _double_word,
    _strange_word,
    _drop_line,
    _swap_lines,
    _strange_value,
)


@pytest.mark.parametrize("id", rulebook_ids())
def test_fuzzed_files_end_in_a_rulebook_or_in_faults(id: str) -> None:
    rng = random.Random(f"fuzz {id}")
    words = _words(TEXTS[id])
    found: list[RulebookFaults] = []
    files = 600 if os.environ.get("CROUPIER_FAULTS") == "all" else 150
    for _ in range(files):
        fuzzed = list(words)
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            rng.choice(EDITS)(fuzzed, rng)
        content = "".join(fuzzed).encode()
        try:
            read_rulebook(content, "f.toml")
        except RulebookFaults as error:
            found.append(error)
    assert all(fault.message and str(fault).isprintable() for error in found for fault in error.faults)
    assert len(found) > files / 2  # the edits do reach what the reader checks
