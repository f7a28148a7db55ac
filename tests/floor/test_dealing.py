"""Dealt by a program or by people, with a device: by the book round after round, and every fault by its clause."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Sequence

import pytest

from croupier.devices.port import Fault
from croupier.floor import dealer as dealer_module
from croupier.floor.dealer import AutomaticDealer
from croupier.floor.device_config import KeypadConfig
from croupier.floor.floor import LiveTable
from croupier.rules.alerts import ALERTS
from croupier.store.folder import Premises
from croupier.store.journal import read_rows
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId
from tests.floor import faults
from tests.floor.dealing import LONG, MBS, NZ, RWS, UNHURRIED, WHEEL, bets_placed, facts, now, phase, play
from tests.support.cammegh_line import WheelEnd
from tests.support.floors import money, until
from tests.support.quick_floor import Evening, by_people, quick

# ---- a program deals


def test_five_tables_deal_stop_and_go_on(premises: Premises) -> None:
    """A restart while bets are open needs no person."""

    async def stop(here: Evening) -> None:
        await here.workers.start()
        await until(lambda: all(live.table.phase == "betting" for live in here.floor.tables.values()), LONG)

    async def deal(here: Evening) -> None:
        tables = here.floor.tables
        begin = {name: live.table.next_round for name, live in tables.items()}
        await here.workers.start()
        await until(lambda: all(live.table.next_round > begin[name] + 8 for name, live in tables.items()), LONG)
        assert not any(here.alerts(name) for name in tables)
        assert money(here.floor) == 5 * 2 * 10_000_00

    play(premises, quick(pace=UNHURRIED), stop)
    play(premises, quick(), deal)


@pytest.mark.parametrize("turns", range(5))
def test_a_table_that_becomes_ours_while_the_crew_is_called_has_one_dealer(
    premises: Premises, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    dealing: list[AutomaticDealer] = []
    deal = AutomaticDealer.run

    async def counted(dealer: AutomaticDealer) -> None:
        dealing.append(dealer)
        try:
            await deal(dealer)
        finally:
            dealing.remove(dealer)

    async def act(here: Evening) -> None:
        starting = asyncio.create_task(here.workers.start())
        for _ in range(turns):
            await asyncio.sleep(0)
        here.workers._owner_changed(RWS)
        await starting
        await until(lambda: here.live(RWS).table.next_round > 3, LONG)
        assert dealing == [here.workers.dealers[RWS]]

    monkeypatch.setattr(AutomaticDealer, "run", counted)
    play(premises, [config for config in quick() if config.name == RWS], act)


@pytest.mark.parametrize("fault", faults.FAULTS)
def test_every_fault_of_a_device_ends_the_round_as_the_documents_say(fault: Fault) -> None:
    assert faults.line(fault, faults.fates_of(fault)) in faults.written(), "read it, then: make golden"


def test_the_automatic_dealer_and_the_device_give_commands_in_their_own_names(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await here.workers.start()
        await until(lambda: all(live.table.next_round > 3 for live in here.floor.tables.values()), LONG)

    play(premises, quick(), deal)

    async def look(here: Evening) -> None:
        for name, live in here.floor.tables.items():
            entries = [live.recorder.subject.read(row) for row in read_rows(here.floor.store, name, 1)]
            givers = {entry.command.by for entry in entries if not isinstance(entry.command, m.TakeSeat | m.SellCredit)}
            device = "wheel" if name == WHEEL else "tumbler"
            assert givers <= {"automat", device, "system", *live.config.seats}

    play(premises, quick(), look)


def test_a_program_waits_for_two_people_where_the_book_asks_for_two(premises: Premises) -> None:
    """nz: interrupted with the cover on. Two people attest, the table locks, two people unlock it, play goes on."""
    config = [table for table in quick() if table.name == NZ]
    unhurried = [table.model_copy(update={"pace": UNHURRIED}) for table in config]

    async def stop(here: Evening) -> None:
        live = here.live(NZ)
        await here.workers.start()
        await until(lambda: live.table.seats[SeatId("A1")].held == 500, LONG)
        await here.workers.stop()
        await here.give(NZ, m.CallNoMoreBets("Dana", now(here)))
        assert live.table.round is not None

    async def go_on(here: Evening) -> None:
        live = here.live(NZ)
        number = live.table.next_round - 1
        await here.workers.start()
        dealer = here.workers.dealers[NZ]
        await until(lambda: dealer.waiting_for == "attest", LONG)
        assert live.table.seats[SeatId("A1")].held == 500
        await here.two(NZ, m.Attest("Dana", now(here), ("1", "2", "3")), "Pat")
        await until(lambda: dealer.waiting_for == "locked", LONG)
        assert here.past(NZ, number).outcome == "1-2-3"
        assert live.table.locked == "7.4"
        await here.two(NZ, m.Unlock("Sam", now(here), "cable mended"), "Pat")
        await until(lambda: live.table.next_round > number + 3, LONG)
        await until(lambda: here.alerts(NZ).count("dealing") == 2, LONG)

    play(premises, unhurried, stop)
    play(premises, config, go_on)


def test_a_program_completes_an_entry_that_its_sensor_vouches_for(premises: Premises) -> None:
    """The reading is written down before a key is pressed, so a restart in the middle of the entry loses nothing."""
    config = [table for table in quick() if table.name == RWS]

    async def stop(here: Evening) -> None:
        await here.give(RWS, m.OpenTable("Sam", now(here)), m.OpenBetting("Dana", now(here)))
        await here.give(RWS, m.CallNoMoreBets("Dana", now(here)), m.StartMotion("Dana", now(here)))
        await here.give(RWS, m.EndMotion("tumbler", now(here), 3), m.SenseResult("tumbler", now(here), "2-4-4"))
        await here.give(RWS, m.PressKey("automat", now(here), "4"))

    async def go_on(here: Evening) -> None:
        await here.workers.start()
        await until(lambda: here.live(RWS).table.next_round > 3, LONG)
        assert here.past(RWS, 1).outcome == "2-4-4"
        assert here.alerts(RWS) == []

    play(premises, config, stop)
    play(premises, config, go_on)


def test_a_program_hands_over_what_it_may_not_do_and_goes_on_when_it_may(premises: Premises) -> None:
    config = [table.model_copy(update={"staff": table.staff | {"automat": ("dealer",)}}) for table in quick()]

    async def deal(here: Evening) -> None:
        await here.workers.start()
        await until(lambda: here.workers.dealers[RWS].waiting_for == "closed", LONG)
        await here.give(RWS, m.OpenTable("Sam", now(here)))
        await until(lambda: here.live(RWS).table.next_round > 2, LONG)
        await here.give(RWS, m.AssignStaff("Sam", now(here), PersonId("automat"), ("auditor",)))
        await until(lambda: here.workers.dealers[RWS].waiting_for == "refused", LONG)
        await here.give(RWS, m.AssignStaff("Sam", now(here), PersonId("automat"), ("dealer",)))
        number = here.live(RWS).table.next_round
        await until(lambda: here.live(RWS).table.next_round > number + 1, LONG)

    play(premises, [table for table in config if table.name == RWS], deal)


def test_people_finish_a_round_whose_result_no_sensor_reports(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await here.workers.start()
        here.device(RWS).fail_next("unreadable-die")
        await until(lambda: here.workers.dealers[RWS].waiting_for == "unread", LONG)
        number = here.live(RWS).table.next_round - 1
        for face in "665":
            await here.give(RWS, m.PressKey("Dana", now(here), face))
        await here.give(RWS, m.PressEntry("Dana", now(here)))
        await until(lambda: here.live(RWS).table.next_round > number + 2, LONG)
        assert here.past(RWS, number).outcome == "5-6-6"

    play(premises, [table for table in quick() if table.name == RWS], deal)


def test_a_worker_that_fails_raises_an_alert_and_is_restarted(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.floor.workers.AGAIN", 0.01)

    async def deal(here: Evening) -> None:
        await here.workers.start()
        dealer = here.workers.dealers[RWS]

        def broken() -> None:
            del dealer._next
            raise AssertionError("a bug")

        dealer._next = broken  # type: ignore[method-assign, assignment]
        await until(lambda: "crew-fault" in here.alerts(RWS), LONG)
        number = here.live(RWS).table.next_round
        await until(lambda: here.live(RWS).table.next_round > number + 2, LONG)

    play(premises, [table for table in quick() if table.name == RWS], deal)


def test_a_subscriber_to_the_opening_of_bets_finds_the_countdown(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        live = here.live(RWS)
        heard: list[int | None] = []
        here.floor.subscribe(
            RWS,
            lambda stream, entries: heard.extend(
                live.closes_at for entry in entries for event in entry.events if isinstance(event, m.BettingOpened)
            ),
        )
        await here.workers.start()
        await until(lambda: len(heard) > 2, LONG)
        assert None not in heard
        await phase(here, RWS, "ready", "closed", "moving", "rest")

    play(premises, [table for table in quick() if table.name == RWS], deal)


# ---- people deal


async def opened(here: Evening, table: str) -> None:
    await here.workers.start()
    await here.give(table, m.OpenTable("Sam", now(here)))


async def to_motion(here: Evening, table: str) -> None:
    """People deal a round as far as the motion."""
    if here.live(table).table.order == "covered":
        await here.give(table, m.StartMotion("Dana", now(here)))
        return
    await here.give(table, m.OpenBetting("Dana", now(here)))
    await bets_placed(here, table)
    if here.live(table).table.order == "open-cover":
        await here.give(table, m.CallNoMoreBets("Dana", now(here)))
    await here.give(table, m.StartMotion("Dana", now(here)))


async def confirm(here: Evening, table: str, case: str) -> None:
    """Wait for a fact on Dana's console, and give what it offers."""
    await until(lambda: any(fact.case == case and fact.may for fact in facts(here, table)), LONG)
    fact = next(fact for fact in facts(here, table) if fact.case == case)
    await here.give(table, *fact.commands)


@pytest.mark.parametrize("table", [RWS, "taisai-rws", MBS, NZ, WHEEL])
def test_people_deal_and_the_device_does_what_the_journal_has(premises: Premises, table: str) -> None:
    async def deal(here: Evening) -> None:
        live = here.live(table)
        await opened(here, table)
        for number in (1, 2, 3):
            await to_motion(here, table)
            if live.table.order == "covered":
                await until(lambda: live.table.motion.count == 3, LONG)
                await here.give(table, m.OpenBetting("Dana", now(here)))
                await bets_placed(here, table)
                await here.give(table, m.CallNoMoreBets("Dana", now(here)), m.Uncover("Dana", now(here)))
            elif table == WHEEL:
                await confirm(here, table, "slowing")
            await phase(here, table, "rest")
            await confirm(here, table, "reads")
            await here.give(table, m.ConfirmResult("Dana", now(here)))
            if live.table.phase == "settling":
                await here.give(table, m.PayWinners("Dana", now(here)))
            assert here.past(table, number).outcome is not None
            assert live.picture is None
        assert here.alerts(table) == []

    play(premises, by_people(table), deal)


def test_a_fault_to_be_looked_at_is_offered_with_its_clause_and_voids_nothing_by_itself(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await opened(here, RWS)
        here.device(RWS).fail_next("die-leaning")
        await to_motion(here, RWS)
        await phase(here, RWS, "rest")
        await until(lambda: facts(here, RWS), LONG)
        (fact,) = facts(here, RWS)
        assert (fact.case, fact.clause, fact.may) == ("fault", "5.3.2", True)
        assert fact.facts == {"device": "tumbler", "fault": "die-leaning"}
        assert not facts(here, RWS, "Cass")[0].may
        assert here.live(RWS).table.phase == "rest"
        await here.give(RWS, *fact.commands)
        assert here.past(RWS, 1).void_clause == "5.3.2"
        assert facts(here, RWS) == ()
        await until(lambda: here.alerts(RWS) == ["device-fault"], LONG)

    play(premises, by_people(RWS), deal)


@pytest.mark.parametrize(
    ("table", "fault", "clause"),
    [(RWS, "short-tumble", "5.3.1"), (NZ, "cover-opened", "7.1(c)"), (WHEEL, "wheel-stopped", "5.8")],
)
def test_a_fault_that_leaves_no_choice_voids_by_itself(
    premises: Premises, table: str, fault: Fault, clause: str
) -> None:
    async def deal(here: Evening) -> None:
        await opened(here, table)
        here.device(table).fail_next(fault)
        await to_motion(here, table)
        await until(lambda: 1 in here.live(table).table.past, LONG)
        assert here.past(table, 1).void_clause == clause

    play(premises, by_people(table), deal)


def test_5_3_3_a_tumbler_started_while_bets_are_open_voids_the_round(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await opened(here, RWS)
        await here.give(RWS, m.OpenBetting("Dana", now(here)))
        await here.device(RWS).act("tumble")
        await until(lambda: 1 in here.live(RWS).table.past, LONG)
        assert here.past(RWS, 1).void_clause == "5.3.3"

    play(premises, by_people(RWS), deal)


def test_what_is_left_of_a_voided_motion_is_not_taken_for_the_next_round(premises: Premises) -> None:
    """The tumbler is slow: its old dice come to rest, and are read, when the next round waits for its own."""

    async def deal(here: Evening) -> None:
        await opened(here, RWS)
        await to_motion(here, RWS)
        await until(lambda: here.workers.devices[RWS].seen.begun, LONG)
        await here.two(RWS, m.Report("Sam", now(here), "damaged-dice"), "Pat")
        assert 1 in here.live(RWS).table.past
        own: list[bool] = []

        def ended(stream: str, entries: Sequence[AnyEntry]) -> None:
            if any(isinstance(event, m.MotionEnded) for entry in entries for event in entry.events):
                own.append(here.workers.devices[RWS].seen.begun)

        here.floor.subscribe(RWS, ended)
        await to_motion(here, RWS)
        await until(lambda: here.live(RWS).table.sensed, LONG)
        assert own == [True]

    slow = by_people(RWS)[0]
    device = slow.device.model_copy(update={"speed": 20})
    play(premises, [slow.model_copy(update={"device": device})], deal)


def test_two_sources_are_compared_and_the_dealer_does_not_see_the_other_before(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        live = here.live(RWS)
        faces: list[tuple[str, ...]] = []
        live.picture_watchers.append(lambda live: faces.append(live.picture.faces if live.picture else ()))
        await opened(here, RWS)
        await to_motion(here, RWS)
        await until(lambda: live.table.sensed, LONG)
        assert facts(here, RWS) == ()
        assert not any(faces)
        sensed = live.table.sensed
        other = "111" if sensed != "1-1-1" else "222"
        for face in other:
            await here.give(RWS, m.PressKey("Dana", now(here), face))
        await here.give(RWS, m.PressEntry("Dana", now(here)))
        answer = await here.floor.give(live.recorder, m.ConfirmResult("Dana", now(here)))
        assert answer is not None
        assert answer.entry.refused is not None
        assert answer.entry.refused.reason == "sources"
        await here.give(RWS, m.DecideResult("Sam", now(here), str(sensed), "the dice show it"))
        await here.give(RWS, m.ConfirmResult("Dana", now(here)))
        assert here.past(RWS, 1).outcome == sensed

    play(premises, by_people(RWS, two_sources=True), deal)


def test_the_reports_of_a_device_in_an_interruption_stand_until_it_is_over(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        live = here.live(RWS)
        await opened(here, RWS)
        await to_motion(here, RWS)
        await until(lambda: here.workers.devices[RWS].seen.begun, LONG)
        await here.give(RWS, m.Interrupt("Dana", now(here), "console"))
        await until(lambda: live.table.sensed, LONG)
        assert facts(here, RWS) == ()
        await here.give(RWS, m.Restore("Dana", now(here)))
        (fact,) = facts(here, RWS)
        assert fact.case == "reads"
        await here.two(RWS, fact.commands[0], "Pat")
        await here.give(RWS, m.ConfirmResult("Dana", now(here)))
        assert here.past(RWS, 1).outcome is not None

    slow = by_people(RWS)[0]
    device = slow.device.model_copy(update={"speed": 50})
    play(premises, [slow.model_copy(update={"device": device})], deal)


def test_no_face_is_drawn_before_bets_are_closed(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        drawn: list[tuple[str, str]] = []

        def draw(live: LiveTable) -> None:
            if live.picture and live.picture.faces:
                drawn.append((live.name, live.table.phase))

        for live in here.floor.tables.values():
            live.picture_watchers.append(draw)
        await here.workers.start()
        here.device(NZ).fail_next("cover-opened")
        await until(lambda: all(live.table.next_round > 4 for live in here.floor.tables.values()), LONG)
        assert {name for name, _ in drawn} == set(here.floor.tables)
        assert {phase for _, phase in drawn} <= {"moving", "rest", "entering", "entered", "settling"}
        assert ("taisai-nz", "moving") not in drawn
        assert ("sicbo-mbs", "moving") not in drawn

    play(premises, quick(), deal)


def test_a_device_that_falls_silent_is_missed(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await opened(here, RWS)
        await to_motion(here, RWS)
        await until(lambda: "device-slow" in here.alerts(RWS), LONG)

    slow = by_people(RWS)[0]
    device = slow.device.model_copy(update={"speed": 0.01, "patience": 0.2})
    play(premises, [slow.model_copy(update={"device": device})], deal)


def test_a_wheel_that_turns_the_same_way_twice_is_noticed(premises: Premises) -> None:
    async def deal(here: Evening) -> None:
        await here.workers.start()
        await until(lambda: here.live(WHEEL).table.next_round > 2, LONG)
        assert here.alerts(WHEEL) == []
        here.device(WHEEL).fail_next("direction-kept")
        await until(lambda: "wheel-direction" in here.alerts(WHEEL), LONG)

    play(premises, [table for table in quick() if table.name == WHEEL], deal)


def test_the_keys_of_an_entry_terminal_are_commands_in_its_name(premises: Premises) -> None:
    end = WheelEnd()
    staff = by_people(NZ)[0].staff | {"keys": ("dealer",)}
    entry = KeypadConfig(kind="keypad", path=end.path, name="keys")

    async def deal(here: Evening) -> None:
        live = here.live(NZ)
        await opened(here, NZ)
        await to_motion(here, NZ)
        await until(lambda: live.table.motion.count == 3, LONG)
        await here.give(NZ, m.OpenBetting("Dana", now(here)), m.CallNoMoreBets("Dana", now(here)))
        await here.give(NZ, m.Uncover("Dana", now(here)))
        await until(lambda: live.table.sensed, LONG)
        for number, face in enumerate(str(live.table.sensed).split("-"), 1):
            await asyncio.sleep(0.05)  # the same key twice is a bounce unless a finger's time lies between
            end.write_raw(face.encode())
            await until(lambda number=number: len(live.table.entry) == number, LONG)  # type: ignore[misc]
        end.write_raw(b"\r")
        await phase(here, NZ, "entered")
        end.unplug()
        await until(lambda: "device-offline" in here.alerts(NZ), LONG)

    play(premises, by_people(NZ, staff=staff, entry=entry), deal)
    end.unplug()


def test_every_wait_of_the_automatic_dealer_is_a_case_of_its_alert() -> None:
    written = set(re.findall(r'\b(?:Wait|HandOver)\(\s*"([a-z-]+)"', inspect.getsource(dealer_module)))
    assert written == ALERTS["dealing"].keys()
