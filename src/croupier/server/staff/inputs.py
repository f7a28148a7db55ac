"""The types of commands as people send them: without person and time, and with bounds on every field.

Each type is made from the command itself, so that none can be forgotten. The floor fills in what people may not choose:
the numbers of new tickets and when they expire, and what is known of a ticket.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.cage import messages as c
from croupier.office import messages as o
from croupier.table import messages as m
from croupier.table.messages import PersonId

MOST_TEXT = 400
MOST_NAMED = 200
"""Letters of a text, and items of a list, in one command."""
Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""Numbers that JavaScript holds exactly."""
Signed = Annotated[bytes, msgspec.Meta(max_length=2_000)]
"""Keys and signatures."""
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]


class Filling(NamedTuple):
    """What the floor knows about a command that somebody sends."""

    ask: Any
    person: PersonId
    session: str
    host: str
    """The host of the page that sends it."""
    number: str
    """The number of a ticket that the command may make."""
    ends: int
    """When that ticket would expire."""


Filler = Callable[[Filling], object]
_LOOKED_UP: dict[str, Filler] = {"amount": lambda _: 0, "expires": lambda _: 0, "found": lambda _: "unknown"}
"""Placeholders: the recorder looks these fields up in the store."""
_NEW_TICKET: dict[str, Filler] = {"ticket": lambda known: known.number, "expires": lambda known: known.ends}
_REPLACEMENT: dict[str, Filler] = {
    "replacement": lambda known: known.number if known.ask.replace else "",
    "replacement_expires": lambda known: known.ends if known.ask.replace else 0,
}
_SESSION: dict[str, Filler] = {"session": lambda known: known.session}

FILLED_BY_THE_FLOOR: dict[type[msgspec.Struct], dict[str, Filler]] = {
    m.RedeemTicket: _LOOKED_UP,
    m.CashOut: _NEW_TICKET,
    c.SellTicket: _NEW_TICKET,
    c.PayTicket: _LOOKED_UP,
    c.VoidTicket: {**_LOOKED_UP, **_REPLACEMENT},
    c.ReprintTicket: _LOOKED_UP,
    c.PayUnclaimed: {name: _LOOKED_UP[name] for name in ("amount", "found")},
    c.ApproveRequest: {"found": _LOOKED_UP["found"]},
    o.ConfirmPerson: _SESSION,
    o.AddPasskey: {"person": lambda known: known.person, "host": lambda known: known.host, **_SESSION},
    o.SignAsking: _SESSION,
}
"""Fields that nobody may send, because the floor fills them in. It fills in `by` and `at` for every command."""

_COMPLETED: dict[type[msgspec.Struct], dict[str, Filler]] = {
    kind: {"id": lambda known: f"{known.person}.{known.ask.id}"} for kind in (m.PlaceBet, m.WithdrawBet)
}
"""Fields that are sent, and to which the floor adds the person: nobody can use the id of another's bet."""

_BY_PEOPLE = (
    *(o.MakeAccount, o.SetRoles, o.RetireAccount, o.ConfirmPerson, o.RetireTerminal, o.AcknowledgeAlert),
    *(o.AddPasskey, o.DropPasskey, o.SignAsking),
)
"""Commands to the office that people may send. The others carry a secret and have their own routes, or are given by the
software only."""

_MORE: dict[type[msgspec.Struct], list[tuple[str, Any, Any]]] = {c.VoidTicket: [("replace", bool, False)]}
"""Fields that are sent in addition: should a new ticket replace the void one?"""


def _bounded(kind: Any) -> Any:
    """A type with bounds on the numbers, texts and lists in it."""
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    origin, parts = get_origin(kind), get_args(kind)
    if kind is int:
        return Whole
    if kind is str:
        return Text
    if kind is bytes:
        return Signed
    if origin in (Union, types.UnionType):
        return reduce(or_, [part if part is type(None) else _bounded(part) for part in parts])
    if origin is tuple:
        whole = types.GenericAlias(tuple, (_bounded(parts[0]), ...))
        return Annotated[whole, msgspec.Meta(max_length=MOST_NAMED)]
    if origin is dict:
        whole = types.GenericAlias(dict, tuple(_bounded(part) for part in parts))
        return Annotated[whole, msgspec.Meta(max_length=MOST_NAMED)]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _value(kind)
    assert kind is bool or origin is Literal, f"{kind} has no bounds"
    return kind


@cache
def _value(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The type of a value in a command, made once for all commands that have it."""
    return _ask(kind, tag=False)


def _ask(kind: type[msgspec.Struct], *, tag: bool = True) -> type[msgspec.Struct]:
    """The type in which a command, or a value in one, is sent."""
    left_out = (*FILLED_BY_THE_FLOOR.get(kind, ()), "by", "at") if tag else ()
    hints = get_type_hints(kind)
    fields: list[Any] = []
    for one in msgspec.structs.fields(kind):
        if one.name not in left_out:
            bounded = _bounded(hints[one.name])
            fields.append((one.name, bounded) if one.required else (one.name, bounded, one.default))
    return msgspec.defstruct(
        f"Ask{kind.__name__}",
        [*fields, *_MORE.get(kind, ())],
        frozen=True,
        forbid_unknown_fields=True,
        tag=kind.__name__ if tag else None,
        module=__name__,
        namespace={"__doc__": kind.__doc__},
    )


TABLE_ASKS = {kind: _ask(kind) for kind in get_args(m.AnyCommand) if kind is not m.BringBook}
CAGE_ASKS = {kind: _ask(kind) for kind in get_args(c.AnyCageCommand) if kind is not c.ExpireTicket}
OFFICE_ASKS = {kind: _ask(kind) for kind in _BY_PEOPLE}

AnyAsk = reduce(or_, TABLE_ASKS.values())
"""Every command that may be sent to a table."""


def ask_of(command: m.AnyCommand) -> Any:
    """A command as a person would send it, without person and time."""
    kind = TABLE_ASKS[type(command)]
    return kind(**{name: getattr(command, name) for name in kind.__struct_fields__})


Id = Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,100}$")]
"""Made by the sender of a command, who keeps it: until there is an answer, the command may be sent again with it."""


def _given(name: str, asks: Iterable[Any]) -> Any:
    """A command with its id. The same id counts once."""
    return msgspec.defstruct(
        name, [("id", Id), ("command", reduce(or_, asks))], frozen=True, forbid_unknown_fields=True, module=__name__
    )


GivenAtTable = _given("GivenAtTable", TABLE_ASKS.values())
GivenAtCage = _given("GivenAtCage", CAGE_ASKS.values())
GivenInOffice = _given("GivenInOffice", OFFICE_ASKS.values())


_KIND_OF = {ask: kind for asks in (TABLE_ASKS, CAGE_ASKS, OFFICE_ASKS) for kind, ask in asks.items()}


def command_of(known: Filling, commands: Any, at: int) -> Any:
    """The command that a person sent, with the person, the time, and every field that the floor fills in."""
    kind = _KIND_OF[type(known.ask)]
    sent = msgspec.to_builtins(known.ask)
    for name, *_ in _MORE.get(kind, ()):
        del sent[name]
    fillers = {**FILLED_BY_THE_FLOOR.get(kind, {}), **_COMPLETED.get(kind, {})}
    filled = {name: filler(known) for name, filler in fillers.items()}
    return msgspec.convert({**sent, "by": known.person, "at": at, **filled}, commands)
