"""The public door: a separate process that receives what everyone may see, and that is restarted if it ends."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from croupier.server.staff.room import DisplayNow, Lobby
from tests.support.command_line import croupier
from tests.support.house import House, by_people, house
from tests.support.processes import LIMIT, browser, server

TABLE = "sicbo-rws"


def asked(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, timeout=LIMIT, trust_env=False)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with house(tmp_path_factory.mktemp("public"), by_people) as made:
        made.job = msgspec.structs.replace(made.job, settings={"public": "true"})
        made.start()
        made.give("Sam", TABLE, "OpenTable")
        yield made
        made.stop()
        made.verified()


def public(floor: House) -> str:
    """The address of the public pages, from the lobby."""
    with floor.browser("Sam") as sam:
        return str(sam.get("/api/floor").json()["public"])


def test_everyone_sees_lobby_displays_and_books_and_nothing_that_is_the_staffs(floor: House) -> None:
    address = public(floor)
    with asked(address) as stranger, floor.browser("Max") as max_:
        lobby = msgspec.json.decode(stranger.get("/api/floor").content, type=Lobby)
        assert [table.name for table in lobby.tables] == list(floor_tables(max_))
        assert (lobby.staff, lobby.public, lobby.demo) == (floor.access.origin, "", False)
        shown = msgspec.json.decode(stranger.get(f"/api/tables/{TABLE}").content, type=DisplayNow)
        mine = msgspec.json.decode(max_.get(f"/api/tables/{TABLE}").content, type=DisplayNow)
        assert (shown.seq, shown.snapshot) == (mine.seq, mine.snapshot)
        assert abs(shown.now - mine.now) < 10_000
        for path in ("/", "/display", "/terminal", "/docs", "/api/words/zh", "/api/books/nz-taisai-division9"):
            assert stranger.get(path).status_code == 200, path
        described = stranger.get("/api/openapi.json").json()["paths"]
        assert set(described) >= {"/api/floor", "/api/tables/{table}"}
        cookies = {"Cookie": f"croupier={floor.access.people['admin']}"}  # it reads no cookies
        for path in ("/metrics", "/api/pit", f"/api/tables/{TABLE}/console", "/api/office", "/console", "/ready"):
            assert stranger.get(path, headers=cookies).status_code == 404, path
        command = {"id": "p1", "command": {"type": "CloseTable"}}
        origin = cookies | {"Origin": address}
        assert stranger.post(f"/api/tables/{TABLE}/commands", json=command, headers=origin).status_code == 404
        assert stranger.get("/api/session", headers=cookies).json()["person"] is None
        assert stranger.get("/api/tables/nowhere").status_code == 404


def floor_tables(client: httpx.Client) -> list[str]:
    return [table["name"] for table in client.get("/api/floor").json()["tables"]]


def test_people_who_have_not_signed_in_are_sent_from_the_staffs_door_to_the_public_one(floor: House) -> None:
    address = public(floor)
    with asked(floor.access.origin) as stranger:
        denied = stranger.get(f"/api/tables/{TABLE}")
        assert (denied.status_code, denied.json()["reason"], address in denied.text) == (403, "public", True)
        there = stranger.get("/display")
        assert (there.status_code, there.headers["location"]) == (307, f"{address}/display")
        assert stranger.get("/console").status_code == 200  # the page to sign in


def test_a_display_is_pushed_its_changes_and_only_to_our_pages(floor: House) -> None:
    address = public(floor)

    async def watch() -> None:
        path = f"ws{address.removeprefix('http')}/api/tables/{TABLE}/display"
        async with asyncio.timeout(LIMIT):
            with pytest.raises(Exception, match="403"):
                async with connect(path, origin=Origin("https://evil.example"), proxy=None):
                    pass
            nowhere = path.replace(TABLE, "nowhere")
            async with connect(nowhere, origin=Origin(address), proxy=None) as lost:
                with pytest.raises(ConnectionClosed):
                    await lost.recv()
            async with (
                connect(path, origin=Origin(address), proxy=None) as one,
                connect(path, origin=Origin(address), proxy=None) as two,
            ):
                first = [json.loads(await socket.recv()) for socket in (one, two)]
                assert first[0]["snapshot"] == first[1]["snapshot"]
                await asyncio.to_thread(floor.give, "Dana", TABLE, "OpenBetting")
                for screen in (one, two):
                    while (told := json.loads(await screen.recv())).get("changed", {}).get("room") is None:
                        pass
                    assert told["changed"]["room"]["phase"] == "betting"
                await asyncio.to_thread(floor.give, "Dana", TABLE, "CallNoMoreBets")

    asyncio.run(watch())


def children(pid: int) -> list[int]:
    """The public processes of a server."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"public_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found


def test_a_public_process_that_is_killed_is_begun_again_and_the_tables_do_not_notice(floor: House) -> None:
    address = public(floor)
    [before] = children(floor.access.pid)
    assert os.getpriority(os.PRIO_PROCESS, before) > os.getpriority(os.PRIO_PROCESS, floor.access.pid)
    os.kill(before, signal.SIGKILL)
    with floor.browser("Sam") as sam:
        assert sam.get(f"/api/tables/{TABLE}").status_code == 200
    with asked(address) as stranger:
        assert stranger.get("/api/floor").status_code == 200  # the port stayed open, so the connection waited
    [after] = children(floor.access.pid)
    assert after != before


def test_it_ends_with_the_floor_however_that_ends(tmp_path: Path) -> None:
    (tmp_path / "tables").symlink_to(Path(__file__).parents[2] / "tables")
    assert croupier("init", cwd=tmp_path).returncode == 0
    for how in (signal.SIGTERM, signal.SIGKILL):
        with server(tmp_path, "--set", "public=true", "--set", "public_port=0") as made:
            address = made.open["public"]
            with asked(address) as stranger:
                assert stranger.get("/health").status_code == 200
            [pid] = children(made.process.pid)
            assert made.end(how) == (0 if how is signal.SIGTERM else -9)
        until = time.monotonic() + LIMIT
        while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert not Path(f"/proc/{pid}").exists()
        host, number = address.removeprefix("http://").split(":")
        with socket.socket() as port:
            assert port.connect_ex((host, int(number))) == errno.ECONNREFUSED


def test_off_is_off(tmp_path: Path) -> None:
    (tmp_path / "tables").symlink_to(Path(__file__).parents[2] / "tables")
    assert croupier("init", cwd=tmp_path).returncode == 0
    with server(tmp_path) as made:
        assert made.open["public"] == ""
        assert children(made.process.pid) == []
        with browser(made) as stranger:
            assert stranger.get(f"/api/tables/{TABLE}").status_code == 200
            assert stranger.get("/api/floor").json()["public"] == ""
        assert made.end() == 0
