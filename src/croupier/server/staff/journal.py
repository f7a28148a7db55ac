"""The journal for an auditor: row by row, and every act that needed two people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec

from croupier.cage import messages as c
from croupier.rules.money import Cents
from croupier.rules.statement import Statement, with_texts_changed
from croupier.server.staff.history import Limit, Name
from croupier.server.staff.rounds import StepRefused
from croupier.store.history import start
from croupier.store.journal import LAST, Row, Store, read_rows, row_at
from croupier.store.rounds import without_numbers
from croupier.store.streams.entry import NO_COMMANDS
from croupier.store.streams.stream import Subject
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.command_statement import command_statement
from croupier.table.messages import AnyCommand, Command

Number = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
_ASIDE = NO_COMMANDS | {"TableMade", "CageMade", "OfficeMade"}
"""Kinds of rows that hold no command."""


class JournalAsked(msgspec.Struct, frozen=True):
    stream: Name
    before: Number = LAST
    """Rows before this one; without it, the newest."""
    limit: Limit = 100


class MovedMoney(msgspec.Struct, frozen=True):
    source: str
    target: str
    amount: Cents
    reason: str
    about: str


class JournalRow(msgspec.Struct, frozen=True):
    """One row: who asked for what, when, and the outcome."""

    seq: int
    at: int
    kind: str
    by: str
    told: Statement | None
    """What was asked for; null in a row without a command."""
    refused: StepRefused | None
    body: msgspec.Raw
    """The row itself. Of the numbers of tickets only four digits are shown."""
    money: tuple[MovedMoney, ...]
    hash: str


class JournalPage(msgspec.Struct, frozen=True):
    stream: str
    streams: tuple[str, ...]
    """The streams that this person may read."""
    head: int
    rows: tuple[JournalRow, ...]
    """The newest first."""


class ApprovalsAsked(msgspec.Struct, frozen=True):
    place: Name = ""
    limit: Limit = 100


class ApprovalRecord(msgspec.Struct, frozen=True):
    """A request for a second person, and its outcome."""

    place: str
    number: int
    asked_by: str
    asked_at: int
    act: str
    told: Statement
    digest: str
    expires: int
    state: Literal["approved", "declined", "waiting", "expired"]
    by: str
    at: int


class Approvals(msgspec.Struct, frozen=True):
    requests: tuple[ApprovalRecord, ...]
    """The newest first."""


def journal_page(store: Store, streams: tuple[str, ...], asked: JournalAsked) -> JournalPage:
    head = store.head(asked.stream).seq
    last = min(asked.before - 1, head)
    subject = start(store, asked.stream).subject
    rows = []
    for row in read_rows(store, asked.stream, max(0, last - asked.limit)):
        if row.seq > last:
            break
        rows.append(_journal_row(subject, row))
    return JournalPage(asked.stream, streams, head, tuple(reversed(rows)))


def _journal_row(subject: Subject, row: Row) -> JournalRow:
    money = tuple(
        MovedMoney(
            without_numbers(one.source),
            without_numbers(one.target),
            one.amount,
            one.reason,
            without_numbers(one.about),
        )
        for one in row.transfers
    )
    body = msgspec.Raw(re.sub(rb'"\d{14}(\d{4})"', rb'"**************\1"', row.body))
    if row.kind in _ASIDE:
        return JournalRow(row.seq, row.at, row.kind, "", None, None, body, money, row.hash.hex())
    entry = subject.read(row)
    no = entry.refused
    refused = StepRefused.of(no) if no else None
    statement = asked_for(subject, entry.command)
    return JournalRow(row.seq, row.at, row.kind, entry.command.by, statement, refused, body, money, row.hash.hex())


def asked_for(subject: Subject, command: Command) -> Statement:
    """What was asked for. Of the numbers of tickets only four digits are shown."""
    order = subject.table.order if isinstance(subject, TableSubject) else ""
    return with_texts_changed(command_statement(command, order), without_numbers)


# ---- approvals

_APPROVAL_WORDS = tuple(
    f'"type":"{kind.__name__}"'.encode() for kind in (m.ApprovalRequested, m.ApprovalGiven, m.ApprovalDeclined)
)


def approvals(store: Store, places: Iterable[str], now: int, limit: int) -> Approvals:
    """Every request for a second person, with who agreed or declined."""
    records: list[ApprovalRecord] = []
    for place in places:
        subject = start(store, place).subject
        found: dict[int, ApprovalRecord] = {}
        for seq in store.search(place, _APPROVAL_WORDS):
            for event in subject.read(row_at(store, place, seq)).events:
                _follow(subject, place, found, event, now)
        records += found.values()
    newest = sorted(records, key=lambda one: (one.asked_at, one.number), reverse=True)
    return Approvals(tuple(newest[:limit]))


def _follow(subject: Subject, place: str, found: dict[int, ApprovalRecord], event: Any, now: int) -> None:
    match event:
        case m.ApprovalRequested():
            asked = _asked(subject, event.command)
            state: Literal["waiting", "expired"] = "waiting" if now <= event.expires else "expired"
            found[event.request] = ApprovalRecord(
                place,
                event.request,
                event.by,
                event.at,
                type(asked).__name__,
                asked_for(subject, asked),
                event.digest,
                event.expires,
                state,
                "",
                0,
            )
        case m.ApprovalGiven() | m.ApprovalDeclined() if event.request in found:
            end: Literal["approved", "declined"] = "approved" if isinstance(event, m.ApprovalGiven) else "declined"
            found[event.request] = msgspec.structs.replace(found[event.request], state=end, by=event.by, at=event.at)
        case _:
            pass


def _asked(subject: Subject, content: bytes) -> Any:
    kind: Any = AnyCommand if isinstance(subject, TableSubject) else c.TwoPeople
    return msgspec.json.decode(content, type=kind)
