"""What everyone may see through the staff's door, and what is never served."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import msgspec
import pytest

from croupier.floor.cluster import Cluster
from croupier.rules.money import Cents
from croupier.server.staff import openapi, pages, public
from croupier.server.staff.context import StaffSettings
from croupier.server.staff.door import Listener
from croupier.server.staff.metrics import machine_app
from croupier.server.staff.room import DisplayNow, Lobby
from croupier.store.ownership import Ownership
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from tests.server.staff_floor import ORIGIN, StaffFloor, run

TABLE = "taisai-rws"


def test_the_lobby_shows_every_table_and_the_display_the_rounds_that_are_over(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        now = here.floor.clock.now
        async with here.client() as client:
            lobby = msgspec.json.decode((await client.get("/api/floor")).content, type=Lobby)
            assert [table.name for table in lobby.tables] == list(here.floor.tables)
            closed = next(table for table in lobby.tables if table.name == TABLE)
            assert (closed.state, closed.kind, closed.device, closed.seats, closed.taken) == (
                "closed",
                "live",
                "dice",
                8,
                8,
            )
            await here.deal(
                TABLE,
                m.OpenTable("Max", now()),
                m.OpenBetting("Dana", now()),
                m.PlaceBet("A1", now(), BetId("A1.b1"), RoundNumber(1), SeatId("A1"), "small", Cents(500)),
                m.CallNoMoreBets("Dana", now()),
                m.StartMotion("Dana", now()),
                m.EndMotion("Dana", now(), 3),
                *(m.PressKey("Dana", now(), face) for face in "431"),
            )
            before = await client.get(f"/api/tables/{TABLE}")
            assert b"1-3-4" not in before.content  # the keys are pressed, but the result is not entered
            assert b"A1" not in before.content
            await here.deal(TABLE, m.PressEntry("Dana", now()))
            lit = msgspec.json.decode((await client.get(f"/api/tables/{TABLE}")).content, type=DisplayNow)
            assert lit.snapshot.room.result == "1-3-4"  # entering is announcing and lighting (rws-taisai 5.10)
            assert "small" in lit.snapshot.room.lit["A"]
            await here.deal(TABLE, m.ConfirmResult("Dana", now()), m.PayWinners("Dana", now()))
            screen = msgspec.json.decode((await client.get(f"/api/tables/{TABLE}")).content, type=DisplayNow)
            assert (screen.snapshot.state, screen.snapshot.room.result) == ("open", "1-3-4")
            (shown,) = screen.snapshot.shown
            assert (shown.numbers, shown.total, shown.won) == (("1", "3", "4"), 8, ("small",))
            assert {one.number: one.count for one in screen.snapshot.frequencies}["3"] == 1

    run(tmp_path, play)


def test_a_missing_path_is_answered_as_json_with_the_headers_of_every_answer(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            lost = await client.get("/api/tables/nowhere")
            assert (lost.status_code, lost.json()["reason"]) == (404, "missing")
            assert "sicbo-rws" in lost.json()["message"]
            for path, method, status in (("/api/nothing", "GET", 404), ("/api/floor", "PATCH", 405)):
                said = await client.request(method, path)
                assert (said.status_code, said.json()["reason"]) == (status, "missing")
                assert said.headers["cache-control"] == "no-store"
                assert said.headers["x-content-type-options"] == "nosniff"
                assert said.headers["referrer-policy"] == "no-referrer"
                policy = said.headers["content-security-policy"]
                assert policy.startswith("default-src 'none'; script-src 'self'")
                assert "frame-ancestors 'none'" in policy

    run(tmp_path, play)


def test_books_and_felts_are_public(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            book = (await client.get("/api/books/nz-taisai-division9")).json()
            assert len(book["clauses"]) == 71
            assert [layout["id"] for layout in book["layouts"]] == ["1", "2"]
            felt = (await client.get("/api/layouts/mbs-sands-roulette-v2/A")).json()
            assert (len(felt["boxes"]), len(felt["spots"])) == (166, 114)
            for path in ("/api/books/nothing", "/api/layouts/nz-taisai-division9/9", "/api/layouts/nothing/1"):
                assert (await client.get(path)).status_code == 404

    run(tmp_path, play)


def test_the_door_is_described_on_a_page_with_nothing_from_elsewhere(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            page = (await client.get("/docs")).text
            assert "POST /api/tables/{table}/commands" in page
            assert "/api/pit" in page
            assert not re.search(r"<(script|link|img|style)|https?://", page)
            for name in re.findall(r'href="#(\w+)"', page):
                assert f'id="{name}"' in page

    run(tmp_path, play)


def test_the_machine_is_watched_over(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.as_("admin") as client, here.as_("Max") as max_, here.client() as nobody:
            assert (await client.get("/health")).json() == {"well": True, "faults": [], "stopped": []}
            assert (await nobody.get("/metrics")).status_code == 401
            assert (await max_.get("/metrics")).status_code == 403
            assert (await client.get("/ready")).status_code == 200
            told = (await client.get("/metrics")).text
            assert 'croupier_tables{state="closed"} 5.0' in told
            await here.floor.give(here.floor.tables[TABLE].recorder, m.OpenBetting("Dana", here.floor.clock.now()))
            told = (await client.get("/metrics")).text
            assert 'croupier_refused_total{command="OpenBetting",reason="closed"} 1.0' in told
            assert 'croupier_group_size_bucket{le="1.0"}' in told or 'croupier_group_size_bucket{le="1"}' in told
            assert "croupier_commit_seconds_count" in told
            assert "croupier_waiting 0.0" in told
            assert re.search(r"^croupier_unsigned_rows [1-9]", told, re.MULTILINE)
            assert re.search(r"^croupier_unsigned_seconds \d", told, re.MULTILINE)
            await here.floor.signing.sign()
            assert "croupier_unsigned_rows 0.0" in (await client.get("/metrics")).text
            recorder = here.floor.tables[TABLE].recorder
            recorder.ownership.stop(AssertionError("a bug"))
            not_ready = await client.get("/ready")
            assert (not_ready.status_code, not_ready.json()["reason"]) == (503, "not-ready")
            assert not_ready.json()["facts"] == {"places": [TABLE]}
            assert [(one["place"], one["why"]["case"]) for one in not_ready.json()["stopped"]] == [(TABLE, "fault")]
            assert "taisai-rws: stopped by a fault" in not_ready.json()["faults"][0]
            recorder.ownership = Ownership("owned")

    run(tmp_path, play)


def test_a_route_without_an_audience_cannot_be_declared(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        declared = {route.path for route in here.app.state.router.routes}
        assert {getattr(route, "path", None) for route in here.app.routes} == declared
        assert all(route.audience.name for route in here.app.state.router.routes)
        with pytest.raises(TypeError):
            here.app.state.router.get("/api/secret")

    run(tmp_path, play)


def test_files_outside_the_folder_of_the_pages_are_not_served(tmp_path: Path) -> None:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "lobby.html").write_text("<!doctype html><title>Lobby</title>")
    (tmp_path / "dist" / "assets" / "a.123.js").write_text("1")
    (tmp_path / "secret").write_text("nobody may read this")

    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            lobby = await client.get("/")
            assert (lobby.headers["content-type"], lobby.headers["cache-control"]) == (
                "text/html; charset=utf-8",
                "no-cache",
            )
            script = await client.get("/assets/a.123.js")
            assert "immutable" in script.headers["cache-control"]
            assert script.headers["content-type"].startswith("text/javascript")
            for path in ("/assets/../../secret", "/assets/%2e%2e/%2e%2e/secret", "/assets//etc/passwd", "/console"):
                lost = await client.get(path)
                assert (lost.status_code, lost.json()["reason"]) == (404, "missing")

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), pages=tmp_path / "dist"))


def test_every_page_that_was_built_is_served_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    for name in ("lobby", "enter", "display", "clock"):
        (tmp_path / "dist" / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>")

    def settings(public: str = "") -> StaffSettings:
        return StaffSettings(origins=frozenset([ORIGIN]), pages=tmp_path / "dist", public=public)

    async def play(here: StaffFloor) -> None:
        async with here.client() as client:
            assert "<title>clock</title>" in (await client.get("/clock")).text
            assert "<title>lobby</title>" in (await client.get("/")).text
            assert "<title>display</title>" in (await client.get("/display")).text
            for path in ("/lobby", "/enter", "/pit"):
                assert (await client.get(path)).status_code == 404, path

    async def elsewhere(here: StaffFloor) -> None:
        async with here.client() as client:
            display = await client.get("/display", follow_redirects=False)
            assert (display.status_code, display.headers["location"]) == (307, "https://public.example/display")
            assert "<title>clock</title>" in (await client.get("/clock")).text

    run(tmp_path / "one", play, settings())
    run(tmp_path / "two", elsewhere, settings("https://public.example"))


def test_public_answers_are_compressed_and_no_others(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as nobody, here.as_("Sam") as sam:
            book = await nobody.get("/api/books/rws-sicbo-etg-v2", headers={"Accept-Encoding": "gzip"})
            assert (book.headers["content-encoding"], book.headers["vary"]) == ("gzip", "accept-encoding")
            assert book.json()["title"] == "Sic Bo (Open Cover)"
            assert int(book.headers["content-length"]) < len(book.content) / 3
            plain = await nobody.get("/api/books/rws-sicbo-etg-v2", headers={"Accept-Encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.content == book.content
            words = (await nobody.get("/api/words/zh")).json()["words"]
            assert words["Sands Roulette"] == "金沙轮盘"
            assert words["double 3, 4, total 10"] == "对 3、4、总和 10"
            pit = await sam.get("/api/pit", headers={"Accept-Encoding": "gzip"})
            assert len(pit.content) > 2000
            assert "content-encoding" not in pit.headers

    run(tmp_path, play)


def test_an_answer_that_is_the_same_for_everyone_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "lobby.html").write_text("<!doctype html><title>Lobby</title>")

    def counted(module: Any, name: str) -> None:
        make = getattr(module, name)

        def noted(*given: Any, **more: Any) -> Any:
            made.append(name)
            return make(*given, **more)

        monkeypatch.setattr(module, name, noted)

    for module, name in ((openapi, "document"), (public, "book_sheet"), (pages, "page_file"), (gzip, "compress")):
        counted(module, name)

    async def play(here: StaffFloor) -> None:
        async with here.client() as client, here.client() as other:
            for path in ("/api/openapi.json", "/docs", "/api/books/nz-taisai-division9", "/", "/api/words/zh"):
                first = await client.get(path)
                begun = len(made)
                again = await other.get(path)
                assert (first.status_code, again.content) == (200, first.content), path
                assert again.headers["cache-control"] == "no-cache"
                known = await other.get(path, headers={"If-None-Match": first.headers["etag"]})
                assert (known.status_code, known.content) == (304, b"")
                assert made[begun:] == []
            assert (await client.get("/api/books/none")).status_code == 404
            before = len(made)
            assert (await client.get("/assets/../lobby.html")).status_code == 404
            assert (await client.get("/assets/%2e%2e/assets/%2e%2e/lobby.html")).status_code == 404
            assert len(made) == before

    run(tmp_path, play, StaffSettings(origins=frozenset([ORIGIN]), pages=tmp_path / "dist"))


def test_a_machine_whose_database_has_been_silent_for_a_lease_is_not_ready(tmp_path: Path) -> None:
    """It refuses staff already, some seconds before it counts its database as away."""

    async def play(here: StaffFloor) -> None:
        async with here.client() as nobody:
            here.floor.cluster = cast(Cluster, SimpleNamespace(cut_off=True, away=""))
            not_ready = await nobody.get("/ready")
            here.floor.cluster = None
            assert not_ready.status_code == 503
            assert "database" in not_ready.text
            assert (await nobody.get("/ready")).status_code == 200

    run(tmp_path, play)


def test_programs_ask_for_metrics_at_a_separate_port(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        machines = Listener(machine_app(here.app))
        port = await machines.open("127.0.0.1", 0)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            assert 'croupier_tables{state="closed"} 5.0' in (await client.get("/metrics")).text
            assert (await client.get("/ready")).json() == {"well": True, "faults": [], "stopped": []}
            assert (await client.get("/api/floor")).status_code == 404
            recorder = here.floor.tables[TABLE].recorder
            recorder.ownership.stop(AssertionError("a bug"))
            assert (await client.get("/ready")).status_code == 503
            recorder.ownership = Ownership("owned")
        await machines.close()

    run(tmp_path, play)
