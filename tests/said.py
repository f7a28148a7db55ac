"""What the server says in English to the people before its screens, read from its source: every template once.

A template is a sentence with `{fact}` where a fact stands. A sentence that is put together from pieces (`who`,
`bounds`) gives one template for each way to do so.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

ROOMS = Path(__file__).parents[1] / "src" / "croupier"
SPOKEN = {
    "Refused": 1,
    "Refusal": 1,
    "missing": 0,
    "_no": 2,
    "_tell": 1,
    "Untrue": 1,
    "Lie": 2,
    "OSError": 0,
}
"""By the function that says it: which argument is the sentence."""
ELSEWHERE = (
    *("cli/", "client/", "paper/", "rules/library", "server/serve", "server/staff/pages"),
    *("store/archive", "store/checkpoint", "store/manifest", "store/pack", "store/folder"),
    *(
        "analysis/simulate/bulk",
        "analysis/simulate/cluster",
        "analysis/simulate/table_run",
        "analysis/exact/house",
        "analysis/simulate/numba_players",
        "analysis/simulate/numpy_players",
    ),
    *(
        "analysis/simulate/plan",
        "analysis/simulate/randomness",
        "analysis/exact/rounding",
        "analysis/exact/ruin",
        "analysis/simulate/sessions",
    ),
    *("analysis/simulate/spread", "analysis/simulate/strategies", "analysis/exact/streaks", "analysis/report/trace"),
)
"""What these say is read in a console or a file."""
READERS = {"rules/money.py": {"ValueError": 0}}
"""What a reader says of a text goes on in a refusal."""


def templates() -> dict[str, str]:
    """Every template, with the place where it stands."""
    found: dict[str, str] = {}
    for file in sorted(ROOMS.rglob("*.py")):
        place = file.relative_to(ROOMS).as_posix()
        if not place.startswith(ELSEWHERE):
            for line, template in _of(ast.parse(file.read_text()), SPOKEN | READERS.get(place, {})):
                found.setdefault(template, f"{place}:{line}")
    return found


def _of(tree: ast.AST, spoken: dict[str, int]) -> Iterator[tuple[int, str]]:
    constants = _assigned(ast.Module([node for node in ast.iter_child_nodes(tree) if isinstance(node, ast.Assign)], []))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            local = constants | _assigned(function)
            for call in ast.walk(function):
                if (
                    isinstance(call, ast.Call)
                    and (at := spoken.get(_name(call.func))) is not None
                    and len(call.args) > at
                ):
                    yield from ((call.lineno, one) for one in _texts(call.args[at], local))


def _assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    local: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(node.targets[0].elts, node.value.elts, strict=True))
            for target, value in pairs:
                if isinstance(target, ast.Name):
                    local.setdefault(target.id, []).append(value)
    return local


def _texts(node: ast.expr, local: dict[str, list[ast.expr]]) -> Iterator[str]:
    """The templates an expression may give."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            for parts in product(*(_pieces(part, local) for part in node.values)):
                yield _numbered("".join(parts))
        case ast.IfExp():
            yield from _texts(node.body, local)
            yield from _texts(node.orelse, local)
        case ast.Subscript():  # a sentence that is cut
            yield from _texts(node.value, local)
        case ast.BinOp(op=ast.Add()):
            for left in _texts(node.left, local):
                yield left
                yield from (left + right for right in _texts(node.right, local))
        case ast.Name() if node.id in local:
            for value in local.pop(node.id):
                yield from _texts(value, local)
                local[node.id] = []


def _pieces(part: ast.expr, local: dict[str, list[ast.expr]]) -> list[str]:
    """What may stand in one place of a sentence: its words, a fact, or words that were put together before."""
    if not isinstance(part, ast.FormattedValue):
        return list(_texts(part, local))
    values = local.get(part.value.id, []) if isinstance(part.value, ast.Name) else [part.value]
    if all(isinstance(value, ast.JoinedStr | ast.Constant | ast.IfExp) for value in values):
        inner = [one for value in values for one in _texts(value, {})]
        if any(" " in one.strip() for one in inner) or (inner and part.value in values):
            return inner
    return [f"{{{_fact(part.value)}}}"]


def _numbered(template: str) -> str:
    """Facts of one name get numbers, from the second on."""
    seen: Counter[str] = Counter()

    def name(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return f"{{{match[1]}{seen[match[1]] if seen[match[1]] > 1 else ''}}}"

    return re.sub(r"\{(\w+)\}", name, template)


def _fact(node: ast.expr) -> str:
    """What a fact is called in a template: by its last name."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute(attr="__name__"):
            return "act"
        case ast.Attribute():
            return node.attr
        case ast.Call(func=ast.Attribute(attr="join")):
            return _fact(node.args[0])
        case ast.Call() if node.args:
            return _fact(node.args[0])
        case ast.Subscript() | ast.BinOp(left=ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript()):
            return _fact(node.value if isinstance(node, ast.Subscript) else node.left)
        case ast.BoolOp():
            return _fact(node.values[0])
        case ast.IfExp():
            return _fact(node.body)
    names = re.findall(r"[a-z_]+", ast.unparse(node))
    return names[-1] if names else "fact"


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
