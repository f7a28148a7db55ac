"""Amounts written out, so that a figure on paper cannot be altered unseen."""

from __future__ import annotations

from croupier.rules.money import Cents
from croupier.rules.refusal import Refused

LARGEST = Cents(9_999_999_999_999)
_BELOW_TWENTY = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))


def amount_in_words(amount: Cents) -> str:
    """Write an amount in words.

    >>> amount_in_words(Cents(120540)), amount_in_words(Cents(1000)), amount_in_words(Cents(5))
    ('one thousand two hundred and five dollars and forty cents', 'ten dollars exactly', 'no dollars and five cents')
    """
    if not 0 <= amount <= LARGEST:
        raise Refused("money", "not-in-words", amount=amount, most=LARGEST)
    dollars, cents = divmod(amount, 100)
    rest = f"and {_counted(cents, 'cent')}" if cents else "exactly"
    return f"{_counted(dollars, 'dollar')} {rest}"


def _counted(number: int, unit: str) -> str:
    return f"{_in_words(number)} {unit}{'' if number == 1 else 's'}"


def _in_words(number: int) -> str:
    for scale, name in _SCALES:
        if number >= scale:
            many, rest = divmod(number, scale)
            # One says "a hundred and five" and "a thousand and five", but "a thousand two hundred".
            joint = " and " if rest < 100 else " "
            return f"{_in_words(many)} {name}" + (f"{joint}{_in_words(rest)}" if rest else "")
    if number < 20:
        return _BELOW_TWENTY[number]
    ten, one = divmod(number, 10)
    return f"{_TENS[ten - 2]}-{_BELOW_TWENTY[one]}" if one else _TENS[ten - 2]
