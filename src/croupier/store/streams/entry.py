"""The contents of a row: a command with its events or its refusal, the digest of a state, or an accepted loss."""

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
    """Why a command was refused. Old rows have a sentence; new rows have the case and the facts."""

    reason: str
    message: str = ""
    clause: str | None = None
    case: str = ""
    facts: dict[str, Fact] = {}


class Entry(msgspec.Struct, Generic[C, E], frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One command with its events or its refusal: the audit record."""

    command: C
    events: tuple[E, ...] = ()
    refused: Refusal | None = None
    id: str = ""
    """The id that the sender made, so that the command counts once however often it is sent; apart from ids in it."""
    door: bool = False
    """Refused before it was decided, for something that only the store knows."""

    @property
    def is_at_the_door(self) -> bool:
        return self.door and self.refused is not None and not self.events


AnyEntry = Entry[Any, Any]


_OF_BEFORE: dict[type[Any], str] = {
    m.BetDecided: "the terminal failed before the close",
    o.TerminalRetired: "another terminal was enrolled for the seat",
}
"""Sentences in events of old rows; new rows leave them out, as the event and its clause say the same."""


def same_decision(kept: AnyEntry, decided: AnyEntry) -> bool:
    """Is the command decided as its row says? The words of a refusal do not count: they may have changed."""
    if kept.refused is None or decided.refused is None:
        return kept == decided or msgspec.structs.replace(kept, events=tuple(map(_as_now, kept.events))) == decided
    rest, rest_decided = (msgspec.structs.replace(one, refused=None) for one in (kept, decided))
    return rest == rest_decided and same_refusal(kept.refused, decided.refused)


def _as_now(event: Any) -> Any:
    """An event without the sentence that old rows have as its reason where no person gave one."""
    sentence = _OF_BEFORE.get(type(event))
    if sentence is not None and event.reason == sentence:
        return msgspec.structs.replace(event, reason="")
    return event


def same_refusal(kept: Refusal, decided: Refusal) -> bool:
    """True if two refusals have the same reason and clause, the same case, and the same facts.

    A row of before has a sentence in place of case and facts. A case may gain a fact in a later version: what both
    versions know must be the same.
    """
    if (kept.reason, kept.clause) != (decided.reason, decided.clause):
        return False
    both = kept.facts.keys() & decided.facts.keys()
    same = kept.case == decided.case and all(kept.facts[name] == decided.facts[name] for name in both)
    return kept.message != "" or (same and len(both) == min(len(kept.facts), len(decided.facts)))


STATE = 5
"""The version of how a state is written. One written in another way is not read: it is made again from the rows."""
_OLDER_READ = {"office": (4,)}
_OLDER_READ_OF_OTHERS = (3, 4)
"""Older versions in which a state can be read, by stream: what was added since has a default."""


def is_read(stream: str, version: int) -> bool:
    """True if this program can read a state that was written in this version.

    A floor whose first rows are in an archive elsewhere can only be opened from such a state.
    """
    return version == STATE or version in _OLDER_READ.get(stream, _OLDER_READ_OF_OTHERS)


class StateKept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row without a command: the digest of the whole state at this row, which its snapshot must have."""

    digest: str
    round: int
    version: int = STATE


class LossAccepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row without a command: two people accept that rows are gone which had been answered for."""

    by: PersonId
    second: PersonId
    reason: str
    lost: tuple[tuple[int, str], ...]
    """The heads that are given up: number and hash of rows with which the stream once ended."""

    @property
    def places(self) -> set[Place]:
        return {Place(seq, bytes.fromhex(hash)) for seq, hash in self.lost}

    @property
    def reached(self) -> int:
        """The farthest row that is given up; 0 if the row names none, which `verify` calls untrue."""
        return max((seq for seq, _ in self.lost), default=0)


NO_COMMANDS = frozenset((StateKept.__name__, LossAccepted.__name__))
"""Kinds of rows that hold no command and change nothing in the subject."""

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
    """An id of a sender, distinct from all ids in commands."""
    return f"id {id}" if id else ""


def id_of_bet(command: m.PlaceBet) -> str:
    return f"bet {command.round}/{command.id}"


def sent(command: Any) -> bytes:
    """The part of a command that a resend must repeat: not the time, nor what the recorder looks up."""
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
    """Can this text be an id? One that cannot is refused, and not searched for."""
    return 0 < len(text) <= 128 and text.isprintable()


def ticket_number_in(text: str) -> str:
    """The digits of a ticket's number, however they are written; empty if it is no number."""
    try:
        return check_ticket_number(text)
    except Refused:
        return ""


def kept_refusal(refused: Refused) -> Refusal:
    return Refusal(refused.reason, refused.message, refused.clause, refused.case, refused.facts)


def refused_entry(command: Any, refused: Refused) -> AnyEntry:
    return Entry(command, refused=kept_refusal(refused))
