"""The office: every act and every refusal, kept and told again the same on both stores' terms."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from croupier.office import PERMITS, AnyOfficeCommand, AnyOfficeEvent, Office, decide, dump, evolve, load, new_office
from croupier.office import messages as o
from croupier.office.decide import LONGEST_LINK, MOST_FACTS, MOST_LINKS, MOST_OPEN, MOST_SESSIONS, MOST_WORDS
from croupier.office.state import KEPT
from croupier.rules.refusal import Refused
from croupier.table.messages import PersonId, SeatId

NOW = 1_700_000_000_000
ANN, BEN, SAM = PersonId("Ann"), PersonId("Ben"), PersonId("Sam")
A1 = SeatId("A1")


def key(number: int) -> str:
    return f"{number:064x}"


def office() -> Office:
    return new_office({ANN: ("administrator",), BEN: ("dealer",), SAM: ("pit-supervisor",)})


def give(here: Office, *commands: AnyOfficeCommand) -> list[AnyOfficeEvent]:
    """What the last of these commands led to."""
    events: list[AnyOfficeEvent] = []
    for command in commands:
        before = dump(here)
        events = decide(here, command)
        assert dump(here) == before, "decide changes nothing"
        for event in events:
            evolve(here, event)
    return events


def refused(here: Office, command: AnyOfficeCommand) -> Refused:
    before = dump(here)
    with pytest.raises(Refused) as refusal:
        decide(here, command)
    assert dump(here) == before
    return refusal.value


def test_every_command_has_its_permits() -> None:
    assert set(PERMITS) == set(get_args(AnyOfficeCommand))


def test_an_office_has_an_administrator_always() -> None:
    with pytest.raises(Refused, match="administrator"):
        new_office({BEN: ("dealer",)})
    here = office()
    assert refused(here, o.RetireAccount("Ann", NOW, ANN, "gone")).reason == "administrator"
    assert refused(here, o.SetRoles("Ann", NOW, ANN, ("auditor",))).reason == "administrator"
    give(here, o.SetRoles("Ann", NOW, BEN, ("dealer", "administrator")), o.RetireAccount("Ben", NOW, ANN, "gone"))
    assert here.accounts[ANN].retired
    assert refused(here, o.MakeAccount("Ann", NOW, PersonId("Tim"), ("dealer",))).reason == "permission"


def test_names_and_roles_that_no_account_can_have() -> None:
    here = office()
    for name in ("", "two words", "machine/root", "system", "x" * 65, 'quo"te'):
        assert refused(here, o.MakeAccount("Ann", NOW, PersonId(name), ("dealer",))).reason == "name"
    assert refused(here, o.MakeAccount("Ann", NOW, PersonId("Tim"), ())).reason == "role"
    assert refused(here, o.MakeAccount("Ann", NOW, PersonId("Tim"), ("device",))).reason == "role"  # type: ignore[arg-type]
    assert str(refused(here, o.MakeAccount("Ann", NOW, BEN, ("dealer",)))) == "account there person=Ben"
    give(here, o.RetireAccount("Ann", NOW, BEN, "left"))
    assert str(refused(here, o.MakeAccount("Ann", NOW, BEN, ("dealer",)))) == "account retired-name person=Ben"


def test_what_is_about_an_account_needs_one_that_lives() -> None:
    here = office()
    give(here, o.RetireAccount("Ann", NOW, BEN, "left"))
    for person in (BEN, PersonId("Nobody")):
        for command in (
            o.SetRoles("Ann", NOW, person, ("dealer",)),
            o.RetireAccount("Ann", NOW, person, "again"),
            o.NotePassword("Ann", NOW, person, key(1)),
            o.MakeLink("Ann", NOW, person, key(1), NOW + 1),
            o.BeginSession("system", NOW, person, key(1), "here"),
        ):
            assert refused(here, command).reason == "account"


def test_a_reason_is_given_and_is_short() -> None:
    here = office()
    for reason in ("", "  ", "x" * (MOST_WORDS + 1)):
        assert refused(here, o.RetireAccount("Ann", NOW, BEN, reason)).reason == "reason"


def test_a_token_is_used_once_for_one_thing() -> None:
    here = office()
    give(
        here,
        o.BeginSession("system", NOW, BEN, key(1), "here"),
        o.MakeLink("Ann", NOW, BEN, key(2), NOW + 10),
        o.EnrolTerminal("Ann", NOW, key(3), "T1", A1),
    )
    for digest in (key(1), key(2), key(3), "short", key(4).upper().replace("4", "F")):
        for command in (
            o.BeginSession("system", NOW, BEN, digest, "here"),
            o.MakeLink("Ann", NOW, BEN, digest, NOW + 10),
            o.EnrolTerminal("Ann", NOW, digest, "T1", SeatId("A2")),
        ):
            assert refused(here, command).reason == "token"
    assert refused(here, o.NotePassword("Ann", NOW, BEN, "secret")).reason == "password"


def test_links_are_used_once_by_their_person_in_time_and_are_few() -> None:
    here = office()
    give(here, o.MakeLink("Ann", NOW, BEN, key(1), NOW + 10))
    for command in (
        o.BeginSession("system", NOW, SAM, key(9), "here", key(1)),
        o.BeginSession("system", NOW + 10, BEN, key(9), "here", key(1)),
        o.BeginSession("system", NOW, BEN, key(9), "here", key(8)),
    ):
        assert refused(here, command).reason == "link"
    give(here, o.BeginSession("system", NOW + 9, BEN, key(9), "here", key(1)))
    assert refused(here, o.BeginSession("system", NOW + 9, BEN, key(10), "here", key(1))).reason == "link"
    for until in (NOW, NOW - 1, NOW + LONGEST_LINK + 1):
        assert refused(here, o.MakeLink("Ann", NOW, BEN, key(11), until)).reason == "link"
    for number in range(MOST_LINKS):
        give(here, o.MakeLink("Ann", NOW, BEN, key(100 + number), NOW + 10))
    assert refused(here, o.MakeLink("Ann", NOW, BEN, key(12), NOW + 10)).reason == "link"
    give(here, o.MakeLink("Ann", NOW + 10, BEN, key(12), NOW + 20))
    assert len(here.links) == 1, "links whose time is over are forgotten"


def test_sessions_end_by_name_and_are_few() -> None:
    here = office()
    for number in range(1, MOST_SESSIONS + 1):
        give(here, o.BeginSession("system", NOW, BEN, key(number), "here"))
    events = give(here, o.BeginSession("system", NOW, BEN, key(99), "here"))
    assert [type(event).__name__ for event in events] == ["SessionsEnded", "SessionBegun"]
    assert len(here.sessions) == MOST_SESSIONS
    assert key(1) not in here.sessions
    for digests in ((key(1),), (key(2), key(2)), (key(77),)):
        assert refused(here, o.EndSessions("Ben", NOW, BEN, "logout", digests)).reason == "session"
    assert refused(here, o.EndSessions("Sam", NOW, BEN, "everywhere")).reason == "permission"
    give(here, o.EndSessions("Ben", NOW, BEN, "logout", (key(2),)), o.EndSessions("Ann", NOW, BEN, "everywhere"))
    assert here.sessions == {}
    assert give(here, o.EndSessions("Ben", NOW, BEN, "everywhere")) == []


def test_one_terminal_has_a_seat() -> None:
    here = office()
    give(here, o.EnrolTerminal("machine/root", NOW, key(1), "T1", A1))
    events = give(here, o.EnrolTerminal("Ann", NOW, key(2), "T1", A1))
    assert [type(event).__name__ for event in events] == ["TerminalRetired", "TerminalEnrolled"]
    assert events[0] == o.TerminalRetired("Ann", NOW, key(1), "T1", A1, "")
    assert list(here.terminals) == [key(2)]
    give(here, o.RetireTerminal("Sam", NOW, "T1", A1, "broken"))
    assert refused(here, o.RetireTerminal("Sam", NOW, "T1", A1, "broken")).reason == "terminal"
    assert refused(here, o.EnrolTerminal("Sam", NOW, key(3), "T1", A1)).reason == "permission"


def test_alerts_say_a_thing_once_and_are_few() -> None:
    here = office()
    give(here, o.RaiseAlert("system", NOW, "slow", "T1", "late"), o.RaiseAlert("system", NOW, "slow", "T2", "late"))
    assert refused(here, o.RaiseAlert("system", NOW, "slow", "T1", "late")).reason == "alert"
    assert refused(here, o.RaiseAlert("Ann", NOW, "slow", "T1", "other")).reason == "permission"
    assert refused(here, o.RaiseAlert("system", NOW, "two words", "T1", "x")).reason == "name"
    assert refused(here, o.AcknowledgeAlert("Ben", NOW, 1)).reason == "permission"
    assert refused(here, o.AcknowledgeAlert("Sam", NOW, 7)).reason == "alert"
    assert refused(here, o.AcknowledgeAlert("Sam", NOW, 1, "x" * (MOST_WORDS + 1))).reason == "note"
    give(here, o.AcknowledgeAlert("Sam", NOW, 1, "looked at it"))
    assert refused(here, o.AcknowledgeAlert("Sam", NOW, 1)).reason == "alert"
    for number in range(MOST_OPEN - 1):
        give(here, o.RaiseAlert("system", NOW, "slow", "T1", f"late {number}"))
    more = refused(here, o.RaiseAlert("system", NOW, "slow", "T1", "one more"))
    assert str(more) == f"alert too-many alerts={MOST_OPEN}"
    for number in list(here.alerts)[1:]:
        give(here, o.AcknowledgeAlert("Sam", NOW, number))
    assert len(here.alerts) == KEPT


def test_alerts_are_the_same_by_kind_case_table_and_facts() -> None:
    here = office()
    slow = o.RaiseAlert("system", NOW, "slow", "T1", case="late", facts={"seconds": 9, "tests": ("a", "b")})
    other: tuple[dict[str, Any], ...] = ({"kind": "dark"}, {"case": "gone"}, {"table": ""}, {"facts": {"seconds": 8}})
    for raised in (slow, *(replace(slow, **fields) for fields in other)):
        give(here, raised)
        again = refused(here, replace(raised, at=NOW + 1, facts=dict(reversed(raised.facts.items()))))
        assert (again.reason, again.case, again.facts) == ("alert", "open", {"alert": len(here.alerts)})
    assert load(dump(here)) == here
    give(here, o.AcknowledgeAlert("Sam", NOW, 1), slow)
    assert refused(here, replace(slow, case="", facts={})).reason == "text of an alert"
    no = refused(here, replace(slow, case="two words"))
    assert (no.reason, no.facts) == ("name", {"name": "slow-two words", "what": "kind-of-alert"})
    assert refused(here, replace(slow, facts={"error": "x" * (MOST_FACTS + 1)})).reason == "text of an alert"
    give(here, replace(slow, facts={"error": "x" * MOST_FACTS}))


def test_an_alert_of_before_is_written_in_a_state_as_it_was() -> None:
    here = office()
    give(
        here, o.RaiseAlert("system", NOW, "slow", "T1", "late"), o.RaiseAlert("system", NOW, "slow", "T1", case="late")
    )
    was, now = (msgspec.json.encode(alert) for alert in here.alerts.values())
    told = b'{"number":1,"kind":"slow","table":"T1","what":"late","raised_at":%d,"raised_by":"system",' % NOW
    assert was == told + b'"acknowledged_at":0,"acknowledged_by":"","note":""}'
    assert now.endswith(b',"note":"","case":"late"}')


def test_the_office_is_the_same_when_it_is_written_and_read() -> None:
    chance, here = random.Random(5), office()
    people = [ANN, BEN, SAM]
    for number in range(600):
        person = chance.choice(people)
        commands: list[AnyOfficeCommand] = [
            o.BeginSession("system", NOW + number, person, key(number), "here"),
            o.MakeLink("Ann", NOW + number, person, key(number), NOW + number + 50),
            o.EndSessions("system", NOW + number, person, "idle"),
            o.NoteFailure("system", NOW + number, person, "wrong", "here", 2),
            o.EnrolTerminal("Ann", NOW + number, key(number), "T1", SeatId(f"A{number % 5}")),
            o.RaiseAlert("system", NOW + number, "slow", "T1", case="late", facts={"bet": f"b{number % 7}"}),
            o.AcknowledgeAlert("Sam", NOW + number, number % 40),
            o.NotePassword("Ann", NOW + number, person, key(number)),
        ]
        try:
            give(here, chance.choice(commands))
        except Refused:
            continue
        again = load(dump(here))
        assert again == here
        assert dump(again) == dump(here)


def test_bounds_are_taken_and_one_more_is_not() -> None:
    here = office()
    longest = o.MakeLink("Ann", NOW, BEN, key(1), NOW + LONGEST_LINK)
    too_long = refused(here, replace(longest, until=longest.until + 1))
    assert (too_long.reason, too_long.case, too_long.facts) == ("link", "life", {"hours": 24})
    assert refused(here, replace(longest, until=NOW)).reason == "link"
    give(here, longest, replace(longest, digest=key(2), until=NOW + 1))
    words = "w" * MOST_WORDS
    assert refused(here, o.RetireAccount("Ann", NOW, BEN, words + "w")).reason == "reason"
    give(here, o.RetireAccount("Ann", NOW, BEN, words))
    give(here, o.RaiseAlert("system", NOW, "clock", "", "it jumped"))
    long = o.RaiseAlert("system", NOW, "clock", "", words)
    assert refused(here, replace(long, what=words + "w")).reason == "text of an alert"
    give(here, long)
    note = o.AcknowledgeAlert("Sam", NOW, next(iter(here.alerts)), words)
    assert refused(here, replace(note, note=words + "w")).reason == "note"
    give(here, note)


def test_links_of_others_and_links_that_are_over_count_for_nobody() -> None:
    here = office()
    for number in range(MOST_LINKS):
        person, until = (BEN, NOW + 10) if number % 2 else (SAM, NOW + 10)
        give(here, o.MakeLink("Ann", NOW, person, key(number), until))
    for number in range(MOST_LINKS // 2):
        give(here, o.MakeLink("Ann", NOW, BEN, key(100 + number), NOW + 10))
    more = o.MakeLink("Ann", NOW, BEN, key(200), NOW + 100)
    assert refused(here, more).reason == "link"
    give(here, replace(more, person=SAM))
    give(here, replace(more, at=NOW + 10, digest=key(201)))


@pytest.mark.parametrize("digest", ["", "f" * 63, "f" * 65, "F" * 64, "g" * 64, f"{'f' * 64}\n"])
def test_a_token_is_known_only_by_its_digest(digest: str) -> None:
    here = office()
    for command in (
        o.MakeLink("Ann", NOW, BEN, digest, NOW + 10),
        o.BeginSession("system", NOW, BEN, digest, "here"),
        o.EnrolTerminal("Ann", NOW, digest, "T1", A1),
    ):
        assert refused(here, command).reason == "token"


def test_a_terminal_is_enrolled_for_a_seat_that_can_be_and_no_other_goes() -> None:
    here = office()
    for table, seat, what in (("", "A1", "table"), ("T 1", "A1", "table"), ("T1", "", "seat"), ("T1", "A#1", "seat")):
        no = refused(here, o.EnrolTerminal("Ann", NOW, key(9), table, SeatId(seat)))
        assert (no.reason, no.facts["what"]) == ("name", what)
    places = [("T1", "A1"), ("T1", "A2"), ("T2", "A1")]
    for number, (table, seat) in enumerate(places):
        give(here, o.EnrolTerminal("Ann", NOW, key(number), table, SeatId(seat)))
    gone = give(here, o.EnrolTerminal("Ann", NOW, key(5), "T1", A1))
    assert [event.digest for event in gone if isinstance(event, o.TerminalRetired)] == [key(0)]
    give(here, o.RetireTerminal("Sam", NOW, "T2", A1, "broken"))
    assert sorted(here.terminals) == [key(1), key(5)]


def test_roles_are_set_as_they_are_given_and_never_by_one_who_has_gone() -> None:
    here = office()
    assert refused(here, o.SetRoles("Ann", NOW, BEN, ())).reason == "role"
    give(here, o.SetRoles("Ann", NOW, BEN, ("auditor",)))  # the administrator is another
    assert here.accounts[BEN].roles == ("auditor",)
    give(here, o.RetireAccount("Ann", NOW, BEN, "gone"))
    assert refused(here, o.NotePassword("Ben", NOW, BEN, key(1))).reason == "permission"
