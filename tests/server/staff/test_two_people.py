"""Two people are two people, through every route and the command line: each way to be both is refused with an alert."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.floor.config import OFFICE, first_accounts, read_tables
from croupier.office import messages as o
from croupier.server.sessions import hash_password, key_of, secret_of
from croupier.server.staff.context import StaffSettings
from croupier.store.folder import Premises, open_store
from croupier.store.journal import read_rows
from croupier.store.recorder import Recorder
from croupier.store.streams.made import OfficeMade
from croupier.table import messages as m
from croupier.table.messages import PersonId
from tests.server.staff_floor import ORIGIN, StaffFloor, run
from tests.support import command_line as cli
from tests.support.floors import TABLES, check
from tests.support.sign_in import begin, confirm, found, sign_in

TABLE = "sicbo-rws"
WORD, HERS = "correct horse battery", "chosen by the thief"
GIFT: dict[str, Any] = {"type": "GiveCredit", "seat": "A1", "amount": 500_000_000, "reason": "a birthday"}
DAY = 24 * 60 * 60 * 1000


async def ask(here: StaffFloor, client: httpx.AsyncClient) -> httpx.Response:
    return await here.give(client, TABLE, **GIFT)


async def sign(here: StaffFloor, client: httpx.AsyncClient, request: int) -> httpx.Response:
    digest = here.floor.tables[TABLE].table.requests[request].digest
    return await here.give(client, TABLE, "Approve", request=request, digest=digest)


async def choose(here: StaffFloor, client: httpx.AsyncClient, person: str, old: str = "") -> None:
    """A password of their own, and a session with it."""
    set_ = await client.post("/api/session/password", json={"old": old, "new": HERS})
    assert set_.status_code == 200, set_.text
    client.cookies.delete("croupier")
    signed = await client.post("/api/session", json={"person": person, "password": HERS})
    assert signed.json()["person"] == person, signed.text


def refusals(here: StaffFloor) -> list[tuple[str, str, str, str]]:
    """The alerts of acts that need two people: who was refused, why, and of whom that speaks."""
    told = [one for one in here.floor.accounts.alerts.values() if one.kind == "two-people"]
    return [
        (
            str(one.facts["by"]),
            one.because.reason,
            one.because.case,
            str(one.because.facts.get("person") or one.because.facts.get("maker")),
        )
        for one in told
        if one.because is not None
    ]


def lent(here: StaffFloor) -> list[tuple[str, str]]:
    """The alerts of those who have signed in with what another made."""
    told = [one for one in here.floor.accounts.alerts.values() if one.kind == "credential"]
    return [(str(one.facts["person"]), str(one.facts["maker"])) for one in told]


def approvals(here: StaffFloor) -> int:
    """Approvals in the journals of all tables and the cage."""
    return sum(
        b'"type":"ApprovalGiven"' in row.body
        for stream in here.floor.store.streams()
        for row in read_rows(here.floor.store, stream)
    )


async def tried(here: StaffFloor, thief: httpx.AsyncClient, other: httpx.AsyncClient) -> set[str]:
    """Ask as one and sign as the other, both ways round: the reasons why nothing came of it."""
    said = set()
    for one, two in ((thief, other), (other, thief)):
        asked = await ask(here, one)
        if asked.status_code == 200:
            asked = await sign(here, two, asked.json()["events"][0]["request"])
        assert asked.status_code in (401, 403, 409), asked.text
        said.add(asked.json()["reason"])
    return said


def test_an_administrator_alone_cannot_make_one_approval(tmp_path: Path) -> None:
    """Max is shift-manager at the tables and administrator; the honest are Sam, Pat and whoever began the floor. Max
    makes links, passwords and people, in the office and at the machine; each way is refused, and raises an alert."""
    thief = "Max"
    premises = Premises(tmp_path / "floor")

    async def the_office(here: StaffFloor) -> None:
        await found(here.floor)
        admin = await sign_in(here.floor, "admin")
        async with here.client(admin) as honest:
            made = {"person": thief, "roles": ["shift-manager", "administrator"]}
            assert (await here.send(honest, "/api/office/commands", "SetRoles", **made)).status_code == 200
        async with here.as_(thief) as max_, here.client() as browser:
            await here.give(max_, TABLE, "OpenTable")
            office = "/api/office/commands"
            # A link for somebody who is confirmed, used as it is and then with a password chosen in it.
            link = (await max_.post("/api/office/links", json={"person": "Sam"})).json()["path"]
            assert (await browser.post(link)).json()["standing"] == "lent"
            assert await tried(here, max_, browser) == {"unconfirmed"}
            await choose(here, browser, "Sam")
            assert await tried(here, max_, browser) == {"unconfirmed"}
            sam = here.floor.accounts.accounts[PersonId("Sam")]
            for client in (max_, browser):  # neither of them is a second person who knows Sam
                confirmed = await here.send(client, office, "ConfirmPerson", person="Sam", digest=sam.password)
                assert confirmed.status_code in (403, 409)
            # A password for somebody else.
            given = await max_.post("/api/office/passwords", json={"person": "Sam", "password": WORD})
            assert given.status_code == 200
            async with here.client() as second:
                await second.post("/api/session", json={"person": "Sam", "password": WORD})
                assert await tried(here, max_, second) == {"unconfirmed"}
                await choose(here, second, "Sam", WORD)
                assert await tried(here, max_, second) == {"unconfirmed"}
            # A new person, in the House and at the table, with rank; retired and made again under a name that looks
            # the same.
            roles = ["pit-manager", "shift-manager"]
            for name in ("Eve", "Еvе", "EVE"):
                made_ = await here.send(max_, office, "MakeAccount", person=name, roles=[*roles, "administrator"])
                assert made_.status_code == (200 if name == "Eve" else 409)
            await here.give(max_, TABLE, "AssignStaff", person="Eve", roles=["shift-manager"])
            link = (await max_.post("/api/office/links", json={"person": "Eve"})).json()["path"]
            async with here.client() as eve:
                await eve.post(link)
                assert await tried(here, max_, eve) == {"unconfirmed"}
                await choose(here, eve, "Eve")
                assert await tried(here, max_, eve) == {"unconfirmed"}
                # Eve is administrator too: what she makes is worth no more than she is.
                again = (await eve.post("/api/office/links", json={"person": "Sam"})).json()["path"]
                async with here.client() as third:
                    await third.post(again)
                    await choose(here, third, "Sam")
                    assert await tried(here, eve, third) == {"unconfirmed"}
                    digest = here.floor.accounts.accounts[PersonId("Sam")].password
                    for client in (max_, eve, third):
                        await here.send(client, office, "ConfirmPerson", person="Sam", digest=digest)
                    assert await tried(here, max_, third) == {"unconfirmed"}
            await here.send(max_, office, "RetireAccount", person="Eve", reason="has served")
            assert (await here.send(max_, office, "MakeAccount", person="Eve", roles=roles)).status_code == 409
            # Max's own way in, twice; rights for the cashier; the rights of what only the machine may say.
            link = (await max_.post("/api/office/links", json={"person": thief})).json()["path"]
            async with here.client() as twice:
                await twice.post(link)
                assert await tried(here, max_, twice) <= {"unconfirmed", "same-person"}
            assert (
                await max_.post("/api/office/passwords", json={"person": thief, "password": WORD})
            ).status_code == 409
            forged = {"person": "Sam", "digest": "0" * 64, "session": "0" * 64}
            assert (await here.send(max_, office, "ConfirmPerson", **forged)).status_code == 422
            for only in ("NameFounders", "NoteAsker", "AdoptRules", "NotePassword", "MakeLink", "BeginSession"):
                assert (await here.send(max_, office, only, person="Sam")).status_code == 422
        assert approvals(here) == 0
        assert ("Sam", "unconfirmed", "not-own-password", "Max") in refusals(here)
        assert ("Sam", "Max") in lent(here)
        assert "Eve" in {by for by, *_ in refusals(here)}

    def the_machine() -> None:
        folder = ("--floor", str(premises.folder), "--tables", str(TABLES))
        assert cli.run("account", "make", "Mallory", "shift-manager", "administrator", *folder[:2])[0] == 0
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("getpass.getpass", lambda _: WORD)
            for person in ("Mallory", "Sam", "Pat"):
                assert cli.run("account", "password", person, "--ask", *folder[:2])[0] == 0
            code, _, said = cli.run("account", "founders", "Mallory", thief, *folder[:2])
            assert (code, "founders only once" in said) == (2, True)
        assert cli.run("account", "roles", "Mallory", "administrator", "pit-manager", *folder[:2])[0] == 0
        evening = tmp_path / "evening.round"
        evening.write_text("table T9 rws-sicbo-etg-v2 A\nbegins 2026-11-16T12:00:00Z\nseat Ann 100.00\n")
        code, _, said = cli.run("play", str(evening), *folder[:2])
        assert (code, "has accounts" in said) == (2, True)

    async def after_the_machine(here: StaffFloor) -> None:
        here._ids = itertools.count(1_000)  # those before are in the journal
        async with here.client(await begin(here.floor, thief)) as max_, here.client() as other, here.client() as sam:
            await here.give(max_, TABLE, "AssignStaff", person="Mallory", roles=["shift-manager"])
            for client, person in ((other, "Mallory"), (sam, "Sam")):
                await client.post("/api/session", json={"person": person, "password": WORD})
                assert await tried(here, max_, client) == {"unconfirmed"}
                await choose(here, client, person, WORD)
                digest = here.floor.accounts.accounts[PersonId(person)].password
                stood = await here.send(max_, "/api/office/commands", "ConfirmPerson", person=person, digest=digest)
                assert stood.status_code == 200, "Max may stand for whom the machine has let in, but is one person"
                assert await tried(here, max_, client) == {"unconfirmed"}
            for one, person in ((other, "Sam"), (sam, "Mallory")):
                digest = here.floor.accounts.accounts[PersonId(person)].password
                stood = await here.send(one, "/api/office/commands", "ConfirmPerson", person=person, digest=digest)
                assert stood.json()["reason"] == "unconfirmed"
            assert await tried(here, other, sam) == {"unconfirmed"}
        assert approvals(here) == 0
        assert any(person == "Mallory" and maker.startswith("machine/") for person, maker in lent(here))
        assert refusals(here)

    run(tmp_path, the_office)
    the_machine()
    run(tmp_path, after_the_machine)
    check(premises)


def test_two_people_at_one_browser_are_not_two(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        for person in ("Sam", "Max"):
            session = key_of(await sign_in(here.floor, person))
            await here.sessions.set_password(PersonId(person), f"{WORD} {person}", person, session)
        async with here.client() as one, here.client() as another:
            await one.post("/api/session", json={"person": "Max", "password": f"{WORD} Max"})
            await here.give(one, TABLE, "OpenTable")
            await one.delete("/api/session")
            await one.post("/api/session", json={"person": "Sam", "password": f"{WORD} Sam"})
            number = (await ask(here, one)).json()["events"][0]["request"]
            await one.delete("/api/session")
            await one.post("/api/session", json={"person": "Max", "password": f"{WORD} Max"})
            refused = await sign(here, one, number)
            assert (refused.status_code, refused.json()["reason"]) == (403, "same-browser")
            assert ("Max", "same-browser", "asked", "Sam") in refusals(here)
            await another.post("/api/session", json={"person": "Max", "password": f"{WORD} Max"})
            assert (await sign(here, another, number)).status_code == 200
        kept = b"".join(row.body for row in read_rows(here.floor.store, "office"))
        for client in (one, another):
            assert client.cookies["croupier-browser"].encode() not in kept

    run(tmp_path, play)
    check(Premises(tmp_path / "floor"))


def test_a_request_of_a_retired_person_cannot_be_approved(tmp_path: Path) -> None:
    """At the table Sam is still on the staff; in the office Sam is gone."""

    async def play(here: StaffFloor) -> None:
        async with here.as_("Max") as max_, here.as_("Sam") as sam, here.as_("Cass") as cass:
            await here.give(max_, TABLE, "OpenTable")
            number = (await ask(here, sam)).json()["events"][0]["request"]
            sold = await here.send(cass, "/api/cage/commands", "SellTicket", amount=5000)
            void = {"ticket": sold.json()["events"][0]["ticket"], "reason": "lost"}
            at_cage = (await here.send(cass, "/api/cage/commands", "VoidTicket", **void)).json()["events"][0]
            for person in ("Sam", "Cass"):
                gone = o.RetireAccount("machine/test", here.floor.clock.now(), PersonId(person), "dismissed")
                await here.floor.give(here.floor.office, gone)
            assert "Sam" in here.floor.tables[TABLE].table.staff
            refused = await sign(here, max_, number)
            assert (refused.status_code, refused.json()["reason"]) == (409, "asker")
            body = {"request": at_cage["request"], "digest": at_cage["digest"]}
            refused = await here.send(max_, "/api/cage/commands", "ApproveRequest", **body)
            assert (refused.status_code, refused.json()["reason"]) == (409, "asker")
        assert ("Max", "asker", "retired", "Cass") in refusals(here)

    run(tmp_path, play)


def test_a_request_from_an_unknown_session_must_be_made_again(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        live = here.floor.tables[TABLE]
        async with here.as_("Max") as max_, here.as_("Sam") as sam:
            await here.give(max_, TABLE, "OpenTable")
            gift: Any = m.GiveCredit("Sam", here.floor.clock.now(), live.config.seat_ids()[0], 100, "x")  # type: ignore[arg-type]
            await here.deal(TABLE, gift)
            refused = await sign(here, max_, max(live.table.requests))
            assert (refused.status_code, refused.json()["reason"]) == (409, "asker")
            body = {"id": "g1", "command": GIFT | {"amount": 100}}
            asked = [await sam.post(f"/api/tables/{TABLE}/commands", json=body) for _ in range(2)]
            assert asked[1].json()["again"]
            assert (await sign(here, max_, asked[0].json()["events"][0]["request"])).status_code == 200

    run(tmp_path, play)
    check(Premises(tmp_path / "floor"))


def test_a_person_sees_their_standing_and_the_people_they_may_confirm(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        await found(here.floor)
        await confirm(here.floor, "Cass")
        async with here.as_("admin") as admin, here.as_("Max") as max_, here.client() as dana:
            link = (await admin.post("/api/office/links", json={"person": "Dana"})).json()["path"]
            assert (await dana.post(link)).json()["standing"] == "lent"
            assert (await max_.get("/api/pit")).json()["snapshot"]["unconfirmed"] == []
            await choose(here, dana, "Dana")
            mine = (await dana.get("/api/session")).json()
            (seen,) = (await max_.get("/api/pit")).json()["snapshot"]["unconfirmed"]
            (also,) = (await admin.get("/api/office")).json()["unconfirmed"]
            assert (mine["standing"], mine["code"]) == ("unconfirmed", seen["code"])
            assert (seen["person"], seen["vouched_by"], seen["missing"], seen["may"]) == ("Dana", ["admin"], 1, True)
            assert not also["may"], "admin made the link"
            body = {"person": "Dana", "digest": seen["digest"]}
            assert (await here.send(max_, "/api/office/commands", "ConfirmPerson", **body)).status_code == 200
            assert (await dana.get("/api/session")).json()["standing"] == "confirmed"

    run(tmp_path, play)


def test_a_floor_of_before_the_rules_plays_on_with_its_people(tmp_path: Path) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()
    store, secret = open_store(premises.address, make=True), secret_of(hash_password(WORD))
    accounts = first_accounts(read_tables(TABLES))
    before = Recorder.make(store, "before", 1, 0, OfficeMade(OFFICE, accounts))
    store.put_secret(secret)
    assert before.give(o.NotePassword("Sam", 2, PersonId("Sam"), secret.key)).entry.refused is None
    assert before.give(o.NotePassword("machine/test", 2, PersonId("Max"), "0" * 64)).entry.refused is None
    assert before.give(o.MakeAccount("admin", 3, PersonId("Sаm"), ("dealer",))).entry.refused is None
    store.release(before.lease)
    store.close()

    async def play(here: StaffFloor) -> None:
        async with here.client() as sam, here.client(await begin(here.floor, "Max")) as max_:
            signed = await sam.post("/api/session", json={"person": "Sam", "password": WORD})
            assert signed.json()["standing"] == "confirmed"
            assert {name for name, one in here.floor.accounts.accounts.items() if one.confirmed} == {"Sam"}
            assert "Sаm" in here.floor.accounts.accounts
            assert (await ask(here, sam)).status_code == 200
            assert (await ask(here, max_)).json()["reason"] == "unconfirmed"

    run(tmp_path, play)
    check(premises)


def test_a_demonstration_says_so_and_lets_a_visitor_be_everybody(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as visitor:
            assert (await visitor.get("/api/floor")).json()["demo"] is True
            people = (await visitor.get("/api/demo/people")).json()["people"]
            links = {person["person"]: person["link"] for person in people}
            assert (await visitor.post(links["Sam"])).json()["standing"] == "confirmed"
            number = (await ask(here, visitor)).json()["events"][0]["request"]
            assert (await visitor.post(links["Max"])).json()["person"] == "Max"
            assert (await sign(here, visitor, number)).status_code == 200
        assert {alert.kind for alert in here.floor.accounts.alerts.values()} & {"credential", "two-people"} == set()

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), demo=True))


async def stand_still(here: StaffFloor, dealer: httpx.AsyncClient) -> dict[str, Any]:
    """A round with its dice at rest and read, and the Dealer's report that one is not flat."""
    now, table = here.floor.clock.now, here.floor.tables[TABLE].table
    device = next(name for name, roles in table.staff.items() if "device" in roles)
    await here.deal(
        TABLE,
        *([] if table.open else [m.OpenTable("Max", now())]),
        m.OpenBetting("Dana", now()),
        m.CallNoMoreBets("Dana", now()),
        m.StartMotion("Dana", now()),
        m.EndMotion(device, now(), 3),
        m.SenseResult(device, now(), "1-3-4"),
    )
    said = await here.give(dealer, TABLE, "Report", irregularity="not-flat", note="the third die leans")
    noted, event = said.json()["events"]
    assert (noted["type"], event["type"]) == ("Reported", "ReportContradicted"), said.text
    return dict(event)


def test_a_round_that_stands_still_is_decided_in_another_browser_than_it_was_reported_in(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        table = here.floor.tables[TABLE].table
        for person in ("Dana", "Sam"):
            session = key_of(await sign_in(here.floor, person))
            await here.sessions.set_password(PersonId(person), f"{WORD} {person}", person, session)

        async def become(client: httpx.AsyncClient, person: str) -> None:
            await client.delete("/api/session")
            await client.post("/api/session", json={"person": person, "password": f"{WORD} {person}"})

        async with here.client() as one, here.client() as another:
            await become(another, "Sam")
            for act, ending in (("Approve", "void"), ("Decline", "goes-on")):
                await become(one, "Dana")
                event = await stand_still(here, one)
                view = (await another.get(f"/api/tables/{TABLE}/console")).json()["snapshot"]
                assert (view["state"], view["next"], view["keys"]) == ("standing-still", None, [])
                assert view["irregularities"] == []
                (waiting,) = view["requests"]
                assert (waiting["by"], waiting["may"], waiting["device"]["outcome"]) == ("Dana", True, "1-3-4")
                decision = {"request": event["request"]} | ({"digest": event["digest"]} if act == "Approve" else {})
                refused = await here.give(one, TABLE, act, **decision)
                assert refused.json()["reason"] == "permission"
                await become(one, "Sam")  # Dana has learned the password of Sam
                refused = await here.give(one, TABLE, act, **decision)
                assert (refused.status_code, refused.json()["reason"]) == (403, "same-browser"), refused.text
                assert table.requests
                done = await here.give(another, TABLE, act, **decision)
                assert done.status_code == 200, done.text
                report = (await another.get("/api/disagreements")).json()
                last = report["disagreements"][-1]
                assert (last["table"], last["person"], last["ending"]) == (TABLE, "Dana", ending)
                assert last["decided_by"] == "Sam"
            assert report["by_person"] == [{"name": "Dana", "disagreements": 2, "voids": 1}]
            await become(one, "Dana")
            assert (await one.get("/api/disagreements")).status_code == 403

    run(tmp_path, play)
    check(Premises(tmp_path / "floor"))
