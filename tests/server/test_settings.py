"""The settings of a machine: which source wins, and every fault with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.rules.bad_input import BadInput
from croupier.server.settings import Settings, every_setting, read_settings


@pytest.fixture(autouse=True)
def nothing_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in every_setting():
        monkeypatch.delenv(line.variable, raising=False)


def faults(flags: dict[str, object] | None = None, file: Path | None = None) -> list[str]:
    with pytest.raises(BadInput) as found:
        read_settings(flags, file)
    return found.value.lines()


def test_flags_win_over_the_environment_which_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (read_settings().staff_port, read_settings().house) == (8400, "Croupier")
    Path("croupier.toml").write_text('staff_port = 1001\nhouse = "The File"\nzone = "Asia/Singapore"\n')
    monkeypatch.setenv("CROUPIER_STAFF_PORT", "1002")
    monkeypatch.setenv("CROUPIER_HOUSE", "The Environment")
    found = read_settings({"staff_port": "1003", "floor": None})
    assert (found.staff_port, found.house, found.zone) == (1003, "The Environment", "Asia/Singapore")
    assert found.floor == Path("floor")


def test_another_file_is_named_by_a_flag_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("croupier.toml").write_text('house = "usual"\n')
    (tmp_path / "a.toml").write_text('house = "A"\n')
    (tmp_path / "b.toml").write_text('house = "B"\n')
    monkeypatch.setenv("CROUPIER_SETTINGS", str(tmp_path / "a.toml"))
    assert read_settings().house == "A"
    assert read_settings(file=tmp_path / "b.toml").house == "B"
    assert faults(file=tmp_path / "none.toml") == [f"{tmp_path}/none.toml: cannot be read: No such file or directory"]


def test_every_fault_is_listed_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("croupier.toml").write_text('zone = "Mars"\nnope = 1\nterminal_port = 70000\norigins = ["ftp://x"]\n')
    monkeypatch.setenv("CROUPIER_STAFF_PORT", "99x")
    monkeypatch.setenv("CROUPIER_STAF_PORT", "1")
    said = "\n".join(faults({"idle_minutes": "0", "terminal_address": "http://x"}))
    for place, what in (
        ("CROUPIER_STAFF_PORT", 'must be a whole number, not "99x"'),
        ("--idle-minutes", 'must be at least 1, not "0"'),
        ("--terminal-address", "not the address of a WebSocket"),
        ("croupier.toml: zone", "not a time zone"),
        ("croupier.toml", 'unknown setting "nope"; allowed are floor, store, '),
        ("croupier.toml: terminal_port", "must be at most 65535, not 70000"),
        ("croupier.toml: origins", '"ftp://x" is not the address of a page'),
    ):
        assert [line for line in said.splitlines() if line.startswith(f"{place}: ") and what in line], (place, said)
    assert 'unknown setting "CROUPIER_STAF_PORT"; did you mean CROUPIER_STAFF_PORT?' in said.splitlines()
    assert len(said.splitlines()) == 8


def test_a_file_that_is_not_toml_is_refused_with_its_line() -> None:
    Path("croupier.toml").write_text("house = \n")
    (fault,) = faults()
    assert fault.startswith("croupier.toml: cannot be read as TOML: Invalid value (at line 1")


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"staff_key": "k"}, "staff_certificate and staff_key go together"),
        ({"terminal_certificate": "c"}, "terminal_certificate and terminal_key go together"),
        ({"terminal_ca": "c"}, "terminal_ca needs terminal_certificate"),
        ({"checkpoint_copies": "/mnt/a, ftp://x"}, '--checkpoint-copies: "ftp://x" is not a place for copies'),
        ({"staff_port": 8401}, "staff_port and terminal_port are both 8401"),
        ({"staff_host": "10.1.2.3"}, "staff_host: 10.1.2.3 is reached from other machines"),
        ({"terminal_host": "floor.example"}, "terminal_host: floor.example is reached from other machines"),
        ({"staff_host": "0.0.0.0", "insecure": True}, "origins: staff_host is 0.0.0.0"),
        ({"terminal_host": "::", "insecure": True}, "terminal_address: terminal_host is ::"),
        (
            {"store": "postgresql://one/casino", "relay_host": "0.0.0.0"},
            "relay_host: other machines cannot reach this one at 0.0.0.0",
        ),
        (
            {"store": "postgresql://one/casino", "terminal_address": "ws://:8401/"},
            "terminal_address: ws://:8401/ names no machine",
        ),
    ],
)
def test_settings_that_contradict_each_other_are_refused(said: dict[str, object], fault: str) -> None:
    assert [line for line in faults(said) if line.startswith(fault)]


def test_values_that_follow_from_the_settings() -> None:
    plain = read_settings()
    assert plain.origins_at(1234) == {"http://127.0.0.1:1234", "http://localhost:1234"}
    assert plain.terminals_at(99) == "ws://127.0.0.1:99/"
    assert not plain.tls
    safe = read_settings({"staff_certificate": "c", "staff_key": "k", "terminal_certificate": "c", "terminal_key": "k"})
    assert safe.origins_at(1) == {"https://127.0.0.1:1", "https://localhost:1"}
    assert (safe.terminals_at(2), safe.tls) == ("wss://127.0.0.1:2/", True)
    behind = read_settings(
        {
            "staff_host": "0.0.0.0",
            "terminal_host": "::",
            "insecure": "true",
            "origins": "https://floor.example, https://pit.example",
            "terminal_address": "wss://floor.example/terminals",
        }
    )
    assert behind.origins_at(1) == {"https://floor.example", "https://pit.example"}
    assert (behind.terminals_at(2), behind.tls) == ("wss://floor.example/terminals", True)
    assert read_settings({"idle_minutes": 1, "session_hours": 2, "link_minutes": 3}).times == (
        60_000,
        7_200_000,
        180_000,
    )


def test_every_setting_has_a_description() -> None:
    assert len(every_setting()) == len(Settings.model_fields)
    assert all(line.what.endswith((".", "…")) for line in every_setting())
