"""A session as any kernel plays it, with bets, strategy, limits and stops as whole numbers; and the counts of many.

This file has only data and lookups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.exact.one_round import brought, result_of
from croupier.analysis.simulate.draws import DRAWS, LayoutDraws
from croupier.analysis.simulate.strategies import LEVEL, LOST, MOST_UNITS, WON, Programme, Strategy, StrategyTable
from croupier.rules.money import format_money
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

Play = tuple[tuple[str, int], ...]
"""Bets that are made together, as a unit."""
Limit = Callable[[str], int]
"""The minimum or the maximum of a box, in cents."""
Ints = npt.NDArray[np.int64]

ENDS = ("broke", "lost", "won", "left", "played")
"""How a session ended: no money for the bets, stop-loss, stop-win, the strategy left, all rounds were played."""
BROKE, LOST_STOP, WON_STOP, LEFT, PLAYED = range(5)
BINS = 1 << 14
NEVER = 1 << 60
_MOST_STEPS = 1 << 31
MOST_ROUNDS = 1_000_000

# The sums over sessions in `SessionCounts.sums`; results and drawdowns in steps.
RESULT, SQUARE_LOW, SQUARE_HIGH, ROUNDS, ROUNDS_SQUARE, DRAWDOWN, AHEAD, FIRST_PLAY = range(8)
PER_PLAY = 3
"""For each play: the sum of units, and the sum of their squares in two parts of 32 bits."""
LOW = (1 << 32) - 1


class Plan(NamedTuple):
    """A session as whole numbers. `step` divides every amount that can be won or lost."""

    sides: int
    outcome: npt.NDArray[np.uint8]
    """draw → outcome"""
    group: npt.NDArray[np.uint8]
    """draw → group of outcomes that are the same to every play and every state"""
    result: Ints
    """play × group → result of a unit"""
    base: Ints
    """play → stake of a unit"""
    least: Ints
    most: Ints
    """play → units that the limits of the table allow"""
    play: Ints
    units: Ints
    """state → play, and units within the limits. A programme has one state, which means nothing."""
    after: Ints
    """state × group → next state"""
    bankroll: int
    floor: int
    target: int
    rounds: int
    words: int
    """Words of a session: more than it can use, so that no two sessions share a word."""
    step: int
    width: int
    """The width of a bin of results and drawdowns, in cents."""
    length: int
    """The width of a bin of lengths, in rounds."""


class SessionCounts(NamedTuple):
    """The counts of many sessions. Two of them are added cell by cell."""

    ends: Ints
    results: Ints
    """From -bankroll up. The last bin also counts all higher results."""
    lengths: Ints
    drawdowns: Ints
    sums: Ints

    @staticmethod
    def empty(plays: int) -> SessionCounts:
        sizes = (len(ENDS), BINS, BINS, BINS, FIRST_PLAY + PER_PLAY * plays)
        return SessionCounts(*(np.zeros(size, dtype=np.int64) for size in sizes))

    def plus(self, other: SessionCounts) -> SessionCounts:
        return SessionCounts(*(one + more for one, more in zip(self, other, strict=True)))

    def squares(self) -> int:
        """The sum of the squares of results, in steps."""
        return int(self.sums[SQUARE_HIGH]) * (LOW + 1) + int(self.sums[SQUARE_LOW])

    def units(self, play: int) -> tuple[int, int]:
        """The sum of the units staked on a play, and the sum of their squares."""
        units, low, high = map(int, self.sums[FIRST_PLAY + PER_PLAY * play :][:PER_PLAY])
        return units, high * (LOW + 1) + low


class StateRows(NamedTuple):
    """The states of a table strategy as rows of one flat array. A state is the number of its first cell."""

    pays: Ints
    """The result of a round, by group."""
    moves: Ints
    """The next state, by group."""
    cost: Ints
    """The stake: in the first cell of each row."""
    need: Ints
    """The money that it takes to stake at least the minimum: in the first cell of each row."""

    @staticmethod
    def of(plan: Plan) -> StateRows:
        groups = plan.result.shape[1]
        wide = np.repeat(np.arange(len(plan.play)), groups)
        cost = plan.units * plan.base[plan.play]
        need = (plan.least * plan.base)[plan.play]
        pays = plan.units[:, None] * plan.result[plan.play]
        return StateRows(pays.ravel(), (plan.after * groups).ravel(), cost[wide], need[wide])

    def add(self, plan: Plan, visits: Ints, tally: SessionCounts) -> None:
        """Add the units of rounds with the whole stake, from the number of visits to each state."""
        seen = visits.reshape(len(plan.play), -1)[:, 0]
        squares = plan.units * plan.units
        for play in range(len(plan.base)):
            states = plan.play == play
            place = FIRST_PLAY + PER_PLAY * play
            for more, amounts in enumerate((plan.units, squares & LOW, squares >> 32)):
                tally.sums[place + more] += (seen * amounts)[states].sum()


def make_plan(
    layout: Layout,
    plays: Sequence[Play],
    strategy: Strategy,
    bankroll: int,
    rounds: int,
    *,
    stop_win: int | None = None,
    stop_loss: int | None = None,
    minimum: Limit | None = None,
    maximum: Limit | None = None,
) -> Plan:
    """Check the bets, the strategy and the limits, and put them into numbers."""
    _check(layout, plays, strategy, bankroll, rounds, stop_win, stop_loss)
    dealt = LayoutDraws.of(layout)
    by_outcome = np.array([[brought(layout, play, outcome) for outcome in layout.outcomes] for play in plays])
    base = [sum(stake for _, stake in play) for play in plays]
    least, most = _limits(plays, strategy, minimum, maximum)
    if bankroll < base[0] * least[0]:
        raise Refused("bankroll", "too-small", bankroll=bankroll, staked=int(base[0] * least[0]))
    moves = _moves(strategy, by_outcome)
    group, examples = _groups(by_outcome, moves)
    step = gcd(*(abs(int(amount)) for amount in by_outcome.ravel())) or 1
    highest = _highest(by_outcome, most, rounds, bankroll, stop_win)
    if (bankroll + highest) // step >= _MOST_STEPS:
        raise Refused("limits", "beyond-counting")
    words = -(-rounds // (2 * DRAWS)) * 65 // 64 + 8
    return Plan(
        dealt.sides,
        dealt.outcome,
        group[dealt.outcome],
        np.ascontiguousarray(by_outcome[:, examples]).astype(np.int64),
        np.array(base, dtype=np.int64),
        np.array(least, dtype=np.int64),
        np.array(most, dtype=np.int64),
        np.array([play for play, _ in _states(strategy)], dtype=np.int64),
        np.array([min(max(n, least[p]), most[p]) for p, n in _states(strategy)], dtype=np.int64),
        np.ascontiguousarray(moves[:, examples]).astype(np.int64),
        bankroll,
        -1 if stop_loss is None else bankroll - stop_loss,
        NEVER if stop_win is None else bankroll + stop_win,
        rounds,
        1 << (words - 1).bit_length(),
        step,
        max(1, -(-(bankroll + _shown(by_outcome, most, bankroll, stop_win)) // step // (BINS - 1))) * step,
        max(1, -(-(rounds + 1) // BINS)),
    )


def _check(
    layout: Layout,
    plays: Sequence[Play],
    strategy: Strategy,
    bankroll: int,
    rounds: int,
    stop_win: int | None,
    stop_loss: int | None,
) -> None:
    for play in plays:
        result_of(layout, play)  # refuses a stake or a box that is not a bet
    if not plays:
        raise Refused("bet", "none-given", example="total:8=10.00")
    if isinstance(strategy, StrategyTable) and strategy.plays > len(plays):
        raise Refused("strategy", "more-bets", strategy=strategy.name, plays=strategy.plays, given=len(plays))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused("rounds", "of-session", rounds=rounds, most=MOST_ROUNDS)
    if bankroll > 10**15:
        raise Refused("bankroll", "too-large", bankroll=bankroll)
    for name, stop in (("stop-win", stop_win), ("stop-loss", stop_loss)):
        if stop is not None and stop <= 0:
            raise Refused("stop", "not-above-zero", stop=name, amount=stop)


def _limits(
    plays: Sequence[Play], strategy: Strategy, minimum: Limit | None, maximum: Limit | None
) -> tuple[list[int], list[int]]:
    """The least and the most units of each play within the limits of its boxes."""
    unlimited = max(strategy.units) if isinstance(strategy, StrategyTable) else MOST_UNITS
    least, most = [], []
    for play in plays:
        boxes: dict[str, int] = {}
        for box, stake in play:
            boxes[box] = boxes.get(box, 0) + stake
        low = max(-(-minimum(box) // stake) for box, stake in boxes.items()) if minimum else 1
        high = min(maximum(box) // stake for box, stake in boxes.items()) if maximum else unlimited
        if max(1, low) > high:
            bets = ", ".join(f"{box}={format_money(stake)}" for box, stake in play)
            raise Refused("limits", "no-units", bets=bets)
        least.append(max(1, low))
        most.append(min(high, MOST_UNITS))
    return least, most


def _states(strategy: Strategy) -> list[tuple[int, int]]:
    """The play and the units of every state."""
    return list(zip(strategy.play, strategy.units, strict=True)) if isinstance(strategy, StrategyTable) else [(0, 1)]


def _moves(strategy: Strategy, by_outcome: Ints) -> Ints:
    """state × outcome → next state."""
    if isinstance(strategy, Programme):
        return np.zeros((1, by_outcome.shape[1]), dtype=np.int64)
    if strategy.by == "result":
        how = np.select([by_outcome < 0, by_outcome == 0], [LOST, LEVEL], WON)
        rows = [np.array(after)[how[play]] for play, after in zip(strategy.play, strategy.after, strict=True)]
    else:
        won = by_outcome > 0
        first = np.where(won.any(axis=0), won.argmax(axis=0), len(by_outcome))
        rows = [np.array(after)[first] for after in strategy.after]
    return np.stack(rows)


def _groups(by_outcome: Ints, moves: Ints) -> tuple[npt.NDArray[np.uint8], Ints]:
    """outcome → group of outcomes with the same results and next states; and one outcome of each group."""
    columns = np.concatenate([by_outcome, moves])
    _, examples, group = np.unique(columns, axis=1, return_index=True, return_inverse=True)
    return group.ravel().astype(np.uint8), examples


def _best(by_outcome: Ints, most: Sequence[int]) -> int:
    return max(0, int((by_outcome.max(axis=1) * np.array(most)).max()))


def _highest(by_outcome: Ints, most: Sequence[int], rounds: int, bankroll: int, stop_win: int | None) -> int:
    """The most that a session can win."""
    best = _best(by_outcome, most)
    return best * rounds if stop_win is None else stop_win + best


def _shown(by_outcome: Ints, most: Sequence[int], bankroll: int, stop_win: int | None) -> int:
    """The highest result with a bin of its own."""
    best = _best(by_outcome, most)
    return stop_win + min(best, 4 * bankroll) if stop_win is not None else max(4 * bankroll, min(best, 40 * bankroll))
