"""Imported by the process that starts the workers, so that each of them does not load it again, for most of a second.

Numba initialises itself when the first compiled loop is called.
"""

from __future__ import annotations

from importlib.util import find_spec

from croupier.analysis.simulate import bankroll_sessions, flat, table_run

__all__ = ["bankroll_sessions", "flat", "table_run"]

if find_spec("numba") is not None:
    from croupier.analysis.simulate import numba_players

    numba_players.count_draws(0, 0, 1, 6, 6)
