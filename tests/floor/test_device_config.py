"""The capabilities of a device are declared by the device, and by its settings before it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import load_rulebook
from croupier.devices.port import Act, Capability
from croupier.floor.device_config import Cammegh, NoDevice, Shaker, ShakerTopics, SimulatedConfig, Wishes
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table.messages import Limits
from croupier.table.state import Setup, Table, new_table

FLOOR = Path(__file__).parents[2] / "src" / "croupier" / "floor"
TOPICS = ShakerTopics(command="c", state="s", detect="d", result="r")
OPEN, COVERED, WHEEL = "rws-taisai-v5", "nz-taisai-division9", "mbs-sands-roulette-v2"
WHEEL_TELLS: set[Capability] = {"reads", "rotor-speed", "direction"}

KINDS = [
    (SimulatedConfig(kind="simulated"), OPEN, {"tumble", "counts", "reads"}),
    (SimulatedConfig(kind="simulated"), COVERED, {"tumble", "counts", "reads", "cover"}),
    (SimulatedConfig(kind="simulated"), WHEEL, {"launch", "counts", *WHEEL_TELLS}),
    (Cammegh(kind="cammegh", path="/dev/none"), WHEEL, WHEEL_TELLS),
    (Cammegh(kind="cammegh", path="/dev/none", launches=True), WHEEL, {"launch", *WHEEL_TELLS}),
    (Shaker(kind="shaker", host="h", topics=TOPICS), OPEN, {"tumble", "reads"}),
    (Shaker(kind="shaker", host="h", topics=TOPICS, cycles=3), COVERED, {"tumble", "reads", "counts"}),
]
ACTS: tuple[Act, ...] = ("tumble", "launch", "cover")

Kind = SimulatedConfig | Cammegh | Shaker


def table_of(id: str) -> Table:
    book = load_rulebook(id)
    return new_table(Setup("T1", book, (book.layouts[0].id,), Limits({}, {}, Cents(100))))


@pytest.mark.parametrize(("config", "book", "able"), KINDS)
def test_a_device_can_do_what_its_settings_say(config: Kind, book: str, able: set[Capability]) -> None:
    device = config.make("Dev", table_of(book))
    assert device is not None
    assert device.capabilities == config.able(load_rulebook(book)) == able
    for act in device.capabilities & set(ACTS):
        with pytest.raises(Refused) as no:
            device.check(act)  # type: ignore[arg-type]
        assert no.value.reason == "offline", "it is able, and only not there yet"


def test_a_table_without_a_device_has_none_and_wants_nothing_of_it() -> None:
    assert NoDevice().make("", table_of(OPEN)) is None
    assert NoDevice().able(load_rulebook(OPEN)) == frozenset()
    assert NoDevice().wishes == Wishes()


def test_what_the_house_wants_of_a_device_is_asked_of_any() -> None:
    cammegh = Cammegh(kind="cammegh", path="/dev/none", rotor=(10, 20), alternates=True, patience=5)
    assert cammegh.wishes == Wishes(5, alternates=True, rotor=(10, 20))
    assert SimulatedConfig(kind="simulated", alternates=True).wishes == Wishes(60, alternates=True)


def test_no_make_is_named_where_a_table_works_its_device() -> None:
    for module in ("table_device", "dealer", "observation", "workers", "motion_picture", "presence"):
        text = (FLOOR / f"{module}.py").read_text()
        assert not [make for make in ("Cammegh", "Shaker", "SimulatedConfig") if make in text], module
