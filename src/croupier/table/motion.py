"""Decisions about the dice and the ball: tumbles, spins and the cover."""

from __future__ import annotations

from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.book_change import check_not_due
from croupier.table.checks import Events, check_may_start, check_order, interruption_act, irregularity_of, open_round
from croupier.table.irregularities import void
from croupier.table.limits import cut_at_close
from croupier.table.state import Table


def start_motion(table: Table, command: m.StartMotion) -> Events:
    clause = table.book.play.minimum_clause
    if table.phase == "ready":
        check_may_start(table)
        check_not_due(table, command.at)
    if table.order == "open-cover" and table.phase == "betting":
        return void(table, command, irregularity_of(table, "tumbled-before-close"))
    check_order(table, command, "MotionStarted", clause)
    if table.phase == "moving":
        raise Refused("phase", "tumbled-already", clause)
    started = m.MotionStarted(command.by, command.at)
    if command.with_wheel:
        return [started, *void(table, command, irregularity_of(table, "wrong-direction"))]
    return [started]


def end_motion(table: Table, command: m.EndMotion) -> Events:
    play = table.book.play
    if command.count < 0:
        raise Refused("motion", "count", count=command.count)
    if table.interruption and table.interruption.was in ("moving", "spinning") and table.order == "wheel":
        return _ball_found(table, command)
    check_order(table, command, "MotionEnded", play.minimum_clause)
    if not table.motion.started or table.motion.count is not None:
        raise Refused("motion", "nothing-moves", play.minimum_clause)
    ended = m.MotionEnded(command.by, command.at, command.count)
    if command.count < play.minimum:
        part = irregularity_of(table, "short-spin" if table.order == "wheel" else "short-tumble")
        # In a covered game nothing is staked yet: a short tumble is void by its clause, and the game begins again.
        return [ended, *void(table, command, part)]
    return [ended]


def _ball_found(table: Table, command: m.EndMotion) -> Events:
    """After an interruption the ball is at rest, and play continues with its number (ruling 27)."""
    assert table.interruption
    if not table.interruption.power_back:
        raise Refused("interrupted", "not-over", table.book.interruption.clause)
    clause = interruption_act(table, table.interruption.was).clause
    events: Events = [m.Resumed(command.by, command.at, "wait", clause)]
    if table.interruption.was == "spinning":  # no bet could be registered since: the interruption closed the bets
        cut = cut_at_close(open_round(table), table.book.limits, table.layouts, table.book.movements)
        events.append(m.BettingClosed(command.by, command.at, "", False, cut, clause or ""))
    events.append(m.MotionEnded(command.by, command.at, command.count))
    if command.count < table.book.play.minimum:
        events += void(table, command, irregularity_of(table, "short-spin"))
    return events


def uncover(table: Table, command: m.Uncover) -> Events:
    if table.order != "covered":
        raise Refused("phase", "no-cover")
    if table.phase in ("moving", "betting"):
        return void(table, command, irregularity_of(table, "exposed-before-close"))
    check_order(table, command, "Uncovered", table.book.announcement.clause)
    uncovered = m.Uncovered(command.by, command.at)
    if not table.motion.started:
        forgotten = irregularity_of(table, "no-tumble")
        if "rest" not in forgotten.phases:  # everyone sees the dice of the last round, so the round ends here
            return [uncovered, *void(table, command, forgotten)]
    return [uncovered]
