"""Who is who: what a session may do depends on who made what opened it, and on who stands for that."""

from __future__ import annotations

import contextlib
import itertools
import random

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from croupier.office import AnyOfficeCommand, Office, decide, dump, evolve, load, new_office
from croupier.office import messages as o
from croupier.office.people import check_approval, check_stands
from croupier.office.state import RULES, stands
from croupier.rules.refusal import Refused
from croupier.table.messages import PersonId, Signature

NOW = 1_700_000_000_000
ADA, PIA, SAM, DAN = PersonId("Ada"), PersonId("Pia"), PersonId("Sam"), PersonId("Dan")
CLI = "machine/root"
_numbers = itertools.count(1)


def key() -> str:
    return f"{next(_numbers):064x}"


def do(here: Office, *commands: AnyOfficeCommand) -> None:
    for command in commands:
        for event in decide(here, command):
            evolve(here, event)


def no(here: Office, command: AnyOfficeCommand) -> str:
    before = dump(here)
    with pytest.raises(Refused) as refused:
        decide(here, command)
    assert dump(here) == before
    return str(refused.value)


def office(rules: int = RULES) -> Office:
    """Ada is administrator, Pia and Sam are of supervision, Dan is none of them."""
    roles = {ADA: ("administrator",), PIA: ("pit-manager",), SAM: ("pit-supervisor",), DAN: ("dealer",)}
    return new_office(roles, rules)  # type: ignore[arg-type]


def founded(*people: PersonId) -> Office:
    here = office()
    do(here, o.NameFounders(CLI, NOW, people or (ADA, PIA), tuple(key() for _ in people or (ADA, PIA))))
    return here


def sign_in(here: Office, person: PersonId, link: str = "", browser: str = "") -> str:
    """By the password there is, or by a link."""
    session = key()
    do(here, o.BeginSession("system", NOW, person, session, "here", link, browser or key()))
    return session


def by_link(here: Office, person: PersonId, by: str, session: str = "") -> str:
    link = key()
    do(here, o.MakeLink(by, NOW, person, link, NOW + 1000, session))
    return sign_in(here, person, link)


def choose(here: Office, person: PersonId, session: str) -> str:
    """A password of their own, chosen in a session, and the session they begin with it."""
    do(here, o.NotePassword(person, NOW, person, key(), session))
    return sign_in(here, person)


def confirm(here: Office, person: PersonId, by: PersonId, session: str) -> None:
    do(here, o.ConfirmPerson(by, NOW, person, here.accounts[person].password, session))


def confirming(here: Office, person: PersonId, by: PersonId, session: str) -> str:
    return no(here, o.ConfirmPerson(by, NOW, person, here.accounts[person].password, session))


def test_founders_are_two_at_least_at_the_machine_and_once() -> None:
    here = office()
    for people in ((), (ADA,), (ADA, ADA), (ADA, DAN), (PIA, SAM), (ADA, PersonId("Nobody"))):
        no(here, o.NameFounders(CLI, NOW, people, tuple(key() for _ in people)))
    same = key()
    assert no(here, o.NameFounders(CLI, NOW, (ADA, PIA), (same, same))).startswith("password")
    assert no(here, o.NameFounders(CLI, NOW, (ADA, PIA), (key(), "a password"))).startswith("password")
    assert no(here, o.NameFounders("Ada", NOW, (ADA, PIA), (key(), key()))).startswith("permission")
    do(here, o.NameFounders(CLI, NOW, (ADA, PIA), (key(), key())))
    assert all(stands(here, sign_in(here, person)) for person in (ADA, PIA))
    # Not even once nobody is confirmed any more: whoever types there could bring that about.
    do(here, o.NotePassword(CLI, NOW, ADA, key()), o.NotePassword(CLI, NOW, PIA, key()))
    assert not any(account.confirmed for account in here.accounts.values())
    assert no(here, o.NameFounders(CLI, NOW, (ADA, PIA), (key(), key()))).startswith("founders")


def test_two_people_can_begin_a_floor_and_let_a_third_in() -> None:
    here = founded()
    ada, pia = sign_in(here, ADA), sign_in(here, PIA)
    lent = by_link(here, SAM, "Ada", ada)
    with pytest.raises(Refused, match="unconfirmed not-own-password maker=Ada"):
        check_stands(here, lent)
    assert "password not-own person=Sam" in confirming(here, SAM, PIA, pia)
    sam = choose(here, SAM, lent)
    with pytest.raises(Refused, match="unconfirmed vouchers person=Sam missing=1"):
        check_stands(here, sam)
    assert "stands-already by=Ada person=Sam" in confirming(here, SAM, ADA, ada), (
        "who made the link does not confirm it too"
    )
    assert "unconfirmed" in confirming(here, SAM, SAM, sam)
    confirm(here, SAM, PIA, pia)
    assert check_stands(here, sam).person == SAM
    assert here.accounts[SAM].vouched_by == ("Ada", "Pia")
    assert "confirmed already person=Sam" in confirming(here, SAM, PIA, pia)


@pytest.mark.parametrize("way", ["password at the machine", "password in the office", "link", "link of a link"])
def test_a_person_who_can_sign_in_as_another_does_not_become_them(way: str) -> None:
    """Ada can make whatever opens a session of Sam's, who is confirmed; she gets nothing that Sam could sign with."""
    here = founded(ADA, PIA, SAM)
    ada = sign_in(here, ADA)
    match way:
        case "password at the machine":
            do(here, o.NotePassword(CLI, NOW, SAM, key()))
            session = sign_in(here, SAM)
        case "password in the office":
            do(here, o.NotePassword("Ada", NOW, SAM, key(), ada))
            session = sign_in(here, SAM)
        case "link":
            session = by_link(here, SAM, "Ada", ada)
        case _:  # made by a second administrator, in a session that Ada's link to her has opened
            do(here, o.SetRoles("Ada", NOW, PIA, ("pit-manager", "administrator")))
            session = by_link(here, SAM, "Pia", by_link(here, PIA, "Ada", ada))
    assert not stands(here, session)
    assert not stands(here, choose(here, SAM, session)), "nor with a password of Sam's that she chose"
    assert not here.accounts[SAM].confirmed
    with contextlib.suppress(Refused):  # she may stand for whom she has not made a way in for, once
        confirm(here, SAM, ADA, ada)
    assert not here.accounts[SAM].confirmed
    assert confirming(here, SAM, ADA, ada).startswith("same-person")


def test_the_machine_stands_for_nobody_so_two_people_must() -> None:
    here = founded()
    do(here, o.NotePassword(CLI, NOW, SAM, key()))
    sam = choose(here, SAM, sign_in(here, SAM))
    ada, pia = sign_in(here, ADA), sign_in(here, PIA)
    confirm(here, SAM, ADA, ada)
    assert not stands(here, sam), "Ada may be who types at the machine"
    assert confirming(here, SAM, ADA, ada).startswith("same-person")
    confirm(here, SAM, PIA, pia)
    assert stands(here, sam)


def test_who_is_not_confirmed_or_not_of_supervision_stands_for_nobody() -> None:
    here = founded()
    ada = sign_in(here, ADA)
    choose(here, SAM, by_link(here, SAM, "Ada", ada))
    dan = choose(here, DAN, by_link(here, DAN, "Ada", ada))
    confirm(here, DAN, PIA, sign_in(here, PIA))
    assert stands(here, dan)
    assert confirming(here, SAM, DAN, dan).startswith("permission")
    do(here, o.SetRoles("Ada", NOW, DAN, ("dealer", "pit-supervisor")))
    assert confirming(here, SAM, DAN, ada).startswith("session"), "in another's session"
    assert confirming(here, SAM, PIA, by_link(here, PIA, "Ada", ada)).startswith("unconfirmed")
    old = here.accounts[SAM].password
    choose(here, SAM, by_link(here, SAM, "Ada", ada))
    assert no(here, o.ConfirmPerson("Dan", NOW, SAM, old, dan)).startswith("password"), "of another password"
    confirm(here, SAM, DAN, dan)


def test_a_person_who_changes_their_password_stays_confirmed() -> None:
    here = founded()
    session = sign_in(here, ADA)
    assert stands(here, choose(here, ADA, session))
    link = by_link(here, ADA, "Ada", sign_in(here, ADA))
    assert not stands(here, link), "a link opens no session of one's own"
    assert not stands(here, choose(here, ADA, link)), "an unattended screen is not its person"
    assert no(here, o.NotePassword("Ada", NOW, ADA, key())).startswith("session")
    assert no(here, o.NotePassword("Ada", NOW, ADA, key(), sign_in(here, PIA))).startswith("session")


def test_an_approval_is_anothers_from_another_browser() -> None:
    here = founded(ADA, PIA, SAM)
    mine, other = key(), key()
    ada, pia, sam = (
        sign_in(here, ADA, browser=mine),
        sign_in(here, PIA, browser=mine),
        sign_in(here, SAM, browser=other),
    )
    with pytest.raises(Refused, match="asker unknown request=1"):
        check_approval(here, pia, "T1", 1)
    do(here, o.NoteAsker("system", NOW, ADA, "T1", 1, ada))
    assert no(here, o.NoteAsker("system", NOW, PIA, "T1", 2, ada)).startswith("session")
    check_approval(here, sam, "T1", 1)
    with pytest.raises(Refused, match="same-browser asked person=Ada request=1"):
        check_approval(here, pia, "T1", 1)
    do(here, o.NoteAsker("system", NOW, SAM, "T1", 3, by_link(here, SAM, "Ada", ada)))
    with pytest.raises(Refused, match="asker unconfirmed person=Sam request=3"):
        check_approval(here, ada, "T1", 3)
    do(here, o.NoteAsker("system", NOW, SAM, "T1", 4, sam), o.NotePassword(CLI, NOW, SAM, key()))
    with pytest.raises(Refused, match="asker unconfirmed person=Sam request=4"):
        check_approval(here, ada, "T1", 4)
    do(here, o.RetireAccount("Ada", NOW, SAM, "left"))
    with pytest.raises(Refused, match="asker retired person=Sam request=4"):
        check_approval(here, ada, "T1", 4)


def test_an_office_of_before_the_rules_goes_on_with_people_who_chose_their_password() -> None:
    here = office(rules=0)
    do(
        here,
        o.NotePassword("Ada", NOW, ADA, key()),
        o.NotePassword("Pia", NOW, PIA, key()),
        o.NotePassword(CLI, NOW, SAM, key()),
        o.BeginSession("system", NOW, ADA, key(), "here"),
    )
    assert not any(account.confirmed for account in here.accounts.values())
    do(here, o.AdoptRules("system", NOW, RULES))
    assert [name for name, account in here.accounts.items() if account.confirmed] == [ADA, PIA]
    assert no(here, o.AdoptRules("system", NOW, RULES)).startswith("rules")
    assert no(here, o.NameFounders(CLI, NOW, (ADA, SAM), (key(), key()))).startswith("founders")
    assert no(here, o.MakeAccount("Ada", NOW, PersonId("Sаm"), ("dealer",))).startswith("name")
    do(here, o.NotePassword(CLI, NOW, PIA, key()))
    assert not here.accounts[PIA].confirmed


def test_only_a_person_of_the_office_who_has_not_gone_is_confirmed() -> None:
    here = founded()
    ada, pia = sign_in(here, ADA), sign_in(here, PIA)
    choose(here, SAM, by_link(here, SAM, "Ada", ada))
    password = here.accounts[SAM].password
    do(here, o.RetireAccount("Ada", NOW, SAM, "gone"))
    assert no(here, o.ConfirmPerson("Pia", NOW, SAM, password, pia)).startswith("account retired")
    assert no(here, o.ConfirmPerson("Pia", NOW, PersonId("Tim"), password, pia)).startswith("account unknown")


def test_an_office_from_before_the_rules_names_founders_only_after_it_has_adopted_them() -> None:
    here = office(rules=0)
    named = o.NameFounders(CLI, NOW, (ADA, PIA), (key(), key()))
    assert no(here, named).startswith("founders once")
    do(here, o.AdoptRules("system", NOW, RULES))
    before = sign_in(here, ADA)
    events = decide(here, named)
    assert events[1:] == [o.SessionsEnded(CLI, NOW, ADA, "password", (before,))]
    for event in events:
        evolve(here, event)
    assert all(here.accounts[person].confirmed for person in (ADA, PIA))


def test_passkeys_are_required_from_one_moment_on() -> None:
    here = office()
    [required] = decide(here, o.RequirePasskeys("system", NOW))
    assert required == o.PasskeysRequired("system", NOW)
    evolve(here, required)
    assert here.passkeys_since == NOW
    assert decide(here, o.RequirePasskeys("system", NOW + 1)) == []


def public_key() -> bytes:
    kind = serialization.PublicFormat.SubjectPublicKeyInfo
    return ed25519.Ed25519PrivateKey.generate().public_key().public_bytes(serialization.Encoding.DER, kind)


def test_a_passkey_is_dropped_once_and_only_by_its_own_id() -> None:
    here = founded()
    ada = sign_in(here, ADA)
    for credential in ("one", "two"):
        do(here, o.AddPasskey("Ada", NOW, ADA, credential, public_key(), "floor.test", ada))
    again = o.AddPasskey("Ada", NOW, ADA, "one", public_key(), "floor.test", ada)
    assert no(here, again).startswith("passkey added")
    assert no(here, o.AddPasskey("Ada", NOW, ADA, "three", b"no key", "floor.test", ada)).startswith(
        "passkey not-a-key"
    )
    do(here, o.DropPasskey("Ada", NOW + 1, ADA, "one"))
    assert [(one.credential, one.until) for one in here.accounts[ADA].passkeys] == [("one", NOW + 1), ("two", 0)]
    for credential in ("one", "three"):
        assert no(here, o.DropPasskey("Ada", NOW + 2, ADA, credential)).startswith("passkey unknown")
    assert no(here, o.DropPasskey("Pia", NOW + 2, ADA, "two")).startswith("permission")
    assert no(here, o.DropPasskey(CLI, NOW + 2, PIA, "two")).startswith("passkey unknown")
    do(here, o.DropPasskey(CLI, NOW + 2, ADA, "two"))
    assert [one.until for one in here.accounts[ADA].passkeys] == [NOW + 1, NOW + 2]


def test_a_request_is_signed_once_by_the_person_who_made_it() -> None:
    here = founded()
    ada, pia = sign_in(here, ADA), sign_in(here, PIA)
    signature = Signature("one", b"device", b"client", b"signature")
    assert no(here, o.SignAsking("Ada", NOW, "T1", 1, signature, ada)).startswith("asker nothing-to-sign")
    do(here, o.NoteAsker("system", NOW, ADA, "T1", 1, ada))
    assert no(here, o.SignAsking("Pia", NOW, "T1", 1, signature, pia)).startswith("asker nothing-to-sign")
    signed = o.SignAsking("Ada", NOW, "T1", 1, signature, ada)
    assert decide(here, signed) == [o.AskingSigned("Ada", NOW, "T1", 1, signature)]
    do(here, signed)
    assert no(here, signed).startswith("asker nothing-to-sign")


def test_one_dishonest_administrator_stays_one_person_whatever_they_do() -> None:
    """Everything an administrator and the command line can do, in any order: of all sessions that they can begin, those
    that stand for anybody stand for them alone."""
    for seed in range(40):
        chance, here = random.Random(seed), founded(ADA, PIA, SAM)
        honest = {PIA: sign_in(here, PIA), SAM: sign_in(here, SAM)}
        theirs: list[str] = [sign_in(here, ADA)]
        links: list[tuple[str, PersonId]] = []
        for step in range(400):
            people = list(here.accounts)
            person, other = chance.choice(people), chance.choice(people)
            theirs = [one for one in theirs if one in here.sessions] or [sign_in(here, ADA)]
            session = chance.choice(theirs)
            by: str = here.sessions[session].person
            digest, roles = (
                key(),
                chance.choice((("administrator",), ("pit-supervisor",), ("shift-manager", "administrator"))),
            )
            commands: list[AnyOfficeCommand] = [
                o.SetRoles(chance.choice((by, CLI)), NOW, person, roles),  # type: ignore[arg-type]
                o.NotePassword(by, NOW, PersonId(by), digest, session),
                o.ConfirmPerson(by, NOW, person, here.accounts[person].password, session),
                o.ConfirmPerson(by, NOW, other, here.accounts[other].password, session),
                o.NameFounders(CLI, NOW, (person, other), (key(), key())),
                o.MakeLink(by, NOW, person, digest, NOW + 1000, session),
                o.BeginSession("system", NOW, person, digest, "here", "", key()),
                o.AdoptRules(CLI, NOW, RULES),
            ]
            if len(people) < 6:
                commands.append(o.MakeAccount(chance.choice((by, CLI)), NOW, PersonId(f"New{step}"), roles))  # type: ignore[arg-type]
            if person not in honest:  # who takes what an honest person has gets no further, and ends the play
                commands += [o.NotePassword(chance.choice((by, CLI)), NOW, person, digest, session)] * 2
                commands += [o.RetireAccount(by, NOW, person, "away")] if person != ADA else []
            if links:
                link, whose = chance.choice(links)
                commands += [o.BeginSession("system", NOW, whose, digest, "here", link, key())] * 3
            command = chance.choice(commands)
            if (
                isinstance(command, o.BeginSession)
                and not command.link
                and here.accounts[person].maker == person in honest
            ):
                continue  # a password that only its owner knows
            if isinstance(command, o.NotePassword) and command.person == ADA:
                continue  # that would only take from her what she has
            try:
                do(here, command)
            except Refused:
                continue
            if isinstance(command, o.MakeLink):
                links.append((digest, person))
            if isinstance(command, o.BeginSession):
                theirs.append(digest)
            standing = {here.sessions[one].person for one in theirs if stands(here, one)}
            assert standing <= {ADA}, (seed, step, command)
        assert all(stands(here, session) for session in honest.values() if session in here.sessions)
        assert load(dump(here)) == here
