"""Is a commit that a database reports really on disk? Promise 2 rests on it, so the settings are read, not assumed.

What could make it false: somebody turns a setting off, for the server, the database, the role or the machine; the file
system is in memory, or on another machine whose locks and syncs are not ours; somebody moves the open file away, so
that rows are written to a file that no restart will find. Each store reports what it finds (`Store.durability`) at each
start, to `croupier doctor`, and every few seconds while a floor is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from croupier.rules.findings import Finding, found

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
"""Options with which a disk may leave writes in a cache that a power cut empties."""


class DurabilityFact(NamedTuple):
    """Something on which it depends whether a commit survives, and its state."""

    found: Finding
    state: Literal["well", "unwise", "lost"] = "well"
    """`unwise`: safe now, but should be changed. `lost`: it breaks promise 2."""

    @property
    def brief(self) -> str:
        """For a log and a list: a name and a value, such as fsync=off, in no language."""
        facts = self.found.facts
        name = next((facts[one] for one in ("name", "path", "file") if one in facts), self.found.case)
        value = next((facts[one] for one in ("option", "value", "system") if one in facts), self.found.case)
        return f"{name}={value}"


def broken(facts: Iterable[DurabilityFact]) -> list[DurabilityFact]:
    """Those that break promise 2."""
    return [fact for fact in facts if fact.state == "lost"]


def setting(name: str, value: str, needed: tuple[str, ...] = ()) -> DurabilityFact:
    """A setting of the database; it must be one of `needed`, if there are any."""
    if needed and value not in needed:
        return DurabilityFact(found("durability", "setting-loose", name=name, value=value, needed=needed), "lost")
    return DurabilityFact(found("durability", "setting", name=name, value=value))


# ---- where a file lies


class Mount(NamedTuple):
    """A line of /proc/self/mountinfo."""

    point: str
    kind: str
    options: tuple[str, ...]


def file_system(path: Path) -> Mount | None:
    """The file system of a path; None where the system does not list its mounts."""
    try:
        lines = MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return None
    parts = path.resolve().parts
    over = [mount for mount in map(_mount, lines) if parts[: len(Path(mount.point).parts)] == Path(mount.point).parts]
    # Of two that are mounted at one place, the later one counts.
    return max(enumerate(over), key=lambda one: (len(Path(one[1].point).parts), one[0]))[1] if over else None


def _mount(line: str) -> Mount:
    before, _, after = line.partition(" - ")
    kind, _, options = after.split(" ", 2)
    fields = before.split(" ")
    point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[4])
    return Mount(point, kind, (*fields[5].split(","), *options.split(",")))


def of_file_system(path: Path, *, network: bool = True) -> DurabilityFact:
    """Is a file at this path on a disk of this machine? With `network`, a network file system is no such disk."""
    mount, at = file_system(path), str(path)
    if mount is None:
        return DurabilityFact(found("durability", "file-system-unknown", path=at))
    if mount.kind == "overlay" and (upper := _option(mount, "upperdir")):
        below = file_system(Path(upper))
        if below is not None and below.kind in MEMORY:
            return DurabilityFact(found("durability", "overlay-loose", path=at, system=below.kind), "lost")
    if mount.kind in MEMORY or (network and mount.kind in NETWORK):
        return DurabilityFact(found("durability", "file-system-loose", path=at, system=mount.kind), "lost")
    if loose := NO_BARRIERS.intersection(mount.options):
        what = found("durability", "no-barriers", path=at, system=mount.kind, option=min(loose))
        return DurabilityFact(what, "lost")
    return DurabilityFact(found("durability", "file-system", path=at, system=mount.kind))


def _option(mount: Mount, name: str) -> str:
    return next((option.partition("=")[2] for option in mount.options if option.startswith(f"{name}=")), "")
