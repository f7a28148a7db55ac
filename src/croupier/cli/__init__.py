"""The command line: one function a command, each a question and a table or JSON as the answer.

Exit codes: 0 fine, 1 the answer is no, 2 wrong use, 75 the outcome of a commit is unknown: start again, it recovers.
Anything heavy is imported inside the command that needs it.
"""

from croupier.cli import accounts, bot, doctor, floor, lab, losses, manifest, nodes, par, rng, rulebook, serve, simulate
from croupier.cli.shared import app, main

__all__ = [
    "accounts",
    "app",
    "bot",
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
