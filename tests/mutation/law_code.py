"""Mutants of the code that reads a rulebook: what a clause requires and no value of its data says."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple


class CodeMutant(NamedTuple):
    """A piece of a module of `croupier`, what stands there instead, and the clauses that this breaks, by book."""

    name: str
    module: str
    old: str
    new: str
    clauses: dict[str, tuple[str, ...]]


SICBO, TAISAI, ESICBO = "rws-sicbo-etg-v2", "rws-taisai-v5", "mbs-esicbo-v4"
DIVISION9, SANDS = "nz-taisai-division9", "mbs-sands-roulette-v2"

CODE: tuple[CodeMutant, ...] = (
    CodeMutant(
        "a void keeps a stake",
        "table.irregularities",
        ") for bet in bets if bet.stake)\n    seats",
        ") for bet in bets[1:] if bet.stake)\n    seats",
        {SICBO: ("1.10", "5.9"), TAISAI: ("1.9", "5.12"), DIVISION9: ("7.1",)},
    ),
    CodeMutant(
        "a void informs nobody",
        "table.irregularities",
        "seats = tuple(dict.fromkeys(bet.seat for bet in bets if bet.stake))",
        "seats = ()",
        {SICBO: ("5.9",), TAISAI: ("5.12",)},
    ),
    CodeMutant(
        "a void touches the round before",
        "table.evolve",
        "    table.next_round = m.RoundNumber(event.round + 1)\n    _end",
        "    table.next_round = m.RoundNumber(event.round + 1)\n    table.past.clear()\n    _end",
        {SICBO: ("5.3", "5.6"), TAISAI: ("5.5", "5.8")},
    ),
    CodeMutant(
        "losing bets are not collected",
        "table.limits",
        "    if odds is None:\n        return Paid(bet.id, bet.seat, action, ",
        "    if odds is None:\n        return Paid(bet.id, bet.seat, Cents(0), ",
        {SICBO: ("3.8", "1.4"), TAISAI: ("3.9", "1.4"), DIVISION9: ("6.5(a)",), SANDS: ("1.1.5",), ESICBO: ("1.1.3",)},
    ),
    CodeMutant(
        "a win is not paid",
        "table.limits",
        "winnings(action, odds), bet.stake, box.odds_clause)",
        "Cents(0), bet.stake, box.odds_clause)",
        {SICBO: ("3.8", "3.1"), TAISAI: ("3.9", "3.1"), DIVISION9: ("6.5(b)",), ESICBO: ("3.6", "4.1")},
    ),
    CodeMutant(
        "the House's bank stands still",
        "table.evolve",
        "table.house = Cents(table.house + paid.collected)",
        "table.house = Cents(table.house)",
        {SICBO: ("1.4",), TAISAI: ("1.4",)},
    ),
    CodeMutant(
        "the lowest faces decide",
        "table.result",
        'parse("-".join(table.entry))',
        'parse("-".join(str(7 - int(face)) for face in table.entry))',
        {SICBO: ("1.9", "3.7"), TAISAI: ("1.8", "3.8"), DIVISION9: ("1.0", "4.2"), ESICBO: ("3.5",)},
    ),
    CodeMutant(
        "two faces are a result",
        "table.result",
        "if len(table.entry) < DICE:",
        "if len(table.entry) < 2:",
        {DIVISION9: ("6.4(a)", "6.4(b)", "3.3(a)(ii)")},
    ),
    CodeMutant(
        "a key is no face of a die",
        "table.result",
        "if command.face not in FACES:",
        "if not command.face:",
        {DIVISION9: ("3.3(a)(i)", "3.3(a)", "3.3")},
    ),
    CodeMutant(
        "the light shows every key pressed",
        "table.evolve",
        "table.entry = (*table.entry, event.face)[-3:]",
        "table.entry = (*table.entry, event.face)",
        {DIVISION9: ("3.3(a)(iii)", "6.4(a)")},
    ),
    CodeMutant(
        "losing areas are lit",
        "table.view",
        "    return layout.lit(outcome)",
        "    return tuple(box for box in layout.boxes if box not in layout.lit(outcome))",
        {DIVISION9: ("3.3(b)", "6.5"), TAISAI: ("5.10",)},
    ),
    CodeMutant(
        "anyone places a Player's bet",
        "table.permits",
        '    m.PlaceBet: (_SEAT, "on-behalf"),',
        '    m.PlaceBet: (_SEAT, "on-behalf", "cashier", "dealer"),',
        {SICBO: ("1.6", "1.7", "3.4"), ESICBO: ("1.1.2",)},
    ),
    CodeMutant(
        "bets are taken before the call",
        "table.state",
        'OPEN_FOR_BETS = ("betting", "spinning")',
        'OPEN_FOR_BETS = ("betting", "spinning", "closed")',
        {SICBO: ("3.5",), TAISAI: ("3.6", "5.7"), ESICBO: ("3.2", "5.7"), DIVISION9: ("4.7",), SANDS: ("5.13",)},
    ),
    CodeMutant(
        "the cover is not looked at",
        "table.motion",
        'if table.phase in ("moving", "betting"):',
        'if table.phase == "none":',
        {ESICBO: ("5.2", "3.4"), DIVISION9: ("7.1(c)",)},
    ),
    CodeMutant(
        "the limits on the display bite in the round under way",
        "table.betting",
        "layout, limits = table.layouts[seat.layout], round.limits",
        "layout, limits = table.layouts[seat.layout], table.limits",
        {SICBO: ("3.3",), ESICBO: ("3.3",)},
    ),
    CodeMutant(
        "an oral bet needs no chips",
        "table.checks",
        "if amount > seat.credit:",
        "if amount > seat.credit + 100_000:",
        {DIVISION9: ("4.5",), ESICBO: ("1.1.2",)},
    ),
    CodeMutant(
        "a loser may be taken back",
        "table.betting",
        "    if table.layouts[bet.layout].pays(bet.box, table.round.outcome) is None:",
        "    if part is None:",
        {DIVISION9: ("4.8",)},
    ),
    CodeMutant(
        "a forgotten tumble is not noticed when the cover is lifted",
        "table.motion",
        "    if not table.motion.started:\n        forgotten",
        "    if table.motion.count == -1:\n        forgotten",
        {DIVISION9: ("7.1(d)",)},
    ),
    CodeMutant(
        "a call bet that was misplaced is moved",
        "table.irregularities",
        'if command.treatment != "stand" and excepted and bet.by != bet.seat:',
        'if command.treatment == "none":',
        {DIVISION9: ("4.9",)},
    ),
    CodeMutant(
        "bets of the ball that runs are never closed",
        "table.state",
        '"spinning": {"BettingClosed": "moving"},',
        '"spinning": {"BettingClosed": "spinning"},',
        {SANDS: ("3.7", "3.2")},
    ),
    CodeMutant(
        "chips may be moved at any time",
        "table.irregularities",
        "    check_fits(table, part)\n    bet = bet_of(round, command.bet)",
        "    bet = bet_of(round, command.bet)",
        {SANDS: ("4.5", "3.9"), DIVISION9: ("4.9",)},
    ),
    CodeMutant(
        "the bets of a terminal that fails go back",
        "table.interruptions",
        '    if not table.reads("failed-terminal-returns") or struck_phase(table) not in OPEN_FOR_BETS:',
        "    if struck_phase(table) not in OPEN_FOR_BETS:",
        {SICBO: ("5.2", "5.2.1"), ESICBO: ("5.9", "5.9.1")},
    ),
    CodeMutant(
        "the largest bet takes a whole box",
        "table.limits",
        "        share = room * stake // total\n",
        "        share = room * (stake == max(sharing.values()))\n",
        {TAISAI: ("3.5", "5.1.1")},
    ),
    CodeMutant(
        "a bell rings for nothing",
        "table.betting",
        "closed = m.BettingClosed(command.by, command.at, call.words, call.bell, cut, call.clause)",
        "closed = m.BettingClosed(command.by, command.at, call.words, not call.bell, cut, call.clause)",
        {DIVISION9: ("6.2",), SANDS: ("3.2",), TAISAI: ("3.6",), SICBO: ("3.5",), ESICBO: ("3.2",)},
    ),
)


@contextlib.contextmanager
def planted(mutant: CodeMutant) -> Iterator[None]:
    """With the change in the loaded module, wherever its functions and tables are in use; then as it was."""
    module = importlib.import_module(f"croupier.{mutant.module}")
    source = Path(module.__file__ or "").read_text()
    assert source.count(mutant.old) == 1, f"{mutant.name}: {mutant.module} has {source.count(mutant.old)} of it"
    changed = source.replace(mutant.old, mutant.new)
    code = compile(changed, module.__file__ or "", "exec", dont_inherit=True)
    whole = {name: inspect.unwrap(one) for name, one in vars(module).items() if callable(one)}
    functions = {name: one for name, one in whole.items() if _is_own_function(one, module)}
    before = {name: one.__code__ for name, one in functions.items()}
    tables = _changed_tables(module, source, changed)
    try:
        for one in code.co_consts:
            if isinstance(one, CodeType) and one.co_name in functions:
                functions[one.co_name].__code__ = one
        _rebind(tables)
        _forget_answers()
        yield
    finally:
        for name, own in before.items():
            functions[name].__code__ = own
        _rebind([(name, new, old) for name, old, new in tables])
        _forget_answers()


def _is_own_function(one: object, module: ModuleType) -> bool:
    return isinstance(one, FunctionType) and one.__module__ == module.__name__


def _changed_tables(module: ModuleType, source: str, changed: str) -> list[tuple[str, Any, Any]]:
    """(name, old, new) of the tables of a module that the change concerns: it is made in one of them, or nothing is."""
    import ast

    old = {ast.unparse(node): node for node in ast.parse(source).body}
    fresh = [node for node in ast.parse(changed).body if ast.unparse(node) not in old]
    found = []
    for node in fresh:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            assert isinstance(target, ast.Name)
            assert node.value is not None
            value = eval(compile(ast.Expression(node.value), module.__file__ or "", "eval"), vars(module))
            found.append((target.id, vars(module)[target.id], value))
    return found


def _rebind(tables: list[tuple[str, Any, Any]]) -> None:
    for name, old, new in tables:
        for loaded in list(sys.modules.values()):
            if getattr(loaded, "__dict__", {}).get(name) is old:
                setattr(loaded, name, new)


def _forget_answers() -> None:
    for name, loaded in list(sys.modules.items()):
        if name.startswith("croupier.table"):
            for value in list(vars(loaded).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
