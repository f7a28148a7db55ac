"""The functions of messages: `{ MONEY($total) }`. One function for each kind of fact that is not plain text.

The pages have the same functions in `web/src/words/functions.ts`. What differs by language, such as the comma of a
list, is a message of its catalogue, so that a new language needs no code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from croupier.rules.money import format_money

Fact = str | int | Sequence[str]


class Voice(Protocol):
    """The catalogue of one language, as functions use it."""

    zone: str
    """The time zone in which moments are read."""

    def name(self, id: str, /, **facts: str | int) -> str | None:
        """The text of a message, or None if no message has this id."""


Function = Callable[..., str]


def money(cents: Fact, voice: Voice) -> str:
    return format_money(_whole(cents))


def number(amount: Fact, voice: Voice) -> str:
    return f"{_whole(amount):,}"


def box(name: Fact, voice: Voice) -> str:
    """A betting box as people call it: `total:9` is "Total 9"."""
    word, _, numbers = str(name).partition(":")
    called = voice.name(f"box-{word}", numbers=numbers.replace("-", " · "))
    return str(name) if called is None else called.strip()


def moment(at: Fact, voice: Voice) -> str:
    """A moment, in milliseconds since 1970, by the clocks of the House."""
    try:
        when = datetime.fromtimestamp(_whole(at) // 1000, ZoneInfo(voice.zone))
    except (OverflowError, ValueError, OSError):  # beyond every calendar: a refusal may hold any number
        return str(at)
    return f"{when:%Y-%m-%d %H:%M:%S}{' UTC' if voice.zone == 'UTC' else ''}"


def seconds(count: Fact, voice: Voice) -> str:
    return voice.name("span-seconds", seconds=_whole(count)) or str(count)


def named(fact: Fact, voice: Voice, family: str) -> str:
    """The name of a word of a family: `dealer` has the message `role-dealer`. An unknown word stays as it is."""
    return voice.name(f"{family}-{fact}".replace(" ", "-")) or str(fact)


def names(facts: Fact, voice: Voice, family: str, joint: str = "") -> str:
    """Several of one family."""
    return listed([named(fact, voice, family) for fact in _several(facts)], voice, joint)


def listed(names: Fact, voice: Voice, joint: str = "") -> str:
    """Names in a row. A joint, "and" or "or", stands before the last."""
    row = _several(names)
    between = voice.name("list-between") or ", "
    if not joint or len(row) < 2:
        return between.join(row)
    return f"{between.join(row[:-1])}{voice.name(f'list-{joint}')}{row[-1]}"


def law(words: Fact, voice: Voice) -> str:
    """The words of a book, unchanged. The pages show a translation where the book has one."""
    return str(words)


def given(fact: Fact | None, voice: Voice) -> str:
    """For a choice: "yes" if the fact is given and not empty, otherwise "no"."""
    return "no" if fact is None or fact == "" or (not isinstance(fact, int) and len(fact) == 0) else "yes"


def _of(family: str) -> Function:
    return lambda fact, voice: named(fact, voice, family)


def _each(one: Function) -> Function:
    def names(fact: Fact, voice: Voice, joint: str = "") -> str:
        return listed([one(name, voice) for name in _several(fact)], voice, joint)

    return names


def _several(names: Fact) -> Sequence[str]:
    return [str(names)] if isinstance(names, str | int) else names


def _whole(fact: Fact) -> int:
    assert isinstance(fact, int), f"{fact} is not a whole number"
    return fact


FUNCTIONS: dict[str, Function] = {
    "MONEY": money,
    "NUMBER": number,
    "MOMENT": moment,
    "SECONDS": seconds,
    "BOX": box,
    "BOXES": _each(box),
    "NAME": named,
    "NAMES": names,
    "LIST": listed,
    "LAW": law,
    "GIVEN": given,
    **{family.upper(): _of(family) for family in ("role", "phase", "act")},
    **{f"{family.upper()}S": _each(_of(family)) for family in ("role", "phase", "act")},
}
