"""Rounds that stood still because a device contradicted a person: who said what, and who decided.

People who report often what no device confirms, and devices that often contradict people, are worth a closer look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, get_args

import msgspec

from croupier.store.history import start
from croupier.store.journal import LAST, Store, row_at
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import DeviceReport, RoundNumber

_KINDS = (m.ReportContradicted, m.ApprovalGiven, m.ApprovalDeclined)
_WORDS = tuple(f'"type":"{kind.__name__}"'.encode() for kind in _KINDS)

Ending = Literal["waiting", "void", "goes-on"]
By = Literal["person", "table", "device"]
BY: tuple[By, ...] = get_args(By)


class Disagreement(msgspec.Struct, frozen=True):
    """A person's report that a device contradicted, and the decision about it."""

    table: str
    round: RoundNumber
    at: int
    person: str
    irregularity: str
    clause: str
    note: str
    device: DeviceReport
    ending: Ending
    decided_by: str
    decided_at: int


class Counted(msgspec.Struct, frozen=True):
    """How often one person, table or device was part of a disagreement, and how often the round became void."""

    name: str
    disagreements: int
    voids: int


def disagreements(store: Store, tables: Iterable[str], begin: int = 0, end: int = LAST) -> tuple[Disagreement, ...]:
    """The disagreements at these tables in a span of time, the oldest first."""
    found = (one for table in tables for one in _of_table(store, table) if begin <= one.at < end)
    return tuple(sorted(found, key=lambda one: one.at))


def counted(found: Sequence[Disagreement], by: By) -> tuple[Counted, ...]:
    """The disagreements by person, table or device; those with the most come first."""
    names = [one.device.device if by == "device" else str(getattr(one, by)) for one in found]
    times = Counter(names)
    voids = Counter(name for name, one in zip(names, found, strict=True) if one.ending == "void")
    return tuple(Counted(name, count, voids[name]) for name, count in times.most_common())


def _of_table(store: Store, table: str) -> Iterator[Disagreement]:
    subject = start(store, table).subject
    if not isinstance(subject, TableSubject):
        return
    found: dict[int, Disagreement] = {}
    for seq in store.search(table, _WORDS):
        for event in subject.read(row_at(store, table, seq)).events:
            _follow(table, found, event)
    yield from found.values()


def _follow(table: str, found: dict[int, Disagreement], event: Any) -> None:
    match event:
        case m.ReportContradicted():
            note = msgspec.json.decode(event.command, type=m.Report).note
            found[event.request] = Disagreement(
                table,
                event.round,
                event.at,
                event.by,
                event.irregularity,
                event.clause,
                note,
                event.device,
                "waiting",
                "",
                0,
            )
        case m.ApprovalGiven() | m.ApprovalDeclined() if event.request in found:
            ending: Ending = "void" if isinstance(event, m.ApprovalGiven) else "goes-on"
            found[event.request] = msgspec.structs.replace(
                found[event.request], ending=ending, decided_by=event.by, decided_at=event.at
            )
        case _:
            pass
