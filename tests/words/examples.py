"""Every message of the catalogue with examples of its facts, said in every language.

The pages' own tests say them too and compare, so that both readers of the catalogue say the same:
`python -m tests.words.examples FILE` writes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod
from pathlib import Path

from croupier.words import PSEUDO, Choice, Fact, Message, Put, catalogue, languages

EXAMPLES: dict[str, tuple[Fact, ...]] = {
    "MONEY": (123456,),
    "NUMBER": (1234567,),
    "MOMENT": (1_763_250_605_123,),
    "SECONDS": (30,),
    "BOX": ("total:9", "pair:1-2", "any-triple", "no-such-box"),
    "BOXES": (["small", "triple:6"],),
    "ROLE": ("dealer",),
    "ROLES": (["dealer", "pit-manager", "nobody-knows"], ["dealer"]),
    "PHASE": ("betting",),
    "PHASES": (["betting", "closed"],),
    "ACT": ("PlaceBet",),
    "ACTS": (["PlaceBet", "SetLimits"],),
    "LIST": (["A1", "A2", "A3"], ["A1", "A2"], ["A1"], []),
    "NAME": ("A1", 12345),
    "LAW": ("no book says so",),
    "NAMES": (["paper-out", "serial correlation", "A1"], ["A1"]),
    "GIVEN": ("something", ""),
    "": ("A1", 12345, ["A1", "A2"]),
}
"""By the function that is used on a fact."""
MOST = 200
"""Combinations that are all tried. A choice is inside another at most, so that any two are enough beyond."""


def said() -> Iterator[tuple[str, str, dict[str, Fact], str]]:
    """(language, id, facts, sentence) of every message, in every way it can be said."""
    for language in (*languages(), PSEUDO):
        words = catalogue(language)
        for id, message in sorted(words.messages.items()):
            for facts in examples(message):
                yield language, id, facts, words.say(id, facts)


def examples(message: Message) -> Iterator[dict[str, Fact]]:
    """Each choice in each of its ways, and with each of them the other facts, none twice."""
    uses: dict[str, list[Fact]] = {}
    for part in placed(message):
        ways = uses.setdefault(part.fact, [])
        ways += [one for one in _ways(part) if one not in ways]
    chosen = {part.fact for part in message if isinstance(part, Choice)}
    for name in uses.keys() - chosen:
        if len(chosen) or len(uses) > 1:
            del uses[name][2:]
    names, ways_of = list(uses), list(uses.values())
    for chosen_ways in _combined([len(ways) for ways in ways_of]):
        yield {name: ways[way] for name, ways, way in zip(names, ways_of, chosen_ways, strict=True)}


def _combined(sizes: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Every combination; of too many, every combination of any two, the others as in the first."""
    if prod(sizes) <= MOST:
        return product(*map(range, sizes))
    pairs = set()
    for one, other in combinations(range(len(sizes)), 2):
        for way, another in product(range(sizes[one]), range(sizes[other])):
            pairs.add(tuple({one: way, other: another}.get(place, 0) for place in range(len(sizes))))
    return sorted(pairs)


def placed(message: Sequence[str | Put | Choice]) -> Iterator[Put | Choice]:
    for part in message:
        if isinstance(part, Put | Choice):
            yield part
        if isinstance(part, Choice):
            for way in part.ways.values():
                yield from placed(way)


def _ways(part: Put | Choice) -> Sequence[Fact]:
    if isinstance(part, Put) or part.by:
        return EXAMPLES[part.by]
    counts = [int(key) for key in part.ways if key.isdigit()]
    if counts or {"one", "other"} & part.ways.keys():
        return [*counts, 1, 2, 1234]
    return [*part.ways, "something else"]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps([*said()], ensure_ascii=False, indent=0))
