"""The results of a table are examined: fair ones pass, odd ones raise an alert, and a restart changes nothing."""

from __future__ import annotations

import asyncio
import random

import pytest

from croupier.floor.fairness import Fairness, results, sample_of
from croupier.rules.outcomes import Outcome
from croupier.store import recorder
from croupier.store.archive import archive
from croupier.store.folder import Premises
from croupier.store.journal import row_at
from tests.floor.dealing import LONG, UNHURRIED, WHEEL, phase, play
from tests.support.floors import until
from tests.support.quick_floor import Evening, quick


@pytest.mark.parametrize("biased", [False, True])
def test_a_wheel_that_favours_numbers_is_an_alert_after_two_samples(premises: Premises, biased: bool) -> None:
    chance = random.Random("wheel")

    async def look(here: Evening) -> None:
        live = here.live(WHEEL)
        fairness = Fairness(here.floor, live)
        numbers = list(live.table.book.space.outcomes)
        weights = [8 if biased and number in ("7", "S") else 1 for number in numbers]
        for round in range(2 * sample_of(live.table.book.space)):
            assert here.alerts(WHEEL) == [] or round % fairness.size == 0
            fairness.note(Outcome(chance.choices(numbers, weights)[0]))
        await asyncio.sleep(0.05)
        await until(lambda: (here.alerts(WHEEL) == ["device-bias"]) == biased, LONG)

    play(premises, [table for table in quick() if table.name == WHEEL], look)


def test_a_restart_goes_on_with_the_sample_under_way(premises: Premises) -> None:
    config = [table for table in quick() if table.name == WHEEL]
    told: list[list[Outcome]] = []

    async def deal(here: Evening) -> None:
        await here.workers.start()
        live, fairness = here.live(WHEEL), here.workers.fairness[WHEEL]
        begin = live.table.next_round
        await until(lambda: live.table.next_round > begin + 3 and fairness.sample, LONG)
        live.config = live.config.model_copy(update={"pace": UNHURRIED})  # no result is under way when it ends
        await phase(here, WHEEL, "betting")
        await here.workers.stop()
        told.append(list(fairness.sample))

    for _ in range(2):
        play(premises, config, deal)
    assert told[1][: len(told[0])] == told[0]
    assert len(told[1]) > len(told[0]) > 2

    async def read(here: Evening) -> None:
        count, last = results(premises, WHEEL, here.live(WHEEL).recorder.place.seq, 2)
        assert (count, last) == (len(told[1]), told[1][-2:])

    play(premises, config, read)


def test_results_are_examined_after_the_first_rows_were_archived(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "SNAPSHOT_ROWS", 20)

    async def deal(here: Evening) -> None:
        await here.workers.start()
        await until(lambda: len(here.floor.store.snapshots(WHEEL)) > 2, LONG)
        begin = here.live(WHEEL).table.next_round
        await until(lambda: here.live(WHEEL).table.next_round > begin + 2, LONG)
        await here.workers.stop()
        last, store = here.live(WHEEL).recorder.place.seq, here.floor.database
        whole = results(premises, WHEEL, last, 2)
        assert archive(store, WHEEL, row_at(store, WHEEL, store.snapshots(WHEEL)[1]).at + 1, premises.archive)
        count, shown = results(premises, WHEEL, last, 2)
        assert 0 < count < whole[0]
        assert shown == whole[1]

    play(premises, [table for table in quick() if table.name == WHEEL], deal)
