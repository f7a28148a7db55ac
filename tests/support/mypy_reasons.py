"""A plugin of mypy: every refusal, finding, alert and statement is declared in `croupier.rules`, with its facts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from mypy.nodes import ArgKind
from mypy.plugin import FunctionContext, MethodContext, Plugin, ReportConfigContext
from mypy.subtypes import is_subtype
from mypy.types import Instance, LiteralType, ProperType, Type, UnionType, get_proper_type

SOURCES = Path(__file__).resolve().parents[2] / "src"
sys.path.append(str(SOURCES))
from croupier.rules.alerts import ALERTS  # noqa: E402
from croupier.rules.bets import CONDITION_STATEMENTS  # noqa: E402
from croupier.rules.findings import FINDINGS  # noqa: E402
from croupier.rules.reasons import REASONS, TYPES, Facts  # noqa: E402
from croupier.rules.statement import STATEMENTS  # noqa: E402

Context = FunctionContext | MethodContext
Declared = Mapping[str, Mapping[str, Facts]]
CHECKED: dict[str, tuple[str, Declared, tuple[str, ...]]] = {
    "croupier.rules.refusal.Refused": (
        "reason",
        {reason: one.cases for reason, one in REASONS.items()},
        ("reason", "case", "clause"),
    ),
    "croupier.floor.floor.Floor.alert": ("kind of alert", ALERTS, ("kind", "case", "table", "because")),
    "croupier.rules.findings.found": ("finding", FINDINGS, ("kind", "case", "because")),
    "croupier.rules.statement.state": (
        "statement",
        {id: {"": facts} for id, facts in (STATEMENTS | CONDITION_STATEMENTS).items()},
        ("id", "clause"),
    ),
}
"""What is called: what it makes, what is declared for it, and the parameters that are not facts."""


class Reasons(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return partial(_checked, *CHECKED[fullname]) if fullname in CHECKED else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return partial(_checked, *CHECKED[fullname]) if fullname in CHECKED else None

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """What is kept from an earlier run counts as long as the tables are the same."""
        names = ("reasons.py", "findings.py", "alerts.py", "statement.py", "bets.py")
        tables = [(SOURCES / "croupier/rules" / name).read_bytes() for name in names]
        return sha256(b"".join(tables)).hexdigest()


def _checked(what: str, declared: Declared, fixed: tuple[str, ...], ctx: Context) -> Type:
    given: dict[str, tuple[Type, int]] = {}
    for number, types in enumerate(ctx.arg_types):
        for position, type in enumerate(types):
            if ctx.arg_kinds[number][position] is ArgKind.ARG_STAR2:
                return ctx.default_return_type  # facts that come as a mapping are compared when it is raised
            name = ctx.arg_names[number][position] or fixed[number]
            given[name] = (type, number)
    reasons = _words(given[fixed[0]][0]) if fixed[0] in given else None
    if reasons is None:
        return ctx.default_return_type  # chosen at run time, and compared there
    for reason in reasons:
        if reason not in declared:
            ctx.api.fail(f'"{reason}" is not a {what}; croupier.rules lists them', ctx.context)
            return ctx.default_return_type
        cases = _words(given["case"][0]) if "case" in given else [""]
        facts = {name: type for name, (type, _) in given.items() if name not in fixed}
        for case in cases or ():
            _check_facts(ctx, declared[reason], reason, case, facts)
        if cases is None and facts:
            ctx.api.fail(f'the case of "{reason}" must be a literal, as it has facts', ctx.context)
    return ctx.default_return_type


def _check_facts(ctx: Context, cases: Mapping[str, Facts], reason: str, case: str, facts: dict[str, Type]) -> None:
    declared = cases.get(case)
    if declared is None:
        ctx.api.fail(f'"{reason}" has no case "{case}"', ctx.context)
        return
    if facts.keys() != declared.keys():
        wanted = ", ".join(f"{name}: {kind}" for name, kind in declared.items()) or "no facts"
        ctx.api.fail(f'"{reason}" "{case}" has {", ".join(facts) or "no facts"}; it needs {wanted}', ctx.context)
        return
    for name, kind in declared.items():
        if not _fits(ctx, get_proper_type(facts[name]), kind):
            ctx.api.fail(f'"{reason}" "{case}": {name} is a {kind}, which this is not', ctx.context)


def _fits(ctx: Context, type: ProperType, kind: str) -> bool:
    if kind == "statement":
        return isinstance(type, Instance) and type.type.fullname == "croupier.rules.statement.Statement"
    return is_subtype(type, _type_of(ctx, kind))


def _type_of(ctx: Context, kind: Any) -> Type:
    type = TYPES[kind]
    text = ctx.api.named_generic_type("builtins.str", [])
    if type is tuple:
        return ctx.api.named_generic_type("builtins.tuple", [text])
    return ctx.api.named_generic_type(f"builtins.{type.__name__}", [])


def _words(type: Type) -> list[str] | None:
    """The strings that this may be, if they are all written in the code."""
    type = get_proper_type(type)
    if isinstance(type, Instance) and type.last_known_value is not None:
        type = type.last_known_value
    if isinstance(type, LiteralType) and isinstance(type.value, str):
        return [type.value]
    if isinstance(type, UnionType):
        parts = [_words(part) for part in type.items]
        return None if None in parts else [word for part in parts for word in part or ()]
    return None


def plugin(version: str) -> type[Plugin]:
    return Reasons
