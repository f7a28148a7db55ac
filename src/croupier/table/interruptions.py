"""Decisions about interruptions: the book has a rule for each phase in which one can strike."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from croupier.rules import schema
from croupier.rules.outcomes import DICE
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.announcement import entered
from croupier.table.checks import Events, interruption_act, irregularity_of, open_round, seat_of, struck_phase
from croupier.table.irregularities import void, voided
from croupier.table.messages import SeatId
from croupier.table.result import pay
from croupier.table.state import OPEN_FOR_BETS, Round, Table


def interrupt(table: Table, command: m.Interrupt) -> Events:
    clause = table.book.interruption.clause
    if table.interruption is not None:
        raise Refused("interrupted", "already", clause)
    return [m.Interrupted(command.by, command.at, command.part, clause)]


def interrupt_terminals(table: Table, command: m.InterruptTerminals) -> Events:
    policy = _has_terminals(table)
    seats = _named(table, command.seats)
    for lost in command.lost:
        if lost.seat not in seats or lost.stake <= 0:
            raise Refused("terminal", "lost-elsewhere", seat=lost.seat)
        if table.book.refusals:
            table.layouts[table.seats[lost.seat].layout].box(lost.box)
    struck = m.TerminalsInterrupted(
        command.by, command.at, seats, command.lost, policy.unregistered.act, policy.unregistered.clause
    )
    if not table.reads("failed-terminal-returns") or struck_phase(table) not in OPEN_FOR_BETS:
        return [struck]
    bets = [bet for bet in open_round(table).bets.values() if bet.seat in seats and bet.stake]
    clause = irregularity_of(table, "terminal-interruption").clause
    return [
        struck,
        *(
            m.BetDecided(command.by, command.at, bet.id, bet.seat, "return", bet.box, bet.stake, "", clause)
            for bet in bets
        ),
    ]


def restore_terminals(table: Table, command: m.RestoreTerminals) -> Events:
    _has_terminals(table)
    seats = _named(table, command.seats)
    return [m.TerminalsRestored(command.by, command.at, seats)]


def _named(table: Table, seats: tuple[SeatId, ...]) -> tuple[SeatId, ...]:
    if not seats:
        raise Refused("terminal", "not-named")
    return tuple(seat_of(table, seat).id for seat in dict.fromkeys(seats))


def _has_terminals(table: Table) -> schema.Terminals:
    if table.book.interruption.terminals is None:
        raise Refused("terminal", "none-in-game")
    return table.book.interruption.terminals


def _always_void(table: Table, act: schema.PhaseAct) -> bool:
    """True if the House reads the book so that this interruption voids. It never voids what the book concludes."""
    if table.reads("power-failure-voids"):
        return act.act not in ("nothing", "finish", "finish-and-lock")
    return table.reads("interruption-voids") and act.act not in ("nothing", "finish", "complete-entry", "confirm")


def _void_clause(table: Table, act: schema.PhaseAct) -> str:
    """The clause that voids an interrupted round in this phase, or else the clause for open bets."""
    voids = act.act in ("void", "resume-or-void", "resume-or-void-and-lock")
    clause = act.otherwise or (act.clause if voids else interruption_act(table, "betting").clause)
    return clause or table.book.interruption.clause


def restore(table: Table, command: m.Restore) -> Events:
    struck = table.interruption
    if struck is None or struck.power_back:
        raise Refused("interrupted", "nothing")
    policy = table.book.interruption
    act = interruption_act(table, struck.was)
    resumed = m.Resumed(command.by, command.at, act.act, act.clause)
    if _always_void(table, act):
        return voided(table, command, "interruption", _void_clause(table, act))
    in_time = command.at - struck.at <= policy.resume_seconds * 1000
    match act.act:
        case "nothing" | "start-again" | "continue":
            return [resumed]
        case "complete-entry" | "complete-entry-and-lock" | "confirm" | "confirm-and-lock":
            return [resumed]
        case "resume-or-void" | "resume-or-void-and-lock" if in_time:
            return [resumed]
        case "resume-or-void" | "resume-or-void-and-lock" | "void":
            return voided(table, command, "interruption", _void_clause(table, act))
        case "finish" | "finish-and-lock":
            return [resumed, *pay(table, command, open_round(table), open_round(table).fates)]
        case "attest" | "attest-and-lock" | "wait":
            return [m.PowerBack(command.by, command.at)]
        case "void-unseen":
            raise AssertionError("interruption_act reads it as void or attest")
        case _:
            assert_never(act.act)


def attest(table: Table, command: m.Attest) -> Events:
    struck = table.interruption
    if struck is None or not struck.power_back:
        raise Refused("interrupted", "nothing-to-attest")
    policy = interruption_act(table, struck.was)
    if policy.act not in ("attest", "attest-and-lock"):
        raise Refused("interrupted", "waits-for-ball", policy.clause)
    round = open_round(table)
    unseen = struck.was == "closed" and table.book.interruption.established != "closed"
    if command.shown and unseen and not table.reads("covered-dice-count"):
        raise Refused("established", "covered", policy.otherwise)
    if len(command.shown) < _needed(table):
        return _attest_part(table, command, round, policy)
    outcome = table.book.space.parse("-".join(command.shown))
    _no_contradiction(_known(table), command.shown, policy)
    if table.order == "covered" and not table.motion.started:
        return void(table, command, irregularity_of(table, "no-tumble"))
    resumed = m.Resumed(command.by, command.at, policy.act, policy.clause)
    return [resumed, *entered(table, command, outcome, "attested")]


def _attest_part(table: Table, command: m.Attest, round: Round, policy: schema.PhaseAct) -> Events:
    """Attest a part of the result, or nothing. Nothing voids the round, unless a known face already decides a box."""
    known = command.shown or _known(table)
    if command.shown:
        _no_contradiction(_known(table), command.shown, policy)
    decided = {id: table.layouts[id].decided(known) for id in round.layouts}
    if not any(decided.values()):
        return voided(table, command, "interruption", _void_clause(table, policy))
    if not command.shown:
        raise Refused("established", "known", policy.clause, known=known)
    return [m.FacesAttested(command.by, command.at, command.shown)]


def _known(table: Table) -> tuple[str, ...]:
    """The known faces of an interrupted round: from a sensor, or attested so far."""
    if table.sensed:
        return tuple(table.sensed.split("-"))
    return table.interruption.shown if table.interruption else ()


def _no_contradiction(known: tuple[str, ...], shown: tuple[str, ...], policy: schema.PhaseAct) -> None:
    if len(shown) < len(known) and not Counter(shown) - Counter(known):
        return  # fewer faces than are known, but none that differs
    if Counter(known) - Counter(shown):
        raise Refused("established", "contradicts", policy.clause, shown=shown, known=known)


def _needed(table: Table) -> int:
    return 1 if table.order == "wheel" else DICE
