"""Programs that a test starts beside itself."""

from __future__ import annotations

import os
import sys


def same_program() -> dict[str, str]:
    """The environment for a process that is to run the very code that runs here."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
