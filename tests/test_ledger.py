"""Money counted by hand: the meters of a terminal, the figures of a table and of a shift, the numbers of tickets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec
import pytest

from croupier import ledger
from croupier.ledger import (
    CAGE,
    METERS,
    TICKETS,
    Balances,
    Figures,
    Meter,
    Reason,
    Transfer,
    audit,
    check_laws,
    figures,
    meter,
    since,
    terminal,
    ticket,
)
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table.messages import BetId, Paid, ResultCorrected, Reversal, RoundNumber, SeatId
from croupier.table.tickets import (
    LONGEST,
    TicketState,
    check_expiry,
    check_redeemable,
    check_ticket_number,
    ticket_number,
)
from croupier.transcript.play import Evening, play

NUMBER = "123456789012345611"

FIRST_SHIFT = """
table T1 rws-taisai-v5 A
maximum 100.00
seat Ann 200.00
seat Ben 0.00

Cass fills the bank with 500.00
Sam credits Ben 25.00 because goodwill
Pat approves 1
Ben redeems ticket 123456789012345611 of 75.00 until 30d

# Round 1: small holds 125.00 at the close, 25.00 too much; Ann has 50.00 of it and Ben 75.00.
Dana calls place your bets
Ann bets 60.00 on small
Ann withdraws 10.00 of ann1
Ann bets 20.00 on big
Ben bets 85.00 on small
Dana rejects 10.00 of ben1
Dana calls no more bets
= ann1 holds 40.00
= ben1 holds 60.00
Dana activates the tumbler
Dana counts 3
Dana enters 1-3-4
Dana confirms
Dana pays
= Ann 220.00
= Ben 160.00

# Round 2: void, everything goes back.
Dana calls place your bets
Ann bets 30.00 on small
Ben bets 20.00 on big
Dana activates the tumbler
= Ann 220.00
= Ben 160.00
= house 395.00
"""

SECOND_SHIFT = """
# Round 3: one bet is returned by a decision, one wins 100.00 and all of it is cashed out.
Dana calls place your bets
Ann bets 10.00 on big
Ben bets 90.00 on big
Max decides return of ann4 because it moved
Ben bets 10.00 on big
Dana calls no more bets
Dana activates the tumbler
Dana counts 3
Dana enters 4-5-6
Dana confirms
Dana pays
Ben cashes out 200.00 to ticket 222233334444555544 until 30d
Cass pays out Ben 60.00
= Ben 0.00

# It had lost: Ben owes the 200.00 he was given.
Sam corrects round 3 to 1-3-4 because a photo
Pat approves 2
= owes Ben 200.00

# Round 4: lost, and then it had won: the 20.00 go to what he owes.
Cass sells Ben 10.00
Dana calls place your bets
Ben bets 10.00 on big
Dana calls no more bets
Dana activates the tumbler
Dana counts 3
Dana enters 1-3-4
Dana confirms
Dana pays
Sam corrects round 4 to 4-5-6 because a photo
Pat approves 3
= owes Ben 180.00
Cass takes 120.00 owed by Ben
Pat writes off 60.00 owed by Ben because he is gone
Max approves 4
= owes Ben 0.00
Cass drains the bank of 50.00
= house 375.00
"""


def evening() -> Evening:
    return play(FIRST_SHIFT + SECOND_SHIFT)


def dollars(*amounts: int) -> tuple[Cents, ...]:
    return tuple(Cents(amount * 100) for amount in amounts)


# ---- meters

ANN = Meter(*dollars(60, 80, 200, 0, 0, 0, 0, 0))
"""Turnover 60 - 10 + 20 - 10 out of action, and 30 and 10 that came back; wins 40 and the 40 staked."""
BEN = Meter(*dollars(170, 140, 10, 75, 25, 200, 60, 180))
"""Turnover 85 - 10 - 15, 90 + 10 and 10; wins 120, then 200 that were taken back, then 20; owed 200 less 20."""


def test_the_meters_of_an_evening_are_those_counted_by_hand() -> None:
    balances = evening().balances
    assert meter(balances, "T1", "Ann") == ANN
    assert meter(balances, "T1", "Ben") == BEN
    assert meter(balances, "T1", "Zoe") == Meter(*dollars(0, 0, 0, 0, 0, 0, 0, 0))


def test_the_credit_is_what_the_meters_come_to() -> None:
    assert ANN.credit == 220_00
    assert BEN.credit == 0
    assert Meter(*dollars(1, 20, 300, 4_000, 50_000, 6, 70, 8)).credit == 54_328_00 - 77_00


def test_every_meter_and_every_reason_takes_part_in_the_evening() -> None:
    flows = evening().balances.flows
    met = {reason for account, moved in flows.items() if account.startswith("terminal:") for reason in moved}
    assert met == set(METERS)
    assert set(METERS.values()) == set(Meter._fields)


@pytest.mark.parametrize("reason", METERS)
def test_a_reason_counted_by_another_meter_is_seen(reason: Reason, monkeypatch: pytest.MonkeyPatch) -> None:
    balances = evening().balances
    place, sign = ledger._PLACES[reason]
    monkeypatch.setitem(ledger._PLACES, reason, ((place + 1) % len(Meter._fields), sign))
    assert (meter(balances, "T1", "Ann"), meter(balances, "T1", "Ben")) != (ANN, BEN)


@pytest.mark.parametrize("reason", METERS)
def test_the_self_audit_stops_a_table_whose_meters_miss_a_reason(
    reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(ledger._PLACES, reason)
    with pytest.raises(AssertionError, match=r"the meters of (Ann|Ben) miss its credit"):
        evening()


# ---- figures


def test_the_figures_of_an_evening_are_those_counted_by_hand() -> None:
    """Won from play: -80 in round 1, 100 in round 3 as corrected, -10 in round 4 as corrected."""
    assert figures(evening().balances.flows, "T1") == Figures(
        drop=Cents(285_00),
        win=Cents(10_00),
        hold=Fraction(10, 285),
        fills=Cents(500_00),
        drains=Cents(50_00),
        bank=Cents(375_00),
        handed_out=Cents(260_00),
        given=Cents(25_00),
        written_off=Cents(60_00),
    )


def test_the_figures_of_a_shift_are_those_of_what_moved_in_it() -> None:
    before = play(FIRST_SHIFT).balances.flows
    assert figures(since(evening().balances.flows, before), "T1") == Figures(
        drop=Cents(10_00),
        win=Cents(90_00),
        hold=Fraction(9),
        fills=Cents(0),
        drains=Cents(50_00),
        bank=Cents(-20_00),
        handed_out=Cents(260_00),
        given=Cents(0),
        written_off=Cents(60_00),
    )


def test_a_table_to_which_nobody_brought_anything_has_no_hold() -> None:
    now = figures(play(FIRST_SHIFT).balances.flows, "T2")
    assert now.hold is None
    assert not any(now)
    assert since(evening().balances.flows, evening().balances.flows) == {}


def test_the_bank_is_what_the_figures_come_to() -> None:
    now = figures(evening().balances.flows, "T1")
    assert now.bank == now.win + now.fills - now.drains - now.given - now.written_off
    balances = evening().balances
    balances.apply([Transfer(CAGE, "house:T1", Cents(1), "ticket sold")])
    with pytest.raises(AssertionError, match="moved for a reason no figure counts"):
        ledger._audit_bank(balances, "T1")


# ---- balances


def test_every_account_of_the_evening() -> None:
    """The cage is below zero by the cash it took in: 200, 10, 120 and the 50 drained, less 60 paid out, 500 filled."""
    balances = evening().balances
    assert {account: balances[account] for account in balances.flows} == {
        CAGE: -(200_00 + 10_00 + 120_00 - 60_00 + 500_00 - 50_00),
        TICKETS: 200_00 - 75_00,
        "house:T1": 375_00,
        "bets:T1": 0,
        terminal("T1", "Ann"): 220_00,
        terminal("T1", "Ben"): 0,
        "receivable:T1/Ben": 0,
    }
    assert sum(balances.values()) == 0
    assert balances["nobody"] == 0


def test_balances_are_restored_from_their_flows_written_as_json() -> None:
    balances = evening().balances
    again = Balances.of(msgspec.json.decode(msgspec.json.encode(balances.flows)))
    assert again == balances
    assert again.flows is not balances.flows
    check_laws(evening().table, again)
    again.apply([Transfer(CAGE, "x", Cents(1), "fill")])
    assert again != balances


def test_balances_that_came_about_otherwise_are_not_the_same() -> None:
    sold, given = Balances(), Balances()
    sold.apply([Transfer(CAGE, terminal("T1", "Ann"), Cents(100), "credit sold")])
    given.apply([Transfer(CAGE, terminal("T1", "Ann"), Cents(100), "credit given")])
    assert sold[terminal("T1", "Ann")] == given[terminal("T1", "Ann")]
    assert sold != given
    assert sold != {terminal("T1", "Ann"): 100}


@pytest.mark.parametrize("account", [terminal("T1", "Ann"), "bets:T1"])
def test_what_players_have_never_goes_below_zero(account: str) -> None:
    now = evening()
    now.balances.apply([Transfer(account, CAGE, Cents(now.balances[account] + 1), "credit paid out")])
    now.table.seats[SeatId("Ann")].credit = Cents(now.balances[terminal("T1", "Ann")])
    with pytest.raises(AssertionError, match=f"{account} is below zero"):
        ledger.audit(now.table, now.balances)


def test_a_transfer_moves_something() -> None:
    with pytest.raises(AssertionError):
        Balances().apply([Transfer(CAGE, "house:T1", Cents(0), "fill")])


def test_tickets_of_every_table_are_one_account() -> None:
    balances = Balances()
    balances.apply([Transfer(ticket(NUMBER), terminal("T1", "Ann"), Cents(100), "ticket in", NUMBER)])
    balances.apply([Transfer(terminal("T1", "Ann"), ticket(ticket_number(7)), Cents(70), "ticket out")])
    assert balances[TICKETS] == -30
    assert set(balances.flows) == {TICKETS, terminal("T1", "Ann")}


def test_the_self_audit_looks_where_money_moved() -> None:
    now = evening()
    assert not now.balances.moved
    now.balances.flows[terminal("T1", "Ann")]["won"] += 1
    now.balances.moved.add(terminal("T1", "Ann"))
    with pytest.raises(AssertionError, match="the credit of Ann is not the ledger's"):
        ledger.audit(now.table, now.balances)


def test_credit_that_no_meter_counts_is_found() -> None:
    now = evening()
    now.balances.apply([Transfer("house:T1", terminal("T1", "Ann"), Cents(1), "fill")])
    now.table.seats[SeatId("Ann")].credit = Cents(now.balances[terminal("T1", "Ann")])
    with pytest.raises(AssertionError, match="the meters of Ann miss its credit"):
        ledger.audit(now.table, now.balances)


# ---- tickets


def test_the_check_digits_are_those_of_iso_7064() -> None:
    """By hand: 100 mod 97 is 3 for the payload 1, and 98 - 3 is 95; for 0 it is 98."""
    assert ticket_number(0) == "000000000000000098"
    assert ticket_number(1) == "000000000000000195"
    for random in (0, 1, 96, 97, 10**16 - 1, 1234567890123456):
        assert int(ticket_number(random)) % 97 == 1
        assert check_ticket_number(ticket_number(random)) == ticket_number(random)


def test_a_wrong_digit_and_two_exchanged_ones_are_found() -> None:
    for place in range(18):
        for digit in set("0123456789") - {NUMBER[place]}:
            with pytest.raises(Refused, match="ticket wrong-digit"):
                check_ticket_number(NUMBER[:place] + digit + NUMBER[place + 1 :])
    for place in range(17):
        one, two = NUMBER[place], NUMBER[place + 1]
        if one != two:
            with pytest.raises(Refused, match="ticket wrong-digit"):
                check_ticket_number(NUMBER[:place] + two + one + NUMBER[place + 2 :])


@pytest.mark.parametrize("number", ["00", "01", "99"])
def test_check_digits_are_from_02_to_98(number: str) -> None:
    """00, 01 and 99 leave the same remainder as 97, 98 and 02."""
    same = {"00": 97, "01": 98, "99": 2}[number]
    random = next(random for random in range(200) if ticket_number(random).endswith(f"{same:02}"))
    with pytest.raises(Refused):
        check_ticket_number(ticket_number(random)[:16] + number)


@pytest.mark.parametrize(
    "text", ["", "1", NUMBER[1:], NUMBER + "1", "x" * 18, "１" * 18, "²" * 18, NUMBER + "\n", "x" * 99]
)
def test_what_is_no_number_of_a_ticket(text: str) -> None:
    with pytest.raises(Refused, match=r"ticket digits .*digits=18") as refused:
        check_ticket_number(text)
    assert refused.value.reason == "ticket"
    assert len(str(refused.value)) < 120


def test_a_number_is_read_as_people_write_it() -> None:
    assert check_ticket_number("12-3456-7890-1234-5611") == NUMBER
    assert check_ticket_number(" 12 3456 7890 1234 5611 ") == NUMBER


@pytest.mark.parametrize(
    ("found", "at", "case"),
    [
        ("redeemed", 0, "redeemed"),
        ("paid", 0, "paid"),
        ("void", 0, "void"),
        ("expired", 0, "expired"),
        ("live", 30 * 86_400_000 + 1, "expired"),
        ("unknown", 0, "unknown"),
    ],
)
def test_the_holder_reads_why_a_ticket_has_no_value(found: TicketState, at: int, case: str) -> None:
    expires = {"expires": 30 * 86_400_000} if case == "expired" else {}
    with pytest.raises(Refused) as refused:
        check_redeemable(NUMBER, 50_00, 30 * 86_400_000, found, at)
    assert (refused.value.reason, refused.value.case) == ("ticket", case)
    assert refused.value.facts == {"ticket": NUMBER, **expires}


def test_a_ticket_lives_up_to_and_with_its_last_moment() -> None:
    check_redeemable(NUMBER, 1, 1000, "live", 1000)
    check_expiry(LONGEST, 0)
    check_expiry(1, 0)
    for expires in (0, -1, LONGEST + 1, 10**30, -(10**30)):
        with pytest.raises(Refused, match="ticket life days=180"):
            check_expiry(expires, 0)
    for amount in (0, -1):
        with pytest.raises(Refused, match="ticket no-value"):
            check_redeemable(NUMBER, amount, 1000, "live", 0)
    with pytest.raises(Refused, match=f"ticket expired ticket={NUMBER} expires=0"):
        check_redeemable(NUMBER, 1, -(10**30), "live", 0)


# ---- every law can be broken, and is seen to be


ONE_BET = """
table T1 rws-sicbo-etg-v2 A
seat Ann 100.00
seat Ben 50.00

Cass fills the bank with 500.00
Dana calls place your bets
Ann bets 10.00 on small
"""
HERE, BESIDE = SeatId("Ann"), SeatId("Ben")


def _forged(evening: Evening, *legs: tuple[str, str, int, Reason]) -> None:
    evening.balances.apply([Transfer(source, target, Cents(amount), reason) for source, target, amount, reason in legs])


def _created(evening: Evening) -> None:
    evening.balances.flows[CAGE]["fill"] += 1


def _another_credit(evening: Evening) -> None:
    evening.table.seats[HERE].credit = Cents(90_01)


def _another_debt(evening: Evening) -> None:
    evening.table.seats[BESIDE].owes = Cents(1)


def _another_stake(evening: Evening) -> None:
    evening.table.seats[HERE].held = Cents(10_01)


def _below_zero(evening: Evening) -> None:
    """Together they hold what lies on the table, and Ben holds less than nothing."""
    evening.table.seats[HERE].held = Cents(10_01)
    evening.table.seats[BESIDE].held = Cents(-1)


def _another_bank(evening: Evening) -> None:
    evening.table.house = Cents(evening.table.house + 1)


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (_created, "created or destroyed"),
        (_another_stake, "not what the seats hold"),
        (_another_bank, "the House's figure"),
        (_another_credit, "the credit of Ann"),
        (_another_debt, "what Ben owes"),
        (_below_zero, r"^$"),
    ],
)
def test_every_law_of_money_is_checked_of_every_account(lie: Callable[[Evening], None], said: str) -> None:
    """Also of those that have not moved since the last audit."""
    evening = play(ONE_BET)
    evening.balances.moved.clear()
    check_laws(evening.table, evening.balances)
    evening.balances.moved.clear()
    lie(evening)
    with pytest.raises(AssertionError, match=said):
        check_laws(evening.table, evening.balances)


def test_the_audit_of_what_moved_sees_each_lie() -> None:
    lies: list[tuple[str, tuple[str, str, int, Reason], str]] = [
        ("", (CAGE, terminal("T1", "Ann"), 1, "credit sold"), "the credit of Ann"),
        ("", (CAGE, terminal("T1", ""), 1, "credit sold"), "dropped with credit"),
        ("house", (CAGE, "house:T1", 1, "credit sold"), "no figure counts"),
        ("credit", (CAGE, terminal("T1", "Ann"), 1, "drain"), "the meters of Ann miss"),
        ("below", (terminal("T1", "Ann"), CAGE, 90_01, "credit paid out"), "below zero"),
        ("", ("bets:T1", CAGE, 10_01, "bet"), "bets:T1 is below zero"),
        ("", (CAGE, "house:T1", 1, "fill"), "the House's figure"),
    ]
    for known, leg, said in lies:
        evening = play(ONE_BET)
        audit(evening.table, evening.balances)
        assert not evening.balances.moved
        _forged(evening, leg)
        if known == "house":
            evening.table.house = Cents(evening.table.house + 1)
        elif known:
            evening.table.seats[HERE].credit = Cents(90_01 if known == "credit" else -1)
        with pytest.raises(AssertionError, match=said):
            audit(evening.table, evening.balances)


def test_balances_that_were_kept_are_audited_whole_before_they_are_believed() -> None:
    evening = play(ONE_BET)
    kept = Balances.of(evening.balances.flows)
    assert kept == evening.balances
    assert kept.moved == set(kept.flows)
    kept.flows[terminal("T1", "Ann")]["credit sold"] += 1
    with pytest.raises(AssertionError, match="the credit of Ann"):
        audit(evening.table, kept)


def test_an_account_that_is_let_go_leaves_its_flows_with_those_before_it() -> None:
    balances = Balances()
    one, two, all = (terminal("T1", name) for name in ("Ann", "Ben", ""))
    for seat, amount in ((one, Cents(5_00)), (two, Cents(7_00))):
        balances.apply([Transfer(CAGE, seat, amount, "credit sold"), Transfer(seat, CAGE, amount, "credit paid out")])
    balances.merge("terminal:T1/nobody", all)
    assert all not in balances.flows
    for seat in (one, two):
        balances.merge(seat, all)
        assert seat not in balances.flows
        assert seat not in balances.moved
    assert balances.flows[all] == {"credit sold": 12_00, "credit paid out": -12_00}
    assert sum(balances.values()) == 0
    balances.apply([Transfer(CAGE, one, Cents(1), "credit sold")])
    with pytest.raises(AssertionError, match="not at zero"):
        balances.merge(one, all)


def test_a_debt_of_one_cent_is_owed_and_taken_back() -> None:
    """The smallest correction moves as the largest does."""
    lost, won = (
        Paid(BetId("b1"), HERE, Cents(collected), Cents(winnings), Cents(returned), "")
        for collected, winnings, returned in ((1, 0, 0), (0, 1, 1))
    )
    reversed_ = [
        Reversal(BetId("b1"), HERE, old, new, Cents(owed)) for old, new, owed in ((won, lost, 1), (lost, won, -1))
    ]
    owed, taken = (
        ledger.post("T1", ResultCorrected("Sam", 1, RoundNumber(1), "1-1-2", (one,), "", "", ())) for one in reversed_
    )
    seat, debt = terminal("T1", "Ann"), ledger.receivable("T1", "Ann")
    assert owed[0] == Transfer(debt, seat, Cents(1), "owed", "b1")
    assert taken[-1] == Transfer(seat, debt, Cents(1), "repaid", "b1")
    balances = Balances()
    balances.apply([*owed, *taken])
    assert {account: balances[account] for account in (seat, debt, "bets:T1", "house:T1")} == dict.fromkeys(
        (seat, debt, "bets:T1", "house:T1"), 0
    )


def test_a_seat_whose_credit_moved_for_every_reason_passes_the_audit() -> None:
    evening = play(ONE_BET)
    account = terminal("T1", "Ann")
    for number, why in enumerate(sorted(METERS), 1):
        _forged(evening, (CAGE, account, number, why))
    credit = evening.table.seats[HERE].credit + sum(range(len(METERS) + 1))
    evening.table.seats[HERE].credit = Cents(credit)
    audit(evening.table, evening.balances)
    assert meter(evening.balances, "T1", "Ann").credit == credit
