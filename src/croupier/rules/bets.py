"""When a bet wins: the few general conditions a rulebook can write, read from their phrases.

A condition knows nothing of operators, books or prices. It answers two questions about an outcome: does the bet win,
and which fact about the outcome decides it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from croupier.rules.outcomes import DICE, FACES, TOTALS, Dice, Outcome, Space, Wheel
from croupier.rules.statement import Statement, declare, state

PHRASES = {
    "dice": (
        '"total 9", "total 4 to 10", "total odd", "total even", "shows 1 1 3", "exactly 1 of 4", "at least 2 of 4", '
        '"3 different of 3 4 5 6", "triple", each with ", not a triple" after it if need be; {} stands for the numbers '
        "in the box's name"
    ),
    "wheel": '"number 17", "number 1 to 18", "number red", or {} for the numbers in the box\'s name',
}
_MOST_NUMBERS = 200

CONDITION_STATEMENTS = declare(
    {
        # the fact of an outcome that decides a bet
        "fact-by-triple": {"fact": "statement", "face": "text"},
        "fact-count": {"count": "number", "face": "text"},
        "fact-dice": {"faces": "names"},
        "fact-no-triple": {},
        "fact-number": {"number": "text"},
        "fact-total": {"total": "number"},
        "fact-triple": {"face": "text"},
        # what a bet needs
        "rule-at-least": {"count": "number", "face": "text"},
        "rule-count": {"count": "number", "face": "text"},
        "rule-dice": {"faces": "names"},
        "rule-different": {"faces": "names"},
        "rule-not-triple": {"rule": "statement"},
        "rule-number": {"numbers": "names"},
        "rule-total": {"totals": "names"},
        "rule-triple": {},
    }
)
"""The statements of the conditions below. Their messages are in `words/*/explanations.ftl`."""


class Condition(Protocol):
    def wins(self, outcome: Outcome) -> bool: ...

    def fact(self, outcome: Outcome) -> Statement:
        """What about this outcome decides the bet."""

    def rule(self) -> Statement:
        """What the bet needs."""


def _listed(numbers: Sequence[object], last: str = "and") -> str:
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _is_triple(outcome: Outcome) -> bool:
    return outcome.count(outcome[0]) == DICE


@cache
def _total(outcome: Outcome) -> int:
    return sum(map(int, outcome[::2]))


@dataclass(frozen=True, slots=True)
class TotalIs:
    totals: tuple[int, ...]

    def wins(self, outcome: Outcome) -> bool:
        return _total(outcome) in self.totals

    def fact(self, outcome: Outcome) -> Statement:
        return state("fact-total", total=_total(outcome))

    def rule(self) -> Statement:
        return state("rule-total", totals=tuple(map(str, self.totals)))


@dataclass(frozen=True, slots=True)
class Shows:
    faces: tuple[str, ...]

    def wins(self, outcome: Outcome) -> bool:
        rest: str = outcome
        for face in self.faces:
            if face not in rest:
                return False
            rest = rest.replace(face, "", 1)  # a die shows one face: the next needs another die
        return True

    def fact(self, outcome: Outcome) -> Statement:
        return state("fact-dice", faces=tuple(outcome.split("-")))

    def rule(self) -> Statement:
        return state("rule-dice", faces=self.faces)


@dataclass(frozen=True, slots=True)
class CountOf:
    counts: range
    face: str

    def wins(self, outcome: Outcome) -> bool:
        return outcome.count(self.face) in self.counts

    def fact(self, outcome: Outcome) -> Statement:
        return state("fact-count", count=outcome.count(self.face), face=self.face)

    def rule(self) -> Statement:
        least, *more = self.counts
        return state("rule-at-least" if more else "rule-count", count=least, face=self.face)


@dataclass(frozen=True, slots=True)
class DifferentOf:
    faces: tuple[str, ...]

    def wins(self, outcome: Outcome) -> bool:
        shown = set(outcome[::2])
        return len(shown) == DICE and shown.issubset(self.faces)

    def fact(self, outcome: Outcome) -> Statement:
        return state("fact-dice", faces=tuple(outcome.split("-")))

    def rule(self) -> Statement:
        return state("rule-different", faces=self.faces)


@dataclass(frozen=True, slots=True)
class Triple:
    def wins(self, outcome: Outcome) -> bool:
        return _is_triple(outcome)

    def fact(self, outcome: Outcome) -> Statement:
        return state("fact-triple", face=outcome[0]) if _is_triple(outcome) else state("fact-no-triple")

    def rule(self) -> Statement:
        return state("rule-triple")


@dataclass(frozen=True, slots=True)
class NotATriple:
    inner: Condition

    def wins(self, outcome: Outcome) -> bool:
        return not _is_triple(outcome) and self.inner.wins(outcome)

    def fact(self, outcome: Outcome) -> Statement:
        fact = self.inner.fact(outcome)
        return state("fact-by-triple", fact=fact, face=outcome[0]) if _is_triple(outcome) else fact

    def rule(self) -> Statement:
        return state("rule-not-triple", rule=self.inner.rule())


@dataclass(frozen=True, slots=True)
class NumberIn:
    numbers: tuple[str, ...]

    def wins(self, outcome: Outcome) -> bool:
        return outcome in self.numbers

    def fact(self, outcome: Outcome) -> Statement:
        return state("fact-number", number=outcome)

    def rule(self) -> Statement:
        return state("rule-number", numbers=self.numbers)


def parse_condition(phrase: str, numbers: tuple[str, ...], space: Space) -> Condition:
    """Read a phrase such as `total {}` for a box whose name carries `numbers`; ValueError says what is allowed."""
    match space:
        case Dice():
            return _parse_dice(phrase, numbers)
        case Wheel():
            return _parse_wheel(phrase, numbers, space)


def _parse_dice(phrase: str, numbers: tuple[str, ...]) -> Condition:
    before, triple, after = phrase.partition(", not a triple")
    if triple and not after:
        return NotATriple(_parse_dice(before, numbers))
    match _substitute(phrase, numbers):
        case ["triple"]:
            return Triple()
        case ["total", *rest] if rest:
            if "{}" in phrase and len(rest) > 1:
                raise ValueError(f'"{phrase}" must be one number, that of the box: total:8 wins on 8 and nothing else')
            return TotalIs(_totals(rest))
        case ["shows", *rest] if rest:
            return Shows(_faces(rest, repeats=True, most=DICE))
        case ["exactly", count, "of", face]:
            return CountOf(_count(count, exactly=True), *_faces([face]))
        case ["at", "least", count, "of", face]:
            return CountOf(_count(count, exactly=False), *_faces([face]))
        case ["3", "different", "of", *rest] if rest:
            faces = _faces(rest)
            if len(faces) < DICE:
                raise ValueError(f'"{phrase}" with {" ".join(faces)} can never win: it needs at least three numbers')
            return DifferentOf(faces)
    raise ValueError(f'"{phrase}" is not a win condition for dice; write {PHRASES["dice"]}')


def _parse_wheel(phrase: str, numbers: tuple[str, ...], wheel: Wheel) -> Condition:
    words = phrase.split()
    match _substitute(phrase, numbers):
        case ["number", *rest] if rest and ("{}" not in words or words == ["number", "{}"]):
            return NumberIn(wheel_numbers(" ".join(rest), wheel.numbers, wheel.colours))
    raise ValueError(f'"{phrase}" is not a win condition for a wheel; write {PHRASES["wheel"]}')


def _substitute(phrase: str, numbers: tuple[str, ...]) -> list[str]:
    words = phrase.split()
    if "{}" in words and not numbers:
        raise ValueError(f'"{phrase}" uses {{}}, but the box has no numbers in its name')
    return [word for part in words for word in (numbers if part == "{}" else (part,))]


def _count(text: str, *, exactly: bool) -> range:
    if text not in ("1", "2", "3"):
        raise ValueError(f'"{text}" is not a number of dice; allowed are 1, 2 and 3')
    return range(int(text), (int(text) if exactly else DICE) + 1)


def _faces(words: Sequence[str], *, repeats: bool = False, most: int = len(FACES)) -> tuple[str, ...]:
    wrong = [word for word in words if word not in FACES]
    if wrong:
        raise ValueError(f"{_listed(wrong)} {'is not a face' if len(wrong) == 1 else 'are not faces'} (1 to 6)")
    if not repeats:
        _no_repeat(words)
    if len(words) > most:
        raise ValueError(f"{' '.join(words)} names {len(words)} faces; three dice show at most {most}")
    return tuple(words)


def _totals(words: Sequence[str]) -> tuple[int, ...]:
    if words in (["odd"], ["even"]):
        return tuple(total for total in TOTALS if total % 2 == (words == ["odd"]))
    totals = expand_ranges(words)
    if not set(totals) <= set(map(str, TOTALS)):
        raise ValueError(f'"{" ".join(words)}" is not a total of three dice; allowed are 3 to 18, odd, even')
    _no_repeat(totals)
    return tuple(sorted(map(int, totals)))


def _no_repeat(items: Sequence[object]) -> None:
    twice = [item for item, times in Counter(items).items() if times > 1]
    if twice:
        raise ValueError(f"the list {' '.join(map(str, items))} repeats {_listed(twice)}")


def expand_ranges(words: Sequence[str]) -> list[str]:
    """`1 to 4 7` becomes `1 2 3 4 7`.

    >>> expand_ranges("S 1 to 4 7".split())
    ['S', '1', '2', '3', '4', '7']
    """
    text = " ".join(words)

    def spelled(match: re.Match[str]) -> str:
        first, last = int(match[1]), int(match[2])
        if match[0] != f"{first} to {last}":
            raise ValueError(f'"{match[0]}" is not a range; write plain numbers, like 1 to 18')
        if not first < last < first + _MOST_NUMBERS:
            raise ValueError(
                f'"{match[0]}" is not a range; write the lower number first, like 1 to 18, and at most {_MOST_NUMBERS}'
            )
        return " ".join(map(str, range(first, last + 1)))

    spelled_out = re.sub(r"(?<!\S)(\d{1,4}) to (\d{1,4})(?!\S)", spelled, text, flags=re.ASCII).split()
    if len(spelled_out) > _MOST_NUMBERS:
        raise ValueError(f"the list has {len(spelled_out)} numbers; the most is {_MOST_NUMBERS}")
    return spelled_out


def wheel_numbers(text: str, allowed: Sequence[str], colours: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Read a list of numbers of a wheel, with ranges and names of colours, in the order of the wheel's numbers."""
    listed = expand_ranges(text.split())
    words = [number for word in listed for number in sorted(colours.get(word, (word,)))]
    wrong = sorted(set(words) - set(allowed))
    if wrong:
        of_colours = f", its colours {' '.join(colours)}" if colours else ""
        raise ValueError(f'"{_listed(wrong)}" is not on the wheel; its numbers are {" ".join(allowed)}{of_colours}')
    _no_repeat(words)
    return tuple(number for number in allowed if number in words)
