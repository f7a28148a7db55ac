"""Commands as statements: who gives which command, with its facts. The catalogue makes the sentence."""

from __future__ import annotations

from typing import Any

from croupier.rules.refusal import Fact
from croupier.rules.statement import STATEMENTS, Statement, state
from croupier.table.messages import Command, Limits, LostBet, TakeUpBook


def command_statement(command: Command, order: str = "") -> Statement:
    """A command at a table, at the cage or in the office; `order` is the order of play where there is one."""
    id = f"did-{type(command).__name__}"
    if isinstance(command, TakeUpBook):
        return _taking_up(command)
    return state(id, **{name: _fact(getattr(command, name, order)) for name in STATEMENTS[id]})


def _taking_up(command: TakeUpBook) -> Statement:
    """Each term that is not given leaves nothing."""
    rulings = None if command.alternatives is None else tuple(map(str, command.alternatives))
    limits, layouts = command.limits, command.layouts
    return state(
        "did-TakeUpBook",
        by=command.by,
        id=command.id,
        book=command.book,
        old=command.old,
        not_before=(state("term-not-before", since=command.not_before),) if command.not_before else (),
        limits=() if limits is None else (Statement("term-limits", parts={"limits": _limits(limits)}),),
        layouts=(state("term-layouts", layouts=layouts),) if layouts else (),
        alternatives=() if rulings is None else (state("term-alternatives", rulings=rulings),),
    )


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
