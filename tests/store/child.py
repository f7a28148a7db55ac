"""A process that plays an evening on disk and is killed at a named point: `child.py DB TRANSCRIPT [POINT N]`.

It says `N` on standard output once command N is answered. Started again, it recovers and goes on where the disk stands.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from croupier.store.journal import Append
from croupier.store.record import RecordedTable, made_of
from croupier.store.sqlite import SqliteStore
from croupier.transcript.play import Evening, Turn, play
from tests.store.test_record import text_of

POINTS = ("received", "decided", "in the transaction", "committed", "evolved", "answered")


def given(evening: Evening) -> list[Turn]:
    """The commands that leave a row: all but harmless resends."""
    return [turn for turn in evening.turns if turn.events or turn.refused]


def main(database: Path, transcript: Path, point: str, number: int) -> None:
    def at(reached: str, command: int) -> None:
        if (reached, command) == (point, number):
            os.kill(os.getpid(), signal.SIGKILL)

    evening = play(transcript.read_text())
    name = evening.table.setup.table
    store = SqliteStore(database)
    if store.head(name)[0]:
        table = RecordedTable.recover(store, "child", 10**9, 5_000, name)
    else:
        table = RecordedTable.make(store, "child", 0, 5_000, made_of(evening, text_of(evening)))
    turns = given(evening)
    for command in range(table.seq - 1, len(turns)):
        at("received", command)
        _strike(store, partial(at, command=command))
        table.give(turns[command].command)
        at("evolved", command)
        print(command, flush=True)
        at("answered", command)


def _strike(store: SqliteStore, at: Callable[[str], None]) -> None:
    """Put the points inside the pipeline around the store's own steps."""
    append, inner = SqliteStore.append, SqliteStore._append

    def appending(batch: Sequence[Append]) -> list[bytes]:
        at("decided")
        heads = append(store, batch)
        at("committed")
        return heads

    def inside(one: Append) -> bytes:
        head = inner(store, one)
        at("in the transaction")
        return head

    vars(store).update(append=appending, _append=inside)


if __name__ == "__main__":
    arguments = [*sys.argv[1:], "", "-1"]
    main(Path(arguments[0]), Path(arguments[1]), arguments[2], int(arguments[3]))
