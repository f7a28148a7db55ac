"""Who comes to a live floor: robot Players through real sockets, and the people who are called when something is odd.

A robot remembers every bet that was acknowledged. It drops its line, comes back, and sends again what it sent before.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from croupier.rules.library import load_rulebook
from croupier.store.folder import open_store
from croupier.store.journal import Store, read_rows
from croupier.store.streams.entry import NO_COMMANDS
from croupier.store.streams.subjects import first_subject
from croupier.table import messages as m
from croupier.table.messages import AnyEvent
from tests.support.house import LONG, SEATS, House

STUCK = 4.0
"""Seconds without a row after which people look what a table waits for."""


class Robot:
    """A Player at one seat, who bets as long as he may."""

    def __init__(self, house: House, table: str, seat: str, boxes: tuple[str, ...]) -> None:
        self.table = table
        self.seat = seat
        self.terminal = house.terminal(table, seat)
        self.acknowledged: dict[str, int] = {}
        self.refused = 0
        self._boxes = boxes
        self._chance = random.Random(f"{table}/{seat}")
        self._ids = itertools.count(1)
        self.bets = True
        """Whether he goes on betting; he looks on until he leaves."""
        self.leaves = False

    async def play(self) -> None:
        async with self.terminal:
            while not self.leaves:
                if self.bets and self.terminal.connected and self.terminal.room.phase in ("betting", "spinning"):
                    await self._bet()
                await asyncio.sleep(0.01 * self._chance.random())

    async def _bet(self) -> None:
        id, stake = f"r{next(self._ids)}", 100 * self._chance.randrange(5, 20)
        box = self._chance.choice(self._boxes)
        asked = asyncio.create_task(self.terminal.bet(box, stake, id=id))
        if self._chance.random() < 0.05:
            await asyncio.sleep(0)
            if self.terminal._transport is not None:
                self.terminal._transport.disconnect(graceful=False)  # the cable is pulled before the answer comes
        answer = await asked
        if type(answer).__name__ == "Ok":
            self.acknowledged[f"{self.seat}.{id}"] = stake
        else:
            self.refused += 1

    @property
    def credit(self) -> int:
        return self.terminal.own.credit

    @property
    def round(self) -> int:
        return self.terminal.room.round if self.terminal.connections else 0

    @property
    def asks(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self.terminal._open)

    @property
    def held(self) -> int:
        return self.terminal.own.held


def robots(house: House) -> list[Robot]:
    made = []
    for name in house.access.seats:
        table, seat = name.split("/")
        book = next(text for text in _books(house) if text[0] == table)[1]
        boxes = tuple(load_rulebook(book).layouts[0].boxes)
        made.append(Robot(house, table, seat, boxes))
    return made


def _books(house: House) -> Iterator[tuple[str, str]]:
    with house.browser("Sam") as browser:
        for table in browser.get("/api/floor").json()["tables"]:
            yield table["name"], table["rulebook"]


class Pit:
    """People who do what only people may, whenever a table stands still; now and then they find something irregular."""

    def __init__(self, house: House, tables: list[str], irregular: bool = False) -> None:
        self.house = house
        self.tables = tables
        self.done: list[str] = []
        self.leaves = False
        self._irregular = irregular
        self._chance = random.Random("pit")
        self._ids = itertools.count(1)
        self._seen: dict[str, tuple[int, float]] = {}
        self._finds: dict[str, int] = {}
        """The round of each table in which something irregular will be found: so many rounds apart, not seconds."""

    async def watch(self) -> None:
        while not self.leaves:
            for table in self.tables:
                with contextlib.suppress(httpx.HTTPError):  # the server is down: it will come back
                    await self._look(table)
            await asyncio.sleep(0.2)

    async def _look(self, table: str) -> None:
        async with self._browser("Sam") as browser:
            answer = await browser.get(f"/api/tables/{table}/console")
        if answer.status_code != 200:
            return
        pushed = answer.json()
        view, now = pushed["snapshot"], asyncio.get_running_loop().time()
        seq, since = self._seen.get(table, (-1, now))
        if seq != pushed["seq"]:
            self._seen[table] = (pushed["seq"], now)
            if self._irregular and view["room"]["round"] >= self._finds.setdefault(table, self._chance.randint(1, 12)):
                self._finds[table] = view["room"]["round"] + self._chance.randint(4, 12)
                await self._find(table, view)
        elif view["interruption"] is not None or view["locked"] or now - since > STUCK:
            await self._act(table, view)

    async def _act(self, table: str, view: dict[str, Any]) -> None:
        if view["attest"] is not None:
            await self._two(table, "Attest", shown=view["attest"]["known"])
        elif view["interruption"] is not None:
            for type, fields in _ENDS:
                await self._two(table, type, **fields)
        elif view["locked"]:  # in any phase: a table that is locked while its dice lie under the cover opens no bets
            await self._two(table, "Unlock", first="Sam", reason="checked")
        elif view["room"]["phase"] not in ("ready", "betting"):
            # Nobody can tell what the dice or the ball show: the round is void, by whatever clause the book has.
            for type, fields in _VOIDS:
                await self._two(table, type, **fields)

    async def _find(self, table: str, view: dict[str, Any]) -> None:
        """An irregularity that would fit now is reported, whether or not it is one."""
        ids = [one["id"] for one in view["irregularities"]]
        if ids:
            await self._two(table, "Report", irregularity=self._chance.choice(ids), note="seen by the pit")

    async def _two(self, table: str, type: str, first: str = "Dana", **fields: Any) -> None:
        first = "Max" if type == "Decide" else first
        answer = await self._give(first, table, type, **fields)
        if answer.status_code == 200:
            self.done.append(type)
            for event in answer.json()["events"]:
                if event["type"] in ("ApprovalRequested", "ReportContradicted"):  # the round stands still until then
                    second = "Pat" if first == "Max" else "Max"
                    await self._give(second, table, "Approve", request=event["request"], digest=event["digest"])

    async def _give(self, person: str, table: str, type: str, **fields: Any) -> httpx.Response:
        body = {"id": f"pit-{next(self._ids)}", "command": {"type": type, **fields}}
        async with self._browser(person) as browser:
            return await browser.post(f"/api/tables/{table}/commands", json=body)

    def _browser(self, person: str) -> httpx.AsyncClient:
        access = self.house.access
        return httpx.AsyncClient(
            base_url=access.origin,
            headers={"Origin": access.origin},
            cookies={"croupier": access.people[person]},
            timeout=LONG,
            trust_env=False,
        )


_ENDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Restore", {}),
    ("Report", {"irregularity": "wheel-stopped"}),
)
_VOIDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Decide", {"treatment": "void", "reason": "nobody can tell"}),
    ("Report", {"irregularity": "not-flat"}),
    ("Report", {"irregularity": "no-spin"}),
)


def history(house: House, table: str) -> list[AnyEvent]:
    """Everything that happened at a table, as it is on disk."""
    store = open_store(house.premises.address, read_only=True)
    try:
        return events_of(store, table)
    finally:
        store.close()


def events_of(store: Store, table: str) -> list[AnyEvent]:
    first, *rows = read_rows(store, table)
    subject = first_subject(first)
    return [event for row in rows if row.kind not in NO_COMMANDS for event in subject.read(row).events]


def _credits(events: list[AnyEvent]) -> dict[str, int]:
    """What every seat has, from what happened and from nothing else."""
    has: dict[str, int] = dict.fromkeys(SEATS, 0)
    for event in events:
        match event:
            case m.CreditSold():
                has[event.seat] += event.amount
            case m.BetPlaced():
                has[event.seat] -= event.stake
            case m.BetWithdrawn() | m.ExcessRejected():
                has[event.seat] += event.amount
            case m.BettingClosed():
                for share in event.cut:
                    has[share.seat] += share.amount
            case m.RoundVoided():
                for share in event.returned:
                    has[share.seat] += share.amount
            case m.WinnersPaid():
                for paid in event.paid:
                    has[paid.seat] += paid.winnings + paid.returned
            case m.BetDecided():
                has[event.seat] += event.returned
            case m.ResultCorrected() | m.SettledRoundVoided():
                raise AssertionError("nobody corrects here")
            case _:
                pass
    return has


def check_all(house: House, crowd: list[Robot]) -> int:
    """No acknowledged bet is lost or counted twice, and every Player has what is his. How many bets there were."""
    for table in {robot.table for robot in crowd}:
        events = history(house, table)
        placed = [(event.bet, event.stake) for event in events if isinstance(event, m.BetPlaced)]
        assert len(dict(placed)) == len(placed), f"{table}: a bet was placed twice"
        has = _credits(events)
        for robot in crowd:
            if robot.table == table:
                lost = [bet for bet in robot.acknowledged.items() if bet not in placed]
                assert not lost, f"{table}/{robot.seat}: acknowledged and not on disk: {lost}"
                assert robot.credit == has[robot.seat], f"{table}/{robot.seat}"
    return sum(len(robot.acknowledged) for robot in crowd)


@contextlib.asynccontextmanager
async def crowded(floor: House, *, irregular: bool = False) -> AsyncIterator[tuple[list[Robot], Pit]]:
    """A floor with its Players and its pit. At the end everyone stops betting, and every round is over."""
    crowd, pit = robots(floor), Pit(floor, sorted({name.split("/")[0] for name in floor.access.seats}), irregular)
    people = asyncio.create_task(pit.watch())
    players = [asyncio.create_task(robot.play()) for robot in crowd]
    _everyone[:] = [people, *players]
    try:
        await until(lambda: all(robot.terminal.connected for robot in crowd))
        yield crowd, pit
        for robot in crowd:
            robot.bets = False
        await until(lambda: not any(robot.held or robot.asks for robot in crowd))
    finally:
        _everyone.clear()
        for robot in crowd:
            robot.leaves = True
        people.cancel()
        await asyncio.gather(people, return_exceptions=True)
    await asyncio.gather(*players)


_everyone: list[asyncio.Task[None]] = []
"""Everyone on the floor: who fails, fails at once, and not as a wait for what he will never do."""


async def until(condition: object, seconds: float = 20 * LONG) -> None:
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():
            for task in _everyone:
                if task.done():
                    task.result()
            await asyncio.sleep(0.02)
