"""Bets that race the close, and bets sent again and again: the journal's order decides, and each counts once."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Any

from croupier.client import Ok
from croupier.protocol import terminal as p
from croupier.rules.money import Cents
from croupier.server.player.door import Bounds
from croupier.store.journal import read_rows
from croupier.table import messages as m
from tests.server.terminal_floor import TABLE, Raw, TerminalFloor, run, until

ALL = os.environ.get("CROUPIER_FAULTS") == "all"
ROUNDS = 60 if ALL else 8
RESENDS = 50_000 if ALL else 2_000
MANY = Bounds(acts=10**9, burst=10**9, waiting=10**9)


def test_a_bet_that_races_the_close_is_taken_if_and_only_if_its_row_is_before_it(tmp_path: Path) -> None:
    """Frames of eight terminals before, around and after No More Bets, some held back on the line."""
    rng = random.Random("close")
    answered: dict[str, str] = {}

    async def bet(raw: Raw, number: int) -> None:
        for one in range(12):
            raw.say(p.Bets(number, (p.NewBet(f"{number}-{one}", "small", Cents(5_00)),)))
            await asyncio.sleep(rng.choice((0, 0, 0.001, 0.004)))

    async def play(here: TerminalFloor) -> None:
        raws = {seat: await here.raw(seat) for seat in here.live.config.seat_ids()}
        for number in range(1, ROUNDS + 1):
            await here.open_betting()
            for raw in raws.values():
                raw.say(p.Bets(number, (p.NewBet(f"{number}-early", "small", Cents(5_00)),)))
            await until(lambda: here.live.table.round and len(here.live.table.round.bets) == len(raws))
            betting = asyncio.gather(*(bet(raw, number) for raw in raws.values()))
            await asyncio.sleep(rng.uniform(0, 0.015))
            await here.close_betting()
            await betting
            for raw in raws.values():
                raw.say(p.Bets(number, (p.NewBet(f"{number}-late", "small", Cents(5_00)),)))
            await here.settle(rng.choice(("1-3-4", "5-5-6")))
        for seat, raw in raws.items():
            await until(lambda: len(_answers(raw)) == 14 * ROUNDS)  # noqa: B023
            answered.update({f"{seat}.{one['id']}": one["said"] for one in _answers(raw)})

        before, late = 0, 0
        closed: set[int] = set()
        for row in read_rows(here.floor.store, TABLE):
            entry = here.live.recorder.subject.read(row) if row.seq > 1 and row.kind != "StateKept" else None
            for event in entry.events if entry else ():
                if isinstance(event, m.BettingClosed):
                    closed.add(len(closed) + 1)
            if entry is not None and isinstance(entry.command, m.PlaceBet):
                taken = entry.refused is None
                assert taken == (entry.command.round not in closed), entry
                assert answered.pop(entry.command.id) == ("ok" if taken else "no")
                before, late = before + taken, late + (not taken)
        assert answered == {}  # every answer has its row, every row its answer
        assert before >= ROUNDS * len(raws)
        assert late >= ROUNDS * len(raws)

    run(tmp_path, play, MANY)


def _answers(raw: Raw) -> list[Any]:
    return [one for one in raw.heard if one["said"] in ("ok", "no")]


def test_bets_sent_again_and_again_count_once(tmp_path: Path) -> None:
    """On the same line, on new ones, and over restarts of the floor."""
    rng = random.Random("resend")
    bets = [(f"b{number}", 5_00) for number in range(100)]
    parts = 4

    async def play(here: TerminalFloor) -> None:
        if here.live.table.round is None:
            await here.open_betting()
        await here.floor.restore(here.live)
        async with await here.client() as ann:
            await ann.until(lambda: ann.room.phase == "betting")
            sent = 0
            while sent < RESENDS // parts:
                some = rng.sample(bets, 25)
                asked = asyncio.gather(ann.bets([("small", stake) for _, stake in some], [id for id, _ in some]))
                await asyncio.sleep(0)
                if rng.random() < 0.1 and ann._transport is not None:
                    ann._transport.disconnect(graceful=False)
                assert all(isinstance(answer, Ok) for answers in await asked for answer in answers)
                sent += len(some)
        rows = [row for row in read_rows(here.floor.store, TABLE) if row.kind == "PlaceBet"]
        assert len(rows) <= len(bets)
        assert here.live.table.seats[m.SeatId("A1")].held == len(rows) * 5_00

    for _ in range(parts):
        run(tmp_path, play, MANY)
