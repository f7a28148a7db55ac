"""Commands as statements: who gives which command, with its facts. The catalogue makes the sentence."""

from __future__ import annotations

from typing import Any

from croupier.rules.reasons import Kind
from croupier.rules.refusal import Fact
from croupier.rules.statement import STATEMENTS, Statement, state
from croupier.table.messages import Command, Limits, LostBet


def command_statement(command: Command, order: str = "") -> Statement:
    """A command at a table, at the cage or in the office; `order` is the order of play where there is one."""
    id = f"did-{type(command).__name__}"
    return state(id, **{name: _of_kind(kind, getattr(command, name, order)) for name, kind in STATEMENTS[id].items()})


def _of_kind(kind: Kind, value: Any) -> Fact | tuple[Statement, ...]:
    """A field as a fact; a list or a statement that is not given has nothing in it."""
    return () if value is None and kind in ("names", "statement") else _fact(value)


def _fact(value: Any) -> Fact | tuple[Statement, ...]:
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case Limits():
            return _limits(value)
        case tuple():
            lost = tuple(_lost(one) for one in value if isinstance(one, LostBet))
            return lost or tuple(map(str, value))
        case str() | int():
            return value
        case _:
            raise AssertionError(f"{value!r} is no fact")


def _limits(limits: Limits) -> tuple[Statement, ...]:
    parts = [state("limit-unit", amount=limits.unit)]
    for id, amounts in (("limit-minimum", limits.minimum), ("limit-maximum", limits.maximum)):
        parts += [state(id, box="" if box == "*" else box, amount=amount) for box, amount in amounts.items()]
    if limits.differential is not None:
        parts.append(state("limit-differential", amount=limits.differential))
    return tuple(parts)


def _lost(bet: LostBet) -> Statement:
    return state("lost-bet", seat=bet.seat, stake=bet.stake, box=bet.box)
