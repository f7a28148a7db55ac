"""`make mutation`: plant every mutant of a module, each in a process forked from one that has everything loaded.

    python -m tests.mutation [MODULE …] [--sample N] [--fresh] [--budget SECONDS]

The tests are collected once. A first child runs them all and tells which test runs which line. Each mutant then has a
child of its own: the code of one function is exchanged, and the tests that run its lines are run, those first that
have found most so far, until one is red. What was found is kept in build/mutation, so that a run that was ended goes
on; survivors without a reason are tried again. A score below the recorded one is told, nothing is recorded, and the run
fails.
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
import threading
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.record import MODULES, RESULTS, Result, read_results, write_results

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutation"
PATIENCE = 5
"""Seconds of work that a test may do beyond twice what it did while its lines were watched: then it is in a loop."""
WAITING = 120
"""Seconds, on the wall's clock, after which it waits for what will never come."""
MEMORY = 8 * 1024**3
SEED = 18
SIMULATED = 6_000
"""Commands of the simulator, for each book."""

LOOPED, BROKEN = 3, 4
"""How a child ends that was in a loop, or whose module cannot even be loaded: no test is needed to find that."""


class Ran(NamedTuple):
    """What a test did without a mutant."""

    passed: bool
    seconds: float
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
        files = {str(module.__file__): name for name, module in modules.items()}
        ran = _in_child(functools.partial(_run_all, session.items, files))
        for item, one in zip(session.items, ran, strict=True):
            if not one.passed:
                print(f"left out, for it is red without a mutant: {item.nodeid}")
        for name, module in modules.items():
            self._module(name, module, session.items, ran)
        return True

    def _module(self, name: str, module: ModuleType, items: Sequence[pytest.Item], ran: list[Ran]) -> None:
        source = Path(module.__file__ or "").read_text()
        kept = _Kept(name, source)
        mutants = mutants_of(ast.parse(source))
        chosen = _chosen(mutants, self.sample)
        before = read_results().get(name)
        explained = {one for one, why in before.survivors.items() if why} if before and not self.fresh else set()
        kills: defaultdict[str, Counter[int]] = defaultdict(Counter)
        begin, survivors = time.monotonic(), []
        for place, number in enumerate(chosen):
            mutant = mutants[number]
            if mutant.name in kept.found:
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
            kept.add(mutant.name, "no test is needed" if by < 0 else items[by].nodeid)
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
    """Which mutants were found, as long as the module is the same: one line each, so that an ended run goes on."""

    def __init__(self, name: str, source: str) -> None:
        self._file = KEPT / f"{name.replace('/', '.')}-{hashlib.sha256(source.encode()).hexdigest()[:12]}.jsonl"
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        self.found = dict(json.loads(line) for line in lines)

    def add(self, mutant: str, test: str) -> None:
        self.found[mutant] = test
        with self._file.open("a") as file:
            print(json.dumps((mutant, test)), file=file)


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
    """Databases are made under names that no other child uses; the simulator plays short evenings."""
    for name in ("tests.store.conftest", "tests.nodes.test_late"):
        for counter in {"_names", "_count"} & vars(sys.modules.get(name, os)).keys():
            setattr(sys.modules[name], counter, itertools.count(10_000 * (number + 1)))
    if "tests.simulation.test_oracle" in sys.modules:
        simulator: Any = sys.modules["tests.simulation.test_oracle"]
        simulator.COMMANDS, simulator.report_failure = SIMULATED, lambda *_: ""


def _run_all(items: Sequence[pytest.Item], files: dict[str, str]) -> list[Ran]:
    """Run every test, and see which lines of the modules each runs."""
    found = []
    for number, item in enumerate(items):
        begin = time.process_time()
        with _watched(files) as lines:
            passed = _passes(item, items[number + 1] if number + 1 < len(items) else None)
        found.append(Ran(passed, time.process_time() - begin, dict(lines)))
    return found


@contextlib.contextmanager
def _watched(files: dict[str, str]) -> Iterator[dict[str, set[int]]]:
    lines: defaultdict[str, set[int]] = defaultdict(set)

    def enter(frame: FrameType, event: str, _: object) -> Any:
        name = files.get(frame.f_code.co_filename)
        return None if name is None else _within(lines[name])

    threading.settrace(enter)
    sys.settrace(enter)
    try:
        yield lines
    finally:
        sys.settrace(None)
        threading.settrace(None)


def _within(lines: set[int]) -> Any:
    def line(frame: FrameType, event: str, _: object) -> Any:
        lines.add(frame.f_lineno)
        return line

    return line


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
    for alarm in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(alarm, lambda *_: os._exit(LOOPED))
    try:
        plant(module, source, number)
    except Exception:
        os._exit(BROKEN)
    begin = time.monotonic()
    for place, test in enumerate(tests):
        if time.monotonic() - begin > budget:
            break
        # Its own work is counted: on a busy machine nothing is found that is only slow.
        signal.setitimer(signal.ITIMER_PROF, PATIENCE + 2 * ran[test].seconds)
        signal.setitimer(signal.ITIMER_REAL, WAITING)
        if not _passes(items[test], items[tests[place + 1]] if place + 1 < len(tests) else None):
            return test
    return None


# ---- planting


def plant(module: ModuleType, source: str, number: int) -> None:
    """Make one change in a module that is loaded, wherever its parts are already in use."""
    tree = ast.parse(source)
    mutant = mutants_of(tree)[number]
    mutant.edit()
    code = compile(ast.fix_missing_locations(tree), module.__file__ or "", "exec", dont_inherit=True)
    if mutant.function:
        _function(module, mutant.function).__code__ = _code_of(code, mutant.function)
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
    parser.add_argument("--budget", type=float, default=20, help="seconds that the tests of one mutant may take")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    asked = parser.parse_args()
    names = asked.modules or list(MODULES)
    if unknown := set(names) - set(MODULES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(MODULES)}")
    if asked.fresh:
        shutil.rmtree(KEPT, ignore_errors=True)
    failed = False
    for suite in dict.fromkeys(MODULES[name] for name in names):
        plugin = Mutations(
            [name for name in names if MODULES[name] == suite], asked.sample, asked.budget, fresh=asked.fresh
        )
        options = ["-q", "--no-header", "-p", "no:evidence", "-p", "no:cacheprovider", "-p", "no:xdist", "-s"]
        with _one_server(suite.only == "not sqlite"):
            ended = pytest.main([*options, "-k", suite.only, *suite.files], plugins=[plugin])
        failed |= plugin.failed or ended not in (0, 5)
    print(f"recorded in {RESULTS.relative_to(ROOT)}; the page is written by: make docs")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
