"""A small journal of every row format there ever was, as a file: it is replayed for ever, and never written again.

`python -m tests.golden_journal` writes the one of today's format, once: an evening of each book, the cage with its
tickets, the office. A line is a row: its fields in their order, the body as text, the hash as hex, its transfers; or a
state that a row vouches for.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from croupier.ledger import Transfer
from croupier.office import messages as o
from croupier.rules.library import rulebook_ids, rulebook_text
from croupier.store import record
from croupier.store.journal import FORMAT, Row, Snapshot, Store, read_rows
from croupier.store.record import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.subjects import CageMade, OfficeMade, made_of
from croupier.table.messages import PersonId, SeatId
from croupier.transcript.play import Evening, play
from tests.test_cage import NOW, STAFF, pay, sell, void

FOLDER = Path(__file__).parent / "golden" / "journals"
TRANSCRIPTS = Path(__file__).parent / "transcripts"
OWNER = "golden"


def file_of(format: int) -> Path:
    return FOLDER / f"format-{format}.jsonl.gz"


def write(store: Store, file: Path) -> None:
    rows = [row for name in store.streams() for row in read_rows(store, name)]
    states = [store.snapshot(name, seq=seq) for name in store.streams() for seq in store.snapshots(name)]
    lines = [_row_line(row) for row in rows] + [_state_line(state) for state in states if state is not None]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _row_line(row: Row) -> list[object]:
    return [*row[:6], row.body.decode(), row.hash.hex(), [list(msgspec.structs.astuple(one)) for one in row.transfers]]


def _state_line(state: Snapshot) -> list[object]:
    return [*state[:3], base64.b64encode(state.body).decode()]


def read(file: Path) -> tuple[list[Row], list[Snapshot]]:
    rows, states = [], []
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        said = json.loads(line)
        if len(said) == len(Snapshot._fields):
            states.append(Snapshot._make((*said[:3], base64.b64decode(said[3]))))
        else:
            *fields, body, hash, transfers = said
            legs = tuple(Transfer(*one) for one in transfers)
            rows.append(Row._make((*fields, body.encode(), bytes.fromhex(hash), legs)))
    return rows, states


def make(store: Store) -> None:
    """Some of everything; states are kept more often than on a floor, so that such rows are among them."""
    vars(record)["SNAPSHOT_ROWS"] = 10
    for evening in _longest_evenings():
        book = evening.table.book.id
        made = msgspec.structs.replace(made_of(evening, rulebook_text(book)), table=book)
        table = Recorder.make(store, OWNER, NOW, 0, made)
        for turn in evening.turns:
            table.give(turn.command)
    cage = Recorder.make(store, OWNER, NOW, 0, CageMade("cage", STAFF))
    for number, command in enumerate((sell(), pay(), pay(), sell(), void())):
        cage.give(command, f"cage-{number}")
    office = Recorder.make(store, OWNER, NOW, 0, OfficeMade("office", {PersonId("admin"): ("administrator",)}))
    for command in _office_day():
        office.give(command)


def _longest_evenings() -> Iterator[Evening]:
    """The longest evening of each book."""
    for book in rulebook_ids():
        evenings = [play(file.read_text()) for file in sorted((TRANSCRIPTS / book).glob("*.round"))]
        yield max(evenings, key=lambda evening: len(evening.turns))


def _office_day() -> Iterable[o.AnyOfficeCommand]:
    yield o.MakeAccount("admin", NOW, PersonId("Dana"), ("dealer",))
    yield o.NotePassword("admin", NOW, PersonId("Dana"), "0" * 64)
    yield o.BeginSession("system", NOW, PersonId("Dana"), "1" * 64, "10.0.0.1", "")
    yield o.NoteFailure("system", NOW, PersonId("Dana"), "wrong", "10.0.0.1", 1)
    yield o.EnrolTerminal("admin", NOW, "2" * 64, "T1", SeatId("A1"))
    yield o.RaiseAlert("system", NOW, "device-offline", "T1", "the tumbler is offline")
    yield o.EndSessions("system", NOW, PersonId("Dana"), "logout", ("1" * 64,))
    yield o.MakeAccount("Dana", NOW, PersonId("Eve"), ("dealer",))  # refused, and kept


def main() -> None:
    file = file_of(FORMAT)
    if file.exists():
        sys.exit(f"{file} is there: what was written once is read for ever, and not written again")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "golden.db")
        make(store)
        write(store, file)
        store.close()


if __name__ == "__main__":
    main()
