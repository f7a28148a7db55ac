"""The inner loops of simulation, compiled by Numba. Each has the results of a function in NumPy or Python, bit for bit.

Imported only if Numba is installed (extra `sim`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.codegen import get_host_cpu_features

from croupier.analysis.simulate import draws
from croupier.analysis.simulate import plan as plans
from croupier.analysis.simulate.plan import (
    AHEAD,
    BROKE,
    DRAWDOWN,
    FIRST_PLAY,
    LEFT,
    LOST_STOP,
    LOW,
    PER_PLAY,
    PLAYED,
    RESULT,
    ROUNDS,
    ROUNDS_SQUARE,
    SQUARE_HIGH,
    SQUARE_LOW,
    WON_STOP,
    Plan,
    SessionCounts,
    StateRows,
)
from croupier.analysis.simulate.strategies import Programme
from croupier.rules.refusal import Refused

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _use_whole_registers() -> str:
    """For processors with registers of 512 bits: without this option LLVM uses only half of each."""
    settings: Any = numba.config
    features: str = get_host_cpu_features()  # type: ignore[no-untyped-call]
    if settings.CPU_FEATURES is None and "+avx512bw" in features:
        settings.CPU_FEATURES = f"{features},-prefer-256-bit"
    return settings.CPU_FEATURES or features


FEATURES = _use_whole_registers().split(",")
"""The features of the processor, each after a +, or after a - if it is missing."""


def compiled(function: _Function, **options: Any) -> _Function:
    """Compile on first use. Keep the machine code on disk, or in memory if no folder can be written."""
    settings: Any = numba.config
    before, settings.CACHE_DIR = settings.CACHE_DIR, _cache_folder()
    try:
        return cast(_Function, numba.njit(cache=True, nogil=True, **options)(function))
    except RuntimeError:  # Numba has no folder for its cache
        return cast(_Function, numba.njit(nogil=True, **options)(function))
    finally:
        settings.CACHE_DIR = before


@lru_cache(1)
def _cache_folder() -> str:
    """A folder for the machine code of exactly these sources. Numba itself compares one file, without constants."""
    settling = Path(__file__).with_name("settling.py")
    sources = (Path(str(source)) for source in (draws.__file__, plans.__file__, settling, __file__))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    settings: Any = numba.config
    # Not in the folder of the code, where every file that is not approved raises an alarm.
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return str(Path(settings.CACHE_DIR or Path(home) / "croupier") / f"kernels-{digest}")


_GOLDEN, _FIRST, _SECOND = (np.uint64(number) for number in (draws.GOLDEN, draws.FIRST, draws.SECOND))
_LOW, _32 = np.uint64(draws.HALF - 1), np.uint64(32)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_ONE = np.uint32(1)
GOING = -1
_BUFFER = 512
_BLOCK, _BLOCK_WORDS = draws.BLOCK, draws.BLOCK_WORDS


def _mix(number: Any) -> Any:
    number = (number ^ (number >> _30)) * _FIRST
    number = (number ^ (number >> _27)) * _SECOND
    return number ^ (number >> _31)


mix = compiled(_mix, inline="always")


def _count_words(key: Any, first: Any, words: int, sides: int, below: Any, counts: Any) -> int:
    """Count all draws of these words, and return the number of rejected halves.

    Draws go to small buffers first, so that the compiler can make many at once. Then they are counted. The first two of
    a half count as one of `sides`² pairs, because each counter that is increased takes time. A rejected half is counted
    in a cell of its own.
    """
    pairs = np.zeros(sides * sides + 1, dtype=np.uint32)
    thirds, others = np.zeros(sides + 1, dtype=np.uint32), np.zeros(sides + 1, dtype=np.uint32)
    low_pair, low_third = np.empty(_BUFFER, dtype=np.uint16), np.empty(_BUFFER, dtype=np.uint16)
    high_pair, high_third = np.empty(_BUFFER, dtype=np.uint16), np.empty(_BUFFER, dtype=np.uint16)
    one, two = np.uint64(sides), np.uint64(sides * sides)
    done = 0
    while done < words:
        size = min(_BUFFER, words - done)
        for i in range(size):
            word = mix(key + (first + np.uint64(done + i)) * _GOLDEN)
            pair = (word & _LOW) * two
            third = (pair & _LOW) * one
            out = (third & _LOW) < below
            low_pair[i] = two if out else pair >> _32
            low_third[i] = one if out else third >> _32
            pair = (word >> _32) * two
            third = (pair & _LOW) * one
            out = (third & _LOW) < below
            high_pair[i] = two if out else pair >> _32
            high_third[i] = one if out else third >> _32
        for i in range(size):
            pairs[low_pair[i]] += _ONE
            thirds[low_third[i]] += _ONE
            pairs[high_pair[i]] += _ONE
            others[high_third[i]] += _ONE
        done += size
    for a in range(sides):
        counts[a] += np.int64(thirds[a]) + np.int64(others[a])
        for b in range(sides):
            counts[a] += np.int64(pairs[a * sides + b])
            counts[b] += np.int64(pairs[a * sides + b])
    return np.int64(pairs[sides * sides])  # type: ignore[return-value]


count_words = compiled(_count_words)


def _count_block(key: Any, first: Any, rounds: int, sides: int, below: Any, counts: Any) -> None:
    """Count the first `rounds` draws from the word `first` on."""
    missing = rounds
    while missing >= 6:
        words = missing // 6
        missing -= 6 * words - 3 * count_words(key, first, words, sides, below, counts)
        first += np.uint64(words)
    many = np.uint64(sides)
    while missing > 0:
        word = mix(key + first * _GOLDEN)
        first += np.uint64(1)
        for half in (word & _LOW, word >> _32):
            one = half * many
            two = (one & _LOW) * many
            three = (two & _LOW) * many
            if (three & _LOW) >= below:
                for drawn in (one >> _32, two >> _32, three >> _32):
                    if missing > 0:
                        counts[drawn] += 1
                        missing -= 1


count_block = compiled(_count_block)


def _count_blocks(key: Any, first_block: int, blocks: int, last: int, sides: int, below: Any, counts: Any) -> None:
    for block in range(first_block, first_block + blocks):
        rounds = _BLOCK if block < first_block + blocks - 1 else last
        count_block(key, np.uint64(block) * np.uint64(_BLOCK_WORDS), rounds, sides, below, counts)


count_blocks = compiled(_count_blocks)


def count_draws(key: int, first_block: int, blocks: int, last: int, sides: int) -> draws.Counts:
    """`draws.count_draws`, compiled."""
    counts = np.zeros(sides, dtype=np.int64)
    count_blocks(np.uint64(key), first_block, blocks, last, sides, np.uint64(draws.rejected_below(sides)), counts)
    return counts


# ---- sessions


def _count_end(
    numbers: Any,
    end: int,
    balance: int,
    drawdown: int,
    played: int,
    ends: Any,
    results: Any,
    lengths: Any,
    drawdowns: Any,
    sums: Any,
) -> None:
    """Count a session that is over."""
    bankroll, _, _, _, _, step, width, length = numbers
    last = len(results) - 1
    ends[end] += 1
    results[min(balance // width, last)] += 1
    lengths[played // length] += 1
    drawdowns[min(drawdown // width, last)] += 1
    steps = (balance - bankroll) // step
    square = steps * steps
    sums[RESULT] += steps
    sums[SQUARE_LOW] += square & LOW
    sums[SQUARE_HIGH] += square >> 32
    sums[ROUNDS] += played
    sums[ROUNDS_SQUARE] += played * played
    sums[DRAWDOWN] += drawdown // step
    sums[AHEAD] += 1 if steps > 0 else 0


count_end = compiled(_count_end)


def _play_tables(
    key: Any,
    first: int,
    count: int,
    below: Any,
    sides: int,
    group: Any,
    pays: Any,
    moves: Any,
    cost: Any,
    need: Any,
    base: Any,
    result: Any,
    play: Any,
    numbers: Any,
    visits: Any,
    ends: Any,
    results: Any,
    lengths: Any,
    drawdowns: Any,
    sums: Any,
) -> None:
    """Play sessions of a table strategy, one after another.

    A state is the place where its row begins in the tables: `pays[state + group]` is the result of a round, `moves` the
    next state, `cost[state]` the stake, `need[state]` the money that it takes to go on.
    """
    bankroll, floor, target, rounds, words, _, _, _ = numbers
    many, groups = np.uint64(sides), result.shape[1]
    for session in range(first, first + count):
        word_number = np.uint64(session) * np.uint64(words)
        balance = peak = bankroll
        drawdown, played, state = 0, 0, np.uint64(0)
        end = BROKE if balance < need[0] else GOING
        word, high = np.uint64(0), False
        while end == GOING:
            if high:
                half = word >> _32
            else:
                word = mix(key + word_number * _GOLDEN)
                word_number += np.uint64(1)
                half = word & _LOW
            high = not high
            one = half * many
            two = (one & _LOW) * many
            three = (two & _LOW) * many
            if (three & _LOW) < below:
                continue
            for drawn in (one >> _32, two >> _32, three >> _32):
                cell = state + group[drawn]
                if cost[state] <= balance:
                    visits[state] += 1
                    balance += pays[cell]
                else:  # they stake what they have, in whole units
                    mine = play[state // np.uint64(groups)]
                    stake = balance // base[mine]
                    place = FIRST_PLAY + PER_PLAY * mine
                    sums[place] += stake
                    sums[place + 1] += stake * stake & LOW
                    sums[place + 2] += stake * stake >> 32
                    balance += stake * result[mine, cell - state]
                state = moves[cell]
                played += 1
                peak = max(peak, balance)
                drawdown = max(drawdown, peak - balance)
                if balance >= target:
                    end = WON_STOP
                    break
                if balance <= floor:
                    end = LOST_STOP
                    break
                if balance < need[state]:
                    end = BROKE
                    break
                if played >= rounds:
                    end = PLAYED
                    break
        count_end(numbers, end, balance, drawdown, played, ends, results, lengths, drawdowns, sums)


play_tables = compiled(_play_tables)


def play_table(plan: Plan, key: int, first: int, count: int) -> SessionCounts:
    """`numpy_players.play_table`, compiled."""
    tally, rows = SessionCounts.empty(len(plan.base)), StateRows.of(plan)
    visits = np.zeros(len(rows.cost), dtype=np.int64)
    play_tables(
        np.uint64(key),
        first,
        count,
        np.uint64(draws.rejected_below(plan.sides)),
        plan.sides,
        plan.group.astype(np.uint64),  # with unsigned numbers an index is never counted from the end of an array
        rows.pays,
        rows.moves.astype(np.uint64),
        rows.cost,
        rows.need,
        plan.base,
        plan.result,
        plan.play,
        numbers_of(plan),
        visits,
        *tally,
    )
    rows.add(plan, visits, tally)
    return tally


@lru_cache(64)
def _programme(function: Callable[..., Any], chooses: bool) -> Callable[..., int]:
    """The loop of `numpy_players.play_one` around a function, compiled together with it, anew in every process."""
    ask = numba.njit(nogil=True)(function)

    def play_programmes(
        key: Any,
        first: int,
        count: int,
        below: Any,
        sides: int,
        outcome: Any,
        group: Any,
        result: Any,
        base: Any,
        least: Any,
        most: Any,
        numbers: Any,
        fresh: Any,
        ends: Any,
        results: Any,
        lengths: Any,
        drawdowns: Any,
        sums: Any,
    ) -> int:
        bankroll, floor, target, rounds, words, _, _, _ = numbers
        many = np.uint64(sides)
        memory, ready = np.empty_like(fresh), np.zeros(3, dtype=np.uint64)
        for session in range(first, first + count):
            memory[:] = fresh
            half_number = np.uint64(session) * np.uint64(2 * words)
            balance = peak = bankroll
            drawdown, played, at, last, how = 0, 0, 3, -1, 0
            while True:
                if chooses:
                    mine, units = ask(memory, last, how, balance)
                else:
                    mine, units = 0, ask(memory, last, how, balance)
                if played > 0 and balance >= target:
                    end = WON_STOP
                    break
                if played > 0 and balance <= floor:
                    end = LOST_STOP
                    break
                if not 0 <= mine < len(base):
                    return int(mine)
                if balance < base[mine] * least[mine]:
                    end = BROKE
                    break
                if played >= rounds:
                    end = PLAYED
                    break
                if units <= 0:
                    end = LEFT
                    break
                stake = min(max(np.int64(units), least[mine]), most[mine])
                if stake * base[mine] > balance:
                    stake = balance // base[mine]
                place = FIRST_PLAY + PER_PLAY * mine
                sums[place] += stake
                sums[place + 1] += stake * stake & LOW
                sums[place + 2] += stake * stake >> 32
                while at == 3:
                    word = mix(key + (half_number >> np.uint64(1)) * _GOLDEN)
                    half = (word >> _32) if half_number & np.uint64(1) else (word & _LOW)
                    half_number += np.uint64(1)
                    one = half * many
                    two = (one & _LOW) * many
                    three = (two & _LOW) * many
                    if (three & _LOW) >= below:
                        ready[0], ready[1], ready[2] = one >> _32, two >> _32, three >> _32
                        at = 0
                drawn = ready[at]
                at += 1
                won = stake * result[mine, group[drawn]]
                last = int(outcome[drawn])
                how = 1 if won > 0 else (-1 if won < 0 else 0)
                balance += won
                played += 1
                peak = max(peak, balance)
                drawdown = max(drawdown, peak - balance)
            count_end(numbers, end, balance, drawdown, played, ends, results, lengths, drawdowns, sums)
        return 0

    return cast(Callable[..., int], numba.njit(nogil=True)(play_programmes))


def play_programme(plan: Plan, strategy: Programme, key: int, first: int, count: int) -> SessionCounts:
    """`numpy_players.play_programme`, compiled together with the strategy."""
    tally = SessionCounts.empty(len(plan.base))
    fresh = np.zeros(strategy.memory, dtype=np.int64)
    fresh[: len(strategy.start)] = strategy.start
    try:
        wrong = _programme(strategy.function, strategy.chooses)(
            np.uint64(key),
            first,
            count,
            np.uint64(draws.rejected_below(plan.sides)),
            plan.sides,
            plan.outcome,
            plan.group,
            plan.result,
            plan.base,
            plan.least,
            plan.most,
            numbers_of(plan),
            fresh,
            *tally,
        )
    except numba.core.errors.NumbaError as error:
        raise Refused("strategy", "not-compiled", strategy=strategy.name, error=f"{str(error).strip():.400}") from None
    if wrong:
        raise Refused("strategy", "no-such-play", strategy=strategy.name, play=int(wrong), plays=len(plan.base))
    return tally


def numbers_of(plan: Plan) -> tuple[int, ...]:
    return (
        plan.bankroll,
        plan.floor,
        plan.target,
        plan.rounds,
        plan.words,
        plan.step,
        plan.width,
        plan.length,
    )
