"""A small installation to approve and to tamper with: an interpreter, some of its library, packages, programs."""

from __future__ import annotations

import compileall
import importlib.metadata
import shutil
import sys
import sysconfig
from pathlib import Path

import croupier

DISTRIBUTIONS = ("typing_extensions", "argon2-cffi", "argon2-cffi-bindings")
"""A module, a package, a compiled extension; each with what it says of itself."""
MODULES = ("bisect.py", "json", "lib-dynload/_bisect*", "lib-dynload/_json*")


def make_installation(folder: Path) -> dict[str, str]:
    """Its roots, as `manifest.roots` would tell them."""
    standard, packages, programs = (folder / name for name in ("standard", "packages", "programs"))
    for place in (standard, packages, programs):
        place.mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), folder / "python")
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    (programs / "croupier").write_text("#!/usr/bin/python3\nfrom croupier.cli import main\nmain()\n")
    (programs / "python").symlink_to(Path(sys.executable).resolve())
    _copy(Path(sysconfig.get_path("stdlib")), standard, MODULES)
    (standard / "site-packages").mkdir()
    for name in DISTRIBUTIONS:
        distribution = importlib.metadata.distribution(name)
        tops = {file.parts[0] for file in distribution.files or () if not file.parts[0].startswith(("..", "__"))}
        _copy(Path(str(distribution.locate_file(""))), packages, sorted(tops))
    (packages / "here.pth").write_text("# nothing\n")
    skipped = shutil.ignore_patterns("__pycache__", "zh")
    shutil.copytree(Path(croupier.__file__).parent, packages / "croupier", ignore=skipped)
    assert compileall.compile_dir(folder, quiet=2)
    return {
        "python": str(folder / "python"),
        "standard": str(standard),
        "packages": str(packages),
        "programs": str(programs),
        "environment": str(folder / "pyvenv.cfg"),
    }


def _copy(source: Path, target: Path, patterns: tuple[str, ...] | list[str]) -> None:
    for path in (path for pattern in patterns for path in source.glob(pattern)):
        place = target / path.relative_to(source)
        place.parent.mkdir(exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(path, place)
