"""A program that uses a real Ray on this machine, for `test_ray_cluster`: it prints what it found as JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from croupier import load_layout
from croupier.analysis.simulate.flat import simulate
from croupier.analysis.simulate.ray_cluster import over_ray
from tests.analysis.simulate.workers import Task, squared_by_mortals


def listening(word: str) -> list[str]:
    """The addresses, in the system's hexadecimal, on which this program and processes of that word listen."""
    sockets = set()
    for process in [path for path in Path("/proc").iterdir() if path.name.isdecimal()]:
        try:
            if int(process.name) != os.getpid() and word.encode() not in (process / "cmdline").read_bytes():
                continue
            sockets |= {str(file.readlink()) for file in (process / "fd").iterdir()}
        except OSError:
            continue  # it has gone
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                found.append(fields[1].partition(":")[0])
    return found


def main() -> None:
    address = None if sys.argv[1] == "here" else sys.argv[1]
    tasks = [Task(number, sys.argv[2]) for number in range(12)]
    answers: list[int] = []
    ports: list[str] = []
    for _, answer in over_ray(squared_by_mortals, tasks, 2, address):
        answers.append(answer)
        ports = ports or listening("/ray/")
    layout = load_layout("rws-sicbo-etg-v2/A")
    run = simulate(layout, [("small", 10_00)], 9_000_000, seed=5, engine="ray", address=address, workers=2)
    found = {"answers": answers, "ports": sorted(set(ports)), "outcomes": run.outcomes, "how": run.how.engine}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
