"""Strategies: how many units a Player stakes next, and on which of the given bets, depending on the past.

Most strategies are small tables: the units in each state, and the next state after a round that was lost, level or won,
or after each outcome. A strategy that does not fit into a table is a function of your own:

    def press(memory, last, result, balance):
        if result > 0:
            memory[0] += 1
        elif result < 0:
            memory[0] = 0
        return 1 + min(memory[0], 3)

It is called before every round. `memory` is an array of whole numbers for your own use, all 0 when a session begins.
`last` is the number of the last outcome in the order of the layout, -1 before the first round. `result` is 1, 0 or -1
if the last round was won, level or lost. `balance` is the money of the Player in cents. The function returns the number
of units to stake; 0 leaves the table. A function that chooses among bets returns a pair: the number of the play, from
0, and the units. With Numba it is compiled, so it may use only its arguments, numbers, arrays and `math`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from croupier.rules.refusal import Refused

LOST, LEVEL, WON = 0, 1, 2
MOST_UNITS = 1_000_000
_LONGEST_LINE = 50
_DALEMBERT, _FIBONACCI = 2000, 25
MEMORY = 64


@dataclass(frozen=True)
class StrategyTable:
    """A strategy with finitely many states.

    `after[state]` has the next states: by result (lost, level, won), or by the play that the outcome would have won,
    with one more for none of them.
    """

    name: str
    says: str
    play: tuple[int, ...]
    units: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]
    by: Literal["result", "winner"] = "result"

    @property
    def plays(self) -> int:
        return max(self.play) + 1


@dataclass(frozen=True)
class Programme:
    """A strategy that is a function. `file` is where a worker process finds it."""

    name: str
    says: str
    function: Callable[..., Any]
    memory: int = MEMORY
    start: tuple[int, ...] = ()
    """What the memory has at first when a session begins; the rest is 0."""
    file: tuple[str, str] | None = None
    chooses: bool = False
    """It returns pairs: the play and the units."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A worker process gets the name of the function, not its code."""
        if self.file is not None:
            return _read, (*self.file, self.name, self.says, self.memory, self.start)
        return Programme, (self.name, self.says, self.function, self.memory, self.start, None, self.chooses)


Strategy = StrategyTable | Programme


def _progression(name: str, says: str, units: tuple[int, ...], moves: Callable[[int, int], int]) -> StrategyTable:
    states = range(len(units))
    return StrategyTable(
        name, says, (0,) * len(units), units, tuple(tuple(moves(s, how) for how in (LOST, LEVEL, WON)) for s in states)
    )


def flat() -> StrategyTable:
    return _progression("flat", "the same bets every round", (1,), lambda state, how: 0)


def martingale(steps: int = 10) -> StrategyTable:
    """Double after every loss. After a win, or this many losses, begin again."""

    def moves(state: int, how: int) -> int:
        return state if how == LEVEL else 0 if how == WON or state == steps - 1 else state + 1

    units = tuple(1 << step for step in range(steps))
    return _progression("martingale", f"doubles after a loss, begins again after a win or {steps} losses", units, moves)


def paroli(wins: int = 3) -> StrategyTable:
    """Double after every win. After this many wins in a row, or a loss, begin again."""

    def moves(state: int, how: int) -> int:
        return state if how == LEVEL else (state + 1) % wins if how == WON else 0

    units = tuple(1 << step for step in range(wins))
    return _progression("paroli", f"doubles after a win, begins again after a loss or {wins} wins", units, moves)


def dalembert(most: int = _DALEMBERT) -> StrategyTable:
    """One unit more after a loss, one less after a win."""

    def moves(state: int, how: int) -> int:
        return state if how == LEVEL else max(0, state - 1) if how == WON else min(most - 1, state + 1)

    return _progression(
        "dalembert", "one unit more after a loss, one less after a win", tuple(range(1, most + 1)), moves
    )


def fibonacci(most: int = _FIBONACCI) -> StrategyTable:
    """The next Fibonacci number after a loss, two back after a win."""
    units = [1, 1]
    while len(units) < most:
        units.append(units[-1] + units[-2])

    def moves(state: int, how: int) -> int:
        return state if how == LEVEL else max(0, state - 2) if how == WON else min(most - 1, state + 1)

    return _progression(
        "fibonacci", "the next number of Fibonacci after a loss, two back after a win", tuple(units), moves
    )


def follow(plays: int) -> StrategyTable:
    """Bet on the play that would have won the last round; if none would, as before."""
    after = tuple((*range(plays), state) for state in range(plays))
    return StrategyTable("follow", "bets on what won last", tuple(range(plays)), (1,) * plays, after, "winner")


def against(plays: int) -> StrategyTable:
    """Bet on the play after the one that would have won the last round."""
    after = tuple((*((won + 1) % plays for won in range(plays)), state) for state in range(plays))
    return StrategyTable("against", "bets against what won last", tuple(range(plays)), (1,) * plays, after, "winner")


def labouchere(line: tuple[int, ...] = (1, 2, 3, 4)) -> Programme:
    """Stake the first and the last number of a line. A win crosses both out, a loss appends their sum."""
    if not line or min(line) < 1 or len(line) > _LONGEST_LINE:
        raise Refused("line", "labouchere", most=_LONGEST_LINE, example="1-2-3-4")
    written = "-".join(map(str, line))
    # memory: the first place, the place after the last, the length of the line at first, that line, the line now
    start = (0, len(line), len(line), *line)
    says = f"first and last of the line {written}, crossed out after a win, their sum added after a loss"
    return Programme("labouchere", says, cross_out, 1024, start)


def cross_out(memory: Any, last: int, result: int, balance: int) -> int:
    """Labouchere. A line that is crossed out, or too long for the memory, begins again."""
    length = memory[2]
    page = 3 + length
    if last < 0:
        for place in range(length):
            memory[page + place] = memory[3 + place]
    elif result > 0:
        memory[0] += 1
        memory[1] -= 1
    elif result < 0:
        stake = memory[page + memory[0]]
        if memory[1] - memory[0] > 1:
            stake += memory[page + memory[1] - 1]
        memory[page + memory[1]] = stake
        memory[1] += 1
    if memory[0] >= memory[1] or page + memory[1] >= len(memory):
        memory[0] = 0
        memory[1] = length
        for place in range(length):
            memory[page + place] = memory[3 + place]
    units = memory[page + memory[0]]
    if memory[1] - memory[0] > 1:
        units += memory[page + memory[1] - 1]
    return int(units)


NAMES = ("flat", "martingale", "paroli", "dalembert", "fibonacci", "labouchere", "follow", "against")
CHOOSING = ("follow", "against")
"""Strategies that choose among the bets: each bet is a play of its own."""


def named(text: str, plays: int = 1) -> Strategy:
    """A strategy by its name, `martingale`, with its number, `martingale:7`, or its line, `labouchere:1-2-3`.

    >>> named("martingale:4").units, named("labouchere:3-3").start
    ((1, 2, 4, 8), (0, 2, 2, 3, 3))
    """
    name, colon, number = text.partition(":")
    if text.partition(":")[0].endswith(".py") or "/" in text:
        file, _, function = text.rpartition(":")
        return programmed(Path(file), function)
    match name:
        case "flat" if not colon:
            return flat()
        case "martingale":
            return martingale(_number(text, number, 10, 20))
        case "paroli":
            return paroli(_number(text, number, 3, 20))
        case "dalembert" if not colon:
            return dalembert()
        case "fibonacci" if not colon:
            return fibonacci()
        case "labouchere":
            line = number.split("-") if colon else ["1", "2", "3", "4"]
            return labouchere(tuple(int(part) if part.isdecimal() else 0 for part in line))
        case "follow" | "against" if not colon:
            if plays < 2:
                raise Refused("strategy", "several-bets", strategy=name)
            return follow(plays) if name == "follow" else against(plays)
    raise Refused("strategy", "unknown", strategy=text, known=tuple(NAMES))


def _number(text: str, number: str, usual: int, most: int) -> int:
    if not number:
        return usual
    if not number.isdecimal() or not 2 <= int(number) <= most:
        raise Refused("strategy", "number", strategy=text, most=most)
    return int(number)


def programmed(file: Path, name: str) -> Programme:
    """The strategy of a function in a file."""
    function = _load(str(file), name)
    return Programme(
        name, f"{name} of {file.name}", function, file=(str(file.resolve()), name), chooses=is_choosing(function)
    )


def is_choosing(function: Callable[..., Any]) -> bool:
    """Does it return a pair? It is called as before a first round."""
    import numpy as np

    try:
        answer = function(np.zeros(MEMORY, dtype=np.int64), -1, 0, 100_00)
    except Exception as error:
        raise Refused("strategy", "fails", strategy=function.__name__, error=f"{error!r:.200}") from None
    pair = isinstance(answer, tuple)
    numbers = answer if pair else (answer,)
    if len(numbers) != 1 + pair or not all(map(_is_whole, numbers)):
        raise Refused("strategy", "odd-answer", strategy=function.__name__, answer=f"{answer!r:.200}")
    return pair


def _is_whole(number: object) -> bool:
    import numpy as np

    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _load(file: str, name: str) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(f"croupier_strategy_{Path(file).stem}", file)
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise Refused("strategy", "no-python", file=file)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Refused("strategy", "unreadable", file=file, error=f"{error!r:.200}") from None
    function = getattr(module, name, None)
    if not callable(function):
        raise Refused("strategy", "no-function", file=file, function=name)
    return function  # type: ignore[no-any-return]


def _read(file: str, name: str, called: str, says: str, memory: int, start: tuple[int, ...]) -> Programme:
    function = _load(file, name)
    return Programme(called, says, function, memory, start, (file, name), is_choosing(function))
