"""The command line: one function for each command. It prints its report as text, or as JSON.

Exit codes: 0 fine, 1 the answer is no, 2 wrong use, 75 it is unknown whether a commit happened (start again: the floor
recovers). A command imports what takes long to load only when it runs.
"""

from croupier.cli import (
    accounts,
    bot,
    comparison,
    doctor,
    floor,
    lab,
    losses,
    manifest,
    nodes,
    par,
    rng,
    rulebook,
    serve,
    simulate,
)
from croupier.cli.shared import app, main

__all__ = [
    "accounts",
    "app",
    "bot",
    "comparison",
    "doctor",
    "floor",
    "lab",
    "losses",
    "main",
    "manifest",
    "nodes",
    "par",
    "rng",
    "rulebook",
    "serve",
    "simulate",
]
