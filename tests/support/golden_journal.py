"""A small journal of every row format there ever was, as a file: it is replayed for ever, and never written again.

`python -m tests.support.golden_journal` writes the one of today's format, once: an evening of each book, the cage
with its tickets, the office. A line is a row: its fields in their order, the body as text, the hash as hex, its
transfers; or a state that a row vouches for.
"""

from __future__ import annotations

import base64
import gzip
import json
import lzma
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from croupier.ledger import Transfer
from croupier.office import messages as o
from croupier.rules.library import rulebook_ids, rulebook_text
from croupier.store import recorder
from croupier.store.journal import (
    FORMAT,
    GENESIS,
    Append,
    Place,
    Reply,
    Row,
    Snapshot,
    Store,
    TicketEnded,
    TicketMade,
    read_rows,
)
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.entry import AnyEntry, StateKept
from croupier.store.streams.made import CageMade, OfficeMade
from croupier.store.streams.stream import Subject, id_of
from croupier.store.streams.subjects import first_subject, grown, shrunk
from croupier.store.streams.table import made_of
from croupier.table.messages import PersonId, SeatId
from croupier.transcript.play import Evening, play
from tests.support.cage_acts import NOW, STAFF, pay, sell, void

FOLDER = Path(__file__).parents[1] / "golden" / "journals"
TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
OWNER = "golden"


def file_of(format: int) -> Path:
    return FOLDER / f"format-{format}.jsonl.gz"


def write(store: Store, file: Path, rows: Sequence[Row] = ()) -> None:
    rows = rows or [row for name in store.streams() for row in read_rows(store, name)]
    states = [store.snapshot(name, seq=seq) for name in store.streams() for seq in store.snapshots(name)]
    state_line = _plain_state_line if file.suffix == ".xz" else _state_line
    lines = [_row_line(row) for row in rows] + [state_line(state) for state in states if state is not None]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    file.write_bytes(lzma.compress(text.encode()) if file.suffix == ".xz" else gzip.compress(text.encode(), 9, mtime=0))


def _row_line(row: Row) -> list[object]:
    return [*row[:6], row.body.decode(), row.hash.hex(), [list(msgspec.structs.astuple(one)) for one in row.transfers]]


def _state_line(state: Snapshot) -> list[object]:
    return [*state[:3], base64.b64encode(state.body).decode()]


def _plain_state_line(state: Snapshot) -> list[object]:
    """Not packed: states of one floor are alike, and pack better together."""
    return [*state[:3], grown(state.body).decode("latin-1")]


def read(file: Path) -> tuple[list[Row], list[Snapshot]]:
    rows, states = [], []
    packed = file.read_bytes()
    text = lzma.decompress(packed) if file.suffix == ".xz" else gzip.decompress(packed)
    for line in text.decode().rstrip("\n").split("\n"):
        line_fields = json.loads(line)
        if len(line_fields) == len(Snapshot._fields):
            body = (
                shrunk(line_fields[3].encode("latin-1")) if file.suffix == ".xz" else base64.b64decode(line_fields[3])
            )
            states.append(Snapshot._make((*line_fields[:3], body)))
        else:
            *fields, body, hash, transfers = line_fields
            legs = tuple(Transfer(*one) for one in transfers)
            rows.append(Row._make((*fields, body.encode(), bytes.fromhex(hash), legs)))
    return rows, states


def put(store: Store, rows: Sequence[Row], states: Sequence[Snapshot]) -> None:
    """Rows as they are, with their hashes, into an empty store, and beside them all that the store kept of them."""
    for stream in dict.fromkeys(row.stream for row in rows):
        of_stream = [row for row in rows if row.stream == stream]
        lease = [store.take(stream, OWNER, row.at, 0) for row in of_stream if row.epoch > store.lease(stream).epoch][-1]
        also_kept = _Kept(stream)
        for row in of_stream:
            also_kept.note(row)
        place = Place(of_stream[-1].seq, of_stream[-1].hash)
        legs = [
            (*row[:2], leg, *msgspec.structs.astuple(one)) for row in of_stream for leg, one in enumerate(row.transfers)
        ]
        kept = [state for state in states if state.stream == stream and state.seq <= place.seq]
        columns = [row[:8] for row in of_stream]
        also = (also_kept.replies, also_kept.tickets, also_kept.ended, kept)
        store.append([Append(stream, lease.epoch, GENESIS, place, columns, legs, *also)])


class _Kept:
    """The answers and tickets that a store keeps beside the rows of a stream."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.subject: Subject | None = None
        self.waiting: dict[str, int] = {}
        self.replies: list[Reply] = []
        self.tickets: list[TicketMade] = []
        self.ended: list[TicketEnded] = []

    def note(self, row: Row) -> None:
        if self.subject is None:
            self.subject = first_subject(row)
        elif row.kind == StateKept.__name__:
            self.replies += [Reply(id, seq) for id, seq in sorted(self.waiting.items())]
            self.waiting = {}
        else:
            self._note(row, self.subject, self.subject.read(row))

    def _note(self, row: Row, subject: Subject, entry: AnyEntry) -> None:
        if id := id_of(subject, entry):
            self.waiting[id] = row.seq
        for change in subject.tickets(entry):
            if change.how:
                end = TicketEnded(change.number, int(change.late), row.stream, row.seq, row.at, change.how)
                self.ended.append(end)
            else:
                made = (change.number, row.stream, row.seq, change.amount, row.at, change.expires, change.place)
                self.tickets.append(TicketMade(*made))
        subject.apply(entry, row.transfers)


def make(store: Store) -> None:
    """Some of everything; states are kept more often than on a floor, so that such rows are among them."""
    vars(recorder)["SNAPSHOT_ROWS"] = 10
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
