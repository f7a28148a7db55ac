"""A live floor that ends in any phase of any book, killed or stopped, goes on as its own clause says.

The table after which this is written is the one of the promises: what recovery does after a power failure. Every table
is dealt by people to the same phase, the process ends, another begins, and people end the round by the book.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import pytest

from croupier.store.folder import open_store
from croupier.store.journal import read_rows
from tests.support.house import House, bet, by_people, house

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
BOOKS = {
    "sicbo-rws": "open-cover",
    "taisai-rws": "open-cover",
    "sicbo-mbs": "covered",
    "taisai-nz": "covered",
    "roulette-mbs": "wheel",
}
ORDER = {
    "open-cover": ("ready", "betting", "closed", "moving", "rest", "entering", "entered", "settling"),
    "covered": ("ready", "tumbling", "betting", "closed", "rest", "entering", "entered", "settling"),
    "wheel": ("ready", "betting", "spinning", "moving", "rest", "entered", "settling"),
}
PHASES = ("ready", "tumbling", "betting", "spinning", "closed", "moving", "rest", "entering", "entered", "settling")
ELECTRONIC = ("sicbo-rws", "sicbo-mbs")
"""Where confirming the result pays the winners at once: no phase lies between."""


class Ends(NamedTuple):
    """How a round stands after a restart in a phase, and how it ends."""

    phase: str
    """interrupted: it waits for people; void: it is over; else the phase in which play goes on."""
    clause: str = ""
    """Of the void, at once or once two people attest that nothing can be seen."""


RWS, TAISAI, MBS, NZ, SANDS = BOOKS
AFTER: dict[str, dict[str, Ends]] = {
    "ready": dict.fromkeys(BOOKS, Ends("ready")),
    "tumbling": dict.fromkeys((MBS, NZ), Ends("ready")),
    "betting": dict.fromkeys(BOOKS, Ends("betting")),
    "spinning": {SANDS: Ends("interrupted")},
    "closed": {
        RWS: Ends("void", "5.1.2"),
        TAISAI: Ends("void", "5.4.2"),
        MBS: Ends("void", "5.8.1"),
        NZ: Ends("interrupted", "7.1(b)"),
    },
    "moving": {RWS: Ends("interrupted", "5.1.2"), TAISAI: Ends("interrupted", "5.4.2"), SANDS: Ends("interrupted")},
    "rest": {
        RWS: Ends("interrupted", "5.1.2"),
        TAISAI: Ends("interrupted", "5.4.2"),
        MBS: Ends("interrupted", "5.8.1"),
        NZ: Ends("interrupted", "7.1(b)"),
        SANDS: Ends("interrupted", "5.12"),
    },
    "entering": dict.fromkeys((RWS, TAISAI, MBS, NZ), Ends("entering")),
    "entered": dict.fromkeys(BOOKS, Ends("entered")),
    "settling": dict.fromkeys((TAISAI, NZ, SANDS), Ends("ready")),
}


def deal_to(floor: House, table: str, phase: str) -> None:
    """People deal from the beginning of a round to a phase."""
    acts: dict[str, list[dict[str, Any]]] = {
        "tumbling": [{"type": "StartMotion"}],
        "betting": [{"type": "OpenBetting"}],
        "spinning": [{"type": "StartMotion"}],
        "closed": [{"type": "CallNoMoreBets"}],
        "moving": [{"type": "StartMotion"}],
        "rest": [{"type": "EndMotion", "count": 3}],
        "entering": [{"type": "PressKey", "face": "1"}],
        "entered": [{"type": "PressKey", "face": "2"}, {"type": "PressKey", "face": "3"}, {"type": "PressEntry"}],
        "settling": [{"type": "ConfirmResult"}],
    }
    order = BOOKS[table]
    if order == "covered":
        acts |= {"betting": [{"type": "EndMotion", "count": 3}, *acts["betting"]], "rest": [{"type": "Uncover"}]}
    if order == "wheel":
        acts |= {
            "moving": acts["closed"],
            "rest": [{"type": "EndMotion", "count": 4}],
            "entered": [{"type": "EnterNumber", "number": "9"}],
        }
    for step in ORDER[order][1 : ORDER[order].index(phase) + 1]:
        for act in acts[step]:
            floor.give("Dana", table, **act)
        if step == "betting":
            bet(floor, table)


def state(floor: House, table: str) -> dict[str, Any]:
    view = floor.console(table)
    return {"phase": view["room"]["phase"], "held": view["seats"][0]["held"], "credit": view["seats"][0]["credit"]}


def check_after(floor: House, table: str, phase: str, before: dict[str, Any]) -> None:
    """The round stands as the promises say, and ends so."""
    ends, after = AFTER[phase][table], state(floor, table)
    if ends.phase == "void" or (phase == "betting" and late(floor, table)):
        assert after["phase"] == "ready", (table, phase)
        assert after["held"] == 0
        assert after["credit"] == before["credit"] + before["held"]
        return
    assert after["phase"] == ends.phase, (table, phase, after)
    if phase not in ("ready", "tumbling", "settling"):
        assert after["held"] == 500, (table, phase)
    if phase == "settling":
        assert after["held"] == 0
    finish(floor, table, phase, ends)
    assert state(floor, table)["held"] == 0
    if table == NZ and phase not in ("ready", "tumbling", "betting"):
        assert floor.console(table)["locked"], phase  # 7.4
        floor.two("Sam", "Pat", table, "Unlock", reason="checked")


def finish(floor: House, table: str, phase: str, ends: Ends) -> None:
    """People end the round, by the book."""
    wheel = BOOKS[table] == "wheel"
    if ends.phase == "interrupted":
        if wheel and phase in ("spinning", "moving"):
            floor.give("Dana", table, "EndMotion", count=4)
            floor.give("Dana", table, "EnterNumber", number="9")
        else:
            floor.two("Dana", "Max", table, "Attest", shown=["9"] if wheel else ["1", "2", "3"])
    elif ends.phase in ("betting", "closed"):
        rest_of(floor, table, ends.phase)
    elif ends.phase == "entering":
        for face in "23":
            floor.give("Dana", table, "PressKey", face=face)
        floor.give("Dana", table, "PressEntry")
    elif ends.phase == "ready":
        return
    floor.give("Dana", table, "ConfirmResult")
    if table not in ELECTRONIC:
        floor.give("Dana", table, "PayWinners")


def rest_of(floor: House, table: str, phase: str) -> None:
    """From open or closed bets to an entered result."""
    wheel, covered = BOOKS[table] == "wheel", BOOKS[table] == "covered"
    if wheel:
        floor.give("Dana", table, "StartMotion")
    if phase == "betting":
        floor.give("Dana", table, "CallNoMoreBets")
    if covered:
        floor.give("Dana", table, "Uncover")
    else:
        if not wheel:
            floor.give("Dana", table, "StartMotion")
        floor.give("Dana", table, "EndMotion", count=4)
    for act in (
        [{"type": "EnterNumber", "number": "9"}]
        if wheel
        else [
            *({"type": "PressKey", "face": face} for face in "123"),
            {"type": "PressEntry"},
        ]
    ):
        floor.give("Dana", table, **act)


def late(floor: House, table: str) -> bool:
    """Whether the machine was so slow that bets were not open again within thirty seconds."""
    store = open_store(floor.premises.address, read_only=True)
    rows = [row for row in read_rows(store, table) if row.kind in ("Interrupt", "Restore")]
    store.close()
    return BOOKS[table] != "wheel" and rows[-1].at - rows[-2].at > 30_000


@pytest.mark.parametrize("how", ["killed", "stopped"] if ALL else ["killed"])
@pytest.mark.parametrize("phase", PHASES if ALL else ["betting", "closed", "rest", "settling"])
def test_a_restart_in_this_phase_ends_as_the_promises_say(floor: House, phase: str, how: str) -> None:
    tables = [table for table in AFTER[phase] if table not in ELECTRONIC or phase != "settling"]
    for table in tables:
        deal_to(floor, table, phase)
    before = {table: state(floor, table) for table in tables}
    floor.kill() if how == "killed" else floor.stop()
    floor.start()
    for table in tables:
        check_after(floor, table, phase, before[table])


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with house(tmp_path_factory.mktemp("restart"), by_people) as made:
        made.start()
        made.seat_everyone()
        for table in BOOKS:
            made.give("Sam", table, "OpenTable")
        yield made
        made.stop()
        made.verified()
