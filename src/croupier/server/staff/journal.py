"""The journal as an auditor reads it: row by row, and every act that needed two people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec

from croupier import words
from croupier.cage import messages as c
from croupier.office import messages as o
from croupier.rules.money import Cents, format_money
from croupier.server.staff.history import Limit, Name
from croupier.server.staff.pit import cage_phrase
from croupier.server.staff.rounds import StepRefused
from croupier.store.history import start
from croupier.store.journal import LAST, Row, Store, read_rows, row_at
from croupier.store.rounds import without_numbers
from croupier.store.streams.entry import NO_COMMANDS
from croupier.store.streams.stream import Subject
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import AnyCommand
from croupier.transcript.phrases import write_phrase

Number = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
_ASIDE = NO_COMMANDS | {"TableMade", "CageMade", "OfficeMade"}
"""Rows of no command."""


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
    """One row: who asked for what, when, and what came of it."""

    seq: int
    at: int
    kind: str
    by: str
    told: str
    refused: StepRefused | None
    body: msgspec.Raw
    """The row itself, with the numbers of tickets hidden but for four digits."""
    money: tuple[MovedMoney, ...]
    hash: str


class JournalPage(msgspec.Struct, frozen=True):
    stream: str
    streams: tuple[str, ...]
    """All that may be asked for."""
    head: int
    rows: tuple[JournalRow, ...]
    """The newest first."""


class ApprovalsAsked(msgspec.Struct, frozen=True):
    place: Name = ""
    limit: Limit = 100


class ApprovalTold(msgspec.Struct, frozen=True):
    """A request, and what became of it."""

    place: str
    number: int
    asked_by: str
    asked_at: int
    act: str
    told: str
    digest: str
    expires: int
    state: Literal["approved", "declined", "waiting", "expired"]
    by: str
    at: int


class Approvals(msgspec.Struct, frozen=True):
    requests: tuple[ApprovalTold, ...]
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
        return JournalRow(row.seq, row.at, row.kind, "", row.kind, None, body, money, row.hash.hex())
    entry = subject.read(row)
    no = entry.refused
    refused = StepRefused.of(no) if no else None
    told = without_numbers(told_command(subject, entry.command))
    return JournalRow(row.seq, row.at, row.kind, entry.command.by, told, refused, body, money, row.hash.hex())


DEEDS: dict[type[m.Command], str] = {
    c.SellTicket: "sells ticket {ticket} of {amount}",
    c.PayTicket: "pays ticket {ticket}",
    c.VoidTicket: "voids ticket {ticket}[ for ticket {replacement}], because {reason}",
    c.ReprintTicket: "reprints ticket {ticket}, because {reason}",
    c.ExpireTicket: "lets ticket {ticket} expire",
    c.PayUnclaimed: "pays the expired ticket {ticket}, because {reason}",
    c.EmployStaff: "employs {person}[ as {roles}]",
    c.ApproveRequest: "approves request {request}",
    c.DeclineRequest: "declines request {request}",
    o.MakeAccount: "makes an account for {person}[ as {roles}]",
    o.SetRoles: "sets the roles of {person}[ to {roles}]",
    o.RetireAccount: "retires the account of {person}, because {reason}",
    o.NotePassword: "notes a new password of {person}",
    o.MakeLink: "makes a one-time link for {person}",
    o.BeginSession: "begins a session of {person} from {where}",
    o.NoteFailure: "notes {times} failed tries of {person} from {where}: {why}",
    o.EndSessions: "ends sessions of {person}: {how}",
    o.AdoptRules: "has the office keep version {rules} of the rules of who is who",
    o.NameFounders: "names {people} founders",
    o.ConfirmPerson: "confirms {person}",
    o.NoteAsker: "notes that {person} asked for request {request} at {place}",
    o.RequirePasskeys: "has dangerous acts signed with passkeys",
    o.AddPasskey: "adds a passkey of {person}",
    o.DropPasskey: "takes away a passkey of {person}",
    o.SignAsking: "signs having asked for request {request} at {place}",
    o.EnrolTerminal: "enrols a terminal for {table} seat {seat}",
    o.RetireTerminal: "retires the terminal of {table} seat {seat}, because {reason}",
    o.RaiseAlert: "raises the alert {kind}[ at {table}]: {what}",
    o.AcknowledgeAlert: "acknowledges alert {alert}[: {note}]",
}
"""What is done at the cage and in the office, as phrases; what is in brackets is left out where there is nothing."""


def told_command(subject: Subject, command: Any) -> str:
    """A command as a sentence."""
    if isinstance(subject, TableSubject):
        return f"{command.by} {write_phrase(command, subject.table.order)}."
    phrase = DEEDS[type(command)]
    said = re.sub(r"\[([^\]]*{(\w+)}[^\]]*)\]", lambda part: part[1] if getattr(command, part[2]) else "", phrase)
    filled = re.sub(r"{(\w+)}", lambda fact: _plain(command, fact[1]), said)
    return f"{command.by} {filled}."


def _plain(command: Any, name: str) -> str:
    value = getattr(command, name)
    if isinstance(command, o.RaiseAlert) and name == "what":
        return words.alert(command)
    if name == "amount":
        return format_money(value)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# ---- approvals

_APPROVAL_WORDS = tuple(
    f'"type":"{kind.__name__}"'.encode() for kind in (m.ApprovalRequested, m.ApprovalGiven, m.ApprovalDeclined)
)


def approvals(store: Store, places: Iterable[str], now: int, limit: int) -> Approvals:
    """Every request that was made, with who agreed to it or did not."""
    told: list[ApprovalTold] = []
    for place in places:
        subject = start(store, place).subject
        found: dict[int, ApprovalTold] = {}
        for seq in store.search(place, _APPROVAL_WORDS):
            for event in subject.read(row_at(store, place, seq)).events:
                _follow(subject, place, found, event, now)
        told += found.values()
    newest = sorted(told, key=lambda one: (one.asked_at, one.number), reverse=True)
    return Approvals(tuple(newest[:limit]))


def _follow(subject: Subject, place: str, found: dict[int, ApprovalTold], event: Any, now: int) -> None:
    match event:
        case m.ApprovalRequested():
            asked = _asked(subject, event.command)
            by_table = isinstance(subject, TableSubject)
            sentence = without_numbers(told_command(subject, asked) if by_table else cage_phrase(asked))
            state: Literal["waiting", "expired"] = "waiting" if now <= event.expires else "expired"
            found[event.request] = ApprovalTold(
                place,
                event.request,
                event.by,
                event.at,
                type(asked).__name__,
                sentence,
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
