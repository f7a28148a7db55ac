"""Refusals for what only the store could know: honest ones are true, and those of a floor that lies are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.rules.money import Cents
from croupier.store import recorder as record_module
from croupier.store.archive import Archived, archive
from croupier.store.commit import give_all
from croupier.store.journal import LAST, Store
from croupier.store.recorder import Answer, Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.entry import Refusal, number_used, sent_otherwise
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.tickets import ticket_number
from croupier.transcript.play import play
from tests.store.conftest import Open
from tests.support.recorders import ANN, BETTING, bet, long_evening, record, table_of

NUMBER, OTHER = ticket_number(1), ticket_number(2)


def cash_out(number: str = NUMBER, at: int = 8, amount: int = 10_00) -> m.CashOut:
    return m.CashOut("Ann", at, ANN, Cents(amount), number, 10**9)


def reason(answer: Answer) -> str:
    return answer.entry.refused.reason if answer.entry.refused else ""


def test_honest_refusals_at_the_door_are_true(store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 20)
    recorded = long_evening(store, 20)
    window = record(store, play(BETTING.replace("table T ", "table T2 ")))
    assert reason(recorded.give(bet("b1", 50_000, 100, 1))) == ""  # twenty rounds ago: its first answer
    assert reason(recorded.give(bet("b1", 50_000, 200, 1))) == "resend"
    assert reason(recorded.give(bet("b20", 50_000, 200, 20))) == "resend"
    sell = m.SellCredit("Cass", 50_001, ANN, Cents(500))
    assert [reason(recorded.give(sell, "one")), reason(recorded.give(sell, "one"))] == ["", ""]
    assert reason(recorded.give(m.SellCredit("Cass", 50_001, ANN, Cents(700)), "one")) == "resend"
    assert reason(recorded.give(cash_out(at=50_002))) == ""
    assert reason(recorded.give(cash_out(at=50_002, amount=5_00))) == "resend"
    assert reason(window.give(cash_out(at=50_003))) == "ticket"
    assert verify(store).lies == []
    again = Recorder.recover(open_store(), "one", 60_000, 5_000, "T")
    assert reason(again.give(bet("b20", 60_000, 200, 20))) == "resend"
    assert again.give(sell, "one").again
    assert verify(store).lies == []


LIES: list[tuple[Any, Refusal]] = [
    (bet("b9"), sent_otherwise("bet 1/b9")),  # it was never sent
    (bet("b1"), sent_otherwise("bet 1/b1")),  # with the same content
    (m.SellCredit("Cass", 9, ANN, Cents(100)), sent_otherwise("id Cass 1")),  # it has no id at all
    (cash_out(), number_used(NUMBER)),  # there is no such ticket
    (cash_out(), number_used(OTHER)),  # it asked for another number
    (bet("b9"), Refusal("archived", "the rows before are not here")),  # it needs none
    (bet("b9"), Refusal("mood", "we do not like your face")),
]


@pytest.mark.parametrize(
    ("command", "refusal"),
    LIES,
    ids=[f"{type(command).__name__} {refusal.message or refusal.facts}" for command, refusal in LIES],
)
def test_a_floor_that_lies_at_its_door_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any, refusal: Refusal
) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BETTING))
    recorded.give(bet("b1"))
    assert verify(store).lies == []
    monkeypatch.setattr(recorded, "_first_answer", lambda *_: None)
    monkeypatch.setattr(recorded, "_at_the_door", lambda *_: refusal)
    assert recorded.give(command).entry.refused == refusal
    lies = verify(store).lies
    store.close()
    assert [(lie.stream, lie.seq) for lie in lies] == [("T", recorded.place.seq)], lies


@pytest.mark.parametrize(
    "said",
    [(0, 0, "unknown"), (10_00, 10**9, "redeemed"), (10_00, 10**9, "void"), (10_00, 10**8, "live"), (1, 1, "unknown")],
)
def test_a_floor_that_lies_about_a_ticket_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: tuple[int, int, str]
) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BETTING))
    recorded.give(cash_out())
    monkeypatch.setattr(record_module, "look_up", lambda *_: said)
    recorded.give(m.RedeemTicket("Ann", 10**8 + 1, ANN, NUMBER, Cents(0), 0, "live"))
    lies = verify(store).lies
    store.close()
    assert [(lie.stream, lie.seq) for lie in lies] == [("T", recorded.place.seq)], lies


def test_the_epoch_of_rows_never_falls(store: Store, open_store: Open) -> None:
    recorded = record(store, play(BETTING))
    recorded = Recorder.recover(open_store(), "one", 1, 5_000, "T")  # epoch 2
    assert verify(store).lies == []
    low = recorded.lease._replace(epoch=1)
    recorded.lease, recorded._append = low, _under(recorded, low.epoch)  # type: ignore[method-assign]
    recorded.give(m.Restore("system", 10))
    lies = verify(store).lies
    assert [(lie.seq, lie.what.facts["before"] == 2) for lie in lies] == [(recorded.place.seq, True)], lies


def _under(recorded: Recorder, epoch: int) -> Any:
    """A forger who gets past the fence: the rows have one epoch, the append another."""
    append = recorded._append
    return lambda: append()._replace(epoch=epoch + 1)


def test_without_its_archive_an_old_round_is_refused_and_the_table_goes_on(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 40)
    recorded = long_evening(store, 40)
    assert archive(store, "T", 30_000, tmp_path) is not None
    correct = m.CorrectResult("Sam", 50_000, m.RoundNumber(2), "1-1-2", "misread")
    resent, asked, sold = give_all(
        store,
        [
            (recorded, bet("b2", 50_000, 100, 2), ""),
            (recorded, correct, ""),
            (recorded, m.SellCredit("Cass", 50_000, ANN, Cents(100)), ""),
        ],
    )
    assert recorded.owned, recorded.ownership.why
    assert resent is not None
    assert resent.again
    assert asked is not None
    assert sold is not None
    assert [reason(resent), reason(asked), reason(sold)] == ["archived", "archived", ""]
    assert verify(store).lies == []
    with Archived(store, tmp_path) as whole:
        assert verify(whole).lies == []
        found = Recorder.recover(whole, "one", 60_000, 5_000, "T")
        assert found.give(bet("b2", 60_000, 100, 2)).entry.events
        assert reason(found.give(correct)) == ""
        assert table_of(found).requests
    assert store.head("T").seq < LAST
