"""Croupier as a stranger installs it: a wheel, a clean environment, an empty folder, and one command."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

import httpx

from tests.support.processes import same_program

ROOT = Path(__file__).parents[2]
LIMIT = 120


def installed(folder: Path) -> Path:
    """A clean environment with the wheel, and the other packages as they are here; where its programs are."""
    build = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    made = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=True
    )
    wheel = folder / made.stdout.split()[-1]
    home = folder / "venv"
    venv.create(home, with_pip=False)
    uv = [
        str(Path(sys.executable).with_name("uv")),
        "pip",
        "install",
        "--offline",
        "--no-cache",
        "--no-deps",
        "--quiet",
    ]
    subprocess.run([*uv, "--python", str(home / "bin" / "python"), str(wheel)], timeout=LIMIT, check=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))  # a path in a .pth brings no .pth of its own
    return home / "bin"


def test_an_installed_wheel_shows_a_demonstration_in_an_empty_folder(tmp_path: Path) -> None:
    programs, empty = installed(tmp_path), tmp_path / "empty"
    empty.mkdir()
    where = "import croupier; print(croupier.__file__)"
    environment = {name: value for name, value in same_program().items() if name != "PYTHONPATH"}
    found = subprocess.run(
        [programs / "python", "-c", where], cwd=empty, env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.startswith(str(tmp_path))
    out = tmp_path / "out"
    with out.open("w") as log:
        command = [str(programs / "croupier"), "serve", "--demo", "--staff-port", "0", "--terminal-port", "0"]
        process = subprocess.Popen(command, cwd=empty, env=environment, stdout=log, stderr=log)
    try:
        last = time.monotonic() + LIMIT
        while not (link := re.search(r"(http://\S+)/enter/\S+   shift-manager", out.read_text())):
            assert process.poll() is None, out.read_text()
            assert time.monotonic() < last, out.read_text()
            time.sleep(0.05)
        with httpx.Client(base_url=link[1], timeout=LIMIT, trust_env=False) as browser:
            assert len(browser.get("/api/floor").json()["tables"]) == 5
            assert browser.get("/").headers["content-type"].startswith("text/html")
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 0, out.read_text()
        assert list(empty.iterdir()) == []
    finally:
        process.kill()
        process.wait(LIMIT)
