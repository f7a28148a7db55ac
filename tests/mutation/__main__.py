"""`make mutation`: plant every mutant of a module, each in a process forked from one that has everything loaded.

    python -m tests.mutation [MODULE …] [--sample N] [--fresh] [--budget SECONDS]

The tests are collected once. A first child runs them all and tells which test runs which line. Each mutant then has a
child of its own: the code of one function is exchanged, and the tests that run its lines are run, those first that
have found most so far, until one is red. What was found is kept in build/mutation as long as its function is the same,
so that a run that was ended goes on; survivors without a reason are tried again. A score below the recorded one is
told, nothing is recorded, and the run fails.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import hashlib
import importlib
import inspect
import itertools
import json
import os
import pickle
import random
import resource
import shutil
import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.record import MODULES, RESULTS, Result, read_results, write_results

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutation"
PATIENCE = 5
"""Seconds of work that a test may do beyond twice what it did while its lines were watched: then it is in a loop."""
WAITING = 30
"""Seconds on the wall's clock beyond twice what it took before: if it has neither worked nor waited for a processor for
half of them, it waits for what will never come."""
MEMORY = 8 * 1024**3
SEED = 18
SIMULATED = 6_000
"""Commands of the simulator, for each book."""
READ = {".py", ".toml", ".ftl", ".round"}
"""What tests may read of the tree."""
SEEN = "_lines_that_were_run"

LOOPED, BROKEN = 3, 4
"""How a child ends that was in a loop, or whose module cannot even be loaded: no test is needed to find that."""
WITHOUT_TEST = {-LOOPED: "never ends", -BROKEN: "cannot be loaded"}


class Ran(NamedTuple):
    """What a test did without a mutant."""

    passed: bool
    seconds: float
    """Of work."""
    wall: float
    lines: dict[str, set[int]]


class Mutations:
    """A plugin of pytest: in place of running the collected tests once, they are run for each mutant."""

    def __init__(self, names: Sequence[str], sample: int, budget: float, *, fresh: bool) -> None:
        self.names = names
        self.sample = sample
        self.budget = budget
        self.fresh = fresh
        self.failed = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("not everything could be collected")
        modules = {name: importlib.import_module(f"croupier.{name.replace('/', '.')}") for name in self.names}
        gc.freeze()  # so that a child does not copy what it only reads
        ran = _first_run(session.items, modules)
        print(f"{len(ran)} tests, {sum(one.seconds for one in ran):.0f} s of work", flush=True)
        for item, one in zip(session.items, ran, strict=True):
            if not one.passed:
                print(f"left out, for it is red without a mutant: {item.nodeid}")
        for name, module in modules.items():
            self._module(name, module, session.items, ran)
        return True

    def _module(self, name: str, module: ModuleType, items: Sequence[pytest.Item], ran: list[Ran]) -> None:
        source = Path(module.__file__ or "").read_text()
        kept = _Kept(name, ast.parse(source))
        mutants = mutants_of(ast.parse(source))
        chosen = _chosen(mutants, self.sample)
        before = read_results().get(name)
        explained = {one for one, why in before.survivors.items() if why} if before and not self.fresh else set()
        kills: defaultdict[str, Counter[int]] = defaultdict(Counter)
        begin, survivors = time.monotonic(), []
        for place, number in enumerate(chosen):
            mutant = mutants[number]
            if kept.has(mutant):
                continue
            if mutant.name in explained:
                survivors.append(mutant)
                continue
            tests = _ordered(mutant, name, ran, kills)
            by = self._tried(module, source, number, items, ran, tests)
            if by is None:
                survivors.append(mutant)
                print(f"\n{name}:{mutant.lines.start}: survived {len(tests)} tests: {mutant.name}", flush=True)
                continue
            kept.add(mutant, WITHOUT_TEST[by] if by < 0 else items[by].nodeid)
            kills[mutant.function][by] += 1
            kills[""][by] += 1
            if place % 20 == 0:
                print(f"\r{name} {place}/{len(chosen)} {time.monotonic() - begin:.0f} s", end="", flush=True)
        self._print_score(name, mutants, chosen, survivors)

    def _tried(
        self,
        module: ModuleType,
        source: str,
        number: int,
        items: Sequence[pytest.Item],
        ran: list[Ran],
        tests: list[int],
    ) -> int | None:
        """The test that a mutant turns red."""
        outcome = _in_child(functools.partial(_try, module, source, number, items, ran, tests, self.budget), number)
        for folder in _temporary(items):
            for left in folder.iterdir():
                shutil.rmtree(left, ignore_errors=True)
        assert outcome is None or isinstance(outcome, int)
        return outcome

    def _print_score(
        self, name: str, mutants: Sequence[Mutant], chosen: Sequence[int], survivors: Sequence[Mutant]
    ) -> None:
        results = read_results()
        before = results.get(name)
        why = before.survivors if before else {}
        new = Result(len(mutants), len(chosen), {one.name: why.get(one.name, "") for one in survivors})
        print(f"\n{name}: {new.found} of {new.run} found" + (f", of {new.mutants}" if new.run < new.mutants else ""))
        if before and new.score < before.score:
            self.failed = True
            print(f"{name}: that is less than before: {before.found} of {before.run}. Not recorded.")
            return
        write_results(results | {name: new})


class _Kept:
    """Which mutants were found, as long as their function is the same: one line each, so that an ended run goes on."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self._digests = _digests(tree)
        self._file = KEPT / f"{name.replace('/', '.')}.jsonl"
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        self._found = {(mutant, digest) for mutant, digest, _ in map(json.loads, lines)}

    def has(self, mutant: Mutant) -> bool:
        return (mutant.name, self._digests[mutant.function]) in self._found

    def add(self, mutant: Mutant, test: str) -> None:
        with self._file.open("a") as file:
            print(json.dumps((mutant.name, self._digests[mutant.function], test)), file=file)


def _digests(tree: ast.Module) -> dict[str, str]:
    """Of each function, and under no name of everything outside of functions."""
    parts: dict[str, list[str]] = {"": []}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            parts[statement.name] = [ast.dump(statement)]
        elif isinstance(statement, ast.ClassDef):
            for part in statement.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    parts.setdefault(f"{statement.name}.{part.name}", []).append(ast.dump(part))
        else:
            parts[""].append(ast.dump(statement))
    return {name: hashlib.sha256("".join(dumps).encode()).hexdigest()[:12] for name, dumps in parts.items()}


def _chosen(mutants: Sequence[Mutant], sample: int) -> list[int]:
    numbers = range(len(mutants))
    return sorted(random.Random(SEED).sample(numbers, sample)) if 0 < sample < len(mutants) else list(numbers)


def _ordered(mutant: Mutant, name: str, ran: list[Ran], kills: dict[str, Counter[int]]) -> list[int]:
    """The tests that run the lines of a mutant: first those that found its neighbours, then the fast ones."""
    lines, in_function, all_kills = set(mutant.lines), kills[mutant.function], kills[""]
    tests = [  # a table of the module is read anywhere
        number
        for number, one in enumerate(ran)
        if one.passed and (not mutant.function or lines & one.lines.get(name, set()))
    ]
    return sorted(tests, key=lambda number: (-in_function[number], -all_kills[number], ran[number].seconds))


# ---- in a child


def _in_child(work: Any, number: int | None = None) -> Any:
    """Do something in a forked process; what it returns."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            _be_another(number or 0)
            with os.fdopen(writing, "wb") as file:
                pickle.dump(work(), file)
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc(file=sys.__stderr__)
            os._exit(70)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        data = file.read()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return pickle.loads(data)
    if number is None:
        sys.exit(f"the first run ended with {code}")
    return -code if code in (LOOPED, BROKEN) else None  # whatever else ended it, no test has found it


def _be_another(number: int) -> None:
    """Databases have names that no other child uses, the simulator plays short evenings, passwords cost little."""
    for name in ("tests.store.conftest", "tests.nodes.test_late"):
        for counter in {"_names", "_count"} & vars(sys.modules.get(name, os)).keys():
            setattr(sys.modules[name], counter, itertools.count(10_000 * (number + 1)))
    if "tests.simulation.test_oracle" in sys.modules:
        simulator: Any = sys.modules["tests.simulation.test_oracle"]
        simulator.COMMANDS, simulator.report_failure = SIMULATED, lambda *_: ""
    if "croupier.server.sessions" in sys.modules:
        server: Any = sys.modules["croupier.server.sessions"]
        server.PasswordHasher = functools.partial(server.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)


def _first_run(items: Sequence[pytest.Item], modules: dict[str, ModuleType]) -> list[Ran]:
    """What the tests do without a mutant; from the last run, if no file was changed since."""
    files = sorted(file for place in ("src", "tests") for file in (ROOT / place).rglob("*.*") if file.suffix in READ)
    known = hashlib.sha256(repr((sorted(modules), [item.nodeid for item in items])).encode())
    for file in files:
        known.update(file.read_bytes())
    kept = KEPT / f"first-{known.hexdigest()[:12]}.pickle"
    if kept.exists():
        ran: list[Ran] = pickle.loads(kept.read_bytes())
        return ran
    ran = _in_child(functools.partial(_run_all, items, modules))
    KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(ran))
    return ran


def _run_all(items: Sequence[pytest.Item], modules: dict[str, ModuleType]) -> list[Ran]:
    """Run every test, and see which lines of the modules each runs."""
    found, watched = [], _watch(modules)
    for number, item in enumerate(items):
        begin, work = time.monotonic(), _work()
        passed = _passes(item, items[number + 1] if number + 1 < len(items) else None)
        seen = {name: set(lines) for name, lines in watched.items()}
        found.append(Ran(passed, _work() - work, time.monotonic() - begin, seen))
        for lines in watched.values():
            lines.clear()
    return found


def _watch(modules: dict[str, ModuleType]) -> dict[str, set[int]]:
    """From now on every statement of the functions of these modules notes its line when it is run."""
    lines: dict[str, set[int]] = {}
    for name, module in modules.items():
        seen = vars(module)[SEEN] = lines[name] = set()
        tree = ast.parse(Path(module.__file__ or "").read_text())
        functions = {mutant.function for mutant in mutants_of(tree)} - {""}
        for node in list(ast.walk(tree)):
            for field in ("body", "orelse", "finalbody"):
                statements = getattr(node, field, None)
                if isinstance(node, ast.Module | ast.ClassDef) or not isinstance(statements, list):
                    continue
                setattr(node, field, [one for statement in statements for one in (_note(statement), statement)])
        code = compile(ast.fix_missing_locations(tree), module.__file__ or "", "exec", dont_inherit=True)
        for function in functions:
            _exchange(_function(module, function), _code_of(code, function))
        seen.clear()
    return lines


def _note(statement: ast.stmt) -> ast.stmt:
    return ast.parse(f"{SEEN}.add({statement.lineno})").body[0]


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def _try(
    module: ModuleType,
    source: str,
    number: int,
    items: Sequence[pytest.Item],
    ran: list[Ran],
    tests: list[int],
    budget: float,
) -> int | None:
    signal.signal(signal.SIGPROF, lambda *_: os._exit(LOOPED))
    try:
        plant(module, source, number)
    except Exception:
        os._exit(BROKEN)
    begin = _work()
    for place, test in enumerate(tests):
        if _work() - begin > budget:
            break
        # Its own work is counted: on a busy machine nothing is found that is only slow.
        signal.setitimer(signal.ITIMER_PROF, PATIENCE + 2 * ran[test].seconds)
        _give_up_after(WAITING + 2 * ran[test].wall)
        if not _passes(items[test], items[tests[place + 1]] if place + 1 < len(tests) else None):
            return test
    return None


def _work() -> float:
    """Seconds that this process and those that it has started and seen end have worked so far."""
    return sum(os.times()[:4])


def _busy() -> float:
    """Seconds that this process has worked, or could have worked if a processor had been free."""
    return _work() + int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9


def _give_up_after(seconds: float) -> None:
    """End this process after so long, unless it was busy for half of it: then look again later."""
    before = _busy()

    def look(*_: object) -> None:
        nonlocal before
        if _busy() - before < seconds / 2:
            os._exit(LOOPED)
        before = _busy()

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


# ---- planting


def plant(module: ModuleType, source: str, number: int) -> None:
    """Make one change in a module that is loaded, wherever its parts are already in use."""
    tree = ast.parse(source)
    mutant = mutants_of(tree)[number]
    mutant.edit()
    code = compile(ast.fix_missing_locations(tree), module.__file__ or "", "exec", dont_inherit=True)
    if mutant.function:
        _exchange(_function(module, mutant.function), _code_of(code, mutant.function))
    else:
        _rebind_tables(module, tree, mutant.lines.start)
    for name, loaded in list(sys.modules.items()):
        if name.startswith(("croupier.table", "croupier.store", "croupier.office")):
            for value in list(vars(loaded).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _function(module: ModuleType, name: str) -> FunctionType:
    holder: Any = module
    *outer, last = name.split(".")
    for part in outer:
        holder = getattr(holder, part)
    found = vars(holder)[last]
    found = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", None) or found
    plain = inspect.unwrap(found)
    assert isinstance(plain, FunctionType), name
    return plain


def _exchange(function: FunctionType, code: CodeType) -> None:
    """Code that no longer says `super()` no longer holds its class: what is left out is given back to it."""
    if code.co_freevars != function.__code__.co_freevars:
        code = code.replace(co_freevars=function.__code__.co_freevars)
    function.__code__ = code


def _code_of(code: CodeType, name: str) -> CodeType:
    for part in name.split("."):
        [code] = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part][-1:]
    return code


def _rebind_tables(module: ModuleType, tree: ast.Module, line: int) -> None:
    """Set the tables of a module from a line on, also where others have taken them by name."""
    before = dict(vars(module))
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.lineno >= line:
            exec(compile(ast.Module([statement], []), module.__file__ or "", "exec"), vars(module))
    for name, old in before.items():
        new = vars(module)[name]
        if new is old:
            continue
        for loaded in list(sys.modules.values()):
            if loaded is not module and getattr(loaded, "__dict__", {}).get(name) is old:
                setattr(loaded, name, new)


def _temporary(items: Iterable[pytest.Item]) -> list[Path]:
    """The folder where the tests of a child have left theirs."""
    factory = next(iter(items)).config._tmp_path_factory  # type: ignore[attr-defined]
    return [factory.getbasetemp()]


@contextlib.contextmanager
def _one_server(wanted: bool) -> Iterator[None]:
    """One PostgreSQL for all children: those that would start one are given this."""
    if not wanted:
        yield
        return
    from tests.support import postgres

    with postgres.started() as server:
        postgres.started = lambda: contextlib.nullcontext(server)  # type: ignore[assignment, return-value]
        yield


def main() -> int:
    parser = ArgumentParser(description="Plant every mutant; each should turn a test red.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(MODULES)}; all without one")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants of each, the same in every run")
    parser.add_argument("--budget", type=float, default=20, help="seconds of work for the tests of a mutant")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    asked = parser.parse_args()
    names = asked.modules or list(MODULES)
    if unknown := set(names) - set(MODULES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(MODULES)}")
    if asked.fresh:
        shutil.rmtree(KEPT, ignore_errors=True)
    failed = False
    os.environ["HYPOTHESIS_PROFILE"] = "mutation"
    for suite in dict.fromkeys(MODULES[name] for name in names):
        plugin = Mutations(
            [name for name in names if MODULES[name] == suite], asked.sample, asked.budget, fresh=asked.fresh
        )
        options = ["-q", "--no-header", "-p", "no:evidence", "-p", "no:cacheprovider", "-p", "no:xdist", "-s"]
        with _one_server(suite.server):
            ended = pytest.main([*options, "-k", suite.only, *suite.files], plugins=[plugin])
        failed |= plugin.failed or ended not in (0, 5)
    print(f"recorded in {RESULTS.relative_to(ROOT)}; the page is written by: make docs")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
