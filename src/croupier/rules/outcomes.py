"""The outcome spaces of three dice and of a wheel, and how an outcome is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from types import MappingProxyType
from typing import NewType, cast

from croupier.rules.refusal import Refused

Outcome = NewType("Outcome", str)
"""`1-3-4`, faces ascending, or a number of the wheel."""

DICE = 3
FACES = tuple("123456")
TOTALS = range(DICE, 6 * DICE + 1)


def canonical(numbers: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    """Numbers as box names write them: in `order`, except that a repeated number comes first.

    >>> canonical(["3", "1", "3"], FACES)
    ('3', '3', '1')
    """
    count = Counter(numbers)
    return tuple(sorted(count.elements(), key=lambda number: (-count[number], order.index(number))))


@dataclass(frozen=True, slots=True)
class Dice:
    """Three dice of six faces: 216 ordered throws, 56 that differ."""

    outcomes: tuple[Outcome, ...]
    ways: Mapping[Outcome, int]

    @staticmethod
    def make() -> Dice:
        throws = list(combinations_with_replacement(FACES, DICE))
        ways = {Outcome("-".join(t)): factorial(DICE) // prod(map(factorial, Counter(t).values())) for t in throws}
        return Dice(tuple(ways), MappingProxyType(ways))

    @property
    def numbers(self) -> tuple[str, ...]:
        return FACES

    def parse(self, text: str) -> Outcome:
        """Read a throw in any order of the dice: the three are one throw, not a sequence."""
        if text in self.ways:  # written as the program writes it
            return Outcome(text)
        faces = text.strip().split("-")
        if len(faces) != DICE or not set(faces) <= set(FACES):
            raise Refused("outcome", "not-a-throw", text=text)
        return Outcome("-".join(sorted(faces)))

    def possible(self, known: Sequence[str]) -> tuple[Outcome, ...]:
        """The throws that can still happen when these faces are known."""
        if len(known) > DICE or not set(known) <= set(FACES):
            raise Refused("outcome", "not-part", known=tuple(known))
        need = Counter(known)
        return tuple(throw for throw in self.outcomes if need <= Counter(throw.split("-")))


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel with any set of numbers, each as likely as the other, each with one colour."""

    numbers: tuple[str, ...]
    colours: Mapping[str, frozenset[str]]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return cast(tuple[Outcome, ...], self.numbers)

    @property
    def ways(self) -> Mapping[Outcome, int]:
        return dict.fromkeys(self.outcomes, 1)

    def parse(self, text: str) -> Outcome:
        number = text.strip()
        if number not in self.numbers:
            raise Refused("outcome", "not-on-wheel", text=text, numbers=self.numbers)
        return Outcome(number)

    def possible(self, known: Sequence[str]) -> tuple[Outcome, ...]:
        """Every number until the ball rests, then the one it rests in."""
        if len(known) > 1:
            raise Refused("outcome", "one-compartment", known=tuple(known))
        return tuple(self.parse(number) for number in known) or self.outcomes


Space = Dice | Wheel
