"""A floor as its keeper runs it: real processes and sockets, killed and started again; TLS, timers, bugs, bad disks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest
from websockets.asyncio.client import connect

from croupier.cage import messages as c
from croupier.floor.config import read_tables
from croupier.floor.timers import Timers, _due
from croupier.protocol import terminal as protocol
from croupier.rules.findings import Finding, found
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact, Refused
from croupier.server import approved_software
from croupier.server import serve as serving
from croupier.server.serve import UNKNOWN, Running, serve, tls_context
from croupier.server.sessions import Sessions
from croupier.server.settings import read_settings
from croupier.store.folder import Premises, open_store
from croupier.store.journal import Indeterminate, read_rows
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.entry import AnyEntry
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import SeatId
from croupier.table.tickets import ticket_number
from tests.server.test_sessions import Jumping
from tests.support.certificates import Authority
from tests.support.command_line import croupier
from tests.support.floors import TABLES, check, opened, until
from tests.support.processes import LIMIT, browser, same_program, server

TABLE = "sicbo-rws"
ANY = {"public": False, "staff_port": 0, "approved": "off"}


def take_seat(sam: httpx.Client, word: str) -> str:
    """A supervisor signs in and opens a seat. Returns the cookie."""
    said = sam.post("/api/session", json={"person": "Sam", "password": word})
    assert said.status_code == 200, said.text
    command = {"type": "TakeSeat", "seat": "A1", "layout": "A"}
    done = sam.post(f"/api/tables/{TABLE}/commands", json={"id": "seat-1", "command": command})
    assert done.status_code == 200, done.text
    return said.headers["set-cookie"]


@pytest.fixture
def house(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A floor made by its keeper, and the passwords that were shown."""
    made = croupier("init", "--tables", str(TABLES), cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    words = dict(re.findall(r"^(\w+) .* (\w{4}-\w{4}-\w{4}-\w{4})$", made.stdout, re.MULTILINE))
    return tmp_path, words


def test_a_floor_is_made_served_killed_and_served_again(house: tuple[Path, dict[str, str]]) -> None:
    folder, words = house
    assert {"admin", "Dana", "Sam", "Pat", "Max", "Cass"} <= set(words)
    assert "automat" not in words
    with server(folder) as first, browser(first) as dana:
        assert dana.post("/api/session", json={"person": "Dana", "password": "not her password"}).status_code == 401
        said = dana.post("/api/session", json={"person": "Dana", "password": words["Dana"]})
        assert said.status_code == 200, said.text
        assert dana.get("/ready").json()["well"] is True
        busy = croupier("account", "list", cwd=folder)
        assert (busy.returncode, "a server has this floor open" in busy.stderr) == (2, True)
        first.process.kill()  # as a power failure would
        first.process.wait(LIMIT)
        cookies = dict(dana.cookies)
    with server(folder) as second, browser(second) as dana:
        dana.cookies.update(cookies)
        assert dana.get("/api/session").json()["person"] == "Dana"
        text = second.log.read_text()
        assert all(secret not in text for secret in (*words.values(), *cookies.values()))
        assert second.end() == 0
        assert second.lines()[-1]["event"] == "closed"
    listed = croupier("account", "list", "--json", cwd=folder)
    assert {one["person"] for one in json.loads(listed.stdout)} == set(words)
    check(Premises(folder / "floor"))


def test_founders_begin_at_the_machine_and_passkeys_once_required_stay_so(house: tuple[Path, dict[str, str]]) -> None:
    folder, _ = house
    founders = ("account", "founders", "admin", "Max")
    typed = iter(["one long secret", "another long secret", *["one long secret"] * 2, *["a third long secret"] * 2])
    with patch("getpass.getpass", lambda _: next(typed)):
        assert "two different passwords; nothing was changed" in croupier(*founders, cwd=folder).stderr
        assert croupier(*founders, cwd=folder).stdout == "admin, Max are confirmed; they can confirm other people now\n"
    with patch("getpass.getpass", lambda _: "one long secret"):
        assert "a floor names its founders only once" in croupier(*founders, cwd=folder).stderr
    listed = json.loads(croupier("account", "list", "--json", cwd=folder).stdout)
    assert {one["person"]: one["vouched_by"] for one in listed if one["confirmed"]} == {
        "admin": ["Max"],
        "Max": ["admin"],
    }
    assert "confirmed by Max" in croupier("account", "list", cwd=folder).stdout
    for setting in (("--set", "approvals=passkey"), ()):
        with server(folder, *setting) as floor, browser(floor) as max_:
            said = max_.post("/api/session", json={"person": "Max", "password": "a third long secret"}).json()
            assert (said["standing"], said["signs"]) == ("confirmed", True)
            assert floor.end() == 0
    assert "credential" not in croupier("alerts", cwd=folder).stdout, (
        "founders came by what they have chosen themselves"
    )
    check(Premises(folder / "floor"))


def test_a_keeper_makes_and_retires_accounts_and_terminals(house: tuple[Path, dict[str, str]]) -> None:
    folder, words = house
    made = croupier("account", "make", "Tim", "dealer", "auditor", cwd=folder)
    assert re.fullmatch(r"Tim can sign in with the password \w{4}(-\w{4}){3}\n", made.stdout)
    assert "Tim has an account already" in croupier("account", "make", "Tim", "dealer", cwd=folder).stderr
    assert "there is no role “king”" in croupier("account", "make", "Kim", "king", cwd=folder).stderr
    assert croupier("account", "roles", "Tim", "cashier", cwd=folder).stdout == "Tim is cashier\n"
    assert croupier("account", "password", "Tim", cwd=folder).returncode == 0
    assert croupier("account", "retire", "Tim", "--reason", "left", cwd=folder).stdout == "Tim is retired\n"
    assert croupier("account", "password", "Tim", cwd=folder).returncode == 2
    token = croupier("enrol", TABLE, "A1", "--tables", str(TABLES), cwd=folder).stdout.split()[-1]
    assert len(token) == 43
    assert "no seat" in croupier("enrol", TABLE, "Z9", "--tables", str(TABLES), cwd=folder).stderr
    with server(folder) as floor, browser(floor) as sam:
        take_seat(sam, words["Sam"])
        assert asyncio.run(_welcomed(floor.open["terminals"], token)) == (TABLE, "A1")
        assert floor.end() == 0
    assert croupier("retire", TABLE, "A1", cwd=folder).returncode == 0
    assert "no terminal is enrolled" in croupier("retire", TABLE, "A1", cwd=folder).stderr
    told = croupier("alerts", cwd=folder).stdout
    assert "Sam has signed in with a password or link that machine/" in told
    assert 'approved is "off"' in told
    assert croupier("alerts", "--acknowledge", "1", "--acknowledge", "2", cwd=folder).returncode == 0
    store = open_store(str(folder / "floor" / "floor.db"))
    rows = [row.kind for row in read_rows(store, "office")]
    store.close()
    assert rows.count("MakeAccount") == 2  # one made, one refused
    check(Premises(folder / "floor"))


async def _welcomed(address: str, token: str, tls: ssl.SSLContext | None = None) -> tuple[str, str]:
    """The seat in the welcome of a terminal."""
    async with asyncio.timeout(LIMIT), connect(address, ssl=tls) as socket:
        await socket.send(json.dumps({"do": "hello", "version": protocol.VERSION, "token": token}))
        said = json.loads(await socket.recv())
        assert said["said"] == "welcome"
        return said["table"], said["seat"]


def test_ctrl_c_ends_a_demonstration_and_leaves_nothing(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    log = (tmp_path / "out").open("w+")
    people = {"administrator", "dealer", "pit-supervisor", "cashier", "shift-manager"}
    words = ["serve", "--demo", "--staff-port", "0", "--terminal-port", "0", "--tables", str(TABLES)]
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier.cli", *words],
        cwd=tmp_path,
        stdout=log,
        env=same_program() | {"TMPDIR": str(scratch)},
    )
    try:
        for _ in range(LIMIT * 20):
            text = (tmp_path / "out").read_text()
            links = re.findall(r"(http://\S+/enter/\S+)   (\S+)", text)
            if {role for _, role in links} >= people:
                break
            assert process.poll() is None
            time.sleep(0.05)
        assert {role for _, role in links} >= people
        assert "demonstration" in text
        with httpx.Client(timeout=LIMIT) as client:
            address = links[0][0].partition("/enter")[0]
            entered = client.post({role: link for link, role in links}["dealer"], headers={"Origin": address})
            assert entered.status_code == 200
            assert client.get(f"{address}/api/session").json()["person"] == "Dana"
            assert client.get(f"{address}/api/floor").json()["demo"] is True
            people = client.get(f"{address}/api/demo/people").json()["people"]
            assert {"auditor", "administrator", "dealer", "cashier"} <= {
                role for one in people for role in one["roles"]
            }
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 0
        assert [one for one in scratch.iterdir() if "demo" in one.name] == []
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(LIMIT)
        log.close()


# ---- TLS


def test_both_doors_speak_tls_and_terminals_show_their_certificates(house: tuple[Path, dict[str, str]]) -> None:
    folder, words = house
    authority = Authority(folder)
    certificate, key = authority.issue("floor", "127.0.0.1")
    own, own_key = authority.issue("terminal")
    token = croupier("enrol", TABLE, "A1", "--tables", str(TABLES), cwd=folder).stdout.split()[-1]
    settings = folder / "croupier.toml"
    settings.write_text(
        f'staff_certificate = "{certificate}"\nstaff_key = "{key}"\n'
        f'terminal_certificate = "{certificate}"\nterminal_key = "{key}"\nterminal_ca = "{authority.certificate}"\n'
    )
    trusting = ssl.create_default_context(cafile=authority.certificate)
    showing = ssl.create_default_context(cafile=authority.certificate)
    showing.load_cert_chain(own, own_key)
    with server(folder, "--set", "public=true", "--set", "public_port=0") as floor:
        assert floor.address.startswith("https://")
        assert floor.open["public"].startswith("https://")
        with httpx.Client(base_url=floor.open["public"], verify=trusting, timeout=LIMIT) as stranger:
            assert stranger.get("/health").headers["strict-transport-security"] == "max-age=31536000"
        assert floor.open["terminals"].startswith("wss://")
        with browser(floor, trusting) as sam:
            assert "Secure" in take_seat(sam, words["Sam"])
        with pytest.raises(httpx.ConnectError), browser(floor) as stranger:
            stranger.get("/health")
        assert asyncio.run(_welcomed(floor.open["terminals"], token, showing)) == (TABLE, "A1")
        assert _shakes_hands(floor.open["terminals"], showing)
        assert not _shakes_hands(floor.open["terminals"], trusting), "it showed no certificate"
        assert floor.end() == 0


def _shakes_hands(address: str, tls: ssl.SSLContext) -> bool:
    """Whether a request for a WebSocket over TLS is answered."""
    host, port = address.removeprefix("wss://").rstrip("/").split(":")
    try:
        with (
            socket.create_connection((host, int(port)), timeout=LIMIT) as plain,
            tls.wrap_socket(plain, server_hostname=host) as safe,
        ):
            safe.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return bool(safe.recv(1))
    except (ssl.SSLError, ConnectionError):
        return False


def test_a_certificate_that_cannot_be_used_is_refused_before_anything_opens(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, _ = authority.issue("one")
    _, other = authority.issue("two")
    with pytest.raises(Refused, match="tls files"):
        tls_context(certificate, other)
    with pytest.raises(Refused, match=r"tls files .* error=No such file or directory$"):  # no words that Python adds
        tls_context(tmp_path / "none.pem", other)


# ---- what must stop a floor, and what must not


def run_here(folder: Path, spoil: object, **others: object) -> int:
    """Serve in this process; `spoil` is called when the doors are open."""
    premises = Premises(folder / "floor")
    premises.init()
    given = {"floor": premises.folder, **ANY, "terminal_port": 0}
    settings = read_settings(given | others)

    async def ready(running: Running) -> None:
        await spoil(running)  # type: ignore[operator]

    async def main() -> int:
        async with asyncio.timeout(LIMIT):
            return await serve(settings, read_tables(TABLES), ready=ready)

    return asyncio.run(main())


def test_a_commit_of_unknown_outcome_ends_the_process_with_an_exit_code_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def spoil(running: Running) -> None:
        def fails(*_: object) -> None:
            raise Indeterminate(found("store", "failed", error="the disk did not answer"))

        monkeypatch.setattr(SqliteStore, "append", fails)
        running.floor.alert("disk", "full")

    assert run_here(tmp_path, spoil) == UNKNOWN
    monkeypatch.undo()
    store = open_store(Premises(tmp_path / "floor").address)
    assert verify(store).lies == []
    store.close()


def test_unapproved_software_raises_an_alert_and_is_compared_again_every_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(approved_software, "DAY", 0.05)

    def unapproved(*given: object) -> list[Finding]:
        asked.append(given)
        return [] if len(asked) == 1 else [found("software", "other", place=place) for place in ("money.py", *"abcd")]

    monkeypatch.setattr(approved_software, "unapproved", unapproved)

    async def ends_with(running: Running, case: str, **facts: Fact) -> None:
        alerts = running.floor.accounts.alerts
        await until(lambda: alerts, LIMIT)
        assert [(one.kind, one.case, one.facts) for one in alerts.values()] == [("software", case, facts)]
        os.kill(os.getpid(), signal.SIGTERM)

    async def changed(running: Running) -> None:
        await ends_with(running, "other", differences=5, places=("money.py", "a", "b"))

    async def off(running: Running) -> None:
        await ends_with(running, "off")

    assert run_here(tmp_path / "one", changed, approved="refuse", approver=Path("approver.pub")) == 0
    assert len(asked) >= 2
    assert asked[0][1] == Path("approver.pub")
    assert run_here(tmp_path / "two", off) == 0


def test_the_lab_of_a_floor_takes_no_machine_code_from_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba keeps compiled code that people cannot read, so each start begins with an empty folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "doctored"))
    of_killed = tmp_path / "floor" / "loops" / "numba_players.py.1.nbc"
    of_killed.parent.mkdir(parents=True)
    of_killed.write_bytes(b"doctored")
    folders = []

    async def look(running: Running) -> None:
        folder = Path(os.environ["NUMBA_CACHE_DIR"])
        assert list(folder.iterdir()) == []
        assert folder.stat().st_mode & 0o077 == 0
        folders.append(folder)
        os.kill(os.getpid(), signal.SIGTERM)

    assert run_here(tmp_path, look) == 0
    assert folders != [tmp_path / "doctored"]
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "doctored")
    assert not folders[0].exists()


def test_a_table_that_hits_a_bug_stops_says_so_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "Workers", _NoWorkers)

    async def spoil(running: Running) -> None:
        floor = running.floor
        broken, fine = floor.tables["taisai-nz"], floor.tables[TABLE]

        def bug(*_: object) -> None:
            raise AssertionError("we are wrong")

        monkeypatch.setattr(broken.recorder.subject, "decided", bug)
        assert await floor.give(broken.recorder, m.OpenTable("Max", floor.clock.now())) is None
        await until(lambda: any(one.kind == "table-stopped" for one in floor.accounts.alerts.values()), LIMIT)
        (alert,) = (one for one in floor.accounts.alerts.values() if one.kind != "software")
        assert (alert.table, alert.open) == ("taisai-nz", True)
        answer = await floor.give(fine.recorder, m.OpenTable("Max", floor.clock.now()))
        assert answer is not None
        assert answer.entry.refused is None
        os.kill(os.getpid(), signal.SIGTERM)

    assert run_here(tmp_path, spoil) == 0
    check(Premises(tmp_path / "floor"))


def test_a_bug_in_a_screen_stops_no_table(tmp_path: Path) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def main() -> None:
        async with asyncio.timeout(LIMIT), opened(premises) as floor:
            live = floor.tables[TABLE]
            heard: list[AnyEntry] = []

            def bug(*_: object) -> None:
                raise ValueError("a secret of some round")

            floor.subscribe(TABLE, bug)
            floor.subscribe(TABLE, lambda stream, entries: heard.extend(entries))
            for command in (m.OpenTable("Max", floor.clock.now()), m.OpenBetting("Dana", floor.clock.now())):
                assert await floor.give(live.recorder, command) is not None
            assert len(heard) == 2
            await until(lambda: any(one.kind != "software" for one in floor.accounts.alerts.values()), LIMIT)
            (alert,) = (one for one in floor.accounts.alerts.values() if one.kind != "software")
            assert (alert.kind, alert.table) == ("screen-fault", TABLE)
            assert alert.facts["error"] == "ValueError"
            assert str(alert.facts["place"]).startswith("test_serve.py:")
            assert "secret" not in str(alert)

    asyncio.run(main())
    check(premises)


def test_a_port_in_use_is_refused_and_the_floor_is_released(tmp_path: Path) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = read_settings(
            {"floor": premises.folder, "public": False, "staff_port": 0, "terminal_port": port, "approved": "off"}
        )
        with pytest.raises(
            Refused, match=f"port taken door=terminal address=127.0.0.1:{port} error=Address already in use"
        ):
            asyncio.run(serve(settings, read_tables(TABLES)))
    store = open_store(premises.address)
    assert store.take("office", "another", 0, 1).epoch == 2
    store.close()


class _NoWorkers:
    def __init__(self, *_: object) -> None: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


# ---- time


def test_requests_lapse_and_tickets_expire_as_commands_of_the_system(tmp_path: Path) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()
    number = ticket_number(77)

    async def main() -> None:
        async with asyncio.timeout(LIMIT), opened(premises) as floor:
            clock = floor.clock = Jumping(floor.clock)
            Sessions(floor)
            live, now = floor.tables[TABLE], floor.clock.now
            seat = SeatId("A1")
            await floor.give(live.recorder, m.TakeSeat("Sam", now(), seat, live.table.displayed[0]))
            await floor.give(live.recorder, m.GiveCredit("Sam", now(), seat, Cents(1_00), "sorry"))
            await floor.give(floor.cage, c.SellTicket("Cass", now(), number, Cents(5_00), now() + 86_400_000))
            found = c.VoidTicket("Cass", now(), number, Cents(5_00), now() + 86_400_000, "live", "misprint")
            await floor.give(floor.cage, found)
            assert isinstance(floor.cage.subject, CageSubject)
            assert (len(live.table.requests), len(floor.cage.subject.cage.requests)) == (1, 1)
            assert _due(premises, now()) == []
            clock.jumped += 2 * 86_400_000
            assert _due(premises, now()) == [number]
            timers = asyncio.create_task(Timers(floor).run())
            cage = floor.cage.subject.cage
            await until(lambda: not live.table.requests and not cage.requests and cage.counts["expired"], LIMIT)
            timers.cancel()
            rows = list(read_rows(floor.store, "cage"))[-2:]
            given = {(row.kind, json.loads(row.body)["command"]["by"]) for row in rows}
            assert given == {("DeclineRequest", "system"), ("ExpireTicket", "system")}

    asyncio.run(main())
    check(premises)


def test_when_people_deal_the_time_for_betting_is_a_countdown(tmp_path: Path) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def main() -> None:
        async with asyncio.timeout(LIMIT), opened(premises) as floor:
            live, now = floor.tables[TABLE], floor.clock.now
            object.__setattr__(live.config, "dealing", "people")
            told: list[int | None] = []
            Timers(floor)
            floor.subscribe(TABLE, lambda stream, entries: told.append(live.closes_at))
            await floor.give(live.recorder, m.OpenTable("Max", now()))
            before = now()
            await floor.give(live.recorder, m.OpenBetting("Dana", now()))
            assert live.closes_at is not None
            assert before + 30_000 <= live.closes_at <= now() + 30_000
            await floor.give(live.recorder, m.CallNoMoreBets("Dana", now()))
            assert told[-1] is None

    asyncio.run(main())


@pytest.mark.parametrize("end", ["void", "interrupted"])
def test_no_countdown_runs_on_when_bets_close_without_the_call(tmp_path: Path, end: str) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def main() -> None:
        async with asyncio.timeout(LIMIT), opened(premises) as floor:
            live, now = floor.tables[TABLE], floor.clock.now
            object.__setattr__(live.config, "dealing", "people")
            Timers(floor)
            for command in (m.OpenTable("Max", now()), m.OpenBetting("Dana", now())):
                await floor.give(live.recorder, command)
            assert live.closes_at is not None
            strikes = (
                m.Report("Dana", now(), "tumbled-before-close")
                if end == "void"
                else m.Interrupt("Dana", now(), "server")
            )
            answer = await floor.give(live.recorder, strikes)
            assert answer is not None
            assert answer.entry.refused is None, answer.entry.refused
            assert live.table.phase == ("ready" if end == "void" else "interrupted")
            assert live.closes_at is None

    asyncio.run(main())
