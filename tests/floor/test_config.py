"""The House's files: read whole, with every fault of every file at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.floor.config import read_table, read_tables
from croupier.rules.bad_input import BadInput
from croupier.words import refusal

TABLES = Path(__file__).parents[2] / "tables"
GOOD = (TABLES / "sicbo-rws.toml").read_text()


def test_the_tables_that_come_with_croupier_are_one_for_each_book() -> None:
    tables = read_tables(TABLES)
    assert len({table.rulebook for table in tables}) == len(tables) == 5
    assert all(table.made().layouts for table in tables)


def test_a_wheel_is_drawn_with_its_pockets_as_the_house_writes_them_down() -> None:
    text = (TABLES / "roulette-mbs.toml").read_text()
    numbers = ["S", "0", "00", *map(str, range(36, 0, -1))]
    table = read_table(f"wheel = {numbers}\n{text}".encode(), "roulette.toml")
    assert table.wheel == tuple(numbers)
    with pytest.raises(BadInput, match="wheel: name every pocket of mbs-sands-roulette-v2 once; it has S, 0, 00, 1"):
        read_table(f"wheel = {numbers[1:]}\n{text}".encode(), "roulette.toml")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('unit = "1.00"', "unit = 1.0", 'limits.unit: write an amount as text, like "10.00"'),
        ('unit = "1.00"', 'unit = "1.001"', "limits.unit: “1.001” is not an amount"),
        ('unit = "1.00"', 'unit = "0.01"', "limits: the chip unit 0.01 cannot be paid in whole cents"),
        ('"*" = "5.00"', '"*" = "5000.00"', "limits:"),
        ('rulebook = "rws-sicbo-etg-v2"', 'rulebook = "rws-sicbo"', "rulebook: there is no rulebook “rws-sicbo”"),
        ('layouts = ["A", "B", "C"]', 'layouts = ["D"]', "layouts: rws-sicbo-etg-v2 has no layout “D”"),
        ('name = "sicbo-rws"', 'name = "sicbo/1"', "name: “sicbo/1” cannot name a table"),
        ('"A8"]', '"A1"]', "seats: two seats have the same name"),
        ('"A8"]', '"Dana"]', "seats: a seat and a person have the same name"),
        ('"A8"]', '"A 8"]', "seat A 8: “A 8” cannot name a seat"),
        ('Dana = ["dealer"]', 'Dana = ["croupier"]', 'staff.Dana.0: "croupier" is not allowed; allowed are dealer'),
        ("betting = 30", "betting = 0", "pace.betting: must be over 0, not 0"),
        ("[pace]", "[pacing]", 'unknown key "pacing"; allowed are name, '),
        (
            'dealing = "automatic"',
            'dealing = "magic"',
            'dealing: "magic" is not allowed; allowed are people, automatic',
        ),
        (
            'dealing = "automatic"',
            'wheel = ["0"]',
            "wheel: name every pocket of rws-sicbo-etg-v2 once; it has no wheel",
        ),
        ('device = "simulated"', "alternatives = [99]", "alternatives: rws-sicbo-etg-v2 has no ruling 99"),
        ("[limits]", "[limits", "cannot be read as TOML"),
        ('device = "simulated"', 'device = "dreamt"', 'device: "dreamt" is not allowed; allowed are none, simulated'),
        ('device = "simulated"', "", "device: a table that is dealt automatically needs one"),
        (
            'device = "simulated"',
            'device = { kind = "simulated", one_in = -1 }',
            "device.simulated.one_in: must be at least 0, not -1",
        ),
        (
            'device = "simulated"',
            'device = { kind = "cammegh", path = "/dev/ttyS0" }',
            "device: rws-sicbo-etg-v2 is played with dice",
        ),
        (
            'device = "simulated"',
            'device = { kind = "cammegh", path = "/dev/ttyS0" }',
            "device: a cammegh does not count revolutions, and a program must know of 3 (3.6)",
        ),
        (
            'device = "simulated"',
            'device = { kind = "shaker", host = "h", topics = { command = "", state = "", detect = "", result = "" } }',
            "device.cycles: a program must know of 3 (3.6) tumbles",
        ),
        (
            'device = "simulated"',
            'device = "simulated"\ntwo_sources = true',
            "two_sources: a program that deals has only",
        ),
        ('tumbler = ["device"]', "", 'device: it must be on the staff with the role "device"'),
        ('tumbler = ["device"]', 'tumbler = ["device"]\nother = ["device"]', "device: it must be on the staff"),
        ('automat = ["dealer", "pit-supervisor"]', "", "staff: a table that is dealt automatically needs automat"),
        ('dealing = "automatic"', 'dealing = "people"', "staff.automat: that is the program that deals"),
        (
            'device = "simulated"',
            'device = "simulated"\nentry = { kind = "keypad", path = "/dev/ttyS1", name = "Sam" }',
            "entry.name: Sam must be on the staff as dealer",
        ),
    ],
)
def test_a_fault_is_reported_with_its_place(old: str, new: str, says: str) -> None:
    assert old in GOOD
    with pytest.raises(BadInput) as faults:
        read_table(GOOD.replace(old, new).encode(), "sicbo.toml")
    assert any(f"sicbo.toml: {says}" in fault for fault in faults.value.lines(refusal)), faults.value.faults


def test_every_fault_of_every_file_is_reported_at_once(tmp_path: Path) -> None:
    bad = GOOD.replace('unit = "1.00"', "unit = 1").replace("betting = 30", "betting = -1").replace("A8", "A 8")
    (tmp_path / "one.toml").write_text(bad)
    (tmp_path / "two.toml").write_text("\x00")
    (tmp_path / "three.toml").write_text(GOOD)
    (tmp_path / "four.toml").write_text(GOOD)
    with pytest.raises(BadInput) as faults:
        read_tables(tmp_path)
    told = "\n".join(faults.value.lines(refusal))
    assert told.count("one.toml") == 2
    assert told.count("two.toml") == 1
    assert 'two tables are called "sicbo-rws"' in told
    with pytest.raises(BadInput, match="there is no table in this folder"):
        read_tables(tmp_path / "nowhere")
