"""The shaker and its camera: cycles are counted, one result a reading, and nothing is read under a cover."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from croupier.devices.port import Act, Rested, Shown
from croupier.devices.shaker import MqttShaker, Patience, Shake, ShakerMessages, Topics
from croupier.rules.refusal import Refused
from tests.support.broker import Broker, Machine, broker, result

from .stage import Reported, running

TOPICS = Topics("shaker/command", "shaker/state", "camera/command", "camera/result")


class Bench:
    """The messages without a network: the facts that were reported, and what was sent."""

    def __init__(self, cycles: int = 0, covered: bool = False) -> None:
        self.reported = Reported()
        self.cycles = 0
        self.asked: list[str] = []
        self.at = 0
        self.talk = ShakerMessages(
            "t1",
            self.reported,
            shake=Shake(cycles=cycles),
            covered=covered,
            cycle=self._cycle,
            detect=self.asked.append,
            patience=Patience(),
        )

    def _cycle(self) -> None:
        self.cycles += 1

    def says(self, *states: str) -> None:
        for state in states:
            self.at += 100
            self.talk.state(state.encode(), self.at)

    def camera(self, *faces: int, err: int = 0, round_id: str = "") -> None:
        self.at += 100
        self.talk.camera(result(round_id or self.asked[-1], faces, err), self.at)

    def later(self, milliseconds: int) -> None:
        self.at += milliseconds
        self.talk.tick(self.at)

    @property
    def counts(self) -> list[int]:
        return [fact.count for fact in self.reported.facts if isinstance(fact, Rested)]


def at_rest(cycles: int = 0, covered: bool = False) -> Bench:
    bench = Bench(cycles, covered)
    bench.talk.begin(0)
    for _ in range(max(cycles, 1)):
        bench.says("S2", "S1", "S0")
    return bench


def test_the_command_is_written_as_the_format_has_it() -> None:
    assert Shake(2, 70, 4).command() == b"/cycle/?pattern=2&amplitude=70&duration=4"


def test_one_shake_is_reported_but_not_counted() -> None:
    bench = at_rest()
    bench.camera(5, 2, 3)
    assert bench.reported.words == ["Moving", "Rested", "Shown"]
    assert bench.counts == [0]
    assert bench.reported.shown == ["2-3-5"]
    assert bench.cycles == 1


def test_three_cycles_are_three_tumbles_in_one_motion() -> None:
    bench = at_rest(cycles=3)
    assert bench.reported.words == ["Moving", "Rested"]
    assert bench.counts == [3]
    assert bench.cycles == 3


def test_repeated_states_are_reported_once() -> None:
    bench = Bench(cycles=3)
    bench.talk.begin(0)
    for _ in range(3):
        bench.says("S2", "S2", "S2", "S1", "S1", "S0", "S0", "S0")
    bench.camera(1, 1, 6)
    bench.says("S0", "S0")
    assert bench.reported.words == ["Moving", "Rested", "Shown"]
    assert bench.counts == [3]


def test_a_repeated_word_of_an_earlier_cycle_never_makes_a_tumble() -> None:
    bench = Bench(cycles=3)
    bench.talk.begin(0)
    bench.says("S2", "S1", "S0", "S1", "S0", "S2", "S1", "S0", "S2", "S1", "S0")
    assert bench.reported.warnings == ["out-of-order"]
    assert bench.counts == [3]
    assert bench.cycles == 3


def test_no_shake_when_nothing_begins() -> None:
    bench = Bench()
    bench.talk.begin(0)
    bench.says("S0", "S2")
    bench.later(2000)
    assert bench.reported.words == []
    bench.later(2000)
    assert bench.reported.words == ["no-shake"]
    assert bench.talk.phase == "idle"


def test_a_shake_that_never_ends_is_a_stuck_sensor() -> None:
    bench = Bench()
    bench.talk.begin(0)
    bench.says("S2", "S1")
    bench.later(20_000)
    assert bench.reported.words == ["Moving", "stuck-sensor"]


def test_a_fault_ends_the_shake_without_a_rest() -> None:
    bench = Bench()
    bench.talk.begin(0)
    bench.says("S2", "S1", "S90", "S90", "S0")
    assert bench.reported.words == ["Moving", "motor-fault"]
    assert bench.asked == []


def test_a_shake_without_a_command_makes_the_reading_worthless() -> None:
    bench = at_rest(cycles=3)
    bench.says("S1")
    bench.camera(1, 2, 3)
    bench.says("S0")
    assert bench.reported.words == ["Moving", "Rested", "reshake", "Moving", "late", "Rested"]
    assert bench.counts == [3, 0]
    bench.camera(4, 4, 6)
    assert bench.reported.shown == ["4-4-6"]


@pytest.mark.parametrize(
    ("faces", "err", "fault"),
    [
        ((2, 3, 5), 1, "unreadable-die"),
        ((2, 3, 7), 0, "unreadable-die"),
        ((0, 3, 5), 0, "unreadable-die"),
        ((1, 2, 3, 4), 0, "unreadable-die"),
        ((2, 3), 0, "die-lost"),
        ((), 0, "die-lost"),
    ],
)
def test_what_the_camera_cannot_read_is_no_result(faces: tuple[int, ...], err: int, fault: str) -> None:
    bench = at_rest()
    bench.camera(*faces, err=err)
    assert bench.reported.words[2:] == [fault]
    assert bench.reported.shown == []


def test_a_camera_that_does_not_answer_is_reported_and_its_late_answer_is_no_result() -> None:
    bench = at_rest()
    bench.later(6000)
    bench.camera(1, 2, 3)
    assert bench.reported.words[2:] == ["unreadable-die", "late"]


@pytest.mark.parametrize(("again", "fault"), [((3, 2, 5), "duplicate"), ((3, 2, 6), "contradiction")])
def test_a_second_answer_is_a_warning_never_a_second_result(again: tuple[int, ...], fault: str) -> None:
    bench = at_rest()
    bench.camera(2, 3, 5)
    bench.camera(*again)
    assert bench.reported.words[2:] == ["Shown", fault]


def test_an_answer_to_another_round_is_late() -> None:
    bench = at_rest()
    bench.camera(2, 3, 5, round_id="t1-0-0")
    assert bench.reported.words[2:] == ["late"]


def test_under_a_cover_the_camera_is_not_asked_and_its_word_is_not_passed_on() -> None:
    bench = at_rest(covered=True)
    assert bench.asked == []
    bench.camera(2, 3, 5, round_id="t1-1-1")
    assert bench.reported.words == ["Moving", "Rested", "unasked"]
    bench.talk.read_dice(bench.at)
    bench.camera(2, 3, 5)
    assert bench.reported.shown == ["2-3-5"]


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"\xff", b"[]", b'{"response":"result"}', b'{"response":"result","arg":3}']
)
def test_garble_is_a_warning(payload: bytes) -> None:
    bench = at_rest()
    bench.talk.camera(payload, 1)
    bench.talk.state(payload or b"S3", 1)
    assert bench.reported.words[2:] == ["garbled", "garbled"]


def test_ten_thousand_random_messages_give_a_reading_one_result_at_most() -> None:
    chance = random.Random(5)
    bench = Bench(cycles=3)
    for _ in range(10_000):
        match chance.randrange(6):
            case 0 if bench.talk.phase == "idle":
                bench.talk.begin(bench.at)
            case 1 if bench.asked:
                faces = tuple(chance.randrange(0, 8) for _ in range(3)) if chance.random() < 0.3 else (1, 2, 3)
                bench.camera(*faces, round_id=chance.choice(bench.asked[-3:]))
            case 2:
                bench.talk.camera(chance.randbytes(20), bench.at)
            case 3:
                bench.later(chance.randrange(1500))
            case _:
                bench.says(chance.choice(("S2", "S1", "S0", "S0", "S90", "S7")))
    shown = sum(isinstance(fact, Shown) for fact in bench.reported.facts)
    assert 50 < shown <= len(bench.asked)
    assert set(bench.counts) <= {0, 3}


# ---- over a broker


@asynccontextmanager
async def at_broker(
    cycles: int = 3, covered: bool = False, wait: int = 60_000
) -> AsyncIterator[tuple[Broker, MqttShaker, Reported]]:
    async with broker() as hub:
        patience = Patience(begin=wait, end=wait, camera=wait)
        device = MqttShaker(
            "t1", "127.0.0.1", hub.port, TOPICS, covered=covered, shake=Shake(cycles=cycles), patience=patience
        )
        async with running(device) as reported:
            await reported.until(lambda reported: "Online" in reported.words)
            await asyncio.wait_for(hub.subscribed.wait(), 60)
            yield hub, device, reported


def test_a_round_over_the_broker() -> None:
    async def play() -> None:
        async with at_broker() as (hub, device, reported):
            machine = Machine(hub)
            await device.act("tumble")
            with pytest.raises(Refused, match="busy in-motion"):
                await device.act("tumble")
            await reported.until(lambda reported: bool(reported.shown))
            assert reported.words == ["Online", "Moving", "Rested", "Shown"]
            assert machine.orders == [b"/cycle/?pattern=0&amplitude=50&duration=3"] * 3
            assert len(machine.asked) == 1

    asyncio.run(play())


def test_a_covered_round_over_the_broker_is_read_when_uncovered() -> None:
    async def play() -> None:
        async with at_broker(covered=True) as (hub, device, reported):
            machine = Machine(hub)
            await device.act("tumble")
            await reported.until(lambda reported: "Rested" in reported.words)
            await asyncio.sleep(0.05)
            assert machine.asked == []
            await device.act("uncover")
            await reported.until(lambda reported: bool(reported.shown))
            assert reported.words == ["Online", "Moving", "Rested", "CoverLifted", "Shown"]

    asyncio.run(play())


def test_a_shaker_that_does_not_answer_is_reported() -> None:
    async def play() -> None:
        async with at_broker(wait=200) as (hub, device, reported):
            Machine(hub).answers = False
            await device.act("tumble")
            await reported.until(lambda reported: "no-shake" in reported.words)

    asyncio.run(play())


def test_a_lost_broker_is_offline_and_found_again_and_no_old_order_is_sent() -> None:
    async def play() -> None:
        async with at_broker() as (hub, device, reported):
            machine = Machine(hub)
            hub.cut()
            await reported.until(lambda reported: "Offline" in reported.words)
            with pytest.raises(Refused, match="offline device"):
                await device.act("tumble")
            await reported.until(lambda reported: reported.words.count("Online") == 2)
            await asyncio.wait_for(hub.subscribed.wait(), 60)
            assert machine.orders == []
            await device.act("tumble")
            await reported.until(lambda reported: bool(reported.shown))
            assert reported.words == ["Online", "Offline", "Online", "Moving", "Rested", "Shown"]

    asyncio.run(play())


def test_acts_that_a_shaker_lacks_are_refused() -> None:
    device = MqttShaker("t1", "127.0.0.1", 1, TOPICS, covered=False)
    acts: tuple[Act, ...] = ("launch", "uncover", "cover", "power-on")
    for act in acts:
        with pytest.raises(Refused, match=r"act unable device=t1 act=\S+ able=\('tumble',\)"):
            asyncio.run(device.act(act))
    with pytest.raises(Refused, match="offline device"):
        asyncio.run(device.act("tumble"))


def test_a_missing_broker_is_offline() -> None:
    async def play() -> None:
        async with running(MqttShaker("t1", "127.0.0.1", 1, TOPICS, covered=False)) as reported:
            await reported.until(lambda reported: bool(reported.facts))
            assert reported.words == ["Offline"]

    asyncio.run(play())
