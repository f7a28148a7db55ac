"""A second look at tests that failed beside others: only at few, only where real clocks run, and never silently.

Live servers, devices and browsers share the machine with whatever else runs on it, which may hold up any of them for
seconds. What fails again alone is broken. What passes alone is a race: it is named, to be mended, and passes for now.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIVE = ("browser", "devices", "floor", "live", "nodes", "server", "store")
"""Rooms of tests in which real clocks run."""
MOST = 3


def worth_a_second_look(failed: list[str]) -> bool:
    return 0 < len(failed) <= MOST and all(name.startswith(tuple(f"tests/{room}/" for room in LIVE)) for name in failed)


def main() -> int:
    failed = sorted(json.loads((ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed").read_text()))
    if not worth_a_second_look(failed):
        return 1
    print(f"\ncroupier: {len(failed)} failed beside others. Once more, alone:", *failed, sep="\n    ", flush=True)
    code = subprocess.run([sys.executable, "-m", "pytest", "-q", *failed], cwd=ROOT, check=False).returncode
    if code == 0:
        print("croupier: A RACE, to be mended (it failed above, and passes alone):", *failed, sep="\n    ", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
