"""The outcome of a covered round is in nothing that the server says or writes before No more bets.

The same evening is played in every world: at both covered tables the dice fall as 1-1-1, as 1-1-2, … as 6-6-6, and
nothing else differs, neither clock nor keys nor tokens. Until the close everything that leaves the server is compared
byte for byte between the worlds: what terminals, displays, consoles and meters are sent, the journal and all that is
kept beside it, every other file, and every word of its logs. After the close the worlds part, which shows that the
comparison can fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import json
import logging
import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from picows import WSFrame, WSMsgType, WSTransport
from websockets.asyncio.client import connect
from websockets.typing import Origin

from croupier.client import TerminalClient
from croupier.devices.chance import draw
from croupier.devices.tumbler import SimulatedTumbler
from croupier.floor import device_config
from croupier.floor.config import TableConfig
from croupier.floor.floor import Floor
from croupier.floor.workers import Workers
from croupier.rules.outcomes import FACES
from croupier.server import sessions as sessions_room
from croupier.server.player.door import TerminalDoor
from croupier.server.sessions import Sessions
from croupier.server.staff.app import make_app
from croupier.server.staff.context import StaffSettings
from croupier.server.staff.door import StaffDoor
from croupier.server.staff.feeds import Feed, Feeds
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId
from tests.support.floors import until
from tests.support.quick_floor import by_people

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
WORLDS = list(itertools.product(FACES, repeat=3))
PLAYED = WORLDS if ALL else WORLDS[::107]
COVERED = ("sicbo-mbs", "taisai-nz")
ORIGIN = "http://floor.test"
LONG = 120


class World:
    """A source of bytes that makes the dice fall in one way, and no other."""

    def __init__(self, faces: tuple[str, ...]) -> None:
        self._faces = itertools.cycle(FACES.index(face) for face in faces)
        self.taken = 0

    def __call__(self, count: int) -> bytes:
        assert count == 1
        self.taken += 1
        return bytes([next(self._faces)])


class Still:
    """A clock that stands still, so that a message sent at another moment has the same time."""

    def __init__(self, at_least: int = 0) -> None:
        self._at = 1_800_000_000_000

    def now(self) -> int:
        return self._at


class Pausing:
    """Time for a device, which passes once every message was sent."""

    def __init__(self) -> None:
        self.ears: Ears | None = None

    def now(self) -> int:
        return 0

    async def wait(self, milliseconds: float) -> None:
        if self.ears is not None:
            await quiet(self.ears)


class Listening(TerminalClient):
    """A terminal that keeps every byte it is sent."""

    def __init__(self, address: str, token: str) -> None:
        super().__init__(address, token)
        self.frames: list[bytes] = []

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.frames.append(frame.get_payload_as_bytes())
        super().on_ws_frame(transport, frame)


Told = dict[str, Any]
"""Everything that left the server, by where."""


_BUSY = re.compile(
    r"(croupier_(?:(?:commit_seconds|group_size)_(?:bucket|count|sum|created)|unsigned_(?:rows|seconds))\S*) \S+"
)
"""What was written together, how long it took, what was signed by then: these figures differ between two evenings
with the same dice. That there are such figures, and of what, is compared; and so is how many commands were written
in all."""
BY_THE_WAY = ("takings", "exposure", "worst", "rounds_an_hour", "connected")
"""Fields that are pushed to the pit from time to time, depending on the load of the machine. An answer to a request
has them too, and is compared whole."""


def by_field(frames: list[bytes]) -> dict[str, list[str]]:
    """What was said of each thing, in its order. How much goes into one message, and how often the same is said again,
    depends on how busy the machine is, and on nothing else."""
    said: dict[str, list[str]] = {}
    for frame in map(json.loads, frames):
        parts = frame.get("snapshot") or frame.get("changed") or {frame.get("said", ""): frame}
        for name, value in parts.items():
            told = json.dumps(without(value, ("seq",)))
            if told not in said.setdefault(name, []):
                said[name].append(told)
    return said


def without(said: Any, names: tuple[str, ...]) -> Any:
    if isinstance(said, dict):
        return {name: without(value, names) for name, value in said.items() if name not in names}
    return [without(value, names) for value in said] if isinstance(said, list) else said


def by_machine(metrics: str) -> list[str]:
    """What a machine reads, without the figures that tell only how busy it is."""
    written = [line for line in metrics.splitlines() if line.startswith("croupier_group_size_sum")]
    return [*written, *(_BUSY.sub(r"\1", line) for line in metrics.splitlines())]


def of_the_pit(frames: list[bytes]) -> list[str]:
    """What the pit was pushed of the tables, each thing once."""
    told = [without(json.loads(frame), ("seq", *BY_THE_WAY)) for frame in frames]
    views = [view.get("snapshot") or view.get("changed") or view for view in told]
    return sorted({json.dumps(table) for view in views for table in view.get("tables", ())})


class Ears:
    """Every output of the server."""

    def __init__(self, floor: Floor, feeds: Feeds, port: int, tokens: dict[str, str]) -> None:
        self.floor = floor
        self.feeds = feeds
        self.port = port
        self.tokens = tokens
        self.terminals: dict[str, Listening] = {}
        self.sockets: dict[str, list[bytes]] = {}
        self.words = io.StringIO()

    async def told(self) -> Told:
        told: Told = {f"terminal {name}": by_field(one.frames) for name, one in self.terminals.items()}
        told |= {f"socket {name}": by_field(frames) for name, frames in self.sockets.items() if "/pit" not in name}
        told["socket /api/pit"] = of_the_pit(self.sockets["/api/pit Max"])
        for path in ("/api/floor", "/metrics", "/health", "/ready", "/api/pit", *self._paths()):
            told[f"GET {path}"] = await self._get(path)
        told["log"] = self.words.getvalue()
        for file in sorted(self.floor.premises.folder.rglob("*")):
            if file.is_file() and not file.name.startswith("floor.db"):
                own = file.parent.name == "heads"  # each process has a name of its own there
                told["file heads" if own else f"file {file.name}"] = file.read_bytes()
        told["file checkpoints.jsonl"] = self._signed(told["file checkpoints.jsonl"])
        for table, rows in self._database():
            told[f"database {table}"] = rows
        return told

    def _paths(self) -> Iterator[str]:
        for table in COVERED:
            for what in ("", "/console", "/exposure", "/health", "/seats/A1"):
                yield f"/api/tables/{table}{what}"

    async def _get(self, path: str) -> Any:
        headers = {"Origin": ORIGIN}
        cookies = {"croupier": self.tokens["admin" if path == "/metrics" else "Max"]}
        address = f"http://127.0.0.1:{self.port}"
        async with httpx.AsyncClient(
            base_url=address, headers=headers, cookies=cookies, timeout=LONG, trust_env=False
        ) as client:
            answer = await client.get(path)
        return answer.status_code, by_machine(answer.text) if path == "/metrics" else answer.text.splitlines()

    def _signed(self, lines: bytes) -> bool:
        """A checkpoint has no word of its own but its moment: it signs hashes of rows, and those are compared below."""
        marks = [json.loads(line) for line in lines.splitlines()]
        heads = {(stream, seq, hash) for mark in marks for stream, (seq, hash) in mark["heads"].items()}
        rows = self._opened().execute("SELECT stream, seq, lower(hex(hash)) FROM journal")
        return heads <= {(str(stream), int(str(seq)), str(hash)) for stream, seq, hash in rows}

    def _opened(self) -> apsw.Connection:
        return apsw.Connection(str(self.floor.premises.folder / "floor.db"), flags=apsw.SQLITE_OPEN_READONLY)

    def _database(self) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
        base = self._opened()
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            yield table, sorted(base.execute(f"SELECT * FROM {table}"), key=repr)
        base.close()

    async def listen(self, path: str, person: str) -> None:
        headers = {"Cookie": f"croupier={self.tokens[person]}"} if person else {}
        frames = self.sockets.setdefault(f"{path} {person}", [])
        async with connect(
            f"ws://127.0.0.1:{self.port}{path}", origin=Origin(ORIGIN), additional_headers=headers, proxy=None
        ) as socket:
            async for said in socket:
                frames.append(said if isinstance(said, bytes) else said.encode())


@contextlib.asynccontextmanager
async def heard(premises: Premises, configs: list[TableConfig]) -> AsyncIterator[tuple[Floor, Ears]]:
    """A floor with both doors, and everything that comes out of them."""
    floor = Floor(premises, configs, "test")
    await floor.open()
    sessions = Sessions(floor)
    people = {name: await _in(sessions, name) for name in ("Dana", "Max", "admin")}
    app = make_app(floor, sessions, _settings())
    door, staff = TerminalDoor(floor, sessions), StaffDoor(app)
    port, workers = await door.open("127.0.0.1", 0), Workers(floor)
    ears = Ears(floor, app.state.router.feeds, await staff.open("127.0.0.1", 0), people)
    logging.getLogger().addHandler(handler := logging.StreamHandler(ears.words))
    tasks: list[asyncio.Task[None]] = []
    async with contextlib.AsyncExitStack() as stack:
        try:
            for table in COVERED:
                for seat in configs[0].seat_ids():
                    now, layout = floor.clock.now(), floor.tables[table].table.setup.layouts[0]
                    await _give(floor, table, m.TakeSeat("Sam", now, seat, layout))
                    await _give(floor, table, m.SellCredit("Cass", now, seat, 1_000_00))  # type: ignore[arg-type]
                    token = await sessions.enrol(table, seat, "machine/test")
                    ears.terminals[f"{table}/{seat}"] = terminal = Listening(f"ws://127.0.0.1:{port}/", token)
                    await stack.enter_async_context(terminal)
            for path, person in ((f"/api/tables/{t}/{w}", p) for t in COVERED for w, p in _SCREENS):
                tasks.append(asyncio.create_task(ears.listen(path, person)))
            tasks.append(asyncio.create_task(ears.listen("/api/pit", "Max")))
            await until(lambda: len(ears.sockets) == len(tasks) and all(ears.sockets.values()), LONG)
            await workers.start()
            yield floor, ears
        finally:
            logging.getLogger().removeHandler(handler)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await workers.stop()
    await door.close()
    await staff.close()
    await floor.close()


_SCREENS = (("display", ""), ("console", "Dana"))


def _settings() -> StaffSettings:
    return StaffSettings(origins=frozenset([ORIGIN]))


async def _in(sessions: Sessions, person: str) -> str:
    return await sessions.enter(await sessions.link(PersonId(person), "machine/test"), "here")


async def _give(floor: Floor, table: str, *commands: m.AnyCommand) -> None:
    for command in commands:
        answer = await floor.give(floor.tables[table].recorder, command)
        assert answer is not None
        assert answer.entry.refused is None, answer.entry.refused


async def evening(premises: Premises, world: World, pausing: Pausing) -> tuple[Told, Told, list[str | None]]:
    """One round at both tables: what had left the server before the close, what had after it, and the outcomes."""
    configs = [by_people(table)[0] for table in COVERED]
    async with asyncio.timeout(2 * LONG), heard(premises, configs) as (floor, ears):
        pausing.ears = ears
        for table in COVERED:
            live, now = floor.tables[table], floor.clock.now()
            for command in (m.OpenTable("Sam", now), m.StartMotion("Dana", now)):
                await _give(floor, table, command)
                await quiet(ears)
            await until(lambda live=live: live.table.motion.count == 3, LONG)  # type: ignore[misc]
            await quiet(ears)
            await _give(floor, table, m.OpenBetting("Dana", now))
            for seat in live.config.seats:
                await quiet(ears)
                answer = await ears.terminals[f"{table}/{seat}"].bet("small", 500, id="b1")
                assert type(answer).__name__ == "Ok", answer
        await quiet(ears)
        before = await ears.told()
        assert world.taken == 0
        for table in COVERED:
            live, now = floor.tables[table], floor.clock.now()
            await _give(floor, table, m.CallNoMoreBets("Dana", now), m.Uncover("Dana", now))
            await until(lambda live=live: live.table.sensed, LONG)  # type: ignore[misc]
        await quiet(ears)
        return before, await ears.told(), [floor.tables[table].table.sensed for table in COVERED]


async def quiet(ears: Ears) -> None:
    """Wait until every message was sent."""
    count, still = -1, 0
    while still < 8:
        told = not any(feed._dirty.is_set() or _owes(feed) for feed in ears.feeds._feeds.values())
        told = told and all(feed.resting for feed in ears.feeds._feeds.values())
        now = sum(map(len, ears.sockets.values())) + sum(len(one.frames) for one in ears.terminals.values())
        count, still = (count, still + 1) if told and now == count else (now, 0)
        await asyncio.sleep(0.003)


def _owes(feed: Feed) -> bool:
    return any(viewer.news.is_set() or viewer.sent is not feed.fields for viewer in feed.viewers)


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """A floor's folder with its keys: every world begins with the same."""
    made = Premises(tmp_path / "first")
    made.init()
    return made.folder


def _tumbler(world: World, pausing: Pausing) -> type[SimulatedTumbler]:
    class Tumbler(SimulatedTumbler):
        def __init__(self, name: str, *, covered: bool, **_: object) -> None:
            super().__init__(name, covered=covered, time=pausing, source=world)

    return Tumbler


def play(folder: Path, keys: Path, faces: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> tuple[Told, Told]:
    shutil.copytree(keys, folder)
    tokens, world, pausing = itertools.count(1), World(faces), Pausing()
    monkeypatch.setattr("croupier.floor.floor.Clock", Still)
    monkeypatch.setattr(sessions_room, "new_token", lambda: f"{next(tokens):043d}")
    monkeypatch.setattr(device_config, "SimulatedTumbler", _tumbler(world, pausing))
    before, after, outcomes = asyncio.run(evening(Premises(folder), world, pausing))
    assert outcomes == ["-".join(sorted(faces))] * 2
    return before, after


@pytest.mark.clause("mbs-esicbo-v4", "5.2")
@pytest.mark.clause("nz-taisai-division9", "7.1(c)")
def test_nothing_that_leaves_the_server_before_the_close_depends_on_the_dice(
    tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first: Told = {}
    parted = set()
    for number, faces in enumerate(PLAYED):
        before, after = play(tmp_path / "world", keys, faces, monkeypatch)
        shutil.rmtree(tmp_path / "world")
        first = first or before
        assert set(before) == set(first)
        for where, said in before.items():
            assert said == first[where], f"{where} differs when the dice fall as {'-'.join(faces)}"
        parted.add(json.dumps({where: repr(said) for where, said in after.items()}))
        assert len(parted) == number + 1 or not ALL
    assert len(parted) > len(PLAYED) // 2  # dice that fall in another order show the same
    assert len([where for where in first if where.startswith(("terminal", "socket"))]) == 4 + 4 + 1


def test_a_world_decides_the_dice() -> None:
    source = World(("2", "6", "1"))
    assert [FACES[draw(6, source)] for _ in range(3)] == ["2", "6", "1"]
    assert SeatId("A1")
