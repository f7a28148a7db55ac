"""Money in whole cents and odds as fractions. No other arithmetic touches money."""

from __future__ import annotations

import operator
import re
from fractions import Fraction
from typing import NewType, SupportsIndex

from croupier.rules.refusal import Refused

Cents = NewType("Cents", int)
Odds = Fraction
"""Winnings per unit staked: 17/2 for "8.5 to 1". The stake itself comes back on top."""

MOST = Cents(99_999_999_999_999)
"""The largest amount that one command may name."""

_MONEY = re.compile(r"(\d+)(?:\.(\d{2}))?", re.ASCII)
_ODDS = re.compile(r"(\d{1,6}(?:\.\d{1,4})?) to (\d{1,6})", re.ASCII)
_PRINTED_TO = re.compile(r"(\d+(?:\.\d+)?) to ([1-9]\d*)(?!\S)", re.ASCII | re.IGNORECASE)
_PRINTED_WINS = re.compile(r"([1-9]\d*)(?: wins |:)(\d+)(?: ([1-9]/[1-9]))?(?!\S)", re.ASCII | re.IGNORECASE)


def parse_money(text: str) -> Cents:
    """Read an amount as people write it.

    >>> parse_money("1,250.50")
    125050
    >>> parse_money("10")
    1000
    """
    match = _MONEY.fullmatch(text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d{2})?", text) else text)
    if match is None:
        raise Refused("money", "not-an-amount", text=text)
    if len(match[1]) > 12:
        raise Refused("money", "too-large", text=text, most=MOST)
    return Cents(int(match[1]) * 100 + int(match[2] or 0))


def format_money(cents: int) -> str:
    """Write an amount as people read it.

    >>> format_money(-125050)
    '-1,250.50'
    """
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def whole_cents(amount: SupportsIndex) -> Cents | None:
    """An integer of any kind, NumPy's too, as cents. None for a bool, a float or a fraction."""
    try:
        return None if isinstance(amount, bool) else Cents(operator.index(amount))
    except TypeError:
        return None


def parse_odds(text: str) -> Odds:
    """Read odds as the books print them.

    >>> parse_odds("8.5 to 1")
    Fraction(17, 2)
    """
    match = _ODDS.fullmatch(text)
    if match is None or int(match[2]) == 0:
        raise ValueError(f'"{text}" is not odds; write them as the book prints them, "6 to 1" or "8.5 to 1"')
    odds = Fraction(match[1]) / int(match[2])
    if odds == 0:
        raise ValueError(f'"{text}" pays nothing; odds are above 0')
    return odds


def printed_odds(text: str) -> Odds | None:
    """The odds with which a text on a felt begins, if it begins with odds.

    >>> printed_odds("1 WINS 8 1/2"), printed_odds("1:1 LOSE IF ANY TRIPLE APPEARS"), printed_odds("2 TO 1")
    (Fraction(17, 2), Fraction(1, 1), Fraction(2, 1))
    """
    if to := _PRINTED_TO.match(text):
        return Fraction(to[1]) / int(to[2])
    if wins := _PRINTED_WINS.match(text.replace("½", " 1/2")):
        return (int(wins[2]) + Fraction(wins[3] or 0)) / int(wins[1])
    return None


def format_odds(odds: Odds) -> str:
    """Write odds as the books print them: halves above 1 with a point, every other fraction as two whole numbers.

    >>> format_odds(Fraction(17, 2)), format_odds(Fraction(6)), format_odds(Fraction(4, 5))
    ('8.5 to 1', '6 to 1', '4 to 5')
    """
    return " to ".join(map(str, odds_to(odds)))


def odds_to(odds: Odds) -> tuple[str, int]:
    """The two sides of odds as the books print them: "8.5" to 1, "4" to 5."""
    if odds.denominator == 2 and odds > 1:
        return f"{odds.numerator // 2}.5", 1
    return str(odds.numerator), odds.denominator


def winnings(stake: Cents, odds: Odds) -> Cents:
    """The exact winnings of a stake.

    No book defines rounding, so a stake that cannot be paid in whole cents must have been refused before.
    """
    exact = stake * odds
    assert exact.denominator == 1, f"{stake} cents at {odds} is not whole cents"
    return Cents(exact.numerator)
