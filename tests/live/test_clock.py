"""The clock on the wall jumps, back and forth, while a floor is open and over its restarts: nothing else changes.

Order is that of the rows, time in the journal goes on evenly and never back, what was to last two minutes does, and
people are told (promise 21).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.store.folder import open_store
from croupier.store.journal import read_rows
from tests.support.house import House, bet, by_people, house, wait_for

TABLE, NZ = "sicbo-rws", "taisai-nz"
DAY = 24 * 60 * 60 * 1000
JUMPS = (DAY, -DAY, 365 * DAY, 0, -5)


def alerts(floor: House) -> list[str]:
    with floor.browser("Sam") as browser:
        found: list[dict[str, Any]] = browser.get("/api/pit").json()["snapshot"]["alerts"]
    return [one["case"] for one in found if one["kind"] == "clock"]


def times(floor: House, stream: str) -> list[int]:
    store = open_store(floor.premises.address, read_only=True)
    try:
        return [row.at for row in read_rows(store, stream)]
    finally:
        store.close()


def held(floor: House) -> int:
    return int(floor.console(TABLE)["seats"][0]["held"])


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    with house(tmp_path, by_people) as floor:
        floor.wrong_by(0)
        floor.start()
        floor.seat_everyone()
        floor.give("Sam", TABLE, "OpenTable")
        floor.give("Dana", TABLE, "OpenBetting")
        for number, jump in enumerate(JUMPS, 1):
            floor.wrong_by(jump)
            bet(floor, TABLE)
            assert held(floor) == number * 500
        floor.wrong_by(-3 * DAY)
        wait_for(lambda: "behind" in alerts(floor))
        floor.wrong_by(3 * DAY)
        wait_for(lambda: "ahead" in alerts(floor))
        # Two minutes for a second person are two minutes; a session of half an hour is not over.
        asked = floor.give("Sam", NZ, "GiveCredit", seat="A1", amount=500, reason="goodwill")["events"][0]
        floor.wrong_by(400 * DAY)
        floor.give("Max", NZ, "Approve", request=asked["request"], digest=asked["digest"])
        floor.wrong_by(-DAY)
        floor.kill()
        floor.start()  # within thirty seconds, whatever the wall says: bets are open again
        last = times(floor, TABLE)
        assert last == sorted(last)
        assert last[-1] - last[0] < DAY // 24
        view = floor.console(TABLE)
        assert (view["room"]["phase"], held(floor)) in (("betting", len(JUMPS) * 500), ("ready", 0))
        wait_for(lambda: "behind" in alerts(floor))
        floor.stop()
        for stream in (TABLE, NZ, "cage", "office"):
            at = times(floor, stream)
            assert at == sorted(at), stream
        floor.verified()
