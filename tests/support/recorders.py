"""Streams that are recorded in a store: evenings of transcripts, and rounds made by number."""

from __future__ import annotations

from pathlib import Path

from croupier.rules.library import rulebook_ids, rulebook_text
from croupier.rules.money import Cents
from croupier.store.journal import Store
from croupier.store.recorder import Recorder
from croupier.store.streams.table import TableSubject, made_of
from croupier.table import messages as m
from croupier.table.state import Table
from croupier.transcript.play import Evening, play

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"


def evenings() -> list[Path]:
    """A few evenings of every book: the ones with most lines."""
    chosen = []
    for folder in sorted(path for path in TRANSCRIPTS.iterdir() if path.name in rulebook_ids()):
        chosen += sorted(folder.glob("*.round"), key=lambda file: -len(file.read_text().splitlines()))[:3]
    return chosen


def text_of(evening: Evening) -> str:
    """The text of the book with which the table was made."""
    return rulebook_text(evening.sources[evening.table.setup.rulebook.hash])


def record(store: Store, evening: Evening, owner: str = "one", law: str = "") -> Recorder:
    """An evening under the text of its book, or another text of it."""
    recorded = Recorder.make(store, owner, 0, 5_000, made_of(evening, law or text_of(evening)))
    for turn in evening.turns:
        answer = recorded.give(turn.command)
        resent = isinstance(turn.command, m.PlaceBet | m.WithdrawBet) and not turn.events and not turn.refused
        if not resent:
            assert list(answer.entry.events) == turn.events
            assert (answer.entry.refused is None) == (turn.refused is None)
    return recorded


def table_of(recorder: Recorder) -> Table:
    assert isinstance(recorder.subject, TableSubject)
    return recorder.subject.table


def bet(id: str, at: int = 5, stake: int = 1000, round: int = 1, box: str = "small") -> m.PlaceBet:
    return m.PlaceBet("Ann", at, m.BetId(id), m.RoundNumber(round), m.SeatId("Ann"), box, Cents(stake))


BETTING = "table T rws-sicbo-etg-v2 A\nseat Ann 100.00\n\nDana calls place your bets\n"
ANN = m.SeatId("Ann")


def two_tables(store: Store) -> list[Recorder]:
    return [record(store, play(BETTING.replace("table T ", f"table {name} "))) for name in ("T1", "T2")]


def long_evening(store: Store, rounds: int) -> Recorder:
    """Many rounds, most of them won by Ann, round 2 lost."""
    recorded = record(store, play(BETTING.replace("Dana calls place your bets\n", "")))
    for number in range(1, rounds + 1):
        play_round(recorded, number, "456" if number == 2 else "112")
    return recorded


def play_round(recorded: Recorder, number: int, faces: str) -> None:
    """A round in which Ann bets 1.00 on small."""
    at = number * 1_000
    commands: list[m.AnyCommand] = [m.OpenBetting("Dana", at), bet(f"b{number}", at, 100, number)]
    commands += [m.CallNoMoreBets("Dana", at), m.StartMotion("Dana", at), m.EndMotion("Dana", at, 3)]
    commands += [*(m.PressKey("Dana", at, face) for face in faces), m.PressEntry("Dana", at)]
    for command in [*commands, m.ConfirmResult("Dana", at)]:
        assert recorded.give(command).entry.refused is None, command


def correct(recorded: Recorder, round: int, outcome: str, at: int) -> None:
    asked = recorded.give(m.CorrectResult("Sam", at, m.RoundNumber(round), outcome, "misread")).entry.events[0]
    assert isinstance(asked, m.ApprovalRequested)
    answer = recorded.give(m.Approve("Max", at, asked.request, asked.digest))
    assert answer.entry.refused is None, answer.entry.refused


def fill(recorded: Recorder, at: int) -> None:
    """One more row."""
    recorded.give(m.FillBank("Cass", at, Cents(500)))
