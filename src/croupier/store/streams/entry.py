"""What a row says: a command and what came of it, a refusal, a state that is vouched for, a loss that was accepted."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from croupier.office import messages as o
from croupier.rules.refusal import Fact, Refused
from croupier.store.journal import Place, Row
from croupier.table import messages as m
from croupier.table.messages import PersonId
from croupier.table.tickets import check_ticket_number
from croupier.wire import decode, encode

C = TypeVar("C")

E = TypeVar("E")


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


_OF_BEFORE: dict[type[Any], str] = {
    m.BetDecided: "the terminal failed before the close",
    o.TerminalRetired: "another terminal was enrolled for the seat",
}
"""Sentences in events of before: the event and its act, or its clause, say as much."""


def same_decision(kept: AnyEntry, again: AnyEntry) -> bool:
    """Is a command decided as its row says? Words are no decision: those of a refusal may be other words by now."""
    if kept.refused is None or again.refused is None:
        return kept == again or msgspec.structs.replace(kept, events=tuple(map(_as_now, kept.events))) == again
    rest, rest_again = (msgspec.structs.replace(one, refused=None) for one in (kept, again))
    return rest == rest_again and same_refusal(kept.refused, again.refused)


def _as_now(event: Any) -> Any:
    """An event of before without the sentence that was given for a reason where no person had one."""
    sentence = _OF_BEFORE.get(type(event))
    if sentence is not None and event.reason == sentence:
        return msgspec.structs.replace(event, reason="")
    return event


def same_refusal(kept: Refusal, again: Refusal) -> bool:
    """The same no: reason and clause, and, unless an old row has a sentence in their place, the case and its facts."""
    if (kept.reason, kept.clause) != (again.reason, again.clause):
        return False
    return kept.message != "" or (kept.case, kept.facts) == (again.case, again.facts)


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


def key_of(id: str) -> str:
    """An id of a giver, apart from those that are in the commands themselves."""
    return f"id {id}" if id else ""


def id_of_bet(command: m.PlaceBet) -> str:
    return f"bet {command.round}/{command.id}"


def sent(command: Any) -> bytes:
    """What a resend must repeat: not the time, nor what is looked up here."""
    neutral = {"at": 0, "found": "unknown", "expires": 0, "session": ""}
    if hasattr(command, "found"):
        neutral["amount"] = 0
    fields = {name: value for name, value in neutral.items() if name in command.__struct_fields__}
    return encode(msgspec.structs.replace(command, **fields))


def sent_otherwise(id: str) -> Refusal:
    return kept_refusal(Refused("resend", "otherwise", id=id))


def number_used(number: str) -> Refusal:
    return kept_refusal(Refused("ticket", "number-used", ticket=number))


def is_name(text: str) -> bool:
    """Can this be kept as an id? What cannot is refused by the engine, and needs no looking for."""
    return 0 < len(text) <= 128 and text.isprintable()


def ticket_number_in(text: str) -> str:
    """The digits of a ticket's number, however they are written; empty if it is none."""
    try:
        return check_ticket_number(text)
    except Refused:
        return ""


def kept_refusal(refused: Refused) -> Refusal:
    return Refusal(refused.reason, refused.message, refused.clause, refused.case, refused.facts)


def refused_entry(command: Any, refused: Refused) -> AnyEntry:
    return Entry(command, refused=kept_refusal(refused))
