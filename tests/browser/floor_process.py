"""A floor in a process of its own, to be killed: `python -m tests.browser.floor_process FOLDER LAYOUT PORT PORT`.

The first time it seats a Player and opens the bets; started again, it goes on as the book says. It prints one line.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from tests.browser.floor import BrowserFloor, table_name


def main(folder: str, layout: str, port: str, terminal_port: str) -> None:
    house = BrowserFloor(Path(folder), [layout], (int(port), int(terminal_port)))
    house.open()
    table, token = table_name(layout), ""
    if "A1" not in house.live(table).table.seats:
        token = house.seat(table, "A1")
        house.open_bets(table)
    print(json.dumps({"address": house.address, "token": token, "phase": house.live(table).table.phase}), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
