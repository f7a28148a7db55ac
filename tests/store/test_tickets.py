"""Cash, tickets and credit on disk: a ticket counts once, wherever it is brought, and every cent is somewhere."""

from __future__ import annotations

import random
import threading
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cage import messages as c
from croupier.ledger import Transfer
from croupier.rules.money import Cents
from croupier.store import recorder as record_module
from croupier.store.commit import give_all
from croupier.store.journal import Conflict, Store, read_rows
from croupier.store.recorder import Recorder
from croupier.store.reports import TicketsWanted, find_tickets, shift_figures, total
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.cage import CageSubject
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.transcript.play import play
from tests.store.conftest import Open
from tests.store.tickets import ANN, DAY, cage, number, redeem, refused, sell, table
from tests.support.recorders import BETTING, record, table_of


def test_a_ticket_is_sold_redeemed_once_anywhere_and_cashed_out_again(store: Store, open_store: Open) -> None:
    window, one, two = cage(store), table(store, "T1"), table(open_store(), "T2", "two")
    assert refused(window, sell(1)) == ""
    assert refused(two, redeem(1)) == ""
    assert table_of(two).seats[ANN].credit == 100_00 + 50_00  # the ticket's worth, not what the terminal said
    assert "was redeemed already" in refused(one, redeem(1))
    assert "was redeemed already" in refused(window, c.PayTicket("Cass", 30, number(1), Cents(1), 0, "live"))
    assert "never issued" in refused(one, redeem(2))
    out = m.CashOut("Ann", 40, ANN, Cents(30_00), number(3), 40 + 30 * DAY)
    assert refused(two, out) == ""
    assert refused(window, c.PayTicket("Cass", 50, number(3), Cents(0), 0, "unknown")) == ""
    assert "paid at the cage already" in refused(one, redeem(3))
    assert verify(store).lies == []
    states = {line.number: line.state for line in find_tickets(store, TicketsWanted())}
    assert states == {number(1): "redeemed", number(3): "paid"}


def test_a_resend_of_any_act_with_a_ticket_gets_its_first_answer(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    out = m.CashOut("Ann", 40, ANN, Cents(30_00), number(3), 40 + 30 * DAY)
    for recorder, command in ((window, sell(1)), (one, redeem(1)), (one, out)):
        first, again = recorder.give(command), recorder.give(command)
        assert (first.again, again.again) == (False, True)
        assert again.entry == first.entry
    paid = c.PayTicket("Cass", 50, number(3), Cents(0), 0, "unknown")
    assert [window.give(paid).again for _ in range(2)] == [False, True]
    assert verify(store).lies == []


def test_a_number_is_used_once(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    assert refused(window, sell(1)) == ""
    assert "other content" in refused(window, sell(1, amount=7_000))
    rows = one.place.seq
    assert "already" in refused(one, m.CashOut("Ann", 40, ANN, Cents(10_00), number(1), 40 + DAY))
    assert one.place.seq == rows + 1  # who tried it, and when, is on record
    assert verify(store).lies == []


def test_two_machines_race_for_one_ticket_and_one_wins(tmp_path: Path, open_store: Open) -> None:
    first, second = open_store(), open_store()
    window, one, two = cage(first), table(first, "T1"), table(second, "T2", "two")
    for serial in range(60):
        window.give(sell(serial, amount=100 + serial))
    starts = threading.Barrier(2)
    won: dict[str, list[int]] = {"T1": [], "T2": []}

    def play_on(recorder: Recorder) -> None:
        for serial in range(60):
            starts.wait(100)
            if recorder.give(redeem(serial)).entry.refused is None:
                won[recorder.subject.name].append(serial)

    threads = [threading.Thread(target=play_on, args=(recorder,)) for recorder in (one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert sorted(won["T1"] + won["T2"]) == list(range(60))
    gained = [table_of(recorder).seats[ANN].credit - 100_00 for recorder in (one, two)]
    assert sum(gained) == sum(100 + serial for serial in range(60))
    assert verify(first).lies == []


def test_one_that_was_looked_up_live_and_is_redeemed_meanwhile_is_looked_up_again(
    store: Store, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_store()
    window, one, two = cage(store), table(store, "T1"), table(other, "T2", "two")
    window.give(sell(1))
    append = store.append

    def late(batch: object) -> None:
        monkeypatch.setattr(store, "append", append)
        two.give(redeem(1))  # between the look and the commit
        append(batch)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append", late)
    assert "was redeemed already" in refused(one, redeem(1))
    assert table_of(one).seats[ANN].credit == 100_00
    assert verify(store).lies == []


def test_in_a_group_two_tables_cannot_redeem_one_ticket(store: Store) -> None:
    window, one, two = cage(store), table(store, "T1"), table(store, "T2")
    work = [(window, sell(1), ""), (one, redeem(1), ""), (two, redeem(1), ""), (two, redeem(9), "")]
    answers = give_all(store, work)
    assert [answer is not None and answer.entry.refused is None for answer in answers] == [True, True, False, False]
    assert verify(store).lies == []


def approve(recorder: Recorder, asked: object, by: str = "Sue", at: int = 60) -> str:
    event = recorder.give(asked).entry.events[0]
    assert isinstance(event, m.ApprovalRequested)
    return refused(recorder, c.ApproveRequest(by, at, event.request, event.digest, "unknown"))


def test_a_void_takes_two_people_and_looks_at_the_ticket_again(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    for serial in (1, 2, 3):
        window.give(sell(serial))
    void = c.VoidTicket("Cass", 50, number(1), Cents(0), 0, "unknown", "misprinted")
    assert approve(window, void) == ""
    assert "void" in refused(one, redeem(1))
    lost = c.VoidTicket("Cass", 50, number(2), Cents(0), 0, "unknown", "lost", number(7), 50 + DAY)
    assert approve(window, lost) == ""
    assert refused(one, redeem(7)) == ""
    asked = window.give(c.VoidTicket("Cass", 50, number(3), Cents(0), 0, "unknown", "lost")).entry.events[0]
    assert isinstance(asked, m.ApprovalRequested)
    assert refused(one, redeem(3)) == ""  # found after all, before the second person came
    assert "redeemed already" in refused(window, c.ApproveRequest("Sue", 61, asked.request, asked.digest, "live"))
    assert verify(store).lies == []
    totals = total(find_tickets(store, TicketsWanted()))
    assert totals.counts == {"live": 0, "redeemed": 2, "paid": 0, "void": 2, "expired": 0}


def test_a_ticket_expires_and_may_be_paid_late_by_two_people_once(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    window.give(sell(1, days=1))
    late = 10 + 2 * DAY
    assert "expired at" in refused(one, redeem(1, at=late))
    assert refused(window, c.ExpireTicket("system", 5, number(1), Cents(0), 0, "live")) != ""  # it lives
    assert refused(window, c.ExpireTicket("system", late, number(1), Cents(0), 0, "live")) == ""
    assert "expired" in refused(window, c.PayTicket("Cass", late, number(1), Cents(0), 0, "live"))
    owed = total(find_tickets(store, TicketsWanted(state="expired")))
    assert (owed.counts["expired"], owed.sums["expired"], owed.liability) == (1, 5_000, 0)
    pay = c.PayUnclaimed("Cass", late, number(1), Cents(0), "unknown", "was ill")
    assert approve(window, pay, at=late) == ""
    assert refused(window, pay) != "" or approve(window, pay, at=late) != ""
    assert [line.state for line in find_tickets(store, TicketsWanted())] == ["paid"]
    assert isinstance(window.subject, CageSubject)
    assert window.subject.balances["unclaimed"] == 0
    assert verify(store).lies == []


def test_a_lost_ticket_is_searched_by_what_its_holder_knows(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    for serial, amount in ((1, 5_000), (2, 5_000), (3, 7_000)):
        window.give(sell(serial, amount, at=serial * 1_000))
    one.give(m.CashOut("Ann", 9_000, ANN, Cents(50_00), number(4), 9_000 + DAY))

    def found(**wanted: object) -> list[str]:
        return [line.number for line in find_tickets(store, TicketsWanted(**wanted))]  # type: ignore[arg-type]

    assert found(amount=5_000) == [number(1), number(2), number(4)]
    assert found(amount=5_000, place="T1") == found(place="T1/Ann") == [number(4)]
    assert found(begin=2_000, end=3_000) == [number(2)]
    assert found(state="redeemed") == []
    shown = [line.shown for line in find_tickets(store, TicketsWanted())]
    assert all(text.startswith("*" * 14) for text in shown)  # nobody redeems what he read in a list


def test_the_figures_of_a_shift_come_from_the_transfers_of_its_time(store: Store) -> None:
    window, one = cage(store), table(store, "T1")
    window.give(sell(1, 5_000))
    one.give(redeem(1, at=1_000))
    one.give(m.FillBank("Cass", 1_500, Cents(200_00)))
    one.give(m.CashOut("Ann", 2_000, ANN, Cents(30_00), number(4), 2_000 + DAY))
    early, late, all_day = (shift_figures(store, "T1", *span) for span in ((0, 1_500), (1_500, 9_000), (0, 9_000)))
    assert (early.drop, early.handed_out) == (150_00, 0)
    assert (late.drop, late.hold, late.fills, late.handed_out) == (0, None, 200_00, 30_00)
    assert (all_day.drop, all_day.win, all_day.hold, all_day.bank) == (150_00, 0, Fraction(0), 200_00)


def test_the_money_of_a_floor_is_all_there_after_a_random_day(tmp_path: Path) -> None:
    """Every account over all streams: nothing created, no ticket below zero, live tickets are what is owed."""
    store = SqliteStore(tmp_path / "floor.db")
    window, tables = cage(store), [table(store, name) for name in ("T1", "T2", "T3")]
    rng, serials = random.Random("day"), 0
    for at in range(100, 1_600):
        one = rng.choice(tables)
        known = rng.randrange(serials + 2)
        match rng.randrange(6):
            case 0:
                serials += 1
                window.give(sell(serials, rng.randrange(100, 9_000), rng.choice((1, 180)), at))
            case 1 | 2:
                one.give(redeem(known, at))
            case 3:
                serials += 1
                amount = Cents(rng.randrange(0, 9_000))
                one.give(m.CashOut("Ann", at, ANN, amount, number(serials), at + rng.choice((1, 50, DAY))))
            case 4:
                window.give(c.PayTicket("Cass", at, number(known), Cents(0), 0, "live"))
            case 5:
                window.give(c.ExpireTicket("system", at, number(known), Cents(0), 0, "live"))
    assert verify(store).lies == []
    balances: dict[str, int] = {}
    for stream in store.streams():
        for transfer in (leg for row in read_rows(store, stream) for leg in row.transfers):
            assert isinstance(transfer, Transfer)
            balances[transfer.source] = balances.get(transfer.source, 0) - transfer.amount
            balances[transfer.target] = balances.get(transfer.target, 0) + transfer.amount
    assert sum(balances.values()) == 0
    tickets = {account: amount for account, amount in balances.items() if account.startswith("ticket:")}
    assert min(tickets.values()) == 0 < max(tickets.values())
    assert sum(tickets.values()) == total(find_tickets(store, TicketsWanted())).liability
    kinds = {line.state for line in find_tickets(store, TicketsWanted())}
    assert kinds == {"live", "redeemed", "paid", "expired"}


@pytest.mark.parametrize(
    "lie",
    [
        "UPDATE tickets SET amount = amount + 1",
        "UPDATE tickets SET expires = expires + 1",
        "UPDATE tickets SET place = 'T9/Eve'",
        "DELETE FROM tickets",
        "DELETE FROM ticket_ends",
        "UPDATE ticket_ends SET how = 'void'",
        "UPDATE ticket_ends SET at = at + 1",
        "INSERT INTO ticket_ends SELECT number, 1, stream, seq, at, 'paid' FROM ticket_ends",
        "DELETE FROM replies WHERE id LIKE 'Redeem%'",
        "UPDATE replies SET seq = seq - 1 WHERE id LIKE 'Redeem%'",
        "UPDATE replies SET id = id || 'x'",
        "INSERT INTO replies SELECT stream, 'bet 1/b99', seq FROM replies LIMIT 1",
        "UPDATE streams SET seq = seq + 1",
        "UPDATE streams SET hash = zeroblob(32)",
        "UPDATE streams SET epoch = 0",
        "UPDATE streams SET owner = ''",
        "UPDATE streams SET seen = -1",
        "UPDATE streams SET until = -1",
        "UPDATE streams SET seen = until + 1",
    ],
)
def test_lies_about_tickets_and_answers_are_found(lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    window, one = cage(store), record(store, play(BETTING.partition("\n\n")[0]))
    window.give(sell(1))
    one.give(redeem(1))
    with monkeypatch.context() as sooner:
        sooner.setattr(record_module, "SNAPSHOT_ROWS", 1)  # with a state the answers before it are kept
        one.give(m.SellCredit("Cass", 30, ANN, Cents(100)))
    assert [reply.id for reply in store.replies("T")] == [f"RedeemTicket Ann/{number(1)}"]
    assert verify(store).lies == []
    store._db.execute(lie)
    assert verify(store).lies


def test_a_stale_cage_cannot_write(store: Store, open_store: Open) -> None:
    window = cage(store)
    again = Recorder.recover(open_store(), "two", 10_000, 5_000, "cage")
    with pytest.raises(Conflict):
        window.give(sell(1))
    assert refused(again, sell(1)) == ""
    assert again.subject.state() == Recorder.recover(open_store(), "two", 10_001, 5_000, "cage").subject.state()
