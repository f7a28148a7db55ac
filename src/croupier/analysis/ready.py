"""Imported by the process from which workers come: what each of them would otherwise load for itself, most of a second.

Numba makes itself ready when the first compiled loop is called.
"""

from __future__ import annotations

from importlib.util import find_spec

from croupier.analysis import crowd, flat, sessions

__all__ = ["crowd", "flat", "sessions"]

if find_spec("numba") is not None:
    from croupier.analysis import kernels

    kernels.count_draws(0, 0, 1, 6, 6)
