"""What a stream is the history of: how the commands of a table, the cage and the office are decided and kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, assert_never

import msgspec

from croupier import cage as cashier
from croupier import office as clerk
from croupier.cage import AnyCageCommand, AnyCageEvent
from croupier.cage import messages as c
from croupier.ledger import UNCLAIMED, Balances, Flows, Transfer, audit, check_laws, post, receivable, terminal
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent, OfficeRole
from croupier.rules.reader import read_rulebook
from croupier.rules.refusal import Fact, Refused
from croupier.rules.rulebook import Rulebook
from croupier.store.journal import Place, Row
from croupier.table import messages as m
from croupier.table import snapshot
from croupier.table.checks import interruption_act
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, AnyEvent, Limits, PersonId, Role, RoundNumber
from croupier.table.permits import authorise
from croupier.table.state import PastRound, Setup, new_table
from croupier.table.tickets import check_ticket_number
from croupier.transcript.play import Evening
from croupier.wire import Unreadable, decode, encode

C = TypeVar("C")
E = TypeVar("E")
MOST_RECALLED = 100
"""Old rounds that one act may be about."""
Recall = Callable[[RoundNumber, int], PastRound | None]
"""Finds a round that is over and no longer at hand, as it stood before a row."""


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why a command was refused. Rows of before have a sentence; rows of now the case and the facts it is made of."""

    reason: str
    message: str = ""
    clause: str | None = None
    case: str = ""
    facts: dict[str, Fact] = {}


class Entry(msgspec.Struct, Generic[C, E], frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One command and what came of it: the audit record of accepted and refused alike."""

    command: C
    events: tuple[E, ...] = ()
    refused: Refusal | None = None
    id: str = ""
    """The id its giver made for it, so that it counts once however often it is sent; beside any in the command."""
    door: bool = False
    """Refused before it was decided, for what only the store knows."""

    @property
    def is_at_the_door(self) -> bool:
        return self.door and self.refused is not None and not self.events


AnyEntry = Entry[Any, Any]


def same_decision(kept: AnyEntry, again: AnyEntry) -> bool:
    """Is a command decided as its row says? Words are no decision: those of a refusal may be other words by now."""
    if kept.refused is None or again.refused is None:
        return kept == again
    rest, rest_again = (msgspec.structs.replace(one, refused=None) for one in (kept, again))
    return rest == rest_again and same_refusal(kept.refused, again.refused)


def same_refusal(kept: Refusal, again: Refusal) -> bool:
    """The same no: reason and clause, and, unless an old row has a sentence in their place, the case and its facts."""
    if (kept.reason, kept.clause) != (again.reason, again.clause):
        return False
    return kept.message != "" or (kept.case, kept.facts) == (again.case, again.facts)


class TableMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of a table: the House's choices, its first staff, and the whole text of the book it plays by."""

    table: str
    rulebook: str
    rulebook_hash: str
    layouts: tuple[str, ...]
    limits: Limits
    staff: dict[PersonId, tuple[Role, ...]]
    two_sources: bool = False
    approval_seconds: int = 120
    alternatives: tuple[int, ...] = ()


class CageMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of the cage: its first staff."""

    cage: str
    staff: dict[PersonId, tuple[Role, ...]]
    approval_seconds: int = 120


class OfficeMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of the office: its first accounts."""

    office: str
    accounts: dict[PersonId, tuple[OfficeRole, ...]]
    rules: int = 0
    """The version of the rules of who is who."""


AnyMade = TableMade | CageMade | OfficeMade


STATE = 4
"""The version of how a state is written. One written in another way is not read: the rows before it tell it again."""


class StateKept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of no command: the digest of the whole state here, which the snapshot beside it must have."""

    digest: str
    round: int
    version: int = STATE


class LossAccepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of no command: two people go on without rows that had been answered for and are gone."""

    by: PersonId
    second: PersonId
    reason: str
    lost: tuple[tuple[int, str], ...]
    """The heads that are given up: number and hash of rows that the stream once ended with."""

    @property
    def places(self) -> set[Place]:
        return {Place(seq, bytes.fromhex(hash)) for seq, hash in self.lost}

    @property
    def reached(self) -> int:
        """The farthest row that is given up."""
        return max(seq for seq, _ in self.lost)


NO_COMMANDS = frozenset((StateKept.__name__, LossAccepted.__name__))
"""Kinds of rows that nobody asked the subject for, and that change nothing in it."""

_losses = msgspec.json.Decoder(LossAccepted)


def read_loss(row: Row) -> LossAccepted:
    return decode(_losses, row.body, f"row {row.seq} of {row.stream}")


class TicketChange(NamedTuple):
    """A ticket that an event made (`how` is empty) or ended; late, if it had expired before."""

    number: str
    how: str
    amount: int
    expires: int = 0
    place: str = ""
    late: bool = False


class Subject(Protocol):
    balances: Balances

    @property
    def name(self) -> str: ...

    @property
    def made(self) -> AnyMade: ...

    @property
    def resting(self) -> bool:
        """Is this a good moment to keep the state?"""

    @property
    def next_round(self) -> int: ...

    def read(self, row: Row) -> AnyEntry: ...

    def client_id(self, command: Any) -> str:
        """The id in a command itself under which it counts once; empty if it has none."""

    def surely_new(self, command: Any) -> bool:
        """Is it certain, from what is remembered here, that a command with an id of its own was never given before?"""

    def old_rounds(self, command: Any) -> Sequence[RoundNumber]:
        """The rounds that a command is about and that are no longer at hand."""

    def recall(self, command: Any, row: int, recall: Recall) -> None:
        """Bring to hand the old rounds that the command of a row is about."""

    def decided(self, command: Any, id: str = "") -> AnyEntry: ...

    def post(self, entry: AnyEntry) -> list[Transfer]:
        """The money that an entry moves."""

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None: ...

    def alone(self, command: Any) -> bool:
        """Must what is on disk be looked at to decide it? Then it goes into no group."""

    def ticket_of(self, command: Any) -> str | None:
        """The number of the ticket whose facts a command must carry."""

    def new_ticket_of(self, command: Any) -> str | None:
        """The number of the ticket that a command would make."""

    def tickets(self, entry: AnyEntry) -> list[TicketChange]: ...

    def check(self) -> None:
        """Assert the laws of money for every account."""

    def audit(self) -> None:
        """Assert them for the accounts that moved: after every command."""

    def state(self) -> bytes: ...

    def interruption(self, at: int) -> Any | None:
        """The command that tells of a stop of the software, where the book has something to say of it."""


# ---- a table

_entries: msgspec.json.Decoder[Entry[AnyCommand, AnyEvent]] = msgspec.json.Decoder(Entry[AnyCommand, AnyEvent])
_cage_entries: msgspec.json.Decoder[Entry[AnyCageCommand, AnyCageEvent]] = msgspec.json.Decoder(
    Entry[AnyCageCommand, AnyCageEvent]
)
_office_entries: msgspec.json.Decoder[Entry[AnyOfficeCommand, AnyOfficeEvent]] = msgspec.json.Decoder(
    Entry[AnyOfficeCommand, AnyOfficeEvent]
)
_makings: dict[str, msgspec.json.Decoder[Any]] = {
    made.__name__: msgspec.json.Decoder(made) for made in (TableMade, CageMade, OfficeMade)
}


_ALONE = frozenset((m.RedeemTicket, m.CashOut, m.Approve, m.CorrectResult, m.VoidRounds))


class TableSubject:
    """A table, under the very text it was made under, with its ledger."""

    def __init__(self, made: TableMade) -> None:
        book = _book(made.rulebook)
        assert book.hash == made.rulebook_hash, f"{made.table} was made under another text of {book.id}"
        self.made = made
        self.setup = Setup(
            made.table,
            book,
            made.layouts,
            made.limits,
            two_sources=made.two_sources,
            approval_seconds=made.approval_seconds,
            alternatives=frozenset(made.alternatives),
        )
        self.table = new_table(self.setup)
        self.table.staff |= made.staff
        self.balances = Balances()

    @property
    def name(self) -> str:
        return self.made.table

    @property
    def resting(self) -> bool:
        return self.table.round is None and self.table.phase == "ready"

    @property
    def next_round(self) -> int:
        return self.table.next_round

    def read(self, row: Row) -> AnyEntry:
        return decode(_entries, row.body, f"row {row.seq} of {row.stream}")

    def client_id(self, command: AnyCommand) -> str:
        if type(command) is m.PlaceBet:
            return id_of_bet(command) if is_name(command.id) else ""
        match command:
            case m.WithdrawBet() if is_name(command.id):
                return f"withdrawal {self.table.bet_rounds.get(command.bet, 0)}/{command.id}"
            case m.RedeemTicket() | m.CashOut() if is_name(command.seat) and (number := _number(command.ticket)):
                return f"{type(command).__name__} {command.seat}/{number}"
            case _:
                return ""

    def surely_new(self, command: AnyCommand) -> bool:
        table, round = self.table, self.table.round
        if type(command) is m.PlaceBet:
            return round is not None and round.number == command.round and command.id not in table.bet_rounds
        if type(command) is m.WithdrawBet:
            return command.bet in table.bet_rounds and command.id not in table.withdrawals
        return False

    def old_rounds(self, command: AnyCommand) -> Sequence[RoundNumber]:
        if isinstance(command, m.Approve) and command.request in self.table.requests:
            asked = self.table.requests[command.request].command
        else:
            asked = command
        match asked:
            case m.CorrectResult():
                rounds: Sequence[RoundNumber] = (asked.round,)
            case m.VoidRounds():
                rounds = asked.rounds[:MOST_RECALLED]
            case _:
                return ()
        try:
            authorise(self.table, command)
        except Refused:
            return ()  # it will be refused: no need to look for anything
        here = {*self.table.past, self.table.round.number if self.table.round else 0}
        return [number for number in rounds if 0 < number < self.table.next_round and number not in here]

    def recall(self, command: AnyCommand, row: int, recall: Recall) -> None:
        for number in self.old_rounds(command):
            past = recall(number, row)
            if past is not None:
                self.table.past[number] = past

    def decided(self, command: AnyCommand, id: str = "") -> AnyEntry:
        try:
            return Entry(command, tuple(decide(self.table, command)), id=id)
        except Refused as refused:
            return _refused(command, refused)

    def post(self, entry: AnyEntry) -> list[Transfer]:
        name, events = self.made.table, entry.events
        if len(events) == 1:  # as of every bet
            return post(name, events[0])
        return [transfer for event in events for transfer in post(name, event)]

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None:
        self.balances.apply(transfers)
        for event in entry.events:
            evolve(self.table, event)
        if len(self.table.past) > snapshot.AT_HAND:
            for seat in snapshot.forget(self.table):
                for account in (terminal, receivable):
                    self.balances.merge(account(self.name, seat), account(self.name, ""))

    def alone(self, command: AnyCommand) -> bool:
        return type(command) in _ALONE

    def ticket_of(self, command: AnyCommand) -> str | None:
        return _number(command.ticket) if isinstance(command, m.RedeemTicket) else None

    def new_ticket_of(self, command: AnyCommand) -> str | None:
        return _number(command.ticket) or None if isinstance(command, m.CashOut) else None

    def tickets(self, entry: AnyEntry) -> list[TicketChange]:
        changes = []
        for event in entry.events:
            if isinstance(event, m.TicketIssued):
                changes.append(TicketChange(event.ticket, "", event.amount, event.expires, f"{self.name}/{event.seat}"))
            elif isinstance(event, m.TicketRedeemed):
                changes.append(TicketChange(event.ticket, "redeemed", event.amount))
        return changes

    def check(self) -> None:
        check_laws(self.table, self.balances)

    def audit(self) -> None:
        audit(self.table, self.balances)

    def state(self) -> bytes:
        return _packed(self.made, self.balances, snapshot.dump(self.table))

    def interruption(self, at: int) -> AnyCommand | None:
        if self.table.interruption is not None or interruption_act(self.table, self.table.phase).act == "nothing":
            return None
        return m.Interrupt("system", at, "server")


# ---- the cage


class CageSubject:
    """The cage with its ledger."""

    def __init__(self, made: CageMade) -> None:
        self.made = made
        self.cage = cashier.new_cage(made.staff, made.approval_seconds)
        self.balances = Balances()

    @property
    def name(self) -> str:
        return self.made.cage

    @property
    def resting(self) -> bool:
        return True

    @property
    def next_round(self) -> int:
        return 0

    def read(self, row: Row) -> AnyEntry:
        return decode(_cage_entries, row.body, f"row {row.seq} of {row.stream}")

    def client_id(self, command: AnyCageCommand) -> str:
        match command:
            case c.SellTicket() | c.PayTicket() if number := _number(command.ticket):
                return f"{type(command).__name__} {number}"
            case _:
                return ""

    def surely_new(self, command: AnyCageCommand) -> bool:
        return False

    def old_rounds(self, command: AnyCageCommand) -> Sequence[RoundNumber]:
        return ()

    def recall(self, command: AnyCageCommand, row: int, recall: Recall) -> None:
        """The cage has no rounds."""

    def decided(self, command: AnyCageCommand, id: str = "") -> AnyEntry:
        try:
            return Entry(command, tuple(cashier.decide(self.cage, command)), id=id)
        except Refused as refused:
            return _refused(command, refused)

    def post(self, entry: AnyEntry) -> list[Transfer]:
        return [transfer for event in entry.events for transfer in cashier.post(event)]

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None:
        self.balances.apply(transfers)
        for event in entry.events:
            cashier.evolve(self.cage, event)

    def alone(self, command: AnyCageCommand) -> bool:
        return self.ticket_of(command) is not None or self.new_ticket_of(command) is not None

    def ticket_of(self, command: AnyCageCommand) -> str | None:
        match command:
            case c.PayTicket() | c.VoidTicket() | c.ReprintTicket() | c.ExpireTicket() | c.PayUnclaimed():
                return _number(command.ticket)
            case c.ApproveRequest() if command.request in self.cage.requests:
                return _number(self.cage.requests[command.request].command.ticket)
            case _:
                return None

    def new_ticket_of(self, command: AnyCageCommand) -> str | None:
        if isinstance(command, c.ApproveRequest) and command.request in self.cage.requests:
            command = self.cage.requests[command.request].command
        match command:
            case c.SellTicket():
                return _number(command.ticket) or None
            case c.VoidTicket() if command.replacement:
                return _number(command.replacement) or None
            case _:
                return None

    def tickets(self, entry: AnyEntry) -> list[TicketChange]:
        changes: list[TicketChange] = []
        for event in entry.events:
            match event:
                case c.TicketSold():
                    changes.append(TicketChange(event.ticket, "", event.amount, event.expires, self.name))
                case c.TicketPaid():
                    changes.append(TicketChange(event.ticket, "paid", event.amount))
                case c.UnclaimedPaid():
                    changes.append(TicketChange(event.ticket, "paid", event.amount, late=True))
                case c.TicketExpired():
                    changes.append(TicketChange(event.ticket, "expired", event.amount))
                case c.TicketVoided():
                    changes.append(TicketChange(event.ticket, "void", event.amount))
                    if new := event.replacement:
                        changes.append(TicketChange(new, "", event.amount, event.replacement_expires, self.name))
        return changes

    def check(self) -> None:
        assert sum(self.balances.values()) == 0, "money was created or destroyed"
        assert self.balances[UNCLAIMED] >= 0, "more was paid late than had expired"

    def audit(self) -> None:
        """The cage has a handful of accounts."""
        self.check()
        self.balances.moved.clear()

    def state(self) -> bytes:
        return _packed(self.made, self.balances, cashier.dump(self.cage))

    def interruption(self, at: int) -> None:
        return None


# ---- the office


class OfficeSubject:
    """The office. No money moves there."""

    def __init__(self, made: OfficeMade) -> None:
        self.made = made
        self.office = clerk.new_office(made.accounts, made.rules)
        self.balances = Balances()

    @property
    def name(self) -> str:
        return self.made.office

    @property
    def resting(self) -> bool:
        return True

    @property
    def next_round(self) -> int:
        return 0

    def read(self, row: Row) -> AnyEntry:
        return decode(_office_entries, row.body, f"row {row.seq} of {row.stream}")

    def client_id(self, command: AnyOfficeCommand) -> str:
        return ""

    def surely_new(self, command: AnyOfficeCommand) -> bool:
        return False

    def old_rounds(self, command: AnyOfficeCommand) -> Sequence[RoundNumber]:
        return ()

    def recall(self, command: AnyOfficeCommand, row: int, recall: Recall) -> None:
        """The office has no rounds."""

    def decided(self, command: AnyOfficeCommand, id: str = "") -> AnyEntry:
        try:
            return Entry(command, tuple(clerk.decide(self.office, command)), id=id)
        except Refused as refused:
            return _refused(command, refused)

    def post(self, entry: AnyEntry) -> list[Transfer]:
        return []

    def apply(self, entry: AnyEntry, transfers: Iterable[Transfer]) -> None:
        self.balances.apply(transfers)
        for event in entry.events:
            clerk.evolve(self.office, event)

    def alone(self, command: AnyOfficeCommand) -> bool:
        return False

    def ticket_of(self, command: AnyOfficeCommand) -> None:
        return None

    def new_ticket_of(self, command: AnyOfficeCommand) -> None:
        return None

    def tickets(self, entry: AnyEntry) -> list[TicketChange]:
        return []

    def check(self) -> None:
        assert not self.balances.flows, "money moved in the office"

    def audit(self) -> None:
        self.check()

    def state(self) -> bytes:
        return _packed(self.made, self.balances, clerk.dump(self.office))

    def interruption(self, at: int) -> None:
        return None


# ---- from rows and bytes


def key_of(id: str) -> str:
    """An id of a giver, apart from those that are in the commands themselves."""
    return f"id {id}" if id else ""


def id_of_bet(command: m.PlaceBet) -> str:
    return f"bet {command.round}/{command.id}"


def id_of(subject: Subject, entry: AnyEntry) -> str:
    """The id under which an entry answers resends, its giver's or that in its command; a refused one answers none."""
    if entry.refused is not None:
        return ""
    return key_of(entry.id) or subject.client_id(entry.command)


def sent(command: Any) -> bytes:
    """What a resend must repeat: not the time, nor what is looked up here."""
    neutral = {"at": 0, "found": "unknown", "expires": 0, "session": ""}
    if hasattr(command, "found"):
        neutral["amount"] = 0
    fields = {name: value for name, value in neutral.items() if name in command.__struct_fields__}
    return encode(msgspec.structs.replace(command, **fields))


def sent_otherwise(id: str) -> Refusal:
    return Refusal("resend", f"{id} was sent before with another content")


def number_used(number: str) -> Refusal:
    return Refusal("ticket", f"there is a ticket {number} already; a number is used once")


def is_name(text: str) -> bool:
    """Can this be kept as an id? What cannot is refused by the engine, and needs no looking for."""
    return 0 < len(text) <= 128 and text.isprintable()


def _number(text: str) -> str:
    """The digits of a ticket's number, however they are written; empty if it is none."""
    try:
        return check_ticket_number(text)
    except Refused:
        return ""


def made_row(made: AnyMade) -> tuple[str, bytes]:
    return type(made).__name__, encode(made)


def subject_of(made: AnyMade) -> Subject:
    match made:
        case TableMade():
            return TableSubject(made)
        case CageMade():
            return CageSubject(made)
        case OfficeMade():
            return OfficeSubject(made)
        case _:
            assert_never(made)


def first_subject(row: Row) -> Subject:
    """The subject as its first row says it was made."""
    if row.kind not in _makings:
        raise Unreadable(f"row {row.seq} of {row.stream} is {row.kind}; a stream begins with {' or '.join(_makings)}")
    return subject_of(decode(_makings[row.kind], row.body, f"row {row.seq} of {row.stream}"))


def _packed(made: AnyMade, balances: Balances, body: bytes) -> bytes:
    kind, text = made_row(made)
    return msgspec.msgpack.encode((kind, text, balances.flows, body))


_STATE = tuple[str, bytes, Flows, bytes]


def restored(state: bytes) -> Subject:
    """The subject that `state` wrote; Unreadable if it did not."""
    try:
        kind, text, flows, body = msgspec.msgpack.decode(state, type=_STATE)
        subject = subject_of(_makings[kind].decode(text))
        if isinstance(subject, TableSubject):
            subject.table = snapshot.load(subject.setup, body)
        elif isinstance(subject, CageSubject):
            subject.cage = cashier.load(body)
        elif isinstance(subject, OfficeSubject):
            subject.office = clerk.load(body)
    except (msgspec.MsgspecError, KeyError) as error:
        raise Unreadable(f"a state cannot be read: {error}") from None
    subject.balances = Balances.of(flows)
    return subject


MOST_STATE = 2**28
"""Bytes of a state; ten rounds of a thousand Players are a fraction of it."""


def shrunk(state: bytes) -> bytes:
    return zlib.compress(state, 1)


def grown(body: bytes) -> bytes:
    """What `shrunk` made small; Unreadable if it did not."""
    reader = zlib.decompressobj()
    try:
        state = reader.decompress(body, MOST_STATE)
    except zlib.error as error:
        raise Unreadable(f"a snapshot cannot be read: {error}") from None
    if not reader.eof or reader.unused_data:
        raise Unreadable(f"a snapshot cannot be read: it is cut off, or larger than {MOST_STATE} bytes")
    return state


def digest(state: bytes) -> str:
    return sha256(state).hexdigest()


@lru_cache
def _book(text: str) -> Rulebook:
    return read_rulebook(text.encode(), "the text in the journal")


def kept_refusal(refused: Refused) -> Refusal:
    return Refusal(refused.reason, refused.message, refused.clause, refused.case, refused.facts)


def _refused(command: Any, refused: Refused) -> AnyEntry:
    return Entry(command, refused=kept_refusal(refused))


def made_of(evening: Evening, text: str) -> TableMade:
    """What a table played from a transcript was made of; `text` is that of its rulebook."""
    setup = evening.table.setup
    return TableMade(
        setup.table,
        text,
        setup.rulebook.hash,
        setup.layouts,
        setup.limits,
        evening.staff,
        setup.two_sources,
        setup.approval_seconds,
        tuple(sorted(setup.alternatives)),
    )


def entries(subject: Subject, rows: Iterator[Row]) -> Iterator[tuple[Row, AnyEntry | None]]:
    """Rows with what they say; None for a row of no command."""
    for row in rows:
        yield row, None if row.kind in NO_COMMANDS else subject.read(row)
