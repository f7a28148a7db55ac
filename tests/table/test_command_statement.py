"""Every act can be told: at a table, at the cage and in the office, and in every language."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from croupier.cage import messages as c
from croupier.devices.port import POINTS_TO
from croupier.office import messages as o
from croupier.rules.command_facts import COMMAND_FACTS
from croupier.rules.money import Cents
from croupier.rules.statement import Statement
from croupier.table import messages as m
from croupier.table.command_statement import command_statement
from croupier.words import has, sentence

ACTS = {
    kind.__name__: kind for every in (m.AnyCommand, c.AnyCageCommand, o.AnyOfficeCommand) for kind in get_args(every)
}
UNTOLD = {
    "at",
    "browser",
    "case",
    "credential",
    "digests",
    "expires",
    "facts",
    "found",
    "because",
    "host",
    "key",
    "link",
}
UNTOLD |= {"replacement_expires", "session", "signature", "until", "what", "digest", "id", "text"}
"""What a reader has no use for, or reads elsewhere; a few acts tell some of it all the same."""
ANN, CASS = m.SeatId("Ann"), m.PersonId("Cass")
TICKET = "123456789012345611"


def test_every_act_says_what_it_is_about() -> None:
    assert {id.removeprefix("did-") for id in COMMAND_FACTS if id.startswith("did-")} == ACTS.keys()
    fields = {act: set(kind.__struct_fields__) for act, kind in ACTS.items()}
    told = {act: set(COMMAND_FACTS[f"did-{act}"]) - {"order"} for act in ACTS}
    assert {act: told[act] - fields[act] for act in ACTS if told[act] - fields[act]} == {}
    left = {act: fields[act] - told[act] - UNTOLD for act in ACTS}
    assert {act: names for act, names in left.items() if names} == {}


@pytest.mark.parametrize(
    ("command", "facts", "english", "chinese"),
    [
        (
            c.VoidTicket("Cass", 0, TICKET, Cents(5_00), 0, "live", "torn", TICKET, 1),
            {"by": "Cass", "ticket": TICKET, "amount": 500, "replacement": TICKET, "reason": "torn"},
            f"Cass voids ticket {TICKET} of 5.00 and replaces it by {TICKET}, because torn.",
            f"Cass 作废票券 {TICKET}(金额 5.00)，换发为 {TICKET}，原因：torn。",
        ),
        (
            c.PayUnclaimed("Cass", 0, TICKET, Cents(5_00), "expired", "late"),
            {"by": "Cass", "ticket": TICKET, "amount": 500, "reason": "late"},
            f"Cass pays the expired ticket {TICKET} of 5.00, because late.",
            f"Cass 兑付过期票券 {TICKET}(金额 5.00)，原因：late。",
        ),
        (
            m.Report("Sam", 0, "short-tumble", note="no-shake"),
            {"by": "Sam", "irregularity": "short-tumble", "bet": "", "seat": "", "note": "no-shake"},
            "Sam reports short tumble because the dice did not tumble.",
            "Sam 报告异常“摇动不足”，说明：骰子没有摇动。",
        ),
        (
            m.Report("Sam", 0, "short-tumble", note="late"),
            {"by": "Sam", "irregularity": "short-tumble", "bet": "", "seat": "", "note": "late"},
            "Sam reports short tumble because late.",
            "Sam 报告异常“摇动不足”，说明：late。",
        ),
        (
            o.EndSessions("system", 0, CASS, "idle"),
            {"by": "system", "person": "Cass", "how": "idle"},
            "System ends sessions of Cass: not used for long.",
            "赌台系统 结束 Cass 的会话：长时间未使用。",
        ),
        (
            m.StartMotion("Dana", 0, with_wheel=True),
            {"by": "Dana", "order": "wheel", "with_wheel": "yes"},
            "Dana spins the ball with the wheel.",
            "Dana 掷出滚珠(滚珠与轮盘同向)。",
        ),
    ],
)
def test_a_command_is_stated_by_its_facts(command: Any, facts: dict[str, Any], english: str, chinese: str) -> None:
    told = command_statement(command, "wheel")
    assert (told.id, told.facts, told.parts) == (f"did-{type(command).__name__}", facts, {})
    assert (sentence(told), sentence(told, "zh")) == (english, chinese)


def test_a_command_about_several_things_states_each() -> None:
    limits = m.Limits({"*": Cents(5_00)}, {"*": Cents(50_00), "triple": Cents(10_00)}, Cents(1_00), Cents(100_00))
    told = command_statement(m.SetLimits("Sam", 0, limits))
    assert [(one.id, one.facts.get("box", "")) for one in told.parts["limits"]] == [
        ("limit-unit", ""),
        ("limit-minimum", ""),
        ("limit-maximum", ""),
        ("limit-maximum", "triple"),
        ("limit-differential", ""),
    ]
    assert sentence(told) == (
        "Sam sets limits unit 1.00, minimum 5.00, maximum 50.00, maximum Triple 10.00, differential 100.00."
    )
    lost = (m.LostBet(ANN, "total:9", Cents(5_00)),)
    struck = command_statement(m.InterruptTerminals("Sam", 0, (ANN, m.SeatId("Ben")), lost))
    assert struck.parts == {"lost": (Statement("lost-bet", {"seat": "Ann", "stake": 500, "box": "total:9"}),)}
    assert sentence(struck) == "Sam interrupts terminals Ann, Ben losing Ann 5.00 on Total 9."
    assert sentence(command_statement(m.InterruptTerminals("Sam", 0, (ANN,)))) == "Sam interrupts terminals Ann."


def test_the_statement_of_a_command_goes_over_the_wire_and_back() -> None:
    told = command_statement(m.VoidRounds("Sam", 0, (m.RoundNumber(3), m.RoundNumber(4)), "past-error", "misread"))
    assert msgspec.json.decode(msgspec.json.encode(told), type=Statement).facts["rounds"] == ("3", "4")


def test_what_a_person_confirms_of_a_device_can_be_the_reason_of_an_act() -> None:
    assert [fault for fault in POINTS_TO if not has(f"noted-{fault}")] == []
