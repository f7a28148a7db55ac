"""The queries that both stores share, in SQL that both databases read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from croupier.store.durability import DurabilityFact
from croupier.store.journal import (
    GENESIS,
    LAST,
    Lease,
    Place,
    Reply,
    Secret,
    Snapshot,
    Store,
    TicketEnded,
    TicketMade,
)
from croupier.store.migrations import CORRECTING, STREAMS


class Queries:
    """The queries; the store runs them."""

    _FOUND_IN_BODY: str

    unsafe: tuple[str, ...] = ()
    """What may undo a commit here, by name: nothing new begins meanwhile."""

    def look_for_room(self, other: Store) -> None:
        """For a file, `room` looks at the disk itself."""

    def signed_in(self) -> list[DurabilityFact]:
        """A file has no roles."""
        return []

    def check_owner(self) -> None:
        """Anyone who may write a file may remove what is in it."""

    def _run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement in which `?` stands for a value."""
        raise NotImplementedError

    def head(self, stream: str) -> Place:
        found = self._run("SELECT seq, hash FROM streams WHERE stream = ?", (stream,))
        return Place(*found[0]) if found else GENESIS

    def lease(self, stream: str) -> Lease:
        found = self._run("SELECT stream, owner, epoch, until, seen FROM streams WHERE stream = ?", (stream,))
        return Lease(*found[0]) if found else Lease(stream, "", 0, 0)

    def page(self, stream: str, after: int, limit: int) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        rows = self._run(
            "SELECT * FROM journal WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?", (stream, after, limit)
        )
        last = rows[-1][1] if len(rows) == limit else LAST
        sql = """SELECT seq, leg, source, target, amount, reason, about FROM transfers
            WHERE stream = ? AND seq > ? AND seq <= ? ORDER BY seq, leg"""
        return rows, self._run(sql, (stream, after, last))

    def streams(self) -> list[str]:
        return sorted(name for (name,) in self._run(STREAMS))

    def reply(self, stream: str, id: str) -> Reply | None:
        found = self._run("SELECT id, seq FROM replies WHERE stream = ? AND id = ?", (stream, id))
        return Reply(*found[0]) if found else None

    def replies(self, stream: str) -> Iterator[Reply]:
        for found in self._run("SELECT id, seq FROM replies WHERE stream = ? ORDER BY seq, id", (stream,)):
            yield Reply(*found)

    def corrections(self, stream: str, after: int) -> list[int]:
        sql = f"SELECT seq FROM journal WHERE stream = ? AND seq > ? AND {CORRECTING} ORDER BY seq"
        return [seq for (seq,) in self._run(sql, (stream, after))]

    def search(self, stream: str, words: Sequence[bytes]) -> list[int]:
        found = " OR ".join([self._FOUND_IN_BODY] * len(words))
        sql = f"SELECT seq FROM journal WHERE stream = ? AND ({found}) ORDER BY seq"
        return [seq for (seq,) in self._run(sql, (stream, *words))]

    def ticket(self, number: str) -> tuple[TicketMade, TicketEnded | None] | None:
        return next(self._tickets("WHERE t.number = ?", (number,)), None)

    def tickets(self) -> Iterator[tuple[TicketMade, TicketEnded | None]]:
        return self._tickets("ORDER BY t.at, t.stream, t.seq")

    def ticket_ends(self) -> Iterator[TicketEnded]:
        for found in self._run("SELECT * FROM ticket_ends"):
            yield TicketEnded(*found)

    def _tickets(self, which: str, values: Sequence[Any] = ()) -> Iterator[tuple[TicketMade, TicketEnded | None]]:
        sql = f"""SELECT t.*, e.* FROM tickets t LEFT JOIN ticket_ends e ON e.number = t.number
            AND e.late = (SELECT max(late) FROM ticket_ends WHERE number = t.number) {which}"""
        for found in self._run(sql, values):
            yield TicketMade(*found[:7]), TicketEnded(*found[7:]) if found[7] is not None else None

    def snapshot(self, stream: str, round: int = LAST, seq: int = LAST) -> Snapshot | None:
        sql = "SELECT * FROM snapshots WHERE stream = ? AND round <= ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        found = self._run(sql, (stream, round, seq))
        return Snapshot(*found[0]) if found else None

    def snapshots(self, stream: str) -> list[int]:
        return [seq for (seq,) in self._run("SELECT seq FROM snapshots WHERE stream = ? ORDER BY seq", (stream,))]

    def flows(self, stream: str, begin: int, end: int) -> list[tuple[str, str, str, int]]:
        sql = """SELECT source, target, reason, sum(amount) FROM transfers JOIN journal USING (stream, seq)
            WHERE stream = ? AND at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
        return [(str(a), str(b), str(c), int(d)) for a, b, c, d in self._run(sql, (stream, begin, end))]

    def secret(self, kind: str, key: str) -> Secret | None:
        found = self._run("SELECT * FROM desk WHERE kind = ? AND key = ?", (kind, key))
        return Secret(*found[0]) if found else None
