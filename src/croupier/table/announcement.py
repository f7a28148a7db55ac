"""The moment in which a result is announced and lit: the data of the book says with which act it comes."""

from __future__ import annotations

from typing import Literal

from croupier.table import messages as m
from croupier.table.checks import Events, open_round
from croupier.table.messages import AnyCommand
from croupier.table.state import Table
from croupier.table.view import shown

Source = Literal["entry", "attested", "decided"]


def entered(table: Table, command: AnyCommand, outcome: str, source: Source) -> Events:
    """Enter a result, and announce it in the same instant if the book says so (nz 6.4; ruling 40)."""
    result = m.ResultEntered(command.by, command.at, outcome, source)
    return [result, *announced(table, command, outcome, "entered")]


def announced(table: Table, command: AnyCommand, outcome: str, moment: Literal["entered", "confirmed"]) -> Events:
    """Announce and light a result, if this is the moment in which the book announces it."""
    moments = table.book.moments
    if moments is None or moments.announced != moment:
        return []
    round = open_round(table)
    _, words, lit = shown(table.book, {id: table.layouts[id] for id in round.layouts}, outcome)
    clauses = (table.book.announcement.clause, moments.lit_clause or "", moments.dolly_clause or "")
    return [m.ResultAnnounced(command.by, command.at, round.number, outcome, words, lit, *clauses)]
