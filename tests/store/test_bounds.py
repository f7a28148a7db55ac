"""What a table remembers does not grow with its age: requests, seats and their accounts, and still nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.ledger import figures, meter, receivable, terminal
from croupier.rules.money import Cents
from croupier.store import recorder as record_module
from croupier.store.journal import Store
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.table import TableSubject
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, BetId, RoundNumber, SeatId
from croupier.transcript.play import play
from tests.store.conftest import Open
from tests.support.recorders import ANN, BETTING, correct, record, table_of

BEFORE = BETTING.partition("\n\n")[0] + "\n"


def given(recorded: Recorder, *commands: AnyCommand) -> None:
    for command in commands:
        refused = recorded.give(command).entry.refused
        assert refused is None, refused


def play_round(recorded: Recorder, seat: str, faces: str = "112") -> None:
    """A Player comes, bets 10.00 on small, is paid, and leaves with nothing."""
    number, who = table_of(recorded).next_round, SeatId(seat)
    at = number * 1_000
    given(
        recorded,
        m.TakeSeat("Sam", at, who, "A"),
        m.SellCredit("Cass", at, who, Cents(10_00)),
        m.OpenBetting("Dana", at),
        m.PlaceBet(seat, at, BetId(f"b{number}"), RoundNumber(number), who, "small", Cents(10_00)),
        m.CallNoMoreBets("Dana", at),
        m.StartMotion("Dana", at),
        m.EndMotion("Dana", at, 3),
        *(m.PressKey("Dana", at, face) for face in faces),
        m.PressEntry("Dana", at),
        m.ConfirmResult("Dana", at),
    )
    if credit := table_of(recorded).seats[who].credit:
        given(recorded, m.PayOut("Cass", at, who, credit))
    given(recorded, m.LeaveSeat(seat, at, who))


def test_players_who_left_are_let_go_and_old_rounds_of_theirs_can_be_corrected(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 60)
    recorded = record(store, play(BEFORE))
    for number in range(1, 31):
        play_round(recorded, f"P{number}", "456" if number == 3 else "112")
    assert isinstance(recorded.subject, TableSubject)
    balances, table = recorded.subject.balances, table_of(recorded)
    assert list(table.seats) == [ANN, *(f"P{number}" for number in range(21, 31))]
    assert len([account for account in balances.flows if account.startswith("terminal:")]) == 12
    now = figures(balances.flows, "T")
    assert (now.drop, now.handed_out) == (Cents(100_00 + 30 * 10_00), Cents(29 * 20_00))
    correct(recorded, 3, "1-1-2", 90_000)  # P3 had lost: his 20.00 wait for him
    assert (table.seats[SeatId("P3")].credit, table.seats[SeatId("P3")].gone) == (20_00, True)
    correct(recorded, 4, "4-5-6", 91_000)  # P4 had won 20.00, and owes them now
    assert table.seats[SeatId("P4")].owes == 20_00
    assert balances[receivable("T", "P4")] == -20_00
    given(recorded, m.PayOut("Cass", 92_000, SeatId("P3"), Cents(20_00)))
    for number in range(31, 34):
        play_round(recorded, f"P{number}")
    assert SeatId("P3") not in table.seats
    assert table.seats[SeatId("P4")].owes == 20_00  # as long as he owes
    given(recorded, m.RepayDebt("Cass", 93_000, SeatId("P4"), Cents(20_00)))
    play_round(recorded, "P34")
    assert SeatId("P4") not in table.seats
    assert verify(store).lies == []
    again = Recorder.recover(open_store(), "one", 99_000, 5_000, "T")
    assert again.subject.state() == recorded.subject.state()
    assert again.subject.balances == balances
    play_round(again, "P3")  # he comes back
    assert meter(again.subject.balances, "T", "P3").cash_in == 10_00
    assert again.subject.balances[terminal("T", "")] == 0


def test_requests_that_nobody_approved_in_time_are_let_go(store: Store) -> None:
    recorded = record(store, play(BEFORE))
    for number in range(50):
        given(recorded, m.GiveCredit("Sam", number * 60_000, ANN, Cents(100), "goodwill"))
    assert len(table_of(recorded).requests) == 3  # of the last two minutes
    asked = table_of(recorded).requests[49]
    given(recorded, m.Approve("Max", 49 * 60_000, 49, asked.digest))
    refused = recorded.give(m.Approve("Max", 49 * 60_000, 1, asked.digest)).entry.refused
    assert refused is not None
    assert (refused.case, refused.facts) == ("unknown", {"request": 1, "waiting": ("48", "50")})
    assert table_of(recorded).seats[ANN].credit == 101_00
    assert verify(store).lies == []


@pytest.mark.clause("mbs-sands-roulette-v2", "5.15")
def test_5_15_who_leaves_and_comes_back_has_used_his_once_only(store: Store) -> None:
    sands = "table T mbs-sands-roulette-v2 A\nseat Ann 100.00\nminimum 5.00\n\n"
    recorded = record(store, play(sands.partition("\n\n")[0] + "\n"))

    def spin(number: int) -> None:
        at = number * 1_000
        given(recorded, m.OpenBetting("Dana", at))
        if number == 1:
            short = m.PlaceBet("Ann", at, BetId("b1"), RoundNumber(1), ANN, "straight:17", Cents(1_00))
            given(recorded, short, m.StartMotion("Dana", at), m.CallNoMoreBets("Dana", at), m.EndMotion("Dana", at, 4))
        else:
            given(recorded, m.StartMotion("Dana", at), m.CallNoMoreBets("Dana", at), m.EndMotion("Dana", at, 4))
        given(recorded, m.EnterNumber("Dana", at, "5"), m.ConfirmResult("Dana", at))
        if table_of(recorded).phase == "settling":
            given(recorded, m.PayWinners("Dana", at))

    spin(1)
    credit = table_of(recorded).seats[ANN].credit
    given(recorded, m.PayOut("Cass", 1_500, ANN, credit), m.LeaveSeat("Ann", 1_500, ANN))
    for number in range(2, 15):
        spin(number)
    assert table_of(recorded).seats[ANN].short_bets_settled
    given(recorded, m.CloseTable("Sam", 20_000), m.OpenTable("Sam", 20_000))
    spin(15)
    assert ANN not in table_of(recorded).seats
    assert verify(store).lies == []


def test_a_state_too_large_to_be_read_again_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 20)
    monkeypatch.setattr(record_module, "MOST_STATE", 1_000)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BEFORE))
    for number in range(5):
        play_round(recorded, f"P{number}")
    assert store.snapshots("T") == []
    assert Recorder.recover(store, "one", 99_000, 5_000, "T").subject.state() == recorded.subject.state()
    store.close()
