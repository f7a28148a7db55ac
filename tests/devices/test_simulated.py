"""Simulated tumbler, wheel and entry terminal: play, every fault on demand, nothing drawn before it may be seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from croupier.devices.keypad import BOUNCE
from croupier.devices.port import Act, AnyFact, FacePressed, Fault, Launched, Monotonic, Progress, Rested, Slowed
from croupier.devices.simulated import SimulatedDevice
from croupier.devices.tumbler import SimulatedTumbler
from croupier.devices.wheel import SimulatedWheel
from croupier.rules.outcomes import Dice
from croupier.rules.refusal import Refused
from tests.devices.simulated_entry import SimulatedEntry

from .stage import Bytes, FakeTime, Reported, quiet, running

NUMBERS = ("S", "0", "00", *map(str, range(1, 37)))


def tumbler(covered: bool, seed: int = 1, one_in: int = 0) -> SimulatedTumbler:
    return SimulatedTumbler("t1", covered=covered, time=FakeTime(), source=Bytes(seed), one_in=one_in)


def wheel(seed: int = 1, one_in: int = 0) -> SimulatedWheel:
    return SimulatedWheel("w1", NUMBERS, time=FakeTime(), source=Bytes(seed), one_in=one_in)


def entry() -> SimulatedEntry:
    return SimulatedEntry("e1", time=FakeTime(), source=Bytes(1))


def played(device: SimulatedDevice, *acts: Act) -> Reported:
    """The facts of a device asked for these acts, each when the one before is over."""

    async def play() -> Reported:
        async with running(device) as reported:
            for act in acts:
                await device.act(act)
                await quiet()
            return reported

    return asyncio.run(play())


def refusal(device: SimulatedDevice, *acts: Act) -> str:
    with pytest.raises(Refused) as refused:
        played(device, *acts)
    return refused.value.reason


# ---- play


def test_an_open_tumbler_tumbles_three_times_and_shows_its_dice() -> None:
    reported = played(tumbler(covered=False), "tumble")
    assert reported.words == ["Online", "Moving", "Rested", "Shown"]
    stages = [(fact.stage, fact.number) for fact in reported.facts if isinstance(fact, Progress)]
    assert stages == [("tumble", 1), ("tumble", 2), ("tumble", 3), ("face", 1), ("face", 2), ("face", 3)]
    assert [fact.count for fact in reported.facts if isinstance(fact, Rested)] == [3]
    assert reported.shown[0] in Dice.make().outcomes


def test_faces_land_one_by_one_and_only_after_the_dice_rest() -> None:
    reported = played(tumbler(covered=False), "tumble")
    landed = [fact for fact in reported.facts if isinstance(fact, Progress) and fact.stage == "face"]
    assert [len(fact.faces) for fact in landed] == [1, 2, 3]
    assert landed[0].at < landed[1].at < landed[2].at
    rested = next(fact for fact in reported.facts if isinstance(fact, Rested))
    assert reported.facts.index(rested) < reported.facts.index(landed[0])
    assert "-".join(sorted(landed[-1].faces)) == reported.shown[0]


def test_the_throw_of_a_covered_game_does_not_exist_before_the_cover_is_lifted() -> None:
    source = Bytes(1)
    device = SimulatedTumbler("t1", covered=True, time=FakeTime(), source=source)

    async def play() -> None:
        async with running(device) as reported:
            await device.act("tumble")
            await quiet()
            assert reported.words == ["Online", "Moving", "Rested"]
            assert source.taken == 0
            assert not any(fact.faces for fact in reported.facts if isinstance(fact, Progress))
            assert device._lying is None
            await device.act("uncover")
            await quiet()
            assert source.taken >= 3
            assert reported.words[3:] == ["CoverLifted", "Shown"]

    asyncio.run(play())


def bytes_taken(device: SimulatedDevice, source: Bytes, act: Act) -> dict[str, int]:
    """How many random bytes had been read when each kind of fact was first reported."""
    taken: dict[str, int] = {}

    def on_fact(fact: AnyFact) -> None:
        taken.setdefault(type(fact).__name__, source.taken)

    async def play() -> None:
        task = asyncio.create_task(device.run(on_fact))
        await asyncio.sleep(0)
        await device.act(act)
        await quiet()
        task.cancel()

    asyncio.run(play())
    return taken


def test_the_throw_of_an_open_game_does_not_exist_before_the_dice_rest() -> None:
    source = Bytes(1)
    device = SimulatedTumbler("t1", covered=False, time=FakeTime(), source=source)
    taken = bytes_taken(device, source, "tumble")
    assert taken["Moving"] == taken["Rested"] == 0
    assert taken["Shown"] >= 3


def test_dice_that_were_not_tumbled_again_show_what_they_showed() -> None:
    reported = played(tumbler(covered=True), "tumble", "uncover", "cover", "uncover")
    assert len(reported.shown) == 2
    assert len(set(reported.shown)) == 1
    one_round: tuple[Act, ...] = ("tumble", "uncover", "cover")
    many = played(tumbler(covered=True), *one_round * 8)
    assert len(set(many.shown)) > 1


def test_a_ball_runs_slows_falls_and_only_then_has_a_number() -> None:
    source = Bytes(1)
    device = SimulatedWheel("w1", NUMBERS, time=FakeTime(), source=source)
    taken = bytes_taken(device, source, "launch")
    assert list(taken) == ["Online", "Progress", "Launched", "Slowed", "Rested", "Shown"]
    assert taken["Rested"] == 0
    assert taken["Shown"] >= 1


def test_a_spin_lasts_as_a_real_one_and_slows_evenly() -> None:
    for spins in range(1, 6):
        acts: list[Act] = ["launch"] * spins
        reported = played(wheel(), *acts)
        launched = [fact.at for fact in reported.facts if isinstance(fact, Launched)][-1]
        slowed = [fact.at for fact in reported.facts if isinstance(fact, Slowed)][-1]
        rested = [fact for fact in reported.facts if isinstance(fact, Rested)][-1]
        turns = [f for f in reported.facts if isinstance(f, Progress) and f.stage == "revolution"][-rested.count :]
        assert 10_000 < rested.at - launched < 30_000
        assert rested.at - slowed > 3_000
        assert 15 <= rested.count <= 35
        assert [turn.number for turn in turns] == list(range(1, rested.count + 1))
        rates = [turn.rate for turn in turns]
        assert rates == sorted(rates, reverse=True)
        assert reported.shown[-1] in NUMBERS


def test_keys_are_reported_and_the_light_shows_the_last_three() -> None:
    device, time = entry(), FakeTime()
    device._time = time
    lights: list[tuple[str, ...]] = []

    async def play() -> Reported:
        async with running(device) as reported:
            for key in "63314":
                device.press(key)
                time.milliseconds += 300
            lights.append(device.light)
            device.press_entry()
            lights.append(device.light)
            return reported

    reported = asyncio.run(play())
    assert [fact.face for fact in reported.facts if isinstance(fact, FacePressed)] == list("63314")
    assert lights == [("3", "1", "4"), ()]
    assert reported.words[-1] == "EntryPressed"


def test_a_key_that_bounces_is_one_press() -> None:
    device, time = entry(), FakeTime()
    device._time = time

    async def play() -> Reported:
        async with running(device) as reported:
            device.press("3")
            time.milliseconds += BOUNCE - 1
            device.press("3")
            time.milliseconds += BOUNCE
            device.press("3")
            return reported

    assert asyncio.run(play()).words == ["Online", "FacePressed", "duplicate", "FacePressed"]


# ---- refusals


def test_acts_that_a_device_does_not_have_are_refused() -> None:
    assert refusal(wheel(), "tumble") == "act"
    assert refusal(tumbler(covered=False), "uncover") == "act"
    assert refusal(entry(), "launch") == "act"


def test_acts_that_cannot_begin_now_are_refused() -> None:
    assert refusal(tumbler(covered=True), "tumble", "uncover", "tumble") == "cover"
    assert refusal(tumbler(covered=True), "cover") == "cover"
    assert refusal(tumbler(covered=True), "uncover", "uncover") == "cover"
    assert refusal(wheel(), "power-off", "launch") == "offline"


def test_a_second_act_waits_for_the_first() -> None:
    async def play() -> None:
        device = wheel()
        async with running(device):
            await device.act("launch")
            with pytest.raises(Refused, match="busy in-motion"):
                await device.act("launch")
            await quiet()
            await device.act("launch")

    asyncio.run(play())


def test_a_device_that_does_not_run_takes_no_act_and_no_key() -> None:
    with pytest.raises(Refused, match="offline not-running"):
        asyncio.run(wheel().act("launch"))
    with pytest.raises(Refused, match="offline not-running"):
        entry().press("1")
    with pytest.raises(Refused, match="entry no-key key=7"):
        entry().press("7")


def test_a_fault_that_a_device_cannot_have_is_refused() -> None:
    with pytest.raises(Refused, match=r"fault unable .* fault=no-number able=.*'no-shake'"):
        tumbler(covered=False).fail_next("no-number")
    with pytest.raises(Refused, match="fault no-cover"):
        tumbler(covered=False).fail_next("cover-opened")


# ---- faults

TOLD: dict[Fault, list[str]] = {
    "no-shake": ["no-shake"],
    "short-tumble": ["Moving", "short-tumble", "Rested", "Shown"],
    "motor-fault": ["Moving", "motor-fault", "Rested", "Shown"],
    "power-cut": ["Moving", "power-cut", "Offline", "Online", "short-tumble"],
    "reshake": ["Moving", "Rested", "reshake", "Moving", "Rested", "Shown"],
    "die-leaning": ["Moving", "Rested", "die-leaning"],
    "die-lost": ["Moving", "Rested", "die-lost"],
    "unreadable-die": ["Moving", "Rested", "unreadable-die"],
    "stuck-sensor": ["Moving", "Rested", "stuck-sensor"],
    "late": ["Moving", "Rested", "late"],
    "duplicate": ["Moving", "Rested", "Shown", "duplicate"],
    "contradiction": ["Moving", "Rested", "Shown", "contradiction"],
}


@pytest.mark.parametrize("fault", [f for f in SimulatedTumbler.faults if f != "cover-opened"])
def test_every_fault_of_an_open_tumbler_on_demand(fault: Fault) -> None:
    device = tumbler(covered=False)
    device.fail_next(fault)
    assert played(device, "tumble").words == ["Online", *TOLD[fault]]


@pytest.mark.parametrize("fault", SimulatedTumbler.faults)
def test_every_fault_of_a_covered_tumbler_on_demand_and_never_two_results(fault: Fault) -> None:
    device = tumbler(covered=True)
    device.fail_next(fault)
    acts: tuple[Act, ...] = ("tumble",) if fault in ("cover-opened", "power-cut") else ("tumble", "uncover")
    reported = played(device, *acts)
    assert reported.warnings == [fault, *(["short-tumble"] if fault == "power-cut" else [])]
    assert len(reported.shown) <= 1


@pytest.mark.parametrize("fault", ["short-tumble", "motor-fault"])
def test_a_tumble_that_stops_early_is_counted_as_it_was(fault: Fault) -> None:
    device = tumbler(covered=False)
    device.fail_next(fault)
    counts = [fact.count for fact in played(device, "tumble").facts if isinstance(fact, Rested)]
    assert len(counts) == 1
    assert counts[0] < 3


def test_a_cover_that_opens_by_itself_exposes_the_dice() -> None:
    device = tumbler(covered=True)
    device.fail_next("cover-opened")
    assert played(device, "tumble").words[3:] == ["cover-opened", "CoverLifted", "Shown"]


SPUN: dict[Fault, list[str]] = {
    "no-ball": ["no-ball"],
    "motor-fault": ["motor-fault"],
    "failed-launch": ["failed-launch"],
    "wheel-not-rotating": ["Launched", "wheel-not-rotating", "Slowed", "Rested", "Shown"],
    "wrong-direction": ["Launched", "wrong-direction", "Slowed", "Rested", "Shown"],
    "short-spin": ["Launched", "short-spin", "Rested"],
    "ball-removed": ["Launched", "ball-removed"],
    "wheel-stopped": ["Launched", "wheel-stopped", "Rested"],
    "power-cut": ["Launched", "power-cut", "Offline", "Online", "wheel-stopped"],
    "direction-kept": ["Launched", "Slowed", "Rested", "Shown"],
    "no-number": ["Launched", "Slowed", "Rested", "no-number"],
    "stuck-sensor": ["Launched", "Slowed", "Rested", "stuck-sensor"],
    "late": ["Launched", "Slowed", "Rested", "late"],
    "duplicate": ["Launched", "Slowed", "Rested", "Shown", "duplicate"],
    "contradiction": ["Launched", "Slowed", "Rested", "Shown", "contradiction"],
}


@pytest.mark.parametrize("fault", SimulatedWheel.faults)
def test_every_fault_of_a_wheel_on_demand(fault: Fault) -> None:
    device = wheel()
    device.fail_next(fault)
    reported = played(device, "launch")
    assert reported.words == ["Online", *SPUN[fault]]
    assert [fact.with_wheel for fact in reported.facts if isinstance(fact, Launched)] == (
        [fault == "wrong-direction"] if "Launched" in SPUN[fault] else []
    )
    if fault == "short-spin":
        assert [fact.count for fact in reported.facts if isinstance(fact, Rested)] == [3]


@pytest.mark.parametrize("fault", SimulatedEntry.faults)
def test_every_fault_of_the_entry_terminal_on_demand(fault: Fault) -> None:
    device = entry()
    device.fail_next(fault)

    async def play() -> Reported:
        async with running(device) as reported:
            device.press("5")
            return reported

    assert asyncio.run(play()).words[:3] == ["Online", "FacePressed", fault]
    assert device.light == (() if fault == "power-cut" else ("5",))


@pytest.mark.parametrize("device", [tumbler(covered=False), wheel()], ids=["tumbler", "wheel"])
def test_the_motion_after_a_fault_is_a_good_one(device: SimulatedDevice) -> None:
    act: Act = "launch" if isinstance(device, SimulatedWheel) else "tumble"
    device.fail_next("duplicate")
    reported = played(device, act, act)
    assert reported.warnings == ["duplicate"]
    assert len(reported.shown) == 2


def test_power_comes_back_and_the_motion_it_cut_reports_nothing_more() -> None:
    device = wheel()
    device.fail_next("power-cut")
    reported = played(device, "launch", "launch")
    assert reported.words == [
        "Online",
        "Launched",
        "power-cut",
        "Offline",
        "Online",
        "wheel-stopped",
        "Launched",
        "Slowed",
        "Rested",
        "Shown",
    ]


def test_a_device_switched_off_and_on_in_motion_reports_nothing_of_that_motion() -> None:
    async def play() -> Reported:
        device = tumbler(covered=False)
        async with running(device) as reported:
            await device.act("tumble")
            await quiet(3)
            await device.act("power-off")
            await device.act("power-on")
            await quiet()
            return reported

    assert asyncio.run(play()).words == ["Online", "Moving", "Offline", "Online"]


@pytest.mark.parametrize("make", [lambda: tumbler(False, 5, 20), lambda: wheel(5, 20)], ids=["tumbler", "wheel"])
def test_faults_come_at_the_set_rate(make: Callable[[], SimulatedDevice]) -> None:
    """One stage in twenty, two or three stages a motion: of 300 motions 15 to 60 go wrong. The seed is fixed."""
    device = make()
    act: Act = "launch" if isinstance(device, SimulatedWheel) else "tumble"

    async def play() -> Reported:
        async with running(device) as reported:
            for _ in range(300):
                await device.act(act)
                await quiet(80)
            return reported

    reported = asyncio.run(play())
    assert 15 <= len(reported.warnings) <= 60
    assert len(set(reported.warnings)) >= 5


def test_a_rate_that_is_none_is_refused() -> None:
    for one_in in (-1, 257):
        with pytest.raises(Refused, match=f"fault rate .* one_in={one_in} most=256"):
            wheel(one_in=one_in)


def test_a_wheel_turns_the_other_way_for_every_spin_unless_it_fails_to() -> None:
    device = wheel()
    reported = played(device, "launch", "launch")
    device.fail_next("direction-kept")
    reported.facts += played(device, "launch", "launch").facts
    assert [fact.direction for fact in reported.facts if isinstance(fact, Launched)] == [1, 0, 0, 1]


def test_a_wheel_whose_power_failed_while_a_ball_ran_reports_it_when_it_runs_again() -> None:
    device = SimulatedWheel("w1", NUMBERS, time=FakeTime(), cut_off=True)
    assert played(device, "launch").words[:3] == ["wheel-stopped", "Online", "Launched"]


def test_two_devices_that_disagree_report_two_facts() -> None:
    first, second = played(wheel(seed=1), "launch"), played(wheel(seed=2), "launch")
    assert first.shown != second.shown
    assert first.warnings == second.warnings == []


def test_the_system_source_and_the_real_clock_at_a_thousand_times_the_pace() -> None:
    async def play() -> None:
        fast = Monotonic(1000.0)
        for device, act in (
            (SimulatedTumbler("t1", covered=False, time=fast), "tumble"),
            (SimulatedWheel("w1", NUMBERS, time=fast), "launch"),
        ):
            async with running(device) as reported:
                await device.act(cast(Act, act))
                await reported.until(lambda reported: bool(reported.shown))

    asyncio.run(play())
