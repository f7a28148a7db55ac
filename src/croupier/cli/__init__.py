"""The command line: one function a command, each a question and a table or JSON as the answer.

Exit codes: 0 fine, 1 the answer is no, 2 wrong use, 75 the outcome of a commit is unknown: start again, it recovers.
Anything heavy is imported inside the command that needs it.
"""

from croupier.cli import bot, doctor, floor, house, lab, law, losses, manifest, nodes, rng, serve, sheets
from croupier.cli.app import app, main

__all__ = [
    "app",
    "bot",
    "doctor",
    "floor",
    "house",
    "lab",
    "law",
    "losses",
    "main",
    "manifest",
    "nodes",
    "rng",
    "serve",
    "sheets",
]
