"""Is what a database calls written really on disk? Promise 2 rests on it, so it is read back and not hoped for.

Who could make it false beside us: somebody who turns a setting off, for the server, the database, the role or the
machine; a file system that lives in memory, or on another machine whose locks and syncs are not ours; somebody who
moves the open file away, so that what is written goes to a file that no restart will find. Each store is asked what it
finds (`Store.durability`), at each start, by `croupier doctor`, and again every few seconds while a floor is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

MOUNTS = Path("/proc/self/mountinfo")
NETWORK = {
    *("9p", "afs", "beegfs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2"),
    *("orangefs", "smb3", "smbfs", "fuse.ceph", "fuse.davfs", "fuse.gcsfuse", "fuse.glusterfs", "fuse.rclone"),
    *("fuse.s3fs", "fuse.sshfs"),
}
"""File systems whose locks and syncs are those of another machine: SQLite must not be kept there."""
MEMORY = {"ramfs", "rootfs", "tmpfs"}
"""File systems that a power cut empties."""
NO_BARRIERS = {"nobarrier", "barrier=0", "barrier=none"}
"""Options with which a disk may keep what it was told to write in a cache that a power cut empties."""


class DurabilityFact(NamedTuple):
    """A thing that decides what of a commit survives, and how it stands."""

    name: str
    value: str
    needed: str = ""
    """What promise 2 needs instead; empty if it is well."""
    advice: str = ""
    """What would be better, where it is well for now."""

    def __str__(self) -> str:
        return f"{self.name} is {self.value}" + (f", and must be {self.needed}" if self.needed else "")


def broken(facts: Iterable[DurabilityFact]) -> list[str]:
    """What of them breaks promise 2, each as a sentence with what is needed."""
    return [str(fact) for fact in facts if fact.needed]


# ---- where a file lies


class Mount(NamedTuple):
    """A line of /proc/self/mountinfo."""

    point: str
    kind: str
    options: tuple[str, ...]


def file_system(path: Path) -> Mount | None:
    """What a path lies on; None where the system does not say."""
    try:
        lines = MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return None
    parts = path.resolve().parts
    over = [mount for mount in map(_mount, lines) if parts[: len(Path(mount.point).parts)] == Path(mount.point).parts]
    # Of two that are mounted at one place the later one covers the other.
    return max(enumerate(over), key=lambda one: (len(Path(one[1].point).parts), one[0]))[1] if over else None


def _mount(line: str) -> Mount:
    before, _, after = line.partition(" - ")
    kind, _, options = after.split(" ", 2)
    fields = before.split(" ")
    point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[4])
    return Mount(point, kind, (*fields[5].split(","), *options.split(",")))


def of_file_system(path: Path, *, network: bool = True) -> DurabilityFact:
    """Is a file that lies here on a disk of this machine? `network`: must it be?"""
    mount = file_system(path)
    name = f"the file system of {path}"
    if mount is None:
        return DurabilityFact(name, "not known here")
    if mount.kind == "overlay" and (upper := _option(mount, "upperdir")):
        below = file_system(Path(upper))
        if below is not None and below.kind in MEMORY:
            return DurabilityFact(name, f"an overlay on {below.kind}", _ON_DISK)
    if mount.kind in MEMORY or (network and mount.kind in NETWORK):
        return DurabilityFact(name, mount.kind, _ON_DISK)
    if loose := NO_BARRIERS.intersection(mount.options):
        return DurabilityFact(name, f"{mount.kind} with {min(loose)}", "mounted without that option")
    return DurabilityFact(name, mount.kind)


_ON_DISK = "one on a disk of this machine"


def _option(mount: Mount, name: str) -> str:
    return next((option.partition("=")[2] for option in mount.options if option.startswith(f"{name}=")), "")
