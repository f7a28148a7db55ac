"""What people install: the base is small and whole, every import is declared, what is missing is named."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from croupier.extras import EXTRAS, extra_of
from croupier.server.staff.problem import problem_of, status_of, without

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "croupier"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MOST_BYTES = 60 * 2**20
NOT_IMPORTED = {"tzdata", "websockets"}
"""Declared and never imported by us: read by `zoneinfo`, and by uvicorn."""


def modules_of(requirements: list[str]) -> set[str]:
    """The modules that are imported by the names of what is required."""
    names = {Requirement(one).name.lower().replace("_", "-") for one in requirements}
    found = importlib.metadata.packages_distributions().items()
    return {
        module
        for module, distributions in found
        if names & {one.lower().replace("_", "-") for one in distributions} and not module.startswith("_")
    }


def imported() -> dict[str, set[str]]:
    """Every module of others that the source imports, wherever it does, and the files that do."""
    found: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for top in {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - {"croupier"}:
                found.setdefault(top, set()).add(file.relative_to(SOURCE).as_posix())
    return found


def test_every_import_is_declared_and_everything_declared_is_imported() -> None:
    extras = {name: one for name, one in PROJECT["optional-dependencies"].items() if name != "all"}
    declared = modules_of([*PROJECT["dependencies"], *(one for some in extras.values() for one in some)])
    used = imported()
    assert not {module: sorted(files) for module, files in used.items() if module not in declared}
    for requirement in {*PROJECT["dependencies"], *(one for some in extras.values() for one in some)}:
        assert modules_of([requirement]) & set(used) or Requirement(requirement).name in NOT_IMPORTED, requirement


def test_each_extra_brings_the_modules_it_is_named_for() -> None:
    """What someone who lacks a module is told to install has it; the base has none of them."""
    extras = PROJECT["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        assert set(modules) <= modules_of(extras[extra]), extra
    base = modules_of(PROJECT["dependencies"])
    assert not base & {module for modules in EXTRAS.values() for module in modules}
    named = {module for modules in EXTRAS.values() for module in modules}
    assert set(imported()) == named | (base & set(imported()))
    assert extras["all"] == [f"croupier[{','.join(sorted(set(extras) - {'all'}))}]"]


def test_a_module_of_ours_that_is_missing_is_a_bug_and_no_extra() -> None:
    assert extra_of(ModuleNotFoundError(name="numpy.fft")) == "lab"
    assert extra_of(ModuleNotFoundError(name="croupier.rules.missing")) is None
    assert extra_of(ModuleNotFoundError()) is None


def test_a_floor_without_an_extra_says_so_and_a_bug_stays_a_bug() -> None:
    no = without(ModuleNotFoundError(name="typst"))
    assert (status_of(no), no.reason) == (501, "extra")
    assert "typst is not installed: pip install 'croupier[reports]'" in problem_of(no).message
    with pytest.raises(ModuleNotFoundError):
        without(ModuleNotFoundError(name="croupier.missing"))


# ---- the base, in an environment of its own


def closure(requirements: list[str]) -> Iterator[importlib.metadata.Distribution]:
    """What pip would install: these, what they need, and so on."""
    seen: set[str] = set()
    waiting = [Requirement(one) for one in requirements]
    while waiting:
        asked = waiting.pop()
        name = asked.name.lower()
        if name in seen or (asked.marker is not None and not asked.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        found = importlib.metadata.distribution(name)
        waiting += [Requirement(one) for one in found.requires or ()]
        yield found


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it requires, out of this one: no index is asked."""
    folder = tmp_path_factory.mktemp("base")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    packages = next((folder / "env" / "lib").glob("python*/site-packages"))
    for distribution in closure(PROJECT["dependencies"]):
        for file in distribution.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                place = packages / file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(Path(str(file.locate())).read_bytes())
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(packages)
    subprocess.run([folder / "env" / "bin" / "python", "-m", "compileall", "-q", packages], check=False)
    return folder / "env"


def ask(base: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    start = "import sys; from croupier.cli import main; sys.argv[0] = 'croupier'; main()"
    command = [str(base / "bin" / "python"), "-I", "-c", start, *map(str, words)]
    return subprocess.run(command, cwd=base, env={"PATH": "/usr/bin:/bin"}, text=True, capture_output=True, check=False)


def test_the_base_is_under_sixty_megabytes(base: Path) -> None:
    """All files, compiled ones included, in megabytes as `du` counts them."""
    packages = next((base / "lib").glob("python*/site-packages"))
    sizes = {file: file.stat().st_size for file in packages.rglob("*") if file.is_file()}
    assert sum(sizes.values()) < MOST_BYTES, sum(sizes.values())
    assert any(file.name == "terminal.html" for file in sizes), "the pages are in the wheel"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("--version", r"croupier \d"),
        ("rulebooks", "rws-sicbo-etg-v2"),
        ("odds mbs-sands-roulette-v2/A", "top-line"),
        ("settle rws-sicbo-etg-v2/A --outcome 1-3-4 --bet small=10.00", r"The House pays 10\.00"),
        ("explain nz-taisai-division9/1 small 2-2-2", r"Small loses on 2-2-2: .* \(4\.1\(a\)\)"),
        ("diff rws-sicbo-etg-v2/B rws-sicbo-etg-v2/C", "104 boxes in both"),
        ("chances rws-sicbo-etg-v2/A --bet small=10.00 --rounds 100", "exact"),
        (["whatif", "rws-sicbo-etg-v2/A", "--pays", "total:9=8 to 1"], "total:9"),
        (f"house rws-taisai-v5/A --table {ROOT}/tables/taisai-rws.toml --bet A1:big=500", "big"),
        ("felt rws-sicbo-etg-v2/A", "<svg"),
    ],
)
def test_the_base_answers(base: Path, words: str | list[str], answer: str) -> None:
    done = ask(base, *(words.split() if isinstance(words, str) else words))
    assert done.returncode == 0, done.stderr
    assert re.search(answer, done.stdout), done.stdout


def test_the_base_plays_a_transcript_and_verifies_what_a_floor_made_of_it(base: Path, tmp_path: Path) -> None:
    """The floor has every extra; whoever checks it needs none."""
    evening = ROOT / "tests" / "transcripts" / "money" / "tickets.round"
    assert ask(base, "play", evening).returncode == 0
    floor, pack = tmp_path / "floor", tmp_path / "pack.zip"
    for words in (
        ("init", floor),
        ("play", evening, "--floor", floor),
        ("export", "T1", "1", "--floor", floor, "-o", pack),
    ):
        command = [sys.executable, "-m", "croupier.cli", *map(str, words)]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    done = ask(base, "verify", pack, "--key", floor / "keys" / "public.key")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert f"{pack}: round 1 of T1: all true, and signed.\n" in done.stdout
    assert "round.pdf was not drawn again and compared: that needs pip install 'croupier[reports]'" in done.stdout
    done = ask(base, "verify", "--floor", floor)
    assert done.returncode == 0, done.stderr
    assert "1 signed checkpoint: all true" in done.stdout
    assert "croupier[reports]" in ask(base, "export", "T1", "1", "--floor", floor, "-o", pack).stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("simulate rws-sicbo-etg-v2/A --bet small=10.00 --rounds 1000", "lab"),
        ("ruin rws-sicbo-etg-v2/A --bet small=10.00 --bankroll 100.00", "lab"),
        ("rng rws-sicbo-etg-v2 --sample 1e4 --seed 1", "lab"),
        ("par rws-sicbo-etg-v2/A --output sheet.xlsx", "reports"),
        ("simulate rws-sicbo-etg-v2/A --output run.html", "reports"),
        ("ticket 123456789012345611 --output ticket.pdf", "reports"),
        ("serve --demo", "floor"),
        ("verify --store postgresql://nowhere/floor", "postgres"),
    ],
)
def test_what_the_base_has_not_is_named_with_its_extra(base: Path, words: str, extra: str) -> None:
    done = ask(base, *words.split())
    assert done.returncode == 2, done.stderr
    assert f"croupier[{extra}]" in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
