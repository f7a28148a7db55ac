"""What runs is what was approved: every change of what could run is found, and nothing else is."""

from __future__ import annotations

import compileall
import importlib.util
import json
import marshal
import os
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from croupier.rules.findings import Finding
from croupier.rules.refusal import Fact, Refused
from croupier.store import manifest
from croupier.store.checkpoint import make_key_pair, private_key, signing_key
from croupier.store.folder import Premises
from croupier.store.inventory import Unfinished, take
from croupier.store.manifest import MOST_LISTED, approve, installed, manifest_file, read_manifest, unapproved
from tests.support.command_line import croupier
from tests.support.installation import make_installation

ALL = os.environ.get("CROUPIER_FAULTS") == "all"


Found = tuple[str, dict[str, Fact]]
"""The case of a finding or of what kept from comparing, and its facts."""


def told(found: list[Finding]) -> list[Found]:
    return [(why.case, {**why.facts}) for one in found for why in [one.because or one]]


def of_code(place: Path) -> list[Found]:
    return [("compiled-otherwise", {"place": str(place)})]


class Approved:
    """An installation, and the floor on which it was approved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "installation"
        self.roots = make_installation(self.folder)
        self.pristine = folder / "pristine"
        shutil.copytree(self.folder, self.pristine, symlinks=True)
        self.premises = Premises(folder / "floor")
        self.premises.init()
        self.key, self.approver = folder / "approver.key", folder / "approver.key.pub"
        make_key_pair(self.key, self.approver)

    @property
    def money(self) -> Path:
        return self.folder / "packages/croupier/rules/money.py"

    def found(self) -> list[Found]:
        return told(unapproved(self.premises, self.approver))

    def files(self) -> list[Path]:
        every = sorted(self.folder.rglob("*"))
        return [file for file in every if file.is_file() and not file.is_symlink() and file.stat().st_size]

    def restore(self, changed: Path) -> None:
        """Bring back what lies at a place, or take away what lies there."""
        while not os.path.lexists(self._then(changed.parent)):
            changed = changed.parent
        if changed.is_dir() and not changed.is_symlink():
            shutil.rmtree(changed)
        else:
            changed.unlink(missing_ok=True)
        then = self._then(changed)
        if then.is_dir():
            shutil.copytree(then, changed, symlinks=True)
        elif then.exists():
            shutil.copy2(then, changed, follow_symlinks=False)

    def _then(self, place: Path) -> Path:
        return self.pristine / place.relative_to(self.folder)


@pytest.fixture
def approved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Approved:
    made = Approved(tmp_path)
    monkeypatch.setattr(manifest, "roots", lambda: made.roots)
    approve(made.premises, private_key(made.key))
    return made


# ---- changes of an installation: each does one, and returns where


def cache_of(source: Path, level: str = "") -> Path:
    return Path(importlib.util.cache_from_source(str(source), optimization=level))


def doctored(source: Path, text: str, flags: int = 0, level: int = 0) -> bytes:
    """A compiled file of another text, with the head that belongs to the true source."""
    written, at = source.read_bytes(), source.stat()
    stamp = int(at.st_mtime).to_bytes(4, "little") + at.st_size.to_bytes(4, "little")
    if flags:
        stamp = importlib.util.source_hash(written)
    code = compile(text, str(source), "exec", dont_inherit=True, optimize=level)
    return importlib.util.MAGIC_NUMBER + flags.to_bytes(4, "little") + stamp + marshal.dumps(code)


def write(file: Path, data: bytes) -> Path:
    """New content, and the times of the old: nothing but the bytes shows it."""
    before = file.stat() if file.exists() else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    if before is not None:
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    return file


def pick(random: Random, at: Approved, *ends: str) -> Path:
    return random.choice([file for file in at.files() if not ends or file.name.endswith(ends)])


def flip(*ends: str) -> Callable[[Random, Approved], Path]:
    def change(random: Random, at: Approved) -> Path:
        file = pick(random, at, *ends)
        data = bytearray(file.read_bytes())
        data[random.randrange(len(data))] ^= random.randrange(1, 256)
        return write(file, bytes(data))

    return change


def flip_code(random: Random, at: Approved) -> Path:
    """A byte of the head of a compiled file, or of what it does: others may only say how it is written down."""
    file = pick(random, at, ".pyc")
    data = bytearray(file.read_bytes())
    code = marshal.loads(data[16:]).co_code
    place = random.choice([random.randrange(16), data.index(code) + random.randrange(len(code))])
    data[place] ^= random.randrange(1, 256)
    return write(file, bytes(data))


def rewrite(how: Callable[[bytes], bytes], *ends: str) -> Callable[[Random, Approved], Path]:
    def change(random: Random, at: Approved) -> Path:
        file = pick(random, at, *ends)
        return write(file, how(file.read_bytes()))

    return change


def doctor(flags: int = 0, level: int = 0) -> Callable[[Random, Approved], Path]:
    """Another text is compiled; the source stays, and so does its head."""

    def change(random: Random, at: Approved) -> Path:
        source = pick(random, at, ".py")
        text = source.read_text() + "\nDOCTORED = True\n"
        return write(cache_of(source, str(level or "")), doctored(source, text, flags, level))

    return change


def add(name: str, of: str = "packages") -> Callable[[Random, Approved], Path]:
    def change(random: Random, at: Approved) -> Path:
        folders = [at.folder / of, *(file.parent for file in at.files() if file.suffix == ".py")]
        return write(random.choice(folders) / name, b"raise SystemExit\n")

    return change


def sourceless(random: Random, at: Approved) -> Path:
    """A compiled file where Python takes it without a source, for a module that is not there."""
    source = pick(random, at, ".py")
    return write(source.with_name("ghost.pyc"), cache_of(source).read_bytes() if cache_of(source).exists() else b"x")


def remove(random: Random, at: Approved) -> Path:
    file = pick(random, at, ".py", ".so", ".toml", ".js", "RECORD", ".pth")
    file.unlink()
    return file


def link(random: Random, at: Approved) -> Path:
    """The same bytes, but from where others may write."""
    file = pick(random, at, ".py", ".pyc", ".so", ".toml")
    away = at.folder.parent / "away"
    shutil.copy2(file, away)
    file.unlink()
    file.symlink_to(away)
    return file


def link_folder(random: Random, at: Approved) -> Path:
    folder = random.choice(sorted({file.parent for file in at.files() if "packages/" in str(file.parent)}))
    away = at.folder.parent / "aside"
    shutil.rmtree(away, ignore_errors=True)
    shutil.copytree(folder, away)
    shutil.rmtree(folder)
    folder.symlink_to(away)
    return folder


def pipe(random: Random, at: Approved) -> Path:
    place = pick(random, at, ".py").with_name("waits.py")
    os.mkfifo(place)
    return place


KINDS = (
    *(flip(end) for end in (".py", ".so", ".toml", ".js", ".pth", "RECORD", "METADATA", "python", "pyvenv.cfg")),
    *(rewrite(how) for how in (lambda data: data + b"\n", lambda data: data[: len(data) // 2])),
    rewrite(lambda data: data + b"\0", ".pyc"),
    rewrite(lambda data: data[:16], ".pyc"),
    *(doctor(flags, level) for flags in (0, 1, 3) for level in (0, 1, 2)),
    *(add(name) for name in ("sitecustomize.py", "x.pth", "json.so", "within/x.py", "__pycache__/x.cpython-311.pyc")),
    *(add(name, of="programs") for name in ("struct.py", "__pycache__/struct.cpython-39.pyc")),
    *(flip_code, flip_code, sourceless, remove, link, link_folder, pipe),
)


def test_changes_of_what_could_run_are_all_found_and_nothing_else_is(approved: Approved) -> None:
    random = Random(18)
    changes = [*KINDS, *random.choices(KINDS, k=200 - len(KINDS))] if ALL else random.sample(KINDS, 12)
    wrong = []
    assert approved.found() == []
    for number, change in enumerate(changes):
        place = change(random, approved)
        found = approved.found()
        if not found or any(str(place) not in facts.values() for _, facts in found):
            wrong.append((number, place, found))
        approved.restore(place)
    assert wrong == []
    assert approved.found() == []


def test_a_compiled_file_that_doubles_every_win_is_found(approved: Approved) -> None:
    """The very attack: the source is untouched, its compiled file says other, and its head fits the source."""
    bet = "print(load_layout('rws-sicbo-etg-v2/A').settle([Bet('total:8', Cents(1000))], '4-3-1'))"
    path = f"import sys; sys.path.insert(0, {str(approved.folder / 'packages')!r}); from croupier import *; {bet}"

    def settled() -> str:
        done = subprocess.run([sys.executable, "-B", "-c", path], capture_output=True, text=True, check=True)
        return done.stdout

    honest, text = settled(), approved.money.read_text()
    twice = text.replace("return Cents(exact.numerator)", "return Cents(2 * exact.numerator)")
    assert twice != text
    for flags in (0, 1, 3):
        place = write(cache_of(approved.money), doctored(approved.money, twice, flags))
        assert "8500" in honest
        assert "17000" in settled()
        assert approved.found() == of_code(place)


def test_files_that_python_compiles_by_itself_are_no_alarm(approved: Approved) -> None:
    source = approved.money
    cache_of(source).unlink()
    assert approved.found() == []
    for mode in py_compile.PycInvalidationMode:
        for level in (0, 1, 2):
            py_compile.compile(str(source), doraise=True, invalidation_mode=mode, optimize=level)
        assert approved.found() == []
    for cache in list(approved.folder.rglob("__pycache__")):
        shutil.rmtree(cache)
    for file in approved.files():
        os.utime(file, (1_700_000_000, 1_700_000_000))
    assert approved.found() == []
    assert compileall.compile_dir(approved.folder, quiet=2)
    assert approved.found() == []


def test_what_a_package_says_of_itself_is_not_asked(approved: Approved) -> None:
    """A file may differ from its RECORD or agree with it: the manifest alone counts."""
    file = approved.folder / "packages/typing_extensions.py"
    write(file, file.read_bytes() + b"# more\n")
    assert approved.found() == [("other", {"place": str(file)})]


def test_instructions_that_python_does_not_show_are_found(approved: Approved) -> None:
    """An instruction may stand there as Python itself makes it while it runs, and is shown as the plain one."""
    place = cache_of(approved.money)
    data = bytearray(place.read_bytes())
    true = marshal.loads(data[16:])
    begin = data.index(true.co_code)
    for at in range(begin, begin + len(true.co_code)):
        for bit in (1, 2, 4, 8, 16, 32, 64, 128):
            other = data.copy()
            other[at] ^= bit
            if marshal.loads(other[16:]) == true:
                place.write_bytes(other)
                assert approved.found() == of_code(place)
                return
    raise AssertionError("this Python shows every instruction")


def test_a_compiled_file_that_is_no_code_is_found_and_breaks_nothing(approved: Approved) -> None:
    place = cache_of(approved.money)
    head = place.read_bytes()[:16]
    deep, itself, bomb = b"(\1\0\0\0" * 50_000, b"\xa9\1r\0\0\0\0", b"\xa9\0"
    for number in range(60):
        bomb = b"\xa9\2" + bomb + b"r" + (1).to_bytes(4, "little") if number else bomb
    for body in (
        b"(\xff\xff\xff\x7f",
        b"s\xff\xff\xff\x7f",
        deep,
        itself,
        b">\1\0\0\0" + bomb,
        b"",
        b"N",
        b"r\0\0\0\0",
    ):
        place.write_bytes(head + body)
        assert approved.found() == of_code(place)


def test_nothing_is_approved_that_was_compiled_from_something_else(approved: Approved) -> None:
    place = write(cache_of(approved.money), doctored(approved.money, "x = 1"))
    with pytest.raises(Refused, match="approved compiled-otherwise") as refused:
        approve(approved.premises, private_key(approved.key))
    assert refused.value.facts == {"places": (str(place),), "more": 0}


# ---- what decides which files run


def test_the_path_the_options_and_the_environment_are_approved_too(
    approved: Approved, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, "/srv/other"])
        assert approved.found() == [("fact-new", {"of": "path", "value": "/srv/other"})]
        patch.setattr(sys, "path", [*sys.path[1:-1], sys.path[0]])
        assert approved.found() == [("fact-order", {"of": "path"})]
        patch.setattr(sys, "path", [place for place in sys.path if place != str(Path(os.__file__).parent)])
        assert approved.found()[0][0] == "fact-missing"
    for name in ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONWARNINGS", "LD_PRELOAD"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "/srv/other\n.so")
            assert approved.found() == [("fact-new", {"of": "environment", "value": f"{name}=/srv/other\\n.so"})]
    monkeypatch.setattr(sys, "pycache_prefix", "/srv/other")
    assert approved.found()[0] == ("fact-new", {"of": "options", "value": "pycache_prefix=/srv/other"})


def test_every_place_in_which_python_looks_for_code_is_a_root() -> None:
    roots = manifest.roots()
    assert roots["python"] == str(Path(sys.executable).resolve())
    assert Path(manifest.__file__).parents[1].is_relative_to(roots[manifest._root_of(manifest.__file__, roots) or ""])
    told = manifest.facts(roots)
    assert len(told["path"]) == len(sys.path)
    for place in sys.path:
        assert manifest._root_of(place, roots) is not None
    assert {"standard", "packages", "standard/lib-dynload"} <= set(told["path"])
    assert manifest._root_of(f"{roots['standard']}/site-packages/x.py", {"standard": roots["standard"]}) is None


def test_a_floor_within_the_code_is_not_approved(approved: Approved) -> None:
    within = Premises(approved.folder / "packages" / "floor")
    within.init()
    with pytest.raises(Refused, match="approved code-around"):
        approve(within, private_key(approved.key))


# ---- who approves


def test_the_floor_does_not_approve_itself(approved: Approved) -> None:
    premises, file = approved.premises, manifest_file(approved.premises)
    own = signing_key(premises.keys)
    with pytest.raises(Refused, match="key own"):
        approve(premises, own)
    read_manifest(file).signed(own).write(file)
    assert told(unapproved(premises, premises.public_key)) == [("own-key", {"file": str(premises.public_key)})]
    assert approved.found() == [("unsigned", {"file": str(file), "key": str(approved.approver)})]
    assert told(unapproved(premises, None)) == [("no-approver", {})]


@pytest.mark.parametrize("what", ["files", "facts", "roots", "version", "signature", "torn", "old", "missing"])
def test_a_manifest_that_is_not_as_it_was_signed_counts_nothing(what: str, approved: Approved) -> None:
    file = manifest_file(approved.premises)
    said = json.loads(file.read_text())
    case = "unsigned"
    if what in ("files", "facts"):
        said[what].popitem()
    elif what == "roots":
        said["roots"]["packages"] = str(approved.pristine / "packages")
    elif what in ("version", "signature"):
        said[what] = said[what][:-1]
    elif what == "old":
        said, case = {"version": "0.1.0", "files": {}, "signature": ""}, "other-format"
    file.write_text(json.dumps(said))
    if what == "torn":
        file.write_text(file.read_text()[:-30])
        case = "no-manifest"
    elif what == "missing":
        file.unlink()
        case = "none"
    (one,) = approved.found()
    assert one[0] == case


def test_a_list_is_written_here_signed_elsewhere_and_looked_at_from_outside(approved: Approved) -> None:
    file = manifest_file(approved.premises)
    installed().write(file)
    assert approved.found() == [("unsigned", {"file": str(file), "key": str(approved.approver)})]
    read_manifest(file).signed(private_key(approved.key)).write(file)
    assert approved.found() == []
    elsewhere = dict(approved.roots) | {"packages": str(approved.pristine / "packages")}
    checker = approved.folder / "packages/croupier/store/manifest.py"
    write(cache_of(checker), doctored(checker, "def unapproved(*_, **__): return []"))
    with pytest.MonkeyPatch.context() as patch:  # another installation looks: its own roots do not matter
        patch.setattr(manifest, "roots", lambda: elsewhere)
        patch.setattr(sys, "path", [])
        found = unapproved(approved.premises, approved.approver, outside=True)
    assert told(found) == of_code(cache_of(checker))


def test_the_commands_of_a_keeper_and_of_an_approver(approved: Approved) -> None:
    here = approved.folder.parent

    def asked(*words: str, code: int = 0) -> str:
        done = croupier("manifest", *words, cwd=here)
        assert done.returncode == code, done
        return done.stdout + done.stderr

    assert "choose one: --check" in asked(code=2)
    assert "there is no floor" not in asked("--make-key", "other.key")
    assert (here / "other.key").stat().st_mode & 0o077 == 0
    assert "no key was made" in asked("--make-key", "other.key", code=2)
    (here / "croupier.toml").write_text('approver = "other.key.pub"\n')
    assert "is not signed by other.key.pub" in asked("--check", code=1)
    assert "files are approved" in asked("--key", "other.key")
    assert asked("--check") == "The installed software is the approved software.\n"
    assert "the floor's own key" in asked("--key", "floor/keys/signing.key", code=2)
    assert "holds no key in PEM form" in asked("--key", "other.key.pub", code=2)
    for number in range(MOST_LISTED + 5):
        (approved.folder / "packages" / f"stray{number}.py").touch()
    told = asked("--check", code=1).splitlines()
    assert (len(told), told[-1]) == (MOST_LISTED + 1, "and 5 more")
    assert "not approved yet" in asked("--write", "list.json")
    assert "put it into the folder of the floor" in asked("--sign", "list.json", "--key", "other.key")
    (here / "list.json").rename(manifest_file(approved.premises))
    assert asked("--check", "--outside") == "The installed software is the approved software.\n"


def test_a_list_that_cannot_be_made_is_no_approval(approved: Approved, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(Unfinished) as unfinished:
        take(approved.roots, {})
    assert (unfinished.value.error, unfinished.value.code) == ("", 1)
    assert approved.found() == [("ended", {"code": 1, "error": ""})]
