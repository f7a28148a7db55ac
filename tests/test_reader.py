"""The reader of rulebook files: every fault, with its place and what is allowed, all at once, and never a traceback."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from croupier import RulebookFaults, load_rulebook, rulebook_ids
from croupier.rules.reader import read_rulebook

TEXTS = {id: files("croupier").joinpath("rulebooks", f"{id}.toml").read_text() for id in rulebook_ids()}
MACAU = (Path(__file__).parent / "rulebooks" / "macau-sicbo.toml").read_text()
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
        r"allowed are 'open-cover', 'covered' or 'wheel'",
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
    ("minimum", RWS, "minimum = 3", "minimum = 0", r"play, minimum: .*greater than or equal to 1"),
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
    book = read_rulebook(edited(RWS, '"64 to 1"', '"640 to 1"').encode(), "f.toml")
    assert [warning for warning in book.warnings if "total:4 returns 890.28%" in warning]
    assert not any(load_rulebook(id).warnings for id in rulebook_ids())


def test_the_hash_is_of_the_content_not_of_its_form() -> None:
    book = read_rulebook(RWS.encode(), "f.toml")
    commented = read_rulebook(("# a remark\n\n" + RWS).encode(), "g.toml")
    other = read_rulebook(edited(RWS, '"64 to 1"', '"65 to 1"').encode(), "f.toml")
    assert book.hash == commented.hash == load_rulebook("rws-sicbo-etg-v2").hash
    assert book.hash != other.hash
    assert len(book.hash) == 64


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 5000, b"a = " + b"[" * 900 + b"]" * 900, b"layout = 3"])
def test_a_file_that_is_no_rulebook_is_refused(content: bytes) -> None:
    with pytest.raises(RulebookFaults):
        read_rulebook(content, "f.toml")


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
    for _ in range(600):
        fuzzed = list(words)
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            rng.choice(EDITS)(fuzzed, rng)
        content = "".join(fuzzed).encode()
        try:
            read_rulebook(content, "f.toml")
        except RulebookFaults as error:
            found.append(error)
    assert all(error.faults and all(fault.message for fault in error.faults) for error in found)
    assert len(found) > 300  # the edits do reach what the reader checks
