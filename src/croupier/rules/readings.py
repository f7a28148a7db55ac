"""The names of alternatives: where a book leaves a choice, the House may read a ruling differently.

A ruling has one number, in books, in the House's file and in the first row of every table. The engine asks by name
(`Table.reads`). The names are only in this file, because a name in a book would change the hash of an approved text.
"""

from __future__ import annotations

from typing import Literal

Alternative = Literal[
    "covered-dice-count",
    "interruption-voids",
    "power-failure-voids",
    "failed-terminal-returns",
    "no-spin-until-settlement",
    "void-from-discovery",
    "division-1-supplied",
    "one-word-voids",
]

ALTERNATIVES: dict[int, Alternative] = {
    23: "covered-dice-count",  # dice under the cover are an outcome from No More Bets on
    26: "interruption-voids",  # every interruption voids the round, even a short one
    28: "power-failure-voids",  # the same where the book has no clause for power failures: even with a readable result
    29: "failed-terminal-returns",  # bets accepted before the close of a terminal that fails go back
    30: "no-spin-until-settlement",  # one person may call no spin at any time before settlement
    33: "void-from-discovery",  # damaged dice void only rounds from their discovery on
    38: "division-1-supplied",  # the operator adds the general rules of division 1; the engine does nothing else
    45: "one-word-voids",  # one person's word voids at any time, also against what a device reports
}
"""By the number of the ruling."""

RULINGS: dict[Alternative, int] = {name: number for number, name in ALTERNATIVES.items()}
