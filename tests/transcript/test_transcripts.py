"""Every transcript is played: its facts hold, it can be written back, and it plays the same again."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from croupier import load_rulebook
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.transcript.play import TranscriptFault, kept_clauses, play, write
from tests.support.transcripts import FILES, FOLDER

NO_BOOK = ("refusals", "money", "changes")
"""Folders of what no clause of a book says: why an act is refused, the money around the table, changes of the book."""
SOURCES = [*(Path(__file__).parents[2] / "src" / "croupier" / "table").glob("*.py")]


def marks(file: Path) -> list[pytest.MarkDecorator]:
    """The clauses a transcript keeps: the one in its name, and those its `keeps` line adds."""
    book = file.parent.name
    if book in NO_BOOK:
        return []
    named = file.stem.split("-")[0].replace("_", " ")
    return [pytest.mark.clause(book, named, *kept_clauses(file.read_text()))]


@pytest.mark.parametrize(
    "file", [pytest.param(file, id=str(file.relative_to(FOLDER)), marks=marks(file)) for file in FILES]
)
def test_transcript(file: Path) -> None:
    evening = play(file.read_text())
    assert evening.checked or any(turn.refused for turn in evening.turns), "it checks nothing"
    again = play(write(evening))
    assert [turn.command for turn in again.turns] == [turn.command for turn in evening.turns]
    assert [turn.events for turn in again.turns] == [turn.events for turn in evening.turns]
    book = evening.table.book
    if file.parent.name not in NO_BOOK:
        assert book.id == file.parent.name
        assert set(kept_clauses(file.read_text())) <= set(book.clauses)
        assert file.stem.split("-")[0].replace("_", " ") in book.clauses


@pytest.mark.parametrize(
    "id", ["mbs-esicbo-v4", "mbs-sands-roulette-v2", "nz-taisai-division9", "rws-sicbo-etg-v2", "rws-taisai-v5"]
)
def test_every_clause_kept_by_the_table_has_a_transcript(id: str) -> None:
    named = {file.stem.split("-")[0].replace("_", " ") for file in (FOLDER / id).glob("*.round")}
    wanted = {clause for clause, part in load_rulebook(id).clauses.items() if part.kept == "table"}
    assert not wanted - named


def test_every_reason_of_refusal_has_a_transcript() -> None:
    reasons = {reason for source in SOURCES for reason in re.findall(r'Refused\(\s*"([a-z-]+)"', source.read_text())}
    reasons |= {"box", "stake", "late-bet", "late-withdrawal", "early-bet", "outcome"}
    shown = {file.stem for file in (FOLDER / "refusals").glob("*.round")}
    assert reasons == shown


NASTY = (
    "see form #12",
    "wow ! late-bet",
    "two\nlines",
    'he said "no"',
    "  spaces  ",
    "",
    "小 won",
    "back\\slash",
    "\u2028",
)


@pytest.mark.parametrize("reason", NASTY)
def test_whatever_people_wrote_is_written_back_as_it_was(reason: str) -> None:
    """Free text may look like notation; it is quoted, and means what it meant."""
    evening = play("table T rws-sicbo-etg-v2 A\nseat Ann 100.00\n")
    for command in (
        m.GiveCredit("Sam", 1, m.SeatId("Ann"), Cents(100), reason),
        m.GiveCredit("Sam", 1, m.SeatId("Ann"), Cents(-5), reason),
        m.Unlock("Sam", 2, reason),
        m.Report("Dana", 3, "wrong-display", note=reason),
        m.Decide("Max", 4, "void", reason),
        m.InterruptTerminals("system", 5, (m.SeatId("Ann"),), (m.LostBet(m.SeatId("Ann"), "big", Cents(125_000)),)),
        m.WriteOffDebt("Sam", 6, m.SeatId("Ann"), Cents(100), reason),
    ):
        evening.give(command)
    again = play(write(evening))
    assert [turn.command for turn in again.turns] == [turn.command for turn in evening.turns]


@pytest.mark.parametrize("word", [*NASTY, "none", "wait", "system", "System", "table", "a,b", "=", "!", "x" * 100])
def test_the_notation_writes_every_name_back(word: str) -> None:
    """A name that is refused stands in the records too; one that could be taken for something else is quoted."""
    evening = play("table T rws-sicbo-etg-v2 A\nseat Ann 100.00\n")
    seat, bet, none = m.SeatId(word), m.BetId(word), Cents(0)
    for command in (
        m.TakeSeat("Sam", 1, seat, word),
        m.SellCredit(word, 2, seat, Cents(100)),
        m.OpenBetting("Dana", 3),
        m.PlaceBet(word, 4, bet, m.RoundNumber(0), seat, word, Cents(100)),
        m.PlaceBet("Ann", 5, bet, m.RoundNumber(1), m.SeatId("Ann"), "small", Cents(100)),
        m.WithdrawBet("Ann", 6, word, bet, Cents(100)),
        m.AssignStaff("Sam", 7, m.PersonId(word), ()),
        m.AssignStaff("Sam", 8, m.PersonId(word), ("dealer",)),
        m.InterruptTerminals("system", 9, (seat, m.SeatId("Ann")), (m.LostBet(seat, word, none),) * 2),
        m.InterruptTerminals("system", 10, (m.SeatId("Ann"),), (m.LostBet(m.SeatId("Ann"), word, Cents(1)),)),
        m.VoidRounds("Max", 11, (), word, "why"),
        m.Decide("Max", 12, "return", "why", "", (bet, bet)),
        m.RedeemTicket(word, 13, seat, word, none, -1, "unknown"),
        m.CashOut("Cass", 14, seat, Cents(1), word, 10**14),
        m.EnterNumber("Dana", 15, word),
        m.Approve("Sam", 16, 1, ""),
    ):
        evening.give(command)
    again = play(write(evening))
    assert [turn.command for turn in again.turns] == [turn.command for turn in evening.turns]
    assert [turn.events for turn in again.turns] == [turn.events for turn in evening.turns]


def test_a_ticket_is_found_in_one_of_its_states_or_the_line_is_a_fault() -> None:
    header = "table T rws-sicbo-etg-v2 A\nseat Ann 100.00\n\n"
    with pytest.raises(TranscriptFault, match="no state of a ticket; write live, redeemed, paid, void"):
        play(f"{header}Ann redeems ticket 123456789012345611 of 50.00 until 30d found lost\n")
    with pytest.raises(TranscriptFault, match="write 40s, 2min, 500ms, 12h or 30d"):
        play(f"{header}Ann redeems ticket 123456789012345611 of 50.00 until tomorrow\n")
    with pytest.raises(TranscriptFault, match="time only passes"):
        play(f"{header}wait -1d\n")


# ---- fuzz: a transcript edited at random is played, or its first fault is told; nothing else happens

STRANGE = (
    "-1",
    "0",
    "99999999999999",
    "1e9",
    "",
    "ä",
    "::",
    "=",
    "!",
    "\x00",
    "1.5",
    "nothing",
    "system",
    "System",
    "*",
)


def edited(text: str, words: list[str], rng: random.Random) -> str:
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(len(lines))
        line = lines[place].split(" ")
        match rng.randrange(6):
            case 0:
                lines[place] = ""
            case 1:
                lines.insert(place, lines[place])
            case 2:
                other = rng.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
            case 3:
                line[rng.randrange(len(line))] = rng.choice(words)
                lines[place] = " ".join(line)
            case 4:
                del line[rng.randrange(len(line))]
                lines[place] = " ".join(line)
            case _:
                line[rng.randrange(len(line))] = rng.choice(STRANGE)
                lines[place] = " ".join(line)
    return "\n".join(lines)


def test_fuzzed_transcripts_are_played_or_refused_with_their_first_fault() -> None:
    rng = random.Random("transcripts")
    texts = [file.read_text() for file in FILES]
    words = [word for text in texts[::3] for word in text.split()]
    told: list[TranscriptFault] = []
    for _ in range(4_000):
        try:
            play(edited(rng.choice(texts), words, rng))
        except TranscriptFault as fault:
            told.append(fault)
    assert all(fault.line >= 1 and fault.faults[0].message for fault in told)
    assert 1_000 < len(told) < 4_000
