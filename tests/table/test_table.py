"""A table before the evening and its staff: what may be opened, laid out, and who may give which post."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import pytest

from croupier import load_rulebook, rulebook_ids
from croupier.rules.money import MOST, Cents
from croupier.rules.refusal import Refused
from croupier.rules.schema import PhaseAct
from croupier.table import messages as m
from croupier.table.checks import check_amount, check_fits, check_name, irregularity_with, lock_after
from croupier.table.corrections import _Money
from croupier.table.decide import decide
from croupier.table.interruptions import _always_void, _void_clause
from croupier.table.messages import Limits, PersonId, SeatId
from croupier.table.roles import Role
from croupier.table.state import TRANSITIONS, Setup, Table, new_table
from croupier.transcript.play import play

RANKS: dict[Role, int] = {"dealer": 1, "cashier": 1, "pit-supervisor": 2, "pit-manager": 3, "shift-manager": 4}


def refused(table: Table, command: m.AnyCommand) -> str:
    """Why a command is refused; empty if it is taken."""
    try:
        decide(table, command)
    except Refused as no:
        return no.reason
    return ""


@pytest.mark.parametrize("more", [False, True], ids=["one post", "several"])
@pytest.mark.parametrize("giver", ["pit-supervisor", "pit-manager", "shift-manager"])
def test_nobody_gives_or_takes_a_role_above_theirs(giver: Role, more: bool) -> None:
    """Whoever has several posts is as high as the highest of them, and so are the posts together."""
    table = play("table T1 rws-sicbo-etg-v2 A\n").table
    own: tuple[Role, ...] = ("dealer", giver, "cashier") if more else (giver,)
    for given, had in product(RANKS, (None, *RANKS)):
        table.staff = {PersonId("Boss"): own, PersonId("Other"): ("shift-manager",)}
        posts: tuple[Role, ...] = (given, "dealer") if more else (given,)
        if had:
            table.staff[PersonId("Lee")] = ("cashier", had) if more else (had,)
        allowed = max(RANKS[given], RANKS[had] if had else 0) <= RANKS[giver]
        said = refused(table, m.AssignStaff("Boss", 1, PersonId("Lee"), posts))
        assert said == ("" if allowed else "permission"), (giver, given, had)


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_table_opens_with_the_checks_of_its_book_for_the_opening_and_no_others(id: str) -> None:
    layout = load_rulebook(id).layouts[0].id.rpartition("/")[2]
    table = play(f"table T1 {id} {layout}\n").table
    table.open = False
    [opened] = decide(table, m.OpenTable("Max", 1))
    assert isinstance(opened, m.TableOpened)
    assert opened.checks == tuple(prompt.id for prompt in table.book.prompts if prompt.when == "opening")
    others = next(prompt.id for prompt in table.book.prompts if prompt.when != "opening")
    assert refused(table, m.OpenTable("Max", 1, (others,))) == ""
    if opened.checks:
        assert refused(table, m.OpenTable("Max", 1, opened.checks[-1:])) == "checks"


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_house_reads_by_its_alternative_only_what_has_one(id: str) -> None:
    book = load_rulebook(id)
    table = play(f"table T1 {id} {book.layouts[0].id.rpartition('/')[2]}\n").table
    for reading in book.readings:
        if reading.ruling is None:
            continue
        setup = Setup("T1", book, table.setup.layouts, table.setup.limits, alternatives=frozenset((reading.ruling,)))
        shut = new_table(setup)
        shut.staff = table.staff
        has = any(one.ruling == reading.ruling and one.alternative != "none" for one in book.readings)
        assert refused(shut, m.OpenTable("Max", 1)) == ("" if has else "alternative"), reading.ruling


def test_a_layout_that_the_chips_of_the_table_could_not_be_paid_on_is_not_laid_out() -> None:
    """8.5 to 1 on layout A needs two cents a chip; layout C is paid with one."""
    table = play("table T1 rws-sicbo-etg-v2 C\n").table
    laid_out = m.SetLayouts("Sam", 1, ("A",))
    assert refused(table, laid_out) == ""
    table.limits = Limits({"*": Cents(5)}, {"*": Cents(11)}, Cents(1))
    assert refused(table, laid_out) == "limits"
    assert refused(table, m.SetLayouts("Sam", 1, ("C",))) == ""


def test_no_seat_has_a_name_of_the_staff_or_of_the_software() -> None:
    table = play("table T1 rws-sicbo-etg-v2 A\n").table
    for name in ("system", "Dana"):
        assert refused(table, m.TakeSeat("Sam", 1, SeatId(name), "A")) == "seat"
    assert refused(table, m.TakeSeat("Sam", 1, SeatId("Ann"), "A")) == ""
    assert refused(table, m.AssignStaff("Sam", 1, PersonId("system"), ("dealer",))) == "permission"


AT_REST = """Dana calls place your bets
Ann bets 10.00 on small
Dana calls no more bets
Dana activates the tumbler
Dev counts 3
"""
DICE, WHEEL = "table T1 rws-sicbo-etg-v2 A\nseat Ann 100.00\n", "table T1 mbs-sands-roulette-v2\nseat Ann 100.00\n"


def test_dice_are_entered_on_keys_and_a_wheel_as_a_number() -> None:
    dice = play(DICE + AT_REST).table
    assert refused(dice, m.EnterNumber("Dana", 1, "7")) == "entry"
    assert refused(dice, m.PressKey("Dana", 1, "6")) == ""
    assert refused(dice, m.PressKey("Dana", 1, "7")) == "entry"
    spun = "Dana calls place your bets\nDana spins the ball\nDana calls no more bets\nDana counts 4\n"
    wheel = play(WHEEL + spun).table
    assert refused(wheel, m.PressKey("Dana", 1, "6")) == "entry"
    assert refused(wheel, m.EnterNumber("Dana", 1, "7")) == ""


@pytest.mark.parametrize(
    ("play_on", "taken"),
    [
        ("Dana calls place your bets\n", False),
        ("Dana calls place your bets\nSystem interrupts the server\n", False),
        ("Dana calls place your bets\nDana calls no more bets\nSystem interrupts the server\n", False),
        ("Dana calls place your bets\nDana calls no more bets\nDana activates the tumbler\n", False),
        (f"{AT_REST[: AT_REST.index('Dev')]}System interrupts the server\n", True),
        (AT_REST, True),
        (f"{AT_REST}System interrupts the server\n", True),
    ],
)
def test_a_sensor_is_believed_once_the_dice_may_lie_still(play_on: str, taken: bool) -> None:
    table = play(DICE + play_on).table
    device = next(person for person, roles in table.staff.items() if "device" in roles)
    assert refused(table, m.SenseResult(device, 1, "1-3-4")) == ("" if taken else "phase")


def test_the_event_of_paying_names_those_who_get_something_and_no_others() -> None:
    two = AT_REST.replace("on small\n", "on small\nAnn bets 5.00 on big\n")
    evening = play(f"{DICE}{two}Dana enters 1-3-4\nDana confirms\n")
    [paid] = [event for turn in evening.turns for event in turn.events if isinstance(event, m.WinnersPaid)]
    assert [(one.bet, one.winnings, one.returned) for one in paid.paid] == [("ann1", 10_00, 10_00)]


def test_what_is_left_of_a_bet_is_whole_chips_when_a_part_is_rejected() -> None:
    header = "table T1 rws-taisai-v5 A\nmaximum 100.00\nseat Ann 500.00\n"
    table = play(f"{header}\nDana calls place your bets\nAnn bets 200.00 on small\n").table
    assert table.limits.unit == 100
    reject = m.RejectExcess("Dana", 1, m.BetId("ann1"), Cents(33_33))
    assert refused(table, reject) == "unit"
    assert refused(table, m.RejectExcess("Dana", 1, m.BetId("ann1"), Cents(33_00))) == ""


@pytest.mark.parametrize(
    ("play_on", "why"),
    [
        ("Dana spins the ball\nSystem interrupts the server\nSystem restores\n", ""),
        ("Dana spins the ball\nSystem interrupts the server\n", "phase"),
        ("Dana spins the ball\nDana calls no more bets\nSystem interrupts the server\nSystem restores\n", "phase"),
    ],
    ids=["the ball runs on", "the power is away", "bets were closed before"],
)
def test_5_11_2_after_a_power_failure_bets_close_once_it_is_over_and_only_once(play_on: str, why: str) -> None:
    table = play(f"{WHEEL}Dana calls place your bets\n{play_on}").table
    assert refused(table, m.CallNoMoreBets("Dana", 1)) == why


def test_a_covered_game_is_uncovered_once_between_the_close_and_the_entry() -> None:
    table = play("table T1 mbs-esicbo-v4 rapid-select\nseat Ann 100.00\n").table
    assert refused(table, m.Uncover("Dana", 1)) == "phase"
    assert refused(play(DICE).table, m.Uncover("Dana", 1)) == "phase"
    open_cover = play(f"{DICE}Dana calls place your bets\n").table
    assert refused(open_cover, m.Uncover("Dana", 1)) == "phase"


def test_terminals_are_named_and_only_where_a_game_has_any() -> None:
    dice, wheel = play(DICE).table, play(WHEEL).table
    for command in (m.InterruptTerminals("system", 1, ()), m.RestoreTerminals("system", 1, ())):
        assert refused(dice, command) == refused(wheel, command) == "terminal"
    for table, why in ((dice, ""), (wheel, "terminal")):
        assert refused(table, m.InterruptTerminals("system", 1, (SeatId("Ann"),))) == why
        assert refused(table, m.RestoreTerminals("system", 1, (SeatId("Ann"),))) == why


def test_betting_resumes_until_the_last_moment_that_its_clause_allows() -> None:
    table = play(f"{DICE}Dana calls place your bets\nSystem interrupts the server\n").table
    struck = table.interruption
    assert struck is not None
    last = struck.at + table.book.interruption.resume_seconds * 1000
    for at, event in ((last, m.Resumed), (last + 1, m.RoundVoided)):
        assert event in [type(one) for one in decide(table, m.Restore("system", at))]


def test_a_round_that_is_being_settled_is_not_voided_before_the_dealer_has_paid() -> None:
    live = "table T1 rws-taisai-v5 A\nseat Ann 100.00\nDana calls place your bets\nAnn bets 10.00 on big\n"
    tumbled = "Dana calls no more bets\nDana activates the tumbler\nDev counts 3\nDana enters 1-3-4\n"
    void = m.VoidRounds("Sam", 1, (m.RoundNumber(1),), "damaged-dice", "a photo")
    assert refused(play(live + tumbled).table, void) == ""
    assert refused(play(f"{live}{tumbled}Dana confirms\n").table, void) == "irregularity"
    assert refused(play(f"{live}{tumbled}Dana confirms\nDana pays\n").table, void) == ""


def test_a_gain_of_one_cent_pays_one_cent_of_a_debt() -> None:
    money, ann = _Money(play(DICE).table), SeatId("Ann")
    money.owes[ann], money.credit[ann] = 5, 7
    assert [money.settle(ann, gain) for gain in (1, 0, 10, -4, -20)] == [-1, 0, -4, 0, 11]
    assert (money.owes[ann], money.credit[ann]) == (11, 0)


def test_after_the_result_a_bet_that_never_was_is_withdrawn_too_late() -> None:
    nz = "table T1 nz-taisai-division9 1\nseat Ann 100.00\nDana activates the tumbler\nDev counts 3\n"
    bets = "Dana calls place your bets\nAnn bets 10.00 on big\nDana calls no more bets\n"
    table = play(f"{nz}{bets}Dana uncovers the dice\nDana enters 1-3-4\n").table
    for bet in ("ann1", "nobody1"):
        assert refused(table, m.WithdrawBet("Ann", 1, "w1", m.BetId(bet), Cents(1))) == "late-withdrawal"


@pytest.mark.parametrize(("seat", "stake", "why"), [("Ann", 1, ""), ("Ann", 0, "terminal"), ("Ben", 1, "terminal")])
def test_5_2_a_bet_that_was_lost_is_one_of_a_terminal_that_failed(seat: str, stake: int, why: str) -> None:
    table = play(f"{DICE}seat Ben 100.00\nDana calls place your bets\n").table
    lost = m.LostBet(SeatId(seat), "small", Cents(stake))
    assert refused(table, m.InterruptTerminals("system", 1, (SeatId("Ann"),), (lost,))) == why


def test_5_9_what_a_failed_terminal_gets_back_is_a_return() -> None:
    table = play(
        "table T1 mbs-esicbo-v4 rapid-select\noption alternative 29\nseat Ann 100.00\n"
        "Dana activates the tumbler\nDev counts 3\nDana calls place your bets\nAnn bets 10.00 on small\n"
    ).table
    _, back = decide(table, m.InterruptTerminals("system", 1, (SeatId("Ann"),)))
    assert isinstance(back, m.BetDecided)
    assert (back.bet, back.treatment, back.returned, back.reason, back.clause) == ("ann1", "return", 10_00, "", "5.9")


@pytest.mark.parametrize(
    ("header", "play_on", "command"),
    [
        ("", "System interrupts the server\n", m.Restore("system", 31_000)),
        ("option alternative 26\n", "System interrupts the server\n", m.Restore("system", 1)),
        (
            "",
            "Dana calls no more bets\nDana activates the tumbler\nSystem interrupts the server\nSystem restores\n"
            "Dana attests nothing\n",
            None,
        ),
    ],
    ids=["the power was away too long", "the House always voids", "the dice show nothing"],
)
def test_what_an_interruption_voids_is_recorded_as_an_interruption(
    header: str, play_on: str, command: m.AnyCommand | None
) -> None:
    table = play(f"{DICE}{header}Dana calls place your bets\nAnn bets 10.00 on small\n{play_on}").table
    if command is None:
        command = m.Approve("Max", 1, 1, table.requests[1].digest)
    [voided] = [event for event in decide(table, command) if isinstance(event, m.RoundVoided)]
    assert voided.irregularity == "interruption"


@pytest.mark.parametrize(
    ("act", "own", "otherwise", "clause"),
    [
        ("void", "9.9", None, "9.9"),
        ("resume-or-void", "9.9", None, "9.9"),
        ("resume-or-void-and-lock", "9.9", None, "9.9"),
        ("void", None, None, "5.1"),
        ("attest", "9.9", "9.8", "9.8"),
        ("complete-entry", "9.9", None, "5.1.2"),
    ],
)
def test_an_interrupted_round_is_void_by_the_clause_of_its_phase_or_that_of_open_bets(
    act: str, own: str | None, otherwise: str | None, clause: str
) -> None:
    """As a book could have it: in ours, every phase that voids by itself has the clause of open bets."""
    part = PhaseAct.model_validate({"act": act, "clause": own, "otherwise": otherwise})
    assert _void_clause(play(DICE).table, part) == clause


@pytest.mark.parametrize(
    ("act", "spared"),
    [("nothing", True), ("finish", True), ("finish-and-lock", True), ("confirm", False), ("complete-entry", False)],
)
def test_a_house_that_always_voids_pays_out_what_was_settled(act: str, spared: bool) -> None:
    table = play("table T1 nz-taisai-division9 1\noption alternative 28\n").table
    assert _always_void(table, PhaseAct.model_validate({"act": act, "clause": "9.9"})) is not spared


REASONED: tuple[m.AnyCommand, ...] = (
    m.Unlock("Sam", 1, " "),
    m.GiveCredit("Sam", 1, SeatId("Ann"), Cents(100), " "),
    m.WriteOffDebt("Sam", 1, SeatId("Ann"), Cents(100), " "),
    m.CorrectResult("Sam", 1, m.RoundNumber(1), "1-3-5", " "),
    m.VoidRounds("Sam", 1, (m.RoundNumber(1),), "damaged-dice", " "),
    m.DecideResult("Sam", 1, "1-3-4", " "),
    m.DecideBet("Sam", 1, m.BetId("ann1"), "stand", " "),
)


@pytest.mark.parametrize("command", REASONED, ids=lambda command: type(command).__name__)
def test_an_act_that_an_auditor_will_ask_about_needs_a_reason(command: m.AnyCommand) -> None:
    settled = f"{DICE}{AT_REST}Dana enters 1-3-4\nDana confirms\n"
    table = play(WHEEL if isinstance(command, m.DecideBet) else settled).table
    assert refused(table, command) == "reason"


SPUN = "Dana calls place your bets\nAnn bets 10.00 on red\nAnn bets 10.00 on black\nAnn withdraws 10.00 of ann1\n"


@pytest.mark.parametrize(
    ("report", "words"),
    [("ball-broken", ""), ("no-spin", "no spin")],
)
def test_5_12_only_a_no_spin_calls_no_spin_and_only_bets_on_the_felt_go_back(report: str, words: str) -> None:
    table = play(f"{WHEEL}{SPUN}Dana spins the ball\n").table
    [voided] = [event for event in decide(table, m.Report("Dana", 1, report)) if isinstance(event, m.RoundVoided)]
    assert voided.words == words
    assert [(share.bet, share.amount) for share in voided.returned] == [("ann2", 10_00)]


def test_5_11_2_a_ball_found_after_a_power_failure_closes_the_bets_without_a_word_or_a_bell() -> None:
    table = play(f"{WHEEL}{SPUN}Dana spins the ball\nSystem interrupts the server\nSystem restores\n").table
    resumed, closed, ended = decide(table, m.EndMotion("Dana", 1, 4))
    assert isinstance(resumed, m.Resumed)
    assert isinstance(closed, m.BettingClosed)
    assert isinstance(ended, m.MotionEnded)
    assert (resumed.act, resumed.clause) == ("wait", "5.11.2")
    assert (closed.words, closed.bell, closed.clause) == ("", False, "5.11.2")


def test_the_record_says_how_a_result_was_established_and_what_became_of_a_bet_by_a_decision() -> None:
    by_hand = play(f"{DICE}{AT_REST}").table
    _, entered = decide(by_hand, m.Decide("Max", 1, "result", "the camera shows it", "1-3-4"))
    assert isinstance(entered, m.ResultEntered)
    assert entered.source == "decided"
    _, back = decide(by_hand, m.Decide("Max", 1, "return", "under age", bets=(m.BetId("ann1"),)))
    assert isinstance(back, m.BetDecided)
    assert back.treatment == "return"
    dark = play(f"{DICE}{AT_REST}System interrupts the server\nSystem restores\nDana attests 1-3-4\n").table
    attested = decide(dark, m.Approve("Max", 1, 1, dark.requests[1].digest))[-1]
    assert isinstance(attested, m.ResultEntered)
    assert attested.source == "attested"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("", ""),
        ("two words", "two words"),
        ("#1", "#1"),
        ('quo"te', 'quo"te'),
        ("=seat", "=seat"),
        ("a\nb", "a\\nb"),
        (f"{'x' * 63} ", f"{'x' * 63} "),
        ("x" * 65, f"{'x' * 64}…"),
        ("x" * 1000, f"{'x' * 64}…"),
    ],
)
def test_a_name_that_is_refused_is_shown_and_not_at_any_length(name: str, shown: str) -> None:
    with pytest.raises(Refused) as refused:
        check_name("seat", name)
    assert (refused.value.reason, refused.value.facts) == ("name", {"name": shown, "what": "seat"})


@pytest.mark.parametrize("name", ["x", "x" * 64, "a=b", "Ä'1"])
def test_a_name_of_64_printable_letters_without_a_space_is_taken(name: str) -> None:
    check_name("seat", name)


@pytest.mark.parametrize(("amount", "case"), [(-1, "not-above-zero"), (0, "not-above-zero"), (MOST + 1, "too-large")])
def test_an_amount_is_above_zero_and_no_more_than_an_account_can_hold(amount: int, case: str) -> None:
    check_amount(1)
    check_amount(MOST)
    with pytest.raises(Refused) as refused:
        check_amount(amount)
    assert (refused.value.reason, refused.value.case) == ("amount", case)


CONSEQUENCES = {part.consequence for id in rulebook_ids() for part in load_rulebook(id).irregularities}


@pytest.mark.parametrize("id", rulebook_ids())
def test_a_consequence_that_a_book_has_not_is_refused(id: str) -> None:
    book = load_rulebook(id)
    table = play(f"table T1 {id} {book.layouts[0].id.rpartition('/')[2]}\n").table
    for consequence in CONSEQUENCES:
        parts = [part for part in book.irregularities if part.consequence == consequence]
        if parts:
            assert irregularity_with(table, consequence) == parts[0]
        else:
            with pytest.raises(Refused, match=f"irregularity no-clause book={id}"):
                irregularity_with(table, consequence)


def test_an_irregularity_of_a_round_that_is_over_is_found_between_rounds_and_not_during_the_next() -> None:
    table = play(f"{DICE}{AT_REST}Dana enters 1-3-4\nDana confirms\n").table
    assert table.past
    tried = set()
    for phase in ("ready", *TRANSITIONS[table.order]):
        table.phase = phase
        for part in table.book.irregularities:
            fits = phase in part.phases or (phase == "ready" and "settled" in part.phases)
            tried.add((fits, "settled" in part.phases))
            try:
                check_fits(table, part)
            except Refused:
                assert not fits, (phase, part.id)
            else:
                assert fits, (phase, part.id)
    assert len(tried) == 4
    before_the_first = play(DICE).table
    parts = [
        part for part in before_the_first.book.irregularities if {"settled", "ready"} & {*part.phases} == {"settled"}
    ]
    assert parts
    for part in parts:
        with pytest.raises(Refused, match="irregularity other-phase"):
            check_fits(before_the_first, part)


@pytest.mark.parametrize("any_time", [False, True])
def test_5_12_only_no_spin_may_be_announced_later_where_the_house_reads_it_so(any_time: bool) -> None:
    table = play(WHEEL.replace("\nseat", "\noption alternative 30\nseat") if any_time else WHEEL).table
    [clause] = {call.clause for call in table.book.calls if call.id == "no-spin"}
    for phase in ("rest", "entered"):
        table.phase = phase
        for part in table.book.irregularities:
            fits = phase in part.phases or (any_time and part.clause == clause)
            with nullcontext() if fits else pytest.raises(Refused, match="irregularity other-phase"):
                check_fits(table, part)


def test_7_4_a_table_is_locked_once_after_its_round() -> None:
    table = play("table T1 nz-taisai-division9 1\n").table
    command = m.PayWinners("Dana", 1)
    assert lock_after(table, command) == []
    table.lock_after_round = "7.4"
    assert lock_after(table, command) == [m.TableLocked("Dana", 1, "7.4")]
    table.locked = "7.4"
    assert lock_after(table, command) == []
